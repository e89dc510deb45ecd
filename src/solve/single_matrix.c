#include "solve/single_matrix.h"

#include "device/launch.h"
#include "device/shared.h"
#include "solve/single_matrix.kernel.h"

#include <string.h>

void weft_single_matrix_create(WeftSingleMatrix *single, WeftDevice *device) {
  *single = (WeftSingleMatrix){.device = device};
}

void weft_single_matrix_destroy(WeftSingleMatrix *single) {
  void **arrays[] = {(void **)&single->row_start, (void **)&single->column, (void **)&single->value};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) weft_shared_free(single->device, arrays[i]);
  memset(single, 0, sizeof *single);
}

WeftResult weft_single_matrix_reserve(WeftSingleMatrix *single, int row_count, int block_count,
                                      WeftError *error) {
  size_t n = (size_t)row_count, blocks = (size_t)block_count;
  const struct {
    void **array;
    size_t needed, size;
  } arrays[] = {{(void **)&single->row_start, 3 * n, sizeof(int32_t)},
                {(void **)&single->column, blocks, sizeof(int32_t)},
                {(void **)&single->value, 9 * blocks + 3, sizeof(float)}};
  WeftResult result = WEFT_RESULT_OK;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !result; i++) {
    result = weft_shared_grow(single->device, arrays[i].array, &single->capacity[i], arrays[i].needed,
                              arrays[i].size, WEFT_MEMORY_SOLVER, "solver", error);
  }
  return result;
}

void weft_single_matrix_make(WeftSingleMatrix *single, const WeftDomains *domains, const WeftBcsr *a) {
  LAUNCH(single->device, single_matrix_place, 1, a->row_count, domains->order, a->base_start, a->extra_start,
         single->row_start);
  LAUNCH(single->device, single_matrix_make, domains->count, domains->start, domains->order, domains->of_row,
         a->base_start, a->extra_start, a->column, a->value, single->row_start, single->column,
         single->value);
}

void weft_single_matrix_multiply(const WeftSingleMatrix *single, const WeftDomains *domains,
                                 const uint8_t *held, const float *p, float *q, double *partial) {
  LAUNCH(single->device, single_matrix_multiply, domains->count, domains->start, domains->order,
         single->row_start, single->column, single->value, held, p, q, partial);
}
