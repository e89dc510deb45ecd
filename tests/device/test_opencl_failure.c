/* A driver that fails: the test's own functions stand in the device's table. The run goes on on the CPU and
 * ends with the bits of an undisturbed one. */
#include "device/opencl_device.h"
#include "opencl_case.h"
#include "world.h"
#include "world/worlds.h"

/* The real functions, and how many calls go well before one fails; tests run one after the other. */
static cl_api_clEnqueueNDRangeKernel real_launch;
static cl_api_clEnqueueReadBuffer real_read;
static cl_api_clEnqueueCopyBuffer real_copy;
static cl_api_clEnqueueWriteBuffer real_write;
static int launches_left, copies_left, writes_left;
static bool can_read;

static cl_int CL_API_CALL failing_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                         const size_t *offset, const size_t *global, const size_t *local,
                                         cl_uint count, const cl_event *events, cl_event *event) {
  if (launches_left-- <= 0) return CL_OUT_OF_RESOURCES;
  return real_launch(queue, kernel, dimensions, offset, global, local, count, events, event);
}

static cl_int CL_API_CALL failing_read(cl_command_queue queue, cl_mem memory, cl_bool is_blocking,
                                       size_t offset, size_t size, void *host, cl_uint count,
                                       const cl_event *events, cl_event *event) {
  if (launches_left < 0 && !can_read) return CL_OUT_OF_RESOURCES;
  return real_read(queue, memory, is_blocking, offset, size, host, count, events, event);
}

static cl_int CL_API_CALL failing_copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                       size_t to_offset, size_t size, cl_uint count, const cl_event *events,
                                       cl_event *event) {
  if (copies_left-- <= 0) return CL_OUT_OF_RESOURCES;
  return real_copy(queue, from, to, from_offset, to_offset, size, count, events, event);
}

static cl_int CL_API_CALL failing_write(cl_command_queue queue, cl_mem memory, cl_bool is_blocking,
                                        size_t offset, size_t size, const void *host, cl_uint count,
                                        const cl_event *events, cl_event *event) {
  if (writes_left-- <= 0) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  return real_write(queue, memory, is_blocking, offset, size, host, count, events, event);
}

enum { NEVER = 1 << 30 };

static void spoil(WeftDevice *device, int launches, int copies, bool reads) {
  WeftOpenClDevice *self = (WeftOpenClDevice *)device;
  real_launch = self->api.EnqueueNDRangeKernel;
  real_read = self->api.EnqueueReadBuffer;
  real_copy = self->api.EnqueueCopyBuffer;
  self->api.EnqueueNDRangeKernel = failing_launch;
  self->api.EnqueueReadBuffer = failing_read;
  self->api.EnqueueCopyBuffer = failing_copy;
  launches_left = launches;
  copies_left = copies;
  can_read = reads;
}

typedef struct Told {
  int count;
  char last[1024];
} Told;

static void note(WeftLogLevel level, const char *text, void *user) {
  Told *told = user;
  if (level != WEFT_LOG_WARNING) return;
  told->count++;
  snprintf(told->last, sizeof told->last, "%s", text);
}

static WeftWorld *world_on_opencl(Told *told) {
  WeftError error;
  WeftWorld *world = busy_world(0, "backward_euler", 0.005);
  world->def.log = (WeftLog){note, told};
  check_ok(weft_world_use_device(world, "opencl", &error), error);
  return world;
}

static uint64_t undisturbed(int steps) {
  WeftError error;
  WeftWorld *world = busy_world(0, "backward_euler", 0.005);
  check_ok(weft_world_step(world, steps, &error), error);
  uint64_t hash = hash_of(world);
  weft_world_destroy(world);
  return hash;
}

