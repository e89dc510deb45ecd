/* The header of a cache: made from a world, read from a file, checked. */
#include "base/checksum.h"
#include "base/memory.h"
#include "io/cache.h"
#include "mesh/limits.h"
#include "world.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char weft_cache_magic[8] = {'w', 'e', 'f', 't', 'c', 'a', 'c', 'h'};
const char weft_cache_record_magic[8] = {'w', 'e', 'f', 't', 'f', 'r', 'a', 'm'};

/* A text and at least one zero behind it. */
static size_t text_size(size_t length) { return length / 8 * 8 + 8; }

static size_t triangle_size(size_t count) { return (3 * count * sizeof(int32_t) + 7) / 8 * 8; }

void weft_cache_layout_free(WeftCacheLayout *layout) {
  free(layout->bytes);
  free(layout->cloths);
  free(layout->obstacles);
  memset(layout, 0, sizeof *layout);
}

bool weft_cache_read_at(int file, void *bytes, size_t size, uint64_t offset) {
  unsigned char *to = bytes;
  while (size > 0) {
    ssize_t got = pread(file, to, size, (off_t)offset);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = 0;
    if (got <= 0) return false;
    to += got;
    size -= (size_t)got;
    offset += (uint64_t)got;
  }
  return true;
}

/* Walks through the header's bytes; NULL behind the end. */
typedef struct Walk {
  const unsigned char *at;
  size_t left;
} Walk;

static const unsigned char *take(Walk *walk, size_t size) {
  const unsigned char *here = walk->at;
  if (size > walk->left) return NULL;
  walk->at += size;
  walk->left -= size;
  return here;
}

static const char *take_text(Walk *walk, size_t length) {
  const char *text = length <= WEFT_CACHE_MOST_SCENE ? (const char *)take(walk, text_size(length)) : NULL;
  return text && !text[length] && strlen(text) == length ? text : NULL;
}

static size_t rest_size(size_t triangle_count) { return 6 * triangle_count * sizeof(float); }

static bool are_finite(const unsigned char *floats, size_t count) {
  for (size_t i = 0; i < count; i++) {
    float number;
    memcpy(&number, floats + i * sizeof number, sizeof number);
    if (!isfinite(number)) return false;
  }
  return true;
}

/* Thickness, and the rest shape of cloth. */
static bool parse_shape(Walk *walk, WeftCacheBody *body, bool is_cloth) {
  size_t count = (size_t)body->triangle_count;
  const unsigned char *bytes = take(walk, sizeof body->thickness);
  if (!bytes) return false;
  memcpy(&body->thickness, bytes, sizeof body->thickness);
  if (!isfinite(body->thickness) || body->thickness < 0) return false;
  if (!is_cloth) return true;
  body->rest = take(walk, rest_size(count));
  return body->rest && are_finite(body->rest, 6 * count);
}

static bool parse_body(Walk *walk, WeftCacheBody *body, bool is_cloth, bool has_rest) {
  WeftCacheBodyHead head;
  const unsigned char *bytes = take(walk, sizeof head);
  if (!bytes) return false;
  memcpy(&head, bytes, sizeof head);
  if (head.vertex_count > WEFT_MAX_VERTICES || head.triangle_count > WEFT_MAX_TRIANGLES) return false;
  body->vertex_count = (int32_t)head.vertex_count;
  body->triangle_count = (int32_t)head.triangle_count;
  body->name = head.name_length < WEFT_NAME_SIZE ? take_text(walk, head.name_length) : NULL;
  body->triangles = body->name ? take(walk, triangle_size(head.triangle_count)) : NULL;
  if (!body->triangles) return false;
  for (size_t i = 0; i < 3 * (size_t)head.triangle_count; i++) {
    uint32_t corner;
    memcpy(&corner, body->triangles + i * sizeof corner, sizeof corner);
    if (corner >= head.vertex_count) return false;
  }
  if (has_rest && !parse_shape(walk, body, is_cloth)) return false;
  if (is_cloth || head.is_moving) return is_cloth || head.is_moving == 1;
  body->standing = take(walk, weft_cache_packed_size(head.vertex_count, 0));
  return body->standing && weft_cache_is_finite(body->standing, head.vertex_count, 0);
}

