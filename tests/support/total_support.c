/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/total_support.h"

#include "support/graphs.h"
#include "support/matrices.h"

void permutations_union(uint64_t *rng, int n, int degree, pm_matrix *a)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
    int32_t *p = malloc((size_t)n * sizeof *p);
    for (int d = 0; d < degree; ++d) {
        random_permutation(rng, p, n);
        for (int i = 0; i < n; ++i)
            assert_int_equal(pm_triples_add(&t, i, p[i], 0, NULL, NULL, NULL), PM_OK);
    }
    free(p);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_IGNORE, "test", a, NULL), PM_OK);
    pm_triples_free(&t);
}

void positive_entries(int n, int stride, const double *full, pm_matrix *a, double *x)
{
    pm_triples t = {.nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            if (full[i * stride + j] > 0)
                graphs_add(&t, i, j);
    graphs_end(&t, a);
    for (int64_t i = 0; i < n; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            x[k] = full[i * stride + a->colind[k]];
}

void mycielskian(int k, pm_matrix *a)
{
    int n = 3 * (1 << (k - 2)) - 1;
    char *edge = calloc((size_t)n * (size_t)n, 1);
    edge[1] = edge[n] = 1;
    for (int m = 2; m < n; m = 2 * m + 1)
        for (int u = 0; u < m; ++u) {
            for (int v = 0; v < m; ++v)
                if (edge[u * n + v])
                    edge[u * n + m + v] = edge[(m + v) * n + u] = 1;
            edge[2 * m * n + m + u] = edge[(m + u) * n + 2 * m] = 1;
        }
    pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            if (edge[i * n + j])
                assert_int_equal(pm_triples_add(&t, i, j, 0, NULL, NULL, NULL), PM_OK);
    free(edge);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", a, NULL), PM_OK);
    pm_triples_free(&t);
}

double *random_weights(uint64_t *rng, int64_t nnz, int octaves)
{
    double *w = malloc((size_t)nnz * sizeof *w);
    for (int64_t k = 0; k < nnz; ++k)
        w[k] = exp2(octaves * (pm_rng_unit(rng) - 0.5));
    return w;
}
