/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "estimate/item_bounds.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "bounds/hafnian_bounds.h"
#include "bounds/loop_bounds.h"
#include "core/team.h"
#include "matrix/symmetric.h"
#include "pm/alloc.h"

/* Entries of a block for which more threads are not worth starting, nor is a GPU, whose every operation takes longer. */
enum { SMALL = 20000 };

typedef struct {
    pm_bounds bound;
    pm_bethe_estimate estimate;
} numbers;

/* Bounds have one end of the interval of a counted value with an error, and of what rounding leaves of a sum. */
static const struct {
    size_t offset;
    pm_log10_end end;
} fields[] = {
    {offsetof(numbers, bound.schrijver), PM_LOG10_LOW},
    {offsetof(numbers, bound.gurvits), PM_LOG10_LOW},
    {offsetof(numbers, bound.van_der_waerden), PM_LOG10_LOW},
    {offsetof(numbers, bound.lower), PM_LOG10_LOW},
    {offsetof(numbers, bound.bregman), PM_LOG10_HIGH},
    {offsetof(numbers, bound.bregman_scaled), PM_LOG10_HIGH},
    {offsetof(numbers, bound.huber), PM_LOG10_HIGH},
    {offsetof(numbers, bound.bethe), PM_LOG10_HIGH},
    {offsetof(numbers, bound.upper), PM_LOG10_HIGH},
    {offsetof(numbers, bound.bethe_most), PM_LOG10_HIGH},
    {offsetof(numbers, estimate.low), PM_LOG10_LOW},
    {offsetof(numbers, estimate.log10), PM_LOG10_NEAR},
    {offsetof(numbers, estimate.high), PM_LOG10_HIGH},
};
enum { FIELDS = sizeof fields / sizeof *fields, BOUNDS = 10 };

static double *field(numbers *b, int f)
{
    return (double *)((char *)b + fields[f].offset);
}

static bool has_positive_entries(const pm_matrix *a)
{
    if (a->field == PM_COMPLEX)
        return false;
    for (int64_t k = 0; a->re && k < pm_matrix_nnz(a); ++k)
        if (pm_dyadic_sign(&a->re[k]) <= 0)
            return false;
    return true;
}

/* log10 of a bound of a counted value, from its error. */
static double counted(const pm_value *v, pm_log10_end end)
{
    const pm_xreal error = pm_value_is_exact(v)   ? (pm_xreal){0}
                           : end == PM_LOG10_LOW  ? pm_xreal_neg(v->error)
                           : end == PM_LOG10_HIGH ? v->error
                                                  : (pm_xreal){0};
    const double log10 = pm_xreal_log10(pm_xreal_add(pm_value_real(v), error));
    const double wrong = isfinite(log10) ? PM_LOG10_WRONG * fabs(log10) : 0;
    return pm_log10_rounded(log10, wrong, end);
}

/* The theorems need positive entries; for counted blocks a positive value is enough. */
static bool is_bounded(const pm_expression *x)
{
    if (x->node[0].is_zero)
        return true;
    for (int64_t i = 0; i < x->nblocks; ++i) {
        const pm_approx_block *b = x->block[i];
        if (pm_approx_block_is_sampled(b) && !has_positive_entries(&b->a))
            return false;
    }
    return pm_expression_is_positive(x);
}

static pm_status bounds_of_general(const pm_matrix *a, pm_backend backend, const pm_run *run,
                                   pm_bounds *out, pm_error *err)
{
    return pm_matrix_has_diagonal(a) ? pm_loop_bounds_make(a, backend, run, out, err)
                                     : pm_hafnian_bounds_make(a, backend, run, out, err);
}

static pm_status bounds_and_estimate(const pm_matrix *a, pm_backend backend, uint64_t seed,
                                     const pm_run *run, numbers *out, pm_error *err)
{
    pm_bethe_point point;
    pm_status status = pm_bounds_make_bracket(a, backend, run, &out->bound, &point, err);
    if (status)
        return status;
    status = pm_bethe_estimate_make(a, &point, backend, seed, run, &out->estimate, err);
    pm_bethe_point_free(&point);
    return status;
}

