/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relative errors of the Ryser family on (1/n)-matrices, n = 20 .. 32 (in kind table 3 of the
 * SUperman paper, CPC 321, 2026), and how far the printed errors are above the true ones on random
 * signed matrices.  True values: n! (1/n)^n with the double that 1/n rounds to; the frontier, which
 * is exact on integers.
 *
 * Before these: seconds and errors by the type of numbers, as table 6.8 of Yaglioglu 2021 has seconds of
 * integers, floats and doubles for densities .6 to .8.  Matrices of random doubles, and of integers from
 * 1 to 10 in the same places, on the processor and, where there is one, on a GPU; there also with the row
 * sums in shared memory, as in the kernel of that table.
 *
 *   bench_accuracy [N [M]]     rows on the processor (28) and on a GPU (36)
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "core/rng.h"
#include "gpu/gpu.h"
#include "pm/count.h"

static const char *const names[] = {"kahan", "double", "dq", "quad", "single"};
enum { PRECISIONS = PM_SINGLE + 1, MATRICES = 301 };

static void fill(pm_field field, int n, double (*entry)(void *), void *context, pm_matrix *out)
{
    pm_error err;
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            pm_dyadic x = {0};
            pm_dyadic_set_d(&x, entry(context));
            must(pm_triples_add(&t, i, j, 0, &x, NULL, &err), &err);
        }
    must(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "matrix", out, &err), &err);
    pm_triples_free(&t);
}

static void count(const pm_matrix *a, const char *algorithm, pm_precision precision, pm_value *v)
{
    pm_error err;
    pm_run run = {0};
    pm_count_options opt = pm_count_defaults();
    opt.algorithm = algorithm;
    opt.precision = precision;
    if (algorithm)
        opt.reduce = (pm_reduce_options){0};
    must(pm_count(a, &opt, &run, v, NULL, &err), &err);
}

/* x / y as a double. */
static double quotient(pm_xreal x, pm_xreal y)
{
    return ldexp(x.hi / y.hi, (int)fmax(-4000, fmin(4000, (double)(x.exp - y.exp))));
}

static pm_xreal difference(pm_xreal x, pm_xreal y)
{
    return pm_xreal_add(x, pm_xreal_mul(pm_xreal_make(-1, 0, 0), y));
}

/* ---- (1/n)-matrices ---- */

static double constant(void *value)
{
    return *(const double *)value;
}

static void one_over_n(int n)
{
    pm_matrix a;
    pm_value v, exact;
    double x = 1.0 / n;
    pm_value_init(&v);
    pm_value_init(&exact);
    fill(PM_REAL, n, constant, &x, &a);
    count(&a, NULL, PM_KAHAN, &exact); /* one class of twins: a closed form */
    printf("%d", n);
    for (int p = 0; p < PRECISIONS; ++p) {
        double start = wall_seconds();
        count(&a, "ryser", (pm_precision)p, &v);
        double seconds = wall_seconds() - start;
        double relative = fabs(quotient(difference(v.re, exact.re), exact.re));
        printf("\t%.1e\t%.1e\t%.3f", relative, quotient(v.error, exact.re), seconds);
    }
    putchar('\n');
    fflush(stdout);
    pm_value_clear(&v);
    pm_value_clear(&exact);
    pm_matrix_free(&a);
}

/* ---- random signed matrices ---- */

