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

/* All an obstacle's mesh has to be; its readers have looked at the indices. */
static WeftResult check_finite(const WeftMesh *mesh, const char *name, WeftError *error) {
  for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++) {
    if (isfinite(mesh->positions[i])) continue;
    return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                     "%s: vertex %zu, counted from 0, is not finite (%c = %g); correct the file", name, i / 3,
                     "xyz"[i % 3], mesh -> positions[i]);
  }
  return WEFT_RESULT_OK;
}

WeftResult weft_scene_read_mesh_file(WeftReader *r, int32_t node, const char *name, bool is_cloth,
                                     WeftMesh *mesh, uint64_t *faces) {
  char *path = weft_join_path(r->folder, name), *bytes = NULL;
  size_t size = 0;
  if (!path) return weft_fail_memory(r->error, name);
  WeftError inner = {0};
  WeftResult result = weft_read_file(path, &bytes, &size, &inner);
  if (!result) result = weft_mesh_parse_faces(bytes, size, path, mesh, faces, &inner);
  if (!result)
    result = is_cloth ? weft_mesh_accept(mesh, path, r->log, &inner) : check_finite(mesh, path, &inner);
  free(bytes);
  free(path);
  return pass_on(r, node, result, &inner);
}

static WeftResult read_mesh_file(WeftReader *r, int32_t node, const char *name, WeftMesh *mesh) {
  uint64_t faces;
  return weft_scene_read_mesh_file(r, node, name, true, mesh, &faces);
}

/* Copies, because meshes are freed with weft_mesh_free; one uv a vertex becomes one a corner. */
static WeftResult copy_inline(WeftReader *r, const WeftSceneMesh *from, bool is_cloth, WeftMesh *mesh) {
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
  if (!given->triangle_count || !is_cloth) return WEFT_RESULT_OK; /* a net of links has nothing to inspect */
  WeftError inner = {0};
  return pass_on(r, from->node, weft_mesh_accept(mesh, r->json->name, r->log, &inner), &inner);
}

static WeftResult generate(const WeftSceneMesh *m, WeftShape *shape, WeftError *error) {
  WeftPattern pattern = (WeftPattern)m->pattern;
  switch (m->source) {
    case WEFT_MESH_RECTANGLE:
      return weft_generate_rectangle(shape, m->width, m->height, m->columns, m->rows, pattern, error);
    case WEFT_MESH_DISC:
      return weft_generate_disc(shape, m->radius, m->rings, error);
    case WEFT_MESH_TUBE:
      return weft_generate_tube(shape, m->radius, m->top_radius, m->height, m->columns, m->rows, pattern,
                                error);
    case WEFT_MESH_RIBBON:
      return weft_generate_ribbon(shape, m->given.positions, m->given.vertex_count, m->width, m->columns,
                                  m->rows, error);
    case WEFT_MESH_BOX:
      return weft_generate_box(shape, m->size, m->cells, error);
    case WEFT_MESH_SPHERE:
      return weft_generate_sphere(shape, m->radius, m->columns, m->rows, error);
    case WEFT_MESH_CYLINDER:
      return weft_generate_cylinder(shape, m->radius, m->height, m->columns, m->rows, error);
    case WEFT_MESH_CONE:
      return weft_generate_cone(shape, m->radius, m->top_radius, m->height, m->columns, m->rows, error);
    case WEFT_MESH_FUNNEL:
      return weft_generate_funnel(shape, m->radius, m->neck_radius, m->height, m->neck_height, m->columns,
                                  m->rows, m->neck_rows, error);
    case WEFT_MESH_CAPSULE:
      return weft_generate_capsule(shape, m->radius, m->height, m->columns, m->rows, m->cap_rows, error);
    case WEFT_MESH_TORUS:
      return weft_generate_torus(shape, m->radius, m->tube_radius, m->columns, m->rows, error);
    case WEFT_MESH_LATHE:
      return weft_generate_turned(shape, m->given_uvs, m->given_uv_count, m->columns, error);
    case WEFT_MESH_FILE:
    case WEFT_MESH_INLINE:
      break;
  }
  return WEFT_RESULT_OK;
}

WeftResult weft_scene_make_shape(WeftReader *r, const WeftSceneMesh *from, bool is_cloth, WeftShape *shape) {
  uint64_t faces;
  if (from->source == WEFT_MESH_FILE)
    return weft_scene_read_mesh_file(r, from->node, from->file, is_cloth, &shape->mesh, &faces);
  if (from->source == WEFT_MESH_INLINE) return copy_inline(r, from, is_cloth, &shape->mesh);
  WeftError inner = {0};
  return pass_on(r, from->node, generate(from, shape, &inner), &inner);
}

WeftResult weft_scene_transform(WeftReader *r, int32_t node, const double (*m)[4], WeftMesh *mesh) {
  for (int32_t i = 0; i < mesh->vertex_count; i++) {
    double *x = mesh->positions + 3 * (size_t)i, moved[3];
    for (int k = 0; k < 3; k++) {
      moved[k] = m[k][0] * x[0] + m[k][1] * x[1] + m[k][2] * x[2] + m[k][3];
      if (!isfinite(moved[k]))
        return weft_json_fail(r->json, node, r->error, WEFT_RESULT_INVALID_DATA,
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
  WeftResult result = weft_scene_make_shape(r, &cloth->mesh, true, &cloth->shape);
  if (!result)
    result = weft_scene_transform(r, cloth->node, (const double(*)[4])cloth->transform, &cloth->shape.mesh);
  if (!result && cloth->rest.source == WEFT_REST_FILE) result = read_rest_file(r, cloth);
  if (!result && cloth->rest.source == WEFT_REST_UV) result = scale_uvs(r, cloth);
  return result;
}
