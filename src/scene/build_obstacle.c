/* The meshes of an obstacle: one, or a file a frame. */
#include "base/memory.h"
#include "mesh/limits.h"
#include "scene/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* File number index of the sequence; NULL when out of memory. Freed with free. */
static char *file_name(const WeftSceneSequence *sequence, int32_t index) {
  if (!sequence->pattern) return weft_copy_text(sequence->files[index]);
  int32_t digits;
  const char *behind, *place = weft_scene_place_of_number(sequence->pattern, &digits, &behind);
  size_t size = strlen(sequence->pattern) + 16;
  char *name = WEFT_NEW(char, size);
  if (name)
    snprintf(name, size, "%.*s%0*d%s", (int)(place - sequence->pattern), sequence->pattern, (int)digits,
             (int)(sequence->first + index), behind);
  return name;
}

/* What was wrong with a file, and what to do about it. */
static WeftResult fail_frame(WeftReader *r, const WeftSceneSequence *sequence, int32_t index,
                             WeftResult result) {
  WeftError inner = {0};
  if (!r->error) return result;
  memcpy(&inner, r->error, sizeof inner);
  return weft_fail(r->error, result, "%.800s; this is frame %d of %d: %s", inner.message, index + 1,
                   sequence->file_count,
                   sequence->pattern ? "put the file there, or correct files, first and last"
                                     : "put the file there, or take it off the list");
}

static WeftResult fail_faces(WeftReader *r, int32_t node, const char *name, const WeftMesh *mesh,
                             const WeftMesh *first) {
  return weft_json_fail(
      r->json, node, r->error, WEFT_RESULT_INVALID_DATA,
      "%.200s (%d vertices, %d triangles) has other faces than the first frame (%d vertices, %d triangles); "
      "all frames need the same faces in the same order: export them from one mesh",
      name, mesh->vertex_count, mesh->triangle_count, first->vertex_count, first->triangle_count);
}

/* Room for all frames, once the first is known. */
static WeftResult make_room(WeftReader *r, WeftSceneObstacle *obstacle) {
  const WeftSceneSequence *sequence = &obstacle->sequence;
  int64_t vertices = (int64_t)obstacle->shape.mesh.vertex_count * sequence->file_count;
  if (vertices > WEFT_MAX_VERTICES)
    return weft_json_fail(r->json, sequence->node, r->error, WEFT_RESULT_INVALID_DATA,
                          "%d frames of %d vertices; at most %d vertices in all frames are possible",
                          sequence->file_count, obstacle->shape.mesh.vertex_count, WEFT_MAX_VERTICES);
  obstacle->frame_times = weft_blocks_alloc(r->blocks, (size_t)sequence->file_count, sizeof(double));
  obstacle->frame_positions = weft_blocks_alloc(r->blocks, 3 * (size_t)vertices, sizeof(double));
  return obstacle->frame_times && obstacle->frame_positions ? WEFT_RESULT_OK
                                                            : weft_fail_memory(r->error, "a sequence");
}

static WeftResult add_frame(WeftReader *r, WeftSceneObstacle *obstacle, int32_t index, double rate,
                            WeftMesh *mesh) {
  const WeftSceneSequence *sequence = &obstacle->sequence;
  size_t numbers = 3 * (size_t)mesh->vertex_count;
  WeftResult result = index ? WEFT_RESULT_OK : make_room(r, obstacle);
  if (!result)
    result = weft_scene_transform(r, sequence->node, (const double(*)[4])obstacle->transform, mesh);
  if (result) return result;
  obstacle->frame_times[index] = sequence->start + index / rate;
  memcpy(obstacle->frame_positions + numbers * (size_t)index, mesh->positions, numbers * sizeof(double));
  obstacle->frame_count = index + 1;
  return WEFT_RESULT_OK;
}

static WeftResult read_frame(WeftReader *r, WeftSceneObstacle *obstacle, int32_t index, double rate,
                             uint64_t *first_faces) {
  const WeftSceneSequence *sequence = &obstacle->sequence;
  int32_t node =
      sequence->pattern ? sequence->files_node : weft_json_item(r->json, sequence->files_node, index);
  char *name = file_name(sequence, index);
  if (!name) return weft_fail_memory(r->error, "a sequence");
  WeftMesh later = {0}, *mesh = index ? &later : &obstacle->shape.mesh;
  uint64_t faces = 0;
  WeftResult result = weft_scene_read_mesh_file(r, node, name, false, mesh, &faces);
  if (result == WEFT_RESULT_IO) result = fail_frame(r, sequence, index, result);
  if (!index) *first_faces = faces;
  if (!result && (faces != *first_faces || mesh->vertex_count != obstacle->shape.mesh.vertex_count))
    result = fail_faces(r, node, name, mesh, &obstacle->shape.mesh);
  if (!result) result = add_frame(r, obstacle, index, rate, mesh);
  weft_mesh_free(&later);
  free(name);
  return result;
}

WeftResult weft_scene_build_obstacle(WeftReader *r, WeftSceneObstacle *obstacle, double frame_rate) {
  const WeftSceneSequence *sequence = &obstacle->sequence;
  for (int k = 0; k < 3 && !obstacle->has_pivot; k++) obstacle->pivot[k] = obstacle->transform[k][3];
  if (sequence->node < 0) {
    WeftResult result = weft_scene_make_shape(r, &obstacle->mesh, false, &obstacle->shape);
    if (!result)
      result = weft_scene_transform(r, obstacle->node, (const double(*)[4])obstacle->transform,
                                    &obstacle->shape.mesh);
    return result;
  }
  double rate = isnan(sequence->frame_rate) ? frame_rate : sequence->frame_rate;
  uint64_t faces = 0;
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t i = 0; i < sequence->file_count && !result; i++)
    result = read_frame(r, obstacle, i, rate, &faces);
  return result;
}
