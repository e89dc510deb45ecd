/* What is kept of a finished benchmark, so that `weft bench --resume` does not run it again: OUT/NAME.part.
 * It holds the result as it lies in memory, and a fingerprint of all that made it: program, library, scene,
 * options and processor. A part that does not fit is as good as none. */
#define _GNU_SOURCE /* NOLINT: for dladdr */
#include "base/checksum.h"
#include "base/hash.h"
#include "base/read_file.h"
#include "cli/bench.h"
#include "cli/files.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static uint64_t add_file(uint64_t hash, const char *path) {
  char *bytes = NULL;
  size_t size = 0;
  WeftError error;
  uint64_t sum = 0;
  if (path && !weft_read_file(path, &bytes, &size, &error)) sum = weft_checksum(bytes, size);
  free(bytes);
  return weft_hash(hash, &sum, sizeof sum);
}

static uint64_t add_text(uint64_t hash, const char *text) { return weft_hash(hash, text, strlen(text) + 1); }

/* Of the library as it was loaded: there is one for each instruction set. */
static uint64_t add_library(uint64_t hash) {
  const char *(*const function)(void) = weft_version;
  const void *address = NULL;
  memcpy(&address, &function, sizeof address);
  Dl_info library = {0};
  return dladdr(address, &library) ? add_file(hash, library.dli_fname) : hash;
}

/* Of everything a result depends on but chance. The cases' own sizes are in the program. */
static uint64_t fingerprint(const BenchOptions *options, const Machine *machine, const BenchCase *bench) {
  uint64_t hash = add_library(add_file(WEFT_HASH_START, "/proc/self/exe"));
  char *scene = find_scene(bench->scene);
  hash = add_file(hash, scene);
  free(scene);
  hash = add_text(hash, machine->cpu);
  hash = weft_hash(hash, &machine->threads, sizeof machine->threads);
  hash = weft_hash(hash, &options->is_quick, sizeof options->is_quick);
  for (int i = 0; i < options->sets.count; i++) hash = add_text(hash, options->sets.items[i]);
  return hash;
}

static char *part_path(const BenchOptions *options, const BenchCase *bench) {
  char name[64];
  snprintf(name, sizeof name, "%s.part", bench->name);
  return join_path(options->out, name);
}

bool bench_part_write(const BenchOptions *options, const Machine *machine, const BenchResult *result) {
  if (result->failure[0]) return true;
  uint64_t hash = fingerprint(options, machine, result->bench);
  char *path = part_path(options, result->bench);
  NewFile file;
  bool is_open = path && new_file_open(&file, path);
  free(path);
  if (!is_open) return false;
  size_t count = (size_t)result->step_count;
  fwrite(&hash, sizeof hash, 1, file.stream);
  fwrite(result, sizeof *result, 1, file.stream);
  fwrite(result->steps, sizeof *result->steps, count, file.stream);
  return new_file_close(&file);
}

bool bench_part_read(const BenchOptions *options, const Machine *machine, const BenchCase *bench,
                     BenchResult *result) {
  char *path = part_path(options, bench);
  FILE *file = path ? fopen(path, "rb") : NULL;
  free(path);
  if (!file) return false;
  uint64_t hash = 0;
  bool is_read = fread(&hash, sizeof hash, 1, file) == 1 && hash == fingerprint(options, machine, bench) &&
                 fread(result, sizeof *result, 1, file) == 1;
  if (is_read) {
    size_t count = (size_t)result->step_count;
    result->bench = bench;
    result->steps = calloc(count + 1, sizeof *result->steps);
    is_read = result->steps && fread(result->steps, sizeof *result->steps, count, file) == count;
    if (!is_read) free(result->steps);
  }
  fclose(file);
  if (!is_read) *result = (BenchResult){.bench = bench};
  return is_read;
}
