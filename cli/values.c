#include "cli/values.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const ValueFacts value_facts[VALUE_COUNT] = {
    {"strain-warp", "strain along warp", "%", 100, true,
     "how much longer the cloth is along its warp than at rest"},
    {"strain-weft", "strain along weft", "%", 100, true, "the same along the weft"},
    {"shear", "shear angle", "deg", 57.29577951308232, true,
     "by how much warp and weft are off the right angle"},
    {"bending", "curvature", "1/m", 1, false,
     "how much more the cloth is bent than at rest, at the most bent edge"},
    {"speed", "speed", "m/s", 1, false, "of every vertex"},
    {"gap", "gap", "mm", 1000, false, "distance to other cloth, obstacles and far parts of the same cloth"},
    {"pressure", "contact pressure", "Pa", 1, false, "of what the cloth touches; of runs with collision"},
};

static WeftResult make_world(ValueMeter *meter, const WeftMesh *rest, WeftError *error) {
  WeftWorldDef def = weft_default_world_def();
  def.threads = 1;
  WeftResult result = weft_world_create(&def, &meter->world, error);
  for (int32_t c = 0; c < meter->cloth_count && result == WEFT_RESULT_OK; c++) {
    WeftClothDef cloth = weft_default_cloth_def();
    cloth.vertex_count = rest[c].vertex_count;
    cloth.positions = rest[c].positions;
    cloth.triangle_count = rest[c].triangle_count;
    cloth.triangles = rest[c].triangles;
    cloth.rest_uv = rest[c].uvs;
    result = weft_world_add_cloth(meter->world, &cloth, &(int32_t){0}, error);
  }
  return result;
}

/* All meshes one behind the other, as detection wants them. */
static WeftResult make_detection(ValueMeter *meter, const WeftMesh *rest, WeftError *error) {
  WeftDetectDef def = weft_default_detect_def();
  def.threads = 1;
  for (int32_t m = 0; m < meter->mesh_count; m++) {
    meter->first_vertex[m] = def.vertex_count;
    def.vertex_count += rest[m].vertex_count;
    def.triangle_count += rest[m].triangle_count;
  }
  meter->first_vertex[meter->mesh_count] = def.vertex_count;
  meter->positions = WEFT_NEW(double, 3 * (size_t)def.vertex_count);
  meter->rest = WEFT_NEW(double, 3 * (size_t)def.vertex_count);
  int32_t *triangles = WEFT_NEW(int32_t, 3 * (size_t)def.triangle_count);
  uint8_t *is_obstacle = WEFT_NEW(uint8_t, def.triangle_count);
  WeftResult result = WEFT_RESULT_OK;
  if (!meter->positions || !meter->rest || !triangles || !is_obstacle)
    result = weft_fail_memory(error, "the gaps of a picture");
  for (int32_t m = 0, t = 0; m < meter->mesh_count && result == WEFT_RESULT_OK; m++) {
    memcpy(meter->rest + 3 * (size_t)meter->first_vertex[m], rest[m].positions,
           3 * sizeof(double) * (size_t)rest[m].vertex_count);
    for (int32_t i = 0; i < rest[m].triangle_count; i++, t++) {
      is_obstacle[t] = m >= meter->cloth_count;
      for (int k = 0; k < 3; k++)
        triangles[3 * t + k] = meter->first_vertex[m] + rest[m].triangles[3 * i + k];
    }
  }
  def.triangles = triangles;
  def.is_obstacle = is_obstacle;
  if (result == WEFT_RESULT_OK) result = weft_detection_create(&def, &meter->detection, error);
  free(triangles);
  free(is_obstacle);
  return result;
}

WeftResult value_meter_open(ValueMeter *meter, ValueKind kind, int32_t mesh_count, int32_t cloth_count,
                            const WeftMesh *rest, WeftWorld *world, double reach, WeftError *error) {
  *meter = (ValueMeter){.kind = kind, .mesh_count = mesh_count, .cloth_count = cloth_count, .world = world};
  meter->reach = reach;
  meter->first_vertex = WEFT_NEW(int32_t, mesh_count + 1);
  if (!meter->first_vertex) return weft_fail_memory(error, "the values of a picture");
  if (kind == VALUE_SPEED || kind == VALUE_PRESSURE) return WEFT_RESULT_OK;
  if (kind == VALUE_GAP) return make_detection(meter, rest, error);
  return world ? WEFT_RESULT_OK : make_world(meter, rest, error);
}

