/* Stands in for libFuzzer's main: feeds every file of the folders (or files) it is given to the fuzz target
 * once. The corpus is replayed this way in every configuration, sanitizers included, and by any compiler. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* False when the file could not be read. */
static int replay_file(const char *path) {
  FILE *stream = fopen(path, "rb");
  if (!stream) return 0;
  uint8_t *data = NULL;
  size_t size = 0, capacity = 0;
  for (size_t got = 1; got > 0; size += got) {
    if (size == capacity) {
      capacity = capacity ? 2 * capacity : 4096;
      uint8_t *grown = realloc(data, capacity);
      if (!grown) break;
      data = grown;
    }
    got = fread(data + size, 1, capacity - size, stream);
  }
  int is_read = !ferror(stream);
  fclose(stream);
  /* a copy of the exact size: a read behind its end is then seen by the address sanitizer */
  uint8_t *exact = malloc(size ? size : 1);
  if (exact && is_read) {
    if (size) memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
  }
  is_read = is_read && exact;
  free(exact);
  free(data);
  return is_read;
}

int main(int argument_count, char **arguments) {
  int count = 0, problems = 0;
  for (int i = 1; i < argument_count; i++) {
    DIR *folder = opendir(arguments[i]);
    if (!folder) {
      count++;
      problems += !replay_file(arguments[i]);
      continue;
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
      if (entry->d_name[0] == '.') continue;
      char path[4096];
      snprintf(path, sizeof path, "%s/%s", arguments[i], entry->d_name);
      count++;
      problems += !replay_file(path);
    }
    closedir(folder);
  }
  printf("%d inputs replayed, %d could not be read\n", count, problems);
  return count > 0 && problems == 0 ? 0 : 1;
}
