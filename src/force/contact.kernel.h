#include "detect/ahead.kernel.h"
#include "force/element.kernel.h"
#include "force/friction.kernel.h"
#include "solve/bcsr_find.kernel.h"

/* In about this time [s] a missing distance comes back: all at once would throw cloth apart with the speed
 * distance / h, and a part that does not depend on h would shake what is squeezed, the faster the smaller h
 * is. */
#define CONTACT_RECOVERY 0.1
/* How much stiffer than what it stops a contact is, for each contact distance that is missing at the end of
 * the step otherwise: of what is missing, 1 / (1 + this) remains, half a contact distance. */
#define CONTACT_FIRMNESS 2.0
#define CONTACT_FIRMEST 30.0
/* And of the stiffness in its own plane a contact takes this part: enough for the weight of many layers, too
 * little for contacts that ask for different things to tear at their vertices. */
#define CONTACT_SHARE 0.05
/* A contact begins with the force at the end of the last step, of which in about this time [s] all would be
 * gone: what it carries does not have to be carried by coming closer.
 * Rejected: none of it for what is on its way apart. What rests has no way, but for its last digits, and took
 * turns from step to step: ribbons in the exam's knot shook with 14 mm/s for ever, which are now at rest
 * within 1 mm/s. */
#define CONTACT_KEPT 0.045
/* Part of the step by which a pair may meet later than another of the same vertex. */
#define CONTACT_LATER 0.02
/* So many times stiffer becomes a contact that is not stiff enough to keep its sides from meeting. */
#define CONTACT_HARDER 4.0
/* Part of the largest contact distance by which a contact may pull, or be missed, without a second look. */
#define CONTACT_SLACK 0.02
/* So many times what friction holds with may a rough solution say that it carries. */
#define CONTACT_OVERLOAD 1.05
/* What stands for the force of a contact that did not exist, and of one that was there and did nothing. */
#define CONTACT_NEW (-1.0)
#define CONTACT_IDLE (-2.0)
/* Part of the distance in the rest shape that is contact distance at most: or cloth thicker than its edges
 * are long would inflate itself. */
#define CONTACT_REST 0.9

/* Does pair i meet no later than the others of its vertex, or first edge, but for little? Pairs are sorted by
 * it. What meets later often leaves where it came in first, through the other side of a tip or ridge, and
 * would be kept inside; if not, it is found again when the first is out of the way. */
INLINE int contact_is_first(int n, int i, GLOBAL const int *features, GLOBAL const REAL *when) {
  int feature = features[2 * i];
  REAL first = when[i] - CONTACT_LATER;
  for (int k = i - 1; k >= 0 && features[2 * k] == feature; k--) {
    if (when[k] < first) return 0;
  }
  for (int k = i + 1; k < n && features[2 * k] == feature; k++) {
    if (when[k] < first) return 0;
  }
  return 1;
}

