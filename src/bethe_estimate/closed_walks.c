/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bethe_estimate/closed_walks.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "bethe_estimate/closed_four.h"
#include "bethe_estimate/closed_small.h"
#include "core/rng.h"
#include "core/team.h"
#include "spmv/semiring.h"

enum {
    STOP_CHECK = 1024, /* a multiple of SIDE_BY_SIDE */
    WALKS_OF_PART = 200000,
    SIDE_BY_SIDE = 16 /* walks, each of which waits for memory at every step */
};
#define SEED_OF_PART UINT64_C(0x9e3779b97f4a7c15)

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

/* Another entry of the line than the one in `from`, with a probability proportional to its weight; its other line. */
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

/* What a walk is at: an entry, that it came by, in both of its lines. */
typedef struct {
    int64_t row, col;
} place;

/* A step of each walk, along rows or along columns. */
static void step_all(const pm_closed_walks *w, bool is_row, int walks, uint64_t *rng, place *at)
{
    const pm_csr *a = is_row ? &w->before.a : &w->before.t;
    for (int k = 0; k < walks; ++k)
        __builtin_prefetch(&a->rowptr[is_row ? at[k].row : at[k].col]);
    for (int k = 0; k < walks; ++k) {
        const int64_t first = a->rowptr[is_row ? at[k].row : at[k].col];
        __builtin_prefetch(&a->colind[first]);
        __builtin_prefetch(&a->value[first]);
    }
    for (int k = 0; k < walks; ++k)
        if (is_row)
            at[k].col = step(a, at[k].row, at[k].col, rng);
        else
            at[k].row = step(a, at[k].col, at[k].row, rng);
}

/* Adds the returns of some walks, at most SIDE_BY_SIDE. */
static void walk(const pm_closed_walks *w, int walks, int lengths, uint64_t *rng, int64_t *hits)
{
    const pm_csr *a = &w->before.a;
    const double nnz = (double)a->rowptr[a->nrows];
    place from[SIDE_BY_SIDE], at[SIDE_BY_SIDE];
    for (int k = 0; k < walks; ++k) {
        const int64_t e = (int64_t)(pm_rng_unit(rng) * nnz);
        from[k] = at[k] = (place){w->row[e], a->colind[e]};
    }
    for (int l = 0; l < lengths + 1; ++l) {
        step_all(w, false, walks, rng, at);
        step_all(w, true, walks, rng, at);
        for (int k = 0; k < walks && l > 0; ++k)
            hits[l - 1] += at[k].row == from[k].row && at[k].col == from[k].col;
    }
}

pm_status pm_closed_walks_make(const pm_matrix *a, const double *in_row, const double *in_col,
                               const pm_run *run, pm_closed_walks *out, pm_error *err)
{
    *out = (pm_closed_walks){.row = NULL};
    pm_status status = pm_csr_pair_make(a, run, &out->before, err);
    if (!status) {
        pm_csr_pair_set(&out->before, in_col);
        for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
            out->before.a.value[k] = in_row[k];
        sum_lines(&out->before.a);
        sum_lines(&out->before.t);
        status = pm_csr_rows_of_entries(&out->before.a, &out->row, err);
    }
    if (status)
        pm_closed_walks_free(out);
    return status;
}

void pm_closed_walks_free(pm_closed_walks *w)
{
    pm_csr_pair_free(&w->before);
    free(w->row);
    *w = (pm_closed_walks){.row = NULL};
}

/* The walks of one seed; fewer when the run is to stop. */
static void count_walks(const pm_closed_walks *w, int64_t walks, int lengths, uint64_t seed,
                        const pm_run *run, int64_t *hits)
{
    for (int64_t k = 0; k < walks; k += SIDE_BY_SIDE) {
        walk(w, walks - k < SIDE_BY_SIDE ? (int)(walks - k) : SIDE_BY_SIDE, lengths, &seed, hits);
        if (k % STOP_CHECK == 0 && pm_run_stopped(run))
            return;
    }
}

pm_status pm_closed_walks_count(const pm_closed_walks *w, int64_t walks, int lengths, uint64_t seed,
                                const pm_run *run, int64_t *hits, pm_error *err)
{
    const int64_t parts = (walks + WALKS_OF_PART - 1) / WALKS_OF_PART;
    const int wanted = pm_run_threads(run);
    const int threads = parts > 1 ? pm_team(run, wanted < parts ? wanted : (int)parts) : 1;
    int64_t all[PM_CLOSED_WALKS_LENGTHS] = {0};
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) reduction(+ : all) if (threads > 1)
    for (int64_t p = 0; p < parts; ++p) {
        const int64_t left = walks - p * WALKS_OF_PART;
        count_walks(w, left < WALKS_OF_PART ? left : WALKS_OF_PART, lengths,
                    seed + (uint64_t)p * SEED_OF_PART, run, all);
    }
    for (int l = 0; l < lengths; ++l)
        hits[l] = all[l];
    return pm_run_stopped(run) ? pm_fail(err, PM_ESTOPPED, "stopped during the estimate") : PM_OK;
}

