/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Determinants of sparse matrices of any kind, most of them singular somewhere on the way, by every
 * kernel; drawings, faces and signs; positive minors. */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "core/isa.h"
#include "elimination/determinant.h"
#include "elimination/determinant_batches.h"
#include "number/prime.h"
#include "planar/deletion.h"
#include "planar/determinant_sum.h"
#include "planar/embedding.h"
#include "planar/kasteleyn_matrix.h"
#include "planar/replacement_path.h"
#include "support/planar_graphs.h"

static uint64_t rng;

/* ---- determinants ---- */

/* A pattern with a full diagonal, random signs, and its weights as a block. */
static void random_pairing(int32_t n, double density, pm_paired_matrix *p, pm_block *b)
{
    static const int few[] = {1, 1, 1, 2, 3, 1 << 20};
    pm_triples t = {.field = PM_INTEGER, .nrows = n, .ncols = n};
    *p = (pm_paired_matrix){.n = n, .classes = 1};
    p->rowptr = calloc((size_t)n + 1, sizeof *p->rowptr);
    p->colind = calloc((size_t)n * (size_t)n + 1, sizeof *p->colind);
    p->source = calloc((size_t)n * (size_t)n + 1, sizeof *p->source);
    p->sign = calloc((size_t)n * (size_t)n + 1, 1);
    for (int32_t i = 0, k = 0; i < n; ++i) {
        for (int32_t j = 0; j < n; ++j) {
            pm_dyadic w = {0};
            if (i != j && pm_rng_unit(&rng) >= density)
                continue;
            pm_dyadic_set_si(&w, few[pm_rng_below(&rng, 6)]);
            p->colind[k] = j;
            p->source[k] = k;
            p->sign[k++] = (uint8_t)pm_rng_below(&rng, 2);
            assert_int_equal(pm_triples_add(&t, i, j, 0, &w, NULL, NULL), PM_OK);
        }
        p->rowptr[i + 1] = k;
    }
    *b = (pm_block){.n = n};
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &b->a, NULL), PM_OK);
    pm_triples_free(&t);
    b->row_cap = calloc((size_t)n + 1, sizeof *b->row_cap);
    b->col_cap = calloc((size_t)n + 1, sizeof *b->col_cap);
    for (int32_t i = 0; i < n; ++i)
        b->row_cap[i] = b->col_cap[i] = 1;
}

/* By the definition of elimination, on a full matrix. */
static uint64_t plain_determinant(const pm_paired_matrix *p, const pm_block *b, uint64_t m)
{
    int32_t n = p->n;
    uint64_t det = 1, *a = calloc((size_t)n * (size_t)n + 1, sizeof *a);
    for (int32_t i = 0; i < n; ++i)
        for (int32_t k = p->rowptr[i]; k < p->rowptr[i + 1]; ++k) {
            uint64_t w = pm_dyadic_mod(&b->a.re[k], m);
            a[i * n + p->colind[k]] = p->sign[k] ? (m - w) % m : w;
        }
    for (int32_t t = 0; t < n && det; ++t) {
        int32_t r = t;
        while (r < n && a[r * n + t] == 0)
            ++r;
        for (int32_t j = 0; j < n && r < n && r != t; ++j) {
            uint64_t swap = a[r * n + j];
            a[r * n + j] = a[t * n + j];
            a[t * n + j] = swap;
        }
        det = r == n ? 0 : pm_mod_mul(r != t ? m - det : det, a[t * n + t], m);
        uint64_t by = pm_mod_inverse(a[t * n + t], m);
        for (int32_t i = t + 1; i < n && det; ++i) {
            uint64_t times = pm_mod_mul(m - a[i * n + t], by, m);
            for (int32_t j = t; j < n; ++j)
                a[i * n + j] = (a[i * n + j] + pm_mod_mul(times, a[t * n + j], m)) % m;
        }
    }
    free(a);
    return det;
}

