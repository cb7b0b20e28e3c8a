/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/estimation.h: the state of one estimation.  Only for estimate*.c: estimate.c repeats in
 * turn drawing samples (estimate_draw.c) and updating the estimate (estimate_update.c). */
#ifndef PM_ESTIMATION_H
#define PM_ESTIMATION_H

#include "estimate/estimate.h"

typedef struct {
    pm_expression *x; /* its sampled blocks are listed */
    const pm_estimate_options *o;
    const pm_run *run; /* its deadline is that of the item */
    pm_estimate *out;
    double started;   /* on the clock, before the first sample */
    pm_spread spread; /* of the item, at the last update; variance INFINITY: a block has only dead
                       * ends */
    int64_t round;    /* in the ledger; 0: the first samples */
    pm_stop_reason ended_by; /* why an earlier run ended the item; PM_STOP_NOTHING: it did not */
} pm_estimation;

/* ---- drawing ---- */

/* Draws the first samples: a batch of every block, then the least number of samples that an
 * interval needs.  The samplers have been made.  Fails: as pm_approx_block_draw. */
pm_status pm_estimation_begin(const pm_estimation *w, pm_error *err);
/* Draws more samples, of the blocks whose samples lower the variance of the item most for their
 * time, until the predicted relative variance is `wanted`; at most twice the samples that a block
 * has. wanted 0: twice the samples of every block.  Fails: as pm_approx_block_draw. */
pm_status pm_estimation_draw(const pm_estimation *w, double wanted, pm_error *err);

/* True when every block has all samples that were asked for, with those of other parts. */
bool pm_estimation_has_all_samples(const pm_estimation *w);

/* ---- in a ledger (estimate_ledger.c) ---- */

/* Where something of the item that was read last is recorded.  number: of the block, the round, ...; {0}
 * where l is NULL. */
pm_ledger_scope pm_estimation_scope(pm_ledger *l, const char *kind, int64_t number);
/* After the samplers have been made: sets the moments of all blocks to those of an earlier run, if
 * *is_found.  From now on samples are recorded.  Fails: PM_EDATA the ledger lacks some; PM_ENOMEM. */
pm_status pm_estimation_resume(pm_estimation *w, bool *is_found, pm_error *err);
/* A round of samples is complete: records the moments of all blocks, if the samples have taken some
 * time.  reason: why there is no further round, or PM_STOP_NOTHING.  Fails: PM_ENOMEM. */
pm_status pm_estimation_keep_round(pm_estimation *w, pm_stop_reason reason, pm_error *err);
/* True when other parts count or sample some of a block, so that its value is not known. */
bool pm_expression_is_partial(const pm_expression *x);

/* ---- updating ---- */

/* True when all samples were dead ends; blocks have perfect matchings. */
bool pm_estimation_is_dead(const pm_approx_block *b);
bool pm_estimation_any_is_dead(const pm_estimation *w);
/* Computes value, spread and interval from the blocks, and calls o->watch. */
pm_status pm_estimation_update(pm_estimation *w, pm_error *err);
/* The reason to stop, or PM_STOP_NOTHING. */
pm_stop_reason pm_estimation_reason(const pm_estimation *w);
/* Sets out->tail_free from lower bounds of the blocks, which hold together at the level. */
pm_status pm_estimation_tail_free(pm_estimation *w, pm_error *err);

#endif
