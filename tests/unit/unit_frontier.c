/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frontier engine from inside: predicted work against work done, orders, primes. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "frontier/frontier_program.h"
#include "frontier/frontier_rank.h"
#include "frontier/ring.h"
#include "number/prime.h"
#include "order/state_count.h"
#include "order/vertex_order.h"
#include "pm/count.h"
#include "support/matrices.h"
#include "support/orders.h"

static uint64_t rng;

/* ---- a ring that counts ---- */

typedef struct {
    pm_ring ring;
    const pm_ring *inner;
    double transitions;
} counting;

static void count_pull(const pm_ring *r, void *dst, const void *old, const int64_t *src,
                       const int64_t *entry, int nsrc, int64_t len)
{
    counting *c = (counting *)r;
    c->transitions += (double)nsrc * (double)len;
    c->inner->pull(c->inner, dst, old, src, entry, nsrc, len);
}

static void zero(const pm_ring *r, void *dst, int64_t len)
{
    const counting *c = (const counting *)r;
    c->inner->zero(c->inner, dst, len);
}

static void one(const pm_ring *r, void *dst)
{
    const counting *c = (const counting *)r;
    c->inner->one(c->inner, dst);
}

static void gather(const pm_ring *r, void *dst, const void *old, const int64_t *index, int64_t len)
{
    const counting *c = (const counting *)r;
    c->inner->gather(c->inner, dst, old, index, len);
}

/* ---- blocks ---- */

/* A random pattern with a perfect matching and no vertex of degree 0. */
static void random_block(int32_t n, double p, pm_block *b)
{
    *b = (pm_block){.n = n};
    pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
    for (int32_t i = 0; i < n; ++i)
        for (int32_t j = 0; j < n; ++j)
            if (i == j || pm_rng_unit(&rng) < p)
                assert_int_equal(pm_triples_add(&t, i, j, 0, NULL, NULL, NULL), PM_OK);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &b->a, NULL), PM_OK);
    b->row_cap = malloc((size_t)n * sizeof *b->row_cap);
    b->col_cap = malloc((size_t)n * sizeof *b->col_cap);
    for (int32_t i = 0; i < n; ++i)
        b->row_cap[i] = b->col_cap[i] = 1;
}

/* Transitions by enumeration: every state that a layout admits, every way on from it that ends in
 * a state the next layout admits. */
typedef struct {
    const pm_block_graph *g;
    const pm_vertex_order *o;
    char *processed; /* by vertex */
} walk;

static bool gone(const walk *w, int32_t u)
{
    bool all = true;
    for (int64_t j = w->g->ptr[u]; j < w->g->ptr[u + 1]; ++j)
        all = all && w->processed[w->g->adj[j]];
    return w->processed[u] || all;
}

static bool touched(const walk *w, int32_t u)
{
    for (int64_t j = w->g->ptr[u]; j < w->g->ptr[u + 1]; ++j)
        if (w->processed[w->g->adj[j]])
            return true;
    return false;
}

