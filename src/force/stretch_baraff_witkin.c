/* Stretch and shear after Baraff and Witkin; the mathematics is in the kernel. */
#include "force/stretch_baraff_witkin.kernel.h"

#include "device/launch.h"
#include "force/forces.h"
#include "force/select.h"

typedef struct BaraffWitkin {
  WeftForce force;
  double *shape;  /* count x 4 [1/m] */
  double *area;   /* count, rest [m^2] */
  int32_t *cloth; /* count */
  double *values; /* cloth_count x BW_VALUES */
} BaraffWitkin;

static WeftResult create(const WeftModel *model, WeftForce **force, WeftError *error) {
  WeftResult result = weft_force_select(model, &weft_force_stretch_baraff_witkin, WEFT_KIND_TRIANGLE,
                                        weft_force_is_named, sizeof(BaraffWitkin), force, error);
  if (!*force) return result;
  BaraffWitkin *self = (BaraffWitkin *)*force;
  int count = self->force.elements.count;
  self->shape = WEFT_FORCE_NEW(&self->force, double, 4 * (size_t)count);
  self->area = WEFT_FORCE_NEW(&self->force, double, count);
  self->cloth = WEFT_FORCE_NEW(&self->force, int32_t, count);
  self->values = WEFT_FORCE_NEW(&self->force, double, BW_VALUES *(size_t)model->cloth_count);
  if (!self->shape || !self->area || !self->cloth || !self->values) {
    weft_force_free(*force);
    *force = NULL;
    return weft_fail_memory(error, "the stretch force");
  }
  for (int e = 0; e < count; e++) {
    int triangle = self->force.source[e];
    weft_force_triangle_shape(model, triangle, self->shape + 4 * (size_t)e);
    self->area[e] = model->rest_area[triangle];
    self->cloth[e] = model->triangle_cloth[triangle];
  }
  for (int c = 0; c < model->cloth_count; c++) {
    const WeftMaterial *material = &model->cloths[c].material;
    double *k = self->values + BW_VALUES * (size_t)c;
    k[0] = material->stretch_warp;
    k[1] = material->stretch_weft;
    k[2] = material->shear;
    for (int i = 0; i < 3; i++) k[3 + i] = material->stretch_damping * k[i];
  }
  return WEFT_RESULT_OK;
}

static void add(const WeftForce *force, const WeftForceRequest *request) {
  const BaraffWitkin *self = (const BaraffWitkin *)force;
  LAUNCH(request->device, stretch_baraff_witkin_add, ELEMENT_ARGUMENTS(force, request), self->shape,
         self->area, self->cloth, self->values);
}

static void energies(const WeftForce *force, const double *x, double *energy) {
  const BaraffWitkin *self = (const BaraffWitkin *)force;
  stretch_baraff_witkin_energies(force->elements.count, force->elements.vertices, x, self->shape, self->area,
                                 self->cloth, self->values, energy);
}

const WeftForceOps weft_force_stretch_baraff_witkin = {
    .family = "stretch",
    .name = "baraff_witkin",
    .citation = "BaraffWitkin98, Wong14",
    .summary = "warp, weft and shear conditions per triangle, energy weighted by area",
    .create = create,
    .destroy = weft_force_free,
    .add = add,
    .energies = energies,
};
