/* A world from a built scene. What the world refuses is told with the place in the scene that says it. */
#include "base/memory.h"
#include "scene/scene.h"

#include <stdlib.h>

static WeftResult pass_on(const WeftScene *scene, int32_t node, WeftResult result, const WeftError *inner,
                          WeftError *error) {
  if (result) weft_json_fail(&scene->json, node, error, result, "%.600s", inner->message);
  return result;
}

static WeftResult add_cloth(const WeftScene *scene, const WeftSceneCloth *cloth, WeftWorld *world,
                            WeftError *error) {
  const WeftMesh *mesh = &cloth->shape.mesh;
  bool has_rest_uv = cloth->rest.source == WEFT_REST_UV;
  WeftClothDef def = weft_default_cloth_def();
  def.name = cloth->name;
  def.vertex_count = mesh->vertex_count;
  def.positions = mesh->positions;
  def.velocities = cloth->velocities;
  def.triangle_count = mesh->triangle_count;
  def.triangles = mesh->triangles;
  def.rest_uv = has_rest_uv ? mesh->uvs : NULL;
  def.rest_positions = cloth->rest_mesh.positions;
  def.warp_uv = has_rest_uv || cloth->has_warp ? NULL : mesh->uvs;
  for (int k = 0; k < 3; k++) def.warp[k] = cloth->warp[k];
  def.rest_bend = (WeftRestBend)cloth->rest_bend;
  def.added_mass = cloth->added_mass;
  def.link_count = cloth->link_count;
  def.links = cloth->built_links;
  def.material = cloth->material;
  def.stretch = cloth->stretch;
  def.bend = cloth->bend;
  int32_t index;
  WeftError inner = {0};
  return pass_on(scene, cloth->node, weft_world_add_cloth(world, &def, &index, &inner), &inner, error);
}

static WeftResult add_pins(const WeftScene *scene, int32_t index, WeftWorld *world, WeftError *error) {
  const WeftSceneCloth *cloth = &scene->cloths[index];
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t i = 0; i < cloth->pin_count && !result; i++) {
    const WeftScenePin *pin = &cloth->pins[i];
    WeftHandleDef def = weft_default_handle_def();
    def.name = pin->name;
    def.cloth = index;
    def.vertex_count = pin->select.vertex_count;
    def.vertices = pin->select.vertices;
    def.axes = pin->axes;
    def.release_time = pin->release;
    WeftError inner = {0};
    result =
        pass_on(scene, pin->select.node, weft_world_add_handle(world, &def, NULL, &inner), &inner, error);
  }
  return result;
}

static WeftResult add_handle(const WeftScene *scene, const WeftSceneHandle *handle, WeftWorld *world,
                             WeftError *error) {
  WeftHandleDef def = weft_default_handle_def();
  def.name = handle->name;
  def.cloth = handle->cloth;
  def.vertex_count = handle->select.vertex_count;
  def.vertices = handle->select.vertices;
  def.axes = handle->axes;
  def.key_count = handle->key_count;
  def.keys = handle->keys;
  for (int k = 0; k < 3; k++) def.pivot[k] = handle->pivot[k];
  def.interpolation = (WeftInterpolation)handle->interpolation;
  def.release_time = handle->release;
  WeftError inner = {0};
  return pass_on(scene, handle->node, weft_world_add_handle(world, &def, NULL, &inner), &inner, error);
}

static WeftResult add_obstacle(const WeftScene *scene, const WeftSceneObstacle *obstacle, WeftWorld *world,
                               WeftError *error) {
  WeftObstacleDef def = weft_default_obstacle_def();
  const WeftMesh *mesh = &obstacle->shape.mesh;
  def.name = obstacle->name;
  def.vertex_count = mesh->vertex_count;
  def.positions = obstacle->frame_count ? NULL : mesh->positions;
  def.triangle_count = mesh->triangle_count;
  def.triangles = mesh->triangles;
  def.friction_static = obstacle->friction_static;
  def.friction_kinetic = obstacle->friction_kinetic;
  def.thickness = obstacle->thickness;
  def.key_count = obstacle->key_count;
  def.keys = obstacle->keys;
  for (int k = 0; k < 3; k++) def.pivot[k] = obstacle->pivot[k];
  def.interpolation = (WeftInterpolation)obstacle->interpolation;
  def.frame_count = obstacle->frame_count;
  def.frame_times = obstacle->frame_times;
  def.frame_positions = obstacle->frame_positions;
  WeftError inner = {0};
  return pass_on(scene, obstacle->node, weft_world_add_obstacle(world, &def, NULL, &inner), &inner, error);
}

