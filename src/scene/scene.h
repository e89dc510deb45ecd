/* A scene in memory, in three stages:
 *
 *   text   -> WeftJson, overrides applied                          base/json.h, scene/override.c
 *   tree   -> definitions, everything checked that needs no mesh   scene/read_*.c
 *   meshes -> made or read, transformed, selections resolved       scene/build_*.c
 *
 * after which a world is a matter of handing over arrays (scene/create_world.c). The tree stays, because a
 * selection that turns out empty is reported with its line. Texts point into the tree, lists belong to
 * blocks. */
#ifndef WEFT_SCENE_SCENE_H
#define WEFT_SCENE_SCENE_H

#include "base/fields.h"
#include "mesh/generate.h"

#include <weft/scene.h>

/* One way of naming vertices. */
typedef enum WeftClauseKind {
  WEFT_CLAUSE_ALL,
  WEFT_CLAUSE_VERTICES,
  WEFT_CLAUSE_SIDES, /* on all sides of a mask: one side, or the two that meet in a corner */
  WEFT_CLAUSE_BOX,
  WEFT_CLAUSE_NEAREST,
} WeftClauseKind;

typedef struct WeftClause {
  WeftClauseKind kind;
  int32_t node;
  int32_t vertex_count;
  int32_t *vertices;
  int32_t sides;    /* bits 1 << WeftSide */
  double box[2][3]; /* least and largest coordinates after the transform [m]; nearest: box[0] is the point */
} WeftClause;

/* The union of its clauses. */
typedef struct WeftSelection {
  int32_t node;
  int32_t clause_count;
  WeftClause *clauses;
  int32_t vertex_count; /* resolved: ascending, each once */
  int32_t *vertices;
} WeftSelection;

typedef enum WeftMeshSource {
  WEFT_MESH_FILE,
  WEFT_MESH_RECTANGLE,
  WEFT_MESH_DISC,
  WEFT_MESH_TUBE,
  WEFT_MESH_INLINE,
  WEFT_MESH_BOX,
  WEFT_MESH_SPHERE,
  WEFT_MESH_CYLINDER,
  WEFT_MESH_CONE,
  WEFT_MESH_FUNNEL,
  WEFT_MESH_CAPSULE,
  WEFT_MESH_TORUS,
  WEFT_MESH_LATHE,
  WEFT_MESH_RIBBON,
} WeftMeshSource;

typedef struct WeftSceneMesh {
  WeftMeshSource source;
  int32_t node;
  const char *file;
  double width, height, radius; /* [m] */
  int32_t columns, rows, rings; /* rows 0: so that cells are about as high as wide */
  double size[3];               /* of a box [m] */
  int32_t cells[3];
  double top_radius, tube_radius, neck_radius, neck_height; /* of cone and tube, torus, funnel [m] */
  int32_t neck_rows, cap_rows;                              /* of funnel and capsule */
  int32_t pattern;                                          /* WeftPattern */
  WeftMesh given;         /* inline; arrays belong to the scene's blocks; a ribbon's points */
  int32_t given_uv_count; /* inline: one uv a vertex, or 0; a lathe's profile */
  double *given_uvs;
} WeftSceneMesh;

typedef enum WeftRestSource { WEFT_REST_MESH, WEFT_REST_UV, WEFT_REST_FILE } WeftRestSource;

typedef struct WeftSceneRest {
  WeftRestSource source;
  int32_t node;
  double uv_scale;
  const char *file;
} WeftSceneRest;

typedef struct WeftSceneVelocity {
  double linear[3];  /* [m/s] */
  double angular[3]; /* [rad/s], about center */
  double center[3];  /* [m] */
  int32_t node, each_count;
  double *each; /* each_count x 3, one a vertex, added */
} WeftSceneVelocity;

typedef enum WeftSpread { WEFT_SPREAD_EACH, WEFT_SPREAD_EQUAL, WEFT_SPREAD_MASS } WeftSpread;

typedef struct WeftScenePin {
  const char *name;
  WeftSelection select;
  int32_t axes;
  double release; /* [s] */
} WeftScenePin;

typedef struct WeftSceneForce {
  WeftSelection select;
  double force[3]; /* [N] */
  int32_t spread;
} WeftSceneForce;

typedef struct WeftSceneMass {
  WeftSelection select;
  double mass; /* [kg] */
  int32_t spread;
} WeftSceneMass;

typedef struct WeftSceneLink {
  WeftLink link; /* rest_length NAN: the distance at the start */
  int32_t node;
} WeftSceneLink;

/* Start positions moved by chance. */
typedef struct WeftSceneJitter {
  int32_t node;  /* -1: there is none */
  double amount; /* largest move along an axis, in mean edge lengths */
  int32_t seed;
} WeftSceneJitter;

