/* Measured anisotropic stretch with piecewise linear moduli [Wang11], as CAMA and ArcSim use it
 * [Tang16 sec. 2].
 *
 * The material's table has six rows of moduli c11 c12 c22 c33 [N/m]: the unstrained fabric, and the fabric
 * strained by a sixth or more in the directions 0, 22.5 ... 90 degrees from the warp. For a Green strain G
 * with largest principal stretch L at the angle p they are mixed linearly, by clamp(6 (L - 1), 0, 1) and by
 * |p|; negative results become zero and everything is doubled, as in ArcSim, whose fabrics are published for
 * that reading. This is sampled once on a grid of 30^3 strains (G11, G22 from -1/4, |G12| from 0, 1/30 apart)
 * and is read from there by trilinear interpolation, strains outside being moved to the border.
 *
 * The moduli are not differentiated, so there is no exact potential: the energy given is S : G / 2 at the
 * present moduli, a measure.
 *
 * Differs: ArcSim's energy counts shear half; here energy and force agree while the moduli are constant.
 */
#include "force/stretch_measured.kernel.h"

#include "base/memory.h"
#include "device/kernel_math.h"
#include "device/launch.h"
#include "force/forces.h"
#include "force/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct MeasuredStretch {
  WeftForce force;
  double *shape;     /* count x 4 [1/m] */
  double *area;      /* count, rest [m^2] */
  int32_t *table_of; /* count */
  double *damping;   /* count [s] */
  double *tables;    /* one of GRID_VALUES for each different table [N/m] */
} MeasuredStretch;

/* Moduli at one strain, without the grid. */
static void moduli_at(const WeftMaterial *material, double g11, double g22, double g12, double *k) {
  /* C = 2 G + I and its larger eigenvalue */
  double a = 2 * g11 + 1, b = 2 * g12, c = 2 * g22 + 1;
  double largest = 0.5 * (a + c) + sqrt(0.25 * (a - c) * (a - c) + b * b);
  double direction = fabs(0.5 * arctangent2(2 * b, a - c)) * 8 / KERNEL_PI;
  int row = (int)direction;
  if (row > 3) row = 3;
  double turn = direction - row;
  double strained = 6 * (sqrt(fmax(largest, 0)) - 1);
  strained = fmin(fmax(strained, 0), 1);
  for (int i = 0; i < 4; i++) {
    double far =
        material->measured_stretch[1 + row][i] * (1 - turn) + material->measured_stretch[2 + row][i] * turn;
    double value = material->measured_stretch[0][i] * (1 - strained) + far * strained;
    k[i] = value > 0 ? 2 * value : 0;
  }
}

static void fill_table(const WeftMaterial *material, double *table) {
  for (int i = 0; i < GRID_SIDE; i++) {
    for (int j = 0; j < GRID_SIDE; j++) {
      for (int l = 0; l < GRID_SIDE; l++) {
        double step = 1.0 / GRID_SIDE;
        moduli_at(material, GRID_LOW + i * step, GRID_LOW + j * step, l * step, table);
        table += 4;
      }
    }
  }
}

/* Numbers the different tables of the cloths that use the method; returns how many there are. */
static int number_tables(const WeftModel *model, int *number) {
  int count = 0;
  for (int c = 0; c < model->cloth_count; c++) {
    number[c] = -1;
    if (!weft_force_is_named(&weft_force_stretch_measured, &model->cloths[c])) continue;
    for (int other = 0; other < c && number[c] < 0; other++) {
      if (number[other] >= 0 &&
          memcmp(model->cloths[c].material.measured_stretch, model->cloths[other].material.measured_stretch,
                 sizeof model->cloths[c].material.measured_stretch) == 0) {
        number[c] = number[other];
      }
    }
    if (number[c] < 0) number[c] = count++;
  }
  return count;
}

static bool fill_tables(const WeftModel *model, MeasuredStretch *self) {
  int *number = WEFT_NEW(int, model->cloth_count);
  if (!number) return false;
  int count = number_tables(model, number), filled = 0;
  self->tables = WEFT_FORCE_NEW(&self->force, double, (size_t)count *GRID_VALUES);
  for (int c = 0; self->tables && c < model->cloth_count; c++) {
    if (number[c] == filled)
      fill_table(&model->cloths[c].material, self->tables + (size_t)filled++ * GRID_VALUES);
  }
  for (int e = 0; e < self->force.elements.count; e++) {
    self->table_of[e] = number[model->triangle_cloth[self->force.source[e]]];
  }
  free(number);
  return self->tables != NULL;
}

static WeftResult create(const WeftModel *model, WeftForce **force, WeftError *error) {
  WeftResult result = weft_force_select(model, &weft_force_stretch_measured, WEFT_KIND_TRIANGLE,
                                        weft_force_is_named, sizeof(MeasuredStretch), force, error);
  if (!*force) return result;
  MeasuredStretch *self = (MeasuredStretch *)*force;
  int count = self->force.elements.count;
  self->shape = WEFT_FORCE_NEW(&self->force, double, 4 * (size_t)count);
  self->area = WEFT_FORCE_NEW(&self->force, double, count);
  self->table_of = WEFT_FORCE_NEW(&self->force, int32_t, count);
  self->damping = WEFT_FORCE_NEW(&self->force, double, count);
  if (!self->shape || !self->area || !self->table_of || !self->damping || !fill_tables(model, self)) {
    weft_force_free(*force);
    *force = NULL;
    return weft_fail_memory(error, "the measured stretch force");
  }
  for (int e = 0; e < count; e++) {
    int triangle = self->force.source[e];
    weft_force_triangle_shape(model, triangle, self->shape + 4 * (size_t)e);
    self->area[e] = model->rest_area[triangle];
    self->damping[e] = model->cloths[model->triangle_cloth[triangle]].material.stretch_damping;
  }
  return WEFT_RESULT_OK;
}

static void add(const WeftForce *force, const WeftForceRequest *request) {
  const MeasuredStretch *self = (const MeasuredStretch *)force;
  LAUNCH(request->device, stretch_measured_add, ELEMENT_ARGUMENTS(force, request), self->shape, self->area,
         self->table_of, self->damping, self->tables);
}

static void energies(const WeftForce *force, const double *x, double *energy) {
  const MeasuredStretch *self = (const MeasuredStretch *)force;
  stretch_measured_energies(force->elements.count, force->elements.vertices, x, self->shape, self->area,
                            self->table_of, self->tables, energy);
}

const WeftForceOps weft_force_stretch_measured = {
    .family = "stretch",
    .name = "measured",
    .citation = "Wang11, Tang16",
    .summary = "anisotropic piecewise linear moduli measured on fabrics",
    .needs_measured_stretch = true,
    .create = create,
    .destroy = weft_force_free,
    .add = add,
    .energies = energies,
};