/* The obstacles of version 2 and what a record holds of them, from *end on. */
static bool parse_obstacles(WeftCacheLayout *layout, Walk *walk, size_t *end) {
  if (layout->head.version == WEFT_CACHE_VERSION_CLOTHS) return true;
  for (uint32_t i = 0; i < layout->obstacle_count; i++) {
    WeftCacheBody *obstacle = &layout->obstacles[i];
    if (!parse_body(walk, obstacle, false, layout->head.flags & WEFT_CACHE_HAS_REST)) return false;
    obstacle->positions = *end;
    if (!obstacle->standing)
      *end += weft_cache_packed_size((size_t)obstacle->vertex_count, (int)layout->head.quantise_bits);
  }
  return true;
}

/* How many obstacles there are: it stands behind the cloths. Makes room for them. */
static WeftResult take_obstacle_count(WeftCacheLayout *layout, Walk *walk, const char *path,
                                      WeftError *error) {
  uint64_t count = 0;
  if (layout->head.version > WEFT_CACHE_VERSION_CLOTHS) {
    const unsigned char *bytes = take(walk, sizeof count);
    if (bytes) memcpy(&count, bytes, sizeof count);
    if (!bytes || count > walk->left / sizeof(WeftCacheBodyHead)) {
      return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                       "%s: the header of the cache is too short for its obstacles", path);
    }
  }
  layout->obstacle_count = (uint32_t)count;
  layout->obstacles = WEFT_NEW(WeftCacheBody, count);
  return layout->obstacles ? WEFT_RESULT_OK : weft_fail_memory(error, path);
}

/* Numbers and cloths, and where they are in a record. */
static bool parse_cloths(WeftCacheLayout *layout, Walk *walk, size_t *end) {
  const WeftCacheHead *head = &layout->head;
  bool is_quantised =
      head->quantise_bits >= WEFT_CACHE_LEAST_BITS && head->quantise_bits <= WEFT_CACHE_MOST_BITS;
  if (head->quantise_bits && !is_quantised) return false;
  if (!isfinite(head->frame_rate) || !isfinite(head->time_step)) return false;
  uint32_t known = WEFT_CACHE_HAS_VELOCITIES;
  if (head->version > WEFT_CACHE_VERSION_OBSTACLES) known |= WEFT_CACHE_HAS_REST | WEFT_CACHE_HAS_PRESSURES;
  if (head->flags & ~known) return false;
  layout->scene = take_text(walk, head->scene_length);
  if (!layout->scene) return false;
  int bits = (int)head->quantise_bits;
  size_t vectors = 0;
  for (uint32_t c = 0; c < head->cloth_count; c++) {
    WeftCacheBody *cloth = &layout->cloths[c];
    if (!parse_body(walk, cloth, true, head->flags & WEFT_CACHE_HAS_REST)) return false;
    cloth->positions = sizeof(WeftCacheRecord) + vectors;
    vectors += weft_cache_packed_size((size_t)cloth->vertex_count, bits);
  }
  for (uint32_t c = 0; c < head->cloth_count; c++)
    layout->cloths[c].velocities = layout->cloths[c].positions + vectors;
  bool has_velocities = head->flags & WEFT_CACHE_HAS_VELOCITIES;
  *end = sizeof(WeftCacheRecord) + (has_velocities ? 2 : 1) * vectors;
  for (uint32_t c = 0; c < head->cloth_count && head->flags & WEFT_CACHE_HAS_PRESSURES; c++) {
    layout->cloths[c].pressures = *end;
    *end += weft_cache_pressure_size((size_t)layout->cloths[c].vertex_count);
  }
  return true;
}

static WeftResult fail_range(const char *path, WeftError *error) {
  return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                   "%s: the header of the cache holds a number or name that is out of range", path);
}

/* The rest of the header, and where things are in a record. */
static WeftResult parse_rest(WeftCacheLayout *layout, const char *path, WeftError *error) {
  const WeftCacheHead *head = &layout->head;
  Walk walk = {layout->bytes + sizeof *head, (size_t)head->size - sizeof *head - sizeof(uint64_t)};
  size_t end = 0;
  if (!parse_cloths(layout, &walk, &end)) return fail_range(path, error);
  WeftResult result = take_obstacle_count(layout, &walk, path, error);
  if (result) return result;
  if (!parse_obstacles(layout, &walk, &end) || walk.left != 0) return fail_range(path, error);
  layout->record_size = end + sizeof(uint64_t);
  return WEFT_RESULT_OK;
}

