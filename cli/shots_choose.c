/* Which frames are drawn. Frames have the numbers of the run; a cache holds every so many of them. */
#include "cli/shots.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The number of the index-th frame; false for one that is damaged: others can still be drawn. */
static bool number_of(const Shots *shots, int64_t index, int64_t *number) {
  WeftCacheFrame frame;
  *number = index;
  if (!shots->source.cache) return true;
  if (weft_cache_read(shots->source.cache, index, &frame, NULL) != WEFT_RESULT_OK) return false;
  *number = frame.frame;
  return true;
}

/* The first good frame whose number is not below the given one: numbers rise, so half of what is left is
 * dropped at every look. frame_count where there is none. */
static int64_t find_at_least(const Shots *shots, int64_t number) {
  int64_t low = 0, high = shots->source.frame_count, answer = high, found;
  while (low < high) {
    int64_t middle = low + (high - low) / 2, good = middle;
    while (good < high && !number_of(shots, good, &found)) good++;
    if (good < high && found < number) {
      low = good + 1;
      continue;
    }
    if (good < high) answer = good;
    high = middle;
  }
  return answer;
}

/* The numbers of the first and the last good frame. False after a message. */
static bool find_ends(Shots *shots, int64_t *first, int64_t *last) {
  int64_t i = 0, k = shots->source.frame_count - 1;
  while (i < k && !number_of(shots, i, first)) i++;
  while (k > i && !number_of(shots, k, last)) k--;
  /* where no frame is good the last one says why */
  if (!source_read(&shots->source, i)) return false;
  number_of(shots, i, first);
  return number_of(shots, k, last);
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

/* The frames before and after one that was not written. */
static int fail_missing(const Shots *shots, const char *frames, int64_t behind) {
  int64_t before = 0, after = 0, i = behind - 1;
  while (i > 0 && !number_of(shots, i, &before)) i--;
  number_of(shots, i, &before);
  number_of(shots, behind, &after);
  return fail("%s: frame %s was not written, or is damaged; the nearest are %lld and %lld", shots->path,
              frames, (long long)before, (long long)after);
}

/* "12", "10:20", "10:", ":20". False when it is none of these. */
static bool read_range(const char *frames, int64_t first, int64_t last, int64_t *from, int64_t *to) {
  const char *at = frames;
  bool is_range = strchr(frames, ':') != NULL;
  *from = first;
  if (*at != ':' && !read_number(&at, last, from)) return false;
  *to = is_range ? last : *from;
  if (is_range && *at == ':' && *++at && !read_number(&at, last, to)) return false;
  return !*at;
}

int shots_choose(Shots *shots, const Verb *verb, const char *frames) {
  int64_t first, last, from, to, number;
  if (strcmp(frames, "all") == 0) return EXIT_FINE;
  if (!find_ends(shots, &first, &last)) return EXIT_FAILED;
  if (!read_range(frames, first, last, &from, &to))
    return fail_usage(verb, "--frame takes a number, a range like 10:20, or all, not \"%s\"", frames);
  if (from < first || to > last || from > to) return fail_range(shots, frames, first, last);
  int64_t begin = find_at_least(shots, from), end = find_at_least(shots, to + 1);
  if (begin == end) return fail_missing(shots, frames, begin);
  if (from == to && number_of(shots, begin, &number) && number == from) end = begin + 1;
  shots->first = begin;
  shots->last = end - 1;
  return EXIT_FINE;
}
