/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact sums over ranges of signs, on every vector unit of this machine, against integers of any
 * size; whole permanents against expansion. */
#include "config.h"

#include <gmp.h>
#include <string.h>

#include "dense/dense_exact.h"
#include "dense/dense_exact_plan.h"
#include "pm/alloc.h"
#include "reference/textbook.h"
#include "support/matrices.h"

enum { MAX = PM_SQUARE_MAX };

typedef struct {
    int32_t n;
    int64_t a[MAX][MAX];
} numbers;

/* ---- squares ---- */

static void square_of(const numbers *m, pm_square *s)
{
    int32_t n = m->n, place[MAX][MAX], k = 0;
    *s = (pm_square){.n = n, .field = PM_INTEGER};
    s->rowind = calloc((size_t)n * (size_t)n, sizeof *s->rowind);
    s->colind = calloc((size_t)n * (size_t)n, sizeof *s->colind);
    s->in_ccs = calloc((size_t)n * (size_t)n, sizeof *s->in_ccs);
    s->re = calloc((size_t)n * (size_t)n, sizeof *s->re);
    for (int32_t j = 0; j < n; ++j, s->colptr[j] = k)
        for (int32_t i = 0; i < n; ++i)
            if (m->a[i][j]) {
                s->rowind[k] = i;
                s->re[k] = m->a[i][j];
                s->bound[i] += llabs(m->a[i][j]);
                place[i][j] = k++;
            }
    k = 0;
    for (int32_t i = 0; i < n; ++i, s->rowptr[i] = k)
        for (int32_t j = 0; j < n; ++j)
            if (m->a[i][j]) {
                s->colind[k] = j;
                s->in_ccs[k++] = place[i][j];
            }
}

typedef enum { ZERO_ONE, ALL_ONES, SIGNS, SMALL, NEGATIVE, EVEN, MIXED, LARGE, HUGE, KINDS } kind;

static int64_t entry_of(kind k, int32_t n, int bits, uint64_t *rng)
{
    int64_t limit = (INT64_C(1) << 62) / n;
    switch (k) {
    case SIGNS: return pm_rng_below(rng, 2) ? 1 : -1;
    case SMALL: return (int64_t)pm_rng_below(rng, 41) - 20;
    case NEGATIVE: return -(int64_t)pm_rng_below(rng, 9);
    case EVEN: return ((int64_t)pm_rng_below(rng, 5) - 2) * (1 << bits % 8);
    case MIXED: return (int64_t)(pm_rng_next(rng) >> (64 - bits)) % limit;
    case LARGE: return (int64_t)(pm_rng_next(rng) >> 44) - (1 << 19);
    case HUGE: return pm_rng_below(rng, 2) ? limit : -limit;
    default: return 1;
    }
}

/* bits: of a row's entries, for MIXED */
static void random_numbers(uint64_t *rng, kind k, int32_t n, double density, numbers *m)
{
    memset(m, 0, sizeof *m);
    m->n = n;
    for (int32_t i = 0; i < n; ++i) {
        int bits = 1 + (int)pm_rng_below(rng, 61);
        for (int32_t j = 0; j < n; ++j)
            if (k == ALL_ONES || pm_rng_unit(rng) < density)
                m->a[i][j] = entry_of(k, n, bits, rng);
    }
}

/* ---- sums ---- */

/* 2^(shift + n - 1) times the sum of the terms first .. end - 1, by definition. */
static void slow_sum(const numbers *m, const int32_t *column, uint64_t first, uint64_t end,
                     mpz_t sum)
{
    mpz_t term;
    mpz_init(term);
    mpz_set_ui(sum, 0);
    for (uint64_t t = first; t < end; ++t) {
        uint64_t gray = t ^ t >> 1;
        mpz_set_si(term, __builtin_parityll(gray) ? -1 : 1);
        for (int32_t i = 0; i < m->n; ++i) {
            int64_t x = 0;
            for (int32_t k = 0; k < m->n; ++k)
                x += gray >> k & 1 ? -m->a[i][column[k]] : m->a[i][column[k]];
            mpz_mul_si(term, term, x);
        }
        mpz_add(sum, sum, term);
    }
    mpz_clear(term);
}

