/* Handles: vertices carried along keyframes. They only set targets; the step moves the vertices there. */
#ifndef WEFT_HANDLE_H
#define WEFT_HANDLE_H

#include "base/error.h"
#include "state.h"

typedef struct WeftHandle {
  int vertex_count;
  int32_t *vertices; /* internal numbers once the model is there, the user's before */
  double *start;     /* vertex_count x 3: positions at time 0 of the keys [m] */
  WeftMotion motion; /* without keys: held where they are */
  int32_t axes;
  double release_time; /* [s] */
} WeftHandle;

/* Checks the definition and copies it; vertex_count is the cloth's, positions are its vertices'. */
WeftResult weft_handle_create(WeftHandle *handle, const WeftHandleDef *def, int vertex_count,
                              const double *positions, WeftError *error);
void weft_handle_destroy(WeftHandle *handle);

/* Sets targets for the end of a step from time t0 to t1; lets go when the release time lies in (t0, t1]. */
void weft_handle_aim(const WeftHandle *handle, WeftState *state, double t0, double t1);

#endif
