/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copies/copies_entries.h: the weights of edges and loops of classes as numbers of copies_problem.h. */
#ifndef PM_COPIES_ENTRIES_H
#define PM_COPIES_ENTRIES_H

#include "copies/copies_problem.h"
#include "copies/vertex_classes.h"

/* Sets f->edge and f->loop, in the order of f->digits.  Residues modulo f->p; or double-doubles of the weights times powers of two, one
 * for each vertex, so that |q| and |l| are at most 1: the loop hafnian is 2^*shift times that of the numbers. */
void pm_copies_set_entries(const pm_vertex_classes *x, pm_copies *f, int64_t *shift);

#endif
