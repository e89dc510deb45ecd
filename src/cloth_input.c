/* A cloth definition: checked once, then kept as our own copy until the model is made from it. */
#include "base/memory.h"
#include "defaults.h"
#include "model_build.h"
#include "registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/scene.h>

/* One number of a definition: finite and at least lowest (or above it). */
static WeftResult check_number(const char *cloth, const char *what, double value, double lowest,
                               bool is_above, WeftError *error) {
  if (isfinite(value) && (is_above ? value > lowest : value >= lowest)) return WEFT_RESULT_OK;
  return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "cloth '%s': %s is %g, must be finite and %s %g",
                   cloth, what, value, is_above ? "above" : "at least", lowest);
}

static WeftResult check_material(const char *cloth, const WeftMaterial *m, WeftError *error) {
  if (m->cookie != WEFT_COOKIE) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "cloth '%s': its material was not made by weft_default_material()", cloth);
  }
  const struct {
    const char *name;
    double value;
    bool is_above;
  } numbers[] = {
      {"material density", m->density, true},
      {"material thickness", m->thickness, false},
      {"material stretch_warp", m->stretch_warp, false},
      {"material stretch_weft", m->stretch_weft, false},
      {"material shear", m->shear, false},
      {"material bend_warp", m->bend_warp, false},
      {"material bend_weft", m->bend_weft, false},
      {"material stretch_damping", m->stretch_damping, false},
      {"material bend_damping", m->bend_damping, false},
      {"material drag_normal", m->drag_normal, false},
      {"material drag_tangential", m->drag_tangential, false},
      {"material friction_static", m->friction_static, false},
      {"material friction_kinetic", m->friction_kinetic, false},
      {"material friction_self", m->friction_self, false},
      {"material adhesion", m->adhesion, false},
  };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    WeftResult result = check_number(cloth, numbers[i].name, numbers[i].value, 0, numbers[i].is_above, error);
    if (result) return result;
  }
  for (int i = 0; i < 24 && m->has_measured_stretch; i++) {
    if (isfinite(m->measured_stretch[i / 4][i % 4])) continue;
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "cloth '%s': material measured_stretch[%d][%d] is not finite", cloth, i / 4, i % 4);
  }
  for (int i = 0; i < 15 && m->has_measured_bend; i++) {
    if (isfinite(m->measured_bend[i / 5][i % 5])) continue;
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "cloth '%s': material measured_bend[%d][%d] is not finite", cloth, i / 5, i % 5);
  }
  return WEFT_RESULT_OK;
}

static WeftResult check_method(const WeftClothDef *def, const char *family, const char *name,
                               WeftError *error) {
  const WeftForceOps *ops = weft_registry_force(family, name);
  if (!ops) {
    const char *near = weft_registry_nearest(family, name);
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT, "cloth '%s': there is no %s method '%s'%s%s%s",
                     def->name, family, name, near ? "; did you mean '" : "", near ? near : "",
                     near ? "'?" : "");
  }
  bool lacks = (ops->needs_measured_stretch && !def->material.has_measured_stretch) ||
               (ops->needs_measured_bend && !def->material.has_measured_bend);
  if (lacks) {
    return weft_fail(
        error, WEFT_RESULT_INVALID_ARGUMENT,
        "cloth '%s': the %s method '%s' needs a measured table, which material '%s' has not; read an "
        "ArcSim material file, or use another method",
        def->name, family, name, def->material.name);
  }
  return WEFT_RESULT_OK;
}

static WeftResult check_array(const WeftClothDef *def, const char *what, const double *values, int64_t count,
                              int per_item, double lowest, WeftError *error) {
  for (int64_t i = 0; values && i < count * per_item; i++) {
    if (isfinite(values[i]) && values[i] >= lowest) continue;
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "cloth '%s': %s of item %lld is %g, must be finite%s", def->name, what,
                     (long long)(i / per_item), values[i], lowest == 0 ? " and at least 0" : "");
  }
  return WEFT_RESULT_OK;
}

static WeftResult check_arrays(const WeftClothDef *def, WeftError *error) {
  int64_t n = def->vertex_count, corners = 3 * (int64_t)def->triangle_count;
  WeftResult result = check_array(def, "position", def->positions, n, 3, -INFINITY, error);
  if (!result) result = check_array(def, "velocity", def->velocities, n, 3, -INFINITY, error);
  if (!result) result = check_array(def, "rest_uv", def->rest_uv, corners, 2, -INFINITY, error);
  if (!result) result = check_array(def, "warp_uv", def->warp_uv, corners, 2, -INFINITY, error);
  if (!result) result = check_array(def, "rest position", def->rest_positions, n, 3, -INFINITY, error);
  if (!result) result = check_array(def, "added_mass", def->added_mass, n, 1, 0, error);
  for (int32_t i = 0; i < def->link_count && !result; i++) {
    const WeftLink *link = &def->links[i];
    bool is_bad = link->a < 0 || link->b < 0 || link->a >= n || link->b >= n || link->a == link->b;
    if (is_bad) {
      return weft_fail(
          error, WEFT_RESULT_INVALID_ARGUMENT,
          "cloth '%s': link %d joins vertices %d and %d; there are %d vertices, and two different ones are "
          "wanted",
          def->name, i, link->a, link->b, def->vertex_count);
    }
    double numbers[] = {link->rest_length, link->stiffness, link->damping};
    result = check_array(def, "rest_length, stiffness or damping of a link", numbers, 1, 3, 0, error);
  }
  return result;
}

