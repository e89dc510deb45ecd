/* A small model made by hand, one force on it, and a matrix that does not need the solver's: for the tests of
 * forces. */
#ifndef WEFT_TESTS_FORCE_CASE_H
#define WEFT_TESTS_FORCE_CASE_H

#include "base/memory.h"
#include "force/element.kernel.h"
#include "force/forces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ForceCase {
  WeftModel model; /* one cloth */
  double *rest;    /* vertex_count x 3, the flat rest shape at z = 0 */
  const WeftForceOps *ops;
  WeftForce *force;
  int block_count;
  int64_t *blocks; /* row x vertex_count + column of each block, ascending */
  double *f, *kxv, *a;
  WeftWind wind;
  double time;
} ForceCase;

/* xorshift, in [-1, 1). */
static inline double random_number(uint64_t *seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

/* A fabric whose numbers all differ; its measured tables are constant, so that they have a potential. */
static inline WeftMaterial case_material(void) {
  WeftMaterial m = {.density = 0.2,
                    .thickness = 1e-3,
                    .stretch_warp = 700,
                    .stretch_weft = 400,
                    .shear = 90,
                    .bend_warp = 3e-5,
                    .bend_weft = 1e-5,
                    .stretch_damping = 0.02,
                    .bend_damping = 0.03,
                    .drag_normal = 0.8,
                    .drag_tangential = 0.05,
                    .has_measured_stretch = true,
                    .has_measured_bend = true};
  const double moduli[4] = {350, 60, 200, 45};
  for (int i = 0; i < 6; i++) memcpy(m.measured_stretch[i], moduli, sizeof moduli);
  for (int i = 0; i < 15; i++) m.measured_bend[i / 5][i % 5] = 4e-5;
  return m;
}

typedef struct CaseEdge {
  int32_t a, b, triangle, corner; /* corner opposite the edge; a < b */
} CaseEdge;

static inline int compare_case_edges(const void *left, const void *right) {
  const CaseEdge *l = left, *r = right;
  if (l->a != r->a) return l->a < r->a ? -1 : 1;
  if (l->b != r->b) return l->b < r->b ? -1 : 1;
  return (l->triangle > r->triangle) - (l->triangle < r->triangle);
}

static inline void case_add_hinge(WeftModel *model, const CaseEdge *edge) {
  int hinge = model->hinge_count++;
  const int32_t *first = model->triangles + 3 * edge[0].triangle,
                *second = model->triangles + 3 * edge[1].triangle;
  int c = edge[0].corner;
  int32_t vertices[4] = {first[(c + 1) % 3], first[(c + 2) % 3], first[c], second[edge[1].corner]};
  memcpy(model->hinges + 4 * hinge, vertices, sizeof vertices);
  model->hinge_edge[hinge] = model->edge_count;
  model->hinge_rest_length[hinge] = model->edge_rest_length[model->edge_count];
  model->hinge_rest_area[hinge] = model->rest_area[edge[0].triangle] + model->rest_area[edge[1].triangle];
}

static inline void case_fill_edges(WeftModel *model, const double *rest) {
  int half_edges = 3 * model->triangle_count;
  CaseEdge *edges = WEFT_NEW(CaseEdge, half_edges);
  for (int i = 0; i < half_edges; i++) {
    /* the edge opposite corner i % 3 */
    int32_t a = model->triangles[i / 3 * 3 + (i + 1) % 3], b = model->triangles[i / 3 * 3 + (i + 2) % 3];
    edges[i] = (CaseEdge){a < b ? a : b, a < b ? b : a, i / 3, i % 3};
  }
  qsort(edges, (size_t)half_edges, sizeof *edges, compare_case_edges);
  for (int i = 0; i < half_edges; i++) {
    int e = model->edge_count;
    bool is_shared = i + 1 < half_edges && edges[i + 1].a == edges[i].a && edges[i + 1].b == edges[i].b;
    double du = rest[3 * edges[i].b] - rest[3 * edges[i].a],
           dv = rest[3 * edges[i].b + 1] - rest[3 * edges[i].a + 1];
    model->edges[2 * e] = edges[i].a;
    model->edges[2 * e + 1] = edges[i].b;
    model->edge_triangles[2 * e] = edges[i].triangle;
    model->edge_triangles[2 * e + 1] = is_shared ? edges[i + 1].triangle : -1;
    model->edge_rest_length[e] = sqrt(du * du + dv * dv);
    double angle = atan2(dv, du);
    model->edge_angle[e] = angle < 0 ? angle + 3.141592653589793 : angle >= 3.141592653589793 ? 0 : angle;
    if (is_shared) case_add_hinge(model, &edges[i++]);
    model->edge_count++;
  }
  free(edges);
}

/* rest: vertex_count x 2 (u, v); rest angles are zero. */
static inline void case_make(ForceCase *c, int vertex_count, const double *uv, int triangle_count,
                             const int32_t *triangles) {
  memset(c, 0, sizeof *c);
  WeftModel *model = &c->model;
  size_t n = (size_t)vertex_count, t = (size_t)triangle_count;
  c->rest = WEFT_NEW(double, 3 * n);
  for (size_t i = 0; i < n; i++) memcpy(c->rest + 3 * i, uv + 2 * i, 2 * sizeof *uv);
  model->cloth_count = 1;
  model->cloths = WEFT_NEW(WeftModelCloth, 1);
  model->cloths[0].material = case_material();
  model->cloths[0].vertex_count = vertex_count;
  model->cloths[0].triangle_count = triangle_count;
  model->vertex_count = vertex_count;
  model->triangle_count = triangle_count;
  model->triangles = weft_copy(triangles, 3 * t, sizeof *triangles);
  model->triangle_cloth = WEFT_NEW(int32_t, t);
  model->rest_uv = WEFT_NEW(double, 6 * t);
  model->rest_area = WEFT_NEW(double, t);
  for (size_t i = 0; i < t; i++) {
    double *at = model->rest_uv + 6 * i;
    for (int k = 0; k < 3; k++) memcpy(at + 2 * k, uv + 2 * triangles[3 * i + (size_t)k], 2 * sizeof *uv);
    model->rest_area[i] = 0.5 * ((at[2] - at[0]) * (at[5] - at[1]) - (at[4] - at[0]) * (at[3] - at[1]));
  }
  model->edges = WEFT_NEW(int32_t, 6 * t);
  model->edge_cloth = WEFT_NEW(int32_t, 3 * t);
  model->edge_triangles = WEFT_NEW(int32_t, 6 * t);
  model->edge_rest_length = WEFT_NEW(double, 3 * t);
  model->edge_angle = WEFT_NEW(double, 3 * t);
  model->hinges = WEFT_NEW(int32_t, 6 * t);
  model->hinge_edge = WEFT_NEW(int32_t, 3 * t);
  model->hinge_rest_angle = WEFT_NEW(double, 3 * t);
  model->hinge_rest_length = WEFT_NEW(double, 3 * t);
  model->hinge_rest_area = WEFT_NEW(double, 3 * t);
  case_fill_edges(model, c->rest);
  /* a link along the first edge and one to the last vertex */
  model->link_count = 2;
  model->links = WEFT_NEW(WeftLink, 2);
  double length = model->edge_rest_length[0];
  model->links[0] = (WeftLink){model->edges[0], model->edges[1], 0.8 * length, 120, 2};
  model->links[1] = (WeftLink){0, vertex_count - 1, 0.5 * length, 60, 1};
  c->wind = (WeftWind){{1, 2, -0.5}, {0.3, -0.2, 0.4}, 1.5, 0.7, 1.2};
  c->time = 0.37;
}

static inline int compare_blocks(const void *left, const void *right) {
  int64_t l = *(const int64_t *)left, r = *(const int64_t *)right;
  return (l > r) - (l < r);
}

static inline int case_slot(const ForceCase *c, int row, int column) {
  int64_t key = (int64_t)row * c->model.vertex_count + column;
  const int64_t *found = bsearch(&key, c->blocks, (size_t)c->block_count, sizeof key, compare_blocks);
  return found ? (int)(found - c->blocks) : -1;
}

static inline void case_drop_force(ForceCase *c) {
  if (c->force) c->ops->destroy(c->force);
  free(c->blocks);
  free(c->f);
  free(c->kxv);
  free(c->a);
  c->force = NULL;
  c->blocks = NULL;
  c->f = c->kxv = c->a = NULL;
}

/* Makes the force for the present model, and the pattern it needs. False when the method found nothing to do.
 */
static inline bool case_use(ForceCase *c, const WeftForceOps *ops) {
  case_drop_force(c);
  c->ops = ops;
  snprintf(c->model.cloths[0].stretch, WEFT_NAME_SIZE, "%s",
           strcmp(ops->family, "stretch") == 0 ? ops->name : "none");
  snprintf(c->model.cloths[0].bend, WEFT_NAME_SIZE, "%s",
           strcmp(ops->family, "bend") == 0 ? ops->name : "none");
  WeftError error;
  if (ops->create(&c->model, &c->force, &error) != WEFT_RESULT_OK || !c->force) return false;
  WeftElements *elements = &c->force->elements;
  int k = elements->arity;
  size_t count = (size_t)elements->count * (size_t)(k * k), kept = 0;
  c->blocks = WEFT_NEW(int64_t, count);
  elements->slots = WEFT_NEW(int32_t, count);
  for (size_t i = 0; i < count; i++) {
    const int32_t *vertices = elements->vertices + i / (size_t)(k * k) * (size_t)k;
    int inside = (int)(i % (size_t)(k * k));
    c->blocks[i] = (int64_t)vertices[inside / k] * c->model.vertex_count + vertices[inside % k];
  }
  int64_t *wanted = weft_copy(c->blocks, count, sizeof *wanted);
  qsort(c->blocks, count, sizeof *c->blocks, compare_blocks);
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || c->blocks[i] != c->blocks[i - 1]) c->blocks[kept++] = c->blocks[i];
  }
  c->block_count = (int)kept;
  for (size_t i = 0; i < count; i++) {
    elements->slots[i] =
        case_slot(c, (int)(wanted[i] / c->model.vertex_count), (int)(wanted[i] % c->model.vertex_count));
  }
  free(wanted);
  c->f = WEFT_NEW(double, 3 * (size_t)c->model.vertex_count);
  c->kxv = WEFT_NEW(double, 3 * (size_t)c->model.vertex_count);
  c->a = WEFT_NEW(double, 9 * kept);
  return true;
}

