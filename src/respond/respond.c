#include "respond/respond.h"

#include "base/memory.h"
#include "base/timer.h"
#include "device/launch.h"
#include "device/shared.h"
#include "obstacle.h"
#include "respond/approach.h"
#include "respond/respond.kernel.h"

#include <stdlib.h>
#include <string.h>

/* One mesh of all cloths and obstacles. */
static WeftResult create_surface(WeftRespond *respond, WeftError *error) {
  const WeftModel *model = respond->model;
  size_t cloth = (size_t)model->triangle_count, all = cloth + (size_t)model->obstacle_triangle_count;
  int32_t *triangles = WEFT_NEW(int32_t, 3 * all);
  uint8_t *is_cloth = WEFT_NEW(uint8_t, all);
  WeftResult result = triangles && is_cloth ? WEFT_RESULT_OK : weft_fail_memory(error, "mesh for detection");
  if (!result) {
    memcpy(triangles, model->triangles, 3 * cloth * sizeof *triangles);
    memset(is_cloth, 1, cloth);
    for (size_t i = 0; i < 3 * (all - cloth); i++) {
      triangles[3 * cloth + i] = model->vertex_count + model->obstacle_triangles[i];
    }
    result = weft_surface_create(&respond->surface, respond->device, respond->vertex_count, (int)all,
                                 triangles, is_cloth, error);
  }
  free(triangles);
  free(is_cloth);
  return result;
}

static WeftResult create_arrays(WeftRespond *respond, WeftError *error) {
  size_t n = (size_t)respond->vertex_count, triangles = (size_t)respond->surface.triangle_count;
  const struct {
    void **array;
    size_t count, size;
    WeftMemoryKind kind;
  } arrays[] = {{(void **)&respond->x0, 3 * n, sizeof(double), WEFT_MEMORY_POSITION},
                {(void **)&respond->x1, 3 * n, sizeof(double), WEFT_MEMORY_POSITION},
                {(void **)&respond->wanted, 3 * n, sizeof(double), WEFT_MEMORY_POSITION},
                {(void **)&respond->active, triangles, sizeof(int32_t), WEFT_MEMORY_DETECT},
                {(void **)&respond->is_moved, n, sizeof(int32_t), WEFT_MEMORY_DETECT}};
  WeftResult result = WEFT_RESULT_OK;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !result; i++) {
    result = weft_shared_new(respond->device, arrays[i].array, arrays[i].count, arrays[i].size,
                             arrays[i].kind, "response", error);
  }
  return result;
}

WeftResult weft_respond_create(WeftRespond *respond, WeftDevice *device, const WeftModel *model,
                               const WeftBroadOps *broad, int chain_count, const WeftLinkOps *const *chain,
                               const int *budget, WeftError *error) {
  *respond = (WeftRespond){.device = device,
                           .model = model,
                           .cloth_count = model->vertex_count,
                           .vertex_count = model->vertex_count + model->obstacle_vertex_count,
                           .chain_count = chain_count};
  for (int i = 0; i < chain_count; i++) {
    respond->chain[i] = chain[i];
    respond->budget[i] = budget[i];
  }
  WeftResult result = create_surface(respond, error);
  if (!result) result = weft_detector_create(&respond->detector, &respond->surface, broad, error);
  if (!result) result = create_arrays(respond, error);
  if (result) weft_respond_destroy(respond);
  return result;
}

void weft_respond_destroy(WeftRespond *respond) {
  void **arrays[] = {(void **)&respond->x0,     (void **)&respond->x1,       (void **)&respond->wanted,
                     (void **)&respond->active, (void **)&respond->is_moved, (void **)&respond->some_vertex,
                     (void **)&respond->some_x};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) weft_shared_free(respond->device, arrays[i]);
  if (respond->surface.triangles) weft_detector_destroy(&respond->detector);
  weft_surface_destroy(&respond->surface);
  weft_impact_list_destroy(&respond->list);
  memset(respond, 0, sizeof *respond);
}

void weft_respond_aim(WeftRespond *respond, const WeftState *state, const double *x1, double begin,
                      double h) {
  size_t bytes = 3 * (size_t)respond->cloth_count * sizeof(double);
  weft_device_copy(respond->device, respond->x0, state->x, bytes);
  if (x1) weft_device_copy(respond->device, respond->x1, x1, bytes);
  if (!respond->model->obstacle_count) return;
  void (*place)(WeftDevice *, const WeftModel *, double, double *, int) =
      respond->has_obstacles ? weft_obstacles_move : weft_obstacles_place;
  place(respond->device, respond->model, begin, respond->x0, respond->cloth_count);
  place(respond->device, respond->model, begin + h, respond->x1, respond->cloth_count);
  respond->has_obstacles = true;
}

