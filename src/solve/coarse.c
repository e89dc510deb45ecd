#include "solve/coarse.h"

#include "base/memory.h"
#include "device/launch.h"
#include "device/shared.h"
#include "solve/coarse.kernel.h"
#include "solve/coarse_nodes.h"
#include "solve/precond.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)WEFT_COARSE_NODES == COARSE_NODES, "as the kernels have it");

/* Work items that Pt A P is made by. */
enum { ITEMS = 64 };
/* Products of blocks that its factor may take for each block of Pt A P. Single sheets take 33, 67, 128 and
 * 146 with 344, 822, 1659 and 2097 nodes, three that lie on each other 180 with 1000 and 270 to 380 with
 * 1659: those beyond 300, solved without, took 388 iterations a step instead of 305. */
static const double WORTH = 500;

/* The rows of each node, ascending. */
static void turn_over(WeftCoarse *c) {
  int count = WEFT_COARSE_NODES * c->row_count;
  for (int i = 0; i < count; i++) c->start[c->node[i] + 1] += c->weight[i] > 0;
  for (int i = 0; i < c->node_count; i++) c->start[i + 1] += c->start[i];
  int32_t *next = c->mark;
  memcpy(next, c->start, (size_t)c->node_count * sizeof *next);
  for (int i = 0; i < count; i++) {
    if (!(c->weight[i] > 0)) continue;
    int at = next[c->node[i]]++;
    c->row[at] = i / WEFT_COARSE_NODES;
    c->share[at] = c->weight[i];
  }
}

/* Columns of row i of Pt A P that blocks of A in these ranges ask for and that are not marked with i; they
 * are from now on. entry: where to; NULL counts them. */
static int list_columns(const WeftCoarse *c, int i, const int32_t *start, const int32_t *column,
                        int32_t *entry) {
  int count = 0;
  for (int s = c->start[i]; s < c->start[i + 1]; s++) {
    for (int slot = start[c->row[s]]; slot < start[c->row[s] + 1]; slot++) {
      const size_t at = WEFT_COARSE_NODES * (size_t)column[slot];
      for (size_t q = at; q < at + WEFT_COARSE_NODES; q++) {
        if (!(c->weight[q] > 0) || c->mark[c->node[q]] == i) continue;
        c->mark[c->node[q]] = i;
        if (entry) entry[count] = c->node[q];
        count++;
      }
    }
  }
  return count;
}

static void clear_marks(WeftCoarse *c) {
  for (int i = 0; i < c->node_count; i++) c->mark[i] = -1;
}

/* The part of the pattern that lasts. */
static WeftResult make_base(WeftCoarse *c, const WeftBcsr *fine, WeftError *error) {
  int n = c->node_count;
  int32_t *start = WEFT_NEW(int32_t, (size_t)n + 1), *entry = NULL;
  if (!start) return weft_fail_memory(error, "coarse picture of the cloths");
  clear_marks(c);
  for (int i = 0; i < n; i++)
    start[i + 1] = start[i] + list_columns(c, i, fine->base_start, fine->column, NULL);
  entry = WEFT_NEW(int32_t, start[n]);
  clear_marks(c);
  for (int i = 0; entry && i < n; i++) list_columns(c, i, fine->base_start, fine->column, entry + start[i]);
  WeftResult result = entry ? weft_bcsr_create_rows(&c->matrix, n, start, entry, error)
                            : weft_fail_memory(error, "coarse picture of the cloths");
  free(start);
  free(entry);
  return result;
}

