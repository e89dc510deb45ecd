/* Stills in the page: up to four moments, one camera. */
#include "cli/plot.h"
#include "cli/report_page.h"
#include "cli/shots.h"

#include <stdlib.h>
#include <string.h>

enum { STILLS = 4, WIDTH = 640, HEIGHT = 400 };

static void write_base64(FILE *stream, const uint8_t *bytes, size_t size) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < size; i += 3) {
    size_t left = size - i;
    uint32_t three = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                     (left > 2 ? (uint32_t)bytes[i + 2] : 0);
    fputc(letters[three >> 18], stream);
    fputc(letters[three >> 12 & 63], stream);
    fputc(left > 1 ? letters[three >> 6 & 63] : '=', stream);
    fputc(left > 2 ? letters[three & 63] : '=', stream);
  }
}

static bool write_still(FILE *stream, Shots *shots, int64_t index, uint8_t *rgb) {
  uint8_t *bytes;
  size_t size;
  WeftError error;
  if (!shots_draw(shots, index, rgb)) return false;
  if (weft_picture_png(WIDTH, HEIGHT, rgb, &bytes, &size, &error) != WEFT_RESULT_OK)
    return fail("%s", error.message) == EXIT_FINE;
  const CheckSource *source = &shots->source;
  char time[32];
  format_number(time, source->time);
  fprintf(stream, "<figure class=\"still\"><img width=\"%d\" height=\"%d\" alt=\"", WIDTH, HEIGHT);
  for (int32_t c = 0; c < source->cloth_count; c++) {
    if (c) fputs(", ", stream);
    write_escaped(stream, weft_cache_cloth_name(source->cache, c));
  }
  fprintf(stream, "%s as simulated, frame %d at %s seconds\" src=\"data:image/png;base64,",
          source->mesh_count > source->cloth_count ? " and obstacles" : "", source->frame, time);
  write_base64(stream, bytes, size);
  fprintf(stream, "\"><figcaption>Frame %d, %s s</figcaption></figure>\n", source->frame, time);
  free(bytes);
  return true;
}

static bool write_stills(FILE *stream, Shots *shots) {
  uint8_t *rgb = malloc((size_t)3 * WIDTH * HEIGHT);
  bool is_fine = rgb || fail("out of memory") == EXIT_FINE;
  int64_t last = shots->source.frame_count - 1, drawn = -1;
  fputs("<div class=\"stills\">\n", stream);
  for (int i = 0; is_fine && i < STILLS; i++) {
    int64_t index = last * i / (STILLS - 1);
    if (index == drawn) continue;
    is_fine = write_still(stream, shots, index, rgb);
    drawn = index;
  }
  fputs("</div>\n", stream);
  free(rgb);
  return is_fine;
}

bool page_pictures(FILE *stream, const char *folder, int32_t threads) {
  Shots shots;
  bool is_open = shots_open(&shots, folder);
  bool is_fine = is_open && shots.source.cache;
  if (is_open && !shots.source.cache) fail("%s: there is no frames.weftcache to draw", folder);
  shots.view.threads = threads;
  is_fine = is_fine && shots_color(&shots, &verb_report, "fabric") == EXIT_FINE &&
            shots_aim(&shots, &verb_report, "auto", WIDTH, HEIGHT) == EXIT_FINE;
  if (is_fine) fputs("<section aria-labelledby=\"pictures\"><h2 id=\"pictures\">Pictures</h2>\n", stream);
  is_fine = is_fine && write_stills(stream, &shots);
  if (is_fine) fputs("</section>\n", stream);
  shots_close(&shots);
  return is_fine;
}
