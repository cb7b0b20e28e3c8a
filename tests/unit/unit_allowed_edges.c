/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edges in perfect matchings, and what the reduction of hafnians makes of the others, against the definition. */
#include "config.h"

#include "general/allowed_edges.h"
#include "general/blossom.h"
#include "general/cut_pieces.h"
#include "general/general.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "reference/textbook.h"
#include "support/general_graphs.h"

static uint64_t rng;

enum { NO_LIMIT = 1 << 30 };

/* ---- against the definition ---- */

static bool is_allowed(const small_matchings *all, int v, int u)
{
    const uint32_t rest = (((uint32_t)1 << all->n) - 1) & ~((uint32_t)1 << v) & ~((uint32_t)1 << u);
    return 2 * (all->size[rest] + 1) == all->n;
}

/* Marked edges are in no perfect matching; all of them are marked if wants_all. */
static void assert_marks(const pm_matrix *a, const small_matchings *all, const bool *is_marked,
                         int64_t marked, bool wants_all)
{
    int64_t entries = 0;
    for (int v = 0; v < all->n; ++v)
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k) {
            const int u = a->colind[k];
            entries += is_marked[k];
            if (u == v)
                assert_false(is_marked[k]);
            else if (is_marked[k])
                assert_false(is_allowed(all, v, u));
            else if (wants_all)
                assert_true(is_allowed(all, v, u));
        }
    assert_int_equal(entries, 2 * marked);
}

/* Is a component no longer connected without c? */
static bool separates(const small_matchings *all, int c)
{
    uint32_t near = 0, reached = 0, next;
    for (int v = 0; v < all->n; ++v)
        if (all->neighbours[c] >> v & 1)
            near |= (uint32_t)1 << v;
    next = near & (~near + 1);
    while (next != reached) {
        reached = next;
        for (int v = 0; v < all->n; ++v)
            if (reached >> v & 1)
                next |= all->neighbours[v] & ~((uint32_t)1 << c);
    }
    return (near & ~reached) != 0;
}

static void drop_marked(small_matchings *all, const pm_matrix *a, const bool *is_marked)
{
    for (int v = 0; v < all->n; ++v)
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
            if (is_marked[k])
                all->neighbours[v] &= ~((uint32_t)1 << a->colind[k]);
}

/* Returns false if the graph has no perfect matching.  *cut, *found: edges marked by cut vertices, and in all. */
static bool compare(const pm_matrix *a, int64_t *cut, int64_t *found)
{
    static small_matchings all;
    int32_t partner[SMALL_GRAPH];
    bool *is_marked = pm_calloc_array(pm_matrix_nnz(a), sizeof *is_marked);
    bool *by_search = pm_calloc_array(pm_matrix_nnz(a), sizeof *by_search);
    bool is_complete;
    int64_t size;
    assert_true(is_marked && by_search);
    small_matchings_find(a, &all);
    assert_int_equal(pm_blossom_matching(a, NULL, partner, &size, NULL), PM_OK);
    const bool is_perfect = 2 * size == a->nrows;
    if (is_perfect) {
        for (int64_t more = 1; more; *cut += more) {
            assert_int_equal(pm_cut_pieces_mark(a, is_marked, &more, NULL), PM_OK);
            assert_marks(a, &all, is_marked, *cut + more, false);
        }
        assert_int_equal(
            pm_allowed_edges_mark(a, partner, NO_LIMIT, NULL, by_search, found, &is_complete, NULL),
            PM_OK);
        assert_true(is_complete);
        assert_matching(a, partner, size);
        assert_marks(a, &all, by_search, *found, true);
        drop_marked(&all, a, is_marked);
        for (int v = 0; v < all.n; ++v)
            assert_false(separates(&all, v));
    }
    free(is_marked);
    free(by_search);
    return is_perfect;
}

static void small_graphs(void **state)
{
    int64_t with_cut = 0, with_search = 0;
    (void)state;
    for (int round = 0; test_goes_on(round, 4000, with_cut > 20 && with_search > 20); ++round) {
        pm_matrix a;
        int64_t cut = 0, found = 0;
        const double p = pm_rng_unit(&rng);
        random_general_graph(&rng, 2 * pm_rng_below(&rng, 7), p, &a);
        if (compare(&a, &cut, &found)) {
            with_cut += cut > 0;
            with_search += found > cut;
        }
        pm_matrix_free(&a);
    }
}

