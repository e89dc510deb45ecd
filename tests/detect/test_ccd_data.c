/* Continuous collision on published queries whose truth is known [Wang21; Belgrod23], and on the exam of
 * validation/ccd_cases.txt, turned, mirrored, renumbered and scaled: no miss, never late, false hits counted.
 * Also shows that a cubic solved in double precision, as is often done, does miss. */
#include "ccd_families.h"
#include "detect/ccd.kernel.h"
#include "exact_contact.h"
#include "shared_data.h"

typedef struct Tally {
  int count, hits, missed, late, false_hits, cubic_missed;
  double furthest; /* false hits: largest distance at the time returned [m] */
} Tally;

static CcdAnswer answer(const CcdQuery *q) {
  return q->is_edges ? ccd_edge_edge(q->x0, q->x1, 0) : ccd_vertex_face(q->x0, q->x1, 0);
}

static void print_header(void) {
  print_message("%-44s queries   hits  missed  late  false hits  apart by  cubic in double missed\n", "");
}
static void print_tally(const char *name, const Tally *t) {
  print_message("%-44s %7d %6d %7d %5d %11d   %.1e %8d\n", name, t->count, t->hits, t->missed, t->late,
                t->false_hits, t->furthest, t->cubic_missed);
}
static void add_tally(Tally *sum, const Tally *t) {
  sum->count += t->count;
  sum->hits += t->hits;
  sum->missed += t->missed;
  sum->late += t->late;
  sum->false_hits += t->false_hits;
  sum->cubic_missed += t->cubic_missed;
  sum->furthest = fmax(sum->furthest, t->furthest);
}

/* ---- the method that misses ---- */

static double cubic_at(const double *c, double t) { return ((c[3] * t + c[2]) * t + c[1]) * t + c[0]; }

/* Times in [0, 1] at which the cubic changes sign, and those at which it has an extremum of zero. */
static int cubic_roots(const double *c, double *root) {
  double knot[4] = {0};
  int knots = 1, count = 0;
  double p = c[2], q = p * p - 3 * c[3] * c[1];
  if (q >= 0) {
    double s = -(p + copysign(sqrt(q), p));
    double e[2] = {c[3] != 0 ? s / (3 * c[3]) : NAN, s != 0 ? c[1] / s : NAN};
    if (e[0] > e[1]) {
      double swap = e[0];
      e[0] = e[1];
      e[1] = swap;
    }
    for (int i = 0; i < 2; i++) {
      if (e[i] > 0 && e[i] < 1) knot[knots++] = e[i];
    }
  }
  knot[knots++] = 1;
  for (int i = 0; i < knots; i++) {
    if (cubic_at(c, knot[i]) == 0) root[count++] = knot[i];
    if (i + 1 == knots || !(cubic_at(c, knot[i]) * cubic_at(c, knot[i + 1]) < 0)) continue;
    double low = knot[i], high = knot[i + 1], at_low = cubic_at(c, low);
    for (int k = 0; k < 60; k++) {
      double middle = 0.5 * (low + high);
      if (cubic_at(c, middle) * at_low <= 0)
        high = middle;
      else
        low = middle;
    }
    root[count++] = 0.5 * (low + high);
  }
  return count;
}

/* Coplanarity's roots in double precision, and then weights that have to lie within [0, 1]. */
static bool cubic_hits(const CcdQuery *q) {
  Vec3 r[2], u[2], v[2];
  for (int k = 0; k < 2; k++) {
    const Vec3 *x = k ? q->x1 : q->x0;
    int base = q->is_edges ? 2 : 1;
    r[k] = v3_sub(x[0], x[base]);
    u[k] = q->is_edges ? v3_sub(x[1], x[0]) : v3_sub(x[2], x[1]);
    v[k] = v3_sub(x[3], x[base]);
  }
  Vec3 dr = v3_sub(r[1], r[0]), du = v3_sub(u[1], u[0]), dv = v3_sub(v[1], v[0]);
  Vec3 n0 = v3_cross(u[0], v[0]), n1 = v3_add(v3_cross(du, v[0]), v3_cross(u[0], dv)), n2 = v3_cross(du, dv);
  double c[4] = {v3_dot(r[0], n0), v3_dot(dr, n0) + v3_dot(r[0], n1), v3_dot(dr, n1) + v3_dot(r[0], n2),
                 v3_dot(dr, n2)};
  double root[8];
  int count = cubic_roots(c, root);
  for (int i = 0; i < count; i++) {
    double t = root[i];
    Vec3 rt = v3_axpy(r[0], t, dr), ut = v3_axpy(u[0], t, du), vt = v3_axpy(v[0], t, dv),
         n = v3_cross(ut, vt);
    double nn = v3_dot(n, n), a, b;
    if (q->is_edges) {
      a = v3_dot(n, v3_cross(vt, rt)) / nn;
      b = v3_dot(n, v3_cross(ut, rt)) / nn;
      if (a >= 0 && a <= 1 && b >= 0 && b <= 1) return true;
    } else {
      a = v3_dot(n, v3_cross(rt, vt)) / nn;
      b = v3_dot(n, v3_cross(ut, rt)) / nn;
      if (a >= 0 && b >= 0 && a + b <= 1) return true;
    }
  }
  return false;
}

