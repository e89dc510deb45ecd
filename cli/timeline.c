#include "cli/timeline.h"

#include "cli/cli.h"
#include "cli/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

FILE *timeline_open(const char *folder) {
  char *path = join_path(folder, "timeline.csv");
  FILE *timeline = path ? fopen(path, "w") : NULL;
  if (!path) {
    fail("out of memory");
  } else if (!timeline) {
    fail("%s: cannot be written: %s", path, strerror(errno));
  } else {
    fputs(
        "frame,time,kinetic,gravity,stretch,bend,link,total,momentum_x,momentum_y,momentum_z,"
        "angular_x,angular_y,angular_z,max_speed,steps,solver_iterations\n",
        timeline);
  }
  free(path);
  return timeline;
}

bool timeline_add(FILE *timeline, WeftWorld *world, int32_t frame) {
  WeftReport r;
  WeftError error;
  if (weft_world_report(world, &r, &error) != WEFT_RESULT_OK) {
    fail("%s", error.message);
    return false;
  }
  const WeftEnergies *e = &r.energies;
  const double *p = r.momenta.linear, *l = r.momenta.angular;
  fprintf(
      timeline,
      "%d,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%lld,%lld\n",
      frame, r.time, e->kinetic, e->gravity, e->stretch, e->bend, e->link, e->total, p[0], p[1], p[2], l[0],
      l[1], l[2], r.max_speed, (long long)r.steps, (long long)r.solver_iterations);
  if (fflush(timeline) == 0) return true;
  fail("timeline.csv: cannot be written: %s", strerror(errno));
  return false;
}

bool timeline_close(FILE *timeline) {
  if (!timeline || fclose(timeline) == 0) return true;
  fail("timeline.csv: cannot be written: %s", strerror(errno));
  return false;
}