/* The triangles of a cloth given as arrays: the caller's indices have to stay valid, so nothing is mended
 * here. */
static WeftResult check_triangles(const WeftClothDef *def, WeftError *error) {
  WeftMesh mesh = {def->vertex_count,
                   (double *)(uintptr_t)(def->rest_positions ? def->rest_positions : def->positions),
                   def->triangle_count, (int32_t *)(uintptr_t)def->triangles, NULL};
  WeftMeshFacts facts;
  WeftResult result = weft_mesh_inspect(&mesh, &facts, error);
  if (result) return result;
  const struct {
    int count, first;
    const char *what;
  } refusals[] = {
      {facts.index_errors, facts.first_index_error, "has a vertex out of range"},
      {facts.degenerate_triangles, facts.first_degenerate_triangle, "has no area in the rest shape"},
      {facts.duplicate_triangles, facts.first_duplicate_triangle, "is there twice"}};
  for (int i = 0; i < 3; i++) {
    if (!refusals[i].count || (i == 1 && def->rest_uv)) continue;
    const int32_t *t = def->triangles + 3 * (size_t)refusals[i].first;
    return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                     "cloth '%s': triangle %d (vertices %d, %d, %d) %s (%d such); remove it or mend the mesh",
                     def->name, refusals[i].first, t[0], t[1], t[2], refusals[i].what, refusals[i].count);
  }
  return WEFT_RESULT_OK;
}

static WeftResult check_def(const WeftClothDef *def, WeftError *error) {
  if (def->cookie != WEFT_COOKIE) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "the cloth definition was not made by weft_default_cloth_def()");
  }
  if (!def->name || !def->stretch || !def->bend) {
    return weft_fail(error, WEFT_RESULT_INVALID_ARGUMENT,
                     "a cloth needs a name and methods for stretch and bend");
  }
  bool lacks = def->vertex_count < 1 || !def->positions || def->triangle_count < 0 || def->link_count < 0 ||
               (def->triangle_count && !def->triangles) || (def->link_count && !def->links);
  if (lacks) {
    return weft_fail(
        error, WEFT_RESULT_INVALID_ARGUMENT,
        "cloth '%s': %d vertices, %d triangles, %d links: at least one vertex is needed, and an array for "
        "each of them",
        def->name, def->vertex_count, def->triangle_count, def->link_count);
  }
  WeftResult result = check_material(def->name, &def->material, error);
  if (!result) result = check_method(def, "stretch", def->stretch, error);
  if (!result) result = check_method(def, "bend", def->bend, error);
  if (!result) result = check_arrays(def, error);
  if (!result) result = check_triangles(def, error);
  return result;
}

WeftResult weft_cloth_input_create(WeftClothInput *input, const WeftClothDef *def, WeftError *error) {
  memset(input, 0, sizeof *input);
  WeftResult result = check_def(def, error);
  if (result) return result;
  size_t n = (size_t)def->vertex_count, t = (size_t)def->triangle_count;
  input->def = *def;
  bool is_copied = (input->name = weft_copy_text(def->name)) &&
                   (input->stretch = weft_copy_text(def->stretch)) &&
                   (input->bend = weft_copy_text(def->bend)) &&
                   (input->triangles = weft_copy(def->triangles, 3 * t, sizeof *def->triangles)) &&
                   (input->links = weft_copy(def->links, (size_t)def->link_count, sizeof *def->links));
  const struct {
    const double *from;
    double **to;
    size_t count;
  } arrays[] = {{def->positions, &input->positions, 3 * n},
                {def->velocities, &input->velocities, 3 * n},
                {def->rest_uv, &input->rest_uv, 6 * t},
                {def->warp_uv, &input->warp_uv, 6 * t},
                {def->rest_positions, &input->rest_positions, 3 * n},
                {def->added_mass, &input->added_mass, n}};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && is_copied; i++) {
    if (arrays[i].from)
      is_copied = (*arrays[i].to = weft_copy(arrays[i].from, arrays[i].count, sizeof(double))) != NULL;
  }
  if (is_copied) return WEFT_RESULT_OK;
  weft_cloth_input_destroy(input);
  return weft_fail_memory(error, "copy of a cloth definition");
}

void weft_cloth_input_destroy(WeftClothInput *input) {
  free(input->name);
  free(input->stretch);
  free(input->bend);
  free(input->positions);
  free(input->velocities);
  free(input->rest_uv);
  free(input->warp_uv);
  free(input->rest_positions);
  free(input->added_mass);
  free(input->triangles);
  free(input->links);
  memset(input, 0, sizeof *input);
}
