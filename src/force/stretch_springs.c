/* Every edge a spring [Wong14 eq. 3.1, 3.2].
 *
 * Stiffness from the membrane's: k = K (A_1 + A_2) / l^2 with the areas of the triangles at the edge and its
 * rest length l [VanGelder98], so that an edge's energy is K/2 (A_1 + A_2) strain^2 whatever the size of the
 * mesh. On equilateral triangles this is a sheet with Young's modulus K [N/m] and Poisson's ratio 1/3; on a
 * grid of right-angled ones the sheet is 1.2 K stiff along the axes. K is the warp's and the weft's, mixed by
 * the squares of cosine and sine of the edge's angle with the warp. As in the source shear has no springs of
 * its own: edges aslant resist it.
 */
#include "force/forces.h"
#include "force/springs.h"

#include <math.h>

static WeftSpring spring_of(const WeftModel *model, int edge) {
  const WeftMaterial *material = &model->cloths[model->edge_cloth[edge]].material;
  double area = 0;
  for (int i = 0; i < 2; i++) {
    int triangle = model->edge_triangles[2 * (size_t)edge + (size_t)i];
    if (triangle >= 0) area += model->rest_area[triangle];
  }
  double along = cos(model->edge_angle[edge]), across = sin(model->edge_angle[edge]);
  double membrane = material->stretch_warp * along * along + material->stretch_weft * across * across;
  double length = model->edge_rest_length[edge];
  WeftSpring spring = {.rest_length = length, .stiffness = membrane * area / (length * length)};
  spring.damping = material->stretch_damping * spring.stiffness;
  return spring;
}

static WeftResult create(const WeftModel *model, WeftForce **force, WeftError *error) {
  return weft_springs_create(model, &weft_force_stretch_springs, WEFT_KIND_EDGE, spring_of, force, error);
}

const WeftForceOps weft_force_stretch_springs = {
    .family = "stretch",
    .name = "springs",
    .citation = "Wong14, VanGelder98",
    .summary = "a spring along every edge",
    .create = create,
    .destroy = weft_force_free,
    .add = weft_springs_add,
    .energies = weft_springs_energies,
};
