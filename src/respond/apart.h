/* How the two features of a pair are apart at x0: directions along which a plane separates them. */
#ifndef WEFT_RESPOND_APART_H
#define WEFT_RESPOND_APART_H

#include "detect/distance.kernel.h"
#include "respond/link.h"

#include <stdbool.h>

typedef struct WeftApart {
  Vec3 normal;     /* of length 1, from the second feature to the first */
  double distance; /* along it: all of the first feature is at least so far from all of the second [m] */
} WeftApart;

/* The impact's closest points at x0, and one or two ways in which it is apart there: across the face, or
 * across both edges, which lets what slides go on; and along the line between the closest points. Returns how
 * many; 0 when the features touch. */
int weft_apart(const WeftImpacts *impacts, int impact, Closest *closest, WeftApart way[2]);

#endif
