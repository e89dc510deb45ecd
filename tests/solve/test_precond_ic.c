/* Block incomplete Cholesky against a dense twin that makes the same M = L D Lt block by block, and against
 * what M has to be whatever the matrix is: symmetric, positive definite, the same bits for any number of
 * threads. */
#include "base/memory.h"
#include "check.h"
#include "solve/ic.h"
#include "solve/pcg.h"

#include <omp.h>

enum { MOST = 110, KEPT = 64, TRIES = 5 }; /* rows of the dense twin; of the method: couplings a row, tries */
static const double WEIGHTS[TRIES] = {0.9, 0.8, 0.6, 0.3, 0};
#define PIVOT 0.1
/* Domains: as block_ic has them, or other ones. */
#define ITS_OWN NULL

/* The method solves with L in single precision, the twin in double. */
#define SINGLE 2e-6

typedef struct System {
  WeftElements set, extra;
  WeftBcsr matrix;
  uint8_t *held;
} System;

static void destroy(System *s) {
  weft_elements_destroy(&s->set);
  weft_elements_destroy(&s->extra);
  weft_bcsr_destroy(&s->matrix);
  free(s->held);
}

/* Adds k (n nT + 0.1 I), between two vertices with opposite signs, or with the same where sign is 1. */
static void add_pair(System *s, int a, int b, double k, int sign, uint64_t *seed) {
  double n[3];
  for (int i = 0; i < 3; i++) n[i] = random_in(seed, -1, 1);
  for (int corner = 0; corner < 4; corner++) {
    int row = corner & 1 ? b : a, column = corner & 2 ? b : a;
    double *block = s->matrix.value + 9 * (size_t)weft_bcsr_slot(&s->matrix, row, column);
    for (int i = 0; i < 9; i++)
      block[i] += (row == column ? 1 : sign) * k * (n[i % 3] * n[i / 3] + 0.1 * (i % 3 == i / 3));
  }
}

/* Pairs of vertices with springs of random stiffness; those of the extra set stand in the extra pattern. */
static System create(int rows, int pairs, const int32_t *pair, int extras, const int32_t *extra, int sign) {
  System s = {0};
  WeftError error;
  uint64_t seed = 5;
  double *mass = WEFT_NEW(double, rows);
  s.held = WEFT_NEW(uint8_t, rows);
  check_ok(weft_elements_create(&s.set, 2, pairs, pair, rows, &error), error);
  check_ok(weft_elements_create(&s.extra, 2, extras, extra, rows, &error), error);
  check_ok(weft_bcsr_create(&s.matrix, rows, (WeftElements *[]){&s.set}, 1, &error), error);
  if (extras) check_ok(weft_bcsr_set_extra(&s.matrix, (WeftElements *[]){&s.extra}, 1, &error), error);
  for (int i = 0; i < rows; i++) mass[i] = random_in(&seed, 0.1, 1);
  weft_bcsr_set_mass(&s.matrix, mass, 1);
  for (int i = 0; i < pairs; i++)
    add_pair(&s, pair[2 * i], pair[2 * i + 1], random_in(&seed, 1, 100), sign, &seed);
  for (int i = 0; i < extras; i++)
    add_pair(&s, extra[2 * i], extra[2 * i + 1], random_in(&seed, 1, 100), sign, &seed);
  free(mass);
  return s;
}

/* A chain with couplings to vertices some way ahead. */
static int make_pairs(int rows, int32_t *pair) {
  static const int AHEAD[] = {1, 2, 7, 8};
  int count = 0;
  for (int i = 0; i < rows; i++) {
    for (int k = 0; k < 4; k++) {
      if (i + AHEAD[k] >= rows) continue;
      pair[2 * count] = i;
      pair[2 * count++ + 1] = i + AHEAD[k];
    }
  }
  return count;
}

