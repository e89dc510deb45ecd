/* Which frames are drawn. Frames have the numbers of the run; a cache holds every so many of them. */
#include "cli/shots.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The number of the index-th frame. False after a message. */
static bool number_of(Shots *shots, int64_t index, int64_t *number) {
  *number = index;
  if (!shots->source.cache) return true;
  if (!source_read(&shots->source, index)) return false;
  *number = shots->source.frame;
  return true;
}

/* The first frame whose number is not below the given one: numbers rise, so half of what is left is dropped
 * at every look. frame_count where there is none. False after a message. */
static bool find_at_least(Shots *shots, int64_t number, int64_t *index) {
  int64_t low = 0, high = shots->source.frame_count;
  while (low < high) {
    int64_t middle = low + (high - low) / 2, found;
    if (!number_of(shots, middle, &found)) return false;
    if (found < number)
      low = middle + 1;
    else
      high = middle;
  }
  *index = low;
  return true;
}

/* A number, from the end when negative. *at moves behind it; false when there is none. */
static bool read_number(const char **at, int64_t last, int64_t *number) {
  char *end;
  errno = 0;
  long long value = strtoll(*at, &end, 10);
  if (end == *at || errno || value > INT32_MAX || value < -INT32_MAX) return false;
  *at = end;
  *number = value < 0 ? last + 1 + value : value;
  return true;
}

static int fail_range(Shots *shots, const char *frames, int64_t first, int64_t last) {
  if (shots->source.frame_count == 1)
    return fail("%s: there is no frame %s; there is one frame, %lld", shots->path, frames, (long long)first);
  return fail("%s: there is no frame %s; there are %lld frames, numbered %lld to %lld", shots->path, frames,
              (long long)shots->source.frame_count, (long long)first, (long long)last);
}

int shots_choose(Shots *shots, const Verb *verb, const char *frames) {
  int64_t first, last, from, to, count = shots->source.frame_count;
  if (!number_of(shots, 0, &first) || !number_of(shots, count - 1, &last)) return EXIT_FAILED;
  if (strcmp(frames, "all") == 0) return EXIT_FINE;
  const char *at = frames;
  bool is_range = strchr(frames, ':') != NULL, is_understood = true;
  from = first;
  if (*at != ':') is_understood = read_number(&at, last, &from);
  to = is_range ? last : from;
  if (is_understood && is_range && *at == ':' && *++at) is_understood = read_number(&at, last, &to);
  if (!is_understood || *at)
    return fail_usage(verb, "--frame takes a number, a range like 10:20, or all, not \"%s\"", frames);
  int64_t begin, end;
  if (!find_at_least(shots, from, &begin) || !find_at_least(shots, to + 1, &end)) return EXIT_FAILED;
  if (from < first || to > last || from > to) return fail_range(shots, frames, first, last);
  if (begin == end) {
    int64_t before, after;
    if (!number_of(shots, begin - 1, &before) || !number_of(shots, begin, &after)) return EXIT_FAILED;
    return fail("%s: frame %s was not written; the nearest are %lld and %lld", shots->path, frames,
                (long long)before, (long long)after);
  }
  shots->first = begin;
  shots->last = end - 1;
  return EXIT_FINE;
}
