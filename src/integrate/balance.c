/* What the solver's tolerance leaves undone of a cloth's momentum.
 *
 * PCG stops at |r| <= tolerance |b|. In stiff cloth b is many times the momentum that comes of it, and so was
 * the change of the sum of m v in a step without outer forces: 50 times the tolerance on a sheet with its
 * vertices jittered by a fifth of a cell (tests/validation/test_v03_motion.c). The sum over a cloth's rows of
 * r is that change. It is taken out by one more step of the solver along d, the translation of every free
 * cloth that carries the sum:
 *
 *     d = (sum r) / (sum m) on the axes along which nothing holds the cloth,  x += (d.r / d.A d) d
 *
 * Inner forces do not feel a translation, A d = M d, so the sum is zero afterwards; with drag it is the best
 * step along d. The error in the energy norm never grows. Cost: one product with the matrix, and nothing for
 * cloth that is held.
 */
#include "integrate/balance.h"

#include "device/launch.h"
#include "integrate/balance.kernel.h"
#include "integrate/vector.h"

/* Axes along which something holds the cloth. held and mass are always the host's, too. */
static int held_axes(const WeftStep *step, const WeftModelCloth *cloth) {
  const int32_t *vertex = step->model->internal_of_user + cloth->first_vertex;
  int held = 0;
  for (int i = 0; i < cloth->vertex_count && held != WEFT_AXIS_ALL; i++) {
    if (step->model->mass[vertex[i]] > 0) held |= step->state->held[vertex[i]]; /* else in no triangle */
  }
  return held;
}

/* d on one cloth; true when it is not zero. */
static bool carry_cloth(WeftStep *step, const WeftModelCloth *cloth, const double *r, double *d) {
  int held = held_axes(step, cloth), count = cloth->vertex_count, items = weft_row_items(count);
  if (held == WEFT_AXIS_ALL) return false;
  const int32_t *internal = step->model->internal_of_user;
  LAUNCH(step->device, balance_sum, items, WEFT_ROWS_PER_ITEM, count, cloth->first_vertex, internal, r,
         step->sums);
  if (!weft_device_download(step->device, step->sums, 3 * (size_t)items * sizeof(double))) return false;
  double sum[3] = {0}, total = 0;
  for (int i = 0; i < 3 * items; i++) sum[i % 3] += step->sums[i];
  for (int i = 0; i < count; i++) total += step->model->mass[internal[cloth->first_vertex + i]];
  bool is_moved = false;
  for (int k = 0; k < 3; k++) {
    sum[k] = (held >> k) & 1 ? 0 : sum[k] / total;
    is_moved = is_moved || sum[k] != 0;
  }
  if (is_moved) {
    LAUNCH(step->device, balance_carry, count, cloth->first_vertex, internal, step->model->mass, sum[0],
           sum[1], sum[2], d);
  }
  return is_moved;
}

void weft_step_balance(WeftStep *step, double *solution) {
  int n = step->model->vertex_count;
  const double *r = step->pcg.r;
  double *d = step->pcg.p, *q = step->pcg.q;
  bool is_moved = false;
  weft_device_zero(step->device, d, 3 * (size_t)n * sizeof *d);
  for (int c = 0; c < step->model->cloth_count; c++) {
    if (carry_cloth(step, &step->model->cloths[c], r, d)) is_moved = true;
  }
  if (!is_moved) return;
  weft_bcsr_multiply(&step->matrix, d, q);
  double work = weft_vector_dot_free(step->device, n, step->state->held, d, r, step->partial);
  double stiffness = weft_vector_dot_free(step->device, n, step->state->held, d, q, step->partial);
  if (stiffness > 0) weft_vector_axpy(step->device, 3 * n, solution, work / stiffness, d, solution);
}