/* z = M^-1 r by the method; returns r.z as the method sums it. */
static double apply(const System *s, const WeftDomains *domains, const double *r, double *z) {
  WeftPcg pcg;
  WeftError error;
  int rows = s->matrix.row_count, items = weft_row_items(rows);
  check_ok(weft_pcg_create(&pcg, rows, &weft_precond_block_ic, &error), error);
  check_ok(weft_pcg_reserve(&pcg, s->matrix.block_count, &error), error);
  WeftIc ic = {&s->matrix, pcg.storage, domains ? domains : &pcg.domains};
  double *sum_rr = WEFT_NEW(double, items), *sum_rz = WEFT_NEW(double, items);
  weft_ic_update(ic, s->held, false);
  memcpy(pcg.r, r, 3 * (size_t)rows * sizeof *r);
  memset(z, 0, 3 * (size_t)rows * sizeof *z);
  weft_ic_descend(ic, 0, pcg.r, z, sum_rr, sum_rz);
  double rr = 0, rz = 0;
  for (int i = 0; i < items; i++) rr += sum_rr[i], rz += sum_rz[i];
  double expected_rr = 0, expected_rz = 0;
  for (int i = 0; i < 3 * rows; i++) expected_rr += r[i] * r[i], expected_rz += r[i] * z[i];
  check_near(rr / expected_rr, 1, 1e-12);
  check_near(rz / expected_rz, 1, 1e-9);
  /* the same in single precision */
  for (int i = 0; i < 4 * rows; i++) {
    pcg.narrow_r[i] = i % 4 < 3 ? (float)r[3 * (i / 4) + i % 4] : 0;
    pcg.narrow_q[i] = 0;
  }
  weft_ic_descend_narrow(ic, 0, pcg.narrow_r, pcg.narrow_q, sum_rr, sum_rz);
  double narrow_rz = 0;
  for (int i = 0; i < items; i++) narrow_rz += sum_rz[i];
  check_near(narrow_rz / expected_rz, 1, 1e-4);
  double largest = 0;
  for (int i = 0; i < 3 * rows; i++) largest = fmax(largest, fabs(z[i]));
  for (int i = 0; i < 3 * rows; i++)
    check_near(pcg.narrow_q[4 * (i / 3) + i % 3] / largest, z[i] / largest, SINGLE);
  free(sum_rr);
  free(sum_rz);
  weft_pcg_destroy(&pcg);
  return rz;
}

/* The twin: 3x3 blocks in full arrays, row-major; rows in the order of their elimination: domains, then what
 * is coupled to a domain before its own. */
typedef double Block[3][3];
typedef struct Twin {
  int rows;
  int order[MOST];      /* the row that is eliminated as k-th */
  int group[MOST];      /* its domain; rows: late */
  bool has[MOST][MOST]; /* below the diagonal: in the pattern of L */
  Block a[MOST][MOST], l[MOST][MOST], d[MOST];
  double weight; /* with which it succeeded */
} Twin;

/* c -= s a bT */
static void subtract(double s, Block a, Block b, Block c) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      for (int k = 0; k < 3; k++) c[i][j] -= s * a[i][k] * b[j][k];
    }
  }
}

/* Gauss-Jordan; false when a pivot is not positive. */
static bool invert(Block m, Block inverse) {
  double w[3][6];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 6; j++) w[i][j] = j < 3 ? m[i][j] : j == i + 3;
  }
  for (int i = 0; i < 3; i++) {
    if (!(w[i][i] > 0)) return false;
    double p = w[i][i];
    for (int j = 0; j < 6; j++) w[i][j] /= p;
    for (int r = 0; r < 3; r++) {
      double f = w[r][i];
      for (int j = 0; j < 6 && r != i; j++) w[r][j] -= f * w[i][j];
    }
  }
  for (int i = 0; i < 9; i++) inverse[i / 3][i % 3] = w[i / 3][i % 3 + 3];
  return true;
}

/* Pivots of the factorisation without square roots, 0 from the first that is not positive on. */
static void pivots(Block m, double p[3]) {
  double w[3][3];
  memcpy(w, m, sizeof w);
  for (int i = 0; i < 3; i++) {
    p[i] = i && !(p[i - 1] > 0) ? 0 : w[i][i];
    for (int r = i + 1; r < 3; r++) {
      for (int j = i + 1; j < 3; j++) w[r][j] -= w[r][i] * w[i][j] / w[i][i];
    }
  }
}

