/* Air drag on triangles, in ArcSim's form (validation V10). With the velocity u of the triangle against the
 * air, split along its normal n into u_n and along the triangle into u_t, and the present area A:
 *
 *   f = -drag_normal rho A |u_n| u_n n - drag_tangential A u_t,     a third to each corner
 *
 * K_v is exact: df/du = -A [2 drag_normal rho |u_n| n nT + drag_tangential (I - n nT)], never positive. There
 * is no K_x: how the force turns with the triangle is not symmetric and small beside the fabric's stiffness.
 *
 * The gust travels along the wind with the speed frequency x length:
 *
 *   g = 1/2 sin 2 pi (p) + 1/2 sin 2 pi (0.618 p + 0.382 q),  p = frequency t - s/length,  q = r/length
 *
 * s along the wind, r across it; two waves that never repeat together, in [-1, 1].
 */
#include "device/kernel_math.h"
#include "force/element.kernel.h"

typedef struct Air {
  Vec3 velocity, gust; /* [m/s] */
  Vec3 along, across;  /* phases per metre: directions over the gust's length [1/m] */
  REAL phase;          /* frequency x time [turns] */
  REAL density;        /* [kg/m^3] */
} Air;

INLINE Vec3 air_velocity(const Air *air, Vec3 place) {
  if (air->gust.x == 0 && air->gust.y == 0 && air->gust.z == 0)
    return air->velocity; /* no waves to look at */
  REAL p = air->phase - v3_dot(air->along, place), q = v3_dot(air->across, place);
  REAL g = 0.5 * sine_of_turns(p) + 0.5 * sine_of_turns(0.618033988749895 * p + 0.381966011250105 * q);
  return v3_axpy(air->velocity, g, air->gust);
}

/* wind: the values of Air in its order, 14 of them. drag: normal, tangential per cloth. */
KERNEL air_wind_add(ELEMENT_PARAMETERS, GLOBAL const REAL *wind, GLOBAL const int *cloth,
                    GLOBAL const REAL *drag) {
  (void)ax; /* there is no K_x */
  FOR_CHUNKS (chunk, chunk_count) {
    int row_begin = chunk * chunk_rows, row_end = row_begin + chunk_rows;
    Air air;
    air.velocity = load3(wind, 0);
    air.gust = load3(wind, 1);
    air.along = load3(wind, 2);
    air.across = load3(wind, 3);
    air.phase = wind[12];
    air.density = wind[13];
    for (int at = chunk_start[chunk]; at < chunk_start[chunk + 1]; at++) {
      int e = chunk_element[at];
      element_ahead(3, e, slots, wants, a);
      GLOBAL const int *corner = vertices + 3 * e;
      Vec3 x0 = load3(x, corner[0]), x1 = load3(x, corner[1]), x2 = load3(x, corner[2]);
      Vec3 normal = v3_cross(v3_sub(x1, x0), v3_sub(x2, x0));
      REAL twice_area = v3_length(normal);
      if (!(twice_area > 0)) continue;
      Vec3 n = v3_scale(1 / twice_area, normal);
      Vec3 centre = v3_scale(1.0 / 3, v3_add(x0, v3_add(x1, x2)));
      Vec3 velocity = v3_add(load3(v, corner[0]), v3_add(load3(v, corner[1]), load3(v, corner[2])));
      Vec3 u = v3_axpy(v3_scale(-1, air_velocity(&air, centre)), 1.0 / 3, velocity);
      REAL through = v3_dot(u, n);
      REAL press = 0.5 * twice_area * air.density * drag[2 * cloth[e]] * fabs(through);
      REAL rub = 0.5 * twice_area * drag[2 * cloth[e] + 1];
      Vec3 third = v3_axpy(v3_scale(-rub / 3, u), (rub - press) * through / 3, n);
      Vec3 force[3], kx_v[3];
      Block m[9];
      for (int i = 0; i < 3; i++) {
        force[i] = third;
        kx_v[i] = vec3(0, 0, 0);
      }
      if (wants & WANT_MATRIX) {
        m[0] = block_axpy(block_identity(-av * rub / 9), -av * (2 * press - rub) / 9, block_outer(1, n, n));
        for (int i = 1; i < 9; i++) m[i] = m[0];
      }
      element_scatter_all(3, e, row_begin, row_end, vertices, slots, wants, force, kx_v, m, f, kxv, a);
    }
  }
}
