#include "exact_contact.h"

#include <math.h>

/* The pair as polynomials: coordinates of the four points, as integers times a common power of two. */
typedef struct Motion {
  ExactPoly x[4][3];
  bool is_edges;
} Motion;

static void set_scaled(mpz_t out, double value, int scale) {
  int exponent;
  double mantissa = frexp(value, &exponent); /* 53 bits */
  mpz_set_d(out, ldexp(mantissa, 53));
  exponent += scale - 53;
  if (exponent >= 0)
    mpz_mul_2exp(out, out, (unsigned long)exponent);
  else
    mpz_tdiv_q_2exp(out, out, (unsigned long)-exponent);
}

static void motion_make(Motion *m, bool is_edges, const Vec3 *x0, const Vec3 *x1) {
  int scale = 0;
  m->is_edges = is_edges;
  for (int i = 0; i < 24; i++) {
    const Vec3 *p = i < 12 ? &x0[i / 3] : &x1[i / 3 - 4];
    double value = i % 3 == 0 ? p->x : i % 3 == 1 ? p->y : p->z;
    int exponent;
    frexp(value, &exponent);
    if (value != 0 && 53 - exponent > scale) scale = 53 - exponent;
  }
  for (int i = 0; i < 4; i++) {
    const double from[3] = {x0[i].x, x0[i].y, x0[i].z}, to[3] = {x1[i].x, x1[i].y, x1[i].z};
    for (int k = 0; k < 3; k++) {
      exact_poly_init(&m->x[i][k]);
      set_scaled(m->x[i][k].c[0], from[k], scale);
      set_scaled(m->x[i][k].c[1], to[k], scale);
      mpz_sub(m->x[i][k].c[1], m->x[i][k].c[1], m->x[i][k].c[0]);
    }
  }
}
static void motion_clear(Motion *m) {
  for (int i = 0; i < 12; i++) exact_poly_clear(&m->x[i / 3][i % 3]);
}

static void vector_init(ExactPoly *v) {
  for (int k = 0; k < 3; k++) exact_poly_init(&v[k]);
}
static void vector_clear(ExactPoly *v) {
  for (int k = 0; k < 3; k++) exact_poly_clear(&v[k]);
}
/* From point a to point b. */
static void vector_between(ExactPoly *out, const Motion *m, int a, int b) {
  for (int k = 0; k < 3; k++) exact_poly_sub(&out[k], &m->x[b][k], &m->x[a][k]);
}
static void vector_cross(ExactPoly *out, const ExactPoly *a, const ExactPoly *b) {
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    exact_poly_zero(&out[k]);
    exact_poly_add_product(&out[k], &a[i], &b[j], 1);
    exact_poly_add_product(&out[k], &a[j], &b[i], -1);
  }
}
static void vector_dot(ExactPoly *out, const ExactPoly *a, const ExactPoly *b) {
  exact_poly_zero(out);
  for (int k = 0; k < 3; k++) exact_poly_add_product(out, &a[k], &b[k], 1);
}
/* (b - a) x (c - a): normal of a triangle */
static void vector_normal(ExactPoly *out, const Motion *m, int a, int b, int c) {
  ExactPoly u[3], v[3];
  vector_init(u);
  vector_init(v);
  vector_between(u, m, a, b);
  vector_between(v, m, a, c);
  vector_cross(out, u, v);
  vector_clear(u);
  vector_clear(v);
}
/* The sign of the first coordinate of v that is not zero at the root, and which one; 0 if all are. */
static int sign_of_vector(const ExactPoly *v, ExactRoot *root, int *which) {
  for (*which = 0; *which < 3; ++*which) {
    int sign = exact_root_sign(&v[*which], root);
    if (sign) return sign;
  }
  return 0;
}

/* Point p lies on the closed edge from a to b. */
static bool is_on_edge(const Motion *m, int p, int a, int b, ExactRoot *root) {
  ExactPoly n[3], u[3], v[3], dot;
  vector_init(n);
  vector_init(u);
  vector_init(v);
  exact_poly_init(&dot);
  int which;
  vector_normal(n, m, p, a, b);
  bool is_on = sign_of_vector(n, root, &which) == 0;
  if (is_on) {
    vector_between(u, m, p, a);
    vector_between(v, m, p, b);
    vector_dot(&dot, u, v);
    is_on = exact_root_sign(&dot, root) <= 0;
  }
  vector_clear(n);
  vector_clear(u);
  vector_clear(v);
  exact_poly_clear(&dot);
  return is_on;
}

