/* Rigid impact zones [Wong14 end of sec. 3.3.3; Bridson02 sec. 7.5; Provot97]: vertices that impacts connect
 * move together as one rigid body, with the momentum and the angular momentum they have.
 *
 * A body that turns does not stay rigid while its vertices go straight from x0 to x1, but all its vertices
 * move by one affine map, (1 - t) I + t R, which is not singular for turns below half a circle: nothing
 * inside a zone can meet on the way. The next round finds what zones meet outside, and joins them.
 *
 * Prescribed vertices do not join zones. A zone that meets some moves as they do: as the obstacle's, if there
 * are any, otherwise as the held ones, since what obstacles do counts more than what handles want. If those
 * move rigidly together the zone makes the same motion; if not, between rollers for instance, it is shifted
 * by their mean, and what then still meets is left to the next link.
 *
 * Differs: turns are Cayley's map of the angular velocity, not its exponential, since the library's sine may
 * have other bits on another machine; and they are corrected until the angular momentum of the displacements,
 * sum m r x (R r), is what it was. The sources take the velocity's, which is lost by the part |turn|^2/6. */
#include "base/memory.h"
#include "device/kernel.h"
#include "mesh/union_find.h"
#include "respond/link.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Larger turns [rad] are cut: they would come from a sliver that spins, and the affine map would press it
 * flat. */
#define MOST_TURN 0.5
#define MOST_CORRECTIONS 30
/* Of the sum of sizes of what is summed. */
#define ROUNDING 1e-15
/* Prescribed vertices that fit a rigid motion to this part of their size move rigidly. */
#define RIGID 1e-9

typedef struct Member {
  int32_t zone, vertex; /* zone: the smallest movable vertex of its impacts */
} Member;

/* Bodies are lists of vertices with weights: masses, or 1. */
typedef struct Body {
  int count;
  const Member *member;
  const double *inverse_mass; /* NULL: all weigh 1 */
  const double *x0, *x1;
  Vec3 center, shift; /* means at x0, and of the displacement */
} Body;

typedef struct Motion {
  Vec3 center, shift;
  Mat3 turn;
} Motion;

static double weight_of(const Body *body, int i) {
  return body->inverse_mass ? 1 / body->inverse_mass[body->member[i].vertex] : 1;
}
static Vec3 arm_of(const Body *body, int i) {
  return v3_sub(load3(body->x0, body->member[i].vertex), body->center);
}
/* Displacement against the mean. */
static Vec3 moved_of(const Body *body, int i) {
  int v = body->member[i].vertex;
  return v3_sub(v3_sub(load3(body->x1, v), load3(body->x0, v)), body->shift);
}

/* Means are taken of differences to the first vertex: no error from the distance to the origin. */
static void find_means(Body *body) {
  Vec3 first = load3(body->x0, body->member[0].vertex), center = vec3(0, 0, 0), shift = vec3(0, 0, 0);
  double total = 0;
  for (int i = 0; i < body->count; i++) {
    int v = body->member[i].vertex;
    double weight = weight_of(body, i);
    Vec3 at = load3(body->x0, v);
    center = v3_axpy(center, weight, v3_sub(at, first));
    shift = v3_axpy(shift, weight, v3_sub(load3(body->x1, v), at));
    total += weight;
  }
  body->center = v3_axpy(first, 1 / total, center);
  body->shift = v3_scale(1 / total, shift);
}

/* The inertia about the centre, turned. */
static Mat3 find_inertia(const Body *body, Mat3 turn) {
  Mat3 inertia = m3_zero();
  for (int i = 0; i < body->count; i++) {
    Vec3 r = m3_apply(turn, arm_of(body, i));
    double weight = weight_of(body, i);
    inertia = m3_axpy(inertia, 1, m3_identity(weight * v3_dot(r, r)));
    inertia = m3_axpy(inertia, -weight, m3_outer(1, r, r));
  }
  return inertia;
}

/* The shortest x with A x = b. A is positive semidefinite, and b within its range: points on a line have no
 * inertia about it. Conjugate gradients from zero never leave the range; three steps, and three for what
 * rounding left. */
static Vec3 solve_shortest(Mat3 a, Vec3 b) {
  Vec3 x = vec3(0, 0, 0), r = b, p = b;
  double enough = v3_dot(b, b) * 1e-30, rr = v3_dot(r, r);
  for (int i = 0; i < 6 && rr > enough; i++) {
    Vec3 ap = m3_apply(a, p);
    double curvature = v3_dot(p, ap);
    if (!(curvature > 0)) break;
    double step = rr / curvature, before = rr;
    if (!isfinite(step)) break;
    x = v3_axpy(x, step, p);
    r = v3_axpy(r, -step, ap);
    rr = v3_dot(r, r);
    p = v3_axpy(r, i == 2 ? 0 : rr / before, p);
  }
  return x;
}

