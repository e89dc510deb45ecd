/* Results of weft bench as files: tables, JSON, plots; and the comparison with an earlier JSON. */
#include "base/json.h"
#include "base/json_write.h"
#include "base/read_file.h"
#include "cli/bench.h"
#include "cli/files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More than this is told as slower. */
static const double SLOWER = 1.10;

static void write_machine(WeftJsonWriter *json, const Machine *machine) {
  weft_json_write_key(json, "machine");
  weft_json_begin_object(json);
  weft_json_write_text_at(json, "cpu", machine->cpu);
  weft_json_write_integer_at(json, "threads", machine->threads);
  weft_json_write_text_at(json, "instruction_set", weft_instruction_set());
  weft_json_write_number_at(json, "load", machine->load);
  weft_json_write_integer_at(json, "bytes", (int64_t)machine->bytes);
  weft_json_write_number_at(json, "bandwidth", machine->bandwidth);
  weft_json_write_number_at(json, "flops", machine->flops);
  weft_json_write_number_at(json, "latency", machine->latency);
  weft_json_end_object(json);
}

static void write_stages(WeftJsonWriter *json, const char *key, const double *values) {
  weft_json_write_key(json, key);
  weft_json_begin_object(json);
  for (int s = 0; s < WEFT_STAGE_COUNT; s++) weft_json_write_number_at(json, bench_stage_names[s], values[s]);
  weft_json_end_object(json);
}

/* One list a column, a value a step. */
static void write_steps(WeftJsonWriter *json, const BenchResult *result) {
  static const char *const names[] = {"seconds", "iterations", "contacts", "impacts", "rounds", "limited"};
  weft_json_write_key(json, "each_step");
  weft_json_begin_object(json);
  for (int column = 0; column < 6; column++) {
    weft_json_write_key(json, names[column]);
    weft_json_begin_list(json);
    for (int32_t i = 0; i < result->step_count; i++) {
      const BenchStep *step = &result->steps[i];
      const int64_t counts[] = {
          0, step->iterations, step->contacts, step->impacts, step->rounds, step->limited};
      if (column == 0)
        weft_json_write_number(json, step->seconds);
      else
        weft_json_write_integer(json, counts[column]);
    }
    weft_json_end_list(json);
  }
  weft_json_end_object(json);
}

static void write_judged(WeftJsonWriter *json, const BenchResult *result) {
  weft_json_write_key(json, "judged");
  weft_json_begin_list(json);
  for (int32_t i = 0; i < result->state_count; i++) {
    const BenchState *state = &result->states[i];
    weft_json_begin_object(json);
    weft_json_write_integer_at(json, "step", state->step);
    weft_json_write_integer_at(json, "intersections", state->hits);
    if (state->before >= 0) weft_json_write_integer_at(json, "impacts_without_contact_forces", state->before);
    weft_json_end_object(json);
  }
  weft_json_end_list(json);
  weft_json_write_key(json, "detection");
  weft_json_begin_list(json);
  for (int32_t i = 0; i < result->detection_count; i++) {
    const BenchDetection *timed = &result->detections[i];
    weft_json_begin_object(json);
    weft_json_write_text_at(json, "method", timed->method);
    weft_json_write_integer_at(json, "step", result->detection_step + 1);
    weft_json_write_integer_at(json, "close", timed->close_count);
    weft_json_write_integer_at(json, "impacts", timed->impact_count);
    weft_json_write_number_at(json, "close_seconds", timed->close);
    weft_json_write_number_at(json, "impacts_seconds", timed->impacts);
    weft_json_end_object(json);
  }
  weft_json_end_list(json);
}