WeftResult weft_coarse_create(WeftCoarse *c, const WeftModel *model, const WeftBcsr *fine, WeftError *error) {
  size_t n = (size_t)model->vertex_count;
  *c = (WeftCoarse){.row_count = model->vertex_count,
                    .node = WEFT_NEW(int32_t, WEFT_COARSE_NODES * n),
                    .weight = WEFT_NEW(float, WEFT_COARSE_NODES *n),
                    .row = WEFT_NEW(int32_t, WEFT_COARSE_NODES * n),
                    .share = WEFT_NEW(float, WEFT_COARSE_NODES *n)};
  weft_fill_create(&c->fill, NULL);
  WeftResult result = c->node && c->weight && c->row && c->share
                          ? weft_coarse_place(c, model, error)
                          : weft_fail_memory(error, "coarse picture of the cloths");
  size_t nodes = (size_t)c->node_count;
  c->start = WEFT_NEW(int32_t, nodes + 1);
  c->mark = WEFT_NEW(int32_t, nodes);
  c->held = WEFT_NEW(uint8_t, nodes);
  c->extra_start = WEFT_NEW(int32_t, nodes + 1);
  c->r = WEFT_NEW(double, 3 * nodes);
  c->z = WEFT_NEW(double, 3 * nodes);
  c->narrow_z = WEFT_NEW(float, 4 * nodes);
  c->sums = WEFT_NEW(double, (size_t)weft_row_items(c->node_count));
  c->position = WEFT_NEW(int32_t, ITEMS * nodes);
  bool has_memory = c->position && c->start && c->mark && c->held && c->extra_start && c->r && c->z &&
                    c->narrow_z && c->sums;
  if (!result && !has_memory) result = weft_fail_memory(error, "coarse picture of the cloths");
  if (!result) turn_over(c);
  if (!result) result = make_base(c, fine, error);
  if (result) weft_coarse_destroy(c);
  return result;
}

void weft_coarse_destroy(WeftCoarse *c) {
  void **arrays[] = {(void **)&c->node,     (void **)&c->weight,      (void **)&c->start, (void **)&c->row,
                     (void **)&c->share,    (void **)&c->held,        (void **)&c->r,     (void **)&c->z,
                     (void **)&c->mark,     (void **)&c->extra_start, (void **)&c->extra, (void **)&c->sums,
                     (void **)&c->position, (void **)&c->narrow_z};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) weft_shared_free(c->device, arrays[i]);
  weft_primitives_destroy(&c->primitives);
  weft_fill_destroy(&c->fill);
  weft_bcsr_destroy(&c->matrix);
  memset(c, 0, sizeof *c);
}

WeftResult weft_coarse_share(WeftCoarse *c, WeftDevice *device, WeftError *error) {
  size_t nodes = (size_t)c->node_count, ends = WEFT_COARSE_NODES * (size_t)c->row_count;
  const struct {
    const void *array;
    size_t bytes;
  } arrays[] = {{c->node, ends * sizeof *c->node},
                {c->weight, ends * sizeof *c->weight},
                {c->row, ends * sizeof *c->row},
                {c->share, ends * sizeof *c->share},
                {c->start, (nodes + 1) * sizeof *c->start},
                {c->held, nodes * sizeof *c->held},
                {c->r, 3 * nodes * sizeof *c->r},
                {c->z, 3 * nodes * sizeof *c->z},
                {c->narrow_z, 4 * nodes * sizeof *c->narrow_z},
                {c->extra_start, (nodes + 1) * sizeof *c->extra_start},
                {c->position, ITEMS * nodes * sizeof *c->position},
                {c->sums, (size_t)weft_row_items(c->node_count) * sizeof *c->sums}};
  if (!c->node_count) return WEFT_RESULT_OK;
  WeftResult result = WEFT_RESULT_OK;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !result; i++)
    result = weft_device_share(device, arrays[i].array, arrays[i].bytes, WEFT_MEMORY_SOLVER, error);
  if (!result) result = weft_bcsr_share(&c->matrix, device, error);
  if (result) return result;
  weft_shared_free(c->device, (void **)&c->extra); /* made anew where the matrix is */
  c->extra_capacity = 0;
  weft_primitives_destroy(&c->primitives);
  weft_fill_destroy(&c->fill);
  weft_fill_create(&c->fill, device);
  c->has_pattern = false;
  c->device = device;
  return WEFT_RESULT_OK;
}

