/* weft: the public interface of libweft.
 *
 *   WeftWorldDef def = weft_default_world_def();
 *   WeftWorld *world;
 *   weft_world_create(&def, &world, &error);
 *   weft_world_add_cloth(world, &cloth, &id, &error);
 *   weft_world_pin(world, id, 0, WEFT_AXIS_ALL, &error);
 *   weft_world_step(world, 200, &error);
 *   weft_world_positions(world, id, positions);
 *   weft_world_destroy(world);
 *
 * Threads: different worlds may be used by different threads at the same time; one world by one thread at a
 * time. The library keeps no globals, never prints, exits or aborts. Results do not depend on the number of
 * threads.
 */
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include <weft/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define WEFT_API __attribute__((visibility("default")))
#else
#define WEFT_API
#endif

/* "0.1.0" */
WEFT_API const char *weft_version(void);
/* A short English name of a result, "out of memory". */
WEFT_API const char *weft_result_name(WeftResult result);

WEFT_API WeftWorldDef weft_default_world_def(void);
WEFT_API WeftClothDef weft_default_cloth_def(void);
WEFT_API WeftHandleDef weft_default_handle_def(void);
WEFT_API WeftObstacleDef weft_default_obstacle_def(void);
WEFT_API WeftMaterial weft_default_material(void);

/* An empty world. *world is NULL on failure. */
WEFT_API WeftResult weft_world_create(const WeftWorldDef *def, WeftWorld **world, WeftError *error);
/* NULL is fine. */
WEFT_API void weft_world_destroy(WeftWorld *world);

/* Cloths can be added until the first step, restore or read-back; *cloth becomes 0, 1, 2 ... */
WEFT_API WeftResult weft_world_add_cloth(WeftWorld *world, const WeftClothDef *def, int32_t *cloth,
                                         WeftError *error);
/* Friction of two surfaces on each other, instead of what follows from both. a and b: names of fabrics
 * (WeftMaterial.name) or of obstacles that the world has already, not two obstacles; twice the same fabric:
 * on itself. friction_kinetic above friction_static counts as equal to it. Until the first step; what is said
 * last counts. */
WEFT_API WeftResult weft_world_set_friction(WeftWorld *world, const char *a, const char *b,
                                            double friction_static, double friction_kinetic,
                                            WeftError *error);
/* Obstacles likewise; *obstacle becomes 0, 1, 2 ... and may be NULL. */
WEFT_API WeftResult weft_world_add_obstacle(WeftWorld *world, const WeftObstacleDef *def, int32_t *obstacle,
                                            WeftError *error);
/* Handles can be added at any time; *handle may be NULL. */
WEFT_API WeftResult weft_world_add_handle(WeftWorld *world, const WeftHandleDef *def, int32_t *handle,
                                          WeftError *error);

/* Hold a vertex where it is, along the given axes; axes 0 lets it go. */
WEFT_API WeftResult weft_world_pin(WeftWorld *world, int32_t cloth, int32_t vertex, int32_t axes,
                                   WeftError *error);
/* Where a held vertex has to be at the end of the next step [m]. */
WEFT_API WeftResult weft_world_move(WeftWorld *world, int32_t cloth, int32_t vertex, const double target[3],
                                    WeftError *error);
/* A constant force on a vertex [N], until it is set again. */
WEFT_API WeftResult weft_world_set_force(WeftWorld *world, int32_t cloth, int32_t vertex,
                                         const double force[3], WeftError *error);
WEFT_API WeftResult weft_world_set_wind(WeftWorld *world, const WeftWind *wind, WeftError *error);
WEFT_API WeftResult weft_world_set_gravity(WeftWorld *world, const double gravity[3], WeftError *error);
/* Go on on another device: "cpu", "opencl" or "opencl:N". On failure the world stays where it was. */
WEFT_API WeftResult weft_world_use_device(WeftWorld *world, const char *device, WeftError *error);
/* Overwrite positions [m] and velocities [m/s] of a cloth; either may be NULL. */
WEFT_API WeftResult weft_world_set_state(WeftWorld *world, int32_t cloth, const double *positions,
                                         const double *velocities, WeftError *error);

/* Do so many steps of def.time_step. On failure the world is as it was after the last step that succeeded. */
WEFT_API WeftResult weft_world_step(WeftWorld *world, int32_t steps, WeftError *error);
/* Step until no vertex is faster than max_speed [m/s], at most max_steps; *settled tells which of the two
 * ended it. */
WEFT_API WeftResult weft_world_settle(WeftWorld *world, double max_speed, int32_t max_steps, bool *settled,
                                      WeftError *error);

WEFT_API double weft_world_time(const WeftWorld *world);
WEFT_API int64_t weft_world_step_count(const WeftWorld *world);
WEFT_API int32_t weft_world_cloth_count(const WeftWorld *world);
/* "" for a cloth that is not there. */
WEFT_API const char *weft_world_cloth_name(const WeftWorld *world, int32_t cloth);

/* How much the arrays below need. Negative for a cloth that is not there. */
WEFT_API int32_t weft_world_vertex_count(const WeftWorld *world, int32_t cloth);
WEFT_API int32_t weft_world_triangle_count(const WeftWorld *world, int32_t cloth);
/* Makes the model if that has not happened yet: fails as the first step would. */
WEFT_API WeftResult weft_world_hinge_count(WeftWorld *world, int32_t cloth, int32_t *count, WeftError *error);

/* Read back, in the order of the cloth's definition. The caller's array holds vertex_count x 3 values unless
 * said. */
