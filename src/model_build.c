/* From definitions to the model: one numbering for all cloths, masses, rest shape, forces.
 *
 * Mass is lumped: a third of each triangle's to each corner. Equal masses would be wrong at borders. */
#include "model_build.h"

#include "base/hash.h"
#include "base/memory.h"
#include "force/force.h"
#include "mesh/order.h"
#include "mesh/rest.h"
#include "mesh/topology.h"
#include "registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double *rest_positions(const WeftClothInput *input) {
  return input->rest_positions ? input->rest_positions : input->positions;
}

/* Sizes and first indices of every cloth. */
static WeftResult count_cloths(WeftModel *model, const WeftClothInput *inputs, const WeftTopology *topologies,
                               WeftError *error) {
  enum { MOST = 1 << 26 }; /* 16 x hinges stays within an int */
  int64_t vertices = 0, triangles = 0, edges = 0, hinges = 0, links = 0;
  for (int c = 0; c < model->cloth_count; c++) {
    const WeftClothInput *input = &inputs[c];
    WeftModelCloth *cloth = &model->cloths[c];
    snprintf(cloth->name, sizeof cloth->name, "%s", input->name);
    snprintf(cloth->stretch, sizeof cloth->stretch, "%s", input->stretch);
    snprintf(cloth->bend, sizeof cloth->bend, "%s", input->bend);
    cloth->material = input->def.material;
    cloth->first_vertex = (int)vertices;
    cloth->first_triangle = (int)triangles;
    cloth->first_edge = (int)edges;
    cloth->first_hinge = (int)hinges;
    cloth->first_link = (int)links;
    vertices += cloth->vertex_count = input->def.vertex_count;
    triangles += cloth->triangle_count = input->def.triangle_count;
    edges += cloth->edge_count = topologies[c].edge_count;
    hinges += cloth->hinge_count = topologies[c].hinge_count;
    links += cloth->link_count = input->def.link_count;
    if (vertices > MOST || triangles > MOST || edges > MOST || hinges > MOST || links > MOST) {
      return weft_fail(error, WEFT_RESULT_INVALID_DATA,
                       "the cloths have more than %d vertices, edges or links", MOST);
    }
  }
  model->vertex_count = (int)vertices;
  model->triangle_count = (int)triangles;
  model->edge_count = (int)edges;
  model->hinge_count = (int)hinges;
  model->link_count = (int)links;
  return WEFT_RESULT_OK;
}

static WeftResult allocate(WeftModel *model, WeftError *error) {
  size_t v = (size_t)model->vertex_count, t = (size_t)model->triangle_count, e = (size_t)model->edge_count,
         h = (size_t)model->hinge_count;
  bool ok =
      (model->internal_of_user = WEFT_NEW(int32_t, v)) && (model->mass = WEFT_NEW(double, v)) &&
      (model->rest_x = WEFT_NEW(double, 3 * v)) && (model->triangles = WEFT_NEW(int32_t, 3 * t)) &&
      (model->triangle_cloth = WEFT_NEW(int32_t, t)) && (model->rest_uv = WEFT_NEW(double, 6 * t)) &&
      (model->rest_area = WEFT_NEW(double, t)) && (model->edges = WEFT_NEW(int32_t, 2 * e)) &&
      (model->edge_cloth = WEFT_NEW(int32_t, e)) && (model->edge_triangles = WEFT_NEW(int32_t, 2 * e)) &&
      (model->edge_rest_length = WEFT_NEW(double, e)) && (model->edge_angle = WEFT_NEW(double, e)) &&
      (model->hinges = WEFT_NEW(int32_t, 4 * h)) && (model->hinge_edge = WEFT_NEW(int32_t, h)) &&
      (model->hinge_rest_angle = WEFT_NEW(double, h)) && (model->hinge_rest_length = WEFT_NEW(double, h)) &&
      (model->hinge_rest_area = WEFT_NEW(double, h)) &&
      (model->links = WEFT_NEW(WeftLink, model->link_count));
  return ok ? WEFT_RESULT_OK : weft_fail_memory(error, "model");
}

