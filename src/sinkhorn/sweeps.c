/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/sweeps.h"

#include <math.h>

#include "sinkhorn/single_step.h"

/* The least target of the residual for which entries are rounded to single precision. */
#define LEAST_FOLDED 0x1p-18
/* Sums that differ less from 1 after the first rows are not improved by sweeps: regular graphs, and the
 * probabilities of converged messages. */
#define SCALED        0x1p-40
#define SCALED_NARROW 0x1p-20 /* of rounded entries */

void pm_sinkhorn_use_vectors(pm_sinkhorn *s)
{
    s->row = s->drops_row ? NULL : s->on.vector[PM_AT_ROW];
    s->col = s->on.vector[PM_AT_COL];
    pm_workspace_drop(&s->on, s->drops_row ? PM_AT_ROW : PM_AT_FACTORS);
}

void pm_sinkhorn_fill(pm_sinkhorn *s, double value, int x)
{
    pm_workspace_map(&s->on, PM_MAP_FILL, value, x, x, x);
}

static void invert(pm_sinkhorn *s, int x)
{
    pm_workspace_map(&s->on, PM_MAP_INVERT, 0, x, x, x);
}

/* The row factors that are stored are all 1 before, or there are none yet. */
static bool is_first(const pm_sinkhorn *s)
{
    return isinf(s->residual);
}

void pm_sinkhorn_by_columns(pm_sinkhorn *s, int x, int y)
{
    pm_workspace_multiply(&s->on, true, x, y);
    ++s->products;
}

void pm_sinkhorn_sum_rows(pm_sinkhorn *s, int y)
{
    pm_workspace_sum_rows(&s->on, y);
}

double pm_sinkhorn_finish(pm_sinkhorn *s)
{
    pm_sinkhorn_by_columns(s, PM_AT_R, PM_AT_C);
    double decrease = pm_workspace_reduce(&s->on, PM_REDUCE_LOG_RATIOS, PM_AT_R, PM_AT_C);
    invert(s, PM_AT_C);
    if (!s->on.is_product)
        pm_workspace_scale(&s->on, PM_AT_R, PM_AT_C);
    if (is_first(s) && !s->drops_row)
        pm_workspace_move(&s->on, PM_AT_R, PM_AT_ROW);
    else if (!s->drops_row)
        pm_workspace_map(&s->on, PM_MAP_MULTIPLY, 0, PM_AT_ROW, PM_AT_R, PM_AT_ROW);
    pm_workspace_map(&s->on, PM_MAP_MULTIPLY, 0, PM_AT_COL, PM_AT_C, PM_AT_COL);
    pm_sinkhorn_sum_rows(s, PM_AT_SUM);
    ++s->products;
    double most = pm_workspace_reduce(&s->on, PM_REDUCE_FROM_ONE, PM_AT_SUM, PM_AT_SUM);
    s->residual = isfinite(most) ? most : NAN;
    return decrease;
}

void pm_sinkhorn_sweep(pm_sinkhorn *s, int count)
{
    for (int done = 1; done <= count; ++done) {
        if (done == 1)
            pm_sinkhorn_sum_rows(s, PM_AT_R);
        else
            pm_workspace_multiply(&s->on, false, PM_AT_C, PM_AT_R);
        ++s->products;
        invert(s, PM_AT_R);
        if (done == count)
            break;
        pm_sinkhorn_by_columns(s, PM_AT_R, PM_AT_C);
        if (done == 1
            && pm_workspace_reduce(&s->on, PM_REDUCE_FROM_ONE, PM_AT_C, PM_AT_C)
                   <= (s->on.x.a.narrow ? SCALED_NARROW : SCALED))
            break;
        invert(s, PM_AT_C);
    }
    pm_sinkhorn_finish(s);
}

bool pm_sinkhorn_is_single(const pm_sinkhorn *s)
{
    return !s->on.gpu && !s->is_wide && s->on.x.a.nrows >= PM_SINGLE_ROWS;
}

void pm_sinkhorn_fold(pm_sinkhorn *s, double target)
{
    if (s->on.is_product || target < LEAST_FOLDED)
        return;
    pm_workspace_narrow(&s->on);
    s->x = NULL;
}

pm_status pm_sinkhorn_unfold(pm_sinkhorn *s, pm_error *err)
{
    pm_status status = pm_workspace_widen(&s->on, err);
    s->x = s->on.x.a.value;
    return status;
}
