#include "cli/tables.h"

#include "cli/cli.h"
#include "cli/files.h"

#include <stdlib.h>

static WeftResult no_memory(WeftError *error) {
  snprintf(error->message, sizeof error->message, "out of memory for a table of values");
  return error->result = WEFT_RESULT_OUT_OF_MEMORY;
}

/* %.17g: reading it back gives the same double. */
static void print_row(FILE *stream, int32_t cloth, int32_t index, const double *values, int count) {
  fprintf(stream, "%d,%d", cloth, index);
  for (int k = 0; k < count; k++) fprintf(stream, ",%.17g", values[k]);
}

static WeftResult vertices_of(WeftWorld *world, int32_t cloth, FILE *stream, WeftError *error) {
  int32_t count = weft_world_vertex_count(world, cloth);
  double *positions = calloc((size_t)count + 1, 6 * sizeof *positions);
  if (!positions) return no_memory(error);
  double *velocities = positions + 3 * (size_t)count;
  WeftResult result = weft_world_positions(world, cloth, positions, error);
  if (result == WEFT_RESULT_OK) result = weft_world_velocities(world, cloth, velocities, error);
  for (int32_t i = 0; result == WEFT_RESULT_OK && i < count; i++) {
    const double *x = positions + 3 * i, *v = velocities + 3 * i;
    print_row(stream, cloth, i, (const double[]){x[0], x[1], x[2], v[0], v[1], v[2]}, 6);
    fputc('\n', stream);
  }
  free(positions);
  return result;
}

static WeftResult faces_of(WeftWorld *world, int32_t cloth, FILE *stream, WeftError *error) {
  int32_t count = weft_world_triangle_count(world, cloth);
  double *strains = calloc((size_t)count + 1, 3 * sizeof *strains);
  if (!strains) return no_memory(error);
  WeftResult result = weft_world_face_strains(world, cloth, strains, error);
  for (int32_t i = 0; result == WEFT_RESULT_OK && i < count; i++) {
    print_row(stream, cloth, i, strains + 3 * i, 3);
    fputc('\n', stream);
  }
  free(strains);
  return result;
}

static WeftResult hinges_of(WeftWorld *world, int32_t cloth, FILE *stream, WeftError *error) {
  int32_t count = 0;
  WeftResult result = weft_world_hinge_count(world, cloth, &count, error);
  if (result != WEFT_RESULT_OK) return result;
  double *values = calloc((size_t)count + 1, 2 * sizeof *values);
  int32_t *hinges = calloc((size_t)count + 1, 4 * sizeof *hinges);
  if (!values || !hinges) result = no_memory(error);
  if (result == WEFT_RESULT_OK) result = weft_world_hinges(world, cloth, hinges, error);
  if (result == WEFT_RESULT_OK) result = weft_world_hinge_values(world, cloth, values, error);
  for (int32_t i = 0; result == WEFT_RESULT_OK && i < count; i++) {
    const int32_t *h = hinges + 4 * i;
    print_row(stream, cloth, i, NULL, 0);
    fprintf(stream, ",%d,%d,%d,%d,%.17g,%.17g\n", h[0], h[1], h[2], h[3], values[2 * i], values[2 * i + 1]);
  }
  free(values);
  free(hinges);
  return result;
}

typedef WeftResult RowsFn(WeftWorld *world, int32_t cloth, FILE *stream, WeftError *error);

static bool write_table(WeftWorld *world, const char *path, const char *header, RowsFn *rows) {
  NewFile file;
  if (!new_file_open(&file, path)) return false;
  fprintf(file.stream, "%s\n", header);
  WeftError error;
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t c = 0; result == WEFT_RESULT_OK && c < weft_world_cloth_count(world); c++)
    result = rows(world, c, file.stream, &error);
  if (result == WEFT_RESULT_OK) return new_file_close(&file);
  new_file_drop(&file);
  fail("%s", error.message);
  return false;
}

bool write_vertices(WeftWorld *world, const char *path) {
  return write_table(world, path, "cloth,vertex,x,y,z,vx,vy,vz", vertices_of);
}

bool write_faces(WeftWorld *world, const char *path) {
  return write_table(world, path, "cloth,face,stretch_u,stretch_v,shear", faces_of);
}

bool write_hinges(WeftWorld *world, const char *path) {
  return write_table(world, path, "cloth,hinge,a,b,c,d,curvature,moment", hinges_of);
}
