#include "detect/distance.kernel.h"
#include "force/element.kernel.h"
#include "solve/bcsr_find.kernel.h"

/* Part of the missing distance that a step wants back: all at once would throw cloth apart with the speed
 * distance / h. */
#define CONTACT_RECOVERY 0.25
/* Square of the sine of the angle by which an upright line may lean. */
#define CONTACT_TILT 1e-4
/* Part of the distance in the rest shape that is contact distance at most: or cloth thicker than its edges
 * are long would inflate itself. */
#define CONTACT_REST 0.9

/* Contacts from the pairs that detection found, first + i from pair i. */
KERNEL contact_copy(int n, int first, int kind, GLOBAL const int *from_features,
                    GLOBAL const int *from_vertices, GLOBAL const REAL *from_weight, GLOBAL int *pair,
                    GLOBAL int *vertices, GLOBAL REAL *weight) {
  FOR_ITEMS (i, n) {
    pair[3 * (first + i)] = kind;
    pair[3 * (first + i) + 1] = from_features[2 * i];
    pair[3 * (first + i) + 2] = from_features[2 * i + 1];
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

/* Before, equal or behind: -1, 0, 1. */
INLINE int contact_order(GLOBAL const int *a, GLOBAL const int *b) {
  for (int k = 0; k < 3; k++) {
    if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
  }
  return 0;
}

/* What friction remembers of each contact, as the last step left it; nothing of a new one. */
KERNEL contact_recall(int count, int memory_count, GLOBAL const int *pair, GLOBAL const int *memory_pair,
                      GLOBAL const REAL *memory_slip, GLOBAL REAL *slip) {
  FOR_ITEMS (c, count) {
    int begin = 0, end = memory_count;
    Vec3 found = vec3(0, 0, 0);
    REAL force = -1, slides = 0;
    while (begin < end) {
      int middle = begin + (end - begin) / 2, order = contact_order(memory_pair + 3 * middle, pair + 3 * c);
      if (order == 0) {
        GLOBAL const REAL *m = memory_slip + 5 * middle;
        found = vec3(m[0], m[1], m[2]);
        force = m[3];
        slides = m[4];
        break;
      }
      if (order < 0)
        begin = middle + 1;
      else
        end = middle;
    }
    slip[5 * c] = found.x;
    slip[5 * c + 1] = found.y;
    slip[5 * c + 2] = found.z;
    slip[5 * c + 3] = force;
    slip[5 * c + 4] = slides;
  }
}

/* Slip without the parts along n and, of what slides, along the force that pulls at it. */
INLINE Vec3 contact_gripped(Vec3 slip, Vec3 n, Vec3 push) {
  REAL square = v3_dot(push, push);
  slip = v3_axpy(slip, -v3_dot(slip, n), n);
  return square > 0 ? v3_axpy(slip, -v3_dot(slip, push) / square, push) : slip;
}

/* What the next step has to know: what drives each contact, against friction, which shows in how its motion
 * changed. Summed up over steps in which it sticks, that is the stretch of the spring since it began to. */
KERNEL contact_remember(int count, int cloth_count, GLOBAL const int *vertices, GLOBAL const REAL *weight,
                        GLOBAL const REAL *normal, GLOBAL const REAL *stiffness, GLOBAL const REAL *aim,
                        GLOBAL const REAL *grip, GLOBAL const REAL *push, GLOBAL const REAL *begun,
                        GLOBAL const REAL *inertia, GLOBAL const REAL *origin, GLOBAL const int *sliding,
                        GLOBAL const int *pair, GLOBAL const REAL *x1, GLOBAL int *memory_pair,
                        GLOBAL REAL *memory_slip) {
  FOR_ITEMS (c, count) {
    Vec3 place = vec3(0, 0, 0), n = load3(normal, c), pull = load3(push, c);
    for (int j = 0; j < 4; j++) {
      int v = vertices[4 * c + j];
      if (v < cloth_count) place = v3_axpy(place, weight[4 * c + j], load3(x1, v));
    }
    Vec3 slip = v3_sub(place, load3(origin, c));
    Vec3 force = v3_axpy(pull, -grip[c], contact_gripped(slip, n, pull));
    slip = v3_sub(v3_axpy(slip, -v3_dot(slip, n), n), load3(begun, c));
    Vec3 drive = v3_sub(v3_scale(inertia[c], slip), force);
    if (stiffness[c] == 0) drive = vec3(0, 0, 0);
    for (int k = 0; k < 3; k++) memory_pair[3 * c + k] = pair[3 * c + k];
    /* the force at the end; a contact that pulled counts as one without force, one that did nothing as new */
    REAL pressure = stiffness[c] * (aim[c] - v3_dot(n, place));
    if (!(pressure > 0)) pressure = 0;
    memory_slip[5 * c] = drive.x;
    memory_slip[5 * c + 1] = drive.y;
    memory_slip[5 * c + 2] = drive.z;
    memory_slip[5 * c + 3] = stiffness[c] > 0 ? pressure : -1;
    memory_slip[5 * c + 4] = sliding[c];
  }
}

/* Does the line between the closest points stand upright: on the face, or on both edges? Where it does not, a
 * closest point is on a face's border or an edge's end, and a neighbour of theirs is nearer to what is met:
 * over a flat floor of two triangles the one that a vertex is not above would push it sideways. n becomes
 * exactly upright: leaning by a hundredth it would brake what slides fast with many times the weight. */
INLINE int contact_is_upright(const int *v, int is_edges, Vec3 *n, GLOBAL const REAL *x) {
  Vec3 a = load3(x, v[0]), b = load3(x, v[1]), c = load3(x, v[2]), d = load3(x, v[3]);
  Vec3 up = is_edges ? v3_cross(v3_sub(b, a), v3_sub(d, c)) : v3_cross(v3_sub(c, b), v3_sub(d, b));
  REAL length = v3_dot(up, up), along = v3_dot(*n, up);
  if (is_edges) { /* edges that run alongside each other have no such line; vertices and faces speak for them
                   */
    Vec3 e = v3_sub(b, a), f = v3_sub(d, c);
    if (length < CONTACT_TILT * v3_dot(e, e) * v3_dot(f, f)) return 0;
  }
  if (!(length > 0 && along * along >= (1 - CONTACT_TILT) * length)) return 0;
  *n = v3_scale((along > 0 ? 1 : -1) / sqrt(length), up);
  return 1;
}

/* What a step of h makes of each contact. */
KERNEL contact_stiffen(int count, int edges_from, int cloth_count, REAL h, GLOBAL const int *body,
                       GLOBAL const REAL *surface, GLOBAL const REAL *rest, GLOBAL const int *diagonal,
                       GLOBAL const REAL *value, GLOBAL const REAL *x0, GLOBAL const REAL *x1,
                       GLOBAL const REAL *v0, GLOBAL const int *vertices, GLOBAL const REAL *weight,
                       GLOBAL REAL *normal, GLOBAL REAL *stiffness, GLOBAL REAL *aim) {
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
    REAL target = distance + CONTACT_RECOVERY * (wanted - distance), k = 0;
    Vec3 n = distance > 0 ? v3_scale(1 / distance, gap) : vec3(0, 0, 0);
    int is_close = distance > 0 && distance < wanted && contact_is_upright(v, is_edges, &n, x0);
    REAL approach = v3_dot(n, moved);
    if (is_close && compliance > 0 && distance + approach < wanted) k = 1 / compliance;
    store3(normal, c, n);
    stiffness[c] = k;
    aim[c] = v3_dot(n, cloth) + (target - distance) - v3_dot(n, fixed);
  }
}

/* Rows gather what the contacts at them give. */
KERNEL contact_add(int cloth_count, GLOBAL const int *row_start, GLOBAL const int *at,
                   GLOBAL const int *vertices, GLOBAL const REAL *weight, GLOBAL const REAL *normal,
                   GLOBAL const REAL *stiffness, GLOBAL const REAL *aim, GLOBAL const REAL *grip,
                   GLOBAL const REAL *push, GLOBAL const REAL *origin, GLOBAL const REAL *x,
                   GLOBAL const REAL *vel, int wants, REAL ax, GLOBAL const int *base_start,
                   GLOBAL const int *extra_start, GLOBAL const int *column, GLOBAL REAL *f, GLOBAL REAL *kxv,
                   GLOBAL REAL *a) {
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
      Vec3 pull = load3(push, c), slip = contact_gripped(v3_sub(place, load3(origin, c)), n, pull);
      Vec3 friction = v3_axpy(pull, -g, slip);
      add3(f, row, v3_axpy(v3_scale(own * k * (aim[c] - v3_dot(n, place)), n), own, friction));
      if (!(wants & WANT_MATRIX)) continue;
      REAL along = v3_dot(n, speed);
      Vec3 across = contact_gripped(speed, n, pull);
      add3(kxv, row, v3_axpy(v3_scale(-own * k * along, n), -own * g, across));
      Mat3 stiff = m3_axpy(m3_identity(g), 1, m3_outer(k - g, n, n)); /* k n nT + g (I - n nT - d dT) */
      REAL square = v3_dot(pull, pull);
      if (square > 0) stiff = m3_axpy(stiff, 1, m3_outer(-g / square, pull, pull));
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

/* Part of the contact distance up to which adhesion pulls. */
#define ADHESION_RANGE 1.1

/* Adhesion: what each vertex of cloth holds with goes, in equal parts, to the faces it is above; where the
 * face is cloth, too, its own vertices hold the other half. */
KERNEL contact_bond(int cloth_count, int edges_from, int cloth_bodies, GLOBAL const int *row_start,
                    GLOBAL const int *at, GLOBAL const int *body, GLOBAL const REAL *surface,
                    GLOBAL const REAL *rest, GLOBAL const REAL *bond, GLOBAL const REAL *x0,
                    GLOBAL const int *vertices, GLOBAL const REAL *weight, GLOBAL REAL *pull) {
  FOR_ITEMS (row, cloth_count) {
    int faces = 0;
    for (int pass = 0; pass < 2; pass++) {
      for (int i = row_start[row]; i < row_start[row + 1] && bond[row] > 0; i++) {
        int c = at[i] / 4, v[4];
        if (at[i] - 4 * c != 0 || c >= edges_from) continue;
        Vec3 gap = vec3(0, 0, 0);
        for (int k = 0; k < 4; k++) {
          v[k] = vertices[4 * c + k];
          gap = v3_axpy(gap, weight[4 * c + k], v3_sub(load3(x0, v[k]), load3(x0, row)));
        }
        REAL distance = v3_length(gap);
        if (!(distance > 0 &&
              distance < ADHESION_RANGE * contact_distance(v, body, surface, 0, cloth_count, rest)))
          continue;
        Vec3 n = v3_scale(1 / distance, gap);
        if (!contact_is_upright(v, 0, &n, x0)) continue;
        if (pass == 0)
          faces++;
        else
          pull[c] = bond[row] / faces * (body[v[1]] < cloth_bodies ? 0.5 : 1);
      }
    }
  }
}

/* Rows gather what adhesion pulls; it is constant, so it has no part in the matrix. */
KERNEL contact_stick(int cloth_count, GLOBAL const int *row_start, GLOBAL const int *at,
                     GLOBAL const REAL *weight, GLOBAL const REAL *normal, GLOBAL const REAL *pull,
                     GLOBAL REAL *f) {
  FOR_ITEMS (row, cloth_count) {
    for (int i = row_start[row]; i < row_start[row + 1]; i++) {
      int c = at[i] / 4;
      if (pull[c] > 0) add3(f, row, v3_scale(-weight[at[i]] * pull[c], load3(normal, c)));
    }
  }
}
