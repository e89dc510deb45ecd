#include "detect/distance.kernel.h"
#include "force/element.kernel.h"
#include "solve/bcsr_find.kernel.h"

/* Part of the missing distance that a step wants back: all at once would throw cloth apart with the speed
 * distance / h. */
#define CONTACT_RECOVERY 0.25
/* Part of the distance in the rest shape that is contact distance at most: or cloth thicker than its edges
 * are long would inflate itself. */
#define CONTACT_REST 0.9

/* Contacts from the pairs that detection found, first + i from pair i. */
KERNEL contact_copy(int n, int first, GLOBAL const int *from_vertices, GLOBAL const REAL *from_weight,
                    GLOBAL int *vertices, GLOBAL REAL *weight) {
  FOR_ITEMS (i, n) {
    for (int k = 0; k < 4; k++) {
      vertices[4 * (first + i) + k] = from_vertices[4 * i + k];
      weight[4 * (first + i) + k] = from_weight[4 * i + k];
    }
  }
}

/* The row of each corner of each contact; obstacles have none and go behind the last. */
KERNEL contact_rows(int corner_count, int cloth_count, GLOBAL const int *vertices, GLOBAL int *key,
                    GLOBAL int *at) {
  FOR_ITEMS (i, corner_count) {
    key[i] = vertices[i] < cloth_count ? vertices[i] : cloth_count;
    at[i] = i;
  }
}

/* Where the corners of each row begin among the sorted keys. */
KERNEL contact_row_starts(int starts, int corner_count, GLOBAL const int *key, GLOBAL int *row_start) {
  FOR_ITEMS (row, starts) {
    int begin = 0, end = corner_count;
    while (begin < end) {
      int middle = begin + (end - begin) / 2;
      if (key[middle] < row)
        begin = middle + 1;
      else
        end = middle;
    }
    row_start[row] = begin;
  }
}

/* Columns of each row, four a corner; an obstacle's place is taken by the diagonal, which is stored anyway.
 */
KERNEL contact_columns(int starts, int cloth_count, GLOBAL const int *row_start, GLOBAL const int *at,
                       GLOBAL const int *vertices, GLOBAL int *loose_start, GLOBAL int *entry) {
  FOR_ITEMS (row, starts) {
    loose_start[row] = 4 * row_start[row];
    int end = row < cloth_count ? row_start[row + 1] : row_start[row];
    for (int i = row_start[row]; i < end; i++) {
      int contact = at[i] / 4;
      for (int k = 0; k < 4; k++) {
        int v = vertices[4 * contact + k];
        entry[4 * i + k] = v < cloth_count ? v : row;
      }
    }
  }
}

INLINE REAL contact_distance(const int *v, GLOBAL const int *body, GLOBAL const REAL *surface, int is_edges,
                             int cloth_count, GLOBAL const REAL *rest) {
  int a = body[v[0]], b = body[v[is_edges ? 2 : 1]];
  REAL wanted = 0.5 * (surface[4 * a] + surface[4 * b]);
  if (a != b || v[0] >= cloth_count) return wanted;
  Vec3 at[4];
  for (int k = 0; k < 4; k++) at[k] = load3(rest, v[k]);
  Closest closest = is_edges ? closest_edge_edge(at) : closest_vertex_face(at);
  REAL most = CONTACT_REST * sqrt(closest.squared);
  return wanted < most ? wanted : most;
}

/* Coulomb's coefficient of a pair of bodies: an obstacle's own or the cloth's, the mean of two cloths'. */
INLINE REAL contact_friction(int a, int b, int cloth_bodies, GLOBAL const REAL *surface, int which) {
  if (a < cloth_bodies && b < cloth_bodies) return 0.5 * (surface[4 * a + 3] + surface[4 * b + 3]);
  int cloth = a < cloth_bodies ? a : b, obstacle = a < cloth_bodies ? b : a;
  REAL own = surface[4 * obstacle + which];
  return own >= 0 ? own : surface[4 * cloth + which];
}

