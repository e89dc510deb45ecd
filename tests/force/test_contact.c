/* Contact forces: against the potential they come from, by differences; the pattern of the matrix; what they
 * keep; and the contact distance. */
#include "contact_case.h"

/* Two sheets close to each other, and close to a ball which moves towards them. */
static WeftWorld *close_world(double friction, int threads) {
  static const WeftObstacleKey keys[] = {{0, {0, 0, -0.1002}, {0, 0, 0}, {1, 1, 1}},
                                         {1, {0.3, 0, -0.05}, {0, 0, 1}, {1, 1, 1}}};
  WeftWorldDef def = colliding_def(threads);
  WeftWorld *world = world_of(&def);
  add_sheet(world, &(Sheet){0.1, 5, {0, 0, 0.0004}, 0, {0, 0, -0.1}, 1e-3, friction});
  add_sheet(world, &(Sheet){0.1, 4, {0.01, 0, 0.001}, 0.4, {0.2, 0, -0.1}, 1.4e-3, friction});
  add_ball(world, 0.1, 1e-3, 2, keys);
  return world;
}

static double *random_positions(const Case *c, double size, uint64_t *seed) {
  double *x = weft_copy(c->world->state.x, 3 * (size_t)c->n, sizeof *x);
  for (int i = 0; i < 3 * c->n; i++) x[i] += random_in(seed, -size, size);
  return x;
}

/* Sum over contacts of 1/2 k (aim - n.p)^2 + 1/2 g |s|^2 - push.p, p = sum of w x over cloth and s = p -
 * origin across n and push. */
static double potential(const Case *c, const double *x) {
  const WeftContacts *all = &c->contacts;
  double sum = 0;
  for (int i = 0; i < all->count; i++) {
    Vec3 n = load3(all->normal, i), p = vec3(0, 0, 0);
    for (int k = 0; k < 4; k++) {
      int v = all->vertices[4 * i + k];
      if (v < c->n) p = slip_add(p, all->weight[4 * i + k], load3(all->arm, 4 * i + k), n, load3(x, v));
    }
    Vec3 slip = v3_sub(p, load3(all->origin, i));
    slip = v3_axpy(slip, -v3_dot(n, slip), n);
    Vec3 push = load3(all->push, i);
    double size = v3_dot(push, push);
    if (size > 0) slip = v3_axpy(slip, -v3_dot(push, slip) / size, push);
    sum -= v3_dot(push, p);
    double missing = all->aim[i] - v3_dot(n, p);
    sum += 0.5 * all->stiffness[i] * missing * missing + 0.5 * all->grip[i] * v3_dot(slip, slip);
  }
  return sum;
}

/* A quadratic: central differences are exact but for rounding. */
static void force_is_minus_the_gradient(void **state) {
  (void)state;
  Case c = case_of(close_world(3, 1), 3);
  uint64_t seed = 1;
  double *x = random_positions(&c, 1e-4, &seed), most = 0, step = 1e-3;
  add(&c, x, c.world->state.v, 0);
  for (int i = 0; i < 3 * c.n; i++) most = fmax(most, fabs(c.f[i]));
  int active = 0, sliding = 0;
  for (int i = 0; i < c.contacts.count; i++) {
    active += c.contacts.stiffness[i] > 0;
    sliding += c.contacts.stiffness[i] > 0 && v3_length(load3(c.contacts.push, i)) > 0;
  }
  print_message("%d contacts, %d active, %d slide; forces up to %.3g N\n", c.contacts.count, active, sliding,
                most);
  assert_true(most > 0 && active > 20 && active < c.contacts.count && sliding > 0 && sliding < active);
  for (int i = 0; i < 3 * c.n; i++) {
    double at = x[i];
    x[i] = at + step;
    double above = potential(&c, x);
    x[i] = at - step;
    double below = potential(&c, x);
    x[i] = at;
    check_near(c.f[i], (below - above) / (2 * step), 1e-8 * most);
  }
  free(x);
  case_close(&c);
}

static double block(const Case *c, int row, int column, int i, int j) {
  int slot = weft_bcsr_slot(&c->matrix, row, column);
  return slot < 0 ? 0 : c->matrix.value[9 * slot + 3 * j + i]; /* column-major */
}

