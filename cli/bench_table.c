/* The tables of weft bench: Markdown that can be read as it is. docs/performance.md explains the columns. */
#include "cli/bench.h"

#include <math.h>
#include <string.h>

/* A length of time a person can read: three digits, in ms below a second. */
static const char *duration(char text[24], double seconds) {
  if (!(seconds > 0)) return strcpy(text, "–");
  double value = seconds < 1 ? 1e3 * seconds : seconds;
  int digits = value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0;
  snprintf(text, 24, "%.*f %s", digits, value, seconds < 1 ? "ms" : "s");
  return text;
}

static void print_machine(FILE *stream, const Machine *machine) {
  fprintf(stream, "Machine: %s, %d thread%s, load %.1f before; library %s. ",
          machine->cpu[0] ? machine->cpu : "unknown CPU", machine->threads, machine->threads == 1 ? "" : "s",
          machine->load, weft_instruction_set());
  fprintf(stream, "Measured in this run over %.0f MB: %.1f GB/s, %.1f Gflop/s, %.0f ns a dependent read.\n\n",
          1e-6 * (double)machine->bytes, 1e-9 * machine->bandwidth, 1e-9 * machine->flops,
          1e9 * machine->latency);
}

static bool is_fine(const BenchResult *result) { return !result->failure[0] && result->steps; }

static void print_times(FILE *stream, int count, const BenchResult *results) {
  char a[24];
  fputs("| benchmark | triangles | h [s] | steps | runs | stolen | mean step |", stream);
  for (int s = 0; s < WEFT_STAGE_COUNT; s++) fprintf(stream, " %s |", bench_stage_names[s]);
  fputs("\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n", stream);
  for (int i = 0; i < count; i++) {
    const BenchResult *r = &results[i];
    if (!is_fine(r)) {
      fprintf(stream, "| %s | failed: %s | | | | | | | | | | | |\n", r->bench->name, r->failure);
      continue;
    }
    BenchSums sums = bench_sum(r);
    fprintf(stream, "| %s | %d | 1/%.0f | %d | %d | %.0f %% | %s |", r->bench->name, r->report.triangle_count,
            1 / r->report.time_step, r->step_count, r->run_count, 100 * r->stolen, duration(a, sums.mean));
    for (int s = 0; s < WEFT_STAGE_COUNT; s++) fprintf(stream, " %s |", duration(a, sums.stages[s]));
    fputc('\n', stream);
  }
}

/* The longest that each stage took in any step; not all in the same one. */
static void print_worst(FILE *stream, int count, const BenchResult *results) {
  char text[24];
  fputs("\n| worst of a step | in all |", stream);
  for (int s = 0; s < WEFT_STAGE_COUNT; s++) fprintf(stream, " %s |", bench_stage_names[s]);
  fputs("\n|---|---|---|---|---|---|---|---|\n", stream);
  for (int i = 0; i < count; i++) {
    const BenchResult *r = &results[i];
    if (!is_fine(r)) continue;
    BenchSums sums = bench_sum(r);
    fprintf(stream, "| %s | %s |", r->bench->name, duration(text, sums.worst));
    for (int s = 0; s < WEFT_STAGE_COUNT; s++) fprintf(stream, " %s |", duration(text, sums.worst_stages[s]));
    fputc('\n', stream);
  }
}

static void print_work(FILE *stream, int count, const BenchResult *results) {
  fputs(
      "\n| benchmark | iterations | contacts mean | most (at step) | impacts without contact forces | with | "
      "most | "
      "rounds | limited | left | intersections | peak MB "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|\n",
      stream);
  for (int i = 0; i < count; i++) {
    const BenchResult *r = &results[i];
    if (!is_fine(r)) continue;
    BenchSums sums = bench_sum(r);
    fprintf(stream,
            "| %s | %.1f | %.0f | %lld (%d) | %.1f | %.1f | %lld | %.2f | %.2f | %lld | %lld | %.0f |\n",
            r->bench->name, sums.iterations, sums.contacts, (long long)sums.contacts_most,
            sums.contacts_most_step, sums.before, sums.after, (long long)sums.impacts_most, sums.rounds,
            sums.limited, (long long)r->report.impacts_left, (long long)sums.hits_most,
            1e-6 * (double)r->report.peak_memory);
  }
}

