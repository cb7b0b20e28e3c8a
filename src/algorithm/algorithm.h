/* SPDX-License-Identifier: GPL-3.0-or-later */
/* algorithm/algorithm.h: the interface of an exact algorithm.  It plans and runs a job, which is
 * one block to count.  The table of all algorithms is planner/registry.h, the planner
 * planner/planner.h. */
#ifndef PM_ALGORITHM_H
#define PM_ALGORITHM_H

#include <stdbool.h>
#include <stdint.h>

#include "algorithm/rates.h"
#include "ledger/ledger.h"
#include "pm/backend.h"
#include "pm/reduce.h"
#include "pm/run.h"
#include "pm/value.h"

typedef struct pm_algorithm pm_algorithm;

/* One block to count, and the settings for it.  All pointers are borrowed. */
typedef struct {
    const pm_block *block;
    const pm_run *run; /* threads, limits, stop flag; may be NULL */
    uint64_t seed; /* of searches and samples; the digits of exact answers do not depend on it */
    /* A vertex order of the block, order_len vertices; or NULL: the algorithm finds an order.
     * Where an order is given, the Ryser family takes rows and columns in the sequence of the
     * block. */
    const int32_t *order;
    int64_t order_len;
    /* Exact fields: the answer is wanted modulo each of these, nmoduli of them.  Inexact fields:
     * nmoduli is 0. */
    const uint64_t *moduli;
    int nmoduli;
    int64_t memory;         /* bytes that may be used */
    pm_precision precision; /* of inexact answers */
    bool keeps_digits;      /* only by algorithms whose inexact answers do not cancel */
    bool independent;       /* for a verification: other primes, and the other orientation */
    const pm_rates *rates;  /* not NULL */
    pm_backend backend;     /* where it may be counted */
    int gpus;               /* as in pm_count_options */
    pm_placement placement; /* as in pm_count_options */
    bool is_part;           /* of a run that has others, which must find the same plan */
    /* Where the run records its tasks; {0}: nowhere. */
    pm_ledger_scope scope;
    /* A run may give residues of an exact field here as soon as it has them, from any thread: `count` of
     * them, from number `first` of the moduli on.  May be NULL. */
    pm_status (*found)(void *context, int first, int count, const uint64_t *residues,
                       pm_error *err);
    void *found_context;
    /* A run adds the measured seconds of devices, without their start; may be NULL. */
    double *device_seconds;
    /* Seconds, on one core, of the cheapest plan so far.  A search for a better plan may take a
     * small part of this time.  INFINITY or 0: no other plan. */
    double rival;
    double search_most; /* seconds that a search may take in any case; INFINITY: see there */
    double shortest; /* what all planning is compared with: the shortest plan so far; 0: no limit */
    double planned;  /* seconds, on one core, that planning took so far */
    /* A plan adds the predicted seconds of its searches and further samples; may be NULL. */
    double *searched;
} pm_job;

/* How an algorithm would do a job.  All numbers are predictions. */
typedef struct {
    const pm_algorithm *algorithm;
    double operations;
    double memory;  /* bytes of the largest arrays together */
    double states;  /* of the largest level of a frontier; 0 elsewhere */
    double seconds; /* on one core, so that the choice does not depend on the number of threads */
    /* Seconds to compile kernels, 0 where they are compiled already.  Plans are compared without
     * them, so that the choice does not depend on earlier runs. */
    double compiling;
    double planning; /* seconds of all stages of planning; set by the planner */
    bool is_serial;  /* more threads do not make the run faster */
    bool is_precise; /* an inexact answer has digits to spare for what cancels */
    int residues;    /* number of moduli used, where they are not those of the job; else 0 */
    int pass;        /* moduli of the job that a run takes at a time; 0: all */
    /* The run takes primes below 2^31 (algorithm/narrow_moduli.h) in place of the moduli of the job. */
    bool are_narrow;
    int64_t splits;      /* terms of a sum that are counted one by one; 0: no sum */
    uint64_t order_hash; /* of the order used, for the report; 0: none */
    const char *kernel;  /* name for the report, static; NULL: the name of the algorithm */
    void *state;         /* the algorithm's own data, from plan() for run() */
} pm_plan;

