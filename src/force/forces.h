/* Every force method there is; registry.c lists them. */
#ifndef WEFT_FORCE_FORCES_H
#define WEFT_FORCE_FORCES_H

#include "force/force.h"

extern const WeftForceOps weft_force_stretch_baraff_witkin;
extern const WeftForceOps weft_force_stretch_springs;
extern const WeftForceOps weft_force_stretch_measured;
extern const WeftForceOps weft_force_bend_dihedral;
extern const WeftForceOps weft_force_bend_springs;
extern const WeftForceOps weft_force_bend_measured;
extern const WeftForceOps weft_force_link_spring;
extern const WeftForceOps weft_force_air_wind;

#endif
