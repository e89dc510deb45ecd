/* Bending with a measured stiffness that depends on the fold's direction and on its curvature [Wang11], as
 * CAMA and ArcSim use it [Tang16 sec. 2]:
 *
 *   force = -k_e l^2 / (4 (A_1 + A_2)) angle grad(angle)
 *   moment per width M = k_e K / 4,  K = angle l / (A_1 + A_2)
 *
 * k_e is read from the material's 3 x 5 table: linear in the angle of the fold's axis with u (0, 45, 90
 * degrees, folded into that range by symmetry) and in |K|/2 (0, 5 ... 20 1/m, constant beyond); negative
 * results become zero. It is not differentiated, so the force has no exact potential: the energy given is
 * k_e l^2 / (8 (A_1 + A_2)) angle^2 at the present k_e, a measure.
 *
 * Differs: |K|, where ArcSim extrapolates for one sign of the bend; K and the force count from the rest
 * angle.
 */
#include "force/bend_measured.kernel.h"

#include "device/launch.h"
#include "force/forces.h"
#include "force/select.h"

typedef struct MeasuredBend {
  WeftForce force;
  double *values;  /* count x 3: rest angle [rad], K per angle [1/m], k per k_e [-] */
  double *samples; /* count x MEASURED_SAMPLES: k_e for the direction of the hinge [N m] */
  double *damping; /* count, per k [s] */
} MeasuredBend;

/* The row of the table for a fold at this angle with u, in [0, pi). */
static void interpolate_direction(const WeftMaterial *material, double angle, double *samples) {
  double at = angle * 4 / KERNEL_PI; /* in units of 45 degrees */
  if (at > 2) at = 4 - at;
  int row = at < 1 ? 0 : 1;
  double part = at - row;
  for (int i = 0; i < MEASURED_SAMPLES; i++) {
    double k_e = material->measured_bend[row][i] * (1 - part) + material->measured_bend[row + 1][i] * part;
    samples[i] = k_e > 0 ? k_e : 0;
  }
}

static WeftResult create(const WeftModel *model, WeftForce **force, WeftError *error) {
  WeftResult result = weft_force_select(model, &weft_force_bend_measured, WEFT_KIND_HINGE,
                                        weft_force_is_named, sizeof(MeasuredBend), force, error);
  if (!*force) return result;
  MeasuredBend *self = (MeasuredBend *)*force;
  int count = self->force.elements.count;
  self->values = WEFT_FORCE_NEW(&self->force, double, 3 * (size_t)count);
  self->samples = WEFT_FORCE_NEW(&self->force, double, MEASURED_SAMPLES *(size_t)count);
  self->damping = WEFT_FORCE_NEW(&self->force, double, count);
  if (!self->values || !self->samples || !self->damping) {
    weft_force_free(*force);
    *force = NULL;
    return weft_fail_memory(error, "the bending force");
  }
  for (int e = 0; e < count; e++) {
    int hinge = self->force.source[e];
    const WeftMaterial *material = &model->cloths[weft_force_cloth(model, WEFT_KIND_HINGE, hinge)].material;
    double l = model->hinge_rest_length[hinge], area = model->hinge_rest_area[hinge];
    double *values = self->values + 3 * (size_t)e;
    values[0] = model->hinge_rest_angle[hinge];
    values[1] = l / area;
    values[2] = l * l / (4 * area);
    interpolate_direction(material, model->edge_angle[model->hinge_edge[hinge]],
                          self->samples + MEASURED_SAMPLES * (size_t)e);
    self->damping[e] = material->bend_damping;
  }
  return WEFT_RESULT_OK;
}

static void add(const WeftForce *force, const WeftForceRequest *request) {
  const MeasuredBend *self = (const MeasuredBend *)force;
  LAUNCH(request->device, bend_measured_add, ELEMENT_ARGUMENTS(force, request), self->values, self->samples,
         self->damping);
}

static void energies(const WeftForce *force, const double *x, double *energy) {
  const MeasuredBend *self = (const MeasuredBend *)force;
  bend_measured_energies(force->elements.count, force->elements.vertices, x, self->values, self->samples,
                         energy);
}

static void moments(const WeftForce *force, const double *x, double *values) {
  const MeasuredBend *self = (const MeasuredBend *)force;
  bend_measured_moments(force->elements.count, force->elements.vertices, x, self->values, self->samples,
                        values);
}

const WeftForceOps weft_force_bend_measured = {
    .family = "bend",
    .name = "measured",
    .citation = "Wang11, Tang16",
    .summary = "dihedral bending with measured stiffness by direction and curvature",
    .needs_measured_bend = true,
    .create = create,
    .destroy = weft_force_free,
    .add = add,
    .energies = energies,
    .moments = moments,
};