/* When the planner asks an algorithm for a plan. */
typedef enum {
    PM_STAGE_NAMED,   /* only when the algorithm is named */
    PM_STAGE_AT_ONCE, /* before all others: planning takes less than a microsecond */
    PM_STAGE_FIRST,   /* when the plan so far takes long beside PM_FIRST_SECONDS */
    PM_STAGE_SPECIAL, /* when the best plan so far takes long beside the planning: a method for
                       * blocks of a special form; before a GPU is started */
    PM_STAGE_SAMPLED, /* the same for methods that look at samples of the block; while a GPU starts */
    PM_STAGE_LATER, /* the same for methods whose search depends on the best plan so far; after those */
    /* On the CPU twice: with a search of at most PM_GLANCE_SECONDS after the first stage, and with a
     * long search at the end, if all other plans take long.  On a GPU once, after the other algorithms
     * for GPUs. */
    PM_STAGE_SEARCH
} pm_stage;

/* A constant of each algorithm. */
struct pm_algorithm {
    const char *name;    /* for --algorithm; two backends of one method share it */
    const char *summary; /* one line, for --list */
    const char *source;  /* the publication */
    pm_stage stage;
    pm_backend backend; /* PM_BACKEND_CPU or PM_BACKEND_CUDA */
    bool integers;      /* for exact fields run() sets *out, and no residues */
    /* The Ryser family only: its methods for exact and inexact fields, for sweep/ryser_driver.h. */
    const struct pm_sweep_method *exact, *inexact;
    /* Predicted seconds of planning, each entry of the block; searches and further samples come on top.  0: next to
     * nothing, or counted by searches alone. */
    double planning_entry;
    /* NULL, or seconds on one core that no plan for the job is below, found in about a microsecond: where another
     * plan is shorter, none is made. */
    double (*least_seconds)(const pm_job *job);
    bool cancels; /* inexact answers lose digits to cancellation */
    bool classes; /* uses classes of rows and of columns; takes blocks that are `written_out` */
    bool general; /* takes blocks that are `general`, and no others */
    /* Sets the numbers and the state of *plan; plan->algorithm is set before, the rest is 0.
     * Fails: PM_UNABLE the block is beyond the limits of the method or the memory, with the reason;
     * PM_ENODEV; PM_ENOMEM; PM_ESTOPPED.  The state is released by then. */
    pm_status (*plan)(const pm_job *job, pm_plan *plan, pm_error *err);
    /* NULL, or changes the plan before the first run where less memory is free than was planned with.
     * Fails: as run. */
    pm_status (*settle)(const pm_job *job, pm_plan *plan, pm_error *err);
    /* The job is that of the plan, or has some of its moduli, consecutive ones; if plan->are_narrow, or
     * to go on with an earlier run, primes below 2^31 instead.
     * residues: room for nmoduli answers, set for exact fields unless `integers`.
     * out: initialised; set for inexact fields, and for exact ones if `integers`.
     * Both are set on success only.  Stops early when job->run->stop is set (PM_ESTOPPED). */
    pm_status (*run)(const pm_job *job, const pm_plan *plan, uint64_t *residues, pm_value *out,
                     pm_error *err);
    void (*free_plan)(pm_plan *plan); /* NULL: free(plan->state) is enough */
};

/* Releases the state and sets *plan to {0}.  {0} is accepted. */
void pm_plan_free(pm_plan *plan);
/* job->rival; INFINITY where it is 0. */
double pm_job_rival(const pm_job *job);
/* The same where there are other plans; INFINITY where the method was named and `rival` is a limit. */
double pm_job_best(const pm_job *job);
/* Adds to *job->searched. */
void pm_job_searched(const pm_job *job, double seconds);
/* Seconds, on one core, that searches and further samples may take: what is left of the share of planning, or INFINITY. */
double pm_job_search_seconds(const pm_job *job);
/* Predicted seconds with the threads of the run. */
double pm_plan_elapsed(const pm_plan *plan, const pm_run *run);

#endif
