/* Runs of a benchmark, each in a process of its own, and medians over them. */
#include "base/timer.h"
#include "cli/bench.h"
#include "cli/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs are repeated as long as they take less than this together [s]: what runs for an hour is not measured
 * better by a second hour, and its steps differ more from each other than its runs do. */
static const double REPEAT_SECONDS = 120;
enum { RUNS_MOST = 16 };

FILE *bench_in_process(BenchWork work, const void *job) {
  FILE *result = tmpfile();
  if (!result) {
    fail("no temporary file: %s", strerror(errno));
    return NULL;
  }
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) _exit(work(job, result) && fflush(result) == 0 ? EXIT_FINE : EXIT_FAILED);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) {
    fail("no process of its own: %s", strerror(errno));
  } else if (WIFSIGNALED(status)) {
    fail("ended by signal %d", WTERMSIG(status));
  } else if (WEXITSTATUS(status) == EXIT_FINE) {
    rewind(result);
    return result;
  }
  fclose(result);
  return NULL;
}

WeftResult bench_load(const BenchOptions *options, const BenchCase *bench, const char *extra,
                      WeftScene **scene, WeftError *error) {
  int count = 0, most = 2 * BENCH_SETS_MOST + options->sets.count + 1;
  const char **sets = calloc((size_t)most, sizeof *sets);
  char *path = find_scene(bench->scene);
  WeftResult result = WEFT_RESULT_OUT_OF_MEMORY;
  snprintf(error->message, sizeof error->message, "%s: out of memory, or no such scene beside the program",
           bench->scene);
  if (sets && path) {
    for (int i = 0; i < BENCH_SETS_MOST && bench->sets[i]; i++) sets[count++] = bench->sets[i];
    for (int i = 0; options->is_quick && i < BENCH_SETS_MOST && bench->quick[i]; i++)
      sets[count++] = bench->quick[i];
    for (int i = 0; i < options->sets.count; i++) sets[count++] = options->sets.items[i];
    if (extra) sets[count++] = extra;
    result = weft_scene_load(path, sets, count, (WeftLog){0}, scene, error);
  }
  free(path);
  free(sets);
  return result;
}

typedef struct RunJob {
  const BenchOptions *options;
  const BenchCase *bench;
  const char *folder; /* states go here; NULL: none */
} RunJob;

/* What a run tells, before its steps. */
typedef struct RunFacts {
  bool is_fine;
  char message[512];
  WeftReport report;
  int32_t step_count;
} RunFacts;

static int64_t sum_links(const WeftReport *report, size_t offset) {
  int64_t sum = 0;
  for (int i = 0; i < report->link_in_chain_count; i++)
    sum += *(const int64_t *)(const void *)((const char *)&report->links[i] + offset);
  return sum;
}

static BenchStep difference(const WeftReport *before, const WeftReport *after) {
  BenchStep step = {.seconds = after->seconds - before->seconds,
                    .iterations = after->solver_iterations - before->solver_iterations,
                    .contacts = after->contacts - before->contacts,
                    .impacts = after->links[0].impacts - before->links[0].impacts};
  for (int s = 0; s < WEFT_STAGE_COUNT; s++)
    step.stages[s] = after->stage_seconds[s] - before->stage_seconds[s];
  const size_t rounds = offsetof(WeftLinkReport, rounds), inside = offsetof(WeftLinkReport, iterations),
               limited = offsetof(WeftLinkReport, limited);
  step.rounds = sum_links(after, rounds) - sum_links(before, rounds);
  step.link_iterations = sum_links(after, inside) - sum_links(before, inside);
  step.limited = sum_links(after, limited) - sum_links(before, limited);
  return step;
}

static WeftResult save_state(const RunJob *job, WeftWorld *world, int32_t step, int32_t every,
                             WeftError *error) {
  if (!job->folder || step % every) return WEFT_RESULT_OK;
  char name[32];
  snprintf(name, sizeof name, "state_%d.weft", step);
  char *path = join_path(job->folder, name);
  WeftResult result = path ? weft_world_save_file(world, path, error) : WEFT_RESULT_OUT_OF_MEMORY;
  free(path);
  return result;
}

/* Step by step: the report's differences. */
static WeftResult run_steps(const RunJob *job, WeftWorld *world, RunFacts *facts, BenchStep *steps,
                            WeftError *error) {
  WeftReport before = {0}, after = {0};
  int32_t count = facts->step_count, every = (count + BENCH_STATES - 1) / BENCH_STATES;
  WeftResult result = weft_world_report(world, &before, error);
  for (int32_t i = 0; i < count && !result; i++) {
    result = save_state(job, world, i, every, error);
    if (!result) result = weft_world_step(world, 1, error);
    if (!result) result = weft_world_report(world, &after, error);
    if (!result) steps[i] = difference(&before, &after);
    before = after;
  }
  facts->report = after;
  if (!result) result = save_state(job, world, count, count, error);
  return result;
}