static void write_sums(WeftJsonWriter *json, const BenchResult *result, const Machine *machine) {
  BenchSums sums = bench_sum(result);
  double limits[WEFT_STAGE_COUNT];
  for (int s = 0; s < WEFT_STAGE_COUNT; s++) limits[s] = bench_limit(result, machine, s);
  weft_json_write_number_at(json, "mean_seconds", sums.mean);
  weft_json_write_number_at(json, "worst_seconds", sums.worst);
  write_stages(json, "stage_seconds", sums.stages);
  write_stages(json, "worst_stage_seconds", sums.worst_stages);
  write_stages(json, "stage_limits", limits);
  weft_json_write_number_at(json, "iterations", sums.iterations);
  weft_json_write_number_at(json, "contacts", sums.contacts);
  weft_json_write_integer_at(json, "contacts_most", sums.contacts_most);
  weft_json_write_integer_at(json, "contacts_most_step", sums.contacts_most_step);
  weft_json_write_number_at(json, "impacts_without_contact_forces", sums.before);
  weft_json_write_number_at(json, "impacts_with_contact_forces", sums.after);
  weft_json_write_number_at(json, "impacts", sums.impacts);
  weft_json_write_number_at(json, "rounds", sums.rounds);
  weft_json_write_number_at(json, "limited", sums.limited);
  weft_json_write_integer_at(json, "impacts_left", result->report.impacts_left);
  weft_json_write_integer_at(json, "intersections", sums.hits_most);
  weft_json_write_integer_at(json, "peak_memory", (int64_t)result->report.peak_memory);
}

static void write_result(WeftJsonWriter *json, const BenchResult *result, const Machine *machine) {
  weft_json_begin_object(json);
  weft_json_write_text_at(json, "name", result->bench->name);
  weft_json_write_text_at(json, "scene", result->bench->scene);
  if (result->failure[0]) weft_json_write_text_at(json, "failure", result->failure);
  if (!result->failure[0]) {
    weft_json_write_integer_at(json, "triangles", result->report.triangle_count);
    weft_json_write_number_at(json, "time_step", result->report.time_step);
    weft_json_write_integer_at(json, "steps", result->step_count);
    weft_json_write_integer_at(json, "runs", result->run_count);
    weft_json_write_number_at(json, "stolen", result->stolen);
    weft_json_write_text_at(json, "preconditioner", result->report.preconditioner);
    write_sums(json, result, machine);
    weft_json_write_key(json, "state_hash");
    weft_json_write_hash(json, result->report.state_hash);
    write_judged(json, result);
    write_steps(json, result);
  }
  weft_json_end_object(json);
}

bool bench_write_json(const char *path, const BenchOptions *options, const char *date, const Machine *machine,
                      int count, const BenchResult *results) {
  WeftJsonWriter json = weft_json_writer(false);
  char *written = NULL;
  size_t size;
  WeftError error;
  weft_json_begin_object(&json);
  weft_json_write_integer_at(&json, "bench_version", 1);
  weft_json_write_text_at(&json, "weft_version", weft_version());
  weft_json_write_text_at(&json, "date", date);
  weft_json_write_key(&json, "quick");
  weft_json_write_boolean(&json, options->is_quick);
  write_machine(&json, machine);
  weft_json_write_key(&json, "benchmarks");
  weft_json_begin_list(&json);
  for (int i = 0; i < count; i++) write_result(&json, &results[i], machine);
  weft_json_end_list(&json);
  weft_json_end_object(&json);
  if (weft_json_finish(&json, &written, &size, &error)) {
    fail("%s", error.message);
    return false;
  }
  bool is_written = write_text(path, written);
  if (strcmp(path, "-") == 0) putchar('\n');
  free(written);
  return is_written;
}

bool bench_write(const BenchOptions *options, const char *date, const Machine *machine, int count,
                 const BenchResult *results) {
  char name[64];
  snprintf(name, sizeof name, "%s.json", date);
  char *json = join_path(options->out, name);
  snprintf(name, sizeof name, "%s.md", date);
  char *tables = join_path(options->out, name);
  NewFile file;
  bool is_written = json && tables && bench_write_json(json, options, date, machine, count, results);
  if (is_written && (is_written = new_file_open(&file, tables))) {
    bench_print_tables(file.stream, options, machine, count, results);
    is_written = new_file_close(&file);
  }
  free(json);
  free(tables);
  return is_written && bench_write_plots(options, count, results);
}

