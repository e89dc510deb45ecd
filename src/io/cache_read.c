/* Reading a cache of frames, also while it grows, and what is whole of one that was cut off. */
#include "base/memory.h"
#include "io/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct WeftCache {
  int file;
  char *path; /* for messages */
  WeftCacheLayout layout;
  unsigned char *record; /* room for one, made when the first is read */
  bool has_frame;        /* record holds a frame that was checked */
  int64_t frame_count;
  uint64_t ignored_bytes;
};

/* Into cache->record. */
static WeftResult load(WeftCache *cache, int64_t index, WeftError *error) {
  size_t size = (size_t)cache->layout.record_size;
  cache->has_frame = false;
  if (!cache->record) cache->record = malloc(size);
  if (!cache->record) return weft_fail_memory(error, cache->path);
  if (!weft_cache_read_at(cache->file, cache->record, size,
                          weft_cache_record_offset(&cache->layout, index))) {
    return weft_fail(error, WEFT_RESULT_IO, "%s: frame %lld of the file cannot be read: %s", cache->path,
                     (long long)index, errno ? strerror(errno) : "the file became shorter meanwhile");
  }
  return WEFT_RESULT_OK;
}

/* A last record that has its length but not its bytes is one in the making, or what a power failure left of
 * it. */
WeftResult weft_cache_refresh(WeftCache *cache, WeftError *error) {
  if (!cache) return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "weft_cache_refresh: no cache given");
  struct stat facts;
  if (fstat(cache->file, &facts) != 0) {
    return weft_fail(error, WEFT_RESULT_IO, "%s: cannot be read: %s", cache->path, strerror(errno));
  }
  uint64_t size = (uint64_t)facts.st_size;
  int64_t count = weft_cache_record_count(&cache->layout, size);
  int64_t known = cache->frame_count < count ? cache->frame_count : count;
  for (; count > known; count--) {
    WeftResult result = load(cache, count - 1, error);
    if (result) return result;
    if (!weft_cache_record_fault(&cache->layout, cache->record)) break;
  }
  cache->frame_count = count;
  uint64_t end = weft_cache_record_offset(&cache->layout, count);
  cache->ignored_bytes = size > end ? size - end : 0;
  return WEFT_RESULT_OK;
}

WeftResult weft_cache_open(const char *path, WeftCache **cache, WeftError *error) {
  if (!cache)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "weft_cache_open: cache must not be NULL");
  *cache = NULL;
  if (!path) return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "weft_cache_open: path must not be NULL");
  WeftCache *made = WEFT_NEW(WeftCache, 1);
  if (!made) return weft_fail_memory(error, path);
  made->path = weft_copy_text(path);
  made->file = made->path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  WeftResult result = WEFT_RESULT_OK;
  if (!made->path) {
    result = weft_fail_memory(error, path);
  } else if (made->file < 0) {
    result = weft_fail(error, WEFT_RESULT_IO, "%s: cannot be read: %s", path, strerror(errno));
  }
  if (!result) result = weft_cache_layout_read(&made->layout, made->file, path, error);
  if (!result) result = weft_cache_refresh(made, error);
  if (result) {
    weft_cache_close(made);
  } else {
    *cache = made;
  }
  return result;
}

void weft_cache_close(WeftCache *cache) {
  if (!cache) return;
  if (cache->file >= 0) close(cache->file);
  weft_cache_layout_free(&cache->layout);
  free(cache->record);
  free(cache->path);
  free(cache);
}

WeftCacheInfo weft_cache_info(const WeftCache *cache) {
  if (!cache) return (WeftCacheInfo){.scene = ""};
  const WeftCacheHead *head = &cache->layout.head;
  return (WeftCacheInfo){.scene = cache->layout.scene,
                         .run = head->run,
                         .frame_rate = head->frame_rate,
                         .time_step = head->time_step,
                         .quantise_bits = (int32_t)head->quantise_bits,
                         .has_velocities = head->flags & WEFT_CACHE_HAS_VELOCITIES,
                         .has_rest = head->flags & WEFT_CACHE_HAS_REST,
                         .has_pressures = head->flags & WEFT_CACHE_HAS_PRESSURES,
                         .cloth_count = (int32_t)head->cloth_count,
                         .obstacle_count = (int32_t)cache->layout.obstacle_count,
                         .frame_count = cache->frame_count,
                         .ignored_bytes = cache->ignored_bytes};
}

