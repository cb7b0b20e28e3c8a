/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree that a matrix is expanded into is worth its permanent, or its hafnian, exactly, whatever the options;
 * and what the options promise.  Small random matrices of every field.
 * False alarm: below 1e-8 a run.  Everything is exact but for the share of forms that differ, which
 * is passed by chance once in 10^9; counts of what must have occurred are 7 or more standard
 * deviations above what is asked for. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "expand/canonical.h"
#include "expand/expansion.h"
#include "pm/alloc.h"
#include "pm/dm.h"
#include "pm/expand.h"
#include "reduce/block_edit.h"
#include "reference/textbook.h"
#include "support/answers.h"
#include "support/matrices.h"

enum {
    MAX_SIDE = 8,
    MAX_GROUPS = 64,
    DEPTH_FIRST = 1 << 16 /* bytes: half of them are the lists of an empty pool */
};

/* ---- the worth of a tree ---- */

typedef struct {
    bool is_sum;
    pm_fraction factor, value;
    int64_t times;
    int64_t terms; /* of a sum: nodes but numbers */
} open_group;

typedef struct {
    const pm_matrix *a;
    bool general;       /* a is symmetric, and stands for its hafnian */
    int64_t min_degree; /* that every leaf must have, or 0 */
    open_group path[MAX_GROUPS];
    int depth, deepest;
    int matrices, sums, repeated; /* repeated: sums with times > 1 */
    int hafnians;                 /* of the matrices */
    int64_t more_terms;           /* of each sum, less 1 */
} tree;

static void push(tree *t, bool is_sum)
{
    assert_true(t->depth < MAX_GROUPS);
    open_group *g = &t->path[t->depth++];
    *g = (open_group){.is_sum = is_sum, .times = 1};
    pm_fraction_init(&g->factor);
    pm_fraction_init(&g->value);
    pm_fraction_set_si(&g->factor, 1);
    pm_fraction_set_si(&g->value, is_sum ? 0 : 1);
}

static void set_exact(pm_fraction *x, const pm_cnum *v)
{
    dyadic_to_mpq(&v->re, x->re);
    dyadic_to_mpq(&v->im, x->im);
}

/* (factor * value)^times goes to the innermost group; value is changed. */
static void collect(tree *t, pm_fraction *value, const pm_fraction *factor, int64_t times)
{
    open_group *g = &t->path[t->depth - 1];
    pm_fraction_mul(value, factor);
    assert_true(times == 1 || !g->is_sum);
    for (int64_t k = 0; k < times; ++k)
        if (g->is_sum)
            pm_fraction_add(&g->value, value);
        else
            pm_fraction_mul(&g->value, value);
}

/* The permanent or the hafnian.  *out: zeroed before. */
static void find_value(const pm_matrix *a, bool general, pm_cnum *out)
{
    if (general)
        textbook_hafnian(a, out);
    else if (a->nrows == a->ncols)
        textbook_transfer_matrix(a, out);
}

/* Square, of the field of the input, without short lines; one block, unless it is general: the rows and columns of such a block may be
 * several. */
static void check_leaf(const tree *t, const pm_node *node)
{
    const pm_matrix *b = &node->matrix;
    if (b->rowptr == t->a->rowptr)
        return;
    assert_int_equal(b->nrows, b->ncols);
    assert_true(b->field == t->a->field || (b->field <= PM_INTEGER && t->a->field <= PM_INTEGER));
    if (!t->min_degree)
        return;
    pm_matrix turned;
    pm_dm d = {0};
    assert_int_equal(pm_matrix_transpose(b, &turned, NULL), PM_OK);
    for (int64_t i = 0; i < b->nrows; ++i) {
        assert_true(b->rowptr[i + 1] - b->rowptr[i] >= t->min_degree);
        assert_true(turned.rowptr[i + 1] - turned.rowptr[i] >= t->min_degree);
    }
    assert_int_equal(pm_dm_decompose(b, NULL, &d, NULL), PM_OK);
    assert_true(node->general || d.nblocks == 1);
    pm_dm_free(&d);
    pm_matrix_free(&turned);
}

static void close_group(tree *t)
{
    open_group g = t->path[--t->depth];
    assert_true(t->depth > 0);
    t->more_terms += g.is_sum ? g.terms - 1 : 0;
    collect(t, &g.value, &g.factor, g.times);
    pm_fraction_clear(&g.factor);
    pm_fraction_clear(&g.value);
}

