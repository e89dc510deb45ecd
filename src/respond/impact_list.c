#include "respond/impact_list.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void weft_impact_list_destroy(WeftImpactList *list) {
  free(list->key);
  free(list->vertices);
  free(list->time);
  free(list->vertex);
  free(list->local);
  free(list->is_edges);
  free(list->x0);
  free(list->x1);
  free(list->inverse_mass);
  free(list->is_obstacle);
  memset(list, 0, sizeof *list);
}

void weft_impact_list_clear(WeftImpactList *list) { list->count = list->vertex_count = 0; }

static int compare_keys(const int32_t *a, const int32_t *b) {
  for (int k = 0; k < 3; k++) {
    if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
  }
  return 0;
}

/* How often the key stands among the first count. */
static int count_key(const WeftImpactList *list, int count, const int32_t *key) {
  int begin = 0, end = count, found = 0;
  while (begin < end) {
    int middle = begin + (end - begin) / 2;
    if (compare_keys(list->key + 3 * (size_t)middle, key) < 0) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  while (begin + found < count && compare_keys(list->key + 3 * (size_t)(begin + found), key) == 0) found++;
  return found;
}

static bool reserve(WeftImpactList *list, size_t count) {
  return weft_grow((void **)&list->key, &list->key_capacity, 3 * count, sizeof *list->key) &&
         weft_grow((void **)&list->vertices, &list->vertices_capacity, 4 * count, sizeof *list->vertices) &&
         weft_grow((void **)&list->time, &list->time_capacity, count, sizeof *list->time);
}

/* Appends those that do not stand twice among the first known ones. */
static void append(WeftImpactList *list, int known, int32_t kind, const WeftFound *found) {
  for (int i = 0; i < found->count; i++) {
    const int32_t key[3] = {kind, found->features[2 * (size_t)i], found->features[2 * (size_t)i + 1]};
    if (count_key(list, known, key) > 1) continue;
    size_t at = (size_t)list->count++;
    memcpy(list->key + 3 * at, key, sizeof key);
    memcpy(list->vertices + 4 * at, found->vertices + 4 * (size_t)i, 4 * sizeof(int32_t));
    list->time[at] = found->value[i];
  }
}

/* Merges two sorted runs, [0, known) and [known, count). */
static WeftResult merge(WeftImpactList *list, int known, WeftError *error) {
  size_t n = (size_t)list->count;
  int32_t *key = weft_copy(list->key, 3 * n, sizeof *key);
  int32_t *vertices = weft_copy(list->vertices, 4 * n, sizeof *vertices);
  double *time = weft_copy(list->time, n, sizeof *time);
  WeftResult result = key && vertices && time ? WEFT_RESULT_OK : weft_fail_memory(error, "impacts");
  int a = 0, b = known;
  for (size_t at = 0; !result && at < n; at++) {
    bool takes_a =
        b >= list->count || (a < known && compare_keys(key + 3 * (size_t)a, key + 3 * (size_t)b) < 0);
    size_t from = (size_t)(takes_a ? a++ : b++);
    memcpy(list->key + 3 * at, key + 3 * from, 3 * sizeof *key);
    memcpy(list->vertices + 4 * at, vertices + 4 * from, 4 * sizeof *vertices);
    list->time[at] = time[from];
  }
  free(key);
  free(vertices);
  free(time);
  return result;
}

WeftResult weft_impact_list_add(WeftImpactList *list, const WeftFound *vertex_face,
                                const WeftFound *edge_edge, int *added, WeftError *error) {
  int known = list->count;
  *added = 0;
  if (!reserve(list, (size_t)known + (size_t)vertex_face->count + (size_t)edge_edge->count)) {
    return weft_fail_memory(error, "impacts");
  }
  append(list, known, 0, vertex_face);
  append(list, known, 1, edge_edge);
  *added = list->count - known;
  return *added ? merge(list, known, error) : WEFT_RESULT_OK;
}

static int compare_ints(const void *a, const void *b) {
  int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
  return (p > q) - (p < q);
}

static int place_of(const WeftImpactList *list, int32_t vertex) {
  int begin = 0, end = list->vertex_count;
  while (begin < end) {
    int middle = begin + (end - begin) / 2;
    if (list->vertex[middle] < vertex) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

WeftResult weft_impact_list_number(WeftImpactList *list, WeftError *error) {
  size_t corners = 4 * (size_t)list->count;
  bool has_memory =
      weft_grow((void **)&list->vertex, &list->vertex_capacity, corners, sizeof *list->vertex) &&
      weft_grow((void **)&list->local, &list->local_capacity, corners, sizeof *list->local) &&
      weft_grow((void **)&list->is_edges, &list->is_edges_capacity, (size_t)list->count, 1) &&
      weft_grow((void **)&list->x0, &list->x0_capacity, 3 * corners, sizeof *list->x0) &&
      weft_grow((void **)&list->x1, &list->x1_capacity, 3 * corners, sizeof *list->x1) &&
      weft_grow((void **)&list->inverse_mass, &list->inverse_mass_capacity, corners,
                sizeof *list->inverse_mass) &&
      weft_grow((void **)&list->is_obstacle, &list->is_obstacle_capacity, corners, 1);
  if (!has_memory) return weft_fail_memory(error, "vertices of impacts");
  memcpy(list->vertex, list->vertices, corners * sizeof *list->vertex);
  qsort(list->vertex, corners, sizeof *list->vertex, compare_ints);
  list->vertex_count = 0;
  for (size_t i = 0; i < corners; i++) {
    if (i && list->vertex[i] == list->vertex[list->vertex_count - 1]) continue;
    list->vertex[list->vertex_count++] = list->vertex[i];
  }
  for (size_t i = 0; i < corners; i++) list->local[i] = place_of(list, list->vertices[i]);
  for (int i = 0; i < list->count; i++) list->is_edges[i] = list->key[3 * (size_t)i] == 1;
  return WEFT_RESULT_OK;
}
