/* Reverse Cuthill-McKee [CuthillMcKee69] in each patch: breadth first from a vertex at the rim, those with
 * few neighbours first, and the outcome backwards.
 *
 * Incomplete factorisations like it, since what they leave out is least where neighbours are eliminated in
 * turn. Iterations of block IC at 1e-4, along the curve alone and like this: a ribbon knot of 5 x 930
 * vertices twice 239 and 158, eight sheets of 41 x 41 that lie on each other 140 and 123. */
#include "base/memory.h"
#include "mesh/order.h"

#include <stdlib.h>
#include <string.h>

typedef struct Graph {
  int32_t *start, *neighbour; /* vertex_count + 1, and 6 a triangle: a neighbour may stand twice */
} Graph;

static bool make_graph(int vertex_count, int triangle_count, const int32_t *triangles, Graph *graph) {
  graph->start = WEFT_NEW(int32_t, (size_t)vertex_count + 1);
  graph->neighbour = WEFT_NEW(int32_t, 6 * (size_t)triangle_count);
  if (!graph->start || !graph->neighbour) return false;
  for (int i = 0; i < 3 * triangle_count; i++) graph->start[triangles[i]] += 2;
  int32_t end = 0;
  for (int v = 0; v <= vertex_count; v++) { /* ends, from which the filling counts down */
    if (v < vertex_count) end += graph->start[v];
    graph->start[v] = end;
  }
  for (int t = triangle_count - 1; t >= 0; t--) {
    const int32_t *corner = triangles + 3 * (size_t)t;
    for (int k = 0; k < 3; k++) {
      graph->neighbour[--graph->start[corner[k]]] = corner[(k + 1) % 3];
      graph->neighbour[--graph->start[corner[k]]] = corner[(k + 2) % 3];
    }
  }
  return true;
}

/* One patch at work; arrays of all vertices. */
typedef struct Walk {
  const Graph *graph;
  int32_t *mark;   /* the number of the walk that saw a vertex last; -1: not in the patch, or done */
  int32_t *degree; /* within the patch */
  int32_t *found;  /* room for a patch */
  int32_t number;
} Walk;

/* Breadth first from a vertex through what it hangs together with; returns how many were found. */
static int walk_from(Walk *walk, int32_t first) {
  int count = 0;
  int32_t number = ++walk->number;
  walk->found[count++] = first;
  walk->mark[first] = number;
  for (int i = 0; i < count; i++) {
    int32_t v = walk->found[i];
    int begin = count;
    for (int32_t at = walk->graph->start[v]; at < walk->graph->start[v + 1]; at++) {
      int32_t u = walk->graph->neighbour[at];
      if (walk->mark[u] < 0 || walk->mark[u] == number) continue;
      walk->mark[u] = number;
      int to = count++;
      for (; to > begin && walk->degree[walk->found[to - 1]] > walk->degree[u]; to--)
        walk->found[to] = walk->found[to - 1];
      walk->found[to] = u;
    }
  }
  return count;
}

/* The vertices of a patch, count of them, in their new order. */
static void order_patch(Walk *walk, int count, int32_t *vertices, int32_t *ordered) {
  int done = 0;
  walk->number = 0;
  for (int i = 0; i < count; i++) walk->mark[vertices[i]] = 0;
  for (int i = 0; i < count; i++) {
    int32_t v = vertices[i], degree = 0;
    for (int32_t at = walk->graph->start[v]; at < walk->graph->start[v + 1]; at++)
      degree += walk->mark[walk->graph->neighbour[at]] >= 0;
    walk->degree[v] = degree;
  }
  for (int i = 0; i < count; i++) {
    if (walk->mark[vertices[i]] < 0) continue;
    int32_t first = vertices[i];
    int size = 0;
    for (int tries = 0; tries < 3; tries++) { /* the last one found lies at the rim, or nearly so */
      size = walk_from(walk, first);
      if (tries < 2) first = walk->found[size - 1];
    }
    for (int k = 0; k < size; k++) {
      ordered[done++] = walk->found[k];
      walk->mark[walk->found[k]] = -1;
    }
  }
  for (int i = 0; i < count; i++) vertices[i] = ordered[count - 1 - i];
}

WeftResult weft_order_patches(int vertex_count, int triangle_count, const int32_t *triangles,
                              int32_t *internal_of_user, WeftError *error) {
  size_t n = (size_t)vertex_count;
  Graph graph = {NULL, NULL};
  Walk walk = {.graph = &graph, .mark = WEFT_NEW(int32_t, n), .degree = WEFT_NEW(int32_t, n)};
  walk.found = WEFT_NEW(int32_t, WEFT_PATCH_ROWS);
  int32_t *user_of_internal = WEFT_NEW(int32_t, n), *ordered = WEFT_NEW(int32_t, WEFT_PATCH_ROWS);
  bool has_memory = make_graph(vertex_count, triangle_count, triangles, &graph) && walk.mark && walk.degree &&
                    walk.found && user_of_internal && ordered;
  if (has_memory) {
    memset(walk.mark, -1, n * sizeof *walk.mark);
    for (int v = 0; v < vertex_count; v++) user_of_internal[internal_of_user[v]] = v;
    for (int first = 0; first < vertex_count; first += WEFT_PATCH_ROWS) {
      int count = vertex_count - first < WEFT_PATCH_ROWS ? vertex_count - first : WEFT_PATCH_ROWS;
      order_patch(&walk, count, user_of_internal + first, ordered);
    }
    for (int i = 0; i < vertex_count; i++) internal_of_user[user_of_internal[i]] = i;
  }
  free(graph.start);
  free(graph.neighbour);
  free(walk.mark);
  free(walk.degree);
  free(walk.found);
  free(user_of_internal);
  free(ordered);
  return has_memory ? WEFT_RESULT_OK : weft_fail_memory(error, "order of vertices");
}
