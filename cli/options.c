/* Options, messages, and the end of standard output. */
#include "base/error.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OPTIONS = 16 };

/* A message may come while a progress bar stands on the line. */
static void begin_message(void) { fputs(isatty(STDERR_FILENO) ? "\r\033[Kweft: " : "weft: ", stderr); }

int fail(const char *format, ...) {
  va_list values;
  va_start(values, format);
  begin_message();
  vfprintf(stderr, format, values);
  fputc('\n', stderr);
  va_end(values);
  return EXIT_FAILED;
}

int fail_usage(const Verb *verb, const char *format, ...) {
  va_list values;
  va_start(values, format);
  begin_message();
  vfprintf(stderr, format, values);
  va_end(values);
  if (verb)
    fprintf(stderr, "\nusage: weft %s %s\n`weft help %s` tells more.\n", verb->name, verb->arguments,
            verb->name);
  else
    fputs("\n`weft help` lists the verbs.\n", stderr);
  return EXIT_USAGE;
}

const char *did_you_mean(const char *written, const char *const *names, int count) {
  static char text[160];
  const char *nearest = weft_nearest_name(written, names, count);
  text[0] = 0;
  if (nearest) snprintf(text, sizeof text, ", did you mean \"%s\"?", nearest);
  return text;
}

int finish_stdout(void) {
  errno = 0;
  bool is_written = fflush(stdout) == 0 && !ferror(stdout);
  if (is_written) return EXIT_FINE;
  if (errno != EPIPE) fail("cannot write to standard output: %s", errno ? strerror(errno) : "a write failed");
  return EXIT_FAILED;
}

static void log_line(WeftLogLevel level, const char *text, void *user) {
  (void)user;
  begin_message();
  fprintf(stderr, "%s%s\n", level == WEFT_LOG_WARNING ? "warning: " : "", text);
}

WeftLog stderr_log(void) { return (WeftLog){.fn = log_line}; }

static int set_count(const Verb *verb, const Option *option, const char *text) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (end == text || *end || errno || value < option->smallest || value > INT32_MAX)
    return fail_usage(verb, "--%s takes a whole number from %d on, not \"%s\"", option->name,
                      option->smallest, text);
  *(int32_t *)option->value = (int32_t)value;
  return EXIT_FINE;
}

static int set_value(const Verb *verb, const Option *option, const char *text) {
  if (option->kind == OPTION_COUNT) return set_count(verb, option, text);
  if (option->kind == OPTION_TEXT) {
    if (!*text) return fail_usage(verb, "--%s is empty", option->name);
    *(const char **)option->value = text;
    return EXIT_FINE;
  }
  Texts *texts = option->value;
  const char **items = realloc(texts->items, (size_t)(texts->count + 1) * sizeof *items);
  if (!items) return fail("out of memory");
  texts->items = items;
  texts->items[texts->count++] = text;
  return EXIT_FINE;
}

/* name: what stands after the dashes, length long. */
static const Option *find(const Option *options, const char *name, size_t length) {
  for (const Option *option = options; option->kind != OPTION_END; option++)
    if (strlen(option->name) == length && strncmp(option->name, name, length) == 0) return option;
  return NULL;
}

static int unknown_option(const Verb *verb, const Option *options, const char *written) {
  const char *names[MOST_OPTIONS];
  int count = 0;
  for (const Option *option = options; option->kind != OPTION_END; option++) names[count++] = option->name;
  names[count++] = "help";
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(written, "="), written);
  const char *nearest = weft_nearest_name(name + strspn(name, "-"), names, count);
  if (nearest) return fail_usage(verb, "unknown option \"%s\", did you mean \"--%s\"?", name, nearest);
  return fail_usage(verb, "unknown option \"%s\"", name);
}

int parse_options(const Verb *verb, const Option *options, int argument_count, char **arguments, int *left,
                  bool *is_help) {
  *left = 0;
  *is_help = false;
  for (int i = 0; i < argument_count; i++) {
    char *argument = strcmp(arguments[i], "-o") == 0 ? "--output" : arguments[i];
    if (strcmp(argument, "--") == 0) {
      while (++i < argument_count) arguments[(*left)++] = arguments[i];
    } else if (argument[0] != '-' || !argument[1]) {
      arguments[(*left)++] = argument;
    } else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
      *is_help = true;
      print_verb_help(stdout, verb);
      return finish_stdout();
    } else {
      const char *name = argument + 2;
      size_t length = strcspn(name, "=");
      const Option *option = argument[1] == '-' ? find(options, name, length) : NULL;
      if (!option) return unknown_option(verb, options, argument);
      if (option->kind == OPTION_FLAG) {
        if (name[length]) return fail_usage(verb, "--%s takes no value", option->name);
        *(bool *)option->value = true;
        continue;
      }
      const char *text = name[length] ? name + length + 1 : i + 1 < argument_count ? arguments[++i] : NULL;
      if (!text) return fail_usage(verb, "--%s needs a value", option->name);
      int code = set_value(verb, option, text);
      if (code != EXIT_FINE) return code;
    }
  }
  return EXIT_FINE;
}
