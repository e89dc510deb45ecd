/* RESPOND: makes the way from x0 to the candidate x1 free of collisions. The links of the chain work one
 * after the other, each in rounds within its budget, on what continuous collision detection finds; the last
 * one always ends clean.
 */
#ifndef WEFT_RESPOND_RESPOND_H
#define WEFT_RESPOND_RESPOND_H

#include "detect/detector.h"
#include "model.h"
#include "respond/impact_list.h"
#include "state.h"

typedef struct WeftRespond {
  WeftDevice *device;
  const WeftModel *model;
  int cloth_count, vertex_count; /* of vertices: cloth's, then obstacles' behind them */
  WeftSurface surface;
  WeftDetector detector;
  double *x0, *x1;    /* vertex_count x 3 */
  double *wanted;     /* vertex_count x 3: x1 before the link at work */
  int32_t *active;    /* triangle_count: at vertices of impacts */
  int32_t *is_moved;  /* vertex_count: is a vertex of an impact */
  bool has_obstacles; /* x0 and x1 hold those that stand still */
  int chain_count;
  const WeftLinkOps *chain[WEFT_CHAIN_MOST];
  int budget[WEFT_CHAIN_MOST];
  WeftImpactList list;
  /* Small arrays that go to and from a device. */
  int32_t *some_vertex;
  double *some_x;
  size_t some_vertex_capacity, some_x_capacity;
} WeftRespond;

/* budget: rounds of each link. */
WeftResult weft_respond_create(WeftRespond *respond, WeftDevice *device, const WeftModel *model,
                               const WeftBroadOps *broad, int chain_count, const WeftLinkOps *const *chain,
                               const int *budget, WeftError *error);
void weft_respond_destroy(WeftRespond *respond);

/* x0 and x1 of all vertices, for the time from begin to begin + h [s]. x1 NULL: a step begins, and where it
 * leads is not known yet. */
void weft_respond_aim(WeftRespond *respond, const WeftState *state, const double *x1, double begin, double h);

/* Looks for collisions on the way from x0 to x1 as they are aimed; *count: how many. margin [m]: what ends
 * within that of the x1 looked at is looked at again with less effort. */
WeftResult weft_respond_look(WeftRespond *respond, double margin, int *count, WeftReport *report,
                             WeftError *error);
/* Moves x1 and v1 (cloth's, on the device) until nothing collides on the way from the state's x, of what the
 * last look found and what comes of it. is_final: a
 * smaller step will not be tried, what is left is accepted and counted; otherwise WEFT_RESULT_NOT_CONVERGED
 * tells that some is left. */
WeftResult weft_respond(WeftRespond *respond, const WeftState *state, double *x1, double *v1, double h,
                        bool is_final, WeftReport *report, WeftError *error);

#endif