/* ---- queries in files ---- */

/* "numerator,denominator" as a double; these all are. */
static double read_fraction(char **text) {
  mpq_t exact, rounded;
  mpq_inits(exact, rounded, NULL);
  char *numerator = strtok_r(NULL, ", \n", text), *denominator = strtok_r(NULL, ", \n", text);
  assert_non_null(denominator);
  assert_int_equal(mpz_set_str(mpq_numref(exact), numerator, 10), 0);
  assert_int_equal(mpz_set_str(mpq_denref(exact), denominator, 10), 0);
  mpq_canonicalize(exact);
  double value = mpq_get_d(exact);
  mpq_set_d(rounded, value);
  assert_true(mpq_equal(exact, rounded));
  mpq_clears(exact, rounded, NULL);
  return value;
}

/* One query, 8 lines; false at the end of the file. truth: the last column, where there is one. */
static bool read_query(FILE *file, CcdQuery *q, int *truth) {
  char line[1024], *rest;
  for (int i = 0; i < 8; i++) {
    if (!fgets(line, sizeof line, file)) return false;
    char copy[1024] = ",";
    strcat(copy, line);
    rest = copy;
    double x = read_fraction(&rest), y = read_fraction(&rest), z = read_fraction(&rest);
    *(i < 4 ? &q->x0[i] : &q->x1[i - 4]) = vec3(x, y, z);
    char *last = strtok_r(NULL, ", \n", &rest);
    if (last) *truth = atoi(last);
  }
  return true;
}

static void look_at(const CcdQuery *q, bool truth, ExactContacts *exact, Tally *tally) {
  exact_contacts_find(exact, q->is_edges, q->x0, q->x1);
  assert_int_equal(exact->count > 0, truth); /* the twin agrees with those who published the query */
  double t = answer(q).time;
  tally->count++;
  tally->hits += truth;
  tally->missed += truth && t > 1;
  tally->late += exact_is_late(exact, t);
  if (!truth && t <= 1) {
    tally->false_hits++;
    tally->furthest = fmax(tally->furthest, exact_distance(q->is_edges, q->x0, q->x1, t, 0, NULL));
  }
  tally->cubic_missed += truth && !cubic_hits(q);
}

static Tally look_at_file(const char *path, bool is_edges, ExactContacts *exact) {
  Tally tally = {0};
  FILE *file = fopen(path, "r");
  if (!file) return tally;
  CcdQuery q = {.is_edges = is_edges};
  for (int truth = 0; read_query(file, &q, &truth);) look_at(&q, truth != 0, exact, &tally);
  fclose(file);
  return tally;
}

/* Cubes that pass each other with faces and edges in line, spikes that meet tip to tip: features miss each
 * other by roundings of their coordinates, on purpose. */
static bool is_degenerate_set(const char *name) {
  return strcmp(name, "erleben-cube-cliff-edges") == 0 || strcmp(name, "erleben-spikes") == 0;
}

static void sample_queries(void **state) {
  ExactContacts *exact = *state;
  const char *sets[] = {"erleben-cube-cliff-edges", "erleben-cube-internal-edges",
                        "erleben-sliding-spike",    "erleben-spikes",
                        "erleben-wedges",           "unit-tests"};
  Tally all = {0};
  if (!shared_data_is_here()) skip();
  print_header();
  for (int i = 0; i < 6; i++) {
    for (int is_edges = 0; is_edges < 2; is_edges++) {
      Tally set = {0};
      char path[1024], name[128];
      for (int k = 0; k < 2; k++) {
        snprintf(name, sizeof name, "ccd-sample-queries/%s/%s", sets[i],
                 is_edges ? "edge-edge" : "vertex-face");
        shared_data_path(path, sizeof path, "data/%s/data_0_%d.csv", name, k);
        Tally one = look_at_file(path, is_edges, exact);
        assert_true(one.count > 0);
        add_tally(&set, &one);
      }
      print_tally(name + strlen("ccd-sample-queries/"), &set);
      if (!is_degenerate_set(sets[i])) assert_true(20 * set.false_hits <= set.count - set.hits);
      add_tally(&all, &set);
    }
  }
  print_tally("all sample queries", &all);
  assert_int_equal(all.count, 2824);
  assert_int_equal(all.late, 0);
  assert_true(all.cubic_missed > 0);
}

