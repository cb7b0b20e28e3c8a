/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frontier programs in place: the same residues as with levels apart, in the room that was predicted. */
#include "config.h"

#include <string.h>

#include "frontier/frontier_program.h"
#include "frontier/frontier_rank.h"
#include "frontier/frontier_rounds.h"
#include "frontier/ring.h"
#include "number/prime.h"
#include "order/vertex_order.h"
#include "pm/alloc.h"
#include "support/matrices.h"
#include "support/orders.h"

static uint64_t rng;

static int tied[3]; /* steps in place of each kind */
static int moves_up, rounds_run, twins, both_ways;

static void breadth_first(const pm_block_graph *g, pm_vertex_order *o)
{
    int32_t start = (int32_t)pm_rng_below(&rng, (uint32_t)g->nv);
    assert_int_equal(pm_vertex_order_bfs(g, start, o, NULL), PM_OK);
    assert_int_equal(pm_vertex_order_cost_all(g, o, NULL), PM_OK);
}

/* Every level is within the array; levels of a step that is not in place have nothing in common. */
static void check_places(const pm_frontier_program *p)
{
    for (int32_t i = 0; i <= p->nsteps; ++i) {
        const pm_frontier_level *to = &p->levels[i], *from = i > 0 ? to - 1 : NULL;
        assert_true(to->offset >= 0 && to->offset + to->states <= p->room);
        if (from && !p->steps[i - 1].in_place)
            assert_true(from->offset + from->states <= to->offset
                        || to->offset + to->states <= from->offset);
    }
}

/* Rounds that drop slots, with an array for one other: each state is read before it is written over. */
static void check_rounds(const pm_frontier_program *p, int32_t i)
{
    const pm_frontier_level *from = &p->levels[i], *to = &p->levels[i + 1];
    pm_frontier_rounds r = pm_frontier_rounds_of(p, i);
    int64_t done = r.down - r.up, begin, end;
    moves_up += r.up > 0;
    both_ways += r.up > 0 && r.down < to->states;
    for (; pm_frontier_rounds_next(&r, &begin, &end); ++rounds_run) {
        assert_true(0 <= begin && begin < end && end <= to->states);
        done += end - begin;
    }
    assert_int_equal(done, to->states);
    assert_true(from->states >= to->states);
}

static void check(const pm_block *b, int kind, bool is_narrow)
{
    static const int widths[] = {1, 2, 4, 8, 16, 32};
    int n = is_narrow ? 1 + (int)pm_rng_below(&rng, 8) : widths[pm_rng_below(&rng, 6)];
    pm_block_graph g;
    pm_vertex_order o;
    pm_frontier_program p, apart;
    pm_ring *ring;
    uint64_t m[32], x[32], y[32], top = is_narrow ? UINT64_C(1) << 31 : PM_MODULUS_MAX;
    pm_run run = {.threads = 1 + (int)pm_rng_below(&rng, 3)};
    for (int i = 0; i < n; ++i)
        m[i] = i % 3 ? 4 + pm_rng_below(&rng, 1000) : (top = pm_prime_below(top));
    assert_int_equal(pm_block_graph_make(b, &g, NULL), PM_OK);
    assert_int_equal(pm_vertex_order_alloc(&g, &o, NULL), PM_OK);
    kind ? breadth_first(&g, &o) : random_order(&rng, &g, &o);
    twins += !g.all_single;
    assert_int_equal(pm_frontier_program_compile(&g, &o, 1, true, &p, NULL), PM_OK);
    assert_int_equal(pm_frontier_program_compile(&g, &o, 1, false, &apart, NULL), PM_OK);
    assert_int_equal(p.is_zero, apart.is_zero);
    if (!p.is_zero) {
        check_places(&p);
        check_places(&apart);
        for (int32_t i = 0; i < p.nsteps; ++i) {
            tied[p.steps[i].kind] += p.steps[i].in_place;
            if (p.steps[i].kind == PM_STEP_DROP)
                check_rounds(&p, i);
        }
        assert_int_equal((is_narrow ? pm_ring_narrow : pm_ring_residues)(b, m, n, &ring, NULL),
                         PM_OK);
        assert_int_equal(pm_frontier_rank_run(&p, ring, &run, 0, 1, x, NULL), PM_OK);
        assert_int_equal(pm_frontier_rank_run(&apart, ring, &run, 0, 1, y, NULL), PM_OK);
        assert_memory_equal(x, y, (size_t)ring->value_bytes);
        ring->free(ring);
    }
    pm_frontier_program_free(&p);
    pm_frontier_program_free(&apart);
    pm_vertex_order_free(&o);
    pm_block_graph_free(&g);
}

static void check_matrix(int n, double density, int kind)
{
    pm_matrix a;
    pm_reduced r = {0};
    pm_field field = pm_rng_below(&rng, 2) ? PM_PATTERN : PM_INTEGER;
    pm_reduce_options steps = {.blocks = true, .twins = true};
    random_matrix(&rng, field, n, n, density, &a);
    assert_int_equal(pm_reduce(&a, &steps, NULL, &r, NULL), PM_OK);
    for (int64_t i = 0; i < r.nblocks && !r.zero; ++i)
        if (r.blocks[i].a.field <= PM_INTEGER)
            check(&r.blocks[i], kind, pm_rng_below(&rng, 2));
    pm_reduced_free(&r);
    pm_matrix_free(&a);
}

