#include "cli/film.h"

#include "cli/cli.h"
#include "cli/files.h"
#include "picture/picture.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The one %d or %04d of a name; NULL where there is none. *length: of it; *digits: the least number of
 * figures. */
static const char *find_number(const char *path, size_t *length, int *digits) {
  for (const char *at = strchr(path, '%'); at; at = strchr(at + 1, '%')) {
    size_t figures = strspn(at + 1, "0123456789");
    if (figures > 2 || at[1 + figures] != 'd') continue;
    *digits = figures ? (int)strtol(at + 1, NULL, 10) : 1;
    *length = figures + 2;
    return at;
  }
  return NULL;
}

bool film_kind(const char *path, FilmKind *kind) {
  size_t length;
  int digits;
  const char *ending = strrchr(path, '.');
  if (ending && strcasecmp(ending, ".mp4") == 0) {
    *kind = FILM_MP4;
  } else if (ending && strcasecmp(ending, ".webm") == 0) {
    *kind = FILM_WEBM;
  } else if (ending && strcasecmp(ending, ".png") == 0) {
    *kind = find_number(path, &length, &digits) ? FILM_SEQUENCE : FILM_STILL;
  } else {
    return fail("%s: the name must end in .png, .mp4 or .webm", path) == EXIT_FINE;
  }
  return true;
}

static bool can_be_written(const char *path) {
  const char *slash = strrchr(path, '/');
  char *folder = slash == path ? strdup("/") : slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
  bool is_writable = folder && can_write_in(folder);
  if (!folder)
    fail("out of memory");
  else if (!is_writable)
    fail("cannot write %s: %s", path, strerror(errno));
  free(folder);
  return is_writable;
}

/* The pipe's end for ffmpeg, and ours. */
static bool make_pipe(int ends[2]) {
  if (pipe(ends) != 0) return false;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return true;
}

/* Without a shell; weft ignores SIGPIPE, ffmpeg need not. */
static int spawn(Film *film, char *const *arguments, int input) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  int reason = posix_spawnp(&film->ffmpeg, "ffmpeg", &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return reason;
}

/* x264 and VP9 in 4:2:0, which browsers play: sides must be even, and BT.709 is what they take pixels for. */
static int start_ffmpeg(Film *film, double rate, int input) {
  char size[32], frames[32], output[4096];
  snprintf(size, sizeof size, "%dx%d", film->width, film->height);
  snprintf(frames, sizeof frames, "%.6g", rate);
  snprintf(output, sizeof output, "file:%s", film->beside);
  const char *filter =
      "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p";
  const char *const common[] = {"ffmpeg",
                                "-v",
                                "error",
                                "-nostdin",
                                "-y",
                                "-f",
                                "rawvideo",
                                "-pixel_format",
                                "rgb24",
                                "-video_size",
                                size,
                                "-framerate",
                                frames,
                                "-i",
                                "pipe:0",
                                "-an",
                                "-vf",
                                filter,
                                "-colorspace",
                                "bt709",
                                "-color_primaries",
                                "bt709",
                                "-color_trc",
                                "bt709",
                                "-color_range",
                                "tv"};
  const char *const mp4[] = {"-c:v", "libx264", "-crf", "18", "-movflags", "+faststart", "-f", "mp4"};
  const char *const webm[] = {"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-f", "webm"};
  const char *arguments[64];
  size_t count = 0;
  for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) arguments[count++] = common[i];
  for (size_t i = 0; i < sizeof mp4 / sizeof mp4[0]; i++)
    arguments[count++] = film->kind == FILM_MP4 ? mp4[i] : webm[i];
  arguments[count++] = output;
  arguments[count] = NULL;
  return spawn(film, (char *const *)arguments, input);
}

