/* From clauses to vertices. */
#include "base/memory.h"
#include "scene/scene.h"

#include <stdlib.h>

/* A box reaches a micrometre further than it says [m]: far less than any edge, far more than rounding. */
#define BOX_TOLERANCE 1e-6

static bool is_in_box(const double *x, double box[2][3]) {
  for (int axis = 0; axis < 3; axis++)
    if (x[axis] < box[0][axis] - BOX_TOLERANCE || x[axis] > box[1][axis] + BOX_TOLERANCE) return false;
  return true;
}

/* The first of the nearest. */
static int32_t find_nearest(const WeftMesh *mesh, const double point[3]) {
  int32_t nearest = 0;
  double least = INFINITY;
  for (int32_t i = 0; i < mesh->vertex_count; i++) {
    const double *x = mesh->positions + 3 * (size_t)i;
    double distance = hypot(hypot(x[0] - point[0], x[1] - point[1]), x[2] - point[2]);
    if (distance < least) {
      least = distance;
      nearest = i;
    }
  }
  return nearest;
}

static WeftResult mark_listed(WeftReader *r, const WeftClause *clause, int32_t vertex_count, bool *marks) {
  for (int32_t i = 0; i < clause->vertex_count; i++) {
    if (clause->vertices[i] >= vertex_count) {
      int32_t list = weft_json_member(r->json, clause->node, "vertices", 8);
      return weft_json_fail(r->json, weft_json_item(r->json, list, i), r->error, WEFT_RESULT_INVALID_DATA,
                            "vertex %d is not there: the mesh has %d", clause->vertices[i], vertex_count);
    }
    marks[clause->vertices[i]] = true;
  }
  return WEFT_RESULT_OK;
}

static WeftResult mark_clause(WeftReader *r, WeftClause *clause, const WeftShape *shape, bool *marks) {
  const WeftMesh *mesh = &shape->mesh;
  if (clause->kind == WEFT_CLAUSE_VERTICES) return mark_listed(r, clause, mesh->vertex_count, marks);
  if (clause->kind == WEFT_CLAUSE_NEAREST) {
    marks[find_nearest(mesh, clause->box[0])] = true;
    return WEFT_RESULT_OK;
  }
  int32_t found = 0;
  for (int32_t i = 0; i < mesh->vertex_count; i++) {
    bool is_in = clause->kind == WEFT_CLAUSE_ALL ? true
                 : clause->kind == WEFT_CLAUSE_SIDES
                     ? (shape->sides[i] & clause->sides) == clause->sides
                     : is_in_box(mesh->positions + 3 * (size_t)i, clause->box);
    if (!is_in) continue;
    marks[i] = true;
    found++;
  }
  if (!found)
    return weft_json_fail(r->json, clause->node, r->error, WEFT_RESULT_INVALID_DATA,
                          "selects no vertex; positions are meant after the transform");
  return WEFT_RESULT_OK;
}

WeftResult weft_scene_resolve(WeftReader *r, WeftSelection *selection, const WeftShape *shape) {
  int32_t count = shape->mesh.vertex_count, used = 0;
  bool *marks = WEFT_NEW(bool, count);
  if (!marks) return weft_fail_memory(r->error, "a selection");
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t i = 0; i < selection->clause_count && !result; i++)
    result = mark_clause(r, &selection->clauses[i], shape, marks);
  for (int32_t i = 0; i < count; i++) used += marks[i];
  selection->vertices = result ? NULL : weft_blocks_alloc(r->blocks, (size_t)used, sizeof(int32_t));
  if (!result && !selection->vertices) result = weft_fail_memory(r->error, "a selection");
  for (int32_t i = 0; i < count && !result; i++)
    if (marks[i]) selection->vertices[selection->vertex_count++] = i;
  free(marks);
  return result;
}
