/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of sparse matrices and vectors on a GPU: our kernels, cuSPARSE, and the CPU, in one run.
 *
 *   bench_spmv [coo] [single] FILE...
 *
 * For each matrix: the time of a product, the mean of many; bytes that it must read and write (each
 * entry with its column, the first entry of each row, x and y once) over that time; the share of the
 * rate of a copy in the memory of the device; and the time of the fastest algorithm of cuSPARSE over
 * the time of the kernel that we choose, which must be at least 1.  With coo also the kernels of
 * lists of entries, over the first of them.  Values are random; without values a second table line
 * says what a pattern takes. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "core/rng.h"
#include "pm/alloc.h"
#include "pm/io.h"
#include "process/environment.h"
#include "spmv/multiply.h"
#include "support/cusparse.h"

static pm_error err;
static double copy_rate; /* bytes read and written a second */

static void *room(int64_t n, size_t size)
{
    void *p = calloc((size_t)n + 1, size);
    if (!p)
        must(pm_fail(&err, PM_ENOMEM, "out of memory"), &err);
    return p;
}

/* ---- the device ---- */

static void measure_copy(pm_spmv_gpu *g)
{
    enum { TIMES = 10 };
    pm_gpu_array array;
    const int64_t half = INT64_C(1) << 30;
    must(pm_gpu_session_array(g->session, 2 * half, &array, &err), &err);
    must(pm_gpu_session_copy(g->session, array, g->session, array + (uint64_t)half, half, &err),
         &err);
    double begun = wall_seconds();
    for (int i = 0; i < TIMES; ++i)
        must(pm_gpu_session_copy(g->session, array, g->session, array + (uint64_t)half, half, &err),
             &err);
    copy_rate = 2.0 * (double)half * TIMES / (wall_seconds() - begun);
}

/* Enough products for a tenth of a second. */
static double time_kernel(pm_spmv_gpu *g, pm_spmv_kernel k)
{
    int times = 3;
    for (int round = 0;; ++round) {
        double begun = wall_seconds();
        for (int i = 0; i < times; ++i)
            must(pm_spmv_gpu_multiply(g, k, &err), &err);
        must(pm_gpu_session_wait(g->session, &err), &err);
        double each = (wall_seconds() - begun) / times;
        if (round == 2)
            return each;
        times = (int)(0.05 / each) + 3;
    }
}

static double time_cusparse(cusparse_product *p)
{
    int times = 3;
    for (int round = 0;; ++round) {
        double begun = wall_seconds();
        for (int i = 0; i < times; ++i)
            if (!cusparse_multiply(p))
                return -1;
        if (!cusparse_wait())
            return -1;
        double each = (wall_seconds() - begun) / times;
        if (round == 2)
            return each;
        times = (int)(0.05 / each) + 3;
    }
}

/* ---- one matrix ---- */

static void print_row(const char *name, double seconds, double bytes, double base)
{
    printf("  %-26s %9.4f ms %8.1f GB/s %6.3f of a copy", name, 1e3 * seconds,
           1e-9 * bytes / seconds, bytes / seconds / copy_rate);
    if (base > 0)
        printf("  %6.3f", base / seconds);
    putchar('\n');
}

static void run_coo(const pm_csr *a, pm_spmv_kind kind, const double *x, double bytes)
{
    pm_spmv_gpu g;
    double base = 0;
    kind.is_coo = true;
    must(pm_spmv_gpu_open(0, a, &kind, &g, &err), &err);
    must(pm_spmv_gpu_put(&g, x, &err), &err);
    for (int k = 0; k < PM_SPMV_CSR_SCALAR; ++k) {
        double seconds = time_kernel(&g, (pm_spmv_kernel)k);
        base = k == 0 ? seconds : base;
        print_row(pm_spmv_kernel_name((pm_spmv_kernel)k), seconds, bytes, base);
    }
    /* the strided maps, by the number of thread blocks */
    for (int64_t blocks = 16; blocks <= 4096; blocks *= 4) {
        char name[64];
        g.resident = blocks;
        snprintf(name, sizeof name, "coo_block, %d blocks", (int)blocks);
        print_row(name, time_kernel(&g, PM_SPMV_COO_BLOCK), bytes, base);
    }
    pm_spmv_gpu_close(&g);
}

/* The fastest of cuSPARSE; 0: there is none. */
static double run_cusparse(const pm_csr *a, const pm_spmv_kind *kind, const double *x, double bytes)
{
    double best = 0;
    if (!cusparse_open())
        return 0;
    for (int i = 0; i < CUSPARSE_ALGORITHMS; ++i) {
        pm_spmv_gpu g;
        char name[64];
        must(pm_spmv_gpu_open(0, a, kind, &g, &err), &err);
        must(pm_spmv_gpu_put(&g, x, &err), &err);
        cusparse_product *p = cusparse_make(&g, i);
        double seconds = p ? time_cusparse(p) : -1;
        snprintf(name, sizeof name, "cuSPARSE %s", cusparse_algorithm[i]);
        if (seconds > 0)
            print_row(name, seconds, bytes, 0);
        if (seconds > 0 && (best == 0 || seconds < best))
            best = seconds;
        if (p)
            cusparse_free(p);
        pm_spmv_gpu_close(&g);
    }
    return best;
}

enum { LONG_ROW = 100000 };

static int64_t longest_row(const pm_csr *a)
{
    int64_t longest = 0;
    for (int64_t i = 0; i < a->nrows; ++i)
        longest =
            a->rowptr[i + 1] - a->rowptr[i] > longest ? a->rowptr[i + 1] - a->rowptr[i] : longest;
    return longest;
}