static void print_limits(FILE *stream, const Machine *machine, int count, const BenchResult *results) {
  fputs("\n| times its limit |", stream);
  for (int s = 0; s < WEFT_STAGE_COUNT; s++) fprintf(stream, " %s |", bench_stage_names[s]);
  fputs("\n|---|---|---|---|---|---|---|\n", stream);
  for (int i = 0; i < count; i++) {
    const BenchResult *r = &results[i];
    if (!is_fine(r)) continue;
    BenchSums sums = bench_sum(r);
    fprintf(stream, "| %s |", r->bench->name);
    for (int s = 0; s < WEFT_STAGE_COUNT; s++) {
      double limit = bench_limit(r, machine, s);
      if (limit > 0)
        fprintf(stream, " %.1f |", sums.stages[s] / limit);
      else
        fputs(" – |", stream);
    }
    fputc('\n', stream);
  }
}

static bool has_published(const BenchResult *result) {
  for (int p = 0; p < bench_published_count; p++)
    if (strcmp(bench_published[p].name, result->bench->name) == 0) return true;
  return false;
}

/* Steps: ours beside theirs. */
static void print_published(FILE *stream, int count, const BenchResult *results) {
  char a[24], b[24];
  bool has_any = false;
  for (int i = 0; i < count; i++) has_any = has_any || (is_fine(&results[i]) && has_published(&results[i]));
  if (!has_any) return;
  fputs(
      "\n| benchmark | here | published | by | on | ours / theirs | note |\n|---|---|---|---|---|---|---|\n",
      stream);
  for (int i = 0; i < count; i++) {
    const BenchResult *r = &results[i];
    for (int p = 0; is_fine(r) && p < bench_published_count; p++) {
      const BenchPublished *other = &bench_published[p];
      if (strcmp(other->name, r->bench->name) != 0 || (other->close + other->impacts > 0)) continue;
      double mean = bench_sum(r).mean;
      fprintf(stream, "| %s | %s | %s | %s [%s] | %s | ", r->bench->name, duration(a, mean),
              duration(b, other->seconds), other->source, other->place, other->hardware);
      if (other->seconds > 0)
        fprintf(stream, "%.2f", mean / other->seconds);
      else
        fputs("–", stream);
      fprintf(stream, " | %s |\n", other->note ? other->note : "");
    }
  }
}

/* Detection alone, of one step. */
static void print_detection(FILE *stream, bool with_published, int count, const BenchResult *results) {
  char a[24], b[24];
  bool is_begun = false;
  for (int i = 0; i < count; i++) {
    const BenchResult *r = &results[i];
    if (!is_fine(r) || !r->detection_count) continue;
    if (!is_begun)
      fputs(
          "\n| detection alone | triangles, obstacles too | step | method | pairs within 1 mm | impacts | "
          "distances | "
          "CCD |\n|---|---|---|---|---|---|---|---|\n",
          stream);
    is_begun = true;
    for (int d = 0; d < r->detection_count; d++) {
      const BenchDetection *timed = &r->detections[d];
      fprintf(stream, "| %s | %d | %d | %s | %lld | %lld | %s | %s |\n", r->bench->name,
              r->report.triangle_count + r->report.obstacle_triangle_count, r->detection_step + 1,
              timed->method, (long long)timed->close_count, (long long)timed->impact_count,
              duration(a, timed->close), duration(b, timed->impacts));
    }
    for (int p = 0; with_published && p < bench_published_count; p++) {
      const BenchPublished *other = &bench_published[p];
      if (strcmp(other->name, r->bench->name) != 0 || !(other->close + other->impacts > 0)) continue;
      fprintf(stream, "| %s | | | published: %s [%s], %s | | | %s | %s |\n", r->bench->name, other->source,
              other->place, other->hardware, duration(a, other->close), duration(b, other->impacts));
    }
  }
}

void bench_print_tables(FILE *stream, const BenchOptions *options, const Machine *machine, int count,
                        const BenchResult *results) {
  print_machine(stream, machine);
  print_times(stream, count, results);
  print_worst(stream, count, results);
  print_work(stream, count, results);
  print_limits(stream, machine, count, results);
  if (!options->is_quick) print_published(stream, count, results);
  print_detection(stream, !options->is_quick, count, results);
}