/* What a step of h makes of each contact. */
KERNEL contact_stiffen(int count, int edges_from, int cloth_count, int cloth_bodies, REAL h,
                       GLOBAL const int *body, GLOBAL const REAL *surface, GLOBAL const REAL *rest,
                       GLOBAL const int *diagonal, GLOBAL const REAL *value, GLOBAL const REAL *x0,
                       GLOBAL const REAL *x1, GLOBAL const REAL *v0, GLOBAL const REAL *f,
                       GLOBAL const int *vertices, GLOBAL const REAL *weight, GLOBAL REAL *normal,
                       GLOBAL REAL *stiffness, GLOBAL REAL *aim, GLOBAL REAL *grip, GLOBAL REAL *origin) {
  FOR_ITEMS (c, count) {
    int v[4], is_edges = c >= edges_from;
    Vec3 gap = vec3(0, 0, 0), moved = vec3(0, 0, 0), fixed = vec3(0, 0, 0), cloth = vec3(0, 0, 0);
    REAL compliance = 0;
    Vec3 anchor =
        load3(x0, vertices[4 * c]); /* differences first: what lies far from the origin stays exact */
    for (int k = 0; k < 4; k++) {
      v[k] = vertices[4 * c + k];
      REAL w = weight[4 * c + k];
      gap = v3_axpy(gap, w, v3_sub(load3(x0, v[k]), anchor));
      if (v[k] < cloth_count) {
        Mat3 a = load_mat3(value, diagonal[v[k]]);
        REAL hard = (a.a.x + a.b.y + a.c.z) / (3 * h * h); /* [N/m]: mass over h^2, and elasticity */
        compliance += w * w / hard;
        moved = v3_axpy(moved, w * h, load3(v0, v[k]));
        cloth = v3_axpy(cloth, w, load3(x0, v[k]));
      } else {
        Vec3 shift = v3_sub(load3(x1, v[k]), load3(x0, v[k]));
        moved = v3_axpy(moved, w, shift);
        fixed = v3_axpy(fixed, w, shift);
      }
    }
    REAL distance = v3_length(gap);
    REAL wanted = contact_distance(v, body, surface, is_edges, cloth_count, rest);
    REAL target = distance + CONTACT_RECOVERY * (wanted - distance), k = 0, friction = 0;
    Vec3 n = distance > 0 ? v3_scale(1 / distance, gap) : vec3(0, 0, 0);
    REAL approach = v3_dot(n, moved), pressed = approach;
    /* with what other forces do until then across the cloth, or what rests would seem not to press */
    for (int i = 0; i < 4; i++) {
      if (v[i] >= cloth_count) continue;
      REAL soft = v3_dot(n, m3_apply(load_mat3(value, diagonal[v[i]]), n)) / (h * h);
      if (soft > 0) pressed += weight[4 * c + i] * v3_dot(n, load3(f, v[i])) / soft;
    }
    /* edges that are closest at an end of one: vertex and face are there too, and know the direction better
     */
    int is_twice = 0;
    for (int i = 0; i < 4; i++) is_twice |= is_edges && weight[4 * c + i] == 0;
    if (!is_twice && distance > 0 && distance < wanted && compliance > 0 && distance + pressed < target) {
      k = 1 / compliance;
      /* friction: a spring as stiff as the contact, but no stronger than Coulomb's limit at this pressure */
      REAL pressure = k * (target - distance);
      Vec3 slip = v3_axpy(moved, -approach, n);
      REAL length = v3_length(slip);
      int a = body[v[0]], b = body[v[is_edges ? 2 : 1]];
      friction = k;
      if (k * length > contact_friction(a, b, cloth_bodies, surface, 1) * pressure) {
        friction = contact_friction(a, b, cloth_bodies, surface, 2) * pressure / length;
      }
    }
    store3(normal, c, n);
    stiffness[c] = k;
    aim[c] = v3_dot(n, cloth) + (target - distance) - v3_dot(n, fixed);
    grip[c] = friction;
    store3(origin, c, v3_sub(cloth, fixed));
  }
}

/* Rows gather what the contacts at them give. */
KERNEL contact_add(int cloth_count, GLOBAL const int *row_start, GLOBAL const int *at,
                   GLOBAL const int *vertices, GLOBAL const REAL *weight, GLOBAL const REAL *normal,
                   GLOBAL const REAL *stiffness, GLOBAL const REAL *aim, GLOBAL const REAL *grip,
                   GLOBAL const REAL *origin, GLOBAL const REAL *x, GLOBAL const REAL *vel, int wants,
                   REAL ax, GLOBAL const int *base_start, GLOBAL const int *extra_start,
                   GLOBAL const int *column, GLOBAL REAL *f, GLOBAL REAL *kxv, GLOBAL REAL *a) {
  FOR_ITEMS (row, cloth_count) {
    for (int i = row_start[row]; i < row_start[row + 1]; i++) {
      int c = at[i] / 4;
      REAL own = weight[at[i]], k = stiffness[c], g = grip[c];
      if (k == 0) continue;
      Vec3 n = load3(normal, c), place = vec3(0, 0, 0), speed = vec3(0, 0, 0);
      for (int j = 0; j < 4; j++) {
        int v = vertices[4 * c + j];
        if (v >= cloth_count) continue;
        place = v3_axpy(place, weight[4 * c + j], load3(x, v));
        speed = v3_axpy(speed, weight[4 * c + j], load3(vel, v));
      }
      Vec3 slip = v3_sub(place, load3(origin, c));
      slip = v3_axpy(slip, -v3_dot(slip, n), n);
      add3(f, row, v3_axpy(v3_scale(own * k * (aim[c] - v3_dot(n, place)), n), -own * g, slip));
      if (!(wants & WANT_MATRIX)) continue;
      REAL along = v3_dot(n, speed);
      Vec3 across = v3_axpy(speed, -along, n);
      add3(kxv, row, v3_axpy(v3_scale(-own * k * along, n), -own * g, across));
      Mat3 stiff = m3_axpy(m3_identity(g), 1, m3_outer(k - g, n, n)); /* k n nT + g (I - n nT) */
      for (int j = 0; j < 4; j++) {
        int v = vertices[4 * c + j];
        if (v >= cloth_count) continue;
        int slot = bcsr_find(column, base_start[row], base_start[row + 1], v);
        if (slot < 0) slot = bcsr_find(column, extra_start[row], extra_start[row + 1], v);
        add_mat3(a, slot, m3_scale(-ax * own * weight[4 * c + j], stiff));
      }
    }
  }
}
