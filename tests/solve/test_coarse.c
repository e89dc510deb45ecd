/* The coarse picture of the cloths: who moves with which nodes, Pt A P against a dense twin, what it adds to
 * a residual, and that it carries what is far. */
#include "base/memory.h"
#include "solve/coarse.h"
#include "solve/pcg.h"
#include "world.h"
#include "world/collision_worlds.h"

/* Two sheets on each other, the lower one held at a corner: contacts couple them. */
static WeftWorld *touching(int columns, const char *preconditioner, int threads) {
  WeftError error;
  WeftWorldDef def = colliding_def(threads);
  def.preconditioner = preconditioner;
  WeftWorld *world = world_of(&def);
  add_sheet(world, &(Sheet){0.4, columns, {0, 0, 0}, 0, {0, 0, 0}, 1e-3, 0.3});
  add_sheet(world, &(Sheet){0.4, columns, {0.03, 0, 0.0009}, 0.2, {0, 0, -0.1}, 1e-3, 0.3});
  check_ok(weft_world_pin(world, 0, 0, WEFT_AXIS_ALL, &error), error);
  check_ok(weft_world_pin(world, 0, 3, WEFT_AXIS_X, &error), error);
  return world;
}

static void everyone_moves_with_nodes_near_by(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world = touching(40, "two_level", 1);
  check_ok(weft_world_build(world, &error), error);
  const WeftModel *model = &world->model;
  const WeftCoarse *c = &world->step.pcg.coarse;
  double rows = (double)c->row_count / c->node_count;
  print_message("%d vertices, %d nodes\n", c->row_count, c->node_count);
  assert_true(rows > 0.5 * WEFT_COARSE_ROWS && rows < 1.5 * WEFT_COARSE_ROWS);
  int32_t *cloth = WEFT_NEW(int32_t, c->row_count);
  for (int v = 0; v < c->row_count; v++) cloth[model->internal_of_user[v]] = v >= c->row_count / 2;
  double spacing = 0.4 / 40 * sqrt(WEFT_COARSE_ROWS);
  for (int v = 0; v < c->row_count; v++) {
    double sum = 0;
    for (int k = 0; k < WEFT_COARSE_NODES; k++) {
      int node = c->node[WEFT_COARSE_NODES * v + k];
      double weight = c->weight[WEFT_COARSE_NODES * v + k];
      assert_true(node >= 0 && node < c->node_count && weight >= 0);
      sum += weight;
    }
    check_near(sum, 1, 2e-7); /* four in single precision */
  }
  /* those that share a node belong to one cloth, and are near to each other */
  for (int i = 0; i < c->node_count; i++) {
    assert_true(c->start[i + 1] > c->start[i]);
    int first = c->row[c->start[i]];
    for (int s = c->start[i]; s < c->start[i + 1]; s++) {
      double square = 0;
      for (int k = 0; k < 3; k++)
        square += pow(model->rest_x[3 * c->row[s] + k] - model->rest_x[3 * first + k], 2);
      assert_true(sqrt(square) < 4 * spacing);
      assert_int_equal(cloth[c->row[s]], cloth[first]);
    }
  }
  free(cloth);
  weft_world_destroy(world);
}

/* P as a full matrix, node_count x row_count. */
static double *dense_weights(const WeftCoarse *c) {
  double *p = WEFT_NEW(double, (size_t)c->node_count *(size_t)c->row_count);
  for (int i = 0; i < WEFT_COARSE_NODES * c->row_count; i++)
    p[(size_t)c->node[i] * (size_t)c->row_count + (size_t)(i / WEFT_COARSE_NODES)] += c->weight[i];
  return p;
}

/* A column of A without held components, by multiplication. */
static void free_column(const WeftWorld *world, int column, double *x, double *y) {
  int n = world->model.vertex_count;
  const uint8_t *held = world->state.held;
  memset(x, 0, 3 * (size_t)n * sizeof *x);
  x[column] = held[column / 3] >> column % 3 & 1 ? 0 : 1;
  weft_bcsr_multiply(&world->step.matrix, x, y);
  for (int i = 0; i < 3 * n; i++) {
    if (held[i / 3] >> i % 3 & 1) y[i] = 0;
  }
}

