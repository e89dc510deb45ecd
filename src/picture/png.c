#include "base/error.h"
#include "picture/parts.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Bytes {
  uint8_t *items;
  size_t size, capacity;
} Bytes;

static void append(png_structp png, png_bytep items, png_size_t count) {
  Bytes *bytes = png_get_io_ptr(png);
  if (bytes->capacity - bytes->size < count) {
    size_t capacity = 2 * bytes->capacity + count;
    uint8_t *grown = realloc(bytes->items, capacity);
    if (!grown) png_error(png, "out of memory");
    bytes->items = grown;
    bytes->capacity = capacity;
  }
  memcpy(bytes->items + bytes->size, items, count);
  bytes->size += count;
}

static void flush(png_structp png) { (void)png; }

/* libpng prints its complaints unless told not to. */
static void leave(png_structp png, png_const_charp text) {
  (void)text;
  png_longjmp(png, 1);
}
static void keep_quiet(png_structp png, png_const_charp text) { (void)png, (void)text; }

/* libpng leaves by longjmp when something fails, so nothing here changes after setjmp but what libpng owns
 * and what bytes points to. */
static bool encode(int width, int height, const uint8_t *rgb, Bytes *bytes) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, leave, keep_quiet);
  if (!png) return false;
  png_infop info = png_create_info_struct(png);
  if (!info || setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_set_write_fn(png, bytes, append, flush);
  png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_write_info(png, info);
  for (int row = 0; row < height; row++) png_write_row(png, rgb + (size_t)3 * (size_t)width * (size_t)row);
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  return true;
}

WeftResult weft_picture_png(int32_t width, int32_t height, const uint8_t *rgb, uint8_t **bytes, size_t *size,
                            WeftError *error) {
  Bytes made = {0};
  bool is_encoded = encode(width, height, rgb, &made);
  if (!is_encoded) free(made.items);
  *bytes = is_encoded ? made.items : NULL;
  *size = is_encoded ? made.size : 0;
  return is_encoded ? WEFT_RESULT_OK : weft_fail_memory(error, "a picture as PNG");
}

static bool write_bytes(const char *path, const uint8_t *bytes, size_t size) {
  FILE *stream = fopen(path, "wb");
  if (!stream) return false;
  bool is_written = fwrite(bytes, 1, size, stream) == size;
  int reason = errno;
  if (fclose(stream) == 0 && is_written) return true;
  if (!is_written) errno = reason;
  return false;
}

WeftResult weft_picture_save(const char *path, int32_t width, int32_t height, const uint8_t *rgb,
                             WeftError *error) {
  uint8_t *bytes;
  size_t size, length = strlen(path) + sizeof ".tmp";
  WeftResult result = weft_picture_png(width, height, rgb, &bytes, &size, error);
  if (result != WEFT_RESULT_OK) return result;
  char *beside = malloc(length);
  if (!beside) {
    free(bytes);
    return weft_fail_memory(error, "the name of a picture");
  }
  snprintf(beside, length, "%s.tmp", path);
  if (!write_bytes(beside, bytes, size) || rename(beside, path) != 0) {
    result = weft_fail(error, WEFT_RESULT_IO,
                       "cannot write the picture %s: %s; check the folder, its rights and the disk", path,
                       strerror(errno));
    remove(beside);
  }
  free(beside);
  free(bytes);
  return result;
}
