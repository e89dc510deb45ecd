/* Assembly of the pattern: count, fill, sort and remove duplicates, scan, compact, locate [Tang16 alg. 1]. */
#include "solve/bcsr.h"

#include "base/memory.h"
#include "device/launch.h"
#include "solve/bcsr.kernel.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* start[i] = first + sum of count[0..i); false when that does not fit an int. */
static bool scan(int n, const int32_t *count, int32_t first, int32_t *start) {
  int64_t sum = first;
  for (int i = 0; i < n; i++) {
    start[i] = (int32_t)sum;
    sum += count[i];
    if (sum > INT32_MAX / 9) return false; /* value is indexed by 9 x slot */
  }
  start[n] = (int32_t)sum;
  return true;
}

typedef struct Draft {
  int32_t *count, *start, *cursor, *entry;
} Draft;

static void free_draft(Draft *draft) {
  free(draft->count);
  free(draft->start);
  free(draft->cursor);
  free(draft->entry);
}

/* Stages 1 to 3: leaves in draft->count how many distinct entries each row keeps. The base pattern is left
 * out of them when there is one; otherwise every row gets its diagonal. */
static WeftResult draft_rows(Draft *draft, const WeftBcsr *matrix, bool is_extra, WeftElements *const *sets,
                             int set_count, WeftError *error) {
  int rows = matrix->row_count;
  draft->count = WEFT_NEW(int32_t, rows);
  draft->start = WEFT_NEW(int32_t, rows + 1);
  if (!draft->count || !draft->start) return weft_fail_memory(error, "rows of the matrix");
  if (!is_extra) {
    for (int row = 0; row < rows; row++) draft->count[row] = 1;
  }
  for (int i = 0; i < set_count; i++) {
    bcsr_count(sets[i]->chunk_count, WEFT_CHUNK_ROWS, rows, sets[i]->chunk_start, sets[i]->chunk_element,
               sets[i]->arity, sets[i]->vertices, draft->count);
  }
  if (!scan(rows, draft->count, 0, draft->start)) {
    return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                     "the matrix would have more than %d entries; use a smaller mesh", INT32_MAX / 9);
  }
  draft->cursor = weft_copy(draft->start, (size_t)rows, sizeof *draft->start);
  draft->entry = WEFT_NEW(int32_t, draft->start[rows]);
  if (!draft->cursor || !draft->entry) return weft_fail_memory(error, "entries of the matrix");
  if (!is_extra) {
    for (int row = 0; row < rows; row++) draft->entry[draft->cursor[row]++] = row;
  }
  for (int i = 0; i < set_count; i++) {
    bcsr_fill(sets[i]->chunk_count, WEFT_CHUNK_ROWS, rows, sets[i]->chunk_start, sets[i]->chunk_element,
              sets[i]->arity, sets[i]->vertices, draft->cursor, draft->entry);
  }
  bcsr_sort_unique(rows, draft->start, draft->entry, is_extra ? matrix->base_start : NULL, matrix->column,
                   draft->count);
  return WEFT_RESULT_OK;
}

/* Room for block_count blocks in column and value; what is there stays. */
static WeftResult reserve(WeftBcsr *matrix, int block_count, WeftError *error) {
  size_t columns = matrix->block_capacity, values = matrix->block_capacity * 9;
  size_t needed = (size_t)block_count + 1;
  if (!weft_grow((void **)&matrix->column, &columns, needed, sizeof *matrix->column) ||
      !weft_grow((void **)&matrix->value, &values, columns * 9, sizeof *matrix->value)) {
    return weft_fail_memory(error, "blocks of the matrix");
  }
  matrix->block_capacity = columns;
  return WEFT_RESULT_OK;
}

static WeftResult locate(const WeftBcsr *matrix, WeftElements *const *sets, int set_count, WeftError *error) {
  for (int i = 0; i < set_count; i++) {
    WeftElements *set = sets[i];
    free(set->slots);
    set->slots = WEFT_NEW(int32_t, (size_t)set->count * (size_t)(set->arity * set->arity));
    if (!set->slots) return weft_fail_memory(error, "slots of elements");
    bcsr_locate(set->count, set->arity, set->vertices, matrix->base_start, matrix->extra_start,
                matrix->column, set->slots);
  }
  return WEFT_RESULT_OK;
}

/* Base part alone, of sorted entries without duplicates. */
static void finish_base(WeftBcsr *matrix, const int32_t *start, const int32_t *entry) {
  int rows = matrix->row_count;
  matrix->block_count = matrix->base_start[rows];
  bcsr_compact(rows, start, entry, matrix->base_start, matrix->column);
  for (int row = 0; row < rows; row++) {
    matrix->diagonal[row] =
        bcsr_find(matrix->column, matrix->base_start[row], matrix->base_start[row + 1], row);
  }
  for (int row = 0; row <= rows; row++) matrix->extra_start[row] = matrix->block_count;
}