static void matrix_is_pt_a_p(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world = touching(TEST_IS_SANITIZED ? 12 : 16, "two_level", 1);
  check_ok(weft_world_step(world, 3, &error), error);
  WeftCoarse *c = &world->step.pcg.coarse;
  const WeftBcsr *fine = &world->step.matrix;
  size_t n = 3 * (size_t)c->row_count, m = 3 * (size_t)c->node_count;
  assert_true(world->step.contacts.count > 100 && c->node_count > 4);
  check_ok(weft_coarse_update(c, fine, world->state.held, &error), error);
  assert_true(c->fill.is_there && c->matrix.block_count > c->matrix.base_start[c->node_count]);
  double *p = dense_weights(c), *expected = WEFT_NEW(double, m *m), *x = WEFT_NEW(double, n);
  double *y = WEFT_NEW(double, n), most = 0;
  for (size_t col = 0; col < n; col++) {
    free_column(world, (int)col, x, y);
    for (size_t j = 0; j < (size_t)c->node_count; j++) {
      double to = p[j * (size_t)c->row_count + col / 3];
      for (size_t row = 0; row < n && to > 0; row++) {
        for (size_t i = 0; i < (size_t)c->node_count && y[row] != 0; i++)
          expected[(3 * i + row % 3) * m + 3 * j + col % 3] +=
              p[i * (size_t)c->row_count + row / 3] * y[row] * to;
      }
    }
  }
  for (size_t i = 0; i < m * m; i++) most = fmax(most, fabs(expected[i]));
  for (size_t i = 0; i < m; i++) {
    for (size_t j = 0; j < m; j++) {
      int slot = weft_bcsr_slot(&c->matrix, (int)(i / 3), (int)(j / 3));
      double found = slot < 0 ? 0 : c->matrix.value[9 * (size_t)slot + 3 * (j % 3) + i % 3];
      check_near(found, expected[i * m + j], 1e-12 * most);
    }
  }
  /* z = P A_c^-1 Pt r: what A_c makes of it again is Pt r */
  uint64_t seed = 3;
  double rz = 0, *rz_of = WEFT_NEW(double, weft_row_items(c->row_count));
  for (size_t i = 0; i < n; i++) x[i] = random_in(&seed, -1, 1), y[i] = 0;
  weft_coarse_add(c, x, y, rz_of);
  for (int i = 0; i < weft_row_items(c->row_count); i++) rz += rz_of[i];
  double expected_rz = 0, largest = 0;
  for (size_t i = 0; i < n; i++) expected_rz += x[i] * y[i];
  check_near(rz, expected_rz, 1e-12 * fabs(expected_rz));
  assert_true(rz > 0);
  double *again = WEFT_NEW(double, m), *pr = WEFT_NEW(double, m);
  weft_bcsr_multiply(&c->matrix, c->z, again);
  for (size_t i = 0; i < (size_t)c->node_count; i++) {
    for (size_t v = 0; v < n; v++) pr[3 * i + v % 3] += p[i * (size_t)c->row_count + v / 3] * x[v];
  }
  for (size_t i = 0; i < m; i++) largest = fmax(largest, fabs(pr[i]));
  for (size_t i = 0; i < m; i++) check_near(again[i], pr[i], 1e-4 * largest); /* solved in single precision */
  double *arrays[] = {p, expected, x, y, rz_of, again, pr};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
  weft_world_destroy(world);
}

/* The same steps with fewer iterations; and the same bits for any number of threads. */
static void takes_fewer_iterations(void **state) {
  (void)state;
  WeftError error;
  static const struct {
    const char *name;
    int threads;
  } cases[] = {{"block_ic", 1}, {"two_level", 1}, {"two_level", 3}};
  int64_t iterations[3];
  uint64_t hash[3];
  for (int i = 0; i < 3; i++) {
    WeftWorldDef def = colliding_def(cases[i].threads);
    def.preconditioner = cases[i].name;
    WeftWorld *world = world_of(&def);
    add_sheet(world, &(Sheet){1, 80, {0, 0, 0}, 0, {0, 0, 0}, 1e-3, 0.3});
    check_ok(weft_world_pin(world, 0, 0, WEFT_AXIS_ALL, &error), error);
    check_ok(weft_world_step(world, TEST_IS_SANITIZED ? 3 : 10, &error), error);
    iterations[i] = report_of(world).solver_iterations;
    hash[i] = hash_of(world);
    print_message("%s, %d threads: %lld iterations\n", cases[i].name, cases[i].threads,
                  (long long)iterations[i]);
    weft_world_destroy(world);
  }
  assert_true(3 * iterations[1] < 2 * iterations[0]); /* a third is saved on a sheet as small as this */
  assert_true(iterations[2] == iterations[1] && hash[2] == hash[1]);
}

