/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pfaffians of sparse skew-symmetric matrices of any kind, most of them singular somewhere on the way, by every
 * kernel; perfect matchings of graphs with odd cycles. */
#include "config.h"

#include <string.h>

#include "core/isa.h"
#include "elimination/determinant.h"
#include "elimination/permutation.h"
#include "general/blossom.h"
#include "number/prime.h"
#include "support/matrices.h"

static uint64_t rng;

/* ---- Pfaffians ---- */

/* The edges of t, in both directions with equal weights, as a block; and once, with random signs, as a
 * skew-symmetric matrix. */
static void skew_of(pm_triples *t, pm_paired_matrix *p, pm_block *b)
{
    const int32_t n = (int32_t)t->nrows;
    *b = (pm_block){.n = n, .general = true};
    assert_int_equal(pm_matrix_from_triples(t, PM_DUPLICATES_ERROR, "", &b->a, NULL), PM_OK);
    pm_triples_free(t);
    b->row_cap = calloc((size_t)n + 1, sizeof *b->row_cap);
    b->col_cap = calloc((size_t)n + 1, sizeof *b->col_cap);
    size_t room = (size_t)pm_matrix_nnz(&b->a) + 1;
    *p = (pm_paired_matrix){.n = n, .classes = 4, .is_skew = true};
    p->rowptr = calloc((size_t)n + 1, sizeof *p->rowptr);
    p->colind = calloc(room, sizeof *p->colind);
    p->source = calloc(room, sizeof *p->source);
    p->sign = calloc(room, 1);
    int32_t at = 0;
    for (int32_t i = 0; i < n; ++i) {
        for (int64_t k = b->a.rowptr[i]; k < b->a.rowptr[i + 1]; ++k) {
            int32_t j = b->a.colind[k];
            /* each edge at one of its ends */
            if ((i < j) == ((i + j) % 3 > 0))
                continue;
            p->colind[at] = j;
            p->source[at] = (int32_t)k;
            p->sign[at++] = (uint8_t)pm_rng_below(&rng, 16);
        }
        p->rowptr[i + 1] = at;
    }
    assert_int_equal(2 * at, pm_matrix_nnz(&b->a));
}

static void random_skew(int32_t n, double density, pm_paired_matrix *p, pm_block *b)
{
    static const int few[] = {1, 1, 1, 2, 3, 1 << 20};
    pm_triples t = {.field = PM_INTEGER, .nrows = n, .ncols = n};
    for (int32_t i = 0; i < n; ++i)
        for (int32_t j = 0; j < i; ++j) {
            pm_dyadic w = {0}, same = {0};
            if (pm_rng_unit(&rng) >= density)
                continue;
            pm_dyadic_set_si(&w, few[pm_rng_below(&rng, 6)]);
            pm_dyadic_set(&same, &w);
            assert_int_equal(pm_triples_add(&t, i, j, 0, &w, NULL, NULL), PM_OK);
            assert_int_equal(pm_triples_add(&t, j, i, 0, &same, NULL, NULL), PM_OK);
        }
    skew_of(&t, p, b);
}

/* By expansion along the last row that is left; a: full, residues modulo m; left: bits of the rows. */
static uint64_t expanded_pfaffian(const uint64_t *a, int32_t n, uint32_t left, uint64_t m)
{
    int32_t first = 0, before = 0;
    uint64_t sum = 0;
    if (!left)
        return 1 % m;
    while (!(left >> first & 1))
        ++first;
    left &= ~(UINT32_C(1) << first);
    for (int32_t j = first + 1; j < n; ++j) {
        if (!(left >> j & 1))
            continue;
        if (a[first * n + j]) {
            uint64_t x = pm_mod_mul(a[first * n + j],
                                    expanded_pfaffian(a, n, left & ~(UINT32_C(1) << j), m), m);
            sum = (sum + (before % 2 ? m - x : x)) % m;
        }
        ++before;
    }
    return sum;
}

