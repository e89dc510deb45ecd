/* "mesh": exactly one of file, inline, a sheet (rectangle, disc, tube, ribbon) or a solid (read_solid.c). */
#include "scene/scene.h"

#include <string.h>

/* 20 million cells are 40 million triangles: beyond what one machine steps, and well inside int32_t. */
#define MOST_CELLS 20e6
#define CELL_RANGE WEFT_FROM_TO(1, 100000)

static const char *const pattern_names[] = {"alternating", "equilateral", NULL};

#define SIZE(field)                                                                                          \
  {                                                                                                          \
    .key = #field, .type = WEFT_FIELD_NUMBER, .is_required = true, .offset = offsetof(WeftSceneMesh, field), \
    .range = WEFT_ABOVE_ZERO                                                                                 \
  }
#define CELLS(field, needed, limits)                                  \
  {                                                                   \
    .key = #field, .type = WEFT_FIELD_INTEGER, .is_required = needed, \
    .offset = offsetof(WeftSceneMesh, field), .range = limits         \
  }
#define PATTERN                                                                              \
  {                                                                                          \
    .key = "pattern", .type = WEFT_FIELD_CHOICE, .offset = offsetof(WeftSceneMesh, pattern), \
    .choices = pattern_names                                                                 \
  }

static const WeftField rectangle_fields[] = {SIZE(width), SIZE(height), CELLS(columns, true, CELL_RANGE),
                                             CELLS(rows, false, CELL_RANGE), PATTERN};
const WeftTable weft_scene_table_rectangle = WEFT_TABLE("rectangle", rectangle_fields);

static const WeftField disc_fields[] = {SIZE(radius), CELLS(rings, true, WEFT_FROM_TO(1, 2000))};
const WeftTable weft_scene_table_disc = WEFT_TABLE("disc", disc_fields);

static const WeftField tube_fields[] = {SIZE(radius),
                                        {.key = "top_radius",
                                         .type = WEFT_FIELD_NUMBER,
                                         .offset = offsetof(WeftSceneMesh, top_radius),
                                         .range = WEFT_ABOVE_ZERO},
                                        SIZE(height),
                                        CELLS(columns, true, WEFT_FROM_TO(3, 100000)),
                                        CELLS(rows, false, CELL_RANGE),
                                        PATTERN};
const WeftTable weft_scene_table_tube = WEFT_TABLE("tube", tube_fields);

/* Rows for cells of about equal sides. The rectangle's generator chooses its own rows of equilateral
 * triangles. */
static void choose_rows(WeftSceneMesh *mesh, double length, double cell) {
  double height = mesh->pattern == WEFT_PATTERN_EQUILATERAL ? 0.86602540378443864676 * cell : cell;
  double rows = nearbyint(length / height);
  mesh->rows = rows < 1 ? 1 : rows > 1e8 ? (int32_t)1e8 : (int32_t)rows;
}

WeftResult weft_scene_check_cells(WeftReader *r, int32_t node, double columns, double rows) {
  if (columns * rows <= MOST_CELLS) return WEFT_RESULT_OK;
  return weft_json_fail(r->json, node, r->error, WEFT_RESULT_INVALID_DATA,
                        "expected at most 20 million cells, got %.0f x %.0f", columns, rows);
}

static WeftResult read_rectangle(WeftReader *r, int32_t node, void *value) {
  WeftSceneMesh *mesh = value;
  mesh->source = WEFT_MESH_RECTANGLE;
  WeftResult result = weft_read_object(r, node, &weft_scene_table_rectangle, mesh);
  if (result) return result;
  bool is_chosen = mesh->rows > 0;
  if (!is_chosen) choose_rows(mesh, mesh->height, mesh->width / mesh->columns);
  result = weft_scene_check_cells(r, node, mesh->columns, mesh->rows);
  if (!is_chosen && mesh->pattern == WEFT_PATTERN_EQUILATERAL) mesh->rows = 0;
  return result;
}

/* A rectangle of few cells: it does not have to bend. */
static const WeftField plane_fields[] = {SIZE(width), SIZE(height), CELLS(columns, false, CELL_RANGE),
                                         CELLS(rows, false, CELL_RANGE)};
const WeftTable weft_scene_table_plane = WEFT_TABLE("plane", plane_fields);

static WeftResult read_plane(WeftReader *r, int32_t node, void *value) {
  WeftSceneMesh *mesh = value;
  mesh->source = WEFT_MESH_RECTANGLE;
  mesh->columns = mesh->rows = 1;
  WeftResult result = weft_read_object(r, node, &weft_scene_table_plane, mesh);
  return result ? result : weft_scene_check_cells(r, node, mesh->columns, mesh->rows);
}

