/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dense, sparse and skipping methods on random matrices that have a perfect matching, in the shape
 * of tables 6.1, 6.3, 6.4 and 6.5 of Yaglioglu 2021: seconds, wall clock.
 *
 *   bench_sparse_ryser [N [THREADS]]     N = 30, 2 threads
 *
 * Binary: 0/1, exact.  Generic: real entries uniform in (0, 1), double.  A cell that would take
 * longer than LIMIT seconds is estimated from the processor time of one thread on a sample of its
 * index space, 256 ranges evenly spread, shared among the threads and marked ~. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm/algorithm.h"
#include "bench.h"
#include "core/rng.h"
#include "dense/dense_exact.h"
#include "dense/dense_float.h"
#include "planner/registry.h"
#include "pm/alloc.h"
#include "pm/dm.h"
#include "sparse/skip.h"
#include "sparse/sparse_ryser.h"
#include "sweep/ryser_driver.h"

#define LIMIT 2.0

enum { RANGE_BITS = 8, PART_BITS = 6 };

static int threads = 2;

/* ---- matrices ---- */

static void draw(int32_t n, double density, bool generic, uint64_t *rng, pm_matrix *a)
{
    pm_error err;
    pm_triples t = {.field = generic ? PM_REAL : PM_PATTERN, .nrows = n, .ncols = n};
    for (int32_t i = 0; i < n; ++i)
        for (int32_t j = 0; j < n; ++j) {
            pm_dyadic v = {0};
            double value = pm_rng_unit(rng);
            if (pm_rng_unit(rng) >= density)
                continue;
            pm_dyadic_set_d(&v, value);
            must(pm_triples_add(&t, i, j, 0, generic ? &v : NULL, NULL, &err), &err);
        }
    must(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "bench", a, &err), &err);
    pm_triples_free(&t);
}

/* The first drawn that has a perfect matching; the same pattern for both kinds. */
static void random_block(int32_t n, double density, bool generic, pm_block *b)
{
    pm_error err;
    uint64_t rng = (uint64_t)n * 1000 + (uint64_t)(density * 100);
    int32_t partner[2][PM_SQUARE_MAX];
    int64_t rank = 0;
    *b = (pm_block){.n = n};
    while (rank < n) {
        pm_matrix_free(&b->a);
        draw(n, density, generic, &rng, &b->a);
        must(pm_matching_maximum(&b->a, NULL, partner[0], partner[1], &rank, &err), &err);
    }
    b->log2_bound = pm_permanent_log2_bound(&b->a);
    b->row_cap = pm_alloc_array(n, sizeof *b->row_cap);
    b->col_cap = pm_alloc_array(n, sizeof *b->col_cap);
    if (!b->row_cap || !b->col_cap)
        must(pm_fail_memory(&err, "block"), &err);
    for (int32_t i = 0; i < n; ++i)
        b->row_cap[i] = b->col_cap[i] = 1;
}

/* ---- one cell ---- */

/* Wall clock, the better of two if they are short. */
static double time_all(const pm_sweep *s)
{
    pm_error err;
    pm_run run = {.threads = threads};
    pm_sum sum;
    double best = INFINITY;
    for (int i = 0; i < (best < LIMIT / 4 ? 2 : 1); ++i) {
        double start = wall_seconds();
        must(pm_sweep_range(s, 0, s->count, &run, &sum, &err), &err);
        best = fmin(best, wall_seconds() - start);
    }
    return best;
}

/* Ranges whose starts lie apart by an odd number of their lengths; 0 when they would be shorter
 * than the grain, that is, all is done soon. */
static double time_sample(const pm_sweep *s)
{
    uint64_t length = s->count >> PART_BITS >> RANGE_BITS, step = s->count >> RANGE_BITS;
    pm_sum sum;
    if (length == 0 || length % s->grain)
        return 0;
    memset(&sum, 0, sizeof sum);
    double start = processor_seconds();
    for (uint64_t i = 0; i < 1 << RANGE_BITS; ++i) {
        uint64_t first = i * step + (i * 37 % (1 << PART_BITS)) * length;
        s->range(s->problem, first, first + length, &sum);
    }
    double sample = processor_seconds() - start;
    return ldexp(sample, PART_BITS) / (1 + 0.9 * (threads - 1));
}

static void print_cell(pm_status (*prepare)(const pm_square *, const void *, pm_sweep *,
                                            pm_error *),
                       const void *choice, int bits, const pm_block *b)
{
    pm_error err;
    pm_square q;
    pm_sweep s;
    must(pm_square_make(b, false, bits, 0, &q, &err), &err);
    must(prepare(&q, choice, &s, &err), &err);
    if (s.count >> 10 > s.piece)
        s.piece = s.count >> 10;
    double t = time_sample(&s);
    if (t > LIMIT)
        printf("\t~%.3g", t);
    else
        printf("\t%.3g", time_all(&s));
    fflush(stdout);
    pm_sweep_free(&s);
    pm_square_free(&q);
}

