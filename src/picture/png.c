#include "base/error.h"
#include "picture/parts.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* libpng leaves by longjmp when a write fails, so nothing here changes after setjmp but what libpng owns. */
static bool write_stream(FILE *stream, int width, int height, const uint8_t *rgb) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  if (!png) return false;
  png_infop info = png_create_info_struct(png);
  if (!info || setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_init_io(png, stream);
  png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_write_info(png, info);
  for (int row = 0; row < height; row++) png_write_row(png, rgb + (size_t)3 * (size_t)width * (size_t)row);
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  return true;
}

WeftResult weft_picture_write_png(const char *path, int width, int height, const uint8_t *rgb,
                                  WeftError *error) {
  size_t size = strlen(path) + sizeof ".tmp";
  char *beside = malloc(size);
  if (!beside) return weft_fail_memory(error, "the name of a picture");
  snprintf(beside, size, "%s.tmp", path);
  errno = 0;
  FILE *stream = fopen(beside, "wb");
  bool is_open = stream != NULL;
  bool is_written = is_open && write_stream(stream, width, height, rgb);
  int reason = errno;
  if (is_open && fclose(stream) != 0 && is_written) {
    is_written = false;
    reason = errno;
  }
  if (is_written && rename(beside, path) != 0) {
    is_written = false;
    reason = errno;
  }
  WeftResult result = WEFT_RESULT_OK;
  if (!is_written) {
    if (is_open) remove(beside);
    result = weft_fail(error, WEFT_RESULT_IO,
                       "cannot write the picture %s: %s; check the folder, its rights and the disk", path,
                       reason ? strerror(reason) : "libpng failed");
  }
  free(beside);
  return result;
}
