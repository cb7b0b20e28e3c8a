/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/bethe.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "bounds/bethe_gpu.h"
#include "cuda/message_step.h"
#include "matrix/transposed.h"
#include "pm/alloc.h"
#include "spmv/multiply.h"

/* Below this number of entries the columns are summed in one part; above it, in at most MOST_PARTS that take no more
 * than a share of the memory of the messages, but for two. */
enum { ENTRIES_OF_PART = 50000, MOST_PARTS = 16, SHARE = 4 };

enum { SWEEPS_MOST = 2000, MESSAGES = 100000000, SWEEPS_LEAST = 50 };

/* Sweeps between two tests of the probabilities: in a large graph these take as long as the messages. */
enum { LARGE = 1 << 20, SWEEPS_OF_TEST = 8 };

/* The work of a sweep.  The columns are summed over `parts` ranges of rows, and these sums added: how
 * many there are depends on the matrix alone, so that the number of threads changes no digit.  Where threads are more
 * than parts, each takes a range of the columns of one part. */
typedef struct {
    pm_csr a;                        /* without values */
    double (*value)[2], least_share; /* NULL: all are 1 */
    double *sum;                     /* [ncols]: of the messages to a column */
    bool is_sum_owned;               /* false: it is the caller's */
    double *part;                    /* [parts][ncols] */
    int parts, ranges, threads;
} work;

/* What a pass over the rows does: the messages from the columns, those to the columns, and between them the test; the last
 * one makes the probabilities. */
typedef struct {
    bool is_from, is_to, is_test, is_last;
} pass;

static double value_of(const work *w, int64_t k)
{
    return w->value ? w->value[k][0] : 1;
}

/* b->to_row, b->to_col and b->probability may be one array: each overwrites the one before. */
static void messages_from(const work *w, int64_t i, bool is_last, pm_bethe *b)
{
    for (int64_t k = w->a.rowptr[i]; k < w->a.rowptr[i + 1]; ++k) {
        const double value = value_of(w, k), to_col = b->to_col[k];
        const double to_row = pm_message(value, w->sum[w->a.colind[k]], to_col, w->least_share);
        b->to_row[k] = to_row;
        if (is_last)
            b->probability[k] = pm_message_probability(value, to_col, to_row);
    }
}

/* The largest difference of two probabilities of an entry: that of the messages to its column and back, which is 1 - a / (T to_row), T the
 * sum of the messages to the column, and, half a sweep later, that of the messages to its row and back. */
static double test_row(const work *w, int64_t i, double sum, const pm_bethe *b)
{
    double most = 0;
    for (int64_t k = w->a.rowptr[i]; k < w->a.rowptr[i + 1]; ++k) {
        const double to_row = b->to_row[k];
        const double by_column = 1 - value_of(w, k) / (w->sum[w->a.colind[k]] * to_row);
        const double difference = fabs(to_row / sum - by_column);
        most = difference > most ? difference : most;
    }
    return most;
}

/* Returns the result of the test, if there is one. */
static double messages_to(const work *w, int64_t i, bool is_test, pm_bethe *b)
{
    double sum = 0;
    for (int64_t k = w->a.rowptr[i]; k < w->a.rowptr[i + 1]; ++k)
        sum += b->to_row[k];
    const double most = is_test ? test_row(w, i, sum, b) : 0;
    for (int64_t k = w->a.rowptr[i]; k < w->a.rowptr[i + 1]; ++k)
        b->to_col[k] = pm_message(value_of(w, k), sum, b->to_row[k], w->least_share);
    return most;
}

/* Both directions for one row after the other: its messages are read and written once. */
static double update_row(const work *w, int64_t i, pass p, pm_bethe *b)
{
    if (p.is_from)
        messages_from(w, i, p.is_last, b);
    return p.is_to ? messages_to(w, i, p.is_test, b) : 0;
}

/* The messages of all rows, and the sums of the columns of each part. */
static double update_parts(const work *w, pass p, pm_bethe *b)
{
    double most = 0;
#pragma omp for schedule(dynamic, 1)
    for (int part = 0; part < w->parts; ++part) {
        double *sum = w->part + part * w->a.ncols;
        pm_csr_rows rows = pm_csr_share(&w->a, part, w->parts);
        for (int64_t j = 0; j < w->a.ncols && p.is_to; ++j)
            sum[j] = 0;
        for (int64_t i = rows.from; i < rows.to; ++i) {
            const double difference = update_row(w, i, p, b);
            most = difference > most ? difference : most;
            for (int64_t k = w->a.rowptr[i]; k < w->a.rowptr[i + 1] && p.is_to; ++k)
                sum[w->a.colind[k]] += b->to_col[k];
        }
    }
    return most;
}

