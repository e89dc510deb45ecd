/* Every allocation fails once in turn: in making, stepping, reading, saving and destroying worlds, in reading
 * scenes, in caches and checkpoints, and in checks. The call that needed it says "out of memory" and leaves
 * everything as it was: called again it works, and the run ends with the same hash. Nothing is lost or freed
 * twice (the blocks are counted here, and the address sanitizer watches).
 *
 * The linker leads malloc, calloc, realloc and free of the library and of this test to the functions below.
 */
#include "worlds.h"

#include <unistd.h>
#include <weft/cache.h>
#include <weft/check.h>
#include <weft/checkpoint.h>
#include <weft/scene.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

static bool is_counting; /* outside the library's calls nothing fails */
static long asked, failing, live;

static bool is_refused(void) { return is_counting && ++asked == failing; }

static void *counted(void *block) {
  live += block != NULL;
  return block;
}

void *__wrap_malloc(size_t size) { return is_refused() ? NULL : counted(__real_malloc(size)); }

void *__wrap_calloc(size_t count, size_t size) {
  return is_refused() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size) {
  if (is_refused()) return NULL;
  void *grown = __real_realloc(block, size);
  live += grown && !block;
  return grown;
}

void __wrap_free(void *block) {
  live -= block != NULL;
  __real_free(block);
}

static char folder[64], cache_path[96], state_path[96], mesh_path[96];
static long failed_calls, patient_calls; /* that ran out of memory; and that did without */

/* The call works, or says that memory ran out and works when it is called again. */
#define TRY(call)                                                                     \
  do {                                                                                \
    WeftError error = {.message = ""};                                                \
    bool was_ahead = asked < failing;                                                 \
    is_counting = true;                                                               \
    WeftResult result = (call);                                                       \
    is_counting = false;                                                              \
    bool has_hit = was_ahead && asked >= failing;                                     \
    if (result) {                                                                     \
      if (!has_hit || result != WEFT_RESULT_OUT_OF_MEMORY)                            \
        fail_msg("%s, allocation %ld: %d %s", #call, failing, result, error.message); \
      assert_non_null(strstr(error.message, "memory"));                               \
      failed_calls++;                                                                 \
      check_ok((call), error);                                                        \
    } else if (has_hit) {                                                             \
      patient_calls++;                                                                \
    }                                                                                 \
  } while (0)

/* What a scenario is varied over. */
typedef struct Methods {
  const char *stretch, *bend, *integrator, *preconditioner;
} Methods;

/* With tables, so that every method takes it. */
static WeftMaterial measured_material(void) {
  WeftMaterial material = weft_default_material();
  material.has_measured_stretch = material.has_measured_bend = true;
  for (int row = 0; row < 6; row++) {
    const double stiffness[4] = {100, 10, 100, 50};
    memcpy(material.measured_stretch[row], stiffness, sizeof stiffness);
  }
  for (int i = 0; i < 15; i++) material.measured_bend[i / 5][i % 5] = 1e-5;
  return material;
}

static void add_parts(WeftWorld *world, const Methods *methods) {
  enum { SIDE = 4, CELLS = SIDE - 1 };
  double positions[3 * SIDE * SIDE] = {0}, mass[SIDE * SIDE] = {0}, velocities[3 * SIDE * SIDE] = {0};
  int32_t triangles[6 * CELLS * CELLS], *corner = triangles;
  for (int i = 0; i < SIDE * SIDE; i++) {
    positions[3 * i] = 0.1 * (i % SIDE);
    positions[3 * i + 1] = 0.1 * (double)(i / SIDE);
    positions[3 * i + 2] = 0.01 * (i % 3);
  }
  for (int j = 0; j < CELLS; j++) {
    for (int i = 0; i < CELLS; i++) {
      int a = j * SIDE + i, cell[6] = {a, a + 1, a + SIDE + 1, a, a + SIDE + 1, a + SIDE};
      for (int k = 0; k < 6; k++) *corner++ = cell[k];
    }
  }
  WeftLink link = {0, SIDE * SIDE - 1, 0.4, 3, 0.01};
  WeftClothDef cloth = weft_default_cloth_def();
  cloth.vertex_count = SIDE * SIDE;
  cloth.positions = positions;
  cloth.velocities = velocities;
  cloth.added_mass = mass;
  cloth.triangle_count = 2 * CELLS * CELLS;
  cloth.triangles = triangles;
  cloth.link_count = 1;
  cloth.links = &link;
  cloth.material = measured_material();
  cloth.stretch = methods->stretch;
  cloth.bend = methods->bend;
  int32_t id;
  TRY(weft_world_add_cloth(world, &cloth, &id, &error));
  WeftObstacleKey moves[] = {{0, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}}, {1, {0, 0, 1}, {0, 1, 0}, {2, 2, 2}}};
  const double times[] = {0, 1};
  WeftObstacleDef obstacle = weft_default_obstacle_def();
  obstacle.vertex_count = SIDE * SIDE / 2;
  obstacle.frame_count = 2;
  obstacle.frame_times = times;
  obstacle.frame_positions = positions;
  obstacle.triangle_count = 2;
  obstacle.triangles = triangles;
  obstacle.key_count = 2;
  obstacle.keys = moves;
  TRY(weft_world_add_obstacle(world, &obstacle, NULL, &error));
  WeftKey keys[] = {{0, {0, 0, 0}, {0, 0, 0}}, {1, {0.1, 0, 0}, {0, 0.1, 0}}};
  int32_t held[] = {0, SIDE - 1};
  WeftHandleDef handle = weft_default_handle_def();
  handle.vertex_count = 2;
  handle.vertices = held;
  handle.key_count = 2;
  handle.keys = keys;
  TRY(weft_world_add_handle(world, &handle, NULL, &error));
  TRY(weft_world_pin(world, 0, 5, WEFT_AXIS_Z, &error));
  handle.key_count = 0;
  handle.vertices = held + 1;
  handle.vertex_count = 1;
  TRY(weft_world_add_handle(world, &handle, NULL, &error)); /* on the way: built by now */
}

