/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "order/state_count.h"

#include <math.h>

enum { TABLE = 130, LOG_TABLE = 2048 };

/* Pascal's triangle and log2 n!; filled before main, so that threads only read them. */
static double pascal[TABLE][TABLE];
static double log2_factorial[LOG_TABLE];

__attribute__((constructor)) static void fill_tables(void)
{
    for (int n = 2; n < LOG_TABLE; ++n)
        log2_factorial[n] = log2_factorial[n - 1] + log2(n);
    for (int n = 0; n < TABLE; ++n) {
        pascal[n][0] = 1;
        for (int k = 1; k <= n; ++k)
            pascal[n][k] = pascal[n - 1][k - 1] + (k < n ? pascal[n - 1][k] : 0);
    }
}

/* Stirling's series from n = 2048 on: the next term is less than 5e-13 of a bit. */
static double log2_of_factorial(int64_t n)
{
    if (n < LOG_TABLE)
        return log2_factorial[n];
    const double x = (double)n, half_log2_2pi = 1.3257480647361595;
    return (x + 0.5) * log2(x) - x * M_LOG2E + half_log2_2pi + M_LOG2E / (12 * x);
}

/* 0 <= k <= n */
static double log2_binomial(int64_t n, int64_t k)
{
    return log2_of_factorial(n) - log2_of_factorial(k) - log2_of_factorial(n - k);
}

double pm_binomial(int64_t n, int64_t k)
{
    if (k < 0 || k > n)
        return 0;
    if (n < TABLE)
        return pascal[n][k];
    if (2 * k > n)
        k = n - k;
    if (k <= 8) {
        double c = 1;
        for (int64_t i = 1; i <= k; ++i)
            c = c * (double)(n - k + i) / (double)i;
        return c;
    }
    return exp2(log2_binomial(n, k));
}

double pm_binomial_log2(int64_t n, int64_t k)
{
    if (k < 0 || k > n)
        return -1;
    return n < TABLE ? log2(pascal[n][k]) : log2_binomial(n, k);
}

double pm_state_bound(const pm_block_graph *g, int64_t f, int64_t sum)
{
    return g->is_partial ? exp2((double)f) : pm_binomial(f, sum);
}

double pm_state_bound_log2(const pm_block_graph *g, int64_t f, int64_t sum)
{
    return g->is_partial ? (double)f : pm_binomial_log2(f, sum);
}

double pm_state_count(int64_t singles, const double *ways, int32_t nways, int64_t s)
{
    double sum = 0;
    for (int32_t d = 0; d < nways && d <= s; ++d)
        sum += ways[d] * pm_binomial(singles, s - d);
    return sum;
}