static void run_csr(const pm_csr *a, const pm_spmv_kind *kind, const double *x, double bytes,
                    double base)
{
    pm_spmv_gpu g;
    char name[64];
    must(pm_spmv_gpu_open(0, a, kind, &g, &err), &err);
    must(pm_spmv_gpu_put(&g, x, &err), &err);
    const pm_spmv_choice choice = g.choice;
    if (longest_row(a) > LONG_ROW)
        goto merge; /* a few threads take half a second for such a row */
    print_row("csr_scalar", time_kernel(&g, PM_SPMV_CSR_SCALAR), bytes, base);
    for (g.arrays.group = 2; g.arrays.group <= 32; g.arrays.group *= 2) {
        snprintf(name, sizeof name, "csr_vector, %d threads", g.arrays.group);
        print_row(name, time_kernel(&g, PM_SPMV_CSR_VECTOR), bytes, base);
    }
merge:
    print_row("csr_merge", time_kernel(&g, PM_SPMV_CSR_MERGE), bytes, base);
    g.arrays.group = choice.group;
    snprintf(name, sizeof name, "chosen: %s %d", pm_spmv_kernel_name(choice.kernel) + 8,
             choice.kernel == PM_SPMV_CSR_VECTOR ? choice.group : 0);
    print_row(name, time_kernel(&g, choice.kernel), bytes, base);
    if (copy_rate == 0)
        measure_copy(&g);
    pm_spmv_gpu_close(&g);
}

static void run_cpu(const pm_csr *a, const double *x, double *y)
{
    int32_t *row;
    must(pm_csr_rows_of_entries(a, &row, &err), &err);
    const pm_coo list = {a->nrows, a->ncols, a->rowptr[a->nrows], row, a->colind, a->value};
    for (int threads = 1; threads <= 16; threads *= 4) {
        double t[3] = {1e9, 1e9, 1e9};
        for (int round = 0; round < 3; ++round) {
            double begun = wall_seconds();
            pm_semiring_multiply_coo(PM_SEMIRING_SUM, &list, x, y, threads);
            double coo = wall_seconds();
            pm_spmv_multiply(a, x, y, threads);
            double csr = wall_seconds();
            t[0] = coo - begun < t[0] ? coo - begun : t[0];
            t[1] = csr - coo < t[1] ? csr - coo : t[1];
        }
        printf("  CPU, %2d threads: COO %9.3f ms, CSR %9.3f ms\n", threads, 1e3 * t[0], 1e3 * t[1]);
    }
    free(row);
}

static void run(const char *file, bool with_coo, bool is_single)
{
    const pm_read_options options = {.pattern = true, .graph = false};
    pm_node node;
    pm_reader *reader;
    uint64_t rng = 1;
    pm_node_init(&node);
    must(pm_reader_open(file, &options, &reader, &err), &err);
    must(pm_reader_next(reader, &node, &err), &err);
    const pm_matrix *m = &node.matrix;
    const int64_t nnz = pm_matrix_nnz(m);
    double *value = room(nnz, sizeof *value), *x = room(m->ncols, sizeof *x);
    double *y = room(m->nrows, sizeof *y);
    for (int64_t k = 0; k < nnz; ++k)
        value[k] = pm_rng_unit(&rng);
    for (int64_t j = 0; j < m->ncols; ++j)
        x[j] = pm_rng_unit(&rng);
    const pm_csr a = {m->nrows, m->ncols, m->rowptr, m->colind, value, NULL};
    const double size = is_single ? 4 : 8;
    const double lines = 4 * (double)(m->nrows + 1) + size * (double)(m->nrows + m->ncols);
    const double bytes = (size + 4) * (double)nnz + lines;
    pm_spmv_kind kind = {PM_SEMIRING_SUM, is_single, true, false};
    if (copy_rate == 0)
        run_csr(&a, &kind, x, bytes, 0); /* begins */
    printf("%s: %lld rows, %lld entries, %.1f a row, longest %lld; %s\n", file, (long long)m->nrows,
           (long long)nnz, (double)nnz / (double)m->nrows, (long long)longest_row(&a),
           is_single ? "floats" : "doubles");
    double best = run_cusparse(&a, &kind, x, bytes);
    run_csr(&a, &kind, x, bytes, best);
    kind.has_values = false;
    puts("  without values:");
    run_csr(&a, &kind, x, 4 * (double)nnz + lines, 0);
    kind.has_values = true;
    if (with_coo)
        run_coo(&a, kind, x, bytes + 4 * (double)nnz - 4 * (double)m->nrows);
    if (!is_single)
        run_cpu(&a, x, y);
    fflush(stdout);
    free(value);
    free(x);
    free(y);
    pm_node_clear(&node);
    pm_reader_close(&reader);
}

int main(int argc, char **argv)
{
    bool with_coo = false, is_single = false;
    int gpus;
    pm_environment_read();
    if (pm_gpu_count(&gpus, &err) != PM_OK) {
        puts("bench_spmv: there is no GPU here");
        return 0;
    }
    if (argc < 2)
        puts("bench_spmv: expected files, as of pm-gen");
    for (int i = 1; i < argc; ++i)
        if (strcmp(argv[i], "coo") == 0)
            with_coo = true;
        else if (strcmp(argv[i], "single") == 0)
            is_single = true;
        else
            run(argv[i], with_coo, is_single);
    return 0;
}
