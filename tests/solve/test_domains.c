/* Domains of rows: each row in one, of equal sizes, and in space what is near in one. */
#include "base/memory.h"
#include "check.h"
#include "solve/pcg.h"

enum { SIDE = 150, ROWS = 2 * SIDE * SIDE };

/* Rows without anything between them, but extra blocks that couple i and i + ROWS / 2. */
typedef struct Layers {
  WeftElements none, contacts;
  WeftBcsr matrix;
  double *x;
} Layers;

static Layers make_layers(int contacts) {
  Layers l = {.x = WEFT_NEW(double, 3 * (size_t)ROWS)};
  WeftError error;
  int32_t *pair = WEFT_NEW(int32_t, 2 * (size_t)contacts + 1);
  for (int i = 0; i < contacts; i++) pair[2 * i] = i, pair[2 * i + 1] = i + ROWS / 2;
  check_ok(weft_elements_create(&l.none, 2, 0, NULL, ROWS, &error), error);
  check_ok(weft_elements_create(&l.contacts, 2, contacts, pair, ROWS, &error), error);
  check_ok(weft_bcsr_create(&l.matrix, ROWS, (WeftElements *[]){&l.none}, 1, &error), error);
  check_ok(weft_bcsr_set_extra(&l.matrix, (WeftElements *[]){&l.contacts}, 1, &error), error);
  for (int i = 0; i < ROWS; i++) {
    int at = i % (ROWS / 2);
    l.x[3 * i] = at % SIDE;
    l.x[3 * i + 1] = at / SIDE;
    l.x[3 * i + 2] = i < ROWS / 2 ? 0 : 0.1;
  }
  free(pair);
  return l;
}

static void free_layers(Layers *l) {
  weft_elements_destroy(&l->none);
  weft_elements_destroy(&l->contacts);
  weft_bcsr_destroy(&l->matrix);
  free(l->x);
}

/* Each row in the domain that lists it, ascending, and boxes of equal sizes. */
static void check_domains(const WeftDomains *d) {
  int seen = 0;
  assert_int_equal(d->start[0], 0);
  assert_int_equal(d->start[d->count], d->row_count);
  for (int i = 0; i < d->count; i++) {
    int size = d->start[i + 1] - d->start[i], even = d->row_count / d->count;
    assert_true(d->are_runs ? size <= d->rows : abs(size - even) <= 2);
    for (int k = d->start[i]; k < d->start[i + 1]; k++) {
      assert_int_equal(d->of_row[d->order[k]], i);
      if (k > d->start[i]) assert_true(d->order[k] > d->order[k - 1]);
      seen++;
    }
  }
  assert_int_equal(seen, d->row_count);
}

static void rows_in_a_row_make_runs(void **state) {
  (void)state;
  WeftDomains d;
  WeftError error;
  for (int rows = 0; rows < 40; rows += 13) {
    check_ok(weft_domains_create(&d, rows, 5, &error), error);
    assert_int_equal(d.count, (rows + 4) / 5);
    check_domains(&d);
    for (int i = 0; i < rows; i++) assert_int_equal(d.order[i], i);
    assert_true(d.are_runs);
    weft_domains_destroy(&d);
  }
}

/* Two layers with contacts: both are cut alike, and a domain is a box without much border. */
static void layers_that_touch_are_cut_together(void **state) {
  (void)state;
  Layers l = make_layers(ROWS / 2);
  WeftDomains d;
  WeftError error;
  int borders = 0;
  check_ok(weft_domains_create(&d, ROWS, ROWS / 8, &error), error);
  check_ok(weft_domains_update(&d, &l.matrix, l.x, &error), error);
  assert_false(d.are_runs);
  check_domains(&d);
  int apart = 0;
  for (int i = 0; i < ROWS / 2; i++) {
    apart += d.of_row[i] != d.of_row[i + ROWS / 2];
    if (i % SIDE > 0) borders += d.of_row[i] != d.of_row[i - 1];
    if (i >= SIDE) borders += d.of_row[i] != d.of_row[i - SIDE];
  }
  assert_true(apart <= 2 * SIDE);   /* the last four cuts go through rows that are equally far */
  assert_true(borders <= 5 * SIDE); /* two by four boxes have 4 SIDE */
  weft_domains_destroy(&d);
  free_layers(&l);
}

