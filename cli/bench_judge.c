/* After the timed runs, in a process of its own: the states that the first run saved are judged exactly, the
 * impacts that their next step would have without contact forces are counted, and detection alone is timed
 * where the case asks for it. */
#include "base/timer.h"
#include "cli/bench.h"
#include "cli/files.h"

#include <weft/check.h>

#include <stdlib.h>
#include <string.h>

typedef struct JudgeJob {
  const BenchOptions *options;
  const char *folder;
  const BenchResult *run;
} JudgeJob;

/* All meshes of a world one behind the other, cloths first. */
typedef struct Joined {
  int32_t vertex_count, triangle_count;
  int32_t *triangles;
  uint8_t *is_obstacle;
  double *start, *end;
} Joined;

static void free_joined(Joined *joined) {
  free(joined->triangles);
  free(joined->is_obstacle);
  free(joined->start);
  free(joined->end);
}

static WeftResult join_triangles(Joined *joined, WeftWorld *world, WeftError *error) {
  int32_t cloths = weft_world_cloth_count(world), all = cloths + weft_world_obstacle_count(world);
  int32_t vertices = 0, triangles = 0;
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t i = 0; i < all && !result; i++) {
    bool is_cloth = i < cloths;
    int32_t *own = joined->triangles + 3 * (size_t)triangles;
    int32_t count = is_cloth ? weft_world_triangle_count(world, i)
                             : weft_world_obstacle_triangle_count(world, i - cloths);
    result = is_cloth ? weft_world_triangles(world, i, own, error)
                      : weft_world_get_obstacle_triangles(world, i - cloths, own, error);
    for (int32_t k = 0; k < 3 * count; k++) own[k] += vertices;
    for (int32_t k = 0; k < count; k++) joined->is_obstacle[triangles + k] = !is_cloth;
    triangles += count;
    vertices +=
        is_cloth ? weft_world_vertex_count(world, i) : weft_world_obstacle_vertex_count(world, i - cloths);
  }
  return result;
}

static WeftResult join(Joined *joined, WeftWorld *world, WeftError *error) {
  *joined = (Joined){0};
  for (int32_t i = 0; i < weft_world_cloth_count(world); i++) {
    joined->vertex_count += weft_world_vertex_count(world, i);
    joined->triangle_count += weft_world_triangle_count(world, i);
  }
  for (int32_t i = 0; i < weft_world_obstacle_count(world); i++) {
    joined->vertex_count += weft_world_obstacle_vertex_count(world, i);
    joined->triangle_count += weft_world_obstacle_triangle_count(world, i);
  }
  size_t vertices = (size_t)joined->vertex_count, triangles = (size_t)joined->triangle_count;
  joined->triangles = calloc(3 * triangles + 1, sizeof *joined->triangles);
  joined->is_obstacle = calloc(triangles + 1, 1);
  joined->start = calloc(3 * vertices + 1, sizeof *joined->start);
  joined->end = calloc(3 * vertices + 1, sizeof *joined->end);
  if (!joined->triangles || !joined->is_obstacle || !joined->start || !joined->end)
    return WEFT_RESULT_OUT_OF_MEMORY;
  return join_triangles(joined, world, error);
}

static WeftResult read_positions(WeftWorld *world, double *positions, WeftError *error) {
  WeftResult result = WEFT_RESULT_OK;
  for (int32_t i = 0; i < weft_world_cloth_count(world) && !result; i++) {
    result = weft_world_positions(world, i, positions, error);
    positions += 3 * (size_t)weft_world_vertex_count(world, i);
  }
  for (int32_t i = 0; i < weft_world_obstacle_count(world) && !result; i++) {
    result = weft_world_get_obstacle_positions(world, i, positions, error);
    positions += 3 * (size_t)weft_world_obstacle_vertex_count(world, i);
  }
  return result;
}

/* The world of the case, as the state file says; extra: one more --set. */
static WeftResult open_world(const JudgeJob *job, const char *path, const char *extra, WeftWorld **world,
                             WeftError *error) {
  WeftScene *scene = NULL;
  WeftResult result = bench_load(job->options, job->run->bench, extra, &scene, error);
  if (!result) result = weft_scene_create_world(scene, job->options->threads, (WeftLog){0}, world, error);
  if (!result) result = weft_world_restore_file(*world, path, error);
  weft_scene_destroy(scene);
  return result;
}

/* One step from the state on: where everything was and where it went. */
static WeftResult make_step(const JudgeJob *job, const char *path, const char *extra, Joined *joined,
                            WeftError *error) {
  WeftWorld *world = NULL;
  WeftResult result = open_world(job, path, extra, &world, error);
  if (!result) result = join(joined, world, error);
  if (!result) result = read_positions(world, joined->start, error);
  if (!result) result = weft_world_step(world, 1, error);
  if (!result) result = read_positions(world, joined->end, error);
  weft_world_destroy(world);
  return result;
}

static WeftResult open_detection(const JudgeJob *job, const Joined *joined, const char *method,
                                 WeftDetection **detection, WeftError *error) {
  WeftDetectDef def = weft_default_detect_def();
  def.vertex_count = joined->vertex_count;
  def.triangle_count = joined->triangle_count;
  def.triangles = joined->triangles;
  def.is_obstacle = joined->is_obstacle;
  def.threads = job->options->threads;
  if (method) def.method = method;
  return weft_detection_create(&def, detection, error);
}

static WeftResult count_before(const JudgeJob *job, const char *path, int64_t *before, WeftError *error) {
  Joined joined = {0};
  WeftDetection *detection = NULL;
  WeftDetected found;
  WeftResult result = make_step(job, path, "collision.enabled=false", &joined, error);
  if (!result) result = open_detection(job, &joined, NULL, &detection, error);
  if (!result) result = weft_detection_impacts(detection, joined.start, joined.end, 0, &found, error);
  if (!result) *before = found.vertex_face.count + found.edge_edge.count;
  weft_detection_destroy(detection);
  free_joined(&joined);
  return result;
}

