/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/ryser_setup.h: how a method of the Ryser family computes a job: in which orientation, and modulo which
 * primes. */
#ifndef PM_RYSER_SETUP_H
#define PM_RYSER_SETUP_H

#include "sweep/ryser_driver.h"

typedef struct {
    const pm_job *job;
    const pm_sweep_method *method;
    bool transposed;
    bool large;   /* entries too large for the method: it sums residues instead */
    uint64_t top; /* the primes are below; 0: integers as they are, or an inexact field */
    int nprimes;  /* 0: the same */
    int width;    /* primes of one sweep, at most */
} pm_ryser_setup;

bool pm_ryser_is_exact(const pm_job *job);
/* Whether the entries are too large for the method. */
bool pm_ryser_is_large(const pm_job *job, const pm_sweep_method *method);

pm_ryser_setup pm_ryser_setup_make(const pm_job *job, const pm_sweep_method *method,
                                   bool transposed);
/* With primes below `top`, `width` of them in a sweep, as an earlier run had them; both 0: no primes.
 * Returns false where the method, or a device, does not compute so.  Where `width` is more than the method has in a sweep, there are
 * several sweeps (sweep/prime_sweeps.h). */
bool pm_ryser_setup_again(const pm_job *job, const pm_sweep_method *method, bool transposed,
                          uint64_t top, int width, pm_ryser_setup *out);
/* No more primes in a sweep than this choice has. */
void pm_ryser_setup_limit(const void *choice, pm_ryser_setup *w);
/* Of entries that are too large: primes that suit every device. */
void pm_ryser_setup_lower(pm_ryser_setup *w);
/* As many primes in a sweep as suit every device. */
void pm_ryser_setup_widen(pm_ryser_setup *w);
int pm_ryser_setup_sweeps(const pm_ryser_setup *w);

/* The primes below `top`, the largest first. */
void pm_ryser_primes(uint64_t top, int count, uint64_t *prime);
/* The largest primes that the method computes modulo are below this. */
uint64_t pm_ryser_prime_top(const pm_job *job, const pm_sweep_method *method);

/* prime: where entries are large, those of the sweep.  Fails: as pm_square_make. */
pm_status pm_ryser_square(const pm_ryser_setup *w, const uint64_t *prime, pm_square *s,
                          pm_error *err);

#endif
