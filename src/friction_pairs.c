#include "friction_pairs.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What friction and contact distance see of a body. Bodies that are alike in it share one: there may be
 * thousands of obstacles, and a table has room for every pair. */
typedef struct Surface {
  bool is_cloth;
  double thickness, at_rest, sliding, self;
  const char *name; /* "" when no pair names it */
} Surface;

static bool is_named(const char *name, const WeftFrictionPair *pairs, int pair_count) {
  for (int i = 0; i < pair_count; i++) {
    if (!strcmp(pairs[i].a, name) || !strcmp(pairs[i].b, name)) return true;
  }
  return false;
}

static Surface surface_of(const WeftModel *model, int body, const WeftFrictionPair *pairs, int pair_count) {
  Surface s;
  if (body < model->cloth_count) {
    const WeftMaterial *m = &model->cloths[body].material;
    s = (Surface){true, m->thickness, m->friction_static, m->friction_kinetic, m->friction_self, m->name};
  } else {
    const WeftModelObstacle *o = &model->obstacles[body - model->cloth_count];
    s = (Surface){false, o->thickness, o->friction_static, o->friction_kinetic, 0, o->name};
  }
  if (!is_named(s.name, pairs, pair_count)) s.name = "";
  return s;
}

static bool are_alike(const Surface *a, const Surface *b) {
  return a->is_cloth == b->is_cloth && a->thickness == b->thickness && a->at_rest == b->at_rest &&
         a->sliding == b->sliding && a->self == b->self && !strcmp(a->name, b->name);
}

/* What follows from both: between cloths the mean, on an obstacle its own or, where it says none, the
 * cloth's; obstacles do not meet. */
static void follow(const Surface *a, const Surface *b, double *at_rest, double *sliding) {
  const Surface *cloth = a->is_cloth ? a : b, *obstacle = a->is_cloth ? b : a;
  *at_rest = *sliding = 0;
  if (a->is_cloth && b->is_cloth) {
    *at_rest = *sliding = 0.5 * (a->self + b->self);
  } else if (cloth->is_cloth) {
    *at_rest = obstacle->at_rest >= 0 ? obstacle->at_rest : cloth->at_rest;
    *sliding = obstacle->sliding >= 0 ? obstacle->sliding : cloth->sliding;
  }
}

/* Contact distance, and friction at rest and sliding; of pairs that were named the last one counts. */
static void fill_pair(const Surface *a, const Surface *b, const WeftFrictionPair *pairs, int pair_count,
                      double *pair) {
  pair[0] = 0.5 * (a->thickness + b->thickness);
  follow(a, b, &pair[1], &pair[2]);
  for (int i = 0; i < pair_count; i++) {
    bool is_it = (!strcmp(pairs[i].a, a->name) && !strcmp(pairs[i].b, b->name)) ||
                 (!strcmp(pairs[i].a, b->name) && !strcmp(pairs[i].b, a->name));
    if (is_it) pair[1] = pairs[i].at_rest, pair[2] = pairs[i].sliding;
  }
}

WeftResult weft_model_set_friction(WeftModel *model, const WeftFrictionPair *pairs, int pair_count,
                                   WeftError *error) {
  int bodies = model->cloth_count + model->obstacle_count, count = 0;
  Surface *surfaces = WEFT_NEW(Surface, bodies);
  model->body_surface = WEFT_NEW(int32_t, bodies);
  if (!surfaces || !model->body_surface) {
    free(surfaces);
    return weft_fail_memory(error, "surfaces of bodies");
  }
  for (int body = 0; body < bodies; body++) {
    Surface s = surface_of(model, body, pairs, pair_count);
    int found = 0;
    while (found < count && !are_alike(&surfaces[found], &s)) found++;
    if (found == count) surfaces[count++] = s;
    model->body_surface[body] = found;
  }
  model->surface_count = count;
  model->surface_pairs = WEFT_NEW(double, 3 * (size_t)count * (size_t)count);
  for (int i = 0; model->surface_pairs && i < count * count; i++)
    fill_pair(&surfaces[i / count], &surfaces[i % count], pairs, pair_count,
              model->surface_pairs + 3 * (size_t)i);
  free(surfaces);
  if (!model->surface_pairs) return weft_fail_memory(error, "pairs of surfaces");
  for (int i = 0; i < pair_count; i++)
    model->fingerprint = weft_hash(model->fingerprint, &pairs[i], sizeof pairs[i]);
  return WEFT_RESULT_OK;
}
