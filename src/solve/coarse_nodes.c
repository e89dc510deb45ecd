/* Nodes are vertices, taken in their order, each as soon as none of those before is nearer than the spacing;
 * so they are one to two spacings apart. From each one shortest ways along the edges [Dijkstra59] are
 * followed up to where nobody needs it any more. */
#include "solve/coarse_nodes.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* A vertex looks so many spacings far for nodes, and for one more than it takes: there the weights end. */
static const double REACH = 1.6;
enum { KNOWN = WEFT_COARSE_NODES + 1 };

typedef struct Near {
  double distance;
  int32_t node;
} Near;

typedef struct Entry {
  double distance;
  int32_t vertex;
} Entry;

typedef struct Ways {
  int32_t *start, *to; /* neighbours of each vertex along edges */
  double *length;      /* of these edges [m] */
  double *spacing;     /* of each vertex's cloth [m] */
  Near *near;          /* KNOWN a vertex, the nearest first */
  double *distance;    /* of the search at work; INFINITY where it was not */
  Entry *heap;
  size_t heap_size;
  int heap_count;
  int32_t *seen; /* vertices of the search at work */
} Ways;

static void free_ways(Ways *w) {
  void *arrays[] = {w->start, w->to, w->length, w->spacing, w->near, w->distance, w->heap, w->seen};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
}

static void link_edges(Ways *w, const WeftModel *model) {
  for (int i = 0; i < 2 * model->edge_count; i++) w->start[model->edges[i] + 2]++;
  for (int v = 0; v < model->vertex_count; v++) w->start[v + 2] += w->start[v + 1];
  for (int i = 0; i < 2 * model->edge_count; i++) {
    int at = w->start[model->edges[i] + 1]++; /* which ends as the start of the next */
    w->to[at] = model->edges[i ^ 1];
    w->length[at] = model->edge_rest_length[i / 2];
  }
}

static void set_spacing(Ways *w, const WeftModel *model) {
  double n = model->vertex_count, most = fmax(WEFT_COARSE_ROWS_MOST, n / WEFT_COARSE_NODES_MOST);
  double rows = fmin(fmax(WEFT_COARSE_ROWS, n / WEFT_COARSE_NODES_LARGE), most);
  for (int c = 0; c < model->cloth_count; c++) {
    const WeftModelCloth *cloth = &model->cloths[c];
    double area = 0;
    for (int t = 0; t < cloth->triangle_count; t++) area += model->rest_area[cloth->first_triangle + t];
    for (int i = 0; i < cloth->vertex_count; i++)
      w->spacing[model->internal_of_user[cloth->first_vertex + i]] = sqrt(rows * area / cloth->vertex_count);
  }
}

static bool make_ways(Ways *w, const WeftModel *model) {
  size_t n = (size_t)model->vertex_count, ends = 2 * (size_t)model->edge_count;
  *w = (Ways){.start = WEFT_NEW(int32_t, n + 2),
              .to = WEFT_NEW(int32_t, ends),
              .length = WEFT_NEW(double, ends),
              .spacing = WEFT_NEW(double, n),
              .near = WEFT_NEW(Near, KNOWN * n),
              .distance = WEFT_NEW(double, n),
              .seen = WEFT_NEW(int32_t, n)};
  if (!(w->start && w->to && w->length && w->spacing && w->near && w->distance && w->seen)) return false;
  for (size_t i = 0; i < n; i++) w->distance[i] = INFINITY;
  for (size_t i = 0; i < KNOWN * n; i++) w->near[i] = (Near){INFINITY, -1};
  link_edges(w, model);
  set_spacing(w, model);
  return true;
}

/* Nearer, or as near with the lower number: so that the order does not depend on how the heap came to be. */
static bool is_before(Entry a, Entry b) {
  return a.distance < b.distance || (a.distance == b.distance && a.vertex < b.vertex);
}