/* With too little work, what is marked is right nevertheless. */
static void little_work(void **state)
{
    int incomplete = 0;
    static small_matchings all;
    (void)state;
    for (int round = 0; test_goes_on(round, 500, incomplete > 20); ++round) {
        pm_matrix a;
        int32_t partner[SMALL_GRAPH];
        int64_t size, marked;
        bool is_complete;
        random_general_graph(&rng, 12, 0.35, &a);
        bool *is_marked = pm_calloc_array(pm_matrix_nnz(&a), sizeof *is_marked);
        assert_non_null(is_marked);
        small_matchings_find(&a, &all);
        assert_int_equal(pm_blossom_matching(&a, NULL, partner, &size, NULL), PM_OK);
        if (size == 6) {
            assert_int_equal(pm_allowed_edges_mark(&a, partner, pm_rng_below(&rng, 200), NULL,
                                                   is_marked, &marked, &is_complete, NULL),
                             PM_OK);
            assert_marks(&a, &all, is_marked, marked, is_complete);
            incomplete += !is_complete;
        }
        free(is_marked);
        pm_matrix_free(&a);
    }
}

/* ---- reductions ---- */

/* Weights 1 to 3, or with both signs, so that edges cancel when vertices are merged. */
static void give_weights(const pm_matrix *pattern, bool has_signs, pm_matrix *out)
{
    assert_int_equal(pm_matrix_alloc(out, PM_INTEGER, pattern->nrows, pattern->ncols,
                                     pm_matrix_nnz(pattern), NULL),
                     PM_OK);
    for (int64_t v = 0; v < pattern->nrows; ++v) {
        for (int64_t k = pattern->rowptr[v]; k < pattern->rowptr[v + 1]; ++k) {
            const int64_t u = pattern->colind[k], low = u < v ? u : v, high = u < v ? v : u;
            uint64_t own = (uint64_t)(low * 1000 + high) + rng;
            const uint32_t x = pm_rng_below(&own, has_signs ? 2 : 3);
            out->colind[k] = (int32_t)u;
            pm_dyadic_set_si(&out->re[k], has_signs ? 2 * (long)x - 1 : 1 + (long)x);
        }
        out->rowptr[v + 1] = pattern->rowptr[v + 1];
    }
}

static void count(const pm_matrix *a, mpz_t value)
{
    pm_value out;
    pm_count_options opt = pm_count_defaults();
    opt.general = true;
    pm_value_init(&out);
    assert_int_equal(pm_count(a, &opt, NULL, &out, NULL, NULL), PM_OK);
    assert_int_equal(mpz_cmp_ui(mpq_denref(out.exact), 1), 0);
    mpz_set(value, mpq_numref(out.exact));
    pm_value_clear(&out);
}

/* Returns the hafnian. */
static int64_t assert_count(const pm_matrix *a)
{
    mpz_t value;
    pm_cnum hafnian = {0}, counted = {0};
    mpz_init(value);
    textbook_hafnian(a, &hafnian);
    count(a, value);
    pm_cnum_set_si(&counted, mpz_get_si(value));
    assert_true(pm_cnum_equal(&counted, &hafnian));
    const int64_t small = mpz_get_si(value);
    pm_cnum_clear(&hafnian);
    pm_cnum_clear(&counted);
    mpz_clear(value);
    return small;
}

static void reduced_values(void **state)
{
    int zeros = 0;
    (void)state;
    for (int round = 0; test_goes_on(round, 3000, zeros > 20); ++round) {
        pm_matrix pattern, a;
        random_general_graph(&rng, 2 * pm_rng_below(&rng, 7), pm_rng_unit(&rng), &pattern);
        give_weights(&pattern, round % 2, &a);
        zeros += assert_count(&a) == 0;
        pm_matrix_free(&a);
        pm_matrix_free(&pattern);
    }
}