/* {true, false, ...} in a JSON file */
static int read_truth(const char *path, bool *truth, int room) {
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  int count = 0, letter;
  while ((letter = fgetc(file)) != EOF) {
    if (letter != 't' && letter != 'f') continue;
    assert_true(count < room);
    truth[count++] = letter == 't';
    while ((letter = fgetc(file)) != EOF && letter >= 'a' && letter <= 'z') continue;
  }
  fclose(file);
  return count;
}

enum { MOST = 5000 };

static Tally simulation_queries(const char *scene, int frame, bool is_edges, const char *times,
                                ExactContacts *exact) {
  static bool truth[MOST];
  static double time[MOST];
  char path[1024], line[4096];
  Tally tally = {0};
  const char *kind = is_edges ? "ee" : "vf";
  shared_data_path(path, sizeof path, "data/scalable-ccd-sample/%s/mma_bool/%d%s_mma_bool.json", scene, frame,
                   kind);
  int count = read_truth(path, truth, MOST);
  for (int i = 0; i < count; i++) time[i] = NAN;
  shared_data_path(path, sizeof path, "data/scalable-ccd-sample/derived_toi/%s_%s.csv", times, kind);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file)) {
    int index;
    double first;
    if (sscanf(line, "%d,%*d,%lf", &index, &first) == 2) time[index] = first;
  }
  fclose(file);
  shared_data_path(path, sizeof path, "data/scalable-ccd-sample/%s/queries/%d%s.csv", scene, frame, kind);
  file = fopen(path, "r");
  assert_non_null(file);
  CcdQuery q = {.is_edges = is_edges};
  for (int i = 0, none; i < count; i++) {
    assert_true(read_query(file, &q, &none));
    look_at(&q, truth[i], exact, &tally);
    if (truth[i]) check_near(exact->first, time[i], 1e-15);
    if (truth[i]) assert_true(answer(&q).time <= time[i]);
  }
  fclose(file);
  return tally;
}

static void simulations(void **state) {
  ExactContacts *exact = *state;
  if (!shared_data_is_here()) skip();
  print_header();
  Tally tally[4] = {simulation_queries("cloth-funnel", 227, false, "funnel", exact),
                    simulation_queries("cloth-funnel", 227, true, "funnel", exact),
                    simulation_queries("rod-twist", 3036, false, "rod", exact),
                    simulation_queries("rod-twist", 3036, true, "rod", exact)};
  const char *names[] = {"cloth-funnel vertex-face", "cloth-funnel edge-edge", "rod-twist vertex-face",
                         "rod-twist edge-edge"};
  for (int i = 0; i < 4; i++) {
    print_tally(names[i], &tally[i]);
    assert_int_equal(tally[i].late, 0);
    assert_true(20 * tally[i].false_hits <= tally[i].count - tally[i].hits);
  }
}

/* ---- the exam ---- */

typedef struct ExamCase {
  char name[16], kind[16];
  CcdQuery query;
  bool is_hit;
} ExamCase;

static int read_exam(ExamCase *cases, int room) {
  char path[1024], line[4096];
  shared_data_path(path, sizeof path, "validation/ccd_cases.txt");
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  int count = 0;
  while (fgets(line, sizeof line, file)) {
    if (*line == '#') continue;
    assert_true(count < room);
    ExamCase *c = &cases[count++];
    char type[8], hit[8], *rest;
    int used;
    assert_int_equal(sscanf(line, "%15s %7s %*s%n", c->name, type, &used), 2);
    c->query.is_edges = type[0] == 'E';
    rest = line + used;
    for (int i = 0; i < 8; i++) {
      double x = strtod(rest, &rest), y = strtod(rest, &rest), z = strtod(rest, &rest);
      *(i < 4 ? &c->query.x0[i] : &c->query.x1[i - 4]) = vec3(x, y, z);
    }
    assert_int_equal(sscanf(rest, "%7s", hit), 1);
    c->is_hit = !strcmp(hit, "hit");
  }
  fclose(file);
  return count;
}

/* One of 48: axes in any order, each mirrored or not. */
static Vec3 mirror(Vec3 p, int which) {
  static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  double c[3] = {p.x, p.y, p.z}, out[3];
  for (int k = 0; k < 3; k++) out[k] = c[order[which / 8][k]] * (which >> k & 1 ? -1 : 1);
  return vec3(out[0], out[1], out[2]);
}

