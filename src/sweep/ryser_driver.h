/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/ryser_driver.h: the driver of the Ryser family, from a block to a plan and from a plan to a
 * value.  An algorithm of the family is a method (pm_sweep_method): it predicts the cost of a sweep
 * over a square and prepares the sweep; the driver does the rest. */
#ifndef PM_RYSER_DRIVER_H
#define PM_RYSER_DRIVER_H

#include "algorithm/algorithm.h"
#include "sweep/sweep.h"

enum { PM_RYSER_PRIMES_MAX = 8 }; /* of one sweep */
enum { PM_SWEEP_NUMBERS = PM_LEDGER_PLAN - 8 };

typedef struct pm_sweep_method {
    const char *name;
    int bits;            /* row sums of absolute values are at most 2^bits, see pm_square_make */
    int large_bits;      /* of primes modulo which larger entries are taken, at most; 0: bits - 6 */
    bool in_double;      /* cannot compute in PM_QUAD and PM_SINGLE */
    bool may_transpose;  /* the transposed block may cost less */
    bool classes;        /* uses squares with classes (pm_square_make_classes) */
    size_t choice_size;  /* bytes of its choice: the parameters that measuring sets; plain data */
    const void *initial; /* the choice before measuring; NULL: all bytes 0 */

    /* The most primes of one sweep, for integers modulo primes; 0: integers are summed as they
     * are. */
    int primes;
    uint64_t prime_max; /* the primes are below this */
    /* The most primes of one sweep with this choice, at most `primes`.  NULL, or a result of 0:
     * `primes`. */
    int (*most_primes)(const void *choice);

    /* Another method, for integers with fewer bits and jobs that prefer it; NULL: none */
    const struct pm_sweep_method *narrow;
    bool (*prefers_narrow)(const pm_job *job);

    /* Predicts one sweep over s, of which an inexact method with classes gets only the shape.  *choice: as `initial`
     * before the call.  Sets operations, seconds (of one core), memory and order_hash of the plan.  prime: `count`
     * primes of the first sweep; count may be 0.
     * Fails: PM_UNABLE, PM_ENOMEM. */
    pm_status (*measure)(const pm_job *job, const pm_square *s, const uint64_t *prime, int count,
                         void *choice, pm_plan *plan, pm_error *err);
    /* Prepares a sweep; it copies what it needs of its arguments.  Fails: PM_ENOMEM. */
    pm_status (*prepare)(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err);
    /* Only with primes > 0: the same modulo `count` primes; and 2^shift * sum modulo prime k. */
    pm_status (*prepare_modular)(const pm_square *s, const void *choice, const uint64_t *prime,
                                 int count, pm_sweep *out, pm_error *err);
    uint64_t (*residue)(const pm_sweep *s, const pm_sum *sum, int32_t k);
    /* Of `narrow`: the method for larger primes. */
    const struct pm_sweep_method *wide;

    /* Of a method for GPUs: the one of the CPU that can have the same terms at the same indices
     * (sweep/shared_sweep.h).  Sums that are recorded are then those of the host.  NULL: none. */
    const struct pm_sweep_method *host;
    /* What the terms and their indices follow from, beside the orientation and the primes, as numbers of 0 or more, at
     * most PM_SWEEP_NUMBERS; returns how many.  NULL: nothing; or for GPUs: the host decides.
     * All methods with the same host understand the same numbers. */
    int (*describe)(const void *choice, int64_t *number);
    /* Sets the choice, which is as `initial`, to one that has the terms and indices that these numbers describe.
     * s: the square of the host; of large entries the one modulo the first prime.  NULL: sums are recorded as the
     * method has them, and no other method goes on with them.
     * Fails: PM_UNABLE this method cannot, with the reason; PM_ENODEV, PM_ENOMEM. */
    pm_status (*restore)(const pm_job *job, const pm_square *s, const int64_t *number, int count,
                         void *choice, pm_error *err);
    /* Of a host whose integers are no residues: log2 of a bound of the sum of |terms|.  NULL: they are those of Glynn's
     * form (pm_square_sum_bits). */
    double (*sum_bits)(const pm_sweep *s);
    /* The seconds that devices took for a sweep that was run; NULL on the CPU. */
    double (*device_seconds)(const pm_sweep *s);
} pm_sweep_method;

/* The plan and run functions of a pm_algorithm with methods.
 * With may_transpose planning measures both orientations and takes the cheaper one, or with
 * job->independent the more expensive one (with classes only if it costs little more).  Where an order is given, only
 * one orientation is measured: the matrix as it is, or with job->independent its transpose.  Integers that are too
 * large for the method are counted modulo primes, in one sweep over the block modulo each prime.
 * Fails: PM_UNABLE n > PM_SQUARE_MAX unless the method uses classes, and what measure refuses; PM_ENOMEM; running:
 * PM_ESTOPPED and the failures of the method. */
pm_status pm_ryser_driver_plan(const pm_job *job, pm_plan *plan, pm_error *err);
pm_status pm_ryser_driver_run(const pm_job *job, const pm_plan *plan, uint64_t *residues,
                              pm_value *out, pm_error *err);

/* The members of a pm_algorithm of the family that follow from its methods: for patterns and
 * integers, and for other fields. */
#define PM_RYSER_FAMILY(exact_method, inexact_method)                                              \
    .integers = true, .exact = (exact_method), .inexact = (inexact_method),                        \
    .plan = pm_ryser_driver_plan, .run = pm_ryser_driver_run

/* Whether both count the job by the same recorded sums: both have the same host, or one is the host of the other. */
bool pm_ryser_driver_shares(const pm_job *job, const pm_algorithm *a, const pm_algorithm *b);

/* Records how the plan sums the job, before anything is done, so that another device can go on: where there is a ledger,
 * and the plan is one of the family.  Fails: PM_ENOMEM. */
pm_status pm_ryser_driver_note(const pm_job *job, const pm_plan *plan, pm_error *err);

/* Runs a method with a given choice.  out: exact for pattern and integer, else with its error. */
pm_status pm_ryser_driver_permanent(const pm_job *job, const pm_sweep_method *method,
                                    const void *choice, bool transposed, pm_value *out,
                                    pm_error *err);

#endif