WEFT_API WeftResult weft_world_positions(WeftWorld *world, int32_t cloth, double *positions,
                                         WeftError *error);
WEFT_API WeftResult weft_world_velocities(WeftWorld *world, int32_t cloth, double *velocities,
                                          WeftError *error);
/* Unit normals of vertices, weighted by area; zero where there is no triangle. */
WEFT_API WeftResult weft_world_normals(WeftWorld *world, int32_t cloth, double *normals, WeftError *error);
/* Force with which pins and handles held each vertex during the last step [N]; zero elsewhere. */
WEFT_API WeftResult weft_world_reactions(WeftWorld *world, int32_t cloth, double *reactions,
                                         WeftError *error);
/* Normal forces of the last step's contacts at each vertex, over a third of the rest area around it;
 * vertex_count values [Pa]. Zero without collisions, and after a restore until the next step. */
WEFT_API WeftResult weft_world_pressures(WeftWorld *world, int32_t cloth, double *pressures,
                                         WeftError *error);
/* Lumped masses [kg]; vertex_count values. */
WEFT_API WeftResult weft_world_masses(WeftWorld *world, int32_t cloth, double *masses, WeftError *error);
/* triangle_count x 3 vertices. */
WEFT_API WeftResult weft_world_triangles(WeftWorld *world, int32_t cloth, int32_t *triangles,
                                         WeftError *error);
/* Per triangle: stretch |w_u|-1, |w_v|-1, shear w_u.w_v; triangle_count x 3 values [-]. */
WEFT_API WeftResult weft_world_face_strains(WeftWorld *world, int32_t cloth, double *strains,
                                            WeftError *error);
/* Per hinge: its edge (a, b) and opposite vertices (c, d); hinge_count x 4. */
WEFT_API WeftResult weft_world_hinges(WeftWorld *world, int32_t cloth, int32_t *hinges, WeftError *error);
/* Per hinge: curvature K beyond rest [1/m] and moment per width M [N]; hinge_count x 2 values. */
WEFT_API WeftResult weft_world_hinge_values(WeftWorld *world, int32_t cloth, double *values,
                                            WeftError *error);

WEFT_API int32_t weft_world_obstacle_count(const WeftWorld *world);
/* "", negative and static for an obstacle that is not there. */
WEFT_API const char *weft_world_obstacle_name(const WeftWorld *world, int32_t obstacle);
WEFT_API int32_t weft_world_obstacle_vertex_count(const WeftWorld *world, int32_t obstacle);
WEFT_API int32_t weft_world_obstacle_triangle_count(const WeftWorld *world, int32_t obstacle);
WEFT_API WeftMotionKind weft_world_obstacle_motion(const WeftWorld *world, int32_t obstacle);
/* Of its definition, in its order; at the world's time [m]. */
WEFT_API WeftResult weft_world_get_obstacle_triangles(WeftWorld *world, int32_t obstacle, int32_t *triangles,
                                                      WeftError *error);
WEFT_API WeftResult weft_world_get_obstacle_positions(WeftWorld *world, int32_t obstacle, double *positions,
                                                      WeftError *error);

WEFT_API WeftResult weft_world_energies(WeftWorld *world, WeftEnergies *energies, WeftError *error);
WEFT_API WeftResult weft_world_momenta(WeftWorld *world, WeftMomenta *momenta, WeftError *error);
WEFT_API WeftResult weft_world_report(WeftWorld *world, WeftReport *report, WeftError *error);
/* Only what the links of the response chain have done since the run began: cheap after every step. links:
 * room for WEFT_CHAIN_MOST. Returns how many links there are, 0 without collisions. */
WEFT_API int32_t weft_world_response(const WeftWorld *world, WeftLinkReport *links);
/* The report as JSON; scene may be NULL. *text is freed with weft_free. */
WEFT_API WeftResult weft_world_report_json(WeftWorld *world, const char *scene, char **text,
                                           WeftError *error);

/* All that changes, to and from memory or a file; continues bit for bit. The bytes are freed with weft_free.
 */
WEFT_API WeftResult weft_world_save(WeftWorld *world, void **bytes, size_t *size, WeftError *error);
WEFT_API WeftResult weft_world_restore(WeftWorld *world, const void *bytes, size_t size, WeftError *error);
WEFT_API WeftResult weft_world_save_file(WeftWorld *world, const char *path, WeftError *error);
WEFT_API WeftResult weft_world_restore_file(WeftWorld *world, const char *path, WeftError *error);

/* Of everything that decides where the world goes from here: model, obstacles, state, handles, time step,
 * methods, tolerances. Not of threads. Taken at its start it tells one run from another. */
WEFT_API WeftResult weft_world_fingerprint(WeftWorld *world, uint64_t *fingerprint, WeftError *error);

/* Memory that the library handed out. */
WEFT_API void weft_free(void *memory);

/* What the registry holds. Index from 0; NULL fields after the last. family: "stretch", "bend", "integrator"
 * ... */
typedef struct WeftMethodInfo {
  const char *family, *name, *citation, *summary;
  bool is_default;
} WeftMethodInfo;
WEFT_API int32_t weft_method_count(void);
WEFT_API WeftMethodInfo weft_method_info(int32_t index);
/* The devices of this machine, the CPU first: fills in at most capacity of them and returns how many there
 * are.
 */
WEFT_API int32_t weft_list_devices(WeftDeviceInfo *devices, int32_t capacity);
/* The instruction set this build of the library was compiled for, "x86-64-v3". */
WEFT_API const char *weft_instruction_set(void);

#ifdef __cplusplus
}
#endif
#endif
