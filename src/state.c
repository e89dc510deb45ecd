/* State: memory, bytes and hash. All numbers are little-endian IEEE doubles and integers, as on every machine
 * that weft is built for; the magic number tells when they are not. */
#include "state.h"

#include "base/hash.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 1: nothing touches, 4: something does; 2 and 3 knew less of contacts, and are not read any more. */
enum { STATE_VERSION = 4 };
static const char MAGIC[8] = {'w', 'e', 'f', 't', 's', 't', 'a', 't'};

/* Followed by x, v, dv, force, target (each vertex_count x 3 doubles), held (vertex_count bytes), in version
 * 4 how much edges are lengthened (8 bytes), the number of contacts (8 bytes), their slip and force (5
 * doubles each) and pair (3 integers of 4 bytes each), and a hash of all that came before (8 bytes). */
typedef struct Header {
  char magic[8];
  uint32_t version, byte_order; /* byte_order: 0x01020304 as the writer's machine stores it */
  uint64_t fingerprint;         /* of the model */
  uint64_t vertex_count;
  int64_t step;
  double time;
  double gravity[3];
  double wind[9]; /* velocity, gust amplitude, gust frequency, gust length, air density */
} Header;

WeftResult weft_state_create(WeftState *state, int vertex_count, WeftError *error) {
  size_t n = (size_t)vertex_count;
  memset(state, 0, sizeof *state);
  state->x = WEFT_NEW(double, 3 * n);
  state->v = WEFT_NEW(double, 3 * n);
  state->dv = WEFT_NEW(double, 3 * n);
  state->force = WEFT_NEW(double, 3 * n);
  state->target = WEFT_NEW(double, 3 * n);
  state->held = WEFT_NEW(uint8_t, n);
  if (state->x && state->v && state->dv && state->force && state->target && state->held)
    return WEFT_RESULT_OK;
  weft_state_destroy(state);
  return weft_fail_memory(error, "state");
}

void weft_state_destroy(WeftState *state) {
  free(state->x);
  free(state->v);
  free(state->dv);
  free(state->force);
  free(state->target);
  free(state->held);
  free(state->contacts.pair);
  free(state->contacts.slip);
  memset(state, 0, sizeof *state);
}

bool weft_contact_memory_reserve(WeftContactMemory *memory, int count) {
  size_t n = (size_t)count;
  return weft_grow((void **)&memory->pair, &memory->pair_capacity, 3 * n, sizeof *memory->pair) &&
         weft_grow((void **)&memory->slip, &memory->slip_capacity, 5 * n, sizeof *memory->slip);
}

static bool copy_contacts(WeftContactMemory *to, const WeftContactMemory *from) {
  size_t n = (size_t)from->count;
  to->count = 0;
  if (n == 0) return true;
  if (!weft_contact_memory_reserve(to, from->count)) return false;
  memcpy(to->pair, from->pair, 3 * n * sizeof *to->pair);
  memcpy(to->slip, from->slip, 5 * n * sizeof *to->slip);
  to->count = from->count;
  return true;
}

bool weft_state_copy(WeftState *to, const WeftState *from, int vertex_count) {
  size_t n = (size_t)vertex_count, vector = 3 * n * sizeof(double);
  WeftState arrays = *to;
  memcpy(arrays.x, from->x, vector);
  memcpy(arrays.v, from->v, vector);
  memcpy(arrays.dv, from->dv, vector);
  memcpy(arrays.force, from->force, vector);
  memcpy(arrays.target, from->target, vector);
  memcpy(arrays.held, from->held, n);
  *to = *from;
  to->x = arrays.x;
  to->v = arrays.v;
  to->dv = arrays.dv;
  to->force = arrays.force;
  to->target = arrays.target;
  to->held = arrays.held;
  to->contacts = arrays.contacts;
  return copy_contacts(&to->contacts, &from->contacts);
}

/* A contact: slip and pair. */
enum { CONTACT_SIZE = 5 * sizeof(double) + 3 * sizeof(int32_t) };

/* What comes before a version 4's contacts. */
enum { TOUCH_SIZE = sizeof(double) + sizeof(uint64_t) };

/* touches: as version 4, with so many contacts. */
static size_t saved_size(int vertex_count, bool touches, size_t contact_count) {
  size_t n = (size_t)vertex_count;
  size_t contacts = touches ? TOUCH_SIZE + contact_count * CONTACT_SIZE : 0;
  return sizeof(Header) + 5 * 3 * n * sizeof(double) + n + contacts + sizeof(uint64_t);
}

static bool touches(const WeftState *state) { return state->contacts.count > 0 || state->lengthening > 0; }