static void read_back(WeftWorld *world) {
  double numbers[400];
  int32_t corners[400];
  char *text;
  TRY(weft_world_get_obstacle_positions(world, 0, numbers, &error));
  TRY(weft_world_normals(world, 0, numbers, &error));
  TRY(weft_world_face_strains(world, 0, numbers, &error));
  TRY(weft_world_hinges(world, 0, corners, &error));
  TRY(weft_world_hinge_values(world, 0, numbers, &error));
  TRY(weft_world_report_json(world, "scene", &text, &error));
  weft_free(text);
}

static uint64_t live_world(const Methods *methods) {
  WeftWorldDef def = weft_default_world_def();
  def.threads = 1;
  def.integrator = methods->integrator;
  def.preconditioner = methods->preconditioner;
  def.time_step = 1e-5; /* explicit integrators too */
  def.newton_iterations = 2;
  WeftWorld *world;
  TRY(weft_world_create(&def, &world, &error));
  add_parts(world, methods);
  TRY(weft_world_step(world, 1, &error));
  read_back(world);
  void *bytes;
  size_t size;
  TRY(weft_world_save(world, &bytes, &size, &error));
  TRY(weft_world_step(world, 1, &error));
  TRY(weft_world_restore(world, bytes, size, &error));
  weft_free(bytes);
  TRY(weft_world_step(world, 1, &error));
  uint64_t hash = hash_of(world);
  weft_world_destroy(world);
  return hash;
}

typedef uint64_t Scenario(const void *with);

static uint64_t run_world(const void *with) { return live_world(with); }

/* Runs the scenario with the first allocation failing, the second, and so on until there are no more. Returns
 * how many. */
static long sweep(const char *name, Scenario *scenario, const void *with) {
  long start = live;
  failing = asked = 0;
  uint64_t expected = scenario(with);
  long all = asked;
  assert_int_equal(live, start);
  for (failing = 1; failing <= all; failing += TEST_IS_SANITIZED ? 3 : 1) {
    asked = 0;
    uint64_t hash = scenario(with);
    if (hash != expected) fail_msg("%s: another hash after allocation %ld failed", name, failing);
    if (live != start)
      fail_msg("%s: %ld blocks left after allocation %ld failed", name, live - start, failing);
  }
  failing = 0;
  return all;
}