static WeftResult judge_state(const JudgeJob *job, const char *path, BenchState *state, WeftError *error) {
  WeftWorld *world = NULL;
  WeftCheck check = {0};
  WeftResult result = open_world(job, path, NULL, &world, error);
  if (!result) result = weft_check_world(world, NULL, &check, error);
  state->hits = check.total.hits;
  weft_check_free(&check);
  weft_world_destroy(world);
  if (!result && state->step < job->run->step_count) result = count_before(job, path, &state->before, error);
  return result;
}

/* Both queries of one method, again and again: medians. The first is not counted, so that methods which
 * remember the last step do. The twin of the tests compares all with all, remembers nothing and takes half a
 * minute: its first is the one that counts. */
static WeftResult time_method(const JudgeJob *job, const Joined *joined, BenchDetection *timed,
                              WeftError *error) {
  enum { TIMES = 7 };
  const double CLOSE = 1e-3; /* the benchmarks' contact distance [m] */
  bool is_twin = strcmp(timed->method, "brute") == 0;
  int times = is_twin ? 1 : TIMES;
  double close[TIMES], impacts[TIMES];
  WeftDetection *detection = NULL;
  WeftDetected found;
  WeftResult result = open_detection(job, joined, timed->method, &detection, error);
  for (int i = is_twin ? 0 : -1; i < times && !result; i++) {
    double start = weft_seconds();
    result = weft_detection_close(detection, joined->start, CLOSE, &found, error);
    if (result) break;
    timed->close_count = found.vertex_face.count + found.edge_edge.count;
    double middle = weft_seconds();
    result = weft_detection_impacts(detection, joined->start, joined->end, 0, &found, error);
    if (result) break;
    timed->impact_count = found.vertex_face.count + found.edge_edge.count;
    if (i < 0) continue;
    close[i] = middle - start;
    impacts[i] = weft_seconds() - middle;
  }
  weft_detection_destroy(detection);
  if (result) return result;
  timed->close = bench_median(times, close);
  timed->impacts = bench_median(times, impacts);
  return WEFT_RESULT_OK;
}

static WeftResult time_detection(const JudgeJob *job, const char *path, BenchResult *result,
                                 WeftError *error) {
  Joined joined = {0};
  WeftResult outcome = make_step(job, path, NULL, &joined, error);
  for (int32_t i = 0; i < weft_method_count() && !outcome; i++) {
    WeftMethodInfo method = weft_method_info(i);
    if (strcmp(method.family, "broad_phase") != 0) continue;
    if (result->detection_count == BENCH_METHODS_MOST) break;
    BenchDetection *timed = &result->detections[result->detection_count++];
    snprintf(timed->method, sizeof timed->method, "%s", method.name);
    outcome = time_method(job, &joined, timed, error);
  }
  free_joined(&joined);
  return outcome;
}

static char *state_path(const char *folder, int32_t step) {
  char name[32];
  snprintf(name, sizeof name, "state_%d.weft", step);
  return join_path(folder, name);
}

/* The steps whose states were saved: see bench_run.c. */
static void list_states(BenchResult *result) {
  int32_t count = result->step_count, every = (count + BENCH_STATES - 1) / BENCH_STATES;
  for (int32_t step = 0; step < count; step += every)
    result->states[result->state_count++] = (BenchState){.step = step, .before = -1};
  result->states[result->state_count++] = (BenchState){.step = count, .before = -1};
}

/* Of the states with a step behind them the one with most contacts in it. */
static int32_t busiest_state(const BenchResult *result) {
  int32_t best = 0;
  for (int32_t i = 0; i < result->state_count; i++) {
    int32_t step = result->states[i].step;
    if (step < result->step_count && result->steps[step].contacts > result->steps[best].contacts) best = step;
  }
  return best;
}

static bool judge_all(const void *given, FILE *stream) {
  const JudgeJob *job = given;
  BenchResult *result = calloc(1, sizeof *result);
  if (!result) return false;
  *result = *job->run;
  WeftError error = {.message = ""};
  WeftResult outcome = WEFT_RESULT_OK;
  for (int32_t i = 0; i < result->state_count && !outcome; i++) {
    char *path = state_path(job->folder, result->states[i].step);
    outcome = path ? judge_state(job, path, &result->states[i], &error) : WEFT_RESULT_OUT_OF_MEMORY;
    free(path);
  }
  if (!outcome && result->bench->detects) {
    result->detection_step = busiest_state(result);
    char *path = state_path(job->folder, result->detection_step);
    outcome = path ? time_detection(job, path, result, &error) : WEFT_RESULT_OUT_OF_MEMORY;
    free(path);
  }
  if (outcome)
    snprintf(result->failure, sizeof result->failure, "judging: %.480s",
             error.message[0] ? error.message : weft_result_name(outcome));
  bool is_written = fwrite(result, sizeof *result, 1, stream) == 1;
  free(result);
  return is_written;
}

void bench_judge(const BenchOptions *options, const char *folder, BenchResult *result) {
  list_states(result);
  JudgeJob job = {options, folder, result};
  BenchStep *steps = result->steps;
  FILE *stream = bench_in_process(judge_all, &job);
  BenchResult judged;
  if (stream && fread(&judged, sizeof judged, 1, stream) == 1) {
    *result = judged; /* pointers in it are the parent's own */
    result->steps = steps;
  } else if (!result->failure[0]) {
    snprintf(result->failure, sizeof result->failure, "judging ended without a result");
  }
  if (stream) fclose(stream);
}
