/* weft: definitions, results and plain values of the public interface.
 *
 * SI units everywhere: metres, kilograms, seconds, newtons. z is up in the defaults. Every definition struct
 * comes from its weft_default_*_def() maker, which also sets a cookie: a definition that was not made that
 * way is refused. Strings and arrays in a definition belong to the caller and are copied by the call that
 * takes them.
 */
#ifndef WEFT_TYPES_H
#define WEFT_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 1
#define WEFT_VERSION_PATCH 0

/* What a public call came to. Anything but WEFT_RESULT_OK leaves the objects it was given as they were. */
typedef enum WeftResult {
  WEFT_RESULT_OK = 0,
  WEFT_RESULT_INVALID_ARGUMENT, /* a null pointer, an unmade definition, a value out of range */
  WEFT_RESULT_OUT_OF_MEMORY,
  WEFT_RESULT_IO,            /* a file could not be opened, read or written */
  WEFT_RESULT_PARSE,         /* a file is not well-formed */
  WEFT_RESULT_INVALID_DATA,  /* a file or mesh is well-formed, but what it says is refused */
  WEFT_RESULT_NOT_CONVERGED, /* the solver did not reach its tolerance, also not with smaller steps */
  WEFT_RESULT_NOT_FINITE,    /* the state would have stopped being finite, also with smaller steps */
  WEFT_RESULT_MISMATCH,      /* a saved state belongs to another model or version */
  WEFT_RESULT_WRONG_TIME,    /* the call does not fit the moment: a cloth added after the first step */
  WEFT_RESULT_DEVICE,        /* a device is not there, cannot be used, or failed */
} WeftResult;

/* What went wrong, where (file, line, element) and what to do. Optional in every call: pass NULL if not
 * wanted. */
typedef struct WeftError {
  WeftResult result;
  char message[1024];
} WeftError;

typedef enum WeftLogLevel { WEFT_LOG_INFO, WEFT_LOG_WARNING } WeftLogLevel;

/* Called by the thread that called the library, never by a worker. The text ends without a newline. */
typedef void WeftLogFn(WeftLogLevel level, const char *text, void *user);

/* Where log lines go; fn NULL: nowhere. */
typedef struct WeftLog {
  WeftLogFn *fn;
  void *user;
} WeftLog;

/* Axes along which a pinned vertex is held: any sum of these. */
enum { WEFT_AXIS_X = 1, WEFT_AXIS_Y = 2, WEFT_AXIS_Z = 4, WEFT_AXIS_ALL = 7 };

#define WEFT_NAME_SIZE 64

/* A fabric. weft_default_material() gives a medium cotton-like cloth. */
typedef struct WeftMaterial {
  uint32_t cookie;
  char name[WEFT_NAME_SIZE];
  double density;          /* areal density [kg/m^2] > 0 */
  double thickness;        /* [m] >= 0 */
  double stretch_warp;     /* membrane stiffness along u [N/m] >= 0 */
  double stretch_weft;     /* membrane stiffness along v [N/m] >= 0 */
  double shear;            /* stiffness against w_u . w_v [N/m] >= 0 */
  double bend_warp;        /* bending stiffness B when the warp bends [N m] >= 0 */
  double bend_weft;        /* bending stiffness B when the weft bends [N m] >= 0 */
  double stretch_damping;  /* k_d = this times the stiffness [s] >= 0, stretch and shear */
  double bend_damping;     /* the same for bending [s] >= 0 */
  double drag_normal;      /* factor of rho_air A |v_n| v_n [-] >= 0 */
  double drag_tangential;  /* factor of A v_t [N s/m^3] >= 0 */
  double friction_static;  /* against obstacles [-] >= 0 */
  double friction_kinetic; /* against obstacles [-] >= 0 */
  double friction_self;    /* cloth against cloth [-] >= 0 */
  double adhesion;         /* pull with which it sticks to what it touches [N/m^2] >= 0; default 0 */
  /* Measured tables after Wang et al. 2011, for the methods named "measured"; has_* tells whether they are
   * there. */
  bool has_measured_stretch;
  bool has_measured_bend;
  double measured_stretch[6][4]; /* c11 c12 c22 c33 [N/m]; row 0 unstrained, rows 1-5 strained at 0, 22.5 ...
                                    90 degrees */
  double measured_bend[3][5]; /* k_e [N m]; fold axis at 0, 45, 90 degrees from u; at kappa/2 = 0, 5, 10, 15,
                                 20 1/m */
} WeftMaterial;

