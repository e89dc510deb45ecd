/* Wind and drag on every triangle of a cloth that has drag; the mathematics is in the kernel. */
#include "force/air_wind.kernel.h"

#include "device/launch.h"
#include "force/forces.h"
#include "force/select.h"

enum { WIND_VALUES = 14 };

typedef struct AirWind {
  WeftForce force;
  int32_t *cloth; /* count */
  double *drag;   /* cloth_count x 2: normal [-], tangential [N s/m^3] */
  double *wind;   /* WIND_VALUES, of the moment */
} AirWind;

static bool has_drag(const WeftForceOps *ops, const WeftModelCloth *cloth) {
  (void)ops;
  return cloth->material.drag_normal > 0 || cloth->material.drag_tangential > 0;
}

static WeftResult create(const WeftModel *model, WeftForce **force, WeftError *error) {
  WeftResult result = weft_force_select(model, &weft_force_air_wind, WEFT_KIND_TRIANGLE, has_drag,
                                        sizeof(AirWind), force, error);
  if (!*force) return result;
  AirWind *self = (AirWind *)*force;
  int count = self->force.elements.count;
  self->cloth = WEFT_FORCE_NEW(&self->force, int32_t, count);
  self->drag = WEFT_FORCE_NEW(&self->force, double, 2 * (size_t)model->cloth_count);
  self->wind = weft_force_array(&self->force, WEFT_MEMORY_SMALL, WIND_VALUES, sizeof(double));
  if (!self->cloth || !self->drag || !self->wind) {
    weft_force_free(*force);
    *force = NULL;
    return weft_fail_memory(error, "the air's force");
  }
  for (int e = 0; e < count; e++) self->cloth[e] = model->triangle_cloth[self->force.source[e]];
  for (int c = 0; c < model->cloth_count; c++) {
    self->drag[2 * (size_t)c] = model->cloths[c].material.drag_normal;
    self->drag[2 * (size_t)c + 1] = model->cloths[c].material.drag_tangential;
  }
  return WEFT_RESULT_OK;
}

/* The direction the gust travels: the wind's; without wind the gust's own; x when there is neither. */
static Vec3 gust_direction(const WeftWind *wind) {
  Vec3 velocity = load3(wind->velocity, 0), gust = load3(wind->gust_amplitude, 0);
  if (v3_length(velocity) > 0) return v3_scale(1 / v3_length(velocity), velocity);
  if (v3_length(gust) > 0) return v3_scale(1 / v3_length(gust), gust);
  return vec3(1, 0, 0);
}

/* A direction across: level where that is possible. */
static Vec3 level_across(Vec3 along) {
  Vec3 across = v3_cross(vec3(0, 0, 1), along);
  REAL length = v3_length(across);
  return length > 1e-3 ? v3_scale(1 / length, across) : vec3(0, 1, 0);
}

static void add(const WeftForce *force, const WeftForceRequest *request) {
  const AirWind *self = (const AirWind *)force;
  const WeftWind *wind = request->wind;
  if (!wind || !(wind->air_density > 0)) return;
  double *values = self->wind; /* the pointer is constant, not what it points to */
  Vec3 along = gust_direction(wind);
  REAL per_metre = wind->gust_length > 0 ? 1 / wind->gust_length : 0;
  store3(values, 0, load3(wind->velocity, 0));
  store3(values, 1, load3(wind->gust_amplitude, 0));
  store3(values, 2, v3_scale(per_metre, along));
  store3(values, 3, v3_scale(per_metre, level_across(along)));
  values[12] = wind->gust_frequency * request->time;
  values[13] = wind->air_density;
  weft_device_upload(request->device, values, WIND_VALUES * sizeof *values);
  LAUNCH(request->device, air_wind_add, ELEMENT_ARGUMENTS(force, request), values, self->cloth, self->drag);
}

const WeftForceOps weft_force_air_wind = {
    .family = "air",
    .name = "wind",
    .citation = "Narain12",
    .summary = "drag along and across every triangle against a wind with gusts",
    .create = create,
    .destroy = weft_force_free,
    .add = add,
};
