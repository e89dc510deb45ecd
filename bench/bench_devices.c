/* The CPU and OpenCL devices side by side: a step by stages, what a launch and a small read-back cost, and
 * how long the kernels take to be ready, compiled and from the cache.
 *
 * Both run the same steps and give the same bits, which is checked. Compiled: with caches of weft and of PoCL
 * in a folder of their own, thrown away afterwards; drivers with other caches of their own show less.
 */
#define _XOPEN_SOURCE 700 /* nftw */
#include "base/timer.h"
#include "common.h"
#include "device/launch.h"
#include "integrate/vector.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 3, MOST_DEVICES = 16, LAUNCHES = 2000, READS = 500 };

typedef struct Measured {
  double stage[WEFT_STAGE_COUNT], total; /* ms a step */
  uint64_t hash;
} Measured;

static Measured measure(const char *device, int cells) {
  BenchSheet sheet = bench_sheet(cells, cells);
  sheet.def.solver_tolerance = 1e-2; /* stages are compared here, not solutions */
  WeftWorld *world = bench_hang(&sheet);
  WeftError error;
  WeftReport report;
  bench_require(weft_world_use_device(world, device, &error), &error);
  bench_step(world, 1); /* warm */
  WeftReport before = world->report;
  bench_step(world, STEPS);
  WeftReport after = world->report;
  bench_require(weft_world_report(world, &report, &error), &error);
  Measured m = {.hash = report.state_hash, .total = 1e3 * (after.seconds - before.seconds) / STEPS};
  for (int i = 0; i < WEFT_STAGE_COUNT; i++)
    m.stage[i] = 1e3 * (after.stage_seconds[i] - before.stage_seconds[i]) / STEPS;
  weft_world_destroy(world);
  return m;
}

static void compare_steps(const WeftDeviceInfo *devices, int count, int cells) {
  printf("\nsheet of %d vertices, ms a step   prepare    force    solve   accept    total\n",
         (cells + 1) * (cells + 1));
  Measured first = {0};
  for (int i = 0; i < count; i++) {
    if (!devices[i].is_usable) continue;
    Measured m = measure(devices[i].name, cells);
    if (i == 0) first = m;
    printf("  %-30s %8.2f %8.2f %8.2f %8.2f %8.2f  %s\n", devices[i].name, m.stage[WEFT_STAGE_PREPARE],
           m.stage[WEFT_STAGE_FORCE], m.stage[WEFT_STAGE_SOLVE], m.stage[WEFT_STAGE_ACCEPT], m.total,
           m.hash == first.hash ? "same bits" : "OTHER BITS");
  }
}

static void measure_launches(const char *name) {
  WeftError error;
  WeftDevice *device;
  double *numbers = bench_alloc(64 * sizeof *numbers), start;
  memset(numbers, 0, 64 * sizeof *numbers);
  bench_require(weft_device_open(name, &device, &error), &error);
  bench_require(weft_device_share(device, numbers, 64 * sizeof *numbers, WEFT_MEMORY_SMALL, &error), &error);
  weft_vector_axpy(device, 1, numbers, 1, numbers, numbers);
  weft_device_finish(device);
  start = weft_seconds();
  for (int i = 0; i < LAUNCHES; i++) weft_vector_axpy(device, 1, numbers, 1, numbers, numbers);
  weft_device_finish(device);
  double launch = 1e6 * (weft_seconds() - start) / LAUNCHES;
  start = weft_seconds();
  for (int i = 0; i < READS; i++) {
    weft_vector_axpy(device, 1, numbers, 1, numbers, numbers);
    weft_device_sum(device, 64, numbers);
  }
  double read = 1e6 * (weft_seconds() - start) / READS;
  bench_require(weft_device_check(device, &error), &error);
  printf("  %-30s %8.2f us a launch, %8.2f us a launch with its result read back\n", name, launch, read);
  weft_device_close(device);
  free(numbers);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk) {
  (void)status;
  (void)kind;
  (void)walk;
  return remove(path);
}

/* Opening the device and the first step, which is when some drivers compile. */
static void measure_start(const char *name, const char *what) {
  BenchSheet sheet = bench_sheet(20, 20);
  WeftWorld *world = bench_hang(&sheet);
  WeftError error;
  double start = weft_seconds();
  bench_require(weft_world_use_device(world, name, &error), &error);
  double open = weft_seconds() - start, build = world->device->counts.build_seconds;
  start = weft_seconds();
  bench_step(world, 1);
  printf("  %-30s %-10s kernels %7.0f ms, opened in %7.0f ms, first step %7.0f ms\n", name, what, 1e3 * build,
         1e3 * open, 1e3 * (weft_seconds() - start));
  weft_world_destroy(world);
}

int main(void) {
  WeftDeviceInfo devices[MOST_DEVICES];
  int count = weft_list_devices(devices, MOST_DEVICES);
  if (count > MOST_DEVICES) count = MOST_DEVICES;
  bench_print_machine();
  for (int i = 0; i < count; i++) {
    printf("  %-10s %s%s\n", devices[i].name, devices[i].description,
           devices[i].is_usable ? "" : devices[i].reason);
  }
  char folder[] = "/tmp/weft-bench-XXXXXX";
  if (!mkdtemp(folder)) {
    perror(folder);
    return 1;
  }
  setenv("XDG_CACHE_HOME", folder, 1);
  setenv("POCL_CACHE_DIR", folder, 1);
  puts("\nuntil the first step is done (441 vertices)");
  for (int i = 1; i < count; i++) {
    if (!devices[i].is_usable) continue;
    measure_start(devices[i].name, "compiled");
    measure_start(devices[i].name, "cached");
  }
  puts("\nlaunches of a kernel with nothing to do");
  for (int i = 0; i < count; i++)
    if (devices[i].is_usable) measure_launches(devices[i].name);
  compare_steps(devices, count, 40);
  compare_steps(devices, count, 100);
  compare_steps(devices, count, 316);
  nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  return 0;
}
