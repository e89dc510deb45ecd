#include "cli/frame_table.h"

#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool fail_write(const char *name) {
  return fail("%s: cannot be written: %s", name, strerror(errno)) == EXIT_FINE;
}

bool frame_table_begin(FILE *table, const char *name, const char *header) {
  if (ftruncate(fileno(table), 0) != 0) return fail_write(name);
  rewind(table);
  fputs(header, table);
  return frame_table_flush(table, name);
}

/* The frame that a line begins with, when there is one and it is not behind the given one. */
static bool read_frame(const char *line, int32_t most, int *frame) {
  char *end;
  long found = strtol(line, &end, 10);
  if (end == line || *end != ',' || found < 0 || found > most) return false;
  *frame = (int)found;
  return true;
}

/* Lines are whole when they end. One that is missing is no reason not to go on with a long run. */
bool frame_table_continue(FILE *table, const char *name, const char *header, int32_t frame) {
  char line[1024];
  long end = 0;
  int last = -1;
  rewind(table);
  for (int number = 0; fgets(line, sizeof line, table) && strchr(line, '\n'); number++) {
    if (number > 0 && !read_frame(line, frame, &last)) break;
    end = ftell(table);
  }
  if (end == 0 && !frame_table_begin(table, name, header)) return false;
  if (end == 0) end = ftell(table);
  if (last != frame)
    fprintf(stderr, "weft: warning: %s ends at frame %d, the run goes on after frame %d: lines are missing\n",
            name, last, frame);
  if (end < 0 || ftruncate(fileno(table), end) != 0 || fseek(table, end, SEEK_SET) != 0)
    return fail_write(name);
  return true;
}

bool frame_table_flush(FILE *table, const char *name) { return fflush(table) == 0 || fail_write(name); }

bool frame_table_sync(FILE *table, const char *name) {
  return (fflush(table) == 0 && fsync(fileno(table)) == 0) || fail_write(name);
}
