/* On which side an impact's features have to stay: constraints C(x) >= 0 of the non-linear zones. */
#ifndef WEFT_RESPOND_SIDE_H
#define WEFT_RESPOND_SIDE_H

#include "respond/contact_row.h"

/* One constraint, in metres:
 * volume:    C = scale r . (u x v) - gap: the signed volume over the area at x0, so that it is the distance
 * from the plane, or between the lines, while the features keep their shape. A polynomial that does not
 * change when the pair is moved or turned as a whole: so momenta are kept. direction: C = normal . (x[0] -
 * x[1]) - gap, for the pairs whose volume says nothing. Turning the pair changes it. */
typedef struct WeftSide {
  bool is_direction, is_edges;
  int32_t vertex[4];
  double scale; /* [1/m^2], with the sign of x0's side */
  double gap;   /* [m] */
  Vec3 normal;
} WeftSide;

/* At most this many of an impact. */
enum { WEFT_SIDES_MOST = 4 };
/* Returns how many; 0 when the pair touches at x0 already, where there are no sides. */
int weft_sides_of(const WeftImpacts *impacts, int impact, WeftSide *sides);

/* C; and its derivative after the four vertices when that is not NULL. */
double weft_side_value(const WeftSide *side, const double *x, Vec3 *gradient);

#endif
