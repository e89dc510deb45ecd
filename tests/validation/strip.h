/* The heavy elastica on equilateral triangles, which bend the same in all directions. */
#ifndef WEFT_TESTS_STRIP_H
#define WEFT_TESTS_STRIP_H

#include "cases.h"

/* A strip, as wide as long, bends under its weight: tip drop over tip reach, H/W. Its rows of edges run
 * across it, n of them beyond the two held ones. Those clamp it half a cell inside the second; length and
 * reach are counted from the second row (inside 0), or from the clamp (inside 0.5). */
static inline double isotropic_strip_ratio(const WeftMaterial *material, const char *bend, double length,
                                           int n, double inside) {
  double cell = length / (n + inside), edge = cell / sqrt(0.75), height = (n + 1) * cell;
  int columns = (int)lround(length / edge);
  double width = columns * edge; /* as nearly the length as whole edges allow */
  WeftWorldDef def = rest_world_def(0.3);
  WeftError error;
  WeftShape shape;
  check_ok(weft_generate_rectangle(&shape, width, height, columns, n + 1, WEFT_PATTERN_EQUILATERAL, &error),
           error);
  Sheet sheet = sheet_of_shape(&def, &shape, width, height, material, "baraff_witkin", bend, NULL, NULL);
  sheet_read(&sheet);
  int tips[2] = {-1,
                 -1}; /* the end row's vertex nearest to the middle line, or the two as near as each other */
  double nearest = width;
  for (int i = 0; i < sheet.vertex_count; i++) {
    const double *p = sheet.x + 3 * i;
    if (p[1] < 1.5 * cell) check_ok(weft_world_pin(sheet.world, 0, i, WEFT_AXIS_ALL, &error), error);
    if (p[1] < height - 0.5 * cell) continue;
    double off = fabs(p[0] - width / 2);
    if (off < nearest - 1e-9) tips[0] = i;
    if (off < nearest + 1e-9) tips[1] = i;
    nearest = fmin(nearest, off);
  }
  sheet_settle(&sheet, 1e-5, 1000);
  sheet_read(&sheet);
  double drop = 0, reach = 0;
  for (int k = 0; k < 2; k++) {
    drop -= sheet.x[3 * tips[k] + 2];
    reach += sheet.x[3 * tips[k] + 1] - (1 - inside) * cell;
  }
  sheet_destroy(&sheet);
  return drop / reach;
}

#endif
