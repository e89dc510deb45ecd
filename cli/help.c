/* weft help [VERB] */
#include "cli/cli.h"

#include <string.h>

void print_verb_help(FILE *stream, const Verb *verb) {
  fprintf(stream, "usage: weft %s %s\n\n%s\n", verb->name, verb->arguments, verb->summary);
  if (verb->details) fprintf(stream, "\n%s", verb->details);
}

static void print_overview(FILE *stream) {
  fputs("weft simulates cloth.\n\nusage: weft VERB ...\n\n", stream);
  for (int v = 0; verbs[v]; v++) fprintf(stream, "  weft %-6s %s\n", verbs[v]->name, verbs[v]->summary);
  fputs(
      "  weft --version  Tell version, instruction set and compiler.\n\n"
      "`weft help VERB` or `weft VERB --help` tells more. For a start: weft run flag --out out\n"
      "Exit code: 0 fine, 1 refused or failed, 2 not understood, 130 interrupted; of weft check: 0 no\n"
      "intersections, 1 some, 2 not judged.\n",
      stream);
}

static int run_help(int argument_count, char **arguments) {
  int left;
  bool is_help;
  const Option options[] = {{.kind = OPTION_END}};
  int code = parse_options(&verb_help, options, argument_count, arguments, &left, &is_help);
  if (code != EXIT_FINE || is_help) return code;
  if (left > 1) return fail_usage(&verb_help, "one verb at a time, please");
  if (left == 0) {
    print_overview(stdout);
    return finish_stdout();
  }
  const char *names[16];
  int count = 0;
  for (; verbs[count]; count++) {
    names[count] = verbs[count]->name;
    if (strcmp(arguments[0], names[count]) == 0) {
      print_verb_help(stdout, verbs[count]);
      return finish_stdout();
    }
  }
  return fail_usage(NULL, "no verb \"%s\"%s", arguments[0], did_you_mean(arguments[0], names, count));
}

const Verb verb_help = {
    .name = "help",
    .arguments = "[VERB]",
    .summary = "Tell what the verbs do.",
    .run = run_help,
};