/* Cloth by cloth: along a curve through each, then along the mesh in each patch. */
static WeftResult order_vertices(WeftModel *model, const WeftClothInput *inputs, WeftError *error) {
  int32_t *triangles = WEFT_NEW(int32_t, 3 * (size_t)model->triangle_count), *corner = triangles;
  WeftResult result = triangles ? WEFT_RESULT_OK : weft_fail_memory(error, "order of vertices");
  for (int c = 0; c < model->cloth_count && !result; c++) {
    const WeftModelCloth *cloth = &model->cloths[c];
    int32_t *place = model->internal_of_user + cloth->first_vertex;
    result = weft_order_vertices(cloth->vertex_count, inputs[c].positions, place, error);
    for (int v = 0; v < cloth->vertex_count; v++) place[v] += cloth->first_vertex;
    for (int i = 0; i < 3 * cloth->triangle_count; i++)
      *corner++ = cloth->first_vertex + inputs[c].triangles[i];
  }
  if (!result) {
    result = weft_order_patches(model->vertex_count, model->triangle_count, triangles,
                                model->internal_of_user, error);
  }
  free(triangles);
  return result;
}

/* Rest shape, areas and masses of a cloth's triangles. */
static WeftResult add_triangles(WeftModel *model, int c, const WeftClothInput *input, WeftError *error) {
  const WeftModelCloth *cloth = &model->cloths[c];
  const int32_t *internal = model->internal_of_user + cloth->first_vertex;
  for (int i = 0; i < cloth->triangle_count; i++) {
    int t = cloth->first_triangle + i;
    const int32_t *corner = input->triangles + 3 * (size_t)i;
    double *uv = model->rest_uv + 6 * (size_t)t;
    for (int k = 0; k < 3; k++) model->triangles[3 * t + k] = internal[corner[k]];
    model->triangle_cloth[t] = c;
    if (input->rest_uv) {
      memcpy(uv, input->rest_uv + 6 * (size_t)i, 6 * sizeof *uv);
    } else {
      const double *p = rest_positions(input);
      weft_rest_flatten(p + 3 * (size_t)corner[0], p + 3 * (size_t)corner[1], p + 3 * (size_t)corner[2],
                        input->warp_uv ? input->warp_uv + 6 * (size_t)i : NULL, input->def.warp, uv);
    }
    model->rest_area[t] = weft_rest_orient(uv);
    if (!(model->rest_area[t] > 0)) {
      return weft_fail(
          error, WEFT_RESULT_INVALID_DATA,
          "cloth '%s': triangle %d (vertices %d, %d, %d) has no area in the rest shape; mend its uvs",
          cloth->name, i, corner[0], corner[1], corner[2]);
    }
    double share = cloth->material.density * model->rest_area[t] / 3;
    for (int k = 0; k < 3; k++) model->mass[model->triangles[3 * t + k]] += share;
  }
  for (int i = 0; input->added_mass && i < cloth->vertex_count; i++)
    model->mass[internal[i]] += input->added_mass[i];
  return WEFT_RESULT_OK;
}

/* Corner of a triangle (0 to 2) that is the given vertex. */
static int corner_of(const int32_t *triangle, int vertex) {
  return triangle[0] == vertex ? 0 : triangle[1] == vertex ? 1 : 2;
}

static void add_edges(WeftModel *model, int c, const WeftTopology *topology) {
  const WeftModelCloth *cloth = &model->cloths[c];
  const int32_t *internal = model->internal_of_user + cloth->first_vertex;
  for (int i = 0; i < cloth->edge_count; i++) {
    int e = cloth->first_edge + i;
    double length = 0;
    int uses = 0;
    for (int k = 0; k < 2; k++) {
      model->edges[2 * e + k] = internal[topology->edges[2 * i + k]];
      int t = topology->edge_triangles[2 * i + k];
      model->edge_triangles[2 * e + k] = t < 0 ? -1 : cloth->first_triangle + t;
    }
    for (int k = 0; k < 2; k++) {
      int t = model->edge_triangles[2 * e + k];
      if (t < 0) continue;
      const double *uv = model->rest_uv + 6 * (size_t)t;
      int a = corner_of(model->triangles + 3 * (size_t)t, model->edges[2 * e]);
      int b = corner_of(model->triangles + 3 * (size_t)t, model->edges[2 * e + 1]);
      double angle;
      length += weft_rest_edge(uv + 2 * a, uv + 2 * b, &angle);
      if (uses++ == 0) model->edge_angle[e] = angle;
    }
    model->edge_cloth[e] = c;
    model->edge_rest_length[e] = length / uses;
  }
}