static WeftResult build_base(WeftBcsr *matrix, Draft *draft, WeftElements *const *sets, int set_count,
                             WeftError *error) {
  WeftResult result = draft_rows(draft, matrix, false, sets, set_count, error);
  if (result) return result;
  int rows = matrix->row_count;
  scan(rows, draft->count, 0, matrix->base_start); /* no more than before, so it fits */
  result = reserve(matrix, matrix->base_start[rows], error);
  if (result) return result;
  finish_base(matrix, draft->start, draft->entry);
  return locate(matrix, sets, set_count, error);
}

WeftResult weft_bcsr_create(WeftBcsr *matrix, int row_count, WeftElements *const *sets, int set_count,
                            WeftError *error) {
  memset(matrix, 0, sizeof *matrix);
  matrix->row_count = row_count;
  matrix->base_start = WEFT_NEW(int32_t, row_count + 1);
  matrix->extra_start = WEFT_NEW(int32_t, row_count + 1);
  matrix->diagonal = WEFT_NEW(int32_t, row_count);
  Draft draft = {0};
  WeftResult result = matrix->base_start && matrix->extra_start && matrix->diagonal
                          ? build_base(matrix, &draft, sets, set_count, error)
                          : weft_fail_memory(error, "rows of the matrix");
  free_draft(&draft);
  if (result) weft_bcsr_destroy(matrix);
  return result;
}

WeftResult weft_bcsr_create_rows(WeftBcsr *matrix, int row_count, const int32_t *start, int32_t *entry,
                                 WeftError *error) {
  *matrix = (WeftBcsr){.row_count = row_count,
                       .base_start = WEFT_NEW(int32_t, row_count + 1),
                       .extra_start = WEFT_NEW(int32_t, row_count + 1),
                       .diagonal = WEFT_NEW(int32_t, row_count)};
  bool has_memory = matrix->base_start && matrix->extra_start && matrix->diagonal;
  WeftResult result = WEFT_RESULT_OK;
  if (has_memory) {
    bcsr_sort_unique(row_count, start, entry, NULL, NULL, matrix->extra_start);
    scan(row_count, matrix->extra_start, 0, matrix->base_start);
    result = reserve(matrix, matrix->base_start[row_count], error);
  } else {
    result = weft_fail_memory(error, "rows of the matrix");
  }
  if (result) {
    weft_bcsr_destroy(matrix);
    return result;
  }
  finish_base(matrix, start, entry);
  return WEFT_RESULT_OK;
}

void weft_bcsr_destroy(WeftBcsr *matrix) {
  free(matrix->base_start);
  free(matrix->extra_start);
  free(matrix->column);
  free(matrix->diagonal);
  free(matrix->value);
  memset(matrix, 0, sizeof *matrix);
}

static WeftResult build_extra(WeftBcsr *matrix, Draft *draft, WeftElements *const *sets, int set_count,
                              WeftError *error) {
  WeftResult result = draft_rows(draft, matrix, true, sets, set_count, error);
  if (result) return result;
  int rows = matrix->row_count, base_count = matrix->base_start[rows];
  int32_t *start = draft->cursor; /* not needed any more, and of the right size but for its end */
  int64_t sum = base_count;
  for (int row = 0; row < rows; row++) {
    start[row] = (int32_t)sum;
    sum += draft->count[row];
  }
  if (sum > INT32_MAX / 9) {
    return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                     "the matrix would have more than %d blocks; use a smaller mesh", INT32_MAX / 9);
  }
  result = reserve(matrix, (int)sum, error);
  if (result) return result;
  memcpy(matrix->extra_start, start, (size_t)rows * sizeof *start);
  matrix->extra_start[rows] = (int32_t)sum;
  matrix->block_count = (int)sum;
  bcsr_compact(rows, draft->start, draft->entry, matrix->extra_start, matrix->column);
  return locate(matrix, sets, set_count, error);
}

WeftResult weft_bcsr_share(WeftBcsr *matrix, WeftDevice *device, WeftError *error) {
  size_t row = sizeof(int32_t) * (size_t)matrix->row_count, capacity = matrix->block_capacity;
  const struct {
    const void *array;
    size_t bytes;
  } arrays[] = {{matrix->base_start, row + sizeof(int32_t)},
                {matrix->extra_start, row + sizeof(int32_t)},
                {matrix->diagonal, row},
                {matrix->column, capacity * sizeof *matrix->column},
                {matrix->value, 9 * capacity * sizeof *matrix->value}};
  WeftResult result = WEFT_RESULT_OK;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !result; i++) {
    result = weft_device_share(device, arrays[i].array, arrays[i].bytes, WEFT_MEMORY_MATRIX, error);
  }
  if (!result) matrix->device = device;
  return result;
}

