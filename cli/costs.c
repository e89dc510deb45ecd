#include "cli/costs.h"

#include "cli/cli.h"
#include "cli/files.h"
#include "cli/frame_table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char name[] = "costs.csv";
static const char header[] = "frame,time,steps,seconds,prepare,detect,force,solve,respond,accept,memory\n";

FILE *costs_open(const char *folder) {
  char *path = join_path(folder, name);
  int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
  FILE *costs = file >= 0 ? fdopen(file, "r+") : NULL;
  if (!path)
    fail("out of memory");
  else if (!costs)
    fail("%s: cannot be written: %s", path, strerror(errno));
  if (file >= 0 && !costs) close(file);
  free(path);
  return costs;
}

bool costs_begin(FILE *costs) { return frame_table_begin(costs, name, header); }

bool costs_continue(FILE *costs, int32_t frame) { return frame_table_continue(costs, name, header, frame); }

bool costs_add(FILE *costs, WeftWorld *world, int32_t frame) {
  WeftReport r;
  WeftError error;
  if (weft_world_report(world, &r, &error) != WEFT_RESULT_OK) return fail("%s", error.message) == EXIT_FINE;
  fprintf(costs, "%d,%.17g,%lld,%.6g", frame, r.time, (long long)r.steps, r.seconds);
  for (int i = 0; i < WEFT_STAGE_COUNT; i++) fprintf(costs, ",%.6g", r.stage_seconds[i]);
  fprintf(costs, ",%llu\n", (unsigned long long)r.peak_memory);
  return frame_table_flush(costs, name);
}

bool costs_sync(FILE *costs) { return frame_table_sync(costs, name); }