static void add_hinges(WeftModel *model, int c, const WeftClothInput *input, const WeftTopology *topology) {
  const WeftModelCloth *cloth = &model->cloths[c];
  const int32_t *internal = model->internal_of_user + cloth->first_vertex;
  for (int i = 0; i < cloth->hinge_count; i++) {
    int h = cloth->first_hinge + i, e = cloth->first_edge + topology->hinge_edge[i];
    const int32_t *corner = topology->hinges + 4 * (size_t)i;
    const double *p = rest_positions(input);
    for (int k = 0; k < 4; k++) model->hinges[4 * h + k] = internal[corner[k]];
    model->hinge_edge[h] = e;
    model->hinge_rest_angle[h] =
        input->def.rest_bend == WEFT_REST_BEND_FLAT
            ? 0
            : weft_rest_hinge_angle(p + 3 * (size_t)corner[0], p + 3 * (size_t)corner[1],
                                    p + 3 * (size_t)corner[2], p + 3 * (size_t)corner[3]);
    model->hinge_rest_length[h] = model->edge_rest_length[e];
    model->hinge_rest_area[h] =
        model->rest_area[model->edge_triangles[2 * e]] + model->rest_area[model->edge_triangles[2 * e + 1]];
  }
}

static void add_rest_shape(WeftModel *model, int c, const WeftClothInput *input) {
  const WeftModelCloth *cloth = &model->cloths[c];
  const double *p = rest_positions(input);
  for (int i = 0; i < cloth->vertex_count; i++) {
    int v = model->internal_of_user[cloth->first_vertex + i];
    memcpy(model->rest_x + 3 * (size_t)v, p + 3 * (size_t)i, 3 * sizeof *p);
  }
}

static void add_links(WeftModel *model, int c, const WeftClothInput *input) {
  const WeftModelCloth *cloth = &model->cloths[c];
  const int32_t *internal = model->internal_of_user + cloth->first_vertex;
  for (int i = 0; i < cloth->link_count; i++) {
    WeftLink *link = &model->links[cloth->first_link + i];
    *link = input->links[i];
    link->a = internal[link->a];
    link->b = internal[link->b];
  }
}

static WeftResult create_forces(WeftModel *model, WeftError *error) {
  int method_count = 0;
  while (weft_registry_force_at(method_count)) method_count++;
  model->forces = WEFT_NEW(WeftForce *, method_count);
  if (!model->forces) return weft_fail_memory(error, "forces");
  for (int i = 0; i < method_count; i++) {
    WeftForce *force = NULL;
    WeftResult result = weft_registry_force_at(i)->create(model, &force, error);
    if (result) return result;
    if (force) model->forces[model->force_count++] = force;
  }
  return WEFT_RESULT_OK;
}

