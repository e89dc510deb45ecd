/* A camera that finds its own place.
 *
 * Direction: square to the broadest horizontal direction of the vertices (the main axis of their covariance),
 * then 28 degrees aside, and above. Distance and sideways shift: the smallest distance at which every vertex
 * is inside the frustum has a closed form in the camera's axes (see fit). Rejected: along the mean normal:
 * the normals of a gathered curtain point sideways, and it was seen from its end.
 */
#include "picture/parts.h"

#include <float.h>
#include <math.h>

static const double pi = 3.14159265358979323846;
static const double found_fov = 30; /* vertical [degrees], of cameras found here */

typedef struct Box {
  Vec3 low, high;
} Box;

static Box empty_box(void) {
  return (Box){vec3(DBL_MAX, DBL_MAX, DBL_MAX), vec3(-DBL_MAX, -DBL_MAX, -DBL_MAX)};
}

static void add_to_box(Box *box, const WeftPicturePart *part) {
  for (int v = 0; v < part->vertex_count; v++) {
    Vec3 x = load3(part->positions, v);
    box->low = vec3(fmin(box->low.x, x.x), fmin(box->low.y, x.y), fmin(box->low.z, x.z));
    box->high = vec3(fmax(box->high.x, x.x), fmax(box->high.y, x.y), fmax(box->high.z, x.z));
  }
}

/* How far obstacles may reach to be looked at: the box of all cloth, grown by its own diagonal. Everywhere
 * when there is no cloth. */
static Box reach_of(const WeftPictureFraming *framing) {
  Box box = empty_box();
  if (!framing->has_cloth) return (Box){box.high, box.low};
  Vec3 low = load3(framing->cloth_low, 0), high = load3(framing->cloth_high, 0);
  double d = v3_length(v3_sub(high, low));
  return (Box){v3_sub(low, vec3(d, d, d)), v3_add(high, vec3(d, d, d))};
}

static bool is_framed(const Box *reach, const WeftPicturePart *part) {
  if (!part->is_obstacle) return true;
  Box box = empty_box();
  add_to_box(&box, part);
  return box.low.x >= reach->low.x && box.low.y >= reach->low.y && box.low.z >= reach->low.z &&
         box.high.x <= reach->high.x && box.high.y <= reach->high.y && box.high.z <= reach->high.z;
}

/* Cloth counts as soon as there is some; what obstacles had brought before is forgotten. */
static void start_with(WeftPictureFraming *framing, const WeftPicturePart *part) {
  bool has_cloth = !part->is_obstacle;
  *framing = (WeftPictureFraming){.has_any = true, .has_cloth = has_cloth};
  for (int k = 0; k < 3; k++) {
    framing->origin[k] = part->positions[k];
    framing->cloth_low[k] = DBL_MAX;
    framing->cloth_high[k] = -DBL_MAX;
  }
}

static void meet(WeftPictureFraming *framing, const WeftPicturePart *part) {
  Box box = {load3(framing->cloth_low, 0), load3(framing->cloth_high, 0)};
  add_to_box(&box, part);
  store3(framing->cloth_low, 0, box.low);
  store3(framing->cloth_high, 0, box.high);
  Vec3 sum = load3(framing->sum, 0), origin = load3(framing->origin, 0);
  for (int v = 0; v < part->vertex_count; v++) {
    Vec3 d = v3_sub(load3(part->positions, v), origin);
    sum = v3_add(sum, d);
    framing->xx += d.x * d.x;
    framing->xy += d.x * d.y;
    framing->yy += d.y * d.y;
    framing->zz += d.z * d.z;
  }
  framing->count += part->vertex_count;
  store3(framing->sum, 0, sum);
}

void weft_picture_framing_meet(WeftPictureFraming *framing, int32_t part_count,
                               const WeftPicturePart *parts) {
  for (int p = 0; p < part_count; p++) {
    if (parts[p].vertex_count == 0 || (parts[p].is_obstacle && framing->has_cloth)) continue;
    if (!framing->has_any || (!parts[p].is_obstacle && !framing->has_cloth)) start_with(framing, &parts[p]);
    meet(framing, &parts[p]);
  }
}

