/* weft: scenes, meshes and materials from files. docs/scene.md and scenes/scene.schema.json describe the
 * format. */
#ifndef WEFT_SCENE_H
#define WEFT_SCENE_H

#include <weft/weft.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Read a scene file. overrides are "path=value" strings as in `weft run --set`, for example
 * "cloths.0.material=silk". Everything is checked before it returns: keys, types, ranges, files. */
WEFT_API WeftResult weft_scene_load(const char *path, const char *const *overrides, int32_t override_count,
                                    WeftLog log, WeftScene **scene, WeftError *error);
/* The same from text; name is used in messages, folder is where relative file names start. */
WEFT_API WeftResult weft_scene_parse(const char *text, size_t size, const char *name, const char *folder,
                                     const char *const *overrides, int32_t override_count, WeftLog log,
                                     WeftScene **scene, WeftError *error);
WEFT_API void weft_scene_destroy(WeftScene *scene);

/* A world with the scene's cloths, obstacles and handles. threads 0: as many as there are cores. */
WEFT_API WeftResult weft_scene_create_world(const WeftScene *scene, int32_t threads, WeftLog log,
                                            WeftWorld **world, WeftError *error);

typedef enum WeftColorBy { WEFT_COLOR_BY_CLOTH, WEFT_COLOR_BY_STRAIN } WeftColorBy;

/* What the scene says about its run and its output; strings live as long as the scene. */
typedef struct WeftSceneInfo {
  const char *name, *description;
  int32_t frames;          /* to simulate */
  int32_t steps_per_frame; /* time_step x this = 1 / frame rate */
  double time_step;        /* [s] */
  double frame_rate;       /* [1/s] */
  bool is_settle;          /* stop when at rest (quasi-static runs) */
  double settle_speed;     /* [m/s] */
  /* output */
  bool writes_cache;  /* all frames in one file, see weft/cache.h */
  int32_t cache_bits; /* 0: doubles */
  bool cache_velocities;
  bool writes_obj;       /* an OBJ per frame */
  bool writes_vertices;  /* CSV: position and velocity per vertex, %.17g */
  bool writes_faces;     /* CSV: strain per face */
  bool writes_hinges;    /* CSV: curvature and moment per hinge */
  int32_t output_every;  /* frames between two written frames >= 1 */
  int32_t picture_count; /* pictures: frame numbers, -1 is the last frame */
  const int32_t *pictures;
  int32_t picture_width, picture_height;
  WeftColorBy picture_color;
  bool has_camera;
  double camera_from[3], camera_to[3]; /* [m] when has_camera */
  double camera_fov;                   /* vertical [degrees] */
} WeftSceneInfo;
WEFT_API WeftSceneInfo weft_scene_info(const WeftScene *scene);

/* A triangle mesh as files and generators give it. Freed with weft_mesh_free. */
typedef struct WeftMesh {
  int32_t vertex_count;
  double *positions; /* vertex_count x 3 [m] */
  int32_t triangle_count;
  int32_t *triangles; /* triangle_count x 3 */
  double *uvs;        /* triangle_count x 3 x 2, or NULL */
} WeftMesh;
/* OBJ or PLY, told apart by content. Polygons are triangulated. */
WEFT_API WeftResult weft_mesh_read(const char *path, WeftMesh *mesh, WeftError *error);
WEFT_API void weft_mesh_free(WeftMesh *mesh);

/* What weft_mesh_inspect found; the first element of each kind is named, -1 where there is none. */
typedef struct WeftMeshFacts {
  int32_t edge_count, border_edge_count, piece_count, border_loop_count;
  int32_t nonfinite_vertices, first_nonfinite_vertex;
  int32_t index_errors, first_index_error; /* triangles */
  int32_t degenerate_triangles, first_degenerate_triangle;
  int32_t duplicate_triangles, first_duplicate_triangle;
  int32_t nonmanifold_edges, first_nonmanifold_edge[2]; /* vertices of the edge */
  int32_t flipped_edges;                                /* neighbours that run round in opposite senses */
  int32_t unused_vertices, first_unused_vertex;
  double area, box_min[3], box_max[3], edge_min, edge_mean, edge_max;
} WeftMeshFacts;
WEFT_API WeftResult weft_mesh_inspect(const WeftMesh *mesh, WeftMeshFacts *facts, WeftError *error);

/* A named fabric of the library, or a material file (weft's own JSON or ArcSim's), told apart by content. */
WEFT_API WeftResult weft_material_find(const char *name, WeftMaterial *material, WeftError *error);
WEFT_API WeftResult weft_material_read(const char *path, WeftMaterial *material, WeftError *error);
WEFT_API int32_t weft_material_count(void);
/* "" after the last. */
WEFT_API const char *weft_material_name(int32_t index);
WEFT_API const char *weft_material_source(int32_t index);

/* Write one cloth as OBJ, %.17g. The file appears complete or not at all. */
WEFT_API WeftResult weft_world_write_obj(WeftWorld *world, int32_t cloth_or_minus_1_for_all, const char *path,
                                         WeftError *error);

/* Obstacles in one OBJ file, at the world's time: those that stand still, those that move, or all. */
typedef enum WeftObstacleSet {
  WEFT_OBSTACLES_ALL,
  WEFT_OBSTACLES_STATIC,
  WEFT_OBSTACLES_MOVING
} WeftObstacleSet;
WEFT_API WeftResult weft_world_write_obstacles_obj(WeftWorld *world, WeftObstacleSet set, const char *path,
                                                   WeftError *error);

#ifdef __cplusplus
}
#endif
#endif
