/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/merging.h: what a front costs, and which supernodes therefore share one. */
#ifndef PM_MERGING_H
#define PM_MERGING_H

#include <stdint.h>

#include "elimination/supernodes.h"

/* Of a front with so many pairs of its own and in all: it divides, then subtracts products. */
double pm_front_multiplications(double own, double all);
/* Time, in multiplications: those, what is done once a cell, and once a front. */
double pm_front_cost(double own, double all);

/* A supernode goes into the front of its parent where that costs less than two fronts.
 * into[c]: the last supernode of the front of supernode c; own[c], where into[c] is c: the pairs of
 * the front itself.  s->count entries each, the caller's. */
void pm_merge_supernodes(const pm_supernodes *s, int32_t *own, int32_t *into);

#endif
