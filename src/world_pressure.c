/* What presses on cloth: normal forces of the last step's contacts, spread over the vertices of each pair. */
#include "base/memory.h"
#include "device/device.h"
#include "world.h"

#include <math.h>
#include <stdlib.h>

/* Adds each contact's normal force to its vertices by their share of the closest points [N]. */
static WeftResult add_forces(WeftWorld *world, double *force, WeftError *error) {
  const WeftContacts *contacts = &world->step.contacts;
  /* after a restore nothing is pressed yet: the next step finds the contacts again */
  if (!world->step.has_respond || world->step.recalls || contacts->count < contacts->memory_count ||
      contacts->memory_count == 0)
    return WEFT_RESULT_OK;
  size_t count = (size_t)contacts->memory_count; /* the first so many contacts */
  weft_device_download(world->device, contacts->vertices, 4 * count * sizeof *contacts->vertices);
  weft_device_download(world->device, contacts->weight, 4 * count * sizeof *contacts->weight);
  weft_device_download(world->device, contacts->memory_slip, 5 * count * sizeof *contacts->memory_slip);
  WeftResult result = weft_device_check(world->device, error);
  for (size_t i = 0; !result && i < 4 * count; i++) {
    int32_t v = contacts->vertices[i];
    double normal = contacts->memory_slip[5 * (i / 4) + 3];
    if (v < world->model.vertex_count && normal > 0) force[v] += normal * fabs(contacts->weight[i]);
  }
  return result;
}

WeftResult weft_world_pressures(WeftWorld *world, int32_t cloth, double *pressures, WeftError *error) {
  WeftResult result = weft_world_look(world, cloth, error);
  if (result) return result;
  const WeftModel *model = &world->model;
  const WeftModelCloth *c = &model->cloths[cloth];
  double *force = WEFT_NEW(double, 2 * (size_t)model->vertex_count);
  if (!force) return weft_fail_memory(error, "contact pressures");
  double *area = force + model->vertex_count;
  result = add_forces(world, force, error);
  for (int t = c->first_triangle; t < c->first_triangle + c->triangle_count; t++)
    for (int k = 0; k < 3; k++) area[model->triangles[3 * (size_t)t + (size_t)k]] += model->rest_area[t] / 3;
  for (int i = 0; i < c->vertex_count && !result; i++) {
    int v = model->internal_of_user[c->first_vertex + i];
    pressures[i] = area[v] > 0 ? force[v] / area[v] : 0;
  }
  free(force);
  return result;
}
