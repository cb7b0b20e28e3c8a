/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/general_graphs.h"

#include "pm/alloc.h"

void test_join(test_edges *g, int64_t v, int64_t u)
{
    assert_int_equal(PM_GROW(g->edge, g->cap, g->count + 2), 0);
    g->edge[g->count++] = (pm_coordinates){(int32_t)v, (int32_t)u};
    g->edge[g->count++] = (pm_coordinates){(int32_t)u, (int32_t)v};
}

void test_join_cycle(test_edges *g, int64_t first, int64_t count)
{
    for (int64_t k = 0; k < count; ++k)
        test_join(g, first + k, first + (k + 1) % count);
}

void test_join_all(test_edges *g, int64_t first, int64_t count)
{
    for (int64_t v = first; v < first + count; ++v)
        for (int64_t u = first; u < v; ++u)
            test_join(g, v, u);
}

void test_edges_end(test_edges *g, pm_matrix *out)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = g->n, .ncols = g->n};
    assert_int_equal(pm_triples_add_many(&t, g->edge, NULL, g->count, 0, NULL), PM_OK);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_IGNORE, "test", out, NULL), PM_OK);
    free(g->edge);
    *g = (test_edges){0};
}

void random_general_graph(uint64_t *rng, int64_t n, double p, pm_matrix *out)
{
    test_edges g = {.n = n};
    for (int64_t v = 0; v < n; ++v)
        for (int64_t u = 0; u < v; ++u)
            if (pm_rng_unit(rng) < p)
                test_join(&g, v, u);
    test_edges_end(&g, out);
}

void sparse_general_graph(uint64_t *rng, int64_t n, double degree, pm_matrix *out)
{
    test_edges g = {.n = n};
    for (double k = 0; k < degree * (double)n / 2; ++k) {
        const int64_t v = pm_rng_below(rng, (uint32_t)n), u = pm_rng_below(rng, (uint32_t)n);
        if (v != u)
            test_join(&g, v, u);
    }
    test_edges_end(&g, out);
}

void small_matchings_find(const pm_matrix *a, small_matchings *out)
{
    assert_true(a->nrows <= SMALL_GRAPH);
    *out = (small_matchings){.n = (int)a->nrows};
    for (int v = 0; v < out->n; ++v)
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
            if (a->colind[k] != v)
                out->neighbours[v] |= (uint32_t)1 << a->colind[k];
    for (uint32_t set = 1; set < (uint32_t)1 << out->n; ++set) {
        int v = 0;
        while (!(set >> v & 1))
            ++v;
        const uint32_t rest = set & ~((uint32_t)1 << v);
        out->size[set] = out->size[rest];
        for (int u = v + 1; u < out->n; ++u)
            if (rest & out->neighbours[v] & (uint32_t)1 << u) {
                const int with = out->size[rest & ~((uint32_t)1 << u)] + 1;
                out->size[set] = (signed char)(with > out->size[set] ? with : out->size[set]);
            }
    }
}

static bool has_entry(const pm_matrix *a, int64_t v, int32_t u)
{
    for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
        if (a->colind[k] == u)
            return true;
    return false;
}

void assert_matching(const pm_matrix *a, const int32_t *partner, int64_t size)
{
    int64_t ends = 0;
    for (int32_t v = 0; v < a->nrows; ++v) {
        if (partner[v] < 0)
            continue;
        assert_true(partner[v] != v);
        assert_int_equal(partner[partner[v]], v);
        assert_true(has_entry(a, v, partner[v]));
        ++ends;
    }
    assert_int_equal(ends, 2 * size);
}

void weigh_general_graph(uint64_t *rng, const pm_matrix *pattern, pm_field field,
                         double (*weight)(uint64_t *rng), pm_matrix *out)
{
    pm_triples t = {.field = field, .nrows = pattern->nrows, .ncols = pattern->ncols};
    for (int32_t i = 0; i < pattern->nrows; ++i)
        for (int64_t k = pattern->rowptr[i]; k < pattern->rowptr[i + 1]; ++k) {
            const int32_t j = pattern->colind[k];
            if (j > i)
                continue;
            const double w = weight(rng);
            for (int turned = 0; turned < (j < i ? 2 : 1); ++turned) {
                pm_dyadic x = {0};
                if (field != PM_PATTERN)
                    pm_dyadic_set_d(&x, w);
                assert_int_equal(pm_triples_add(&t, turned ? j : i, turned ? i : j, 0,
                                                field == PM_PATTERN ? NULL : &x, NULL, NULL),
                                 PM_OK);
            }
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "random", out, NULL), PM_OK);
    pm_triples_free(&t);
}
