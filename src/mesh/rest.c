#include "mesh/rest.h"

#include "device/kernel.h"
#include "device/kernel_math.h"

static const double PI = 3.14159265358979323846;

/* The part of a that lies in the plane with unit normal n, made unit; false when there is (almost) none. */
static int project(Vec3 a, Vec3 n, Vec3 *u) {
  Vec3 p = v3_axpy(a, -v3_dot(a, n), n);
  double length = v3_length(p);
  if (!(length > 1e-6 * v3_length(a))) return 0;
  *u = v3_scale(1 / length, p);
  return 1;
}

void weft_rest_flatten(const double *p0, const double *p1, const double *p2, const double *warp_uv,
                       const double warp[3], double uv[6]) {
  Vec3 e1 = v3_sub(load3(p1, 0), load3(p0, 0)), e2 = v3_sub(load3(p2, 0), load3(p0, 0));
  Vec3 n = v3_cross(e1, e2);
  double twice_area = v3_length(n);
  for (int i = 0; i < 6; i++) uv[i] = 0;
  if (!(twice_area > 0)) return;
  n = v3_scale(1 / twice_area, n);
  Vec3 u = vec3(0, 0, 0);
  int has_u = 0;
  if (warp_uv) {
    /* dp/du from e1 = p_u du1 + p_v dv1, e2 = p_u du2 + p_v dv2, up to a positive factor */
    double du1 = warp_uv[2] - warp_uv[0], dv1 = warp_uv[3] - warp_uv[1];
    double du2 = warp_uv[4] - warp_uv[0], dv2 = warp_uv[5] - warp_uv[1];
    double det = du1 * dv2 - du2 * dv1;
    Vec3 p_u = v3_sub(v3_scale(dv2, e1), v3_scale(dv1, e2));
    has_u = det != 0 && project(det > 0 ? p_u : v3_scale(-1, p_u), n, &u);
  }
  /* of x, y, z one at least is not normal to the triangle */
  const Vec3 candidates[] = {load3(warp, 0), vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)};
  for (int i = 0; i < 4 && !has_u; i++) has_u = project(candidates[i], n, &u);
  Vec3 v = v3_cross(n, u);
  uv[2] = v3_dot(e1, u);
  uv[3] = v3_dot(e1, v);
  uv[4] = v3_dot(e2, u);
  uv[5] = v3_dot(e2, v);
}

double weft_rest_orient(double uv[6]) {
  double area = 0.5 * ((uv[2] - uv[0]) * (uv[5] - uv[1]) - (uv[4] - uv[0]) * (uv[3] - uv[1]));
  if (area >= 0) return area;
  for (int k = 0; k < 3; k++) uv[2 * k + 1] = -uv[2 * k + 1];
  return -area;
}

double weft_rest_edge(const double a[2], const double b[2], double *angle) {
  double du = b[0] - a[0], dv = b[1] - a[1];
  double direction = atan2(dv, du);
  if (direction < 0) direction += PI;
  *angle = direction < PI ? direction : 0;
  return sqrt(du * du + dv * dv);
}

double weft_rest_hinge_angle(const double *a, const double *b, const double *c, const double *d) {
  /* the same operations as in force/hinge.kernel.h, so that cloth at rest feels no force at all */
  Vec3 edge = v3_sub(load3(b, 0), load3(a, 0)), to_c = v3_sub(load3(c, 0), load3(a, 0));
  Vec3 to_d = v3_sub(load3(d, 0), load3(a, 0));
  Vec3 n1 = v3_cross(edge, to_c), n2 = v3_cross(to_d, edge);
  return arctangent2(v3_length(edge) * v3_dot(n1, to_d), v3_dot(n1, n2));
}
