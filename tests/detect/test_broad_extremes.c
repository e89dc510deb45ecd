/* Boxes that try grids and their rounding: every method returns brute force's pairs for them too. */
#include "check.h"
#include "registry.h"

enum { COUNT = 600 };

typedef struct Extreme {
  const char *name;
  void (*make)(float *box, uint64_t *seed); /* COUNT x 6 */
} Extreme;

static void put(float *box, int i, const double low[3], const double size[3]) {
  for (int k = 0; k < 3; k++) {
    box[6 * i + k] = (float)low[k];
    box[6 * i + 3 + k] = (float)(low[k] + size[k]);
  }
}

static void one_point(float *box, uint64_t *seed) {
  (void)seed;
  for (int i = 0; i < COUNT; i++) put(box, i, (double[3]){3, -2, 1e-20}, (double[3]){0, 0, 0});
}

static void points_far_apart(float *box, uint64_t *seed) {
  for (int i = 0; i < COUNT; i++) {
    double at[3];
    for (int k = 0; k < 3; k++) at[k] = pow(10, floor(random_in(seed, -6, 3)) * 5);
    put(box, i, at, (double[3]){0, 0, 0});
  }
}

static void one_huge_among_tiny(float *box, uint64_t *seed) {
  for (int i = 0; i < COUNT; i++) {
    double at[3], size[3];
    for (int k = 0; k < 3; k++) {
      at[k] = random_in(seed, 0, 1);
      size[k] = random_in(seed, 0.05, 0.1);
    }
    put(box, i, at, size);
  }
  put(box, 77, (double[3]){-1e6, 0.4, -1e6}, (double[3]){2e6, 0.01, 2e6});
  put(box, 78, (double[3]){-1e30, -1e30, -1e30}, (double[3]){2e30, 2e30, 2e30});
}

/* More of them than anything could treat apart. */
static void many_huge_ones(float *box, uint64_t *seed) {
  for (int i = 0; i < COUNT; i++) {
    double at[3], size[3], scale = pow(10, random_in(seed, -6, 6));
    for (int k = 0; k < 3; k++) {
      at[k] = random_in(seed, -1, 1) * scale;
      size[k] = random_in(seed, 0, 1) * scale;
    }
    put(box, i, at, size);
  }
}

/* Where floats are coarser than the boxes. */
static void far_from_the_origin(float *box, uint64_t *seed) {
  for (int i = 0; i < COUNT; i++) {
    double at[3], size[3];
    for (int k = 0; k < 3; k++) {
      at[k] = 1e8 + 8 * floor(random_in(seed, 0, 12));
      size[k] = 8 * floor(random_in(seed, 0, 3));
    }
    put(box, i, at, size);
  }
}

static void slivers(float *box, uint64_t *seed) {
  for (int i = 0; i < COUNT; i++) {
    double at[3], size[3];
    for (int k = 0; k < 3; k++) {
      at[k] = random_in(seed, 0, 1);
      size[k] = k == i % 3 ? random_in(seed, 0, 50) : 0.01;
    }
    put(box, i, at, size);
  }
}

/* Corners on cells' corners, whatever the cells are: sizes and places from a few powers of two. */
static void whole_numbers(float *box, uint64_t *seed) {
  for (int i = 0; i < COUNT; i++) {
    double at[3], size[3];
    for (int k = 0; k < 3; k++) {
      size[k] = 1 << (int)random_in(seed, 0, 4);
      at[k] = size[k] * floor(random_in(seed, -32, 32) / size[k]);
    }
    put(box, i, at, size);
  }
}

static void all_of_one_size(float *box, uint64_t *seed) {
  for (int i = 0; i < COUNT; i++) {
    double at[3];
    for (int k = 0; k < 3; k++) at[k] = floor(random_in(seed, 0, 24)) / 4;
    put(box, i, at, (double[3]){1, 1, 1});
  }
}

static const Extreme EXTREMES[] = {
    {"one point", one_point},
    {"points far apart", points_far_apart},
    {"one huge among tiny", one_huge_among_tiny},
    {"many huge ones", many_huge_ones},
    {"far from the origin", far_from_the_origin},
    {"slivers", slivers},
    {"whole numbers", whole_numbers},
    {"all of one size", all_of_one_size},
};

static void compare(WeftBroad *twin, WeftBroad *broad, const WeftBroadQuery *query, const char *name) {
  WeftError error;
  check_ok(weft_broad_find(twin, query, &error), error);
  check_ok(weft_broad_find(broad, query, &error), error);
  check_ok(weft_broad_sort(broad, &error), error);
  if (twin->pairs.count != broad->pairs.count) {
    print_error("%s, %s: %d pairs, brute force %d\n", broad->ops->name, name, broad->pairs.count,
                twin->pairs.count);
    fail();
  }
  for (int i = 0; i < twin->pairs.count; i++) {
    assert_int_equal(broad->pairs.a[i], twin->pairs.a[i]);
    assert_int_equal(broad->pairs.b[i], twin->pairs.b[i]);
  }
}

/* One in nine becomes another, ten times as large, and far off at times: out of what the tables were made
 * for. */
static void disturb(float *box, int32_t *active, uint64_t *seed, int round) {
  for (int i = 0; i < COUNT; i++) {
    active[i] = (i + round) % 9 == 0;
    if (!active[i]) continue;
    for (int k = 0; k < 3; k++) {
      float size = 10 * (box[6 * i + 3 + k] - box[6 * i + k]);
      box[6 * i + k] += (float)random_in(seed, -3, 3) * size;
      box[6 * i + 3 + k] = box[6 * i + k] + size;
    }
  }
}

static void check_extreme(const WeftBroadOps *ops, const Extreme *extreme) {
  static float box[6 * COUNT];
  static int32_t active[COUNT];
  uint64_t seed = 11;
  WeftError error;
  WeftBroad *twin, *broad;
  check_ok(weft_broad_create(&weft_broad_brute, NULL, COUNT, &twin, &error), error);
  check_ok(weft_broad_create(ops, NULL, COUNT, &broad, &error), error);
  extreme->make(box, &seed);
  compare(twin, broad, &(WeftBroadQuery){.box = box}, extreme->name);
  for (int i = 0; i < COUNT; i++) active[i] = i % 3 == 1;
  compare(twin, broad, &(WeftBroadQuery){.box = box, .active = active}, extreme->name);
  for (int round = 0; round < 4; round++) {
    disturb(box, active, &seed, round);
    compare(twin, broad, &(WeftBroadQuery){.box = box, .active = active, .is_local = true}, extreme->name);
  }
  compare(twin, broad, &(WeftBroadQuery){.box = box}, extreme->name);
  weft_broad_destroy(twin);
  weft_broad_destroy(broad);
}

static void extremes_give_brute_forces_pairs(void **state) {
  (void)state;
  for (int m = 0; weft_registry_broad_at(m); m++) {
    for (size_t i = 0; i < sizeof EXTREMES / sizeof *EXTREMES; i++) {
      check_extreme(weft_registry_broad_at(m), &EXTREMES[i]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(extremes_give_brute_forces_pairs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
