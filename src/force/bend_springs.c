/* A spring between the two vertices opposite a hinge's edge [Wong14 sec. 3.1.2]: eq. 3.1 with that distance.
 *
 * A straight spring cannot be given the stiffness B of a hinge. With heights h_1, h_2 over the edge, apexes
 * shifted by s along it and fold angle t its length is L(t) = sqrt(s^2 + h_1^2 + h_2^2 + 2 h_1 h_2 cos t),
 * which at flat rest changes with t^2 only: the energy is of fourth order and there is no resistance to a
 * small bend at all, the inaccuracy at small curvatures that [Wong14 sec. 4.2] names. So the spring is
 * matched to the hinge's energy B l^2 t^2 / (2 (A_1+A_2)) at one curvature, 100 1/m (a fold of 1 cm radius;
 * the angle it makes on this mesh is 100 (A_1 + A_2)/l, at most a right angle):
 *
 *   k (L(t_0 + t) - L(t_0))^2 = B l^2 t^2 / (A_1 + A_2)
 *
 * Matching at a curvature and not at an angle makes the stiffness at every curvature K independent of the
 * mesh: it is B (K / 100)^2 at flat rest while K h is small. The price is that the spring also resists
 * stretch, by k ~ B / (h^4 100^2): on fine meshes of stiff cloth take "dihedral".
 */
#include "force/forces.h"
#include "force/springs.h"

#include <math.h>

#define MATCHED_CURVATURE 100.0
static const double right_angle = 1.57079632679489661923;

/* Foot (distance from a along the edge) and height of the corner opposite the hinge's edge, in the rest
 * shape. */
static void apex_of(const WeftModel *model, int hinge, int side, double *foot, double *height) {
  const int32_t *vertices = model->hinges + 4 * (size_t)hinge;
  int triangle = model->edge_triangles[2 * (size_t)model->hinge_edge[hinge] + (size_t)side];
  const int32_t *corners = model->triangles + 3 * (size_t)triangle;
  const double *uv = model->rest_uv + 6 * (size_t)triangle;
  int a = 0, b = 0;
  for (int i = 0; i < 3; i++) {
    if (corners[i] == vertices[0]) a = i;
    if (corners[i] == vertices[1]) b = i;
  }
  int c = 3 - a - b;
  double eu = uv[2 * b] - uv[2 * a], ev = uv[2 * b + 1] - uv[2 * a + 1];
  double cu = uv[2 * c] - uv[2 * a], cv = uv[2 * c + 1] - uv[2 * a + 1];
  double length = sqrt(eu * eu + ev * ev);
  *foot = (eu * cu + ev * cv) / length;
  *height = fabs(eu * cv - ev * cu) / length;
}

static WeftSpring spring_of(const WeftModel *model, int hinge) {
  double foot[2], height[2];
  for (int side = 0; side < 2; side++) apex_of(model, hinge, side, &foot[side], &height[side]);
  double fixed = (foot[0] - foot[1]) * (foot[0] - foot[1]) + height[0] * height[0] + height[1] * height[1];
  double swing = 2 * height[0] * height[1];
  double rest = fabs(model->hinge_rest_angle[hinge]);
  double l = model->hinge_rest_length[hinge], area = model->hinge_rest_area[hinge];
  double angle = fmin(MATCHED_CURVATURE * area / l, right_angle);
  /* towards flat from a sharp rest angle, so that the fold stays within half a turn and the length changes
   * one way */
  double bent = rest > right_angle ? rest - angle : rest + angle;
  /* rounding may take the root of a closed hinge's length just below zero */
  double rest_length = sqrt(fmax(fixed + swing * cos(rest), 0));
  double change = sqrt(fmax(fixed + swing * cos(bent), 0)) - rest_length;
  double energy = weft_force_bend_stiffness(model, hinge) * l * l * angle * angle / area;
  WeftSpring spring = {.rest_length = rest_length, .stiffness = energy / (change * change)};
  int cloth = weft_force_cloth(model, WEFT_KIND_HINGE, hinge);
  spring.damping = model->cloths[cloth].material.bend_damping * spring.stiffness;
  return spring;
}

static WeftResult create(const WeftModel *model, WeftForce **force, WeftError *error) {
  return weft_springs_create(model, &weft_force_bend_springs, WEFT_KIND_HINGE_ENDS, spring_of, force, error);
}

const WeftForceOps weft_force_bend_springs = {
    .family = "bend",
    .name = "springs",
    .citation = "Wong14",
    .summary = "a spring between the vertices opposite each hinge; weak at small bends",
    .create = create,
    .destroy = weft_force_free,
    .add = weft_springs_add,
    .energies = weft_springs_energies,
};
