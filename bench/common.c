#include "common.h"
#include "find_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

void bench_require(WeftResult result, const WeftError *error) {
  if (!result) return;
  fprintf(stderr, "%s: %s\n", weft_result_name(result), error->message);
  exit(1);
}

void *bench_alloc(size_t bytes) {
  void *memory = calloc(1, bytes);
  if (!memory) {
    fprintf(stderr, "out of memory: %zu bytes\n", bytes);
    exit(1);
  }
  return memory;
}

void bench_print_machine(void) {
  char model[128], cache[128];
  find_line("/proc/cpuinfo", "model name", model);
  find_line("/proc/cpuinfo", "cache size", cache);
  double busy = 0; /* runnable processes, mean over a minute */
  FILE *load = fopen("/proc/loadavg", "r");
  if (load && fscanf(load, "%lf", &busy) != 1) busy = 0;
  if (load) fclose(load);
  WeftWorldDef def = weft_default_world_def();
  WeftWorld *world;
  WeftError error;
  bench_require(weft_world_create(&def, &world, &error), &error);
  printf("machine: %s, %d cores, cache %s, load %.1f; compiler: %s; instruction set: %s\n",
         model[0] ? model : "unknown CPU", world->threads, cache[0] ? cache : "unknown", busy, __VERSION__,
         weft_instruction_set());
  weft_world_destroy(world);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(int count, double *values) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

BenchSheet bench_sheet(int columns, int rows) {
  return (BenchSheet){.width = 1,
                      .height = 1,
                      .columns = columns,
                      .rows = rows,
                      .pattern = WEFT_PATTERN_ALTERNATING,
                      .material = weft_default_material(),
                      .def = weft_default_world_def()};
}

/* A number in [-1, 1) from a fixed sequence (Knuth's multiplier). */
static double wobble(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

static void roughen(WeftShape *shape, const BenchSheet *sheet) {
  uint64_t seed = 1;
  WeftMesh *mesh = &shape->mesh;
  for (int i = 0; i < mesh->vertex_count; i++) {
    if (shape->sides[i]) continue;
    mesh->positions[3 * i] += sheet->roughness * sheet->width / sheet->columns * wobble(&seed);
    mesh->positions[3 * i + 1] += sheet->roughness * sheet->height / sheet->rows * wobble(&seed);
  }
}

static WeftWorld *make(const BenchSheet *sheet, WeftShape *shape, bool is_upright) {
  WeftError error;
  WeftWorld *world;
  WeftMesh *mesh = &shape->mesh;
  bench_require(weft_generate_rectangle(shape, sheet->width, sheet->height, sheet->columns, sheet->rows,
                                        sheet->pattern, &error),
                &error);
  if (sheet->roughness > 0) roughen(shape, sheet);
  for (int i = 0; i < mesh->vertex_count && is_upright; i++) {
    mesh->positions[3 * i + 2] = mesh->positions[3 * i + 1];
    mesh->positions[3 * i + 1] = 0;
  }
  bench_require(weft_world_create(&sheet->def, &world, &error), &error);
  WeftClothDef cloth = weft_default_cloth_def();
  cloth.vertex_count = mesh->vertex_count;
  cloth.positions = mesh->positions;
  cloth.triangle_count = mesh->triangle_count;
  cloth.triangles = mesh->triangles;
  cloth.rest_uv = sheet->roughness > 0 ? NULL : mesh->uvs;
  cloth.material = sheet->material;
  if (sheet->material.has_measured_stretch) cloth.stretch = "measured";
  if (sheet->material.has_measured_bend) cloth.bend = "measured";
  bench_require(weft_world_add_cloth(world, &cloth, NULL, &error), &error);
  return world;
}

/* Holds the vertices that are on all of the given sides (bits). */
static void hold(WeftWorld *world, const WeftShape *shape, int sides) {
  WeftError error;
  for (int i = 0; i < shape->mesh.vertex_count; i++) {
    if ((shape->sides[i] & sides) == sides)
      bench_require(weft_world_pin(world, 0, i, WEFT_AXIS_ALL, &error), &error);
  }
}

WeftWorld *bench_hang(const BenchSheet *sheet) {
  WeftShape shape;
  WeftWorld *world = make(sheet, &shape, false);
  hold(world, &shape, 1 << WEFT_SIDE_TOP | 1 << WEFT_SIDE_LEFT);
  hold(world, &shape, 1 << WEFT_SIDE_TOP | 1 << WEFT_SIDE_RIGHT);
  weft_shape_free(&shape);
  return world;
}

WeftWorld *bench_flag(const BenchSheet *sheet) {
  WeftShape shape;
  WeftWorld *world = make(sheet, &shape, true);
  hold(world, &shape, 1 << WEFT_SIDE_LEFT);
  weft_shape_free(&shape);
  return world;
}

void bench_step(WeftWorld *world, int steps) {
  WeftError error;
  bench_require(weft_world_step(world, steps, &error), &error);
}
