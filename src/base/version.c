#include <weft/weft.h>

#define TEXT_OF(value) #value
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *weft_version(void) {
  return VERSION_TEXT(WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH);
}

const char *weft_result_name(WeftResult result) {
  switch (result) {
    case WEFT_RESULT_OK:
      return "ok";
    case WEFT_RESULT_INVALID_ARGUMENT:
      return "invalid argument";
    case WEFT_RESULT_OUT_OF_MEMORY:
      return "out of memory";
    case WEFT_RESULT_IO:
      return "input or output failed";
    case WEFT_RESULT_PARSE:
      return "not well-formed";
    case WEFT_RESULT_INVALID_DATA:
      return "data refused";
    case WEFT_RESULT_NOT_CONVERGED:
      return "not converged";
    case WEFT_RESULT_NOT_FINITE:
      return "not finite";
    case WEFT_RESULT_MISMATCH:
      return "does not belong to this model";
    case WEFT_RESULT_WRONG_TIME:
      return "called at the wrong time";
    case WEFT_RESULT_DEVICE:
      return "device failed";
  }
  return "unknown result";
}

/* The build compiles the library once per instruction set and names it here; see docs/build.md. */
const char *weft_instruction_set(void) { return WEFT_INSTRUCTION_SET; }
