/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/estimation.h: one item while it is estimated.  estimate.c leads: in turn samples are drawn
 * (estimate_draw.c) and all that is known is looked at (estimate_look.c). */
#ifndef PM_ESTIMATION_H
#define PM_ESTIMATION_H

#include "estimate/estimate.h"

typedef struct {
    pm_expression *x; /* its sampled blocks are gathered */
    const pm_estimate_options *o;
    const pm_run *run; /* with the deadline of the item */
    pm_estimate *out;
    double started;   /* of the clock, when the first sample was due */
    pm_spread spread; /* of the whole, as last seen; variance INFINITY: nothing alive yet */
} pm_estimation;

/* ---- drawing ---- */

/* Of all blocks some, then as many as an interval takes at least.  Their samplers have been made.
 * Fails as pm_approx_block_draw. */
pm_status pm_estimation_begin(const pm_estimation *w, pm_error *err);
/* More for those blocks that lower the variance of the whole most for their time, until it is
 * `wanted` (relative, as the spread predicts), or 0: as fast as blocks can grow.
 * Fails as pm_approx_block_draw. */
pm_status pm_estimation_draw(const pm_estimation *w, double wanted, pm_error *err);

/* ---- looking ---- */

/* No sample has reached a perfect matching yet, though there are some. */
bool pm_estimation_is_dead(const pm_approx_block *b);
bool pm_estimation_any_is_dead(const pm_estimation *w);
/* Value, spread and interval from what the blocks know; the watcher is told. */
pm_status pm_estimation_look(pm_estimation *w, pm_error *err);
/* Which of the reasons to stop holds? */
pm_stop_reason pm_estimation_reason(const pm_estimation *w);
/* A lower bound of the whole from those of the blocks, which all hold at the level together. */
pm_status pm_estimation_tail_free(pm_estimation *w, pm_error *err);

#endif