static bool try_factor(Twin *t, double weight) {
  static Block w[MOST][MOST], inverse[MOST];
  for (int i = 0; i < t->rows; i++) {
    memcpy(t->d[i], t->a[i][i], sizeof(Block));
    for (int j = 0; j < i; j++) {
      if (!t->has[i][j]) continue;
      memcpy(w[i][j], t->a[i][j], sizeof(Block));
      for (int k = 0; k < j && weight > 0; k++) {
        if (t->has[i][k] && t->has[j][k]) subtract(1, w[i][k], t->l[j][k], w[i][j]);
      }
      memset(t->l[i][j], 0, sizeof(Block));
      for (int e = 0; e < 27; e++)
        t->l[i][j][e / 9][e / 3 % 3] += w[i][j][e / 9][e % 3] * inverse[j][e % 3][e / 3 % 3];
      subtract(weight, w[i][j], t->l[i][j], t->d[i]);
      for (int e = 0; e < 9; e++) t->l[i][j][e / 3][e % 3] = (float)t->l[i][j][e / 3][e % 3];
    }
    double p[3], alone[3];
    pivots(t->d[i], p);
    pivots(t->a[i][i], alone);
    for (int k = 0; k < 3 && weight > 0; k++) {
      if (!(p[k] > PIVOT * alone[k])) return false;
    }
    assert_true(invert(t->d[i], inverse[i]));
  }
  return true;
}

static int domain_of(const WeftDomains *domains, int row) { return domains ? domains->of_row[row] : 0; }

/* The pattern of L: blocks of elements, and those of contacts that are not zero. */
static bool is_coupled(const System *s, int row, int column) {
  int slot = weft_bcsr_slot(&s->matrix, row, column);
  bool is_there = slot >= 0 && slot < s->matrix.base_start[s->matrix.row_count];
  for (int e = 0; e < 9 && slot >= 0 && !is_there; e++) is_there = s->matrix.value[9 * slot + e] != 0;
  return is_there;
}

/* Is the row coupled to a domain before its own? */
static bool is_late(const System *s, int row, const WeftDomains *domains) {
  for (int column = 0; column < s->matrix.row_count; column++)
    if (domain_of(domains, column) < domain_of(domains, row) && is_coupled(s, row, column)) return true;
  return false;
}

static void order_rows(Twin *t, const System *s, const WeftDomains *domains) {
  int count = 0;
  for (int late = 0; late < 2; late++) {
    for (int k = 0; k < t->rows; k++) {
      int row = domains && !late ? domains->order[k] : k;
      if (is_late(s, row, domains) != late) continue;
      t->group[count] = late ? t->rows : domain_of(domains, row);
      t->order[count++] = row;
    }
  }
}

static Twin *make_twin(const System *s, const WeftDomains *domains) {
  Twin *t = WEFT_NEW(Twin, 1);
  int rows = t->rows = s->matrix.row_count;
  assert_true(rows <= MOST);
  order_rows(t, s, domains);
  for (int i = 0; i < rows; i++) {
    int kept = 0, row = t->order[i];
    for (int j = 0; j < rows; j++) {
      int column = t->order[j], slot = weft_bcsr_slot(&s->matrix, row, column);
      bool is_apart = s->held[row] == WEFT_AXIS_ALL || s->held[column] == WEFT_AXIS_ALL ||
                      (t->group[i] < rows && t->group[i] != t->group[j]);
      for (int e = 0; e < 9; e++) {
        bool is_held = (s->held[row] >> (e % 3) & 1) || (s->held[column] >> (e / 3) & 1);
        t->a[i][j][e % 3][e / 3] = is_held    ? i == j && e % 3 == e / 3
                                   : slot < 0 ? 0
                                              : s->matrix.value[9 * (size_t)slot + (size_t)e];
      }
      t->has[i][j] = j < i && is_coupled(s, row, column) && !is_apart && kept < KEPT;
      kept += t->has[i][j];
    }
  }
  for (int i = 0; i < TRIES; i++) {
    t->weight = WEIGHTS[i];
    if (try_factor(t, t->weight)) break;
  }
  return t;
}

