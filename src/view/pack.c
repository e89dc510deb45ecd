#include "view/pack.h"

#include "base/json_write.h"
#include "base/memory.h"
#include "view/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LEVELS = 65535, MOST_BYTES = 1 << 30 };

/* Numbers of one body, or pressures of one cloth, over all frames. */
typedef struct Channel {
  int32_t body; /* cloth, or behind the cloths obstacle */
  bool is_pressure;
  size_t count, axes; /* numbers a frame; 3 or 1 */
  double low[3], high[3], step[3];
  uint16_t *before, *now;
} Channel;

typedef struct Pack {
  WeftCache *cache;
  WeftCacheInfo info;
  Channel *channels;
  int channel_count;
  double *numbers; /* of the largest channel */
  int64_t *frames; /* indices of those that can be read */
  int64_t frame_count;
  FILE *stream;
  z_stream zip;
  unsigned char waiting[3]; /* bytes that do not fill a group of base64 yet */
  int waiting_count;
} Pack;

/* Base64, three bytes at a time. */
static void put_base64(Pack *pack, const unsigned char *bytes, size_t size, bool is_end) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < size || (is_end && pack->waiting_count > 0); i++) {
    int real = pack->waiting_count;
    if (i < size) pack->waiting[pack->waiting_count++] = bytes[i];
    if (i < size && pack->waiting_count < 3 && !(is_end && i + 1 == size)) continue;
    if (i < size) real = pack->waiting_count;
    for (int k = real; k < 3; k++) pack->waiting[k] = 0;
    uint32_t bits = (uint32_t)pack->waiting[0] << 16 | (uint32_t)pack->waiting[1] << 8 | pack->waiting[2];
    char group[4];
    for (int k = 0; k < 4; k++) group[k] = k <= real ? digits[bits >> (18 - 6 * k) & 63] : '=';
    fwrite(group, 1, sizeof group, pack->stream);
    pack->waiting_count = 0;
  }
}

/* Through the compressor to base64. */
static bool put(Pack *pack, const void *bytes, size_t size, int flush) {
  unsigned char out[16384];
  pack->zip.next_in = (unsigned char *)(uintptr_t)bytes;
  pack->zip.avail_in = (uInt)size;
  int code;
  do {
    pack->zip.next_out = out;
    pack->zip.avail_out = sizeof out;
    code = deflate(&pack->zip, flush);
    if (code == Z_STREAM_ERROR) return false;
    put_base64(pack, out, sizeof out - pack->zip.avail_out, code == Z_STREAM_END);
  } while (pack->zip.avail_out == 0 || (flush == Z_FINISH && code != Z_STREAM_END));
  return true;
}

static WeftResult load(const Pack *pack, const Channel *channel, WeftError *error) {
  int32_t obstacle = channel->body - pack->info.cloth_count;
  if (channel->is_pressure) return weft_cache_pressures(pack->cache, channel->body, pack->numbers, error);
  if (obstacle >= 0) return weft_cache_obstacle_positions(pack->cache, obstacle, pack->numbers, error);
  return weft_cache_positions(pack->cache, channel->body, pack->numbers, error);
}

static bool add_channel(Pack *pack, int32_t body, int32_t vertices, bool is_pressure) {
  Channel *channel = &pack->channels[pack->channel_count++];
  *channel = (Channel){.body = body, .is_pressure = is_pressure, .axes = is_pressure ? 1 : 3};
  channel->count = channel->axes * (size_t)vertices;
  channel->before = WEFT_NEW(uint16_t, channel->count);
  channel->now = WEFT_NEW(uint16_t, channel->count);
  for (int k = 0; k < 3; k++) {
    channel->low[k] = INFINITY;
    channel->high[k] = -INFINITY;
  }
  return channel->before && channel->now;
}

