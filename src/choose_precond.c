/* The rule of "auto", from the measurements in docs/preconditioners.md.
 *
 * Block IC needs about a third of block Jacobi's iterations, each about twice as long, and its factorisation
 * takes as long as some ten iterations. So it wins where block Jacobi needs many. How many these are follows
 * from how stiff the cloth is beside its mass: s is the mean over vertices of h^2 K_ii / m_i, the part of the
 * diagonal that is not mass, and the number of iterations goes with sqrt(s) ln(2 / tolerance), as the bound
 * for conjugate gradients does with the condition number. K_ii is that of the rest shape, an estimate:
 *
 *   triangle   k e^2 / (4 A)         e: edge opposite the vertex, k: the larger of warp's and weft's
 * stiffness hinge      3 B L^4 / a^3         at its two outer vertices; L: edge, a: area of both triangles
 *   link       its stiffness
 */
#include "choose_precond.h"

#include <math.h>
#include <string.h>

/* Measured: iterations over sqrt(s) ln(2 / tolerance), 0.36 to 0.43 on soft to medium sheets. */
static const double FACTOR = 0.4;
/* Block IC from so many expected iterations of block Jacobi on. */
static const double ENOUGH = 60;
/* A coarse picture of the cloths beside it from so many vertices on. */
enum { LARGE = 16384 };

static double stretch_stiffness(const WeftModelCloth *cloth) {
  const WeftMaterial *m = &cloth->material;
  if (!strcmp(cloth->stretch, "measured")) return fmax(m->measured_stretch[0][0], m->measured_stretch[0][2]);
  return fmax(m->stretch_warp, m->stretch_weft);
}

static double bend_stiffness(const WeftModelCloth *cloth) {
  const WeftMaterial *m = &cloth->material;
  if (!strcmp(cloth->bend, "measured")) return fmax(m->measured_bend[0][0], m->measured_bend[2][0]);
  return fmax(m->bend_warp, m->bend_weft);
}

/* Sum over the vertices of K_ii / m_i [1/s^2]; a vertex without mass is held. */
static double add_triangles(const WeftModel *model) {
  double sum = 0;
  for (int t = 0; t < model->triangle_count; t++) {
    const double *uv = model->rest_uv + 6 * (size_t)t;
    double k = stretch_stiffness(&model->cloths[model->triangle_cloth[t]]);
    for (int i = 0; i < 3; i++) {
      const double *a = uv + 2 * ((i + 1) % 3), *b = uv + 2 * ((i + 2) % 3);
      double edge2 = (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]);
      sum += k * edge2 / (4 * model->rest_area[t]) / model->mass[model->triangles[3 * t + i]];
    }
  }
  return sum;
}

static double add_hinges(const WeftModel *model) {
  double sum = 0;
  for (int h = 0; h < model->hinge_count; h++) {
    double length2 = model->hinge_rest_length[h] * model->hinge_rest_length[h];
    double area = model->hinge_rest_area[h];
    double b = bend_stiffness(&model->cloths[model->edge_cloth[model->hinge_edge[h]]]);
    for (int i = 2; i < 4; i++)
      sum += 3 * b * length2 * length2 / (area * area * area) / model->mass[model->hinges[4 * h + i]];
  }
  return sum;
}

static double add_links(const WeftModel *model) {
  double sum = 0;
  for (int i = 0; i < model->link_count; i++) {
    const WeftLink *link = &model->links[i];
    double a = model->mass[link->a], b = model->mass[link->b];
    sum += link->stiffness * ((a > 0 ? 1 / a : 0) + (b > 0 ? 1 / b : 0));
  }
  return sum;
}

double weft_expected_iterations(const WeftModel *model, const WeftWorldDef *def) {
  double h = def->time_step;
  double s = h * h * (add_triangles(model) + add_hinges(model) + add_links(model)) / model->vertex_count;
  return FACTOR * sqrt(s) * log(2 / def->solver_tolerance);
}

const WeftPrecondOps *weft_choose_precond(const WeftModel *model, const WeftWorldDef *def, bool is_gpu) {
  /* one work item for so many vertices leaves a GPU idle */
  if (is_gpu || weft_expected_iterations(model, def) < ENOUGH) return &weft_precond_block_jacobi;
  return model->vertex_count < LARGE ? &weft_precond_block_ic : &weft_precond_two_level;
}

/* A complete factor is better than block IC from so many expected iterations of block Jacobi on, as long as
 * without contacts it takes no more multiplications a block of the matrix than this: one takes as long as
 * about two iterations with block IC, of which a fifth as many are expected. Contacts may fill it up to
 * WEFT_FILL_WORTH: the ribbons of the exam's knot take 4 by
 * themselves, and 16 when it is tight. */
static const double MANY = 200, HARDLY_FILLED = 15;

WeftResult weft_choose_factor(const WeftModel *model, const WeftWorldDef *def, const WeftBcsr *matrix,
                              const WeftPrecondOps **precond, WeftError *error) {
  WeftFill fill;
  bool is_factored = *precond == &weft_precond_block_ic || *precond == &weft_precond_two_level;
  if (!is_factored || weft_expected_iterations(model, def) < MANY) return WEFT_RESULT_OK;
  weft_fill_create(&fill, NULL);
  WeftResult result = weft_fill_find(&fill, matrix, HARDLY_FILLED, error);
  if (!result && fill.is_there) *precond = &weft_precond_block_cholesky;
  weft_fill_destroy(&fill);
  return result;
}