/* ---- shares ---- */

/* SMALL: entries up to which all walks take no longer than some of them. */
enum { SMALL = 350, LEAST_WALKS = 60000, MOST_WALKS = 2000000, PAIRS_OF_WALK = 16 };
/* Where so many of the first walks close, for each length, their error is below 1 % of the share: there are no others.  Nor are there where
 * their errors are tolerable. */
enum { FIRST_WALKS = 2 * WALKS_OF_PART, ENOUGH = 10000 };

static int64_t walks_for(const pm_matrix *a)
{
    const int64_t nnz = pm_matrix_nnz(a);
    return nnz < LEAST_WALKS ? LEAST_WALKS : nnz < MOST_WALKS ? nnz : MOST_WALKS;
}

static pm_closed_share share_of(int64_t hits, int64_t walks)
{
    return (pm_closed_share){(double)hits / (double)walks, sqrt((double)hits + 1) / (double)walks};
}

static bool are_tolerable(const int64_t *hits, int64_t walks, int lengths, double tolerance)
{
    bool are = true;
    for (int l = 0; l < lengths; ++l)
        are = are && share_of(hits[l], walks).error <= tolerance;
    return are;
}

/* *walks: how many there were. */
static pm_status count_enough(const pm_closed_walks *w, int lengths, double tolerance,
                              uint64_t seed, const pm_run *run, int64_t *walks, int64_t *hits,
                              pm_error *err)
{
    const int64_t all = *walks, first = all < FIRST_WALKS ? all : FIRST_WALKS;
    int64_t more[PM_CLOSED_WALKS_LENGTHS];
    bool is_enough = true;
    pm_status status = pm_closed_walks_count(w, first, lengths, seed, run, hits, err);
    *walks = first;
    for (int l = 0; l < lengths && !status; ++l)
        is_enough = is_enough && hits[l] >= ENOUGH;
    is_enough = is_enough || are_tolerable(hits, first, lengths, tolerance);
    if (status || is_enough || first == all)
        return status;
    status = pm_closed_walks_count(w, all - first, lengths,
                                   seed + first / WALKS_OF_PART * SEED_OF_PART, run, more, err);
    for (int l = 0; l < lengths && !status; ++l)
        hits[l] += more[l];
    *walks = all;
    return status;
}

static pm_status small_shares(const pm_matrix *a, const double *in_row, const double *in_col,
                              int lengths, const pm_run *run, pm_closed_share *share, pm_error *err)
{
    double value[PM_CLOSED_WALKS_LENGTHS];
    pm_status status = pm_closed_small_make(a, in_row, in_col, lengths, run, value, err);
    for (int l = 0; l < lengths && !status; ++l)
        share[l] = (pm_closed_share){value[l], 0};
    return status;
}

pm_status pm_closed_shares_make(const pm_matrix *a, const double *in_row, const double *in_col,
                                int lengths, double tolerance, uint64_t seed, const pm_run *run,
                                pm_closed_share *share, pm_error *err)
{
    if (pm_matrix_nnz(a) <= SMALL)
        return small_shares(a, in_row, in_col, lengths, run, share, err);
    int64_t walks = walks_for(a);
    int64_t hits[PM_CLOSED_WALKS_LENGTHS];
    double four = -1;
    pm_closed_walks w;
    pm_status status = pm_closed_walks_make(a, in_row, in_col, run, &w, err);
    if (status)
        return status;
    const int64_t pairs = PAIRS_OF_WALK * walks;
    status = count_enough(&w, lengths, tolerance, seed, run, &walks, hits, err);
    pm_closed_walks_free(&w);
    if (!status && !are_tolerable(hits, walks, lengths, tolerance))
        status = pm_closed_four_make(a, in_row, in_col, pairs, run, &four, err);
    if (status)
        return status;
    for (int l = 0; l < lengths; ++l)
        share[l] = share_of(hits[l], walks);
    if (four >= 0)
        share[0] = (pm_closed_share){four, 0};
    return PM_OK;
}
