/* From JSON into structs, by tables.
 *
 * A table lists the keys an object may have, once: name, type, range, where the value goes. Reading an object
 * by its table refuses what is not in it (with the nearest key that is), wrong types, values out of range and
 * missing keys, always with the place in the file and the path inside the JSON. Keys that are absent leave
 * the struct as it was, so defaults are whatever the caller put there. */
#ifndef WEFT_BASE_FIELDS_H
#define WEFT_BASE_FIELDS_H

#include "base/json.h"

#include <math.h>

/* Memory that lives and dies together. */
typedef struct WeftBlocks {
  void **items;
  size_t count, capacity;
} WeftBlocks;

/* Zeroed, or NULL. */
void *weft_blocks_alloc(WeftBlocks *blocks, size_t count, size_t size);
void weft_blocks_free(WeftBlocks *blocks);

typedef struct WeftReader {
  const WeftJson *json;
  const char *folder; /* where relative file names start */
  WeftBlocks *blocks; /* owner of lists that are read */
  WeftLog log;
  WeftError *error;
} WeftReader;

/* Reads one value into *value, a pointer to the field. */
typedef WeftResult WeftFieldFn(WeftReader *reader, int32_t node, void *value);

typedef enum WeftFieldType {
  WEFT_FIELD_NUMBER,  /* double */
  WEFT_FIELD_INTEGER, /* int32_t */
  WEFT_FIELD_BOOLEAN, /* bool */
  WEFT_FIELD_TEXT,    /* const char *, lives as long as the JSON; range.max: the most bytes */
  WEFT_FIELD_VECTOR,  /* double[3] */
  WEFT_FIELD_CHOICE,  /* int32_t: index into choices */
  WEFT_FIELD_OBJECT,  /* a struct, by table */
  WEFT_FIELD_CUSTOM,  /* by read */
} WeftFieldType;

/* max INFINITY: no upper end; min -INFINITY: no lower end. */
typedef struct WeftRange {
  double min, max;
  bool is_above; /* min itself is out */
} WeftRange;

#define WEFT_ANY \
  { -INFINITY, INFINITY, false }
#define WEFT_ABOVE_ZERO \
  { 0, INFINITY, true }
#define WEFT_FROM_ZERO \
  { 0, INFINITY, false }
#define WEFT_FROM_TO(from, to) \
  { from, to, false }

typedef struct WeftTable WeftTable;

typedef struct WeftField {
  const char *key;
  WeftFieldType type;
  bool is_required;
  size_t offset; /* in the struct */
  WeftRange range;
  const char *const *choices; /* ends with NULL */
  const WeftTable *table;
  WeftFieldFn *read;
} WeftField;

struct WeftTable {
  const char *name; /* also the definition's name in scenes/scene.schema.json */
  const WeftField *fields;
  int32_t count;
  bool is_one_of; /* exactly one of the keys stands there */
};

#define WEFT_TABLE(title, list) \
  { .name = title, .fields = list, .count = (int32_t)(sizeof list / sizeof *list) }

WeftResult weft_read_object(WeftReader *reader, int32_t node, const WeftTable *table, void *object);

/* Single values, for WeftFieldFn. */
WeftResult weft_read_number(WeftReader *reader, int32_t node, WeftRange range, double *value);
WeftResult weft_read_integer(WeftReader *reader, int32_t node, WeftRange range, int32_t *value);
WeftResult weft_read_text(WeftReader *reader, int32_t node, double max_bytes, const char **value);
/* A list of exactly count numbers; what names them: "3 numbers [x, y, z]". */
WeftResult weft_read_numbers(WeftReader *reader, int32_t node, int32_t count, WeftRange range,
                             const char *what, double *values);
WeftResult weft_read_vector(WeftReader *reader, int32_t node, double *values);
WeftResult weft_read_choice(WeftReader *reader, int32_t node, const char *const *choices, int32_t *value);
/* A list of objects of one table into a new array of items of the given size, each begun as a copy of
 * initial. */
WeftResult weft_read_objects(WeftReader *reader, int32_t node, const WeftTable *table, const void *initial,
                             size_t size, int32_t *count, void **items);

/* "expected <what>, got <value>". */
WeftResult weft_refuse(WeftReader *reader, int32_t node, const char *what);
/* "unknown <kind> "<text of node>"; did you mean ...?" or the list of all. */
WeftResult weft_refuse_name(WeftReader *reader, int32_t node, const char *kind, const char *const *names,
                            int32_t count);

#endif
