/* Where the nodes of the coarse picture stand, and who moves with them. */
#ifndef WEFT_SOLVE_COARSE_NODES_H
#define WEFT_SOLVE_COARSE_NODES_H

#include "solve/coarse.h"

/* Fills node_count, node and weight, which have to be there for all rows of the model. */
WeftResult weft_coarse_place(WeftCoarse *coarse, const WeftModel *model, WeftError *error);

#endif