/* In the order the page reads them: positions of cloths, of obstacles that move, pressures. */
static bool make_channels(Pack *pack) {
  int32_t cloths = pack->info.cloth_count, obstacles = pack->info.obstacle_count;
  pack->channels = WEFT_NEW(Channel, 2 * (size_t)cloths + (size_t)obstacles);
  bool is_made = pack->channels != NULL;
  for (int32_t c = 0; c < cloths && is_made; c++)
    is_made = add_channel(pack, c, weft_cache_vertex_count(pack->cache, c), false);
  for (int32_t i = 0; i < obstacles && is_made; i++)
    if (weft_cache_obstacle_moves(pack->cache, i))
      is_made = add_channel(pack, cloths + i, weft_cache_obstacle_vertex_count(pack->cache, i), false);
  for (int32_t c = 0; c < cloths && is_made && pack->info.has_pressures; c++)
    is_made = add_channel(pack, c, weft_cache_vertex_count(pack->cache, c), true);
  size_t largest = 0;
  for (int i = 0; i < pack->channel_count; i++)
    if (pack->channels[i].count > largest) largest = pack->channels[i].count;
  pack->numbers = is_made ? WEFT_NEW(double, largest) : NULL;
  return pack->numbers != NULL;
}

static void widen(Channel *channel, const double *numbers) {
  for (size_t i = 0; i < channel->count; i++) {
    size_t k = i % channel->axes;
    channel->low[k] = fmin(channel->low[k], numbers[i]);
    channel->high[k] = fmax(channel->high[k], numbers[i]);
  }
}

/* Ranges over all frames that can be read. */
static WeftResult measure(Pack *pack, WeftError *error) {
  for (int64_t f = 0; f < pack->info.frame_count; f++) {
    if (weft_cache_read(pack->cache, f, NULL, NULL) != WEFT_RESULT_OK) continue;
    pack->frames[pack->frame_count++] = f;
    for (int i = 0; i < pack->channel_count; i++) {
      WeftResult result = load(pack, &pack->channels[i], error);
      if (result) return result;
      widen(&pack->channels[i], pack->numbers);
    }
  }
  if (pack->frame_count == 0)
    return weft_fail(error, WEFT_RESULT_INVALID_DATA, "there is no whole frame in the cache");
  for (int i = 0; i < pack->channel_count; i++)
    for (size_t k = 0; k < 3; k++) {
      Channel *channel = &pack->channels[i];
      if (!(channel->low[k] <= channel->high[k])) channel->low[k] = channel->high[k] = 0; /* no vertices */
      channel->step[k] = (channel->high[k] - channel->low[k]) / LEVELS;
    }
  return WEFT_RESULT_OK;
}

/* A frame of a channel as bytes: low halves of all numbers, then high halves. */
static void difference(Channel *channel, const double *numbers, bool is_first, unsigned char *bytes) {
  uint16_t *levels = channel->now;
  for (size_t i = 0; i < channel->count; i++) {
    double step = channel->step[i % channel->axes];
    levels[i] = step > 0 ? (uint16_t)nearbyint((numbers[i] - channel->low[i % channel->axes]) / step) : 0;
  }
  for (size_t i = 0; i < channel->count; i++) {
    uint16_t before = !is_first ? channel->before[i] : i >= channel->axes ? levels[i - channel->axes] : 0;
    int16_t d = (int16_t)(uint16_t)(levels[i] - before);
    uint16_t zigzag = (uint16_t)((uint16_t)(d * 2) ^ (uint16_t)(d < 0 ? 0xffff : 0));
    bytes[i] = (unsigned char)(zigzag & 0xff);
    bytes[channel->count + i] = (unsigned char)(zigzag >> 8);
  }
  channel->now = channel->before;
  channel->before = levels;
}

static WeftResult put_channel(Pack *pack, Channel *channel, unsigned char *bytes, WeftError *error) {
  bool is_fine = put(pack, channel->low, channel->axes * sizeof(double), Z_NO_FLUSH) &&
                 put(pack, channel->step, channel->axes * sizeof(double), Z_NO_FLUSH);
  for (int64_t f = 0; f < pack->frame_count && is_fine; f++) {
    WeftResult result = weft_cache_read(pack->cache, pack->frames[f], NULL, error);
    if (!result) result = load(pack, channel, error);
    if (result) return result;
    difference(channel, pack->numbers, f == 0, bytes);
    is_fine = put(pack, bytes, 2 * channel->count, Z_NO_FLUSH);
  }
  return is_fine ? WEFT_RESULT_OK : weft_fail_memory(error, "the frames");
}

