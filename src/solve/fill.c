#include "solve/fill.h"

#include "base/memory.h"
#include "device/shared.h"

#include <stdlib.h>
#include <string.h>

/* The graph of what is not eliminated yet. Lists of neighbours lie in one pool; one that outgrows its room
 * moves to the pool's end. */
typedef struct Graph {
  int count;
  int32_t *begin, *length, *room; /* of each vertex's list */
  int32_t *pool;
  size_t pool_used, pool_size;
  int32_t *mark, stamp; /* scratch: who was seen */
  int32_t *bucket, *before,
      *behind; /* vertices of each degree: lists that are linked both ways, -1 ends them */
  int least;   /* no bucket below it has anyone */
} Graph;

/* The columns of the factor as they come, by vertices. */
typedef struct Columns {
  int32_t *order; /* vertices, as they are eliminated */
  int32_t *start; /* count + 1 */
  int32_t *vertex;
  size_t size; /* of vertex */
} Columns;

static void unlink_vertex(Graph *g, int v) {
  if (g->before[v] >= 0)
    g->behind[g->before[v]] = g->behind[v];
  else
    g->bucket[g->length[v]] = g->behind[v];
  if (g->behind[v] >= 0) g->before[g->behind[v]] = g->before[v];
}

static void link_vertex(Graph *g, int v) {
  int degree = g->length[v];
  g->before[v] = -1;
  g->behind[v] = g->bucket[degree];
  if (g->behind[v] >= 0) g->before[g->behind[v]] = v;
  g->bucket[degree] = v;
  if (degree < g->least) g->least = degree;
}

static void free_graph(Graph *g) {
  int32_t *arrays[] = {g->begin, g->length, g->room, g->pool, g->mark, g->bucket, g->before, g->behind};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
}

/* Lists of the matrix's neighbours, each with room for half as many more. */
static bool make_graph(Graph *g, const WeftBcsr *matrix) {
  int n = matrix->row_count;
  *g = (Graph){.count = n, .least = n};
  int32_t **arrays[] = {&g->begin, &g->length, &g->room, &g->mark, &g->before, &g->behind};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    *arrays[i] = WEFT_NEW(int32_t, n);
    if (!*arrays[i]) return false;
  }
  g->bucket = WEFT_NEW(int32_t, (size_t)n + 1);
  g->pool_size = 4 * (size_t)matrix->block_count; /* a row has its diagonal block at least */
  g->pool = WEFT_NEW(int32_t, g->pool_size);
  if (!g->bucket || !g->pool) return false;
  for (int i = 0; i <= n; i++) g->bucket[i] = -1;
  for (int v = 0; v < n; v++) {
    g->begin[v] = (int32_t)g->pool_used;
    int32_t *list = g->pool + g->pool_used;
    const int32_t *const starts[2] = {matrix->base_start, matrix->extra_start};
    for (int part = 0; part < 2; part++) {
      for (int i = starts[part][v]; i < starts[part][v + 1]; i++) {
        if (matrix->column[i] != v) list[g->length[v]++] = matrix->column[i];
      }
    }
    g->room[v] = g->length[v] + g->length[v] / 2 + 4;
    g->pool_used += (size_t)g->room[v];
  }
  for (int v = n - 1; v >= 0; v--) link_vertex(g, v);
  return true;
}

/* Room for so many neighbours in the list of v, whose contents stay. */
static bool reserve_list(Graph *g, int v, int needed) {
  if (needed <= g->room[v]) return true;
  size_t room = (size_t)needed + (size_t)needed / 2;
  if (g->pool_used + room > g->pool_size &&
      !weft_grow((void **)&g->pool, &g->pool_size, g->pool_used + room, sizeof *g->pool)) {
    return false;
  }
  memcpy(g->pool + g->pool_used, g->pool + g->begin[v], (size_t)g->length[v] * sizeof *g->pool);
  g->begin[v] = (int32_t)g->pool_used;
  g->room[v] = (int32_t)room;
  g->pool_used += room;
  return true;
}