/* The rotation about w by the angle 2 atan(|w| / 2), times m: v + (w x v + w x (w x v) / 2) / (1 + |w|^2 /
 * 4). */
static Mat3 turned(Vec3 w, Mat3 m) {
  double s = 1 / (1 + v3_dot(w, w) / 4);
  Vec3 *column[3] = {&m.a, &m.b, &m.c};
  for (int k = 0; k < 3; k++) {
    Vec3 across = v3_cross(w, *column[k]);
    *column[k] = v3_axpy(v3_axpy(*column[k], s, across), s / 2, v3_cross(w, across));
  }
  return m;
}

/* Twice the energy of the motion about the centre, of what the vertices want or of a turn. */
static double energy_of(const Body *body, const Mat3 *turn) {
  double sum = 0;
  for (int i = 0; i < body->count; i++) {
    Vec3 r = arm_of(body, i), moved = turn ? v3_sub(m3_apply(*turn, r), r) : moved_of(body, i);
    sum += weight_of(body, i) * v3_dot(moved, moved);
  }
  return sum;
}

/* A free body: its momenta. Where keeping the angular momentum to the last would add energy (the vertices
 * already move almost rigidly, and a straight way is longer than a chord), the turn is left at Cayley's,
 * which never does. */
static Motion move_free(const Body *body, int64_t *iterations) {
  Motion motion = {body->center, body->shift, m3_identity(1)};
  Vec3 momentum = vec3(0, 0, 0);
  double size = 0;
  for (int i = 0; i < body->count; i++) {
    Vec3 r = arm_of(body, i), moved = moved_of(body, i);
    momentum = v3_axpy(momentum, weight_of(body, i), v3_cross(r, moved));
    size += weight_of(body, i) * v3_length(r) * v3_length(moved);
  }
  Mat3 inertia = find_inertia(body, motion.turn), simple = motion.turn;
  Vec3 velocity = solve_shortest(inertia, momentum);
  double angle = v3_length(velocity);
  if (angle > MOST_TURN) {
    velocity = v3_scale(MOST_TURN / angle, velocity);
    momentum = v3_scale(MOST_TURN / angle, momentum);
  }
  for (int k = 0; k < MOST_CORRECTIONS; k++) {
    motion.turn = turned(velocity, motion.turn);
    if (k == 0) simple = motion.turn;
    Vec3 missing = momentum;
    for (int i = 0; i < body->count; i++) {
      Vec3 r = arm_of(body, i);
      missing = v3_axpy(missing, -weight_of(body, i), v3_cross(r, m3_apply(motion.turn, r)));
    }
    ++*iterations;
    if (v3_length(missing) <= ROUNDING * size) break;
    velocity = solve_shortest(inertia, missing);
  }
  if (!(energy_of(body, &motion.turn) <= energy_of(body, NULL))) motion.turn = simple;
  return motion;
}

/* How far the body's vertices are from where the motion takes them, at most. */
static double misfit(const Body *body, const Motion *motion) {
  double most = 0;
  for (int i = 0; i < body->count; i++) {
    Vec3 r = arm_of(body, i), end = m3_apply(motion->turn, r);
    most = fmax(most, v3_length(v3_sub(v3_add(r, moved_of(body, i)), end)));
  }
  return most;
}

/* A body whose vertices are where they will be: the rigid motion that is nearest to theirs, by Gauss and
 * Newton; the shift alone if that is not theirs. About the line of vertices on a line it does not turn. */
static Motion move_as(const Body *body, int64_t *iterations) {
  Motion motion = {body->center, body->shift, m3_identity(1)}, shift = motion;
  double size = 0;
  for (int i = 0; i < body->count; i++)
    size = fmax(size, v3_length(arm_of(body, i)) + v3_length(moved_of(body, i)));
  for (int k = 0; k < MOST_CORRECTIONS && misfit(body, &motion) > ROUNDING * size; k++, ++*iterations) {
    Vec3 moment = vec3(0, 0, 0);
    for (int i = 0; i < body->count; i++) {
      Vec3 r = arm_of(body, i);
      moment = v3_add(moment, v3_cross(m3_apply(motion.turn, r), v3_add(r, moved_of(body, i))));
    }
    Vec3 velocity = solve_shortest(find_inertia(body, motion.turn), moment);
    motion.turn = turned(velocity, motion.turn);
  }
  return misfit(body, &motion) <= RIGID * size ? motion : shift;
}

