/* Fabrics: the library, material files, materials inside scenes. docs/materials.md describes the format. */
#ifndef WEFT_MATERIAL_MATERIAL_H
#define WEFT_MATERIAL_MATERIAL_H

#include "base/fields.h"

/* The keys of a material, into a WeftMaterial. */
extern const WeftTable weft_material_table;
/* The keys of an ArcSim material file. */
extern const WeftTable weft_arcsim_table;

/* A material as a scene says it: a fabric's name, or an object. File names start at the reader's folder. */
WeftResult weft_material_read_node(WeftReader *reader, int32_t node, WeftMaterial *material);
/* Text of a material file, weft's own or ArcSim's. name is for messages and, without folder and ending, the
 * default of the material's name. */
WeftResult weft_material_parse(const char *text, size_t size, const char *name, WeftMaterial *material,
                               WeftError *error);

bool weft_material_is_arcsim(const WeftJson *json);
WeftResult weft_material_read_arcsim(WeftReader *reader, WeftMaterial *material);
/* rows x columns numbers, a list of lists. */
WeftResult weft_material_read_rows(WeftReader *reader, int32_t node, int32_t rows, int32_t columns,
                                   WeftRange range, double *values);

/* The files of materials/, put into the build by cmake/embed_materials.cmake, in the order of their names. */
typedef struct WeftLibraryMaterial {
  const char *name, *source, *json;
  size_t json_size;
} WeftLibraryMaterial;
extern const WeftLibraryMaterial weft_material_library[];
extern const int32_t weft_material_library_count;

#endif
