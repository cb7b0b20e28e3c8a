/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copies/copies_tables.h: the arrays of a problem of copies_problem.h. */
#ifndef PM_COPIES_TABLES_H
#define PM_COPIES_TABLES_H

#include <stdint.h>

#include "copies/copies_problem.h"

/* Sets weights and tables; the digits and entries of f are set, and the arrays are zeroed.
 * total: N.  residue: room for as many numbers as the largest radix.  *coefficient_shift: the coefficients are c_r times
 * 2^-(this). */
void pm_copies_fill_tables(pm_copies *f, int64_t total, uint64_t *residue,
                           int64_t *coefficient_shift);

#endif