static bool push(Ways *w, Entry entry) {
  if (!weft_grow((void **)&w->heap, &w->heap_size, (size_t)w->heap_count + 1, sizeof *w->heap)) return false;
  int at = w->heap_count++;
  for (; at > 0 && is_before(entry, w->heap[(at - 1) / 2]); at = (at - 1) / 2)
    w->heap[at] = w->heap[(at - 1) / 2];
  w->heap[at] = entry;
  return true;
}

static Entry pop(Ways *w) {
  Entry top = w->heap[0], last = w->heap[--w->heap_count];
  int at = 0;
  for (int child = 1; child < w->heap_count; child = 2 * at + 1) {
    if (child + 1 < w->heap_count && is_before(w->heap[child + 1], w->heap[child])) child++;
    if (!is_before(w->heap[child], last)) break;
    w->heap[at] = w->heap[child];
    at = child;
  }
  w->heap[at] = last;
  return top;
}

static void remember(Near *near, int node, double distance) {
  int at = KNOWN;
  while (at > 0 && distance < near[at - 1].distance) at--;
  if (at == KNOWN) return;
  for (int k = KNOWN - 1; k > at; k--) near[k] = near[k - 1];
  near[at] = (Near){distance, node};
}

/* Tells everyone in reach how far the node at a vertex is. False: no memory. */
static bool search(Ways *w, int node, int vertex) {
  double reach = REACH * w->spacing[vertex];
  int seen = 0;
  w->heap_count = 0;
  w->distance[vertex] = 0;
  w->seen[seen++] = vertex;
  if (!push(w, (Entry){0, vertex})) return false;
  while (w->heap_count > 0) {
    Entry at = pop(w);
    if (at.distance > w->distance[at.vertex]) continue; /* a shorter way was found since */
    remember(w->near + KNOWN * (size_t)at.vertex, node, at.distance);
    for (int i = w->start[at.vertex]; i < w->start[at.vertex + 1]; i++) {
      double distance = at.distance + w->length[i];
      int to = w->to[i];
      if (!(distance < reach) || !(distance < w->distance[to])) continue;
      if (w->distance[to] == INFINITY) w->seen[seen++] = to;
      w->distance[to] = distance;
      if (!push(w, (Entry){distance, to})) return false;
    }
  }
  for (int i = 0; i < seen; i++) w->distance[w->seen[i]] = INFINITY;
  return true;
}

/* (1 - distance / end)^2, end: the first node that does not count; they add up to 1. */
static void weigh(const Near *near, double reach, int32_t *node, float *weight) {
  double end = fmin(near[WEFT_COARSE_NODES].distance, reach), sum = 0, wide[WEFT_COARSE_NODES];
  for (int k = 0; k < WEFT_COARSE_NODES; k++) {
    double left = 1 - near[k].distance / end;
    wide[k] = left > 0 ? left * left : 0;
    node[k] = wide[k] > 0 ? near[k].node : near[0].node;
    sum += wide[k];
  }
  if (!(sum > 0)) wide[0] = sum = 1; /* several are equally far, or it is one itself */
  for (int k = 0; k < WEFT_COARSE_NODES; k++) weight[k] = (float)(wide[k] / sum);
}

WeftResult weft_coarse_place(WeftCoarse *coarse, const WeftModel *model, WeftError *error) {
  Ways ways;
  bool has_memory = make_ways(&ways, model);
  coarse->node_count = 0;
  for (int v = 0; v < model->vertex_count && has_memory; v++) {
    if (ways.near[KNOWN * (size_t)v].distance < ways.spacing[v]) continue;
    has_memory = search(&ways, coarse->node_count++, v);
  }
  for (int v = 0; v < model->vertex_count && has_memory; v++) {
    size_t at = WEFT_COARSE_NODES * (size_t)v;
    weigh(ways.near + KNOWN * (size_t)v, REACH * ways.spacing[v], coarse->node + at, coarse->weight + at);
  }
  free_ways(&ways);
  return has_memory ? WEFT_RESULT_OK : weft_fail_memory(error, "coarse picture of the cloths");
}