/* Random orders, and orders with large levels and many steps in place. */
static void same_residues(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    for (int i = 0; i < test_rounds(150); ++i)
        check_matrix(2 + (int)pm_rng_below(&rng, 9), 0.2 + 0.6 * pm_rng_unit(&rng), 0);
    for (int i = 0; i < test_rounds(20); ++i)
        check_matrix(14 + (int)pm_rng_below(&rng, 8), 0.15 + 0.1 * pm_rng_unit(&rng), 1);
    printf("# in place: %d vertices, %d swaps, %d drops in %d rounds, %d of them up, %d both ways; "
           "%d blocks with twins\n",
           tied[PM_STEP_VERTEX], tied[PM_STEP_PERMUTE], tied[PM_STEP_DROP], rounds_run, moves_up,
           both_ways, twins);
}

/* A torus of a x b vertices, each row vertex with its four neighbours. */
static void make_torus(int a, int b, pm_block *out)
{
    pm_matrix m;
    pm_triples t = {.field = PM_PATTERN, .nrows = a * b / 2, .ncols = a * b / 2};
    for (int x = 0; x < a; ++x)
        for (int y = x % 2; y < b; y += 2) {
            static const int move[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
            for (int k = 0; k < 4; ++k) {
                int u = (x + move[k][0] + a) % a, v = (y + move[k][1] + b) % b;
                assert_int_equal(
                    pm_triples_add(&t, (x * b + y) / 2, (u * b + v) / 2, 0, NULL, NULL, NULL),
                    PM_OK);
            }
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "torus", &m, NULL), PM_OK);
    as_block(&m, out);
    pm_matrix_free(&m);
    pm_triples_free(&t);
}

/* One array where there were two, with swaps and threads; fewer states have more residues each. */
static void half_the_room(void **state)
{
    (void)state;
    pm_block b;
    pm_block_graph g;
    pm_vertex_order o;
    pm_frontier_program p, apart;
    pm_ring *ring;
    enum { LANES = 8, SERIAL_BELOW = 1 << 20 /* bytes, as in frontier_rank.c */ };
    uint64_t m[LANES], x[LANES], y[LANES], top = PM_MODULUS_MAX;
    int kinds[3] = {0};
    for (int i = 0; i < LANES; ++i)
        m[i] = top = pm_prime_below(top);
    make_torus(test_size(12, 10), 14, &b);
    assert_int_equal(pm_block_graph_make(&b, &g, NULL), PM_OK);
    assert_int_equal(pm_vertex_order_search(&g, 1, 1e-9, no_limits, NULL, &o, NULL), PM_OK);
    assert_int_equal(pm_frontier_program_compile(&g, &o, 8, true, &p, NULL), PM_OK);
    assert_int_equal(pm_frontier_program_compile(&g, &o, 8, false, &apart, NULL), PM_OK);
    assert_true((double)p.room < 0.6 * (double)apart.room);
    for (int32_t i = 0; i < p.nsteps; ++i)
        kinds[p.steps[i].kind] += p.steps[i].in_place;
    assert_true(kinds[PM_STEP_VERTEX] && kinds[PM_STEP_PERMUTE] && kinds[PM_STEP_DROP]);
    assert_int_equal(pm_ring_residues(&b, m, test_size(1, LANES), &ring, NULL), PM_OK);
    assert_true(p.max_states * ring->value_bytes > SERIAL_BELOW); /* several threads */
    for (int threads = 1; threads <= 4; threads += test_step(3)) {
        pm_run run = {.threads = threads};
        assert_int_equal(pm_frontier_rank_run(&p, ring, &run, 0, 1, x, NULL), PM_OK);
        assert_int_equal(pm_frontier_rank_run(&apart, ring, &run, 0, 1, y, NULL), PM_OK);
        assert_memory_equal(x, y, (size_t)ring->value_bytes);
    }
    ring->free(ring);
    pm_frontier_program_free(&p);
    pm_frontier_program_free(&apart);
    pm_vertex_order_free(&o);
    pm_block_graph_free(&g);
    pm_block_free(&b);
}

static void out_of_memory(void **state)
{
    (void)state;
    pm_block b;
    pm_block_graph g;
    pm_vertex_order o;
    pm_frontier_program p;
    pm_status rc = PM_ENOMEM;
    make_torus(6, 8, &b);
    assert_int_equal(pm_block_graph_make(&b, &g, NULL), PM_OK);
    assert_int_equal(pm_vertex_order_alloc(&g, &o, NULL), PM_OK);
    breadth_first(&g, &o);
    for (int64_t k = 1; rc; ++k) {
        pm_alloc_fail_at(k);
        rc = pm_frontier_program_compile(&g, &o, 1, true, &p, NULL);
        pm_alloc_fail_at(0);
        assert_true(rc == PM_OK || rc == PM_ENOMEM);
        assert_true(k > 1 || rc == PM_ENOMEM);
    }
    pm_frontier_program_free(&p);
    pm_vertex_order_free(&o);
    pm_block_graph_free(&g);
    pm_block_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_residues),
        cmocka_unit_test(half_the_room),
        cmocka_unit_test(out_of_memory),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