static unsigned char *save_touch(unsigned char *to, const WeftState *state) {
  const WeftContactMemory *contacts = &state->contacts;
  uint64_t count = (uint64_t)contacts->count;
  size_t slip = 5 * (size_t)count * sizeof(double), pair = 3 * (size_t)count * sizeof(int32_t);
  if (!touches(state)) return to;
  memcpy(to, &state->lengthening, sizeof state->lengthening);
  memcpy(to + sizeof state->lengthening, &count, sizeof count);
  if (!count) return to + TOUCH_SIZE;
  memcpy(to + TOUCH_SIZE, contacts->slip, slip);
  memcpy(to + TOUCH_SIZE + slip, contacts->pair, pair);
  return to + TOUCH_SIZE + slip + pair;
}

WeftResult weft_state_save(const WeftState *state, const WeftModel *model, void **bytes, size_t *size,
                           WeftError *error) {
  size_t n = (size_t)model->vertex_count, vector = 3 * n * sizeof(double);
  *size = saved_size(model->vertex_count, touches(state), (size_t)state->contacts.count);
  unsigned char *to = malloc(*size);
  *bytes = to;
  if (!to) return weft_fail_memory(error, "saved state");
  const WeftWind *wind = &state->wind;
  Header header = {.version = touches(state) ? STATE_VERSION : 1,
                   .byte_order = 0x01020304,
                   .fingerprint = model->fingerprint,
                   .vertex_count = n,
                   .step = state->step,
                   .time = state->time};
  memcpy(header.magic, MAGIC, sizeof MAGIC);
  memcpy(header.gravity, state->gravity, sizeof header.gravity);
  memcpy(header.wind, wind->velocity, sizeof wind->velocity);
  memcpy(header.wind + 3, wind->gust_amplitude, sizeof wind->gust_amplitude);
  header.wind[6] = wind->gust_frequency;
  header.wind[7] = wind->gust_length;
  header.wind[8] = wind->air_density;
  memcpy(to, &header, sizeof header);
  to += sizeof header;
  const double *vectors[] = {state->x, state->v, state->dv, state->force, state->target};
  for (int i = 0; i < 5; i++, to += vector) memcpy(to, vectors[i], vector);
  memcpy(to, state->held, n);
  to = save_touch(to + n, state);
  uint64_t hash = weft_hash(WEFT_HASH_START, *bytes, *size - sizeof hash);
  memcpy(to, &hash, sizeof hash);
  return WEFT_RESULT_OK;
}

/* Of a state of version 4; 0 when the number is not there or is more than the bytes could hold. */
static size_t contact_count(const unsigned char *bytes, size_t size, int vertex_count) {
  size_t at = saved_size(vertex_count, false, 0) - sizeof(uint64_t) + sizeof(double);
  uint64_t count;
  if (size < at + sizeof count) return 0;
  memcpy(&count, bytes + at, sizeof count);
  return count <= size / CONTACT_SIZE ? (size_t)count : 0;
}

/* Everything that can be wrong with the bytes, before any of them is used. */
static WeftResult check_saved(const Header *header, const WeftModel *model, const unsigned char *bytes,
                              size_t size, WeftError *error) {
  if (memcmp(header->magic, MAGIC, sizeof MAGIC) != 0) {
    return weft_fail(error, WEFT_RESULT_PARSE, "this is not a saved state of weft");
  }
  if (header->byte_order != 0x01020304) {
    return weft_fail(error, WEFT_RESULT_MISMATCH, "the state was saved on a machine of the other byte order");
  }
  if (header->version != 1 && header->version != STATE_VERSION) {
    return weft_fail(error, WEFT_RESULT_MISMATCH,
                     "the state has version %u, this weft reads versions 1 and %d", (unsigned)header->version,
                     STATE_VERSION);
  }
  if (header->vertex_count != (uint64_t)model->vertex_count || header->fingerprint != model->fingerprint) {
    return weft_fail(
        error, WEFT_RESULT_MISMATCH,
        "the state belongs to another model (%llu vertices, this one has %d): use the scene it was saved "
        "from, with the same --set values",
        (unsigned long long)header->vertex_count, model->vertex_count);
  }
  uint64_t hash;
  size_t expected = saved_size(model->vertex_count, false, 0);
  if (header->version == STATE_VERSION)
    expected = saved_size(model->vertex_count, true, contact_count(bytes, size, model->vertex_count));
  if (size != expected) {
    return weft_fail(error, WEFT_RESULT_PARSE, "the saved state has %zu bytes, expected %zu: it was cut off",
                     size, expected);
  }
  memcpy(&hash, bytes + size - sizeof hash, sizeof hash);
  if (hash != weft_hash(WEFT_HASH_START, bytes, size - sizeof hash)) {
    return weft_fail(error, WEFT_RESULT_PARSE, "the saved state was altered: its checksum does not fit");
  }
  return WEFT_RESULT_OK;
}

