/* OBJ files that appear complete or not at all: written beside, every error of the stream noticed at the
 * latest when it is closed, then renamed. No fsync: waiting for the disk would cost every frame; `weft run`
 * waits for all of them at its checkpoints.
 */
#include "io/obj_write.h"

#include "base/memory.h"
#include "io/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static WeftResult check_finite(const char *path, const WeftObjPart *part, WeftError *error) {
  for (size_t i = 0; i < 3 * (size_t)part->vertex_count; i++) {
    if (isfinite(part->positions[i])) continue;
    return weft_fail(error, WEFT_RESULT_NOT_FINITE, "%s: not written: vertex %zu of '%s' is not finite", path,
                     i / 3, part->name);
  }
  return WEFT_RESULT_OK;
}

/* A line end in a name would become a statement of its own. */
static void write_name(FILE *file, const char *name) {
  fputs("o ", file);
  for (const char *p = name; *p; p++) putc((unsigned char)*p < ' ' ? '_' : *p, file);
  putc('\n', file);
}

/* Errors stay in the stream's error flag until it is closed. */
static void write_part(FILE *file, const WeftObjPart *part, int64_t first_vertex) {
  write_name(file, part->name);
  for (size_t v = 0; v < (size_t)part->vertex_count; v++) {
    char line[4 * WEFT_DOUBLE_TEXT] = "v";
    int length = 1;
    for (int axis = 0; axis < 3; axis++) {
      line[length++] = ' ';
      length += weft_format_double(line + length, part->positions[3 * v + (size_t)axis]);
    }
    line[length++] = '\n';
    fwrite(line, 1, (size_t)length, file);
  }
  for (size_t t = 0; t < (size_t)part->triangle_count; t++) {
    const int32_t *v = part->triangles + 3 * t;
    fprintf(file, "f %lld %lld %lld\n", (long long)first_vertex + v[0], (long long)first_vertex + v[1],
            (long long)first_vertex + v[2]);
  }
}

/* Writes and closes; false with errno set when any byte did not arrive. */
static bool write_file(FILE *file, int part_count, const WeftObjPart *parts) {
  int64_t first_vertex = 1; /* OBJ counts from 1, through all groups */
  errno = 0;
  for (int i = 0; i < part_count && !ferror(file); i++) {
    write_part(file, parts + i, first_vertex);
    first_vertex += parts[i].vertex_count;
  }
  bool is_written = fflush(file) == 0 && !ferror(file);
  int reason = errno;
  bool is_closed = fclose(file) == 0;
  if (!is_written) errno = reason;
  return is_written && is_closed;
}

WeftResult weft_obj_write(const char *path, int part_count, const WeftObjPart *parts, WeftError *error) {
  for (int i = 0; i < part_count; i++) {
    WeftResult result = check_finite(path, parts + i, error);
    if (result != WEFT_RESULT_OK) return result;
  }
  size_t length = strlen(path);
  char *temporary = WEFT_NEW(char, length + sizeof ".tmp");
  if (!temporary) return weft_fail_memory(error, path);
  memcpy(temporary, path, length);
  memcpy(temporary + length, ".tmp", sizeof ".tmp");
  WeftResult result = WEFT_RESULT_OK;
  FILE *file = fopen(temporary, "wb");
  if (!file) {
    result = weft_fail(error, WEFT_RESULT_IO, "%s: cannot be created: %s", temporary, strerror(errno));
  } else if (!write_file(file, part_count, parts)) {
    result = weft_fail(error, WEFT_RESULT_IO, "%s: cannot be written: %s", temporary, strerror(errno));
    remove(temporary);
  } else if (rename(temporary, path) != 0) {
    result =
        weft_fail(error, WEFT_RESULT_IO, "%s: cannot be renamed to %s: %s", temporary, path, strerror(errno));
    remove(temporary);
  }
  free(temporary);
  return result;
}
