/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bethe_estimate/spanning_trees.h"

#include <math.h>
#include <stdlib.h>

#include "bethe_estimate/closed_walks.h"
#include "pm/alloc.h"

enum { SWEEPS = 500, LENGTHS = 6 /* 4 to 14 */ };
/* Relative change of a message in the last sweep: the messages are a stationary point of B, so that its error is of second
 * order. */
#define CONVERGED 0x1p-26
/* A trace that differs from 2 by fewer standard errors than this is taken for 2. */
#define SIGNIFICANT 3.0

/* Entry k is in row i and column j.  Arrays without another size are of the entries. */
typedef struct {
    const pm_matrix *a;
    const double *w;
    double *to_col, *to_row;     /* J(i -> j), J(j -> i) */
    double *d_to_col, *d_to_row; /* their derivatives; later the weights of walks */
    double *row_sum, *col_sum;   /* [n]: of w */
    double *sum;                 /* [n] */
    double *share;
} work;

static void work_free(work *x)
{
    free(x->to_col);
    free(x->to_row);
    free(x->d_to_col);
    free(x->d_to_row);
    free(x->row_sum);
    free(x->col_sum);
    free(x->sum);
    free(x->share);
}

static pm_status work_init(const pm_matrix *a, const double *w, work *x, pm_error *err)
{
    const int64_t n = a->nrows, nnz = pm_matrix_nnz(a);
    *x = (work){.a = a, .w = w};
    double **const entries[] = {&x->to_col, &x->to_row, &x->d_to_col, &x->d_to_row, &x->share},
                   **const lines[] = {&x->row_sum, &x->col_sum, &x->sum};
    bool has_memory = true;
    for (int k = 0; k < 5; ++k)
        has_memory = (*entries[k] = pm_alloc_array(nnz, sizeof(double))) && has_memory;
    for (int k = 0; k < 3; ++k)
        has_memory = (*lines[k] = pm_calloc_array(n, sizeof(double))) && has_memory;
    if (!has_memory)
        return pm_fail_memory(err, "spanning trees");
    for (int64_t i = 0; i < n; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            x->row_sum[i] += w[k];
            x->col_sum[a->colind[k]] += w[k];
        }
    return PM_OK;
}

/* What message k adds to those of its end, of J or of the derivative. */
static double share(const work *x, const double *message, const double *derivative, int64_t k)
{
    const double b = x->w[k] / message[k];
    return derivative ? b * b * derivative[k] : -b * x->w[k];
}

static double change_of(double *message, double now)
{
    const double change = fabs(now - *message) / fabs(now);
    *message = now;
    return change;
}

/* out(i -> j) = start_i + sum over k != j of the shares of the messages to row i.  start: row_sum for J, NULL for the
 * derivatives: 1.  Returns the largest relative change. */
static double update_from_rows(const work *x, const double *in, const double *derivative,
                               const double *start, double *out)
{
    const pm_matrix *a = x->a;
    double most = 0;
    for (int64_t i = 0; i < a->nrows; ++i) {
        double sum = start ? start[i] : 1;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            sum += x->share[k] = share(x, in, derivative, k);
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            most = fmax(most, change_of(&out[k], sum - x->share[k]));
    }
    return most;
}

/* The same for columns. */
static double update_from_cols(const work *x, const double *in, const double *derivative,
                               const double *start, double *out)
{
    const pm_matrix *a = x->a;
    double most = 0;
    for (int64_t j = 0; j < a->ncols; ++j)
        x->sum[j] = start ? start[j] : 1;
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        x->sum[a->colind[k]] += x->share[k] = share(x, in, derivative, k);
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        most = fmax(most, change_of(&out[k], x->sum[a->colind[k]] - x->share[k]));
    return most;
}

/* Conductances are positive, and no walk has to turn back. */
static bool is_suitable(const work *x)
{
    const pm_matrix *a = x->a;
    bool is_good = true;
    for (int64_t j = 0; j < a->ncols; ++j)
        x->sum[j] = 0;
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k) {
        ++x->sum[a->colind[k]];
        is_good = is_good && x->w[k] > 0;
    }
    for (int64_t i = 0; i < a->nrows; ++i)
        is_good = is_good && a->rowptr[i + 1] - a->rowptr[i] > 1 && x->sum[i] > 1;
    return is_good;
}

