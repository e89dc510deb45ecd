/* weft bench, in parts: options and order (bench.c), what is run (bench_cases.c) and what others published
 * about it (bench_published.c), runs and their judging in processes of their own (bench_run.c,
 * bench_judge.c), what is kept of them (bench_part.c), medians and limits (bench_sum.c), tables
 * (bench_table.c), files and comparison (bench_file.c), plots (bench_plot.c, chart.c). docs/performance.md
 * tells what the columns mean. */
#ifndef WEFT_CLI_BENCH_H
#define WEFT_CLI_BENCH_H

#include "bench/machine.h"
#include "cli/cli.h"

#include <weft/detect.h>

enum { BENCH_SETS_MOST = 12, BENCH_METHODS_MOST = 16, BENCH_STATES = 10 };

/* One scene at one size and step. */
typedef struct BenchCase {
  const char *name;  /* "drape-40k"; the part before the - names the group */
  const char *scene; /* below scenes/ */
  const char *sets[BENCH_SETS_MOST];
  const char *quick[BENCH_SETS_MOST]; /* these too with --quick */
  bool detects;                       /* detection alone is timed as well, by every method */
} BenchCase;
extern const BenchCase bench_cases[];
extern const int bench_case_count;

/* A figure that somebody published. */
typedef struct BenchPublished {
  const char *name;      /* of the case */
  const char *source;    /* "CAMA" */
  const char *place;     /* key of docs/references.bib, figure or table */
  const char *hardware;  /* "Tesla K40c" */
  double seconds;        /* a step; 0: not told */
  double close, impacts; /* detection alone: distances, CCD [s]; 0: not told */
  const char *note;      /* what differs, or what was found; NULL: nothing to say */
} BenchPublished;
extern const BenchPublished bench_published[];
extern const int bench_published_count;

/* One step of a run. */
typedef struct BenchStep {
  double seconds, stages[WEFT_STAGE_COUNT];
  int64_t iterations;      /* of the linear solver */
  int64_t contacts;        /* close pairs */
  int64_t impacts;         /* what the first link of the chain was given: after contact forces */
  int64_t rounds;          /* of all links */
  int64_t link_iterations; /* inside them */
  int64_t limited;         /* vertices that did not get where they wanted */
} BenchStep;

/* A state on the way, judged. */
typedef struct BenchState {
  int32_t step;   /* steps done */
  int64_t hits;   /* edges that meet triangles */
  int64_t before; /* impacts of the next step without contact forces; -1 after the last step */
} BenchState;

typedef struct BenchDetection {
  char method[WEFT_NAME_SIZE];
  double close, impacts; /* [s] */
  int64_t close_count, impact_count;
} BenchDetection;

typedef struct BenchResult {
  const BenchCase *bench;
  char failure[512]; /* "" when all went well */
  WeftReport report; /* of the first run, at its end */
  int32_t step_count, run_count;
  BenchStep *steps; /* medians over the runs */
  double stolen;    /* part of the processors' time that the host gave to others while runs ran */
  int32_t state_count;
  BenchState states[BENCH_STATES + 1];
  int32_t detection_count, detection_step;
  BenchDetection detections[BENCH_METHODS_MOST];
} BenchResult;

typedef struct BenchOptions {
  bool is_quick, is_json, resumes;
  const char *compare, *out;
  int32_t threads, repeat;
  Texts sets; /* --set, for every case */
} BenchOptions;

/* Work done in a process of its own, so that its memory is its own and a crash ends nothing else. It writes
 * its result into the stream and returns false after a message of its own. */
typedef bool (*BenchWork)(const void *job, FILE *result);
/* NULL after a message; otherwise the result, to be read and closed. */
FILE *bench_in_process(BenchWork work, const void *job);

/* A scene with everything that --quick and --set say. */
WeftResult bench_load(const BenchOptions *options, const BenchCase *bench, const char *extra,
                      WeftScene **scene, WeftError *error);
/* Runs and judges a case. What went wrong is in its failure. False when out of memory. */
bool bench_run(const BenchOptions *options, const BenchCase *bench, BenchResult *result);
/* Judges states saved by a run: a file each, "FOLDER/state_STEP.weft". */
void bench_judge(const BenchOptions *options, const char *folder, BenchResult *result);

/* Keeps a result, and finds one that was kept by the same program for the same; false: there is none. */
bool bench_part_write(const BenchOptions *options, const Machine *machine, const BenchResult *result);
bool bench_part_read(const BenchOptions *options, const Machine *machine, const BenchCase *bench,
                     BenchResult *result);

/* Sums over a run. */
typedef struct BenchSums {
  double mean, worst; /* seconds of a step */
  double stages[WEFT_STAGE_COUNT], worst_stages[WEFT_STAGE_COUNT];
  double iterations, contacts, impacts, rounds, limited; /* a step */
  int64_t contacts_most, impacts_most;
  int32_t contacts_most_step;
  double before, after; /* impacts of judged steps, mean; before < 0: none were judged */
  int64_t hits, hits_most;
} BenchSums;
BenchSums bench_sum(const BenchResult *result);
/* The least time a stage of a mean step could take on this machine [s]; 0 where none can be stated. */
double bench_limit(const BenchResult *result, const Machine *machine, int stage);
double bench_median(int count, double *values);

extern const char *const bench_stage_names[WEFT_STAGE_COUNT];
/* All tables as Markdown; published figures are left out with --quick, whose sizes are not theirs. */
void bench_print_tables(FILE *stream, const BenchOptions *options, const Machine *machine, int count,
                        const BenchResult *results);
/* Tables, JSON and plots into the folder. False after a message. */
bool bench_write(const BenchOptions *options, const char *date, const Machine *machine, int count,
                 const BenchResult *results);
bool bench_write_json(const char *path, const BenchOptions *options, const char *date, const Machine *machine,
                      int count, const BenchResult *results);
bool bench_write_plots(const BenchOptions *options, int count, const BenchResult *results);
/* Prints what became slower or faster than in an earlier file by more than a tenth; *slower counts them.
 * False after a message. */
bool bench_compare(FILE *stream, const char *path, int count, const BenchResult *results, int *slower);

#endif
