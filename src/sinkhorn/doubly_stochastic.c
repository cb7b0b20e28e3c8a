/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/doubly_stochastic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/transposed.h"
#include "pm/alloc.h"
#include "pm/memory.h"
#include "sinkhorn/column_forest.h"
#include "sinkhorn/fill_cycles.h"
#include "sinkhorn/stochastic_units.h"

/* Residuals at which the sums are made exact; smaller ones are tried where that fails.  What remains is moved exactly: it changes the
 * bounds of a large graph in the seventh digit, which products would cost more than they are worth. */
#define FIRST_TARGET 0x1p-16
#define FIRST_LARGE  0x1p-10
enum { LARGE = 100000 /* entries */ };
#define CLOSER    0x1p-7
#define TOLERANCE 0x1p-46

typedef struct {
    const pm_run *run;
    /* Entries below 0 are filled.  After a few steps of a scaling these are many, and more steps are better. */
    bool fills;
} settling;

static pm_status no_memory(pm_error *err)
{
    return pm_fail_memory(err, "doubly stochastic matrix");
}

/* ---- what is missing ---- */

/* What rows are: all of them can be summed; nothing is missing in any of them. */
typedef struct {
    bool are_good, are_exact;
} rows_state;

static rows_state check_rows(const pm_matrix *a, const double *x, int threads)
{
    bool is_bad = false, is_other = false;
#pragma omp parallel for num_threads(threads) reduction(|| : is_bad, is_other) if (threads > 1)
    for (int64_t i = 0; i < a->nrows; ++i) {
        int64_t missing;
        is_bad = !pm_stochastic_row_missing(a, x, i, &missing) || is_bad;
        is_other = is_other || missing;
    }
    return (rows_state){!is_bad, !is_bad && !is_other};
}

/* What is missing in the columns.  Returns false when a sum is far too large. */
static bool sum_columns(const pm_matrix *a, const double *x, int threads, int64_t *missing)
{
    bool is_bad = false;
#pragma omp parallel for num_threads(threads) schedule(static, 1)                                  \
    reduction(||                                                                                   \
              : is_bad) if (threads > 1)
    for (int part = 0; part < threads; ++part) {
        const pm_column_range range = pm_column_range_of(a->ncols, part, threads);
        for (uint32_t j = 0; j < range.count; ++j)
            missing[range.from + j] = PM_STOCHASTIC_ONE;
        for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
            if (pm_column_is_in(range, a->colind[k])
                && !pm_stochastic_take(&missing[a->colind[k]], pm_stochastic_rounded(x[k])))
                is_bad = true;
    }
    return !is_bad;
}

static bool are_columns_exact(const pm_matrix *a, const int64_t *missing, int threads)
{
    bool is_other = false;
#pragma omp parallel for num_threads(threads) reduction(|| : is_other) if (threads > 1)
    for (int64_t j = 0; j < a->ncols; ++j)
        is_other = is_other || missing[j];
    return !is_other;
}

static pm_status check_columns(const pm_matrix *a, const double *x, int threads, bool *are_good,
                               bool *are_exact, pm_error *err)
{
    int64_t *missing = pm_alloc_array(a->ncols, sizeof *missing);
    if (!missing)
        return no_memory(err);
    *are_good = sum_columns(a, x, threads, missing);
    *are_exact = *are_good && are_columns_exact(a, missing, threads);
    free(missing);
    return PM_OK;
}

/* ---- settling ---- */

/* Numbers from 2^-52 to 1, as they are counted elsewhere: only what the forest makes of an entry is beyond that. */
static void bring_into_range(const pm_matrix *a, double *x, int threads)
{
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        x[k] = fmin(fmax(x[k], pm_stochastic_multiple(1)), 1);
}

