/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/newton.h"

#include <math.h>

#include "sinkhorn/linear_step.h"
#include "sinkhorn/sweeps.h"

/* A step first changes no logarithm by more than FIRST_PIECE.  In a large lattice the factors are smooth and far from 1, so that long steps
 * are right: what is left of it follows in pieces, each at most twice as long as the one before, while f falls by LEAST_SLOPE of what the
 * first piece brought for its length and no row of stored entries sums to less than LEAST_SUM (sweeps after a step raise such sums).  Then
 * a sum becomes at least exp(-2 FIRST_PIECE) LEAST_SUM, a float, and exp(LONGEST_PIECE) times a factor (workspace.h) is a double.  A piece
 * longer than SAFE_PIECE after which f is not smaller is halved. */
#define FIRST_PIECE   30.0
#define LONGEST_PIECE 300.0
#define LEAST_SLOPE   0x1p-4
#define LEAST_SUM     0x1p-20
#define SAFE_PIECE    2.0
#define COLUMN_PIECES                                                                              \
    1000.0 /* at most, in which the factors of the columns change after a linear step */
#define LEAST_LEFT 0x1p-20 /* of a step: less than this may be left of a whole step */
#define LEAST_PART 0x1p-56 /* of a step: a piece that is not longer is not taken */

/* The largest change of a logarithm. */
static double largest_change(pm_sinkhorn *s, const float *single)
{
    if (!single)
        return pm_workspace_reduce(&s->on, PM_REDUCE_LARGEST, PM_AT_STEP, PM_AT_STEP);
    double most = 0;
    for (int64_t i = 0; i < s->on.x.a.nrows; ++i)
        most = pm_reduce_join(PM_REDUCE_LARGEST, most, fabsf(single[i]));
    return most;
}

/* R = exp(part times the step).  A step in single precision is freed; then R has the exponential of another part of it. */
static void set_rows(pm_sinkhorn *s, pm_newton *t, bool is_single, double part, double before)
{
    const int threads = s->on.threads;
    double *to = s->on.vector[PM_AT_R];
    if (!is_single) {
        pm_workspace_map(&s->on, PM_MAP_EXP, part, PM_AT_STEP, PM_AT_STEP, PM_AT_R);
    } else if (t->single) {
#pragma omp parallel for num_threads(threads) if (threads > 1)
        for (int64_t i = 0; i < s->on.x.a.nrows; ++i)
            to[i] = exp(part * t->single[i]);
        pm_newton_free_step(t);
    } else {
#pragma omp parallel for num_threads(threads) if (threads > 1)
        for (int64_t i = 0; i < s->on.x.a.nrows; ++i)
            to[i] = pow(to[i], part / before);
    }
}

static pm_status keep_range(pm_sinkhorn *s, pm_error *err)
{
    return pm_workspace_keep_range(&s->on, s->drops_row ? -1 : PM_AT_ROW, PM_AT_COL, err);
}

/* Whether the next piece may turn entries of a row to 0.  Not for products, whose factors have shifts.  On the host only. */
static bool loses_rows(const pm_sinkhorn *s)
{
    const double *sum = s->on.vector[PM_AT_SUM];
    double least = INFINITY;
    if (s->on.is_product)
        return false;
    for (int64_t i = 0; i < s->on.x.a.nrows; ++i)
        least = fmin(least, sum[i]);
    return least < LEAST_SUM;
}

/* Before factors change by a factor of exp(change), at most LONGEST_PIECE.  Looking at them on a GPU takes a copy of them. */
static pm_status make_room(pm_sinkhorn *s, pm_newton *t, double change, pm_error *err)
{
    pm_status status = PM_OK;
    if (change > t->room) {
        status = keep_range(s, err);
        t->room = LONGEST_PIECE;
    }
    t->room -= change;
    return status;
}

