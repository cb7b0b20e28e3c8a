/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/bounds_work.h"

#include <math.h>

#include "bounds/rounded_rows.h"
#include "pm/memory.h"

static bool are_similar(const pm_bounds_work *w)
{
    double least = INFINITY, most = 0;
    if (!w->entries.value)
        return true;
#pragma omp parallel for num_threads(w->threads) reduction(min                                     \
                                                           : least)                                \
    reduction(max                                                                                  \
              : most) if (w->threads > 1)
    for (int64_t k = 0; k < pm_matrix_nnz(w->a); ++k) {
        least = fmin(least, w->entries.value[k][0]);
        most = fmax(most, w->entries.value[k][0]);
    }
    return most <= PM_BOUNDS_SIMILAR * least;
}

pm_status pm_bounds_work_make(const pm_matrix *a, int device, const pm_run *run,
                              pm_bethe_point *point, pm_bounds_work *w, pm_error *err)
{
    *w =
        (pm_bounds_work){.a = a, .run = run, .threads = pm_rounded_threads(a, run), .point = point};
    if (pm_matrix_nnz(a) >= PM_BOUNDS_LARGE) /* of reading and of what found the blocks */
        pm_memory_give_back();
    pm_status status = a->re ? pm_scaled_entries_make(a, run, &w->entries, err) : PM_OK;
    if (!status) {
        w->is_similar = are_similar(w);
        status = pm_sinkhorn_make(a, device, run, &w->scaling, err);
    }
    if (!status)
        pm_sinkhorn_drop_rows(&w->scaling);
    return status;
}

void pm_bounds_work_free(pm_bounds_work *w)
{
    pm_scaled_entries_free(&w->entries);
    pm_sinkhorn_free(&w->scaling);
}

void pm_bounds_add_exponent(const pm_bounds_work *w, pm_rounded_sum *s)
{
    pm_rounded_add(s, (double)w->entries.exp * M_LN2, 0);
}

double pm_bounds_low(const pm_rounded_sum *s)
{
    double x = pm_rounded_low(s) * M_LOG10E;
    return x - 0x1p-50 * fabs(x);
}

double pm_bounds_high(const pm_rounded_sum *s)
{
    double x = pm_rounded_high(s) * M_LOG10E;
    return x + 0x1p-50 * fabs(x);
}
