/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/bounds.h"

#include <math.h>

#include "bounds/bethe_bounds.h"
#include "bounds/bethe_matrix.h"
#include "bounds/bounds_work.h"
#include "bounds/line_bounds.h"
#include "bounds/lower_bounds.h"
#include "spmv/device_choice.h"

static void start_scaling(pm_bounds_work *w)
{
#pragma omp parallel for num_threads(w->threads) if (w->threads > 1)
    for (int64_t k = 0; k < pm_matrix_nnz(w->a); ++k)
        w->scaling.x[k] = pm_bounds_entry(w, k);
    pm_sinkhorn_start(&w->scaling, w->scaling.x);
}

/* Ten sweeps: their factors are moderate. */
static pm_status scale_shortly(pm_bounds_work *w, pm_error *err)
{
    start_scaling(w);
    return pm_sinkhorn_improve(&w->scaling, INFINITY, 0, err);
}

/* Sinkhorn's scaling, and with it the bounds by the capacity and those of the rows and the columns; any factors give the latter, which
 * need no entries of the scaled matrix any more. */
static pm_status scaled_bounds(pm_bounds_work *w, pm_bounds *out, pm_error *err)
{
    const int64_t all = pm_bethe_matrix_products(w), first = pm_bethe_matrix_first_products(w);
    const bool has_part = first < all && w->scaling.is_far; /* the first scaling was cut short */
    const bool has_bound = isfinite(out->schrijver), is_linear = w->scaling.is_linear,
               is_lattice = is_linear || w->scaling.is_slow,
               ascends = !has_bound || (is_lattice && pm_bounds_may_ascend(w, out));
    const bool is_short = pm_bounds_is_hasty(w)
                              ? has_bound || !(pm_bethe_matrix_has_time(w) || has_part)
                              : is_linear && !ascends;
    const int64_t most = has_part                ? all - first
                         : pm_bounds_is_hasty(w) ? all / 2 /* one found nothing */
                                                 : all;
    bool found = false;
    pm_status status;
    if (is_short) {
        status = scale_shortly(w, err);
    } else {
        start_scaling(w);
        status = pm_bethe_matrix_scale(w, most, &found, err);
    }
    if (!status && found)
        status = pm_bounds_by_capacity(w, out, err);
    if (!status && found && ascends)
        status = pm_bounds_ascend(w, out, err);
    else if (!status && !found && w->a->re && !isfinite(out->schrijver) && !isfinite(out->lower))
        status = pm_bounds_by_matching(w, out, err);
    if (!status && !is_short && !pm_bounds_have_range(w)) /* for the bounds by lines */
        status = scale_shortly(w, err);
    w->b = NULL;
    pm_sinkhorn_drop_entries(&w->scaling);
    return status ? status : pm_bounds_by_lines(w, out, err);
}

/* out->lower: of one matching, or -INFINITY. */
static void sum_up(const pm_matrix *a, pm_bounds *out)
{
    out->lower = fmax(fmax(out->lower, out->schrijver), fmax(out->gurvits, out->van_der_waerden));
    if (a->field <= PM_INTEGER
        && isfinite(out->lower)) /* Birkhoff: a doubly stochastic matrix has a matching */
        out->lower = fmax(out->lower, 0);
    out->upper = fmin(fmin(out->bregman, out->bregman_scaled), fmin(out->huber, out->bethe));
}

typedef struct {
    const pm_matrix *a;
    const pm_run *run;
    pm_bounds *out;
    pm_bethe_point *point; /* NULL: not wanted */
} question;

static pm_status make(void *context, int device, pm_error *err)
{
    const question *q = context;
    pm_bounds_work w;
    pm_bounds b = {.schrijver = -INFINITY,
                   .gurvits = -INFINITY,
                   .van_der_waerden = -INFINITY,
                   .lower = -INFINITY,
                   .bregman = INFINITY,
                   .bregman_scaled = INFINITY,
                   .huber = INFINITY,
                   .bethe = INFINITY,
                   .bethe_most = INFINITY};
    pm_status status = pm_bounds_work_make(q->a, device, q->run, q->point, &w, err);
    if (!status)
        status = pm_bounds_by_bethe(&w, &b, err);
    if (!status)
        status = scaled_bounds(&w, &b, err);
    if (!status) {
        sum_up(q->a, &b);
        *q->out = b;
        if (q->point) {
            q->point->lower = b.lower * M_LN10;
            q->point->upper = b.upper * M_LN10;
        }
    }
    pm_bounds_work_free(&w);
    return status;
}

pm_status pm_bounds_make(const pm_matrix *a, pm_backend backend, const pm_run *run, pm_bounds *out,
                         pm_error *err)
{
    question q = {a, run, out, NULL};
    return pm_on_device(backend, pm_matrix_nnz(a), make, &q, run, err);
}

pm_status pm_bounds_make_bracket(const pm_matrix *a, pm_backend backend, const pm_run *run,
                                 pm_bounds *out, pm_bethe_point *point, pm_error *err)
{
    question q = {a, run, out, point};
    *point = (pm_bethe_point){0};
    pm_status status = pm_on_device(backend, pm_matrix_nnz(a), make, &q, run, err);
    if (status)
        pm_bethe_point_free(point);
    return status;
}

pm_status pm_bounds_demand(pm_backend backend, pm_error *err)
{
    return pm_device_demand(backend, err);
}

void pm_bounds_prepare(pm_backend backend)
{
    pm_device_prepare(backend);
}

void pm_bounds_prepared(void)
{
    pm_device_prepared();
}