static void count_node(tree *t, const pm_node *node)
{
    assert_true(t->a->field == PM_COMPLEX || mpq_sgn(node->factor.im) == 0);
    assert_true(mpz_fits_slong_p(node->times) && mpz_sgn(node->times) > 0);
    t->path[t->depth - 1].terms += node->kind != PM_NODE_NUMBER;
}

static pm_status enter(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    tree *t = context;
    (void)err;
    assert_int_equal(at->depth, t->depth - 1);
    count_node(t, node);
    push(t, node->kind == PM_NODE_SUM);
    t->sums += node->kind == PM_NODE_SUM;
    t->repeated += node->kind == PM_NODE_SUM && mpz_cmp_ui(node->times, 1) > 0;
    t->deepest = t->depth - 1 > t->deepest ? t->depth - 1 : t->deepest;
    open_group *g = &t->path[t->depth - 1];
    pm_fraction_mul(&g->factor, &node->factor);
    g->times = mpz_get_si(node->times);
    return PM_OK;
}

static pm_status leave(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    (void)at;
    (void)node;
    (void)err;
    close_group(context);
    return PM_OK;
}

static pm_status leaf(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    tree *t = context;
    pm_fraction value;
    (void)at;
    (void)err;
    count_node(t, node);
    pm_fraction_init_one(&value);
    if (node->kind == PM_NODE_MATRIX) {
        pm_cnum permanent = {0};
        check_leaf(t, node);
        assert_true(t->general || !node->general);
        find_value(&node->matrix, node->general, &permanent);
        t->hafnians += node->general;
        set_exact(&value, &permanent);
        pm_cnum_clear(&permanent);
        ++t->matrices;
    }
    collect(t, &value, &node->factor, mpz_get_si(node->times));
    pm_fraction_clear(&value);
    return PM_OK;
}

/* Fills t, whose a, general and min_degree are set, and *worth, which is initialised. */
static void grow(tree *t, const pm_expand_options *given, pm_fraction *worth)
{
    pm_expand_options opt = *given;
    opt.general = t->general;
    static const pm_visitor visitor = {.enter = enter, .leaf = leaf, .leave = leave};
    push(t, false);
    assert_int_equal(pm_expand(t->a, &opt, NULL, &visitor, t, NULL), PM_OK);
    assert_int_equal(t->depth, 1);
    mpq_set(worth->re, t->path[0].value.re);
    mpq_set(worth->im, t->path[0].value.im);
    pm_fraction_clear(&t->path[0].factor);
    pm_fraction_clear(&t->path[0].value);
}

static void assert_worth_as(const pm_fraction *worth, const pm_matrix *a, bool general)
{
    pm_cnum permanent = {0};
    pm_fraction exact;
    pm_fraction_init(&exact);
    find_value(a, general, &permanent);
    set_exact(&exact, &permanent);
    assert_true(mpq_equal(worth->re, exact.re));
    assert_true(mpq_equal(worth->im, exact.im));
    pm_fraction_clear(&exact);
    pm_cnum_clear(&permanent);
}

static void assert_worth(const pm_fraction *worth, const pm_matrix *a)
{
    assert_worth_as(worth, a, false);
}

/* ---- whatever the options ---- */

static int64_t one_of(uint64_t *rng, const int64_t *values, uint32_t count)
{
    return values[pm_rng_below(rng, count)];
}

static pm_expand_options draw_options(uint64_t *rng)
{
    static const int64_t terms[] = {1, 2, 3, 7, 1000}, bytes[] = {DEPTH_FIRST, 1 << 20},
                         depths[] = {0, 1, 2, 3, 4, 1000};
    pm_expand_options opt = pm_expand_defaults();
    opt.reduce.blocks = pm_rng_below(rng, 4) > 0;
    opt.reduce.twins = pm_rng_below(rng, 4) > 0;
    opt.min_degree = 1 + pm_rng_below(rng, MAX_SIDE + 1);
    opt.until_n = pm_rng_below(rng, 3) ? 0 : pm_rng_below(rng, MAX_SIDE);
    opt.max_terms = one_of(rng, terms, 5);
    opt.max_depth = one_of(rng, depths, 6);
    opt.pool_bytes = one_of(rng, bytes, 2);
    return opt;
}

/* From 0 to most, mostly large: of small inputs the reductions leave nothing to expand. */
static int draw_size(uint64_t *rng, int most)
{
    return most - (int)pm_rng_below(rng, 1 + pm_rng_below(rng, (uint32_t)most + 1));
}