WeftResult weft_cache_layout_parse(WeftCacheLayout *layout, unsigned char *bytes, const char *path,
                                   WeftError *error) {
  memset(layout, 0, sizeof *layout);
  layout->bytes = bytes;
  memcpy(&layout->head, bytes, sizeof layout->head);
  size_t size = (size_t)layout->head.size, count = layout->head.cloth_count;
  WeftResult result = WEFT_RESULT_OK;
  uint64_t checksum;
  memcpy(&checksum, bytes + size - sizeof checksum, sizeof checksum);
  if (checksum != weft_checksum(bytes, size - sizeof checksum)) {
    result = weft_fail(
        error, WEFT_RESULT_PARSE,
        "%s: the header of the cache was altered: its checksum does not fit, and without it no frame can "
        "be read",
        path);
  } else if (count > size / sizeof(WeftCacheBodyHead)) {
    result = weft_fail(error, WEFT_RESULT_INVALID_DATA,
                       "%s: the header of the cache is too short for %zu cloths", path, count);
  } else {
    layout->cloths = WEFT_NEW(WeftCacheBody, count);
    result = layout->cloths ? parse_rest(layout, path, error) : weft_fail_memory(error, path);
  }
  if (result) weft_cache_layout_free(layout);
  return result;
}

/* Whether the beginning is one of a cache that this weft reads; size: of the file. */
static WeftResult check_head(const WeftCacheHead *head, uint64_t size, const char *path, WeftError *error) {
  if (memcmp(head->magic, weft_cache_magic, sizeof head->magic) != 0) {
    return weft_fail(error, WEFT_RESULT_PARSE, "%s: this is not a cache of weft", path);
  }
  if (head->byte_order != WEFT_CACHE_BYTE_ORDER) {
    return weft_fail(error, WEFT_RESULT_MISMATCH,
                     "%s: the cache was written on a machine of the other byte order", path);
  }
  if (head->version < WEFT_CACHE_VERSION_CLOTHS || head->version > WEFT_CACHE_VERSION) {
    return weft_fail(error, WEFT_RESULT_MISMATCH,
                     "%s: the cache has version %u, this weft reads versions up to %d: use a newer weft",
                     path, (unsigned)head->version, WEFT_CACHE_VERSION);
  }
  if (head->size < sizeof *head + sizeof(uint64_t)) {
    return weft_fail(error, WEFT_RESULT_PARSE, "%s: the header of the cache was altered: its size is %llu",
                     path, (unsigned long long)head->size);
  }
  if (head->size > size) {
    return weft_fail(error, WEFT_RESULT_PARSE,
                     "%s: the cache was cut off within its header: %llu bytes of %llu, no frame is left",
                     path, (unsigned long long)size, (unsigned long long)head->size);
  }
  return WEFT_RESULT_OK;
}

static WeftResult fail_read(const char *path, WeftError *error) {
  return weft_fail(error, WEFT_RESULT_IO, "%s: cannot be read: %s", path,
                   errno ? strerror(errno) : "it became shorter meanwhile");
}

WeftResult weft_cache_layout_read(WeftCacheLayout *layout, int file, const char *path, WeftError *error) {
  struct stat facts;
  WeftCacheHead head = {0};
  if (fstat(file, &facts) != 0) return fail_read(path, error);
  uint64_t size = facts.st_size > 0 ? (uint64_t)facts.st_size : 0;
  size_t there = size < sizeof head ? (size_t)size : sizeof head;
  if (!weft_cache_read_at(file, &head, there, 0)) return fail_read(path, error);
  if (there < sizeof head) {
    bool is_begun = there >= sizeof head.magic && !memcmp(head.magic, weft_cache_magic, sizeof head.magic);
    return weft_fail(error, WEFT_RESULT_PARSE,
                     is_begun ? "%s: the cache was cut off within its header: no frame is left"
                              : "%s: this is not a cache of weft",
                     path);
  }
  WeftResult result = check_head(&head, size, path, error);
  if (result) return result;
  unsigned char *bytes = malloc((size_t)head.size);
  if (!bytes) return weft_fail_memory(error, path);
  if (!weft_cache_read_at(file, bytes, (size_t)head.size, 0)) {
    free(bytes);
    return fail_read(path, error);
  }
  /* a file that changes while it is read must not change what was checked */
  memcpy(bytes, &head, sizeof head);
  return weft_cache_layout_parse(layout, bytes, path, error);
}

static size_t body_size(const char *name, int32_t triangle_count) {
  return sizeof(WeftCacheBodyHead) + text_size(strlen(name)) + triangle_size((size_t)triangle_count);
}

static bool stands_still(WeftWorld *world, int32_t obstacle) {
  return weft_world_obstacle_motion(world, obstacle) == WEFT_MOTION_STATIC;
}

