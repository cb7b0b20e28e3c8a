/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/ryser_driver.h: the one way of all sweeps, from a block to a plan and from a plan to a value.
 * An algorithm of the Ryser family is a method: what a sweep over a square would take, and how to
 * prepare it. */
#ifndef PM_RYSER_DRIVER_H
#define PM_RYSER_DRIVER_H

#include "algorithm/algorithm.h"
#include "sweep/sweep.h"

enum { PM_RYSER_PRIMES_MAX = 8 }; /* of one sweep */

typedef struct pm_sweep_method {
    const char *name;
    int bits;           /* |row sums| that it takes: 2^bits, see pm_square_make */
    bool in_double;     /* no PM_QUAD */
    bool turns;         /* rows and columns exchanged may cost less */
    size_t choice_size; /* bytes of what it chooses when planning; owns nothing */
    const void *given;  /* the choice before that, where methods share functions; NULL: zeros */

    /* Integers modulo several primes in one sweep; 0: as they are. */
    int primes;
    uint64_t prime_max; /* the primes lie below */
    /* Of those, how many a sweep should have by what was chosen; 0, or NULL: all. */
    int (*most_primes)(const void *choice);

    /* Another method, for integers that are small enough for it, of jobs that prefer it; NULL: none */
    const struct pm_sweep_method *narrow;
    bool (*prefers_narrow)(const pm_job *job);

    /* What one sweep over s would take: *choice (as given before), and of the plan operations,
     * seconds of one core, memory, order_hash.  prime: the first sweep's, count may be 0.
     * Fails: PM_UNABLE, PM_ENOMEM. */
    pm_status (*measure)(const pm_job *job, const pm_square *s, const uint64_t *prime, int count,
                         void *choice, pm_plan *plan, pm_error *err);
    /* A sweep that keeps what it needs of its arguments.  Fails: PM_ENOMEM. */
    pm_status (*prepare)(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err);
    /* Only with primes: the same modulo count of them, and 2^shift * sum modulo the k-th. */
    pm_status (*prepare_modular)(const pm_square *s, const void *choice, const uint64_t *prime,
                                 int count, pm_sweep *out, pm_error *err);
    uint64_t (*residue)(const pm_sweep *s, const pm_sum *sum, int32_t k);
    /* Seconds that devices took for a sweep that was run; NULL on the CPU. */
    double (*device_seconds)(const pm_sweep *s);
} pm_sweep_method;

/* Plan and run of a pm_algorithm with methods.
 * Planning measures both orientations where that may matter and takes the cheaper one, or with
 * job->independent the dearer.  A given order is one of rows and columns as they stand: there is one
 * orientation then, and the other with job->independent.  Integers that are too large for the method
 * are counted modulo primes, each a sweep over the block modulo that prime.
 * Fails: PM_UNABLE n > PM_SQUARE_MAX and what measure refuses; PM_ENOMEM. */
pm_status pm_ryser_driver_plan(const pm_job *job, pm_plan *plan, pm_error *err);
pm_status pm_ryser_driver_run(const pm_job *job, const pm_plan *plan, uint64_t *residues,
                              pm_value *out, pm_error *err);

/* A run of given choices.  out: exact for pattern and integer, else with its error. */
pm_status pm_ryser_driver_permanent(const pm_job *job, const pm_sweep_method *method,
                                    const void *choice, bool transposed, pm_value *out,
                                    pm_error *err);

#endif