/* Every neighbour of v becomes a neighbour of u, which v is no longer. */
static bool join_lists(Graph *g, int u, int v) {
  if (!reserve_list(g, u, g->length[u] + g->length[v])) return false;
  int32_t *list = g->pool + g->begin[u];
  const int32_t *others = g->pool + g->begin[v];
  int count = 0, stamp = ++g->stamp;
  g->mark[u] = stamp;
  for (int i = 0; i < g->length[u]; i++) {
    if (list[i] == v) continue;
    g->mark[list[i]] = stamp;
    list[count++] = list[i];
  }
  for (int i = 0; i < g->length[v]; i++) {
    if (g->mark[others[i]] != stamp) list[count++] = others[i];
  }
  g->length[u] = count;
  return true;
}

static bool add_column(Columns *columns, int *count, int v, const int32_t *rows, int length) {
  size_t used = (size_t)columns->start[*count], needed = used + (size_t)length;
  if (needed > columns->size &&
      !weft_grow((void **)&columns->vertex, &columns->size, needed, sizeof *columns->vertex)) {
    return false;
  }
  memcpy(columns->vertex + used, rows, (size_t)length * sizeof *rows);
  columns->order[(*count)++] = v;
  columns->start[*count] = (int32_t)needed;
  return true;
}

/* Neighbours of v that have no other neighbours than v has: eliminated right behind it, they bring nothing
 * new. They go from its list and those of the others, which are linked again. */
static bool eliminate_alike(Graph *g, int v, Columns *columns, int *count) {
  int degree = g->length[v], left = 0, stamp = ++g->stamp;
  int32_t *list = g->pool + g->begin[v];
  for (int i = 0; i < degree; i++) { /* the first of list: those that stay */
    int u = list[i];
    if (g->length[u] != degree - 1) {
      list[i] = list[left];
      list[left++] = u;
    } else {
      g->mark[u] = stamp;
    }
  }
  for (int last = degree; last > left; last--) {
    if (!add_column(columns, count, list[last - 1], list, last - 1)) return false;
  }
  for (int i = 0; i < left; i++) {
    int u = list[i], kept = 0;
    int32_t *own = g->pool + g->begin[u];
    for (int k = 0; k < g->length[u] && left < degree; k++) {
      if (g->mark[own[k]] != stamp) own[kept++] = own[k];
    }
    if (left < degree) g->length[u] = kept;
    link_vertex(g, u);
  }
  return true;
}

/* Eliminates all, or until *effort, the multiplications of blocks that the factorisation takes, is above
 * most. False: no memory. */
static bool eliminate(Graph *g, double most, Columns *columns, double *effort) {
  int count = 0;
  *effort = 0;
  while (count < g->count && *effort <= most) {
    while (g->bucket[g->least] < 0) g->least++;
    int v = g->bucket[g->least], degree = g->length[v], before = count;
    unlink_vertex(g, v);
    const int32_t *list = g->pool + g->begin[v];
    if (!add_column(columns, &count, v, list, degree)) return false;
    for (int i = 0; i < degree; i++) {
      int u = g->pool[g->begin[v] + i]; /* the pool may have moved */
      unlink_vertex(g, u);
      if (!join_lists(g, u, v)) return false;
    }
    if (!eliminate_alike(g, v, columns, &count)) return false;
    for (int k = before; k < count; k++) {
      double length = columns->start[k + 1] - columns->start[k];
      *effort += length * (length + 1) / 2;
    }
  }
  return true;
}

/* Rows of each column by their places, ascending: turned over twice, each time in the order of what is read.
 */
static bool sort_rows(WeftFill *fill, const Columns *columns) {
  int n = fill->row_count;
  int32_t *start = WEFT_NEW(int32_t, (size_t)n + 2),
          *column = WEFT_NEW(int32_t, (size_t)fill->block_count + 1);
  bool has_memory = start && column;
  for (int i = 0; has_memory && i < columns->start[n]; i++) start[fill->place[columns->vertex[i]] + 2]++;
  for (int i = 0; has_memory && i < n; i++) start[i + 2] += start[i + 1];
  for (int k = 0; has_memory && k < n; k++) {
    for (int i = columns->start[k]; i < columns->start[k + 1]; i++)
      column[start[fill->place[columns->vertex[i]] + 1]++] = k;
  }
  int32_t *next = fill->scratch; /* where a column is */
  memcpy(next, columns->start, (size_t)n * sizeof *next);
  for (int row = 0; has_memory && row < n; row++) {
    for (int i = start[row]; i < start[row + 1]; i++) fill->row[next[column[i]]++] = row;
  }
  free(start);
  free(column);
  return has_memory;
}

