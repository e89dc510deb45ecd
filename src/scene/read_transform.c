/* Transforms: x' = T R S x, or a matrix. Files give degrees; inside are rotation vectors in radians. */
#include "scene/scene.h"

#include <string.h>

#define DEGREE 0.017453292519943295769 /* pi / 180 */

/* Thousands of turns, and no overflow in what follows. */
#define ANGLE_RANGE WEFT_FROM_TO(-1e6, 1e6)

typedef struct Rotation {
  double axis[3], angle; /* [degrees] */
} Rotation;

static const WeftField rotation_fields[] = {
    {.key = "axis", .type = WEFT_FIELD_VECTOR, .is_required = true, .offset = offsetof(Rotation, axis)},
    {.key = "angle",
     .type = WEFT_FIELD_NUMBER,
     .is_required = true,
     .offset = offsetof(Rotation, angle),
     .range = ANGLE_RANGE},
};
const WeftTable weft_scene_table_rotation = WEFT_TABLE("rotation", rotation_fields);

/* Sine and cosine of an angle that came from degrees: right angles come out exact, so that a sheet turned
 * upright has its rows at the same height to the last bit. */
static void sine_cosine(double angle, double *sine, double *cosine) {
  double quarter = angle / (90 * DEGREE), whole = nearbyint(quarter);
  if (fabs(quarter - whole) > 1e-12 * (1 + fabs(whole))) {
    *sine = sin(angle);
    *cosine = cos(angle);
    return;
  }
  static const double sines[4] = {0, 1, 0, -1};
  int turn = (int)(whole - 4 * floor(whole / 4));
  *sine = sines[turn & 3];
  *cosine = sines[(turn + 1) & 3];
}

/* Rodrigues: R = c I + s [k] + (1 - c) k kT. */
void weft_scene_rotation_matrix(const double vector[3], double matrix[3][3]) {
  double angle = sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
  double k[3] = {0, 0, 1}, s, c;
  for (int i = 0; i < 3 && angle > 0; i++) k[i] = vector[i] / angle;
  sine_cosine(angle, &s, &c);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) matrix[i][j] = (1 - c) * k[i] * k[j] + (i == j ? c : 0);
  matrix[0][1] -= s * k[2], matrix[1][0] += s * k[2];
  matrix[0][2] += s * k[1], matrix[2][0] -= s * k[1];
  matrix[1][2] -= s * k[0], matrix[2][1] += s * k[0];
}

/* Rotation vector of a rotation matrix, angle in [0, pi]. */
static void rotation_vector(double m[3][3], double vector[3]) {
  double twice[3] = {m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]}; /* 2 sin(angle) k */
  double sine = 0.5 * sqrt(twice[0] * twice[0] + twice[1] * twice[1] + twice[2] * twice[2]);
  double cosine = 0.5 * (m[0][0] + m[1][1] + m[2][2] - 1), angle = atan2(sine, cosine);
  if (cosine > 0 || sine > 1e-6) {
    double factor = sine > 1e-12 ? 0.5 * angle / sine : 0.5;
    for (int i = 0; i < 3; i++) vector[i] = factor * twice[i];
    return;
  }
  /* Close to half a turn: k from the largest diagonal entry of (R + I) / 2 = k kT. */
  int i = m[0][0] >= m[1][1] && m[0][0] >= m[2][2] ? 0 : m[1][1] >= m[2][2] ? 1 : 2;
  double length = sqrt(0.5 * (m[i][i] + 1));
  for (int j = 0; j < 3; j++) vector[j] = angle * (j == i ? length : 0.25 * (m[i][j] + m[j][i]) / length);
}

/* About x, then y, then z, axes fixed. A turn about one axis alone keeps its full turns. */
static void euler_to_vector(const double degrees[3], double vector[3]) {
  int turned = (degrees[0] != 0) + (degrees[1] != 0) + (degrees[2] != 0);
  for (int i = 0; i < 3; i++) vector[i] = degrees[i] * DEGREE;
  if (turned <= 1) return;
  double product[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int axis = 0; axis < 3; axis++) {
    double one[3] = {0}, turn[3][3], next[3][3];
    one[axis] = vector[axis];
    weft_scene_rotation_matrix(one, turn);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        next[i][j] = turn[i][0] * product[0][j] + turn[i][1] * product[1][j] + turn[i][2] * product[2][j];
    memcpy(product, next, sizeof next);
  }
  rotation_vector(product, vector);
}