static void draw(uint64_t *rng, pm_field field, pm_matrix *a)
{
    const int n = draw_size(rng, MAX_SIDE);
    const int m = pm_rng_below(rng, 30) ? n : (int)pm_rng_below(rng, MAX_SIDE + 1);
    random_matrix(rng, field, n, m, 0.3 + 0.7 * pm_rng_unit(rng), a);
}

static void test_worth(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    int sums = 0;
    for (int round = 0; test_goes_on(round, 2000, sums > test_rounds(50)); ++round) {
        pm_matrix a = {0};
        pm_fraction worth;
        pm_expand_options opt = draw_options(&rng);
        draw(&rng, (pm_field)(round % 4), &a);
        tree t = {.a = &a};
        pm_fraction_init(&worth);
        grow(&t, &opt, &worth);
        assert_worth(&worth, &a);
        assert_true(t.deepest <= opt.max_depth);
        assert_true(opt.max_terms > 1 || t.sums == 0);
        sums += t.sums;
        pm_fraction_clear(&worth);
        pm_matrix_free(&a);
    }
    assert_true(sums > test_rounds(50));
}

static void draw_graph(uint64_t *rng, pm_field field, int n, pm_matrix *a)
{
    const double loops = pm_rng_below(rng, 2) ? 0 : pm_rng_unit(rng);
    random_symmetric(rng, field, n, 0.2 + 0.8 * pm_rng_unit(rng), loops, a);
}

/* The adjacency matrix of the bipartite graph of a random matrix, as a graph on one set of vertices. */
static void draw_bipartite(uint64_t *rng, pm_field field, int side, pm_matrix *a)
{
    pm_matrix b;
    pm_triples t = {.field = field, .nrows = 2 * side, .ncols = 2 * side};
    random_matrix(rng, field, side, side, 0.9, &b);
    for (int32_t i = 0; i < side; ++i)
        for (int64_t k = b.rowptr[i]; k < b.rowptr[i + 1]; ++k)
            for (int way = 0; way < 2; ++way) {
                const int32_t j = side + b.colind[k];
                pm_dyadic re = {0}, im = {0};
                if (b.re)
                    pm_dyadic_set(&re, &b.re[k]);
                if (b.im)
                    pm_dyadic_set(&im, &b.im[k]);
                assert_int_equal(pm_triples_add(&t, way ? j : i, way ? i : j, 0, b.re ? &re : NULL,
                                                b.im ? &im : NULL, NULL),
                                 PM_OK);
            }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", a, NULL), PM_OK);
    pm_matrix_free(&b);
}

/* General graphs, with and without loops.  Their bipartite parts become permanents. */
static void test_worth_general(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    int sums = 0, hafnians = 0, permanents = 0;
    for (int round = 0;
         test_goes_on(round, 2000, sums > test_rounds(40) && permanents > test_rounds(50));
         ++round) {
        pm_matrix a = {0};
        pm_fraction worth;
        pm_expand_options opt = draw_options(&rng);
        if (round / 4 % 4 == 3)
            draw_bipartite(&rng, (pm_field)(round % 4), 5, &a);
        else
            draw_graph(&rng, (pm_field)(round % 4), draw_size(&rng, MAX_SIDE + 3), &a);
        tree t = {.a = &a, .general = true};
        pm_fraction_init(&worth);
        grow(&t, &opt, &worth);
        assert_worth_as(&worth, &a, true);
        assert_true(t.deepest <= opt.max_depth);
        assert_true(opt.max_terms > 1 || t.sums == 0);
        sums += t.sums;
        hafnians += t.hafnians;
        permanents += t.matrices - t.hafnians;
        pm_fraction_clear(&worth);
        pm_matrix_free(&a);
    }
    print_message("# %d sums, %d hafnians, %d permanents\n", sums, hafnians, permanents);
    assert_true(sums > test_rounds(40) && hafnians > test_rounds(50)
                && permanents > test_rounds(50));
}