static void eliminate(const pm_paired_matrix *p, uint64_t seed, pm_elimination *out)
{
    int32_t *order = calloc((size_t)p->n + 1, sizeof *order);
    assert_int_equal(pm_elimination_order(p, seed, order, NULL), PM_OK);
    assert_int_equal(pm_elimination_make(p, order, out, NULL), PM_OK);
    free(order);
}

static void check_determinant(const pm_paired_matrix *p, const pm_block *b, const pm_elimination *e,
                              const uint32_t *prime)
{
    static const uint32_t unit[PM_LANES_MAX] = {0};
    pm_integer_entries z;
    uint64_t residue[PM_LANES_MAX];
    assert_int_equal(pm_integer_entries_make(b, &z, NULL), PM_OK);
    for (int isa = 0; isa <= (int)pm_isa_best(); ++isa) {
        const pm_front_kernel *kernel = pm_front_kernel_for((pm_isa)isa);
        pm_determinant *d;
        assert_int_equal(pm_determinant_open(e, &z, kernel, &d, NULL), PM_OK);
        for (int again = 0; again < 2; ++again) {
            assert_int_equal(pm_determinant_modulo(d, 0, prime, unit, NULL, residue, NULL), PM_OK);
            for (int l = 0; l < kernel->lanes; ++l) {
                uint64_t whole = residue[l];
                whole = pm_mod_mul(whole, pm_mod_pow(2, (uint64_t)z.shift, prime[l]), prime[l]);
                assert_int_equal(whole, plain_determinant(p, b, prime[l]));
            }
        }
        pm_determinant_close(d);
    }
    pm_integer_entries_free(&z);
}

/* Small primes make pivots vanish everywhere, and in one lane alone. */
static void determinants(void **state)
{
    (void)state;
    static const uint32_t tiny[PM_LANES_MAX] = {3, 5, 3, 7, 11, 13, 3, 17};
    static const uint32_t large[PM_LANES_MAX] = {16777213, 16777199, 16777183, 16777153,
                                                 16777141, 16777139, 16777127, 16777121};
    static const uint32_t mixed[PM_LANES_MAX] = {3, 16777213, 5, 16777199, 31, 16777183, 8191, 7};
    for (int round = 0; round < test_rounds(3000); ++round) {
        pm_paired_matrix p;
        pm_block b;
        pm_elimination sparse = {0}, dense = {0};
        int32_t n = (int32_t)pm_rng_below(&rng, round % 50 ? 20 : 90);
        const uint32_t *primes = round % 3 == 0 ? tiny : round % 3 == 1 ? large : mixed;
        random_pairing(n, 1.5 * pm_rng_unit(&rng) / (n + 1) + (round % 7 == 0 ? 0.3 : 0), &p, &b);
        eliminate(&p, (uint64_t)round, &sparse);
        assert_int_equal(pm_elimination_make_dense(&p, &dense, NULL), PM_OK);
        check_determinant(&p, &b, &sparse, primes);
        check_determinant(&p, &b, &dense, primes);
        assert_true(sparse.multiplications <= dense.multiplications + n);
        pm_elimination_free(&sparse);
        pm_elimination_free(&dense);
        pm_paired_matrix_free(&p);
        pm_block_free(&b);
    }
}

/* Where all weights are positive, every order of elimination goes down the diagonal: nothing is
 * delayed, but for pivots that are 0 modulo a prime by chance. */
