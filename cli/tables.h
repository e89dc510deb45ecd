/* Full-precision tables (CSV) of one frame, all cloths one after another. */
#ifndef WEFT_CLI_TABLES_H
#define WEFT_CLI_TABLES_H

#include <weft/weft.h>

/* Each returns false after a message. */
bool write_vertices(WeftWorld *world, const char *path);
bool write_faces(WeftWorld *world, const char *path);
bool write_hinges(WeftWorld *world, const char *path);

#endif
