/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/degree_terms.h"

#include <math.h>
#include <stdlib.h>

#include "bounds/rounded_rows.h"
#include "pm/alloc.h"

/* log g(k) */
static double term(int64_t k)
{
    return (double)(k - 1) * log1p(-1 / (double)k);
}

static void add(int64_t k, double term_of_k, pm_rounded_sum *s)
{
    if (k > 1)
        pm_rounded_add(s, term_of_k, 0x1p-50);
}

pm_status pm_degree_terms_add(const int64_t *degree, int64_t n, pm_rounded_sum *s, pm_error *err)
{
    int64_t most = 0, j = 1;
    for (int64_t i = 0; i < n; ++i)
        most = degree[i] > most ? degree[i] : most;
    int64_t *lines = pm_calloc_array(most + 1, sizeof *lines);
    if (!lines)
        return pm_fail_memory(err, "bounds");
    for (int64_t i = 0; i < n; ++i)
        ++lines[degree[i]];
    for (int64_t c = most; c > 0; --c) {
        const double of_degree = term(c);
        for (int64_t l = 0; l < lines[c]; ++l, ++j)
            add(j < c ? j : c, j < c ? term(j) : of_degree, s);
    }
    free(lines);
    return PM_OK;
}

static void add_from(const void *context, int64_t from, int64_t to, pm_rounded_sum *s)
{
    (void)context;
    for (int64_t j = from; j < to; ++j)
        add(j + 1, term(j + 1), s);
}

void pm_degree_terms_add_all(int64_t n, int threads, pm_rounded_sum *s)
{
    pm_rounded_items(n, add_from, NULL, threads, s);
}