/* A file whose checksum fits was still written by somebody: its numbers must make sense. */
static WeftResult check_numbers(const Header *header, const unsigned char *from, size_t n, bool has_touch,
                                size_t contacts, WeftError *error) {
  bool is_fine = header->step >= 0 && isfinite(header->time) && header->wind[7] > 0 && header->wind[8] >= 0;
  for (int k = 0; k < 3; k++) is_fine = is_fine && isfinite(header->gravity[k]);
  for (int k = 0; k < 9; k++) is_fine = is_fine && isfinite(header->wind[k]);
  for (size_t i = 0; i < 15 * n && is_fine; i++) {
    double number;
    memcpy(&number, from + i * sizeof number, sizeof number);
    is_fine = isfinite(number);
  }
  const unsigned char *held = from + 15 * n * sizeof(double);
  for (size_t i = 0; i < n && is_fine; i++) is_fine = held[i] <= WEFT_AXIS_ALL;
  double lengthening = 0;
  if (has_touch) memcpy(&lengthening, held + n, sizeof lengthening);
  is_fine = is_fine && isfinite(lengthening) && lengthening >= 0;
  for (size_t i = 0; i < 5 * contacts && is_fine; i++) {
    double number;
    memcpy(&number, held + n + TOUCH_SIZE + i * sizeof number, sizeof number);
    is_fine = isfinite(number);
  }
  return is_fine ? WEFT_RESULT_OK
                 : weft_fail(error, WEFT_RESULT_INVALID_DATA,
                             "the saved state holds a number that is out of range");
}

WeftResult weft_state_restore(WeftState *state, const WeftModel *model, const void *bytes, size_t size,
                              WeftError *error) {
  Header header;
  const unsigned char *from = bytes;
  if (size < sizeof header) {
    return weft_fail(error, WEFT_RESULT_PARSE, "this is not a saved state of weft: %zu bytes are too few",
                     size);
  }
  memcpy(&header, from, sizeof header);
  WeftResult result = check_saved(&header, model, from, size, error);
  if (result) return result;
  size_t n = (size_t)model->vertex_count, vector = 3 * n * sizeof(double);
  from += sizeof header;
  bool has_touch = header.version == STATE_VERSION;
  size_t contacts = has_touch ? contact_count(bytes, size, model->vertex_count) : 0;
  result = check_numbers(&header, from, n, has_touch, contacts, error);
  if (result) return result;
  if (!weft_contact_memory_reserve(&state->contacts, (int)contacts))
    return weft_fail_memory(error, "contacts");
  double *vectors[] = {state->x, state->v, state->dv, state->force, state->target};
  for (int i = 0; i < 5; i++, from += vector) memcpy(vectors[i], from, vector);
  memcpy(state->held, from, n);
  state->contacts.count = (int)contacts;
  state->lengthening = 0;
  from += n;
  if (has_touch) memcpy(&state->lengthening, from, sizeof state->lengthening);
  if (contacts) {
    from += TOUCH_SIZE;
    memcpy(state->contacts.slip, from, 5 * contacts * sizeof(double));
    memcpy(state->contacts.pair, from + 5 * contacts * sizeof(double), 3 * contacts * sizeof(int32_t));
  }
  state->time = header.time;
  state->step = header.step;
  memcpy(state->gravity, header.gravity, sizeof header.gravity);
  WeftWind *wind = &state->wind;
  memcpy(wind->velocity, header.wind, sizeof wind->velocity);
  memcpy(wind->gust_amplitude, header.wind + 3, sizeof wind->gust_amplitude);
  wind->gust_frequency = header.wind[6];
  wind->gust_length = header.wind[7];
  wind->air_density = header.wind[8];
  return WEFT_RESULT_OK;
}

uint64_t weft_state_hash(const WeftState *state, const WeftModel *model) {
  uint64_t hash = weft_hash(WEFT_HASH_START, &state->time, sizeof state->time);
  for (int user = 0; user < model->vertex_count; user++) {
    size_t at = 3 * (size_t)model->internal_of_user[user];
    hash = weft_hash(hash, state->x + at, 3 * sizeof(double));
    hash = weft_hash(hash, state->v + at, 3 * sizeof(double));
  }
  return hash;
}