static int32_t member(const WeftJson *json, int32_t node, const char *key) {
  bool is_object = node >= 0 && weft_json_type(json, node) == WEFT_JSON_OBJECT;
  return is_object ? weft_json_member(json, node, key, strlen(key)) : -1;
}

/* NAN when there is no such number. */
static double number_at(const WeftJson *json, int32_t node, const char *key) {
  int32_t found = member(json, node, key);
  return found >= 0 && weft_json_type(json, found) == WEFT_JSON_NUMBER ? weft_json_node(json, found)->number
                                                                       : NAN;
}

static bool is_same_text(const WeftJson *json, int32_t node, const char *key, const char *value) {
  int32_t found = member(json, node, key);
  return found >= 0 && weft_json_type(json, found) == WEFT_JSON_TEXT &&
         !strcmp(weft_json_text(json, found), value);
}

/* The case in the earlier file, at the same size, step and length; -1: none. */
static int32_t find_earlier(const WeftJson *json, const BenchResult *result) {
  int32_t list = member(json, json->root, "benchmarks");
  if (list < 0 || weft_json_type(json, list) != WEFT_JSON_LIST) return -1;
  for (int32_t item = weft_json_node(json, list)->first; item >= 0; item = weft_json_node(json, item)->next)
    if (is_same_text(json, item, "name", result->bench->name) &&
        number_at(json, item, "triangles") == result->report.triangle_count &&
        number_at(json, item, "time_step") == result->report.time_step &&
        number_at(json, item, "steps") == result->step_count)
      return item;
  return -1;
}

static int compare_one(FILE *stream, const WeftJson *json, int32_t earlier, const BenchResult *result) {
  BenchSums sums = bench_sum(result);
  double before = number_at(json, earlier, "mean_seconds"), ratio = sums.mean / before;
  int32_t stages = member(json, earlier, "stage_seconds");
  if (!(before > 0)) return 0;
  fprintf(stream, "%-18s %.4g s a step, was %.4g: %.2f times%s\n", result->bench->name, sums.mean, before,
          ratio,
          ratio > SLOWER       ? "  SLOWER"
          : ratio < 1 / SLOWER ? "  faster"
                               : "");
  for (int s = 0; s < WEFT_STAGE_COUNT; s++) {
    double was = number_at(json, stages, bench_stage_names[s]), is = sums.stages[s];
    /* a stage that hardly counts may vary as it likes */
    if (was > 0 && is > SLOWER * was && is - was > 0.02 * before)
      fprintf(stream, "%-18s   %s %.4g s, was %.4g: %.2f times\n", "", bench_stage_names[s], is, was,
              is / was);
  }
  return ratio > SLOWER;
}

static void compare_all(FILE *stream, const WeftJson *json, int count, const BenchResult *results,
                        int *slower) {
  int compared = 0;
  for (int i = 0; i < count; i++) {
    int32_t earlier = results[i].failure[0] ? -1 : find_earlier(json, &results[i]);
    if (earlier < 0) continue;
    compared++;
    *slower += compare_one(stream, json, earlier, &results[i]);
  }
  fprintf(stream,
          "%d of %d benchmarks were found there at the same size, step and length; %d slower by over 10 %%\n",
          compared, count, *slower);
}

bool bench_compare(FILE *stream, const char *path, int count, const BenchResult *results, int *slower) {
  char *bytes = NULL;
  size_t size;
  WeftJson json = {0};
  WeftError error;
  *slower = 0;
  WeftResult result = weft_read_file(path, &bytes, &size, &error);
  if (!result) result = weft_json_parse(&json, bytes, size, path, WEFT_JSON_STRICT, &error);
  if (!result && number_at(&json, json.root, "bench_version") != 1) {
    result = WEFT_RESULT_INVALID_DATA;
    snprintf(error.message, sizeof error.message, "%.400s: not a result of weft bench", path);
  }
  if (result)
    fail("%s", error.message);
  else
    compare_all(stream, &json, count, results, slower);
  weft_json_free(&json);
  free(bytes);
  return !result;
}
