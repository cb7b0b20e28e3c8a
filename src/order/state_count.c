/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "order/state_count.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "pm/alloc.h"

enum { TABLE = 130, LOG_TABLE = 2048 };

/* Pascal's triangle and log2 n!, each filled by the thread that first needs it: many programs need neither, and both
 * take as long as a small count. */
static double pascal[TABLE][TABLE];
static double log2_factorial[LOG_TABLE];
static atomic_bool has_pascal, has_log2_factorial;

static void fill_log2_factorial(void)
{
    for (int n = 2; n < LOG_TABLE; ++n)
        log2_factorial[n] = log2_factorial[n - 1] + log2(n);
    atomic_store_explicit(&has_log2_factorial, true, memory_order_release);
}

static void fill_pascal(void)
{
    for (int n = 0; n < TABLE; ++n) {
        pascal[n][0] = 1;
        for (int k = 1; k <= n; ++k)
            pascal[n][k] = pascal[n - 1][k - 1] + (k < n ? pascal[n - 1][k] : 0);
    }
    atomic_store_explicit(&has_pascal, true, memory_order_release);
}

/* Apart, and cold: the search for an order makes millions of the later calls. */
__attribute__((noinline, cold)) static void need_log2_factorial(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_log2_factorial);
}

/* After need_log2_factorial.  Stirling's series from n = 2048 on: the next term is less than 5e-13 of a bit. */
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
    if (!atomic_load_explicit(&has_log2_factorial, memory_order_acquire))
        need_log2_factorial();
    return log2_of_factorial(n) - log2_of_factorial(k) - log2_of_factorial(n - k);
}

/* 0 <= k <= n; where the table is not filled yet, or too small. */
__attribute__((noinline)) static double other_binomial(int64_t n, int64_t k)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (n < TABLE) {
        pthread_once(&once, fill_pascal);
        return pascal[n][k];
    }
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

double pm_binomial(int64_t n, int64_t k)
{
    if (k < 0 || k > n)
        return 0;
    if (n < TABLE && atomic_load_explicit(&has_pascal, memory_order_acquire))
        return pascal[n][k];
    return other_binomial(n, k);
}

double pm_binomial_log2(int64_t n, int64_t k)
{
    if (k < 0 || k > n)
        return -1;
    return 2 * k > n ? log2_binomial(n, n - k) : log2_binomial(n, k); /* the same for both */
}

double pm_state_bound(const pm_block_graph *g, int64_t f, int64_t sum)
{
    return g->is_partial ? exp2((double)f) : pm_binomial(f, sum);
}

double pm_state_bound_log2(const pm_block_graph *g, int64_t f, int64_t sum)
{
    return g->is_partial ? (double)f : pm_binomial_log2(f, sum);
}

/* ---- larger digits ---- */

pm_status pm_digit_ways_begin(pm_digit_ways *w, pm_error *err)
{
    if (PM_GROW(w->of, w->cap, 1))
        return pm_fail_memory(err, "numbers of states");
    w->of[0] = 1;
    w->n = 1;
    return PM_OK;
}

/* The polynomial `of` times 1 + x + ... + x^most: sums of most + 1 neighbours.  Each is a sum of the
 * beginning of one block of so many and of the end of the block before, from the last block on. */
pm_status pm_digit_ways_add(pm_digit_ways *w, int64_t most, pm_error *err)
{
    const int64_t n = w->n + most, width = most + 1;
    if (PM_GROW(w->of, w->cap, n))
        return pm_fail_memory(err, "numbers of states");
    for (int64_t d = w->n; d < n; ++d)
        w->of[d] = 0;
    for (int64_t first = (n - 1) / width * width; first >= 0; first -= width) {
        const int64_t end = first + width < n ? first + width : n;
        for (int64_t d = first + 1; d < end; ++d)
            w->of[d] += w->of[d - 1];
        double before = 0;
        for (int64_t d = first + most - 1; first > 0 && d >= first; --d) {
            before += w->of[d - most];
            if (d < end)
                w->of[d] += before;
        }
    }
    w->n = n;
    return PM_OK;
}

void pm_digit_ways_free(pm_digit_ways *w)
{
    free(w->of);
    *w = (pm_digit_ways){0};
}

double pm_state_count(int64_t singles, const pm_digit_ways *w, int64_t s)
{
    double sum = 0;
    for (int64_t d = s > singles ? s - singles : 0; d < w->n && d <= s; ++d)
        sum += w->of[d] * pm_binomial(singles, s - d);
    return sum;
}
