#include "force/contact.h"

#include "base/memory.h"
#include "device/launch.h"
#include "device/shared.h"
#include "force/contact.kernel.h"

#include <math.h>
#include <string.h>

static void describe_bodies(WeftContacts *contacts, const WeftModel *model) {
  for (int i = 0; i < model->cloth_count; i++) {
    const WeftModelCloth *cloth = &model->cloths[i];
    contacts->thickness[i] = cloth->material.thickness;
    for (int k = 0; k < cloth->vertex_count; k++)
      contacts->body[model->internal_of_user[cloth->first_vertex + k]] = i;
  }
  for (int i = 0; i < model->obstacle_count; i++) {
    const WeftModelObstacle *obstacle = &model->obstacles[i];
    contacts->thickness[model->cloth_count + i] = obstacle->thickness;
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
  for (int i = 0; i < model->cloth_count + model->obstacle_count; i++)
    contacts->reach = fmax(contacts->reach, contacts->thickness[i]);
  if (contacts->sticks) contacts->reach *= ADHESION_RANGE;
  for (int i = 0; i < contacts->vertex_count; i++)
    contacts->surface[i] = model->body_surface[contacts->body[i]];
}

WeftResult weft_contacts_create(WeftContacts *contacts, WeftDevice *device, const WeftModel *model,
                                const WeftFrictionOps *friction, WeftError *error) {
  size_t bodies = (size_t)model->cloth_count + (size_t)model->obstacle_count;
  *contacts = (WeftContacts){.device = device,
                             .friction = friction,
                             .mass = model->mass,
                             .cloth_count = model->vertex_count,
                             .vertex_count = model->vertex_count + model->obstacle_vertex_count,
                             .cloth_bodies = model->cloth_count,
                             .surface_count = model->surface_count};
  size_t n = (size_t)contacts->cloth_count, surfaces = (size_t)model->surface_count;
  const struct {
    void **array;
    size_t count, size;
  } arrays[] = {{(void **)&contacts->body, (size_t)contacts->vertex_count, sizeof(int32_t)},
                {(void **)&contacts->thickness, bodies, sizeof(double)},
                {(void **)&contacts->surface, (size_t)contacts->vertex_count, sizeof(int32_t)},
                {(void **)&contacts->surface_pairs, 3 * surfaces * surfaces, sizeof(double)},
                {(void **)&contacts->rest, 3 * n, sizeof(double)},
                {(void **)&contacts->bond, n, sizeof(double)},
                {(void **)&contacts->row_start, n + 1, sizeof(int32_t)},
                {(void **)&contacts->loose_start, n + 1, sizeof(int32_t)}};
  enum { COUNT = sizeof arrays / sizeof *arrays, FILLED = 6 };
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
  memcpy(contacts->surface_pairs, model->surface_pairs, 3 * surfaces * surfaces * sizeof(double));
  memcpy(contacts->rest, model->rest_x, 3 * n * sizeof(double));
  for (int i = 0; i < FILLED; i++)
    weft_device_upload(device, *arrays[i].array, arrays[i].count * arrays[i].size);
  return WEFT_RESULT_OK;
}

void weft_contacts_destroy(WeftContacts *contacts) {
  void **arrays[] = {
      (void **)&contacts->when,          (void **)&contacts->spring,      (void **)&contacts->bond,
      (void **)&contacts->pull,          (void **)&contacts->push,        (void **)&contacts->begun,
      (void **)&contacts->bounds,        (void **)&contacts->sliding,     (void **)&contacts->pair,
      (void **)&contacts->slip,          (void **)&contacts->memory_pair, (void **)&contacts->memory_slip,
      (void **)&contacts->body,          (void **)&contacts->thickness,   (void **)&contacts->surface,
      (void **)&contacts->surface_pairs, (void **)&contacts->rest,        (void **)&contacts->vertices,
      (void **)&contacts->weight,        (void **)&contacts->normal,      (void **)&contacts->stiffness,
      (void **)&contacts->aim,           (void **)&contacts->grip,        (void **)&contacts->origin,
      (void **)&contacts->key,           (void **)&contacts->at,          (void **)&contacts->row_start,
      (void **)&contacts->loose_start,   (void **)&contacts->entry,       (void **)&contacts->arm,
      (void **)&contacts->given};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) weft_shared_free(contacts->device, arrays[i]);
  weft_primitives_destroy(&contacts->primitives);
  memset(contacts, 0, sizeof *contacts);
}

