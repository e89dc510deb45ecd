/* A mesh as a cache with one frame, so that the page has one format to read. */
#include "base/checksum.h"
#include "base/memory.h"
#include "io/cache.h"
#include "view/source.h"

#include <math.h>
#include <stdlib.h>
#include <weft/scene.h>

static size_t round_up(size_t size) { return (size + 7) / 8 * 8; }

static bool is_usable(const WeftMesh *mesh) {
  for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++)
    if (!isfinite(mesh->positions[i])) return false;
  for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
    if (mesh->triangles[i] < 0 || mesh->triangles[i] >= mesh->vertex_count) return false;
  return true;
}

static void put_checksum(unsigned char *bytes, size_t size) {
  uint64_t checksum = weft_checksum(bytes, size - sizeof checksum);
  memcpy(bytes + size - sizeof checksum, &checksum, sizeof checksum);
}

static bool put(const WeftMesh *mesh, unsigned char **bytes, size_t *size) {
  static const char name[8] = "mesh";
  size_t vertices = (size_t)mesh->vertex_count, triangles = (size_t)mesh->triangle_count;
  size_t corners = 3 * triangles * sizeof *mesh->triangles, numbers = 3 * vertices * sizeof *mesh->positions;
  WeftCacheHead head = {.version = WEFT_CACHE_VERSION_CLOTHS,
                        .byte_order = WEFT_CACHE_BYTE_ORDER,
                        .frame_rate = 1,
                        .time_step = 1,
                        .cloth_count = 1};
  WeftCacheBodyHead body = {4, (uint32_t)vertices, (uint32_t)triangles, 0};
  WeftCacheRecord record = {.size = sizeof record + numbers + sizeof(uint64_t)};
  size_t name_size = 8; /* an empty scene's name */
  head.size = sizeof head + name_size + sizeof body + sizeof name + round_up(corners) + sizeof(uint64_t);
  memcpy(head.magic, "weftcach", sizeof head.magic);
  memcpy(record.magic, "weftfram", sizeof record.magic);
  *size = (size_t)(head.size + record.size);
  *bytes = WEFT_NEW(unsigned char, *size);
  if (!*bytes) return false;
  unsigned char *at = *bytes;
  memcpy(at, &head, sizeof head);
  at += sizeof head + name_size;
  memcpy(at, &body, sizeof body);
  memcpy(at + sizeof body, name, sizeof name);
  if (corners) memcpy(at + sizeof body + sizeof name, mesh->triangles, corners);
  put_checksum(*bytes, (size_t)head.size);
  at = *bytes + head.size;
  memcpy(at, &record, sizeof record);
  if (numbers) memcpy(at + sizeof record, mesh->positions, numbers);
  put_checksum(at, (size_t)record.size);
  return true;
}

WeftResult weft_view_mesh_cache(const char *path, unsigned char **bytes, size_t *size, WeftError *error) {
  WeftMesh mesh = {0};
  *bytes = NULL;
  WeftResult result = weft_mesh_read(path, &mesh, error);
  if (!result && !is_usable(&mesh))
    result = weft_fail(error, WEFT_RESULT_INVALID_DATA,
                       "%s: the mesh has numbers or corners out of range; `weft info` names them", path);
  if (!result && !put(&mesh, bytes, size)) result = weft_fail_memory(error, path);
  weft_mesh_free(&mesh);
  return result;
}
