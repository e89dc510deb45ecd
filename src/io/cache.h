/* The bytes of a cache of frames, shared by its reader and its writer. docs/cache.md describes them.
 *
 * A header that says everything about shapes, then records of one size, one a frame. The size follows from
 * the header, so the n-th frame is found without an index, and a file is as good as its last whole record. */
#ifndef WEFT_IO_CACHE_H
#define WEFT_IO_CACHE_H

#include "base/error.h"

#include <weft/cache.h>

enum {
  WEFT_CACHE_VERSION = 3,
  WEFT_CACHE_VERSION_OBSTACLES =
      2,                         /* without rest shapes and pressures, and so written while there are none */
  WEFT_CACHE_VERSION_CLOTHS = 1, /* without obstacles too */
  WEFT_CACHE_BYTE_ORDER = 0x01020304,
  WEFT_CACHE_HAS_VELOCITIES = 1,
  WEFT_CACHE_HAS_REST = 2,      /* from version 3 on */
  WEFT_CACHE_HAS_PRESSURES = 4, /* from version 3 on */
  WEFT_CACHE_LEAST_BITS = 8,
  WEFT_CACHE_MOST_BITS = 32,
  WEFT_CACHE_MOST_SCENE = 4095, /* bytes of a scene's name */
};

/* The header begins with this; then the scene's name, the cloths, from version 2 on the number of obstacles
 * (8 bytes) and the obstacles, and a checksum. */
typedef struct WeftCacheHead {
  char magic[8];
  uint32_t version, byte_order;
  uint64_t size; /* of the header, checksum included */
  uint64_t run;
  double frame_rate, time_step;
  uint32_t quantise_bits, flags;
  uint32_t cloth_count, scene_length;
} WeftCacheHead;

/* A body, cloth or obstacle, begins with this; then its name and its triangles, each filled up to a multiple
 * of eight bytes; with rest shapes its thickness (a double), and of cloth six floats a triangle; and the
 * positions of an obstacle that stands still. */
typedef struct WeftCacheBodyHead {
  uint32_t name_length, vertex_count, triangle_count, is_moving; /* is_moving: 0 for cloth */
} WeftCacheBodyHead;

/* A record begins with this; then positions of all cloths, velocities of all cloths, pressures of all cloths
 * (floats, each cloth filled up to a multiple of eight bytes), positions of the obstacles that move, and a
 * checksum. */
typedef struct WeftCacheRecord {
  char magic[8];
  uint64_t size; /* of the record, checksum included */
  int64_t frame;
  double time;
} WeftCacheRecord;

typedef struct WeftCacheBody {
  const char *name;
  int32_t vertex_count, triangle_count;
  const unsigned char *triangles;
  const unsigned char *rest;     /* of cloth, triangle_count x 6 floats; NULL: the cache has none */
  double thickness;              /* [m]; 0 without rest shapes */
  const unsigned char *standing; /* positions of an obstacle that does not move; NULL: in the records */
  size_t positions, velocities, pressures; /* where they begin in a record */
} WeftCacheBody;

/* A header, understood. Texts, triangles and standing positions point into bytes. */
typedef struct WeftCacheLayout {
  unsigned char *bytes;
  WeftCacheHead head;
  const char *scene;
  WeftCacheBody *cloths;
  uint32_t obstacle_count;
  WeftCacheBody *obstacles;
  uint64_t record_size;
} WeftCacheLayout;

extern const char weft_cache_magic[8], weft_cache_record_magic[8];

/* Takes bytes over in any case; path is for messages. */
WeftResult weft_cache_layout_parse(WeftCacheLayout *layout, unsigned char *bytes, const char *path,
                                   WeftError *error);
/* The header of a world's cache. */
WeftResult weft_cache_layout_make(WeftCacheLayout *layout, WeftWorld *world, const WeftCacheOptions *options,
                                  const char *path, WeftError *error);
/* Reads the header of an open file. */
WeftResult weft_cache_layout_read(WeftCacheLayout *layout, int file, const char *path, WeftError *error);
void weft_cache_layout_free(WeftCacheLayout *layout);

/* Complete records by the file's size. */
int64_t weft_cache_record_count(const WeftCacheLayout *layout, uint64_t file_size);
uint64_t weft_cache_record_offset(const WeftCacheLayout *layout, int64_t index);
/* Everything that can be wrong with a record; NULL when nothing is. */
const char *weft_cache_record_fault(const WeftCacheLayout *layout, const unsigned char *record);
/* Exactly so many bytes at an offset. False with errno set, 0 when the file is shorter. */
bool weft_cache_read_at(int file, void *bytes, size_t size, uint64_t offset);

/* Bytes of the pressures of a cloth in a record. */
size_t weft_cache_pressure_size(size_t vertex_count);

/* Vectors of a cloth, vertex_count x 3 numbers, in a record: as they are, or quantised. */
size_t weft_cache_packed_size(size_t vertex_count, int bits);
/* False when the numbers span more than a double can hold. to is zeroed. */
bool weft_cache_pack(const double *from, size_t vertex_count, int bits, unsigned char *to);
void weft_cache_unpack(const unsigned char *from, size_t vertex_count, int bits, double *to);
bool weft_cache_is_finite(const unsigned char *packed, size_t vertex_count, int bits);
/* No number is farther from the one that was packed. */
double weft_cache_packed_error(const unsigned char *packed, int bits);

#endif