static void matrix_is_the_derivative(void **state) {
  (void)state;
  Case c = case_of(close_world(3, 1), 4);
  uint64_t seed = 1;
  double *x = random_positions(&c, 1e-4, &seed), step = 1e-3, most = 0;
  double *v = WEFT_NEW(double, 3 * (size_t)c.n), *above = WEFT_NEW(double, 3 * (size_t)c.n);
  for (int i = 0; i < 3 * c.n; i++) v[i] = random_in(&seed, -1, 1);
  for (int i = 0; i < 9 * c.matrix.block_count; i++) c.matrix.value[i] = 0;
  add(&c, x, v, WANT_MATRIX);
  double *kxv = weft_copy(c.kxv, 3 * (size_t)c.n, sizeof *kxv);
  for (int i = 0; i < 9 * c.matrix.block_count; i++) most = fmax(most, fabs(c.matrix.value[i]));
  assert_true(most > 0);
  for (int j = 0; j < 3 * c.n; j++) {
    double at = x[j];
    x[j] = at + step;
    add(&c, x, v, 0);
    memcpy(above, c.f, 3 * (size_t)c.n * sizeof *above);
    x[j] = at - step;
    add(&c, x, v, 0);
    x[j] = at;
    for (int i = 0; i < 3 * c.n; i++) { /* all of them: what has no block is zero */
      double stiff = block(&c, i / 3, j / 3, i % 3, j % 3);
      check_near(stiff, (c.f[i] - above[i]) / (2 * step), 1e-9 * most);
      check_near(stiff, block(&c, j / 3, i / 3, j % 3, i % 3), 1e-13 * most);
    }
  }
  /* K_x v: what the matrix, which is -K_x, makes of v */
  double *product = WEFT_NEW(double, 3 * (size_t)c.n);
  weft_bcsr_multiply(&c.matrix, v, product);
  for (int i = 0; i < 3 * c.n; i++) check_near(kxv[i], -product[i], 1e-11 * most);
  free(product);
  free(kxv);
  free(above);
  free(v);
  free(x);
  case_close(&c);
}

static void pattern_holds_every_block(void **state) {
  (void)state;
  Case c = case_of(close_world(0.3, 1), 5);
  int wanted = c.n, with_obstacle = 0;
  uint8_t *is_wanted = WEFT_NEW(uint8_t, (size_t)c.n * (size_t)c.n);
  for (int i = 0; i < c.contacts.count; i++) {
    const int32_t *v = c.contacts.vertices + 4 * i;
    bool has_obstacle = false;
    for (int k = 0; k < 16; k++) {
      int row = v[k / 4], column = v[k % 4];
      has_obstacle |= row >= c.n;
      if (row >= c.n || column >= c.n) continue;
      assert_true(weft_bcsr_slot(&c.matrix, row, column) >= 0);
      uint8_t *is = &is_wanted[(size_t)row * (size_t)c.n + (size_t)column];
      wanted += !*is && row != column;
      *is = 1;
    }
    with_obstacle += has_obstacle;
  }
  assert_true(with_obstacle > 0 && with_obstacle < c.contacts.count);
  assert_int_equal(c.matrix.block_count, wanted); /* and no other */
  for (int row = 0; row < c.n; row++) {
    for (int s = c.matrix.extra_start[row]; s < c.matrix.extra_start[row + 1]; s++)
      assert_in_range(c.matrix.column[s], 0, c.n - 1);
  }
  /* no contacts: the diagonal alone, no forces */
  WeftError error;
  WeftFound none = {0};
  check_ok(weft_contacts_take(&c.contacts, &none, &none, &c.matrix, &error), error);
  assert_int_equal(c.matrix.block_count, c.n);
  weft_contacts_stiffen(&c.contacts, &c.matrix, c.respond.x0, c.respond.x1, c.world->state.v, H,
                        (double[3]){0});
  add(&c, c.world->state.x, c.world->state.v, WANT_MATRIX);
  for (int i = 0; i < 3 * c.n; i++) assert_true(c.f[i] == 0 && c.kxv[i] == 0);
  free(is_wanted);
  case_close(&c);
}

