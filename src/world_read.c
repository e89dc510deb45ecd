/* Reading a world back, in the order of the definitions. */
#include "base/memory.h"
#include "device/threads.h"
#include "force/force.h"
#include "mesh/normals.h"
#include "world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double weft_world_time(const WeftWorld *world) { return world ? world->state.time : 0; }

int64_t weft_world_step_count(const WeftWorld *world) { return world ? world->state.step : 0; }

int32_t weft_world_cloth_count(const WeftWorld *world) { return world ? world->cloth_count : 0; }

static const WeftClothInput *cloth_at(const WeftWorld *world, int32_t cloth) {
  return world && cloth >= 0 && cloth < world->cloth_count ? &world->cloths[cloth] : NULL;
}

const char *weft_world_cloth_name(const WeftWorld *world, int32_t cloth) {
  const WeftClothInput *input = cloth_at(world, cloth);
  return input ? input->name : "";
}

int32_t weft_world_vertex_count(const WeftWorld *world, int32_t cloth) {
  const WeftClothInput *input = cloth_at(world, cloth);
  return input ? input->def.vertex_count : -1;
}

int32_t weft_world_triangle_count(const WeftWorld *world, int32_t cloth) {
  const WeftClothInput *input = cloth_at(world, cloth);
  return input ? input->def.triangle_count : -1;
}

WeftResult weft_world_hinge_count(WeftWorld *world, int32_t cloth, int32_t *count, WeftError *error) {
  WeftResult result = weft_world_check(world, cloth, error);
  if (!result) *count = world->model.cloths[cloth].hinge_count;
  return result;
}

/* per_vertex numbers of each vertex from the internal order to the user's. */
static void gather(const WeftWorld *world, int32_t cloth, const double *from, int per_vertex, double *to) {
  const WeftModelCloth *c = &world->model.cloths[cloth];
  size_t size = (size_t)per_vertex;
  for (int i = 0; i < c->vertex_count; i++) {
    size_t internal = (size_t)world->model.internal_of_user[c->first_vertex + i];
    memcpy(to + size * (size_t)i, from + size * internal, size * sizeof *to);
  }
}

WeftResult weft_world_positions(WeftWorld *world, int32_t cloth, double *positions, WeftError *error) {
  WeftResult result = weft_world_look(world, cloth, error);
  if (!result) gather(world, cloth, world->state.x, 3, positions);
  return result;
}

WeftResult weft_world_velocities(WeftWorld *world, int32_t cloth, double *velocities, WeftError *error) {
  WeftResult result = weft_world_look(world, cloth, error);
  if (!result) gather(world, cloth, world->state.v, 3, velocities);
  return result;
}

WeftResult weft_world_reactions(WeftWorld *world, int32_t cloth, double *reactions, WeftError *error) {
  WeftResult result = weft_world_look(world, cloth, error);
  if (result) return result;
  size_t bytes = 3 * (size_t)world->model.vertex_count * sizeof(double);
  weft_device_download(world->device, world->step.reaction, bytes);
  result = weft_device_check(world->device, error);
  if (!result) gather(world, cloth, world->step.reaction, 3, reactions);
  return result;
}

WeftResult weft_world_masses(WeftWorld *world, int32_t cloth, double *masses, WeftError *error) {
  WeftResult result = weft_world_check(world, cloth, error);
  if (!result) gather(world, cloth, world->model.mass, 1, masses);
  return result;
}

WeftResult weft_world_triangles(WeftWorld *world, int32_t cloth, int32_t *triangles, WeftError *error) {
  WeftResult result = weft_world_check(world, cloth, error);
  if (result) return result;
  const WeftClothInput *input = &world->cloths[cloth];
  memcpy(triangles, input->triangles, 3 * (size_t)input->def.triangle_count * sizeof *triangles);
  return WEFT_RESULT_OK;
}

