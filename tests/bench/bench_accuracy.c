/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relative errors of the Ryser family on (1/n)-matrices, n = 20 .. 32 (in kind table 3 of the
 * SUperman paper, CPC 321, 2026), and how far the printed errors are above the true ones on random
 * signed matrices.  True values: n! (1/n)^n with the double that 1/n rounds to; the frontier, which
 * is exact on integers. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "core/rng.h"
#include "pm/count.h"

static const char *const names[] = {"kahan", "double", "dq", "quad"};
enum { PRECISIONS = 4, MATRICES = 301 };

static void fill(int n, double (*entry)(void *), void *context, pm_matrix *out)
{
    pm_error err;
    pm_triples t = {.field = PM_REAL, .nrows = n, .ncols = n};
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
    fill(n, constant, &x, &a);
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
        fill(n, signed_entry, &rng, &a);
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

int main(void)
{
    bench_start();
    puts("# (1/n)-matrices: n, then relative error, that which is printed, and seconds of"
         " kahan, double, dq, quad");
    for (int n = 20; n <= 32; n += 2)
        one_over_n(n);
    printf("# %d random signed matrices: algorithm, precision, n, bounds below the error, least,"
           " median and largest bound over error\n",
           MATRICES);
    for (int p = 0; p < PM_QUAD; ++p)
        for (int n = 6; n <= 18; n += 6)
            bound_over_error("ryser", (pm_precision)p, n);
    bound_over_error("product-tree", PM_KAHAN, 12);
    bound_over_error("sparyser", PM_KAHAN, 12);
    bound_over_error("skipper", PM_KAHAN, 12);
    return 0;
}