static uint64_t *full_matrix(const pm_paired_matrix *p, const pm_block *b, int class, uint64_t m)
{
    int32_t n = p->n;
    uint64_t *a = calloc((size_t)n * (size_t)n + 1, sizeof *a);
    for (int32_t i = 0; i < n; ++i)
        for (int32_t k = p->rowptr[i]; k < p->rowptr[i + 1]; ++k) {
            uint64_t w = pm_dyadic_mod(&b->a.re[p->source[k]], m);
            uint64_t minus = (m - w) % m;
            a[i * n + p->colind[k]] = p->sign[k] >> class & 1 ? minus : w;
            a[p->colind[k] * n + i] = p->sign[k] >> class & 1 ? w : minus;
        }
    return a;
}

/* By elimination of one row at a time with congruences, so with the steps of Parlett and Reid. */
static uint64_t plain_pfaffian(uint64_t *a, int32_t n, uint64_t m)
{
    uint64_t pfaffian = n % 2 ? 0 : 1;
    for (int32_t t = 0; t + 1 < n && pfaffian; t += 2) {
        int32_t r = t + 1;
        while (r < n && a[t * n + r] == 0)
            ++r;
        if (r == n)
            return 0;
        for (int32_t j = 0; j < n && r != t + 1; ++j) {
            uint64_t swap = a[r * n + j];
            a[r * n + j] = a[(t + 1) * n + j];
            a[(t + 1) * n + j] = swap;
        }
        for (int32_t i = 0; i < n && r != t + 1; ++i) {
            uint64_t swap = a[i * n + r];
            a[i * n + r] = a[i * n + t + 1];
            a[i * n + t + 1] = swap;
        }
        pfaffian = pm_mod_mul(r != t + 1 ? m - pfaffian : pfaffian, a[t * n + t + 1], m);
        uint64_t by = pm_mod_inverse(a[t * n + t + 1], m);
        /* row and column i less `times` row and column t + 1: then row t has one entry */
        for (int32_t i = t + 2; i < n; ++i) {
            uint64_t times = pm_mod_mul(m - a[t * n + i], by, m);
            for (int32_t j = 0; j < n; ++j)
                a[i * n + j] = (a[i * n + j] + pm_mod_mul(times, a[(t + 1) * n + j], m)) % m;
            for (int32_t j = 0; j < n; ++j)
                a[j * n + i] = (a[j * n + i] + pm_mod_mul(times, a[j * n + t + 1], m)) % m;
        }
    }
    return pfaffian;
}

static void eliminate(const pm_paired_matrix *p, uint64_t seed, pm_elimination *out)
{
    int32_t *order = calloc((size_t)p->n + 1, sizeof *order);
    if (seed % 2)
        assert_int_equal(pm_elimination_order(p, seed, order, NULL), PM_OK);
    else
        random_permutation(&rng, order, p->n);
    assert_int_equal(pm_elimination_make(p, order, out, NULL), PM_OK);
    free(order);
}

static void check_pfaffian(const pm_paired_matrix *p, const pm_block *b, const pm_elimination *e,
                           const uint32_t *prime, int64_t *delayed)
{
    static const uint32_t unit[PM_LANES_MAX] = {0};
    pm_integer_entries z;
    uint64_t residue[PM_LANES_MAX];
    assert_int_equal(pm_integer_entries_make(b, &z, NULL), PM_OK);
    for (int isa = 0; isa <= (int)pm_isa_best(); ++isa) {
        const pm_front_kernel *kernel = pm_front_kernel_for((pm_isa)isa);
        pm_determinant *d;
        assert_int_equal(pm_determinant_open(e, &z, kernel, &d, NULL), PM_OK);
        for (int class = 0; class < p->classes; ++class) {
            assert_int_equal(pm_determinant_modulo(d, class, prime, unit, NULL, residue, NULL),
                             PM_OK);
            for (int l = 0; l < kernel->lanes; ++l) {
                uint64_t *a = full_matrix(p, b, class, prime[l]);
                uint64_t whole = pm_mod_pow(2, (uint64_t)z.shift, prime[l]);
                whole = pm_mod_mul(whole, residue[l], prime[l]);
                if (p->n <= 12)
                    assert_int_equal(whole, expanded_pfaffian(a, p->n, (1u << p->n) - 1, prime[l]));
                assert_int_equal(whole, plain_pfaffian(a, p->n, prime[l]));
                free(a);
            }
        }
        *delayed += pm_determinant_delayed(d);
        pm_determinant_close(d);
    }
    pm_integer_entries_free(&z);
}

