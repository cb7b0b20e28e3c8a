/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Iterations with sparse matrices: on one thread, on all threads, and on a GPU where there is one.
 *
 *   bench_iterations [plain] FILE...
 *
 * For each matrix, whose entries are taken as ones: seconds to prepare the arrays, to scale until all sums
 * are within 1e-8 of 1, and of belief propagation, at most 50 sweeps and to a tolerance of 1e-13.  plain:
 * Sinkhorn's own iteration alone, 100 sweeps of two products, a time for each. */
#include "config.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#include "bench.h"
#include "bounds/bethe.h"
#include "gpu/gpu.h"
#include "pm/alloc.h"
#include "pm/io.h"
#include "process/environment.h"
#include "sinkhorn/sinkhorn.h"

enum { PRODUCTS = 4000, SWEEPS = 50, PLAIN = 100 };
#define TOLERANCE 1e-8

static pm_error err;

/* Seconds of a sweep; uses vectors 0 and 1 of the workspace of s. */
static double time_plain(pm_sinkhorn *s)
{
    pm_workspace *w = &s->on;
    pm_workspace_map(w, PM_MAP_FILL, 1, 1, 1, 1);
    double begun = wall_seconds();
    for (int k = 0; k < PLAIN; ++k)
        for (int t = 0; t < 2; ++t) {
            pm_workspace_multiply(w, t, !t, t);
            pm_workspace_map(w, PM_MAP_INVERT, 0, t, t, t);
        }
    double size = pm_workspace_reduce(w, PM_REDUCE_LARGEST, 0, 0); /* waits for a GPU */
    if (!(size > 0))
        must(pm_fail(&err, PM_EINTERNAL, "the iteration lost its numbers"), &err);
    return (wall_seconds() - begun) / PLAIN;
}

static void run_on(const pm_matrix *a, const char *name, int device, int threads, bool is_plain)
{
    const int64_t nnz = pm_matrix_nnz(a);
    const pm_run run = {.threads = threads};
    const pm_bethe_limits limits = {1e-15, SWEEPS, 1e-13};
    pm_sinkhorn s;
    pm_bethe b;
    double *ones = pm_alloc_array(nnz, sizeof *ones);
    double(*value)[2] = pm_alloc_array(nnz, sizeof *value);
    if (!ones || !value)
        must(pm_fail_memory(&err, "entries"), &err);
    for (int64_t k = 0; k < nnz; ++k) {
        ones[k] = value[k][0] = 1;
        value[k][1] = 0;
    }
    double begun = wall_seconds();
    must(pm_sinkhorn_make(a, device, &run, &s, &err), &err);
    double made = wall_seconds();
    pm_sinkhorn_start(&s, ones);
    if (is_plain)
        printf("  %-12s %8.3f s to prepare, %10.3f ms a sweep\n", name, made - begun,
               1e3 * time_plain(&s));
    pm_sinkhorn_start(&s, ones);
    double started = wall_seconds();
    must(pm_sinkhorn_improve(&s, TOLERANCE, PRODUCTS, &err), &err);
    double scaled = wall_seconds();
    must(pm_bethe_make(a, value, &limits, &s.on, &run, &b, &err), &err);
    double propagated = wall_seconds();
    printf("  %-12s %8.3f s to prepare, scaling %8.3f s (%lld products, residual %.1e), beliefs "
           "%8.3f s\n",
           name, made - begun, scaled - started, (long long)s.products, s.residual,
           propagated - scaled);
    pm_bethe_free(&b);
    pm_sinkhorn_free(&s);
    free(ones);
    free(value);
}

static void run_file(const char *file, bool is_plain)
{
    const pm_read_options options = {.pattern = true};
    pm_node node;
    pm_reader *reader;
    int gpus;
    pm_node_init(&node);
    must(pm_reader_open(file, &options, &reader, &err), &err);
    must(pm_reader_next(reader, &node, &err), &err);
    const pm_matrix *a = &node.matrix;
    printf("%s: %lld rows, %lld entries\n", file, (long long)a->nrows, (long long)pm_matrix_nnz(a));
    run_on(a, "one thread", PM_ON_HOST, 1, is_plain);
    run_on(a, "all threads", PM_ON_HOST, omp_get_max_threads(), is_plain);
    for (int round = 0; round < 2 && pm_gpu_count(&gpus, NULL) == PM_OK; ++round)
        run_on(a, round ? "GPU, again" : "GPU", 0, 1, is_plain);
    pm_node_clear(&node);
    pm_reader_close(&reader);
}

int main(int argc, char **argv)
{
    bench_start();
    pm_environment_read();
    const bool is_plain = argc > 1 && strcmp(argv[1], "plain") == 0;
    for (int i = 1 + is_plain; i < argc; ++i)
        run_file(argv[i], is_plain);
    return 0;
}