static void positive_minors(void **state)
{
    (void)state;
    int64_t delayed = 0;
    static const uint32_t large[PM_LANES_MAX] = {16777213, 16777199, 16777183, 16777153,
                                                 16777141, 16777139, 16777127, 16777121};
    static const uint32_t unit[PM_LANES_MAX] = {0};
    for (int round = 0; round < test_rounds(300); ++round) {
        pm_matrix a;
        pm_reduced r = {0};
        pm_reduce_options none = {.blocks = true};
        random_planar(&rng, PM_PATTERN, 20 + (int)pm_rng_below(&rng, 200), false, &a);
        assert_int_equal(pm_reduce(&a, &none, NULL, &r, NULL), PM_OK);
        for (int64_t k = 0; k < r.nblocks; ++k) {
            pm_plain_graph w = {0};
            pm_paired_matrix p = {0};
            pm_elimination e = {0};
            pm_integer_entries z;
            pm_determinant *d;
            uint64_t residue[PM_LANES_MAX];
            assert_int_equal(pm_plain_graph_make(&r.blocks[k], &w, NULL), PM_OK);
            assert_int_equal(pm_kasteleyn_matrix_make(&w, &p, NULL), PM_OK);
            assert_false(p.is_zero);
            assert_int_equal(p.classes, 1);
            eliminate(&p, (uint64_t)round, &e);
            assert_int_equal(pm_integer_entries_make(&r.blocks[k], &z, NULL), PM_OK);
            assert_int_equal(
                pm_determinant_open(&e, &z, pm_front_kernel_for(pm_isa_best()), &d, NULL), PM_OK);
            assert_int_equal(pm_determinant_modulo(d, 0, large, unit, NULL, residue, NULL), PM_OK);
            delayed += pm_determinant_delayed(d);
            pm_determinant_close(d);
            pm_integer_entries_free(&z);
            pm_elimination_free(&e);
            pm_paired_matrix_free(&p);
            pm_plain_graph_free(&w);
        }
        pm_reduced_free(&r);
        pm_matrix_free(&a);
    }
    assert_in_range(delayed, 0, 3);
}

/* ---- drawings ---- */

static void embed(const pm_matrix *a, int32_t **next)
{
    const pm_drawn_graph d = pm_drawn_bipartite(a);
    *next = calloc(2 * (size_t)pm_matrix_nnz(a) + 1, sizeof **next);
    assert_int_equal(pm_embedding_in_plane(&d, *next, NULL), PM_OK);
}

static void faces_of_the_plane(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(300); ++round) {
        pm_matrix a;
        pm_faces f = {0};
        int32_t *next;
        random_planar(&rng, PM_PATTERN, 6 + (int)pm_rng_below(&rng, 150), round % 2, &a);
        embed(&a, &next);
        const pm_drawn_graph d = pm_drawn_bipartite(&a);
        assert_int_equal(pm_faces_walk(&d, next, &f, NULL), PM_OK);
        assert_int_equal(f.handles, 0);
        assert_int_equal(f.parts, 1);
        assert_int_equal(a.nrows + a.ncols - pm_matrix_nnz(&a) + f.count, 2);
        assert_int_equal(f.start[f.count], f.narcs);
        for (int32_t face = 0; face < f.count; ++face)
            for (int32_t s = f.start[face]; s < f.start[face + 1]; ++s) {
                int32_t after = s + 1 < f.start[face + 1] ? s + 1 : f.start[face];
                assert_int_equal(next[f.walk[s] ^ 1], f.walk[after]);
                assert_int_equal(f.of[f.walk[s]], face);
            }
        /* arcs that are led astray */
        if (pm_matrix_nnz(&a) > 1) {
            next[0] = next[2];
            assert_int_equal(pm_faces_walk(&d, next, &f, NULL), PM_EINTERNAL);
        }
        pm_faces_free(&f);
        free(next);
        pm_matrix_free(&a);
    }
}

static void from_text(const char *rows, pm_matrix *out)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = 1};
    for (int64_t j = 0; *rows; ++rows) {
        if (*rows == '/') {
            ++t.nrows;
            j = 0;
            continue;
        }
        if (*rows == '1')
            assert_int_equal(pm_triples_add(&t, t.nrows - 1, j, 0, NULL, NULL, NULL), PM_OK);
        t.ncols = ++j > t.ncols ? j : t.ncols;
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", out, NULL), PM_OK);
    pm_triples_free(&t);
}

static void refuses(const char *rows, const char *why)
{
    pm_matrix a;
    pm_error err = {.msg = ""};
    from_text(rows, &a);
    const pm_drawn_graph d = pm_drawn_bipartite(&a);
    int32_t *next = calloc(2 * (size_t)pm_matrix_nnz(&a), sizeof *next);
    assert_int_equal(pm_embedding_in_plane(&d, next, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, why));
    free(next);
    pm_matrix_free(&a);
}

