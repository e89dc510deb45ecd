#include "cli/info_run.h"

#include "cli/checkpoints.h"
#include "cli/cli.h"

#include <string.h>
#include <weft/cache.h>

/* Reads every frame; those that are damaged are named, and the program then fails. */
static int list_frames(WeftCache *cache, const char *path) {
  WeftCacheInfo info = weft_cache_info(cache);
  WeftCacheFrame first = {0}, last = {0}, frame;
  WeftError error;
  int64_t good = 0;
  double position_error = 0;
  for (int64_t i = 0; i < info.frame_count; i++) {
    if (weft_cache_read(cache, i, &frame, &error) != WEFT_RESULT_OK) {
      fail("%s", error.message);
      continue;
    }
    if (good++ == 0) first = frame;
    last = frame;
    if (frame.position_error > position_error) position_error = frame.position_error;
  }
  printf("frames          %lld", (long long)good);
  if (good) printf(", frame %d at %g s to frame %d at %g s", first.frame, first.time, last.frame, last.time);
  printf("\n");
  if (info.quantise_bits)
    printf("numbers         %d bits a coordinate, at most %.3g m off\n", info.quantise_bits, position_error);
  else
    printf("numbers         doubles\n");
  if (info.ignored_bytes)
    printf("incomplete      %llu bytes of a frame that is being written or was cut off\n",
           (unsigned long long)info.ignored_bytes);
  if (good == info.frame_count) return finish_stdout();
  printf("damaged         %lld frames\n", (long long)(info.frame_count - good));
  finish_stdout();
  return fail("%s: %lld of %lld frames are damaged; the others can be read", path,
              (long long)(info.frame_count - good), (long long)info.frame_count);
}

static int cache_info(const char *path) {
  WeftCache *cache;
  WeftError error;
  if (weft_cache_open(path, &cache, &error) != WEFT_RESULT_OK) return fail("%s", error.message);
  WeftCacheInfo info = weft_cache_info(cache);
  printf("cache           %s\nscene           %s\n", path, info.scene);
  printf("run             %016llx\n", (unsigned long long)info.run);
  printf("frame rate      %g a second, time step %g s\n", info.frame_rate, info.time_step);
  for (int32_t c = 0; c < info.cloth_count; c++)
    printf("cloth           %s: %d vertices, %d triangles\n", weft_cache_cloth_name(cache, c),
           weft_cache_vertex_count(cache, c), weft_cache_triangle_count(cache, c));
  for (int32_t i = 0; i < info.obstacle_count; i++)
    printf("obstacle        %s: %d vertices, %d triangles, %s\n", weft_cache_obstacle_name(cache, i),
           weft_cache_obstacle_vertex_count(cache, i), weft_cache_obstacle_triangle_count(cache, i),
           weft_cache_obstacle_moves(cache, i) ? "moves" : "stands still");
  printf("velocities      %s\n", info.has_velocities ? "yes" : "no");
  printf("rest shapes     %s\n", info.has_rest ? "yes" : "no");
  printf("pressures       %s\n", info.has_pressures ? "yes" : "no");
  int code = list_frames(cache, path);
  weft_cache_close(cache);
  return code;
}

static int checkpoint_info(const char *path) {
  WeftCheckpoint *checkpoint;
  WeftError error;
  if (weft_checkpoint_read(path, &checkpoint, &error) != WEFT_RESULT_OK) return fail("%s", error.message);
  WeftCheckpointInfo info = weft_checkpoint_info(checkpoint);
  RunNotes notes;
  printf("checkpoint      %s\n", path);
  printf("run             %016llx\n", (unsigned long long)info.run);
  printf("time            %g s, %lld steps\n", info.time, (long long)info.step);
  if (read_notes(checkpoint, &notes))
    printf("frame           %d, the run is %s\n", notes.frame,
           notes.is_finished ? "finished" : "not finished");
  weft_checkpoint_free(checkpoint);
  return finish_stdout();
}

int (*run_file_info(const char *bytes, size_t size))(const char *path) {
  if (size >= 8 && memcmp(bytes, "weftcach", 8) == 0) return cache_info;
  if (size >= 8 && memcmp(bytes, "weftckpt", 8) == 0) return checkpoint_info;
  return NULL;
}
