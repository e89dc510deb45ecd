/* weft: caches of frames. One file holds the shape of every cloth and obstacle and the positions of every
 * written frame, each frame with a checksum. It can be read while it is written, and up to its last complete
 * frame when writing was cut off. docs/cache.md describes the bytes.
 *
 *   WeftCache *cache;
 *   weft_cache_open("out/frames.weftcache", &cache, &error);
 *   for (int64_t i = 0; i < weft_cache_info(cache).frame_count; i++) {
 *     weft_cache_read(cache, i, &frame, &error);
 *     weft_cache_positions(cache, cloth, positions, &error);
 *   }
 *   weft_cache_close(cache);
 *
 * A cache is used by one thread at a time.
 */
#ifndef WEFT_CACHE_H
#define WEFT_CACHE_H

#include <weft/weft.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct WeftCache WeftCache;
typedef struct WeftCacheWriter WeftCacheWriter;

/* What a cache holds; strings live as long as the cache. */
typedef struct WeftCacheInfo {
  const char *scene;
  uint64_t run;          /* weft_world_fingerprint at the start of the run */
  double frame_rate;     /* [1/s] */
  double time_step;      /* [s] */
  int32_t quantise_bits; /* a coordinate; 0: doubles, bit for bit */
  bool has_velocities, has_rest, has_pressures;
  int32_t cloth_count, obstacle_count;
  int64_t frame_count;    /* complete frames, as of opening or the last weft_cache_refresh */
  uint64_t ignored_bytes; /* behind the last complete frame: one that is being written, or was cut off */
} WeftCacheInfo;

/* A frame that was read. */
typedef struct WeftCacheFrame {
  int32_t frame;         /* its number in the run */
  double time;           /* [s] */
  double position_error; /* no coordinate is farther from what was simulated [m]; 0 without quantisation */
  double velocity_error; /* the same [m/s] */
} WeftCacheFrame;

WEFT_API WeftResult weft_cache_open(const char *path, WeftCache **cache, WeftError *error);
/* NULL is fine. */
WEFT_API void weft_cache_close(WeftCache *cache);
WEFT_API WeftCacheInfo weft_cache_info(const WeftCache *cache);
/* Looks for frames that were written since. */
WEFT_API WeftResult weft_cache_refresh(WeftCache *cache, WeftError *error);

/* "" and negative for a cloth that is not there. */
WEFT_API const char *weft_cache_cloth_name(const WeftCache *cache, int32_t cloth);
WEFT_API int32_t weft_cache_vertex_count(const WeftCache *cache, int32_t cloth);
WEFT_API int32_t weft_cache_triangle_count(const WeftCache *cache, int32_t cloth);
/* triangle_count x 3 vertices. */
WEFT_API WeftResult weft_cache_triangles(const WeftCache *cache, int32_t cloth, int32_t *triangles,
                                         WeftError *error);

/* With has_rest. The flat rest shape: u0 v0 u1 v1 u2 v2 of each triangle, u along the warp; triangle_count x
 * 6 [m], rounded to single precision. */
WEFT_API WeftResult weft_cache_rest(const WeftCache *cache, int32_t cloth, double *uvs, WeftError *error);
/* [m]; negative for one that is not there, 0 without has_rest. */
WEFT_API double weft_cache_thickness(const WeftCache *cache, int32_t cloth);
WEFT_API double weft_cache_obstacle_thickness(const WeftCache *cache, int32_t obstacle);

/* The same for obstacles. */
WEFT_API const char *weft_cache_obstacle_name(const WeftCache *cache, int32_t obstacle);
WEFT_API int32_t weft_cache_obstacle_vertex_count(const WeftCache *cache, int32_t obstacle);
WEFT_API int32_t weft_cache_obstacle_triangle_count(const WeftCache *cache, int32_t obstacle);
WEFT_API bool weft_cache_obstacle_moves(const WeftCache *cache, int32_t obstacle);
WEFT_API WeftResult weft_cache_obstacle_triangles(const WeftCache *cache, int32_t obstacle,
                                                  int32_t *triangles, WeftError *error);

/* Reads the index-th frame of the file, from 0, and checks it. A frame that was altered is refused; the
 * others can still be read. frame may be NULL. */
WEFT_API WeftResult weft_cache_read(WeftCache *cache, int64_t index, WeftCacheFrame *frame, WeftError *error);
/* Of the frame that was read last; vertex_count x 3 [m, m/s]. */
WEFT_API WeftResult weft_cache_positions(const WeftCache *cache, int32_t cloth, double *positions,
                                         WeftError *error);
WEFT_API WeftResult weft_cache_velocities(const WeftCache *cache, int32_t cloth, double *velocities,
                                          WeftError *error);

/* With has_pressures: vertex_count [Pa], rounded to single precision; see weft_world_pressures. */
WEFT_API WeftResult weft_cache_pressures(const WeftCache *cache, int32_t cloth, double *pressures,
                                         WeftError *error);

/* Of an obstacle in that frame; of one that does not move also before any frame was read. */
WEFT_API WeftResult weft_cache_obstacle_positions(const WeftCache *cache, int32_t obstacle, double *positions,
                                                  WeftError *error);

/* How a cache is written; all zero is fine. */
typedef struct WeftCacheOptions {
  const char *scene; /* NULL: "" */
  uint64_t run;
  double frame_rate;     /* [1/s] */
  int32_t quantise_bits; /* 0: doubles; 8 to 32: so many bits a coordinate, see docs/cache.md for the error */
  bool has_velocities;
  bool has_rest;      /* rest shapes and thicknesses, once: what strains and gaps are measured against */
  bool has_pressures; /* contact pressures in every frame */
} WeftCacheOptions;

/* A new cache of the world's cloths and obstacles, in place of a file of that name. */
WEFT_API WeftResult weft_cache_create(WeftWorld *world, const WeftCacheOptions *options, const char *path,
                                      WeftCacheWriter **writer, WeftError *error);
/* Goes on with a cache of the same world and options: what follows last_frame, complete or not, is cut off.
 * Refused, and left as it is, when the file is of another world, or when the last frame that is to stay is
 * damaged or is not last_frame. last_frame -1: keeps no frame. */
WEFT_API WeftResult weft_cache_continue(WeftWorld *world, const WeftCacheOptions *options, const char *path,
                                        int32_t last_frame, WeftCacheWriter **writer, WeftError *error);
/* Adds the world as it is; frame must be above the one before. When this returns WEFT_RESULT_OK the frame is
 * on the disk; when it does not, the file is as it was. */
WEFT_API WeftResult weft_cache_append(WeftCacheWriter *writer, WeftWorld *world, int32_t frame,
                                      WeftError *error);
/* NULL is fine. */
WEFT_API void weft_cache_writer_close(WeftCacheWriter *writer);

#ifdef __cplusplus
}
#endif
#endif