static void not_planar(void **state)
{
    (void)state;
    refuses("111/111/111", "not planar: 9 edges; on 6 vertices a planar bipartite graph has 8");
    /* K3,3 with an edge cut in three, and with a tail */
    refuses("1110/1110/1101/0011", "not planar: it holds a subdivision of K3,3");
    /* K5 with every edge cut in two */
    refuses("1111000000/1000111000/0100100110/0010010101/0001001011",
            "not planar: it holds a subdivision of K5");
}

/* ---- nearly planar graphs ---- */

/* K3,3 with another way between the ends of its last edge. */
static void obstacles(void **state)
{
    (void)state;
    pm_matrix a;
    from_text("11100/11100/11101/00111", &a);
    const pm_drawn_graph drawn = pm_drawn_bipartite(&a);
    uint8_t gone[16] = {0};
    int32_t entries[16], count, met[16] = {0};
    for (int round = 0; round < 50; ++round) {
        assert_int_equal(pm_embedding_obstruction(&drawn, gone, &rng, entries, &count, NULL),
                         PM_OK);
        assert_true(count == 9 || count == 11);
        for (int32_t x = 0; x < count; ++x)
            ++met[entries[x]];
    }
    for (int k = 0; k < 8; ++k) /* all but the last edge */
        assert_int_equal(met[k], 50);
    gone[0] = 1;
    assert_int_equal(pm_embedding_obstruction(&drawn, gone, &rng, entries, &count, NULL), PM_OK);
    assert_int_equal(count, 0);
    pm_matrix_free(&a);
}

static void detours(void **state)
{
    (void)state;
    pm_matrix a;
    pm_replacement_path d;
    uint8_t gone[16] = {0};
    from_text("1100/0110/0011/1001", &a); /* a cycle of 8 */
    const pm_drawn_graph drawn = pm_drawn_bipartite(&a);
    assert_int_equal(pm_replacement_path_open(&drawn, &d, NULL), PM_OK);
    for (int again = 0; again < 2; ++again)
        for (int32_t k = 0; k < 8; ++k)
            assert_int_equal(pm_replacement_path_length(&d, gone, k), 7);
    gone[3] = 1;
    assert_int_equal(pm_replacement_path_length(&d, gone, 0), INT32_MAX);
    assert_int_equal(pm_replacement_path_length(&d, gone, 3), 7);
    pm_replacement_path_close(&d);
    pm_matrix_free(&a);
}

static bool has_no_common_end(const int32_t e[2], const int32_t f[2])
{
    return e[0] != f[0] && e[0] != f[1] && e[1] != f[0] && e[1] != f[1];
}

/* Matchings among some entries of a matrix, one by one, against all subsets. */
static void few_edges(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(300); ++round) {
        pm_matrix a;
        pm_deleted_edges x;
        int32_t entry[10], count = 0;
        int64_t matchings = 0;
        uint64_t taken[1024];
        bool one_set = round % 2;
        from_text(one_set ? "01111/00111/00011/00001/00000" : "11010/01101/10110/11111", &a);
        const pm_drawn_graph drawn = {&a, one_set ? 0 : a.nrows};
        for (int32_t k = 0; k < pm_matrix_nnz(&a) && count < 10; ++k)
            if (pm_rng_below(&rng, 3))
                entry[count++] = k;
        pm_deleted_edges_make(&drawn, entry, count, &x);
        for (int set = 0; set < 1 << count; ++set) {
            bool is_matching = true;
            for (int e = 0; e < count; ++e)
                for (int f = 0; f < e; ++f)
                    if (set >> e & 1 && set >> f & 1)
                        is_matching = is_matching && has_no_common_end(x.end[e], x.end[f]);
            matchings += is_matching;
        }
        assert_int_equal(pm_deleted_edges_matchings(&x, 1024, taken), matchings);
        assert_int_equal(pm_deleted_edges_matchings(&x, matchings, NULL), matchings);
        assert_int_equal(pm_deleted_edges_matchings(&x, matchings - 1, NULL), matchings);
        assert_int_equal(taken[0], 0);
        for (int64_t t = 1; t < matchings; ++t)
            for (int64_t u = 0; u < t; ++u)
                assert_true(taken[t] != taken[u]);
        pm_matrix_free(&a);
    }
}