static WeftResult read_disc(WeftReader *r, int32_t node, void *value) {
  WeftSceneMesh *mesh = value;
  mesh->source = WEFT_MESH_DISC;
  return weft_read_object(r, node, &weft_scene_table_disc, mesh);
}

static WeftResult read_tube(WeftReader *r, int32_t node, void *value) {
  WeftSceneMesh *mesh = value;
  mesh->source = WEFT_MESH_TUBE;
  WeftResult result = weft_read_object(r, node, &weft_scene_table_tube, mesh);
  if (result) return result;
  if (!(mesh->top_radius > 0)) mesh->top_radius = mesh->radius;
  double middle = 0.5 * (mesh->radius + mesh->top_radius);
  if (!mesh->rows)
    choose_rows(mesh, hypot(mesh->height, mesh->radius - mesh->top_radius),
                6.2831853071795864769 * middle / mesh->columns);
  return weft_scene_check_cells(r, node, mesh->columns, mesh->rows);
}

/* A list of lists of width numbers into a new array. */
static WeftResult read_rows(WeftReader *r, int32_t node, int32_t width, const char *what, int32_t *count,
                            double **values) {
  const WeftJsonNode *n = weft_json_node(r->json, node);
  if (n->type != WEFT_JSON_LIST) return weft_refuse(r, node, "a list of lists of numbers");
  double *read = weft_blocks_alloc(r->blocks, (size_t)n->count * (size_t)width, sizeof(double));
  if (!read) return weft_fail_memory(r->error, "an inline mesh");
  *count = n->count;
  *values = read;
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t child = n->first; child >= 0 && !result;
       child = weft_json_node(r->json, child)->next, read += width)
    result = weft_read_numbers(r, child, width, (WeftRange)WEFT_ANY, what, read);
  return result;
}

static WeftResult read_positions(WeftReader *r, int32_t node, void *value) {
  WeftMesh *mesh = &((WeftSceneMesh *)value)->given;
  return read_rows(r, node, 3, "a position [x, y, z]", &mesh->vertex_count, &mesh->positions);
}

static WeftResult read_uvs(WeftReader *r, int32_t node, void *value) {
  WeftSceneMesh *mesh = value;
  return read_rows(r, node, 2, "a pair of numbers", &mesh->given_uv_count, &mesh->given_uvs);
}

static WeftResult read_triangles(WeftReader *r, int32_t node, void *value) {
  WeftMesh *mesh = &((WeftSceneMesh *)value)->given;
  const WeftJsonNode *n = weft_json_node(r->json, node);
  if (n->type != WEFT_JSON_LIST) return weft_refuse(r, node, "a list of triangles");
  mesh->triangle_count = n->count;
  mesh->triangles = weft_blocks_alloc(r->blocks, (size_t)n->count * 3, sizeof(int32_t));
  if (!mesh->triangles) return weft_fail_memory(r->error, "an inline mesh");
  int32_t *next = mesh->triangles;
  for (int32_t child = n->first; child >= 0; child = weft_json_node(r->json, child)->next) {
    const WeftJsonNode *c = weft_json_node(r->json, child);
    if (c->type != WEFT_JSON_LIST || c->count != 3)
      return weft_refuse(r, child, "a triangle of 3 vertex numbers");
    for (int32_t corner = c->first; corner >= 0; corner = weft_json_node(r->json, corner)->next) {
      WeftResult result = weft_read_integer(r, corner, (WeftRange)WEFT_FROM_ZERO, next++);
      if (result) return result;
    }
  }
  return WEFT_RESULT_OK;
}

static const WeftField ribbon_fields[] = {
    {.key = "points", .type = WEFT_FIELD_CUSTOM, .is_required = true, .read = read_positions},
    SIZE(width),
    CELLS(columns, true, CELL_RANGE),
    CELLS(rows, false, CELL_RANGE)};
const WeftTable weft_scene_table_ribbon = WEFT_TABLE("ribbon", ribbon_fields);

static WeftResult read_ribbon(WeftReader *r, int32_t node, void *value) {
  WeftSceneMesh *mesh = value;
  mesh->source = WEFT_MESH_RIBBON;
  WeftResult result = weft_read_object(r, node, &weft_scene_table_ribbon, mesh);
  if (result) return result;
  if (mesh->given.vertex_count < 4)
    return weft_refuse(r, weft_json_member(r->json, node, "points", 6), "at least four points");
  return weft_scene_check_cells(r, node, mesh->columns, mesh->rows);
}

static const WeftField lathe_fields[] = {
    {.key = "profile", .type = WEFT_FIELD_CUSTOM, .is_required = true, .read = read_uvs},
    CELLS(columns, false, WEFT_FROM_TO(3, 100000))};
