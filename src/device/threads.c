#include "device/threads.h"

#include <omp.h>

int weft_threads_available(void) { return omp_get_num_procs(); }

int weft_threads_use(int count) {
  int before = omp_get_max_threads(); /* of the calling thread alone */
  omp_set_num_threads(count);
  return before;
}
