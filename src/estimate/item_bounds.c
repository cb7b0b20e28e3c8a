/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "estimate/item_bounds.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bounds/hafnian_bounds.h"
#include "bounds/loop_bounds.h"
#include "core/team.h"
#include "estimate/one_matrix.h"
#include "matrix/short_line.h"
#include "matrix/symmetric.h"
#include "number/dyadic_size.h"
#include "pm/alloc.h"

/* Entries of a block for which more threads are not worth starting, nor is a GPU, whose every operation takes longer. */
enum { SMALL = 20000 };

/* Entries of a pattern whose lines are merged for its bounds, at most: the merged matrix takes a hundred bytes for each. */
enum { MERGED_MOST = 1 << 18 };

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
bool pm_item_is_bounded(const pm_expression *x)
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

/* ---- sizes ---- */

/* The matrix of the sizes of the entries, rounded up. */
static pm_status sizes_of(const pm_matrix *a, pm_matrix *out, pm_error *err)
{
    const pm_dyadic zero = {0};
    const int64_t nnz = pm_matrix_nnz(a);
    pm_status status = pm_matrix_alloc(out, a->field == PM_COMPLEX ? PM_REAL : a->field, a->nrows,
                                       a->ncols, nnz, err);
    if (status)
        return status;
    memcpy(out->rowptr, a->rowptr, ((size_t)a->nrows + 1) * sizeof *a->rowptr);
    memcpy(out->colind, a->colind, (size_t)nnz * sizeof *a->colind);
    for (int64_t k = 0; a->re && k < nnz; ++k) {
        if (a->im && !pm_dyadic_is_zero(&a->im[k])) {
            pm_dyadic_set_size(&out->re[k], &a->re[k], &a->im[k]);
        } else {
            pm_dyadic_add(&out->re[k], &a->re[k], &zero);
            pm_dyadic_abs(&out->re[k]);
        }
    }
    return PM_OK;
}

/* log10 of a bound of the size of a counted value. */
static double counted_size(const pm_value *v)
{
    pm_value x;
    pm_value_init(&x);
    pm_value_set(&x, v);
    pm_value_widen(&x, PM_COMPLEX);
    const pm_xreal most =
        pm_xreal_add(pm_xreal_add(pm_xreal_abs(x.re), pm_xreal_abs(x.im)), x.error);
    const double log10 = pm_xreal_log10(most);
    pm_value_clear(&x);
    return pm_log10_rounded(log10, isfinite(log10) ? PM_LOG10_WRONG * fabs(log10) : 0,
                            PM_LOG10_HIGH);
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

static bool may_merge(const pm_matrix *a)
{
    return !a->re && a->nrows > 1 && pm_matrix_nnz(a) <= MERGED_MOST;
}

/* The better ones of the bounds of a pattern and of what it becomes when lines of two entries are merged.  Matrices with weights have been merged
 * before; a pattern with such a line loses rows here, so that this ends. */
static pm_status bounds_of_pattern(const pm_matrix *a, pm_backend backend, const pm_run *run,
                                   pm_bounds *out, pm_error *err)
{
    const pm_expression_how how = {.asked = PM_MATCHING_PERFECT, .merges = PM_MERGES_ALL};
    pm_expression x = {0};
    numbers merged, own;
    pm_status status = pm_one_matrix_expression(&x, a, &how, run, err);
    if (!status)
        status = pm_item_bounds_make(&x, backend, run, &merged.bound, err);
    pm_expression_free(&x);
    if (!status)
        status = pm_bounds_make(a, backend, run, &own.bound, err);
    if (status)
        return status;
    for (int f = 0; f < BOUNDS; ++f)
        *field(&own, f) = fields[f].end == PM_LOG10_LOW ? fmax(*field(&own, f), *field(&merged, f))
                                                        : fmin(*field(&own, f), *field(&merged, f));
    *out = own.bound;
    return PM_OK;
}

static pm_status bounds_of_matrix(const pm_matrix *a, pm_backend backend, const pm_run *run,
                                  pm_bounds *out, pm_error *err)
{
    bool is_short = false;
    pm_status status = may_merge(a) ? pm_short_line_find(a, &is_short, err) : PM_OK;
    if (status)
        return status;
    return is_short ? bounds_of_pattern(a, backend, run, out, err)
                    : pm_bounds_make(a, backend, run, out, err);
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
                                    : bounds_of_matrix(&b->a, backend, run, &out->bound, err);
    /* entries are at least 1, and so is a sum that is not 0; with loops it may be 0 */
    if (!status && b->a.field <= PM_INTEGER && out->bound.upper > -INFINITY)
        out->bound.lower = fmax(out->bound.lower, 0);
    /* in each block, since a sum with one end that is not known is not known */
    if (!status && seed)
        out->estimate =
            pm_bethe_estimate_within(&out->estimate, out->bound.lower, out->bound.upper);
    return status;
}

static void forget_lower(pm_bounds *b)
{
    b->schrijver = b->gurvits = b->van_der_waerden = b->lower = -INFINITY;
    b->bethe_most = INFINITY;
}

static pm_status size_bounds_of(const pm_approx_block *b, pm_backend backend, const pm_run *run,
                                pm_bounds *out, pm_error *err)
{
    pm_matrix sizes = {0};
    if (!pm_approx_block_is_sampled(b)) {
        const double most = b->is_idle || !b->value ? 0 : counted_size(b->value);
        *out = (pm_bounds){
            .bregman = most, .bregman_scaled = most, .huber = most, .bethe = most, .upper = most};
        return PM_OK;
    }
    pm_status status = sizes_of(&b->a, &sizes, err);
    if (!status)
        status = b->general ? bounds_of_general(&sizes, backend, run, out, err)
                            : bounds_of_matrix(&sizes, backend, run, out, err);
    pm_matrix_free(&sizes);
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
    if (!pm_item_is_bounded(x))
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

pm_status pm_item_size_bounds_make(const pm_expression *x, pm_backend backend, const pm_run *run,
                                   pm_bounds *out, pm_error *err)
{
    static const size_t upper[] = {offsetof(pm_bounds, bregman),
                                   offsetof(pm_bounds, bregman_scaled), offsetof(pm_bounds, huber),
                                   offsetof(pm_bounds, bethe), offsetof(pm_bounds, upper)};
    enum { UPPER = sizeof upper / sizeof *upper };
    pm_status status = pm_bounds_demand(backend, err);
    if (status)
        return status;
    pm_bounds *each = pm_alloc_array(x->nblocks, sizeof *each);
    double *one = pm_alloc_array(x->nblocks, sizeof *one);
    status = each && one ? PM_OK : pm_fail_memory(err, "bounds");
    for (int64_t i = 0; i < x->nblocks && !status; ++i)
        status = size_bounds_of(x->block[i], is_small(x, i) ? PM_BACKEND_CPU : backend, run,
                                &each[i], err);
    forget_lower(out);
    for (int f = 0; f < UPPER && !status; ++f) {
        for (int64_t i = 0; i < x->nblocks; ++i)
            one[i] = *(double *)((char *)&each[i] + upper[f]);
        status = pm_expression_size_log10(x, one, (double *)((char *)out + upper[f]), err);
    }
    free(each);
    free(one);
    return status;
}