/* Messages, then their derivatives.  *found: they converged. */
static pm_status propagate(work *x, const pm_run *run, bool *found, pm_error *err)
{
    const int64_t nnz = pm_matrix_nnz(x->a);
    *found = is_suitable(x);
    for (int64_t i = 0; i < x->a->nrows; ++i)
        for (int64_t k = x->a->rowptr[i]; k < x->a->rowptr[i + 1]; ++k) {
            x->to_col[k] = x->row_sum[i];
            x->to_row[k] = x->col_sum[x->a->colind[k]];
        }
    for (int64_t k = 0; k < nnz; ++k)
        x->d_to_col[k] = x->d_to_row[k] = 1;
    for (int is_derivative = 0; is_derivative < 2 && *found; ++is_derivative) {
        double change = INFINITY;
        for (int sweep = 0; sweep < SWEEPS && change > CONVERGED; ++sweep) {
            if (pm_run_stopped(run))
                return pm_fail(err, PM_ESTOPPED, "stopped during the estimate");
            change = is_derivative ? update_from_rows(x, x->to_row, x->d_to_row, NULL, x->d_to_col)
                                   : update_from_rows(x, x->to_row, NULL, x->row_sum, x->to_col);
            change =
                fmax(change, is_derivative
                                 ? update_from_cols(x, x->to_col, x->d_to_col, NULL, x->d_to_row)
                                 : update_from_cols(x, x->to_col, NULL, x->col_sum, x->to_row));
        }
        *found = change <= CONVERGED;
    }
    return PM_OK;
}

/* B, and *rate = -m'.  Not a number where a message is out of range. */
static double bethe_value(const work *x, double *rate)
{
    const pm_matrix *a = x->a;
    double value = 0, above = 0, below = 0;
    for (int64_t j = 0; j < a->ncols; ++j)
        x->sum[j] = x->col_sum[j];
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        x->sum[a->colind[k]] += share(x, x->to_col, NULL, k);
    for (int64_t i = 0; i < a->nrows; ++i) {
        double precision = x->row_sum[i];
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            precision += share(x, x->to_row, NULL, k);
        value += log(precision) + log(x->sum[i]);
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const double w = x->w[k], there = x->to_col[k], back = x->to_row[k];
            const double b = w / there, c = w / back; /* of i -> j and of j -> i */
            const double forth_weight = w * (1 - b) * (1 - c) * there / precision;
            const double back_weight = w * (1 - c) * (1 - b) * back / x->sum[a->colind[k]];
            value -= log1p(-b * c);
            below += forth_weight + back_weight;
            above += forth_weight * x->d_to_col[k] / there + back_weight * x->d_to_row[k] / back;
        }
    }
    *rate = above / below;
    return value;
}

/* The weights of walks: l of what comes to a line, summing to 1 in it. */
static void set_weights(work *x)
{
    const pm_matrix *a = x->a;
    for (int64_t j = 0; j < a->ncols; ++j)
        x->sum[j] = 0;
    for (int64_t i = 0; i < a->nrows; ++i) {
        double sum = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            x->d_to_row[k] = x->w[k] * (1 - x->w[k] / x->to_row[k]);
            x->d_to_col[k] = x->w[k] * (1 - x->w[k] / x->to_col[k]);
            sum += x->d_to_row[k];
            x->sum[a->colind[k]] += x->d_to_col[k];
        }
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            x->d_to_row[k] /= sum;
    }
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        x->d_to_col[k] /= x->sum[a->colind[k]];
}

/* The series beyond its first term. */
static pm_status add_series(work *x, uint64_t seed, const pm_run *run, pm_log_determinant *out,
                            pm_error *err)
{
    pm_closed_share share[LENGTHS];
    set_weights(x);
    pm_status status =
        pm_closed_shares_make(x->a, x->d_to_row, x->d_to_col, LENGTHS, 0, seed, run, share, err);
    double variance = 0, last = 0;
    for (int l = 0; l < LENGTHS && !status; ++l) {
        const double all = 2 * (double)pm_matrix_nnz(x->a), length = 2 * l + 4;
        const double spread = all * share[l].error;
        double beyond = all * share[l].value - 2;
        if (fabs(beyond) < SIGNIFICANT * spread)
            beyond = 0;
        out->value -= beyond / length;
        variance += spread * spread / (length * length);
        last = fabs(beyond) / length;
    }
    out->error = sqrt(variance) + last * (LENGTHS + 1);
    return status;
}

pm_status pm_spanning_trees_make(const pm_matrix *a, const double *w, uint64_t seed,
                                 const pm_run *run, pm_log_determinant *out, bool *found,
                                 pm_error *err)
{
    work x;
    double rate;
    pm_status status = work_init(a, w, &x, err);
    if (!status)
        status = propagate(&x, run, found, err);
    if (!status && *found) {
        const double value = bethe_value(&x, &rate);
        *out = (pm_log_determinant){value - log(2 * (double)a->nrows) + log(rate) + M_LN2 + 1, 0};
        *found = isfinite(out->value);
    }
    if (!status && *found)
        status = add_series(&x, seed, run, out, err);
    work_free(&x);
    return status;
}
