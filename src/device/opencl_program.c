/* Compiling the kernels for a device, and keeping what came of it.
 *
 * The cache is one file for each device, driver and text of the kernels in $XDG_CACHE_HOME/weft or
 * ~/.cache/weft: magic, size, hash, and what the driver calls the program's binary. It is a convenience: a
 * file that cannot be read, does not fit its hash or is refused by the driver is compiled again, and a folder
 * that cannot be written to is let be.
 */
#include "device/opencl_api.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/read_file.h"
#include "base/timer.h"
#include "base/write_file.h"
#include "device/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* No flag that trades bits for speed: the kernels give the CPU's. */
static const char OPTIONS[] = "-cl-std=CL1.2";
static const char MAGIC[8] = {'w', 'e', 'f', 't', 'k', 'r', 'n', '1'};

typedef struct CacheHeader {
  char magic[8];
  uint64_t size, hash;
} CacheHeader;

/* Path of the device's file, made with its folders; NULL when there is no place for it. */
static char *cache_path(const WeftDeviceInfo *info) {
  const char *home = getenv("XDG_CACHE_HOME"), *below = "";
  if (!home || home[0] != '/') {
    home = getenv("HOME");
    below = "/.cache";
  }
  if (!home || home[0] != '/') return NULL;
  uint64_t hash = WEFT_HASH_START;
  hash = weft_hash(hash, info->description, strlen(info->description) + 1);
  hash = weft_hash(hash, info->driver, strlen(info->driver) + 1);
  hash = weft_hash(hash, OPTIONS, sizeof OPTIONS);
  hash = weft_hash(hash, weft_kernel_text, weft_kernel_text_size);
  size_t size = strlen(home) + 64;
  char *path = WEFT_NEW(char, size);
  if (!path) return NULL;
  snprintf(path, size, "%s%s", home, below);
  mkdir(path, 0700);
  snprintf(path, size, "%s%s/weft", home, below);
  mkdir(path, 0700);
  snprintf(path, size, "%s%s/weft/kernels-%016llx", home, below, (unsigned long long)hash);
  return path;
}

static void write_cache(const WeftOpenClApi *api, cl_program program, const char *path) {
  size_t size = 0;
  if (api->GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) || !size) return;
  unsigned char *bytes = WEFT_NEW(unsigned char, sizeof(CacheHeader) + size);
  if (!bytes) return;
  unsigned char *binary = bytes + sizeof(CacheHeader);
  if (!api->GetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL)) {
    CacheHeader header = {.size = size, .hash = weft_hash(WEFT_HASH_START, binary, size)};
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    memcpy(bytes, &header, sizeof header);
    weft_write_file(path, bytes, sizeof header + size, NULL);
  }
  free(bytes);
}

/* NULL when the cache does not hold it. */
static cl_program read_cache(const WeftOpenClApi *api, cl_context context, cl_device_id device,
                             const char *path) {
  char *bytes = NULL;
  size_t size = 0;
  if (weft_read_file(path, &bytes, &size, NULL)) return NULL;
  CacheHeader header;
  cl_program program = NULL;
  if (size > sizeof header) {
    memcpy(&header, bytes, sizeof header);
    const unsigned char *binary = (const unsigned char *)bytes + sizeof header;
    size_t binary_size = size - sizeof header;
    if (memcmp(header.magic, MAGIC, sizeof MAGIC) == 0 && header.size == binary_size &&
        header.hash == weft_hash(WEFT_HASH_START, binary, binary_size)) {
      cl_int code, status = CL_SUCCESS;
      program = api->CreateProgramWithBinary(context, 1, &device, &binary_size, &binary, &status, &code);
      if (code || status || api->BuildProgram(program, 1, &device, OPTIONS, NULL, NULL)) {
        if (program) api->ReleaseProgram(program);
        program = NULL;
      }
    }
  }
  free(bytes);
  return program;
}

static WeftResult fail_build(const WeftOpenClApi *api, cl_program program, const WeftOpenClFound *found,
                             cl_int code, WeftError *error) {
  size_t size = 0;
  char *log = NULL;
  if (program && !api->GetProgramBuildInfo(program, found->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size))
    log = WEFT_NEW(char, size + 1);
  if (log) api->GetProgramBuildInfo(program, found->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  weft_fail_message(
      error, WEFT_RESULT_DEVICE,
      "%s (%.60s): %s (OpenCL error %d); use the device cpu, or another driver. Its log: %.600s",
      found->info.name, found->info.description, weft_opencl_error_name(code), code,
      log && log[0] ? log : "empty");
  free(log);
  return WEFT_RESULT_DEVICE;
}

WeftResult weft_opencl_build(const WeftOpenClApi *api, cl_context context, const WeftOpenClFound *found,
                             WeftOpenClProgram *program, WeftError *error) {
  double start = weft_seconds();
  char *path = cache_path(&found->info);
  *program = (WeftOpenClProgram){0};
  if (path) program->program = read_cache(api, context, found->device, path);
  program->is_cached = program->program != NULL;
  WeftResult result = WEFT_RESULT_OK;
  if (!program->is_cached) {
    cl_int code;
    program->program = api->CreateProgramWithSource(context, 1, (const char *[]){weft_kernel_text},
                                                    &weft_kernel_text_size, &code);
    if (!code) code = api->BuildProgram(program->program, 1, &found->device, OPTIONS, NULL, NULL);
    if (code) {
      result = fail_build(api, program->program, found, code, error);
      if (program->program) api->ReleaseProgram(program->program);
      program->program = NULL;
    } else if (path) {
      write_cache(api, program->program, path);
    }
  }
  free(path);
  program->seconds = weft_seconds() - start;
  return result;
}
