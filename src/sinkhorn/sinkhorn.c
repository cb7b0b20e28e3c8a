/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/sinkhorn.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"
#include "pm/memory.h"
#include "sinkhorn/newton.h"
#include "sinkhorn/sweeps.h"

enum {
    FIRST_SWEEPS = 10, /* before Newton's steps, which need a point that is not too far */
    SWEEPS = 10,       /* after a step that brought nothing */
    FAR_SWEEPS = 3, /* after a step that ends far from the goal: it is too long in a few places */
    FAILURES = 4    /* such steps in a row before it gives up */
};
/* A step that brings nothing leaves more of the residual and makes f less smaller. */
#define LEAST_GAIN     0.9
#define LEAST_DECREASE 0x1p-10
#define EASY           0.1 /* share of the equations of a first step that may remain */

pm_status pm_sinkhorn_make(const pm_matrix *a, int device, const pm_run *run, pm_sinkhorn *out,
                           pm_error *err)
{
    int64_t n = a->nrows;
    *out = (pm_sinkhorn){.run = run};
    pm_status status = pm_workspace_make(a, PM_AT_VECTORS, device, run, &out->on, err);
    if (status)
        return status;
    out->x = out->on.x.a.value;
    pm_workspace_lend(&out->on, PM_AT_SPARE);
    if (!out->on.gpu) {
        pm_sinkhorn_use_vectors(out);
        return PM_OK;
    }
    out->row = pm_alloc_array(n, sizeof *out->row);
    out->col = pm_alloc_array(n, sizeof *out->col);
    if (out->row && out->col)
        return PM_OK;
    pm_sinkhorn_free(out);
    return pm_fail_memory(err, "Sinkhorn's scaling");
}

pm_status pm_sinkhorn_make_ones(const pm_matrix *a, const pm_run *run, pm_sinkhorn *out,
                                pm_error *err)
{
    *out = (pm_sinkhorn){.run = run};
    pm_status status =
        pm_workspace_make_product(a, PM_AT_VECTORS, PM_AT_ROW, PM_AT_COL, run, &out->on, err);
    if (status)
        return status;
    pm_workspace_lend(&out->on, PM_AT_SPARE);
    pm_sinkhorn_use_vectors(out);
    return PM_OK;
}

void pm_sinkhorn_drop_rows(pm_sinkhorn *s)
{
    s->drops_row = true;
    if (s->on.gpu) {
        free(s->row);
        s->row = NULL;
    } else {
        pm_sinkhorn_use_vectors(s);
    }
}

static int exponent(const pm_sinkhorn *s, int side, int64_t at)
{
    const int16_t *shift = s->on.shift[side];
    return shift ? PM_SHIFT * shift[at] : 0;
}

int pm_sinkhorn_row_exponent(const pm_sinkhorn *s, int64_t i)
{
    return exponent(s, 0, i);
}

int pm_sinkhorn_col_exponent(const pm_sinkhorn *s, int64_t j)
{
    return exponent(s, 1, j);
}

void pm_sinkhorn_drop_entries(pm_sinkhorn *s)
{
    pm_workspace_drop_entries(&s->on);
    s->x = NULL;
}

void pm_sinkhorn_free(pm_sinkhorn *s)
{
    if (s->on.gpu) {
        free(s->row);
        free(s->col);
    }
    pm_workspace_free(&s->on);
    *s = (pm_sinkhorn){0};
}

static void start(pm_sinkhorn *s, const double *value)
{
    if (!s->on.is_product)
        pm_workspace_set(&s->on, value);
    s->is_slow = s->has_no_coarse = s->is_wide = s->is_stuck = s->is_far = s->is_linear =
        false; /* other entries may be easier, or have clusters */
    if (s->on.is_product) {
        pm_sinkhorn_fill(s, 1, PM_AT_ROW);
    } else if (!s->on.gpu) {
        pm_workspace_drop(&s->on, PM_AT_ROW);
        s->row = NULL;
    }
    s->residual = INFINITY;
    s->products = 0;
}

void pm_sinkhorn_start(pm_sinkhorn *s, const double *value)
{
    start(s, value);
    pm_workspace_drop_shifts(&s->on);
    pm_sinkhorn_fill(s, 1, PM_AT_COL);
}

void pm_sinkhorn_start_again(pm_sinkhorn *s, const double *value)
{
    start(s, value);
    if (s->on.gpu)
        pm_workspace_put(&s->on, PM_AT_COL, s->col);
}

void pm_sinkhorn_start_from(pm_sinkhorn *s, const double *value)
{
    pm_sinkhorn_start_again(s, value);
    pm_workspace_drop_shifts(&s->on);
}

void pm_sinkhorn_step_linearly(pm_sinkhorn *s)
{
    assert(!s->on.is_product && s->drops_row);
    s->is_linear = true;
}

/* Lines of rounded entries differ from 1 by their rounding; where sums are made exact, such differences would add up along long paths.
 * So a sweep in double precision is the last one, unless the scaling has failed. */