/* m = L D Lt, 3 rows x 3 rows. */
static void dense_m(const Twin *t, double *m) {
  int n = 3 * t->rows;
  double *l = WEFT_NEW(double, (size_t)n *(size_t)n), *ld = WEFT_NEW(double, (size_t)n *(size_t)n);
  for (int i = 0; i < n; i++) {
    l[i * n + i] = 1;
    for (int j = 0; j < i; j++) {
      if (t->has[i / 3][j / 3]) l[i * n + j] = t->l[i / 3][j / 3][i % 3][j % 3];
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < 3; k++) ld[i * n + j] += l[i * n + j / 3 * 3 + k] * t->d[j / 3][k][j % 3];
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      m[i * n + j] = 0;
      for (int k = 0; k < n; k++) m[i * n + j] += ld[i * n + k] * l[j * n + k];
    }
  }
  free(l);
  free(ld);
}

/* Solves by Cholesky, which also tells that m is positive definite. */
static void solve_dense(double *m, int n, double *x) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      for (int k = 0; k < j; k++) m[i * n + j] -= m[i * n + k] * m[j * n + k];
      if (i == j) assert_true(m[i * n + i] > 0);
      m[i * n + j] = i == j ? sqrt(m[i * n + i]) : m[i * n + j] / m[j * n + j];
    }
    for (int k = 0; k < i; k++) x[i] -= m[i * n + k] * x[k];
    x[i] /= m[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] -= m[k * n + i] * x[k];
    x[i] /= m[i * n + i];
  }
}

/* Compares M^-1 r with the twin's; returns the twin's weight. */
static double compare(const System *s, const WeftDomains *domains) {
  int rows = s->matrix.row_count, n = 3 * rows;
  uint64_t seed = 8;
  double *r = WEFT_NEW(double, n), *z = WEFT_NEW(double, n), *m = WEFT_NEW(double, (size_t)n *(size_t)n);
  double *x = WEFT_NEW(double, n);
  for (int i = 0; i < n; i++) r[i] = (s->held[i / 3] >> (i % 3)) & 1 ? 0 : random_in(&seed, -1, 1);
  assert_true(apply(s, domains, r, z) > 0);
  Twin *t = make_twin(s, domains);
  dense_m(t, m);
  for (int i = 0; i < n; i++) x[i] = r[3 * t->order[i / 3] + i % 3];
  solve_dense(m, n, x);
  double largest = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  for (int i = 0; i < n; i++) check_near(z[3 * t->order[i / 3] + i % 3] / largest, x[i] / largest, SINGLE);
  for (int i = 0; i < n; i++) {
    if ((s->held[i / 3] >> (i % 3)) & 1) assert_true(z[i] == 0);
  }
  double weight = t->weight;
  free(t);
  free(r);
  free(x);
  free(z);
  free(m);
  return weight;
}

static void it_is_the_dense_twins(void **state) {
  (void)state;
  int32_t pair[8 * MOST], extra[] = {0, 50, 3, 40, 10, 59, 20, 30, 58, 4};
  System s = create(60, make_pairs(60, pair), pair, 0, NULL, -1);
  double weight = compare(&s, ITS_OWN);
  assert_true(weight > 0);
  s.held[0] = s.held[31] = WEFT_AXIS_ALL;
  s.held[7] = WEFT_AXIS_X | WEFT_AXIS_Z;
  s.held[59] = WEFT_AXIS_Y;
  compare(&s, ITS_OWN);
  destroy(&s);
  s = create(60, make_pairs(60, pair), pair, 5, extra, -1); /* as contacts would */
  assert_true(s.matrix.block_count > s.matrix.base_start[60]);
  compare(&s, ITS_OWN);
  s.held[40] = WEFT_AXIS_ALL;
  compare(&s, ITS_OWN);
  destroy(&s);
}

/* A vertex with more couplings than are kept: behind all others, and before them. */
static void rows_with_many_couplings_keep_the_first(void **state) {
  (void)state;
  int32_t pair[2 * MOST];
  for (int hub = 0; hub < MOST; hub += MOST - 1) {
    int count = 0;
    for (int i = 0; i < MOST; i++) {
      if (i == hub) continue;
      pair[2 * count] = hub;
      pair[2 * count++ + 1] = i;
    }
    System s = create(MOST, count, pair, 0, NULL, -1);
    compare(&s, ITS_OWN);
    destroy(&s);
  }
}