/* The same, by ranges of columns. */
static double update_ranges(const work *w, pass p, pm_bethe *b)
{
    double most = 0;
#pragma omp for schedule(dynamic, 1024)
    for (int64_t i = 0; i < w->a.nrows; ++i) {
        const double difference = update_row(w, i, p, b);
        most = difference > most ? difference : most;
    }
#pragma omp for schedule(dynamic, 1)
    for (int task = 0; task < (p.is_to ? w->parts * w->ranges : 0); ++task) {
        const int part = task / w->ranges;
        const pm_column_range range = pm_column_range_of(w->a.ncols, task % w->ranges, w->ranges);
        const pm_csr_rows rows = pm_csr_share(&w->a, part, w->parts);
        double *sum = w->part + part * w->a.ncols;
        for (uint32_t j = 0; j < range.count; ++j)
            sum[range.from + j] = 0;
        for (int64_t k = w->a.rowptr[rows.from]; k < w->a.rowptr[rows.to]; ++k)
            if (pm_column_is_in(range, w->a.colind[k]))
                sum[w->a.colind[k]] += b->to_col[k];
    }
    return most;
}

/* Returns the result of the test; infinite where there is none. */
static double run_pass(const work *w, pass p, pm_bethe *b)
{
    double most = 0;
#pragma omp parallel num_threads(w->threads) reduction(max : most) if (w->threads > 1)
    {
        most = w->ranges > 1 ? update_ranges(w, p, b) : update_parts(w, p, b);
#pragma omp for
        for (int64_t j = 0; j < (p.is_to ? w->a.ncols : 0); ++j) {
            double sum = w->part[j];
            for (int part = 1; part < w->parts; ++part)
                sum += w->part[part * w->a.ncols + j];
            w->sum[j] = sum;
        }
    }
    return p.is_test ? most : INFINITY;
}

void pm_bethe_balance(int64_t nnz, pm_bethe *b)
{
    double sum = 0;
    for (int64_t k = 0; k < nnz; ++k)
        sum += log2(b->to_row[k]) - log2(b->to_col[k]);
    double factor = exp2(sum / (double)nnz / 2);
    for (int64_t k = 0; k < nnz; ++k) {
        b->to_row[k] /= factor;
        b->to_col[k] *= factor;
    }
}

/* Even, for two threads. */
static int parts_of(const pm_matrix *a)
{
    const int64_t nnz = pm_matrix_nnz(a), few = nnz / (SHARE * a->ncols);
    int64_t parts = nnz / (a->ncols + ENTRIES_OF_PART);
    if (parts <= 1)
        return 1;
    parts = parts < few ? parts : few;
    parts += parts % 2;
    return (int)(parts < 2 ? 2 : parts < MOST_PARTS ? parts : MOST_PARTS);
}

static pm_status work_init(const pm_matrix *a, double (*value)[2], const pm_bethe_limits *limits,
                           const pm_run *run, double *sum_to_col, work *w, pm_error *err)
{
    const int64_t nnz = pm_matrix_nnz(a);
    *w = (work){.a = {a->nrows, a->ncols, a->rowptr, a->colind, NULL},
                .value = value,
                .least_share = limits->least_share,
                .parts = parts_of(a)};
    w->threads = w->parts > 1 ? pm_transposed_threads(nnz, run) : 1;
    w->ranges = w->threads / w->parts;
    w->sum = sum_to_col ? sum_to_col : pm_alloc_array(a->ncols, sizeof *w->sum);
    w->is_sum_owned = !sum_to_col;
    w->part = pm_alloc_array(w->parts * a->ncols, sizeof *w->part);
    return w->sum && w->part ? PM_OK : pm_fail_memory(err, "messages");
}

/* A sweep is the messages to the columns and those back.  A pass makes the second half of a sweep and the first half of
 * the next one; the last pass ends a sweep. */
