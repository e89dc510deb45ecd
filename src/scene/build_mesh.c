/* The mesh of a cloth: read, generated or copied, then transformed; and its rest shape from another file. */
#include "base/memory.h"
#include "base/read_file.h"
#include "io/mesh_read.h"
#include "mesh/accept.h"
#include "scene/build.h"

#include <stdlib.h>
#include <string.h>

/* Trouble in a mesh is told with the place in the scene that asked for it. */
static WeftResult pass_on(WeftReader *r, int32_t node, WeftResult result, const WeftError *inner) {
  if (result) weft_json_fail(r->json, node, r->error, result, "%.600s", inner->message);
  return result;
}

static WeftResult read_mesh_file(WeftReader *r, int32_t node, const char *name, WeftMesh *mesh) {
  char *path = weft_join_path(r->folder, name), *bytes = NULL;
  size_t size = 0;
  if (!path) return weft_fail_memory(r->error, name);
  WeftError inner = {0};
  WeftResult result = weft_read_file(path, &bytes, &size, &inner);
  if (!result) result = weft_mesh_parse(bytes, size, path, mesh, &inner);
  if (!result) result = weft_mesh_accept(mesh, path, r->log, &inner);
  free(bytes);
  free(path);
  return pass_on(r, node, result, &inner);
}

/* Copies, because meshes are freed with weft_mesh_free; one uv a vertex becomes one a corner. */
static WeftResult copy_inline(WeftReader *r, const WeftSceneMesh *from, WeftMesh *mesh) {
  const WeftMesh *given = &from->given;
  size_t vertices = (size_t)given->vertex_count, corners = 3 * (size_t)given->triangle_count;
  mesh->vertex_count = given->vertex_count;
  mesh->triangle_count = given->triangle_count;
  mesh->positions = weft_copy(given->positions, 3 * vertices, sizeof(double));
  mesh->triangles = weft_copy(given->triangles, corners, sizeof(int32_t));
  if (from->given_uvs) mesh->uvs = WEFT_NEW(double, 2 * corners);
  if (!mesh->positions || !mesh->triangles || (from->given_uvs && !mesh->uvs))
    return weft_fail_memory(r->error, "an inline mesh");
  for (size_t i = 0; from->given_uvs && i < corners; i++)
    memcpy(mesh->uvs + 2 * i, from->given_uvs + 2 * (size_t)given->triangles[i], 2 * sizeof(double));
  if (!given->triangle_count) return WEFT_RESULT_OK; /* a net of links: there is nothing to inspect */
  WeftError inner = {0};
  return pass_on(r, from->node, weft_mesh_accept(mesh, r->json->name, r->log, &inner), &inner);
}

static WeftResult make_shape(WeftReader *r, const WeftSceneMesh *from, WeftShape *shape) {
  WeftError inner = {0};
  WeftPattern pattern = (WeftPattern)from->pattern;
  switch (from->source) {
    case WEFT_MESH_FILE:
      return read_mesh_file(r, from->node, from->file, &shape->mesh);
    case WEFT_MESH_INLINE:
      return copy_inline(r, from, &shape->mesh);
    case WEFT_MESH_RECTANGLE:
      return pass_on(r, from->node,
                     weft_generate_rectangle(shape, from->width, from->height, from->columns, from->rows,
                                             pattern, &inner),
                     &inner);
    case WEFT_MESH_DISC:
      return pass_on(r, from->node, weft_generate_disc(shape, from->radius, from->rings, &inner), &inner);
    case WEFT_MESH_TUBE:
      return pass_on(
          r, from->node,
          weft_generate_tube(shape, from->radius, from->height, from->columns, from->rows, pattern, &inner),
          &inner);
  }
  return WEFT_RESULT_OK;
}

static WeftResult apply_transform(WeftReader *r, WeftSceneCloth *cloth) {
  WeftMesh *mesh = &cloth->shape.mesh;
  double(*m)[4] = cloth->transform;
  for (int32_t i = 0; i < mesh->vertex_count; i++) {
    double *x = mesh->positions + 3 * (size_t)i, moved[3];
    for (int k = 0; k < 3; k++) {
      moved[k] = m[k][0] * x[0] + m[k][1] * x[1] + m[k][2] * x[2] + m[k][3];
      if (!isfinite(moved[k]))
        return weft_json_fail(r->json, cloth->node, r->error, WEFT_RESULT_INVALID_DATA,
                              "vertex %d is not finite after the transform", i);
    }
    memcpy(x, moved, sizeof moved);
  }
  return WEFT_RESULT_OK;
}

static WeftResult read_rest_file(WeftReader *r, WeftSceneCloth *cloth) {
  WeftMesh *rest = &cloth->rest_mesh;
  const WeftMesh *mesh = &cloth->shape.mesh;
  WeftResult result = read_mesh_file(r, cloth->rest.node, cloth->rest.file, rest);
  if (result) return result;
  size_t corners = 3 * (size_t)mesh->triangle_count;
  if (rest->vertex_count == mesh->vertex_count && rest->triangle_count == mesh->triangle_count &&
      !memcmp(rest->triangles, mesh->triangles, corners * sizeof(int32_t)))
    return WEFT_RESULT_OK;
  return weft_json_fail(
      r->json, cloth->rest.node, r->error, WEFT_RESULT_INVALID_DATA,
      "expected the same triangles as in the mesh (%d vertices, %d triangles), got other ones "
      "(%d vertices, %d triangles)",
      mesh->vertex_count, mesh->triangle_count, rest->vertex_count, rest->triangle_count);
}

/* uvs in metres, when they are the rest shape. */
static WeftResult scale_uvs(WeftReader *r, WeftSceneCloth *cloth) {
  WeftMesh *mesh = &cloth->shape.mesh;
  if (!mesh->uvs)
    return weft_json_fail(r->json, cloth->rest.node, r->error, WEFT_RESULT_INVALID_DATA,
                          "the mesh has no uvs to take the rest shape from");
  for (size_t i = 0; i < 6 * (size_t)mesh->triangle_count; i++) mesh->uvs[i] *= cloth->rest.uv_scale;
  return WEFT_RESULT_OK;
}

WeftResult weft_scene_build_mesh(WeftReader *r, WeftSceneCloth *cloth) {
  WeftResult result = make_shape(r, &cloth->mesh, &cloth->shape);
  if (!result) result = apply_transform(r, cloth);
  if (!result && cloth->rest.source == WEFT_REST_FILE) result = read_rest_file(r, cloth);
  if (!result && cloth->rest.source == WEFT_REST_UV) result = scale_uvs(r, cloth);
  return result;
}
