/* Cutting back what a run wrote after the frame it is taken up from. */
#ifndef WEFT_CLI_CUT_H
#define WEFT_CLI_CUT_H

#include <stdbool.h>
#include <stdint.h>

/* Removes meshes, tables and pictures of later frames, and those that were half-written. A folder that is not
 * there is fine. False after a message. */
bool remove_after(const char *folder, int32_t frame);

#endif
