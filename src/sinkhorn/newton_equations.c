/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "pm/memory.h"
#include "sinkhorn/single_step.h"
#include "sinkhorn/sweeps.h"
#include "spmv/conjugate_gradients.h"

enum {
    PRODUCTS = 2, /* of a step of conjugate gradients */
    MAKING =
        20, /* products as which coarse systems count when they are made: a fifth of the time that they take, so that small limits suffice */
    COARSE_LEAST = 10, /* steps with them: for fewer they are not made */
    PARTS = 4, /* a step for a large matrix takes at most one of so many parts of all products, */
    PART_LEAST = 200, /* or as many as this */
    HOPELESS =
        4, /* without coarse systems it ends after one of so many parts of them if more remains than at the beginning */
    MANY_STEPS = 25,  /* of conjugate gradients: then there are coarse systems */
    MANY_ON_GPU = 200 /* on a GPU, where steps take little time: then the host goes on */
};
/* Coarse systems are made again when steps have changed a logarithm by more than this: to make them takes as long as some 25 steps of
 * conjugate gradients with them, but old ones cost hundreds where few rows have changed much. */
#define COARSE_CHANGE 1.0
#define ROUNDING      0x1p-56 /* of a row: what remains of the equations */

static void free_coarse(pm_newton *t)
{
    if (t->has_coarse)
        pm_coarse_free(&t->coarse);
    t->has_coarse = false;
    t->change = 0;
}

void pm_newton_free_step(pm_newton *t)
{
    free(t->single);
    t->single = NULL;
}

void pm_newton_free(pm_newton *t)
{
    free_coarse(t);
    pm_newton_free_step(t);
}

/* y = (diag(SUM) - X X^T) x; returns x^T y. */
static double multiply_on_gpu(pm_workspace *w, int x, int y)
{
    double along;
    const pm_vector_step step[] = {pm_step_multiply(PM_AT_Q, y),
                                   pm_step_map(PM_MAP_REST, 0, PM_AT_SUM, x, y),
                                   pm_step_reduce(PM_REDUCE_DOT, x, y)};
    pm_workspace_multiply(w, true, x, PM_AT_Q);
    pm_workspace_run(w, step, 3, &along);
    return along;
}

/* The same on the host, where SUM has no memory meanwhile. */
static double multiply(pm_workspace *w, int x, int y)
{
    double along;
    const pm_vector_step step[] = {pm_step_differences(PM_AT_Q, x, y),
                                   pm_step_reduce(PM_REDUCE_DOT, x, y)};
    pm_workspace_multiply(w, true, x, PM_AT_Q);
    pm_workspace_run(w, step, 2, &along);
    return along;
}

/* x = the diagonal of the second derivative */
static void set_diagonal(pm_sinkhorn *s, int x)
{
    pm_workspace_squares(&s->on, x);
    pm_workspace_map(&s->on, PM_MAP_REMAINDER, 0, PM_AT_SUM, PM_AT_SUM, x);
}

/* Conjugate gradients for (diag(SUM) - X X^T) STEP = 1 - SUM, at most `steps` of them, until what remains is `share` of the right
 * side.  On the host SUM is lost: REST takes its memory.  Returns whether they ended before that. */
static bool solve_double(pm_sinkhorn *s, double share, int64_t steps)
{
    set_diagonal(s, PM_AT_DIAGONAL);
    const int sum = s->on.gpu ? PM_AT_SUM : PM_AT_REST;
    if (sum != PM_AT_SUM)
        pm_workspace_move(&s->on, PM_AT_SUM, sum);
    pm_workspace_map(&s->on, PM_MAP_FROM_ONE, 0, sum, sum, PM_AT_REST);
    const pm_symmetric_system system = {.on = &s->on,
                                        .multiply = s->on.gpu ? multiply_on_gpu : multiply,
                                        .diagonal = PM_AT_DIAGONAL,
                                        .work = PM_AT_SOLVER,
                                        .run = s->run};
    const double n = (double)s->on.x.a.nrows;
    const double size = sqrt(pm_workspace_reduce(&s->on, PM_REDUCE_DOT, PM_AT_REST, PM_AT_REST));
    const int64_t taken = pm_conjugate_gradients(&system, fmax(share * size, ROUNDING * sqrt(n)),
                                                 steps, PM_AT_REST, PM_AT_STEP);
    if (s->is_linear
        && !(pm_workspace_reduce(&s->on, PM_REDUCE_DOT, PM_AT_REST, PM_AT_REST) <= size * size))
        pm_sinkhorn_fill(s, 0, PM_AT_STEP);
    if (sum != PM_AT_SUM)
        pm_workspace_move(&s->on, sum, PM_AT_SUM);
    s->products += PRODUCTS * taken;
    return taken < steps;
}

/* Steps of conjugate gradients that are left; each counts as `products`.  In a large matrix one system does not take them all: where weights
 * differ by many magnitudes, equations of a sum that hardly matters may take thousands.  A linear step that is cut short brings too little. */
static int64_t steps_left(const pm_sinkhorn *s, const pm_newton *t, int64_t products)
{
    const int64_t left = t->most - s->products;
    const int64_t part = t->most / PARTS > PART_LEAST ? t->most / PARTS : PART_LEAST;
    const bool is_cut = !s->is_linear && s->on.x.a.nrows >= PM_SINGLE_ROWS && part < left;
    return left > 0 ? (is_cut ? part : left) / products : 0;
}