static void limbs_as_integer(const pm_sum *sum, int limbs, mpz_t out)
{
    mpz_import(out, (size_t)limbs, -1, 8, 0, 0, sum->limb);
}

static void check_range(const pm_sweep *w, uint64_t first, uint64_t end, const mpz_t expected)
{
    pm_sum sum = {0};
    mpz_t got;
    mpz_init(got);
    w->range(w->problem, first, end, &sum);
    limbs_as_integer(&sum, w->limbs, got);
    if (mpz_cmp(got, expected))
        gmp_printf("# got %Zx\n# not %Zx\n", got, expected);
    assert_int_equal(mpz_cmp(got, expected), 0);
    mpz_clear(got);
}

static void check_numbers(const numbers *m, uint64_t first, uint64_t end)
{
    pm_square s;
    mpz_t expected;
    square_of(m, &s);
    mpz_init(expected);
    for (pm_isa isa = PM_ISA_PORTABLE; isa <= pm_isa_best(); ++isa) {
        pm_sweep w;
        assert_int_equal(pm_dense_exact_prepare_isa(&s, isa, &w, NULL), PM_OK);
        const pm_dense_plan *p = w.problem;
        if (isa == PM_ISA_PORTABLE) {
            mp_bitcnt_t halvings = (mp_bitcnt_t)(w.shift + m->n - 1);
            slow_sum(m, p->column, first, end, expected);
            assert_true(mpz_divisible_2exp_p(expected, halvings));
            mpz_fdiv_q_2exp(expected, expected, halvings);
            mpz_fdiv_r_2exp(expected, expected, (mp_bitcnt_t)w.limbs * 64);
        }
        assert_int_equal(first % w.grain, 0);
        check_range(&w, first, end, expected);
        pm_sweep_free(&w);
    }
    mpz_clear(expected);
    pm_square_free(&s);
}

/* ---- tests ---- */

static void test_ranges(void **state)
{
    uint64_t rng = *(uint64_t *)*state;
    numbers m;
    for (int round = test_rounds(60); round > 0; --round)
        for (kind k = 0; k < KINDS; ++k) {
            int32_t n = 9 + (int32_t)pm_rng_below(&rng, 56);
            uint64_t tiles = UINT64_C(1) << (n - 1 - PM_DENSE_GRAIN_BITS);
            uint64_t many = 1 + pm_rng_below(&rng, 3);
            /* the first tile has the term whose signs are all +, often the largest */
            uint64_t first = pm_rng_below(&rng, 3) ? pm_rng_next(&rng) % tiles : 0;
            random_numbers(&rng, k, n, 0.1 + 0.9 * pm_rng_unit(&rng), &m);
            many = first + many < tiles ? many : tiles - first;
            check_numbers(&m, first << PM_DENSE_GRAIN_BITS, (first + many) << PM_DENSE_GRAIN_BITS);
        }
}

/* ---- bounds of plans ---- */

/* What |y_i| can be at most. */
static unsigned __int128 row_bound(const pm_dense_plan *p, int32_t i)
{
    unsigned __int128 sum = 0;
    for (int32_t k = 0; k < p->n; ++k)
        sum += (unsigned __int128)llabs(p->step[k][i]);
    return sum > 2 ? sum / 2 : 1;
}

static unsigned __int128 check_word(const pm_dense_plan *p, const pm_dense_group *g, int w)
{
    const pm_dense_word *word = &g->word[w];
    unsigned __int128 product = 1;
    if (word->is_row)
        product = row_bound(p, word->first);
    for (int h = 2 * w; !word->is_row && h < 2 * w + 2; ++h) {
        unsigned __int128 half = 1;
        for (int32_t i = g->half[h].first; i < g->half[h].first + g->half[h].rows; ++i)
            half *= row_bound(p, i);
        half <<= g->half[h].fold;
        assert_true(half <= INT16_MAX);
        product *= half;
    }
    product <<= word->fold;
    assert_true(product <= INT32_MAX);
    return product;
}