/* Where the rest angles of the hinges come from. */
typedef enum WeftRestBend { WEFT_REST_BEND_SHAPE, WEFT_REST_BEND_FLAT } WeftRestBend;

/* A spring between two vertices of one cloth, beside the fabric's own forces. */
typedef struct WeftLink {
  int32_t a, b;       /* vertices of the cloth */
  double rest_length; /* [m] >= 0 */
  double stiffness;   /* [N/m] >= 0 */
  double damping;     /* [N s/m] >= 0, along the link */
} WeftLink;

/* A cloth. Arrays are in the caller's vertex order, which is also the order of everything that is read back.
 */
typedef struct WeftClothDef {
  uint32_t cookie;
  const char *name; /* default "cloth" */
  int32_t vertex_count;
  const double *positions;  /* vertex_count x 3, start positions [m] */
  const double *velocities; /* vertex_count x 3 [m/s]; NULL: at rest */
  int32_t triangle_count;   /* may be 0 for a net of links */
  const int32_t *triangles; /* triangle_count x 3 */
  const double *rest_uv;    /* triangle_count x 3 x 2, flat rest shape and warp (u) direction [m]; NULL: from
                               rest_positions */
  const double *rest_positions; /* vertex_count x 3, rest shape [m]; NULL: positions. With rest_uv only rest
                                   angles use it */
  const double *warp_uv;  /* triangle_count x 3 x 2, any scale: gives the warp direction when rest_uv is NULL;
                             NULL: warp */
  double warp[3];         /* direction of the warp in the rest shape when there is no uv; default x */
  WeftRestBend rest_bend; /* default WEFT_REST_BEND_SHAPE */
  const double *added_mass; /* vertex_count, added to the fabric's [kg] >= 0; NULL: none */
  int32_t link_count;
  const WeftLink *links;
  WeftMaterial material;
  const char *stretch; /* method, see weft_list_methods; default "baraff_witkin" */
  const char *bend;    /* method; default "dihedral" */
} WeftClothDef;

/* Where a handle is at a time. Between keys position and rotation are interpolated as the handle's def says.
 */
typedef struct WeftKey {
  double time;           /* [s], ascending */
  double translation[3]; /* [m], from the start position */
  double rotation[3];    /* rotation vector: axis times angle [rad], about the handle's pivot */
} WeftKey;

typedef enum WeftInterpolation { WEFT_INTERPOLATION_LINEAR, WEFT_INTERPOLATION_SMOOTH } WeftInterpolation;

/* Vertices that are held, or carried along keyframes. Without keys: a pin. */
typedef struct WeftHandleDef {
  uint32_t cookie;
  const char *name; /* default "handle" */
  int32_t cloth;    /* index, in the order in which cloths were added */
  int32_t vertex_count;
  const int32_t *vertices;
  int32_t axes; /* sum of WEFT_AXIS_*; default WEFT_AXIS_ALL */
  int32_t key_count;
  const WeftKey *keys;
  double pivot[3];                 /* of the rotation [m] */
  WeftInterpolation interpolation; /* default WEFT_INTERPOLATION_LINEAR */
  double release_time;             /* the vertices are let go at this time [s]; default never (infinity) */
} WeftHandleDef;

/* Where an obstacle is at a time: x = pivot + translation + R S (x0 - pivot), with x0 its vertices as given.
 * Between keys translation, rotation vector and scale are interpolated as the obstacle's def says; before the
 * first and after the last key it stands still. */
typedef struct WeftObstacleKey {
  double time;           /* [s], ascending */
  double translation[3]; /* [m], from where the vertices were given */
  double rotation[3];    /* rotation vector: axis times angle [rad], about the obstacle's pivot */
  double scale[3];       /* S: factors along x, y, z, before the rotation [-] > 0; 1 1 1 for none */
} WeftObstacleKey;

