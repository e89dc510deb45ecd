/* Springs that the user puts between vertices, beside the fabric [Wong14 eq. 3.1, 3.2]. */
#include "force/forces.h"
#include "force/springs.h"

static WeftSpring spring_of(const WeftModel *model, int index) {
  const WeftLink *link = &model->links[index];
  return (WeftSpring){link->rest_length, link->stiffness, link->damping};
}

static WeftResult create(const WeftModel *model, WeftForce **force, WeftError *error) {
  return weft_springs_create(model, &weft_force_link_spring, WEFT_KIND_LINK, spring_of, force, error);
}

const WeftForceOps weft_force_link_spring = {
    .family = "link",
    .name = "spring",
    .citation = "Wong14",
    .summary = "a spring between two vertices",
    .create = create,
    .destroy = weft_force_free,
    .add = weft_springs_add,
    .energies = weft_springs_energies,
};
