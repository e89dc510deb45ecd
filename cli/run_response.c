#include "cli/run_response.h"

#include "cli/cli.h"

#include <errno.h>
#include <string.h>

bool run_response_open(RunResponse *response, const char *folder, WeftWorld *world, bool is_resumed) {
  WeftError error;
  WeftReport report;
  *response = (RunResponse){0};
  if (weft_world_report(world, &report, &error) != WEFT_RESULT_OK) {
    fail("%s", error.message);
    return false;
  }
  memcpy(response->names, report.link_in_chain, sizeof response->names);
  int32_t count = weft_world_response(world, response->before);
  return step_table_open(&response->table, folder, "response.csv",
                         "step,time,link,impacts,rounds,iterations,limited,left,seconds", count > 0,
                         is_resumed, weft_world_step_count(world));
}

WeftResult run_response_step(RunResponse *response, WeftWorld *world, WeftError *error) {
  FILE *stream = response->table.stream;
  WeftLinkReport now[WEFT_CHAIN_MOST];
  if (!stream) return WEFT_RESULT_OK;
  int32_t count = weft_world_response(world, now);
  for (int32_t i = 0; i < count; i++) {
    const WeftLinkReport *link = &now[i], *old = &response->before[i];
    if (link->steps == old->steps) continue;
    fprintf(stream, "%lld,%.17g,%s,%lld,%lld,%lld,%lld,%lld,%.6g\n", (long long)weft_world_step_count(world),
            weft_world_time(world), response->names[i], (long long)(link->impacts - old->impacts),
            (long long)(link->rounds - old->rounds), (long long)(link->iterations - old->iterations),
            (long long)(link->limited - old->limited), (long long)(link->left - old->left),
            link->seconds - old->seconds);
    response->before[i] = *link;
  }
  if (fflush(stream) == 0) return WEFT_RESULT_OK;
  *error = (WeftError){.result = WEFT_RESULT_IO};
  snprintf(error->message, sizeof error->message, "response.csv: cannot be written: %s", strerror(errno));
  return WEFT_RESULT_IO;
}
