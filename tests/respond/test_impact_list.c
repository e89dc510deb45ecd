/* The list of impacts: sorted, each pair at most twice, and its own numbers for vertices. Against a plain
 * list that counts. */
#include "respond/impact_list.h"

#include "check.h"

enum { FEATURES = 12, MOST = 200 };

/* What detection found: features sorted by the first, then the second; vertices and values follow from them.
 */
typedef struct Finding {
  WeftFound found;
  int32_t features[2 * MOST], vertices[4 * MOST];
  double value[MOST];
} Finding;

static void vertices_of(int kind, int a, int b, int32_t *vertices) {
  const int32_t four[4] = {100 * kind + 7 * a, 3 + 5 * b, 1000 - 11 * a - b, 50 + (a * b) % 13};
  memcpy(vertices, four, sizeof four);
}

static void find(Finding *f, int kind, const uint8_t *is_found, double time) {
  f->found = (WeftFound){.features = f->features, .vertices = f->vertices, .value = f->value};
  for (int pair = 0; pair < FEATURES * FEATURES; pair++) {
    if (!is_found[pair]) continue;
    int at = f->found.count++;
    f->features[2 * at] = pair / FEATURES;
    f->features[2 * at + 1] = pair % FEATURES;
    vertices_of(kind, pair / FEATURES, pair % FEATURES, f->vertices + 4 * at);
    f->value[at] = time + 1e-3 * pair;
  }
}

/* The list holds each pair as often as times says, in order. */
static void check_list(const WeftImpactList *list, uint8_t times[2][FEATURES * FEATURES]) {
  int at = 0;
  for (int kind = 0; kind < 2; kind++) {
    for (int pair = 0; pair < FEATURES * FEATURES; pair++) {
      for (int k = 0; k < times[kind][pair]; k++, at++) {
        int32_t vertices[4];
        vertices_of(kind, pair / FEATURES, pair % FEATURES, vertices);
        assert_true(at < list->count);
        const int32_t key[3] = {kind, pair / FEATURES, pair % FEATURES};
        assert_memory_equal(list->key + 3 * at, key, sizeof key);
        assert_memory_equal(list->vertices + 4 * at, vertices, sizeof vertices);
        double part = list->time[at] - 1e-3 * pair; /* which round it is from */
        check_near(part, round(part), 1e-9);
      }
    }
  }
  assert_int_equal(list->count, at);
}

static void check_numbers(const WeftImpactList *list) {
  assert_true(list->vertex_count <= 4 * list->count);
  for (int i = 1; i < list->vertex_count; i++) assert_true(list->vertex[i - 1] < list->vertex[i]);
  uint8_t *is_used = calloc((size_t)list->vertex_count + 1, 1);
  for (int i = 0; i < 4 * list->count; i++) {
    assert_in_range(list->local[i], 0, list->vertex_count - 1);
    assert_int_equal(list->vertex[list->local[i]], list->vertices[i]);
    is_used[list->local[i]] = 1;
  }
  for (int i = 0; i < list->vertex_count; i++) {
    assert_true(is_used[i]);
    list->inverse_mass[i] = list->x0[3 * i + 2] = list->x1[3 * i + 2] = i; /* there is room */
    list->is_obstacle[i] = 1;
  }
  for (int i = 0; i < list->count; i++) assert_int_equal(list->is_edges[i], list->key[3 * i] == 1);
  free(is_used);
}

static void random_rounds(void **state) {
  (void)state;
  WeftError error;
  WeftImpactList list = {0};
  static Finding found[2];
  for (uint64_t n = 1; n <= 60; n++) {
    uint64_t seed = n;
    uint8_t times[2][FEATURES * FEATURES] = {{0}}, is_found[2][FEATURES * FEATURES];
    weft_impact_list_clear(&list); /* what was there before is forgotten */
    assert_int_equal(list.count, 0);
    for (int round = 0; round < 6; round++) {
      int expected = 0, added = -1;
      for (int kind = 0; kind < 2; kind++) {
        for (int pair = 0; pair < FEATURES * FEATURES; pair++) {
          is_found[kind][pair] = random_unit(&seed) < 0.05 * (double)(n % 7);
          bool is_new = is_found[kind][pair] && times[kind][pair] < 2;
          times[kind][pair] += is_new;
          expected += is_new;
        }
        find(&found[kind], kind, is_found[kind], round);
      }
      check_ok(weft_impact_list_add(&list, &found[0].found, &found[1].found, &added, &error), error);
      assert_int_equal(added, expected);
      check_list(&list, times);
      check_ok(weft_impact_list_number(&list, &error), error);
      check_numbers(&list);
    }
  }
  weft_impact_list_destroy(&list);
  assert_null(list.key);
}

/* Found a third time, a pair is not added; nothing at all is no problem either. */
static void twice_at_most(void **state) {
  (void)state;
  WeftError error;
  WeftImpactList list = {0};
  static Finding one, none;
  uint8_t is_found[FEATURES * FEATURES] = {0};
  int added;
  find(&none, 1, is_found, 0);
  is_found[17] = 1;
  find(&one, 0, is_found, 0);
  check_ok(weft_impact_list_add(&list, &none.found, &none.found, &added, &error), error);
  assert_true(added == 0 && list.count == 0);
  for (int round = 0; round < 4; round++) {
    check_ok(weft_impact_list_add(&list, &one.found, &none.found, &added, &error), error);
    assert_int_equal(added, round < 2);
    assert_int_equal(list.count, round < 1 ? 1 : 2);
  }
  check_ok(weft_impact_list_number(&list, &error), error);
  assert_int_equal(list.vertex_count, 4);
  weft_impact_list_destroy(&list);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_rounds), cmocka_unit_test(twice_at_most)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