static uint64_t fingerprint(const WeftModel *model) {
  size_t v = (size_t)model->vertex_count, t = (size_t)model->triangle_count, h = (size_t)model->hinge_count;
  uint64_t hash = WEFT_HASH_START;
  for (int c = 0; c < model->cloth_count; c++) {
    const WeftModelCloth *cloth = &model->cloths[c];
    const WeftMaterial *m = &cloth->material;
    double numbers[] = {m->stretch_warp,     m->stretch_weft,    m->shear,           m->bend_warp,
                        m->bend_weft,        m->density,         m->stretch_damping, m->bend_damping,
                        m->drag_normal,      m->drag_tangential, m->thickness,       m->friction_static,
                        m->friction_kinetic, m->friction_self,   m->adhesion};
    hash = weft_hash(hash, numbers, sizeof numbers);
    if (m->has_measured_stretch) hash = weft_hash(hash, m->measured_stretch, sizeof m->measured_stretch);
    if (m->has_measured_bend) hash = weft_hash(hash, m->measured_bend, sizeof m->measured_bend);
    hash = weft_hash(hash, cloth->stretch, strlen(cloth->stretch));
    hash = weft_hash(hash, cloth->bend, strlen(cloth->bend));
  }
  hash = weft_hash(hash, model->internal_of_user, v * sizeof(int32_t));
  hash = weft_hash(hash, model->mass, v * sizeof(double));
  hash = weft_hash(hash, model->rest_x, 3 * v * sizeof(double));
  hash = weft_hash(hash, model->triangles, 3 * t * sizeof(int32_t));
  hash = weft_hash(hash, model->rest_uv, 6 * t * sizeof(double));
  hash = weft_hash(hash, model->hinge_rest_angle, h * sizeof(double));
  for (int i = 0; i < model->link_count; i++) {
    const WeftLink *link = &model->links[i];
    double numbers[] = {link->a, link->b, link->rest_length, link->stiffness, link->damping};
    hash = weft_hash(hash, numbers, sizeof numbers);
  }
  return hash;
}

static WeftResult fill(WeftModel *model, const WeftClothInput *inputs, WeftTopology *topologies,
                       WeftError *error) {
  for (int c = 0; c < model->cloth_count; c++) {
    WeftResult result = weft_topology_create(&topologies[c], inputs[c].def.vertex_count,
                                             inputs[c].def.triangle_count, inputs[c].triangles, error);
    if (result) return result;
  }
  WeftResult result = count_cloths(model, inputs, topologies, error);
  if (!result) result = allocate(model, error);
  if (!result) result = order_vertices(model, inputs, error);
  for (int c = 0; c < model->cloth_count && !result; c++) {
    result = add_triangles(model, c, &inputs[c], error);
    if (result) break;
    add_edges(model, c, &topologies[c]);
    add_hinges(model, c, &inputs[c], &topologies[c]);
    add_rest_shape(model, c, &inputs[c]);
    add_links(model, c, &inputs[c]);
  }
  if (!result) result = create_forces(model, error);
  return result;
}

WeftResult weft_model_create(WeftModel *model, const WeftClothInput *inputs, int input_count,
                             const WeftObstacleInput *obstacles, int obstacle_count, WeftError *error) {
  memset(model, 0, sizeof *model);
  model->cloth_count = input_count;
  model->cloths = WEFT_NEW(WeftModelCloth, input_count);
  WeftTopology *topologies = WEFT_NEW(WeftTopology, input_count);
  WeftResult result =
      model->cloths && topologies ? fill(model, inputs, topologies, error) : weft_fail_memory(error, "model");
  if (!result) result = weft_model_add_obstacles(model, obstacles, obstacle_count, error);
  if (!result) model->fingerprint = weft_model_hash_obstacles(fingerprint(model), model);
  for (int c = 0; topologies && c < input_count; c++) weft_topology_destroy(&topologies[c]);
  free(topologies);
  if (result) weft_model_destroy(model);
  return result;
}

void weft_model_destroy(WeftModel *model) {
  for (int i = 0; i < model->force_count; i++) model->forces[i]->ops->destroy(model->forces[i]);
  void *arrays[] = {model->cloths,
                    model->internal_of_user,
                    model->mass,
                    model->rest_x,
                    model->triangles,
                    model->triangle_cloth,
                    model->rest_uv,
                    model->rest_area,
                    model->edges,
                    model->edge_cloth,
                    model->edge_triangles,
                    model->edge_rest_length,
                    model->edge_angle,
                    model->hinges,
                    model->hinge_edge,
                    model->hinge_rest_angle,
                    model->hinge_rest_length,
                    model->hinge_rest_area,
                    model->links,
                    model->forces,
                    model->obstacles,
                    model->obstacle_triangles,
                    model->triangle_obstacle,
                    model->body_surface,
                    model->surface_pairs};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
  memset(model, 0, sizeof *model);
}