static pm_status run_sweeps(const pm_matrix *a, double (*value)[2], const pm_bethe_limits *limits,
                            const pm_run *run, pm_bethe *b, double *sum_to_col, pm_error *err)
{
    work w;
    pm_status status = work_init(a, value, limits, run, sum_to_col, &w, err);
    const int64_t nnz = status ? 0 : pm_matrix_nnz(a);
    const int test = nnz >= LARGE ? SWEEPS_OF_TEST : 1;
#pragma omp parallel for num_threads(w.threads) if (w.threads > 1)
    for (int64_t k = 0; k < nnz; ++k)
        b->to_row[k] = value_of(&w, k);
    bool is_last = false;
    for (int done = 0; !status && !is_last; ++done) {
        const pass p = {.is_from = done > 0, .is_to = true, .is_test = done && done % test == 0};
        const double difference = run_pass(&w, p, b);
        is_last = done + 1 >= limits->sweeps || difference <= limits->tolerance;
        if (pm_run_stopped(run))
            status = pm_fail(err, PM_ESTOPPED, "stopped during belief propagation");
    }
    if (!status)
        run_pass(&w, (pass){.is_from = true, .is_last = true}, b);
    if (w.is_sum_owned)
        free(w.sum);
    free(w.part);
    return status;
}

pm_status pm_bethe_make(const pm_matrix *a, double (*value)[2], const pm_bethe_limits *limits,
                        pm_workspace *on, const pm_run *run, pm_bethe *out, pm_error *err)
{
    int64_t nnz = pm_matrix_nnz(a);
    pm_bethe b = {.to_col = pm_alloc_array(nnz, sizeof *b.to_col),
                  .to_row = pm_alloc_array(nnz, sizeof *b.to_row),
                  .probability = pm_alloc_array(nnz, sizeof *b.probability)};
    pm_status status;
    if (!(b.to_col && b.to_row && b.probability))
        status = pm_fail_memory(err, "messages");
    else if (on && on->gpu)
        status = pm_bethe_gpu_make(on, value, limits, run, &b, err);
    else
        status = run_sweeps(a, value, limits, run, &b, NULL, err);
    if (status) {
        pm_bethe_free(&b);
        return status;
    }
    *out = b;
    return PM_OK;
}

static pm_status copy_from_gpu(const pm_matrix *a, double (*value)[2],
                               const pm_bethe_limits *limits, pm_workspace *on, const pm_run *run,
                               double *sum_to_col, pm_error *err)
{
    pm_bethe b;
    pm_status status = pm_bethe_make(a, value, limits, on, run, &b, err);
    if (status)
        return status;
    const int threads = on->x.threads;
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int part = 0; part < threads; ++part) {
        const pm_column_range range = pm_column_range_of(a->ncols, part, threads);
        const int64_t nnz = pm_matrix_nnz(a);
        for (uint32_t j = 0; j < range.count; ++j)
            sum_to_col[range.from + j] = 0;
        for (int64_t k = 0; k < nnz; ++k)
            if (pm_column_is_in(range, a->colind[k]))
                sum_to_col[a->colind[k]] += b.to_col[k];
        for (int64_t k = nnz * part / threads; k < nnz * (part + 1) / threads; ++k)
            on->x.a.value[k] = b.probability[k];
    }
    pm_bethe_free(&b);
    return PM_OK;
}

pm_status pm_bethe_probabilities(const pm_matrix *a, double (*value)[2],
                                 const pm_bethe_limits *limits, pm_workspace *on, const pm_run *run,
                                 double *sum_to_col, pm_error *err)
{
    if (on->gpu)
        return copy_from_gpu(a, value, limits, on, run, sum_to_col, err);
    pm_bethe b = {.to_col = on->x.a.value, .to_row = on->x.a.value, .probability = on->x.a.value};
    return run_sweeps(a, value, limits, run, &b, sum_to_col, err);
}

int pm_bethe_sweeps(int64_t nnz)
{
    int64_t sweeps = MESSAGES / nnz;
    return sweeps > SWEEPS_MOST ? SWEEPS_MOST : sweeps < SWEEPS_LEAST ? SWEEPS_LEAST : (int)sweeps;
}

void pm_bethe_free(pm_bethe *b)
{
    free(b->to_col);
    free(b->to_row);
    free(b->probability);
    *b = (pm_bethe){0};
}
