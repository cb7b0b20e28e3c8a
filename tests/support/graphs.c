/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/graphs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/philox.h"

void graphs_must(pm_status s, const pm_error *err)
{
    if (s != PM_OK) {
        fprintf(stderr, "%s\n", err->msg);
        exit(1);
    }
}

void graphs_add(pm_triples *t, int64_t i, int64_t j)
{
    pm_error err;
    graphs_must(pm_triples_add(t, i, j, 0, NULL, NULL, &err), &err);
}

void graphs_end(pm_triples *t, pm_matrix *out)
{
    pm_error err;
    graphs_must(pm_matrix_from_triples(t, PM_DUPLICATES_ERROR, "graph", out, &err), &err);
    pm_triples_free(t);
}

void grid_graph(int m, int n, pm_matrix *out)
{
    pm_triples t = {.nrows = m * n / 2, .ncols = m * n / 2};
    static const int step[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    for (int x = 0; x < m; ++x)
        for (int y = x % 2; y < n; y += 2)
            for (int k = 0; k < 4; ++k) {
                int u = x + step[k][0], v = y + step[k][1];
                if (u >= 0 && u < m && v >= 0 && v < n)
                    graphs_add(&t, (x * n + y) / 2, (u * n + v) / 2);
            }
    graphs_end(&t, out);
}

double grid_log(int m, int n)
{
    const double pi = 3.14159265358979323846;
    double sum = 0;
    for (int j = 1; j <= (m + 1) / 2; ++j)
        for (int k = 1; k <= (n + 1) / 2; ++k)
            sum += log(4 * pow(cos(pi * j / (m + 1)), 2) + 4 * pow(cos(pi * k / (n + 1)), 2));
    return sum;
}

void dense_graph(int n, double p, uint64_t seed, pm_matrix *out)
{
    pm_random r = {.seed = seed};
    pm_triples t = {.nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            if (pm_random_unit(&r) <= p)
                graphs_add(&t, i, j);
    graphs_end(&t, out);
}

void regular_graph(int n, int d, uint64_t seed, pm_matrix *out)
{
    pm_random r = {.seed = seed};
    pm_triples t = {.nrows = n, .ncols = n};
    int *taken = malloc((size_t)d * (size_t)n * sizeof *taken);
    for (int k = 0; k < d;) {
        int *p = taken + k * n, clash = 0;
        for (int i = 0; i < n; ++i) {
            int j = (int)pm_random_below(&r, (uint64_t)i + 1);
            p[i] = p[j];
            p[j] = i;
        }
        for (int h = 0; h < k; ++h)
            for (int i = 0; i < n; ++i)
                clash |= taken[h * n + i] == p[i];
        k += !clash;
    }
    for (int i = 0; i < n * d; ++i)
        graphs_add(&t, i % n, taken[i]);
    free(taken);
    graphs_end(&t, out);
}

void path_graph(int n, pm_matrix *out)
{
    pm_triples t = {.nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = i > 0 ? i - 1 : 0; j <= i; ++j)
            graphs_add(&t, i, j);
    graphs_end(&t, out);
}

void band_graph(int n, int left, int right, pm_matrix *out)
{
    pm_triples t = {.nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = i > left ? i - left : 0; j <= i + right && j < n; ++j)
            graphs_add(&t, i, j);
    graphs_end(&t, out);
}