/* Whole patches, or quarters at least. */
static void there_are_enough_of_them(void **state) {
  (void)state;
  assert_int_equal(weft_domains_worth(16384), 8192);
  assert_int_equal(weft_domains_worth(16385), 2048);
  assert_int_equal(weft_domains_worth(100000), 4096);
  assert_int_equal(weft_domains_worth(500000), 8192);
}

/* Little between cloths, or nobody knows where: runs, also after boxes. */
static void few_contacts_leave_runs(void **state) {
  (void)state;
  Layers many = make_layers(ROWS / 2), few = make_layers(50);
  WeftDomains d;
  WeftError error;
  check_ok(weft_domains_create(&d, ROWS, weft_domains_worth(ROWS), &error), error);
  check_ok(weft_domains_update(&d, &few.matrix, few.x, &error), error);
  assert_true(d.are_runs);
  check_ok(weft_domains_update(&d, &many.matrix, NULL, &error), error);
  assert_true(d.are_runs);
  check_ok(weft_domains_update(&d, &many.matrix, many.x, &error), error);
  assert_false(d.are_runs);
  check_ok(weft_domains_update(&d, &few.matrix, few.x, &error), error);
  assert_true(d.are_runs);
  check_domains(&d);
  assert_int_equal(d.order[ROWS - 1], ROWS - 1);
  weft_domains_destroy(&d);
  free_layers(&many);
  free_layers(&few);
}

/* All at one place: cut by their numbers. */
static void one_place_is_cut_all_the_same(void **state) {
  (void)state;
  Layers l = make_layers(ROWS / 2);
  WeftDomains d;
  WeftError error;
  memset(l.x, 0, 3 * (size_t)ROWS * sizeof *l.x);
  check_ok(weft_domains_create(&d, ROWS, ROWS / 7 + 1, &error), error);
  check_ok(weft_domains_update(&d, &l.matrix, l.x, &error), error);
  check_domains(&d);
  for (int i = 1; i < ROWS; i++) assert_true(d.of_row[i] >= d.of_row[i - 1]);
  weft_domains_destroy(&d);
  free_layers(&l);
}

/* A solve with nothing to do makes none; then one that is near makes those of its own step, not of the last:
 * a run that was resumed there has no others. */
static void they_are_those_of_the_step(void **state) {
  (void)state;
  Layers l = make_layers(ROWS / 2);
  WeftPcg pcg;
  WeftPcgStats stats;
  WeftError error;
  uint8_t *held = WEFT_NEW(uint8_t, ROWS);
  double *b = WEFT_NEW(double, 3 * (size_t)ROWS), *dv = WEFT_NEW(double, 3 * (size_t)ROWS);
  double *mass = WEFT_NEW(double, ROWS);
  for (int i = 0; i < ROWS; i++) mass[i] = 1;
  weft_bcsr_set_mass(&l.matrix, mass, 1);
  check_ok(weft_pcg_create(&pcg, ROWS, &weft_precond_block_ic, &error), error);
  for (int solve = 0; solve < 3; solve++) {
    pcg.place = solve == 0 ? l.x : NULL;
    pcg.is_near = solve == 2;
    b[0] = solve == 1 ? 0 : 1;
    memset(dv, 0, 3 * (size_t)ROWS * sizeof *dv);
    check_ok(weft_pcg_solve(&pcg, &l.matrix, held, b, dv, 1e-4, 100, &stats, &error), error);
    assert_int_equal(pcg.domains.are_runs, solve == 2);
  }
  weft_pcg_destroy(&pcg);
  free(held);
  free(b);
  free(dv);
  free(mass);
  free_layers(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_in_a_row_make_runs),       cmocka_unit_test(layers_that_touch_are_cut_together),
      cmocka_unit_test(there_are_enough_of_them),      cmocka_unit_test(few_contacts_leave_runs),
      cmocka_unit_test(one_place_is_cut_all_the_same), cmocka_unit_test(they_are_those_of_the_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
