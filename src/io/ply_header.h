/* The header of a PLY file: which elements follow, and what each consists of. */
#ifndef WEFT_IO_PLY_HEADER_H
#define WEFT_IO_PLY_HEADER_H

#include "base/error.h"

#include <stdint.h>

typedef enum WeftPlyFormat { WEFT_PLY_ASCII, WEFT_PLY_LITTLE_ENDIAN, WEFT_PLY_BIG_ENDIAN } WeftPlyFormat;

typedef enum WeftPlyType {
  WEFT_PLY_INT8,
  WEFT_PLY_UINT8,
  WEFT_PLY_INT16,
  WEFT_PLY_UINT16,
  WEFT_PLY_INT32,
  WEFT_PLY_UINT32,
  WEFT_PLY_FLOAT32,
  WEFT_PLY_FLOAT64
} WeftPlyType;

/* What a property means to us. */
typedef enum WeftPlyRole {
  WEFT_PLY_SKIP,
  WEFT_PLY_X,
  WEFT_PLY_Y,
  WEFT_PLY_Z,
  WEFT_PLY_U,
  WEFT_PLY_V,
  WEFT_PLY_CORNERS
} WeftPlyRole;

/* A piece of the file's text; not zero-terminated. */
typedef struct WeftPlyName {
  const char *text;
  int length;
} WeftPlyName;

typedef struct WeftPlyProperty {
  WeftPlyName name;
  bool is_list;
  WeftPlyType count_type; /* of a list */
  WeftPlyType type;
  WeftPlyRole role;
} WeftPlyProperty;

typedef struct WeftPlyElement {
  WeftPlyName name;
  int64_t count;
  size_t first_property, property_count;
} WeftPlyElement;

typedef struct WeftPlyHeader {
  WeftPlyFormat format;
  WeftPlyElement *elements;
  size_t element_count, element_capacity;
  WeftPlyProperty *properties; /* of all elements, one after the other */
  size_t property_count, property_capacity;
  int vertex_element, face_element; /* -1: the file has no faces */
  bool has_uvs;
  const char *body; /* the first byte behind the header */
  int body_line;
} WeftPlyHeader;

/* name is for messages; destroy also after a failure. */
WeftResult weft_ply_header_parse(WeftPlyHeader *header, const char *bytes, size_t size, const char *name,
                                 WeftError *error);
void weft_ply_header_destroy(WeftPlyHeader *header);
int weft_ply_type_size(WeftPlyType type);

#endif
