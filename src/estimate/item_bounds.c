/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "estimate/item_bounds.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "pm/alloc.h"

static const size_t fields[] = {
    offsetof(pm_bounds, schrijver),       offsetof(pm_bounds, gurvits),
    offsetof(pm_bounds, van_der_waerden), offsetof(pm_bounds, lower),
    offsetof(pm_bounds, bregman),         offsetof(pm_bounds, bregman_scaled),
    offsetof(pm_bounds, huber),           offsetof(pm_bounds, bethe),
    offsetof(pm_bounds, upper),
};
enum { FIELDS = sizeof fields / sizeof *fields, LOWER_FIELDS = 4 };

static double *field(pm_bounds *b, int f)
{
    return (double *)((char *)b + fields[f]);
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

static pm_xreal less(pm_xreal a, pm_xreal b)
{
    return pm_xreal_add(a, pm_xreal_neg(b));
}

/* log10 of a bound of a counted value, from its error. */
static double counted(const pm_value *v, bool is_upper)
{
    if (pm_value_is_exact(v))
        return pm_xreal_log10(pm_xreal_from_mpq(v->exact));
    return pm_xreal_log10(is_upper ? pm_xreal_add(v->re, v->error) : less(v->re, v->error));
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

static pm_status bounds_of(const pm_approx_block *b, const pm_run *run, pm_bounds *out,
                           pm_error *err)
{
    if (pm_approx_block_is_sampled(b))
        return pm_bounds_make(&b->a, run, out, err);
    for (int f = 0; f < FIELDS; ++f)
        *field(out, f) = b->is_idle ? 0 : counted(&b->value, f >= LOWER_FIELDS);
    return PM_OK;
}

pm_status pm_item_bounds_make(const pm_expression *x, const pm_run *run, pm_bounds *out,
                              pm_error *err)
{
    if (!is_bounded(x))
        return pm_fail(
            err, PM_UNABLE,
            "expected entries and factors for bounds that are neither negative nor complex");
    pm_status status = PM_OK;
    pm_bounds *each = pm_alloc_array(x->nblocks, sizeof *each);
    double *one = pm_alloc_array(x->nblocks, sizeof *one);
    if (!each || !one)
        status = pm_fail_memory(err, "bounds");
    for (int64_t i = 0; i < x->nblocks && !status; ++i)
        status = bounds_of(x->block[i], run, &each[i], err);
    for (int f = 0; f < FIELDS && !status; ++f) {
        for (int64_t i = 0; i < x->nblocks; ++i)
            one[i] = *field(&each[i], f);
        status = pm_expression_log10(x, one, field(out, f), err);
    }
    free(each);
    free(one);
    return status;
}
