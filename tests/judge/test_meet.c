/* An edge against a triangle, on configurations with exact coordinates: the judge must never be wrong. */
#include "judge/lattice.h"

static const double scales[] = {1, 0x1p-30, 0x1p-200, 0x1p200, 0x1p7};
enum { SCALES = sizeof scales / sizeof *scales };

typedef struct Tally {
  long tried, met, kinds[3];
} Tally;

static void show(const char *name, const Tally *tally) {
  print_message("%s: %ld configurations, %ld meet: %ld cross, %ld touch, %ld in the plane\n", name,
                tally->tried, tally->met, tally->kinds[0], tally->kinds[1], tally->kinds[2]);
}

static bool ask(const Point points[5], double scale, WeftMeeting *meeting) {
  double x[5][3];
  to_doubles(points, 5, scale, x);
  const double *corners[3] = {x[2], x[3], x[4]};
  return weft_edge_meets_triangle(x[0], x[1], corners, meeting);
}

static void fail_at(const Point points[5], const char *what) {
  for (int i = 0; i < 5; i++)
    print_error("%c: %lld %lld %lld\n", "pqabc"[i], (long long)points[i].x[0], (long long)points[i].x[1],
                (long long)points[i].x[2]);
  fail_msg("%s", what);
}

/* One order of the points, or all twelve. */
static void hold_against_twin(const Point points[5], double scale, bool in_all_orders, Tally *tally) {
  static const int orders[6][3] = {{2, 3, 4}, {3, 4, 2}, {4, 2, 3}, {3, 2, 4}, {2, 4, 3}, {4, 3, 2}};
  bool is_meeting = twin_meets(points);
  WeftHitKind kind = twin_kind(points);
  for (int order = 0; order < (in_all_orders ? 12 : 1); order++) {
    Point turned[5] = {points[order % 2], points[1 - order % 2]};
    for (int i = 0; i < 3; i++) turned[2 + i] = points[orders[order / 2][i]];
    WeftMeeting meeting;
    bool is_found = ask(turned, scale, &meeting);
    if (is_found != is_meeting) fail_at(turned, is_found ? "they do not meet" : "they meet");
    if (is_found && meeting.kind != kind) fail_at(turned, "another kind");
    if (is_found && !(meeting.begin >= 0 && meeting.begin <= meeting.end && meeting.end <= 1))
      fail_at(turned, "a place outside the edge");
  }
  tally->tried++;
  tally->met += is_meeting;
  tally->kinds[kind] += is_meeting;
}

static void small_lattices(void **state) {
  (void)state;
  static const int reach[] = {1, 2, 3, 8, 50};
  uint64_t seed = 1;
  for (int r = 0; r < 5; r++) {
    Tally tally = {0};
    for (int i = 0; i < 30000; i++) {
      Point points[5];
      for (int k = 0; k < 15; k++) points[k / 3].x[k % 3] = random_whole(&seed, -reach[r], reach[r]);
      hold_against_twin(points, scales[i % SCALES], i % 8 == 0, &tally);
    }
    char name[32];
    snprintf(name, sizeof name, "lattice of %d", 2 * reach[r] + 1);
    show(name, &tally);
    assert_true(tally.met > 0 && tally.met < tally.tried);
  }
}

/* Everything in one tilted plane, or on one line, or falling together. */
static void flat_and_degenerate(void **state) {
  (void)state;
  uint64_t seed = 2;
  for (int dimension = 0; dimension <= 2; dimension++) {
    Tally tally = {0};
    for (int i = 0; i < 20000; i++) {
      Point base[3], points[5];
      for (int k = 0; k < 9; k++) base[k / 3].x[k % 3] = random_whole(&seed, -900, 900);
      for (int n = 0; n < 5; n++) {
        Whole u = dimension > 0 ? random_whole(&seed, -2, 2) : 0,
              v = dimension > 1 ? random_whole(&seed, -2, 2) : 0;
        for (int k = 0; k < 3; k++) points[n].x[k] = base[0].x[k] + u * base[1].x[k] + v * base[2].x[k];
      }
      Whole off = i % 5 ? 0 : random_whole(&seed, -1, 1); /* now and then an end or both are just off */
      for (int n = 0; n <= i % 2; n++) points[n].x[i % 3] += off;
      hold_against_twin(points, scales[i % SCALES], i % 4 == 0, &tally);
    }
    char name[48];
    snprintf(name, sizeof name, "%d-dimensional", dimension);
    show(name, &tally);
    assert_true(tally.met > 0 && tally.met < tally.tried);
  }
}

/* Slivers: corners a unit off a line of millions of units, and edges that end on them, beside them, or run
 * through them. */
static void slivers(void **state) {
  (void)state;
  uint64_t seed = 3;
  Tally tally = {0};
  const int far = 1 << 21;
  for (int i = 0; i < 30000; i++) {
    Point points[5], along;
    for (int k = 0; k < 3; k++) {
      points[2].x[k] = random_whole(&seed, -far, far);
      along.x[k] = random_whole(&seed, -1000, 1000);
    }
    for (int n = 3; n < 5; n++)
      for (int k = 0; k < 3; k++)
        points[n].x[k] = points[2].x[k] + (n == 3 ? 700 : -500) * along.x[k] + random_whole(&seed, -1, 1);
    Whole at = random_whole(&seed, -500, 700), run = random_whole(&seed, -300, 300);
    bool is_across = i % 2 == 0;
    for (int k = 0; k < 3; k++) {
      points[0].x[k] = points[2].x[k] + at * along.x[k] + random_whole(&seed, -1, 1);
      points[1].x[k] = points[0].x[k] + (is_across ? random_whole(&seed, -2, 2) : run * along.x[k]);
    }
    hold_against_twin(points, scales[i % SCALES], i % 4 == 0, &tally);
  }
  show("slivers", &tally);
  assert_true(tally.met > 100 && tally.met < tally.tried);
}

/* Edges that pass through a point chosen in, on the border of, or just outside a triangle. */
static void aimed_edges(void **state) {
  (void)state;
  uint64_t seed = 4;
  Tally tally = {0};
  for (int i = 0; i < 30000; i++) {
    Point points[5], through = {{0, 0, 0}}, way;
    Whole weights[3], sum = 0;
    for (int n = 0; n < 3; n++) {
      weights[n] = random_whole(&seed, 0, 3);
      sum += weights[n];
    }
    weights[0] += sum == 0;
    sum += sum == 0;
    for (int n = 0; n < 3; n++)
      for (int k = 0; k < 3; k++) {
        points[2 + n].x[k] = sum * random_whole(&seed, -20000, 20000);
        through.x[k] += weights[n] * (points[2 + n].x[k] / sum);
      }
    for (int k = 0; k < 3; k++) way.x[k] = random_whole(&seed, -30000, 30000);
    Whole before = random_whole(&seed, 0, 5), after = random_whole(&seed, 0, 5);
    for (int k = 0; k < 3; k++) {
      points[0].x[k] = through.x[k] - before * way.x[k];
      points[1].x[k] = through.x[k] + after * way.x[k];
    }
    if (i % 2) points[i / 2 % 2].x[i % 3] += random_whole(&seed, -1, 1);
    hold_against_twin(points, scales[i % SCALES], i % 4 == 0, &tally);
  }
  show("aimed", &tally);
  assert_true(tally.kinds[WEFT_HIT_CROSSING] > 1000 && tally.kinds[WEFT_HIT_TOUCHING] > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(small_lattices), cmocka_unit_test(flat_and_degenerate),
                                     cmocka_unit_test(slivers), cmocka_unit_test(aimed_edges)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
