/* Two threads add to one number: what the thread sanitizer must find, or its silence elsewhere means nothing.
 */
#include <stdio.h>

int main(void) {
  int sum = 0;
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 1000; i++) sum += i;
  printf("%d\n", sum);
  return 0;
}
