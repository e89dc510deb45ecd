/* The state: all that changes. Saving it and loading it again continues a run bit for bit.
 * Arrays are in the model's internal order. */
#ifndef WEFT_STATE_H
#define WEFT_STATE_H

#include "base/error.h"
#include "model.h"

/* What contacts remember from step to step. */
typedef struct WeftContactMemory {
  int count;
  int32_t *pair; /* count x 3: 0 for vertex-face and 1 for edge-edge, then the features; sorted */
  double *slip;  /* count x 5: what drives it across the normal, against friction (3), and the force along the
                    normal, negative where there was none [N]; 1 for what slides */
  size_t pair_capacity, slip_capacity;
} WeftContactMemory;

typedef struct WeftState {
  double time;    /* [s] */
  int64_t step;   /* steps done */
  double *x;      /* positions, vertex_count x 3 [m]: the last accepted ones */
  double *v;      /* velocities, vertex_count x 3 [m/s] */
  double *dv;     /* last change of velocity: the solver's next guess [m/s] */
  double *force;  /* constant force on each vertex [N] */
  double *target; /* where held vertices have to be at the end of the next step [m] */
  uint8_t *held;  /* vertex_count: bits of WEFT_AXIS_* */
  double gravity[3];
  WeftWind wind;
  double lengthening; /* of edges by the last step, as a part of their rest length: the most of any, over the
                         square of the time that it had [1/s^2]; 0 where nothing touched */
  WeftContactMemory contacts; /* up to date after weft_step_store_contacts */
} WeftState;

/* Room for so many contacts; false when out of memory. */
bool weft_contact_memory_reserve(WeftContactMemory *memory, int count);

WeftResult weft_state_create(WeftState *state, int vertex_count, WeftError *error);
void weft_state_destroy(WeftState *state);
/* Both have arrays of the same size. False when there is no memory for the contacts; then to has none. */
bool weft_state_copy(WeftState *to, const WeftState *from, int vertex_count);

/* docs/state.md describes the bytes. *bytes is freed with free. */
WeftResult weft_state_save(const WeftState *state, const WeftModel *model, void **bytes, size_t *size,
                           WeftError *error);
/* On failure the state is as it was. */
WeftResult weft_state_restore(WeftState *state, const WeftModel *model, const void *bytes, size_t size,
                              WeftError *error);
/* Of time, positions and velocities in the user's order. */
uint64_t weft_state_hash(const WeftState *state, const WeftModel *model);

#endif
