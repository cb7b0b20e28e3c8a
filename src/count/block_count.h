/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/block_count.h: one block on its way from a plan to a value. */
#ifndef PM_BLOCK_COUNT_H
#define PM_BLOCK_COUNT_H

#include "algorithm/algorithm.h"
#include "pm/count.h"

/* {0} is a valid empty one. */
typedef struct {
    pm_job job;
    const pm_count_options *options;
    pm_plan plan;
    double elapsed;        /* predicted seconds, with all threads */
    uint64_t *moduli;      /* the job's, where they are chosen here */
    double device_seconds; /* measured, of the run */
    bool fell_back;        /* a GPU failed: it is counted on the CPU instead */
} pm_block_count;

/* Moduli, and the plan that is to be run; block and options are borrowed.
 * Fails: PM_UNABLE, above run->max_cost too; PM_ENODEV a GPU was asked for and cannot be used;
 * PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_block_count_plan(const pm_block *b, const pm_count_options *opt, const pm_run *run,
                              pm_block_count *out, pm_error *err);

/* out: exact for pattern and integer (with a modulus: the residue), else with its error.
 * A plan for a GPU that fails (at its start, its compiler, its memory, in a kernel) is no failure
 * where the CPU may count too: a note says what happened, the block is planned again for the CPU and
 * counted from its beginning, and w->plan, elapsed and fell_back say so.
 * Fails: as planning; PM_EINTERNAL, on the CPU. */
pm_status pm_block_count_run(pm_block_count *w, const pm_run *run, pm_value *out, pm_error *err);

/* Plans for the CPU what was planned for a GPU, if it may be counted there. */
pm_status pm_block_count_avoid_gpu(pm_block_count *w, pm_error *err);

const char *pm_block_count_method(const pm_block_count *w); /* static */

void pm_block_count_free(pm_block_count *w);

#endif
