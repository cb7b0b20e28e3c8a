/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of high pairs are those of hafnian_kernel.h, here without the three last pairs: `high` bits.  Pair `high` is the highest one of M,
 * `high` + 1 is L. */
#include "config.h"

#include "hafnian/hafnian_outer.h"

#include <math.h>
#include <omp.h>

#include "core/team.h"

enum {
    LOW = PM_HAFNIAN_LOW,
    LANES = PM_HAFNIAN_LANES,
    LAST = 3,        /* pairs that have no bit */
    PIECE_BITS = 12, /* a piece has the sets with the same last bits, at most so many */
    SCATTER = 2531   /* odd; so pieces that follow one another have few and many pairs */
};

typedef struct {
    pm_hafnian_levels levels;
    int high, bits;
    char *upper;  /* c_K */
    char *middle; /* c_L */
    char *lower;  /* cycles through the highest pair of M */
    pm_ledger_task *task;
    const pm_run *run;
    double products;  /* of all pieces */
    pm_status status; /* of the first failure */
    pm_error why;
} outer;

typedef struct {
    pm_exact_sum part[2]; /* real, imaginary */
} total;

static int64_t row_bytes(const outer *w)
{
    return LANES * (int64_t)w->levels.kernel->bytes;
}

static int doubles(const outer *w)
{
    return (int)(w->levels.kernel->bytes / sizeof(double));
}

/* ---- before the sum ---- */

/* The counts of all levels take the first eighth of their array; the cycles of the next two levels fit behind them. */
static pm_status prepare(outer *w, pm_error *err)
{
    pm_hafnian_levels *v = &w->levels;
    const int pairs = v->l.pairs;
    const int64_t rows = INT64_C(1) << w->high;
    char *const counts = v->l.counts;
    pm_status status = PM_OK;
    w->upper = v->l.cycles;
    w->lower = counts + rows * row_bytes(w);
    w->middle = counts + 2 * rows * row_bytes(w);
    for (int k = 0; k < pairs && !status; ++k) {
        v->l.anchor = k;
        v->l.cycles = k == pairs - 2 ? w->middle : k == pairs - 3 ? w->lower : w->upper;
        status = pm_hafnian_levels_paths(v, err);
        if (!status && k < pairs - 3)
            status = pm_hafnian_levels_sums(v, err);
    }
    return status;
}

/* ---- a piece ---- */

/* The row of T of the sums of products of two functions. */
static void convolve(const outer *w, const void *a, const void *b, uint32_t T, void *row)
{
    pm_hafnian_level l = w->levels.l;
    l.cycles = (void *)(uintptr_t)a;
    l.counts = (void *)(uintptr_t)b;
    w->levels.kernel->sum(&l, T, T + 1, row);
}

/* Adds the number of all low pairs in the product of two rows. */
static void add_product(const outer *w, const void *a, const void *b, total *sum)
{
    _Alignas(64) double row[4 * LANES];
    convolve(w, a, b, 0, row);
    for (int i = 0; i < doubles(w); ++i)
        pm_exact_sum_add(&sum->part[i / 2], row[i * LANES + LANES - 1]);
}

/* g(W) h, for the set T of high pairs. */
static void add_set(const outer *w, uint32_t T, const void *h, total *sum)
{
    _Alignas(64) double g[4 * LANES];
    const char *with = w->upper + ((INT64_C(2) << w->high) + T) * row_bytes(w);
    convolve(w, w->middle, w->upper, T, g);
    add_product(w, g, h, sum);
    add_product(w, with, h, sum);
}

static bool add_piece(const outer *w, uint64_t piece, total *sum)
{
    const uint32_t all = (UINT32_C(1) << w->high) - 1, top = all + 1;
    const uint32_t last = (uint32_t)(piece * SCATTER & ((UINT64_C(1) << w->bits) - 1));
    const uint32_t first = last << (w->high - w->bits);
    const uint32_t count = UINT32_C(1) << (w->high - w->bits);
    for (uint32_t T = first; T < first + count; ++T) {
        _Alignas(64) double h[4 * LANES];
        if (pm_run_stopped(w->run))
            return false;
        convolve(w, w->lower, w->levels.l.counts, all ^ T, h);
        add_set(w, T, h, sum);
        add_set(w, T | top, (char *)w->levels.l.counts + (all ^ T) * row_bytes(w), sum);
    }
    return true;
}

