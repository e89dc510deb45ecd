/* Checkpoints from memory: what the public reader does after it has read the file. */
#ifndef WEFT_CHECKPOINT_BYTES_H
#define WEFT_CHECKPOINT_BYTES_H

#include "base/error.h"

#include <weft/checkpoint.h>

/* Takes bytes over in any case; name is for messages. */
WeftResult weft_checkpoint_parse(char *bytes, size_t size, const char *name, WeftCheckpoint **checkpoint,
                                 WeftError *error);

#endif
