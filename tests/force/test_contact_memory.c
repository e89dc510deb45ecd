/* What contacts remember from step to step: the force they end with, that they did nothing, and what new ones
 * turn out to press with. */
#include "contact_case.h"

/* A sheet just above the floor, all of it in contact, at rest. */
static Case lying(double friction, double height) {
  WeftWorldDef def = colliding_def(1);
  WeftWorld *world = world_of(&def);
  add_sheet(world, &(Sheet){0.1, 4, {0, 0, height}, 0.1, {0, 0, 0}, 1e-3, friction});
  add_floor(world, 1, 0, 1e-3);
  Case c = case_of(world, 6);
  memset(c.world->state.v, 0, 3 * (size_t)c.n * sizeof(double));
  detect(&c);
  return c;
}

/* Sum of weight x of cloth's vertices, along the normal. */
static double height_of(const Case *c, int i, const double *x) {
  double sum = 0;
  for (int k = 0; k < 4; k++) {
    int v = c->contacts.vertices[4 * i + k];
    if (v < c->n) sum += c->contacts.weight[4 * i + k] * v3_dot(load3(c->contacts.normal, i), load3(x, v));
  }
  return sum;
}

static double *moved(const Case *c, double z) {
  double *x = weft_copy(c->world->state.x, 3 * (size_t)c->n, sizeof *x);
  for (int v = 0; v < c->n; v++) x[3 * v + 2] += z;
  return x;
}

/* Surface vertices: cloth's, then the floor's, which stand still. */
static double *moved_all(const Case *c, double z) {
  size_t n = (size_t)c->respond.vertex_count;
  double *x = weft_copy(c->respond.x0, 3 * n, sizeof *x);
  for (int v = 0; v < c->n; v++) x[3 * v + 2] += z;
  return x;
}

/* A step of 5 ms takes 5/50 of the force away, however the sides move. */
static void force_is_kept_on_the_way_apart(void **state) {
  (void)state;
  const double wanted = 1e-3, height = 0.7e-3;
  for (int is_leaving = 0; is_leaving < 2; is_leaving++) {
    WeftError error;
    Case c = lying(0.3, height);
    double *x = moved(&c, -1e-5); /* where a step is said to have led: it presses */
    int count = c.contacts.count, kept = 0;
    double *force = WEFT_NEW(double, (size_t)count);
    int32_t *pair = weft_copy(c.contacts.pair, 3 * (size_t)count, sizeof *pair);
    for (int i = 0; i < count; i++)
      force[i] = c.contacts.stiffness[i] * (c.contacts.aim[i] - height_of(&c, i, x));
    check_ok(weft_contacts_remember(&c.contacts, x, &error), error);
    for (int v = 0; v < c.n; v++) c.world->state.v[3 * v + 2] = is_leaving ? 0.02 : 0;
    detect(&c);
    assert_int_equal(c.contacts.count, count);
    assert_memory_equal(c.contacts.pair, pair, 3 * (size_t)count * sizeof *pair);
    for (int i = 0; i < count; i++) {
      if (!(c.contacts.stiffness[i] > 0)) continue;
      double recovered = H / (H + 0.1) * (wanted - height);
      double carried = 0.045 / (H + 0.045) * force[i] / c.contacts.stiffness[i];
      assert_true(force[i] > 0 && carried < wanted);
      check_near(c.contacts.aim[i] - height_of(&c, i, c.world->state.x), recovered + carried, 1e-12);
      kept++;
    }
    assert_true(kept > 20);
    free(pair);
    free(force);
    free(x);
    case_close(&c);
  }
}

/* A contact that did nothing does nothing, until a solve leads closer than it is to be. What it presses with
 * then shows in the next solve; that it lacks much says nothing, so it has no friction before. */
static void what_did_nothing_stays_idle(void **state) {
  (void)state;
  WeftError error;
  Case c = lying(0.3, 0.7e-3);
  int count = c.contacts.count, active = 0;
  for (int i = 0; i < count; i++) {
    active += c.contacts.stiffness[i] > 0;
    c.contacts.stiffness[i] = 0;
  }
  check_ok(weft_contacts_remember(&c.contacts, c.world->state.x, &error), error);
  detect(&c);
  for (int i = 0; i < count; i++) assert_true(c.contacts.stiffness[i] == 0);
  double *above = moved_all(&c, 0.1e-3), *below = moved_all(&c, -0.1e-3);
  WeftContactReview review =
      weft_contacts_review(&c.contacts, c.respond.x0, above, c.world->state.v, H); /* nothing is missing */
  assert_int_equal(review.changed, 0);
  review = weft_contacts_review(&c.contacts, c.respond.x0, below, c.world->state.v, H);
  assert_int_equal(review.changed, active);
  int woken = 0;
  for (int i = 0; i < count; i++) {
    woken += c.contacts.stiffness[i] > 0;
    assert_true(c.contacts.stiffness[i] == 0 || c.contacts.stiffness[i] == c.contacts.spring[i]);
    assert_true(c.contacts.grip[i] == 0 && v3_length(load3(c.contacts.push, i)) == 0);
  }
  assert_int_equal(woken, active);
  weft_contacts_review(&c.contacts, c.respond.x0, below, c.world->state.v, H);
  for (int i = 0; i < count; i++) assert_true(c.contacts.stiffness[i] == 0 || c.contacts.slip[5 * i + 3] > 0);
  assert_true(active > 20);
  free(above);
  free(below);
  case_close(&c);
}

/* Before the first solve friction can only guess what a new contact presses with, from how it comes; then it
 * is told, and brakes with no more. */
static void new_contacts_press_with_what_a_solve_says(void **state) {
  (void)state;
  const double friction = 0.3;
  Case c = lying(friction, 0.7e-3);
  for (int v = 0; v < c.n; v++) {
    c.world->state.v[3 * v] = 2; /* all slide */
    c.world->state.v[3 * v + 2] = -0.1;
  }
  detect(&c);
  double guessed = 0, told = 0;
  for (int i = 0; i < c.contacts.count; i++) guessed += v3_length(load3(c.contacts.push, i));
  double *x1 = moved_all(&c, 0); /* neighbours stopped them */
  for (int v = 0; v < c.n; v++) x1[3 * v] += 2 * H;
  WeftContactReview review = weft_contacts_review(&c.contacts, c.respond.x0, x1, c.world->state.v, H);
  assert_true(review.pressed > 20);
  int sliding = 0;
  for (int i = 0; i < c.contacts.count; i++) {
    if (!(c.contacts.stiffness[i] > 0)) continue;
    double pressure = c.contacts.stiffness[i] * (c.contacts.aim[i] - height_of(&c, i, x1));
    check_near(c.contacts.slip[5 * i + 3], fmax(0, pressure), 1e-12 * fabs(pressure));
    double push = v3_length(load3(c.contacts.push, i));
    if (push > 0) check_near(push, friction * pressure, 1e-9 * fabs(pressure));
    sliding += push > 0;
    told += push;
  }
  print_message("friction of new contacts: %.3g N as guessed, %.3g N as told\n", guessed, told);
  assert_true(sliding > 20 && told < 0.5 * guessed);
  free(x1);
  case_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(force_is_kept_on_the_way_apart),
                                     cmocka_unit_test(what_did_nothing_stays_idle),
                                     cmocka_unit_test(new_contacts_press_with_what_a_solve_says)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
