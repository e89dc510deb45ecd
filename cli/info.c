/* weft info FILE: what a scene, a mesh, a material, a saved state, a cache or a checkpoint holds. */
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/info_run.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_SIZE = 65536 };

static void print_obstacles(const WeftWorld *world) {
  static const char *const motions[] = {"stands still", "moves along keys", "deforms in frames"};
  for (int32_t i = 0; i < weft_world_obstacle_count(world); i++)
    printf("obstacle        %s: %d vertices, %d triangles, %s\n", weft_world_obstacle_name(world, i),
           weft_world_obstacle_vertex_count(world, i), weft_world_obstacle_triangle_count(world, i),
           motions[weft_world_obstacle_motion(world, i)]);
}

static int scene_info(const char *path) {
  WeftScene *scene = NULL;
  WeftWorld *world = NULL;
  WeftReport report;
  WeftError error;
  WeftResult result = weft_scene_load(path, NULL, 0, stderr_log(), &scene, &error);
  if (result == WEFT_RESULT_OK) result = weft_scene_create_world(scene, 0, stderr_log(), &world, &error);
  if (result == WEFT_RESULT_OK) result = weft_world_report(world, &report, &error);
  if (result == WEFT_RESULT_OK) {
    WeftSceneInfo info = weft_scene_info(scene);
    printf("scene           %s\n", info.name);
    if (info.description && *info.description) printf("                %s\n", info.description);
    printf("frames          %d of %d steps, time step %g s%s\n", info.frames, info.steps_per_frame,
           info.time_step, info.is_settle ? ", ends when at rest" : "");
    printf("integrator      %s\n", report.integrator);
    printf("preconditioner  %s\n", report.preconditioner);
    printf(
        "vertices        %d\ntriangles       %d\nedges           %d\nhinges          %d\nlinks           "
        "%d\n",
        report.vertex_count, report.triangle_count, report.edge_count, report.hinge_count, report.link_count);
    printf("mass            %g kg\n", report.momenta.mass);
    for (int32_t c = 0; c < weft_world_cloth_count(world); c++)
      printf("cloth           %s: %d vertices, %d triangles\n", weft_world_cloth_name(world, c),
             weft_world_vertex_count(world, c), weft_world_triangle_count(world, c));
    print_obstacles(world);
  }
  weft_world_destroy(world);
  weft_scene_destroy(scene);
  return result == WEFT_RESULT_OK ? finish_stdout() : fail("%s", error.message);
}

static void print_fault(int32_t count, const char *what, const char *first_is, int32_t first) {
  if (count) printf("fault           %d %s, first: %s %d\n", count, what, first_is, first);
}

static int mesh_info(const char *path) {
  WeftMesh mesh = {0};
  WeftMeshFacts facts;
  WeftError error;
  WeftResult result = weft_mesh_read(path, &mesh, &error);
  if (result == WEFT_RESULT_OK) result = weft_mesh_inspect(&mesh, &facts, &error);
  if (result == WEFT_RESULT_OK) {
    printf("mesh            %s\n", path);
    printf("vertices        %d\ntriangles       %d\nedges           %d\n", mesh.vertex_count,
           mesh.triangle_count, facts.edge_count);
    printf("border          %d edges in %d loops\n", facts.border_edge_count, facts.border_loop_count);
    printf("pieces          %d\nuv              %s\n", facts.piece_count, mesh.uvs ? "yes" : "no");
    printf("area            %g m^2\n", facts.area);
    printf("box             %g %g %g to %g %g %g m\n", facts.box_min[0], facts.box_min[1], facts.box_min[2],
           facts.box_max[0], facts.box_max[1], facts.box_max[2]);
    printf("edge length     %g to %g, mean %g m\n", facts.edge_min, facts.edge_max, facts.edge_mean);
    print_fault(facts.nonfinite_vertices, "vertices that are not finite", "vertex",
                facts.first_nonfinite_vertex);
    print_fault(facts.index_errors, "triangles with an index out of range", "triangle",
                facts.first_index_error);
    print_fault(facts.degenerate_triangles, "degenerate triangles", "triangle",
                facts.first_degenerate_triangle);
    print_fault(facts.duplicate_triangles, "duplicate triangles", "triangle", facts.first_duplicate_triangle);
    print_fault(facts.unused_vertices, "unused vertices", "vertex", facts.first_unused_vertex);
    if (facts.nonmanifold_edges)
      printf("fault           %d non-manifold edges, first: vertices %d and %d\n", facts.nonmanifold_edges,
             facts.first_nonmanifold_edge[0], facts.first_nonmanifold_edge[1]);
    if (facts.flipped_edges)
      printf("fault           %d edges whose triangles run round in opposite senses\n", facts.flipped_edges);
  }
  weft_mesh_free(&mesh);
  return result == WEFT_RESULT_OK ? finish_stdout() : fail("%s", error.message);
}