/* All edges of two rows, which are more than a word has bits. */
static void two_stars(void **state)
{
    (void)state;
    enum { LEAVES = PM_DELETED_EDGES_MAX / 2, MATCHINGS = 1 + 2 * LEAVES + LEAVES * (LEAVES - 1) };
    pm_matrix a;
    pm_deleted_edges x;
    pm_triples t = {.field = PM_PATTERN, .nrows = 2, .ncols = LEAVES};
    int32_t entry[PM_DELETED_EDGES_MAX];
    for (int32_t k = 0; k < 2 * LEAVES; ++k) {
        entry[k] = k;
        assert_int_equal(pm_triples_add(&t, k / LEAVES, k % LEAVES, 0, NULL, NULL, NULL), PM_OK);
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
    const pm_drawn_graph drawn = pm_drawn_bipartite(&a);
    pm_deleted_edges_make(&drawn, entry, 2 * LEAVES, &x);
    int words = pm_deleted_edges_words(&x);
    assert_int_equal(words, PM_DELETED_EDGES_MAX / 64);
    uint64_t *taken = calloc((size_t)MATCHINGS * (size_t)words, sizeof *taken);
    assert_int_equal(pm_deleted_edges_matchings(&x, MATCHINGS - 1, NULL), MATCHINGS);
    assert_int_equal(pm_deleted_edges_matchings(&x, MATCHINGS, taken), MATCHINGS);
    for (int64_t m = 0; m < MATCHINGS; ++m) {
        int32_t ends[2] = {-1, -1};
        for (int32_t e = 0; e < 2 * LEAVES; ++e)
            if (pm_deleted_edges_has(taken + m * words, e)) {
                assert_int_equal(ends[x.end[e][0]], -1);
                ends[x.end[e][0]] = x.end[e][1];
            }
        assert_true(ends[0] < 0 || ends[0] != ends[1]);
        if (m > 0)
            assert_memory_not_equal(taken + m * words, taken + (m - 1) * words,
                                    (size_t)words * sizeof *taken);
    }
    free(taken);
    pm_triples_free(&t);
    pm_matrix_free(&a);
}

/* Of so many rows, at random. */
static void make_cubic(int32_t n, pm_matrix *out)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
    int32_t *name = calloc((size_t)n, sizeof *name);
    for (int turn = 0; turn < 3; ++turn) {
        random_permutation(&rng, name, n);
        for (int32_t i = 0; i < n; ++i)
            assert_int_equal(pm_triples_add(&t, i, name[i], 0, NULL, NULL, NULL), PM_OK);
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_SUM, "", out, NULL), PM_OK);
    pm_triples_free(&t);
    free(name);
}

static void make_full(int32_t n, pm_matrix *out)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
    for (int32_t k = 0; k < n * n; ++k)
        assert_int_equal(pm_triples_add(&t, k / n, k % n, 0, NULL, NULL, NULL), PM_OK);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_SUM, "", out, NULL), PM_OK);
    pm_triples_free(&t);
}