/* A picture of a much softer matrix adds far too much; a solve that was given one makes its own on the way,
 * and takes few iterations more than one that begins with it. */
static void an_old_picture_is_made_anew(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world = touching(40, "two_level", 1);
  check_ok(weft_world_step(world, 3, &error), error);
  WeftPcg *pcg = &world->step.pcg;
  WeftBcsr *a = &world->step.matrix;
  size_t n = 3 * (size_t)a->row_count;
  double *b = WEFT_NEW(double, n), *x = WEFT_NEW(double, n);
  WeftPcgStats fresh, old;
  uint64_t seed = 5;
  for (size_t i = 0; i < n; i++) b[i] = random_in(&seed, -1, 1);
  pcg->is_prepared = pcg->is_near = false;
  check_ok(weft_pcg_solve(pcg, a, world->state.held, b, x, 1e-6, 1000, &fresh, &error), error);
  for (size_t i = 0; i < 9 * (size_t)a->block_count; i++) a->value[i] *= 1e-4;
  check_ok(weft_coarse_update(&pcg->coarse, a, world->state.held, &error), error);
  for (size_t i = 0; i < 9 * (size_t)a->block_count; i++) a->value[i] *= 1e4;
  memset(x, 0, n * sizeof *x);
  pcg->is_near = true;
  check_ok(weft_pcg_solve(pcg, a, world->state.held, b, x, 1e-6, 1000, &old, &error), error);
  print_message("%d iterations, %d with an old picture\n", fresh.iterations, old.iterations);
  assert_true(old.iterations > fresh.iterations); /* or it was not old enough to show anything */
  assert_true(old.iterations <= fresh.iterations + 40);
  assert_false(pcg->is_old);
  free(b);
  free(x);
  weft_world_destroy(world);
}

/* Where cloths press on each other a solve of the same step has a picture of its own, unless few contacts
 * changed. */
static void many_changes_make_a_new_picture(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world = touching(95, "two_level", 1); /* enough rows for domains that can be boxes */
  check_ok(weft_world_step(world, 2, &error), error);
  WeftPcg *pcg = &world->step.pcg;
  WeftBcsr *a = &world->step.matrix;
  size_t n = 3 * (size_t)a->row_count, size = 9 * (size_t)pcg->coarse.matrix.block_count * sizeof(double);
  double *b = WEFT_NEW(double, n), *x = WEFT_NEW(double, n), *before = malloc(size);
  uint64_t seed = 5;
  WeftPcgStats stats;
  pcg->is_prepared = false;
  pcg->place = world->state.x;
  for (int solve = 0; solve < 3; solve++) {
    pcg->is_near = solve > 0;
    pcg->is_nearest = solve == 1;
    for (size_t i = 0; i < n; i++) b[i] = random_in(&seed, -1, 1), x[i] = 0;
    check_ok(weft_pcg_solve(pcg, a, world->state.held, b, x, 1e-2, 1000, &stats, &error), error);
    assert_false(pcg->domains.are_runs);
    assert_int_equal(pcg->is_old, solve == 1);
    if (solve > 0) assert_int_equal(memcmp(before, pcg->coarse.matrix.value, size) == 0, solve == 1);
    memcpy(before, pcg->coarse.matrix.value, size);
    for (size_t i = 0; i < 9 * (size_t)a->block_count; i++) a->value[i] *= 1.01;
  }
  free(before);
  free(b);
  free(x);
  weft_world_destroy(world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_changes_make_a_new_picture), cmocka_unit_test(everyone_moves_with_nodes_near_by),
      cmocka_unit_test(matrix_is_pt_a_p), cmocka_unit_test(an_old_picture_is_made_anew),
      cmocka_unit_test(takes_fewer_iterations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
