/* "jitter": start positions moved by chance, the same chance for the same seed on every machine. */
#include "base/memory.h"
#include "scene/build.h"

#include <math.h>

/* A whole number becomes another one that looks like chance: the generator SplitMix64 [Steele14, fig. 17]. */
static uint64_t mix(uint64_t z) {
  z += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

/* Between -1 and 1; by hashing, not in a sequence, so that a vertex does not depend on the others. */
static double chance(int32_t seed, int32_t cloth, size_t coordinate) {
  uint64_t bits = mix(mix(mix((uint64_t)seed) + (uint64_t)cloth) + coordinate) >> 11; /* 53 of them */
  return (double)bits * 0x1p-52 - 1;
}

/* Over the sides of all triangles; so an edge of two triangles counts twice. */
static double mean_edge(const WeftMesh *mesh) {
  double sum = 0;
  size_t sides = 3 * (size_t)mesh->triangle_count;
  for (size_t i = 0; i < sides; i++) {
    size_t next = i % 3 == 2 ? i - 2 : i + 1;
    const double *a = mesh->positions + 3 * (size_t)mesh->triangles[i];
    const double *b = mesh->positions + 3 * (size_t)mesh->triangles[next];
    double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    sum += sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  }
  return sum / (double)sides;
}

WeftResult weft_scene_build_jitter(WeftReader *r, WeftSceneCloth *cloth, int32_t index) {
  const WeftSceneJitter *jitter = &cloth->jitter;
  WeftMesh *mesh = &cloth->shape.mesh;
  if (jitter->node < 0) return WEFT_RESULT_OK;
  if (!mesh->triangle_count)
    return weft_json_fail(r->json, jitter->node, r->error, WEFT_RESULT_INVALID_DATA,
                          "a net of links has no triangles to measure the jitter by; leave jitter out");
  size_t coordinates = 3 * (size_t)mesh->vertex_count;
  if (!cloth->rest_mesh.positions)
    cloth->rest_mesh.positions = weft_copy(mesh->positions, coordinates, sizeof(double));
  if (!cloth->rest_mesh.positions) return weft_fail_memory(r->error, "a rest shape");
  double most = jitter->amount * mean_edge(mesh); /* [m] */
  for (size_t i = 0; i < coordinates; i++) mesh->positions[i] += most * chance(jitter->seed, index, i);
  return WEFT_RESULT_OK;
}
