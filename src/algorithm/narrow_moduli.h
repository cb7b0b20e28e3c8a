/* SPDX-License-Identifier: GPL-3.0-or-later */
/* algorithm/narrow_moduli.h: primes below 2^31 in place of the moduli of a job, for levels whose
 * residues would not fit in words of 64 bits.  The answer modulo these primes gives the integer, and
 * that its residues modulo the moduli of the job. */
#ifndef PM_NARROW_MODULI_H
#define PM_NARROW_MODULI_H

#include "algorithm/algorithm.h"

typedef struct {
    uint64_t *m; /* n of them, each below 2^31 */
    int n;
    bool are_of_job; /* the moduli of the job themselves: all are below 2^31 */
} pm_narrow_moduli;

/* How many a job with an exact field needs.  0: they cannot be used, because the answer may have
 * more than 900,000 bits. */
int pm_narrow_moduli_needed(const pm_job *job);
/* Those of a verification (job->independent) are below 2^30, the others above.  The caller calls
 * pm_narrow_moduli_free.  Fails: PM_UNABLE pm_narrow_moduli_needed returns 0; PM_ENOMEM. */
pm_status pm_narrow_moduli_make(const pm_job *job, pm_narrow_moduli *out, pm_error *err);
void pm_narrow_moduli_free(pm_narrow_moduli *w);

/* From the answer modulo each m[i] to the answer modulo each modulus of the job.
 * found: w->n residues.  residues: room for job->nmoduli. */
void pm_narrow_moduli_finish(const pm_job *job, const pm_narrow_moduli *w, const uint64_t *found,
                             uint64_t *residues);

#endif
