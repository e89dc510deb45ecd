/* Selections: "all", one clause, or a list of them (their union). What a clause means for a mesh is in
 * scene/build_select.c. */
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

static const char *const side_names[] = {"left", "right", "bottom", "top", "rim", NULL};
static const char *const corner_names[] = {"bottom_left", "bottom_right", "top_left", "top_right", NULL};

static WeftResult read_vertices(WeftReader *r, int32_t node, void *value) {
  WeftClause *clause = value;
  const WeftJsonNode *n = weft_json_node(r->json, node);
  if (n->type != WEFT_JSON_LIST || !n->count) return weft_refuse(r, node, "a list of vertex numbers");
  clause->kind = WEFT_CLAUSE_VERTICES;
  clause->vertex_count = n->count;
  clause->vertices = weft_blocks_alloc(r->blocks, (size_t)n->count, sizeof(int32_t));
  if (!clause->vertices) return weft_fail_memory(r->error, "selected vertices");
  int32_t child = n->first;
  for (int32_t i = 0; i < clause->vertex_count; i++, child = weft_json_node(r->json, child)->next) {
    WeftResult result = weft_read_integer(r, child, (WeftRange)WEFT_FROM_ZERO, &clause->vertices[i]);
    if (result) return result;
  }
  return WEFT_RESULT_OK;
}

static WeftResult read_side(WeftReader *r, int32_t node, void *value) {
  WeftClause *clause = value;
  int32_t side;
  WeftResult result = weft_read_choice(r, node, side_names, &side);
  if (result) return result;
  clause->kind = WEFT_CLAUSE_SIDES;
  clause->sides = 1 << side;
  return WEFT_RESULT_OK;
}

static WeftResult read_corner(WeftReader *r, int32_t node, void *value) {
  WeftClause *clause = value;
  int32_t corner;
  WeftResult result = weft_read_choice(r, node, corner_names, &corner);
  if (result) return result;
  clause->kind = WEFT_CLAUSE_SIDES;
  clause->sides = 1 << (corner & 1 ? WEFT_SIDE_RIGHT : WEFT_SIDE_LEFT) |
                  1 << (corner & 2 ? WEFT_SIDE_TOP : WEFT_SIDE_BOTTOM);
  return WEFT_RESULT_OK;
}

static WeftResult read_box(WeftReader *r, int32_t node, void *value) {
  WeftClause *clause = value;
  const WeftJsonNode *n = weft_json_node(r->json, node);
  if (n->type != WEFT_JSON_LIST || n->count != 2)
    return weft_refuse(r, node, "two corners [[x, y, z], [x, y, z]]");
  clause->kind = WEFT_CLAUSE_BOX;
  WeftResult result = weft_read_vector(r, weft_json_item(r->json, node, 0), clause->box[0]);
  if (!result) result = weft_read_vector(r, weft_json_item(r->json, node, 1), clause->box[1]);
  for (int axis = 0; axis < 3 && !result; axis++)
    if (clause->box[0][axis] > clause->box[1][axis])
      result =
          weft_json_fail(r->json, node, r->error, WEFT_RESULT_INVALID_DATA,
                         "the first corner must be the lower one, but its %c is the larger", "xyz"[axis]);
  return result;
}

static WeftResult read_nearest(WeftReader *r, int32_t node, void *value) {
  WeftClause *clause = value;
  clause->kind = WEFT_CLAUSE_NEAREST;
  return weft_read_vector(r, node, clause->box[0]);
}

static const WeftField fields[] = {
    {.key = "vertices", .type = WEFT_FIELD_CUSTOM, .read = read_vertices},
    {.key = "side", .type = WEFT_FIELD_CUSTOM, .read = read_side},
    {.key = "corner", .type = WEFT_FIELD_CUSTOM, .read = read_corner},
    {.key = "box", .type = WEFT_FIELD_CUSTOM, .read = read_box},
    {.key = "nearest", .type = WEFT_FIELD_CUSTOM, .read = read_nearest},
};
const WeftTable weft_scene_table_selection = {
    .name = "clause", .fields = fields, .count = sizeof fields / sizeof *fields, .is_one_of = true};

static WeftResult read_clause(WeftReader *r, int32_t node, WeftClause *clause) {
  clause->node = node;
  if (weft_json_type(r->json, node) == WEFT_JSON_OBJECT)
    return weft_read_object(r, node, &weft_scene_table_selection, clause);
  if (weft_json_type(r->json, node) == WEFT_JSON_TEXT && !strcmp(weft_json_text(r->json, node), "all")) {
    clause->kind = WEFT_CLAUSE_ALL;
    return WEFT_RESULT_OK;
  }
  return weft_refuse(r, node, "\"all\" or an object with vertices, side, corner, box or nearest");
}

WeftResult weft_scene_read_selection(WeftReader *r, int32_t node, void *value) {
  WeftSelection *selection = value;
  bool is_list = weft_json_type(r->json, node) == WEFT_JSON_LIST;
  int32_t count = is_list ? weft_json_node(r->json, node)->count : 1;
  if (!count) return weft_refuse(r, node, "at least one selection in the list");
  selection->node = node;
  selection->clause_count = count;
  selection->clauses = weft_blocks_alloc(r->blocks, (size_t)count, sizeof(WeftClause));
  if (!selection->clauses) return weft_fail_memory(r->error, "a selection");
  if (!is_list) return read_clause(r, node, &selection->clauses[0]);
  WeftResult result = WEFT_RESULT_OK;
  int32_t child = weft_json_node(r->json, node)->first;
  for (int32_t i = 0; i < count && !result; i++, child = weft_json_node(r->json, child)->next)
    result = read_clause(r, child, &selection->clauses[i]);
  return result;
}

WeftResult weft_scene_check_selection(WeftReader *r, const WeftSelection *selection, WeftMeshSource source) {
  static const int32_t rectangle_sides =
      1 << WEFT_SIDE_LEFT | 1 << WEFT_SIDE_RIGHT | 1 << WEFT_SIDE_BOTTOM | 1 << WEFT_SIDE_TOP;
  int32_t known = source == WEFT_MESH_RECTANGLE || source == WEFT_MESH_RIBBON ? rectangle_sides
                  : source == WEFT_MESH_DISC                                  ? 1 << WEFT_SIDE_RIM
                  : source == WEFT_MESH_TUBE ? 1 << WEFT_SIDE_BOTTOM | 1 << WEFT_SIDE_TOP
                                             : 0;
  for (int32_t i = 0; i < selection->clause_count; i++) {
    const WeftClause *clause = &selection->clauses[i];
    if (clause->kind != WEFT_CLAUSE_SIDES || !(clause->sides & ~known)) continue;
    const char *has = source == WEFT_MESH_RECTANGLE ? "a rectangle has the sides left, right, bottom, top"
                      : source == WEFT_MESH_RIBBON  ? "a ribbon has the sides left, right, bottom, top"
                      : source == WEFT_MESH_DISC    ? "a disc has the side rim and no corners"
                      : source == WEFT_MESH_TUBE    ? "a tube has the sides bottom and top and no corners"
                      : source == WEFT_MESH_FILE || source == WEFT_MESH_INLINE
                          ? "a mesh that was not generated has no named sides; use vertices, "
                            "box or nearest"
                          : "a solid has no named sides; use vertices, box or nearest";
    return weft_json_fail(r->json, clause->node, r->error, WEFT_RESULT_INVALID_DATA, "%s", has);
  }
  return WEFT_RESULT_OK;
}
