/* weft bench [NAME...]: options, the machine, and one case after the other. */
#include "cli/bench.h"
#include "base/timer.h"
#include "bench/find_line.h"
#include "cli/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { QUICK_BYTES = 24 << 20, FULL_BYTES = 128 << 20, RUNS = 3 };

static bool measure(const void *job, FILE *result) {
  const BenchOptions *options = job;
  Machine machine = {0};
  find_line("/proc/cpuinfo", "model name", machine.cpu);
  char line[64] = "";
  FILE *load = fopen("/proc/loadavg", "r");
  if (load && fgets(line, sizeof line, load)) machine.load = strtod(line, NULL);
  if (load) fclose(load);
  size_t bytes = options->is_quick ? QUICK_BYTES : FULL_BYTES;
  bool is_wide = strcmp(weft_instruction_set(), "x86-64-v3") == 0;
  bool is_measured = is_wide ? machine_measure_v3(&machine, options->threads, bytes)
                             : machine_measure(&machine, options->threads, bytes);
  return is_measured && fwrite(&machine, sizeof machine, 1, result) == 1;
}

static bool measure_machine(const BenchOptions *options, Machine *machine) {
  FILE *result = bench_in_process(measure, options);
  bool is_read = result && fread(machine, sizeof *machine, 1, result) == 1;
  if (result) fclose(result);
  if (!is_read) fail("the machine could not be measured");
  return is_read;
}

/* A whole name, or a group: the part before the dash. */
static bool is_named(const BenchCase *bench, const char *name) {
  size_t length = strlen(name);
  return strncmp(bench->name, name, length) == 0 && (!bench->name[length] || bench->name[length] == '-');
}

static bool is_wanted(const BenchCase *bench, int count, char **names) {
  for (int i = 0; i < count; i++)
    if (is_named(bench, names[i])) return true;
  return count == 0;
}

static int check_names(int count, char **names) {
  for (int i = 0; i < count; i++) {
    const char *known[64];
    bool is_known = false;
    for (int c = 0; c < bench_case_count && c < 64; c++) {
      known[c] = bench_cases[c].name;
      is_known = is_known || is_named(&bench_cases[c], names[i]);
    }
    if (!is_known)
      return fail_usage(&verb_bench, "no benchmark \"%s\"%s", names[i],
                        did_you_mean(names[i], known, bench_case_count));
  }
  return EXIT_FINE;
}

static void tell(const BenchResult *result, bool is_there, double seconds) {
  BenchSums sums = bench_sum(result);
  if (result->failure[0])
    fprintf(stderr, "%-18s failed after %.0f s: %s\n", result->bench->name, seconds, result->failure);
  else if (is_there)
    fprintf(stderr, "%-18s is there already, %.4g s a step\n", result->bench->name, sums.mean);
  else
    fprintf(stderr,
            "%-18s %d triangles, %d steps, %.4g s a step, %lld intersections; %.0f s for %d runs and judge\n",
            result->bench->name, result->report.triangle_count, result->step_count, sums.mean,
            (long long)sums.hits_most, seconds, result->run_count);
}

/* Runs what is wanted; files are written anew after every case, so that an end on the way loses one case. */
static int run_all(const BenchOptions *options, int name_count, char **names, const Machine *machine,
                   BenchResult *results, int *count) {
  char date[32];
  time_t now = time(NULL);
  struct tm broken_down;
  strftime(date, sizeof date, "%Y%m%d-%H%M%S", gmtime_r(&now, &broken_down));
  for (int c = 0; c < bench_case_count; c++) {
    if (!is_wanted(&bench_cases[c], name_count, names)) continue;
    double begun = weft_seconds();
    BenchResult *result = &results[(*count)++];
    bool is_there = options->resumes && bench_part_read(options, machine, &bench_cases[c], result);
    if (!is_there && !bench_run(options, &bench_cases[c], result)) return fail("out of memory");
    tell(result, is_there, weft_seconds() - begun);
    if (!is_there && !bench_part_write(options, machine, result)) return EXIT_FAILED;
    if (!bench_write(options, date, machine, *count, results)) return EXIT_FAILED;
  }
  if (options->is_json && !bench_write_json("-", options, date, machine, *count, results)) return EXIT_FAILED;
  if (!options->is_json) {
    bench_print_tables(stdout, options, machine, *count, results);
    printf("\nkept in %s: %s.json, %s.md, plots (*.svg)\n", options->out, date, date);
  }
  return finish_stdout();
}

