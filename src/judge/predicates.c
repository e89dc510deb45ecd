#include "judge/predicates.h"

#include "judge/expansion.h"

#include <math.h>

/* Half a unit in the last place of 1. */
static const double epsilon = 0x1p-53;

bool weft_judge_can_hold(double coordinate) {
  double size = fabs(coordinate);
  return size == 0 || (size >= WEFT_JUDGE_LEAST && size <= WEFT_JUDGE_MOST);
}

static double minor(const double *row_a, const double *row_b, int i, int j, double *size) {
  double left = row_a[i] * row_b[j], right = row_a[j] * row_b[i];
  *size = fabs(left) + fabs(right);
  return left - right;
}

static void subtract(const double *a, const double *b, double *difference) {
  for (int k = 0; k < 3; k++) difference[k] = a[k] - b[k];
}

/* Each product passes at most 8 roundings on its way into the determinant: 3 differences, 2 products, 3 sums.
 * So the error is below (8 + 28 epsilon) epsilon times the sum of their magnitudes, of which size, rounded as
 * often, is at least the (1 - 8 epsilon)th part. 10 leaves room for the rounding of the bound itself. */
double weft_orient3d_quick(const double *a, const double *b, const double *c, const double *d) {
  double ad[3], bd[3], cd[3], size_x, size_y, size_z;
  subtract(a, d, ad);
  subtract(b, d, bd);
  subtract(c, d, cd);
  double x = minor(bd, cd, 1, 2, &size_x), y = minor(bd, cd, 2, 0, &size_y), z = minor(bd, cd, 0, 1, &size_z);
  double determinant = ad[0] * x + ad[1] * y + ad[2] * z;
  double size = fabs(ad[0]) * size_x + fabs(ad[1]) * size_y + fabs(ad[2]) * size_z;
  return fabs(determinant) > 10 * epsilon * size ? determinant : 0;
}

static void exact_minor(const WeftExpansion *row_a, const WeftExpansion *row_b, int i, int j,
                        WeftExpansion *result) {
  WeftExpansion right;
  weft_expansion_multiply(&row_a[i], &row_b[j], result);
  weft_expansion_multiply(&row_a[j], &row_b[i], &right);
  weft_expansion_subtract(result, &right);
}

static double exact_orient3d(const double *a, const double *b, const double *c, const double *d) {
  WeftExpansion ad[3], bd[3], cd[3], cofactor, product, sum = {.count = 0};
  for (int k = 0; k < 3; k++) {
    weft_expansion_difference(a[k], d[k], &ad[k]);
    weft_expansion_difference(b[k], d[k], &bd[k]);
    weft_expansion_difference(c[k], d[k], &cd[k]);
  }
  for (int k = 0; k < 3; k++) {
    exact_minor(bd, cd, (k + 1) % 3, (k + 2) % 3, &cofactor);
    weft_expansion_multiply(&cofactor, &ad[k], &product);
    weft_expansion_add(&sum, &product);
  }
  return weft_expansion_value(&sum);
}

double weft_orient3d(const double *a, const double *b, const double *c, const double *d) {
  double value = weft_orient3d_quick(a, b, c, d);
  return value != 0 ? value : exact_orient3d(a, b, c, d);
}

/* At most 4 roundings: 2 differences, a product, a sum. */
double weft_orient2d_quick(const double *a, const double *b, const double *c, int u, int v) {
  double left = (a[u] - c[u]) * (b[v] - c[v]), right = (a[v] - c[v]) * (b[u] - c[u]);
  double determinant = left - right;
  return fabs(determinant) > 6 * epsilon * (fabs(left) + fabs(right)) ? determinant : 0;
}

double weft_orient2d(const double *a, const double *b, const double *c, int u, int v) {
  double value = weft_orient2d_quick(a, b, c, u, v);
  if (value != 0) return value;
  const int axes[2] = {u, v};
  WeftExpansion ac[2], bc[2], area;
  for (int k = 0; k < 2; k++) {
    weft_expansion_difference(a[axes[k]], c[axes[k]], &ac[k]);
    weft_expansion_difference(b[axes[k]], c[axes[k]], &bc[k]);
  }
  exact_minor(ac, bc, 0, 1, &area);
  return weft_expansion_value(&area);
}
