/* weft: the command line. Chooses the verb and hands it the rest. */
#include "cli/cli.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const Verb *const verbs[] = {&verb_run,  &verb_check,  &verb_detect, &verb_bench, &verb_render, &verb_report,
                             &verb_view, &verb_export, &verb_info,   &verb_list,  &verb_help,   NULL};

const char *program_name = "weft";

static int print_version(void) {
  printf("weft %s\n", weft_version());
  printf("library: %s; program: %s\n", weft_instruction_set(), WEFT_COMPILER);
  return finish_stdout();
}

static int unknown_verb(const char *written) {
  const char *names[32];
  int count = 0;
  for (; verbs[count]; count++) names[count] = verbs[count]->name;
  return fail_usage(NULL, "unknown verb \"%s\"%s", written, did_you_mean(written, names, count));
}

/* Starts the program again with short spins of OpenMP's threads; its runtime reads these variables before
 * main.
 *
 * A solver iteration is a few short parallel loops. Threads that go on spinning for milliseconds after each
 * of them, as GNU's runtime does by default, gain little on an idle machine and lose everything on a busy
 * one: at a load of 8 on two cores the flag scene made 0.6 steps a second with the default and 6 with short
 * spins. Those that sleep at once have to be woken: the first 40 steps of the drape of 40K triangles take 113
 * ms each with 500 turns, 103 with 2000, 100 with 5000, 99 with 20000; at a load of 8 the flag is as fast
 * with 500 as with 20000. What the user has set stays. */
static void spin_shortly(char **arguments) {
  if (getenv("GOMP_SPINCOUNT") || getenv("OMP_WAIT_POLICY") || getenv("KMP_BLOCKTIME")) return;
  setenv("GOMP_SPINCOUNT", "5000", 1); /* GNU's runtime: some hundred microseconds */
  setenv("KMP_BLOCKTIME", "0", 1);     /* LLVM's counts in milliseconds: none */
  execv("/proc/self/exe", arguments); /* where that cannot be done the run is only slower on a busy machine */
}

int main(int argument_count, char **arguments) {
  spin_shortly(arguments);
  if (argument_count > 0) program_name = arguments[0];
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