static void check_bounds(const pm_dense_plan *p)
{
    bool is_narrow = p->tail == PM_DENSE_IFMA && p->ngroups > 2, has_last = false;
    for (int32_t g = 0; g < p->ngroups; ++g) {
        const pm_dense_group *group = &p->group[g];
        unsigned __int128 product = group->is_row
                                        ? row_bound(p, group->first)
                                        : check_word(p, group, 0) * check_word(p, group, 1);
        product <<= group->fold;
        assert_true(product == (unsigned __int128)group->bound);
        assert_true(is_narrow ? product >> 52 == 0 : product <= (uint64_t)1 << 62);
        has_last = has_last || product >> 51 == 0;
    }
    assert_true(!is_narrow || has_last);
}

static void test_bounds(void **state)
{
    uint64_t rng = *(uint64_t *)*state;
    numbers m;
    for (int round = test_rounds(200); round > 0; --round)
        for (kind k = 0; k < KINDS; ++k) {
            pm_square s;
            pm_dense_plan p;
            int32_t n = 9 + (int32_t)pm_rng_below(&rng, 56);
            random_numbers(&rng, k, n, 0.05 + 0.95 * pm_rng_unit(&rng), &m);
            square_of(&m, &s);
            for (pm_dense_tail tail = PM_DENSE_LIMBS; tail <= PM_DENSE_IFMA; ++tail) {
                pm_dense_plan_make(&s, tail, round % 2, &p);
                check_bounds(&p);
            }
            pm_square_free(&s);
        }
}

/* Smaller vector units take more work: twice as many instructions for what vectors do, as many for the rest. */
static void test_work(void **state)
{
    uint64_t rng = *(uint64_t *)*state;
    int longer = 0;
    numbers m;
    for (int round = 0; test_goes_on(round, 20, longer > 0); ++round)
        for (kind k = 0; k < KINDS; ++k) {
            pm_square s;
            double work[PM_ISA_AVX512IFMA + 1];
            int32_t n = 2 + (int32_t)pm_rng_below(&rng, 63);
            random_numbers(&rng, k, n, 0.05 + 0.95 * pm_rng_unit(&rng), &m);
            square_of(&m, &s);
            for (pm_isa isa = PM_ISA_PORTABLE; isa <= PM_ISA_AVX512IFMA; ++isa)
                work[isa] = pm_dense_exact_work(&s, round % 2, isa);
            const double vectors = work[PM_ISA_AVX2] - work[PM_ISA_AVX512];
            const double most = work[PM_ISA_PORTABLE] * 1e-12;
            assert_true(work[PM_ISA_AVX512IFMA] > 0);
            assert_true(n > PM_DENSE_GRAIN_BITS ? vectors >= 0 : fabs(vectors) <= most);
            assert_true(fabs(work[PM_ISA_PORTABLE] - work[PM_ISA_AVX2] - 2 * vectors) <= most);
            longer += vectors > most && work[PM_ISA_AVX512] > 2 * work[PM_ISA_AVX512IFMA];
            pm_square_free(&s);
        }
    assert_true(longer > 0);
}

/* The vector units agree on the last terms of the square.  ngroups: of the plan with narrow groups; 0:
 * any number. */
static void check_agreement(const pm_square *s, uint64_t terms, int32_t ngroups)
{
    pm_sum sums[PM_ISA_AVX512IFMA + 1];
    memset(sums, 0, sizeof sums);
    for (pm_isa isa = PM_ISA_PORTABLE; isa <= pm_isa_best(); ++isa) {
        pm_sweep w;
        assert_int_equal(pm_dense_exact_prepare_isa(s, isa, &w, NULL), PM_OK);
        const pm_dense_plan *p = w.problem;
        if (ngroups > 0 && p->tail == PM_DENSE_IFMA)
            assert_int_equal(p->ngroups, ngroups);
        terms = terms < w.count ? terms : w.count;
        w.range(w.problem, w.count - terms, w.count, &sums[isa]);
        assert_memory_equal(sums[isa].limb, sums[0].limb, sizeof sums[0].limb);
        pm_sweep_free(&w);
    }
}

