/* Writing a cache of frames, anew or on from where an earlier run stopped.
 *
 * The header is written beside and renamed, so that a cache that is there can be read. A frame is one write
 * at the end and a wait for the disk: it was reported as written only when it is safe. When the write fails
 * the file is cut back. */
#include "base/checksum.h"
#include "base/memory.h"
#include "base/write_file.h"
#include "io/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct WeftCacheWriter {
  int file;
  char *path; /* for messages */
  WeftCacheLayout layout;
  unsigned char *record;
  double *vectors;     /* of the largest cloth or obstacle */
  int64_t frame_count; /* in the file */
  int32_t last_frame;  /* -1: none */
};

static WeftResult fail_write(const char *path, WeftError *error) {
  return weft_fail(error, WEFT_RESULT_IO, "%s: cannot be written: %s", path,
                   errno ? strerror(errno) : "it became shorter meanwhile");
}

void weft_cache_writer_close(WeftCacheWriter *writer) {
  if (!writer) return;
  if (writer->file >= 0) close(writer->file);
  weft_cache_layout_free(&writer->layout);
  free(writer->record);
  free(writer->vectors);
  free(writer->path);
  free(writer);
}

/* Vertices of the largest body, at least so many. */
static size_t largest_of(uint32_t count, const WeftCacheBody *bodies, size_t largest) {
  for (uint32_t i = 0; i < count; i++)
    if ((size_t)bodies[i].vertex_count > largest) largest = (size_t)bodies[i].vertex_count;
  return largest;
}

/* Everything but the file. */
static WeftResult make(WeftWorld *world, const WeftCacheOptions *options, const char *path,
                       WeftCacheWriter **made, WeftError *error) {
  if (!made) return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "a cache needs a place for its writer");
  *made = NULL;
  if (!world || !options || !path) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "a cache needs a world, options and a path");
  }
  WeftCacheWriter *writer = WEFT_NEW(WeftCacheWriter, 1);
  if (!writer) return weft_fail_memory(error, path);
  writer->file = -1;
  writer->last_frame = -1;
  WeftResult result = weft_cache_layout_make(&writer->layout, world, options, path, error);
  if (result) {
    weft_cache_writer_close(writer);
    return result;
  }
  size_t largest = largest_of(writer->layout.head.cloth_count, writer->layout.cloths, 0);
  largest = largest_of(writer->layout.obstacle_count, writer->layout.obstacles, largest);
  writer->path = weft_copy_text(path);
  writer->vectors = WEFT_NEW(double, 3 * largest);
  writer->record = WEFT_NEW(unsigned char, writer->layout.record_size);
  if (!writer->path || !writer->vectors || !writer->record) {
    weft_cache_writer_close(writer);
    return weft_fail_memory(error, path);
  }
  *made = writer;
  return WEFT_RESULT_OK;
}

