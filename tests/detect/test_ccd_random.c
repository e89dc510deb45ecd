/* Continuous collision against its exact twin on families of queries: never a miss, never late, early by no
 * more than a bound. The full million runs with WEFT_LONG set. */
#include "ccd_families.h"
#include "detect/ccd.kernel.h"
#include "exact_contact.h"

/* Of each family, in make check. */
enum { ORDINARY_COUNT = TEST_IS_SANITIZED ? 400 : 2000 };

typedef struct Tally {
  int count, hits, missed, late, false_hits, most_steps, exhausted;
  long steps;
  double furthest, furthest_exhausted; /* distance at the returned time over the pair's size */
} Tally;

static CcdAnswer answer(const CcdQuery *q, double gap) {
  return q->is_edges ? ccd_edge_edge(q->x0, q->x1, gap) : ccd_vertex_face(q->x0, q->x1, gap);
}

static double size_of(const CcdQuery *q) {
  double most = 0;
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 2; k++) {
      const Vec3 *x = k ? q->x1 : q->x0;
      Vec3 d = ccd_abs(v3_sub(x[i], x[0]));
      most = fmax(most, fmax(d.x, fmax(d.y, d.z)));
    }
  }
  return most;
}

/* More than this part of the pair's size they are never apart at the time that is returned; and not more than
 * that when the walk was given up. */
static const double NEAR_AT_IMPACT = 1e-11, NEAR_WHEN_GIVEN_UP = 1e-7;

static void look_at(const CcdQuery *q, ExactContacts *exact, Tally *tally) {
  CcdAnswer a = answer(q, 0);
  exact_contacts_find(exact, q->is_edges, q->x0, q->x1);
  bool is_hit = exact->count > 0;
  tally->count++;
  tally->hits += is_hit;
  tally->steps += a.steps;
  if (a.steps > tally->most_steps) tally->most_steps = a.steps;
  tally->missed += is_hit && a.time > 1;
  tally->late += exact_is_late(exact, a.time);
  tally->false_hits += !is_hit && a.time <= 1;
  if (a.time > 1) return;
  double apart = exact_distance(q->is_edges, q->x0, q->x1, a.time, 0, NULL) / size_of(q);
  bool is_exhausted = a.steps >= CCD_MOST_STEPS;
  tally->exhausted += is_exhausted;
  double *furthest = is_exhausted ? &tally->furthest_exhausted : &tally->furthest;
  if (apart > *furthest) *furthest = apart;
}

static void never_a_miss(void **state) {
  (void)state;
  int each = getenv("WEFT_LONG") ? 1000000 / CCD_FAMILY_COUNT + 1 : ORDINARY_COUNT;
  static ExactContacts exact;
  exact_contacts_init(&exact);
  print_message(
      "family                 queries    hits  missed  late  false hits  steps: mean most  given up"
      "  apart at impact, when given up\n");
  for (int f = 0; f < CCD_FAMILY_COUNT; f++) {
    const CcdFamily *family = &ccd_families[f];
    Tally t = {0};
    uint64_t seed = 17 + (uint64_t)f;
    for (int i = 0; i < each; i++) {
      CcdQuery q;
      family->make(&q, &seed);
      look_at(&q, &exact, &t);
    }
    print_message("%-20s %9d %7d %7d %5d %11d %12.2f %4d %9d  %.1e %.1e\n", family->name, t.count, t.hits,
                  t.missed, t.late, t.false_hits, (double)t.steps / t.count, t.most_steps, t.exhausted,
                  t.furthest, t.furthest_exhausted);
    assert_int_equal(t.missed, 0);
    assert_int_equal(t.late, 0);
    assert_true(t.hits > 0 && t.hits < t.count); /* the family has something to say about both */
    assert_true(t.furthest <= NEAR_AT_IMPACT && t.furthest_exhausted <= NEAR_WHEN_GIVEN_UP);
    if (family->is_degenerate) continue;
    assert_true(20 * t.false_hits <= t.count - t.hits);
    assert_true(t.exhausted <= t.count / 2000);
  }
  exact_contacts_clear(&exact);
}

