/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/swept.h: the one driver of all sweeps: block -> square -> sweep -> value. */
#ifndef PM_SWEPT_H
#define PM_SWEPT_H

#include "count/algorithm.h"
#include "sweep/sweep.h"

typedef struct {
    const char *name; /* of the algorithm, for messages */
    int bits;         /* |row sums| that it takes: 2^bits, see pm_square_make */
    /* From a square and the method's own choices (orders, form, precision) a sweep that keeps
     * what it needs of both.  Fails: PM_ENOMEM. */
    pm_status (*prepare)(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err);
} pm_sweep_method;

/* The answer of the job's block by a method.  Integers that are too large for it are counted
 * modulo several primes: one sweep each, then CRT.
 * out: exact for pattern and integer, else with its error. */
pm_status pm_swept_permanent(const pm_job *job, const pm_sweep_method *method, const void *choice,
                             bool transposed, pm_value *out, pm_error *err);

/* How many sweeps that takes: 1, or the number of primes. */
int pm_swept_passes(const pm_job *job, const pm_sweep_method *method);

/* The modulus of the first of them, for squares made to plan by: 0, or a prime. */
uint64_t pm_swept_modulus(const pm_job *job, const pm_sweep_method *method);

#endif