/* In order of zones; within one the movable, then the held, then obstacles, each by number. */
static int kind_of(const WeftImpacts *impacts, int vertex) {
  return impacts->is_obstacle[vertex] ? 2 : impacts->inverse_mass[vertex] > 0 ? 0 : 1;
}

static int compare_members(const void *a, const void *b) {
  const Member *left = a, *right = b;
  if (left->zone != right->zone) return left->zone < right->zone ? -1 : 1;
  return (left->vertex > right->vertex) - (left->vertex < right->vertex);
}

/* Each vertex once a zone; returns how many there are. */
static int list_members(const WeftImpacts *impacts, int32_t *parent, Member *member) {
  int count = 0, kept = 0;
  for (int v = 0; v < impacts->vertex_count; v++) parent[v] = v;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < impacts->impact_count; i++) {
      const int32_t *vertex = impacts->vertices + 4 * (size_t)i;
      int32_t first = -1;
      for (int k = 3; k >= 0; k--) {
        if (kind_of(impacts, vertex[k]) == 0) first = vertex[k];
      }
      for (int k = 0; k < 4 && first >= 0; k++) {
        if (pass == 1)
          member[count++] = (Member){weft_set_root(parent, first), vertex[k]};
        else if (kind_of(impacts, vertex[k]) == 0)
          weft_set_join(parent, first, vertex[k]);
      }
    }
  }
  qsort(member, (size_t)count, sizeof *member, compare_members);
  for (int i = 0; i < count; i++) {
    if (kept == 0 || compare_members(&member[kept - 1], &member[i]) != 0) member[kept++] = member[i];
  }
  return kept;
}

/* The members of one kind among those from..to; into out. */
static int select_kind(const WeftImpacts *impacts, const Member *member, int count, int kind, Member *out) {
  int kept = 0;
  for (int i = 0; i < count; i++) {
    if (kind_of(impacts, member[i].vertex) == kind) out[kept++] = member[i];
  }
  return kept;
}

static void move_zone(const WeftImpacts *impacts, const Member *member, int count, Member *scratch,
                      double *x1, WeftLinkCounts *counts) {
  Body body = {.member = scratch, .x0 = impacts->x0, .x1 = x1};
  Motion motion;
  for (int kind = 2; kind >= 0; kind--) {
    body.count = select_kind(impacts, member, count, kind, scratch);
    if (body.count == 0) continue;
    body.inverse_mass = kind == 0 ? impacts->inverse_mass : NULL;
    find_means(&body);
    motion = kind == 0 ? move_free(&body, &counts->iterations) : move_as(&body, &counts->iterations);
    break;
  }
  for (int i = 0; i < count; i++) {
    int v = member[i].vertex;
    if (kind_of(impacts, v) != 0) continue;
    Vec3 at = load3(impacts->x0, v), r = v3_sub(at, motion.center), before = load3(x1, v);
    /* x0 + shift + (R r - r): nothing is lost where nothing turns */
    Vec3 end = v3_add(at, v3_add(motion.shift, v3_sub(m3_apply(motion.turn, r), r)));
    counts->limited += end.x != before.x || end.y != before.y || end.z != before.z;
    store3(x1, v, end);
  }
}

static WeftResult solve(const WeftImpacts *impacts, double *x1, WeftLinkCounts *counts, WeftError *error) {
  int32_t *parent = WEFT_NEW(int32_t, impacts->vertex_count);
  Member *member = WEFT_NEW(Member, 4 * (size_t)impacts->impact_count);
  Member *scratch = WEFT_NEW(Member, 4 * (size_t)impacts->impact_count);
  WeftResult result = WEFT_RESULT_OK;
  *counts = (WeftLinkCounts){0};
  if (!parent || !member || !scratch) {
    result = weft_fail_memory(error, "rigid impact zones");
    goto done;
  }
  int count = list_members(impacts, parent, member);
  for (int from = 0, to; from < count; from = to) {
    for (to = from + 1; to < count && member[to].zone == member[from].zone;) to++;
    move_zone(impacts, member + from, to - from, scratch, x1, counts);
  }
done:
  free(parent);
  free(member);
  free(scratch);
  return result;
}

const WeftLinkOps weft_link_zone_rigid = {
    .name = "zone_rigid",
    .citation = "Wong14 sec. 3.3.3; Bridson02 sec. 7.5; Provot97",
    .summary = "rigid impact zones: what impacts connect moves as one body",
    .budget = 10,
    .starts_over = true,
    .solve = solve};