WeftResult weft_bcsr_set_extra(WeftBcsr *matrix, WeftElements *const *sets, int set_count, WeftError *error) {
  int rows = matrix->row_count;
  matrix->pattern++;
  weft_device_forget(matrix->device, matrix->column); /* they may move */
  weft_device_forget(matrix->device, matrix->value);
  if (set_count == 0) {
    matrix->block_count = matrix->base_start[rows];
    for (int row = 0; row <= rows; row++) matrix->extra_start[row] = matrix->block_count;
    return weft_bcsr_share(matrix, matrix->device, error);
  }
  Draft draft = {0};
  WeftResult result = build_extra(matrix, &draft, sets, set_count, error);
  free_draft(&draft);
  WeftResult shared = weft_bcsr_share(matrix, matrix->device, result ? NULL : error);
  return result ? result : shared;
}

/* Room for so many blocks on host and device; the base part's columns stay. */
static WeftResult make_room(WeftBcsr *matrix, int block_count, WeftError *error) {
  if ((size_t)block_count + 1 <= matrix->block_capacity) return WEFT_RESULT_OK;
  weft_device_forget(matrix->device, matrix->column); /* they may move */
  weft_device_forget(matrix->device, matrix->value);
  WeftResult result = reserve(matrix, block_count + block_count / 4, error);
  size_t capacity = matrix->block_capacity;
  WeftResult shared = weft_device_share(matrix->device, matrix->column, capacity * sizeof *matrix->column,
                                        WEFT_MEMORY_MATRIX, result ? NULL : error);
  if (!shared) {
    shared = weft_device_share(matrix->device, matrix->value, 9 * capacity * sizeof *matrix->value,
                               WEFT_MEMORY_MATRIX, result ? NULL : error);
  }
  return result ? result : shared;
}

WeftResult weft_bcsr_set_extra_rows(WeftBcsr *matrix, WeftPrimitives *primitives, const int32_t *start,
                                    int32_t *entry, WeftError *error) {
  int rows = matrix->row_count, base = matrix->base_start[rows];
  LAUNCH(matrix->device, bcsr_sort_unique, rows, start, entry, matrix->base_start, matrix->column,
         matrix->extra_start);
  int extra = weft_scan(primitives, rows, matrix->extra_start, matrix->extra_start);
  WeftResult result = weft_device_check(matrix->device, error);
  if (result) return result;
  if (extra > INT32_MAX / 9 - base) {
    return weft_fail(error, WEFT_RESULT_INVALID_DATA, "contacts need %d more blocks of the matrix, too many",
                     extra);
  }
  result = make_room(matrix, base + extra, error);
  if (result) return result;
  matrix->pattern += extra > 0 || matrix->block_count > base;
  matrix->block_count = base + extra;
  LAUNCH(matrix->device, bcsr_shift_starts, rows + 1, rows, base, extra, matrix->extra_start);
  LAUNCH(matrix->device, bcsr_compact, rows, start, entry, matrix->extra_start, matrix->column);
  return WEFT_RESULT_OK;
}

WeftResult weft_bcsr_download_pattern(const WeftBcsr *matrix, WeftError *error) {
  size_t n = (size_t)matrix->row_count;
  bool is_here =
      weft_device_download(matrix->device, matrix->extra_start, (n + 1) * sizeof(int32_t)) &&
      weft_device_download(matrix->device, matrix->column, (size_t)matrix->block_count * sizeof(int32_t));
  return is_here ? WEFT_RESULT_OK : weft_device_check(matrix->device, error);
}

int weft_bcsr_slot(const WeftBcsr *matrix, int row, int column) {
  int slot = bcsr_find(matrix->column, matrix->base_start[row], matrix->base_start[row + 1], column);
  if (slot >= 0) return slot;
  return bcsr_find(matrix->column, matrix->extra_start[row], matrix->extra_start[row + 1], column);
}

void weft_bcsr_set_mass(WeftBcsr *matrix, const double *mass, double scale) {
  /* one block more: its first number is read and thrown away */
  LAUNCH(matrix->device, bcsr_zero, matrix->block_count + 1, 0, matrix->value);
  LAUNCH(matrix->device, bcsr_add_mass, matrix->row_count, matrix->diagonal, mass, scale, matrix->value);
}

size_t weft_bcsr_kept_bytes(const WeftBcsr *matrix) {
  return 9 * (size_t)matrix->base_start[matrix->row_count] * sizeof *matrix->value;
}

void weft_bcsr_keep(const WeftBcsr *matrix, double *kept) {
  weft_device_copy(matrix->device, kept, matrix->value, weft_bcsr_kept_bytes(matrix));
}

void weft_bcsr_recall(WeftBcsr *matrix, const double *kept) {
  int base = matrix->base_start[matrix->row_count];
  weft_device_copy(matrix->device, matrix->value, kept, weft_bcsr_kept_bytes(matrix));
  LAUNCH(matrix->device, bcsr_zero, matrix->block_count + 1 - base, base, matrix->value);
}

void weft_bcsr_multiply(const WeftBcsr *matrix, const double *x, double *y) {
  LAUNCH(matrix->device, bcsr_multiply, matrix->row_count, matrix->base_start, matrix->extra_start,
         matrix->column, matrix->value, x, y);
}
