#include "solve/domains.h"

#include "base/memory.h"
#include "device/shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Up to FEW rows domains are whole patches of the mesh (mesh/order.h). Beyond, they are halved until there
 * are ENOUGH for the threads of a machine; of smaller ones too much is border, which one thread does. */
enum { FEW = 16384, PATCH = 8192, ENOUGH = 24, SMALLEST = 2048 };
/* In space when one of so many blocks is between cloths, or between what is not neighbours. */
enum { COUPLED = 64 };

int weft_domains_worth(int row_count) {
  int rows = PATCH;
  while (row_count > FEW && rows > SMALLEST && row_count / rows < ENOUGH) rows /= 2;
  return rows;
}

static void set_runs(WeftDomains *d) {
  for (int row = 0; row < d->row_count; row++) {
    d->order[row] = row;
    d->of_row[row] = row / d->rows;
  }
  for (int i = 0; i < d->count; i++) d->start[i] = i * d->rows;
  d->start[d->count] = d->row_count;
  d->are_runs = true;
}

WeftResult weft_domains_create(WeftDomains *domains, int row_count, int rows, WeftError *error) {
  size_t n = (size_t)row_count;
  int count = row_count / rows + (row_count % rows > 0);
  *domains = (WeftDomains){.row_count = row_count,
                           .count = count,
                           .rows = rows,
                           .start = WEFT_NEW(int32_t, (size_t)count + 1),
                           .order = WEFT_NEW(int32_t, n),
                           .of_row = WEFT_NEW(int32_t, n)};
  if (!domains->start || !domains->order || !domains->of_row) {
    weft_domains_destroy(domains);
    return weft_fail_memory(error, "domains of the solver");
  }
  set_runs(domains);
  return WEFT_RESULT_OK;
}

void weft_domains_destroy(WeftDomains *domains) {
  void **arrays[] = {(void **)&domains->start, (void **)&domains->order, (void **)&domains->of_row};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) weft_shared_free(domains->device, arrays[i]);
  free(domains->places);
  memset(domains, 0, sizeof *domains);
}

static void upload(WeftDomains *d) {
  size_t n = (size_t)d->row_count;
  weft_device_upload(d->device, d->start, ((size_t)d->count + 1) * sizeof *d->start);
  weft_device_upload(d->device, d->order, n * sizeof *d->order);
  weft_device_upload(d->device, d->of_row, n * sizeof *d->of_row);
}

WeftResult weft_domains_share(WeftDomains *d, WeftDevice *device, WeftError *error) {
  size_t n = (size_t)d->row_count;
  const struct {
    const void *array;
    size_t bytes;
  } arrays[] = {{d->start, ((size_t)d->count + 1) * sizeof *d->start},
                {d->order, n * sizeof *d->order},
                {d->of_row, n * sizeof *d->of_row}};
  WeftResult result = WEFT_RESULT_OK;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !result; i++)
    result = weft_device_share(device, arrays[i].array, arrays[i].bytes, WEFT_MEMORY_SOLVER, error);
  if (!result) d->device = device;
  return result;
}

typedef WeftDomainPlace Place;

static bool is_before(Place a, Place b) { return a.at < b.at || (a.at == b.at && a.row < b.row); }

static Place middle_of(Place a, Place b, Place c) {
  Place less = is_before(b, a) ? b : a, more = is_before(b, a) ? a : b;
  if (is_before(c, more)) more = is_before(c, less) ? less : c;
  return more;
}

/* Brings the `wanted` first of them to the front, in any order [Hoare61]; they all differ. */
static void part(Place *places, int count, int wanted) {
  int low = 0, high = count - 1;
  while (low < high) {
    Place pivot = middle_of(places[low], places[low + (high - low) / 2], places[high]);
    int i = low, j = high;
    while (i <= j) {
      while (is_before(places[i], pivot)) i++;
      while (is_before(pivot, places[j])) j--;
      if (i > j) break;
      Place swapped = places[i];
      places[i++] = places[j];
      places[j--] = swapped;
    }
    if (wanted <= j)
      high = j;
    else if (wanted >= i)
      low = i;
    else
      return;
  }
}

static int longest_axis(const Place *places, int count, const double *x) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < 3; k++) {
      double at = x[3 * (size_t)places[i].row + (size_t)k];
      low[k] = at < low[k] ? at : low[k];
      high[k] = at > high[k] ? at : high[k];
    }
  }
  int longest = 0;
  for (int k = 1; k < 3; k++) longest = high[k] - low[k] > high[longest] - low[longest] ? k : longest;
  return longest;
}

/* The places, count of them, become so many domains, from number `first` on. */
static void halve(WeftDomains *d, const double *x, Place *places, int count, int parts, int first) {
  while (parts > 1) {
    int axis = longest_axis(places, count, x), before = parts / 2;
    int wanted = (int)((int64_t)count * before / parts);
    for (int i = 0; i < count; i++) places[i].at = x[3 * (size_t)places[i].row + (size_t)axis];
    part(places, count, wanted);
    halve(d, x, places, wanted, before, first);
    places += wanted;
    count -= wanted;
    parts -= before;
    first += before;
  }
  for (int i = 0; i < count; i++) d->of_row[places[i].row] = first;
}

static WeftResult set_boxes(WeftDomains *d, const double *x, WeftError *error) {
  if (!d->places) d->places = WEFT_NEW(Place, d->row_count);
  if (!d->places) return weft_fail_memory(error, "domains of the solver");
  for (int i = 0; i < d->row_count; i++) d->places[i].row = i;
  halve(d, x, d->places, d->row_count, d->count, 0);
  for (int i = 0; i <= d->count; i++) d->start[i] = 0;
  for (int i = 0; i < d->row_count; i++) d->start[d->of_row[i] + 1]++;
  for (int i = 0; i < d->count; i++) d->start[i + 1] += d->start[i];
  for (int i = 0; i < d->row_count; i++) d->order[d->start[d->of_row[i]]++] = i;
  for (int i = d->count; i > 0; i--) d->start[i] = d->start[i - 1];
  d->start[0] = 0;
  d->are_runs = false;
  return WEFT_RESULT_OK;
}

WeftResult weft_domains_update(WeftDomains *d, const WeftBcsr *matrix, double *x, WeftError *error) {
  int extra = matrix->block_count - matrix->base_start[matrix->row_count];
  if (!x || d->count <= 1 || extra < matrix->block_count / COUPLED) {
    if (d->are_runs) return WEFT_RESULT_OK;
    set_runs(d);
  } else {
    bool is_here = weft_device_download(d->device, x, 3 * (size_t)d->row_count * sizeof *x);
    WeftResult result = is_here ? set_boxes(d, x, error) : weft_device_check(d->device, error);
    if (result) return result;
  }
  upload(d);
  return WEFT_RESULT_OK;
}