/* What contacts couple. */
static WeftResult make_extra(WeftCoarse *c, const WeftBcsr *fine, WeftError *error) {
  int n = c->node_count;
  WeftResult result = weft_bcsr_download_pattern(fine, error);
  if (result) return result;
  for (int pass = 0; pass < 2 && !result; pass++) {
    clear_marks(c);
    for (int i = 0; i < n; i++) {
      for (int slot = c->matrix.base_start[i]; slot < c->matrix.base_start[i + 1]; slot++)
        c->mark[c->matrix.column[slot]] = i;
      int count =
          list_columns(c, i, fine->extra_start, fine->column, pass ? c->extra + c->extra_start[i] : NULL);
      c->extra_start[i + 1] = c->extra_start[i] + count;
    }
    if (!pass)
      result =
          weft_shared_grow(c->device, (void **)&c->extra, &c->extra_capacity, (size_t)c->extra_start[n] + 1,
                           sizeof *c->extra, WEFT_MEMORY_SOLVER, "coarse picture of the cloths", error);
  }
  if (!result) result = weft_primitives_reserve(&c->primitives, c->device, n + 1, error);
  if (result) return result;
  weft_device_upload(c->device, c->extra_start, ((size_t)n + 1) * sizeof *c->extra_start);
  weft_device_upload(c->device, c->extra, (size_t)c->extra_start[n] * sizeof *c->extra);
  return weft_bcsr_set_extra_rows(&c->matrix, &c->primitives, c->extra_start, c->extra, error);
}

WeftResult weft_coarse_update(WeftCoarse *c, const WeftBcsr *fine, const uint8_t *held, WeftError *error) {
  WeftResult result = WEFT_RESULT_OK;
  if (!c->has_pattern || c->pattern != fine->pattern) {
    result = make_extra(c, fine, error);
    c->has_pattern = !result;
    c->pattern = fine->pattern;
  }
  if (!result) result = weft_fill_find(&c->fill, &c->matrix, WORTH, error);
  if (result || !c->fill.is_there) return result;
  LAUNCH(c->device, coarse_multiply, ITEMS, c->node_count, c->start, c->row, c->share, c->node, c->weight,
         fine->base_start, fine->extra_start, fine->column, fine->value, held, c->matrix.base_start,
         c->matrix.extra_start, c->matrix.column, c->position, c->matrix.value);
  weft_precond_block_cholesky.update(&c->matrix, c->held, NULL, (WeftPrecondParts){.fill = &c->fill});
  return WEFT_RESULT_OK;
}

void weft_coarse_add(const WeftCoarse *c, const double *r, double *z, double *rz) {
  LAUNCH(c->device, coarse_restrict, c->node_count, c->start, c->row, c->share, r, c->r);
  weft_device_zero(c->device, c->z, 3 * (size_t)c->node_count * sizeof *c->z);
  weft_precond_block_cholesky.descend(&c->matrix, NULL, (WeftPrecondParts){.fill = &c->fill}, 0, c->r, c->z,
                                      c->sums, c->sums);
  LAUNCH(c->device, coarse_prolong, weft_row_items(c->row_count), WEFT_ROWS_PER_ITEM, c->row_count, c->node,
         c->weight, c->z, r, z, rz);
}

void weft_coarse_restrict_narrow(const WeftCoarse *c, const float *r) {
  LAUNCH(c->device, coarse_restrict_narrow, c->node_count, c->start, c->row, c->share, r, c->r);
}

void weft_coarse_prolong_narrow(const WeftCoarse *c, const float *r, float *z, double *rr, double *rz) {
  LAUNCH(c->device, coarse_prolong_narrow, weft_row_items(c->row_count), WEFT_ROWS_PER_ITEM, c->row_count,
         c->node, c->weight, c->narrow_z, r, z, rr, rz);
}
