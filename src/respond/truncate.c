/* The last link: it always ends clean, and does not freeze what need not stop.
 *
 * First the part with which the sides of a pair approach each other is taken from their displacements, so
 * that what slides goes on sliding; velocities follow. Then every vertex starts with the whole of what is
 * left. A pair that still hits gets one plane, which separates the two features at x0: along the face or
 * along both edges, or across the line between the closest points, whichever lets them go farther. (That line
 * alone would stop what slides: an edge of a meshed floor is first met from the side.) A vertex goes as far
 * as it can on its own side of its planes; all that stay on their side cannot meet. What follows from
 * stopping a vertex is found by the next round, whose pairs get planes too.
 *
 * Pairs that hit while they move together would stop each other for nothing. So the pairs that hang together
 * by their vertices are a zone, and displacements are measured against the zone's own: the affine motion of
 * the obstacle it touches (what is keyframed moves so), or else the mean of what its vertices want. A zone
 * whose vertices are all stopped moves as a whole, by that motion, in which nothing meets. Planes are kept
 * exactly by what a translation carries; when a turning zone needs more, its pair is found again, and stops.
 */
#include "base/memory.h"
#include "mesh/union_find.h"
#include "respond/affine.h"
#include "respond/apart.h"
#include "respond/approach.h"
#include "respond/link.h"
#include "respond/touch.h"

#include <stdlib.h>
#include <string.h>

/* A plane leaves at least so much of a pair's distance between the vertex and the middle: far above rounding,
 * and small enough that two rounds of approach hardly differ from touching. */
static const double KEPT = 0.1;

/* Zones that still grow after so many rounds move as a whole: then what is left to do is to join them, which
 * ends. */
enum { ROUNDS_OF_PLANES = 40 };

typedef struct Zones {
  int32_t *root;        /* vertex_count: the zone's representative; an obstacle's vertex has none of others */
  WeftAffine *motion;   /* vertex_count, of representatives */
  uint8_t *on_obstacle; /* vertex_count, of representatives */
  double *part;         /* vertex_count: how much of its own displacement each vertex gets */
} Zones;

static void free_zones(Zones *zones) {
  free(zones->root);
  free(zones->motion);
  free(zones->on_obstacle);
  free(zones->part);
}

static bool make_zones(Zones *zones, int n) {
  zones->root = WEFT_NEW(int32_t, n);
  zones->motion = WEFT_NEW(WeftAffine, n);
  zones->on_obstacle = WEFT_NEW(uint8_t, n);
  zones->part = WEFT_NEW(double, n);
  return zones->root && zones->motion && zones->on_obstacle && zones->part;
}

/* The first vertex of an impact that an obstacle does not own; -1 when there is none. */
static int first_movable(const WeftImpacts *impacts, int impact) {
  for (int k = 0; k < 4; k++) {
    int v = impacts->vertices[4 * (size_t)impact + k];
    if (!impacts->is_obstacle[v]) return v;
  }
  return -1;
}

static void join_zones(const WeftImpacts *impacts, Zones *zones) {
  for (int v = 0; v < impacts->vertex_count; v++) zones->root[v] = v;
  for (int i = 0; i < impacts->impact_count; i++) {
    int first = first_movable(impacts, i);
    for (int k = 0; first >= 0 && k < 4; k++) {
      int v = impacts->vertices[4 * (size_t)i + k];
      if (!impacts->is_obstacle[v]) weft_set_join(zones->root, first, v);
    }
  }
  for (int v = 0; v < impacts->vertex_count; v++) zones->root[v] = weft_set_root(zones->root, v);
}

static Vec3 displacement(const WeftImpacts *impacts, const double *x1, int v) {
  return v3_sub(load3(x1, v), load3(impacts->x0, v));
}

/* Adds the obstacle's vertices of an impact to its zone's motion: to the mean, then to the spread about it.
 */