static pm_status unfold_and_finish(pm_sinkhorn *s, bool has_failed, pm_error *err)
{
    if (s->on.gpu || !s->on.x.a.narrow)
        return PM_OK;
    pm_status status = pm_sinkhorn_unfold(s, err);
    if (status || has_failed)
        return status;
    status = pm_workspace_take(&s->on, PM_AT_C, err);
    if (status)
        return status;
    pm_workspace_divide_rows(&s->on, s->drops_row ? -1 : PM_AT_ROW);
    pm_workspace_divide_columns(&s->on, PM_AT_C);
    pm_workspace_map(&s->on, PM_MAP_MULTIPLY, 0, PM_AT_COL, PM_AT_C, PM_AT_COL);
    s->products += 2;
    pm_sinkhorn_use_vectors(s);
    return PM_OK;
}

/* How well to solve the equations of a step: not much better than the last step was (Eisenstat and Walker
 * 1996, choice 2), nor than what is wanted. */
static double share_of(double gain, double wanted)
{
    return fmax(fmin(EASY, gain * gain), wanted / 4);
}

/* How far sums are from 1: the residual.  Where steps are linear it is the root of the sum of squares, since the same line may stay the worst
 * one for many steps while all others improve; on a GPU REST is lost. */
static double distance(pm_sinkhorn *s)
{
    double squares = 0;
    if (!s->is_linear)
        return s->residual;
    if (s->on.gpu) {
        pm_workspace_map(&s->on, PM_MAP_FROM_ONE, 0, PM_AT_SUM, PM_AT_SUM, PM_AT_REST);
        return sqrt(pm_workspace_reduce(&s->on, PM_REDUCE_DOT, PM_AT_REST, PM_AT_REST));
    }
    for (int64_t i = 0; i < s->on.x.a.nrows; ++i) {
        const double off = 1 - s->on.vector[PM_AT_SUM][i];
        squares += off * off;
    }
    return sqrt(squares);
}

/* From a start, or from where the last improvement ended.  A step that brought nothing although it took as many products as it may is
 * the last one: the next ones would bring nothing either; and so is one that hardly changed the residual and that was given up. */
static pm_status improve(pm_sinkhorn *s, pm_newton *t, pm_error *err)
{
    const double target = t->target;
    int failures = 0;
    double gain = 1; /* of the last step */
    if (!s->products)
        pm_sinkhorn_sweep(s, FIRST_SWEEPS);
    while (s->residual > target && s->products < t->most && failures < FAILURES) {
        double before = distance(s), decrease = 0;
        pm_status status =
            pm_newton_step(s, share_of(gain, target / s->residual), t, &decrease, err);
        if (status)
            return status;
        if (s->residual > PM_NEWTON_FAR)
            pm_sinkhorn_sweep(s, FAR_SWEEPS);
        gain = distance(s) / before;
        if (pm_run_stopped(s->run))
            return pm_fail(err, PM_ESTOPPED, "stopped during Sinkhorn's scaling");
        if (gain < LEAST_GAIN || (decrease > LEAST_DECREASE && !t->is_hopeless)) {
            failures = 0;
            continue;
        }
        failures = t->is_cut ? FAILURES : failures + 1;
        s->is_stuck = t->is_cut;
        if (s->residual > target)
            pm_sinkhorn_sweep(s, SWEEPS);
    }
    return PM_OK;
}

/* Entries and factors to where the caller finds them. */
static pm_status hand_over(pm_sinkhorn *s, bool has_failed, pm_error *err)
{
    pm_status status = unfold_and_finish(s, has_failed, err);
    if (status)
        return status;
    pm_workspace_fetch(&s->on);
    if (s->on.gpu) {
        if (s->row)
            pm_workspace_get(&s->on, PM_AT_ROW, s->row);
        pm_workspace_get(&s->on, PM_AT_COL, s->col);
    }
    return pm_workspace_check(&s->on, err);
}

pm_status pm_sinkhorn_improve(pm_sinkhorn *s, double target, int64_t most, pm_error *err)
{
    pm_newton t = {.target = target, .most = most};
    pm_status status = pm_workspace_take(&s->on, s->drops_row ? PM_AT_FACTORS : PM_AT_ROW, err);
    if (!status && s->products)
        pm_sinkhorn_sum_rows(s, PM_AT_SUM);
    if (!status && pm_sinkhorn_is_single(s))
        pm_sinkhorn_fold(s, target);
    if (!status)
        status = improve(s, &t, err);
    pm_newton_free(&t);
    if (!s->on.gpu)
        pm_sinkhorn_use_vectors(s);
    if (pm_sinkhorn_is_single(s))
        pm_memory_give_back(); /* of coarse systems: vectors that are not written would be there */
    if (status && status != PM_UNABLE)
        return status;
    const pm_status end = hand_over(s, status == PM_UNABLE, err);
    return end ? end : status;
}