WeftResult weft_cache_create(WeftWorld *world, const WeftCacheOptions *options, const char *path,
                             WeftCacheWriter **writer, WeftError *error) {
  WeftCacheWriter *made = NULL;
  WeftResult result = make(world, options, path, writer ? &made : NULL, error);
  if (writer) *writer = NULL;
  if (!made) return result;
  char *beside = weft_beside(path);
  made->file = beside ? open(beside, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
  size_t size = (size_t)made->layout.head.size;
  if (!beside) {
    result = weft_fail_memory(error, path);
  } else if (made->file < 0 || !weft_write_at(made->file, made->layout.bytes, size, 0) ||
             fsync(made->file) != 0) {
    result = fail_write(path, error);
  } else {
    result = weft_put_in_place(beside, path, error);
  }
  if (result && made->file >= 0) remove(beside);
  free(beside);
  if (result) {
    weft_cache_writer_close(made);
  } else {
    *writer = made;
  }
  return result;
}

static WeftResult fail_fit(const char *path, const WeftCacheLayout *there, const WeftCacheLayout *wanted,
                           WeftError *error) {
  const WeftCacheHead *a = &there->head, *b = &wanted->head;
  const char *what = a->quantise_bits != b->quantise_bits ? "another number of bits a coordinate"
                     : a->flags != b->flags
                         ? "velocities, rest shapes or pressures in one and not in the other"
                     : a->run != b->run ? "another scene, or other --set values"
                                        : "other cloths, obstacles, names or frame rate";
  return weft_fail(error, WEFT_RESULT_MISMATCH,
                   "%s: the cache does not fit the run: %s; it was left as it is", path, what);
}

/* How many records, from the first on, are of frames up to last_frame. Numbers ascend, so it is found by
 * halving; only the last that stays is read as a whole. */
static WeftResult find_end(WeftCacheWriter *writer, int64_t count, int32_t last_frame, WeftError *error) {
  int64_t low = 0, high = count; /* records below low stay, from high on go */
  WeftCacheRecord head = {0};
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    uint64_t offset = weft_cache_record_offset(&writer->layout, middle);
    if (!weft_cache_read_at(writer->file, &head, sizeof head, offset)) return fail_write(writer->path, error);
    if (memcmp(head.magic, weft_cache_record_magic, sizeof head.magic) == 0 && head.frame <= last_frame) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  writer->frame_count = low;
  if (low == 0 && last_frame < 0) return WEFT_RESULT_OK;
  const char *fault = "it holds no such frame";
  if (low > 0) {
    uint64_t offset = weft_cache_record_offset(&writer->layout, low - 1);
    if (!weft_cache_read_at(writer->file, writer->record, (size_t)writer->layout.record_size, offset)) {
      return fail_write(writer->path, error);
    }
    memcpy(&head, writer->record, sizeof head);
    if (head.frame == last_frame) fault = weft_cache_record_fault(&writer->layout, writer->record);
  }
  if (fault) {
    return weft_fail(error, WEFT_RESULT_MISMATCH,
                     "%s: the cache does not fit the run: frame %d: %s; it was left as it is", writer->path,
                     last_frame, fault);
  }
  writer->last_frame = last_frame;
  return WEFT_RESULT_OK;
}

static WeftResult take_up(WeftCacheWriter *writer, int32_t last_frame, WeftError *error) {
  writer->file = open(writer->path, O_RDWR | O_CLOEXEC);
  if (writer->file < 0) {
    return weft_fail(error, WEFT_RESULT_IO, "%s: the cache to go on with cannot be opened: %s", writer->path,
                     strerror(errno));
  }
  WeftCacheLayout there;
  WeftResult result = weft_cache_layout_read(&there, writer->file, writer->path, error);
  if (result) return result;
  size_t size = (size_t)there.head.size;
  if (size != writer->layout.head.size || memcmp(there.bytes, writer->layout.bytes, size) != 0) {
    result = fail_fit(writer->path, &there, &writer->layout, error);
  }
  weft_cache_layout_free(&there);
  struct stat facts;
  if (!result && fstat(writer->file, &facts) != 0) result = fail_write(writer->path, error);
  if (result) return result;
  result =
      find_end(writer, weft_cache_record_count(&writer->layout, (uint64_t)facts.st_size), last_frame, error);
  if (result) return result;
  uint64_t end = weft_cache_record_offset(&writer->layout, writer->frame_count);
  if (ftruncate(writer->file, (off_t)end) != 0 || fsync(writer->file) != 0)
    return fail_write(writer->path, error);
  return WEFT_RESULT_OK;
}

WeftResult weft_cache_continue(WeftWorld *world, const WeftCacheOptions *options, const char *path,
                               int32_t last_frame, WeftCacheWriter **writer, WeftError *error) {
  WeftCacheWriter *made = NULL;
  WeftResult result = make(world, options, path, writer ? &made : NULL, error);
  if (writer) *writer = NULL;
  if (!made) return result;
  result = take_up(made, last_frame, error);
  if (result) {
    weft_cache_writer_close(made);
  } else {
    *writer = made;
  }
  return result;
}

static WeftResult fail_world(const WeftCacheWriter *writer, WeftError *error) {
  return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "%s: the world is not the one the cache was made for",
                   writer->path);
}

/* writer->vectors into the record. */
static WeftResult pack(WeftCacheWriter *writer, const WeftCacheBody *body, size_t offset, WeftError *error) {
  if (weft_cache_pack(writer->vectors, (size_t)body->vertex_count, (int)writer->layout.head.quantise_bits,
                      writer->record + offset))
    return WEFT_RESULT_OK;
  return weft_fail(error, WEFT_RESULT_NOT_FINITE,
                   "%s: '%s' spans more than can be quantised; write the cache without quantise_bits",
                   writer->path, body->name);
}

