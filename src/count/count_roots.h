/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/count_roots.h: complex matrices without rounding: fractions, the imaginary unit and roots of unity.
 *
 * A matrix of fractions with the imaginary unit is reduced as a complex one, another one is a single block.  Each block is counted modulo
 * primes (count/root_block.h). */
#ifndef PM_COUNT_ROOTS_H
#define PM_COUNT_ROOTS_H

#include "pm/count.h"

/* *out: exact: with an imaginary part, or with roots, or a fraction.  a: complex.  Fails: as pm_count. */
pm_status pm_count_roots(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                         pm_value *out, pm_count_report *report, pm_error *err);

#endif
