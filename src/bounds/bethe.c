/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/bethe.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "bounds/bethe_gpu.h"
#include "core/team.h"
#include "cuda/message_step.h"
#include "matrix/fetch_ahead.h"
#include "matrix/transposed.h"
#include "pm/alloc.h"
#include "spmv/multiply.h"

/* Below this number of entries the columns are summed in one part; above it, in at most MOST_PARTS that take no more
 * than a share of the memory of the messages, but for two.  A part takes memory for the range of the columns that its rows have: all
 * parts together about one vector where columns are numbered as rows are, as in a lattice. */
enum { ENTRIES_OF_PART = 50000, MOST_PARTS = 16, SHARE = 4 };

enum { SWEEPS_MOST = 2000, MESSAGES = 100000000, SWEEPS_LEAST = 50 };

/* Sweeps between two tests of the probabilities: in a large graph these take as long as the messages. */
enum { LARGE = 1 << 20, SWEEPS_OF_TEST = 8, MANY_SWEEPS = 64 };

/* Of what the approximation does not tell: so much does not matter in a large graph. */
#define NO_MATTER 0x1p-8

/* Of the squares of what rows would move, summed over all later sweeps, this share stands for what the functional lacks: 1/1000 (grids) to 1/15
 * (weights over six decades) was measured; where the sweeps end so it lacked less than 2^-9 of what is unknown (doc/measurements.md). */
#define SHARE_OF_SQUARES 0x1p-6

/* The work of a sweep.  The columns are summed over `parts` ranges of rows, and these sums added: how
 * many there are depends on the matrix alone, so that the number of threads changes no digit.  Where threads are more
 * than parts, each takes a range of the columns of one part. */
typedef struct {
    pm_csr a;                        /* without values */
    double (*value)[2], least_share; /* NULL: all are 1 */
    double *sum;                     /* [ncols]: of the messages to a column */
    bool is_sum_owned;               /* false: it is the caller's */
    double *part[MOST_PARTS];        /* of each part: the sums of the columns `used` */
    pm_column_range used[MOST_PARTS];
    int parts, ranges, threads;
    double
        grain; /* a number of a row, up to 2, is summed as an integer, times this: the order changes no digit */
} work;

/* What a pass over the rows does: the messages from the columns, those to the columns, and between them the test; the last
 * one makes the probabilities. */
typedef struct {
    bool is_from, is_to, is_test, is_last;
} pass;

/* Of the probabilities: the largest change, the sum of the largest changes of all rows, and the sum of what is above 1/2. */
typedef struct {
    double most;
    int64_t moved, high; /* times the grain */
    int64_t squares;     /* of the changes of `moved`, times the grain */
} test;

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

static int64_t grains(const work *w, double x)
{
    return (int64_t)((x < 2 ? x : 2) * w->grain);
}

/* Compares two probabilities of each entry: that of the messages to its column and back, which is 1 - a / (T to_row), T the
 * sum of the messages to the column, and, half a sweep later, that of the messages to its row and back. */
static void test_row(const work *w, int64_t i, double sum, const pm_bethe *b, test *t)
{
    double most = 0, high = 0;
    for (int64_t k = w->a.rowptr[i]; k < w->a.rowptr[i + 1]; ++k) {
        const double to_row = b->to_row[k];
        const double by_column = 1 - value_of(w, k) / (w->sum[w->a.colind[k]] * to_row);
        const double difference = fabs(to_row / sum - by_column);
        most = difference > most ? difference : most;
        high += by_column > 0.5 ? by_column - 0.5 : 0;
    }
    t->most = most > t->most ? most : t->most;
    t->moved += grains(w, most);
    t->squares += grains(w, most * most);
    t->high += grains(w, high);
}

static void messages_to(const work *w, int64_t i, bool is_test, pm_bethe *b, test *t)
{
    double sum = 0;
    for (int64_t k = w->a.rowptr[i]; k < w->a.rowptr[i + 1]; ++k)
        sum += b->to_row[k];
    if (is_test)
        test_row(w, i, sum, b, t);
    for (int64_t k = w->a.rowptr[i]; k < w->a.rowptr[i + 1]; ++k)
        b->to_col[k] = pm_message(value_of(w, k), sum, b->to_row[k], w->least_share);
}

