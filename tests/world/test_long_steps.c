/* Steps that are too long for one linear solve: a strip that runs over a thin bar turns by a large angle in a
 * step, and must not be stretched by that. */
#include "collision_worlds.h"
#include "device/kernel.h"
#include "integrate/lengthen.h"
#include "world.h"

enum { SEGMENTS = 16 };

/* Along y. */
static void add_bar(WeftWorld *world, double radius, double half_length) {
  WeftError error;
  double x[6 * SEGMENTS];
  int32_t triangles[6 * SEGMENTS];
  for (int i = 0; i < SEGMENTS; i++) {
    double a = 2 * acos(-1) * (i + 0.5) / SEGMENTS; /* flat on top */
    const double ends[6] = {radius * cos(a), -half_length, radius * sin(a),
                            radius * cos(a), half_length,  radius * sin(a)};
    memcpy(x + 6 * i, ends, sizeof ends);
    int32_t p = 2 * i, q = 2 * ((i + 1) % SEGMENTS);
    const int32_t two[6] = {p, p + 1, q, p + 1, q + 1, q};
    memcpy(triangles + 6 * i, two, sizeof two);
  }
  WeftObstacleDef def = weft_default_obstacle_def();
  def.vertex_count = 2 * SEGMENTS;
  def.positions = x;
  def.triangle_count = 2 * SEGMENTS;
  def.triangles = triangles;
  check_ok(weft_world_add_obstacle(world, &def, NULL, &error), error);
}

/* 300 mm long and 12 mm wide, 50 mm of it on the left of the bar. */
static void add_strip(WeftWorld *world, double z) {
  WeftError error;
  WeftShape shape;
  check_ok(weft_generate_rectangle(&shape, 0.3, 0.012, 100, 4, WEFT_PATTERN_ALTERNATING, &error), error);
  double low = INFINITY;
  int n = shape.mesh.vertex_count;
  for (int i = 0; i < n; i++) low = fmin(low, shape.mesh.positions[3 * i]);
  for (int i = 0; i < n; i++) {
    shape.mesh.positions[3 * i] -= low + 0.05;
    shape.mesh.positions[3 * i + 2] = z;
  }
  WeftClothDef cloth = weft_default_cloth_def();
  cloth.vertex_count = n;
  cloth.positions = shape.mesh.positions;
  cloth.triangle_count = shape.mesh.triangle_count;
  cloth.triangles = shape.mesh.triangles;
  cloth.rest_uv = shape.mesh.uvs;
  cloth.material.thickness = 1e-3;
  cloth.material.friction_static = cloth.material.friction_kinetic = 0;
  int32_t id;
  check_ok(weft_world_add_cloth(world, &cloth, &id, &error), error);
  weft_shape_free(&shape);
}

/* The longest edge, as a part of its rest length. */
static double longest(const WeftWorld *world, const double *x) {
  const WeftSurface *surface = &world->step.respond.surface;
  const double *rest = world->step.contacts.rest;
  double most = 0;
  for (int e = 0; e < surface->edge_count; e++) {
    int a = surface->edges[2 * e], b = surface->edges[2 * e + 1];
    if (a >= world->model.vertex_count) continue;
    double is = v3_length(v3_sub(load3(x, b), load3(x, a)));
    most = fmax(most, is / v3_length(v3_sub(load3(rest, b), load3(rest, a))));
  }
  return most;
}

static void a_strip_runs_over_a_bar(void **state) {
  (void)state;
  WeftError error;
  WeftWorldDef def = colliding_def(1);
  def.time_step = 1.0 / 40;
  WeftWorld *world = world_of(&def);
  add_strip(world, 0.006);
  add_bar(world, 0.005, 0.05);
  double most = 1;
  for (int i = 0; i < 18; i++) {
    check_ok(weft_world_step(world, 1, &error), error);
    most = fmax(most, longest(world, world->state.x));
  }
  WeftReport report = report_of(world);
  print_message(
      "18 steps of 1/40 s, %d parts of some: edges up to %.3f of their rest length; middle at %.3f m\n",
      (int)report.substeps, most, report.momenta.center[2]);
  assert_true(report.contacts > 0 && report.substeps > 0);
  assert_true(report.momenta.center[2] < -0.09); /* it hangs down, at -0.1 in the end */
  assert_true(most < 1.15);                      /* 1.2 in whole steps */
  assert_int_equal(hits_of(world), 0);
  weft_world_destroy(world);
}

/* A step begins in the parts that the last one says it will need; a run that was saved and resumed knows it,
 * too. */
static void steps_begin_in_parts(void **state) {
  (void)state;
  WeftError error;
  WeftWorldDef def = colliding_def(1);
  def.time_step = 1.0 / 12;
  WeftWorld *world = world_of(&def), *resumed = world_of(&def);
  add_strip(world, 0.006);
  add_bar(world, 0.005, 0.05);
  add_strip(resumed, 0.006);
  add_bar(resumed, 0.005, 0.05);
  int foreseen = 0, tried_in_vain = 0, untried = 0;
  for (int i = 0; i < 14; i++) {
    double h = def.time_step, before = world->state.lengthening;
    void *bytes;
    size_t size;
    check_ok(weft_world_save(world, &bytes, &size, &error), error);
    check_ok(weft_world_restore(resumed, bytes, size, &error), error);
    free(bytes);
    WeftReport was = report_of(world);
    check_ok(weft_world_step(world, 1, &error), error);
    check_ok(weft_world_step(resumed, 1, &error), error);
    assert_true(hash_of(resumed) == hash_of(world));
    WeftReport report = report_of(world);
    int parts = (int)(report.substeps - was.substeps), retries = (int)(report.retries - was.retries);
    if (before * h * h > 0.3) {
      foreseen++;
      assert_true(parts >= 2);
      untried += retries == 0;
    } else {
      tried_in_vain += retries > 0;
    }
  }
  print_message("%d steps foreseen to need parts, %d of them without a retry; %d others with one\n", foreseen,
                untried, tried_in_vain);
  assert_true(foreseen > 0 && untried > 0);
  weft_world_destroy(world);
  weft_world_destroy(resumed);
}

/* The measure itself, against the obvious one. */
static void lengthening_is_the_largest_growth(void **state) {
  (void)state;
  WeftError error;
  WeftWorldDef def = colliding_def(2);
  WeftWorld *world = world_of(&def);
  add_strip(world, 0.006);
  add_bar(world, 0.005, 0.05);
  check_ok(weft_world_step(world, 1, &error), error);
  WeftStep *step = &world->step;
  const WeftSurface *surface = &step->respond.surface;
  uint64_t seed = 5;
  double most = 0;
  for (int i = 0; i < 3 * world->model.vertex_count; i++)
    step->x1[i] = world->state.x[i] + random_in(&seed, -1e-4, 1e-4);
  for (int e = 0; e < surface->edge_count; e++) {
    int a = surface->edges[2 * e], b = surface->edges[2 * e + 1];
    if (a >= world->model.vertex_count) continue;
    double was = v3_length(v3_sub(load3(world->state.x, b), load3(world->state.x, a)));
    double is = v3_length(v3_sub(load3(step->x1, b), load3(step->x1, a)));
    const double *rest = step->contacts.rest;
    most = fmax(most, (is - was) / v3_length(v3_sub(load3(rest, b), load3(rest, a))));
  }
  assert_true(most > 0);
  check_relative(weft_step_lengthening(step), most, 1e-12);
  weft_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_strip_runs_over_a_bar),
                                     cmocka_unit_test(steps_begin_in_parts),
                                     cmocka_unit_test(lengthening_is_the_largest_growth)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
