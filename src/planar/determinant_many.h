/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/determinant_many.h: determinants modulo many primes, by all threads. */
#ifndef PM_DETERMINANT_MANY_H
#define PM_DETERMINANT_MANY_H

#include <stdint.h>

#include "planar/elimination.h"
#include "planar/integers.h"
#include "pm/run.h"
#include "pm/status.h"

typedef struct {
    const pm_elimination *elimination;
    const pm_integers *integers;
    int classes;           /* of signs */
    const uint32_t *prime; /* count of them, see planar/determinant.h */
    const uint32_t *unit;  /* beside each */
    int64_t count;
    int64_t memory; /* bytes: no more threads than fit, but one at least */
} pm_determinants;

/* residue[c * count + i]: of the determinant in class c modulo prime[i].
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_determinants_find(const pm_determinants *d, const pm_run *run, uint64_t *residue,
                               pm_error *err);

/* Threads it would use, and the bytes that they take. */
int pm_determinants_threads(const pm_determinants *d, const pm_run *run);
double pm_determinants_bytes(const pm_determinants *d, const pm_run *run);

#endif
