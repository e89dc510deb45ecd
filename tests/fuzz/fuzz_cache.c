/* Caches of frames. Checksums are put right first, or nothing behind them would ever be reached; all that is
 * read is then also decoded, and a writer tries to go on with the file. */
#include "base/checksum.h"
#include "base/write_file.h"
#include "fuzz/fuzz_state.h"
#include "io/cache.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put_checksum(uint8_t *bytes, size_t size) {
  uint64_t checksum = weft_checksum(bytes, size - sizeof checksum);
  memcpy(bytes + size - sizeof checksum, &checksum, sizeof checksum);
}

/* The header's, and those of records where their own sizes say that they end. */
static void put_checksums(uint8_t *bytes, size_t size) {
  WeftCacheHead head;
  if (size < sizeof head) return;
  memcpy(&head, bytes, sizeof head);
  if (head.size < sizeof head + 8 || head.size > size) return;
  put_checksum(bytes, (size_t)head.size);
  for (size_t at = (size_t)head.size; size - at >= sizeof(WeftCacheRecord);) {
    WeftCacheRecord record;
    memcpy(&record, bytes + at, sizeof record);
    if (record.size < sizeof record + 8 || record.size > size - at) return;
    put_checksum(bytes + at, (size_t)record.size);
    at += (size_t)record.size;
  }
}

static void read_obstacles(WeftCache *cache, int32_t obstacle_count) {
  for (int32_t i = 0; i < obstacle_count && i < 8; i++) {
    size_t count = 3 * (size_t)weft_cache_obstacle_vertex_count(cache, i);
    double *numbers = malloc(count * sizeof *numbers + 1);
    int32_t *triangles =
        malloc(3 * (size_t)weft_cache_obstacle_triangle_count(cache, i) * sizeof *triangles + 1);
    if (numbers && triangles) {
      weft_cache_obstacle_triangles(cache, i, triangles, NULL);
      if (weft_cache_obstacle_positions(cache, i, numbers, NULL)) abort();
      for (size_t k = 0; k < count; k++)
        if (!isfinite(numbers[k])) abort();
    }
    free(triangles);
    free(numbers);
  }
}

/* Rest shapes, and the pressures of the frame that was read. */
static void read_channels(WeftCache *cache, int32_t cloth) {
  size_t vertices = (size_t)weft_cache_vertex_count(cache, cloth),
         corners = 6 * (size_t)weft_cache_triangle_count(cache, cloth);
  double *numbers = malloc((corners > vertices ? corners : vertices) * sizeof *numbers + 1);
  if (numbers && weft_cache_rest(cache, cloth, numbers, NULL) == WEFT_RESULT_OK)
    for (size_t k = 0; k < corners; k++)
      if (!isfinite(numbers[k])) abort();
  if (numbers && weft_cache_pressures(cache, cloth, numbers, NULL) == WEFT_RESULT_OK)
    for (size_t k = 0; k < vertices; k++)
      if (!isfinite(numbers[k])) abort();
  if (!(weft_cache_thickness(cache, cloth) >= 0)) abort();
  free(numbers);
}

static void read_frames(WeftCache *cache) {
  WeftCacheInfo info = weft_cache_info(cache);
  for (int64_t i = 0; i < info.frame_count && i < 8; i++) {
    WeftCacheFrame frame;
    if (weft_cache_read(cache, i, &frame, NULL)) continue;
    for (int32_t c = 0; c < info.cloth_count && c < 8; c++) {
      size_t count = 3 * (size_t)weft_cache_vertex_count(cache, c);
      double *numbers = malloc(count * sizeof *numbers + 1);
      int32_t *triangles = malloc(3 * (size_t)weft_cache_triangle_count(cache, c) * sizeof *triangles + 1);
      if (numbers && triangles) {
        weft_cache_triangles(cache, c, triangles, NULL);
        weft_cache_velocities(cache, c, numbers, NULL);
        weft_cache_positions(cache, c, numbers, NULL);
        for (size_t k = 0; k < count; k++)
          if (!isfinite(numbers[k])) abort();
      }
      free(triangles);
      free(numbers);
      read_channels(cache, c);
    }
    read_obstacles(cache, info.obstacle_count);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char path[64];
  if (!path[0])
    snprintf(path, sizeof path, "%s/weft-fuzz-%ld", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm",
             (long)getpid());
  uint8_t *copy = malloc(size ? size : 1);
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (!copy || file < 0) abort();
  if (size) memcpy(copy, data, size);
  put_checksums(copy, size);
  if (!weft_write_at(file, copy, size, 0)) abort();
  close(file);
  WeftError error;
  WeftCache *cache;
  if (weft_cache_open(path, &cache, &error) == WEFT_RESULT_OK) read_frames(cache);
  weft_cache_close(cache);
  WeftWorld *world = fuzz_world(FUZZ_ALONE);
  WeftCacheWriter *writer;
  WeftCacheOptions options = {.scene = "fuzz", .frame_rate = 60};
  if (world && weft_cache_continue(world, &options, path, 1, &writer, &error) == WEFT_RESULT_OK) {
    if (weft_cache_append(writer, world, 2, &error)) abort();
    weft_cache_writer_close(writer);
  }
  weft_world_destroy(world);
  unlink(path);
  free(copy);
  return 0;
}