static void add_obstacle(const WeftImpacts *impacts, const double *x1, Zones *zones, int impact,
                         bool is_spread) {
  int first = first_movable(impacts, impact);
  for (int k = 0; first >= 0 && k < 4; k++) {
    int v = impacts->vertices[4 * (size_t)impact + k];
    if (!impacts->is_obstacle[v]) continue;
    WeftAffine *motion = &zones->motion[zones->root[first]];
    zones->on_obstacle[zones->root[first]] = 1;
    Vec3 x = load3(impacts->x0, v), moved = displacement(impacts, x1, v);
    if (is_spread) {
      weft_affine_add_spread(motion, x, moved);
    } else {
      weft_affine_add_mean(motion, 1, x, moved);
    }
  }
}

/* The motion of each zone: of the obstacles' vertices that it meets, or the mean of its own by mass. */
static void find_motions(const WeftImpacts *impacts, const double *x1, Zones *zones) {
  for (int i = 0; i < impacts->impact_count; i++) add_obstacle(impacts, x1, zones, i, false);
  for (int v = 0; v < impacts->vertex_count; v++) {
    int root = zones->root[v];
    if (impacts->is_obstacle[v] || zones->on_obstacle[root]) continue;
    /* a held vertex weighs as much as a light one: its zone mates move with it rather than the other way
     * round */
    double mass = impacts->inverse_mass[v] > 0 ? 1 / impacts->inverse_mass[v] : 1;
    weft_affine_add_mean(&zones->motion[root], mass, load3(impacts->x0, v), displacement(impacts, x1, v));
  }
  for (int v = 0; v < impacts->vertex_count; v++) weft_affine_mean(&zones->motion[v]);
  for (int i = 0; i < impacts->impact_count; i++) add_obstacle(impacts, x1, zones, i, true);
  for (int v = 0; v < impacts->vertex_count; v++) {
    if (zones->on_obstacle[v]) weft_affine_fit(&zones->motion[v]);
  }
}

/* Displacement of a vertex against its zone's. */
static Vec3 own_displacement(const WeftImpacts *impacts, const double *x1, const WeftAffine *motion, int v) {
  return v3_sub(displacement(impacts, x1, v), weft_affine_at(motion, load3(impacts->x0, v)));
}

/* The list is sorted: a pair that was found again stands beside itself. */
static bool is_again(const WeftImpacts *impacts, int impact) {
  if (impact == 0 || impacts->is_edges[impact] != impacts->is_edges[impact - 1]) return false;
  const int32_t *vertices = impacts->vertices + 4 * (size_t)impact;
  return memcmp(vertices - 4, vertices, 4 * sizeof *vertices) == 0;
}

/* How much of their displacements the vertices of one impact may have on their sides of a plane across the
 * given way. Returns the least. */
static double parts_along(const WeftImpacts *impacts, const double *x1, const WeftAffine *motion, int impact,
                          const Closest *closest, const WeftApart *way, double part[4]) {
  const int32_t *vertices = impacts->vertices + 4 * (size_t)impact;
  int first_count = impacts->is_edges[impact] ? 2 : 1;
  Vec3 at[4], middle = vec3(0, 0, 0);
  for (int k = 0; k < 4; k++) {
    at[k] = load3(impacts->x0, vertices[k]);
    middle = v3_axpy(middle, 0.5 * fabs(closest->weight[k]), at[k]);
  }
  /* the plane on each side of the middle, moved where an obstacle's end reaches beyond it */
  double kept = KEPT * way->distance, plane[2] = {kept, kept}, least = 1;
  for (int k = 0; k < 4; k++) {
    if (!impacts->is_obstacle[vertices[k]]) continue;
    int side = k < first_count ? 0 : 1;
    Vec3 out = v3_scale(side ? 1 : -1, way->normal); /* towards the other feature */
    double reach = v3_dot(out, v3_sub(at[k], middle)) +
                   fmax(0, v3_dot(out, own_displacement(impacts, x1, motion, vertices[k])));
    plane[1 - side] = fmax(plane[1 - side], reach + kept);
  }
  for (int k = 0; k < 4; k++) {
    int v = vertices[k], side = k < first_count ? 0 : 1;
    part[k] = 1;
    if (impacts->is_obstacle[v]) continue;
    Vec3 out = v3_scale(side ? -1 : 1, way->normal); /* away from the other feature */
    double room = v3_dot(out, v3_sub(at[k], middle)) - plane[side];
    double approach = -v3_dot(out, own_displacement(impacts, x1, motion, v));
    if (approach > room) part[k] = room > 0 ? room / approach : 0;
    least = fmin(least, part[k]);
  }
  return least;
}