static bool run_once(const void *given, FILE *stream) {
  const RunJob *job = given;
  WeftScene *scene = NULL;
  WeftWorld *world = NULL;
  WeftError error = {.message = ""};
  RunFacts facts = {0};
  BenchStep *steps = NULL;
  WeftResult result = bench_load(job->options, job->bench, NULL, &scene, &error);
  if (!result) result = weft_scene_create_world(scene, job->options->threads, (WeftLog){0}, &world, &error);
  if (!result) {
    WeftSceneInfo info = weft_scene_info(scene);
    facts.step_count = info.frames * info.steps_per_frame;
    if (facts.step_count < 1) {
      result = WEFT_RESULT_INVALID_ARGUMENT;
      snprintf(error.message, sizeof error.message, "the scene has no frames");
    }
  }
  if (!result) {
    steps = calloc((size_t)facts.step_count + 1, sizeof *steps);
    result = steps ? run_steps(job, world, &facts, steps, &error) : WEFT_RESULT_OUT_OF_MEMORY;
  }
  facts.is_fine = !result;
  if (result)
    snprintf(facts.message, sizeof facts.message, "%.500s",
             error.message[0] ? error.message : weft_result_name(result));
  bool is_written =
      fwrite(&facts, sizeof facts, 1, stream) == 1 &&
      (result || fwrite(steps, sizeof *steps, (size_t)facts.step_count, stream) == (size_t)facts.step_count);
  free(steps);
  weft_world_destroy(world);
  weft_scene_destroy(scene);
  return is_written;
}

/* One run; its steps are freed by the caller, NULL when it failed. */
static BenchStep *take_run(const RunJob *job, BenchResult *result, bool is_first) {
  RunFacts facts;
  FILE *stream = bench_in_process(run_once, job);
  BenchStep *steps = NULL;
  if (!stream || fread(&facts, sizeof facts, 1, stream) != 1) {
    snprintf(result->failure, sizeof result->failure, "the run ended without a result");
  } else if (!facts.is_fine) {
    snprintf(result->failure, sizeof result->failure, "%s", facts.message);
  } else {
    size_t count = (size_t)facts.step_count;
    steps = calloc(count + 1, sizeof *steps);
    if (!steps || fread(steps, sizeof *steps, count, stream) != count) {
      snprintf(result->failure, sizeof result->failure, "the run's result was not complete");
      free(steps);
      steps = NULL;
    }
  }
  if (stream) fclose(stream);
  if (!steps) return NULL;
  if (is_first) {
    result->report = facts.report;
    result->step_count = facts.step_count;
  } else if (facts.report.state_hash != result->report.state_hash) {
    snprintf(result->failure, sizeof result->failure, "two runs ended with different bits");
  }
  return steps;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(int count, double *values) {
  qsort(values, (size_t)count, sizeof *values, by_value);
  return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

/* Seconds: medians over the runs, step by step. Counts are the same in all. */
static void take_medians(BenchResult *result, int run_count, BenchStep *const *runs) {
  double values[RUNS_MOST];
  for (int32_t i = 0; i < result->step_count; i++) {
    BenchStep *step = &result->steps[i];
    *step = runs[0][i];
    for (int r = 0; r < run_count; r++) values[r] = runs[r][i].seconds;
    step->seconds = bench_median(run_count, values);
    for (int s = 0; s < WEFT_STAGE_COUNT; s++) {
      for (int r = 0; r < run_count; r++) values[r] = runs[r][i].stages[s];
      step->stages[s] = bench_median(run_count, values);
    }
  }
}

/* Ticks of all processors since the machine started, and those that the host gave to others. */
static void count_ticks(double *all, double *stolen) {
  char line[256] = "";
  FILE *file = fopen("/proc/stat", "r");
  *all = *stolen = 0;
  if (file && fgets(line, sizeof line, file)) {
    /* user nice system idle iowait irq softirq steal; what follows is part of these */
    char *at = line + strcspn(line, " ");
    for (int i = 0; i < 8; i++) *all += *stolen = strtod(at, &at);
  }
  if (file) fclose(file);
}

/* Runs until there are enough of them, time is up or one fails; returns how many there are. */
static int run_several(const BenchOptions *options, const char *folder, BenchResult *result,
                       BenchStep **runs) {
  int wanted = options->repeat < RUNS_MOST ? options->repeat : RUNS_MOST, count = 0;
  double begun = weft_seconds(), all[2], stolen[2];
  count_ticks(&all[0], &stolen[0]);
  while (!result->failure[0] && count < wanted) {
    RunJob job = {options, result->bench, count == 0 ? folder : NULL};
    BenchStep *steps = take_run(&job, result, count == 0);
    if (!steps) break;
    runs[count++] = steps;
    if (weft_seconds() - begun > REPEAT_SECONDS) break;
  }
  count_ticks(&all[1], &stolen[1]);
  if (all[1] > all[0]) result->stolen = (stolen[1] - stolen[0]) / (all[1] - all[0]);
  return count;
}

/* The folder of the states, and what a run that failed has left there too. */
static void remove_states(const char *folder) {
  DIR *open_folder = opendir(folder);
  for (struct dirent *entry; open_folder && (entry = readdir(open_folder));) {
    char *path = strncmp(entry->d_name, "state_", 6) == 0 ? join_path(folder, entry->d_name) : NULL;
    if (path) unlink(path);
    free(path);
  }
  if (open_folder) closedir(open_folder);
  rmdir(folder);
}

bool bench_run(const BenchOptions *options, const BenchCase *bench, BenchResult *result) {
  *result = (BenchResult){.bench = bench};
  char *folder = join_path(options->out, bench->name);
  if (!folder) return false;
  if (!make_folder(folder))
    snprintf(result->failure, sizeof result->failure, "%.400s: %s", folder, strerror(errno));
  BenchStep *runs[RUNS_MOST] = {0};
  int count = run_several(options, folder, result, runs);
  result->run_count = count;
  bool is_fine = true;
  if (runs[0]) {
    result->steps = calloc((size_t)result->step_count + 1, sizeof *result->steps);
    is_fine = result->steps != NULL;
    if (is_fine) take_medians(result, count, runs);
    if (is_fine) bench_judge(options, folder, result);
  }
  for (int r = 0; r < count; r++) free(runs[r]);
  remove_states(folder);
  free(folder);
  return is_fine;
}