/* A body that cloth meets and that nothing moves: a triangle mesh, closed or open, of any quality. Only
 * numbers that are not finite and vertices out of range are refused; the world's log tells of other faults.
 * Its vertices at a time depend on this definition and the time alone. docs/obstacles.md. */
typedef struct WeftObstacleDef {
  uint32_t cookie;
  const char *name; /* default "obstacle" */
  int32_t vertex_count;
  const double *positions; /* vertex_count x 3 [m]; NULL with frames */
  int32_t triangle_count;
  const int32_t *triangles; /* triangle_count x 3; of a closed mesh the outside is where they run
                               counterclockwise */
  double friction_static;   /* against every cloth [-] >= 0; default -1: as the cloth's material says */
  double friction_kinetic;  /* the same */
  double thickness;         /* of a skin on its surface that cloth stays out of [m] >= 0; default 0 */
  int32_t key_count;
  const WeftObstacleKey *keys;     /* none: it stands still, or only deforms */
  double pivot[3];                 /* of rotation and scale [m] */
  WeftInterpolation interpolation; /* between keys; default WEFT_INTERPOLATION_LINEAR */
  int32_t frame_count;             /* a deforming obstacle: its shape at some times, linear between them */
  const double *frame_times;       /* frame_count [s], ascending */
  const double *frame_positions;   /* frame_count x vertex_count x 3 [m]; keys move it on top of that */
} WeftObstacleDef;

/* How an obstacle moves; one with frames and keys is WEFT_MOTION_FRAMES. */
typedef enum WeftMotionKind { WEFT_MOTION_STATIC, WEFT_MOTION_KEYS, WEFT_MOTION_FRAMES } WeftMotionKind;

/* Uniform wind with an optional travelling gust: w(x, t) = velocity + gust_amplitude g(x, t), see
 * docs/scene.md. */
typedef struct WeftWind {
  double velocity[3];       /* [m/s] */
  double gust_amplitude[3]; /* [m/s] */
  double gust_frequency;    /* [Hz] */
  double gust_length;       /* [m] > 0: the distance over which the gust varies */
  double air_density;       /* [kg/m^3] >= 0; default 1.2; 0: no air */
} WeftWind;

typedef struct WeftWorldDef {
  uint32_t cookie;
  double time_step;  /* [s] > 0; default 1/200 */
  double gravity[3]; /* [m/s^2]; default 0 0 -9.81 */
  WeftWind wind;
  double mass_damping;           /* f = -this m v [1/s] >= 0; default 0 */
  const char *integrator;        /* default "backward_euler" */
  const char *preconditioner;    /* default "auto": one of the others, see docs/preconditioners.md */
  double solver_tolerance;       /* |r| <= this |b|, default see docs/solver-tolerance.md */
  int32_t solver_max_iterations; /* default 0: chosen from the size of the system */
  int32_t newton_iterations;     /* at most so many linear solves a step; default 1 */
  double newton_tolerance;       /* stop when a velocity update is below this [m/s]; default 1e-6 */
  bool quasi_static;           /* the velocity is forgotten after every step: a path to rest; default false */
  bool collides;               /* cloth meets itself, other cloth and obstacles; default false */
  const char *broad_phase;     /* of detection; default "bvh" */
  const char *friction;        /* law of friction; default "coulomb" */
  int32_t response_count;      /* links of the response chain; 0: the default chain */
  const char *const *response; /* their names, see weft_list_methods */
  const int32_t
      *response_rounds;  /* budget of each, 0: the link's own (docs/contact.md); NULL: all their own */
  int32_t step_halvings; /* a step that fails is retried with h/2, so many times; default 6 */
  int32_t threads;       /* 0: as many as there are cores */
  const char *device;    /* "cpu", "opencl" or "opencl:N", see weft_list_devices; default "cpu" */
  WeftLog log;
} WeftWorldDef;

/* [J]. Gravity's is zero at the origin's height. */
typedef struct WeftEnergies {
  double kinetic, gravity, stretch, bend, link, total;
} WeftEnergies;