/* Fills what is below 0, and looks at all lines again. */
static pm_status fill(const pm_matrix *a, double *x, int threads, const settling *how, bool *found,
                      pm_error *err)
{
    bool are_good = false, are_exact = false;
    pm_status status = pm_fill_cycles(a, x, threads, how->run, found, err);
    if (status == PM_ENOMEM) { /* a smaller residual may do without */
        *found = false;
        return PM_OK;
    }
    if (status || !*found)
        return status;
    status = check_columns(a, x, threads, &are_good, &are_exact, err);
    *found = !status && are_exact && check_rows(a, x, threads).are_exact;
    return status;
}

/* *found: the lines were made exact. */
static pm_status settle(const pm_matrix *a, double *x, int threads, const settling *how,
                        bool *found, pm_error *err)
{
    pm_column_forest f;
    bring_into_range(a, x, threads);
    pm_status status = pm_column_forest_make(a, x, threads, &f, err);
    if (status)
        return status;
    int64_t *missing = pm_alloc_array(a->ncols, sizeof *missing);
    if (!missing) {
        status = no_memory(err);
    } else if (sum_columns(a, x, threads, missing)) {
        const bool is_settled = pm_column_forest_fill_rows(a, &f, missing, x)
                                && pm_column_forest_settle(a, &f, missing, x);
        *found = is_settled && check_rows(a, x, threads).are_exact;
        if (is_settled && !*found && how->fills)
            status = fill(a, x, threads, how, found, err);
        if (!*found)
            pm_column_forest_undo(a, &f, missing, x);
    }
    free(missing);
    pm_column_forest_free(&f);
    return status;
}

/* The same; where nothing is found a small matrix is as before.  In a large one entries are from 2^-52 to 1, those of the forest and of
 * cycles are rounded, and the largest of each row has what was missing in it. */
static pm_status settle_or_keep(const pm_matrix *a, double *x, int threads, const settling *how,
                                bool *found, pm_error *err)
{
    const size_t bytes = (size_t)pm_matrix_nnz(a) * sizeof *x;
    double *before = NULL;
    *found = false;
    if (pm_matrix_nnz(a) >= LARGE)
        pm_memory_give_back(); /* of the scaling: the forest takes most of all memory */
    else if (!(before = pm_copy(x, bytes)))
        return no_memory(err);
    pm_status status = settle(a, x, threads, how, found, err);
    if (before && !*found)
        memcpy(x, before, bytes);
    free(before);
    return status;
}

static pm_status make_exact(const pm_matrix *a, double *x, int threads, const settling *how,
                            bool *found, pm_error *err)
{
    const rows_state rows = check_rows(a, x, threads);
    bool are_exact = false;
    *found = rows.are_good;
    pm_status status = *found ? check_columns(a, x, threads, found, &are_exact, err) : PM_OK;
    if (!status && *found && !(rows.are_exact && are_exact))
        status = settle_or_keep(a, x, threads, how, found, err);
    const int64_t entries = !status && *found ? pm_matrix_nnz(a) : 0;
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t k = 0; k < entries; ++k)
        x[k] = pm_stochastic_multiple(pm_stochastic_rounded(x[k]));
    return status;
}

pm_status pm_doubly_stochastic(const pm_matrix *a, pm_sinkhorn *s, double first, int64_t most,
                               bool *found, pm_error *err)
{
    pm_status status = PM_OK;
    const double usual = pm_matrix_nnz(a) >= LARGE ? FIRST_LARGE : FIRST_TARGET;
    *found = false;
    for (double target = first > 0 ? first : usual; !status && !*found; target *= CLOSER) {
        status = pm_sinkhorn_improve(s, target, most, err);
        if (status == PM_UNABLE) /* factors beyond all range */
            return PM_OK;
        const settling how = {s->run, s->is_linear || target <= FIRST_TARGET};
        if (!status)
            status = make_exact(a, s->x, s->on.x.threads, &how, found, err);
        if (target < TOLERANCE || !(s->residual <= target))
            break;
    }
    return status;
}
