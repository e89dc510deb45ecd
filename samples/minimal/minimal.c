/* A square of cloth, held at two corners, swings for a second.
 *   cc minimal.c $(pkg-config --cflags --libs weft) && ./a.out */
#include <stdio.h>
#include <weft/weft.h>

enum { CELLS = 20, SIDE = CELLS + 1, VERTICES = SIDE * SIDE, TRIANGLES = 2 * CELLS * CELLS };

static double positions[VERTICES * 3];
static int32_t triangles[TRIANGLES * 3];

int main(void) {
  int32_t *corner = triangles;
  for (int j = 0; j < SIDE; j++) {
    for (int i = 0; i < SIDE; i++) {
      double *x = positions + 3 * (j * SIDE + i);
      x[0] = (double)i / CELLS;
      x[1] = (double)j / CELLS;
      if (i == CELLS || j == CELLS) continue;
      /* diagonals alternate: all one way, the cloth would bend more easily along them */
      int a = j * SIDE + i, b = a + 1, c = b + SIDE, d = a + SIDE, odd = (i + j) % 2;
      int cell[6] = {a, b, odd ? d : c, odd ? b : a, c, d};
      for (int k = 0; k < 6; k++) *corner++ = cell[k];
    }
  }

  WeftWorldDef world_def = weft_default_world_def();
  WeftClothDef cloth_def = weft_default_cloth_def();
  cloth_def.vertex_count = VERTICES;
  cloth_def.positions = positions;
  cloth_def.triangle_count = TRIANGLES;
  cloth_def.triangles = triangles;

  WeftWorld *world = NULL;
  WeftError error = {.message = ""};
  int32_t cloth = 0;
  bool is_fine = weft_world_create(&world_def, &world, &error) == WEFT_RESULT_OK &&
                 weft_world_add_cloth(world, &cloth_def, &cloth, &error) == WEFT_RESULT_OK &&
                 weft_world_pin(world, cloth, 0, WEFT_AXIS_ALL, &error) == WEFT_RESULT_OK &&
                 weft_world_pin(world, cloth, CELLS, WEFT_AXIS_ALL, &error) == WEFT_RESULT_OK &&
                 weft_world_step(world, 200, &error) == WEFT_RESULT_OK &&
                 weft_world_positions(world, cloth, positions, &error) == WEFT_RESULT_OK;
  if (is_fine)
    printf("after %g s the far corner is at z = %.6f m\n", weft_world_time(world),
           positions[3 * VERTICES - 1]);
  else
    fprintf(stderr, "%s\n", error.message);
  weft_world_destroy(world);
  return is_fine ? 0 : 1;
}
