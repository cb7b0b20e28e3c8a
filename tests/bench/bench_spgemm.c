/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of sparse matrices on a GPU: our kernels, cuSPARSE, and the CPU, in one run.
 *
 *   bench_spgemm [MOST]
 *   bench_spgemm long
 *   bench_spgemm figure
 *
 * C = A B for random square matrices of n = 10 .. MOST (1000000) rows with 1 to 24 entries a row, in double precision.  For
 * each: the time of a product in memory that is there already, the mean of many; the terms; the time of the
 * faster algorithm of cuSPARSE, of all its steps in buffers that are there already; that over ours, which must be at
 * least 1; the share of the rate of a copy, for bytes that must be read and written once (each term with
 * the entry of B, and C); our time on the CPU with all threads, over that on the device.
 *
 * long: the same with 576, 672, 720 and 768 terms a row, n = 100 .. 1000000.
 *
 * figure: n = 10, 20, ..., 100 with one of 5, 11, 17 and 23 elements an entry: all steps of the product, the setup, which counts
 * terms and sorts rows into bins, and the rest. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "core/rng.h"
#include "pm/alloc.h"
#include "process/environment.h"
#include "support/cusparse_spgemm.h"

static pm_error err;
static double copy_rate = 4.0e12; /* bytes read and written a second; measured below */

static void measure_copy(pm_product_gpu *g)
{
    enum { TIMES = 10 };
    pm_gpu_array array;
    const int64_t half = INT64_C(1) << 30;
    must(pm_gpu_session_array(g->session, 2 * half, &array, &err), &err);
    double begun = 0;
    for (int i = -1; i < TIMES; ++i) {
        if (i == 0)
            begun = wall_seconds();
        must(pm_gpu_session_copy(g->session, array, g->session, array + (uint64_t)half, half, &err),
             &err);
    }
    copy_rate = 2.0 * (double)half * TIMES / (wall_seconds() - begun);
}

/* Calls until a tenth of a second has passed. */
typedef bool call(void *context);

static double time_of(call *f, void *context)
{
    int times = 2;
    for (int round = 0;; ++round) {
        double begun = wall_seconds();
        for (int i = 0; i < times; ++i)
            if (!f(context))
                return -1;
        double each = (wall_seconds() - begun) / times;
        if (round == 2)
            return each;
        times = (int)(0.05 / each) + 2;
    }
}

/* Both know the number of entries of C afterwards. */
static bool multiply_ours(void *context)
{
    pm_product_gpu *g = context;
    int64_t entries;
    must(pm_product_gpu_make(g, 0, g->product->a->nrows, &err), &err);
    must(pm_product_gpu_entries(g, &entries, &err), &err);
    return true;
}

static bool multiply_cusparse(void *context)
{
    return cusparse_spgemm_multiply(context) && cusparse_wait();
}

static bool multiply_cpu(void *context)
{
    const pm_product *p = context;
    pm_product_rows rows;
    must(pm_product_make(p, 0, p->a->nrows, true, NULL, &rows, &err), &err);
    pm_product_rows_free(&rows);
    return true;
}

/* The faster algorithm; 0: there is none. */
static double run_cusparse(pm_product_gpu *g, int64_t *entries)
{
    double best = 0;
    for (int i = 0; i < CUSPARSE_SPGEMM_ALGORITHMS && cusparse_spgemm_open(); ++i) {
        cusparse_spgemm *c = cusparse_spgemm_make(g, i);
        const double seconds = c ? time_of(multiply_cusparse, c) : -1;
        if (seconds > 0 && (best == 0 || seconds < best))
            best = seconds;
        if (seconds > 0)
            *entries = cusparse_spgemm_get(c, NULL, NULL, NULL);
        if (c)
            cusparse_spgemm_free(c);
    }
    return best;
}

typedef struct {
    pm_csr a;
    int64_t *rowptr;
    int32_t *colind;
} matrix;

static void *room(int64_t n, size_t size)
{
    void *p = pm_alloc_array(n, (int64_t)size);
    if (!p)
        must(pm_fail(&err, PM_ENOMEM, "out of memory"), &err);
    return p;
}

/* A square matrix with `each` entries a row, in columns that differ. */
static matrix regular(uint64_t *rng, int64_t n, int64_t each)
{
    matrix m = {
        .rowptr = room(n + 1, sizeof *m.rowptr),
        .colind = room(n * each, sizeof *m.colind),
    };
    const int64_t cell = n / each;
    m.a = (pm_csr){n, n, m.rowptr, m.colind, room(n * each, sizeof(double))};
    for (int64_t i = 0; i <= n; ++i)
        m.rowptr[i] = i * each;
    for (int64_t k = 0; k < n * each; ++k) {
        m.colind[k] = (int32_t)(k % each * cell + (int64_t)(pm_rng_unit(rng) * (double)cell));
        m.a.value[k] = pm_rng_unit(rng);
    }
    return m;
}

static void release(matrix *m)
{
    free(m->rowptr);
    free(m->colind);
    free(m->a.value);
}

/* Rows of `each` entries times rows of `other`. */
static void run(uint64_t *rng, int64_t n, int64_t each, int64_t other_each)
{
    matrix x = regular(rng, n, each), y = regular(rng, n, other_each);
    const pm_product p = {PM_SEMIRING_SUM, &x.a, &y.a, NULL};
    pm_product_gpu g;
    int64_t entries, theirs = 0;
    must(pm_product_gpu_open(0, &p, true, 0, &g, &err), &err);
    const double ours = time_of(multiply_ours, &g);
    must(pm_product_gpu_entries(&g, &entries, &err), &err);
    const double other = run_cusparse(&g, &theirs), cpu = time_of(multiply_cpu, (void *)&p);
    const double terms = (double)(n * each * other_each);
    const double bytes = 12 * (terms + (double)(n * each + entries));
    printf("%8lld %3lld %10.0f %10lld %10.4f %10.4f %8.2f %8.3f %8.2f%s\n", (long long)n,
           (long long)each, terms, (long long)entries, 1e3 * ours, 1e3 * other, other / ours,
           bytes / ours / copy_rate, cpu / ours,
           theirs != 0 && theirs != entries ? "  cuSPARSE has other entries" : "");
    fflush(stdout);
    pm_product_gpu_close(&g);
    release(&x);
    release(&y);
}