static void a_failed_device_is_left_for_the_cpu(void **state) {
  (void)state;
  uint64_t expected = undisturbed(6);
  /* in the middle of a solve, in the first launch, while the result is accepted (a step makes 4 copies) */
  const struct {
    int launches, copies;
    bool can_read;
  } cases[] = {{300, NEVER, true}, {300, NEVER, false}, {0, NEVER, true},
               {0, NEVER, false},  {NEVER, 6, true},    {NEVER, 8, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    WeftError error;
    WeftReport report;
    Told told = {0};
    WeftWorld *world = world_on_opencl(&told);
    check_ok(weft_world_step(world, 2, &error), error);
    spoil(world->device, cases[i].launches, cases[i].copies, cases[i].can_read);
    check_ok(weft_world_step(world, 4, &error), error);
    assert_int_equal(told.count, 1);
    assert_non_null(strstr(told.last, "going on on the CPU from step"));
    assert_non_null(strstr(told.last, "OpenCL error -5"));
    assert_null(world->device);
    assert_int_equal(weft_world_step_count(world), 6);
    check_ok(weft_world_report(world, &report, &error), error);
    assert_true(report.state_hash == expected);
    assert_non_null(strstr(report.device, "was opencl:"));
    weft_world_destroy(world);
  }
}

/* Factors and coarse pictures have arrays of their own on the device, which are taken back before it closes.
 */
static void every_preconditioner_leaves_it(void **state) {
  (void)state;
  for (int32_t i = 0; i < weft_method_count(); i++) {
    WeftError error;
    WeftMethodInfo info = weft_method_info(i);
    if (strcmp(info.family, "preconditioner") != 0 || !strcmp(info.name, "auto")) continue;
    uint64_t hash[2];
    for (int is_lost = 0; is_lost < 2; is_lost++) {
      Told told = {0};
      WeftWorld *world;
      WeftWorldDef def = weft_default_world_def();
      def.preconditioner = info.name;
      def.device = "opencl";
      def.log = (WeftLog){note, &told};
      check_ok(weft_world_create(&def, &world, &error), error);
      add_rectangle(world, 0, 12, "baraff_witkin", "dihedral");
      check_ok(weft_world_step(world, 2, &error), error);
      assert_non_null(world->device);
      if (is_lost) spoil(world->device, 20, NEVER, false);
      check_ok(weft_world_step(world, 2, &error), error);
      assert_int_equal(told.count, is_lost);
      hash[is_lost] = hash_of(world);
      weft_world_destroy(world);
    }
    if (hash[0] != hash[1]) fail_msg("%s: other bits", info.name);
  }
}

static void a_device_lost_between_steps_is_noticed_when_looking(void **state) {
  (void)state;
  WeftError error;
  Told told = {0};
  WeftWorld *world = world_on_opencl(&told);
  check_ok(weft_world_step(world, 3, &error), error);
  spoil(world->device, -1, 0, false);
  launches_left = -1;
  assert_true(hash_of(world) == undisturbed(3)); /* the steps were repeated */
  assert_int_equal(told.count, 1);
  assert_null(world->device);
  weft_world_destroy(world);
}

/* What was changed since the last look cannot be repeated: that is told, and the world is at the last look.
 */
static void what_cannot_be_repeated_is_told(void **state) {
  (void)state;
  WeftError error;
  Told told = {0};
  WeftWorld *world = world_on_opencl(&told);
  check_ok(weft_world_step(world, 2, &error), error);
  uint64_t looked = hash_of(world);
  check_ok(weft_world_step(world, 1, &error), error);
  check_ok(weft_world_set_force(world, 0, 3, (double[]){0, 0, 0.1}, &error), error);
  check_ok(weft_world_step(world, 1, &error), error);
  spoil(world->device, 10, NEVER, false);
  check_refused(weft_world_step(world, 1, &error), WEFT_RESULT_DEVICE, "in the state of step 2", error);
  assert_int_equal(weft_world_step_count(world), 2);
  assert_true(hash_of(world) == looked);
  check_ok(weft_world_step(world, 4, &error), error);
  assert_true(hash_of(world) == undisturbed(6));
  weft_world_destroy(world);
}

static void too_little_device_memory_is_told(void **state) {
  (void)state;
  WeftError error;
  WeftWorld *world = busy_world(0, "backward_euler", 0.005);
  WeftDevice *device;
  check_ok(weft_device_open("opencl", &device, &error), error);
  WeftOpenClDevice *self = (WeftOpenClDevice *)device;
  real_write = self->api.EnqueueWriteBuffer;
  self->api.EnqueueWriteBuffer = failing_write;
  for (writes_left = 0; writes_left < 60; writes_left += 19) {
    int kept = writes_left;
    check_refused(weft_world_attach(world, device, &error), WEFT_RESULT_DEVICE, "out of device memory",
                  error);
    assert_non_null(strstr(error.message, "MB"));
    writes_left = kept;
  }
  check_ok(weft_world_attach(world, NULL, &error), error);
  weft_device_close(device);
  check_ok(weft_world_step(world, 3, &error), error);
  assert_true(hash_of(world) == undisturbed(3));
  weft_world_destroy(world);
}

int main(void) {
  if (skip_without_opencl()) return SKIPPED;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_failed_device_is_left_for_the_cpu),
      cmocka_unit_test(every_preconditioner_leaves_it),
      cmocka_unit_test(a_device_lost_between_steps_is_noticed_when_looking),
      cmocka_unit_test(what_cannot_be_repeated_is_told),
      cmocka_unit_test(too_little_device_memory_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
