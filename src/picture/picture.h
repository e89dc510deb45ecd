/* Pictures of cloth: triangles in, a PNG file out.
 *
 * Not part of libweft: the library does without Embree and libpng, the command line links this beside it. */
#ifndef WEFT_PICTURE_PICTURE_H
#define WEFT_PICTURE_PICTURE_H

#include <weft/types.h>

/* One body of one colour. Arrays belong to the caller. */
typedef struct WeftPicturePart {
  int32_t vertex_count;
  const double *positions; /* vertex_count x 3 [m] */
  int32_t triangle_count;
  const int32_t *triangles; /* triangle_count x 3 */
  double color[3];          /* linear red, green, blue in 0..1, see weft_picture_palette */
  const double *colors;     /* vertex_count x 3, instead of color; NULL: one colour */
  bool is_obstacle;         /* hard and opaque, with sharp edges; drawn whether or not the view holds it */
  bool is_chart; /* colours stand for numbers: lit evenly, alike on both sides, so that they can be read */
  const double *uvs; /* triangle_count x 3 x 2 along warp and weft [m]: cloth shows its weave; NULL: plain */
  double yarn;       /* distance of two yarns as drawn [m] > 0; with uvs */
} WeftPicturePart;

/* A pinhole camera; z is up in the picture unless the view is along z. */
typedef struct WeftPictureCamera {
  double from[3], to[3]; /* [m] */
  double fov;            /* vertical [degrees], in (0, 180) */
} WeftPictureCamera;

typedef struct WeftPictureDef {
  int32_t width, height;    /* pixels, 1 to 16384 */
  int32_t threads;          /* 0: as many as there are cores; the picture does not depend on it */
  WeftPictureCamera camera; /* see weft_picture_frame */
  bool has_ground;          /* an unseen floor that catches shadow */
  double ground;            /* its height [m] */
} WeftPictureDef;

/* A three-quarter view that holds all cloth and the obstacles around it, and a floor a little under the
 * lowest point. Obstacles that reach farther than the cloth's own size beyond the cloth, like the ground, are
 * not looked at: else cloth would be small in the picture. Parts need not have a vertex. */
WeftPictureDef weft_picture_frame(int32_t width, int32_t height, int32_t part_count,
                                  const WeftPicturePart *parts);
/* Whether all vertices of what a view has to hold are inside the picture and above the floor: a camera made
 * for an earlier moment is kept while this holds. */
bool weft_picture_shows(const WeftPictureDef *def, int32_t part_count, const WeftPicturePart *parts);

/* The same view for many moments of a motion, so that one camera serves all of them. All moments are shown
 * twice: to _meet, then to _hold, with _aim in between. Begin with all zero. */
typedef struct WeftPictureFraming {
  double cloth_low[3], cloth_high[3];   /* box of all cloth; of the obstacles where there is no cloth */
  double count, sum[3], xx, xy, yy, zz; /* moments about the first vertex, for the broad side */
  double origin[3];
  bool has_cloth, has_any;
  double forward[3], tangent[4]; /* set by _aim; right, above, left, below */
  double most[4];                /* of the planes of the frustum, see camera.c */
  double low[3], high[3];        /* box of what is held */
} WeftPictureFraming;
void weft_picture_framing_meet(WeftPictureFraming *framing, int32_t part_count, const WeftPicturePart *parts);
/* direction: where the camera looks; NULL: square to the broad side of the cloth, a little aside and from
 * above. below: share of the height, 0 to 0.5, that is kept free at the bottom, for a legend. */
void weft_picture_framing_aim(WeftPictureFraming *framing, int32_t width, int32_t height,
                              const double direction[3], double below);
void weft_picture_framing_hold(WeftPictureFraming *framing, int32_t part_count, const WeftPicturePart *parts);
WeftPictureDef weft_picture_framing_view(const WeftPictureFraming *framing, int32_t width, int32_t height);

/* Colours that go together, for the index-th part; repeats after a while. */
void weft_picture_palette(int32_t index, double color[3]);
/* The same for obstacles: quiet, so that cloth stands out. */
void weft_picture_obstacle_palette(int32_t index, double color[3]);
/* Blue at -1 over pale grey at 0 to red at 1; values beyond are drawn as these. */
void weft_picture_signed_color(double value, double color[3]);
/* The light of an 8-bit sRGB value, 0 to 1. */
double weft_picture_linear(int32_t byte);

/* Draws the parts: width x height x 3 bytes of sRGB, top row first. */
WeftResult weft_picture_draw(const WeftPictureDef *def, int32_t part_count, const WeftPicturePart *parts,
                             uint8_t *rgb, WeftError *error);
/* An 8-bit RGB PNG in memory; freed with free(). */
WeftResult weft_picture_png(int32_t width, int32_t height, const uint8_t *rgb, uint8_t **bytes, size_t *size,
                            WeftError *error);
/* The same into a file, which appears complete or not at all. */
WeftResult weft_picture_save(const char *path, int32_t width, int32_t height, const uint8_t *rgb,
                             WeftError *error);
/* Draws and saves. */
WeftResult weft_picture_write(const char *path, const WeftPictureDef *def, int32_t part_count,
                              const WeftPicturePart *parts, WeftError *error);

#endif