/* Ranges long enough for accumulators to be emptied now and then: the vector units agree. */
static void test_long_ranges(void **state)
{
    uint64_t rng = *(uint64_t *)*state;
    numbers m;
    for (int32_t n = 20; n <= 64; n += 11)
        for (int k = test_first(&rng, 3); k <= EVEN; k += test_step(3)) {
            pm_square s;
            random_numbers(&rng, (kind)k, n, 0.2 + 0.8 * pm_rng_unit(&rng), &m);
            square_of(&m, &s);
            check_agreement(&s, 1 << 17, 0);
            pm_square_free(&s);
        }
}

/* Every number of narrow groups, all nearly full: rows with sums of 45 bits in threes, or of 50 bits
 * alone, beside the group of the signs.  The ranges are long enough for accumulators to be emptied. */
static void test_narrow_groups(void **state)
{
    uint64_t rng = *(uint64_t *)*state;
    for (int ngroups = 3 + test_first(&rng, 4); ngroups <= PM_DENSE_GROUPS;
         ngroups += test_step(4)) {
        bool in_threes = ngroups < 10;
        numbers m = {.n = in_threes ? 3 * ngroups : ngroups - 1};
        pm_square s;
        int64_t most = (in_threes ? INT64_C(31000) : INT64_C(31000) << 36) / m.n;
        for (int32_t i = 0; i < m.n; ++i)
            for (int32_t j = 0; j < m.n; ++j) {
                m.a[i][j] = most - (int64_t)(pm_rng_unit(&rng) * (double)most / 8);
                if (pm_rng_below(&rng, 8) == 0)
                    m.a[i][j] = -m.a[i][j];
            }
        square_of(&m, &s);
        check_agreement(&s, 1 << 15, ngroups);
        pm_square_free(&s);
    }
}

/* Row sums of 2^62 exactly: one entry, two, all. */
static void test_largest(void **state)
{
    (void)state;
    numbers m = {.n = 64};
    for (int32_t i = 0; i < 64; ++i)
        for (int32_t j = 0; j < 64; ++j) {
            int entries = i % 3 == 0 ? 1 : i % 3 == 1 ? 2 : 64;
            m.a[i][j] = (i + j) % 64 < entries ? -(INT64_C(1) << 62) / entries : 0;
        }
    check_numbers(&m, 0, 512);
    check_numbers(&m, (UINT64_C(1) << 63) - 256, UINT64_C(1) << 63);
}

static void add_as_matrix(const numbers *m, pm_matrix *out)
{
    pm_triples t = {.field = PM_INTEGER, .nrows = m->n, .ncols = m->n};
    for (int32_t i = 0; i < m->n; ++i)
        for (int32_t j = 0; j < m->n; ++j) {
            pm_dyadic x = {0};
            pm_dyadic_set_si(&x, m->a[i][j]);
            if (m->a[i][j])
                assert_int_equal(pm_triples_add(&t, i, j, 0, &x, NULL, NULL), PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "numbers", out, NULL), PM_OK);
    pm_triples_free(&t);
}

/* limbs as a signed number, times 2^shift */
static void sum_as_permanent(const pm_sweep *w, const pm_sum *sum, mpz_t out)
{
    limbs_as_integer(sum, w->limbs, out);
    if (sum->limb[w->limbs - 1] >> 63) {
        mpz_t wrap;
        mpz_init_set_ui(wrap, 1);
        mpz_mul_2exp(wrap, wrap, (mp_bitcnt_t)w->limbs * 64);
        mpz_sub(out, out, wrap);
        mpz_clear(wrap);
    }
    if (w->shift >= 0)
        mpz_mul_2exp(out, out, (mp_bitcnt_t)w->shift);
    assert_true(w->shift >= 0 || mpz_divisible_2exp_p(out, (mp_bitcnt_t)-w->shift));
    if (w->shift < 0)
        mpz_fdiv_q_2exp(out, out, (mp_bitcnt_t)-w->shift);
}

