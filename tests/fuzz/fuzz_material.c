/* libFuzzer target: any bytes as a material file, weft's own format or ArcSim's. What is accepted is in
 * range. */
#include "material/material.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool is_so) {
  if (!is_so) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  WeftMaterial material;
  WeftError error = {0};
  WeftResult result = weft_material_parse((const char *)data, size, "fuzz.json", &material, &error);
  if (result) {
    check(error.result == result && error.message[0]);
    return 0;
  }
  check(material.density > 0 && isfinite(material.density));
  check(material.stretch_warp >= 0 && material.stretch_weft >= 0 && material.shear >= 0);
  check(material.bend_warp >= 0 && material.bend_weft >= 0 && material.thickness >= 0);
  return 0;
}
