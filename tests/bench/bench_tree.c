/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product-tree: what is planned for random blocks, and the speed of its interpreters on one core.
 *
 * First table: operations (additions and multiplications) of one of the 2^(n-1) terms of the dense
 * formula, with eliminated columns and without.  Second table: nanoseconds of a term of the sweep,
 * measured on a part of it, and the predicted time beside. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm/rates.h"
#include "bench.h"
#include "core/isa.h"
#include "core/rng.h"
#include "number/prime.h"
#include "pm/alloc.h"
#include "product_tree/tree.h"

/* A random matrix with a full diagonal. */
static void random_square(pm_field field, int n, double density, uint64_t seed, pm_square *s)
{
    pm_error err;
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    pm_block b = {.n = n};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            pm_dyadic re = {0}, im = {0};
            pm_dyadic_set_d(&re, pm_rng_unit(&seed) - 0.5);
            pm_dyadic_set_d(&im, pm_rng_unit(&seed) - 0.5);
            if (field == PM_INTEGER)
                pm_dyadic_set_si(&re, 1 + pm_rng_below(&seed, 1000));
            if (pm_rng_unit(&seed) < density || i == j)
                must(pm_triples_add(&t, i, j, 0, field == PM_PATTERN ? NULL : &re,
                                    field == PM_COMPLEX ? &im : NULL, &err),
                     &err);
        }
    must(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "bench", &b.a, &err), &err);
    pm_triples_free(&t);
    b.row_cap = pm_alloc_array(n, sizeof *b.row_cap);
    b.col_cap = pm_alloc_array(n, sizeof *b.col_cap);
    for (int i = 0; i < n; ++i)
        b.row_cap[i] = b.col_cap[i] = 1;
    must(pm_square_make(&b, false, field <= PM_INTEGER ? PM_TREE_BITS : 53, 0, s, &err), &err);
    pm_block_free(&b);
}

static double make_plan(const pm_square *s, int eliminated, pm_tree_plan *plan)
{
    pm_error err;
    pm_pattern a = {s->n, s->colptr, s->rowind, s->rowptr, s->colind};
    pm_tree_options o = pm_tree_defaults();
    o.eliminated = eliminated;
    double start = processor_seconds();
    must(pm_tree_plan_make(&a, &o, plan, &err), &err);
    return processor_seconds() - start;
}

static void print_plans(void)
{
    static const int sizes[] = {24, 32, 40, 48};
    puts("# n\tdensity\tnnz\tops, m=0\tm\tops of a sweep term\tlog2 of their number\t"
         "ops of a dense term\tplanning s");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int d = 1; d <= 5; ++d) {
            pm_square s;
            pm_tree_plan none, best;
            random_square(PM_PATTERN, sizes[i], 0.1 * d, 1, &s);
            make_plan(&s, 0, &none);
            double planning = make_plan(&s, PM_TREE_ANY, &best);
            double term = best.additions + best.products;
            printf("%d\t%.1f\t%d\t%.1f\t%d\t%.1f\t%d\t%.2f\t%.3f\n", s.n, 0.1 * d,
                   pm_square_nnz(&s), none.additions + none.products, best.eliminated, term,
                   pm_tree_outer(&best), ldexp(term, -best.eliminated), planning);
            pm_square_free(&s);
        }
}

/* Nanoseconds of a term; best of three, on at most 2^22 terms. */
static double time_terms(const pm_sweep *sweep)
{
    uint64_t end = sweep->count;
    double best = INFINITY;
    while (end > UINT64_C(1) << 22 && end / 2 >= sweep->grain)
        end /= 2;
    for (int i = 0; i < 3; ++i) {
        pm_sum sum = {.failed = false};
        int repeats = 0;
        double start = processor_seconds(), now;
        do {
            sweep->range(sweep->problem, 0, end, &sum);
            ++repeats;
            now = processor_seconds();
        } while (now - start < 5e-3);
        best = fmin(best, (now - start) / repeats);
    }
    return 1e9 * best / (double)end;
}

static void print_speed(pm_field field, const char *name, int n, double density, int nprimes)
{
    pm_error err;
    pm_square s;
    pm_tree_plan plan;
    pm_sweep sweep;
    uint64_t prime[PM_TREE_PRIMES], p = PM_TREE_PRIME_MAX;
    for (int i = 0; i < nprimes; ++i)
        prime[i] = p = pm_prime_below(p);
    random_square(field, n, density, 1, &s);
    make_plan(&s, PM_TREE_ANY, &plan);
    pm_tree_choice choice = {&plan, prime, nprimes, PM_KAHAN, pm_isa_best()};
    must(pm_tree_prepare(&s, &choice, &sweep, &err), &err);
    double ns = time_terms(&sweep), ops = pm_tree_term_operations(&sweep);
    double rate =
        pm_rates_nominal.seconds[nprimes ? PM_RATE_PRODUCT_TREE_EXACT : PM_RATE_PRODUCT_TREE];
    double predicted = 1e9 * rate * pm_tree_term_work(&sweep);
    printf("%s\t%d\t%d\t%.1f\t%d\t%d\t%.1f\t%.3f\t%.3f\t%.3f\t%.3f\t%.2f\n", name, nprimes, n,
           density, plan.eliminated, pm_tree_outer(&plan), ops, ns, ns / ops, predicted,
           ns / predicted, 1e-9 * ns * (double)sweep.count);
    pm_sweep_free(&sweep);
    pm_square_free(&s);
}

int main(int argc, char **argv)
{
    bench_start();
    static const int sizes[] = {20, 24, 28, 32, 36};
    static const struct {
        pm_field field;
        const char *name;
        int nprimes;
    } fields[] = {{PM_REAL, "real", 0},      {PM_COMPLEX, "complex", 0}, {PM_PATTERN, "0/1", 1},
                  {PM_PATTERN, "0/1", 2},    {PM_PATTERN, "0/1", 3},     {PM_INTEGER, "integer", 1},
                  {PM_INTEGER, "integer", 4}};
    if (argc < 2 || strcmp(argv[1], "--speed"))
        print_plans();
    printf("# vector unit: %s\n", pm_isa_name(pm_isa_best()));
    puts("# field\tprimes\tn\tdensity\tm\tlog2 terms\tops\tns a term\tns an op\tpredicted ns\t"
         "measured/predicted\tseconds in all");
    for (size_t f = 0; f < sizeof fields / sizeof *fields; ++f)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
            for (int d = 1; d <= 5; ++d)
                print_speed(fields[f].field, fields[f].name, sizes[i], 0.1 * d, fields[f].nprimes);
    return 0;
}