void value_meter_close(ValueMeter *meter) {
  weft_world_destroy(meter->world);
  weft_detection_destroy(meter->detection);
  free(meter->first_vertex);
  free(meter->positions);
  free(meter->rest);
}

/* The shear angle [rad] from |w_u| - 1, |w_v| - 1 and w_u.w_v. */
static double shear_angle(const double strain[3]) {
  double lengths = (1 + strain[0]) * (1 + strain[1]);
  return lengths > 0 ? asin(fmin(fmax(strain[2] / lengths, -1), 1)) : 0;
}

/* The mean over the faces around a vertex. */
static WeftResult measure_faces(ValueMeter *meter, int32_t cloth, const WeftMesh *mesh, double *values,
                                WeftError *error) {
  double *strains = WEFT_NEW(double, 3 * (size_t)mesh->triangle_count);
  double *counts = WEFT_NEW(double, mesh->vertex_count);
  WeftResult result = strains && counts ? weft_world_face_strains(meter->world, cloth, strains, error)
                                        : weft_fail_memory(error, "the strains of a picture");
  for (int32_t k = 0; k < 3 * mesh->triangle_count && result == WEFT_RESULT_OK; k++) {
    const double *strain = strains + 3 * (size_t)(k / 3);
    values[mesh->triangles[k]] +=
        meter->kind == VALUE_SHEAR ? shear_angle(strain) : strain[meter->kind == VALUE_STRAIN_WEFT];
    counts[mesh->triangles[k]]++;
  }
  for (int32_t v = 0; v < mesh->vertex_count && result == WEFT_RESULT_OK; v++)
    values[v] /= fmax(counts[v], 1);
  free(strains);
  free(counts);
  return result;
}

/* The largest over the hinges whose edge ends at a vertex. */
static WeftResult measure_hinges(ValueMeter *meter, int32_t cloth, double *values, WeftError *error) {
  int32_t count;
  WeftResult result = weft_world_hinge_count(meter->world, cloth, &count, error);
  if (result != WEFT_RESULT_OK) return result;
  int32_t *hinges = WEFT_NEW(int32_t, 4 * (size_t)count);
  double *bends = WEFT_NEW(double, 2 * (size_t)count);
  if (!hinges || !bends) result = weft_fail_memory(error, "the hinges of a picture");
  if (result == WEFT_RESULT_OK) result = weft_world_hinges(meter->world, cloth, hinges, error);
  if (result == WEFT_RESULT_OK) result = weft_world_hinge_values(meter->world, cloth, bends, error);
  for (int32_t k = 0; k < 2 * count && result == WEFT_RESULT_OK; k++) {
    double *value = &values[hinges[4 * (k / 2) + k % 2]];
    *value = fmax(*value, fabs(bends[2 * (size_t)(k / 2)]));
  }
  free(hinges);
  free(bends);
  return result;
}

static int32_t mesh_of(const ValueMeter *meter, int32_t vertex) {
  int32_t mesh = 0;
  while (vertex >= meter->first_vertex[mesh + 1]) mesh++;
  return mesh;
}

/* Neighbours on the same cloth are always close: they count only where they are far in the rest shape. */
static bool are_far_at_rest(const ValueMeter *meter, const int32_t four[4], int split) {
  for (int a = 0; a < split; a++) {
    for (int b = split; b < 4; b++) {
      const double *p = meter->rest + 3 * (size_t)four[a], *q = meter->rest + 3 * (size_t)four[b];
      if (hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]) < 3 * meter->reach) return false;
    }
  }
  return true;
}

