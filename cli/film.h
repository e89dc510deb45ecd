/* Where drawn frames go: one PNG, a numbered sequence of them, or a film through ffmpeg. */
#ifndef WEFT_CLI_FILM_H
#define WEFT_CLI_FILM_H

#include <weft/types.h>

#include <sys/types.h>

typedef enum FilmKind { FILM_STILL, FILM_SEQUENCE, FILM_MP4, FILM_WEBM } FilmKind;

typedef struct Film {
  const char *path; /* as given; of a sequence with one %d or %04d */
  FilmKind kind;
  int32_t width, height;
  int64_t frames; /* taken so far */
  pid_t ffmpeg;   /* 0: none is running */
  int pipe;       /* to it */
  char *beside;   /* what it writes; renamed when complete */
} Film;

/* By the ending of the name, and %. False after a message: of a name that is none. */
bool film_kind(const char *path, FilmKind *kind);
/* False after a message: of a place that cannot be written to, or without ffmpeg for a film. rate: frames a
 * second. */
bool film_open(Film *film, const char *path, FilmKind kind, int32_t width, int32_t height, double rate);
/* rgb: width x height x 3 bytes; number: the frame's, for the name. False after a message. */
bool film_add(Film *film, const uint8_t *rgb, int32_t number);
/* Completes the film, or throws it away: films appear whole or not at all. False after a message. */
bool film_close(Film *film, bool is_fine);

#endif
