/* ArcSim material files: {"density", "stretching" 6 x 4, "bending" 3 x 5, "damping"}, with // comments.
 *
 * The tables [Wang11] go into the material as they are, for the methods named "measured"; the factor 2 with
 * which ArcSim multiplies the interpolated stretching stiffness belongs to that method and is not applied to
 * the tables. For the other methods the material gets the stiffness that the tables mean near zero strain and
 * curvature:
 *
 *   stretch_warp = 2 c11, stretch_weft = 2 c22   S = 2 c G, and G is the strain for small strains
 *   shear        = c33                           W = 2 c33 G12^2 = 1/2 c33 (w_u . w_v)^2, since G12 = w_u .
 * w_v / 2 bend_warp    = k_e(90 degrees) / 4           the warp bends when the fold runs across it, along the
 * weft bend_weft    = k_e(0 degrees) / 4            moment per width = k_e kappa / 4
 *
 * all from the first row or column, negative entries as 0. "damping" multiplies the stiffness in ArcSim too
 * [s]: it becomes stretch_damping and bend_damping. Everything else is weft_default_material()'s. The files
 * themselves are not ours to give away: only the reader is here. */
#include "material/material.h"

#include <weft/weft.h>

#include <string.h>

typedef struct ArcsimMaterial {
  double density, damping;
  double stretching[6][4], bending[3][5];
} ArcsimMaterial;

static WeftResult read_stretching(WeftReader *r, int32_t node, void *value) {
  return weft_material_read_rows(r, node, 6, 4, (WeftRange)WEFT_ANY, value);
}

static WeftResult read_bending(WeftReader *r, int32_t node, void *value) {
  return weft_material_read_rows(r, node, 3, 5, (WeftRange)WEFT_FROM_ZERO, value);
}

static const WeftField fields[] = {
    {.key = "density",
     .type = WEFT_FIELD_NUMBER,
     .is_required = true,
     .offset = offsetof(ArcsimMaterial, density),
     .range = WEFT_ABOVE_ZERO},
    {.key = "stretching",
     .type = WEFT_FIELD_CUSTOM,
     .is_required = true,
     .offset = offsetof(ArcsimMaterial, stretching),
     .read = read_stretching},
    {.key = "bending",
     .type = WEFT_FIELD_CUSTOM,
     .is_required = true,
     .offset = offsetof(ArcsimMaterial, bending),
     .read = read_bending},
    {.key = "damping",
     .type = WEFT_FIELD_NUMBER,
     .offset = offsetof(ArcsimMaterial, damping),
     .range = WEFT_FROM_ZERO},
};
const WeftTable weft_arcsim_table = WEFT_TABLE("arcsim_material", fields);

bool weft_material_is_arcsim(const WeftJson *json) {
  return weft_json_type(json, json->root) == WEFT_JSON_OBJECT &&
         (weft_json_member(json, json->root, "stretching", 10) >= 0 ||
          weft_json_member(json, json->root, "bending", 7) >= 0);
}

static double positive_part(double value) { return value > 0 ? value : 0; }

WeftResult weft_material_read_arcsim(WeftReader *r, WeftMaterial *material) {
  ArcsimMaterial read = {.damping = -1};
  WeftResult result = weft_read_object(r, r->json->root, &weft_arcsim_table, &read);
  if (result) return result;
  material->density = read.density;
  material->has_measured_stretch = material->has_measured_bend = true;
  memcpy(material->measured_stretch, read.stretching, sizeof read.stretching);
  memcpy(material->measured_bend, read.bending, sizeof read.bending);
  material->stretch_warp = 2 * positive_part(read.stretching[0][0]);
  material->stretch_weft = 2 * positive_part(read.stretching[0][2]);
  material->shear = positive_part(read.stretching[0][3]);
  material->bend_warp = read.bending[2][0] / 4;
  material->bend_weft = read.bending[0][0] / 4;
  if (read.damping >= 0) material->stretch_damping = material->bend_damping = read.damping;
  return WEFT_RESULT_OK;
}