/* Small primes make pivots vanish everywhere, and in one lane alone. */
static void pfaffians(void **state)
{
    (void)state;
    static const uint32_t tiny[PM_LANES_MAX] = {3, 5, 3, 7, 11, 13, 3, 17};
    static const uint32_t large[PM_LANES_MAX] = {16777213, 16777199, 16777183, 16777153,
                                                 16777141, 16777139, 16777127, 16777121};
    static const uint32_t mixed[PM_LANES_MAX] = {3, 16777213, 5, 16777199, 31, 16777183, 8191, 7};
    int64_t delayed = 0, in_one_front = 0;
    for (int round = 0; test_goes_on(round, 3000, delayed > 0); ++round) {
        pm_paired_matrix p;
        pm_block b;
        pm_elimination sparse = {0}, dense = {0};
        int32_t n = (int32_t)pm_rng_below(&rng, round % 50 ? 20 : 90);
        const uint32_t *primes = round % 3 == 0 ? tiny : round % 3 == 1 ? large : mixed;
        random_skew(n, 6 * pm_rng_unit(&rng) / (n + 1) + (round % 7 == 0 ? 0.3 : 0), &p, &b);
        eliminate(&p, (uint64_t)round, &sparse);
        assert_int_equal(pm_elimination_make_dense(&p, &dense, NULL), PM_OK);
        check_pfaffian(&p, &b, &sparse, primes, &delayed);
        check_pfaffian(&p, &b, &dense, primes, &in_one_front);
        pm_elimination_free(&sparse);
        pm_elimination_free(&dense);
        pm_paired_matrix_free(&p);
        pm_block_free(&b);
    }
    assert_true(delayed > 0);
}

/* ---- delays ---- */

/* m x n vertices of a square lattice on a torus, with a diagonal in each square if it is `triangular`; random weights and signs. */
static void random_lattice(int32_t m, int32_t n, bool triangular, pm_paired_matrix *p, pm_block *b)
{
    static const int32_t steps[][2] = {{0, 1}, {1, 0}, {1, 1}};
    pm_triples t = {.field = PM_INTEGER, .nrows = m * n, .ncols = m * n};
    for (int32_t v = 0; v < m * n; ++v)
        for (int s = 0; s < (triangular ? 3 : 2); ++s) {
            const int32_t u = (v / n + steps[s][0]) % m * n + (v % n + steps[s][1]) % n;
            pm_dyadic w = {0}, same = {0};
            pm_dyadic_set_si(&w, 1 + (int64_t)pm_rng_below(&rng, 1 << 20));
            pm_dyadic_set(&same, &w);
            assert_int_equal(pm_triples_add(&t, u, v, 0, &w, NULL, NULL), PM_OK);
            assert_int_equal(pm_triples_add(&t, v, u, 0, &same, NULL, NULL), PM_OK);
        }
    skew_of(&t, p, b);
}

/* Fewer pairs than foretold are never delayed.  More are where small pieces have no matching that leaves only the surplus of a colour, and where
 * a pivot vanishes by chance: of n pivots modulo 8 primes above 2^23, with a probability below n 2^-20 each, so three in one determinant are below
 * 1e-8. */
static void delays_are_foretold(void **state)
{
    static const uint32_t large[PM_LANES_MAX] = {16777213, 16777199, 16777183, 16777153,
                                                 16777141, 16777139, 16777127, 16777121};
    static const uint32_t unit[PM_LANES_MAX] = {0};
    (void)state;
    for (int round = 0; round < test_rounds(20); ++round) {
        const int32_t m = 5 + 2 * (int32_t)pm_rng_below(&rng, 9),
                      n = 4 + (int32_t)pm_rng_below(&rng, 20);
        pm_paired_matrix p;
        pm_block b;
        pm_elimination e = {0};
        pm_integer_entries z;
        pm_determinant *d;
        uint64_t residue[PM_LANES_MAX];
        const bool triangular = round % 2;
        random_lattice(m, n, triangular, &p, &b);
        eliminate(&p, 1, &e);
        assert_int_equal(pm_integer_entries_make(&b, &z, NULL), PM_OK);
        assert_int_equal(pm_determinant_open(&e, &z, pm_front_kernel_for(pm_isa_best()), &d, NULL),
                         PM_OK);
        assert_int_equal(pm_determinant_modulo(d, 0, large, unit, NULL, residue, NULL), PM_OK);
        const double delayed = (double)pm_determinant_delayed(d);
        assert_true(e.delayed <= delayed);
        assert_true(delayed <= 1.5 * e.delayed + 12);
        pm_determinant_close(d);
        pm_integer_entries_free(&z);
        pm_elimination_free(&e);
        pm_paired_matrix_free(&p);
        pm_block_free(&b);
    }
}