/* Sets block (a, b) and its mirror to value times the identity. */
static void set_pair(System *s, int a, int b, double value) {
  for (int i = 0; i < 9; i++) {
    s->matrix.value[9 * weft_bcsr_slot(&s->matrix, a, b) + i] = i % 4 == 0 ? value : 0;
    s->matrix.value[9 * weft_bcsr_slot(&s->matrix, b, a) + i] = i % 4 == 0 ? value : 0;
  }
}

/* Kershaw's matrix is positive definite and has no IC(0); one that is not even positive definite still gets
 * an M that is. */
static void what_breaks_down_is_factored_with_less(void **state) {
  (void)state;
  int32_t pair[] = {0, 1, 1, 2, 2, 3, 0, 3};
  System s = create(4, 4, pair, 0, NULL, -1);
  for (int i = 0; i < 4; i++) set_pair(&s, i, i, 3);
  set_pair(&s, 0, 1, -2);
  set_pair(&s, 1, 2, -2);
  set_pair(&s, 2, 3, -2);
  set_pair(&s, 0, 3, 2);
  double weight = compare(&s, ITS_OWN);
  assert_true(weight < 1 && weight > 0);
  for (int i = 0; i < 4; i++) set_pair(&s, pair[2 * i], pair[2 * i + 1], 20);
  check_near(compare(&s, ITS_OWN), 0, 1e-12); /* Gauss-Seidel */
  destroy(&s);
}

/* M^-1 r of an update in this storage. */
static void update_and_apply(WeftPcg *pcg, const System *s, bool is_near, const double *r, double *z) {
  int n = 3 * s->matrix.row_count;
  double sum;
  WeftIc ic = {&s->matrix, pcg->storage, &pcg->domains};
  weft_ic_update(ic, s->held, is_near);
  memcpy(pcg->r, r, (size_t)n * sizeof *r);
  memset(z, 0, (size_t)n * sizeof *z);
  weft_ic_descend(ic, 0, pcg->r, z, &sum, pcg->partial);
}

/* What is near begins with the weight that the last one ended with, though it could do with more. */
static void what_is_near_takes_the_same_weight(void **state) {
  (void)state;
  int32_t pair[] = {0, 1, 1, 2, 2, 3, 0, 3};
  enum { N = 12 };
  System s = create(4, 4, pair, 0, NULL, -1);
  WeftPcg pcg;
  WeftError error;
  uint64_t seed = 8;
  double r[N], fresh[N], near[N], m[N * N];
  for (int i = 0; i < N; i++) r[i] = random_in(&seed, -1, 1);
  check_ok(weft_pcg_create(&pcg, 4, &weft_precond_block_ic, &error), error);
  check_ok(weft_pcg_reserve(&pcg, s.matrix.block_count, &error), error);
  for (int i = 0; i < 4; i++) set_pair(&s, i, i, 3);
  for (int i = 0; i < 4; i++) set_pair(&s, pair[2 * i], pair[2 * i + 1], 20);
  update_and_apply(&pcg, &s, false, r, fresh); /* Gauss-Seidel */
  for (int i = 0; i < 4; i++) set_pair(&s, pair[2 * i], pair[2 * i + 1], -1);
  update_and_apply(&pcg, &s, true, r, near);
  Twin *t = make_twin(&s, ITS_OWN);
  check_near(t->weight, WEIGHTS[0], 0);
  try_factor(t, 0);
  dense_m(t, m);
  memcpy(fresh, r, sizeof r);
  solve_dense(m, N, fresh);
  for (int i = 0; i < N; i++) check_near(near[i], fresh[i], SINGLE * 10);
  /* and not where it is not near */
  update_and_apply(&pcg, &s, false, r, fresh);
  double apart = 0;
  for (int i = 0; i < N; i++) apart = fmax(apart, fabs(fresh[i] - near[i]));
  assert_true(apart > 1e-3);
  free(t);
  weft_pcg_destroy(&pcg);
  destroy(&s);
}

