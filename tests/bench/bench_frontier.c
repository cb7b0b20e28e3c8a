/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rank kernel: transitions a second, one residue, on random 5-regular blocks whose largest
 * level has 1e6 to 1e8 states; and what was predicted beside what was measured.
 *
 * "in place" is the same graph and order with one array of states: compare the seconds.
 *
 * A transition is one (state, predecessor) pair and one residue.  Baseline of the ratios: one
 * thread, unit weights.  Limit: a transition reads 8 bytes and a state writes 8; a copy of an
 * array as large as the buffers is timed in the same run. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "algorithm/rates.h"
#include "bench.h"
#include "core/machine.h"
#include "core/rng.h"
#include "frontier/frontier_program.h"
#include "frontier/frontier_rank.h"
#include "frontier/ring.h"
#include "number/prime.h"
#include "order/vertex_order.h"
#include "pm/alloc.h"

/* The union of d random permutation matrices; integer weights 2..9 where wanted. */
static void random_block(int32_t n, int d, uint64_t seed, bool weighted, pm_block *b)
{
    pm_error err;
    pm_triples t = {.field = weighted ? PM_INTEGER : PM_PATTERN, .nrows = n, .ncols = n};
    int32_t *p = pm_alloc_array(n, sizeof *p);
    for (int k = 0; k < d; ++k) {
        for (int32_t i = 0; i < n; ++i) {
            int32_t j = (int32_t)pm_rng_below(&seed, (uint32_t)i + 1);
            p[i] = p[j];
            p[j] = i;
        }
        for (int32_t i = 0; i < n; ++i) {
            pm_dyadic w = {0};
            pm_dyadic_set_si(&w, 2 + (i + k) % 8);
            must(pm_triples_add(&t, i, p[i], 0, weighted ? &w : NULL, NULL, &err), &err);
        }
    }
    *b = (pm_block){.n = n};
    /* a repeated edge keeps one weight: the first one's */
    for (int64_t i = 0; weighted && i < t.count; ++i)
        for (int64_t j = 0; j < i; ++j)
            if (t.at[i].row == t.at[j].row && t.at[i].col == t.at[j].col)
                pm_dyadic_set(&t.re[i], &t.re[j]);
    must(pm_matrix_from_triples(&t, PM_DUPLICATES_IGNORE, "bench", &b->a, &err), &err);
    b->row_cap = pm_alloc_array(n, sizeof *b->row_cap);
    b->col_cap = pm_alloc_array(n, sizeof *b->col_cap);
    for (int32_t i = 0; i < n; ++i)
        b->row_cap[i] = b->col_cap[i] = 1;
    free(p);
}

/* Bytes of this process that are or were resident at once. */
static double peak_bytes(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_maxrss * 1024;
}

/* Seconds, the best of three: others use the machine too. */
static double run_time(const pm_frontier_program *p, const pm_ring *ring, int threads)
{
    pm_error err;
    pm_run run = {.threads = threads};
    char value[64];
    double best = INFINITY;
    for (int i = 0; i < 3; ++i) {
        double start = wall_seconds();
        must(pm_frontier_rank_run(p, ring, &run, 0, 1, value, &err), &err);
        best = fmin(best, wall_seconds() - start);
    }
    return best;
}

static double copy_rate(int64_t bytes)
{
    char *a = pm_alloc_array(bytes, 1), *b = pm_alloc_array(bytes, 1);
    memset(a, 1, (size_t)bytes);
    memset(b, 1, (size_t)bytes);
    double start = wall_seconds();
    memcpy(b, a, (size_t)bytes);
    double rate = (double)bytes / (wall_seconds() - start);
    free(a);
    free(b);
    return rate;
}

static const pm_search_limits no_limits = {
    .rival = INFINITY, .least = PM_GLANCE_SECONDS, .most = INFINITY};

static double bench_here(int32_t n, bool weighted, bool in_place, const char *what, int threads,
                         double baseline)
{
    pm_error err;
    pm_block b;
    pm_block_graph g;
    pm_vertex_order o;
    pm_frontier_program p;
    pm_ring *ring;
    uint64_t m = pm_prime_below(PM_MODULUS_MAX);
    pm_run quiet = {.threads = 2};
    random_block(n, 5, 1, weighted, &b);
    must(pm_block_graph_make(&b, &g, &err), &err);
    must(pm_vertex_order_search(&g, 1, 1e-9, no_limits, &quiet, &o, &err), &err);
    bool real = !strcmp(what, "real");
    if (real)
        must(pm_ring_real(&b, &ring, &err), &err);
    else
        must(pm_ring_residues(&b, &m, 1, &ring, &err), &err);
    must(pm_frontier_program_compile(&g, &o, ring->value_bytes, in_place, &p, &err), &err);
    double before = peak_bytes(), t = run_time(&p, ring, threads);
    const double *nominal = pm_rates_nominal.seconds;
    double unit = nominal[real ? PM_RATE_RANK_REAL : PM_RATE_RANK_UNIT];
    double with_weight = real ? 1.5 * unit : nominal[PM_RATE_RANK_WEIGHTED];
    double predicted = pm_frontier_program_seconds(&p, ring->value_bytes, unit, with_weight, 1);
    double rate = p.transitions / t, bytes = pm_frontier_program_bytes(&p, ring->value_bytes);
    printf("%-9s n=%d\t%d\t%.2g\t%.3g\t%.3f\t%.3f\t%.3g\t%.2f\t%.0f\t%.0f\n", what, n, threads,
           (double)p.max_states, p.transitions, t, predicted / threads, rate,
           baseline > 0 ? rate / baseline : 1, bytes / 0x1p20, (peak_bytes() - before) / 0x1p20);
    fflush(stdout);
    ring->free(ring);
    pm_frontier_program_free(&p);
    pm_vertex_order_free(&o);
    pm_block_graph_free(&g);
    pm_block_free(&b);
    return rate;
}

/* In a process of its own, whose peak of memory is the case's. */
static double bench(int32_t n, bool weighted, bool in_place, const char *what, int threads,
                    double baseline)
{
    int ends[2], status;
    double rate = 0;
    fflush(stdout);
    if (pipe(ends))
        exit(pm_exit_status(PM_EINTERNAL));
    pid_t child = fork();
    if (child == 0) {
        rate = bench_here(n, weighted, in_place, what, threads, baseline);
        exit(write(ends[1], &rate, sizeof rate) != sizeof rate);
    }
    close(ends[1]);
    if (child < 0 || read(ends[0], &rate, sizeof rate) != sizeof rate
        || waitpid(child, &status, 0) < 0 || status)
        exit(pm_exit_status(PM_EINTERNAL));
    close(ends[0]);
    return rate;
}

int main(void)
{
    bench_start();
    static const int32_t sizes[] = {36, 42, 48};
    puts("# case\tthreads\tstates\ttransitions\tseconds\tpredicted\ttransitions/s\tratio\t"
         "MiB predicted\tMiB at the peak");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        double base = bench(sizes[i], false, false, "unit", 1, 0);
        bench(sizes[i], false, false, "unit", 2, base);
        bench(sizes[i], false, true, "in place", 1, base);
        bench(sizes[i], false, true, "in place", 2, base);
        bench(sizes[i], true, false, "weighted", 1, base);
        if (i < 2)
            bench(sizes[i], true, false, "real", 1, base);
    }
    printf("# a copy of 256 MiB runs at %.3g bytes a second\n", copy_rate(INT64_C(1) << 28));
    return 0;
}
