#include "force/contact.h"

#include "base/memory.h"
#include "device/launch.h"
#include "device/shared.h"
#include "force/contact.kernel.h"

#include <math.h>
#include <string.h>

static void describe_bodies(WeftContacts *contacts, const WeftModel *model) {
  for (int i = 0; i < model->cloth_count; i++) {
    const WeftMaterial *material = &model->cloths[i].material;
    const double numbers[4] = {material->thickness, material->friction_static, material->friction_kinetic,
                               material->friction_self};
    memcpy(contacts->surface + 4 * (size_t)i, numbers, sizeof numbers);
    const WeftModelCloth *cloth = &model->cloths[i];
    for (int k = 0; k < cloth->vertex_count; k++)
      contacts->body[model->internal_of_user[cloth->first_vertex + k]] = i;
  }
  for (int i = 0; i < model->obstacle_count; i++) {
    const WeftModelObstacle *obstacle = &model->obstacles[i];
    const double numbers[4] = {obstacle->thickness, obstacle->friction_static, obstacle->friction_kinetic, 0};
    memcpy(contacts->surface + 4 * (size_t)(model->cloth_count + i), numbers, sizeof numbers);
    for (int k = 0; k < obstacle->vertex_count; k++) {
      contacts->body[model->vertex_count + obstacle->first_vertex + k] = model->cloth_count + i;
    }
  }
  for (int i = 0; i < model->triangle_count; i++) {
    double adhesion = model->cloths[model->triangle_cloth[i]].material.adhesion;
    if (adhesion > 0) contacts->sticks = true;
    for (int k = 0; k < 3; k++)
      contacts->bond[model->triangles[3 * i + k]] += adhesion * model->rest_area[i] / 3;
  }
  for (int i = 0; i < model->cloth_count + model->obstacle_count; i++) {
    contacts->reach = fmax(contacts->reach, contacts->surface[4 * (size_t)i]);
  }
  if (contacts->sticks) contacts->reach *= ADHESION_RANGE;
}

WeftResult weft_contacts_create(WeftContacts *contacts, WeftDevice *device, const WeftModel *model,
                                const WeftFrictionOps *friction, WeftError *error) {
  int bodies = model->cloth_count + model->obstacle_count;
  *contacts = (WeftContacts){.device = device,
                             .friction = friction,
                             .mass = model->mass,
                             .cloth_count = model->vertex_count,
                             .vertex_count = model->vertex_count + model->obstacle_vertex_count,
                             .cloth_bodies = model->cloth_count};
  size_t n = (size_t)contacts->cloth_count;
  const struct {
    void **array;
    size_t count, size;
  } arrays[] = {{(void **)&contacts->body, (size_t)contacts->vertex_count, sizeof(int32_t)},
                {(void **)&contacts->surface, 4 * (size_t)bodies, sizeof(double)},
                {(void **)&contacts->rest, 3 * n, sizeof(double)},
                {(void **)&contacts->bond, n, sizeof(double)},
                {(void **)&contacts->row_start, n + 1, sizeof(int32_t)},
                {(void **)&contacts->loose_start, n + 1, sizeof(int32_t)}};
  enum { COUNT = sizeof arrays / sizeof *arrays, FILLED = 4 };
  WeftResult result = WEFT_RESULT_OK;
  for (int i = 0; i < COUNT && !result; i++) {
    result = weft_shared_new(device, arrays[i].array, arrays[i].count, arrays[i].size, WEFT_MEMORY_MODEL,
                             "contacts", error);
  }
  if (result) {
    weft_contacts_destroy(contacts);
    return result;
  }
  describe_bodies(contacts, model);
  memcpy(contacts->rest, model->rest_x, 3 * n * sizeof(double));
  for (int i = 0; i < FILLED; i++)
    weft_device_upload(device, *arrays[i].array, arrays[i].count * arrays[i].size);
  return WEFT_RESULT_OK;
}

void weft_contacts_destroy(WeftContacts *contacts) {
  void **arrays[] = {
      (void **)&contacts->bond,        (void **)&contacts->pull,      (void **)&contacts->push,
      (void **)&contacts->begun,       (void **)&contacts->inertia,   (void **)&contacts->sliding,
      (void **)&contacts->pair,        (void **)&contacts->slip,      (void **)&contacts->memory_pair,
      (void **)&contacts->memory_slip, (void **)&contacts->body,      (void **)&contacts->surface,
      (void **)&contacts->rest,        (void **)&contacts->vertices,  (void **)&contacts->weight,
      (void **)&contacts->normal,      (void **)&contacts->stiffness, (void **)&contacts->aim,
      (void **)&contacts->grip,        (void **)&contacts->origin,    (void **)&contacts->key,
      (void **)&contacts->at,          (void **)&contacts->row_start, (void **)&contacts->loose_start,
      (void **)&contacts->entry};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) weft_shared_free(contacts->device, arrays[i]);
  weft_primitives_destroy(&contacts->primitives);
  memset(contacts, 0, sizeof *contacts);
}