static bool download_found(WeftRespond *respond, WeftFound *found) {
  size_t n = (size_t)found->count;
  if (!n) return true;
  return weft_device_download(respond->device, found->features, 2 * n * sizeof(int32_t)) &&
         weft_device_download(respond->device, found->vertices, 4 * n * sizeof(int32_t)) &&
         weft_device_download(respond->device, found->value, n * sizeof(double));
}

/* Looks for collisions on the way from x0 to x1: everywhere, or next to the vertices of impacts. */
static WeftResult look(WeftRespond *respond, bool is_everywhere, double margin, WeftReport *report,
                       WeftError *error) {
  double start = weft_seconds();
  WeftDetectQuery query = {
      .x0 = respond->x0, .x1 = respond->x1, .margin = margin, .prunes = true, .goes_on = true};
  if (!is_everywhere) {
    query.active = respond->active;
    query.is_local = true;
  }
  WeftResult result = weft_detector_impacts(&respond->detector, &query, error);
  if (!result && !(download_found(respond, &respond->detector.vertex_face) &&
                   download_found(respond, &respond->detector.edge_edge))) {
    result = weft_device_check(respond->device, error);
  }
  report->stage_seconds[WEFT_STAGE_DETECT] += weft_seconds() - start;
  return result;
}

static int found_count(const WeftRespond *respond) {
  return respond->detector.vertex_face.count + respond->detector.edge_edge.count;
}

static WeftResult reserve_some(WeftRespond *respond, WeftError *error) {
  size_t n = (size_t)respond->list.vertex_count;
  WeftResult result =
      weft_shared_grow(respond->device, (void **)&respond->some_vertex, &respond->some_vertex_capacity, n,
                       sizeof(int32_t), WEFT_MEMORY_SMALL, "vertices of impacts", error);
  if (result) return result;
  return weft_shared_grow(respond->device, (void **)&respond->some_x, &respond->some_x_capacity, 3 * n,
                          sizeof(double), WEFT_MEMORY_SMALL, "vertices of impacts", error);
}

/* to (on the host) = from (on the device) at the list's vertices. */
static WeftResult gather(WeftRespond *respond, const double *from, double *to, WeftError *error) {
  size_t bytes = 3 * (size_t)respond->list.vertex_count * sizeof(double);
  LAUNCH(respond->device, respond_gather, respond->list.vertex_count, respond->some_vertex, from,
         respond->some_x);
  if (!weft_device_download(respond->device, respond->some_x, bytes)) {
    return weft_device_check(respond->device, error);
  }
  memcpy(to, respond->some_x, bytes);
  return WEFT_RESULT_OK;
}

static void scatter(WeftRespond *respond, const double *from, double *to) {
  size_t bytes = 3 * (size_t)respond->list.vertex_count * sizeof(double);
  memcpy(respond->some_x, from, bytes);
  weft_device_upload(respond->device, respond->some_x, bytes);
  LAUNCH(respond->device, respond_scatter, respond->list.vertex_count, respond->cloth_count,
         respond->some_vertex, respond->some_x, to);
}

/* The small problem: from the list's impacts, and x0 and `ends` of their vertices. */
static WeftResult pose(WeftRespond *respond, const WeftState *state, const double *ends, WeftError *error) {
  WeftImpactList *list = &respond->list;
  WeftResult result = weft_impact_list_number(list, error);
  if (!result) result = reserve_some(respond, error);
  if (result) return result;
  memcpy(respond->some_vertex, list->vertex, (size_t)list->vertex_count * sizeof(int32_t));
  weft_device_upload(respond->device, respond->some_vertex, (size_t)list->vertex_count * sizeof(int32_t));
  result = gather(respond, respond->x0, list->x0, error);
  if (!result) result = gather(respond, ends, list->x1, error);
  for (int i = 0; i < list->vertex_count; i++) {
    int v = list->vertex[i];
    list->is_obstacle[i] = v >= respond->cloth_count;
    bool is_free = !list->is_obstacle[i] && state->held[v] == 0;
    list->inverse_mass[i] = is_free ? 1 / respond->model->mass[v] : 0;
  }
  return result;
}

