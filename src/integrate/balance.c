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
 * step along d. The error in the energy norm never grows. Cost: one product with the matrix, two with contact
 * between cloths, and nothing for cloth that is held.
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

/* What is left of a cloth's momentum along the axes on which nothing holds it, and its mass. */
typedef struct Rest {
  double sum[3], mass;
  int held;
} Rest;

static Rest rest_of(WeftStep *step, const WeftModelCloth *cloth, const double *r) {
  Rest rest = {.held = held_axes(step, cloth)};
  int count = cloth->vertex_count, items = weft_row_items(count);
  const int32_t *internal = step->model->internal_of_user;
  if (rest.held == WEFT_AXIS_ALL) return rest;
  LAUNCH(step->device, balance_sum, items, WEFT_ROWS_PER_ITEM, count, cloth->first_vertex, internal, r,
         step->sums);
  if (!weft_device_download(step->device, step->sums, 3 * (size_t)items * sizeof(double))) return rest;
  for (int i = 0; i < 3 * items; i++) rest.sum[i % 3] += step->sums[i];
  for (int i = 0; i < count; i++) rest.mass += step->model->mass[internal[cloth->first_vertex + i]];
  return rest;
}

/* d on one cloth; true when it is not zero. */
static bool carry(WeftStep *step, const WeftModelCloth *cloth, const Rest *rest, double *d) {
  double by[3];
  bool is_moved = false;
  for (int k = 0; k < 3; k++) {
    by[k] = (rest->held >> k) & 1 || rest->mass == 0 ? 0 : rest->sum[k] / rest->mass;
    is_moved = is_moved || by[k] != 0;
  }
  if (is_moved) {
    LAUNCH(step->device, balance_carry, cloth->vertex_count, cloth->first_vertex,
           step->model->internal_of_user, step->model->mass, by[0], by[1], by[2], d);
  }
  return is_moved;
}

/* One step of the solver along d; r follows. */
static void advance_along(WeftStep *step, double *d, double *solution) {
  int n = step->model->vertex_count;
  double *r = step->pcg.r, *q = step->pcg.q;
  weft_bcsr_multiply(&step->matrix, d, q);
  double work = weft_vector_dot_free(step->device, n, step->state->held, d, r, step->partial);
  double stiffness = weft_vector_dot_free(step->device, n, step->state->held, d, q, step->partial);
  if (!(stiffness > 0)) return;
  weft_vector_axpy(step->device, 3 * n, solution, work / stiffness, d, solution);
  weft_vector_axpy(step->device, 3 * n, r, -work / stiffness, q, r);
}

void weft_step_balance(WeftStep *step, double *solution) {
  size_t bytes = 3 * (size_t)step->model->vertex_count * sizeof(double);
  int cloths = step->model->cloth_count;
  double *d = step->pcg.p;
  /* each cloth for itself; cloths that touch hold each other, so then all of them together */
  for (int together = 0; together < (cloths > 1 && step->has_contacts ? 2 : 1); together++) {
    bool is_moved = false;
    Rest all = {0};
    weft_device_zero(step->device, d, bytes);
    for (int c = 0; c < cloths; c++) {
      Rest rest = rest_of(step, &step->model->cloths[c], step->pcg.r);
      if (!together && carry(step, &step->model->cloths[c], &rest, d)) is_moved = true;
      for (int k = 0; k < 3; k++) all.sum[k] += rest.sum[k];
      all.mass += rest.mass;
      all.held |= rest.held;
    }
    for (int c = 0; together && c < cloths; c++) {
      if (carry(step, &step->model->cloths[c], &all, d)) is_moved = true;
    }
    if (is_moved) advance_along(step, d, solution);
  }
}
