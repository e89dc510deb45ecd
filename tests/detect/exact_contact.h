/* The exact twin of src/detect/ccd.kernel.h, in integers without limit (GMP): shares no code and no method
 * with it. A time of contact is a root of a polynomial with integer coefficients. At most 3 in degree: the
 * four points lie in one plane. Where they always do, a vertex lies on an edge; where it always does, on a
 * vertex. Whether features touch at such a time is a matter of signs of polynomials at that root, found
 * exactly: zero by a common divisor, others by narrowing the root down until the sign shows.
 */
#ifndef WEFT_TESTS_EXACT_CONTACT_H
#define WEFT_TESTS_EXACT_CONTACT_H

#include "device/kernel.h"
#include "exact_poly.h"

enum { EXACT_MOST_ROOTS = 96 };

/* Times of contact in [0, 1]; the first one is among them. */
typedef struct ExactContacts {
  int count;
  ExactRoot root[EXACT_MOST_ROOTS];
  double first; /* rounded up by at most 2^-50, 2 without contact */
} ExactContacts;

void exact_contacts_init(ExactContacts *contacts);
void exact_contacts_clear(ExactContacts *contacts);

/* Vertex 0 and face 1 2 3, or edges 0 1 and 2 3. */
void exact_contacts_find(ExactContacts *contacts, bool is_edges, const Vec3 *x0, const Vec3 *x1);

/* There was a contact before t. */
bool exact_is_late(const ExactContacts *contacts, double t);

/* The exact distance of the pair at t, and how far a computed one is off; both rounded to double at the end.
 */
double exact_distance(bool is_edges, const Vec3 *x0, const Vec3 *x1, double t, double computed, double *off);

#endif