/* Contacts from the pairs that detection found, first + i from pair i. */
KERNEL contact_copy(int n, int first, int kind, GLOBAL const int *from_features,
                    GLOBAL const int *from_vertices, GLOBAL const REAL *from_weight,
                    GLOBAL const REAL *from_when, GLOBAL int *pair, GLOBAL int *vertices, GLOBAL REAL *weight,
                    GLOBAL REAL *when) {
  FOR_ITEMS (i, n) {
    when[first + i] = contact_is_first(n, i, from_features, from_when) ? from_when[i] : CCD_NONE;
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

INLINE REAL contact_distance(const int *v, GLOBAL const int *body, GLOBAL const REAL *thickness, int is_edges,
                             int cloth_count, GLOBAL const REAL *rest) {
  int a = body[v[0]], b = body[v[is_edges ? 2 : 1]];
  REAL wanted = 0.5 * (thickness[a] + thickness[b]);
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
    REAL force = CONTACT_NEW, slides = 0;
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
                        GLOBAL const REAL *arm, GLOBAL const REAL *normal, GLOBAL const REAL *stiffness,
                        GLOBAL const REAL *aim, GLOBAL const REAL *grip, GLOBAL const REAL *push,
                        GLOBAL const REAL *begun, GLOBAL const REAL *bounds, GLOBAL const REAL *origin,
                        GLOBAL const int *sliding, GLOBAL const int *pair, GLOBAL const REAL *x1,
                        GLOBAL int *memory_pair, GLOBAL REAL *memory_slip) {
  FOR_ITEMS (c, count) {
    Vec3 place = vec3(0, 0, 0), n = load3(normal, c), pull = load3(push, c);
    for (int j = 0; j < 4; j++) {
      int v = vertices[4 * c + j];
      if (v < cloth_count) place = slip_add(place, weight[4 * c + j], load3(arm, 4 * c + j), n, load3(x1, v));
    }
    Vec3 slip = v3_sub(place, load3(origin, c));
    Vec3 force = v3_axpy(pull, -grip[c], contact_gripped(slip, n, pull));
    slip = v3_sub(v3_axpy(slip, -v3_dot(slip, n), n), load3(begun, c));
    Vec3 drive = v3_sub(v3_scale(bounds[3 * c], slip), force);
    if (stiffness[c] == 0) drive = vec3(0, 0, 0);
    for (int k = 0; k < 3; k++) memory_pair[3 * c + k] = pair[3 * c + k];
    /* the force at the end; a contact that pulled counts as one without force */
    REAL pressure = stiffness[c] * (aim[c] - v3_dot(n, place));
    if (!(pressure > 0)) pressure = 0;
    memory_slip[5 * c] = drive.x;
    memory_slip[5 * c + 1] = drive.y;
    memory_slip[5 * c + 2] = drive.z;
    memory_slip[5 * c + 3] = stiffness[c] > 0 ? pressure : CONTACT_IDLE;
    memory_slip[5 * c + 4] = sliding[c];
  }
}

/* Levers of slip_add for a contact whose sides are d apart, n = up / length. */
INLINE void contact_levers(int c, int is_edges, REAL d, Vec3 n, REAL length, const Vec3 *x,
                           GLOBAL REAL *arm) {
  Vec3 u = v3_sub(x[is_edges ? 1 : 2], x[is_edges ? 0 : 1]), v = v3_sub(x[3], x[is_edges ? 2 : 1]);
  REAL scale = length != 0 ? d / length : 0;
  Vec3 p = v3_scale(scale, v3_cross(v, n)), q = v3_scale(scale, v3_cross(n, u));
  store3(arm, 4 * c, is_edges ? v3_scale(-1, p) : vec3(0, 0, 0));
  store3(arm, 4 * c + 1, is_edges ? p : v3_scale(-1, v3_add(p, q)));
  store3(arm, 4 * c + 2, is_edges ? v3_scale(-1, q) : p);
  store3(arm, 4 * c + 3, q);
}

/* What a step of h makes of each contact. */
KERNEL contact_stiffen(int new_count, int first, int cloth_count, REAL h, REAL gx, REAL gy, REAL gz,
                       GLOBAL const int *body, GLOBAL const REAL *thickness, GLOBAL const REAL *rest,
                       GLOBAL const int *diagonal, GLOBAL const REAL *value, GLOBAL const REAL *x0,
                       GLOBAL const REAL *x1, GLOBAL const REAL *when, GLOBAL const int *vertices,
                       GLOBAL const REAL *weight, GLOBAL const int *pair, GLOBAL const REAL *slip,
                       GLOBAL REAL *normal, GLOBAL REAL *arm, GLOBAL REAL *spring, GLOBAL REAL *stiffness,
                       GLOBAL REAL *aim) {
  FOR_ITEMS (i, new_count) {
    int c = first + i, v[4], is_edges = pair[3 * c] == 1;
    Vec3 gap = vec3(0, 0, 0), moved = vec3(0, 0, 0), fixed = vec3(0, 0, 0), cloth = vec3(0, 0, 0), at[4];
    REAL weight_of_cloth = 0; /* 1 or -1 on an obstacle, 0 between cloths, which fall alike */
    Vec3 anchor =
        load3(x0, vertices[4 * c]); /* differences first: what lies far from the origin stays exact */
    for (int k = 0; k < 4; k++) {
      v[k] = vertices[4 * c + k];
      REAL w = weight[4 * c + k];
      Vec3 from = load3(x0, v[k]), shift = v3_sub(load3(x1, v[k]), from);
      gap = v3_axpy(gap, w, v3_sub(from, anchor));
      moved = v3_axpy(moved, w, shift);
      at[k] = v3_axpy(from, when[c], shift);
      if (v[k] < cloth_count) {
        cloth = v3_axpy(cloth, w, from);
        weight_of_cloth += w;
      } else
        fixed = v3_axpy(fixed, w, shift);
    }
    /* The line between the closest points is upright, but for little: leaning by a hundredth it would brake
     * what slides fast with many times the weight. Where they meet it has no length, but this direction. */
    Vec3 n = ahead_up(at, is_edges);
    REAL length = v3_length(n) * (v3_dot(n, gap) < 0 ? -1 : 1);
    n = length != 0 ? v3_scale(1 / length, n) : vec3(0, 0, 0);
    REAL across = 0, all = 0; /* compliance [m/N] across the cloth, and in any direction */
    for (int k = 0; k < 4; k++) {
      if (v[k] >= cloth_count) continue;
      Mat3 a = load_mat3(value, diagonal[v[k]]); /* mass, and h^2 x elasticity */
      REAL w = h * h * weight[4 * c + k] * weight[4 * c + k];
      across += w / v3_dot(n, m3_apply(a, n));
      all += 3 * w / (a.a.x + a.b.y + a.c.z);
    }
    REAL distance = v3_dot(n, gap), approach = v3_dot(n, moved);
    REAL wanted = contact_distance(v, body, thickness, is_edges, cloth_count, rest);
    REAL target = distance < wanted ? distance + h / (h + CONTACT_RECOVERY) * (wanted - distance) : wanted;
    REAL missing = target - distance - approach;
    contact_levers(c, is_edges, distance < wanted ? distance : wanted, n, length, at, arm);
    REAL k = 0, kept = 0;
    int is_near = when[c] <= 1 && (distance < wanted || when[c] > 0);
    int is_contact = length != 0 && is_near && wanted > 0 && all > 0;
    if (is_contact) {
      REAL fall =
          h * h * weight_of_cloth * v3_dot(n, vec3(gx, gy, gz)); /* also of what rests: it is to be carried */
      REAL firm = CONTACT_FIRMNESS * (missing - fall) / wanted;
      firm = firm < 1 ? 1 : firm > CONTACT_FIRMEST ? CONTACT_FIRMEST : firm;
      k = firm / across + CONTACT_SHARE / all;
      kept = slip[5 * c + 3] > 0 ? CONTACT_KEPT / (h + CONTACT_KEPT) * slip[5 * c + 3] / k : 0;
      if (kept > wanted) kept = wanted;
    }
    store3(normal, c, n);
    spring[c] = k;
    /* what did nothing goes on doing so until a solve says otherwise: most of what is close is held apart by
     * its neighbours */
    int is_active = distance + approach < wanted && slip[5 * c + 3] != CONTACT_IDLE;
    stiffness[c] = is_active ? k : 0;
    aim[c] = v3_dot(n, cloth) + missing + approach - v3_dot(n, fixed) + kept;
  }
}

/* What a contact lacks of its aim at x1 [m]. */
INLINE REAL contact_missing(int c, int cloth_count, GLOBAL const int *vertices, GLOBAL const REAL *weight,
                            GLOBAL const REAL *normal, GLOBAL const REAL *aim, GLOBAL const REAL *x1) {
  REAL missing = aim[c];
  Vec3 n = load3(normal, c);
  for (int j = 0; j < 4; j++) {
    int v = vertices[4 * c + j];
    if (v < cloth_count) missing -= weight[4 * c + j] * v3_dot(n, load3(x1, v));
  }
  return missing;
}

/* After a solve that led to x1: contacts that would pull are let go, others that turn out to be needed are
 * taken in. Without this, what was expected to come and does not, because its neighbours were stopped, would
 * be dragged along. */
KERNEL contact_review(int count, int cloth_count, REAL slack, GLOBAL const int *vertices,
                      GLOBAL const REAL *weight, GLOBAL const REAL *normal, GLOBAL const REAL *spring,
                      GLOBAL const REAL *aim, GLOBAL const REAL *x1, GLOBAL REAL *stiffness,
                      GLOBAL int *is_changed) {
  FOR_ITEMS (c, count) {
    REAL missing = contact_missing(c, cloth_count, vertices, weight, normal, aim, x1);
    int pulls = stiffness[c] > 0 && missing < -slack;
    int is_needed = stiffness[c] == 0 && spring[c] > 0 && missing > slack;
    is_changed[c] = is_needed | pulls;
    if (pulls) stiffness[c] = 0;
    if (is_needed) stiffness[c] = spring[c];
  }
}

/* After a solve that led to x1: what new contacts press with, which is more than a guess. In what slides fast
 * all are new in every step. Those that did nothing in it press with nothing, also if they are taken in now:
 * what they lack would ask for many times the force, and friction with it threw the tails of the exam's knot
 * about. */
KERNEL contact_press(int count, int cloth_count, GLOBAL const int *vertices, GLOBAL const REAL *weight,
                     GLOBAL const REAL *normal, GLOBAL const REAL *stiffness, GLOBAL const REAL *aim,
                     GLOBAL const REAL *x1, GLOBAL REAL *slip, GLOBAL int *is_pressed) {
  FOR_ITEMS (c, count) {
    is_pressed[c] = slip[5 * c + 3] < 0 || slip[5 * c + 4] == FRICTION_PRESSED;
    if (is_pressed[c]) {
      REAL missing = contact_missing(c, cloth_count, vertices, weight, normal, aim, x1);
      slip[5 * c + 3] = missing > 0 ? stiffness[c] * missing : 0;
      slip[5 * c + 4] = FRICTION_PRESSED;
    }
  }
}

/* After a solve that led to x1: what was to stick, and would have to carry more than friction can, slides,
 * pulled as it was held. The decision where the step begins knows a contact's own masses, and not what moves
 * them: tails of the exam's knot, leaning on each other, were held for a step with many times what friction
 * has, let go in the next, and turned so for ever. */
KERNEL contact_let_go(int count, int cloth_count, GLOBAL const int *vertices, GLOBAL const REAL *weight,
                      GLOBAL const REAL *arm, GLOBAL const REAL *normal, GLOBAL const REAL *stiffness,
                      GLOBAL const REAL *bounds, GLOBAL const REAL *x0, GLOBAL const REAL *x1,
                      GLOBAL REAL *grip, GLOBAL REAL *push, GLOBAL REAL *begun, GLOBAL REAL *origin,
                      GLOBAL int *sliding, GLOBAL int *is_let_go) {
  FOR_ITEMS (c, count) {
    Vec3 end = vec3(0, 0, 0), begin = vec3(0, 0, 0), n = load3(normal, c), from = load3(origin, c);
    for (int j = 0; j < 4; j++) {
      int v = vertices[4 * c + j];
      REAL w = weight[4 * c + j];
      Vec3 lever = load3(arm, 4 * c + j);
      if (v < cloth_count) {
        end = slip_add(end, w, lever, n, load3(x1, v));
        begin = slip_add(begin, w, lever, n, load3(x0, v));
      } else {
        begin = slip_add(begin, w, lever, n, v3_sub(load3(x0, v), load3(x1, v)));
      }
    }
    Vec3 held = v3_scale(-grip[c], friction_across(v3_sub(end, from), n)), pull = load3(push, c);
    REAL force = v3_length(held);
    int sticks = stiffness[c] > 0 && v3_dot(pull, pull) == 0;
    is_let_go[c] = sticks && force > CONTACT_OVERLOAD * bounds[3 * c + 1];
    if (is_let_go[c]) {
      Vec3 stretched = friction_across(v3_sub(begin, from), n);
      store3(push, c, v3_scale(bounds[3 * c + 2] / force, held));
      store3(begun, c, v3_sub(load3(begun, c), stretched));
      store3(origin, c, v3_add(from, stretched));
      grip[c] = bounds[3 * c];
      sliding[c] = 1;
    }
  }
}

KERNEL contact_all_new(int n, GLOBAL int *is_new) {
  FOR_ITEMS (i, n) {
    is_new[i] = 1;
  }
}

/* is_new: 0 for the pairs that are among the contacts first to first + count, which are sorted. Those were
 * too soft, or let go too early. */
KERNEL contact_know(int found_count, int kind, GLOBAL const int *features, int first, int count,
                    GLOBAL const int *pair, GLOBAL REAL *spring, GLOBAL REAL *stiffness, GLOBAL int *is_new) {
  FOR_ITEMS (i, found_count) {
    int begin = first, end = first + count;
    while (begin < end) {
      int middle = begin + (end - begin) / 2, order = pair[3 * middle] - kind;
      if (order == 0) order = pair[3 * middle + 1] - features[2 * i];
      if (order == 0) order = pair[3 * middle + 2] - features[2 * i + 1];
      if (order == 0) {
        if (spring[middle] > 0) is_new[i] = 0;
        if (stiffness[middle] > 0) spring[middle] *= CONTACT_HARDER;
        stiffness[middle] = spring[middle];
        break;
      }
      if (order < 0)
        begin = middle + 1;
      else
        end = middle;
    }
  }
}

/* Contacts from impacts, first + i from index[i]: with the closest points shortly before they meet. */
KERNEL contact_expect(int n, int first, int kind, int found_count, GLOBAL const int *index,
                      GLOBAL const int *features, GLOBAL const int *from_vertices, GLOBAL const REAL *time,
                      GLOBAL const REAL *x0, GLOBAL const REAL *x1, GLOBAL const int *is_fixed,
                      GLOBAL const int *opposite, GLOBAL const int *around_start, GLOBAL const int *around,
                      GLOBAL int *pair, GLOBAL int *vertices, GLOBAL REAL *weight, GLOBAL REAL *when,
                      GLOBAL REAL *slip) {
  FOR_ITEMS (i, n) {
    int from = index[i], c = first + i;
    Vec3 at0[4], at1[4];
    pair[3 * c] = kind;
    pair[3 * c + 1] = features[2 * from];
    pair[3 * c + 2] = features[2 * from + 1];
    for (int k = 0; k < 4; k++) {
      vertices[4 * c + k] = from_vertices[4 * from + k];
      at0[k] = load3(x0, vertices[4 * c + k]);
      at1[k] = load3(x1, vertices[4 * c + k]);
    }
    Ahead ahead = ahead_meeting(at0, at1, kind == 1, time[from]);
    if (!contact_is_first(found_count, from, features, time)) ahead.when = CCD_NONE;
    if (ahead.when <= 1 && !ahead_is_met(at0, at1, kind == 1, ahead, features + 2 * from, vertices + 4 * c,
                                         x0, is_fixed, opposite, around_start, around))
      ahead.when = CCD_NONE;
    when[c] = ahead.when;
    for (int k = 0; k < 4; k++) weight[4 * c + k] = ahead.at.weight[k];
    for (int k = 0; k < 5; k++) slip[5 * c + k] = k == 3 ? CONTACT_NEW : 0;
  }
}

/* What a contact gives to its rows, CONTACT_GIVES numbers: force along the normal, force of friction (3), and
 * the same of K_x v. */
#define CONTACT_GIVES 8

/* Each contact once, before its four rows gather it. */
KERNEL contact_give(int count, int cloth_count, GLOBAL const int *vertices, GLOBAL const REAL *weight,
                    GLOBAL const REAL *arm, GLOBAL const REAL *normal, GLOBAL const REAL *stiffness,
                    GLOBAL const REAL *aim, GLOBAL const REAL *grip, GLOBAL const REAL *push,
                    GLOBAL const REAL *origin, GLOBAL const REAL *x, GLOBAL const REAL *vel,
                    GLOBAL REAL *given) {
  FOR_ITEMS (c, count) {
    REAL k = stiffness[c], g = grip[c];
    if (k != 0) {
      Vec3 n = load3(normal, c), place = vec3(0, 0, 0), speed = vec3(0, 0, 0), pull = load3(push, c);
      for (int j = 0; j < 4; j++) {
        int v = vertices[4 * c + j];
        if (v >= cloth_count) continue;
        Vec3 lever = load3(arm, 4 * c + j);
        place = slip_add(place, weight[4 * c + j], lever, n, load3(x, v));
        speed = slip_add(speed, weight[4 * c + j], lever, n, load3(vel, v));
      }
      Vec3 slip = contact_gripped(v3_sub(place, load3(origin, c)), n, pull);
      Vec3 friction = v3_axpy(pull, -g, slip), across = v3_scale(-g, contact_gripped(speed, n, pull));
      GLOBAL REAL *to = given + CONTACT_GIVES * c;
      to[0] = k * (aim[c] - v3_dot(n, place));
      store3(to + 1, 0, friction);
      to[4] = -k * v3_dot(n, speed);
      store3(to + 5, 0, across);
    }
  }
}

/* Asks for what a row reads of a contact. */
INLINE void contact_ahead(int corner, GLOBAL const int *vertices, GLOBAL const REAL *weight,
                          GLOBAL const REAL *arm, GLOBAL const REAL *normal, GLOBAL const REAL *stiffness,
                          GLOBAL const REAL *grip, GLOBAL const REAL *push, GLOBAL const REAL *given) {
  int c = corner / 4;
  PREFETCH(stiffness + c, 0);
  PREFETCH(given + CONTACT_GIVES * c, 0);
  PREFETCH(normal + 3 * c, 0);
  PREFETCH(push + 3 * c, 0);
  PREFETCH(grip + c, 0);
  PREFETCH(weight + 4 * c, 0);
  PREFETCH(vertices + 4 * c, 0);
  PREFETCH(arm + 12 * c, 0);
  PREFETCH(arm + 12 * c, 11 * (int)sizeof(REAL));
}

/* So many contacts further on lies what is asked for. */
#define CONTACT_AHEAD 3

/* Rows gather what the contacts at them give. */
KERNEL contact_add(int cloth_count, GLOBAL const int *row_start, GLOBAL const int *at,
                   GLOBAL const int *vertices, GLOBAL const REAL *weight, GLOBAL const REAL *arm,
                   GLOBAL const REAL *normal, GLOBAL const REAL *stiffness, GLOBAL const REAL *grip,
                   GLOBAL const REAL *push, GLOBAL const REAL *given, int wants, REAL ax,
                   GLOBAL const int *base_start, GLOBAL const int *extra_start, GLOBAL const int *column,
                   GLOBAL REAL *f, GLOBAL REAL *kxv, GLOBAL REAL *a) {
  FOR_ITEMS (row, cloth_count) {
    int end = row_start[cloth_count];
    for (int i = row_start[row]; i < row_start[row + 1]; i++) {
      int c = at[i] / 4, next = i + CONTACT_AHEAD < end ? i + CONTACT_AHEAD : i;
      contact_ahead(at[next], vertices, weight, arm, normal, stiffness, grip, push, given);
      REAL own = weight[at[i]], k = stiffness[c], g = grip[c];
      if (k == 0) continue;
      Vec3 n = load3(normal, c), lever = load3(arm, at[i]);
      GLOBAL const REAL *from = given + CONTACT_GIVES * c;
      add3(f, row, v3_axpy(slip_force(own, lever, n, load3(from + 1, 0)), own * from[0], n));
      if (!(wants & WANT_MATRIX)) continue;
      add3(kxv, row, v3_axpy(slip_force(own, lever, n, load3(from + 5, 0)), own * from[4], n));
      Vec3 pull = load3(push, c);
      Block held = block_axpy(block_identity(g), 1, block_outer(-g, n, n)); /* G = g (I - n nT - d dT) */
      REAL square = v3_dot(pull, pull);
      if (square > 0) held = block_axpy(held, 1, block_outer(-g / square, pull, pull));
      Vec3 turned = block_apply(held, lever);
      for (int j = 0; j < 4; j++) {
        int v = vertices[4 * c + j];
        if (v >= cloth_count) continue;
        int slot = bcsr_find(column, base_start[row], base_start[row + 1], v);
        if (slot < 0) slot = bcsr_find(column, extra_start[row], extra_start[row + 1], v);
        /* k w w' n nT + (w + n lT) G (w' + l' nT), l: levers */
        REAL w = weight[4 * c + j];
        Vec3 other = load3(arm, 4 * c + j);
        Vec3 along_n = v3_axpy(v3_scale(w, turned), own * w * k + v3_dot(turned, other), n);
        Block block =
            block_axpy(block_scale(own * w, held), own, block_outer(1, block_apply(held, other), n));
        add_block(a, slot, block_scale(-ax, block_axpy(block, 1, block_outer(1, n, along_n))));
      }
    }
  }
}

/* Part of the contact distance up to which adhesion pulls. */
#define ADHESION_RANGE 1.1

/* Adhesion: what each vertex of cloth holds with goes, in equal parts, to the faces it is above; where the
 * face is cloth, too, its own vertices hold the other half. */
KERNEL contact_bond(int cloth_count, int cloth_bodies, GLOBAL const int *pair, GLOBAL const REAL *when,
                    GLOBAL const int *row_start, GLOBAL const int *at, GLOBAL const int *body,
                    GLOBAL const REAL *thickness, GLOBAL const REAL *rest, GLOBAL const REAL *bond,
                    GLOBAL const REAL *x0, GLOBAL const int *vertices, GLOBAL const REAL *weight,
                    GLOBAL REAL *pull) {
  FOR_ITEMS (row, cloth_count) {
    int faces = 0;
    for (int pass = 0; pass < 2; pass++) {
      for (int i = row_start[row]; i < row_start[row + 1] && bond[row] > 0; i++) {
        int c = at[i] / 4, v[4];
        if (at[i] - 4 * c != 0 || pair[3 * c] == 1 || when[c] > 0) continue;
        Vec3 gap = vec3(0, 0, 0);
        for (int k = 0; k < 4; k++) {
          v[k] = vertices[4 * c + k];
          gap = v3_axpy(gap, weight[4 * c + k], v3_sub(load3(x0, v[k]), load3(x0, row)));
        }
        REAL distance = v3_length(gap);
        if (!(distance > 0 &&
              distance < ADHESION_RANGE * contact_distance(v, body, thickness, 0, cloth_count, rest)))
          continue;
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
