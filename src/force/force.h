/* The force families: stretch, bend, and what acts beside the fabric (links, air).
 *
 * One method is one file and one line in registry.c. A method looks at the model, takes the elements of the
 * cloths that name it, and keeps what it needs per element. All functions work on whole arrays. */
#ifndef WEFT_FORCE_FORCE_H
#define WEFT_FORCE_FORCE_H

#include "model.h"
#include "solve/elements.h"

#include <weft/types.h>

/* Where and what to evaluate. Outputs are added to; see force/element.kernel.h for the meaning of wants, ax,
 * av. */
typedef struct WeftForceRequest {
  WeftDevice *device; /* that has all arrays; NULL: the CPU */
  const double *x;    /* positions, vertex_count x 3 [m] */
  const double *v;    /* velocities [m/s] */
  const WeftWind *wind;
  double time; /* [s], for gusts */
  int wants;   /* WANT_MATRIX, WANT_EXACT, WANT_TURN; 0: forces alone */
  double ax, av;
  double *f;   /* += force [N] */
  double *kxv; /* += K_x v [N/s], with WANT_MATRIX */
  double *a;   /* += ax K_x + av K_v, with WANT_MATRIX */
} WeftForceRequest;

typedef struct WeftForce WeftForce;

typedef struct WeftForceOps {
  const char *family; /* "stretch", "bend", "link", "air" */
  const char *name;   /* as in scenes; also the end of the file name */
  const char *citation, *summary;
  bool needs_measured_stretch, needs_measured_bend; /* tables in the material */
  /* *force becomes NULL when no cloth of the model uses the method. */
  WeftResult (*create)(const WeftModel *model, WeftForce **force, WeftError *error);
  void (*destroy)(WeftForce *force);
  void (*add)(const WeftForce *force, const WeftForceRequest *request);
  /* Per element energy [J]; NULL where no energy exists. energy has elements.count items. */
  void (*energies)(const WeftForce *force, const double *x, double *energy);
  /* bend only, may be NULL: per element curvature K beyond rest [1/m] and moment per width M [N], count x 2.
   */
  void (*moments)(const WeftForce *force, const double *x, double *values);
} WeftForceOps;

enum { WEFT_FORCE_ARRAYS = 6 };

/* Every method's own struct begins with this. */
struct WeftForce {
  const WeftForceOps *ops;
  WeftElements elements;
  int32_t *source; /* per element: index of the triangle, hinge, edge or link in the model it stands for */
  struct {
    void *memory;
    size_t bytes;
    WeftMemoryKind kind;
  } arrays[WEFT_FORCE_ARRAYS]; /* the method's own, from weft_force_array */
  int array_count;
};

/* What the kernels read: shares elements and arrays with a device. */
WeftResult weft_force_share(const WeftForce *force, WeftDevice *device, WeftError *error);

/* The kernel arguments common to all force kernels, for LAUNCH; in the order of ELEMENT_PARAMETERS. */
#define ELEMENT_ARGUMENTS(force, request)                                                                 \
  (force)->elements.chunk_count, WEFT_CHUNK_ROWS, (force)->elements.chunk_start,                          \
      (force)->elements.chunk_element, (force)->elements.vertices, (force)->elements.slots, (request)->x, \
      (request)->v, (request)->wants, (request)->ax, (request)->av, (request)->f, (request)->kxv,         \
      (request)->a

#endif
