#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double bar_period = 0.25,
                    line_period = 10; /* [s] between two showings; a report costs about a step's forces */

double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int terminal_width(void) {
  struct winsize size;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

void progress_start(Progress *progress, const char *scene, WeftWorld *world, int32_t frames,
                    int32_t steps_per_frame) {
  *progress = (Progress){.is_terminal = isatty(STDERR_FILENO),
                         .frames = frames,
                         .steps_per_frame = steps_per_frame,
                         .started = seconds_now(),
                         .first_steps = weft_world_step_count(world)};
  progress->shown = progress->started;
  progress->width = terminal_width();
  int vertices = 0, triangles = 0;
  for (int32_t c = 0; c < weft_world_cloth_count(world); c++) {
    vertices += weft_world_vertex_count(world, c);
    triangles += weft_world_triangle_count(world, c);
  }
  fprintf(stderr, "%s: %d vertices, %d triangles, %d frames of %d steps\n", scene, vertices, triangles,
          frames, steps_per_frame);
}

static void time_text(double seconds, char *text, size_t size) {
  long whole = seconds < 1e9 ? (long)(seconds + 0.5) : 0;
  if (whole >= 3600)
    snprintf(text, size, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
  else
    snprintf(text, size, "%ld:%02ld", whole / 60, whole % 60);
}

static void show_bar(const Progress *progress, int32_t frame, double done, const char *figures) {
  char left[32], bar[256];
  snprintf(left, sizeof left, "frame %d/%d [", frame, progress->frames);
  int room = progress->width - (int)strlen(left) - (int)strlen(figures) - 3;
  if (room > 60) room = 60;
  if (room < 0) room = 0;
  int filled = (int)(done * room + 0.5);
  for (int i = 0; i < room; i++) bar[i] = i < filled ? '#' : '.';
  bar[room] = 0;
  fprintf(stderr, "\r%s%s] %s\033[K", left, bar, figures);
  fflush(stderr);
}

void progress_show(Progress *progress, WeftWorld *world, int32_t frame) {
  double now = seconds_now();
  if (now - progress->shown < (progress->is_terminal ? bar_period : line_period)) return;
  progress->shown = now;
  double before = (double)progress->first_steps, steps = (double)weft_world_step_count(world) - before;
  double all = (double)progress->frames * progress->steps_per_frame;
  double spent = now - progress->started;
  double rate = spent > 0 ? steps / spent : 0;
  double done = all > 0 ? (before + steps) / all : 1;
  char left[32], figures[128];
  time_text(rate > 0 ? (all - before - steps) / rate : 0, left, sizeof left);
  WeftReport report;
  double iterations = 0;
  if (weft_world_report(world, &report, NULL) == WEFT_RESULT_OK && report.solves > 0)
    iterations = (double)report.solver_iterations / (double)report.solves;
  snprintf(figures, sizeof figures, "%.4g steps/s, %s left, %.1f iterations", rate, left, iterations);
  if (progress->is_terminal)
    show_bar(progress, frame, done, figures);
  else
    fprintf(stderr, "frame %d/%d: %s\n", frame, progress->frames, figures);
}

void progress_end(Progress *progress) {
  if (progress->is_terminal) fputs("\r\033[K", stderr);
}