const WeftTable weft_scene_table_lathe = WEFT_TABLE("lathe", lathe_fields);

static WeftResult read_lathe(WeftReader *r, int32_t node, void *value) {
  WeftSceneMesh *mesh = value;
  mesh->source = WEFT_MESH_LATHE;
  WeftResult result = weft_read_object(r, node, &weft_scene_table_lathe, mesh);
  if (!mesh->columns) mesh->columns = 32;
  return result ? result : weft_scene_check_cells(r, node, mesh->columns, mesh->given_uv_count);
}

static const WeftField inline_fields[] = {
    {.key = "positions", .type = WEFT_FIELD_CUSTOM, .is_required = true, .read = read_positions},
    {.key = "triangles", .type = WEFT_FIELD_CUSTOM, .read = read_triangles},
    {.key = "uvs", .type = WEFT_FIELD_CUSTOM, .read = read_uvs},
};
const WeftTable weft_scene_table_inline = WEFT_TABLE("inline", inline_fields);

static WeftResult check_triangles(WeftReader *r, int32_t node, const WeftMesh *mesh) {
  for (int32_t i = 0; i < 3 * mesh->triangle_count; i++)
    if (mesh->triangles[i] >= mesh->vertex_count) {
      int32_t list = weft_json_member(r->json, node, "triangles", 9);
      return weft_json_fail(r->json, weft_json_item(r->json, list, i / 3), r->error, WEFT_RESULT_INVALID_DATA,
                            "vertex %d is not there: the mesh has %d", mesh->triangles[i],
                            mesh->vertex_count);
    }
  return WEFT_RESULT_OK;
}

static WeftResult read_inline(WeftReader *r, int32_t node, void *value) {
  WeftSceneMesh *mesh = value;
  mesh->source = WEFT_MESH_INLINE;
  WeftResult result = weft_read_object(r, node, &weft_scene_table_inline, mesh);
  if (result) return result;
  if (mesh->given.vertex_count < 1)
    return weft_refuse(r, weft_json_member(r->json, node, "positions", 9), "at least one position");
  if (mesh->given_uvs && mesh->given_uv_count != mesh->given.vertex_count)
    return weft_json_fail(r->json, weft_json_member(r->json, node, "uvs", 3), r->error,
                          WEFT_RESULT_INVALID_DATA, "expected one pair a vertex, %d, got %d",
                          mesh->given.vertex_count, mesh->given_uv_count);
  return check_triangles(r, node, &mesh->given);
}

static WeftResult read_file(WeftReader *r, int32_t node, void *value) {
  WeftSceneMesh *mesh = value;
  mesh->source = WEFT_MESH_FILE;
  return weft_read_text(r, node, INFINITY, &mesh->file);
}

static const WeftField fields[] = {
    {.key = "file", .type = WEFT_FIELD_CUSTOM, .read = read_file},
    {.key = "rectangle", .type = WEFT_FIELD_CUSTOM, .read = read_rectangle},
    {.key = "disc", .type = WEFT_FIELD_CUSTOM, .read = read_disc},
    {.key = "tube", .type = WEFT_FIELD_CUSTOM, .read = read_tube},
    {.key = "ribbon", .type = WEFT_FIELD_CUSTOM, .read = read_ribbon},
    {.key = "inline", .type = WEFT_FIELD_CUSTOM, .read = read_inline},
    {.key = "plane", .type = WEFT_FIELD_CUSTOM, .read = read_plane},
    {.key = "box", .type = WEFT_FIELD_CUSTOM, .read = weft_scene_read_box},
    {.key = "sphere", .type = WEFT_FIELD_CUSTOM, .read = weft_scene_read_sphere},
    {.key = "cylinder", .type = WEFT_FIELD_CUSTOM, .read = weft_scene_read_cylinder},
    {.key = "cone", .type = WEFT_FIELD_CUSTOM, .read = weft_scene_read_cone},
    {.key = "funnel", .type = WEFT_FIELD_CUSTOM, .read = weft_scene_read_funnel},
    {.key = "capsule", .type = WEFT_FIELD_CUSTOM, .read = weft_scene_read_capsule},
    {.key = "torus", .type = WEFT_FIELD_CUSTOM, .read = weft_scene_read_torus},
    {.key = "lathe", .type = WEFT_FIELD_CUSTOM, .read = read_lathe},
};
const WeftTable weft_scene_table_mesh = {
    .name = "mesh", .fields = fields, .count = sizeof fields / sizeof *fields, .is_one_of = true};

WeftResult weft_scene_read_mesh(WeftReader *r, int32_t node, void *value) {
  WeftSceneMesh *mesh = value;
  mesh->node = node;
  return weft_read_object(r, node, &weft_scene_table_mesh, mesh);
}