static void worlds_of_every_method(void **state) {
  (void)state;
  Methods first = {"baraff_witkin", "dihedral", "backward_euler", "block_jacobi"};
  long all = sweep("defaults", run_world, &first);
  assert_true(all > 60);
  int count = 1;
  for (int32_t i = 0; i < weft_method_count(); i++) {
    WeftMethodInfo info = weft_method_info(i);
    Methods methods = first;
    const char **chosen = !strcmp(info.family, "stretch")          ? &methods.stretch
                          : !strcmp(info.family, "bend")           ? &methods.bend
                          : !strcmp(info.family, "integrator")     ? &methods.integrator
                          : !strcmp(info.family, "preconditioner") ? &methods.preconditioner
                                                                   : NULL;
    if (!chosen || info.is_default) continue;
    *chosen = info.name;
    all += sweep(info.name, run_world, &methods);
    count++;
  }
  assert_true(count >= 8);
  print_message("%d worlds, %ld allocations\n", count, all);
}

static const char scene_text[] =
    "{\"name\": \"all\", \"frames\": 3, \"wind\": {\"velocity\": [1, 0, 0]}, \"cloths\": ["
    "{\"mesh\": {\"rectangle\": {\"width\": 1, \"height\": 1, \"columns\": 3}}, \"material\": \"cotton\","
    " \"pins\": [{\"select\": {\"corner\": \"top_left\"}}], \"forces\": [{\"select\": \"all\", \"force\": "
    "[0, 0, 1]}],"
    " \"added_mass\": [{\"select\": {\"vertices\": [1, 2]}, \"mass\": 0.1}],"
    " \"links\": [{\"a\": 0, \"b\": 5, \"stiffness\": 2}], \"velocity\": {\"angular\": [0, 0, 10]}},"
    "{\"name\": \"round\", \"mesh\": {\"disc\": {\"radius\": 1, \"rings\": 2}}, \"rest\": \"uv\"},"
    "{\"name\": \"pipe\", \"mesh\": {\"tube\": {\"radius\": 1, \"height\": 1, \"columns\": 5, \"rows\": 2}},"
    " \"material\": {\"base\": \"silk\", \"density\": 0.3}},"
    "{\"name\": \"band\", \"mesh\": {\"ribbon\": {\"points\": [[0,0,0],[1,0,0],[2,0,0],[3,1,0]], \"width\": "
    "0.1,"
    " \"columns\": 3}}, \"rest\": \"uv\"},"
    "{\"name\": \"file\", \"mesh\": {\"file\": \"mesh.obj\"}, \"rest\": {\"file\": \"mesh.obj\"}},"
    "{\"name\": \"own\", \"mesh\": {\"inline\": {\"positions\": [[0,0,0],[1,0,0],[0,1,0]], \"triangles\": "
    "[[0,1,2]],"
    " \"uvs\": [[0,0],[1,0],[0,1]]}}}],"
    "\"handles\": [{\"cloth\": \"round\", \"select\": [{\"side\": \"rim\"}, {\"nearest\": [0, 0, 0]}],"
    " \"keys\": [{\"time\": 0}, {\"time\": 1, \"translate\": [0, 0, 1]}]}],"
    "\"obstacles\": [{\"mesh\": {\"box\": {\"size\": [1, 1, 1]}}, \"keys\": [{\"time\": 0}]},"
    "{\"mesh\": {\"capsule\": {\"radius\": 1, \"height\": 1, \"columns\": 3}}},"
    "{\"sequence\": {\"files\": [\"mesh.obj\", \"mesh.obj\"]}}],"
    "\"output\": {\"pictures\": {\"every\": 2}}}";

static uint64_t run_scene(const void *with) {
  (void)with;
  WeftScene *scene;
  WeftWorld *world;
  const char *overrides[] = {"cloths.0.material.thickness=0.001", "gravity=[0, 0, -9.8]"};
  TRY(weft_scene_parse(scene_text, sizeof scene_text - 1, "all.json", folder, overrides, 2, (WeftLog){0},
                       &scene, &error));
  TRY(weft_scene_create_world(scene, 1, (WeftLog){0}, &world, &error));
  TRY(weft_world_step(world, 1, &error));
  uint64_t hash = hash_of(world);
  weft_world_destroy(world);
  weft_scene_destroy(scene);
  return hash;
}

static void scenes(void **state) {
  (void)state;
  FILE *file = fopen(mesh_path, "w");
  assert_non_null(file);
  fputs("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\n", file);
  assert_int_equal(fclose(file), 0);
  long all = sweep("scene", run_scene, NULL);
  assert_true(all > 150);
  print_message("a scene, %ld allocations\n", all);
}

