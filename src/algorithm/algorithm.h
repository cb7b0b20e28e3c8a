/* SPDX-License-Identifier: GPL-3.0-or-later */
/* algorithm/algorithm.h: what an exact algorithm is to the chooser.  A new algorithm is one file,
 * one line in the table of count/registry.h, one row in the tests. */
#ifndef PM_ALGORITHM_H
#define PM_ALGORITHM_H

#include <stdbool.h>
#include <stdint.h>

#include "algorithm/rates.h"
#include "pm/backend.h"
#include "pm/reduce.h"
#include "pm/run.h"
#include "pm/value.h"

typedef struct pm_algorithm pm_algorithm;

/* One block to count. */
typedef struct {
    const pm_block *block;
    const pm_run *run;
    uint64_t seed;
    const int32_t *order; /* given vertex order of the block, or NULL: find one.  Given, columns
                           * (and rows) that are taken one after another come as they stand */
    int64_t order_len;
    const uint64_t *moduli; /* exact fields: the answer modulo each of them is wanted */
    int nmoduli;            /* 0: real or complex, an inexact value is wanted */
    int64_t memory;         /* bytes that may be used */
    pm_precision precision; /* of inexact answers */
    bool independent;       /* verifying: other primes, the other orientation */
    const pm_rates *rates;
    pm_backend backend;
    int gpus;               /* see pm_count_options */
    pm_placement placement; /* the same */
    double *device_seconds; /* NULL, or where a run adds what it takes devices, without start-up */
    double rival; /* seconds, on one core, of the best plan at hand: no search for a better one
                   * should take longer than a part of that */
} pm_job;

/* How an algorithm would do a job. */
typedef struct {
    const pm_algorithm *algorithm;
    double operations, memory, states;
    double seconds; /* of one core, so that the choice does not depend on the threads */
    bool is_serial; /* more cores do not help */
    int residues;   /* moduli that it uses, where they are not those of the job; else 0 */
    int64_t splits; /* terms of a sum that are counted each by itself; 0: there is no sum */
    uint64_t order_hash;
    const char *kernel; /* what the report calls it: a name of the registry */
    void *state;        /* the algorithm's own: order, compiled programme */
} pm_plan;

/* When the chooser asks an algorithm for a plan. */
typedef enum {
    PM_ON_DEMAND, /* only if it is named */
    PM_AT_ONCE,   /* always: planning costs nothing */
    PM_LATER,     /* when all plans at hand take longer than planning, a few milliseconds */
    PM_SEARCHING  /* at once with no time to search; again at last, if all others take long.  On a
                   * GPU: after the others there */
} pm_occasion;

struct pm_algorithm {
    const char *name, *summary, *source;
    pm_occasion occasion;
    pm_backend backend; /* not PM_BACKEND_AUTO */
    bool integers;      /* exact fields: run sets *out and leaves the moduli alone */
    /* of the Ryser family (sweep/ryser_driver.h): the method for either kind of field */
    const struct pm_sweep_method *exact, *inexact;
    bool cancels; /* inexact answers lose digits to cancellation */
    /* plan->state and all numbers; plan->algorithm is set.  Fails: PM_UNABLE when beyond the
     * method's limits or the memory, with the reason. */
    pm_status (*plan)(const pm_job *job, pm_plan *plan, pm_error *err);
    /* residues: nmoduli answers; out: the inexact answer, or the exact one if `integers`.  Set on
     * success. */
    pm_status (*run)(const pm_job *job, const pm_plan *plan, uint64_t *residues, pm_value *out,
                     pm_error *err);
    void (*free_plan)(pm_plan *plan); /* NULL: the state is one allocation, or none */
};

void pm_plan_free(pm_plan *plan);
/* Predicted seconds with the threads of the run. */
double pm_plan_elapsed(const pm_plan *plan, const pm_run *run);

#endif
