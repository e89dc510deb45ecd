/* From hits to pairs of triangles, contours and their length.
 *
 * The common part of two triangles that cross is a segment. Each of its ends is a hit: an edge of one that
 * meets the other; or the vertex that they share. A hit of edge e with triangle t is an end for all pairs of
 * t with a triangle at e: there the contour goes on from one pair to the next. So pairs that have a hit in
 * common are joined, and what hangs together is a contour. */
#include "base/memory.h"
#include "judge/judge.h"
#include "judge/order.h"
#include "judge/predicates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A use of a hit by a pair of triangles: the lower is major, the higher minor, the hit is the item. */
typedef struct Uses {
  WeftKeyed *items;
  size_t count;
  size_t *parent; /* disjoint sets of pairs, by their first use */
} Uses;

static int32_t lesser(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t greater(int32_t a, int32_t b) { return a < b ? b : a; }

static int32_t edge_mesh(const WeftSoup *soup, const WeftJudgeHit *hit) {
  return soup->triangle_mesh[soup->edge_triangles[soup->edge_start[hit->edge]]];
}

/* Parts that are there, sorted, with no counts yet. */
static bool make_parts(const WeftSoup *soup, const WeftJudgeHits *hits, WeftCheck *check) {
  WeftKeyed *keys = WEFT_NEW(WeftKeyed, hits->count);
  bool has_memory = keys != NULL;
  for (size_t i = 0; has_memory && i < hits->count; i++) {
    int32_t a = edge_mesh(soup, &hits->items[i]), b = soup->triangle_mesh[hits->items[i].triangle];
    keys[i] = (WeftKeyed){lesser(a, b), greater(a, b), 0};
  }
  has_memory = has_memory && weft_order_keyed(keys, hits->count, soup->mesh_count);
  size_t count = 0;
  for (size_t i = 0; has_memory && i < hits->count; i++)
    if (i == 0 || keys[i].major != keys[i - 1].major || keys[i].minor != keys[i - 1].minor)
      keys[count++] = keys[i];
  check->parts = has_memory ? WEFT_NEW(WeftCheckPart, count) : NULL;
  for (size_t i = 0; check->parts && i < count; i++)
    check->parts[i] = (WeftCheckPart){.a = keys[i].major, .b = keys[i].minor};
  if (check->parts) check->part_count = (int32_t)count;
  free(keys);
  return check->parts != NULL;
}

/* Of meshes that have hits with each other. */
static WeftCheckCounts *part_of(WeftCheck *check, int32_t mesh_a, int32_t mesh_b) {
  int32_t a = lesser(mesh_a, mesh_b), b = greater(mesh_a, mesh_b), low = 0, high = check->part_count - 1;
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    const WeftCheckPart *part = &check->parts[middle];
    if (part->a < a || (part->a == a && part->b < b))
      low = middle + 1;
    else
      high = middle;
  }
  return &check->parts[low].counts;
}

static bool make_uses(const WeftSoup *soup, const WeftJudgeHits *hits, Uses *uses) {
  for (size_t i = 0; i < hits->count; i++) {
    const int32_t *start = soup->edge_start + hits->items[i].edge;
    uses->count += (size_t)(start[1] - start[0]);
  }
  uses->items = WEFT_NEW(WeftKeyed, uses->count);
  uses->parent = WEFT_NEW(size_t, uses->count);
  if (!uses->items || !uses->parent) return false;
  WeftKeyed *to = uses->items;
  for (size_t i = 0; i < hits->count; i++) {
    const int32_t *start = soup->edge_start + hits->items[i].edge;
    int32_t triangle = hits->items[i].triangle;
    for (int32_t k = start[0]; k < start[1]; k++) {
      int32_t other = soup->edge_triangles[k];
      *to++ = (WeftKeyed){lesser(triangle, other), greater(triangle, other), (int32_t)i};
    }
  }
  return weft_order_keyed(uses->items, uses->count, soup->triangle_count);
}

static size_t pair_end(const Uses *uses, size_t first) {
  size_t end = first + 1;
  while (end < uses->count && uses->items[end].major == uses->items[first].major &&
         uses->items[end].minor == uses->items[first].minor)
    end++;
  return end;
}

static size_t root_of(size_t *parent, size_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* Joins the pairs that have a hit in common: each with the first pair that has it. */
static bool join_pairs(Uses *uses, size_t hit_count) {
  size_t *pair_of_hit = WEFT_NEW(size_t, hit_count);
  if (!pair_of_hit) return false;
  for (size_t i = 0; i < hit_count; i++) pair_of_hit[i] = uses->count;
  for (size_t first = 0, end; first < uses->count; first = end) {
    end = pair_end(uses, first);
    uses->parent[first] = first;
    for (size_t i = first; i < end; i++) {
      size_t *pair = &pair_of_hit[uses->items[i].item];
      if (*pair == uses->count) *pair = first;
      size_t a = root_of(uses->parent, *pair), b = root_of(uses->parent, first);
      uses->parent[a < b ? b : a] = a < b ? a : b;
    }
  }
  free(pair_of_hit);
  return true;
}

/* The vertex that two triangles share; -1 when it is none or several. */
static int32_t shared_vertex(const int32_t *a, const int32_t *b) {
  int32_t shared = -1;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      if (a[i] != b[j] || a[i] == shared) continue;
      if (shared >= 0) return -1;
      shared = a[i];
    }
  return shared;
}