static double signed_entry(void *rng)
{
    return 2 * pm_rng_unit(rng) - 1;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void bound_over_error(const char *algorithm, pm_precision precision, int n)
{
    uint64_t rng = 7;
    double ratio[MATRICES];
    int below = 0, used = 0;
    for (int i = 0; i < MATRICES; ++i) {
        pm_matrix a;
        pm_value v, exact;
        pm_value_init(&v);
        pm_value_init(&exact);
        fill(PM_REAL, n, signed_entry, &rng, &a);
        count(&a, "ryser", PM_QUAD, &exact);
        count(&a, algorithm, precision, &v);
        pm_xreal error = difference(v.re, exact.re);
        below += pm_xreal_cmpabs(error, v.error) > 0;
        if (error.hi != 0)
            ratio[used++] = fabs(quotient(v.error, error));
        pm_value_clear(&v);
        pm_value_clear(&exact);
        pm_matrix_free(&a);
    }
    qsort(ratio, (size_t)used, sizeof *ratio, ascending);
    printf("%s\t%s\t%d\t%d\t%.3g\t%.3g\t%.3g\n", algorithm, names[precision], n, below,
           used ? ratio[0] : 0, used ? ratio[used / 2] : 0, used ? ratio[used - 1] : 0);
    fflush(stdout);
}

/* ---- types of numbers ---- */

typedef struct {
    uint64_t rng;
    double density;
} type_entries;

/* Positive numbers below 1. */
static double type_entry(void *of)
{
    type_entries *x = of;
    return pm_rng_unit(&x->rng) < x->density ? pm_rng_unit(&x->rng) : 0;
}

/* From 1 to 10, in the same places. */
static double type_integer(void *of)
{
    return ceil(10 * type_entry(of));
}

typedef struct {
    pm_backend backend;
    pm_memory sums;
    pm_precision precision;
} type_way;

/* Returns the seconds of one core, or of a GPU without its start and compiling; the best of a few short runs. */
static double count_type(const pm_matrix *a, const type_way *w, pm_value *v)
{
    enum { RUNS = 5 };
    pm_error err;
    pm_run run = {.threads = 1};
    pm_count_options opt = pm_count_defaults();
    opt.algorithm = "ryser";
    opt.backend = w->backend;
    opt.placement.sums = w->sums;
    opt.precision = w->precision;
    opt.reduce = (pm_reduce_options){0};
    double best = INFINITY, all = 0;
    for (int i = 0; i < RUNS && all < 2; ++i) {
        pm_count_report report;
        double start = processor_seconds(), start_of_all = wall_seconds();
        must(pm_count(a, &opt, &run, v, &report, &err), &err);
        double seconds = processor_seconds() - start;
        all += wall_seconds() - start_of_all;
        best =
            fmin(best, w->backend == PM_BACKEND_CUDA ? report.blocks[0].device_seconds : seconds);
        pm_count_report_free(&report);
    }
    return best;
}

static void type_row(int n, double density, pm_backend backend, pm_memory sums)
{
    static const pm_precision order[] = {PM_SINGLE, PM_DOUBLE, PM_KAHAN, PM_DQ, PM_QUAD};
    pm_matrix a, whole;
    pm_value v, exact;
    type_entries x = {11, density}, same = x;
    type_way w = {backend, sums, PM_KAHAN};
    pm_value_init(&v);
    pm_value_init(&exact);
    fill(PM_REAL, n, type_entry, &x, &a);
    fill(PM_INTEGER, n, type_integer, &same, &whole);
    count_type(&a, &(type_way){backend, PM_IN_ANY, PM_QUAD}, &exact);
    printf("%s\t%d\t%.1f\t%.3f",
           backend == PM_BACKEND_CPU ? "cpu"
           : sums                    ? "gpu, shared"
                                     : "gpu",
           n, density, count_type(&whole, &w, &v));
    for (size_t i = 0; i < sizeof order / sizeof *order; ++i) {
        w.precision = order[i];
        double seconds = count_type(&a, &w, &v);
        printf("\t%.3f\t%.1e\t%.1e", seconds, fabs(quotient(difference(v.re, exact.re), exact.re)),
               quotient(v.error, exact.re));
    }
    putchar('\n');
    fflush(stdout);
    pm_value_clear(&v);
    pm_value_clear(&exact);
    pm_matrix_free(&a);
    pm_matrix_free(&whole);
}

static void types(int n, int m)
{
    static const double densities[] = {0.6, 0.7, 0.8};
    int devices = 0;
    puts("# types: where, n, density, seconds of integers; then seconds, relative error against "
         "quad and that which is"
         " printed of single, double, kahan, dq, quad");
    if (pm_gpu_count(&devices, NULL))
        devices = 0;
    for (int i = 0; i < 3; ++i)
        type_row(n, densities[i], PM_BACKEND_CPU, PM_IN_ANY);
    for (int i = 0; i < 3 && devices; ++i) {
        type_row(m, densities[i], PM_BACKEND_CUDA, PM_IN_ANY);
        type_row(m, densities[i], PM_BACKEND_CUDA, PM_IN_SHARED);
    }
}

int main(int argc, char **argv)
{
    bench_start();
    types(argc > 1 ? atoi(argv[1]) : 28, argc > 2 ? atoi(argv[2]) : 36);
    puts("# (1/n)-matrices: n, then relative error, that which is printed, and seconds of"
         " kahan, double, dq, quad, single");
    for (int n = 20; n <= 32; n += 2)
        one_over_n(n);
    printf("# %d random signed matrices: algorithm, precision, n, bounds below the error, least,"
           " median and largest bound over error\n",
           MATRICES);
    for (int p = 0; p < PRECISIONS; ++p)
        for (int n = 6; n <= 18 && p != PM_QUAD; n += 6)
            bound_over_error("ryser", (pm_precision)p, n);
    bound_over_error("product-tree", PM_KAHAN, 12);
    bound_over_error("sparyser", PM_KAHAN, 12);
    bound_over_error("skipper", PM_KAHAN, 12);
    return 0;
}