/* Then planes are kept exactly. */
static bool is_translation(const WeftAffine *motion) {
  const Vec3 *g = motion->gradient;
  return v3_dot(g[0], g[0]) + v3_dot(g[1], g[1]) + v3_dot(g[2], g[2]) < 1e-18;
}

/* Limits the vertices of one impact to their sides of the plane that lets them go farthest. */
static void limit(const WeftImpacts *impacts, const double *x1, Zones *zones, int impact, bool is_over) {
  int first = first_movable(impacts, impact);
  if (first < 0) return;
  const int32_t *vertices = impacts->vertices + 4 * (size_t)impact;
  const WeftAffine *motion = &zones->motion[zones->root[first]];
  Closest closest;
  WeftApart way[2];
  int ways = weft_apart(impacts, impact, &closest, way);
  /* in touch at the start, or its plane was not enough: no direction is safe but the zone's. One that seemed
   * to be over had no plane yet; stopping it at once would tear the cloth around it. */
  if (ways == 0 || (is_again(impacts, impact) && !(is_over && is_translation(motion)))) {
    for (int k = 0; k < 4; k++) zones->part[vertices[k]] = 0;
    return;
  }
  double part[2][4], most = -1;
  int best = 0;
  for (int i = 0; i < ways; i++) {
    double least = parts_along(impacts, x1, motion, impact, &closest, &way[i], part[i]);
    if (least > most) best = i;
    most = fmax(most, least);
  }
  for (int k = 0; k < 4; k++) zones->part[vertices[k]] = fmin(zones->part[vertices[k]], part[best][k]);
}

/* Tells which impacts are over by that alone. What did not meet before was found because others were limited,
 * and will be again. */
static void stop_approach(const WeftImpacts *impacts, double *x1, uint8_t *is_over) {
  for (int i = 0; i < impacts->impact_count; i++) is_over[i] = weft_meets(impacts, i, x1);
  weft_stop_approach(impacts, x1);
  for (int i = 0; i < impacts->impact_count; i++) is_over[i] = is_over[i] && !weft_meets(impacts, i, x1);
}

static WeftResult solve(const WeftImpacts *impacts, double *x1, WeftLinkCounts *counts, WeftError *error) {
  int n = impacts->vertex_count;
  Zones zones = {0};
  uint8_t *is_over = WEFT_NEW(uint8_t, impacts->impact_count);
  if (!is_over || !make_zones(&zones, n)) {
    free(is_over);
    free_zones(&zones);
    return weft_fail_memory(error, "zones of the last link");
  }
  stop_approach(impacts, x1, is_over);
  join_zones(impacts, &zones);
  find_motions(impacts, x1, &zones);
  for (int v = 0; v < n; v++) zones.part[v] = impacts->round < ROUNDS_OF_PLANES ? 1 : 0;
  for (int i = 0; i < impacts->impact_count; i++) {
    if (!is_over[i] || is_again(impacts, i)) limit(impacts, x1, &zones, i, is_over[i]);
  }
  free(is_over);
  counts->limited = 0;
  for (int v = 0; v < n; v++) {
    if (impacts->is_obstacle[v] || zones.part[v] == 1) continue;
    const WeftAffine *motion = &zones.motion[zones.root[v]];
    Vec3 own = own_displacement(impacts, x1, motion, v), x0 = load3(impacts->x0, v);
    store3(x1, v, v3_axpy(v3_add(x0, weft_affine_at(motion, x0)), zones.part[v], own));
    counts->limited++;
  }
  counts->iterations++;
  free_zones(&zones);
  return WEFT_RESULT_OK;
}

const WeftLinkOps weft_link_truncate = {
    "truncate", "", "stops vertices at planes between what hits; always ends clean", 200, true, solve, true};
