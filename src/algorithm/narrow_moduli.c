/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "algorithm/narrow_moduli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number/prime.h"
#include "pm/alloc.h"

/* At most log2 of each of the MOST largest primes below 2^31; less 1, of those below 2^30.  By the
 * density of primes, the last of these is less than their power by MOST * 22 / 2^30 = 2^-10.6, and
 * its logarithm by 0.001. */
#define NARROW_BITS 30.998
enum { MOST = 30000 };

static bool are_narrow(const pm_job *job)
{
    for (int i = 0; i < job->nmoduli; ++i)
        if (job->moduli[i] >= UINT64_C(1) << 31)
            return false;
    return true;
}

/* The product of the primes exceeds every value that the block can have, with a sign. */
int pm_narrow_moduli_needed(const pm_job *job)
{
    if (are_narrow(job))
        return job->nmoduli;
    double bits = fmax(job->block->log2_bound, 0) + 2;
    double count = ceil(bits / (NARROW_BITS - job->independent));
    return count <= MOST ? (int)count : 0;
}

pm_status pm_narrow_moduli_make(const pm_job *job, pm_narrow_moduli *out, pm_error *err)
{
    int n = pm_narrow_moduli_needed(job);
    uint64_t p = UINT64_C(1) << (31 - job->independent);
    if (n == 0)
        return pm_fail(err, PM_UNABLE, "the answer has too many digits for primes of 31 bits");
    uint64_t *m = pm_alloc_array(n, sizeof *m);
    if (!m)
        return pm_fail_memory(err, "primes");
    *out = (pm_narrow_moduli){m, n, are_narrow(job)};
    if (out->are_of_job)
        memcpy(m, job->moduli, (size_t)n * sizeof *m);
    else
        for (int i = 0; i < n; ++i)
            m[i] = p = pm_prime_below(p);
    return PM_OK;
}

void pm_narrow_moduli_free(pm_narrow_moduli *w)
{
    free(w->m);
    *w = (pm_narrow_moduli){0};
}

void pm_narrow_moduli_finish(const pm_job *job, const pm_narrow_moduli *w, const uint64_t *found,
                             uint64_t *residues)
{
    mpz_t z;
    if (w->are_of_job) {
        memcpy(residues, found, (size_t)w->n * sizeof *found);
        return;
    }
    mpz_init(z);
    pm_crt(z, found, w->m, w->n, true);
    for (int i = 0; i < job->nmoduli; ++i)
        residues[i] = mpz_fdiv_ui(z, job->moduli[i]);
    mpz_clear(z);
}
