/* weft render DIR: pictures and films of what was simulated. */
#include "cli/cli.h"
#include "cli/film.h"
#include "cli/shots.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct RenderOptions {
  const char *path, *output;
  const char *frames; /* NULL: the last one, or all of a film */
  const char *size, *color, *camera;
  int32_t threads, width, height;
} RenderOptions;

enum { LARGEST_SIDE = 16384 };

static int read_size(RenderOptions *options) {
  char *end;
  long width = strtol(options->size, &end, 10), height = 0;
  if (end != options->size && *end == 'x') {
    const char *second = end + 1;
    height = strtol(second, &end, 10);
    if (end == second) height = 0;
  }
  if (*end || width < 1 || height < 1 || width > LARGEST_SIDE || height > LARGEST_SIDE)
    return fail_usage(&verb_render, "--size takes pixels like 1280x720, each side 1 to %d, not \"%s\"",
                      LARGEST_SIDE, options->size);
  options->width = (int32_t)width;
  options->height = (int32_t)height;
  return EXIT_FINE;
}

static void tell_progress(const Shots *shots, int64_t index) {
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\r\033[Kframe %d, %lld of %lld", shots->source.frame,
            (long long)index - shots->first + 1, (long long)shots->last - shots->first + 1);
}

static bool draw_all(const RenderOptions *options, Shots *shots, Film *film) {
  uint8_t *rgb = malloc((size_t)3 * (size_t)options->width * (size_t)options->height);
  bool is_fine = rgb || fail("out of memory") == EXIT_FINE;
  for (int64_t i = shots->first; is_fine && i <= shots->last; i++) {
    is_fine = shots_draw(shots, i, rgb) && film_add(film, rgb, shots->source.frame);
    if (shots->last > shots->first) tell_progress(shots, i);
  }
  if (shots->last > shots->first && isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
  free(rgb);
  return is_fine;
}

static int draw(const RenderOptions *options, Shots *shots, FilmKind kind) {
  double rate;
  Film film;
  if (!shots_rate(shots, &rate)) return EXIT_FAILED;
  bool is_fine = film_open(&film, options->output, kind, options->width, options->height, rate);
  is_fine = is_fine && draw_all(options, shots, &film);
  int64_t count = film.frames;
  if (!film_close(&film, is_fine)) return EXIT_FAILED;
  if (kind == FILM_STILL)
    printf("picture: %s, frame %d, %d x %d\n", options->output, shots->source.frame, options->width,
           options->height);
  else if (kind == FILM_SEQUENCE)
    printf("pictures: %s, %lld frames, %d x %d\n", options->output, (long long)count, options->width,
           options->height);
  else
    printf("film: %s, %lld frames, %g a second, %d x %d\n", options->output, (long long)count, rate,
           options->width, options->height);
  return finish_stdout();
}

static int choose_and_draw(const RenderOptions *options, Shots *shots) {
  FilmKind kind;
  if (!film_kind(options->output, &kind)) return EXIT_USAGE;
  const char *frames = options->frames ? options->frames : kind == FILM_STILL ? "-1" : "all";
  shots->view.threads = options->threads;
  int code = shots_choose(shots, &verb_render, frames);
  if (code == EXIT_FINE && kind == FILM_STILL && shots->last > shots->first)
    code =
        fail_usage(&verb_render, "%lld frames do not go into one picture; number them, like frame_%%04d.png",
                   (long long)shots->last - shots->first + 1);
  if (code == EXIT_FINE) code = shots_color(shots, &verb_render, options->color);
  if (code == EXIT_FINE)
    code = shots_aim(shots, &verb_render, options->camera, options->width, options->height);
  return code == EXIT_FINE ? draw(options, shots, kind) : code;
}

static int run_render(int argument_count, char **arguments) {
  RenderOptions render = {.size = "1280x720", .color = "fabric", .camera = "auto"};
  const Option options[] = {{"frame", OPTION_TEXT, &render.frames, 0},
                            {"size", OPTION_TEXT, &render.size, 0},
                            {"color", OPTION_TEXT, &render.color, 0},
                            {"camera", OPTION_TEXT, &render.camera, 0},
                            {"output", OPTION_TEXT, &render.output, 0},
                            {"threads", OPTION_COUNT, &render.threads, 1},
                            {.kind = OPTION_END}};
  int left;
  bool is_help;
  int code = parse_options(&verb_render, options, argument_count, arguments, &left, &is_help);
  if (code != EXIT_FINE || is_help) return code;
  if (left != 1)
    return fail_usage(&verb_render,
                      left ? "one thing at a time, please" : "what? A run's folder, a cache or a mesh");
  if (!render.output) return fail_usage(&verb_render, "where to? -o FILE is missing");
  code = read_size(&render);
  if (code != EXIT_FINE) return code;
  Shots shots;
  code = shots_open(&shots, arguments[0]) ? choose_and_draw(&render, &shots) : EXIT_FAILED;
  shots_close(&shots);
  return code;
}

const Verb verb_render = {
    .name = "render",
    .arguments =
        "DIR [--frame N|A:B|all] [--size WxH] [--color NAME] [--camera VIEW]\n"
        "                [--threads N] -o FILE",
    .summary = "Draw pictures and films of a run, a cache or a mesh.",
    .details =
        "DIR is a run's folder, a cache of frames, a mesh (OBJ, PLY), or a folder of meshes.\n\n"
        "  -o FILE        name.png: one picture; name_%04d.png: a sequence, numbered by frame;\n"
        "                 name.mp4, name.webm: a film, made by ffmpeg\n"
        "  --frame        a frame of the run, -1 is the last; A:B, both of them drawn; all.\n"
        "                 If not said, the last one for one picture, else all\n"
        "  --size WxH     pixels, 1280x720 if not said\n"
        "  --color NAME   fabric, the default: a colour a cloth; madder, indigo, saffron, fern, linen,\n"
        "                 mulberry, teal, coral or #rrggbb for all cloth; or numbers as colours, with a\n"
        "                 legend: strain-warp, strain-weft (%), shear (degrees), bending (1/m),\n"
        "                 speed (m/s), gap (mm). NAME:LOW:HIGH gives the range of the legend\n"
        "  --camera VIEW  auto, the default: shows all cloth in all chosen frames and stands still;\n"
        "                 front, back, left, right, top, or AZIMUTH,ELEVATION in degrees: the same from\n"
        "                 there; scene: the scene's own; X,Y,Z:X,Y,Z[:FOV]: from a point to a point\n"
        "  --threads N    so many threads; pictures do not depend on it\n\n"
        "docs/pictures.md shows examples.\n",
    .run = run_render,
};
