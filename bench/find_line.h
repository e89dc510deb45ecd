/* What the system says of the machine, for benchmarks and weft bench. */
#ifndef WEFT_BENCH_FIND_LINE_H
#define WEFT_BENCH_FIND_LINE_H

#include <stdio.h>
#include <string.h>

/* The value of the first line "name<tabs and spaces>: value" of a file; "" when there is none. */
static inline void find_line(const char *path, const char *name, char value[128]) {
  char line[512];
  FILE *file = fopen(path, "r");
  value[0] = 0;
  while (file && !value[0] && fgets(line, sizeof line, file)) {
    char *colon = strchr(line, ':');
    if (!colon || strncmp(line, name, strlen(name)) != 0) continue;
    line[strcspn(line, "\n")] = 0;
    snprintf(value, 128, "%.120s", colon[1] ? colon + 2 : "");
  }
  if (file) fclose(file);
}

#endif