/* ---- matchings ---- */

static bool has_matching(const pm_matrix *a, uint32_t left)
{
    int32_t v = 0;
    if (!left)
        return true;
    while (!(left >> v & 1))
        ++v;
    left &= ~(UINT32_C(1) << v);
    for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k) {
        int32_t w = a->colind[k];
        if (left >> w & 1 && has_matching(a, left & ~(UINT32_C(1) << w)))
            return true;
    }
    return false;
}

static void check_matching(const pm_matrix *a, const int32_t *mate)
{
    for (int32_t v = 0; v < (int32_t)a->nrows; ++v) {
        bool joined = false;
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
            joined = joined || (a->colind[k] == mate[v] && mate[v] != v);
        assert_true(joined);
        assert_int_equal(mate[mate[v]], v);
    }
}

static void small_matchings(void **state)
{
    (void)state;
    int64_t perfect = 0, imperfect = 0;
    for (int round = 0; round < test_rounds(20000); ++round) {
        pm_paired_matrix p;
        pm_block b;
        int64_t size;
        int32_t n = 2 * (int32_t)pm_rng_below(&rng, 9) + (round % 20 == 0), mate[20];
        random_skew(n, (1 + 3 * pm_rng_unit(&rng)) / (n + 1), &p, &b);
        assert_int_equal(pm_blossom_matching(&b.a, NULL, mate, &size, NULL), PM_OK);
        const bool is_perfect = 2 * size == n;
        assert_int_equal(is_perfect, n % 2 == 0 && has_matching(&b.a, (1u << n) - 1));
        if (is_perfect)
            check_matching(&b.a, mate);
        perfect += is_perfect;
        imperfect += !is_perfect;
        pm_paired_matrix_free(&p);
        pm_block_free(&b);
    }
    assert_true(perfect > 0 && imperfect > 0);
}

/* Triangles in a row, numbered at random: a perfect matching that is planted, and edges between the
 * triangles that mislead a greedy one. */
static void many_blossoms(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(30); ++round) {
        int32_t n = 2 * (100 + (int32_t)pm_rng_below(&rng, 900));
        int32_t *name = calloc((size_t)n, sizeof *name), *mate = calloc((size_t)n, sizeof *mate);
        int64_t size;
        pm_matrix a;
        pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
        random_permutation(&rng, name, n);
        for (int32_t v = 0; v < n; ++v)
            for (int32_t step = 1; step <= 3; ++step) {
                /* v even: its partner is v + 1 */
                bool planted = v % 2 == 0 && step == 1;
                if (v + step >= n || (!planted && pm_rng_below(&rng, 3) == 0))
                    continue;
                pm_triples_add(&t, name[v], name[v + step], 0, NULL, NULL, NULL);
                pm_triples_add(&t, name[v + step], name[v], 0, NULL, NULL, NULL);
            }
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
        pm_triples_free(&t);
        assert_int_equal(pm_blossom_matching(&a, NULL, mate, &size, NULL), PM_OK);
        assert_int_equal(2 * size, n);
        check_matching(&a, mate);
        pm_matrix_free(&a);
        free(name);
        free(mate);
    }
}

static void signs_of_permutations(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(300); ++round) {
        int32_t to[30], seen[30], n = (int32_t)pm_rng_below(&rng, 30);
        int inversions = 0;
        random_permutation(&rng, to, n);
        for (int32_t i = 0; i < n; ++i)
            for (int32_t j = 0; j < i; ++j)
                inversions += to[j] > to[i];
        assert_int_equal(pm_permutation_is_odd(to, n, seen), inversions % 2);
    }
}

int main(void)
{
    rng = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signs_of_permutations), cmocka_unit_test(pfaffians),
        cmocka_unit_test(delays_are_foretold), cmocka_unit_test(small_matchings),
        cmocka_unit_test(many_blossoms)};
    return cmocka_run_group_tests_name("pfaffian", tests, NULL, NULL);
}
