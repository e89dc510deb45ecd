/* Tables with a line a frame, in a run's folder: what a resumed run cuts off and goes on with. */
#ifndef WEFT_CLI_FRAME_TABLE_H
#define WEFT_CLI_FRAME_TABLE_H

#include <weft/types.h>

#include <stdio.h>

/* name: of the file, for messages; header: its first line, with the newline. All are false after a message.
 */
bool frame_table_begin(FILE *table, const char *name, const char *header);
/* Cuts off what comes after a frame. */
bool frame_table_continue(FILE *table, const char *name, const char *header, int32_t frame);
/* Hands what was written to the system. */
bool frame_table_flush(FILE *table, const char *name);
/* Waits for the disk. */
bool frame_table_sync(FILE *table, const char *name);

#endif
