/* Contacts of a world at its start, with a matrix of mass alone. */
#ifndef WEFT_TESTS_CONTACT_CASE_H
#define WEFT_TESTS_CONTACT_CASE_H

#include "force/contact.h"

#include "base/memory.h"
#include "detect/distance.kernel.h"
#include "device/opencl_case.h"
#include "force/element.kernel.h"
#include "force/friction.kernel.h"
#include "integrate/vector.h"
#include "registry.h"
#include "respond/respond.h"
#include "world.h"
#include "world/collision_worlds.h"

static const double H = 0.005;

/* A world, its contacts at the start, and a matrix of mass alone. */
typedef struct Case {
  WeftWorld *world;
  WeftRespond respond;
  WeftContacts contacts;
  WeftBcsr matrix;
  double *f, *kxv;
  int n; /* of cloth's vertices */
} Case;

/* DETECT, and how stiff the contacts are. */
static inline void detect(Case *c) {
  WeftError error;
  const WeftState *now = &c->world->state;
  c->respond.detector.surface = &c->respond.surface; /* the case may have been copied */
  weft_respond_aim(&c->respond, now, NULL, 0, H);
  weft_vector_predict(NULL, c->n, H, (double[3]){0}, now->held, now->v, now->x, now->v, now->dv,
                      c->respond.x1);
  const WeftDetectQuery query = {.x0 = c->respond.x0, .x1 = c->respond.x1, .distance = c->contacts.reach};
  check_ok(weft_detector_ahead(&c->respond.detector, &query, &error), error);
  check_ok(weft_contacts_take(&c->contacts, &c->respond.detector.vertex_face, &c->respond.detector.edge_edge,
                              &c->matrix, &error),
           error);
  weft_bcsr_set_mass(&c->matrix, c->world->model.mass, 1);
  weft_contacts_stiffen(&c->contacts, &c->matrix, c->respond.x0, c->respond.x1, now->v, H, (double[3]){0});
}

/* Random velocities: some contacts approach, some slide, some go apart. */
static inline Case case_of(WeftWorld *world, uint64_t seed) {
  WeftError error;
  Case c = {.world = world};
  check_ok(weft_world_build(world, &error), error);
  WeftModel *model = &world->model;
  c.n = model->vertex_count;
  for (int i = 0; i < 3 * c.n; i++) world->state.v[i] += random_in(&seed, -0.2, 0.2);
  check_ok(weft_respond_create(&c.respond, NULL, model, weft_registry_broad("bvh"), 0, NULL, NULL, &error),
           error);
  check_ok(weft_contacts_create(&c.contacts, NULL, model, &weft_friction_coulomb, &error), error);
  check_ok(weft_bcsr_create(&c.matrix, c.n, NULL, 0, &error), error);
  detect(&c);
  c.f = WEFT_NEW(double, 3 * (size_t)c.n);
  c.kxv = WEFT_NEW(double, 3 * (size_t)c.n);
  return c;
}

static inline void case_close(Case *c) {
  free(c->f);
  free(c->kxv);
  weft_bcsr_destroy(&c->matrix);
  weft_contacts_destroy(&c->contacts);
  weft_respond_destroy(&c->respond);
  weft_world_destroy(c->world);
}

/* Forces, and with wants the blocks of -K_x behind the mass and K_x v. */
static inline void add(Case *c, const double *x, const double *v, int wants) {
  memset(c->f, 0, 3 * (size_t)c->n * sizeof *c->f);
  memset(c->kxv, 0, 3 * (size_t)c->n * sizeof *c->kxv);
  WeftForceRequest request = {.x = x, .v = v, .wants = wants, .ax = -1, .f = c->f};
  request.kxv = c->kxv;
  request.a = c->matrix.value;
  weft_contacts_add(&c->contacts, &request, &c->matrix);
}

#endif