static double enumerate_transitions(const pm_block_graph *g, const pm_vertex_order *o)
{
    walk w = {g, o, calloc((size_t)g->nv, 1)};
    double transitions = 0;
    int32_t done_rows = 0, done_columns = 0;
    for (int32_t t = 0; t < o->len; ++t) {
        int32_t v = o->seq[t], inside[32], f = 0;
        if (gone(&w, v))
            continue;
        for (int32_t u = 0; u < g->nv; ++u)
            if (!gone(&w, u) && touched(&w, u))
                inside[f++] = u;
        assert_true(f <= 20);
        for (uint32_t s = 0; s < UINT32_C(1) << f; ++s) {
            int32_t matched_rows = 0, matched_columns = 0;
            bool is[64] = {0};
            for (int32_t i = 0; i < f; ++i) {
                is[inside[i]] = s >> i & 1;
                if (s >> i & 1)
                    ++*(inside[i] < g->nrows ? &matched_rows : &matched_columns);
            }
            if (done_rows + matched_rows != done_columns + matched_columns)
                continue;
            w.processed[v] = 1;
            /* v's partner: -1 when it has one already */
            for (int64_t j = g->ptr[v] - 1; j < g->ptr[v + 1]; ++j) {
                int32_t partner = j < g->ptr[v] ? -1 : g->adj[j];
                if ((partner < 0) != is[v])
                    continue;
                if (partner >= 0 && (w.processed[partner] || is[partner]))
                    continue;
                if (partner >= 0)
                    is[partner] = true;
                bool ok = true;
                for (int64_t i = g->ptr[v]; i < g->ptr[v + 1]; ++i)
                    ok = ok && (w.processed[g->adj[i]] || !gone(&w, g->adj[i]) || is[g->adj[i]]);
                transitions += ok;
                if (partner >= 0)
                    is[partner] = false;
            }
            w.processed[v] = 0;
        }
        bool was[64];
        for (int32_t u = 0; u < g->nv; ++u)
            was[u] = gone(&w, u);
        w.processed[v] = 1;
        for (int32_t u = 0; u < g->nv; ++u)
            if (gone(&w, u) && !was[u])
                ++*(u < g->nrows ? &done_rows : &done_columns);
    }
    free(w.processed);
    return transitions;
}

/* All vertices, those with copies too. */
static void order_all(const pm_block_graph *g, pm_vertex_order *o)
{
    int32_t p[64];
    random_permutation(&rng, p, g->nv);
    o->len = g->nv;
    for (int32_t t = 0; t < g->nv; ++t) {
        o->seq[t] = p[t];
        o->pos[p[t]] = t;
    }
    pm_vertex_order_step point[64];
    assert_int_equal(pm_vertex_order_cost_steps(g, o, point, &o->cost, NULL), PM_OK);
}

/* Cost formula = compiled program = enumeration, and what the engine does is what was counted. */
static void transitions_are_predicted_exactly(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(60); ++round) {
        pm_block b;
        pm_block_graph g;
        pm_vertex_order o;
        pm_frontier_program p;
        uint64_t m = UINT64_C(1) << 40, value;
        pm_ring *inner;
        random_block(2 + (int32_t)pm_rng_below(&rng, 8), 0.1 + 0.5 * pm_rng_unit(&rng), &b);
        assert_int_equal(pm_block_graph_make(&b, &g, NULL), PM_OK);
        assert_int_equal(pm_vertex_order_alloc(&g, &o, NULL), PM_OK);
        order_all(&g, &o);
        assert_int_equal(pm_frontier_program_compile(&g, &o, 8, false, &p, NULL), PM_OK);
        assert_int_equal(pm_ring_residues(&b, &m, 1, &inner, NULL), PM_OK);
        counting c = {.inner = inner};
        c.ring = (pm_ring){
            .value_bytes = 8, .zero = zero, .one = one, .pull = count_pull, .gather = gather};
        pm_run run = {.threads = 1};
        assert_int_equal(pm_frontier_rank_run(&p, &c.ring, &run, 0, 1, &value, NULL), PM_OK);
        assert_true(fabs(p.transitions - enumerate_transitions(&g, &o)) < 0.5);
        assert_true(fabs(p.transitions - c.transitions) < 0.5);
        inner->free(inner);
        pm_frontier_program_free(&p);
        pm_vertex_order_free(&o);
        pm_block_graph_free(&g);
        pm_block_free(&b);
    }
}

/* A window counted alone gives what the whole order gives. */
static void windows_of_the_cost(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(100); ++round) {
        pm_block b;
        pm_block_graph g;
        pm_vertex_order o;
        pm_vertex_order_step whole[64], part[64];
        random_block(3 + (int32_t)pm_rng_below(&rng, 20), 0.2, &b);
        assert_int_equal(pm_block_graph_make(&b, &g, NULL), PM_OK);
        assert_int_equal(pm_vertex_order_alloc(&g, &o, NULL), PM_OK);
        order_all(&g, &o);
        pm_vertex_ends ends[64];
        double cost;
        assert_int_equal(pm_vertex_order_cost_steps(&g, &o, whole, &cost, NULL), PM_OK);
        pm_vertex_order_find_ends(&g, &o, ends);
        int32_t first = 1 + (int32_t)pm_rng_below(&rng, (uint32_t)o.len - 1);
        memcpy(part, whole, sizeof part);
        pm_vertex_order_cost_range(&g, &o, ends, first, o.len - 1, part);
        for (int32_t t = 0; t < o.len; ++t) {
            assert_int_equal(part[t].singles, whole[t].singles);
            assert_int_equal(part[t].sum, whole[t].sum);
            assert_true(part[t].cost == whole[t].cost);
        }
        pm_vertex_order_free(&o);
        pm_block_graph_free(&g);
        pm_block_free(&b);
    }
}

