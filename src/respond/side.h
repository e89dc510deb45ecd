/* On which side an impact's features have to stay: constraints C(x) >= 0 of the non-linear zones. */
#ifndef WEFT_RESPOND_SIDE_H
#define WEFT_RESPOND_SIDE_H

#include "respond/contact_row.h"

/* Which of the pair's volumes a constraint looks at. On the way from x0 to x the volume is a cubic in time;
 * it is positive all the way when its Bernstein coefficients are. The first is x0's own, the last the end's.
 */
typedef enum WeftSideKind {
  WEFT_SIDE_END = 3,
  WEFT_SIDE_SECOND = 1, /* second and third coefficient */
  WEFT_SIDE_THIRD = 2,
  WEFT_SIDE_DIRECTION = 0
} WeftSideKind;

/* One constraint, in metres.
 * volumes:   C = scale r . (u x v) - gap: the signed volume over the area at x0, so that it is the distance
 * from the plane, or between the lines, while the features keep their shape. The end's is a polynomial that
 * does not change when the pair is moved or turned as a whole: so momenta are kept. direction: C = normal .
 * (x[0] - x[1]) - gap, for the pairs whose volume says nothing. Turning the pair changes it. */
typedef struct WeftSide {
  WeftSideKind kind;
  bool is_edges;
  int32_t vertex[4];
  double scale; /* [1/m^2], with the sign of x0's side */
  double gap;   /* [m] */
  Vec3 normal;
} WeftSide;

/* At most this many of an impact. */
enum { WEFT_SIDES_MOST = 4 };
/* The impact's pair on its side at the end; or, for one that was found again, also all the way. Returns how
 * many; 0 when the pair touches at x0 already, where there are no sides. */
int weft_sides_of(const WeftImpacts *impacts, int impact, bool is_again, WeftSide *sides);

/* C, and its derivative after the four vertices. */
double weft_side_value(const WeftSide *side, const double *x0, const double *x, Vec3 *gradient);
/* How the derivative changes when the vertices at x go by d. */
void weft_side_curvature(const WeftSide *side, const double *x0, const double *x, const double *d,
                         Vec3 *change);

#endif