static WeftResult reserve(WeftFill *fill, WeftError *error) {
  size_t n = (size_t)fill->row_count, blocks = (size_t)fill->block_count;
  const struct {
    void **array;
    size_t needed, size;
  } arrays[] = {{(void **)&fill->order, n, sizeof(int32_t)},
                {(void **)&fill->place, n, sizeof(int32_t)},
                {(void **)&fill->start, n + 1, sizeof(int32_t)},
                {(void **)&fill->row, blocks, sizeof(int32_t)},
                {(void **)&fill->pivot, 12 * n, sizeof(double)},
                {(void **)&fill->value, 9 * blocks + 3, sizeof(float)},
                {(void **)&fill->work, 12 * (size_t)fill->column_most, sizeof(double)},
                {(void **)&fill->y, 4 * n, sizeof(float)},
                {(void **)&fill->scratch, 4 * n, sizeof(int32_t)}};
  WeftResult result = WEFT_RESULT_OK;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !result; i++) {
    result = weft_shared_grow(fill->device, arrays[i].array, &fill->capacity[i], arrays[i].needed,
                              arrays[i].size, WEFT_MEMORY_SOLVER, "factor", error);
  }
  return result;
}

static WeftResult take(WeftFill *fill, const Columns *columns, WeftError *error) {
  int n = fill->row_count;
  fill->block_count = columns->start[n];
  fill->column_most = 0;
  for (int k = 0; k < n; k++) {
    int length = columns->start[k + 1] - columns->start[k];
    if (length > fill->column_most) fill->column_most = length;
  }
  WeftResult result = reserve(fill, error);
  if (result) return result;
  memcpy(fill->order, columns->order, (size_t)n * sizeof *fill->order);
  memcpy(fill->start, columns->start, ((size_t)n + 1) * sizeof *fill->start);
  for (int k = 0; k < n; k++) fill->place[fill->order[k]] = k;
  if (!sort_rows(fill, columns)) return weft_fail_memory(error, "factor");
  weft_device_upload(fill->device, fill->order, (size_t)n * sizeof *fill->order);
  weft_device_upload(fill->device, fill->place, (size_t)n * sizeof *fill->place);
  weft_device_upload(fill->device, fill->start, ((size_t)n + 1) * sizeof *fill->start);
  weft_device_upload(fill->device, fill->row, (size_t)fill->block_count * sizeof *fill->row);
  fill->is_there = true;
  return WEFT_RESULT_OK;
}

void weft_fill_create(WeftFill *fill, WeftDevice *device) { *fill = (WeftFill){.device = device}; }

void weft_fill_destroy(WeftFill *fill) {
  void **arrays[] = {(void **)&fill->order, (void **)&fill->place, (void **)&fill->start,
                     (void **)&fill->row,   (void **)&fill->pivot, (void **)&fill->value,
                     (void **)&fill->work,  (void **)&fill->y,     (void **)&fill->scratch};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) weft_shared_free(fill->device, arrays[i]);
  memset(fill, 0, sizeof *fill);
}

WeftResult weft_fill_find(WeftFill *fill, const WeftBcsr *matrix, double worth, WeftError *error) {
  if (fill->is_known && fill->pattern == matrix->pattern) return WEFT_RESULT_OK;
  size_t n = (size_t)matrix->row_count;
  Graph graph = {0};
  size_t room = (size_t)matrix->block_count; /* of little fill there is about that */
  Columns columns = {.order = WEFT_NEW(int32_t, n),
                     .start = WEFT_NEW(int32_t, n + 1),
                     .vertex = WEFT_NEW(int32_t, room),
                     .size = room};
  fill->is_there = fill->is_known = false;
  fill->row_count = matrix->row_count;
  WeftResult result = weft_bcsr_download_pattern(matrix, error);
  double most = worth * matrix->block_count;
  if (!result && !(columns.order && columns.start && columns.vertex && make_graph(&graph, matrix) &&
                   eliminate(&graph, most, &columns, &fill->effort))) {
    result = weft_fail_memory(error, "factor");
  }
  free_graph(&graph);
  if (!result && fill->effort <= most) result = take(fill, &columns, error);
  fill->is_known = !result;
  fill->pattern = matrix->pattern;
  free(columns.order);
  free(columns.start);
  free(columns.vertex);
  return result;
}