/* Annealing follows the first and last neighbours of moved vertices: its cost is that of its order. */
static void annealing_keeps_its_cost(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(40); ++round) {
        pm_block b;
        pm_block_graph g;
        pm_vertex_order o;
        pm_vertex_order_step step[64];
        double before, cost;
        int64_t work = 0;
        random_block(3 + (int32_t)pm_rng_below(&rng, 20), 0.15, &b);
        assert_int_equal(pm_block_graph_make(&b, &g, NULL), PM_OK);
        assert_int_equal(pm_vertex_order_alloc(&g, &o, NULL), PM_OK);
        order_all(&g, &o);
        before = o.cost;
        assert_int_equal(
            pm_vertex_order_anneal(&g, &o, 1, (uint64_t)round, 1 + 200 * round, NULL, &work, NULL),
            PM_OK);
        assert_int_equal(pm_vertex_order_cost_steps(&g, &o, step, &cost, NULL), PM_OK);
        assert_true(o.cost == cost);
        assert_true(cost <= before);
        pm_vertex_order_free(&o);
        pm_block_graph_free(&g);
        pm_block_free(&b);
    }
}

/* ---- the greedy order, slowly ---- */

typedef struct {
    const pm_block_graph *g;
    bool processed[64];
} follower;

static int32_t open_neighbours(const follower *w, int32_t v)
{
    int32_t open = 0;
    for (int64_t i = w->g->ptr[v]; i < w->g->ptr[v + 1]; ++i)
        open += !w->processed[w->g->adj[i]];
    return open;
}

static bool is_gone(const follower *w, int32_t v)
{
    return w->processed[v] || open_neighbours(w, v) == 0;
}

static bool has_begun(const follower *w, int32_t v)
{
    return open_neighbours(w, v) < w->g->ptr[v + 1] - w->g->ptr[v];
}

static bool is_candidate(const follower *w, int32_t v)
{
    bool near = has_begun(w, v);
    for (int64_t i = w->g->ptr[v]; i < w->g->ptr[v + 1]; ++i)
        near |= has_begun(w, w->g->adj[i]);
    return near && !is_gone(w, v);
}

/* What the greedy search compares: log2 of the states that v would leave, less a part for the neighbours
 * of v that have few others left. */
static double slow_score(follower *w, int32_t v)
{
    const pm_block_graph *g = w->g;
    double near = 0;
    for (int64_t i = g->ptr[v]; i < g->ptr[v + 1]; ++i)
        if (!is_gone(w, g->adj[i]))
            near += 1.0 / open_neighbours(w, g->adj[i]);
    int32_t frontier = 0, sum = 0;
    w->processed[v] = true;
    for (int32_t u = 0; u < g->nv; ++u) {
        const bool inside = !is_gone(w, u) && has_begun(w, u);
        frontier += inside;
        sum += pm_block_graph_is_row(g, u) ? inside + is_gone(w, u) : -is_gone(w, u);
    }
    w->processed[v] = false;
    return pm_binomial_log2(frontier, sum) - 0.05 * fmin(near, 20);
}