static void cloths_push_each_other_alike(void **state) {
  (void)state;
  WeftWorldDef def = colliding_def(1);
  WeftWorld *world = world_of(&def);
  add_sheet(world, &(Sheet){0.1, 5, {0, 0, 0}, 0, {0, 0, 0.3}, 1e-3, 0.3});
  add_sheet(world, &(Sheet){0.1, 4, {0.01, 0, 0.0005}, 0.4, {0.2, 0, -0.3}, 1e-3, 0.3});
  Case c = case_of(world, 6);
  uint64_t seed = 2;
  double *x = random_positions(&c, 1e-4, &seed), size = 0;
  add(&c, x, c.world->state.v, 0);
  Vec3 sum = vec3(0, 0, 0), upper = vec3(0, 0, 0);
  for (int v = 0; v < c.n; v++) {
    sum = v3_add(sum, load3(c.f, v));
    size += v3_length(load3(c.f, v));
    if (c.contacts.body[v] == 1) upper = v3_add(upper, load3(c.f, v));
  }
  assert_true(size > 0 && upper.z > 0);
  check_near(v3_length(sum), 0, 1e-12 * size);
  /* nor do they turn what they are at, friction as little as pressure */
  Vec3 moment = vec3(0, 0, 0);
  double friction = 0;
  for (int i = 0; i < c.contacts.count; i++)
    friction += c.contacts.stiffness[i] > 0 ? v3_length(load3(c.contacts.push, i)) : 0;
  add(&c, c.world->state.x, c.world->state.v, 0);
  for (int v = 0; v < c.n; v++) moment = v3_add(moment, v3_cross(load3(c.world->state.x, v), load3(c.f, v)));
  print_message("%.3g N of friction, moment %.3g N m\n", friction, v3_length(moment));
  assert_true(friction > 0.01 * size);
  check_near(v3_length(moment), 0, 1e-10 * 5e-4 * friction); /* of friction times the distance */
  free(x);
  case_close(&c);
}

/* Without friction there is no force along the floor; with it none that is stronger than Coulomb's. */
static void friction_follows_coulomb(void **state) {
  (void)state;
  for (int is_rough = 0; is_rough < 2; is_rough++) {
    double coefficient = is_rough ? 0.3 : 0;
    WeftWorldDef def = colliding_def(1);
    WeftWorld *world = world_of(&def);
    add_sheet(world, &(Sheet){0.1, 4, {0, 0, 0.0004}, 0.1, {2, 0, 0}, 1e-3, coefficient});
    add_floor(world, 1, 0, 1e-3);
    Case c = case_of(world, 6);
    for (int i = 0; i < 3 * c.n; i++) c.world->state.v[i] = i % 3 == 0 ? 2 : 0;
    detect(&c);
    double *x = weft_copy(c.world->state.x, 3 * (size_t)c.n, sizeof *x);
    for (int v = 0; v < c.n; v++) x[3 * v] += 2 * H; /* where it slides to */
    add(&c, x, c.world->state.v, 0);
    double along = 0, across = 0, up = 0;
    for (int v = 0; v < c.n; v++) {
      along += c.f[3 * v];
      across = fmax(across, fabs(c.f[3 * v + 1]));
      up += c.f[3 * v + 2];
    }
    assert_true(up > 0 && across <= 1e-12 * up);
    check_near(along, -coefficient * up, 1e-9 * up);
    free(x);
    case_close(&c);
  }
}