/* Why no edges were found, by the limit that is met. */
static void outcomes(void **state)
{
    (void)state;
    pm_matrix a;
    pm_deletion d;
    pm_deletion_limits limits = {.most = 1 << 20, .tests = 1e5, .effort = 1};
    make_cubic(3000, &a);
    pm_drawn_graph drawn = pm_drawn_bipartite(&a);
    assert_int_equal(pm_deletion_find(&drawn, &limits, NULL, &d, NULL), PM_OK);
    assert_int_equal(d.outcome, PM_DELETION_TOO_MANY_EDGES);
    pm_matrix_free(&a);
    make_cubic(40, &a);
    drawn = pm_drawn_bipartite(&a);
    limits.most = 2;
    assert_int_equal(pm_deletion_find(&drawn, &limits, NULL, &d, NULL), PM_OK);
    assert_int_equal(d.outcome, PM_DELETION_TOO_MANY_MATCHINGS);
    limits.most = 1 << 20;
    limits.tests = 3;
    assert_int_equal(pm_deletion_find(&drawn, &limits, NULL, &d, NULL), PM_OK);
    assert_int_equal(d.outcome, PM_DELETION_OUT_OF_TIME);
    assert_int_equal(d.count, 0);
    pm_matrix_free(&a);
    /* 36 of 64 edges are too many for a graph on 16 vertices: known without a test */
    limits.tests = 0;
    make_full(8, &a);
    drawn = pm_drawn_bipartite(&a);
    assert_int_equal(pm_deletion_find(&drawn, &limits, NULL, &d, NULL), PM_OK);
    assert_int_equal(d.outcome, PM_DELETION_OUT_OF_TIME);
    double used = 0; /* and without a detour */
    limits.most = 500;
    limits.used = &used;
    assert_int_equal(pm_deletion_find(&drawn, &limits, NULL, &d, NULL), PM_OK);
    assert_int_equal(d.outcome, PM_DELETION_TOO_MANY_MATCHINGS);
    assert_true(used == 0);
    pm_matrix_free(&a);
    /* one of nine edges, which has two matchings */
    make_full(3, &a);
    drawn = pm_drawn_bipartite(&a);
    for (limits.most = 1; limits.most <= 2; ++limits.most) {
        assert_int_equal(pm_deletion_find(&drawn, &limits, NULL, &d, NULL), PM_OK);
        assert_int_equal(d.outcome, limits.most == 1 ? PM_DELETION_TOO_MANY_MATCHINGS
                                                     : PM_DELETION_OUT_OF_TIME);
    }
    pm_matrix_free(&a);
}

/* The sum modulo some primes, with so many looks for terms that are 0; *terms: those left. */
static void sum_modulo(const pm_block *b, int64_t looks, int64_t *terms, uint64_t *residue)
{
    static const uint32_t prime[PM_LANES_MAX] = {16777213, 16777199, 16777183, 16777153,
                                                 16777141, 16777139, 16777127, 16777121};
    static const uint32_t unit[PM_LANES_MAX] = {0};
    pm_plain_graph w = {0};
    pm_integer_entries z;
    pm_determinant_sum sum;
    pm_deletion_limits limits = {.most = 1 << 20, .tests = 1e5, .effort = 1, .seed = 7};
    assert_int_equal(pm_plain_graph_make(b, &w, NULL), PM_OK);
    assert_int_equal(pm_integer_entries_make(b, &z, NULL), PM_OK);
    assert_int_equal(pm_determinant_sum_make(&w, &limits, looks, NULL, &sum, NULL), PM_OK);
    *terms = sum.splitting.count;
    if (!sum.is_zero && sum.classes == 1) {
        pm_determinants d = {
            .integers = &z, .prime = prime, .unit = unit, .count = PM_LANES_MAX, .memory = 1 << 30};
        assert_true(looks > 0 || sum.splitting.has_zeros || *terms == 1);
        assert_int_equal(
            pm_determinant_sum_residues(&sum, &d, NULL, "determinants", NULL, residue, NULL),
            PM_OK);
    }
    pm_determinant_sum_free(&sum);
    pm_integer_entries_free(&z);
}

/* Terms that are 0 and were not looked at are left out in the end, also where the first ones are
 * 0. */
