/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/block.h: one block of an item, with its exact permanent or with the samples drawn so
 * far. */
#ifndef PM_APPROX_BLOCK_H
#define PM_APPROX_BLOCK_H

#include <stdbool.h>

#include "estimate/interval.h"
#include "pm/matrix.h"
#include "pm/value.h"
#include "sampler/moments.h"
#include "sampler/sampler.h"

/* What a block that is sampled has. */
typedef struct {
    pm_sampler sampler; /* method NULL: not chosen yet */
    int64_t states;     /* with which options the sampler was made */
    int scale_interval;
    int64_t reached; /* samples so far, with those of other parts */
    pm_moments *moments;
    bool by_gpu, by_cpu; /* a GPU, the CPU has drawn some of the samples */
    pm_sample_summary summary;
    pm_spread spread;
} pm_block_samples;

typedef struct {
    pm_matrix a;    /* fully indecomposable */
    bool general;   /* a is symmetric, and the value is its hafnian (pm_block.general) */
    uint32_t index; /* number of the block in the item; selects its random sequences */
    pm_value *
        value; /* exact, or the mean of the samples; NULL: 1, as long as nothing was counted or sampled */
    bool is_exact;
    bool is_idle; /* without influence on the item: multiplied by 0, or repeated 0 times */
    double power; /* the product of the repetitions around it, in products */
    double share; /* relative change of the item's value for a relative change of this value */

    bool is_partial; /* counted or sampled, but for what other parts of the run do */

    pm_block_samples
        *samples; /* NULL before pm_expression_list_sampled, and where it is not sampled */
} pm_approx_block;

static inline bool pm_approx_block_is_sampled(const pm_approx_block *b)
{
    return !b->is_exact && !b->is_idle;
}

/* Makes a block; a is moved into it.  *out: freed by the caller.  Fails: PM_ENOMEM. */
pm_status pm_approx_block_make(pm_matrix *a, uint32_t index, pm_approx_block **out, pm_error *err);
void pm_approx_block_free(pm_approx_block *b);

/* Makes room for its value, which is 1, if there is none yet.  Fails: PM_ENOMEM. */
pm_status pm_approx_block_hold(pm_approx_block *b, pm_error *err);
/* *out, which is initialised, becomes its value. */
void pm_approx_block_get(const pm_approx_block *b, pm_value *out);
/* The same as a real number. */
pm_xreal pm_approx_block_real(const pm_approx_block *b);

/* Makes room for its samples and its value, if there is none yet.  Fails: PM_ENOMEM. */
pm_status pm_approx_block_list(pm_approx_block *b, pm_error *err);
/* Makes room for its moments, which are those of no samples.  Fails: PM_ENOMEM. */
pm_status pm_approx_block_begin(pm_approx_block *b, pm_error *err);
/* Sets value, summary and spread from the moments, which have samples. */
void pm_approx_block_update(pm_approx_block *b);
/* Draws samples until the block has `count` samples in all, and updates value, summary and spread.
 * The sampler has been made.  If other parts of the run draw some of them, the block is partial.
 * Fails: PM_ESTOPPED (the samples drawn before the stop are included); PM_ENOMEM; with a ledger also
 * PM_EDATA; with GPUs also PM_ENODEV, PM_EINTERNAL (as pm_moments_draw). */
pm_status pm_approx_block_draw(pm_approx_block *b, int64_t count, const pm_run *run, pm_error *err);

/* log10 of its value. */
double pm_approx_block_log10(const pm_approx_block *b);

pm_xreal pm_weight_xreal(pm_weight w);
/* With an error of at most PM_LOG10_WRONG of itself; -INFINITY for numbers that are not positive. */
double pm_xreal_log10(pm_xreal a);
#define PM_LOG10_WRONG 0x1p-46

#endif