/* Both directions for one row after the other: its messages are read and written once. */
static void update_row(const work *w, int64_t i, pass p, pm_bethe *b, test *t)
{
    if (p.is_from)
        messages_from(w, i, p.is_last, b);
    if (p.is_to)
        messages_to(w, i, p.is_test, b, t);
}

/* The sum of a column of a part. */
static double *sum_of(const work *w, int part, uint32_t j)
{
    return w->part[part] + (j - w->used[part].from);
}

/* The messages of some rows of a part, and the sums of its columns. */
static inline __attribute__((always_inline)) void update_rows(const work *w, int part,
                                                              pm_csr_rows rows, bool asks_ahead,
                                                              pass p, pm_bethe *b, test *t)
{
    double *sum = w->part[part];
    const uint32_t first = w->used[part].from;
    for (int64_t i = rows.from; i < rows.to; ++i) {
        for (int64_t k = w->a.rowptr[i]; k < w->a.rowptr[i + 1] && asks_ahead; ++k) {
            const uint32_t j = (uint32_t)w->a.colind[k + PM_FETCH_AHEAD];
            __builtin_prefetch(&w->sum[j]);
            __builtin_prefetch(&sum[j - first], 1);
        }
        update_row(w, i, p, b, t);
        for (int64_t k = w->a.rowptr[i]; k < w->a.rowptr[i + 1] && p.is_to; ++k)
            sum[(uint32_t)w->a.colind[k] - first] += b->to_col[k];
    }
}

/* The messages of all rows, and the sums of the columns of each part. */
static test update_parts(const work *w, pass p, pm_bethe *b)
{
    test t = {0};
#pragma omp for schedule(dynamic, 1)
    for (int part = 0; part < w->parts; ++part) {
        const pm_csr_rows rows = pm_csr_share(&w->a, part, w->parts);
        const int64_t middle =
            pm_fetch_ahead_rows(w->a.rowptr, w->a.colind, w->used[part].count, rows.from, rows.to);
        for (uint32_t j = 0; j < w->used[part].count && p.is_to; ++j)
            w->part[part][j] = 0;
        update_rows(w, part, (pm_csr_rows){rows.from, middle}, true, p, b, &t);
        update_rows(w, part, (pm_csr_rows){middle, rows.to}, false, p, b, &t);
    }
    return t;
}

/* The same, by ranges of columns. */
static test update_ranges(const work *w, pass p, pm_bethe *b)
{
    test t = {0};
#pragma omp for schedule(dynamic, 1024)
    for (int64_t i = 0; i < w->a.nrows; ++i)
        update_row(w, i, p, b, &t);
#pragma omp for schedule(dynamic, 1)
    for (int task = 0; task < (p.is_to ? w->parts * w->ranges : 0); ++task) {
        const int part = task / w->ranges;
        const pm_column_range used = w->used[part],
                              share = pm_column_range_of(used.count, task % w->ranges, w->ranges),
                              range = {used.from + share.from, share.count};
        const pm_csr_rows rows = pm_csr_share(&w->a, part, w->parts);
        for (uint32_t j = 0; j < range.count; ++j)
            *sum_of(w, part, range.from + j) = 0;
        for (int64_t k = w->a.rowptr[rows.from]; k < w->a.rowptr[rows.to]; ++k)
            if (pm_column_is_in(range, w->a.colind[k]))
                *sum_of(w, part, (uint32_t)w->a.colind[k]) += b->to_col[k];
    }
    return t;
}

static test run_pass(const work *w, pass p, pm_bethe *b)
{
    double most = 0;
    int64_t moved = 0, high = 0, squares = 0;
#pragma omp parallel num_threads(w->threads) reduction(max : most) reduction(+ : moved, high, squares) if (w->threads > 1)
    {
        const test t = w->ranges > 1 ? update_ranges(w, p, b) : update_parts(w, p, b);
        most = t.most;
        moved = t.moved;
        high = t.high;
        squares = t.squares;
#pragma omp for
        for (int64_t j = 0; j < (p.is_to ? w->a.ncols : 0); ++j) {
            double sum = 0;
            for (int part = 0; part < w->parts; ++part)
                if (pm_column_is_in(w->used[part], (int32_t)j))
                    sum += *sum_of(w, part, (uint32_t)j);
            w->sum[j] = sum;
        }
    }
    return (test){most, moved, high, squares};
}

