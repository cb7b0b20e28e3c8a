/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An estimation in a ledger.
 *
 * The samples that blocks get next follow from the moments of all blocks after the last round, and the
 * moments are a function of the numbers of samples.  So a run that goes on needs the moments of all
 * blocks after one round, and what has been drawn of the next one.  Each round has a scope of its own:
 * the tasks of its samples, and beside them the moments before it.  The scope of the item says which
 * round it is: a change of one word, so that a checkpoint never has half of a round.
 *
 * Parts do not have all moments, so they keep the tasks of all rounds, in the scope of round 0. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/choose.h"
#include "estimate/estimation.h"
#include "pm/alloc.h"

enum { WORDS = 1 + sizeof(pm_batch_sums) / sizeof(uint64_t), WHAT = 40 };

/* ---- scopes ---- */

pm_ledger_scope pm_estimation_scope(pm_ledger *l, const char *kind, int64_t number)
{
    pm_ledger_scope s = {.ledger = l};
    char text[96];
    if (!l)
        return s;
    int length = snprintf(text, sizeof text, "estimate %" PRId64 " %s %" PRId64,
                          pm_ledger_position(l), kind, number);
    s.key = pm_ledger_key_of(NULL, text, (size_t)length);
    return s;
}

bool pm_expression_is_partial(const pm_expression *x)
{
    for (int64_t i = 0; i < x->nblocks; ++i)
        if (x->block[i]->is_partial)
            return true;
    return false;
}

static pm_ledger_scope item_scope(const pm_estimation *w)
{
    return pm_estimation_scope(w->o->count.ledger, "item", 0);
}

static pm_ledger_scope round_scope(const pm_estimation *w)
{
    return pm_estimation_scope(w->o->count.ledger, "round", w->round);
}

/* Samples that are drawn from now on are recorded in the scope of the round. */
static void begin_round(const pm_estimation *w)
{
    const pm_ledger_scope scope = round_scope(w);
    for (int64_t i = 0; i < w->x->nsampled; ++i)
        w->x->sampled[i]->samples->sampler.scope = scope;
}

/* ---- the moments of a block ---- */

static pm_status begin_moments(const pm_estimation *w, const pm_approx_block *b,
                               pm_ledger_task *task, pm_error *err)
{
    char what[WHAT];
    const pm_ledger_scope scope = round_scope(w);
    snprintf(what, sizeof what, "block-%" PRIu32 "-before", b->index + 1);
    const pm_ledger_shape shape = {
        .what = what, .count = 1, .grain = 1, .words = WORDS, .largest = PM_MOMENTS_TAIL};
    return pm_ledger_task_begin(&scope, &shape, "", 0, task, err);
}

static pm_status put_moments(const pm_estimation *w, const pm_approx_block *b, pm_error *err)
{
    pm_ledger_task task;
    pm_range range;
    uint64_t word[WORDS];
    const pm_moments *m = b->samples->moments;
    word[0] = (uint64_t)m->by_gpu;
    memcpy(word + 1, &m->sums, sizeof m->sums);
    pm_wide_key *key = pm_alloc_array(PM_MOMENTS_TAIL, sizeof *key);
    if (!key)
        return pm_fail_memory(err, "the moments of a block");
    int64_t keys = pm_moments_keys(m, key);
    pm_status status = begin_moments(w, b, &task, err);
    if (!status) {
        if (pm_ledger_task_take(&task, 1, &range))
            status = pm_ledger_task_put_listed(&task, 0, 1, word, key, keys, err);
        status = pm_ledger_task_end(&task, status, NULL, NULL, err);
    }
    free(key);
    return status;
}

static pm_status set_moments(pm_approx_block *b, const uint64_t *word, const pm_largest *largest,
                             pm_error *err)
{
    pm_batch_sums sums;
    pm_status status = pm_approx_block_begin(b, err);
    if (status)
        return status;
    memcpy(&sums, word + 1, sizeof sums);
    pm_moments_add_batch(b->samples->moments, &sums);
    b->samples->moments->by_gpu = (int64_t)word[0];
    pm_moments_keep_keys(b->samples->moments, largest);
    pm_approx_block_update(b);
    return PM_OK;
}

static pm_status get_moments(const pm_estimation *w, pm_approx_block *b, pm_error *err)
{
    pm_ledger_task task;
    pm_range range;
    uint64_t word[WORDS];
    pm_largest largest = {.most = PM_MOMENTS_TAIL};
    pm_status status = begin_moments(w, b, &task, err);
    if (status)
        return status;
    if (pm_ledger_task_take(&task, 1, &range))
        status = pm_fail(err, PM_EDATA, "the checkpoint lacks the samples of block %" PRIu32,
                         b->index + 1);
    status = pm_ledger_task_end_listed(&task, status, word, &largest, err);
    if (!status)
        status = set_moments(b, word, &largest, err);
    pm_largest_free(&largest);
    return status;
}

/* ---- rounds ---- */

static bool keeps_rounds(const pm_estimation *w)
{
    const pm_ledger *l = w->o->count.ledger;
    return l && pm_ledger_is_whole(l);
}

/* The nominal seconds of all samples so far. */
static double seconds_drawn(const pm_estimation *w)
{
    double sum = 0;
    for (int64_t i = 0; i < w->x->nsampled; ++i)
        sum +=
            (double)w->x->sampled[i]->samples->reached * w->x->sampled[i]->samples->sampler.seconds;
    return sum;
}

pm_status pm_estimation_resume(pm_estimation *w, bool *is_found, pm_error *err)
{
    char method[PM_LEDGER_METHOD];
    int reason;
    pm_status status = PM_OK;
    const pm_ledger_scope item = item_scope(w);
    *is_found = keeps_rounds(w) && pm_ledger_get_method(&item, method)
                && sscanf(method, "round:%" SCNd64 ":%d", &w->round, &reason) == 2;
    if (*is_found)
        w->ended_by = (pm_stop_reason)reason;
    for (int64_t i = 0; i < w->x->nsampled && *is_found && !status; ++i)
        status = get_moments(w, w->x->sampled[i], err);
    begin_round(w);
    return status;
}

/* The samplers, which another run takes instead of pilot samples. */
static pm_status put_samplers(const pm_estimation *w, pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t i = 0; i < w->x->nsampled && !status; ++i)
        status = pm_choice_put(w->x->sampled[i], w->o, err);
    return status;
}

pm_status pm_estimation_keep_round(pm_estimation *w, pm_stop_reason reason, pm_error *err)
{
    char method[PM_LEDGER_METHOD];
    pm_status status = PM_OK;
    if (!keeps_rounds(w) || w->ended_by || seconds_drawn(w) < pm_ledger_least(w->o->count.ledger))
        return PM_OK;
    const pm_ledger_scope item = item_scope(w), before = round_scope(w);
    if (w->round == 0)
        status = put_samplers(w, err);
    ++w->round;
    for (int64_t i = 0; i < w->x->nsampled && !status; ++i)
        status = put_moments(w, w->x->sampled[i], err);
    const pm_ledger_scope now = round_scope(w);
    if (!status)
        status = pm_ledger_put_method(&now, "samples", err);
    snprintf(method, sizeof method, "round:%" PRId64 ":%d", w->round, (int)reason);
    if (!status)
        status = pm_ledger_put_method(&item, method, err);
    if (!status)
        pm_ledger_forget(&before);
    begin_round(w);
    return status;
}