/* Room for so many; those that are there stay. */
static WeftResult reserve(WeftContacts *contacts, int count, WeftError *error) {
  size_t n = (size_t)count, there = (size_t)contacts->count;
  const struct {
    void **array;
    size_t *capacity, each, size;
  } arrays[] = {{(void **)&contacts->vertices, &contacts->capacity_vertices, 4, sizeof(int32_t)},
                {(void **)&contacts->weight, &contacts->capacity_weight, 4, sizeof(double)},
                {(void **)&contacts->arm, &contacts->capacity_arm, 12, sizeof(double)},
                {(void **)&contacts->when, &contacts->capacity_when, 1, sizeof(double)},
                {(void **)&contacts->spring, &contacts->capacity_spring, 1, sizeof(double)},
                {(void **)&contacts->normal, &contacts->capacity_normal, 3, sizeof(double)},
                {(void **)&contacts->stiffness, &contacts->capacity_stiffness, 1, sizeof(double)},
                {(void **)&contacts->aim, &contacts->capacity_aim, 1, sizeof(double)},
                {(void **)&contacts->grip, &contacts->capacity_grip, 1, sizeof(double)},
                {(void **)&contacts->pull, &contacts->capacity_pull, contacts->sticks, sizeof(double)},
                {(void **)&contacts->push, &contacts->capacity_push, 3, sizeof(double)},
                {(void **)&contacts->begun, &contacts->capacity_begun, 3, sizeof(double)},
                {(void **)&contacts->bounds, &contacts->capacity_bounds, 3, sizeof(double)},
                {(void **)&contacts->sliding, &contacts->capacity_sliding, 1, sizeof(int32_t)},
                {(void **)&contacts->pair, &contacts->capacity_pair, 3, sizeof(int32_t)},
                {(void **)&contacts->slip, &contacts->capacity_slip, 5, sizeof(double)},
                {(void **)&contacts->origin, &contacts->capacity_origin, 3, sizeof(double)},
                {(void **)&contacts->given, &contacts->capacity_given, CONTACT_GIVES, sizeof(double)},
                {(void **)&contacts->key, &contacts->capacity_key, 4, sizeof(int32_t)},
                {(void **)&contacts->at, &contacts->capacity_at, 4, sizeof(int32_t)},
                {(void **)&contacts->entry, &contacts->capacity_entry, 16, sizeof(int32_t)}};
  WeftResult result = WEFT_RESULT_OK;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !result; i++) {
    result = weft_shared_extend(contacts->device, arrays[i].array, arrays[i].capacity, arrays[i].each * there,
                                arrays[i].each * n, arrays[i].size, WEFT_MEMORY_DETECT, "contacts", error);
  }
  int numbers = 4 * count > contacts->cloth_count + 1 ? 4 * count : contacts->cloth_count + 1;
  if (!result) result = weft_primitives_reserve(&contacts->primitives, contacts->device, numbers, error);
  return result;
}

/* Which contacts are at which rows, and the blocks of the matrix that they need. */
static WeftResult place(WeftContacts *contacts, WeftBcsr *matrix, WeftError *error) {
  WeftDevice *device = contacts->device;
  int count = contacts->count, n = contacts->cloth_count;
  LAUNCH(device, contact_rows, 4 * count, n, contacts->vertices, contacts->key, contacts->at);
  if (count) weft_sort(&contacts->primitives, 4 * count, weft_sort_bits(n + 1), contacts->key, contacts->at);
  LAUNCH(device, contact_row_starts, n + 1, 4 * count, contacts->key, contacts->row_start);
  LAUNCH(device, contact_columns, n + 1, n, contacts->row_start, contacts->at, contacts->vertices,
         contacts->loose_start, contacts->entry);
  return weft_bcsr_set_extra_rows(matrix, &contacts->primitives, contacts->loose_start, contacts->entry,
                                  error);
}