typedef struct WeftSceneCloth {
  int32_t node;
  const char *name;
  WeftSceneMesh mesh;
  double transform[3][4]; /* rows of [A | t]: x' = A x + t */
  WeftMaterial material;
  int32_t material_node;
  const char *stretch, *bend;
  int32_t stretch_node, bend_node; /* -1: the default */
  WeftSceneRest rest;
  int32_t rest_bend; /* WeftRestBend */
  bool has_warp;
  int32_t warp_node;
  double warp[3];
  WeftSceneVelocity velocity;
  WeftSceneJitter jitter;
  int32_t link_count, mass_count, pin_count, force_count;
  WeftSceneLink *links;
  WeftSceneMass *masses;
  WeftScenePin *pins;
  WeftSceneForce *forces;
  /* Built. */
  WeftShape shape;    /* positions transformed; sides NULL unless generated */
  WeftMesh rest_mesh; /* with WEFT_REST_FILE; with jitter its positions alone */
  double *velocities; /* NULL: at rest */
  double *added_mass; /* NULL: none */
  WeftLink *built_links;
} WeftSceneCloth;

/* Friction of a pair of surfaces. */
typedef struct WeftSceneFriction {
  int32_t node;
  const char *a, *b; /* fabrics or obstacles */
  double at_rest, sliding;
} WeftSceneFriction;

typedef struct WeftSceneHandle {
  int32_t node;
  const char *name;
  int32_t cloth_node, cloth; /* cloth_node -1: not said */
  WeftSelection select;
  int32_t axes;
  int32_t key_count;
  WeftKey *keys;
  bool has_pivot;
  double pivot[3]; /* [m]; not said: the mean of the selected vertices */
  int32_t interpolation;
  double release; /* [s] */
} WeftSceneHandle;

/* The shapes of a deforming obstacle: files by a pattern or one by one. */
typedef struct WeftSceneSequence {
  int32_t node; /* -1: there is none */
  int32_t files_node, first_node, last_node;
  const char *pattern; /* with one %d or %04d; NULL: files */
  int32_t file_count;
  const char **files;
  int32_t first, last; /* numbers of the pattern's files */
  double frame_rate;   /* [1/s]; NAN: the scene's */
  double start;        /* time of the first [s] */
} WeftSceneSequence;

typedef struct WeftSceneObstacle {
  int32_t node;
  const char *name;
  bool has_mesh;
  WeftSceneMesh mesh;
  WeftSceneSequence sequence;
  double transform[3][4];
  double friction_static, friction_kinetic; /* -1: the cloth's */
  double thickness;                         /* [m] */
  int32_t key_count;
  WeftObstacleKey *keys;
  bool has_pivot;
  double pivot[3]; /* [m]; not said: where the transform puts the mesh's origin */
  int32_t interpolation;
  /* Built. */
  WeftShape shape;     /* positions transformed; of the first frame */
  int32_t frame_count; /* 0: no sequence */
  double *frame_times, *frame_positions;
} WeftSceneObstacle;

typedef enum WeftPictureRule { WEFT_PICTURE_LIST, WEFT_PICTURE_ALL, WEFT_PICTURE_EVERY } WeftPictureRule;

typedef struct WeftSceneOutput {
  bool obj;
  bool values[3]; /* vertices, faces, hinges */
  bool cache;
  int32_t cache_bits; /* 0: doubles */
  bool cache_velocities;
  int32_t every;
  WeftPictureRule picture_rule;
  int32_t picture_node, picture_every, picture_count;
  int32_t *pictures;
  int32_t picture_size[2];
  int32_t picture_color; /* WeftColorBy */
  bool has_camera;
  double camera_from[3], camera_to[3], camera_fov;
} WeftSceneOutput;

struct WeftScene {
  WeftJson json;
  char *folder;
  WeftBlocks blocks;
  const char *name, *description;
  WeftWorldDef world;
  double time_step, frame_rate; /* time_step NAN: not said */
  int32_t steps_per_frame;      /* 0: not said */
  int32_t time_step_node, steps_per_frame_node;
  int32_t frames;
  bool is_quasi_static;
  double settle_speed; /* [m/s] */
  int32_t cloth_count, handle_count, obstacle_count;
  WeftSceneCloth *cloths;
  WeftSceneHandle *handles;
  WeftSceneObstacle *obstacles;
  int32_t friction_count;
  WeftSceneFriction *frictions;
  WeftSceneOutput output;
};

/* Text to definitions, no mesh touched. On success *scene is destroyed with weft_scene_destroy. */
WeftResult weft_scene_define(const char *text, size_t size, const char *name, const char *folder,
                             const char *const *overrides, int32_t override_count, WeftLog log,
                             WeftScene **scene, WeftError *error);
