#include "friction_pairs.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

static const char *surface_name(const WeftModel *model, int body) {
  return body < model->cloth_count ? model->cloths[body].material.name
                                   : model->obstacles[body - model->cloth_count].name;
}

/* What follows from both: between cloths the mean, on an obstacle its own or, where it says none, the
 * cloth's. */
static void follow(const WeftModel *model, int a, int b, double *at_rest, double *sliding) {
  *at_rest = *sliding = 0;
  if (a >= model->cloth_count && b >= model->cloth_count) return;
  const WeftMaterial *first = &model->cloths[a < model->cloth_count ? a : b].material;
  if (a < model->cloth_count && b < model->cloth_count) {
    *at_rest = *sliding =
        0.5 * (model->cloths[a].material.friction_self + model->cloths[b].material.friction_self);
    return;
  }
  const WeftModelObstacle *obstacle =
      &model->obstacles[(a < model->cloth_count ? b : a) - model->cloth_count];
  *at_rest = obstacle->friction_static >= 0 ? obstacle->friction_static : first->friction_static;
  *sliding = obstacle->friction_kinetic >= 0 ? obstacle->friction_kinetic : first->friction_kinetic;
}

WeftResult weft_model_set_friction(WeftModel *model, const WeftFrictionPair *pairs, int pair_count,
                                   WeftError *error) {
  int bodies = model->cloth_count + model->obstacle_count;
  model->friction = WEFT_NEW(double, 2 * (size_t)bodies * (size_t)bodies);
  if (!model->friction) return weft_fail_memory(error, "friction of pairs of bodies");
  for (int a = 0; a < bodies; a++) {
    for (int b = 0; b < bodies; b++) {
      double *own = model->friction + 2 * ((size_t)a * (size_t)bodies + (size_t)b);
      const char *names[2] = {surface_name(model, a), surface_name(model, b)};
      follow(model, a, b, &own[0], &own[1]);
      for (int i = 0; i < pair_count; i++) {
        bool is_it = (!strcmp(pairs[i].a, names[0]) && !strcmp(pairs[i].b, names[1])) ||
                     (!strcmp(pairs[i].a, names[1]) && !strcmp(pairs[i].b, names[0]));
        if (is_it) own[0] = pairs[i].at_rest, own[1] = pairs[i].sliding;
      }
    }
  }
  for (int i = 0; i < pair_count; i++)
    model->fingerprint = weft_hash(model->fingerprint, &pairs[i], sizeof pairs[i]);
  return WEFT_RESULT_OK;
}
