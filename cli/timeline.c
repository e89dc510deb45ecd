#include "cli/timeline.h"

#include "cli/cli.h"
#include "cli/files.h"
#include "cli/frame_table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool fail_write(void) {
  fail("timeline.csv: cannot be written: %s", strerror(errno));
  return false;
}

/* The system lets go of the lock when the process ends, however it does. Where there are no locks (some
 * network folders) there is no protection either, and the run goes on. */
static bool lock(int file, const char *folder) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(file, F_SETLK, &whole) == 0 || (errno != EACCES && errno != EAGAIN)) return true;
  fail("another run is writing into %s; wait for it, or choose another folder", folder);
  return false;
}

FILE *timeline_open(const char *folder) {
  char *path = join_path(folder, "timeline.csv");
  int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
  FILE *timeline = file >= 0 && lock(file, folder) ? fdopen(file, "r+") : NULL;
  if (!path) {
    fail("out of memory");
  } else if (file < 0) {
    fail("%s: cannot be written: %s", path, strerror(errno));
  } else if (!timeline) {
    close(file);
  }
  free(path);
  return timeline;
}

static const char name[] = "timeline.csv";
static const char header[] =
    "frame,time,kinetic,gravity,stretch,bend,link,total,momentum_x,momentum_y,momentum_z,"
    "angular_x,angular_y,angular_z,max_speed,steps,solver_iterations,contacts,impacts,limited,impacts_left,"
    "retries,seconds_prepare,seconds_detect,seconds_force,seconds_solve,seconds_respond,seconds_accept,"
    "peak_memory\n";

bool timeline_begin(FILE *timeline) { return frame_table_begin(timeline, name, header); }

bool timeline_continue(FILE *timeline, int32_t frame) {
  return frame_table_continue(timeline, name, header, frame);
}

bool timeline_sync(FILE *timeline) { return frame_table_sync(timeline, name); }

/* Sums since the start of the run: what it met, and what it cost. */
static void add_costs(FILE *timeline, const WeftReport *r) {
  /* the first link is given all impacts, the others what is left of them */
  int64_t impacts = r->link_in_chain_count > 0 ? r->links[0].impacts : 0, limited = 0;
  for (int32_t i = 0; i < r->link_in_chain_count; i++) limited += r->links[i].limited;
  fprintf(timeline, "%lld,%lld,%lld,%lld,%lld", (long long)r->contacts, (long long)impacts,
          (long long)limited, (long long)r->impacts_left, (long long)r->retries);
  for (int s = 0; s < WEFT_STAGE_COUNT; s++) fprintf(timeline, ",%.6f", r->stage_seconds[s]);
  fprintf(timeline, ",%llu\n", (unsigned long long)r->peak_memory);
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
  fprintf(timeline,
          "%d,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%lld,%lld,",
          frame, r.time, e->kinetic, e->gravity, e->stretch, e->bend, e->link, e->total, p[0], p[1], p[2],
          l[0], l[1], l[2], r.max_speed, (long long)r.steps, (long long)r.solver_iterations);
  add_costs(timeline, &r);
  return frame_table_flush(timeline, name);
}

bool timeline_close(FILE *timeline) { return !timeline || fclose(timeline) == 0 || fail_write(); }