/* Where all couplings are positive, as across the hinges of a plate. */
static void positive_couplings_are_mastered(void **state) {
  (void)state;
  int32_t pair[8 * MOST];
  System s = create(100, make_pairs(100, pair), pair, 0, NULL, 1);
  compare(&s, ITS_OWN);
  destroy(&s);
}

static WeftDomains make_domains(int row_count, int rows) {
  WeftDomains domains;
  WeftError error;
  check_ok(weft_domains_create(&domains, row_count, rows, &error), error);
  return domains;
}

/* Rows on the border of two domains come last, also those that contacts couple. */
static void domains_meet_in_late_rows(void **state) {
  (void)state;
  enum { ROWS = 100 };
  int32_t pair[8 * ROWS], extra[] = {0, 90, 3, 50, 10, 20, 57, 99, 52, 97, 49, 58};
  WeftDomains halves = make_domains(ROWS, 50);
  for (int extras = 0; extras <= 6; extras += 6) {
    System s = create(ROWS, make_pairs(ROWS, pair), pair, extras, extra, -1);
    compare(&s, &halves);
    s.held[53] = s.held[48] = WEFT_AXIS_ALL;
    s.held[51] = WEFT_AXIS_Y;
    compare(&s, &halves);
    destroy(&s);
  }
  System s = create(ROWS, make_pairs(ROWS, pair), pair, 6, extra, 1);
  compare(&s, &halves);
  destroy(&s);
  weft_domains_destroy(&halves);
}

/* However many rows are late, down to domains of one row, where all but the first of each pair can be. */
static void nothing_is_left_out_between_domains(void **state) {
  (void)state;
  enum { ROWS = 100 };
  int32_t pair[8 * ROWS], extra[] = {0, 90, 3, 50, 10, 20, 57, 99, 52, 97, 49, 58};
  System s = create(ROWS, make_pairs(ROWS, pair), pair, 6, extra, -1);
  for (int rows = 1; rows <= 25; rows *= 5) {
    WeftDomains domains = make_domains(ROWS, rows);
    compare(&s, &domains);
    weft_domains_destroy(&domains);
  }
  destroy(&s);
}

/* Domains of rows that do not follow each other, as in space. */
static void domains_need_not_be_runs(void **state) {
  (void)state;
  enum { ROWS = 100 };
  int32_t pair[8 * ROWS], extra[] = {0, 50, 1, 51, 10, 60, 25, 75, 26, 76, 49, 99, 30, 80, 31, 81};
  double x[3 * ROWS] = {0};
  WeftError error;
  for (int i = 0; i < ROWS; i++) x[3 * i] = i % 50; /* two layers */
  System s = create(ROWS, make_pairs(ROWS, pair), pair, 8, extra, -1);
  WeftDomains domains = make_domains(ROWS, 20);
  check_ok(weft_domains_update(&domains, &s.matrix, x, &error), error);
  assert_false(domains.are_runs);
  for (int i = 0; i < 50; i++) assert_int_equal(domains.of_row[i], domains.of_row[i + 50]);
  compare(&s, &domains);
  weft_domains_destroy(&domains);
  destroy(&s);
}

/* Blocks of contacts that do nothing couple nothing. */
static void what_is_zero_does_not_couple(void **state) {
  (void)state;
  enum { ROWS = 100 };
  int32_t pair[8 * ROWS], extra[] = {0, 90, 3, 50, 10, 40, 57, 99};
  System s = create(ROWS, make_pairs(ROWS, pair), pair, 4, extra, -1);
  WeftDomains halves = make_domains(ROWS, 50);
  assert_true(is_late(&s, 90, &halves));
  for (int i = 0; i < 9; i++) {
    s.matrix.value[9 * weft_bcsr_slot(&s.matrix, 0, 90) + i] = 0;
    s.matrix.value[9 * weft_bcsr_slot(&s.matrix, 90, 0) + i] = 0;
  }
  assert_false(is_late(&s, 90, &halves));
  compare(&s, &halves);
  weft_domains_destroy(&halves);
  destroy(&s);
}

enum { MANY = 20480 };