/* Sums over all vertices; angular momentum about the origin. */
typedef struct WeftMomenta {
  double linear[3];  /* [kg m/s] */
  double angular[3]; /* [kg m^2/s] */
  double mass;       /* [kg] */
  double center[3];  /* [m] */
} WeftMomenta;

/* Where the time of a step goes. */
enum {
  WEFT_STAGE_PREPARE,
  WEFT_STAGE_DETECT,
  WEFT_STAGE_FORCE,
  WEFT_STAGE_SOLVE,
  WEFT_STAGE_RESPOND,
  WEFT_STAGE_ACCEPT,
  WEFT_STAGE_COUNT
};

/* Links a response chain may have. */
enum { WEFT_CHAIN_MOST = 8 };

/* What one link of the response chain has done. */
typedef struct WeftLinkReport {
  int64_t steps;      /* in which it was called */
  int64_t impacts;    /* pairs that it was given */
  int64_t rounds;     /* of detection and work */
  int64_t iterations; /* inside rounds */
  int64_t limited;    /* vertices that did not get where they wanted */
  int64_t left;       /* collisions it left to what comes behind it */
  double seconds;     /* with the detection between its rounds */
} WeftLinkReport;

/* What weft_check_world has found so far. */
typedef struct WeftCheckSums {
  int64_t checks, checks_with_hits;
  int64_t first_step;     /* steps done at the first check with hits; -1: there was none */
  int64_t hits, hits_max; /* of the last check, and of the worst */
  double seconds;         /* wall time inside it */
} WeftCheckSums;

/* What a world has done since it was made; after weft_checkpoint_restore, the run since its start.
 * docs/report.md explains the JSON form. */
typedef struct WeftReport {
  char integrator[WEFT_NAME_SIZE], preconditioner[WEFT_NAME_SIZE], device[WEFT_NAME_SIZE];
  int32_t threads;
  int32_t cloth_count, vertex_count, triangle_count, edge_count, hinge_count, link_count;
  int32_t obstacle_count, obstacle_vertex_count, obstacle_triangle_count;
  double time_step; /* [s] */
  double time;      /* simulated [s] */
  int64_t steps;    /* steps asked for and done */
  int64_t substeps; /* smaller steps taken inside them */
  int64_t retries;  /* attempts that failed */
  double seconds;   /* wall time inside weft_world_step */
  double stage_seconds[WEFT_STAGE_COUNT];
  int64_t solves;                                   /* linear systems solved */
  int64_t solver_iterations, solver_iterations_max; /* sum and largest of one solve */
  double solver_residual_max;                       /* largest |r| / |b| at the end of a solve */
  int64_t newton_unconverged; /* steps in which newton_iterations > 1 ran out before newton_tolerance */
  int64_t matrix_blocks;      /* 3x3 blocks stored */
  int64_t contacts;           /* close pairs over all steps */
  int32_t link_in_chain_count;
  char link_in_chain[WEFT_CHAIN_MOST][WEFT_NAME_SIZE]; /* names */
  WeftLinkReport links[WEFT_CHAIN_MOST];
  int64_t impacts_left; /* collisions accepted because nothing else was left to try */
  double max_speed;     /* after the last step [m/s] */
  WeftEnergies energies;
  WeftMomenta momenta;
  uint64_t state_hash;  /* of time, positions and velocities in the user's order */
  uint64_t peak_memory; /* of the process [bytes]; 0 where unknown */
  int64_t resumes;      /* how often the run was taken up from a checkpoint */
  WeftCheckSums check;
} WeftReport;

/* What a world can run on. docs/devices.md. */
typedef struct WeftDeviceInfo {
  char name[WEFT_NAME_SIZE]; /* "cpu", "opencl:0": what WeftWorldDef.device takes */
  char description[128];     /* as the driver calls it */
  char driver[128];          /* and its version */
  uint64_t memory;           /* [bytes]; 0 where unknown */
  bool has_double;
  bool is_usable;
  char reason[256]; /* why not, when it is not */
} WeftDeviceInfo;

typedef struct WeftWorld WeftWorld;
typedef struct WeftScene WeftScene;

#ifdef __cplusplus
}
#endif
#endif
