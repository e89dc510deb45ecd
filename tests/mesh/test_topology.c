/* Topology against a slow twin that looks for every pair of vertices in every triangle, and against Euler's
 * formula. */
#include "mesh/generate.h"
#include "mesh/limits.h"
#include "mesh/samples.h"
#include "mesh/topology.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int corner_with(const int32_t *t, int32_t a, int32_t b) {
  for (int k = 0; k < 3; k++) {
    int32_t p = t[k], q = t[(k + 1) % 3];
    if ((p == a && q == b) || (p == b && q == a)) return k;
  }
  return -1;
}

static void check_edge(const WeftTopology *m, const int32_t *triangles, int32_t a, int32_t b, int *edge,
                       int *hinge) {
  int uses = 0;
  int32_t at[2] = {-1, -1};
  for (int t = 0; t < m->triangle_count; t++) {
    if (corner_with(triangles + 3 * t, a, b) < 0) continue;
    if (uses < 2) at[uses] = t;
    uses++;
  }
  if (uses == 0) return;
  assert_in_range(*edge, 0, m->edge_count - 1);
  assert_int_equal(m->edges[2 * *edge], a);
  assert_int_equal(m->edges[2 * *edge + 1], b);
  assert_int_equal(m->edge_uses[*edge], uses);
  assert_memory_equal(m->edge_triangles + 2 * *edge, at, sizeof at);
  for (int t = 0; t < m->triangle_count; t++) {
    int k = corner_with(triangles + 3 * t, a, b);
    if (k >= 0) assert_int_equal(m->triangle_edges[3 * t + k], *edge);
  }
  if (uses == 2) {
    const int32_t *t = triangles + 3 * at[0], *u = triangles + 3 * at[1];
    int k = corner_with(t, a, b), l = corner_with(u, a, b);
    int32_t expected[4] = {t[k], t[(k + 1) % 3], t[(k + 2) % 3], u[(l + 2) % 3]};
    assert_in_range(*hinge, 0, m->hinge_count - 1);
    assert_memory_equal(m->hinges + 4 * *hinge, expected, sizeof expected);
    assert_int_equal(m->hinge_edge[*hinge], *edge);
    (*hinge)++;
  }
  (*edge)++;
}

static bool twin_is_border(const WeftTopology *m, const int32_t *triangles, int32_t v) {
  for (int32_t w = 0; w < m->vertex_count; w++) {
    int uses = 0;
    for (int t = 0; t < m->triangle_count && w != v; t++) uses += corner_with(triangles + 3 * t, v, w) >= 0;
    if (uses == 1) return true;
  }
  return false;
}

/* Spreads the smallest number until nothing changes; returns the number of pieces. */
static int twin_pieces(const WeftTopology *m, const int32_t *triangles, int32_t *piece) {
  for (int v = 0; v < m->vertex_count; v++) piece[v] = -1;
  for (int i = 0; i < 3 * m->triangle_count; i++) piece[triangles[i]] = triangles[i];
  for (bool is_changing = true; is_changing;) {
    is_changing = false;
    for (int i = 0; i < 3 * m->triangle_count; i++) {
      int32_t *a = piece + triangles[i], *b = piece + triangles[i % 3 == 2 ? i - 2 : i + 1];
      if (*a == *b) continue;
      *a = *b = *a < *b ? *a : *b;
      is_changing = true;
    }
  }
  int count = 0;
  for (int v = 0; v < m->vertex_count; v++) count += piece[v] == v;
  return count;
}