/* b repeated along the diagonal, with rows and columns in any order. */
static void repeat(uint64_t *rng, const pm_matrix *b, int copies, pm_matrix *out)
{
    enum { MOST = 3 * MAX_SIDE };
    int32_t p[MOST], q[MOST];
    int32_t n = (int32_t)b->nrows;
    pm_triples t = {.field = b->field, .nrows = n * copies, .ncols = n * copies};
    random_permutation(rng, p, n * copies);
    random_permutation(rng, q, n * copies);
    for (int c = 0; c < copies; ++c)
        for (int32_t i = 0; i < n; ++i)
            for (int64_t k = b->rowptr[i]; k < b->rowptr[i + 1]; ++k) {
                pm_dyadic re = {0}, im = {0};
                if (b->re)
                    pm_dyadic_set(&re, &b->re[k]);
                if (b->im)
                    pm_dyadic_set(&im, &b->im[k]);
                assert_int_equal(pm_triples_add(&t, p[c * n + i], q[c * n + b->colind[k]], 0,
                                                b->re ? &re : NULL, b->im ? &im : NULL, NULL),
                                 PM_OK);
            }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", out, NULL), PM_OK);
}

/* Blocks that are expanded once and count two or three times. */
static void test_repeated(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    int repeated = 0;
    for (int round = 0; test_goes_on(round, 200, repeated >= test_rounds(10)); ++round) {
        pm_matrix b = {0}, a = {0};
        pm_fraction worth;
        pm_expand_options opt = pm_expand_defaults();
        opt.reduce.twins = round % 2;
        opt.min_degree = MAX_SIDE;
        opt.until_n = 2 + pm_rng_below(&rng, 2);
        random_matrix(&rng, (pm_field)(round % 4), 5, 5, 0.8, &b);
        repeat(&rng, &b, 2 + (int)pm_rng_below(&rng, 2), &a);
        tree t = {.a = &a};
        pm_fraction_init(&worth);
        grow(&t, &opt, &worth);
        assert_worth(&worth, &a);
        repeated += t.repeated;
        pm_fraction_clear(&worth);
        pm_matrix_free(&a);
        pm_matrix_free(&b);
    }
    assert_true(repeated >= test_rounds(10));
}

/* ---- what the options promise ---- */

/* Without other limits no leaf has a short line; and with all terms there is no leaf at all. */
static void test_min_degree(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    int leaves = 0;
    for (int round = 0; test_goes_on(round, 1000, leaves > test_rounds(100)); ++round) {
        pm_matrix a = {0};
        pm_fraction worth;
        pm_expand_options opt = pm_expand_defaults();
        opt.min_degree = 3 + pm_rng_below(&rng, MAX_SIDE - 1);
        opt.max_terms = 1000000;
        random_matrix(&rng, (pm_field)(round % 4), MAX_SIDE, MAX_SIDE,
                      0.4 + 0.6 * pm_rng_unit(&rng), &a);
        tree t = {.a = &a, .min_degree = opt.min_degree};
        pm_fraction_init(&worth);
        grow(&t, &opt, &worth);
        assert_worth(&worth, &a);
        leaves += t.matrices;
        assert_true(opt.min_degree <= MAX_SIDE || t.matrices == 0);
        pm_fraction_clear(&worth);
        pm_matrix_free(&a);
    }
    assert_true(leaves > test_rounds(100));
}

/* The same of general graphs, whose lines are vertices.  Loops are entries of them. */
static void test_min_degree_general(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    int leaves = 0;
    for (int round = 0; test_goes_on(round, 1000, leaves > test_rounds(100)); ++round) {
        pm_matrix a = {0};
        pm_fraction worth;
        pm_expand_options opt = pm_expand_defaults();
        opt.min_degree = 3 + pm_rng_below(&rng, MAX_SIDE);
        opt.max_terms = 1000000;
        draw_graph(&rng, (pm_field)(round % 4), MAX_SIDE + 2, &a);
        tree t = {.a = &a, .general = true, .min_degree = opt.min_degree};
        pm_fraction_init(&worth);
        grow(&t, &opt, &worth);
        assert_worth_as(&worth, &a, true);
        leaves += t.hafnians;
        assert_true(opt.min_degree <= MAX_SIDE + 2 || t.matrices == 0);
        pm_fraction_clear(&worth);
        pm_matrix_free(&a);
    }
    assert_true(leaves > test_rounds(100));
}