/* ---- all pieces ---- */

static bool take(outer *w, pm_range *piece)
{
    bool got = false;
#pragma omp critical(pm_hafnian_outer)
    if (!w->status && !pm_run_stopped(w->run))
        got = pm_ledger_task_take(w->task, 1, piece);
    return got;
}

static void put(outer *w, const pm_range *piece, total *sum)
{
    pm_error why;
#pragma omp critical(pm_hafnian_outer)
    {
        const pm_status status =
            pm_ledger_task_put(w->task, piece->first, piece->end, NULL, sum->part, &why);
        if (status && !w->status) {
            w->status = status;
            w->why = why;
        }
    }
}

static void report(outer *w)
{
    const double share = (double)(w->task->share.end - w->task->share.first);
    const double done = (double)pm_ledger_task_done(w->task) / fmax(1, share);
    const double before = w->levels.all - w->products;
    if (omp_get_thread_num() == 0)
        pm_run_progress(w->run, fmin(1, (before + done * w->products) / w->levels.all), "hafnian");
}

static void run_pieces(outer *w, pm_range piece)
{
    bool has = true;
    while (has) {
        total sum = {0};
        if (!add_piece(w, piece.first, &sum))
            return;
        put(w, &piece, &sum);
        report(w);
        has = take(w, &piece);
    }
}

static pm_status run_task(outer *w, pm_error *err)
{
    pm_range first;
    if (!take(w, &first))
        return pm_run_stopped(w->run) ? pm_fail(err, PM_ESTOPPED, "stopped") : PM_OK;
    pm_status status = prepare(w, err);
    if (status)
        return status;
    const int threads = pm_team(w->run, pm_run_threads(w->run));
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        pm_range piece = first;
        if (omp_get_thread_num() == 0 || take(w, &piece))
            run_pieces(w, piece);
    }
    if (w->status && err)
        *err = w->why;
    if (!w->status && pm_run_stopped(w->run))
        return pm_fail(err, PM_ESTOPPED, "stopped");
    return w->status;
}

static void round_total(const total *sum, int numbers, double *out)
{
    for (int i = 0; i < numbers; i += 2) {
        double x[2];
        pm_exact_sum_round(&sum->part[i / 2], x);
        out[i] = x[0];
        if (i + 1 < numbers)
            out[i + 1] = x[1];
    }
}

pm_status pm_hafnian_outer_run(const pm_hafnian_kernel *kernel, const pm_hafnian_level *l,
                               const pm_hafnian_room *room, const pm_ledger_scope *scope,
                               const char *what, const pm_run *run, double *out, pm_error *err)
{
    pm_ledger_task task;
    total sum = {0};
    outer w = {.high = l->pairs - LOW - LAST, .task = &task};
    w.bits = w.high < PIECE_BITS ? w.high : PIECE_BITS;
    const int32_t choice[] = {l->pairs, l->sheets, (int32_t)kernel->bytes};
    const pm_ledger_shape shape = {.what = what,
                                   .count = UINT64_C(1) << w.bits,
                                   .grain = 1,
                                   .reals = kernel->bytes > 2 * sizeof(double) ? 2 : 1};
    pm_status status = pm_ledger_task_begin(scope, &shape, choice, sizeof choice, &task, err);
    if (status)
        return status;
    const pm_run inside = pm_ledger_task_run(&task, run);
    w.run = &inside;
    pm_hafnian_levels_begin(kernel, l, room, &inside, &w.levels);
    w.products = pm_hafnian_sum_products(kernel, l->pairs) * 8 / 9;
    status = pm_ledger_task_end(&task, run_task(&w, err), NULL, sum.part, err);
    if (!status)
        round_total(&sum, doubles(&w), out);
    return status;
}