static void check_against_twin(int vertex_count, int triangle_count, const int32_t *triangles) {
  WeftTopology m;
  assert_int_equal(weft_topology_create(&m, vertex_count, triangle_count, triangles, NULL), WEFT_RESULT_OK);
  int edge = 0, hinge = 0;
  for (int32_t a = 0; a < vertex_count; a++) {
    for (int32_t b = a + 1; b < vertex_count; b++) check_edge(&m, triangles, a, b, &edge, &hinge);
  }
  assert_int_equal(m.edge_count, edge);
  assert_int_equal(m.hinge_count, hinge);
  int32_t piece[64], number[64], next = 0;
  assert_true(vertex_count <= 64);
  assert_int_equal(m.piece_count, twin_pieces(&m, triangles, piece));
  for (int v = 0; v < vertex_count; v++) {
    if (piece[v] == v) number[v] = next++;
    assert_int_equal(m.vertex_piece[v], piece[v] < 0 ? -1 : number[piece[v]]);
    assert_int_equal(m.is_border[v], twin_is_border(&m, triangles, v));
    int at = m.vertex_start[v];
    for (int i = 0; i < 3 * triangle_count; i++) {
      if (triangles[i] == v) assert_int_equal(m.vertex_triangles[at++], i / 3);
    }
    assert_int_equal(m.vertex_start[v + 1], at);
  }
  weft_topology_destroy(&m);
}

static void cube_is_closed(void **state) {
  (void)state;
  WeftTopology m;
  assert_int_equal(weft_topology_create(&m, 8, 12, cube_triangles[0], NULL), WEFT_RESULT_OK);
  assert_int_equal(8 - m.edge_count + 12, 2); /* Euler: V - E + F */
  assert_int_equal(m.hinge_count, 18);
  assert_int_equal(m.piece_count, 1);
  for (int v = 0; v < 8; v++) assert_int_equal(m.is_border[v], 0);
  weft_topology_destroy(&m);
  check_against_twin(8, 12, cube_triangles[0]);
}

static void mobius_strip_has_euler_number_0(void **state) {
  (void)state;
  WeftTopology m;
  assert_int_equal(weft_topology_create(&m, 12, 12, mobius_triangles[0], NULL), WEFT_RESULT_OK);
  assert_int_equal(12 - m.edge_count + 12, 0);
  assert_int_equal(m.hinge_count, 12); /* 24 edges, 12 of them border */
  weft_topology_destroy(&m);
  check_against_twin(12, 12, mobius_triangles[0]);
}

static void spine_of_a_book_is_no_hinge(void **state) {
  (void)state;
  WeftTopology m;
  assert_int_equal(weft_topology_create(&m, 5, 3, book_triangles[0], NULL), WEFT_RESULT_OK);
  assert_int_equal(m.edge_count, 7);
  assert_int_equal(m.edge_uses[0], 3);
  assert_int_equal(m.edge_triangles[0], 0);
  assert_int_equal(m.edge_triangles[1], 1);
  assert_int_equal(m.hinge_count, 0);
  weft_topology_destroy(&m);
  check_against_twin(5, 3, book_triangles[0]);
}

static void hinge_follows_the_first_triangle(void **state) {
  (void)state;
  const int32_t triangles[2][3] = {{2, 0, 3}, {1, 2, 3}};
  const int32_t expected[4] = {3, 2, 0, 1};
  WeftTopology m;
  assert_int_equal(weft_topology_create(&m, 4, 2, triangles[0], NULL), WEFT_RESULT_OK);
  assert_int_equal(m.hinge_count, 1);
  assert_memory_equal(m.hinges, expected, sizeof expected);
  weft_topology_destroy(&m);
}

static void random_meshes_agree_with_twin(void **state) {
  (void)state;
  uint64_t random = 1;
  for (int round = 0; round < 300; round++) {
    int32_t triangles[40][3];
    int vertex_count = 3 + round % 20, triangle_count = round % 41;
    for (int t = 0; t < triangle_count; t++) {
      do {
        for (int k = 0; k < 3; k++) {
          random = random * 6364136223846793005u + 1442695040888963407u;
          triangles[t][k] = (int32_t)((random >> 33) % (uint64_t)vertex_count);
        }
      } while (triangles[t][0] == triangles[t][1] || triangles[t][1] == triangles[t][2] ||
               triangles[t][2] == triangles[t][0]);
    }
    check_against_twin(vertex_count, triangle_count, triangles[0]);
  }
}