WeftResult weft_contacts_take(WeftContacts *contacts, const WeftFound *vertex_face,
                              const WeftFound *edge_edge, WeftBcsr *matrix, WeftError *error) {
  WeftDevice *device = contacts->device;
  int count = vertex_face->count + edge_edge->count;
  contacts->count = contacts->run_count = contacts->stiff_count = 0;
  WeftResult result = reserve(contacts, count, error);
  if (result) return result;
  LAUNCH(device, contact_copy, vertex_face->count, 0, 0, vertex_face->features, vertex_face->vertices,
         vertex_face->weight, vertex_face->value, contacts->pair, contacts->vertices, contacts->weight,
         contacts->when);
  LAUNCH(device, contact_copy, edge_edge->count, vertex_face->count, 1, edge_edge->features,
         edge_edge->vertices, edge_edge->weight, edge_edge->value, contacts->pair, contacts->vertices,
         contacts->weight, contacts->when);
  LAUNCH(device, contact_recall, count, contacts->memory_count, contacts->pair, contacts->memory_pair,
         contacts->memory_slip, contacts->slip);
  contacts->count = count;
  result = place(contacts, matrix, error);
  contacts->run_count = 1;
  contacts->run_start[1] = contacts->count = result ? 0 : count;
  return result;
}

/* Appends those of one kind that are new. */
static WeftResult expect(WeftContacts *contacts, const WeftSurface *surface, const WeftFound *found, int kind,
                         const double *x0, const double *x1, WeftError *error) {
  WeftDevice *device = contacts->device;
  WeftResult result = reserve(contacts, contacts->count + found->count, error);
  if (result || !found->count) return result;
  int32_t *is_new = contacts->key, *index = contacts->at;
  LAUNCH(device, contact_all_new, found->count, is_new);
  for (int i = 0; i < contacts->run_count; i++) {
    int first = contacts->run_start[i];
    LAUNCH(device, contact_know, found->count, kind, found->features, first,
           contacts->run_start[i + 1] - first, contacts->pair, contacts->spring, contacts->stiffness, is_new);
  }
  int count = weft_compact(&contacts->primitives, found->count, is_new, index);
  if (count < 0) return weft_device_check(device, error);
  LAUNCH(device, contact_expect, count, contacts->count, kind, found->count, index, found->features,
         found->vertices, found->value, x0, x1, surface->is_fixed, surface->opposite, surface->around_start,
         surface->around, contacts->pair, contacts->vertices, contacts->weight, contacts->when,
         contacts->slip);
  contacts->count += count;
  return WEFT_RESULT_OK;
}

WeftResult weft_contacts_expect(WeftContacts *contacts, const WeftSurface *surface,
                                const WeftFound *vertex_face, const WeftFound *edge_edge, const double *x0,
                                const double *x1, WeftBcsr *matrix, int *added, WeftError *error) {
  int before = contacts->count;
  *added = 0;
  if (contacts->run_count == WEFT_CONTACT_RUNS) return WEFT_RESULT_OK;
  WeftResult result = expect(contacts, surface, vertex_face, 0, x0, x1, error);
  if (!result) result = expect(contacts, surface, edge_edge, 1, x0, x1, error);
  if (!result && contacts->count > before) result = place(contacts, matrix, error);
  if (result) contacts->count = before;
  *added = contacts->count - before;
  if (*added) contacts->run_start[++contacts->run_count] = contacts->count;
  return result;
}

