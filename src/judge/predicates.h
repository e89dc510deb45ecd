/* On which side? Signs that are never wrong: plain doubles where a bound of their error says that the sign is
 * sure, exact sums elsewhere [Shewchuk97]. */
#ifndef WEFT_JUDGE_PREDICATES_H
#define WEFT_JUDGE_PREDICATES_H

#include <stdbool.h>

/* Coordinates that are neither 0 nor between these in magnitude are refused [m]. Between them a product of
 * three differences stays below 1e242, and its last bit above 2^-1074: nothing over- or underflows. */
#define WEFT_JUDGE_LEAST 1e-80
#define WEFT_JUDGE_MOST 1e80

/* False also for what is not finite. */
bool weft_judge_can_hold(double coordinate);

/* The determinant of a - d, b - d, c - d: its sign tells the side of the plane through a, b, c on which d
 * lies, and it is zero exactly when the four points lie in one plane. The sign is exact, the value near. */
double weft_orient3d(const double *a, const double *b, const double *c, const double *d);
/* The same when doubles decide, and 0 when they do not. */
double weft_orient3d_quick(const double *a, const double *b, const double *c, const double *d);

/* Points are seen along one of the axes: u and v are the coordinates that are left. Positive when a, b, c run
 * round counter-clockwise, zero exactly when they lie on a line. The sign is exact, the value near twice the
 * area. */
double weft_orient2d(const double *a, const double *b, const double *c, int u, int v);
double weft_orient2d_quick(const double *a, const double *b, const double *c, int u, int v);

#endif
