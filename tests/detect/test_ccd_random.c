/* Continuous collision against its exact twin on families of queries: never a miss, never late, early by no more
 * than a bound. The full million runs with WEFT_LONG set. */
#include "ccd_families.h"
#include "detect/ccd.kernel.h"
#include "exact_contact.h"

typedef struct Tally {
  int count, hits, misses, false_hits, late, most_steps, exhausted;
  long steps;
  double furthest; /* distance at the returned time over the pair's size */
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

static void run(const CcdFamily *family, int count, uint64_t seed, ExactContacts *exact, Tally *tally) {
  for (int i = 0; i < count; i++) {
    CcdQuery q;
    family->make(&q, &seed);
    CcdAnswer a = answer(&q, 0);
    exact_contacts_find(exact, q.is_edges, q.x0, q.x1);
    bool is_hit = exact->count > 0;
    tally->count++;
    tally->hits += is_hit;
    tally->steps += a.steps;
    if (a.steps > tally->most_steps) tally->most_steps = a.steps;
    tally->exhausted += a.steps >= CCD_MOST_STEPS;
    if (exact_is_late(exact, a.time)) {
      tally->late++;
      if (a.time > 1) tally->misses++;
    }
    if (!is_hit && a.time <= 1) tally->false_hits++;
    if (a.time <= 1 && a.steps < CCD_MOST_STEPS) {
      double d = exact_distance(q.is_edges, q.x0, q.x1, a.time, 0, NULL) / size_of(&q);
      if (d > tally->furthest) tally->furthest = d;
    }
  }
}

static void never_a_miss(void **state) {
  (void)state;
  int each = getenv("WEFT_LONG") ? 1000000 / CCD_FAMILY_COUNT + 1 : 2000;
  ExactContacts exact;
  exact_contacts_init(&exact);
  print_message("family                 queries    hits  late missed  false hits  steps: mean most  exhausted  off at t\n");
  for (int f = 0; f < CCD_FAMILY_COUNT; f++) {
    Tally t = {0};
    run(&ccd_families[f], each, 17 + (uint64_t)f, &exact, &t);
    print_message("%-20s %9d %7d %5d %6d %11d %12.2f %4d %10d  %.2e\n", ccd_families[f].name, t.count, t.hits, t.late,
                  t.misses, t.false_hits, (double)t.steps / t.count, t.most_steps, t.exhausted, t.furthest);
  }
  exact_contacts_clear(&exact);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(never_a_miss)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
