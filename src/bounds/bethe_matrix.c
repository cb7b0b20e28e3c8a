/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/bethe_matrix.h"

#include <math.h>

#include "bounds/bethe.h"
#include "sinkhorn/coarse.h"
#include "sinkhorn/doubly_stochastic.h"

/* Products of a scaling: so many that they read ENTRIES, from PRODUCTS_LEAST to PRODUCTS_MOST. */
enum { PRODUCTS_LEAST = 300, PRODUCTS_MOST = 4000 };
#define ENTRIES 4e9

/* The same with linear steps: nothing is scaled a second time after them.  A GPU makes PM_BETHE_MATRIX_ON_GPU times as many products. */
#define LINEAR_ENTRIES 20e9
#define NEAR           0x1p-10 /* a residual up to this needs none */
/* Before linear steps entries become at least this: smaller ones carry little, and make the equations hard. */
#define LEAST_CURRENT 0x1p-12
/* Residuals after linear steps at which sums are made exact first.  Where entries are similar, errors of the sums add up along long paths. */
#define FIRST_SIMILAR   0x1p-16
#define FIRST_DIFFERENT 0x1p-6

/* In a large graph whose entries are similar, the scaling after belief propagation first gets 1 / FIRST_PART of the
 * products, and the rest only if its factors are not far from right by then.  In lattices with frozen corners they are, and Sinkhorn's scaling
 * comes nearer. */
enum { FIRST_PART = 4 };

enum { SMALL = 100000 }; /* entries: all scalings are tried */

/* Natural logarithms for each row: the maximum of F may be so much above F at the probabilities. */
#define GOOD 0x1p-12

/* Sweeps of belief propagation for an estimate: at most POINT_SWEEPS, which change at most POINT_MESSAGES. */
#define POINT_SWEEPS   200.0
#define POINT_MESSAGES 1e9

static int64_t products_of(const pm_bounds_work *w, double entries)
{
    return (int64_t)fmin(fmax(entries / (double)pm_matrix_nnz(w->a), PRODUCTS_LEAST),
                         PRODUCTS_MOST);
}

int64_t pm_bethe_matrix_products(const pm_bounds_work *w)
{
    return products_of(w, ENTRIES);
}

static int64_t linear_products(const pm_bounds_work *w)
{
    return products_of(w, LINEAR_ENTRIES) * (w->scaling.on.gpu ? PM_BETHE_MATRIX_ON_GPU : 1);
}

/* Sweeps of belief propagation.  For an estimate they should come near the maximum: a sweep takes as long as one or two products,
 * and each digit saves many products of the scaling. */
static int sweeps_for(const pm_bounds_work *w)
{
    const int64_t nnz = pm_matrix_nnz(w->a);
    const int sweeps = pm_bethe_sweeps(nnz),
              more = (int)fmin(POINT_SWEEPS, POINT_MESSAGES / (double)nnz);
    return w->point && more > sweeps ? more : sweeps;
}

static void raise_entries(pm_bounds_work *w, double least)
{
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1)
    for (int64_t k = 0; k < pm_matrix_nnz(w->a); ++k)
        w->scaling.x[k] = fmax(w->scaling.x[k], least);
}

pm_status pm_bethe_matrix_scale(pm_bounds_work *w, int64_t most, bool *found, pm_error *err)
{
    const double first = !w->scaling.is_linear ? 0
                         : w->is_similar       ? FIRST_SIMILAR
                                               : FIRST_DIFFERENT;
    pm_status status = pm_doubly_stochastic(w->a, &w->scaling, first, most, found, err);
    w->b = w->scaling.x;
    return status;
}

int64_t pm_bethe_matrix_first_products(const pm_bounds_work *w)
{
    const int64_t all = pm_bethe_matrix_products(w);
    return pm_bounds_is_hasty(w) && w->is_similar ? all / FIRST_PART : all;
}

/* Linear steps are for matrices that are not small and may have coarse systems: for lattices and meshes.  Where entries differ a scaling that
 * converges is nearer to the maximum, so only large ones get them. */
static pm_status may_be_linear(const pm_bounds_work *w, bool *may, pm_error *err)
{
    const int64_t nnz = pm_matrix_nnz(w->a);
    *may = nnz >= SMALL && (w->is_similar || nnz >= PM_BOUNDS_LARGE);
    return *may ? pm_coarse_check(&w->scaling.on, may, err) : PM_OK;
}

/* Whether an estimate is wanted and the probabilities are as good for it as a doubly stochastic matrix.  They are
 * where their sums are wrong in few places only. */
static bool are_good(const pm_bounds_work *w)
{
    const double most = GOOD * (double)w->a->nrows;
    return pm_bounds_is_hasty(w)
           && pm_bethe_imbalance(w->a, w->entries.value, &w->scaling, w->threads) <= most;
}

/* Where the sums of the probabilities are not near 1 the scaling gets linear steps. */
static pm_status begin_linearly(pm_bounds_work *w, bool *is_linear, pm_error *err)
{
    pm_status status = may_be_linear(w, is_linear, err);
    if (status || !*is_linear)
        return status;
    status = pm_sinkhorn_improve(&w->scaling, NEAR, 0, err);
    *is_linear = !status && !(w->scaling.residual <= NEAR) && !are_good(w);
    if (!*is_linear)
        return status;
    raise_entries(w, LEAST_CURRENT);
    pm_sinkhorn_start_again(&w->scaling, w->scaling.x);
    pm_sinkhorn_step_linearly(&w->scaling);
    return PM_OK;
}

pm_status pm_bethe_matrix_make(pm_bounds_work *w, double least, bool *found, pm_error *err)
{
    const pm_bethe_limits limits = {1e-15, sweeps_for(w), 1e-14};
    double *col = w->scaling.col;
    pm_status status =
        pm_bethe_probabilities(w->a, w->entries.value, &limits, &w->scaling.on, w->run, col, err);
    if (status)
        return status;
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1)
    for (int64_t j = 0; j < w->a->ncols; ++j)
        col[j] = 1 / col[j];
    raise_entries(w, least);
    pm_sinkhorn_start_from(&w->scaling, w->scaling.x);
    bool is_linear = false;
    status = begin_linearly(w, &is_linear, err);
    const int64_t most = is_linear ? linear_products(w) : pm_bethe_matrix_products(w),
                  first = is_linear ? most : pm_bethe_matrix_first_products(w);
    if (!status)
        status = pm_bethe_matrix_scale(w, first, found, err);
    if (!status && !*found && first < most && !w->scaling.is_far)
        status = pm_bethe_matrix_scale(w, most, found, err);
    return status;
}

bool pm_bethe_matrix_has_time(const pm_bounds_work *w)
{
    const int64_t most = pm_bethe_matrix_products(w);
    return pm_matrix_nnz(w->a) < SMALL || (!w->scaling.is_stuck && w->scaling.products < most / 4);
}
