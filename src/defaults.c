#include "defaults.h"

#include <math.h>
#include <weft/weft.h>

/* A medium cotton: the figures of cotton in materials/, rounded; friction, drag and damping are choices. */
WeftMaterial weft_default_material(void) {
  return (WeftMaterial){.cookie = WEFT_COOKIE,
                        .name = "default",
                        .density = 0.15,
                        .thickness = 3e-4,
                        .stretch_warp = 1000,
                        .stretch_weft = 1000,
                        .shear = 50,
                        .bend_warp = 1e-5,
                        .bend_weft = 1e-5,
                        .stretch_damping = 1e-3,
                        .bend_damping = 1e-3,
                        .drag_normal = 0.64, /* half of a flat plate's drag coefficient of 1.28 */
                        .drag_tangential = 0.02,
                        .friction_static = 0.4,
                        .friction_kinetic = 0.3,
                        .friction_self = 0.3};
}

WeftClothDef weft_default_cloth_def(void) {
  return (WeftClothDef){.cookie = WEFT_COOKIE,
                        .name = "cloth",
                        .warp = {1, 0, 0},
                        .rest_bend = WEFT_REST_BEND_SHAPE,
                        .material = weft_default_material(),
                        .stretch = "baraff_witkin",
                        .bend = "dihedral"};
}

WeftHandleDef weft_default_handle_def(void) {
  return (WeftHandleDef){.cookie = WEFT_COOKIE,
                         .name = "handle",
                         .axes = WEFT_AXIS_ALL,
                         .interpolation = WEFT_INTERPOLATION_LINEAR,
                         .release_time = INFINITY};
}

WeftObstacleDef weft_default_obstacle_def(void) {
  return (WeftObstacleDef){.cookie = WEFT_COOKIE,
                           .name = "obstacle",
                           .friction_static = -1,
                           .friction_kinetic = -1,
                           .interpolation = WEFT_INTERPOLATION_LINEAR};
}

WeftWorldDef weft_default_world_def(void) {
  return (WeftWorldDef){.cookie = WEFT_COOKIE,
                        .time_step = 1.0 / 200,
                        .gravity = {0, 0, -9.81},
                        .wind = {.gust_length = 1, .air_density = 1.2},
                        .integrator = "backward_euler",
                        .preconditioner = "auto", /* docs/preconditioners.md */
                        .solver_tolerance = 1e-4, /* docs/solver-tolerance.md */
                        .newton_iterations = 1,
                        .newton_tolerance = 1e-6,
                        .broad_phase = "bvh",
                        .friction = "coulomb",
                        .step_halvings = 6,
                        .device = "cpu"};
}