static void dense_cell(const pm_block *b)
{
    pm_precision precision = PM_DOUBLE;
    if (b->a.field == PM_PATTERN)
        print_cell(pm_dense_exact_prepare, NULL, 62, b);
    else
        print_cell(pm_dense_float_prepare, &precision, 62, b);
}

static void sparse_cell(const pm_block *b, bool keep_order)
{
    pm_sparse_choice choice = {.keep_order = keep_order};
    print_cell(pm_sparse_ryser_prepare, &choice, 61, b);
}

static void skip_cell(const pm_block *b, pm_form form, bool keep_order)
{
    pm_skip_choice choice = {.form = form, .keep_order = keep_order};
    print_cell(pm_skip_prepare, &choice, 61, b);
}

/* ---- tables ---- */

static void table(int32_t n, const char *title, const char *head, bool generic,
                  void (*row)(const pm_block *b))
{
    static const double density[] = {0.1, 0.2, 0.3, 0.4};
    printf("# %s, %s, n = %d, %d threads\n# density\t%s\n", title, generic ? "generic" : "binary",
           n, threads, head);
    for (size_t i = 0; i < sizeof density / sizeof *density; ++i) {
        pm_block b;
        random_block(n, density[i], generic, &b);
        printf("%.2f", density[i]);
        row(&b);
        puts("");
        pm_block_free(&b);
    }
}

static void methods_row(const pm_block *b)
{
    dense_cell(b);
    sparse_cell(b, false);
    skip_cell(b, PM_FORM_SIGNS, false);
    skip_cell(b, PM_FORM_BALANCED, false);
}

static void sort_row(const pm_block *b)
{
    sparse_cell(b, false);
    sparse_cell(b, true);
}

static void skip_row(const pm_block *b)
{
    for (int form = 0; form < PM_FORMS; ++form) {
        skip_cell(b, (pm_form)form, false);
        skip_cell(b, (pm_form)form, true);
    }
}

/* As planned, planning included; the best of three. */
static void as_planned(int32_t n, double density)
{
    pm_error err;
    pm_block b;
    pm_run run = {.threads = threads};
    double best = INFINITY, planning = 0, predicted = 0;
    pm_value v;
    random_block(n, density, false, &b);
    pm_value_init(&v);
    pm_job job = {.block = &b,
                  .run = &run,
                  .memory = INT64_C(1) << 30,
                  .rates = &pm_rates_nominal,
                  .rival = INFINITY};
    for (int i = 0; i < 3; ++i) {
        pm_plan plan = {.algorithm = &pm_algorithm_skipper};
        double start = wall_seconds();
        must(pm_algorithm_skipper.plan(&job, &plan, &err), &err);
        planning = wall_seconds() - start;
        predicted = plan.seconds;
        must(pm_algorithm_skipper.run(&job, &plan, NULL, &v, &err), &err);
        best = fmin(best, wall_seconds() - start);
        pm_plan_free(&plan);
    }
    char *text = pm_value_text(&v);
    printf("%d\t%.2f\t%.4f\t%.4f\t%.4f\t%s\n", n, density, best, planning, predicted,
           text ? text : "?");
    free(text);
    pm_value_clear(&v);
    pm_block_free(&b);
}

int main(int argc, char **argv)
{
    bench_start();
    int n = argc > 1 ? atoi(argv[1]) : 30;
    threads = argc > 2 ? atoi(argv[2]) : 2;
    if (n < 22 || n > 62 || threads < 1 || argc > 3) {
        fputs("usage: bench_sparse_ryser [N [THREADS]], N = 22 .. 62\n", stderr);
        return pm_exit_status(PM_EUSAGE);
    }
    for (int generic = 0; generic < 2; ++generic)
        table(n, "tables 6.1 and 6.5: the methods", "dense\tsparyser\tskipper signs\tbalanced",
              generic, methods_row);
    for (int generic = 0; generic < 2; ++generic)
        table(n, "table 6.3: sparyser", "SortOrder\twithout", generic, sort_row);
    for (int generic = 0; generic < 2; ++generic)
        table(
            n, "table 6.4: skipper",
            "signs, SkipOrder\twithout\tsubsets, SkipOrder\twithout\tbalanced, SkipOrder\twithout",
            generic, skip_row);
    puts("# skipper as planned\n# n\tdensity\tseconds\tof them planning\tpredicted\tpermanent");
    as_planned(30, 0.1);
    as_planned(30, 0.2);
    as_planned(36, 0.1);
    as_planned(36, 0.15);
    return 0;
}
