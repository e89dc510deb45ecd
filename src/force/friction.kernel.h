/* What all laws of friction share. A contact sticks or slides for a whole step, and which of the two is
 * decided where the step begins, because one linear system is solved.
 *
 * What sticks is held by a spring across the normal. What it carries at the end of a step it begins the next
 * one with, so it stays bound to the place where it began to stick: creep is bounded by the stretch at which
 * it gives way, and does not grow with time. What slides is pulled by a constant force against its motion;
 * only across its motion does the force have a derivative, that of its direction.
 *
 * The decision: friction alone cannot stop what slips further in the step than limit / inertia (inertia: mass
 * over h^2); that slides. What is slower is asked where it would go without friction: its motion, and what
 * drives it. The drive shows at the end of each step: inertia x (change of slip) - force of friction. So a
 * body at rest slides from the first step on that begins with a drive beyond the limit, one that comes to
 * rest is not thrown back, and neither threshold nor force depends on a speed somebody chose. What a solve
 * shows to be stuck beyond the limit all the same slides in the next one (contact_let_go). Rejected: the
 * force of a spring, scaled to the limit at the motion that the step begins with. At the end of the step it
 * is off by the ratio of both motions: 1.3 to 2.5 % in the distances of validation case V04. */
#ifndef WEFT_FORCE_FRICTION_KERNEL_H
#define WEFT_FORCE_FRICTION_KERNEL_H

#include "device/kernel.h"

/* Part of the contact distance by which the spring is stretched where friction slips at last: the same for
 * all contacts, or those of one body would give way one after the other, each handing its load on. */
#define FRICTION_GIVE 0.001
/* What holds with less does not [N]: far from where one over it overflows. */
#define FRICTION_LEAST 1e-30

/* In place of 1 for what slides: the contact is new, and its force is that of a solve of this step. */
#define FRICTION_PRESSED 2.0

#define FRICTION_PARAMETERS                                                                                \
  int new_count, int first, int cloth_count, int surface_count, REAL h, GLOBAL const int *surface,         \
      GLOBAL const REAL *surface_pairs, GLOBAL const REAL *mass, GLOBAL const REAL *x0,                    \
      GLOBAL const REAL *x1, GLOBAL const REAL *v0, GLOBAL const int *vertices, GLOBAL const REAL *weight, \
      GLOBAL const REAL *arm, GLOBAL const int *pair, GLOBAL const REAL *normal,                           \
      GLOBAL const REAL *stiffness, GLOBAL const REAL *aim, GLOBAL const REAL *slip, GLOBAL REAL *grip,    \
      GLOBAL REAL *push, GLOBAL REAL *begun, GLOBAL REAL *bounds, GLOBAL REAL *origin, GLOBAL int *sliding
#define FRICTION_BEGIN(c)                                                                                  \
  friction_begin(c, pair[3 * c] == 1, cloth_count, surface_count, h, surface, surface_pairs, mass, x0, x1, \
                 v0, vertices, weight, arm, normal, stiffness, aim, slip)

/* A contact where the step begins. Vectors are across the normal. */
typedef struct Friction {
  Vec3 place; /* where the contact slipped nothing: sum of weight x of cloth [m] */
  Vec3 moved; /* slip of the step if velocities stay what they are [m] */
  Vec3 drive; /* what pulls it along [N] */
  REAL coefficient_rest, coefficient_sliding; /* Coulomb's */
  REAL give;                                  /* how far the spring is stretched at most [m] */
  REAL pressure;                              /* [N] >= 0 */
  REAL stiffness, inertia;                    /* of the contact, and mass over h^2 [N/m] */
  REAL speed;                                 /* of the slip [m/s] */
  int slides;
} Friction;

/* What a law says [N]. */
typedef struct FrictionLimit {
  REAL rest, sliding;
} FrictionLimit;

/* What a vertex that is moved by x adds to the slip of a contact, and to its way along the normal n. Closest
 * points are a contact distance apart, so they go different ways where the cloths that they lie on turn as
 * one: the way of one over the other across n, less the turn of n times the distance, is what slips. With the
 * distance d and two edges u, v of the face, or the edges that meet, n turns by -p (n.du) - q (n.dv); p, q
 * are dual to u, v across n; lever: d p or d q where the vertex ends one of these edges, with its sign where
 * it begins. Each vertex feels the transposed of this from the force of friction, so that it has no moment of
 * its own. Without it twisted ribbons that lie on each other were held against turning back. */
INLINE Vec3 slip_add(Vec3 sum, REAL weight, Vec3 lever, Vec3 n, Vec3 x) {
  return v3_axpy(v3_axpy(sum, weight, x), v3_dot(n, x), lever);
}

/* What it feels of a force f across n. */
INLINE Vec3 slip_force(REAL weight, Vec3 lever, Vec3 n, Vec3 f) {
  return v3_axpy(v3_scale(weight, f), v3_dot(lever, f), n);
}

INLINE Vec3 friction_across(Vec3 a, Vec3 n) { return v3_axpy(a, -v3_dot(a, n), n); }