/* seed: NULL: without an estimate. */
static pm_status bounds_of(const pm_approx_block *b, pm_backend backend, const uint64_t *seed,
                           const pm_run *run, numbers *out, pm_error *err)
{
    if (!pm_approx_block_is_sampled(b)) {
        for (int f = 0; f < FIELDS; ++f)
            *field(out, f) = b->is_idle || !b->value ? 0 : counted(b->value, fields[f].end);
        return PM_OK;
    }
    pm_status status = seed         ? bounds_and_estimate(&b->a, backend, *seed, run, out, err)
                       : b->general ? bounds_of_general(&b->a, backend, run, &out->bound, err)
                                    : pm_bounds_make(&b->a, backend, run, &out->bound, err);
    /* entries are at least 1, and so is a sum that is not 0; with loops it may be 0 */
    if (!status && b->a.field <= PM_INTEGER && out->bound.upper > -INFINITY)
        out->bound.lower = fmax(out->bound.lower, 0);
    /* in each block, since a sum with one end that is not known is not known */
    if (!status && seed)
        out->estimate =
            pm_bethe_estimate_within(&out->estimate, out->bound.lower, out->bound.upper);
    return status;
}

static bool is_small(const pm_expression *x, int64_t i)
{
    return pm_matrix_nnz(&x->block[i]->a) < SMALL;
}

/* Small blocks side by side, each by one thread, on the CPU in any case. */
static pm_status small_blocks(const pm_expression *x, const uint64_t *seed, const pm_run *run,
                              numbers *each, pm_error *err)
{
    int64_t count = 0, failed = -1;
    for (int64_t i = 0; i < x->nblocks; ++i)
        count += is_small(x, i);
    const int64_t most = pm_run_threads(run);
    const int threads = pm_team(run, (int)(count < 1 ? 1 : count < most ? count : most));
    pm_run alone = run ? *run : (pm_run){0};
    pm_status status = PM_OK;
    alone.threads = 1;
    alone.progress = NULL; /* this and the next are for one thread at a time */
    alone.note = NULL;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16) if (threads > 1)
    for (int64_t i = 0; i < x->nblocks; ++i) {
        pm_error why;
        const pm_status s =
            is_small(x, i) ? bounds_of(x->block[i], PM_BACKEND_CPU, seed, &alone, &each[i], &why)
                           : PM_OK;
        if (!s)
            continue;
#pragma omp critical(pm_small_blocks)
        if (failed < 0 || i < failed) {
            failed = i;
            status = s;
            if (err)
                *err = why;
        }
    }
    return status;
}

static pm_status make(const pm_expression *x, pm_backend backend, const uint64_t *seed,
                      const pm_run *run, numbers *out, pm_error *err)
{
    if (!is_bounded(x))
        return pm_fail(
            err, PM_UNABLE,
            "expected entries and factors for bounds that are neither negative nor complex");
    pm_status status = pm_bounds_demand(backend, err);
    if (status)
        return status;
    numbers *each = pm_alloc_array(x->nblocks, sizeof *each);
    double *one = pm_alloc_array(x->nblocks, sizeof *one);
    status = each && one ? small_blocks(x, seed, run, each, err) : pm_fail_memory(err, "bounds");
    for (int64_t i = 0; i < x->nblocks && !status; ++i)
        if (!is_small(x, i))
            status = bounds_of(x->block[i], backend, seed, run, &each[i], err);
    for (int f = 0; f < (seed ? FIELDS : BOUNDS) && !status; ++f) {
        for (int64_t i = 0; i < x->nblocks; ++i)
            one[i] = *field(&each[i], f);
        status = pm_expression_log10(x, one, fields[f].end, field(out, f), err);
    }
    free(each);
    free(one);
    return status;
}

pm_status pm_item_bounds_make(const pm_expression *x, pm_backend backend, const pm_run *run,
                              pm_bounds *out, pm_error *err)
{
    numbers all;
    pm_status status = make(x, backend, NULL, run, &all, err);
    if (!status)
        *out = all.bound;
    return status;
}

pm_status pm_item_bounds_make_estimate(const pm_expression *x, pm_backend backend, uint64_t seed,
                                       const pm_run *run, pm_bounds *out,
                                       pm_bethe_estimate *estimate, pm_error *err)
{
    numbers all;
    pm_status status = make(x, backend, &seed, run, &all, err);
    if (!status) {
        *out = all.bound;
        *estimate = pm_bethe_estimate_within(&all.estimate, out->lower, out->upper);
    }
    return status;
}