/* What all later sweeps would move does not matter, if each moves the same part of what the one before it does.  before: the test
 * SWEEPS_OF_TEST sweeps ago; without one its `moved` is 0.  After MANY_SWEEPS the scaling has no use for later ones, and only the functional
 * counts. */
static bool is_enough(const work *w, test before, test now, int done)
{
    if (now.moved >= before.moved)
        return false;
    const double part = pow((double)now.moved / (double)before.moved, 1.0 / SWEEPS_OF_TEST);
    const double unknown =
        PM_BETHE_UNKNOWN * w->grain + PM_BETHE_UNKNOWN_OF_HIGH * (double)now.high;
    const double first = (double)now.moved / (1 - part),
                 second = SHARE_OF_SQUARES * (double)now.squares / ((1 - part) * (1 - part));
    return (done < MANY_SWEEPS ? first : fmin(first, second)) <= NO_MATTER * unknown;
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
    *w = (work){.a = {a->nrows, a->ncols, a->rowptr, a->colind, NULL, NULL},
                .value = value,
                .least_share = limits->least_share,
                .grain = 0x1p61 / (double)a->nrows,
                .parts = parts_of(a)};
    w->threads = w->parts > 1 ? pm_transposed_threads(nnz, run) : 1;
    w->ranges = w->threads / w->parts;
    w->sum = sum_to_col ? sum_to_col : pm_alloc_array(a->ncols, sizeof *w->sum);
    w->is_sum_owned = !sum_to_col;
    bool has_memory = w->sum;
    for (int part = 0; part < w->parts && has_memory; ++part) {
        w->used[part] = pm_csr_columns(&w->a, pm_csr_share(&w->a, part, w->parts));
        w->part[part] = pm_alloc_array(w->used[part].count, sizeof *w->part[part]);
        has_memory = w->part[part];
    }
    return has_memory ? PM_OK : pm_fail_memory(err, "messages");
}

static void work_free(work *w)
{
    if (w->is_sum_owned)
        free(w->sum);
    for (int part = 0; part < w->parts; ++part)
        free(w->part[part]);
}

/* A sweep is the messages to the columns and those back.  A pass makes the second half of a sweep and the first half of
 * the next one; the last pass ends a sweep. */
static pm_status run_sweeps(const pm_matrix *a, double (*value)[2], const pm_bethe_limits *limits,
                            const pm_run *run, pm_bethe *b, double *sum_to_col, pm_error *err)
{
    work w;
    pm_status status = work_init(a, value, limits, run, sum_to_col, &w, err);
    const int64_t nnz = status ? 0 : pm_matrix_nnz(a);
    const bool is_large = nnz >= LARGE;
    const int every = is_large ? SWEEPS_OF_TEST : 1;
#pragma omp parallel for num_threads(w.threads) if (w.threads > 1)
    for (int64_t k = 0; k < nnz; ++k)
        b->to_row[k] = value_of(&w, k);
    bool is_last = false;
    test before = {0};
    for (int done = 0; !status && !is_last; ++done) {
        const pass p = {.is_from = done > 0, .is_to = true, .is_test = done && done % every == 0};
        const test now = run_pass(&w, p, b);
        is_last = done + 1 >= limits->sweeps
                  || (p.is_test
                      && (now.most <= limits->tolerance
                          || (is_large && is_enough(&w, before, now, done))));
        before = p.is_test ? now : before;
        if (pm_run_stopped(run))
            status = pm_fail(err, PM_ESTOPPED, "stopped during belief propagation");
    }
    if (!status)
        run_pass(&w, (pass){.is_from = true, .is_last = true}, b);
    work_free(&w);
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

pm_status pm_bethe_probabilities(const pm_matrix *a, double (*value)[2],
                                 const pm_bethe_limits *limits, pm_workspace *on, const pm_run *run,
                                 double *sum_to_col, pm_error *err)
{
    if (on->gpu)
        return pm_bethe_gpu_probabilities(on, value, limits, run, sum_to_col, err);
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