static void zeros_left_in(void **state)
{
    (void)state;
    int64_t zeros = 0;
    /* on, if need be, until there was one */
    for (int round = 0; round < test_rounds(200) || (zeros == 0 && round < 20000); ++round) {
        pm_matrix a;
        pm_reduced r = {0};
        pm_reduce_options none = {0};
        random_planar(&rng, PM_PATTERN, 20 + (int)pm_rng_below(&rng, 60), true, &a);
        add_chords(&rng, 1 + round % 6, round % 4 == 0, &a);
        if (a.nrows == a.ncols)
            assert_int_equal(pm_reduce(&a, &none, NULL, &r, NULL), PM_OK);
        for (int64_t k = 0; k < r.nblocks && !r.zero; ++k) {
            uint64_t all[PM_LANES_MAX] = {0}, none_seen[PM_LANES_MAX] = {0};
            int64_t left, terms;
            sum_modulo(&r.blocks[k], INT64_MAX, &left, all);
            sum_modulo(&r.blocks[k], round % 3, &terms, none_seen);
            assert_memory_equal(all, none_seen, sizeof all);
            zeros += terms - left;
        }
        pm_reduced_free(&r);
        pm_matrix_free(&a);
    }
    assert_true(zeros > 0);
}

/* What goes leaves a planar graph and is needed; boards with few chords lose few more than those,
 * on the whole: to find the fewest is NP-hard.  One board alone may lose more than twice as many. */
static void deletions(void **state)
{
    (void)state;
    int64_t added = 0, gone_in_all = 0;
    for (int round = 0; test_goes_on(round, 100, added >= 20); ++round) {
        pm_matrix a;
        pm_deletion d;
        pm_deletion_limits limits = {
            .most = 1 << 20, .tests = 1 << 20, .effort = 1, .seed = (uint64_t)round};
        int32_t length, chords = 1 + round % 4;
        random_planar(&rng, PM_PATTERN, 60 + (int)pm_rng_below(&rng, 100), false, &a);
        add_chords(&rng, chords, round % 8 > 3, &a);
        const pm_drawn_graph drawn = pm_drawn_bipartite(&a);
        int64_t nnz = pm_matrix_nnz(&a);
        uint8_t *gone = calloc((size_t)nnz + 1, 1);
        int32_t *entries = calloc((size_t)nnz + 1, sizeof *entries);
        assert_int_equal(pm_embedding_obstruction(&drawn, gone, &rng, entries, &length, NULL),
                         PM_OK);
        if (length > 0) {
            assert_int_equal(pm_deletion_find(&drawn, &limits, NULL, &d, NULL), PM_OK);
            assert_true(d.count > 0);
            added += chords;
            gone_in_all += d.count;
            for (int32_t e = 0; e < d.count; ++e)
                gone[d.entry[e]] = 1;
            assert_int_equal(pm_embedding_obstruction(&drawn, gone, &rng, entries, &length, NULL),
                             PM_OK);
            assert_int_equal(length, 0);
            for (int32_t e = 0; e < d.count; ++e) {
                gone[d.entry[e]] = 0;
                assert_int_equal(
                    pm_embedding_obstruction(&drawn, gone, &rng, entries, &length, NULL), PM_OK);
                assert_true(length > 0);
                gone[d.entry[e]] = 1;
            }
            /* what exists is not refused without a search */
            const pm_deletion_limits no_time = {.most = d.matchings};
            assert_int_equal(pm_deletion_find(&drawn, &no_time, NULL, &d, NULL), PM_OK);
            assert_int_equal(d.outcome, PM_DELETION_OUT_OF_TIME);
            limits.most = 1;
            assert_int_equal(pm_deletion_find(&drawn, &limits, NULL, &d, NULL), PM_OK);
            assert_int_equal(d.count, 0);
        }
        free(gone);
        free(entries);
        pm_matrix_free(&a);
    }
    print_message("# %" PRId64 " chords, %" PRId64 " edges gone\n", added, gone_in_all);
    assert_true(gone_in_all <= 2 * added);
}

int main(void)
{
    rng = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(determinants),       cmocka_unit_test(positive_minors),
        cmocka_unit_test(faces_of_the_plane), cmocka_unit_test(not_planar),
        cmocka_unit_test(obstacles),          cmocka_unit_test(detours),
        cmocka_unit_test(few_edges),          cmocka_unit_test(two_stars),
        cmocka_unit_test(outcomes),           cmocka_unit_test(zeros_left_in),
        cmocka_unit_test(deletions),
    };
    return cmocka_run_group_tests_name("planar", tests, NULL, NULL);
}