/* Applies the step, piece by piece.  On a GPU only the first one.  *change: of a logarithm, at most. */
static pm_status go(pm_sinkhorn *s, pm_newton *t, double *decrease, double *change, pm_error *err)
{
    const bool is_single = t->single;
    const double largest = largest_change(s, t->single);
    double part = largest > FIRST_PIECE ? FIRST_PIECE / largest : 1;
    const double whole = s->on.gpu ? part : 1;
    const double longest = s->on.x.a.narrow ? FIRST_PIECE : LONGEST_PIECE;
    double before = part, done = 0, gain = 0, slope = 0;
    pm_status status = PM_OK;
    while (part > 0) {
        status = s->on.gpu ? make_room(s, t, part * largest, err) : keep_range(s, err);
        if (status)
            break;
        set_rows(s, t, is_single, part, before);
        gain = pm_sinkhorn_finish(s);
        *decrease += gain;
        slope = done == 0 ? gain / part : slope;
        done += part;
        before = part;
        if (!(gain > LEAST_SLOPE * slope * part))
            break;
        part = fmin(fmin(2 * part, longest / largest), whole - done);
        if (!(part > LEAST_PART) || loses_rows(s)
            || s->products >= t->most) /* nothing is left, or it may not be taken */
            break;
    }
    while (!status && !(gain > 0) && part * largest > SAFE_PIECE) {
        part /= 2;
        set_rows(s, t, is_single, -part, before);
        before = -part;
        done -= part;
        const double more = pm_sinkhorn_finish(s);
        gain += more;
        *decrease += more;
    }
    *change = done * largest;
    s->is_far = !(done >= 1 - LEAST_LEFT) || (t->is_cut && s->residual > PM_NEWTON_FAR);
    return status;
}

/* Divides the factors of the columns by the exponentials of the vector w, which is lost, in pieces that stay in range. */
static pm_status change_columns(pm_sinkhorn *s, int w, pm_newton *t, pm_error *err)
{
    const double most = pm_workspace_reduce(&s->on, PM_REDUCE_LARGEST, w, w);
    const int pieces = (int)fmin(ceil(most / LONGEST_PIECE), COLUMN_PIECES);
    const double piece = most / pieces;
    pm_status status = PM_OK;
    if (!(most > 0))
        return PM_OK;
    if (!(most <= LONGEST_PIECE * COLUMN_PIECES))
        return pm_fail(err, PM_UNABLE, "a factor of the scaling is out of range");
    pm_workspace_map(&s->on, PM_MAP_EXP, -1.0 / pieces, w, w, w);
    for (int k = 0; k < pieces && !status; ++k) {
        status = make_room(s, t, piece, err);
        pm_workspace_map(&s->on, PM_MAP_MULTIPLY, 0, PM_AT_COL, w, PM_AT_COL);
    }
    return status;
}

/* Applies the step to the entries, linearly. */
static pm_status go_linearly(pm_sinkhorn *s, pm_newton *t, pm_error *err)
{
    if (t->single) {
        for (int64_t i = 0; i < s->on.x.a.nrows; ++i)
            s->on.vector[PM_AT_R][i] = t->single[i];
        pm_newton_free_step(t);
    } else {
        pm_workspace_move(&s->on, PM_AT_STEP, PM_AT_R);
    }
    pm_sinkhorn_by_columns(s, PM_AT_R, PM_AT_C);
    pm_linear_step(&s->on, PM_AT_R, PM_AT_C);
    pm_status status = change_columns(s, PM_AT_C, t, err);
    if (status)
        return status;
    pm_sinkhorn_fill(s, 1, PM_AT_R);
    pm_sinkhorn_finish(s);
    s->is_far = t->is_cut; /* small differences of the lines may add up along long paths */
    return PM_OK;
}

pm_status pm_newton_step(pm_sinkhorn *s, double share, pm_newton *t, double *decrease,
                         pm_error *err)
{
    double change = 0;
    *decrease = 0;
    pm_status status = pm_newton_solve(s, share, t, err);
    if (!status && t->single)
        status = pm_workspace_take(&s->on, PM_AT_OF_A_STEP, err);
    if (!status && s->is_linear)
        status = go_linearly(s, t, err);
    else if (!status)
        status = go(s, t, decrease, &change, err);
    t->change += change;
    return status;
}
