#include "force/select.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int arity_of_kind[] = {3, 2, 4, 2, 2};

bool weft_force_is_named(const WeftForceOps *ops, const WeftModelCloth *cloth) {
  return strcmp(strcmp(ops->family, "stretch") == 0 ? cloth->stretch : cloth->bend, ops->name) == 0;
}

static int count_of_kind(const WeftModel *model, WeftForceKind kind) {
  switch (kind) {
    case WEFT_KIND_TRIANGLE:
      return model->triangle_count;
    case WEFT_KIND_EDGE:
      return model->edge_count;
    case WEFT_KIND_HINGE:
    case WEFT_KIND_HINGE_ENDS:
      return model->hinge_count;
    case WEFT_KIND_LINK:
      return model->link_count;
  }
  return 0;
}

int weft_force_cloth(const WeftModel *model, WeftForceKind kind, int index) {
  switch (kind) {
    case WEFT_KIND_TRIANGLE:
      return model->triangle_cloth[index];
    case WEFT_KIND_EDGE:
      return model->edge_cloth[index];
    case WEFT_KIND_HINGE:
    case WEFT_KIND_HINGE_ENDS:
      return model->edge_cloth[model->hinge_edge[index]];
    case WEFT_KIND_LINK:
      break; /* a link's stiffness is its own */
  }
  return -1;
}

static void copy_vertices(const WeftModel *model, WeftForceKind kind, int index, int32_t *out) {
  switch (kind) {
    case WEFT_KIND_TRIANGLE:
      memcpy(out, model->triangles + 3 * (size_t)index, 3 * sizeof *out);
      break;
    case WEFT_KIND_EDGE:
      memcpy(out, model->edges + 2 * (size_t)index, 2 * sizeof *out);
      break;
    case WEFT_KIND_HINGE:
      memcpy(out, model->hinges + 4 * (size_t)index, 4 * sizeof *out);
      break;
    case WEFT_KIND_HINGE_ENDS:
      memcpy(out, model->hinges + 4 * (size_t)index + 2, 2 * sizeof *out);
      break;
    case WEFT_KIND_LINK:
      out[0] = model->links[index].a;
      out[1] = model->links[index].b;
      break;
  }
}

static bool takes_element(const WeftModel *model, const WeftForceOps *ops, WeftForceKind kind,
                          WeftForceTakes *takes, int index) {
  return kind == WEFT_KIND_LINK || takes(ops, &model->cloths[weft_force_cloth(model, kind, index)]);
}

WeftResult weft_force_select(const WeftModel *model, const WeftForceOps *ops, WeftForceKind kind,
                             WeftForceTakes *takes, size_t size, WeftForce **force, WeftError *error) {
  *force = NULL;
  int available = count_of_kind(model, kind), arity = arity_of_kind[kind], count = 0;
  for (int i = 0; i < available; i++) count += takes_element(model, ops, kind, takes, i);
  if (count == 0) return WEFT_RESULT_OK;

  WeftForce *made = weft_alloc(1, size);
  int32_t *source = WEFT_NEW(int32_t, count);
  int32_t *vertices = WEFT_NEW(int32_t, (size_t)count * (size_t)arity);
  WeftResult result = WEFT_RESULT_OK;
  if (made && source && vertices) {
    int at = 0;
    for (int i = 0; i < available; i++) {
      if (!takes_element(model, ops, kind, takes, i)) continue;
      copy_vertices(model, kind, i, vertices + (size_t)at * (size_t)arity);
      source[at++] = i;
    }
    result = weft_elements_create(&made->elements, arity, count, vertices, model->vertex_count, error);
  } else {
    result = weft_fail_memory(error, "elements of a force");
  }
  free(vertices);
  if (result != WEFT_RESULT_OK) {
    free(source);
    free(made);
    return result;
  }
  made->ops = ops;
  made->source = source;
  *force = made;
  return WEFT_RESULT_OK;
}

void *weft_force_array(WeftForce *force, WeftMemoryKind kind, size_t count, size_t size) {
  void *memory = force->array_count < WEFT_FORCE_ARRAYS ? weft_alloc(count, size) : NULL;
  if (!memory) return NULL;
  force->arrays[force->array_count].memory = memory;
  force->arrays[force->array_count].kind = kind;
  force->arrays[force->array_count++].bytes = count * size;
  return memory;
}

WeftResult weft_force_share(const WeftForce *force, WeftDevice *device, WeftError *error) {
  WeftResult result = weft_elements_share(&force->elements, device, error);
  for (int i = 0; i < force->array_count && !result; i++) {
    result = weft_device_share(device, force->arrays[i].memory, force->arrays[i].bytes, force->arrays[i].kind,
                               error);
  }
  return result;
}

void weft_force_free(WeftForce *force) {
  if (!force) return;
  for (int i = 0; i < force->array_count; i++) free(force->arrays[i].memory);
  weft_elements_destroy(&force->elements);
  free(force->source);
  free(force);
}

void weft_force_triangle_shape(const WeftModel *model, int triangle, double shape[4]) {
  const double *uv = model->rest_uv + 6 * (size_t)triangle;
  double du1 = uv[2] - uv[0], dv1 = uv[3] - uv[1], du2 = uv[4] - uv[0], dv2 = uv[5] - uv[1];
  double twice_area = du1 * dv2 - du2 * dv1;
  shape[0] = dv2 / twice_area;
  shape[1] = -dv1 / twice_area;
  shape[2] = -du2 / twice_area;
  shape[3] = du1 / twice_area;
}

double weft_force_bend_stiffness(const WeftModel *model, int hinge) {
  int edge = model->hinge_edge[hinge];
  const WeftMaterial *material = &model->cloths[model->edge_cloth[edge]].material;
  double along = cos(model->edge_angle[edge]), across = sin(model->edge_angle[edge]);
  return material->bend_warp * across * across + material->bend_weft * along * along;
}