/* All four points lie in a plane at the root. */
static bool is_vertex_on_face(const Motion *m, ExactRoot *root) {
  ExactPoly n[3], part[3];
  vector_init(n);
  vector_init(part);
  int k;
  vector_normal(n, m, 1, 2, 3);
  int side = sign_of_vector(n, root, &k);
  bool is_on = true;
  if (side == 0) {
    is_on = is_on_edge(m, 0, 1, 2, root) || is_on_edge(m, 0, 2, 3, root) || is_on_edge(m, 0, 3, 1, root);
  } else {
    for (int i = 0; i < 3 && is_on; i++) {
      vector_normal(part, m, 0, 1 + i, 1 + (i + 1) % 3);
      is_on = side * exact_root_sign(&part[k], root) >= 0;
    }
  }
  vector_clear(n);
  vector_clear(part);
  return is_on;
}

/* As above; lines that cross do so within both edges when the ends of each lie on different sides of the
 * other one, or on it. */
static bool is_edge_on_edge(const Motion *m, ExactRoot *root) {
  ExactPoly n[3], u[3], v[3], side[3];
  vector_init(n);
  vector_init(u);
  vector_init(v);
  vector_init(side);
  vector_between(u, m, 0, 1);
  vector_between(v, m, 2, 3);
  vector_cross(n, u, v);
  int k;
  bool is_on;
  if (sign_of_vector(n, root, &k) == 0) {
    is_on = is_on_edge(m, 0, 2, 3, root) || is_on_edge(m, 1, 2, 3, root) || is_on_edge(m, 2, 0, 1, root) ||
            is_on_edge(m, 3, 0, 1, root);
  } else {
    int sign[4];
    for (int i = 0; i < 4; i++) {
      vector_normal(side, m, i < 2 ? 2 : 0, i < 2 ? 3 : 1, i);
      sign[i] = exact_root_sign(&side[k], root);
    }
    is_on = sign[0] * sign[1] <= 0 && sign[2] * sign[3] <= 0;
  }
  vector_clear(n);
  vector_clear(u);
  vector_clear(v);
  vector_clear(side);
  return is_on;
}

static bool is_contact(const Motion *m, ExactRoot *root) {
  return m->is_edges ? is_edge_on_edge(m, root) : is_vertex_on_face(m, root);
}

static double root_upper(ExactRoot *root) {
  while (root->bits < 50) exact_root_narrow(root);
  mpz_t next;
  mpz_init(next);
  mpz_add_ui(next, root->place, 1);
  double upper = ldexp(mpz_get_d(next), -(int)root->bits);
  mpz_clear(next);
  return upper;
}

static bool keep_if_contact(ExactContacts *contacts, const Motion *m, const ExactPoly *p, const mpz_t place,
                            unsigned long bits) {
  if (contacts->count == EXACT_MOST_ROOTS) return false;
  ExactRoot *root = &contacts->root[contacts->count];
  exact_poly_set(&root->p, p);
  mpz_set(root->place, place);
  root->bits = bits;
  while (root->bits < 40) exact_root_narrow(root);
  if (!is_contact(m, root)) return false;
  double upper = root_upper(root);
  if (upper < contacts->first) contacts->first = upper;
  contacts->count++;
  return true;
}

/* Looks at every root of p in (0, 1]. */
static void try_roots(ExactContacts *contacts, const Motion *m, const ExactPoly *polynomial) {
  if (exact_poly_degree(polynomial) <= 0) return;
  ExactPoly p;
  ExactSturm s;
  mpz_t place;
  exact_poly_init(&p);
  exact_poly_set(&p, polynomial);
  exact_poly_simplify_roots(&p);
  exact_sturm_make(&s, &p);
  mpz_init(place);
  /* through the intervals in order, halving those with several roots */
  unsigned long bits = 0;
  for (;;) {
    int roots = exact_sturm_roots(&s, place, bits);
    if (roots > 1) {
      mpz_mul_2exp(place, place, 1);
      bits++;
      continue;
    }
    if (roots == 1) keep_if_contact(contacts, m, &p, place, bits);
    mpz_add_ui(place, place, 1);
    while (bits > 0 && mpz_even_p(place)) {
      mpz_tdiv_q_2exp(place, place, 1);
      bits--;
    }
    if (bits == 0) break;
  }
  mpz_clear(place);
  exact_sturm_clear(&s);
  exact_poly_clear(&p);
}

