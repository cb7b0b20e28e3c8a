/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "hafnian/hafnian_primes.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

static bool has_even(const pm_job *job)
{
    for (int i = 0; i < job->nmoduli; ++i)
        if (job->moduli[i] % 2 == 0)
            return true;
    return false;
}

/* Residues are reduced modulo odd numbers only: even moduli are replaced by primes.  A multiple of each modulus that is no
 * narrow one stands for it in *wide, which the caller frees. */
static pm_status without_even(const pm_job *job, pm_job *out, uint64_t **wide, pm_error *err)
{
    *out = *job;
    *wide = NULL;
    if (!has_even(job))
        return PM_OK;
    *wide = pm_alloc_array(job->nmoduli, sizeof **wide);
    if (!*wide)
        return pm_fail_memory(err, "moduli");
    for (int i = 0; i < job->nmoduli; ++i) {
        (*wide)[i] = job->moduli[i];
        while ((*wide)[i] < UINT64_C(1) << 31)
            (*wide)[i] *= 2;
    }
    out->moduli = *wide;
    out->found = NULL;
    return PM_OK;
}

pm_status pm_hafnian_primes(const pm_job *job, int *out, pm_error *err)
{
    pm_job odd;
    uint64_t *wide;
    pm_status status = without_even(job, &odd, &wide, err);
    if (!status)
        *out = pm_narrow_moduli_needed(&odd);
    free(wide);
    return status;
}

/* Residues modulo the moduli of a job without even ones below 2^31. */
static pm_status run_odd(const pm_job *odd, const pm_hafnian_entries *e, pm_hafnian_run_primes *run,
                         const void *context, uint64_t *residues, pm_error *err)
{
    pm_narrow_moduli w = {0};
    uint64_t *found = NULL;
    pm_status status = pm_narrow_moduli_make(odd, &w, err);
    if (!status && !(found = pm_alloc_array(w.n, sizeof *found)))
        status = pm_fail_memory(err, "residues");
    if (!status)
        status = run(context, odd, &w, e, found, err);
    if (!status)
        pm_narrow_moduli_finish(odd, &w, found, residues);
    pm_narrow_moduli_free(&w);
    free(found);
    return status;
}

pm_status pm_hafnian_residues_of(const pm_job *job, pm_hafnian_run_primes *run, const void *context,
                                 uint64_t *residues, pm_error *err)
{
    pm_job odd;
    uint64_t *wide;
    pm_hafnian_entries e = {.n = 0};
    if (!pm_hafnian_is_possible(&job->block->a)) {
        memset(residues, 0, (size_t)job->nmoduli * sizeof *residues);
        return PM_OK;
    }
    pm_status status = without_even(job, &odd, &wide, err);
    if (!status)
        status = pm_hafnian_entries_find(&job->block->a, &e, err);
    if (!status)
        status = run_odd(&odd, &e, run, context, residues, err);
    for (int i = 0; i < job->nmoduli && !status && wide; ++i)
        residues[i] %= job->moduli[i];
    pm_hafnian_entries_free(&e);
    free(wide);
    return status;
}