static int print_material(const WeftMaterial *m) {
  printf("material        %s\n", m->name);
  printf("density         %g kg/m^2\nthickness       %g m\n", m->density, m->thickness);
  printf("stretch         warp %g, weft %g N/m\nshear           %g N/m\n", m->stretch_warp, m->stretch_weft,
         m->shear);
  printf("bend            warp %g, weft %g N m\n", m->bend_warp, m->bend_weft);
  printf("damping         stretch %g, bend %g s\n", m->stretch_damping, m->bend_damping);
  printf("air drag        normal %g, tangential %g N s/m^3\n", m->drag_normal, m->drag_tangential);
  printf("friction        static %g, kinetic %g, self %g\n", m->friction_static, m->friction_kinetic,
         m->friction_self);
  printf("adhesion        %g N/m^2\n", m->adhesion);
  printf("measured tables stretch %s, bend %s\n", m->has_measured_stretch ? "yes" : "no",
         m->has_measured_bend ? "yes" : "no");
  return finish_stdout();
}

static int material_file_info(const char *path) {
  WeftMaterial material;
  WeftError error;
  if (weft_material_read(path, &material, &error) != WEFT_RESULT_OK) return fail("%s", error.message);
  return print_material(&material);
}

/* The beginning of a saved state; docs/state.md describes all of it. */
typedef struct StateHead {
  char magic[8];
  uint32_t version, byte_order;
  uint64_t fingerprint, vertex_count;
  int64_t step;
  double time;
} StateHead;

static bool is_state(const char *bytes, size_t size) {
  return size >= sizeof(StateHead) && memcmp(bytes, "weftstat", 8) == 0;
}

static int state_info(const char *path, const char *bytes) {
  StateHead head;
  memcpy(&head, bytes, sizeof head);
  if (head.byte_order != 0x01020304)
    return fail("%s: a saved state of a machine with another byte order", path);
  printf("saved state     %s\n", path);
  printf("format          version %u\n", (unsigned)head.version);
  printf("vertices        %llu\n", (unsigned long long)head.vertex_count);
  printf("time            %g s, %lld steps\n", head.time, (long long)head.step);
  printf("model           %016llx\n", (unsigned long long)head.fingerprint);
  return finish_stdout();
}

/* JSON is a scene when it names cloths at all; a material has no such key. */
static int file_info(const char *path) {
  char *head = calloc(HEAD_SIZE + 1, 1);
  FILE *stream = head ? fopen(path, "rb") : NULL;
  size_t size = stream ? fread(head, 1, HEAD_SIZE, stream) : 0;
  bool is_read = stream && !ferror(stream);
  int reason = errno;
  if (stream) fclose(stream);
  const char *first = head;
  while (first && isspace((unsigned char)*first)) first++;
  bool is_json = size > 0 && *first == '{';
  bool is_scene = is_json && strstr(head, "\"cloths\"");
  int (*of_bytes)(const char *) = is_read ? run_file_info(head, size) : NULL;
  if (is_read && is_state(head, size)) {
    int code = state_info(path, head);
    free(head);
    return code;
  }
  free(head);
  if (!is_read) return fail("cannot read %s: %s", path, strerror(reason));
  if (of_bytes) return of_bytes(path);
  if (is_scene) return scene_info(path);
  return is_json ? material_file_info(path) : mesh_info(path);
}

static int run_info(int argument_count, char **arguments) {
  int left;
  bool is_help;
  const Option options[] = {{.kind = OPTION_END}};
  int code = parse_options(&verb_info, options, argument_count, arguments, &left, &is_help);
  if (code != EXIT_FINE || is_help) return code;
  if (left != 1) return fail_usage(&verb_info, "one file, please");
  char *path = find_scene(arguments[0]);
  if (path) {
    code = file_info(path);
    free(path);
    return code;
  }
  WeftMaterial material;
  WeftError error;
  if (weft_material_find(arguments[0], &material, &error) == WEFT_RESULT_OK) {
    for (int32_t i = 0; i < weft_material_count(); i++)
      if (strcmp(weft_material_name(i), arguments[0]) == 0)
        printf("source          %s\n", weft_material_source(i));
    return print_material(&material);
  }
  return fail(
      "%s is neither a file, nor a shipped scene, nor a material; `weft list` shows scenes and materials",
      arguments[0]);
}

const Verb verb_info = {
    .name = "info",
    .arguments = "FILE",
    .summary = "Tell what a scene, a mesh, a material, a cache or a saved state holds.",
    .details =
        "FILE is a scene or material (JSON), a mesh (OBJ or PLY), a cache of frames, a saved state or\n"
        "checkpoint, or the name of a shipped scene or material. A scene is checked as `weft run` would; a\n"
        "mesh is checked for faults, and the first of each kind is named; every frame of a cache is "
        "checked.\n",
    .run = run_info,
};