/* All four points always lie in a plane: contact begins with a vertex on an edge, or on a vertex. */
static void try_flat(ExactContacts *contacts, const Motion *m) {
  static const int face[3][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}};
  static const int edge[4][3] = {{0, 2, 3}, {1, 2, 3}, {2, 0, 1}, {3, 0, 1}};
  ExactPoly v[3];
  vector_init(v);
  for (int i = 0; i < (m->is_edges ? 4 : 3); i++) {
    const int *points = m->is_edges ? edge[i] : face[i];
    vector_normal(v, m, points[0], points[1], points[2]);
    for (int k = 0; k < 3; k++) try_roots(contacts, m, &v[k]);
    for (int j = 1; j < 3; j++) {
      vector_between(v, m, points[0], points[j]);
      for (int k = 0; k < 3; k++) try_roots(contacts, m, &v[k]);
    }
  }
  vector_clear(v);
}

void exact_contacts_init(ExactContacts *contacts) {
  for (int i = 0; i < EXACT_MOST_ROOTS; i++) {
    exact_poly_init(&contacts->root[i].p);
    mpz_init(contacts->root[i].place);
  }
}
void exact_contacts_clear(ExactContacts *contacts) {
  for (int i = 0; i < EXACT_MOST_ROOTS; i++) {
    exact_poly_clear(&contacts->root[i].p);
    mpz_clear(contacts->root[i].place);
  }
}

/* r . (u x v), whose roots are where the points lie in a plane */
static void coplanarity(ExactPoly *out, const Motion *m) {
  ExactPoly n[3], r[3], u[3], v[3];
  vector_init(n);
  vector_init(r);
  vector_init(u);
  vector_init(v);
  vector_between(u, m, m->is_edges ? 0 : 1, m->is_edges ? 1 : 2);
  vector_between(v, m, m->is_edges ? 2 : 1, 3);
  vector_between(r, m, m->is_edges ? 2 : 1, 0);
  vector_cross(n, u, v);
  vector_dot(out, r, n);
  vector_clear(n);
  vector_clear(r);
  vector_clear(u);
  vector_clear(v);
}

void exact_contacts_find(ExactContacts *contacts, bool is_edges, const Vec3 *x0, const Vec3 *x1) {
  Motion m;
  ExactPoly p, at_zero;
  mpz_t place;
  motion_make(&m, is_edges, x0, x1);
  exact_poly_init(&p);
  exact_poly_init(&at_zero);
  mpz_init_set_si(place, -1);
  mpz_set_ui(at_zero.c[1], 1); /* t = 0, a root in (-1, 0] */
  coplanarity(&p, &m);
  contacts->count = 0;
  contacts->first = 2;
  if (mpz_sgn(p.c[0]) != 0 || !keep_if_contact(contacts, &m, &at_zero, place, 0)) {
    if (exact_poly_degree(&p) >= 0)
      try_roots(contacts, &m, &p);
    else
      try_flat(contacts, &m);
  }
  mpz_clear(place);
  exact_poly_clear(&p);
  exact_poly_clear(&at_zero);
  motion_clear(&m);
}

static bool is_root_before(const ExactRoot *root, const mpq_t t) {
  mpq_t end;
  mpz_t place;
  mpq_init(end);
  mpz_init(place);
  mpz_set(mpq_numref(end), root->place);
  mpz_set_ui(mpq_denref(end), 1);
  mpq_div_2exp(end, end, root->bits);
  bool is_before = false;
  if (mpq_cmp(t, end) > 0) {
    mpz_add_ui(place, root->place, 1);
    mpz_set(mpq_numref(end), place);
    mpz_set_ui(mpq_denref(end), 1);
    mpq_div_2exp(end, end, root->bits);
    int above = exact_poly_sign_at(&root->p, place, root->bits);
    if (mpq_cmp(t, end) > 0) {
      is_before = true;
    } else if (above != 0) {
      is_before = exact_poly_sign_at(&root->p, mpq_numref(t), mpz_sizeinbase(mpq_denref(t), 2) - 1) == above;
    }
  }
  mpq_clear(end);
  mpz_clear(place);
  return is_before;
}

bool exact_is_late(const ExactContacts *contacts, double t) {
  mpq_t time; /* its denominator is a power of two */
  mpq_init(time);
  mpq_set_d(time, t);
  bool is_late = false;
  for (int i = 0; i < contacts->count && !is_late; i++) is_late = is_root_before(&contacts->root[i], time);
  mpq_clear(time);
  return is_late;
}