/* Definitions to meshes: the rest of the checks. */
WeftResult weft_scene_build(WeftScene *scene, WeftLog log, WeftError *error);

/* Applies "path=value" to the tree. */
WeftResult weft_scene_override(WeftJson *json, const char *override, WeftError *error);

/* Parts of the reader, one file each. */
WeftResult weft_scene_read_selection(WeftReader *reader, int32_t node, void *selection);
WeftResult weft_scene_check_selection(WeftReader *reader, const WeftSelection *selection,
                                      WeftMeshSource source);
WeftResult weft_scene_read_transform(WeftReader *reader, int32_t node, void *matrix);
/* Axis and angle, or Euler angles, into a rotation vector [rad]. */
WeftResult weft_scene_read_rotation(WeftReader *reader, int32_t node, void *vector);
/* One factor above 0, or three. */
WeftResult weft_scene_read_scale(WeftReader *reader, int32_t node, void *factors);
WeftResult weft_scene_read_axes(WeftReader *reader, int32_t node, void *axes);
WeftResult weft_scene_read_mesh(WeftReader *reader, int32_t node, void *mesh);
/* The solids among the meshes. */
WeftResult weft_scene_read_box(WeftReader *reader, int32_t node, void *mesh);
WeftResult weft_scene_read_sphere(WeftReader *reader, int32_t node, void *mesh);
WeftResult weft_scene_read_cylinder(WeftReader *reader, int32_t node, void *mesh);
WeftResult weft_scene_read_cone(WeftReader *reader, int32_t node, void *mesh);
WeftResult weft_scene_read_funnel(WeftReader *reader, int32_t node, void *mesh);
WeftResult weft_scene_read_capsule(WeftReader *reader, int32_t node, void *mesh);
WeftResult weft_scene_read_torus(WeftReader *reader, int32_t node, void *mesh);
/* Refuses more cells than one machine steps. */
WeftResult weft_scene_check_cells(WeftReader *reader, int32_t node, double columns, double rows);
WeftResult weft_scene_read_cloths(WeftReader *reader, int32_t node, void *scene);
WeftResult weft_scene_read_obstacles(WeftReader *reader, int32_t node, void *scene);
WeftResult weft_scene_read_sequence(WeftReader *reader, int32_t node, void *sequence);
/* Where the one %d or %04d of a pattern stands, what is behind it, and how many digits it has at least; NULL
 * when it has not exactly one. */
const char *weft_scene_place_of_number(const char *pattern, int32_t *digits, const char **behind);
WeftResult weft_scene_read_handles(WeftReader *reader, int32_t node, void *scene);
WeftResult weft_scene_link_handles(WeftReader *reader, WeftScene *scene);
/* A method of the registry, by its name; *name points to the registry's text. */
WeftResult weft_scene_read_method(WeftReader *reader, int32_t node, const char *family, const char **name);
/* Row-major rotation matrix of a rotation vector; exact for multiples of a right angle about an axis. */
void weft_scene_rotation_matrix(const double vector[3], double matrix[3][3]);

/* Marks the vertices of a cloth that a selection names; refuses an empty one. */
WeftResult weft_scene_resolve(WeftReader *reader, WeftSelection *selection, const WeftShape *shape);

/* Every table of the reader, for the comparison with the schema. NULL after the last. */
const WeftTable *weft_scene_table(int32_t index);

extern const WeftTable weft_scene_table_scene, weft_scene_table_wind, weft_scene_table_gust,
    weft_scene_table_integrator, weft_scene_table_solver, weft_scene_table_collision,
    weft_scene_table_quasi_static, weft_scene_table_cloth, weft_scene_table_mesh, weft_scene_table_rectangle,
    weft_scene_table_disc, weft_scene_table_tube, weft_scene_table_ribbon, weft_scene_table_inline,
    weft_scene_table_transform, weft_scene_table_rotation, weft_scene_table_rest, weft_scene_table_velocity,
    weft_scene_table_jitter, weft_scene_table_link, weft_scene_table_mass, weft_scene_table_pin,
    weft_scene_table_force, weft_scene_table_selection, weft_scene_table_handle, weft_scene_table_key,
    weft_scene_table_output, weft_scene_table_pictures, weft_scene_table_camera, weft_scene_table_cache,
    weft_scene_table_plane, weft_scene_table_box, weft_scene_table_sphere, weft_scene_table_cylinder,
    weft_scene_table_cone, weft_scene_table_funnel, weft_scene_table_capsule, weft_scene_table_torus,
    weft_scene_table_lathe, weft_scene_table_obstacle, weft_scene_table_obstacle_key,
    weft_scene_table_sequence, weft_scene_table_response, weft_scene_table_friction;

/* Names of WeftInterpolation, ending with NULL. */
extern const char *const weft_scene_interpolations[];

#endif