static bool open_ffmpeg(Film *film, double rate) {
  size_t size = strlen(film->path) + sizeof ".tmp";
  film->beside = malloc(size);
  if (!film->beside) return fail("out of memory") == EXIT_FINE;
  snprintf(film->beside, size, "%s.tmp", film->path);
  if (size > 4000) return fail("%s: the name is too long", film->path) == EXIT_FINE;
  int ends[2];
  if (!make_pipe(ends)) return fail("cannot open a pipe: %s", strerror(errno)) == EXIT_FINE;
  int reason = start_ffmpeg(film, rate, ends[0]);
  close(ends[0]);
  if (reason == 0) {
    film->pipe = ends[1];
    return true;
  }
  close(ends[1]);
  film->ffmpeg = 0;
  if (reason == ENOENT)
    return fail(
               "%s: films are made by ffmpeg, which is not here; install the package ffmpeg, or write "
               "pictures with -o frame_%%04d.png",
               film->path) == EXIT_FINE;
  return fail("cannot start ffmpeg: %s", strerror(reason)) == EXIT_FINE;
}

bool film_open(Film *film, const char *path, FilmKind kind, int32_t width, int32_t height, double rate) {
  *film = (Film){.path = path, .kind = kind, .width = width, .height = height, .pipe = -1};
  if (!can_be_written(path)) return false;
  return kind == FILM_STILL || kind == FILM_SEQUENCE || open_ffmpeg(film, rate);
}

static bool save(const Film *film, const char *path, const uint8_t *rgb) {
  WeftError error;
  if (weft_picture_save(path, film->width, film->height, rgb, &error) == WEFT_RESULT_OK) return true;
  return fail("%s", error.message) == EXIT_FINE;
}

static bool save_numbered(const Film *film, const uint8_t *rgb, int32_t number) {
  size_t length = 0, room = strlen(film->path) + 128;
  int digits = 0;
  const char *at = find_number(film->path, &length, &digits);
  if (!at) return save(film, film->path, rgb);
  char *path = malloc(room);
  if (!path) return fail("out of memory") == EXIT_FINE;
  snprintf(path, room, "%.*s%0*d%s", (int)(at - film->path), film->path, digits, number, at + length);
  bool is_saved = save(film, path, rgb);
  free(path);
  return is_saved;
}

/* A write can end early; EPIPE tells that ffmpeg is gone, and film_close why. */
static bool feed(const Film *film, const uint8_t *rgb) {
  size_t left = (size_t)3 * (size_t)film->width * (size_t)film->height;
  while (left > 0) {
    ssize_t written = write(film->pipe, rgb, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      return errno == EPIPE ? false : fail("cannot feed ffmpeg: %s", strerror(errno)) == EXIT_FINE;
    rgb += written;
    left -= (size_t)written;
  }
  return true;
}

bool film_add(Film *film, const uint8_t *rgb, int32_t number) {
  film->frames++;
  if (film->kind == FILM_STILL) return save(film, film->path, rgb);
  if (film->kind == FILM_SEQUENCE) return save_numbered(film, rgb, number);
  return feed(film, rgb);
}

static bool end_ffmpeg(Film *film) {
  int status = 0;
  close(film->pipe);
  while (waitpid(film->ffmpeg, &status, 0) < 0)
    if (errno != EINTR) return fail("cannot wait for ffmpeg: %s", strerror(errno)) == EXIT_FINE;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return fail(
               "%s: films are made by ffmpeg, which could not be started; install the package ffmpeg, or "
               "write "
               "pictures with -o frame_%%04d.png",
               film->path) == EXIT_FINE;
  if (WIFEXITED(status))
    return fail("%s: ffmpeg failed with exit code %d; its own words are above", film->path,
                WEXITSTATUS(status)) == EXIT_FINE;
  return fail("%s: ffmpeg was ended by signal %d", film->path, WTERMSIG(status)) == EXIT_FINE;
}

bool film_close(Film *film, bool is_fine) {
  if (film->ffmpeg) {
    bool is_made = end_ffmpeg(film);
    if (is_made && is_fine && rename(film->beside, film->path) != 0)
      is_made = fail("cannot write %s: %s", film->path, strerror(errno)) == EXIT_FINE;
    if (!is_made || !is_fine) remove(film->beside);
    is_fine = is_made && is_fine;
  }
  free(film->beside);
  return is_fine;
}