/* Triangles at the vertices of impacts are looked at again. */
static void mark_active(WeftRespond *respond) {
  WeftDevice *device = respond->device;
  weft_device_zero(device, respond->is_moved, (size_t)respond->vertex_count * sizeof(int32_t));
  LAUNCH(device, respond_mark_vertices, respond->list.vertex_count, respond->some_vertex, respond->is_moved);
  LAUNCH(device, respond_mark_triangles, respond->surface.triangle_count, respond->surface.triangles,
         respond->is_moved, respond->active);
}

static void take_problem(const WeftImpactList *list, WeftImpacts *impacts) {
  impacts->vertex_count = list->vertex_count;
  impacts->x0 = list->x0;
  impacts->inverse_mass = list->inverse_mass;
  impacts->is_obstacle = list->is_obstacle;
  impacts->impact_count = list->count;
  impacts->vertices = list->local;
  impacts->is_edges = list->is_edges;
  impacts->time = list->time;
}

/* Velocities of the list's vertices after a link. */
static WeftResult set_velocities(WeftRespond *respond, const WeftImpacts *impacts, bool keeps_velocity,
                                 double *v1, WeftError *error) {
  WeftImpactList *list = &respond->list;
  if (keeps_velocity) {
    WeftResult result = gather(respond, respond->wanted, list->x1, error);
    if (result) return result;
    weft_stop_approach(impacts, list->x1);
  }
  for (int i = 0; i < 3 * list->vertex_count; i++) list->x1[i] = (list->x1[i] - list->x0[i]) / impacts->h;
  scatter(respond, list->x1, v1);
  return WEFT_RESULT_OK;
}

/* One link's rounds. */
static WeftResult work(WeftRespond *respond, int which, const WeftState *state, double *v1, double h,
                       WeftReport *report, WeftError *error) {
  const WeftLinkOps *link = respond->chain[which];
  WeftLinkReport *own = &report->links[which];
  WeftImpactList *list = &respond->list;
  WeftLinkCounts counts = {0}; /* of the last round */
  double start = weft_seconds();
  WeftResult result = WEFT_RESULT_OK;
  weft_impact_list_clear(list);
  weft_device_copy(respond->device, respond->wanted, respond->x1,
                   3 * (size_t)respond->vertex_count * sizeof(double));
  own->steps++;
  WeftImpacts impacts = {.h = h};
  for (; impacts.round < respond->budget[which] && found_count(respond) && !result; impacts.round++) {
    int added;
    result = weft_impact_list_add(list, &respond->detector.vertex_face, &respond->detector.edge_edge, &added,
                                  error);
    own->impacts += added;
    /* the same impacts once more: a link that starts over would do the same */
    if (!result && !added && link->starts_over) break;
    own->rounds++;
    if (!result) result = pose(respond, state, link->starts_over ? respond->wanted : respond->x1, error);
    if (result) break;
    take_problem(list, &impacts);
    counts = (WeftLinkCounts){0};
    result = link->solve(&impacts, list->x1, &counts, error);
    own->iterations += counts.iterations;
    if (result) break;
    scatter(respond, list->x1, respond->x1);
    mark_active(respond);
    result = look(respond, false, 0, report, error);
  }
  if (!result) result = set_velocities(respond, &impacts, link->keeps_velocity, v1, error);
  own->limited += counts.limited;
  own->left += found_count(respond);
  own->seconds += weft_seconds() - start;
  return result;
}

WeftResult weft_respond_look(WeftRespond *respond, double margin, int *count, WeftReport *report,
                             WeftError *error) {
  WeftResult result = look(respond, true, margin, report, error);
  *count = result ? 0 : found_count(respond);
  return result;
}

WeftResult weft_respond(WeftRespond *respond, const WeftState *state, double *x1, double *v1, double h,
                        bool is_final, WeftReport *report, WeftError *error) {
  size_t bytes = 3 * (size_t)respond->cloth_count * sizeof(double);
  WeftResult result = WEFT_RESULT_OK;
  for (int i = 0; i < respond->chain_count && !result && found_count(respond); i++) {
    result = work(respond, i, state, v1, h, report, error);
  }
  if (result) return result;
  weft_device_copy(respond->device, x1, respond->x1, bytes);
  report->impacts_left += is_final ? found_count(respond) : 0;
  if (found_count(respond) && !is_final) {
    return weft_fail(error, WEFT_RESULT_NOT_CONVERGED,
                     "%d collisions are left after the last link of the response", found_count(respond));
  }
  return weft_device_check(respond->device, error);
}
