/* All tables of the reader in one list: the test that compares them with the schema walks it. */
#include "material/material.h"
#include "scene/scene.h"

const WeftTable *weft_scene_table(int32_t index) {
  static const WeftTable *const tables[] = {
      &weft_scene_table_scene,        &weft_scene_table_wind,      &weft_scene_table_gust,
      &weft_scene_table_integrator,   &weft_scene_table_solver,    &weft_scene_table_collision,
      &weft_scene_table_quasi_static, &weft_scene_table_cloth,     &weft_scene_table_mesh,
      &weft_scene_table_rectangle,    &weft_scene_table_disc,      &weft_scene_table_tube,
      &weft_scene_table_ribbon,       &weft_scene_table_inline,    &weft_scene_table_transform,
      &weft_scene_table_rotation,     &weft_scene_table_rest,      &weft_scene_table_velocity,
      &weft_scene_table_link,         &weft_scene_table_mass,      &weft_scene_table_pin,
      &weft_scene_table_force,        &weft_scene_table_selection, &weft_scene_table_handle,
      &weft_scene_table_key,          &weft_scene_table_output,    &weft_scene_table_pictures,
      &weft_scene_table_camera,       &weft_scene_table_cache,     &weft_material_table,
      &weft_scene_table_plane,        &weft_scene_table_box,       &weft_scene_table_sphere,
      &weft_scene_table_cylinder,     &weft_scene_table_cone,      &weft_scene_table_funnel,
      &weft_scene_table_capsule,      &weft_scene_table_torus,     &weft_scene_table_obstacle,
      &weft_scene_table_obstacle_key, &weft_scene_table_sequence,  &weft_scene_table_jitter,
      &weft_scene_table_lathe,        &weft_scene_table_response,  &weft_scene_table_friction,
  };
  int32_t count = (int32_t)(sizeof tables / sizeof *tables);
  return index >= 0 && index < count ? tables[index] : NULL;
}
