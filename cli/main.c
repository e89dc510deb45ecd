/* weft: the command line. Chooses the verb and hands it the rest. */
#include "cli/cli.h"

#include <signal.h>
#include <string.h>

const Verb *const verbs[] = {&verb_run, &verb_info, &verb_list, &verb_help, NULL};

static int print_version(void) {
  printf("weft %s\n", weft_version());
  printf("library: %s; program: %s\n", weft_instruction_set(), WEFT_COMPILER);
  return finish_stdout();
}

static int unknown_verb(const char *written) {
  const char *names[8];
  int count = 0;
  for (; verbs[count]; count++) names[count] = verbs[count]->name;
  return fail_usage(NULL, "unknown verb \"%s\"%s", written, did_you_mean(written, names, count));
}

int main(int argument_count, char **arguments) {
  signal(SIGPIPE,
         SIG_IGN); /* a reader that goes away must not end a run; writes to it fail and are noticed */
  if (argument_count < 2) {
    verb_help.run(0, arguments);
    return EXIT_USAGE;
  }
  const char *first = arguments[1];
  if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) return print_version();
  if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) return verb_help.run(0, arguments);
  for (int v = 0; verbs[v]; v++)
    if (strcmp(first, verbs[v]->name) == 0) return verbs[v]->run(argument_count - 2, arguments + 2);
  if (first[0] == '-') {
    static const char *const names[] = {"--help", "--version"};
    return fail_usage(NULL, "unknown option \"%s\"%s", first, did_you_mean(first, names, 2));
  }
  return unknown_verb(first);
}