static WeftResult reserve(WeftContacts *contacts, int count, WeftError *error) {
  size_t n = (size_t)count;
  const struct {
    void **array;
    size_t *capacity, needed, size;
  } arrays[] = {
      {(void **)&contacts->vertices, &contacts->capacity_vertices, 4 * n, sizeof(int32_t)},
      {(void **)&contacts->weight, &contacts->capacity_weight, 4 * n, sizeof(double)},
      {(void **)&contacts->normal, &contacts->capacity_normal, 3 * n, sizeof(double)},
      {(void **)&contacts->stiffness, &contacts->capacity_stiffness, n, sizeof(double)},
      {(void **)&contacts->aim, &contacts->capacity_aim, n, sizeof(double)},
      {(void **)&contacts->grip, &contacts->capacity_grip, n, sizeof(double)},
      {(void **)&contacts->pull, &contacts->capacity_pull, contacts->sticks ? n : 0, sizeof(double)},
      {(void **)&contacts->push, &contacts->capacity_push, 3 * n, sizeof(double)},
      {(void **)&contacts->begun, &contacts->capacity_begun, 3 * n, sizeof(double)},
      {(void **)&contacts->inertia, &contacts->capacity_inertia, n, sizeof(double)},
      {(void **)&contacts->sliding, &contacts->capacity_sliding, n, sizeof(int32_t)},
      {(void **)&contacts->pair, &contacts->capacity_pair, 3 * n, sizeof(int32_t)},
      {(void **)&contacts->slip, &contacts->capacity_slip, 5 * n, sizeof(double)},
      {(void **)&contacts->origin, &contacts->capacity_origin, 3 * n, sizeof(double)},
      {(void **)&contacts->key, &contacts->capacity_key, 4 * n, sizeof(int32_t)},
      {(void **)&contacts->at, &contacts->capacity_at, 4 * n, sizeof(int32_t)},
      {(void **)&contacts->entry, &contacts->capacity_entry, 16 * n, sizeof(int32_t)}};
  WeftResult result = WEFT_RESULT_OK;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !result; i++) {
    result = weft_shared_grow(contacts->device, arrays[i].array, arrays[i].capacity, arrays[i].needed,
                              arrays[i].size, WEFT_MEMORY_DETECT, "contacts", error);
  }
  int numbers = 4 * count > contacts->cloth_count + 1 ? 4 * count : contacts->cloth_count + 1;
  if (!result) result = weft_primitives_reserve(&contacts->primitives, contacts->device, numbers, error);
  return result;
}

WeftResult weft_contacts_take(WeftContacts *contacts, const WeftFound *vertex_face,
                              const WeftFound *edge_edge, WeftBcsr *matrix, WeftError *error) {
  WeftDevice *device = contacts->device;
  int count = vertex_face->count + edge_edge->count, n = contacts->cloth_count;
  contacts->count = 0;
  WeftResult result = reserve(contacts, count, error);
  if (result) return result;
  LAUNCH(device, contact_copy, vertex_face->count, 0, 0, vertex_face->features, vertex_face->vertices,
         vertex_face->weight, contacts->pair, contacts->vertices, contacts->weight);
  LAUNCH(device, contact_copy, edge_edge->count, vertex_face->count, 1, edge_edge->features,
         edge_edge->vertices, edge_edge->weight, contacts->pair, contacts->vertices, contacts->weight);
  LAUNCH(device, contact_recall, count, contacts->memory_count, contacts->pair, contacts->memory_pair,
         contacts->memory_slip, contacts->slip);
  LAUNCH(device, contact_rows, 4 * count, n, contacts->vertices, contacts->key, contacts->at);
  if (count) weft_sort(&contacts->primitives, 4 * count, weft_sort_bits(n + 1), contacts->key, contacts->at);
  LAUNCH(device, contact_row_starts, n + 1, 4 * count, contacts->key, contacts->row_start);
  LAUNCH(device, contact_columns, n + 1, n, contacts->row_start, contacts->at, contacts->vertices,
         contacts->loose_start, contacts->entry);
  result =
      weft_bcsr_set_extra_rows(matrix, &contacts->primitives, contacts->loose_start, contacts->entry, error);
  if (result) return result;
  contacts->count = count;
  contacts->edges_from = vertex_face->count;
  return WEFT_RESULT_OK;
}

