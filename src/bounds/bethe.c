/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/bethe.h"

#include <math.h>
#include <stdlib.h>

#include "bounds/bethe_gpu.h"
#include "cuda/message_step.h"
#include "matrix/transposed.h"
#include "pm/alloc.h"
#include "spmv/multiply.h"

/* Below this number of entries the columns are summed in one part; above it, in at most MOST_PARTS
 * that take no more memory than the messages. */
enum { ENTRIES_OF_PART = 50000, MOST_PARTS = 16 };

enum { SWEEPS_MOST = 2000, MESSAGES = 100000000, SWEEPS_LEAST = 50 };

/* The work of a sweep.  The columns are summed over `parts` ranges of rows, and these sums added: how
 * many there are depends on the matrix alone, so that the number of threads changes no digit.  Where threads are more
 * than parts, each takes a range of the columns of one part. */
typedef struct {
    pm_csr a;                        /* without values */
    double (*value)[2], least_share; /* NULL: all are 1 */
    double *sum;                     /* [parts][ncols]; then the whole sums, in the first part */
    int parts, ranges, threads;
} work;

static double value_of(const work *w, int64_t k)
{
    return w->value ? w->value[k][0] : 1;
}

/* b->to_row and b->to_col may be one array: then the messages to columns overwrite those to rows. */
static void update_row(const work *w, int64_t i, pm_bethe *b)
{
    double row = 0;
    for (int64_t k = w->a.rowptr[i]; k < w->a.rowptr[i + 1]; ++k)
        row += b->to_row[k];
    for (int64_t k = w->a.rowptr[i]; k < w->a.rowptr[i + 1]; ++k)
        b->to_col[k] = pm_message(value_of(w, k), row, b->to_row[k], w->least_share);
}

/* The messages of all rows, and the sums of the columns of each part. */
static void update_parts(const work *w, pm_bethe *b)
{
#pragma omp for schedule(dynamic, 1)
    for (int part = 0; part < w->parts; ++part) {
        double *sum = w->sum + part * w->a.ncols;
        pm_csr_rows rows = pm_csr_share(&w->a, part, w->parts);
        for (int64_t j = 0; j < w->a.ncols; ++j)
            sum[j] = 0;
        for (int64_t i = rows.from; i < rows.to; ++i) {
            update_row(w, i, b);
            for (int64_t k = w->a.rowptr[i]; k < w->a.rowptr[i + 1]; ++k)
                sum[w->a.colind[k]] += b->to_col[k];
        }
    }
}

/* The same, by ranges of columns. */
static void update_ranges(const work *w, pm_bethe *b)
{
#pragma omp for schedule(dynamic, 1024)
    for (int64_t i = 0; i < w->a.nrows; ++i)
        update_row(w, i, b);
#pragma omp for schedule(dynamic, 1)
    for (int task = 0; task < w->parts * w->ranges; ++task) {
        const int part = task / w->ranges;
        const pm_column_range range = pm_column_range_of(w->a.ncols, task % w->ranges, w->ranges);
        const pm_csr_rows rows = pm_csr_share(&w->a, part, w->parts);
        double *sum = w->sum + part * w->a.ncols;
        for (uint32_t j = 0; j < range.count; ++j)
            sum[range.from + j] = 0;
        for (int64_t k = w->a.rowptr[rows.from]; k < w->a.rowptr[rows.to]; ++k)
            if (pm_column_is_in(range, w->a.colind[k]))
                sum[w->a.colind[k]] += b->to_col[k];
    }
}

/* Returns the change of the probability of entry k. */
static double update_entry(const work *w, int64_t k, pm_bethe *b)
{
    const double value = value_of(w, k), to_col = b->to_col[k];
    b->to_row[k] = pm_message(value, w->sum[w->a.colind[k]], to_col, w->least_share);
    double p = pm_message_probability(value, to_col, b->to_row[k]);
    double change = fabs(p - b->probability[k]);
    b->probability[k] = p;
    return change;
}

/* Updates all messages once.  Returns the largest change of a probability. */
static double sweep(const work *w, pm_bethe *b)
{
    double most = 0;
#pragma omp parallel num_threads(w->threads) if (w->threads > 1)
    {
        if (w->ranges > 1)
            update_ranges(w, b);
        else
            update_parts(w, b);
#pragma omp for
        for (int64_t j = 0; j < w->a.ncols; ++j)
            for (int part = 1; part < w->parts; ++part)
                w->sum[j] += w->sum[part * w->a.ncols + j];
#pragma omp for reduction(max : most)
        for (int64_t k = 0; k < w->a.rowptr[w->a.nrows]; ++k) {
            const double change = update_entry(w, k, b);
            most = change > most ? change : most;
        }
    }
    return most;
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

static pm_status work_init(const pm_matrix *a, double (*value)[2], const pm_bethe_limits *limits,
                           const pm_run *run, work *w, pm_error *err)
{
    int64_t nnz = pm_matrix_nnz(a), parts = nnz / (a->ncols + ENTRIES_OF_PART);
    *w = (work){.a = {a->nrows, a->ncols, a->rowptr, a->colind, NULL},
                .value = value,
                .least_share = limits->least_share,
                .parts = (int)(parts < 1            ? 1
                               : parts < MOST_PARTS ? parts
                                                    : MOST_PARTS)};
    w->threads = w->parts > 1 ? pm_transposed_threads(nnz, run) : 1;
    w->ranges = w->threads / w->parts;
    w->sum = pm_alloc_array(w->parts * a->ncols, sizeof *w->sum);
    return w->sum ? PM_OK : pm_fail_memory(err, "messages");
}

static pm_status run_sweeps(const pm_matrix *a, double (*value)[2], const pm_bethe_limits *limits,
                            const pm_run *run, pm_bethe *b, double *sum_to_col, pm_error *err)
{
    work w;
    pm_status status = work_init(a, value, limits, run, &w, err);
    const int64_t nnz = status ? 0 : pm_matrix_nnz(a);
#pragma omp parallel for num_threads(w.threads) if (w.threads > 1)
    for (int64_t k = 0; k < nnz; ++k) {
        b->to_row[k] = value_of(&w, k);
        b->probability[k] = 0;
    }
    for (int count = 0; !status && count < limits->sweeps && sweep(&w, b) > limits->tolerance;
         ++count)
        if (pm_run_stopped(run))
            status = pm_fail(err, PM_ESTOPPED, "stopped during belief propagation");
    const int64_t sums = !status && sum_to_col ? a->ncols : 0;
#pragma omp parallel for num_threads(w.threads) if (w.threads > 1)
    for (int64_t j = 0; j < sums; ++j)
        sum_to_col[j] = w.sum[j];
    free(w.sum);
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
    double *message = on->x.t.value;
    pm_bethe b = {.to_col = message, .to_row = message, .probability = on->x.a.value};
    return on->gpu ? copy_from_gpu(a, value, limits, on, run, sum_to_col, err)
                   : run_sweeps(a, value, limits, run, &b, sum_to_col, err);
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