/* What must not be: cases that failed, intersections, slow-downs. */
static int judge(const BenchOptions *options, int count, const BenchResult *results) {
  int failed = 0, slower = 0;
  for (int i = 0; i < count; i++) failed += results[i].failure[0] || bench_sum(&results[i]).hits_most > 0;
  if (options->compare &&
      !bench_compare(options->is_json ? stderr : stdout, options->compare, count, results, &slower))
    return EXIT_FAILED;
  if (failed) fail("%d of %d benchmarks failed or left intersections", failed, count);
  return failed || slower ? EXIT_FAILED : finish_stdout();
}

static int bench(const BenchOptions *options, int name_count, char **names) {
  if (!make_folder(options->out) || !can_write_in(options->out))
    return fail("%s: %s", options->out, strerror(errno));
  BenchResult *results = calloc((size_t)bench_case_count, sizeof *results);
  Machine machine;
  int count = 0, code = EXIT_FAILED;
  if (results && measure_machine(options, &machine))
    code = run_all(options, name_count, names, &machine, results, &count);
  if (code == EXIT_FINE) code = judge(options, count, results);
  for (int i = 0; i < count; i++) free(results[i].steps);
  free(results);
  return code;
}

static int run_bench(int argument_count, char **arguments) {
  BenchOptions options = {.out = "out/bench"};
  const Option known[] = {{"quick", OPTION_FLAG, &options.is_quick, 0},
                          {"json", OPTION_FLAG, &options.is_json, 0},
                          {"compare", OPTION_TEXT, &options.compare, 0},
                          {"out", OPTION_TEXT, &options.out, 0},
                          {"resume", OPTION_FLAG, &options.resumes, 0},
                          {"threads", OPTION_COUNT, &options.threads, 1},
                          {"repeat", OPTION_COUNT, &options.repeat, 1},
                          {"set", OPTION_TEXTS, &options.sets, 0},
                          {.kind = OPTION_END}};
  int left;
  bool is_help;
  int code = parse_options(&verb_bench, known, argument_count, arguments, &left, &is_help);
  if (code == EXIT_FINE && !is_help) code = check_names(left, arguments);
  if (!options.repeat) options.repeat = options.is_quick ? 1 : RUNS;
  if (code == EXIT_FINE && !is_help) code = bench(&options, left, arguments);
  free(options.sets.items);
  return code;
}

const Verb verb_bench = {
    .name = "bench",
    .arguments = "[NAME]... [--quick] [--json] [--compare FILE] [--resume] [OPTIONS]",
    .summary = "Measure the papers' benchmarks beside their figures.",
    .details =
        "  sphere funnel twisting dress tiered dryer sheets resolution drape ball reef bowline\n"
        "  and single sizes and steps of these: funnel-300 funnel-100 dress-100 -50 -25 -20 dryer-98k -310k\n"
        "  resolution-16k -64k -256k -1m drape-10k -20k -40k -97k. Without a name all; that takes hours.\n\n"
        "  --quick           coarse and short: whether all of it works, in less than a minute\n"
        "  --json            print the results as JSON instead of tables\n"
        "  --compare FILE    with the JSON of an earlier run: what became slower by over 10 %; exit code 1 "
        "then\n"
        "  --resume          what the same program has measured before on this kind of processor, as kept "
        "in\n"
        "                    DIR, is taken from there: for going on after an end on the way\n"
        "  --out DIR         keep JSON, tables and plots here instead of in out/bench\n"
        "  --threads N       so many threads instead of one a core\n"
        "  --repeat N        at most so many runs of each, medians are told; 3 if not said, fewer where they "
        "take\n"
        "                    over two minutes\n"
        "  --set path=value  change a value in every scene; may be given several times\n\n"
        "Every run is judged as by `weft check` at ten places, outside of the timing; exit code 1 where\n"
        "intersections were found. docs/performance.md explains the columns.\n",
    .run = run_bench,
};