static WeftResult pack_cloths(WeftCacheWriter *writer, WeftWorld *world, bool is_velocity, WeftError *error) {
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t c = 0; c < (int32_t)writer->layout.head.cloth_count && !result; c++) {
    const WeftCacheBody *cloth = &writer->layout.cloths[c];
    if (weft_world_vertex_count(world, c) != cloth->vertex_count) return fail_world(writer, error);
    result = is_velocity ? weft_world_velocities(world, c, writer->vectors, error)
                         : weft_world_positions(world, c, writer->vectors, error);
    if (!result) result = pack(writer, cloth, is_velocity ? cloth->velocities : cloth->positions, error);
  }
  return result;
}

static WeftResult pack_pressures(WeftCacheWriter *writer, WeftWorld *world, WeftError *error) {
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t c = 0; c < (int32_t)writer->layout.head.cloth_count && !result; c++) {
    const WeftCacheBody *cloth = &writer->layout.cloths[c];
    result = weft_world_pressures(world, c, writer->vectors, error);
    for (size_t i = 0; !result && i < (size_t)cloth->vertex_count; i++) {
      float number = (float)writer->vectors[i];
      memcpy(writer->record + cloth->pressures + i * sizeof number, &number, sizeof number);
    }
  }
  return result;
}

static WeftResult pack_obstacles(WeftCacheWriter *writer, WeftWorld *world, WeftError *error) {
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t i = 0; i < (int32_t)writer->layout.obstacle_count && !result; i++) {
    const WeftCacheBody *obstacle = &writer->layout.obstacles[i];
    if (weft_world_obstacle_vertex_count(world, i) != obstacle->vertex_count)
      return fail_world(writer, error);
    if (obstacle->standing) continue;
    result = weft_world_get_obstacle_positions(world, i, writer->vectors, error);
    if (!result) result = pack(writer, obstacle, obstacle->positions, error);
  }
  return result;
}

WeftResult weft_cache_append(WeftCacheWriter *writer, WeftWorld *world, int32_t frame, WeftError *error) {
  if (!writer || !world || frame <= writer->last_frame) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "weft_cache_append: a writer, a world and a frame above %d are needed, not frame %d",
                     writer ? writer->last_frame : -1, frame);
  }
  size_t size = (size_t)writer->layout.record_size;
  WeftCacheRecord head = {.size = size, .frame = frame, .time = weft_world_time(world)};
  memcpy(head.magic, weft_cache_record_magic, sizeof head.magic);
  memset(writer->record, 0, size);
  memcpy(writer->record, &head, sizeof head);
  WeftResult result = pack_cloths(writer, world, false, error);
  if (!result && writer->layout.head.flags & WEFT_CACHE_HAS_VELOCITIES)
    result = pack_cloths(writer, world, true, error);
  if (!result && writer->layout.head.flags & WEFT_CACHE_HAS_PRESSURES)
    result = pack_pressures(writer, world, error);
  if (!result) result = pack_obstacles(writer, world, error);
  if (result) return result;
  uint64_t checksum = weft_checksum(writer->record, size - sizeof checksum);
  memcpy(writer->record + size - sizeof checksum, &checksum, sizeof checksum);
  uint64_t end = weft_cache_record_offset(&writer->layout, writer->frame_count);
  if (!weft_write_at(writer->file, writer->record, size, end) || fdatasync(writer->file) != 0) {
    int reason = errno;
    /* what cannot be cut off now is an incomplete tail, which readers ignore and the next append writes over
     */
    bool is_cut = ftruncate(writer->file, (off_t)end) == 0;
    return weft_fail(error, WEFT_RESULT_IO,
                     "%s: frame %d cannot be written: %s; the %lld frames before it are safe%s", writer->path,
                     frame, strerror(reason), (long long)writer->frame_count,
                     is_cut ? "" : ", what follows them is ignored");
  }
  writer->frame_count++;
  writer->last_frame = frame;
  return WEFT_RESULT_OK;
}
