/* Bending by dihedral angles [Wong14 sec. 3.1.2, eq. 3.9]:
 *
 *   E = B/2 l^2 (angle - rest)^2 / (A_1 + A_2), lengths and areas of the rest shape
 *
 * which is Bridson's and ArcSim's form with k_e = 4 B [Bridson03]: on folds parallel to the bending axis B is
 * the plate's stiffness. B is the warp's for a fold along the weft and the other way round, mixed by the
 * squares of sine and cosine in between.
 *
 * Differs: the angle comes from an arctangent and so is good to half a turn; the source's arcsine to a
 * quarter.
 */
#include "force/bend_dihedral.kernel.h"

#include "device/launch.h"
#include "force/forces.h"
#include "force/select.h"

typedef struct Dihedral {
  WeftForce force;
  double *rest_angle; /* count [rad] */
  double *stiffness;  /* count, k [N m] */
  double *damping;    /* count [N m s] */
  double *curvature;  /* count, K per angle [1/m] */
  double *moment;     /* count, M per angle [N] */
} Dihedral;

static WeftResult create(const WeftModel *model, WeftForce **force, WeftError *error) {
  WeftResult result = weft_force_select(model, &weft_force_bend_dihedral, WEFT_KIND_HINGE,
                                        weft_force_is_named, sizeof(Dihedral), force, error);
  if (!*force) return result;
  Dihedral *self = (Dihedral *)*force;
  int count = self->force.elements.count;
  self->rest_angle = WEFT_FORCE_NEW(&self->force, double, count);
  self->stiffness = WEFT_FORCE_NEW(&self->force, double, count);
  self->damping = WEFT_FORCE_NEW(&self->force, double, count);
  self->curvature = WEFT_FORCE_NEW(&self->force, double, count);
  self->moment = WEFT_FORCE_NEW(&self->force, double, count);
  if (!self->rest_angle || !self->stiffness || !self->damping || !self->curvature || !self->moment) {
    weft_force_free(*force);
    *force = NULL;
    return weft_fail_memory(error, "the bending force");
  }
  for (int e = 0; e < count; e++) {
    int hinge = self->force.source[e];
    const WeftMaterial *material = &model->cloths[weft_force_cloth(model, WEFT_KIND_HINGE, hinge)].material;
    double l = model->hinge_rest_length[hinge], area = model->hinge_rest_area[hinge];
    double bend = weft_force_bend_stiffness(model, hinge);
    self->rest_angle[e] = model->hinge_rest_angle[hinge];
    self->stiffness[e] = bend * l * l / area;
    self->damping[e] = material->bend_damping * self->stiffness[e];
    self->curvature[e] = l / area;
    self->moment[e] = bend * l / area;
  }
  return WEFT_RESULT_OK;
}

static void add(const WeftForce *force, const WeftForceRequest *request) {
  const Dihedral *self = (const Dihedral *)force;
  LAUNCH(request->device, bend_dihedral_add, ELEMENT_ARGUMENTS(force, request), self->rest_angle,
         self->stiffness, self->damping);
}

static void energies(const WeftForce *force, const double *x, double *energy) {
  const Dihedral *self = (const Dihedral *)force;
  bend_dihedral_energies(force->elements.count, force->elements.vertices, x, self->rest_angle,
                         self->stiffness, energy);
}

static void moments(const WeftForce *force, const double *x, double *values) {
  const Dihedral *self = (const Dihedral *)force;
  bend_dihedral_moments(force->elements.count, force->elements.vertices, x, self->rest_angle, self->curvature,
                        self->moment, values);
}

const WeftForceOps weft_force_bend_dihedral = {
    .family = "bend",
    .name = "dihedral",
    .citation = "Wong14, Bridson03",
    .summary = "angle between two triangles, rest angles, warp and weft stiffness",
    .create = create,
    .destroy = weft_force_free,
    .add = add,
    .energies = energies,
    .moments = moments,
};
