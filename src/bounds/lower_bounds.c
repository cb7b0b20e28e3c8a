/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/lower_bounds.h"

#include <math.h>
#include <stdlib.h>

#include "bounds/degree_terms.h"
#include "bounds/functional_bounds.h"
#include "bounds/heavy_matching.h"
#include "matrix/transposed.h"
#include "pm/alloc.h"

static void count_lines(const pm_bounds_work *w, bool columns, int64_t *count)
{
    const pm_matrix *a = w->a;
    if (columns)
        pm_transposed_count(a->ncols, pm_matrix_nnz(a), a->colind, w->scaling.on.x.threads, count);
    else
        for (int64_t i = 0; i < a->nrows; ++i)
            count[i] = a->rowptr[i + 1] - a->rowptr[i];
}

pm_status pm_bounds_by_capacity(pm_bounds_work *w, pm_bounds *out, pm_error *err)
{
    int64_t n = w->a->nrows, *count = pm_alloc_array(n, sizeof *count);
    if (!count)
        return pm_fail_memory(err, "bounds");
    pm_rounded_sum capacity = {0};
    pm_status status = PM_OK;
    pm_bounds_add_entropy(w, &capacity);
    for (int columns = 0; columns < 2 && !status; ++columns) {
        pm_rounded_sum s = capacity;
        count_lines(w, columns, count);
        status = pm_degree_terms_add(count, n, &s, err);
        out->gurvits = fmax(out->gurvits, pm_bounds_low(&s));
    }
    free(count);
    pm_degree_terms_add_all(n, w->threads, &capacity);
    out->van_der_waerden = pm_bounds_low(&capacity);
    return status;
}

pm_status pm_bounds_by_matching(pm_bounds_work *w, pm_bounds *out, pm_error *err)
{
    const int64_t n = w->a->nrows;
    int64_t *at = pm_alloc_array(n, sizeof *at);
    bool found = false;
    pm_status status = at ? pm_heavy_matching(w->a, w->scaling.x, w->run, at, &found, err)
                          : pm_fail_memory(err, "bounds");
    if (!status && found) {
        pm_rounded_sum s = {0};
        for (int64_t i = 0; i < n; ++i) /* the low part of an entry changes its logarithm by less */
            pm_rounded_add(&s, log(pm_bounds_entry(w, at[i])), 0x1p-50);
        pm_bounds_add_exponent(w, &s);
        out->lower = pm_bounds_low(&s);
    }
    free(at);
    return status;
}