static Vec3 view_direction(const WeftPictureFraming *framing) {
  const double aside = 28 * pi / 180;
  double n = fmax(framing->count, 1);
  const double *sum = framing->sum;
  double xx = framing->xx - sum[0] * sum[0] / n, xy = framing->xy - sum[0] * sum[1] / n;
  double yy = framing->yy - sum[1] * sum[1] / n, zz = framing->zz - sum[2] * sum[2] / n;
  double level = xx + yy;
  /* of the two horizontal eigenvalues; where they are alike (a tube, a square lying flat) no side is the
   * broad one */
  double difference = sqrt((xx - yy) * (xx - yy) + 4 * xy * xy);
  double broad = difference > 0.15 * level ? 0.5 * atan2(2 * xy, xx - yy) : 0;
  Vec3 towards = vec3(sin(broad), -cos(broad), 0);
  if (towards.y > 0) towards = v3_scale(-1, towards);
  /* what lies flat is looked at from higher up */
  double flatness = level > 0 ? 1 - fmin(1, 4 * fmax(zz, 0) / level) : 0;
  double elevation = (18 + 16 * flatness) * pi / 180;
  double c = cos(aside), s = sin(aside);
  Vec3 turned = vec3(c * towards.x - s * towards.y, s * towards.x + c * towards.y, 0);
  return vec3(-turned.x * cos(elevation), -turned.y * cos(elevation), -sin(elevation));
}

static void axes(Vec3 forward, Vec3 *right, Vec3 *up) {
  Vec3 above = fabs(forward.z) > 0.999 ? vec3(0, 1, 0) : vec3(0, 0, 1);
  *right = unit(v3_cross(forward, above));
  *up = v3_cross(*right, forward);
}

void weft_picture_framing_aim(WeftPictureFraming *framing, int32_t width, int32_t height,
                              const double direction[3], double below) {
  const double filled = 0.86; /* of the picture; the rest is margin */
  Vec3 forward = direction ? unit(load3(direction, 0)) : view_direction(framing);
  store3(framing->forward, 0, forward);
  double tangent = tan(0.5 * found_fov * pi / 180);
  framing->tangent[0] = framing->tangent[2] = filled * tangent * width / height;
  framing->tangent[1] = filled * tangent;
  framing->tangent[3] = fmin(filled, 1 - 2 * below) * tangent;
  Box box = empty_box();
  store3(framing->low, 0, box.low);
  store3(framing->high, 0, box.high);
  for (int k = 0; k < 4; k++) framing->most[k] = -DBL_MAX;
}

/* A vertex is left of the frustum's right plane when x - ex <= t (z - ez), with (x, y, z) its place along
 * right, up and forward, e the eye and t the tangent of that side of the field of view. With a = max(x - t z)
 * and b = max(-x - s z) over all vertices, s the tangent of the left side, both sides touch at ez = -(a + b)
 * / (t + s). The same in y; the farther eye of the two is taken, and the other pair of sides has the middle
 * of what is then possible. */
void weft_picture_framing_hold(WeftPictureFraming *framing, int32_t part_count,
                               const WeftPicturePart *parts) {
  Box reach = reach_of(framing), box = {load3(framing->low, 0), load3(framing->high, 0)};
  Vec3 right, up, forward = load3(framing->forward, 0);
  axes(forward, &right, &up);
  for (int p = 0; p < part_count; p++) {
    if (!is_framed(&reach, &parts[p])) continue;
    add_to_box(&box, &parts[p]);
    for (int v = 0; v < parts[p].vertex_count; v++) {
      Vec3 x = load3(parts[p].positions, v);
      double depth = v3_dot(x, forward), across = v3_dot(x, right), above = v3_dot(x, up);
      const double side[4] = {across, above, -across, -above};
      for (int k = 0; k < 4; k++)
        framing->most[k] = fmax(framing->most[k], side[k] - framing->tangent[k] * depth);
    }
  }
  store3(framing->low, 0, box.low);
  store3(framing->high, 0, box.high);
}