INLINE Friction friction_begin(int c, int is_edges, int cloth_count, int surface_count, REAL h,
                               GLOBAL const int *surface, GLOBAL const REAL *surface_pairs,
                               GLOBAL const REAL *mass, GLOBAL const REAL *x0, GLOBAL const REAL *x1,
                               GLOBAL const REAL *v0, GLOBAL const int *vertices, GLOBAL const REAL *weight,
                               GLOBAL const REAL *arm, GLOBAL const REAL *normal,
                               GLOBAL const REAL *stiffness, GLOBAL const REAL *aim,
                               GLOBAL const REAL *slip) {
  Friction f;
  Vec3 n = load3(normal, c), cloth = vec3(0, 0, 0), fixed = vec3(0, 0, 0), moved = vec3(0, 0, 0);
  REAL compliance = 0, along = 0; /* [m/N]: across the normal, in the mean of directions, and along it */
  for (int k = 0; k < 4; k++) {
    int v = vertices[4 * c + k];
    REAL w = weight[4 * c + k];
    Vec3 lever = load3(arm, 4 * c + k);
    if (v < cloth_count) {
      cloth = slip_add(cloth, w, lever, n, load3(x0, v));
      moved = slip_add(moved, w, lever, n, v3_scale(h, load3(v0, v)));
      along += w * w * h * h / mass[v];
      compliance += (w * w + 0.5 * v3_dot(lever, lever)) * h * h / mass[v];
    } else {
      fixed = slip_add(fixed, w, lever, n, v3_sub(load3(x1, v), load3(x0, v)));
    }
  }
  f.inertia = compliance > 0 ? 1 / compliance : 0;
  f.place = v3_sub(cloth, fixed);
  /* the normal force at the end of the last step; of a new contact what its distance asks for if it
   * is close, and what stops its masses, which are all that moves: the stiffness of a sheet around them is
   * not in the way; but no more than a solve has said */
  GLOBAL const REAL *memory = slip + 5 * c;
  f.pressure = memory[3];
  if (memory[3] < 0 || memory[4] == FRICTION_PRESSED) {
    REAL apart = aim[c] - v3_dot(n, f.place), approach = v3_dot(n, v3_add(moved, fixed));
    REAL stops = along > 0 ? 1 / along : 0;
    f.pressure = apart > 0 ? stiffness[c] * apart - stops * approach : stops * (apart - approach);
    if (memory[3] >= 0 && f.pressure > memory[3]) f.pressure = memory[3];
  }
  if (f.pressure < 0) f.pressure = 0;
  f.slides = memory[3] < 0 || memory[4] > 0;
  f.drive = friction_across(vec3(memory[0], memory[1], memory[2]), n);
  f.moved = friction_across(v3_add(moved, fixed), n);
  f.speed = v3_length(f.moved) / h;
  f.stiffness = stiffness[c];
  int a = surface[vertices[4 * c]], b = surface[vertices[4 * c + (is_edges ? 2 : 1)]];
  GLOBAL const REAL *of_pair = surface_pairs + 3 * (a * surface_count + b);
  f.give = FRICTION_GIVE * of_pair[0];
  f.coefficient_rest = of_pair[1];
  f.coefficient_sliding = of_pair[2];
  return f;
}

/* The force of friction in the step is push - grip x slip, slip being measured from origin, across the
 * normal and, of what slides, across push. */
INLINE void friction_decide(int c, Friction f, FrictionLimit limit, GLOBAL REAL *grip, GLOBAL REAL *push,
                            GLOBAL REAL *begun, GLOBAL REAL *bounds, GLOBAL REAL *origin,
                            GLOBAL int *sliding) {
  Vec3 pull = vec3(0, 0, 0), stretched = vec3(0, 0, 0);
  REAL hold = 0;
  int slides = 1;
  if (f.stiffness > 0 && limit.rest > FRICTION_LEAST) {
    REAL moved = v3_length(f.moved), driven = v3_length(f.drive), length = moved;
    Vec3 along = f.moved;
    slides = moved * f.inertia > limit.sliding;
    if (!slides) {
      along = v3_axpy(f.slides ? f.moved : vec3(0, 0, 0), 1 / f.inertia, f.drive);
      length = v3_length(along);
      slides = length * f.inertia > (f.slides ? limit.sliding : limit.rest);
    }
    if (slides) {
      /* its direction turns with the motion; of one slower than friction can stop, no faster than with that
       */
      hold = length * f.inertia > 2 * limit.sliding ? limit.sliding / (length - limit.sliding / f.inertia)
                                                    : f.inertia;
      pull = v3_scale(-limit.sliding / length, along);
      if (limit.sliding == 0) hold = 0;
    } else {
      hold = limit.rest / f.give;
      if (hold > f.stiffness) hold = f.stiffness;
      REAL most = limit.rest;
      if (f.slides) { /* comes to rest: with a spring that is no stiffer than sliding on would pull */
        most = limit.sliding;
        slides = moved * hold > most;
        if (slides) hold = most / moved;
      }
      stretched = v3_scale((driven > most ? most / driven : 1) / hold, f.drive);
    }
  }
  grip[c] = hold;
  bounds[3 * c] = f.inertia;
  bounds[3 * c + 1] = limit.rest;
  bounds[3 * c + 2] = limit.sliding;
  sliding[c] = slides;
  store3(push, c, pull);
  store3(begun, c, v3_add(stretched, f.moved));
  store3(origin, c, v3_sub(f.place, stretched));
}

#endif