/* Of cloths and obstacles alike; NULL is a body that is not there. */
static const char *name_of(const WeftCacheBody *body) { return body ? body->name : ""; }
static int32_t vertex_count_of(const WeftCacheBody *body) { return body ? body->vertex_count : -1; }
static int32_t triangle_count_of(const WeftCacheBody *body) { return body ? body->triangle_count : -1; }

static void copy_triangles(const WeftCacheBody *body, int32_t *triangles) {
  memcpy(triangles, body->triangles, 3 * (size_t)body->triangle_count * sizeof *triangles);
}

static const WeftCacheBody *cloth_at(const WeftCache *cache, int32_t cloth) {
  bool is_there = cache && cloth >= 0 && (uint32_t)cloth < cache->layout.head.cloth_count;
  return is_there ? &cache->layout.cloths[cloth] : NULL;
}

static const WeftCacheBody *obstacle_at(const WeftCache *cache, int32_t obstacle) {
  bool is_there = cache && obstacle >= 0 && (uint32_t)obstacle < cache->layout.obstacle_count;
  return is_there ? &cache->layout.obstacles[obstacle] : NULL;
}

static WeftResult fail_cloth(const WeftCache *cache, int32_t cloth, WeftError *error) {
  return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "there is no cloth %d; the cache has %d", cloth,
                   cache ? (int)cache->layout.head.cloth_count : 0);
}

static WeftResult fail_obstacle(const WeftCache *cache, int32_t obstacle, WeftError *error) {
  return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "there is no obstacle %d; the cache has %d", obstacle,
                   cache ? (int)cache->layout.obstacle_count : 0);
}

const char *weft_cache_cloth_name(const WeftCache *cache, int32_t cloth) {
  return name_of(cloth_at(cache, cloth));
}

int32_t weft_cache_vertex_count(const WeftCache *cache, int32_t cloth) {
  return vertex_count_of(cloth_at(cache, cloth));
}

int32_t weft_cache_triangle_count(const WeftCache *cache, int32_t cloth) {
  return triangle_count_of(cloth_at(cache, cloth));
}

WeftResult weft_cache_triangles(const WeftCache *cache, int32_t cloth, int32_t *triangles, WeftError *error) {
  const WeftCacheBody *c = cloth_at(cache, cloth);
  if (!c) return fail_cloth(cache, cloth, error);
  copy_triangles(c, triangles);
  return WEFT_RESULT_OK;
}

const char *weft_cache_obstacle_name(const WeftCache *cache, int32_t obstacle) {
  return name_of(obstacle_at(cache, obstacle));
}

int32_t weft_cache_obstacle_vertex_count(const WeftCache *cache, int32_t obstacle) {
  return vertex_count_of(obstacle_at(cache, obstacle));
}

int32_t weft_cache_obstacle_triangle_count(const WeftCache *cache, int32_t obstacle) {
  return triangle_count_of(obstacle_at(cache, obstacle));
}

bool weft_cache_obstacle_moves(const WeftCache *cache, int32_t obstacle) {
  const WeftCacheBody *o = obstacle_at(cache, obstacle);
  return o && !o->standing;
}

WeftResult weft_cache_obstacle_triangles(const WeftCache *cache, int32_t obstacle, int32_t *triangles,
                                         WeftError *error) {
  const WeftCacheBody *o = obstacle_at(cache, obstacle);
  if (!o) return fail_obstacle(cache, obstacle, error);
  copy_triangles(o, triangles);
  return WEFT_RESULT_OK;
}

WeftResult weft_cache_obstacle_positions(const WeftCache *cache, int32_t obstacle, double *positions,
                                         WeftError *error) {
  const WeftCacheBody *o = obstacle_at(cache, obstacle);
  if (!o) return fail_obstacle(cache, obstacle, error);
  if (o->standing) {
    weft_cache_unpack(o->standing, (size_t)o->vertex_count, 0, positions);
    return WEFT_RESULT_OK;
  }
  if (!cache->has_frame)
    return weft_fail(error, WEFT_RESULT_WRONG_TIME, "no frame of the cache was read yet");
  weft_cache_unpack(cache->record + o->positions, (size_t)o->vertex_count,
                    (int)cache->layout.head.quantise_bits, positions);
  return WEFT_RESULT_OK;
}

