#include "cli/step_table.h"

#include "cli/cli.h"
#include "cli/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool fail_write(const StepTable *table) {
  fail("%s: cannot be written: %s", table->name, strerror(errno));
  return false;
}

static bool begin(const StepTable *table, const char *head) {
  rewind(table->stream);
  if (ftruncate(fileno(table->stream), 0) != 0) return fail_write(table);
  fprintf(table->stream, "%s\n", head);
  return fflush(table->stream) == 0 || fail_write(table);
}

/* Cuts off what comes after so many steps, and a line that is not whole. */
static bool go_on(const StepTable *table, const char *head, int64_t steps) {
  char line[1024];
  long end = 0;
  for (int number = 0; fgets(line, sizeof line, table->stream) && strchr(line, '\n'); number++) {
    char *rest;
    long long step = strtoll(line, &rest, 10);
    if (number > 0 && (rest == line || *rest != ',' || step > steps)) break;
    end = ftell(table->stream);
  }
  if (end <= 0) return begin(table, head);
  return (ftruncate(fileno(table->stream), end) == 0 && fseek(table->stream, end, SEEK_SET) == 0) ||
         fail_write(table);
}

bool step_table_open(StepTable *table, const char *folder, const char *name, const char *head, bool is_on,
                     bool is_resumed, int64_t steps) {
  *table = (StepTable){.name = name};
  if (!folder) return true;
  char *path = join_path(folder, name);
  if (!path) return fail("out of memory") == EXIT_FINE;
  bool is_fine = true;
  if (is_on) {
    table->stream = is_resumed ? fopen(path, "r+") : NULL;
    if (!table->stream) table->stream = fopen(path, "w+");
    if (!table->stream) is_fine = fail_write(table);
  } else if (!is_resumed) {
    is_fine = unlink(path) == 0 || errno == ENOENT || fail_write(table);
  }
  free(path);
  if (table->stream) is_fine = is_resumed ? go_on(table, head, steps) : begin(table, head);
  return is_fine;
}

bool step_table_sync(const StepTable *table) {
  if (!table->stream) return true;
  return (fflush(table->stream) == 0 && fsync(fileno(table->stream)) == 0) || fail_write(table);
}

void step_table_close(StepTable *table) {
  if (table->stream) fclose(table->stream);
}