/* Within one cloth: no more than 0.9 of the distance at rest. */
static void distance_within_a_cloth(void **state) {
  (void)state;
  WeftWorldDef def = colliding_def(1);
  WeftWorld *world = world_of(&def);
  add_sheet(world,
            &(Sheet){0.1, 5, {0, 0, 0}, 0, {0, 0, 0}, 0.05, 0.3}); /* thicker than its edges are long */
  Case c = case_of(world, 7);
  for (int i = 0; i < c.contacts.count; i++) assert_true(c.contacts.stiffness[i] == 0); /* at rest */
  /* folded over: pushes back towards 0.9 of the distance at rest where that is less than the thickness */
  double middle = 0;
  for (int i = 0; i < c.n; i++) middle += c.world->state.x[3 * i] / c.n;
  for (int i = 0; i < c.n; i++) {
    double *p = c.world->state.x + 3 * (size_t)i;
    if (p[0] <= middle) continue;
    p[0] = 2 * middle - p[0];
    p[2] += 0.01;
  }
  memset(c.world->state.v, 0, 3 * (size_t)c.n * sizeof(double));
  detect(&c);
  int active = 0, capped = 0;
  for (int i = 0; i < c.contacts.count; i++) {
    Vec3 at[4], p = vec3(0, 0, 0);
    for (int k = 0; k < 4; k++) {
      at[k] = load3(c.world->model.rest_x, c.contacts.vertices[4 * i + k]);
      p = v3_axpy(p, c.contacts.weight[4 * i + k], load3(c.world->state.x, c.contacts.vertices[4 * i + k]));
    }
    Closest rest = c.contacts.pair[3 * i] == 1 ? closest_edge_edge(at) : closest_vertex_face(at);
    double wanted = fmin(0.05, 0.9 * sqrt(rest.squared)), distance = v3_length(p);
    /* of those that are close enough, lines that lean leave the work to their neighbours */
    bool is_close = distance < wanted && distance > 0;
    assert_true(is_close || c.contacts.stiffness[i] == 0);
    if (!(c.contacts.stiffness[i] > 0)) continue;
    active++;
    capped += wanted < 0.05;
    /* what is missing comes back within about 0.1 s */
    check_near(c.contacts.aim[i] - v3_dot(load3(c.contacts.normal, i), p),
               H / (H + 0.1) * (wanted - distance), 1e-12);
  }
  assert_true(active > 0 && capped > 0);
  case_close(&c);
}

/* What a step leaves of contacts, matrix and forces is the same whoever computes it. */
static void compare_steps(const char *device, int threads) {
  WeftError error;
  WeftWorld *worlds[2] = {close_world(0.3, 1), close_world(0.3, threads)};
  for (int k = 0; k < 2; k++) {
    if (k && device) check_ok(weft_world_use_device(worlds[k], device, &error), error);
    check_ok(weft_world_step(worlds[k], 1, &error), error);
  }
  const WeftContacts *a = &worlds[0]->step.contacts, *b = &worlds[1]->step.contacts;
  assert_true(a->count > 0);
  assert_int_equal(a->count, b->count);
  const struct {
    const void *here, *there;
    size_t bytes;
  } arrays[] = {{a->vertices, b->vertices, 16},
                {a->weight, b->weight, 32},
                {a->normal, b->normal, 24},
                {a->aim, b->aim, 8},
                {a->arm, b->arm, 96},
                {a->stiffness, b->stiffness, 8},
                {a->grip, b->grip, 8},
                {a->origin, b->origin, 24},
                {a->push, b->push, 24},
                {a->begun, b->begun, 24},
                {a->bounds, b->bounds, 24},
                {a->sliding, b->sliding, 4},
                {a->memory_slip, b->memory_slip, 40}};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    size_t bytes = (size_t)a->count * arrays[i].bytes;
    if (device) assert_true(weft_device_download(worlds[1]->device, (void *)arrays[i].there, bytes));
    if (memcmp(arrays[i].here, arrays[i].there, bytes) != 0) fail_msg("array %zu of contacts differs", i);
  }
  assert_true(hash_of(worlds[0]) == hash_of(worlds[1]));
  for (int k = 0; k < 2; k++) weft_world_destroy(worlds[k]);
}

static void same_bits_for_any_threads(void **state) {
  (void)state;
  compare_steps(NULL, 2);
  compare_steps(NULL, 3);
}

static void same_bits_on_opencl(void **state) {
  (void)state;
  if (skip_without_opencl()) skip();
  compare_steps("opencl", 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(force_is_minus_the_gradient), cmocka_unit_test(matrix_is_the_derivative),
      cmocka_unit_test(pattern_holds_every_block),   cmocka_unit_test(cloths_push_each_other_alike),
      cmocka_unit_test(friction_follows_coulomb),    cmocka_unit_test(distance_within_a_cloth),
      cmocka_unit_test(same_bits_for_any_threads),   cmocka_unit_test(same_bits_on_opencl)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