static void check_permanent(const numbers *m, const mpz_t expected)
{
    pm_square s;
    mpz_t got;
    square_of(m, &s);
    mpz_init(got);
    for (pm_isa isa = PM_ISA_PORTABLE; isa <= pm_isa_best(); ++isa) {
        pm_sweep w;
        pm_sum sum, halves = {0};
        pm_run run = {.threads = 2};
        assert_int_equal(pm_dense_exact_prepare_isa(&s, isa, &w, NULL), PM_OK);
        assert_int_equal(pm_sweep_range(&w, 0, w.count, &run, &sum, NULL), PM_OK);
        uint64_t middle = w.count / 2 / w.grain * w.grain;
        for (int h = 0; h < 2; ++h) {
            pm_sum part = {0};
            if (h ? middle < w.count : middle > 0)
                w.range(w.problem, h ? middle : 0, h ? w.count : middle, &part);
            pm_sum_add(&halves, &part, w.limbs);
        }
        assert_memory_equal(sum.limb, halves.limb, (size_t)w.limbs * 8);
        sum_as_permanent(&w, &sum, got);
        if (mpz_cmp(got, expected))
            gmp_printf("# n=%d %s: got %Zd not %Zd\n", m->n, pm_isa_name(isa), got, expected);
        assert_int_equal(mpz_cmp(got, expected), 0);
        pm_sweep_free(&w);
    }
    mpz_clear(got);
    pm_square_free(&s);
}

static void test_permanents(void **state)
{
    uint64_t rng = *(uint64_t *)*state;
    numbers m;
    mpz_t expected;
    mpz_init(expected);
    for (int round = test_rounds(3); round > 0; --round)
        for (kind k = 0; k < KINDS; ++k)
            for (int32_t n = 1; n <= test_size(14, 11); ++n) {
                pm_matrix a;
                pm_cnum per = {0};
                random_numbers(&rng, k, n, 0.3 + 0.7 * pm_rng_unit(&rng), &m);
                add_as_matrix(&m, &a);
                textbook_transfer_matrix(&a, &per);
                pm_dyadic_get_mpz(expected, &per.re);
                check_permanent(&m, expected);
                pm_cnum_clear(&per);
                pm_matrix_free(&a);
            }
    mpz_clear(expected);
}

/* n! by more digits than the terms of smaller squares have. */
static void test_factorial(void **state)
{
    (void)state;
    numbers m = {.n = 20};
    mpz_t expected;
    mpz_init(expected);
    mpz_fac_ui(expected, 20);
    for (int32_t i = 0; i < 20; ++i)
        for (int32_t j = 0; j < 20; ++j)
            m.a[i][j] = 1;
    check_permanent(&m, expected);
    mpz_clear(expected);
}

static void test_no_memory(void **state)
{
    (void)state;
    numbers m = {.n = 2, .a = {{1, 1}, {1, 1}}};
    pm_square s;
    pm_sweep w;
    square_of(&m, &s);
    pm_alloc_fail_at(1);
    assert_int_equal(pm_dense_exact_prepare(&s, NULL, &w, NULL), PM_ENOMEM);
    pm_alloc_fail_at(0);
    pm_square_free(&s);
}

int main(void)
{
    uint64_t seed = test_seed(), *start = &seed;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_ranges, &start),
        cmocka_unit_test_prestate(test_bounds, &start),
        cmocka_unit_test_prestate(test_work, &start),
        cmocka_unit_test_prestate(test_long_ranges, &start),
        cmocka_unit_test_prestate(test_narrow_groups, &start),
        cmocka_unit_test(test_largest),
        cmocka_unit_test_prestate(test_permanents, &start),
        cmocka_unit_test(test_factorial),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
