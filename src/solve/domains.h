/* Rows in domains: what one work item of the solver does, factors and products (solve/ic.h,
 * solve/single_matrix.h).
 *
 * What couples rows of one domain is cheap, what couples domains is not: rows at their borders are factored
 * by one thread, and blocks between them are read twice. Rows stand in memory cloth by cloth and along the
 * mesh, so domains are runs of them. But where cloths lie on each other contacts couple what is far apart in
 * memory: then domains are made in space, by halving boxes across their longest side [BergerBokhari87], so
 * that all layers of a place are in one domain: half of the iterations (docs/preconditioners.md).
 *
 * Domains depend on matrix and positions alone, so results do not depend on threads. */
#ifndef WEFT_SOLVE_DOMAINS_H
#define WEFT_SOLVE_DOMAINS_H

#include "solve/bcsr.h"

/* A row and where it is along the axis at work [m]. */
typedef struct WeftDomainPlace {
  double at;
  int32_t row;
} WeftDomainPlace;

typedef struct WeftDomains {
  int row_count, count;
  int rows;                /* a domain, or fewer */
  int32_t *start;          /* count + 1, into order */
  int32_t *order;          /* row_count: rows, domain by domain, ascending in each */
  int32_t *of_row;         /* row_count: the domain of each */
  bool are_runs;           /* of rows that follow each other */
  WeftDomainPlace *places; /* scratch: row_count, once there were boxes */
  WeftDevice *device;      /* that has its arrays; NULL: the CPU */
} WeftDomains;

/* Rows a domain that a factor of so many rows is best cut into. */
int weft_domains_worth(int row_count);
/* Runs of so many rows. */
WeftResult weft_domains_create(WeftDomains *domains, int row_count, int rows, WeftError *error);
void weft_domains_destroy(WeftDomains *domains);
WeftResult weft_domains_share(WeftDomains *domains, WeftDevice *device, WeftError *error);
/* For a matrix of rows that are at x (row_count x 3), which comes from the device if it is there; NULL:
 * nobody knows where. */
WeftResult weft_domains_update(WeftDomains *domains, const WeftBcsr *matrix, double *x, WeftError *error);

#endif
