/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a graph, with and without loops, against the definition: what is dropped is in no perfect matching, and the values of
 * the parts multiply.  Nothing here can fail by chance but the counts of what must have occurred, which are 8 or more
 * standard deviations above what is asked for: below 1e-9 a run. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "general/elementary.h"
#include "number/cnum.h"
#include "pm/alloc.h"
#include "reference/textbook.h"
#include "support/general_graphs.h"
#include "support/matrices.h"

static uint64_t rng;

static uint32_t looped_vertices(const pm_matrix *a)
{
    uint32_t looped = 0;
    for (int v = 0; v < a->nrows; ++v)
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
            looped |= (uint32_t)(a->colind[k] == v) << v;
    return looped;
}

/* Is there a matching of the vertices other than `gone` that leaves only vertices of `looped` alone? */
static bool is_matched(const small_matchings *all, uint32_t looped, uint32_t gone)
{
    const uint32_t left = (((uint32_t)1 << all->n) - 1) & ~gone, free = looped & left;
    for (uint32_t alone = free;; alone = (alone - 1) & free) {
        if (2 * all->size[left & ~alone] == __builtin_popcount(left & ~alone))
            return true;
        if (!alone)
            return false;
    }
}

static bool has_entry(const pm_matrix *a, int64_t v, int32_t u)
{
    for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
        if (a->colind[k] == u)
            return true;
    return false;
}

/* The rest has the entries that are in some matching, and no others. */
static void assert_rest(const pm_matrix *a, const small_matchings *all, const pm_elementary *x)
{
    const uint32_t looped = looped_vertices(a);
    int64_t kept = 0, dropped = 0;
    for (int v = 0; v < a->nrows; ++v)
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k) {
            const int32_t u = a->colind[k];
            const bool is_kept = has_entry(&x->rest, v, u);
            assert_int_equal(is_kept, is_matched(all, looped, (uint32_t)1 << v | (uint32_t)1 << u));
            kept += is_kept && u >= v;
            dropped += !is_kept && u >= v;
        }
    assert_int_equal(x->kept, kept);
    assert_int_equal(x->dropped, dropped);
}

/* The product of the values of the parts; their labels are the numbers of the vertices. */
static void multiply(const pm_matrix *a, const pm_elementary *x, pm_cnum *product, int *bipartite)
{
    int64_t vertices = 0;
    uint32_t seen = 0;
    pm_cnum_set_si(product, 1);
    for (int64_t c = 0; c < x->count; ++c) {
        pm_matrix b;
        bool general;
        char number[24];
        pm_cnum value = {0};
        assert_int_equal(pm_elementary_part(x, a, c, &b, &general, NULL), PM_OK);
        if (general)
            textbook_hafnian(&b, &value);
        else
            textbook_transfer_matrix(&b, &value);
        pm_cnum_mul(product, product, &value);
        for (int64_t i = 0; i < b.nrows; ++i)
            seen |= (uint32_t)1 << (atoi(pm_label(&b.row_labels, i, number)) - 1);
        for (int64_t j = 0; j < b.ncols; ++j)
            seen |= (uint32_t)1 << (atoi(pm_label(&b.col_labels, j, number)) - 1);
        vertices += general ? b.nrows : b.nrows + b.ncols;
        *bipartite += !general && b.nrows > 1;
        pm_cnum_clear(&value);
        pm_matrix_free(&b);
    }
    assert_int_equal(vertices, a->nrows);
    assert_int_equal(seen, ((uint32_t)1 << a->nrows) - 1);
}

static void small_graphs(void **state)
{
    int several = 0, dropped = 0, bipartite = 0, none = 0, loops = 0;
    (void)state;
    for (int round = 0; round < test_rounds(3000); ++round) {
        static small_matchings all;
        pm_matrix a;
        pm_elementary x;
        pm_cnum hafnian = {0}, product = {0};
        const double p = pm_rng_unit(&rng);
        random_symmetric(&rng, (pm_field)(round % 4), (int)pm_rng_below(&rng, 11), p * p,
                         round % 3 ? 0 : 0.5 * pm_rng_unit(&rng), &a);
        small_matchings_find(&a, &all);
        assert_int_equal(pm_elementary_find(&a, NULL, &x, NULL), PM_OK);
        assert_int_equal(x.exists, is_matched(&all, looped_vertices(&a), 0));
        textbook_hafnian(&a, &hafnian);
        if (x.exists) {
            assert_rest(&a, &all, &x);
            multiply(&a, &x, &product, &bipartite);
        }
        assert_true(pm_cnum_equal(&hafnian, &product));
        several += x.count > 1;
        dropped += x.dropped > 0;
        none += !x.exists;
        loops += x.exists && looped_vertices(&a);
        pm_cnum_clear(&hafnian);
        pm_cnum_clear(&product);
        pm_elementary_free(&x);
        pm_matrix_free(&a);
    }
    print_message("# %d of several parts, %d with edges dropped, %d bipartite parts, %d without a "
                  "perfect matching, %d with loops\n",
                  several, dropped, bipartite, none, loops);
    /* with fewer rounds it may be that there is none of a kind */
    if (test_rounds(3000) >= 3000)
        assert_true(several > 50 && dropped > 50 && bipartite > 10 && none > 100 && loops > 100);
}

static void no_memory(void **state)
{
    pm_matrix a, b;
    pm_status status = PM_ENOMEM;
    (void)state;
    test_edges g = {.n = 6};
    test_join_all(&g, 0, 4);
    test_join(&g, 3, 4);
    test_join(&g, 4, 5);
    test_join(&g, 5, 5);
    test_edges_end(&g, &a);
    for (int64_t k = 1; status; ++k) {
        pm_elementary x = {0};
        bool general;
        pm_alloc_fail_at(k);
        status = pm_elementary_find(&a, NULL, &x, NULL);
        if (!status)
            status = pm_elementary_part(&x, &a, 0, &b, &general, NULL);
        pm_alloc_fail_at(0);
        assert_true(status == PM_OK || status == PM_ENOMEM);
        if (!status)
            pm_matrix_free(&b);
        pm_elementary_free(&x);
        assert_true(k < 200);
    }
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs),
        cmocka_unit_test(no_memory),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
