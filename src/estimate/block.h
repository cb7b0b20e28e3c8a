/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/block.h: what is known of one block: its exact permanent, or samples of it. */
#ifndef PM_APPROX_BLOCK_H
#define PM_APPROX_BLOCK_H

#include <stdbool.h>

#include "estimate/interval.h"
#include "pm/matrix.h"
#include "pm/value.h"
#include "sampler/moments.h"
#include "sampler/sampler.h"

typedef struct {
    pm_matrix a;    /* fully indecomposable */
    uint32_t index; /* of its sequences of random numbers */
    pm_value value; /* exact, or the mean so far; 1 before */
    bool is_exact;
    bool is_idle; /* multiplied by 0, or repeated 0 times */
    double power; /* how often it stands in a product */
    double share; /* relative change of the item's value by that of this block's */

    /* where it is not exact: */
    pm_sampler sampler; /* method NULL: not chosen yet */
    pm_moments *moments;
    bool by_gpu, by_cpu; /* who drew of them */
    pm_sample_summary summary;
    pm_spread spread;
} pm_approx_block;

static inline bool pm_approx_block_is_sampled(const pm_approx_block *b)
{
    return !b->is_exact && !b->is_idle;
}

/* a is taken over. */
pm_status pm_approx_block_make(pm_matrix *a, uint32_t index, pm_approx_block **out, pm_error *err);
void pm_approx_block_free(pm_approx_block *b);

/* Draw until `count` samples have been drawn in all; then value, summary and spread say so.
 * The sampler has been made.  Fails: PM_ESTOPPED (what was drawn until then counts), PM_ENOMEM. */
pm_status pm_approx_block_draw(pm_approx_block *b, int64_t count, const pm_run *run, pm_error *err);

/* log10 of its value. */
double pm_approx_block_log10(const pm_approx_block *b);

pm_xreal pm_weight_xreal(pm_weight w);
/* -INFINITY for what is not positive. */
double pm_xreal_log10(pm_xreal a);

#endif