static void take_pairs(const ValueMeter *meter, const WeftDetectedPairs *pairs, int split,
                       double *const *values) {
  for (int64_t i = 0; i < pairs->count; i++) {
    const int32_t *four = pairs->vertices + 4 * i;
    int32_t first = mesh_of(meter, four[0]), second = mesh_of(meter, four[3]);
    if (first == second && !are_far_at_rest(meter, four, split)) continue;
    for (int k = 0; k < 4; k++) {
      int32_t mesh = k < split ? first : second;
      if (mesh >= meter->cloth_count) continue;
      double *value = &values[mesh][four[k] - meter->first_vertex[mesh]];
      *value = fmin(*value, pairs->values[i]);
    }
  }
}

static WeftResult measure_gaps(ValueMeter *meter, const WeftMesh *meshes, double *const *values,
                               WeftError *error) {
  for (int32_t m = 0; m < meter->mesh_count; m++)
    memcpy(meter->positions + 3 * (size_t)meter->first_vertex[m], meshes[m].positions,
           3 * sizeof(double) * (size_t)meshes[m].vertex_count);
  for (int32_t c = 0; c < meter->cloth_count; c++)
    for (int32_t v = 0; v < meshes[c].vertex_count; v++) values[c][v] = meter->reach;
  WeftDetected found;
  WeftResult result = weft_detection_close(meter->detection, meter->positions, meter->reach, &found, error);
  if (result != WEFT_RESULT_OK) return result;
  take_pairs(meter, &found.vertex_face, 1, values);
  take_pairs(meter, &found.edge_edge, 2, values);
  return WEFT_RESULT_OK;
}

/* Files of a sequence can differ in more than positions. */
static WeftResult check_sizes(const ValueMeter *meter, const WeftMesh *meshes, WeftError *error) {
  for (int32_t m = 0; m < meter->mesh_count; m++) {
    bool is_same = meter->kind == VALUE_GAP
                       ? meshes[m].vertex_count == meter->first_vertex[m + 1] - meter->first_vertex[m]
                       : m >= meter->cloth_count ||
                             (meshes[m].vertex_count == weft_world_vertex_count(meter->world, m) &&
                              meshes[m].triangle_count == weft_world_triangle_count(meter->world, m));
    if (!is_same)
      return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                       "a frame of %d vertices and %d triangles cannot be measured against a rest shape that "
                       "has other numbers",
                       meshes[m].vertex_count, meshes[m].triangle_count);
  }
  return WEFT_RESULT_OK;
}

WeftResult value_meter_measure(ValueMeter *meter, const WeftMesh *meshes, double *const *values,
                               WeftError *error) {
  WeftResult sizes = check_sizes(meter, meshes, error);
  if (sizes != WEFT_RESULT_OK) return sizes;
  if (meter->kind == VALUE_GAP) return measure_gaps(meter, meshes, values, error);
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t c = 0; c < meter->cloth_count && result == WEFT_RESULT_OK; c++) {
    memset(values[c], 0, sizeof(double) * (size_t)meshes[c].vertex_count);
    result = weft_world_set_state(meter->world, c, meshes[c].positions, NULL, error);
    if (result != WEFT_RESULT_OK) break;
    result = meter->kind == VALUE_BENDING ? measure_hinges(meter, c, values[c], error)
                                          : measure_faces(meter, c, &meshes[c], values[c], error);
  }
  return result;
}

void value_speeds(int32_t vertex_count, const double *before, const double *after, double seconds,
                  double *values) {
  for (int32_t v = 0; v < vertex_count; v++) {
    const double *a = before + 3 * (size_t)v, *b = after + 3 * (size_t)v;
    values[v] = hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]) / seconds;
  }
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

WeftResult value_quantile(int32_t count, const double *values, double share, double *quantile,
                          WeftError *error) {
  *quantile = 0;
  if (count == 0) return WEFT_RESULT_OK;
  double *sizes = WEFT_NEW(double, count);
  if (!sizes) return weft_fail_memory(error, "the range of a picture");
  for (int32_t i = 0; i < count; i++) sizes[i] = fabs(values[i]);
  qsort(sizes, (size_t)count, sizeof *sizes, compare);
  *quantile = sizes[(int32_t)(share * (count - 1))];
  free(sizes);
  return WEFT_RESULT_OK;
}