static size_t header_size(WeftWorld *world, size_t scene_length, uint32_t version, bool has_rest) {
  size_t size = sizeof(WeftCacheHead) + text_size(scene_length);
  for (int32_t c = 0; c < weft_world_cloth_count(world); c++) {
    int32_t triangles = weft_world_triangle_count(world, c);
    size += body_size(weft_world_cloth_name(world, c), triangles);
    if (has_rest) size += sizeof(double) + rest_size((size_t)triangles);
  }
  if (version > WEFT_CACHE_VERSION_CLOTHS) size += sizeof(uint64_t);
  for (int32_t i = 0; i < weft_world_obstacle_count(world); i++) {
    size += body_size(weft_world_obstacle_name(world, i), weft_world_obstacle_triangle_count(world, i));
    if (has_rest) size += sizeof(double);
    if (stands_still(world, i))
      size += weft_cache_packed_size((size_t)weft_world_obstacle_vertex_count(world, i), 0);
  }
  return size + sizeof(uint64_t);
}

/* Head and name; returns where the triangles come. */
static unsigned char *put_head(unsigned char *at, const char *name, int32_t vertex_count,
                               int32_t triangle_count, bool is_moving) {
  WeftCacheBodyHead head = {(uint32_t)strlen(name), (uint32_t)vertex_count, (uint32_t)triangle_count,
                            is_moving};
  memcpy(at, &head, sizeof head);
  memcpy(at + sizeof head, name, head.name_length);
  return at + sizeof head + text_size(head.name_length);
}

/* Everything is a multiple of eight bytes long, so integers and doubles may be put in place. */
static void put_thickness(unsigned char **at, double thickness) {
  memcpy(*at, &thickness, sizeof thickness);
  *at += sizeof thickness;
}

static void put_rest(unsigned char **at, const WeftModel *model, int32_t cloth) {
  const WeftModelCloth *c = &model->cloths[cloth];
  const double *uvs = model->rest_uv + 6 * (size_t)c->first_triangle;
  put_thickness(at, c->material.thickness);
  for (size_t i = 0; i < 6 * (size_t)c->triangle_count; i++, *at += sizeof(float)) {
    float number = (float)uvs[i];
    memcpy(*at, &number, sizeof number);
  }
}

static WeftResult put_cloths(unsigned char **at, WeftWorld *world, bool has_rest, WeftError *error) {
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t c = 0; c < weft_world_cloth_count(world) && !result; c++) {
    int32_t triangles = weft_world_triangle_count(world, c);
    *at = put_head(*at, weft_world_cloth_name(world, c), weft_world_vertex_count(world, c), triangles, false);
    result = weft_world_triangles(world, c, (int32_t *)(void *)*at, error);
    *at += triangle_size((size_t)triangles);
    if (has_rest) put_rest(at, &world->model, c);
  }
  return result;
}

static WeftResult put_obstacles(unsigned char *at, WeftWorld *world, bool has_rest, WeftError *error) {
  uint64_t count = (uint64_t)weft_world_obstacle_count(world);
  WeftResult result = WEFT_RESULT_OK;
  memcpy(at, &count, sizeof count);
  at += sizeof count;
  for (int32_t i = 0; i < (int32_t)count && !result; i++) {
    int32_t vertices = weft_world_obstacle_vertex_count(world, i),
            triangles = weft_world_obstacle_triangle_count(world, i);
    bool is_moving = !stands_still(world, i);
    at = put_head(at, weft_world_obstacle_name(world, i), vertices, triangles, is_moving);
    result = weft_world_get_obstacle_triangles(world, i, (int32_t *)(void *)at, error);
    at += triangle_size((size_t)triangles);
    if (has_rest) put_thickness(&at, world->model.obstacles[i].thickness);
    if (is_moving || result) continue;
    result = weft_world_get_obstacle_positions(world, i, (double *)(void *)at, error);
    at += weft_cache_packed_size((size_t)vertices, 0);
  }
  return result;
}

