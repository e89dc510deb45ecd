/* Where the yarns of a cloth run: as its uv says, or, for one that lies flat in the first frame, along its
 * rows of triangles. */
#include "cli/shots.h"
#include "device/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Real yarns are thinner than a pixel in most pictures: these are drawn as wide as fabric's look needs. */
static const double yarns_across = 240;

static Vec3 unit(Vec3 v) {
  double length = v3_length(v);
  return length > 0 ? v3_scale(1 / length, v) : v;
}

/* Twice the sum of all triangles' area vectors. */
static Vec3 area_vector(const WeftMesh *mesh) {
  Vec3 sum = vec3(0, 0, 0);
  for (int32_t t = 0; t < mesh->triangle_count; t++) {
    const int32_t *corner = mesh->triangles + 3 * (size_t)t;
    Vec3 a = load3(mesh->positions, corner[0]);
    sum = v3_add(sum, v3_cross(v3_sub(load3(mesh->positions, corner[1]), a),
                               v3_sub(load3(mesh->positions, corner[2]), a)));
  }
  return sum;
}

static double diagonal(const WeftMesh *mesh) {
  Vec3 origin = load3(mesh->positions, 0);
  double most = 0;
  for (int32_t v = 0; v < mesh->vertex_count; v++)
    most = fmax(most, v3_length(v3_sub(load3(mesh->positions, v), origin)));
  return most;
}

/* NULL, and nothing to see, for a cloth that does not lie flat. *is_broken: out of memory. */
static double *flat_uvs(const WeftMesh *mesh, bool *is_broken) {
  const double flat = 0.01; /* of its size, what a vertex may be off the plane */
  if (mesh->triangle_count == 0) return NULL;
  Vec3 n = unit(area_vector(mesh)), origin = load3(mesh->positions, mesh->triangles[0]);
  Vec3 row = v3_sub(load3(mesh->positions, mesh->triangles[1]), origin);
  Vec3 u = unit(v3_axpy(row, -v3_dot(row, n), n)), v = v3_cross(n, u);
  double most = flat * diagonal(mesh);
  for (int32_t i = 0; i < mesh->vertex_count; i++)
    if (!(fabs(v3_dot(v3_sub(load3(mesh->positions, i), origin), n)) <= most)) return NULL;
  double *uvs = calloc(6 * (size_t)mesh->triangle_count + 1, sizeof *uvs);
  *is_broken = !uvs;
  for (int32_t k = 0; uvs && k < 3 * mesh->triangle_count; k++) {
    Vec3 x = v3_sub(load3(mesh->positions, mesh->triangles[k]), origin);
    uvs[2 * (size_t)k] = v3_dot(x, u);
    uvs[2 * (size_t)k + 1] = v3_dot(x, v);
  }
  return uvs;
}

static double *copy_uvs(const WeftMesh *mesh, bool *is_broken) {
  size_t size = 6 * sizeof(double) * (size_t)mesh->triangle_count;
  double *uvs = malloc(size + 1);
  *is_broken = !uvs;
  return uvs ? memcpy(uvs, mesh->uvs, size) : NULL;
}

/* The larger side of the box around all uv. */
static double extent(const double *uvs, int32_t triangle_count) {
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  for (size_t k = 0; k < 6 * (size_t)triangle_count; k++) {
    low[k % 2] = fmin(low[k % 2], uvs[k]);
    high[k % 2] = fmax(high[k % 2], uvs[k]);
  }
  return fmax(high[0] - low[0], high[1] - low[1]);
}

bool shots_weave(Shots *shots) {
  CheckSource *source = &shots->source;
  if (!source->cache && !source->is_still) return true; /* every file may have another mesh */
  if (!source_read(source, 0)) return false;
  bool is_broken = false;
  for (int32_t c = 0; c < source->cloth_count && !is_broken; c++) {
    const WeftMesh *mesh = &source->meshes[c];
    shots->uvs[c] = mesh->uvs ? copy_uvs(mesh, &is_broken) : flat_uvs(mesh, &is_broken);
    if (!shots->uvs[c]) continue;
    double yarn = extent(shots->uvs[c], mesh->triangle_count) / yarns_across;
    if (!(yarn > 0) || !isfinite(yarn)) continue;
    shots->parts[c].uvs = shots->uvs[c];
    shots->parts[c].yarn = yarn;
  }
  return !is_broken || fail("out of memory") == EXIT_FINE;
}