/* A pattern falls into blocks all of whose edges are in perfect matchings, also without the rules of degrees. */
static void reduced_blocks(void **state)
{
    int several = 0;
    (void)state;
    for (int round = 0; test_goes_on(round, 1500, several > 20); ++round) {
        static small_matchings all;
        pm_matrix a;
        pm_reduced r;
        pm_reduce_options opt = pm_reduce_all();
        opt.degree1 = opt.degree2 = round % 2;
        random_general_graph(&rng, 12, 0.1 + 0.4 * pm_rng_unit(&rng), &a);
        small_matchings_find(&a, &all);
        assert_int_equal(pm_general_reduce(&a, &opt, true, NULL, &r, NULL), PM_OK);
        assert_int_equal(r.zero, all.size[(1 << 12) - 1] < 6);
        several += r.nblocks > 1;
        for (int64_t b = 0; b < r.nblocks; ++b) {
            int64_t cut = 0, found = 0;
            assert_true(compare(&r.blocks[b].a, &cut, &found));
            assert_int_equal(found, 0);
        }
        pm_reduced_free(&r);
        pm_matrix_free(&a);
    }
}

/* A vertex with a loop may stay alone: a triangle has no perfect matching, but it is matched nevertheless. */
static void loops_keep_edges(void **state)
{
    pm_matrix a;
    (void)state;
    test_edges g = {.n = 3};
    test_join_cycle(&g, 0, 3);
    test_join(&g, 0, 0);
    test_edges_end(&g, &a);
    assert_int_equal(assert_count(&a), 1);
    pm_matrix_free(&a);
}

/* ---- large graphs ---- */

/* Complete graphs of four in a row: the edges between them are bridges with an even number of vertices on both sides. */
static void long_chains(void **state)
{
    const int64_t count = 25000 / test_step(10);
    pm_matrix a;
    pm_reduced r;
    const pm_reduce_options opt = {.blocks = true};
    (void)state;
    test_edges g = {.n = 4 * count};
    for (int64_t k = 0; k < count; ++k) {
        test_join_all(&g, 4 * k, 4);
        if (k + 1 < count)
            test_join(&g, 4 * k + 3, 4 * k + 4);
    }
    test_edges_end(&g, &a);
    assert_int_equal(pm_general_reduce(&a, &opt, true, NULL, &r, NULL), PM_OK);
    assert_int_equal(r.nblocks, count);
    pm_reduced_free(&r);
    pm_matrix_free(&a);
}

/* ---- failures ---- */

static void no_memory(void **state)
{
    pm_matrix a;
    pm_status status = PM_ENOMEM;
    const pm_reduce_options opt = {.blocks = true};
    (void)state;
    test_edges g = {.n = 10};
    test_join_all(&g, 0, 4);
    test_join_all(&g, 4, 6);
    test_join(&g, 3, 4);
    test_edges_end(&g, &a);
    for (int64_t k = 1; status; ++k) {
        pm_reduced r = {.nblocks = -7};
        pm_alloc_fail_at(k);
        status = pm_general_reduce(&a, &opt, true, NULL, &r, NULL);
        pm_alloc_fail_at(0);
        assert_true(status == PM_OK || status == PM_ENOMEM);
        assert_int_equal(r.nblocks, status ? -7 : 2);
        if (!status)
            pm_reduced_free(&r);
        assert_true(k < 200);
    }
    pm_matrix_free(&a);
}

static void stopping(void **state)
{
    enum { N = 400 };
    pm_matrix a;
    pm_error err;
    int32_t partner[N];
    int64_t marked, size;
    const volatile sig_atomic_t stop = 1;
    const pm_run run = {.stop = &stop};
    (void)state;
    test_edges g = {.n = N};
    test_join_all(&g, 0, N);
    test_edges_end(&g, &a);
    bool *is_marked = pm_calloc_array(pm_matrix_nnz(&a), sizeof *is_marked);
    assert_non_null(is_marked);
    assert_int_equal(pm_blossom_matching(&a, NULL, partner, &size, NULL), PM_OK);
    assert_int_equal(
        pm_allowed_edges_mark(&a, partner, NO_LIMIT, &run, is_marked, &marked, NULL, &err),
        PM_ESTOPPED);
    free(is_marked);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs),     cmocka_unit_test(little_work),
        cmocka_unit_test(reduced_values),   cmocka_unit_test(reduced_blocks),
        cmocka_unit_test(loops_keep_edges), cmocka_unit_test(long_chains),
        cmocka_unit_test(no_memory),        cmocka_unit_test(stopping),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