/* The equations in single precision; the vectors of a step have no memory meanwhile.  coarse: NULL, or systems beside the diagonal. */
static pm_status solve_single(pm_sinkhorn *s, double share, int64_t steps, const pm_coarse *coarse,
                              pm_newton *t, bool *ended, pm_error *err)
{
    pm_single_end end = {0};
    pm_workspace_drop(&s->on, PM_AT_OF_A_STEP);
    pm_sinkhorn_fold(s, t->target);
    pm_newton_free_step(t);
    pm_memory_give_back(); /* of the step before */
    const int64_t some = steps < PART_LEAST / 2 ? steps : PART_LEAST / 2;
    const int64_t hopeless = s->has_no_coarse ? (s->is_linear ? some : steps) / HOPELESS : 0;
    const pm_single_equations equations = {&s->on, coarse, share, steps, hopeless, s->run};
    t->single = pm_alloc_array(s->on.x.a.nrows, sizeof *t->single);
    pm_status status = t->single ? pm_single_step(&equations, t->single, &end, err)
                                 : pm_fail_memory(err, "vectors");
    if (status)
        return status;
    s->products += (PRODUCTS + (coarse ? coarse->products : 0)) * end.taken;
    *ended = end.taken < steps && !end.is_hopeless;
    if (s->is_linear && end.is_worse) /* it would spoil the sums */
        memset(t->single, 0, (size_t)s->on.x.a.nrows * sizeof *t->single);
    t->is_hopeless = end.is_hopeless;
    s->is_wide = end.is_broken;
    s->is_slow = s->is_slow && !s->is_wide;
    return PM_OK;
}

/* Where single precision is not enough, the equations are solved again in double precision, without coarse systems and in as many steps as
 * are left. */
static pm_status solve_within(pm_sinkhorn *s, double share, int64_t steps, const pm_coarse *coarse,
                              pm_newton *t, bool *ended, pm_error *err)
{
    if (pm_sinkhorn_is_single(s)) {
        pm_status status = solve_single(s, share, steps, coarse, t, ended, err);
        if (status || !s->is_wide)
            return status;
        free_coarse(t);
        status = pm_sinkhorn_unfold(s, err);
        if (!status)
            status = pm_workspace_take(&s->on, PM_AT_OF_A_STEP, err);
        if (status)
            return status;
        pm_sinkhorn_sum_rows(s, PM_AT_SUM);
        steps = steps_left(s, t, PRODUCTS);
    }
    pm_newton_free_step(t);
    *ended = solve_double(s, share, steps);
    return PM_OK;
}

/* Whether after so many products enough are left to make coarse systems and to use them. */
static bool can_pay(const pm_sinkhorn *s, const pm_newton *t, int64_t before)
{
    return t->most - s->products - before >= MAKING + 2 * PRODUCTS * COARSE_LEAST;
}

/* The factors have arrays of their own only while a GPU has the vectors. */
static pm_status leave_gpu(pm_sinkhorn *s, pm_error *err)
{
    if (!s->on.gpu)
        return PM_OK;
    free(s->row);
    free(s->col);
    pm_status status = pm_workspace_leave_gpu(&s->on, PM_AT_OF_A_STEP, err);
    if (s->drops_row && !status)
        pm_workspace_drop(&s->on, PM_AT_OF_A_STEP - 1);
    s->row = s->drops_row ? NULL : s->on.vector[PM_AT_ROW];
    s->col = s->on.vector[PM_AT_COL];
    return status;
}

/* Coarse systems for the matrix as it is, or as it was some short steps ago.  They are for single precision, so the vectors of the
 * step have no memory from here on. */
static pm_status use_coarse(pm_sinkhorn *s, pm_newton *t, pm_error *err)
{
    if (t->has_coarse && (t->change <= COARSE_CHANGE || !can_pay(s, t, 0)))
        return PM_OK;
    free_coarse(t);
    pm_status status = leave_gpu(s, err);
    if (status)
        return status;
    pm_workspace_drop(&s->on, PM_AT_OF_A_STEP);
    pm_sinkhorn_fold(s, t->target);
    pm_memory_give_back();
    status = pm_coarse_make(&s->on, &t->coarse, &t->has_coarse, err);
    pm_memory_give_back(); /* of the levels while they were made */
    s->products += MAKING;
    s->is_slow = t->has_coarse;
    s->has_no_coarse = !t->has_coarse;
    return status;
}

pm_status pm_newton_solve(pm_sinkhorn *s, double share, pm_newton *t, pm_error *err)
{
    const int64_t steps = steps_left(s, t, PRODUCTS), before = s->products;
    const int many = s->on.gpu ? MANY_ON_GPU : MANY_STEPS;
    pm_status status = PM_OK;
    bool ended = false;
    if (pm_sinkhorn_is_single(s))
        pm_workspace_drop(&s->on, PM_AT_OF_A_STEP);
    if (!s->is_slow) {
        bool is_possible = !s->has_no_coarse && !s->is_wide && steps > many
                           && !(s->on.gpu && s->is_linear)
                           && can_pay(s, t, s->on.gpu ? 0 : PRODUCTS * many);
        status = is_possible ? pm_coarse_check(&s->on, &is_possible, err) : PM_OK;
        if (!status)
            status = solve_within(s, share, is_possible ? many : steps, NULL, t, &ended, err);
        t->is_cut = !ended;
        if (status || ended || !is_possible || s->is_wide)
            return status;
    }
    if (s->on.gpu)
        s->products = before;
    pm_newton_free_step(t);
    if (t->has_coarse || can_pay(s, t, 0))
        status = use_coarse(s, t, err);
    if (!status)
        status = solve_within(s, share,
                              steps_left(s, t, PRODUCTS + (t->has_coarse ? t->coarse.products : 0)),
                              t->has_coarse ? &t->coarse : NULL, t, &ended, err);
    t->is_cut = !ended;
    if (s->is_linear) /* entries change too much; and vectors of the step take their memory */
        free_coarse(t);
    return status;
}
