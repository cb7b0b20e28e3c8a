/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/block_count.h: counting one block: its moduli, its plan, its run. */
#ifndef PM_BLOCK_COUNT_H
#define PM_BLOCK_COUNT_H

#include "algorithm/algorithm.h"
#include "pm/count.h"

/* {0} is a valid empty object. */
typedef struct {
    pm_job job;
    const pm_count_options *options;
    pm_plan plan;
    double elapsed;        /* predicted seconds, with all threads */
    uint64_t *moduli;      /* owned: those of the job, unless the caller gave a modulus */
    double device_seconds; /* measured: seconds that GPUs took in the run, without start */
    bool fell_back;        /* a GPU failed, and the block was counted on the CPU */
    const char *common; /* the algorithm by which other parts of the run count; NULL: not known */
} pm_block_count;

/* The rates for plans of blocks of this field. */
const pm_rates *pm_block_rates(const pm_count_options *opt, pm_field field);

/* Chooses moduli and makes the plan.  b, opt and run are borrowed until pm_block_count_free.
 * out: the caller frees it, after a failure too.
 * Fails: PM_UNABLE no plan, or the plan takes longer than run->max_cost; PM_ENODEV a GPU was
 * demanded and cannot be used; PM_ENOMEM; PM_ESTOPPED. */
pm_status pm_block_count_plan(const pm_block *b, const pm_count_options *opt, const pm_run *run,
                              pm_block_count *out, pm_error *err);

/* The same for a plan that takes less time than any other planning: neither moduli nor the size of
 * the memory are asked for.  Nothing is to be freed.
 * Returns false when there is none that takes at most `limit` seconds, when the plan would exceed a
 * limit of the run, and when the options ask for an algorithm, an order or a GPU. */
bool pm_block_count_plan_at_once(const pm_block *b, const pm_count_options *opt, const pm_run *run,
                                 double limit, pm_block_count *out);
/* Runs it.  out: initialised.
 * Fails: PM_UNABLE when the value has lost digits: its error is more than 2^-30 of it; PM_ENOMEM. */
pm_status pm_block_count_run_at_once(const pm_block_count *w, pm_value *out, pm_error *err);

/* Runs the plan.
 * out: initialised; exact for pattern and integer (with a modulus: the residue), else with its
 * error.  Where a plan in double loses digits, the block is counted again in double-double or
 * without cancellation, if that takes little time.  Where a GPU fails (start, compiler, memory, kernel) and the CPU is allowed too, the block
 * is planned again for the CPU and counted from the beginning: a note says why, and plan, elapsed
 * and fell_back change.
 * Fails: as pm_block_count_plan; PM_EINTERNAL a self-check failed on the CPU (on a GPU:
 * PM_ENODEV). */
pm_status pm_block_count_run(pm_block_count *w, const pm_run *run, pm_value *out, pm_error *err);

/* Replaces a plan for a GPU by one for the CPU, where the options allow it.
 * A part of a run keeps to the method and the plan of the other parts, whose GPUs may work.
 * Fails: as pm_block_count_plan; PM_ENODEV only a GPU has this method. */
pm_status pm_block_count_avoid_gpu(pm_block_count *w, pm_error *err);

/* What was done, or will be, for a report. */
void pm_block_count_report(const pm_block_count *w, pm_block_report *r);
/* A note of level 1: block i of nblocks, i = 0, 1, ... */
void pm_block_count_note(const pm_block_count *w, int64_t i, int64_t nblocks, const pm_run *run);

/* Name of the kernel or algorithm, for reports; static. */
const char *pm_block_count_method(const pm_block_count *w);

void pm_block_count_free(pm_block_count *w);

#endif