static void any_number_of_threads_gives_the_same_bits(void **state) {
  (void)state;
  static int32_t pair[8 * MANY];
  static double r[3 * MANY], z[3][3 * MANY], x[3][3 * MANY];
  uint64_t seed = 6;
  int before = omp_get_max_threads();
  WeftPcgStats stats[3];
  for (int i = 0; i < 3 * MANY; i++) r[i] = random_in(&seed, -1, 1);
  System s = create(MANY, make_pairs(MANY, pair), pair, 1, (int32_t[]){17, 4000}, -1);
  for (int i = 0; i < 3; i++) {
    WeftPcg pcg;
    WeftError error;
    omp_set_num_threads(i + 1);
    apply(&s, ITS_OWN, r, z[i]);
    check_ok(weft_pcg_create(&pcg, MANY, &weft_precond_block_ic, &error), error);
    check_ok(weft_pcg_solve(&pcg, &s.matrix, s.held, r, x[i], 1e-10, 5000, &stats[i], &error), error);
    weft_pcg_destroy(&pcg);
    assert_memory_equal(z[i], z[0], sizeof z[0]);
    assert_memory_equal(x[i], x[0], sizeof x[0]);
    assert_int_equal(stats[i].iterations, stats[0].iterations);
  }
  omp_set_num_threads(before);
  destroy(&s);
}

/* One solver, and a matrix whose extra part comes, grows and goes. */
static void the_storage_grows_with_the_matrix(void **state) {
  (void)state;
  enum { ROWS = 60, EXTRAS = 200 };
  int32_t pair[8 * ROWS], extra[2 * EXTRAS];
  WeftPcg pcg;
  WeftPcgStats stats;
  WeftError error;
  System s = create(ROWS, make_pairs(ROWS, pair), pair, 0, NULL, -1);
  double b[3 * ROWS], x[3 * ROWS], y[3 * ROWS], mass[ROWS];
  uint64_t seed = 2;
  for (int i = 0; i < 3 * ROWS; i++) b[i] = random_in(&seed, -1, 1), mass[i / 3] = 0.5;
  check_ok(weft_pcg_create(&pcg, ROWS, &weft_precond_block_ic, &error), error);
  for (int extras = 0; extras <= EXTRAS; extras += 100) {
    for (int i = 0; i < extras; i++) {
      extra[2 * i] = (int32_t)random_in(&seed, 0, 30);
      extra[2 * i + 1] = (int32_t)random_in(&seed, 30, 60);
    }
    weft_elements_destroy(&s.extra);
    check_ok(weft_elements_create(&s.extra, 2, extras, extra, ROWS, &error), error);
    check_ok(weft_bcsr_set_extra(&s.matrix, (WeftElements *[]){&s.extra}, 1, &error), error);
    weft_bcsr_set_mass(&s.matrix, mass, 1);
    for (int i = 0; i < extras; i++) add_pair(&s, extra[2 * i], extra[2 * i + 1], 10, -1, &seed);
    for (int i = 0; i < s.set.count; i++) add_pair(&s, pair[2 * i], pair[2 * i + 1], 10, -1, &seed);
    memset(x, 0, sizeof x);
    check_ok(weft_pcg_solve(&pcg, &s.matrix, s.held, b, x, 1e-12, 5000, &stats, &error), error);
    weft_bcsr_multiply(&s.matrix, x, y);
    for (int i = 0; i < 3 * ROWS; i++) check_near(y[i], b[i], 1e-9);
    compare(&s, ITS_OWN);
  }
  weft_pcg_destroy(&pcg);
  destroy(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_is_the_dense_twins),
      cmocka_unit_test(rows_with_many_couplings_keep_the_first),
      cmocka_unit_test(what_breaks_down_is_factored_with_less),
      cmocka_unit_test(what_is_near_takes_the_same_weight),
      cmocka_unit_test(positive_couplings_are_mastered),
      cmocka_unit_test(domains_meet_in_late_rows),
      cmocka_unit_test(nothing_is_left_out_between_domains),
      cmocka_unit_test(domains_need_not_be_runs),
      cmocka_unit_test(what_is_zero_does_not_couple),
      cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
      cmocka_unit_test(the_storage_grows_with_the_matrix),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