WeftResult weft_cache_layout_make(WeftCacheLayout *layout, WeftWorld *world, const WeftCacheOptions *options,
                                  const char *path, WeftError *error) {
  memset(layout, 0, sizeof *layout);
  const char *scene = options->scene ? options->scene : "";
  size_t length = strlen(scene), bits = (size_t)options->quantise_bits;
  if (length > WEFT_CACHE_MOST_SCENE ||
      (bits && (bits < WEFT_CACHE_LEAST_BITS || bits > WEFT_CACHE_MOST_BITS))) {
    return weft_fail(
        error, WEFT_RESULT_INVALID_ARGUMENT,
        "%s: quantise_bits is %d, must be 0 or %d to %d; the scene's name has %zu bytes, at most %d", path,
        options->quantise_bits, WEFT_CACHE_LEAST_BITS, WEFT_CACHE_MOST_BITS, length, WEFT_CACHE_MOST_SCENE);
  }
  WeftResult result = weft_world_check(world, 0, error);
  if (result) return result;
  bool has_obstacles = weft_world_obstacle_count(world) > 0;
  uint32_t flags = (options->has_velocities ? WEFT_CACHE_HAS_VELOCITIES : 0u) |
                   (options->has_rest ? WEFT_CACHE_HAS_REST : 0u) |
                   (options->has_pressures ? WEFT_CACHE_HAS_PRESSURES : 0u);
  uint32_t version = flags & (WEFT_CACHE_HAS_REST | WEFT_CACHE_HAS_PRESSURES) ? WEFT_CACHE_VERSION
                     : has_obstacles                                          ? WEFT_CACHE_VERSION_OBSTACLES
                                                                              : WEFT_CACHE_VERSION_CLOTHS;
  size_t size = header_size(world, length, version, options->has_rest);
  unsigned char *bytes = WEFT_NEW(unsigned char, size);
  if (!bytes) return weft_fail_memory(error, path);
  WeftCacheHead head = {.version = version,
                        .byte_order = WEFT_CACHE_BYTE_ORDER,
                        .size = size,
                        .run = options->run,
                        .frame_rate = options->frame_rate,
                        .time_step = world->def.time_step,
                        .quantise_bits = (uint32_t)bits,
                        .flags = flags,
                        .cloth_count = (uint32_t)weft_world_cloth_count(world),
                        .scene_length = (uint32_t)length};
  memcpy(head.magic, weft_cache_magic, sizeof head.magic);
  memcpy(bytes, &head, sizeof head);
  memcpy(bytes + sizeof head, scene, length);
  unsigned char *at = bytes + sizeof head + text_size(length);
  result = put_cloths(&at, world, options->has_rest, error);
  if (!result && version > WEFT_CACHE_VERSION_CLOTHS)
    result = put_obstacles(at, world, options->has_rest, error);
  if (result) {
    free(bytes);
    return result;
  }
  uint64_t checksum = weft_checksum(bytes, size - sizeof checksum);
  memcpy(bytes + size - sizeof checksum, &checksum, sizeof checksum);
  return weft_cache_layout_parse(layout, bytes, path, error);
}

int64_t weft_cache_record_count(const WeftCacheLayout *layout, uint64_t file_size) {
  return file_size < layout->head.size ? 0 : (int64_t)((file_size - layout->head.size) / layout->record_size);
}

uint64_t weft_cache_record_offset(const WeftCacheLayout *layout, int64_t index) {
  return layout->head.size + (uint64_t)index * layout->record_size;
}

const char *weft_cache_record_fault(const WeftCacheLayout *layout, const unsigned char *record) {
  WeftCacheRecord head;
  memcpy(&head, record, sizeof head);
  size_t size = (size_t)layout->record_size;
  uint64_t checksum;
  memcpy(&checksum, record + size - sizeof checksum, sizeof checksum);
  if (memcmp(head.magic, weft_cache_record_magic, sizeof head.magic) != 0 || head.size != size ||
      checksum != weft_checksum(record, size - sizeof checksum)) {
    return "it was altered, or not written to its end: its checksum does not fit";
  }
  /* a record whose checksum fits was still written by somebody */
  bool is_fine = head.frame >= 0 && head.frame <= INT32_MAX && isfinite(head.time);
  int bits = (int)layout->head.quantise_bits;
  for (uint32_t c = 0; c < layout->head.cloth_count && is_fine; c++) {
    const WeftCacheBody *cloth = &layout->cloths[c];
    size_t n = (size_t)cloth->vertex_count;
    is_fine = weft_cache_is_finite(record + cloth->positions, n, bits) &&
              (!(layout->head.flags & WEFT_CACHE_HAS_VELOCITIES) ||
               weft_cache_is_finite(record + cloth->velocities, n, bits)) &&
              (!(layout->head.flags & WEFT_CACHE_HAS_PRESSURES) || are_finite(record + cloth->pressures, n));
  }
  for (uint32_t i = 0; i < layout->obstacle_count && is_fine; i++) {
    const WeftCacheBody *obstacle = &layout->obstacles[i];
    is_fine = obstacle->standing ||
              weft_cache_is_finite(record + obstacle->positions, (size_t)obstacle->vertex_count, bits);
  }
  return is_fine ? NULL : "it holds a number that is out of range";
}