static void test_max_terms(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = test_rounds(300); round > 0; --round) {
        pm_matrix a = {0};
        pm_fraction worth;
        pm_expand_options opt = pm_expand_defaults();
        opt.reduce.blocks = false; /* one block, hence one sum */
        opt.min_degree = MAX_SIDE + 1;
        opt.until_n = 4;
        opt.max_terms = 1 + pm_rng_below(&rng, 30);
        opt.pool_bytes = pm_rng_below(&rng, 2) ? DEPTH_FIRST : 1 << 20;
        random_matrix(&rng, PM_REAL, MAX_SIDE, MAX_SIDE, 0.5 + 0.5 * pm_rng_unit(&rng), &a);
        tree t = {.a = &a};
        pm_fraction_init(&worth);
        grow(&t, &opt, &worth);
        assert_worth(&worth, &a);
        assert_true(t.matrices <= opt.max_terms);
        assert_true(t.more_terms < opt.max_terms);
        pm_fraction_clear(&worth);
        pm_matrix_free(&a);
    }
}

static void test_memory(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    pm_matrix a = {0};
    pm_fraction worth;
    pm_expand_options opt = pm_expand_defaults();
    opt.min_degree = MAX_SIDE + 1;
    opt.until_n = 3;
    opt.max_terms = 1000000;
    random_matrix(&rng, PM_INTEGER, MAX_SIDE, MAX_SIDE, 1, &a);
    pm_fraction_init(&worth);
    int least = 0, most = 0;
    for (opt.pool_bytes = 0; opt.pool_bytes < 60000; opt.pool_bytes += 500) {
        tree t = {.a = &a};
        grow(&t, &opt, &worth);
        assert_worth(&worth, &a);
        least = opt.pool_bytes == 0 ? t.matrices : least;
        most = t.matrices > most ? t.matrices : most;
    }
    assert_int_equal(least, 1);
    assert_true(most > 1);
    pm_fraction_clear(&worth);
    pm_matrix_free(&a);
}

/* ---- canonical forms ---- */

static void make_block(const pm_matrix *a, pm_block *b)
{
    *b = (pm_block){.n = a->nrows};
    assert_int_equal(pm_matrix_copy(a, &b->a, NULL), PM_OK);
    b->row_cap = pm_alloc_array(a->nrows, sizeof *b->row_cap);
    b->col_cap = pm_alloc_array(a->ncols, sizeof *b->col_cap);
    for (int64_t i = 0; i < a->nrows; ++i)
        b->row_cap[i] = b->col_cap[i] = 1;
}

static void shuffle(uint64_t *rng, pm_block *b)
{
    int32_t p[MAX_SIDE], q[MAX_SIDE];
    random_permutation(rng, p, (int32_t)b->a.nrows);
    random_permutation(rng, q, (int32_t)b->a.ncols);
    assert_int_equal(pm_block_permute(b, p, q, NULL), PM_OK);
    if (pm_rng_below(rng, 2))
        assert_int_equal(pm_block_transpose(b, NULL), PM_OK);
}

/* The form is the same block, and other orders of it have the same form, but for 35 in 1000 or so;
 * allowed are 50, and what is passed by chance once in 10^9. */
static void test_canonical(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    int same = 0, rounds = test_rounds(1000);
    for (int round = 0; round < rounds; ++round) {
        pm_matrix a = {0};
        pm_block b, c;
        uint64_t key, other;
        pm_cnum before = {0}, after = {0};
        random_matrix(&rng, (pm_field)(round % 4), MAX_SIDE, MAX_SIDE, 0.5, &a);
        make_block(&a, &b);
        make_block(&a, &c);
        shuffle(&rng, &c);
        assert_int_equal(pm_block_canonise(&b, NULL, &key, NULL), PM_OK);
        assert_int_equal(pm_block_canonise(&c, NULL, &other, NULL), PM_OK);
        textbook_transfer_matrix(&a, &before);
        textbook_transfer_matrix(&b.a, &after);
        assert_true(pm_cnum_equal(&before, &after));
        assert_int_equal(pm_matrix_nnz(&a), pm_matrix_nnz(&c.a));
        assert_true(key == other || !pm_block_equal(&b, &c));
        same += pm_block_equal(&b, &c);
        pm_cnum_clear(&before);
        pm_cnum_clear(&after);
        pm_block_free(&b);
        pm_block_free(&c);
        pm_matrix_free(&a);
    }
    double others = 0.05 * rounds;
    assert_true(rounds - same <= others + 6 * sqrt(others) + 6);
}