static Vec3 fitted_eye(const WeftPictureFraming *framing) {
  Vec3 right, up, forward = load3(framing->forward, 0);
  axes(forward, &right, &up);
  const double *a = framing->most, *b = framing->most + 2, *t = framing->tangent, *s = framing->tangent + 2;
  double depth = fmin(-(a[0] + b[0]) / (t[0] + s[0]), -(a[1] + b[1]) / (t[1] + s[1]));
  double eye[2];
  for (int k = 0; k < 2; k++) eye[k] = 0.5 * (a[k] - b[k] + (t[k] - s[k]) * depth);
  return v3_axpy(v3_axpy(v3_scale(eye[0], right), eye[1], up), depth, forward);
}

static double diagonal_of(Vec3 low, Vec3 high) {
  double diagonal = low.x <= high.x ? v3_length(v3_sub(high, low)) : 0;
  return diagonal > 0 && isfinite(diagonal) ? diagonal : 1;
}

WeftPictureDef weft_picture_framing_view(const WeftPictureFraming *framing, int32_t width, int32_t height) {
  WeftPictureDef def = {.width = width, .height = height, .has_ground = true};
  def.camera.fov = found_fov;
  Vec3 low = load3(framing->low, 0), high = load3(framing->high, 0), forward = load3(framing->forward, 0);
  if (low.x > high.x) low = high = vec3(0, 0, 0);
  double diagonal = diagonal_of(low, high);
  def.ground = low.z - 0.04 * diagonal;
  Vec3 center = v3_scale(0.5, v3_add(low, high));
  Vec3 eye = v3_axpy(center, -2 * diagonal, forward);
  if (high.x > low.x || high.y > low.y || high.z > low.z) eye = fitted_eye(framing);
  double reach = fmax(v3_dot(v3_sub(center, eye), forward), 0.1 * diagonal);
  store3(def.camera.from, 0, eye);
  store3(def.camera.to, 0, v3_axpy(eye, reach, forward));
  return def;
}

WeftPictureDef weft_picture_frame(int32_t width, int32_t height, int32_t part_count,
                                  const WeftPicturePart *parts) {
  WeftPictureFraming framing = {0};
  weft_picture_framing_meet(&framing, part_count, parts);
  weft_picture_framing_aim(&framing, width, height, NULL, 0);
  weft_picture_framing_hold(&framing, part_count, parts);
  return weft_picture_framing_view(&framing, width, height);
}

double weft_picture_extent(int part_count, const WeftPicturePart *parts) {
  WeftPictureFraming framing = {0};
  weft_picture_framing_meet(&framing, part_count, parts);
  Box reach = reach_of(&framing), box = empty_box();
  for (int p = 0; p < part_count; p++)
    if (is_framed(&reach, &parts[p])) add_to_box(&box, &parts[p]);
  return diagonal_of(box.low, box.high);
}

PictureView weft_picture_view(const WeftPictureDef *def) {
  PictureView view = {.eye = load3(def->camera.from, 0)};
  view.forward = unit(v3_sub(load3(def->camera.to, 0), view.eye));
  axes(view.forward, &view.right, &view.up);
  double tangent = tan(0.5 * def->camera.fov * pi / 180);
  view.right = v3_scale(tangent * def->width / def->height, view.right);
  view.up = v3_scale(tangent, view.up);
  view.pixel = 2 * tangent / def->height;
  return view;
}

bool weft_picture_shows(const WeftPictureDef *def, int32_t part_count, const WeftPicturePart *parts) {
  PictureView view = weft_picture_view(def);
  WeftPictureFraming framing = {0};
  weft_picture_framing_meet(&framing, part_count, parts);
  Box reach = reach_of(&framing);
  double right2 = v3_dot(view.right, view.right), up2 = v3_dot(view.up, view.up);
  for (int p = 0; p < part_count; p++) {
    if (!is_framed(&reach, &parts[p])) continue;
    for (int v = 0; v < parts[p].vertex_count; v++) {
      Vec3 x = v3_sub(load3(parts[p].positions, v), view.eye);
      double depth = v3_dot(x, view.forward);
      if (!(fabs(v3_dot(x, view.right)) <= depth * right2 && fabs(v3_dot(x, view.up)) <= depth * up2))
        return false;
      if (def->has_ground && !(parts[p].positions[3 * v + 2] >= def->ground)) return false;
    }
  }
  return true;
}