void weft_contacts_stiffen(WeftContacts *contacts, const WeftBcsr *matrix, const double *x0, const double *x1,
                           const double *v0, double h) {
  LAUNCH(contacts->device, contact_stiffen, contacts->count, contacts->edges_from, contacts->cloth_count, h,
         contacts->body, contacts->surface, contacts->rest, matrix->diagonal, matrix->value, x0, x1, v0,
         contacts->vertices, contacts->weight, contacts->normal, contacts->stiffness, contacts->aim);
  contacts->friction->grip(contacts, x0, x1, v0, h);
  if (!contacts->sticks || !contacts->count) return;
  weft_device_zero(contacts->device, contacts->pull, (size_t)contacts->count * sizeof *contacts->pull);
  LAUNCH(contacts->device, contact_bond, contacts->cloth_count, contacts->edges_from, contacts->cloth_bodies,
         contacts->row_start, contacts->at, contacts->body, contacts->surface, contacts->rest, contacts->bond,
         x0, contacts->vertices, contacts->weight, contacts->pull);
}

static WeftResult reserve_memory(WeftContacts *contacts, int count, WeftError *error) {
  WeftResult result =
      weft_shared_grow(contacts->device, (void **)&contacts->memory_pair, &contacts->capacity_memory_pair,
                       3 * (size_t)count, sizeof(int32_t), WEFT_MEMORY_DETECT, "contacts", error);
  if (result) return result;
  return weft_shared_grow(contacts->device, (void **)&contacts->memory_slip, &contacts->capacity_memory_slip,
                          5 * (size_t)count, sizeof(double), WEFT_MEMORY_DETECT, "contacts", error);
}

WeftResult weft_contacts_remember(WeftContacts *contacts, const double *x1, WeftError *error) {
  WeftResult result = reserve_memory(contacts, contacts->count, error);
  if (result) return result;
  LAUNCH(contacts->device, contact_remember, contacts->count, contacts->cloth_count, contacts->vertices,
         contacts->weight, contacts->normal, contacts->stiffness, contacts->aim, contacts->grip,
         contacts->push, contacts->begun, contacts->inertia, contacts->origin, contacts->sliding,
         contacts->pair, x1, contacts->memory_pair, contacts->memory_slip);
  contacts->memory_count = contacts->count;
  return WEFT_RESULT_OK;
}

WeftResult weft_contacts_store(const WeftContacts *contacts, WeftContactMemory *memory, WeftError *error) {
  size_t numbers = 3 * (size_t)contacts->memory_count, forces = 5 * (size_t)contacts->memory_count;
  if (!weft_contact_memory_reserve(memory, contacts->memory_count))
    return weft_fail_memory(error, "contacts");
  memory->count = 0;
  if (numbers == 0) return WEFT_RESULT_OK;
  if (!weft_device_download(contacts->device, contacts->memory_pair, numbers * sizeof(int32_t)) ||
      !weft_device_download(contacts->device, contacts->memory_slip, forces * sizeof(double))) {
    return weft_device_check(contacts->device, error);
  }
  memcpy(memory->pair, contacts->memory_pair, numbers * sizeof(int32_t));
  memcpy(memory->slip, contacts->memory_slip, forces * sizeof(double));
  memory->count = contacts->memory_count;
  return WEFT_RESULT_OK;
}

WeftResult weft_contacts_load(WeftContacts *contacts, const WeftContactMemory *memory, WeftError *error) {
  size_t numbers = 3 * (size_t)memory->count, forces = 5 * (size_t)memory->count;
  WeftResult result = reserve_memory(contacts, memory->count, error);
  if (result) return result;
  contacts->memory_count = memory->count;
  if (numbers == 0) return WEFT_RESULT_OK;
  memcpy(contacts->memory_pair, memory->pair, numbers * sizeof(int32_t));
  memcpy(contacts->memory_slip, memory->slip, forces * sizeof(double));
  weft_device_upload(contacts->device, contacts->memory_pair, numbers * sizeof(int32_t));
  weft_device_upload(contacts->device, contacts->memory_slip, forces * sizeof(double));
  return WEFT_RESULT_OK;
}

void weft_contacts_add(const WeftContacts *contacts, const WeftForceRequest *request,
                       const WeftBcsr *matrix) {
  if (!contacts->count) return;
  LAUNCH(contacts->device, contact_add, contacts->cloth_count, contacts->row_start, contacts->at,
         contacts->vertices, contacts->weight, contacts->normal, contacts->stiffness, contacts->aim,
         contacts->grip, contacts->push, contacts->origin, request->x, request->v, request->wants,
         request->ax, matrix->base_start, matrix->extra_start, matrix->column, request->f, request->kxv,
         request->a);
  if (!contacts->sticks) return;
  LAUNCH(contacts->device, contact_stick, contacts->cloth_count, contacts->row_start, contacts->at,
         contacts->weight, contacts->normal, contacts->pull, request->f);
}
