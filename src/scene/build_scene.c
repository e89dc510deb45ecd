/* Everything that needs the meshes: velocities, added masses, links, selections, pivots. */
#include "scene/build.h"

#include <string.h>

static WeftResult build_velocities(WeftReader *r, WeftSceneCloth *cloth) {
  static const double zero[3] = {0};
  const WeftSceneVelocity *from = &cloth->velocity;
  const WeftMesh *mesh = &cloth->shape.mesh;
  if (from->each && from->each_count != mesh->vertex_count)
    return weft_json_fail(r->json, from->node, r->error, WEFT_RESULT_INVALID_DATA,
                          "expected one velocity a vertex, %d, got %d", mesh->vertex_count, from->each_count);
  if (!from->each && !memcmp(from->linear, zero, sizeof zero) && !memcmp(from->angular, zero, sizeof zero))
    return WEFT_RESULT_OK;
  cloth->velocities = weft_blocks_alloc(r->blocks, (size_t)mesh->vertex_count * 3, sizeof(double));
  if (!cloth->velocities) return weft_fail_memory(r->error, "velocities");
  for (int32_t i = 0; i < mesh->vertex_count; i++) {
    const double *x = mesh->positions + 3 * (size_t)i, *w = from->angular;
    double *v = cloth->velocities + 3 * (size_t)i;
    double d[3] = {x[0] - from->center[0], x[1] - from->center[1], x[2] - from->center[2]};
    v[0] = from->linear[0] + w[1] * d[2] - w[2] * d[1];
    v[1] = from->linear[1] + w[2] * d[0] - w[0] * d[2];
    v[2] = from->linear[2] + w[0] * d[1] - w[1] * d[0];
    for (int k = 0; from->each && k < 3; k++) v[k] += from->each[3 * (size_t)i + (size_t)k];
  }
  return WEFT_RESULT_OK;
}

static WeftResult build_links(WeftReader *r, WeftSceneCloth *cloth) {
  const WeftMesh *mesh = &cloth->shape.mesh;
  if (!cloth->link_count) return WEFT_RESULT_OK;
  cloth->built_links = weft_blocks_alloc(r->blocks, (size_t)cloth->link_count, sizeof(WeftLink));
  if (!cloth->built_links) return weft_fail_memory(r->error, "links");
  for (int32_t i = 0; i < cloth->link_count; i++) {
    WeftLink link = cloth->links[i].link;
    int32_t largest = link.a > link.b ? link.a : link.b;
    if (largest >= mesh->vertex_count)
      return weft_json_fail(r->json, cloth->links[i].node, r->error, WEFT_RESULT_INVALID_DATA,
                            "vertex %d is not there: the mesh has %d", largest, mesh->vertex_count);
    const double *a = mesh->positions + 3 * (size_t)link.a, *b = mesh->positions + 3 * (size_t)link.b;
    if (isnan(link.rest_length)) link.rest_length = hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
    cloth->built_links[i] = link;
  }
  return WEFT_RESULT_OK;
}

static WeftResult build_masses(WeftReader *r, WeftSceneCloth *cloth) {
  if (!cloth->mass_count) return WEFT_RESULT_OK;
  cloth->added_mass = weft_blocks_alloc(r->blocks, (size_t)cloth->shape.mesh.vertex_count, sizeof(double));
  if (!cloth->added_mass) return weft_fail_memory(r->error, "added masses");
  for (int32_t i = 0; i < cloth->mass_count; i++) {
    WeftSceneMass *mass = &cloth->masses[i];
    WeftResult result = weft_scene_resolve(r, &mass->select, &cloth->shape);
    if (result) return result;
    double each = mass->spread == WEFT_SPREAD_EQUAL ? mass->mass / mass->select.vertex_count : mass->mass;
    for (int32_t k = 0; k < mass->select.vertex_count; k++)
      cloth->added_mass[mass->select.vertices[k]] += each;
  }
  return WEFT_RESULT_OK;
}

static WeftResult build_cloth(WeftReader *r, WeftSceneCloth *cloth) {
  WeftResult result = weft_scene_build_mesh(r, cloth);
  if (!result) result = build_velocities(r, cloth);
  if (!result) result = build_links(r, cloth);
  if (!result) result = build_masses(r, cloth);
  for (int32_t i = 0; i < cloth->pin_count && !result; i++)
    result = weft_scene_resolve(r, &cloth->pins[i].select, &cloth->shape);
  for (int32_t i = 0; i < cloth->force_count && !result; i++)
    result = weft_scene_resolve(r, &cloth->forces[i].select, &cloth->shape);
  return result;
}

static WeftResult build_handle(WeftReader *r, WeftScene *scene, WeftSceneHandle *handle) {
  const WeftShape *shape = &scene->cloths[handle->cloth].shape;
  WeftResult result = weft_scene_resolve(r, &handle->select, shape);
  if (result || handle->has_pivot) return result;
  for (int32_t i = 0; i < handle->select.vertex_count; i++)
    for (int k = 0; k < 3; k++)
      handle->pivot[k] += shape->mesh.positions[3 * (size_t)handle->select.vertices[i] + (size_t)k];
  for (int k = 0; k < 3; k++) handle->pivot[k] /= handle->select.vertex_count;
  return WEFT_RESULT_OK;
}

WeftResult weft_scene_build(WeftScene *scene, WeftLog log, WeftError *error) {
  WeftReader reader = {
      .json = &scene->json, .folder = scene->folder, .blocks = &scene->blocks, .log = log, .error = error};
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t i = 0; i < scene->cloth_count && !result; i++)
    result = build_cloth(&reader, &scene->cloths[i]);
  for (int32_t i = 0; i < scene->obstacle_count && !result; i++)
    result = weft_scene_build_obstacle(&reader, &scene->obstacles[i], scene->frame_rate);
  for (int32_t i = 0; i < scene->handle_count && !result; i++)
    result = build_handle(&reader, scene, &scene->handles[i]);
  for (int32_t i = 0; i < scene->cloth_count && !result; i++)
    result = weft_scene_build_jitter(&reader, &scene->cloths[i], i);
  return result;
}