void weft_contacts_stiffen(WeftContacts *contacts, const WeftBcsr *matrix, const double *x0, const double *x1,
                           const double *v0, double h, const double *gravity) {
  int first = contacts->stiff_count;
  if (first == contacts->count) return;
  LAUNCH(contacts->device, contact_stiffen, contacts->count - first, first, contacts->cloth_count, h,
         gravity[0], gravity[1], gravity[2], contacts->body, contacts->thickness, contacts->rest,
         matrix->diagonal, matrix->value, x0, x1, contacts->when, contacts->vertices, contacts->weight,
         contacts->pair, contacts->slip, contacts->normal, contacts->arm, contacts->spring,
         contacts->stiffness, contacts->aim);
  contacts->friction->grip(contacts, first, x0, x1, v0, h);
  contacts->stiff_count = contacts->count;
  if (!contacts->sticks) return;
  weft_device_zero(contacts->device, contacts->pull, (size_t)contacts->count * sizeof *contacts->pull);
  LAUNCH(contacts->device, contact_bond, contacts->cloth_count, contacts->cloth_bodies, contacts->pair,
         contacts->when, contacts->row_start, contacts->at, contacts->body, contacts->thickness,
         contacts->rest, contacts->bond, x0, contacts->vertices, contacts->weight, contacts->pull);
}

/* Adds up marks of contacts; -1 when the device failed. */
static int count_marks(WeftContacts *contacts, int count) {
  return weft_scan(&contacts->primitives, count, contacts->key, contacts->key);
}

WeftContactReview weft_contacts_review(WeftContacts *contacts, const double *x0, const double *x1,
                                       const double *v0, double h) {
  int count = contacts->stiff_count; /* the others are new and were not solved with yet */
  WeftContactReview review = {0};
  if (!count) return review;
  /* first: what these press with is what the solve was done with */
  LAUNCH(contacts->device, contact_press, count, contacts->cloth_count, contacts->vertices, contacts->weight,
         contacts->normal, contacts->stiffness, contacts->aim, x1, contacts->slip, contacts->key);
  review.pressed = count_marks(contacts, count);
  LAUNCH(contacts->device, contact_review, count, contacts->cloth_count, CONTACT_SLACK * contacts->reach,
         contacts->vertices, contacts->weight, contacts->normal, contacts->spring, contacts->aim, x1,
         contacts->stiffness, contacts->key);
  review.changed = count_marks(contacts, count);
  if (review.pressed > 0) {
    int all = contacts->count;
    contacts->count = count;
    contacts->friction->grip(contacts, 0, x0, x1, v0, h);
    contacts->count = all;
  }
  return review;
}

int weft_contacts_let_go(WeftContacts *contacts, const double *x0, const double *x1) {
  int count = contacts->stiff_count;
  if (!count) return 0;
  LAUNCH(contacts->device, contact_let_go, count, contacts->cloth_count, contacts->vertices, contacts->weight,
         contacts->arm, contacts->normal, contacts->stiffness, contacts->bounds, x0, x1, contacts->grip,
         contacts->push, contacts->begun, contacts->origin, contacts->sliding, contacts->key);
  return count_marks(contacts, count);
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
  int count = contacts->run_start[1]; /* impacts that a solve led to are no contacts that last */
  WeftResult result = reserve_memory(contacts, count, error);
  if (result) return result;
  LAUNCH(contacts->device, contact_remember, count, contacts->cloth_count, contacts->vertices,
         contacts->weight, contacts->arm, contacts->normal, contacts->stiffness, contacts->aim,
         contacts->grip, contacts->push, contacts->begun, contacts->bounds, contacts->origin,
         contacts->sliding, contacts->pair, x1, contacts->memory_pair, contacts->memory_slip);
  contacts->memory_count = count;
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
  LAUNCH(contacts->device, contact_give, contacts->count, contacts->cloth_count, contacts->vertices,
         contacts->weight, contacts->arm, contacts->normal, contacts->stiffness, contacts->aim,
         contacts->grip, contacts->push, contacts->origin, request->x, request->v, contacts->given);
  LAUNCH(contacts->device, contact_add, contacts->cloth_count, contacts->row_start, contacts->at,
         contacts->vertices, contacts->weight, contacts->arm, contacts->normal, contacts->stiffness,
         contacts->grip, contacts->push, contacts->given, request->wants, request->ax, matrix->base_start,
         matrix->extra_start, matrix->column, request->f, request->kxv, request->a);
  if (!contacts->sticks) return;
  LAUNCH(contacts->device, contact_stick, contacts->cloth_count, contacts->row_start, contacts->at,
         contacts->weight, contacts->normal, contacts->pull, request->f);
}
