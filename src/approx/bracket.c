/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "approx/bracket.h"

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
enum { FIELDS = sizeof fields / sizeof *fields };

static double *field(pm_bounds *b, int f)
{
    return (double *)((char *)b + fields[f]);
}

static pm_status bounds_of(const pm_approx_block *b, pm_bounds *out, pm_error *err)
{
    if (!b->is_exact && !b->is_idle)
        return pm_bounds_make(&b->a, out, err);
    for (int f = 0; f < FIELDS; ++f)
        *field(out, f) = pm_approx_block_log10(b);
    return PM_OK;
}

pm_status pm_bracket_make(const pm_expression *x, pm_bounds *out, pm_error *err)
{
    pm_status s = PM_OK;
    pm_bounds *each = pm_alloc_array(x->nblocks, sizeof *each);
    double *one = pm_alloc_array(x->nblocks, sizeof *one);
    if (!each || !one)
        s = pm_fail_memory(err, "bounds");
    for (int64_t i = 0; i < x->nblocks && s == PM_OK; ++i)
        s = bounds_of(x->block[i], &each[i], err);
    for (int f = 0; f < FIELDS && s == PM_OK; ++f) {
        for (int64_t i = 0; i < x->nblocks; ++i)
            one[i] = *field(&each[i], f);
        s = pm_expression_log10(x, one, field(out, f), err);
    }
    free(each);
    free(one);
    return s;
}
