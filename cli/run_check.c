#include "cli/run_check.h"

#include "cli/check.h"
#include "cli/cli.h"

#include <errno.h>
#include <string.h>

bool run_check_open(RunCheck *check, const char *folder, bool is_on, bool is_resumed, int64_t steps) {
  *check = (RunCheck){.is_on = is_on};
  return step_table_open(&check->table, folder, "check.csv",
                         "step,time,hits,crossing,touching,coplanar,pairs,contours,length", is_on, is_resumed,
                         steps);
}

static bool add_line(FILE *table, WeftWorld *world, const WeftCheckCounts *counts) {
  fprintf(table, "%lld,%.17g,%lld,%lld,%lld,%lld,%lld,%lld,%.17g\n", (long long)weft_world_step_count(world),
          weft_world_time(world), (long long)counts->hits, (long long)counts->crossing,
          (long long)counts->touching, (long long)counts->coplanar, (long long)counts->pairs,
          (long long)counts->contours, counts->length);
  return fflush(table) == 0;
}

WeftResult run_check_step(RunCheck *check, WeftWorld *world, WeftError *error) {
  if (!check->is_on) return WEFT_RESULT_OK;
  WeftCheck found;
  WeftResult result = weft_check_world(world, NULL, &found, error);
  int64_t hits = found.total.hits;
  if (result == WEFT_RESULT_OK && (hits > 0) != (check->showing > 0)) {
    WeftLog log = stderr_log();
    char text[128];
    if (hits)
      snprintf(text, sizeof text, "step %lld: %lld edge-triangle intersections",
               (long long)weft_world_step_count(world), (long long)hits);
    else
      snprintf(text, sizeof text, "step %lld: no intersections any more",
               (long long)weft_world_step_count(world));
    log.fn(hits ? WEFT_LOG_WARNING : WEFT_LOG_INFO, text, log.user);
  }
  check->showing = hits;
  if (result == WEFT_RESULT_OK && check->table.stream &&
      !add_line(check->table.stream, world, &found.total)) {
    *error = (WeftError){.result = WEFT_RESULT_IO};
    snprintf(error->message, sizeof error->message, "check.csv: cannot be written: %s", strerror(errno));
    result = WEFT_RESULT_IO;
  }
  weft_check_free(&found);
  return result;
}

bool run_check_end(const RunCheck *check, WeftWorld *world) {
  WeftReport report;
  if (!check->is_on || weft_world_report(world, &report, NULL) != WEFT_RESULT_OK) return true;
  const WeftCheckSums *sums = &report.check;
  if (sums->checks_with_hits == 0) return true;
  fail(
      "%lld of %lld checks found intersections, the first after step %lld; at most %lld, and %lld at the end",
      (long long)sums->checks_with_hits, (long long)sums->checks, (long long)sums->first_step,
      (long long)sums->hits_max, (long long)sums->hits);
  return false;
}