static void describe(const WeftCache *cache, WeftCacheFrame *frame) {
  WeftCacheRecord head;
  memcpy(&head, cache->record, sizeof head);
  *frame = (WeftCacheFrame){.frame = (int32_t)head.frame, .time = head.time};
  int bits = (int)cache->layout.head.quantise_bits;
  for (uint32_t c = 0; c < cache->layout.head.cloth_count; c++) {
    const WeftCacheBody *cloth = &cache->layout.cloths[c];
    frame->position_error =
        fmax(frame->position_error, weft_cache_packed_error(cache->record + cloth->positions, bits));
    if (cache->layout.head.flags & WEFT_CACHE_HAS_VELOCITIES) {
      frame->velocity_error =
          fmax(frame->velocity_error, weft_cache_packed_error(cache->record + cloth->velocities, bits));
    }
  }
  for (uint32_t i = 0; i < cache->layout.obstacle_count; i++) {
    const WeftCacheBody *obstacle = &cache->layout.obstacles[i];
    if (obstacle->standing) continue;
    frame->position_error =
        fmax(frame->position_error, weft_cache_packed_error(cache->record + obstacle->positions, bits));
  }
}

WeftResult weft_cache_read(WeftCache *cache, int64_t index, WeftCacheFrame *frame, WeftError *error) {
  if (!cache || index < 0 || index >= cache->frame_count) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "there is no frame %lld in the cache; it holds %lld", (long long)index,
                     cache ? (long long)cache->frame_count : 0);
  }
  WeftResult result = load(cache, index, error);
  if (result) return result;
  const char *fault = weft_cache_record_fault(&cache->layout, cache->record);
  if (fault) {
    return weft_fail(error, WEFT_RESULT_PARSE, "%s: frame %lld of the file (counted from 0) is damaged: %s",
                     cache->path, (long long)index, fault);
  }
  cache->has_frame = true;
  if (frame) describe(cache, frame);
  return WEFT_RESULT_OK;
}

static WeftResult vectors(const WeftCache *cache, int32_t cloth, bool is_velocity, double *to,
                          WeftError *error) {
  const WeftCacheBody *c = cloth_at(cache, cloth);
  if (!c) return fail_cloth(cache, cloth, error);
  if (!cache->has_frame)
    return weft_fail(error, WEFT_RESULT_WRONG_TIME, "no frame of the cache was read yet");
  if (is_velocity && !(cache->layout.head.flags & WEFT_CACHE_HAS_VELOCITIES)) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "%s: the cache holds no velocities; the scene's output.cache.velocities writes them",
                     cache->path);
  }
  weft_cache_unpack(cache->record + (is_velocity ? c->velocities : c->positions), (size_t)c->vertex_count,
                    (int)cache->layout.head.quantise_bits, to);
  return WEFT_RESULT_OK;
}

/* count floats to doubles. */
static void widen(const unsigned char *floats, size_t count, double *to) {
  for (size_t i = 0; i < count; i++) {
    float number;
    memcpy(&number, floats + i * sizeof number, sizeof number);
    to[i] = (double)number;
  }
}

WeftResult weft_cache_rest(const WeftCache *cache, int32_t cloth, double *uvs, WeftError *error) {
  const WeftCacheBody *c = cloth_at(cache, cloth);
  if (!c) return fail_cloth(cache, cloth, error);
  if (!c->rest)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "%s: the cache holds no rest shapes", cache->path);
  widen(c->rest, 6 * (size_t)c->triangle_count, uvs);
  return WEFT_RESULT_OK;
}

double weft_cache_thickness(const WeftCache *cache, int32_t cloth) {
  const WeftCacheBody *c = cloth_at(cache, cloth);
  return c ? c->thickness : -1;
}

double weft_cache_obstacle_thickness(const WeftCache *cache, int32_t obstacle) {
  const WeftCacheBody *o = obstacle_at(cache, obstacle);
  return o ? o->thickness : -1;
}

WeftResult weft_cache_pressures(const WeftCache *cache, int32_t cloth, double *pressures, WeftError *error) {
  const WeftCacheBody *c = cloth_at(cache, cloth);
  if (!c) return fail_cloth(cache, cloth, error);
  if (!cache->has_frame)
    return weft_fail(error, WEFT_RESULT_WRONG_TIME, "no frame of the cache was read yet");
  if (!(cache->layout.head.flags & WEFT_CACHE_HAS_PRESSURES))
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "%s: the cache holds no contact pressures",
                     cache->path);
  widen(cache->record + c->pressures, (size_t)c->vertex_count, pressures);
  return WEFT_RESULT_OK;
}

WeftResult weft_cache_positions(const WeftCache *cache, int32_t cloth, double *positions, WeftError *error) {
  return vectors(cache, cloth, false, positions, error);
}

WeftResult weft_cache_velocities(const WeftCache *cache, int32_t cloth, double *velocities,
                                 WeftError *error) {
  return vectors(cache, cloth, true, velocities, error);
}
