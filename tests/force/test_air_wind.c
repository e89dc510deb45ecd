/* Drag against closed forms (V10), and the gust. */
#include "force/dense.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double uv[] = {0, 0, 2, 0, 0, 1}; /* area 1 m^2, normal +z */
static const int32_t triangle[] = {0, 1, 2};

static void make_triangle(ForceCase *c, double normal, double tangential) {
  case_make(c, 3, uv, 1, triangle);
  c->model.cloths[0].material.drag_normal = normal;
  c->model.cloths[0].material.drag_tangential = tangential;
  c->wind = (WeftWind){.air_density = 1.2, .gust_length = 1};
}

static Vec3 force_at(ForceCase *c, Vec3 velocity) {
  double v[9];
  for (int i = 0; i < 3; i++) store3(v, i, velocity);
  case_add(c, c->rest, v, 0, 0, 0);
  for (int i = 1; i < 3; i++) assert_memory_equal(c->f, c->f + 3 * i, 3 * sizeof(double)); /* a third each */
  return v3_scale(3, load3(c->f, 0));
}

static void assert_near(Vec3 got, double x, double y, double z) {
  assert_true(v3_length(v3_sub(got, vec3(x, y, z))) < 1e-14 * (1 + v3_length(got)));
}

static void closed_forms(void **state) {
  (void)state;
  ForceCase c;
  make_triangle(&c, 0.8, 0.05);
  assert_true(case_use(&c, &weft_force_air_wind));
  assert_near(force_at(&c, vec3(0, 0, -3)), 0, 0, 0.8 * 1.2 * 9);
  assert_near(force_at(&c, vec3(0, 0, 3)), 0, 0, -0.8 * 1.2 * 9);
  assert_near(force_at(&c, vec3(2, -1, 0)), -0.05 * 2, 0.05, 0);
  assert_near(force_at(&c, vec3(2, 0, -3)), -0.05 * 2, 0, 0.8 * 1.2 * 9);
  /* only the velocity against the wind counts */
  c.wind.velocity[2] = 5;
  assert_near(force_at(&c, vec3(0, 0, 2)), 0, 0, 0.8 * 1.2 * 9);
  assert_near(force_at(&c, vec3(0, 0, 5)), 0, 0, 0);
  case_free(&c);
}

static void nothing_without_air(void **state) {
  (void)state;
  ForceCase c;
  make_triangle(&c, 0, 0);
  assert_false(case_use(&c, &weft_force_air_wind)); /* no drag: no elements */
  case_free(&c);
  make_triangle(&c, 1, 1);
  assert_true(case_use(&c, &weft_force_air_wind));
  c.wind.air_density = 0;
  assert_near(force_at(&c, vec3(1, 2, 3)), 0, 0, 0);
  case_free(&c);
}

/* V10: a sheet of 0.2 kg/m^2 falling face-on in air of 1 kg/m^3, backward Euler: v(0.2 s). And edge-on: free
 * fall. */
static double fall(double height_direction, double step) {
  ForceCase c;
  make_triangle(&c, 1, 0);
  c.wind.air_density = 1;
  assert_true(case_use(&c, &weft_force_air_wind));
  const double mass = 0.2; /* density x area */
  Vec3 gravity = height_direction > 0 ? vec3(0, 0, -9.81) : vec3(0, -9.81, 0), down = vec3(0, 0, 0);
  int steps = (int)lround(0.2 / step);
  for (int i = 0; i < steps; i++) {
    Vec3 start = down;
    for (int newton = 0; newton < 20; newton++) { /* m (v1 - v0) = h (m g + f(v1)) along the fall */
      Vec3 f = force_at(&c, down);
      Vec3 miss = v3_sub(v3_scale(step, v3_axpy(f, mass, gravity)), v3_scale(mass, v3_sub(down, start)));
      double v[9], k = 0;
      for (int j = 0; j < 3; j++) store3(v, j, down);
      case_add(&c, c.rest, v, WANT_MATRIX, 0, 1);
      double *dense = dense_of_case(&c);
      for (int j = 0; j < 9; j++) k += dense[(3 * (j / 3) + 2) * 9 + 3 * (j % 3) + 2];
      free(dense);
      Vec3 along = v3_scale(1 / 9.81, gravity);
      down = v3_axpy(down, v3_dot(miss, along) / (mass - step * k * along.z * along.z), along);
    }
  }
  case_free(&c);
  return v3_length(down);
}

static void falling_sheets(void **state) {
  (void)state;
  assert_true(fabs(fall(1, 0.01) - 1.224368) < 1e-6);
  assert_true(fabs(fall(1, 0.001) - 1.238720) < 1e-6);
  assert_true(fabs(fall(0, 0.01) - 9.81 * 0.2) < 1e-12);
}

/* The gust read back through the drag: within its amplitude, smooth, travelling downwind with frequency x
 * length. */
static double gust_at(ForceCase *c, int axis, double place, double time) {
  double moved[9], v[9] = {0};
  for (int i = 0; i < 9; i++) moved[i] = c->rest[i] + (i % 3 == axis ? place : 0);
  c->time = time;
  case_add(c, moved, v, 0, 0, 0);
  return 3 * c->f[1] / 0.05 - c->wind.velocity[1]; /* along y, tangential: drag x area x wind */
}

static void gusts(void **state) {
  (void)state;
  ForceCase c;
  make_triangle(&c, 0, 0.05);
  assert_true(case_use(&c, &weft_force_air_wind));
  c.wind = (WeftWind){{3, 0, 0}, {0, 0.7, 0}, 2, 1.5, 1.2};
  double low = 0, high = 0;
  for (int i = 0; i < 20000; i++) {
    double time = i * 1e-3, here = gust_at(&c, 0, 0.3, time);
    low = fmin(low, here);
    high = fmax(high, here);
    assert_true(fabs(here) <= 0.7 + 1e-12);
    assert_true(fabs(gust_at(&c, 0, 0.3, time + 1e-3) - here) < 0.7 * 2 * 3.1416 * 2 * 1e-3);
    /* 3 m/s = 2 Hz x 1.5 m */
    if (i % 100 == 0) assert_true(fabs(gust_at(&c, 0, 0.3 + 0.6, time + 0.2) - here) < 1e-10);
  }
  assert_true(low < -0.6 && high > 0.6);
  /* along y and along z; it varies across the wind, level */
  for (int axis = 1; axis < 3; axis++) {
    c.wind.velocity[0] = c.wind.velocity[1] = c.wind.velocity[2] = 0;
    c.wind.velocity[axis] = 3;
    assert_true(fabs(gust_at(&c, axis, 0.6, 0.2) - gust_at(&c, axis, 0, 0)) < 1e-12);
    assert_true(fabs(gust_at(&c, axis, 0.6, 0) - gust_at(&c, axis, 0, 0)) > 0.01);
    assert_true(fabs(gust_at(&c, axis == 1 ? 0 : 1, 0.6, 0) - gust_at(&c, axis, 0, 0)) > 0.01);
  }
  assert_true(gust_at(&c, 0, 0.6, 0) ==
              gust_at(&c, 0, 0, 0)); /* the wind along z varies along y, not along x */
  case_free(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closed_forms),
      cmocka_unit_test(nothing_without_air),
      cmocka_unit_test(falling_sheets),
      cmocka_unit_test(gusts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
