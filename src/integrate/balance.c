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

#include "integrate/vector.h"

#include <string.h>

/* d on one cloth; true when it is not zero. */
static bool carry_cloth(const WeftStep *step, const WeftModelCloth *cloth, const double *r, double *d) {
  const int32_t *vertex = step->model->internal_of_user + cloth->first_vertex;
  const double *mass = step->model->mass;
  double sum[3] = {0}, total = 0;
  int held = 0;
  for (int i = 0; i < cloth->vertex_count && held != WEFT_AXIS_ALL; i++) {
    if (mass[vertex[i]] > 0) held |= step->state->held[vertex[i]]; /* without mass it is in no triangle */
  }
  if (held == WEFT_AXIS_ALL) return false;
  for (int i = 0; i < cloth->vertex_count; i++) {
    total += mass[vertex[i]];
    for (int k = 0; k < 3; k++) sum[k] += r[3 * (size_t)vertex[i] + (size_t)k];
  }
  bool is_moved = false;
  for (int k = 0; k < 3; k++) {
    if ((held >> k) & 1 || sum[k] == 0) continue;
    is_moved = true;
    for (int i = 0; i < cloth->vertex_count; i++) {
      if (mass[vertex[i]] > 0) d[3 * (size_t)vertex[i] + (size_t)k] = sum[k] / total;
    }
  }
  return is_moved;
}

void weft_step_balance(WeftStep *step, double *solution) {
  int n = step->model->vertex_count;
  const double *r = step->pcg.r;
  double *d = step->pcg.p, *q = step->pcg.q;
  bool is_moved = false;
  memset(d, 0, 3 * (size_t)n * sizeof *d);
  for (int c = 0; c < step->model->cloth_count; c++) {
    if (carry_cloth(step, &step->model->cloths[c], r, d)) is_moved = true;
  }
  if (!is_moved) return;
  weft_bcsr_multiply(&step->matrix, d, q);
  double work = weft_vector_dot_free(n, step->state->held, d, r, step->pcg.partial);
  double stiffness = weft_vector_dot_free(n, step->state->held, d, q, step->pcg.partial);
  if (stiffness > 0) weft_vector_axpy(3 * n, solution, work / stiffness, d, solution);
}