/* One of 6 orders of a face's vertices, or of 8 of two edges, by exchanging ends and edges. */
static void renumber(const CcdQuery *q, int which, CcdQuery *out) {
  static const int face[6][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 1, 3},
                                 {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 3, 2, 1}};
  static const int edge[8][4] = {{0, 1, 2, 3}, {1, 0, 2, 3}, {0, 1, 3, 2}, {1, 0, 3, 2},
                                 {2, 3, 0, 1}, {2, 3, 1, 0}, {3, 2, 0, 1}, {3, 2, 1, 0}};
  const int *order = q->is_edges ? edge[which] : face[which];
  out->is_edges = q->is_edges;
  for (int i = 0; i < 4; i++) {
    out->x0[i] = q->x0[order[i]];
    out->x1[i] = q->x1[order[i]];
  }
}

static Vec3 rotate(Vec3 p, const Mat3 *m, double scale) { return v3_scale(scale, m3_apply(*m, p)); }

static Mat3 random_rotation(uint64_t *seed) {
  double q[4], length = 0;
  for (int i = 0; i < 4; i++) length += pow(q[i] = random_in(seed, -1, 1), 2);
  for (int i = 0; i < 4; i++) q[i] /= sqrt(length);
  double w = q[0], x = q[1], y = q[2], z = q[3];
  Mat3 m = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
            {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
            {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
  return m;
}

static void exam_same_truth(const ExamCase *c, ExactContacts *exact, Tally *tally) {
  exact_contacts_find(exact, c->query.is_edges, c->query.x0, c->query.x1);
  bool is_hit = exact->count > 0;
  for (int m = 0; m < 48; m++) {
    for (int r = 0; r < (c->query.is_edges ? 8 : 6); r++) {
      CcdQuery q;
      renumber(&c->query, r, &q);
      for (int scale = -30; scale <= 20; scale += 10) {
        CcdQuery moved = q;
        for (int i = 0; i < 4; i++) {
          moved.x0[i] = v3_scale(ldexp(1, scale), mirror(q.x0[i], m));
          moved.x1[i] = v3_scale(ldexp(1, scale), mirror(q.x1[i], m));
        }
        double t = answer(&moved).time;
        tally->count++;
        tally->hits += is_hit;
        tally->missed += is_hit && t > 1;
        tally->late += exact_is_late(exact, t);
        tally->false_hits += !is_hit && t <= 1;
        tally->cubic_missed += is_hit && !cubic_hits(&moved);
      }
    }
  }
}

static void exam_rotated(const ExamCase *c, ExactContacts *exact, Tally *tally, uint64_t *seed) {
  for (int i = 0; i < 20; i++) {
    Mat3 m = random_rotation(seed);
    CcdQuery q = c->query;
    for (int k = 0; k < 4; k++) {
      q.x0[k] = rotate(q.x0[k], &m, 1);
      q.x1[k] = rotate(q.x1[k], &m, 1);
    }
    exact_contacts_find(exact, q.is_edges, q.x0, q.x1);
    bool truth = exact->count > 0;
    look_at(&q, truth, exact, tally);
  }
}

static void exam(void **state) {
  ExactContacts *exact = *state;
  static ExamCase cases[64];
  if (!shared_data_is_here()) skip();
  int count = read_exam(cases, 64);
  Tally same = {0}, rotated = {0};
  uint64_t seed = 5;
  assert_int_equal(count, 46);
  for (int i = 0; i < count; i++) {
    exact_contacts_find(exact, cases[i].query.is_edges, cases[i].query.x0, cases[i].query.x1);
    if ((exact->count > 0) != cases[i].is_hit)
      print_message("%s: a %s for its coordinates rounded to double\n", cases[i].name,
                    exact->count ? "hit" : "miss");
    exam_same_truth(&cases[i], exact, &same);
    exam_rotated(&cases[i], exact, &rotated, &seed);
  }
  print_header();
  print_tally("exam: mirrored, renumbered, scaled by 2^k", &same);
  print_tally("exam: rotated", &rotated);
  assert_int_equal(same.late + rotated.late, 0);
  assert_true(same.cubic_missed > 0);
}

static int set_up(void **state) {
  static ExactContacts exact;
  exact_contacts_init(&exact);
  *state = &exact;
  return 0;
}
static int tear_down(void **state) {
  exact_contacts_clear(*state);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sample_queries), cmocka_unit_test(simulations),
                                     cmocka_unit_test(exam)};
  if (!shared_data_is_here()) {
    printf("skipped: the shared data is not here (WEFT_SHARED, or ../shared beside the source)\n");
    return 77;
  }
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
