/* libFuzzer target: whatever the bytes are, reading, inspecting and accepting a mesh ends, within memory,
 * without a leak.
 *
 *   clang -g -O1 -fsanitize=fuzzer,address,undefined ... tests/fuzz/fuzz_mesh.c src/.../(*).c
 *
 * Beyond the sanitizers: a mesh that came out has its indices in range, and a mesh that was accepted is
 * accepted again without a change.
 */
#include "io/mesh_read.h"
#include "mesh/accept.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool is_so) {
  if (!is_so) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  WeftMesh mesh;
  WeftMeshFacts facts;
  WeftError error = {WEFT_RESULT_OK, ""};
  WeftLog nowhere = {NULL, NULL};
  WeftResult result = weft_mesh_parse(data, size, "fuzz", &mesh, &error);
  if (result != WEFT_RESULT_OK) {
    check(error.result == result && error.message[0] && !mesh.positions && !mesh.triangles && !mesh.uvs);
    return 0;
  }
  check(weft_mesh_inspect(&mesh, &facts, &error) == WEFT_RESULT_OK);
  check(facts.index_errors == 0);
  if (weft_mesh_accept(&mesh, "fuzz", nowhere, &error) == WEFT_RESULT_OK) {
    check(weft_mesh_inspect(&mesh, &facts, &error) == WEFT_RESULT_OK);
    check(facts.nonfinite_vertices + facts.degenerate_triangles + facts.duplicate_triangles == 0);
    int32_t count = mesh.triangle_count;
    check(weft_mesh_accept(&mesh, "fuzz", nowhere, &error) == WEFT_RESULT_OK && mesh.triangle_count == count);
  }
  weft_mesh_free(&mesh);
  return 0;
}
