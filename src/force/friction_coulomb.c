#include "device/launch.h"
#include "force/contact.h"
#include "force/friction_coulomb.kernel.h"

static void grip(WeftContacts *contacts, int first, const double *x0, const double *x1, const double *v0,
                 double h) {
  LAUNCH(contacts->device, friction_coulomb, FRICTION_ARGUMENTS(contacts, first, x0, x1, v0, h));
}

const WeftFrictionOps weft_friction_coulomb = {
    "coulomb", "Wong14 sec. 3.3.3", "at rest up to one part of the pressure, sliding with another", grip};
