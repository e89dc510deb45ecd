/* Numbers that cloth can be coloured by: measured at vertices, from positions alone, against a rest shape. */
#ifndef WEFT_CLI_VALUES_H
#define WEFT_CLI_VALUES_H

#include <weft/detect.h>
#include <weft/scene.h>

typedef enum ValueKind {
  VALUE_STRAIN_WARP,
  VALUE_STRAIN_WEFT,
  VALUE_SHEAR,
  VALUE_BENDING,
  VALUE_SPEED,
  VALUE_GAP,
  VALUE_PRESSURE,
  VALUE_COUNT
} ValueKind;

/* How a value is called and shown. */
typedef struct ValueFacts {
  const char *name;  /* as on the command line */
  const char *title; /* in legends */
  const char *unit;
  double factor; /* from SI to the unit */
  bool is_signed;
  const char *meaning; /* one line, for help */
} ValueFacts;
extern const ValueFacts value_facts[VALUE_COUNT];

/* What measures. The first cloth_count meshes are cloth, the others obstacles. */
typedef struct ValueMeter {
  ValueKind kind;
  int32_t mesh_count, cloth_count;
  WeftWorld *world;         /* of the cloths: knows their rest shape; not for speed and gap */
  WeftDetection *detection; /* of all meshes, one behind the other; for the gap */
  int32_t *first_vertex;    /* mesh_count + 1: in the arrays of detection */
  double *positions;        /* all of them */
  double *rest;             /* where they are in the rest shape [m]; for the gap */
  double reach;             /* of the gap [m]; larger ones count as this */
} ValueMeter;

/* rest: the meshes in a shape without strain; uvs [m] tell it too, and the warp. Where world is given, it
 * knows the rest shape of the cloths better; it becomes the meter's, also on failure. reach: see above. */
WeftResult value_meter_open(ValueMeter *meter, ValueKind kind, int32_t mesh_count, int32_t cloth_count,
                            const WeftMesh *rest, WeftWorld *world, double reach, WeftError *error);
/* values: an array of vertex_count a cloth, SI units. Not for speed and pressure, which positions do not
 * tell. */
WeftResult value_meter_measure(ValueMeter *meter, const WeftMesh *meshes, double *const *values,
                               WeftError *error);
/* Speeds from positions a time apart [s]. */
void value_speeds(int32_t vertex_count, const double *before, const double *after, double seconds,
                  double *values);
void value_meter_close(ValueMeter *meter);

/* The value that share of the values do not exceed in size; 0 of none. Sorts a copy. */
WeftResult value_quantile(int32_t count, const double *values, double share, double *quantile,
                          WeftError *error);

#endif