/* The smallest exact distance found in [0, end): on a grid, refined about its lowest point. */
static double closest_before(const CcdQuery *q, double end) {
  enum { GRID = 16, REFINE = 12 };
  double best = INFINITY, at = 0, width = end / GRID;
  for (int i = 0; i <= GRID; i++) {
    double t = fmin(i * width, end * (1 - 0x1p-50)),
           d = exact_distance(q->is_edges, q->x0, q->x1, t, 0, NULL);
    if (d < best) best = d, at = t;
  }
  for (int i = 0; i < REFINE; i++) {
    width /= 2;
    for (int side = -1; side <= 1; side += 2) {
      double t = at + side * width;
      if (t < 0 || t >= end) continue;
      double d = exact_distance(q->is_edges, q->x0, q->x1, t, 0, NULL);
      if (d < best) best = d, at = t;
    }
  }
  return best;
}

/* With a gap: before the time that is returned they are never closer than that, at that time as close. */
static void gap_is_kept(void **state) {
  (void)state;
  int each = getenv("WEFT_LONG") ? 1000 : ORDINARY_COUNT / 40;
  print_message(
      "with a gap             queries    hits  steps: mean most  given up  beyond the gap, when given up\n");
  for (int f = 0; f < CCD_FAMILY_COUNT; f++) {
    uint64_t seed = 170 + (uint64_t)f;
    Tally t = {0};
    for (int i = 0; i < each; i++) {
      CcdQuery q;
      ccd_families[f].make(&q, &seed);
      double size = size_of(&q), gap = size * pow(10, random_in(&seed, -9, -0.5));
      CcdAnswer a = answer(&q, gap);
      bool is_hit = a.time <= 1, is_exhausted = a.steps >= CCD_MOST_STEPS;
      t.hits += is_hit;
      t.steps += a.steps;
      t.exhausted += is_exhausted;
      if (a.steps > t.most_steps) t.most_steps = a.steps;
      if (a.time > 0) assert_true(closest_before(&q, is_hit ? a.time : 1) > gap * (1 - 0x1p-52));
      if (!is_hit) continue;
      double beyond = (exact_distance(q.is_edges, q.x0, q.x1, a.time, 0, NULL) - gap) / size;
      double *furthest = is_exhausted ? &t.furthest_exhausted : &t.furthest;
      *furthest = fmax(*furthest, beyond);
    }
    print_message("%-20s %9d %7d %12.2f %4d %9d  %.1e %.1e\n", ccd_families[f].name, each, t.hits,
                  (double)t.steps / each, t.most_steps, t.exhausted, t.furthest, t.furthest_exhausted);
    assert_true(t.furthest <= NEAR_AT_IMPACT && t.furthest_exhausted <= NEAR_WHEN_GIVEN_UP);
  }
}

/* Whatever is not a number, or too large or small for products, is a contact at worst, never a miss. */
static void strange_numbers(void **state) {
  (void)state;
  uint64_t seed = 3;
  static ExactContacts exact;
  exact_contacts_init(&exact);
  const double scales[] = {1e-320, 1e-200, 1e-110, 1e-80, 1e80, 1e110, 1e200, 1e307};
  for (int i = 0; i < 2000; i++) {
    CcdQuery q, scaled;
    ccd_families[0].make(&q, &seed);
    double scale = scales[i % 8];
    scaled = q;
    for (int k = 0; k < 4; k++) {
      scaled.x0[k] = v3_scale(scale, q.x0[k]);
      scaled.x1[k] = v3_scale(scale, q.x1[k]);
    }
    exact_contacts_find(&exact, scaled.is_edges, scaled.x0, scaled.x1);
    double t = answer(&scaled, 0).time;
    assert_true(t >= 0 && (t <= 1 || t == CCD_NONE));
    assert_false(exact_is_late(&exact, t));
    /* specks around two points that are less than the gap apart */
    for (int k = 0; k < 4; k++) {
      bool is_first = q.is_edges ? k < 2 : k < 1;
      scaled.x0[k] = v3_add(v3_scale(fmin(scale, 1e-80), q.x0[k]), vec3(is_first ? 1 : 0, 0, 0));
      scaled.x1[k] = v3_add(v3_scale(fmin(scale, 1e-80), q.x1[k]), vec3(is_first ? 1 : 0, 0, 0));
    }
    assert_true(answer(&scaled, 1.5).time == 0);
    assert_true(answer(&scaled, 0.5).time == CCD_NONE);
    q.x1[i % 4].y = i % 3 ? NAN : INFINITY;
    t = answer(&q, 0).time;
    assert_true(t >= 0 && (t <= 1 || t == CCD_NONE));
  }
  exact_contacts_clear(&exact);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(never_a_miss), cmocka_unit_test(gap_is_kept),
                                     cmocka_unit_test(strange_numbers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
