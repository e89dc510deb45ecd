/* Impact zones: impacts that hang together by vertices that can move. What cannot move does not join them: a
 * cloth's impacts all over one obstacle are many zones. */
#ifndef WEFT_RESPOND_ZONES_H
#define WEFT_RESPOND_ZONES_H

#include "base/error.h"

#include <stdint.h>

typedef struct WeftZones {
  int count;
  int32_t *row_start, *row;       /* zone's rows, rising */
  int32_t *vertex_start, *vertex; /* zone's vertices that can move, rising */
} WeftZones;

/* vertices: row_count x 4; rows without a vertex that can move are in no zone. Zones are in the order of
 * their lowest vertex. */
WeftResult weft_zones_create(WeftZones *zones, int vertex_count, const double *inverse_mass, int row_count,
                             const int32_t *vertices, WeftError *error);
void weft_zones_destroy(WeftZones *zones);

#endif
