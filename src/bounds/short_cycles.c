/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/short_cycles.h"

#include <math.h>
#include <stdlib.h>

#include "core/rng.h"
#include "pm/alloc.h"
#include "spmv/csr.h"
#include "spmv/semiring.h"

enum { WALKS = 200000, LENGTHS = 2 /* 4 and 6 */, STOP_CHECK = 1024 };

/* Values are prefix sums within lines: entry k of a line has the sum of b before it. */
typedef struct {
    pm_csr_pair before;
    const double *b;
} walks;

static void sum_lines(pm_csr *a)
{
    for (int64_t i = 0; i < a->nrows; ++i) {
        double sum = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            double own = a->value[k];
            a->value[k] = sum;
            sum += own;
        }
    }
}

/* The first entry of a line whose colind is at least j. */
static int64_t entry_at(const pm_csr *a, int64_t line, int64_t j)
{
    int64_t low = a->rowptr[line], high = a->rowptr[line + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (a->colind[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The last entry of a line with at most this sum before it. */
static int64_t entry_with(const pm_csr *a, int64_t line, double sum)
{
    int64_t low = a->rowptr[line], high = a->rowptr[line + 1];
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (a->value[middle] <= sum)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Another entry of the line than the one in `from`, with probability proportional to b; its other line. */
static int64_t step(const pm_csr *a, int64_t line, int64_t from, uint64_t *rng)
{
    const int64_t own = entry_at(a, line, from), end = a->rowptr[line + 1];
    const double begins = a->value[own], ends = own + 1 < end ? a->value[own + 1] : 1;
    double at = pm_rng_unit(rng) * (1 - (ends - begins));
    at += at >= begins ? ends - begins : 0;
    int64_t k = entry_with(a, line, at);
    if (k == own) /* by rounding */
        k = own + 1 < end ? own + 1 : own - 1;
    return a->colind[k];
}

/* hits[l]: the walk is back after 2 l + 4 steps. */
static void walk(const walks *w, int64_t i, int64_t j, uint64_t *rng, int64_t hits[LENGTHS])
{
    int64_t row = i, col = j;
    for (int l = 0; l < LENGTHS + 1; ++l) {
        row = step(&w->before.t, col, row, rng);
        col = step(&w->before.a, row, col, rng);
        if (l > 0 && row == i && col == j)
            ++hits[l - 1];
    }
}

pm_status pm_short_cycles_make(const pm_matrix *a, const double *b, uint64_t seed,
                               const pm_run *run, pm_short_cycles *out, pm_error *err)
{
    const int64_t nnz = pm_matrix_nnz(a);
    int64_t hits[LENGTHS] = {0};
    walks w = {.b = b};
    int32_t *row = NULL;
    pm_status status = pm_csr_pair_make(a, &w.before, err);
    if (!status) {
        pm_csr_pair_set(&w.before, b);
        sum_lines(&w.before.a);
        sum_lines(&w.before.t);
        status = pm_csr_rows_of_entries(&w.before.a, &row, err);
    }
    for (int64_t k = 0; k < WALKS && !status; ++k) {
        int64_t e = (int64_t)(pm_rng_unit(&seed) * (double)nnz);
        walk(&w, row[e], a->colind[e], &seed, hits);
        if (k % STOP_CHECK == 0 && pm_run_stopped(run))
            status = pm_fail(err, PM_ESTOPPED, "stopped during the estimate");
    }
    *out = (pm_short_cycles){0};
    for (int l = 0; l < LENGTHS; ++l) {
        /* all closed walks are 2 nnz times the share of those that come back, 2 (2 k) for each cycle */
        const double scale = 2 * (double)nnz / WALKS / (4 * (l + 2));
        out->excess += fabs(scale * (double)hits[l] - 1.0 / (2 * (l + 2)));
        out->error += scale * sqrt((double)hits[l] + 1);
    }
    free(row);
    pm_csr_pair_free(&w.before);
    return status;
}