static WeftResult put_frames(Pack *pack, const WeftPackDef *def, WeftError *error) {
  size_t largest = 0;
  for (int i = 0; i < pack->channel_count; i++)
    if (pack->channels[i].count > largest) largest = pack->channels[i].count;
  unsigned char *bytes = WEFT_NEW(unsigned char, 2 * largest);
  uint32_t head[4] = {(uint32_t)def->header_size, (uint32_t)pack->frame_count, pack->info.has_pressures, 0};
  WeftResult result = WEFT_RESULT_OK;
  bool is_fine = bytes && put(pack, head, sizeof head, Z_NO_FLUSH) &&
                 put(pack, def->header, def->header_size, Z_NO_FLUSH);
  for (int64_t f = 0; f < pack->frame_count && is_fine && !result; f++) {
    WeftCacheFrame frame;
    result = weft_cache_read(pack->cache, pack->frames[f], &frame, error);
    double numbers[2] = {frame.frame, frame.time};
    if (!result) is_fine = put(pack, numbers, sizeof numbers, Z_NO_FLUSH);
  }
  for (int i = 0; i < pack->channel_count && is_fine && !result; i++)
    result = put_channel(pack, &pack->channels[i], bytes, error);
  if (is_fine && !result) is_fine = put(pack, NULL, 0, Z_FINISH);
  free(bytes);
  return result || is_fine ? result : weft_fail_memory(error, "the frames");
}

/* A text that the page reads as data. "</" would end it. */
static void put_text(FILE *stream, const char *name, const char *type, const char *text) {
  fprintf(stream, "<script type=\"%s\" id=\"weft-%s\">", type, name);
  for (const char *at = text; *at; at++) {
    if (at[0] == '<')
      fputs("\\u003c", stream);
    else
      fputc(*at, stream);
  }
  fputs("</script>\n", stream);
}

static WeftResult put_page(Pack *pack, const WeftPackDef *def, WeftError *error) {
  static const char mark[] = "<!--weft-data-->";
  const char *page = (const char *)weft_view_page, *at = strstr(page, mark);
  if (!at) return weft_fail(error, WEFT_RESULT_INVALID_DATA, "this weft was built without the viewer");
  WeftJsonWriter json = weft_json_writer(false);
  char *label = NULL;
  size_t size;
  weft_json_write_text(&json, def->label);
  WeftResult result = weft_json_finish(&json, &label, &size, error);
  if (result) return result;
  fwrite(page, 1, (size_t)(at - page), pack->stream);
  put_text(pack->stream, "label", "application/json", label);
  free(label);
  if (def->timeline) put_text(pack->stream, "timeline", "text/csv", def->timeline);
  if (def->report) put_text(pack->stream, "report", "application/json", def->report);
  fputs("<script type=\"application/octet-stream\" id=\"weft-frames\">", pack->stream);
  result = put_frames(pack, def, error);
  fputs("</script>\n", pack->stream);
  fputs(at + sizeof mark - 1, pack->stream);
  return result;
}

static void destroy(Pack *pack) {
  for (int i = 0; i < pack->channel_count; i++) {
    free(pack->channels[i].before);
    free(pack->channels[i].now);
  }
  free(pack->channels);
  free(pack->numbers);
  free(pack->frames);
}

WeftResult weft_pack_html(WeftCache *cache, const WeftPackDef *def, FILE *stream, int64_t *left_out,
                          WeftError *error) {
  Pack pack = {.cache = cache, .info = weft_cache_info(cache), .stream = stream};
  pack.frames = WEFT_NEW(int64_t, pack.info.frame_count);
  WeftResult result =
      pack.frames && make_channels(&pack) ? measure(&pack, error) : weft_fail_memory(error, "the frames");
  double bytes = 0;
  for (int i = 0; i < pack.channel_count; i++)
    bytes += 2.0 * (double)pack.channels[i].count * (double)pack.frame_count;
  if (!result && bytes > MOST_BYTES)
    result =
        weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                  "%.1f GB of frames are too many for one page; write fewer with output.every", bytes * 1e-9);
  bool has_zip = !result && deflateInit(&pack.zip, 9) == Z_OK;
  if (!result && !has_zip) result = weft_fail_memory(error, "the frames");
  if (!result) result = put_page(&pack, def, error);
  if (has_zip) deflateEnd(&pack.zip);
  *left_out = pack.info.frame_count - pack.frame_count;
  destroy(&pack);
  return result;
}