/* Files are left out of the hash, but what is read from them goes into it. */
static uint64_t run_files(const void *with) {
  WeftWorld *world;
  WeftWorldDef def = weft_default_world_def();
  def.threads = 1;
  TRY(weft_world_create(&def, &world, &error));
  add_parts(world, with);
  WeftCacheOptions options = {.scene = "files", .quantise_bits = 12, .has_velocities = true};
  WeftCacheWriter *writer;
  WeftCache *cache;
  WeftCheckpoint *checkpoint;
  TRY(weft_cache_create(world, &options, cache_path, &writer, &error));
  TRY(weft_cache_append(writer, world, 0, &error));
  weft_cache_writer_close(writer);
  TRY(weft_cache_continue(world, &options, cache_path, 0, &writer, &error));
  TRY(weft_cache_append(writer, world, 1, &error));
  weft_cache_writer_close(writer);
  TRY(weft_cache_open(cache_path, &cache, &error));
  TRY(weft_cache_read(cache, 1, NULL, &error));
  weft_cache_close(cache);
  TRY(weft_checkpoint_write(world, 7, "notes", 5, state_path, &error));
  TRY(weft_world_step(world, 1, &error));
  TRY(weft_checkpoint_read(state_path, &checkpoint, &error));
  TRY(weft_checkpoint_restore(checkpoint, world, 7, &error));
  weft_checkpoint_free(checkpoint);
  TRY(weft_world_save_file(world, state_path, &error));
  TRY(weft_world_restore_file(world, state_path, &error));
  TRY(weft_world_write_obj(world, -1, mesh_path, &error));
  uint64_t hash = hash_of(world);
  weft_world_destroy(world);
  return hash;
}

static void caches_and_checkpoints(void **state) {
  (void)state;
  Methods methods = {"springs", "springs", "backward_euler", "block_jacobi"};
  long all = sweep("files", run_files, &methods);
  assert_true(all > 60);
  print_message("files, %ld allocations\n", all);
}

static int make_folder(void **state) {
  (void)state;
  /* in memory where there is such a folder: the disk is waited for, again and again */
  snprintf(folder, sizeof folder, "%s/weft-test-allocation-XXXXXX",
           access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
  assert_non_null(mkdtemp(folder));
  snprintf(cache_path, sizeof cache_path, "%s/cache", folder);
  snprintf(state_path, sizeof state_path, "%s/state", folder);
  snprintf(mesh_path, sizeof mesh_path, "%s/mesh.obj", folder);
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  print_message("%ld calls ran out of memory and worked the second time, %ld did without\n", failed_calls,
                patient_calls);
  remove(cache_path);
  remove(state_path);
  remove(mesh_path);
  return rmdir(folder); /* fails when something half-written was left */
}

/* Triangles through each other, so that there is something to find. */
static uint64_t run_check(const void *with) {
  const double a[] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 4, 4, 0}, b[] = {1, 1, -1, 1, 1, 1, 1, 2, 1};
  static const int32_t triangles[] = {0, 1, 2, 1, 3, 2};
  const WeftCheckMesh meshes[2] = {{"a", 4, a, 2, triangles, false}, {"b", 3, b, 1, triangles, false}};
  WeftCheck check;
  TRY(weft_check_meshes(2, meshes, &(WeftCheckOptions){.threads = 1, .list = 1}, &check, &error));
  assert_true(check.total.hits == 2 && check.part_count == 1 && check.listed_count == 1);
  weft_check_free(&check);
  WeftWorldDef def = weft_default_world_def();
  def.threads = 1;
  WeftWorld *world;
  TRY(weft_world_create(&def, &world, &error));
  add_parts(world, with);
  TRY(weft_check_world(world, NULL, &check, &error));
  weft_check_free(&check);
  uint64_t hash = hash_of(world);
  weft_world_destroy(world);
  return hash;
}

static void checks(void **state) {
  (void)state;
  Methods methods = {"springs", "springs", "backward_euler", "block_jacobi"};
  long all = sweep("checks", run_check, &methods);
  assert_true(all > 30);
  print_message("checks, %ld allocations\n", all);
}