/* Adds the forces of a cloth up per vertex: entries may overlap, and set_force overwrites. */
static WeftResult sum_forces(const WeftSceneCloth *cloth, int32_t index, WeftWorld *world, double *forces,
                             double *masses, WeftError *error) {
  WeftResult result = weft_world_masses(world, index, masses, error);
  if (result) return result;
  for (int32_t i = 0; i < cloth->force_count; i++) {
    const WeftSceneForce *force = &cloth->forces[i];
    const WeftSelection *select = &force->select;
    double total_mass = 0;
    for (int32_t k = 0; k < select->vertex_count; k++) total_mass += masses[select->vertices[k]];
    for (int32_t k = 0; k < select->vertex_count; k++) {
      int32_t vertex = select->vertices[k];
      double share = force->spread == WEFT_SPREAD_EACH    ? 1
                     : force->spread == WEFT_SPREAD_EQUAL ? 1.0 / select->vertex_count
                                                          : masses[vertex] / total_mass;
      for (int axis = 0; axis < 3; axis++)
        forces[3 * (size_t)vertex + (size_t)axis] += share * force->force[axis];
    }
  }
  return WEFT_RESULT_OK;
}

static WeftResult add_forces(const WeftScene *scene, int32_t index, WeftWorld *world, WeftError *error) {
  const WeftSceneCloth *cloth = &scene->cloths[index];
  if (!cloth->force_count) return WEFT_RESULT_OK;
  int32_t count = cloth->shape.mesh.vertex_count;
  double *forces = WEFT_NEW(double, 3 * (size_t)count), *masses = WEFT_NEW(double, count);
  WeftResult result = forces && masses ? sum_forces(cloth, index, world, forces, masses, error)
                                       : weft_fail_memory(error, "forces");
  for (int32_t i = 0; i < count && !result; i++) {
    const double *f = forces + 3 * (size_t)i;
    if (f[0] != 0 || f[1] != 0 || f[2] != 0) result = weft_world_set_force(world, index, i, f, error);
  }
  free(masses);
  free(forces);
  return result;
}

WeftResult weft_scene_create_world(const WeftScene *scene, int32_t threads, WeftLog log, WeftWorld **world,
                                   WeftError *error) {
  if (!scene || !world)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "weft_scene_create_world: scene and world must not be NULL");
  *world = NULL;
  WeftWorldDef def = scene->world;
  def.threads = threads;
  def.log = log;
  WeftWorld *made = NULL;
  WeftError inner = {0};
  WeftResult result = weft_world_create(&def, &made, &inner);
  if (result) return pass_on(scene, scene->json.root, result, &inner, error);
  /* All cloths and obstacles first: asking for masses closes the lists. */
  for (int32_t i = 0; i < scene->cloth_count && !result; i++)
    result = add_cloth(scene, &scene->cloths[i], made, error);
  for (int32_t i = 0; i < scene->obstacle_count && !result; i++)
    result = add_obstacle(scene, &scene->obstacles[i], made, error);
  for (int32_t i = 0; i < scene->friction_count && !result; i++) {
    const WeftSceneFriction *f = &scene->frictions[i];
    result = weft_world_set_friction(made, f->a, f->b, f->at_rest, f->sliding, &inner);
    result = pass_on(scene, f->node, result, &inner, error);
  }
  for (int32_t i = 0; i < scene->cloth_count && !result; i++) result = add_pins(scene, i, made, error);
  for (int32_t i = 0; i < scene->handle_count && !result; i++)
    result = add_handle(scene, &scene->handles[i], made, error);
  for (int32_t i = 0; i < scene->cloth_count && !result; i++) result = add_forces(scene, i, made, error);
  if (result)
    weft_world_destroy(made);
  else
    *world = made;
  return result;
}