WeftResult weft_world_normals(WeftWorld *world, int32_t cloth, double *normals, WeftError *error) {
  WeftResult result = weft_world_look(world, cloth, error);
  if (result) return result;
  const WeftClothInput *input = &world->cloths[cloth];
  double *positions = WEFT_NEW(double, 3 * (size_t)input->def.vertex_count);
  if (!positions) return weft_fail_memory(error, "normals");
  gather(world, cloth, world->state.x, 3, positions);
  weft_mesh_normals(input->def.vertex_count, positions, input->def.triangle_count, input->triangles, normals);
  free(positions);
  return WEFT_RESULT_OK;
}

WeftResult weft_world_face_strains(WeftWorld *world, int32_t cloth, double *strains, WeftError *error) {
  WeftResult result = weft_world_look(world, cloth, error);
  if (result) return result;
  const WeftModel *model = &world->model;
  const WeftModelCloth *c = &model->cloths[cloth];
  for (int i = 0; i < c->triangle_count; i++) {
    size_t t = (size_t)c->first_triangle + (size_t)i;
    const int32_t *corner = model->triangles + 3 * t;
    const double *uv = model->rest_uv + 6 * t, *x = world->state.x;
    double du1 = uv[2] - uv[0], dv1 = uv[3] - uv[1], du2 = uv[4] - uv[0], dv2 = uv[5] - uv[1];
    double det = du1 * dv2 - du2 * dv1; /* twice the area, positive */
    double wu2 = 0, wv2 = 0, wuv = 0;
    for (int k = 0; k < 3; k++) {
      double e1 = x[3 * corner[1] + k] - x[3 * corner[0] + k],
             e2 = x[3 * corner[2] + k] - x[3 * corner[0] + k];
      double wu = (e1 * dv2 - e2 * dv1) / det, wv = (e2 * du1 - e1 * du2) / det;
      wu2 += wu * wu;
      wv2 += wv * wv;
      wuv += wu * wv;
    }
    strains[3 * i] = sqrt(wu2) - 1;
    strains[3 * i + 1] = sqrt(wv2) - 1;
    strains[3 * i + 2] = wuv;
  }
  return WEFT_RESULT_OK;
}

WeftResult weft_world_hinges(WeftWorld *world, int32_t cloth, int32_t *hinges, WeftError *error) {
  WeftResult result = weft_world_check(world, cloth, error);
  if (result) return result;
  const WeftModel *model = &world->model;
  const WeftModelCloth *c = &model->cloths[cloth];
  int32_t *user_of_internal = WEFT_NEW(int32_t, model->vertex_count);
  if (!user_of_internal) return weft_fail_memory(error, "hinges");
  for (int i = 0; i < c->vertex_count; i++)
    user_of_internal[model->internal_of_user[c->first_vertex + i]] = i;
  for (int i = 0; i < 4 * c->hinge_count; i++) {
    hinges[i] = user_of_internal[model->hinges[4 * (size_t)c->first_hinge + (size_t)i]];
  }
  free(user_of_internal);
  return WEFT_RESULT_OK;
}

WeftResult weft_world_hinge_values(WeftWorld *world, int32_t cloth, double *values, WeftError *error) {
  WeftResult result = weft_world_look(world, cloth, error);
  if (result) return result;
  const WeftModel *model = &world->model;
  const WeftModelCloth *c = &model->cloths[cloth];
  memset(values, 0, 2 * (size_t)c->hinge_count * sizeof *values);
  double *all = WEFT_NEW(double, 2 * (size_t)model->hinge_count);
  if (!all) return weft_fail_memory(error, "hinge values");
  int before = weft_threads_use(world->threads);
  for (int i = 0; i < model->force_count; i++) {
    const WeftForce *force = model->forces[i];
    if (!force->ops->moments || strcmp(force->ops->name, c->bend) != 0) continue;
    force->ops->moments(force, world->state.x, all);
    for (int e = 0; e < force->elements.count; e++) {
      int hinge = force->source[e] - c->first_hinge;
      if (hinge >= 0 && hinge < c->hinge_count)
        memcpy(values + 2 * (size_t)hinge, all + 2 * (size_t)e, 2 * sizeof *all);
    }
  }
  weft_threads_use(before);
  free(all);
  return WEFT_RESULT_OK;
}