static void repeated_vertices_do_no_harm(void **state) {
  (void)state;
  const int32_t triangles[4][3] = {{0, 1, 0}, {0, 0, 0}, {0, 1, 2}, {2, 2, 1}};
  WeftTopology m;
  assert_int_equal(weft_topology_create(&m, 4, 4, triangles[0], NULL), WEFT_RESULT_OK);
  assert_int_equal(m.edge_count, 3); /* 01, 02, 12 */
  assert_int_equal(m.edge_uses[0], 2);
  assert_int_equal(m.edge_uses[1], 1);
  assert_int_equal(m.edge_uses[2], 2);
  assert_int_equal(m.triangle_edges[3], -1);
  assert_int_equal(m.vertex_piece[3], -1);
  weft_topology_destroy(&m);
}

static void nothing_is_fine_and_too_much_is_refused(void **state) {
  (void)state;
  WeftTopology m;
  WeftError error;
  assert_int_equal(weft_topology_create(&m, 0, 0, NULL, NULL), WEFT_RESULT_OK);
  assert_int_equal(m.edge_count + m.hinge_count + m.piece_count, 0);
  weft_topology_destroy(&m);
  assert_int_equal(weft_topology_create(&m, WEFT_MAX_VERTICES + 1, 0, NULL, &error),
                   WEFT_RESULT_INVALID_ARGUMENT);
  assert_non_null(strstr(error.message, "at most"));
  assert_int_equal(weft_topology_create(&m, 3, -1, NULL, &error), WEFT_RESULT_INVALID_ARGUMENT);
}

static void euler_holds_for_generated_meshes(void **state) {
  (void)state;
  WeftShape shapes[3];
  const int euler[3] = {1, 1, 0};
  assert_int_equal(weft_generate_rectangle(&shapes[0], 1, 1, 200, 200, WEFT_PATTERN_ALTERNATING, NULL),
                   WEFT_RESULT_OK);
  assert_int_equal(weft_generate_disc(&shapes[1], 1, 60, NULL), WEFT_RESULT_OK);
  assert_int_equal(weft_generate_tube(&shapes[2], 1, 1, 2, 90, 0, WEFT_PATTERN_EQUILATERAL, NULL),
                   WEFT_RESULT_OK);
  for (int i = 0; i < 3; i++) {
    const WeftMesh *mesh = &shapes[i].mesh;
    WeftTopology m;
    assert_int_equal(
        weft_topology_create(&m, mesh->vertex_count, mesh->triangle_count, mesh->triangles, NULL),
        WEFT_RESULT_OK);
    assert_int_equal(mesh->vertex_count - m.edge_count + mesh->triangle_count, euler[i]);
    assert_int_equal(m.piece_count, 1);
    /* every hinge is turned into the next triangle by its edge backwards: a consistent orientation */
    for (int h = 0; h < m.hinge_count; h++) {
      const int32_t *abcd = m.hinges + 4 * h;
      const int32_t *second = mesh->triangles + 3 * m.edge_triangles[2 * m.hinge_edge[h] + 1];
      int k = corner_with(second, abcd[0], abcd[1]);
      assert_int_equal(second[k], abcd[1]);
    }
    weft_topology_destroy(&m);
    weft_shape_free(&shapes[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cube_is_closed),
      cmocka_unit_test(mobius_strip_has_euler_number_0),
      cmocka_unit_test(spine_of_a_book_is_no_hinge),
      cmocka_unit_test(hinge_follows_the_first_triangle),
      cmocka_unit_test(random_meshes_agree_with_twin),
      cmocka_unit_test(repeated_vertices_do_no_harm),
      cmocka_unit_test(nothing_is_fine_and_too_much_is_refused),
      cmocka_unit_test(euler_holds_for_generated_meshes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
