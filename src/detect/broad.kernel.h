#include "device/kernel.h"

KERNEL broad_count_as_real(int n, GLOBAL const int *count, GLOBAL REAL *real) {
  FOR_ITEMS (i, n) {
    real[i] = count[i];
  }
}
