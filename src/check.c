/* The judge as the public interface has it: meshes, and a world. */
#include "base/memory.h"
#include "base/timer.h"
#include "device/threads.h"
#include "judge/judge.h"
#include "judge/predicates.h"
#include "world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int32_t mesh_of_vertex(const WeftSoup *soup, int32_t vertex) {
  int32_t mesh = 0;
  while (vertex >= soup->first_vertex[mesh + 1]) mesh++;
  return mesh;
}

static bool list_hits(const WeftSoup *soup, const WeftJudgeHits *hits, int32_t most, WeftCheck *check) {
  size_t count = hits->count < (size_t)most ? hits->count : (size_t)most;
  check->listed = WEFT_NEW(WeftHit, count);
  if (!check->listed) return false;
  for (size_t i = 0; i < count; i++) {
    const WeftJudgeHit *from = &hits->items[i];
    WeftHit *to = &check->listed[i];
    const int32_t *edge = soup->edges + 2 * (size_t)from->edge;
    to->edge_mesh = mesh_of_vertex(soup, edge[0]);
    to->edge[0] = edge[0] - soup->first_vertex[to->edge_mesh];
    to->edge[1] = edge[1] - soup->first_vertex[to->edge_mesh];
    to->triangle_mesh = soup->triangle_mesh[from->triangle];
    to->triangle = from->triangle - soup->first_triangle[to->triangle_mesh];
    to->kind = (WeftHitKind)from->kind;
    weft_judge_place(soup, from, 0.5 * (from->begin + from->end), to->place);
  }
  check->listed_count = (int32_t)count;
  return true;
}

static WeftResult judge(const WeftSoup *soup, int32_t list, WeftCheck *check, WeftError *error) {
  WeftJudgeHits hits;
  check->vertex_count = soup->vertex_count;
  check->triangle_count = soup->triangle_count;
  check->edge_count = soup->edge_count;
  WeftResult result = weft_judge_find(soup, &hits, error);
  if (!result) result = weft_judge_count(soup, &hits, check, error);
  if (!result && !list_hits(soup, &hits, list, check)) result = weft_fail_memory(error, "check of meshes");
  free(hits.items);
  return result;
}

WeftResult weft_check_meshes(int32_t mesh_count, const WeftCheckMesh *meshes, const WeftCheckOptions *options,
                             WeftCheck *check, WeftError *error) {
  if (!check) return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "weft_check_meshes: check is NULL");
  memset(check, 0, sizeof *check);
  WeftCheckOptions chosen = options ? *options : (WeftCheckOptions){0};
  if (mesh_count < 0 || (mesh_count && !meshes) || chosen.threads < 0 || chosen.list < 0)
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "weft_check_meshes: a count is negative or the meshes are missing");
  int before = weft_threads_use(chosen.threads ? chosen.threads : weft_threads_available());
  WeftSoup soup;
  WeftResult result = weft_soup_create(&soup, mesh_count, meshes, error);
  if (!result) result = judge(&soup, chosen.list, check, error);
  weft_soup_destroy(&soup);
  weft_threads_use(before);
  if (result) weft_check_free(check);
  return result;
}

void weft_check_free(WeftCheck *check) {
  if (!check) return;
  free(check->parts);
  free(check->listed);
  *check = (WeftCheck){0};
}

/* The meshes of a world. */
typedef struct Meshes {
  WeftCheckMesh *items; /* positions and triangles are ours */
  size_t count, capacity;
} Meshes;

/* *positions and *triangles are to be filled in. */
static WeftResult add_mesh(Meshes *meshes, const char *name, int32_t vertex_count, int32_t triangle_count,
                           double **positions, int32_t **triangles, WeftError *error) {
  *positions = WEFT_NEW(double, 3 * (size_t)vertex_count);
  *triangles = WEFT_NEW(int32_t, 3 * (size_t)triangle_count);
  if (!*positions || !*triangles ||
      !weft_grow((void **)&meshes->items, &meshes->capacity, meshes->count + 1, sizeof *meshes->items)) {
    free(*positions);
    free(*triangles);
    return weft_fail_memory(error, "check of meshes");
  }
  meshes->items[meshes->count++] =
      (WeftCheckMesh){name, vertex_count, *positions, triangle_count, *triangles, false};
  return WEFT_RESULT_OK;
}

/* Where a scene is symmetric, solving leaves traces such as 1e-87 m beside the plane of symmetry, too small
 * for exact arithmetic. They are taken for 0. */
static void clear_traces(size_t count, double *positions) {
  for (size_t i = 0; i < count; i++) {
    if (fabs(positions[i]) < WEFT_JUDGE_LEAST) positions[i] = 0;
  }
}

static WeftResult add_cloth(WeftWorld *world, int32_t cloth, Meshes *meshes, WeftError *error) {
  double *positions;
  int32_t *triangles;
  WeftResult result =
      add_mesh(meshes, weft_world_cloth_name(world, cloth), weft_world_vertex_count(world, cloth),
               weft_world_triangle_count(world, cloth), &positions, &triangles, error);
  if (!result) result = weft_world_positions(world, cloth, positions, error);
  if (result) return result;
  clear_traces(3 * (size_t)weft_world_vertex_count(world, cloth), positions);
  return weft_world_triangles(world, cloth, triangles, error);
}

static WeftResult add_obstacle(WeftWorld *world, int32_t obstacle, Meshes *meshes, WeftError *error) {
  double *positions;
  int32_t *triangles;
  WeftResult result = add_mesh(
      meshes, weft_world_obstacle_name(world, obstacle), weft_world_obstacle_vertex_count(world, obstacle),
      weft_world_obstacle_triangle_count(world, obstacle), &positions, &triangles, error);
  if (result) return result;
  meshes->items[meshes->count - 1].is_obstacle = true;
  result = weft_world_get_obstacle_positions(world, obstacle, positions, error);
  return result ? result : weft_world_get_obstacle_triangles(world, obstacle, triangles, error);
}

static void free_meshes(Meshes *meshes) {
  for (size_t i = 0; i < meshes->count; i++) {
    free((void *)(uintptr_t)meshes->items[i].positions);
    free((void *)(uintptr_t)meshes->items[i].triangles);
  }
  free(meshes->items);
}

static void add_to_report(WeftReport *report, int64_t step, const WeftCheck *check, double seconds) {
  WeftCheckSums *sums = &report->check;
  sums->checks++;
  if (check->total.hits && sums->checks_with_hits++ == 0) sums->first_step = step;
  sums->hits = check->total.hits;
  if (check->total.hits > sums->hits_max) sums->hits_max = check->total.hits;
  sums->seconds += seconds;
}

WeftResult weft_check_world(WeftWorld *world, const WeftCheckOptions *options, WeftCheck *check,
                            WeftError *error) {
  if (!check) return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "weft_check_world: check is NULL");
  memset(check, 0, sizeof *check);
  if (!world) return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "weft_check_world: no world given");
  double start = weft_seconds();
  Meshes meshes = {0};
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t c = 0; c < weft_world_cloth_count(world) && !result; c++)
    result = add_cloth(world, c, &meshes, error);
  for (int32_t o = 0; o < weft_world_obstacle_count(world) && !result; o++)
    result = add_obstacle(world, o, &meshes, error);
  WeftCheckOptions chosen = options ? *options : (WeftCheckOptions){0};
  chosen.threads = world->threads;
  if (!result) result = weft_check_meshes((int32_t)meshes.count, meshes.items, &chosen, check, error);
  if (!result) add_to_report(&world->report, weft_world_step_count(world), check, weft_seconds() - start);
  free_meshes(&meshes);
  return result;
}