WeftResult weft_scene_read_rotation(WeftReader *r, int32_t node, void *value) {
  double *vector = value;
  if (weft_json_type(r->json, node) == WEFT_JSON_LIST) {
    double degrees[3];
    WeftResult result = weft_read_numbers(r, node, 3, (WeftRange)ANGLE_RANGE,
                                          "3 angles [x, y, z] in degrees or {\"axis\", \"angle\"}", degrees);
    if (!result) euler_to_vector(degrees, vector);
    return result;
  }
  if (weft_json_type(r->json, node) != WEFT_JSON_OBJECT)
    return weft_refuse(r, node, "3 angles [x, y, z] in degrees or {\"axis\", \"angle\"}");
  Rotation rotation = {0};
  WeftResult result = weft_read_object(r, node, &weft_scene_table_rotation, &rotation);
  if (result) return result;
  const double *a = rotation.axis;
  double length = hypot(hypot(a[0], a[1]), a[2]);
  if (!(length > 0) || !isfinite(length))
    return weft_refuse(r, weft_json_member(r->json, node, "axis", 4), "an axis that is not zero");
  for (int i = 0; i < 3; i++) vector[i] = a[i] / length * (rotation.angle * DEGREE);
  return WEFT_RESULT_OK;
}

typedef struct Transform {
  double translate[3], rotate[3], scale[3];
  double matrix[3][4];
  bool has_matrix;
} Transform;

WeftResult weft_scene_read_scale(WeftReader *r, int32_t node, void *value) {
  double *scale = value;
  if (weft_json_type(r->json, node) == WEFT_JSON_LIST)
    return weft_read_numbers(r, node, 3, (WeftRange)WEFT_ABOVE_ZERO, "a number or 3 numbers [x, y, z]",
                             scale);
  WeftResult result = weft_read_number(r, node, (WeftRange)WEFT_ABOVE_ZERO, scale);
  if (!result) scale[1] = scale[2] = scale[0];
  return result;
}

static WeftResult read_matrix(WeftReader *r, int32_t node, void *value) {
  Transform *transform = value;
  const WeftJsonNode *n = weft_json_node(r->json, node);
  if (n->type != WEFT_JSON_LIST || n->count != 3) return weft_refuse(r, node, "3 rows of 4 numbers");
  WeftResult result = WEFT_RESULT_OK;
  for (int i = 0; i < 3 && !result; i++)
    result = weft_read_numbers(r, weft_json_item(r->json, node, i), 4, (WeftRange)WEFT_ANY,
                               "a row of 4 numbers", transform->matrix[i]);
  if (result) return result;
  double(*m)[4] = transform->matrix;
  double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                       m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                       m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  if (!isfinite(determinant) || determinant == 0)
    return weft_json_fail(r->json, node, r->error, WEFT_RESULT_INVALID_DATA,
                          "expected a matrix that can be inverted; its determinant is %g", determinant);
  transform->has_matrix = true;
  return WEFT_RESULT_OK;
}

static const WeftField transform_fields[] = {
    {.key = "translate", .type = WEFT_FIELD_VECTOR, .offset = offsetof(Transform, translate)},
    {.key = "rotate",
     .type = WEFT_FIELD_CUSTOM,
     .offset = offsetof(Transform, rotate),
     .read = weft_scene_read_rotation},
    {.key = "scale",
     .type = WEFT_FIELD_CUSTOM,
     .offset = offsetof(Transform, scale),
     .read = weft_scene_read_scale},
    {.key = "matrix", .type = WEFT_FIELD_CUSTOM, .read = read_matrix},
};
const WeftTable weft_scene_table_transform = WEFT_TABLE("transform", transform_fields);

WeftResult weft_scene_read_transform(WeftReader *r, int32_t node, void *value) {
  double(*matrix)[4] = value;
  Transform transform = {.scale = {1, 1, 1}};
  WeftResult result = weft_read_object(r, node, &weft_scene_table_transform, &transform);
  if (result) return result;
  if (transform.has_matrix && weft_json_node(r->json, node)->count > 1)
    return weft_json_fail(r->json, node, r->error, WEFT_RESULT_INVALID_DATA,
                          "expected either matrix or translate, rotate and scale, got both");
  if (transform.has_matrix) {
    memcpy(matrix, transform.matrix, sizeof transform.matrix);
    return WEFT_RESULT_OK;
  }
  double rotation[3][3];
  weft_scene_rotation_matrix(transform.rotate, rotation);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) matrix[i][j] = rotation[i][j] * transform.scale[j];
    matrix[i][3] = transform.translate[i];
  }
  return WEFT_RESULT_OK;
}