/* What a colliding world is varied over. */
typedef struct Colliding {
  const char *broad_phase, *link;
  int steps;
  bool is_thin; /* without thickness there is no contact force, and the link has to do it alone */
} Colliding;

/* Two sheets thrown at each other and at a tetrahedron which comes from below. */
static uint64_t run_colliding(const void *with) {
  enum { SIDE = 4, CELLS = SIDE - 1 };
  const Colliding *methods = with;
  const char *const chain[] = {methods->link, "truncate"};
  double positions[3 * SIDE * SIDE], velocities[3 * SIDE * SIDE] = {0};
  int32_t triangles[6 * CELLS * CELLS], *corner = triangles;
  for (int i = 0; i < CELLS * CELLS; i++) {
    int a = i / CELLS * SIDE + i % CELLS, cell[6] = {a, a + 1, a + SIDE + 1, a, a + SIDE + 1, a + SIDE};
    for (int k = 0; k < 6; k++) *corner++ = cell[k];
  }
  WeftWorldDef def = weft_default_world_def();
  def.threads = 1;
  def.collides = true;
  def.broad_phase = methods->broad_phase;
  def.response_count = strcmp(methods->link, "truncate") ? 2 : 1;
  def.response = chain;
  WeftWorld *world;
  TRY(weft_world_create(&def, &world, &error));
  for (int sheet = 0; sheet < 2; sheet++) {
    for (int i = 0; i < SIDE * SIDE; i++) {
      positions[3 * i] = 0.1 * (i % SIDE) + 0.02 * sheet;
      positions[3 * i + 1] = 0.1 * (double)(i / SIDE) + 0.03 * sheet;
      positions[3 * i + 2] = 2e-4 * sheet;
      velocities[3 * i + 2] = sheet ? -1 : 0;
    }
    WeftClothDef cloth = weft_default_cloth_def();
    cloth.vertex_count = SIDE * SIDE;
    cloth.positions = positions;
    cloth.velocities = velocities;
    cloth.triangle_count = 2 * CELLS * CELLS;
    cloth.triangles = triangles;
    if (methods->is_thin) cloth.material.thickness = 0;
    int32_t id;
    TRY(weft_world_add_cloth(world, &cloth, &id, &error));
  }
  static const double tip[12] = {0.1, 0.1, -1e-3, 0.2, 0, -0.1, 0, 0.2, -0.1, 0, 0, -0.1};
  static const int32_t faces[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
  const WeftObstacleKey keys[] = {{0, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}},
                                  {0.1, {0, 0, 0.1}, {0, 0.2, 0}, {1, 1, 1}}};
  WeftObstacleDef obstacle = weft_default_obstacle_def();
  obstacle.vertex_count = 4;
  obstacle.positions = tip;
  obstacle.triangle_count = 4;
  obstacle.triangles = faces;
  obstacle.key_count = 2;
  obstacle.keys = keys;
  if (methods->is_thin) obstacle.thickness = 0;
  TRY(weft_world_add_obstacle(world, &obstacle, NULL, &error));
  for (int step = 0; step < methods->steps; step++) TRY(weft_world_step(world, 1, &error));
  WeftReport report;
  TRY(weft_world_report(world, &report, &error));
  assert_true((report.contacts > 0 || methods->is_thin) && report.impacts_left == 0);
  assert_true(report.links[0].impacts > 0 || !methods->is_thin);
  weft_world_destroy(world);
  return report.state_hash;
}

static void colliding_worlds(void **state) {
  (void)state;
  long all = 0;
  int count = 0;
  for (int32_t i = 0; i < weft_method_count(); i++) {
    WeftMethodInfo info = weft_method_info(i);
    Colliding methods = {"bvh", "truncate", 1, false};
    if (!strcmp(info.family, "broad_phase") && !info.is_default) {
      methods.broad_phase = info.name;
    } else if (!strcmp(info.family, "response")) {
      methods.link = info.name;
      methods.steps = 2;
      methods.is_thin = true;
    } else {
      continue;
    }
    all += sweep(info.name, run_colliding, &methods);
    count++;
  }
  assert_true(count >= 8);
  print_message("%d colliding worlds, %ld allocations\n", count, all);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(colliding_worlds), cmocka_unit_test(worlds_of_every_method),
      cmocka_unit_test(scenes),           cmocka_unit_test(caches_and_checkpoints),
      cmocka_unit_test(checks),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
