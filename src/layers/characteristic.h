/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layers/characteristic.h: characteristic polynomials modulo a prime. */
#ifndef PM_CHARACTERISTIC_H
#define PM_CHARACTERISTIC_H

#include <stdint.h>

#include "pm/run.h"
#include "pm/status.h"

/* q[0 .. n]: the coefficients of det(I - x A), q[0] = 1, modulo the prime m, from Hessenberg's form (Cohen 1993,
 * algorithm 2.2.9).  a: n x n, row by row, below m; destroyed.  About 2 n^3 products.
 * Fails: PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_characteristic(uint64_t *a, int64_t n, uint64_t m, const pm_run *run, uint64_t *q,
                            pm_error *err);

#endif