static void greedy_orders_take_the_best_candidate(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(30); ++round) {
        pm_block b;
        pm_block_graph g;
        pm_vertex_order o;
        int64_t work = 0;
        random_block(3 + (int32_t)pm_rng_below(&rng, 16), 0.05 + 0.3 * pm_rng_unit(&rng), &b);
        assert_int_equal(pm_block_graph_make(&b, &g, NULL), PM_OK);
        assert_int_equal(pm_vertex_order_alloc(&g, &o, NULL), PM_OK);
        int32_t start = (int32_t)pm_rng_below(&rng, (uint32_t)g.nv);
        assert_int_equal(
            pm_vertex_order_greedy(&g, start, PM_GREEDY_MIXED, NULL, NULL, &o, &work, NULL), PM_OK);
        follower w = {.g = &g};
        assert_int_equal(o.seq[0], start);
        for (int32_t t = 0; t < o.len; ++t) {
            int32_t v = o.seq[t];
            double least = INFINITY;
            for (int32_t u = 0; u < g.nv; ++u)
                if (is_candidate(&w, u))
                    least = fmin(least, slow_score(&w, u));
            assert_false(is_gone(&w, v));
            if (least < INFINITY) {
                assert_true(is_candidate(&w, v));
                assert_true(slow_score(&w, v) < least + 1e-8);
            }
            w.processed[v] = true;
        }
        for (int32_t v = 0; v < g.nv; ++v)
            assert_true(is_gone(&w, v));
        pm_vertex_order_free(&o);
        pm_block_graph_free(&g);
        pm_block_free(&b);
    }
}

/* Large levels are permuted on the way; the count does not change by it. */
static void permutations_change_nothing(void **state)
{
    (void)state;
    pm_block b;
    pm_block_graph g;
    pm_vertex_order o;
    pm_frontier_program plain, p;
    pm_ring *ring;
    uint64_t m = (UINT64_C(1) << 61) - 1, x, y;
    pm_run run = {.threads = 2};
    random_block(24, 0.25, &b);
    assert_int_equal(pm_block_graph_make(&b, &g, NULL), PM_OK);
    assert_int_equal(pm_vertex_order_search(&g, 1, 1e-9, no_limits, &run, &o, NULL), PM_OK);
    assert_int_equal(pm_frontier_program_compile(&g, &o, 8, false, &p, NULL), PM_OK);
    assert_true(p.permuted > 0);
    /* values that are dear to move are not moved */
    assert_int_equal(pm_frontier_program_compile(&g, &o, INT64_C(1) << 40, false, &plain, NULL),
                     PM_OK);
    assert_true(plain.permuted == 0);
    assert_int_equal(pm_ring_residues(&b, &m, 1, &ring, NULL), PM_OK);
    assert_int_equal(pm_frontier_rank_run(&p, ring, &run, 0, 1, &x, NULL), PM_OK);
    assert_int_equal(pm_frontier_rank_run(&plain, ring, &run, 0, 1, &y, NULL), PM_OK);
    assert_int_equal(x, y);
    ring->free(ring);
    pm_frontier_program_free(&p);
    pm_frontier_program_free(&plain);
    pm_vertex_order_free(&o);
    pm_block_graph_free(&g);
    pm_block_free(&b);
}

static void search_repeats_itself(void **state)
{
    (void)state;
    pm_block b;
    pm_block_graph g;
    pm_vertex_order one, two;
    pm_run run = {.threads = 1};
    random_block(30, 0.12, &b);
    assert_int_equal(pm_block_graph_make(&b, &g, NULL), PM_OK);
    assert_int_equal(pm_vertex_order_search(&g, 7, 1e-9, no_limits, &run, &one, NULL), PM_OK);
    run.threads = 3;
    assert_int_equal(pm_vertex_order_search(&g, 7, 1e-9, no_limits, &run, &two, NULL), PM_OK);
    assert_int_equal(one.len, two.len);
    assert_memory_equal(one.seq, two.seq, (size_t)one.len * sizeof *one.seq);
    pm_vertex_order_free(&one);
    pm_vertex_order_free(&two);
    pm_block_graph_free(&g);
    pm_block_free(&b);
}

