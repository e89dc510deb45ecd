/* What the verbs of the command line share. One file a verb; main.c chooses. */
#ifndef WEFT_CLI_H
#define WEFT_CLI_H

#include <weft/scene.h>
#include <weft/weft.h>

#include <stdio.h>

/* What the program returns to the shell. */
enum { EXIT_FINE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

typedef struct Verb {
  const char *name;
  const char *arguments;                            /* as in the first line of its help */
  const char *summary;                              /* one line, for the list of verbs */
  const char *details;                              /* what `weft help VERB` says below */
  int (*run)(int argument_count, char **arguments); /* arguments after the verb */
} Verb;

extern const Verb verb_run, verb_check, verb_detect, verb_bench, verb_render, verb_report, verb_view,
    verb_export, verb_info, verb_list, verb_help;
/* Ends with NULL. */
extern const Verb *const verbs[];

void print_verb_help(FILE *stream, const Verb *verb);

/* As the program was called, for command lines that are shown. */
extern const char *program_name;

/* "weft: " message on standard error. Returns EXIT_FAILED, and EXIT_USAGE with a pointer to the verb's help.
 */
int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
int fail_usage(const Verb *verb, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* ", did you mean X?" or "", for an unknown name. The text lives until the next call. */
const char *did_you_mean(const char *written, const char *const *names, int count);

/* Options: --name VALUE, --name=VALUE, or a bare --name. */
typedef enum OptionKind { OPTION_TEXT, OPTION_FLAG, OPTION_COUNT, OPTION_TEXTS, OPTION_END } OptionKind;
typedef struct Texts {
  const char **items; /* freed by the verb */
  int count;
} Texts;
typedef struct Option {
  const char *name; /* without the dashes */
  OptionKind kind;
  void *value;      /* const char **, bool *, int32_t *, Texts * */
  int32_t smallest; /* of OPTION_COUNT */
} Option;
/* Fills in the options' values and moves the other arguments to the front; *left tells how many. Returns
 * EXIT_FINE, or the code to leave with; *is_help tells that --help was asked for and answered. */
int parse_options(const Verb *verb, const Option *options, int argument_count, char **arguments, int *left,
                  bool *is_help);

/* Flushes standard output: EXIT_FINE, or EXIT_FAILED with a message (none when the reader of a pipe went
 * away). */
int finish_stdout(void);

/* Log lines of the library go to standard error. */
WeftLog stderr_log(void);

#endif
