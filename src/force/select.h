/* Which elements of the model a method takes, and what the methods read from the model alike. */
#ifndef WEFT_FORCE_SELECT_H
#define WEFT_FORCE_SELECT_H

#include "force/force.h"

typedef enum WeftForceKind {
  WEFT_KIND_TRIANGLE,   /* three corners */
  WEFT_KIND_EDGE,       /* two ends */
  WEFT_KIND_HINGE,      /* a, b, c, d as in the model */
  WEFT_KIND_HINGE_ENDS, /* c and d of a hinge */
  WEFT_KIND_LINK,       /* two ends */
} WeftForceKind;

/* Whether a method takes the elements of a cloth. */
typedef bool WeftForceTakes(const WeftForceOps *ops, const WeftModelCloth *cloth);

/* The cloth names the method for the method's family. */
bool weft_force_is_named(const WeftForceOps *ops, const WeftModelCloth *cloth);

/* Allocates a method's struct of the given size, which begins with a WeftForce, and fills in ops, elements
 * and source. *force becomes NULL when there are no elements. */
WeftResult weft_force_select(const WeftModel *model, const WeftForceOps *ops, WeftForceKind kind,
                             WeftForceTakes *takes, size_t size, WeftForce **force, WeftError *error);
/* An array of the method's own, zeroed: freed with the force and shared with its device. NULL when memory ran
 * out. */
void *weft_force_array(WeftForce *force, WeftMemoryKind kind, size_t count, size_t size);
#define WEFT_FORCE_NEW(force, type, count) \
  ((type *)weft_force_array(force, WEFT_MEMORY_MODEL, (size_t)(count), sizeof(type)))
/* Frees what weft_force_select made, its arrays and the struct too. NULL is fine. */
void weft_force_free(WeftForce *force);

/* Index of the cloth an element of the model belongs to; not for links. */
int weft_force_cloth(const WeftModel *model, WeftForceKind kind, int index);

/* w_u and w_v from corners, force/triangle.kernel.h: a_1 a_2 b_1 b_2. */
void weft_force_triangle_shape(const WeftModel *model, int triangle, double shape[4]);
/* Bending stiffness B [N m] for a fold along the hinge's edge. A fold along the weft bends the warp. */
double weft_force_bend_stiffness(const WeftModel *model, int hinge);

#endif