static inline void case_free(ForceCase *c) {
  case_drop_force(c);
  WeftModel *m = &c->model;
  void *arrays[] = {c->rest,
                    m->cloths,
                    m->triangles,
                    m->triangle_cloth,
                    m->rest_uv,
                    m->rest_area,
                    m->edges,
                    m->edge_cloth,
                    m->edge_triangles,
                    m->edge_rest_length,
                    m->edge_angle,
                    m->hinges,
                    m->hinge_edge,
                    m->hinge_rest_angle,
                    m->hinge_rest_length,
                    m->hinge_rest_area,
                    m->links};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
  memset(c, 0, sizeof *c);
}

/* Fills c->f and, with WANT_MATRIX, c->kxv and c->a. */
static inline void case_add(ForceCase *c, const double *x, const double *v, int wants, double ax, double av) {
  memset(c->f, 0, 3 * (size_t)c->model.vertex_count * sizeof *c->f);
  memset(c->kxv, 0, 3 * (size_t)c->model.vertex_count * sizeof *c->kxv);
  memset(c->a, 0, 9 * (size_t)c->block_count * sizeof *c->a);
  WeftForceRequest request = {NULL, x, v, &c->wind, c->time, wants, ax, av, c->f, c->kxv, c->a};
  c->ops->add(c->force, &request);
}

static inline double case_energy(const ForceCase *c, const double *x) {
  double sum = 0, *energy = WEFT_NEW(double, c->force->elements.count);
  c->ops->energies(c->force, x, energy);
  for (int i = 0; i < c->force->elements.count; i++) sum += energy[i];
  free(energy);
  return sum;
}

#endif
