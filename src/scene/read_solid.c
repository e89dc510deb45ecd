/* The solids among the meshes: boxes and round ones. */
#include "scene/scene.h"

#include <string.h>

static const double PI = 3.14159265358979323846;

#define LENGTH(field)                                                                                        \
  {                                                                                                          \
    .key = #field, .type = WEFT_FIELD_NUMBER, .is_required = true, .offset = offsetof(WeftSceneMesh, field), \
    .range = WEFT_ABOVE_ZERO                                                                                 \
  }
#define COUNT(field, least)                                                              \
  {                                                                                      \
    .key = #field, .type = WEFT_FIELD_INTEGER, .offset = offsetof(WeftSceneMesh, field), \
    .range = WEFT_FROM_TO(least, 100000)                                                 \
  }

static WeftResult read_size(WeftReader *r, int32_t node, void *value) {
  return weft_read_numbers(r, node, 3, (WeftRange)WEFT_ABOVE_ZERO, "3 lengths [x, y, z]", value);
}

static WeftResult read_cells(WeftReader *r, int32_t node, void *value) {
  int32_t *cells = value;
  const WeftJsonNode *n = weft_json_node(r->json, node);
  if (n->type != WEFT_JSON_LIST || n->count != 3) return weft_refuse(r, node, "3 numbers of cells [x, y, z]");
  WeftResult result = WEFT_RESULT_OK;
  for (int k = 0; k < 3 && !result; k++)
    result =
        weft_read_integer(r, weft_json_item(r->json, node, k), (WeftRange)WEFT_FROM_TO(1, 100000), &cells[k]);
  return result;
}

static const WeftField box_fields[] = {
    {.key = "size",
     .type = WEFT_FIELD_CUSTOM,
     .is_required = true,
     .offset = offsetof(WeftSceneMesh, size),
     .read = read_size},
    {.key = "cells", .type = WEFT_FIELD_CUSTOM, .offset = offsetof(WeftSceneMesh, cells), .read = read_cells},
};
const WeftTable weft_scene_table_box = WEFT_TABLE("box", box_fields);

WeftResult weft_scene_read_box(WeftReader *r, int32_t node, void *value) {
  WeftSceneMesh *mesh = value;
  mesh->source = WEFT_MESH_BOX;
  for (int k = 0; k < 3; k++) mesh->cells[k] = 1;
  WeftResult result = weft_read_object(r, node, &weft_scene_table_box, mesh);
  double x = mesh->cells[0], y = mesh->cells[1], z = mesh->cells[2];
  return result ? result : weft_scene_check_cells(r, node, 2, x * y + y * z + z * x);
}

/* So many cells of about this width fit into a length. */
static int32_t fitting(double length, double cell, int least) {
  double count = nearbyint(length / cell);
  return count > 1e5 ? (int32_t)1e5 : count > least ? (int32_t)count : least;
}

static double cell_width(const WeftSceneMesh *mesh, double radius) { return 2 * PI * radius / mesh->columns; }

/* Reads the object and sets the number of columns where it is not said. */
static WeftResult read_round(WeftReader *r, int32_t node, WeftMeshSource source, const WeftTable *table,
                             WeftSceneMesh *mesh) {
  mesh->source = source;
  WeftResult result = weft_read_object(r, node, table, mesh);
  if (!mesh->columns) mesh->columns = 32;
  return result;
}

static const WeftField sphere_fields[] = {LENGTH(radius), COUNT(columns, 3), COUNT(rows, 2)};
const WeftTable weft_scene_table_sphere = WEFT_TABLE("sphere", sphere_fields);

WeftResult weft_scene_read_sphere(WeftReader *r, int32_t node, void *value) {
  WeftSceneMesh *mesh = value;
  WeftResult result = read_round(r, node, WEFT_MESH_SPHERE, &weft_scene_table_sphere, mesh);
  if (!mesh->rows) mesh->rows = mesh->columns > 4 ? mesh->columns / 2 : 2;
  return result ? result : weft_scene_check_cells(r, node, mesh->columns, mesh->rows);
}

static const WeftField cylinder_fields[] = {LENGTH(radius), LENGTH(height), COUNT(columns, 3),
                                            COUNT(rows, 1)};
const WeftTable weft_scene_table_cylinder = WEFT_TABLE("cylinder", cylinder_fields);

