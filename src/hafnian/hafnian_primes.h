/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_primes.h: hafnians modulo the moduli of a job, from residues modulo odd numbers below 2^31, on any backend. */
#ifndef PM_HAFNIAN_PRIMES_H
#define PM_HAFNIAN_PRIMES_H

#include "algorithm/narrow_moduli.h"
#include "hafnian/hafnian_entries.h"

/* *out: how many primes a run takes; 0: it cannot, the answer has too many digits.  Fails: PM_ENOMEM. */
pm_status pm_hafnian_primes(const pm_job *job, int *out, pm_error *err);

/* Sets found[i], the residue modulo w->m[i], which is odd or 1.  If w->are_of_job, each is given to job->found as well. */
typedef pm_status pm_hafnian_run_primes(const void *context, const pm_job *job,
                                        const pm_narrow_moduli *w, const pm_hafnian_entries *e,
                                        uint64_t *found, pm_error *err);

/* Sets residues[0 .. job->nmoduli - 1].  Fails: PM_ENOMEM; as run. */
pm_status pm_hafnian_residues_of(const pm_job *job, pm_hafnian_run_primes *run, const void *context,
                                 uint64_t *residues, pm_error *err);

#endif
