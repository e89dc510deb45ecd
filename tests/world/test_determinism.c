/* The same bits for any number of threads, on every run, and with worlds side by side on several threads. */
#include "worlds.h"

#include <pthread.h>

static uint64_t run(int threads, const char *integrator, double time_step, int steps) {
  WeftError error;
  WeftWorld *world = busy_world(threads, integrator, time_step);
  check_ok(weft_world_step(world, steps, &error), error);
  uint64_t hash = hash_of(world);
  weft_world_destroy(world);
  return hash;
}

static void hash_does_not_depend_on_threads(void **state) {
  (void)state;
  const struct {
    const char *integrator;
    double time_step;
    int steps;
  } cases[] = {
      {"backward_euler", 0.005, 20}, {"explicit_euler", 1e-5, 20}, {"rk2", 1e-5, 20}, {"rk4", 1e-5, 20}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint64_t expected = run(1, cases[i].integrator, cases[i].time_step, cases[i].steps);
    for (int threads = 1; threads <= (TEST_IS_SANITIZED ? 2 : 3); threads++) {
      for (int again = 0; again < (TEST_IS_SANITIZED ? 1 : 2); again++) {
        assert_true(run(threads, cases[i].integrator, cases[i].time_step, cases[i].steps) == expected);
      }
    }
  }
}

static void *run_beside(void *hash) {
  *(uint64_t *)hash = run(2, "backward_euler", 0.005, 10);
  return NULL;
}

static void worlds_on_several_threads_do_not_disturb_each_other(void **state) {
  (void)state;
  uint64_t expected = run(2, "backward_euler", 0.005, 10), hashes[3] = {0};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) assert_int_equal(pthread_create(&threads[i], NULL, run_beside, &hashes[i]), 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < 3; i++) assert_true(hashes[i] == expected);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hash_does_not_depend_on_threads),
      cmocka_unit_test(worlds_on_several_threads_do_not_disturb_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