static bool are_in_plane(const WeftSoup *soup, const int32_t *a, const int32_t *b) {
  const double *x = soup->positions;
  for (int i = 0; i < 3; i++) {
    if (weft_orient3d(x + 3 * (size_t)a[0], x + 3 * (size_t)a[1], x + 3 * (size_t)a[2],
                      x + 3 * (size_t)b[i]) != 0 ||
        weft_orient3d(x + 3 * (size_t)b[0], x + 3 * (size_t)b[1], x + 3 * (size_t)b[2],
                      x + 3 * (size_t)a[i]) != 0)
      return false;
  }
  return true;
}

static double distance(const double *a, const double *b) {
  double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return sqrt(x * x + y * y + z * z);
}

/* The n-th end of the common segment of a pair; false behind the last. */
static bool pair_point(const WeftSoup *soup, const WeftJudgeHits *hits, const Uses *uses, size_t first,
                       size_t end, size_t n, double point[3]) {
  if (n < 2 * (end - first)) {
    const WeftJudgeHit *hit = &hits->items[uses->items[first + n / 2].item];
    weft_judge_place(soup, hit, n % 2 ? hit->end : hit->begin, point);
    return true;
  }
  const WeftKeyed *pair = &uses->items[first];
  int32_t shared =
      shared_vertex(soup->triangles + 3 * (size_t)pair->major, soup->triangles + 3 * (size_t)pair->minor);
  if (n > 2 * (end - first) || shared < 0) return false;
  memcpy(point, soup->positions + 3 * (size_t)shared, 3 * sizeof *point);
  return true;
}

/* Of the segment that two triangles have in common [m]; 0 when they lie in one plane. */
static double pair_length(const WeftSoup *soup, const WeftJudgeHits *hits, const Uses *uses, size_t first,
                          size_t end) {
  const WeftKeyed *pair = &uses->items[first];
  if (are_in_plane(soup, soup->triangles + 3 * (size_t)pair->major,
                   soup->triangles + 3 * (size_t)pair->minor))
    return 0;
  double a[3], b[3], length = 0;
  for (size_t i = 0; pair_point(soup, hits, uses, first, end, i, a); i++)
    for (size_t j = 0; j < i && pair_point(soup, hits, uses, first, end, j, b); j++)
      length = fmax(length, distance(a, b));
  return length;
}

static void count_hits(const WeftSoup *soup, const WeftJudgeHits *hits, WeftCheck *check) {
  for (size_t i = 0; i < hits->count; i++) {
    const WeftJudgeHit *hit = &hits->items[i];
    WeftCheckCounts *counts = part_of(check, edge_mesh(soup, hit), soup->triangle_mesh[hit->triangle]);
    counts->hits++;
    counts->crossing += hit->kind == WEFT_HIT_CROSSING;
    counts->touching += hit->kind == WEFT_HIT_TOUCHING;
    counts->coplanar += hit->kind == WEFT_HIT_COPLANAR;
  }
}

static void count_pairs(const WeftSoup *soup, const WeftJudgeHits *hits, const Uses *uses, WeftCheck *check) {
  for (size_t first = 0, end; first < uses->count; first = end) {
    end = pair_end(uses, first);
    WeftCheckCounts *counts = part_of(check, soup->triangle_mesh[uses->items[first].major],
                                      soup->triangle_mesh[uses->items[first].minor]);
    counts->pairs++;
    counts->contours += uses->parent[first] == first;
    counts->length += pair_length(soup, hits, uses, first, end);
  }
}

static void sum_up(WeftCheck *check) {
  for (int32_t i = 0; i < check->part_count; i++) {
    const WeftCheckCounts *counts = &check->parts[i].counts;
    check->total.hits += counts->hits;
    check->total.crossing += counts->crossing;
    check->total.touching += counts->touching;
    check->total.coplanar += counts->coplanar;
    check->total.pairs += counts->pairs;
    check->total.contours += counts->contours;
    check->total.length += counts->length;
  }
}

WeftResult weft_judge_count(const WeftSoup *soup, const WeftJudgeHits *hits, WeftCheck *check,
                            WeftError *error) {
  Uses uses = {0};
  if (hits->count > INT32_MAX)
    return weft_fail(error, WEFT_RESULT_OUT_OF_MEMORY, "more than %d intersections", INT32_MAX);
  bool has_memory =
      make_parts(soup, hits, check) && make_uses(soup, hits, &uses) && join_pairs(&uses, hits->count);
  if (has_memory) {
    count_hits(soup, hits, check);
    count_pairs(soup, hits, &uses, check);
    sum_up(check);
  }
  free(uses.items);
  free(uses.parent);
  return has_memory ? WEFT_RESULT_OK : weft_fail_memory(error, "check of meshes");
}
