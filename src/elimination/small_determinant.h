/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/small_determinant.h: a determinant modulo one prime, pivots wherever they are. */
#ifndef PM_SMALL_DETERMINANT_H
#define PM_SMALL_DETERMINANT_H

#include <stdint.h>

/* Of n x n residues modulo a prime p below 2^31; a is used up. */
uint64_t pm_small_determinant(uint64_t *a, int64_t n, uint64_t p);

#endif