WeftResult weft_scene_read_cylinder(WeftReader *r, int32_t node, void *value) {
  WeftSceneMesh *mesh = value;
  WeftResult result = read_round(r, node, WEFT_MESH_CYLINDER, &weft_scene_table_cylinder, mesh);
  if (!mesh->rows) mesh->rows = fitting(mesh->height, cell_width(mesh, mesh->radius), 1);
  return result ? result : weft_scene_check_cells(r, node, mesh->columns, mesh->rows);
}

static const WeftField cone_fields[] = {LENGTH(radius),
                                        {.key = "top_radius",
                                         .type = WEFT_FIELD_NUMBER,
                                         .offset = offsetof(WeftSceneMesh, top_radius),
                                         .range = WEFT_FROM_ZERO},
                                        LENGTH(height),
                                        COUNT(columns, 3),
                                        COUNT(rows, 1)};
const WeftTable weft_scene_table_cone = WEFT_TABLE("cone", cone_fields);

WeftResult weft_scene_read_cone(WeftReader *r, int32_t node, void *value) {
  WeftSceneMesh *mesh = value;
  WeftResult result = read_round(r, node, WEFT_MESH_CONE, &weft_scene_table_cone, mesh);
  double slant = hypot(mesh->height, mesh->radius - mesh->top_radius);
  if (!mesh->rows) mesh->rows = fitting(slant, cell_width(mesh, 0.5 * (mesh->radius + mesh->top_radius)), 1);
  return result ? result : weft_scene_check_cells(r, node, mesh->columns, mesh->rows);
}

static const WeftField funnel_fields[] = {LENGTH(radius),      LENGTH(neck_radius), LENGTH(height),
                                          LENGTH(neck_height), COUNT(columns, 3),   COUNT(rows, 1),
                                          COUNT(neck_rows, 1)};
const WeftTable weft_scene_table_funnel = WEFT_TABLE("funnel", funnel_fields);

WeftResult weft_scene_read_funnel(WeftReader *r, int32_t node, void *value) {
  WeftSceneMesh *mesh = value;
  WeftResult result = read_round(r, node, WEFT_MESH_FUNNEL, &weft_scene_table_funnel, mesh);
  double slant = hypot(mesh->height, mesh->radius - mesh->neck_radius);
  if (!mesh->rows) mesh->rows = fitting(slant, cell_width(mesh, 0.5 * (mesh->radius + mesh->neck_radius)), 1);
  if (!mesh->neck_rows) mesh->neck_rows = fitting(mesh->neck_height, cell_width(mesh, mesh->neck_radius), 1);
  return result ? result
                : weft_scene_check_cells(r, node, mesh->columns, (double)mesh->rows + mesh->neck_rows);
}

static const WeftField capsule_fields[] = {LENGTH(radius), LENGTH(height), COUNT(columns, 3), COUNT(rows, 1),
                                           COUNT(cap_rows, 1)};
const WeftTable weft_scene_table_capsule = WEFT_TABLE("capsule", capsule_fields);

WeftResult weft_scene_read_capsule(WeftReader *r, int32_t node, void *value) {
  WeftSceneMesh *mesh = value;
  WeftResult result = read_round(r, node, WEFT_MESH_CAPSULE, &weft_scene_table_capsule, mesh);
  if (!mesh->rows) mesh->rows = fitting(mesh->height, cell_width(mesh, mesh->radius), 1);
  if (!mesh->cap_rows) mesh->cap_rows = mesh->columns > 4 ? mesh->columns / 4 : 1;
  return result ? result : weft_scene_check_cells(r, node, mesh->columns, mesh->rows + 2.0 * mesh->cap_rows);
}

static const WeftField torus_fields[] = {LENGTH(radius), LENGTH(tube_radius), COUNT(columns, 3),
                                         COUNT(rows, 3)};
const WeftTable weft_scene_table_torus = WEFT_TABLE("torus", torus_fields);

WeftResult weft_scene_read_torus(WeftReader *r, int32_t node, void *value) {
  WeftSceneMesh *mesh = value;
  WeftResult result = read_round(r, node, WEFT_MESH_TORUS, &weft_scene_table_torus, mesh);
  if (!result && !(mesh->tube_radius < mesh->radius))
    return weft_json_fail(r->json, node, r->error, WEFT_RESULT_INVALID_DATA,
                          "expected a tube_radius below the radius of %.10g m, got %.10g m", mesh->radius,
                          mesh->tube_radius);
  if (!mesh->rows) mesh->rows = fitting(2 * PI * mesh->tube_radius, cell_width(mesh, mesh->radius), 6);
  return result ? result : weft_scene_check_cells(r, node, mesh->columns, mesh->rows);
}