/* With room, equal terms meet: fewer leaves, never more. */
static void test_pool(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    int saved = 0;
    for (int round = 0; test_goes_on(round, 300, saved > 0); ++round) {
        pm_matrix a = {0};
        pm_fraction worth;
        pm_expand_options opt = pm_expand_defaults();
        opt.until_n = 4;
        opt.min_degree = MAX_SIDE;
        opt.reduce.blocks = opt.reduce.twins = false;
        opt.max_terms = 1000000;
        random_matrix(&rng, PM_PATTERN, MAX_SIDE, MAX_SIDE, 0.7, &a);
        pm_fraction_init(&worth);
        tree wide = {.a = &a}, narrow = {.a = &a};
        grow(&wide, &opt, &worth);
        assert_worth(&worth, &a);
        opt.pool_bytes = DEPTH_FIRST;
        grow(&narrow, &opt, &worth);
        assert_worth(&worth, &a);
        saved += narrow.matrices - wide.matrices;
        pm_fraction_clear(&worth);
        pm_matrix_free(&a);
    }
    assert_true(saved > 0);
}

/* ---- the choice of a line ---- */

/* Whether a line may be chosen. */
static bool has_line(const pm_matrix *a, int64_t min_degree, int64_t max_terms)
{
    bool found = false;
    for (int64_t i = 0; i < a->nrows; ++i) {
        int64_t d = a->rowptr[i + 1] - a->rowptr[i], terms = d > 2 ? (d + 1) / 2 : d;
        found = found || (d < min_degree && terms <= max_terms);
    }
    return found;
}

/* The terms of the line share its entries, and are as many as allowed. */
static void check_choice(pm_block *b, int64_t min_degree, int64_t max_terms)
{
    enum { MOST = 64 };
    int times[MOST] = {0};
    pm_matrix turned;
    pm_expansion x;
    assert_int_equal(pm_matrix_transpose(&b->a, &turned, NULL), PM_OK);
    assert_int_equal(pm_expansion_choose(b, min_degree, max_terms, NULL, &x, NULL), PM_OK);
    const pm_matrix *a = x.is_column ? &turned : &b->a;
    bool may = has_line(&b->a, min_degree, max_terms) || has_line(&turned, min_degree, max_terms);
    assert_int_equal(x.nterms > 0, may);
    assert_true(x.nterms <= max_terms);
    for (int64_t k = 0; k < x.nterms; ++k) {
        ++times[x.share[k].first];
        if (x.share[k].second >= 0)
            ++times[x.share[k].second];
    }
    int64_t d = x.nterms ? a->rowptr[x.line + 1] - a->rowptr[x.line] : 0;
    assert_true(d < min_degree);
    for (int64_t k = 0; k < MOST; ++k)
        assert_int_equal(times[k], k < d);
    pm_expansion_free(&x);
    pm_matrix_free(&turned);
}

static void test_choice(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = test_rounds(300); round > 0; --round) {
        pm_matrix a = {0};
        pm_block b;
        int n = round % 50 ? MAX_SIDE : 45; /* the pairs of long lines are not compared */
        do {
            pm_matrix_free(&a);
            random_matrix(&rng, (pm_field)(round % 4), n, n, n > MAX_SIDE ? 0.95 : 0.6, &a);
        } while (isinf(pm_permanent_log2_bound(&a))); /* an empty line */
        make_block(&a, &b);
        for (int64_t terms = 1; terms < n; ++terms)
            check_choice(&b, 3 + pm_rng_below(&rng, (uint32_t)n), terms);
        pm_block_free(&b);
        pm_matrix_free(&a);
    }
}

/* ---- memory ---- */

static void test_no_memory(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    pm_matrix a = {0};
    pm_expand_options opt = pm_expand_defaults();
    const pm_visitor none = {0};
    pm_status s = PM_ENOMEM;
    int failures = 0;
    opt.min_degree = 7;
    opt.until_n = 3;
    random_matrix(&rng, PM_REAL, 7, 7, 0.8, &a);
    for (int64_t k = 1; s != PM_OK; ++k) {
        pm_error err = {.msg = ""};
        pm_alloc_fail_at(k);
        s = pm_expand(&a, &opt, NULL, &none, NULL, &err);
        pm_alloc_fail_at(0);
        assert_true(s == PM_OK || s == PM_ENOMEM);
        assert_true(s == PM_OK || strlen(err.msg) > 0);
        failures += s != PM_OK;
    }
    assert_true(failures > 20);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worth),         cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_min_degree),    cmocka_unit_test(test_max_terms),
        cmocka_unit_test(test_worth_general), cmocka_unit_test(test_min_degree_general),
        cmocka_unit_test(test_memory),        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_canonical),     cmocka_unit_test(test_pool),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