/* ---- small matrices, by their size and their sparsity ---- */

/* Each element is an entry with probability 1 / ratio. */
static matrix sparse(uint64_t *rng, int64_t n, int64_t ratio)
{
    matrix m = {.rowptr = room(n + 1, sizeof *m.rowptr), .colind = room(n * n, sizeof *m.colind)};
    m.a = (pm_csr){n, n, m.rowptr, m.colind, room(n * n, sizeof(double))};
    int64_t k = 0;
    for (int64_t i = 0; i < n; ++i) {
        m.rowptr[i] = k;
        for (int64_t j = 0; j < n; ++j)
            if (pm_rng_below(rng, (uint32_t)ratio) == 0) {
                m.colind[k] = (int32_t)j;
                m.a.value[k++] = pm_rng_unit(rng);
            }
    }
    m.rowptr[n] = k;
    return m;
}

static void launch(pm_product_gpu *g, const char *kernel, int64_t blocks)
{
    void *arguments[] = {&g->arrays};
    g->arrays.blocks = (int)blocks;
    must(pm_gpu_session_launch(g->session, kernel, blocks, PM_PRODUCT_THREADS, 0, arguments, &err),
         &err);
}

/* As pm_product_gpu_make begins; the other kernel clears what was counted. */
static bool set_up(void *context)
{
    pm_product_gpu *g = context;
    const int64_t rows = g->product->a->nrows, each = PM_PRODUCT_THREADS / g->arrays.group;
    g->arrays.first = 0;
    g->arrays.rows = rows;
    launch(g, "pm_spgemm_count", (rows + each - 1) / each);
    launch(g, "pm_spgemm_tiles", 1);
    must(pm_gpu_session_wait(g->session, &err), &err);
    return true;
}

static void run_small(uint64_t *rng, int64_t n, int64_t ratio)
{
    matrix x = sparse(rng, n, ratio), y = sparse(rng, n, ratio);
    const pm_product p = {PM_SEMIRING_SUM, &x.a, &y.a, NULL};
    pm_product_gpu g;
    int64_t entries, theirs = 0;
    must(pm_product_gpu_open(0, &p, true, 0, &g, &err), &err);
    const double all = time_of(multiply_ours, &g), setup = time_of(set_up, &g);
    multiply_ours(&g);
    must(pm_product_gpu_entries(&g, &entries, &err), &err);
    const double other = run_cusparse(&g, &theirs);
    printf("%4lld %5lld %8lld %8lld %8.1f %8.1f %8.1f %8.1f %8.2f%s\n", (long long)n,
           (long long)ratio, (long long)x.rowptr[n], (long long)entries, 1e6 * all, 1e6 * setup,
           1e6 * (all - setup), 1e6 * other, other / all,
           theirs != 0 && theirs != entries ? "  cuSPARSE has other entries" : "");
    fflush(stdout);
    pm_product_gpu_close(&g);
    release(&x);
    release(&y);
}

static void run_figure(uint64_t *rng)
{
    printf("%4s %5s %8s %8s %8s %8s %8s %8s %8s\n", "n", "each", "entries", "of C", "us", "setup",
           "rest", "cuSPARSE", "ratio");
    for (int64_t ratio = 5; ratio <= 23; ratio += 6)
        for (int64_t n = 10; n <= 100; n += 10)
            run_small(rng, n, ratio);
}

static void begin(uint64_t *rng)
{
    matrix x = regular(rng, 100, 3);
    const pm_product p = {PM_SEMIRING_SUM, &x.a, &x.a, NULL};
    pm_product_gpu g;
    must(pm_product_gpu_open(0, &p, true, 0, &g, &err), &err);
    multiply_ours(&g);
    measure_copy(&g);
    pm_product_gpu_close(&g);
    release(&x);
}

int main(int argc, char **argv)
{
    static const int64_t each[] = {1, 2, 4, 8, 16, 24}, long_rows[] = {24, 28, 30, 32};
    const int64_t most = argc > 1 ? atoll(argv[1]) : 1000000;
    uint64_t rng = 1;
    int gpus;
    pm_environment_read();
    if (pm_gpu_count(&gpus, &err) != PM_OK) {
        puts("bench_spgemm: there is no GPU here");
        return 0;
    }
    begin(&rng);
    if (argc > 1 && strcmp(argv[1], "figure") == 0) {
        run_figure(&rng);
        return 0;
    }
    const bool is_long = argc > 1 && strcmp(argv[1], "long") == 0;
    printf("%8s %3s %10s %10s %10s %10s %8s %8s %8s\n", "n", "row", "terms", "entries", "ms",
           "cuSPARSE", "ratio", "of copy", "CPU");
    for (int64_t n = 10; n <= most && !is_long; n *= 10)
        for (int k = 0; k < 6; ++k)
            if (each[k] <= n)
                run(&rng, n, each[k], each[k]);
    for (int64_t n = 100; n <= 1000000 && is_long; n *= 10)
        for (int k = 0; k < 4; ++k)
            run(&rng, n, 24, long_rows[k]);
    return 0;
}