/* A frontier whose states exceed a double: the search ends, the compiler refuses. */
static void beyond_a_double(void **state)
{
    (void)state;
    pm_block b;
    pm_block_graph g;
    pm_vertex_order o;
    pm_frontier_program p;
    int64_t work = 0;
    random_block(4000, 3.0 / 4000, &b);
    assert_int_equal(pm_block_graph_make(&b, &g, NULL), PM_OK);
    assert_int_equal(pm_vertex_order_alloc(&g, &o, NULL), PM_OK);
    const volatile sig_atomic_t stop = 1;
    const pm_run stopped = {.stop = &stop};
    assert_int_equal(pm_vertex_order_greedy(&g, 0, PM_GREEDY_ROWS, NULL, &stopped, &o, &work, NULL),
                     PM_ESTOPPED);
    assert_int_equal(pm_vertex_order_greedy(&g, 0, PM_GREEDY_ROWS, NULL, NULL, &o, &work, NULL),
                     PM_OK);
    assert_true(isinf(o.cost));
    const pm_greedy_limits little = {INFINITY, work / 10};
    int64_t all = work, done = 0;
    assert_int_equal(pm_vertex_order_greedy(&g, 0, PM_GREEDY_ROWS, &little, NULL, &o, &done, NULL),
                     PM_OK);
    assert_true(isinf(o.cost));
    assert_in_range(done, all / 10, all / 5); /* given up in the step that exceeds the limit */
    assert_int_equal(pm_frontier_program_compile(&g, &o, 8, false, &p, NULL), PM_UNABLE);
    pm_vertex_order_free(&o);
    pm_block_graph_free(&g);
    pm_block_free(&b);
}

static void primes_and_remainders(void **state)
{
    (void)state;
    /* the three largest primes below 2^62, from the tables of primes just less than a power of
     * two (Caldwell, The Prime Pages): 2^62 - 57, - 87, - 117 */
    uint64_t p[3], top = UINT64_C(1) << 62;
    for (int i = 0; i < 3; ++i)
        p[i] = pm_prime_below(i ? p[i - 1] : top);
    assert_int_equal(top - p[0], 57);
    assert_int_equal(top - p[1], 87);
    assert_int_equal(top - p[2], 117);
    for (int i = 0; i < 200; ++i) {
        uint64_t a = 1 + pm_rng_next(&rng) % (p[0] - 1);
        assert_int_equal(pm_mod_mul(a, pm_mod_inverse(a, p[0]), p[0]), 1);
    }
    assert_int_equal(pm_mod_inverse(6, 9), 0);
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    for (int i = 0; i < 200; ++i) {
        uint64_t r[3];
        mpz_set_ui(x, pm_rng_next(&rng));
        mpz_mul_ui(x, x, pm_rng_next(&rng) >> 2);
        if (i % 2)
            mpz_neg(x, x);
        for (int k = 0; k < 3; ++k)
            r[k] = mpz_fdiv_ui(x, p[k]);
        pm_crt(y, r, p, 3, true);
        assert_int_equal(mpz_cmp(x, y), 0);
        if (!(i % 2)) {
            pm_crt(y, r, p, 3, false);
            assert_int_equal(mpz_cmp(x, y), 0);
        }
    }
    mpz_clears(x, y, NULL);
}

static void binomials(void **state)
{
    (void)state;
    for (int n = 1; n < 300; ++n)
        for (int k = 0; k <= n; ++k) {
            double c = pm_binomial(n, k), d = pm_binomial(n - 1, k - 1) + pm_binomial(n - 1, k);
            assert_true(fabs(c - d) <= 1e-10 * c);
        }
    assert_true(pm_binomial(5, 6) == 0 && pm_binomial(5, -1) == 0);
    assert_true(pm_binomial(52, 5) == 2598960);
}

int main(void)
{
    rng = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transitions_are_predicted_exactly),
        cmocka_unit_test(windows_of_the_cost),
        cmocka_unit_test(annealing_keeps_its_cost),
        cmocka_unit_test(greedy_orders_take_the_best_candidate),
        cmocka_unit_test(permutations_change_nothing),
        cmocka_unit_test(search_repeats_itself),
        cmocka_unit_test(beyond_a_double),
        cmocka_unit_test(primes_and_remainders),
        cmocka_unit_test(binomials),
    };
    return cmocka_run_group_tests_name("frontier", tests, NULL, NULL);
}
