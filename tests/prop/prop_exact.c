/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts without rounding (PM_EXACT) of matrices of fractions, real and complex, against the definition in exact fractions; and
 * their digits.  Nothing here can fail by chance. */
#include "config.h"

#include <string.h>

#include "pm/algorithms.h"
#include "pm/count.h"
#include "pm/fraction.h"
#include "support/rationals.h"
#include "support/testing.h"

enum { MOST = 8 };

static uint64_t rng;

/* ---- matrices of fractions ---- */

typedef struct {
    int rows, cols;
    pm_fraction at[MOST][MOST];
    bool has[MOST][MOST];
} table;

static void table_init(table *t, int rows, int cols)
{
    t->rows = rows;
    t->cols = cols;
    memset(t->has, 0, sizeof t->has);
    for (int i = 0; i < MOST; ++i)
        for (int j = 0; j < MOST; ++j)
            pm_fraction_init(&t->at[i][j]);
}

static void table_clear(table *t)
{
    for (int i = 0; i < MOST; ++i)
        for (int j = 0; j < MOST; ++j)
            pm_fraction_clear(&t->at[i][j]);
}

/* Integers, doubles, decimals, quotients with small and with long denominators, and sizes from 1e-300 to 1e300. */
static void random_rational(mpq_t q)
{
    static const unsigned denominators[] = {3, 7, 10, 12, 1000, 1000003};
    const int64_t above = (int64_t)pm_rng_below(&rng, 19) - 9;
    mpz_t power;
    mpz_init(power);
    mpq_set_si(q, above, 1);
    switch (pm_rng_below(&rng, 6)) {
    case 0: break;
    case 1: mpq_set_d(q, 2 * pm_rng_unit(&rng) - 1); break;
    case 2: mpz_ui_pow_ui(mpq_denref(q), 10, pm_rng_below(&rng, 20)); break;
    case 3: mpz_set_ui(mpq_denref(q), denominators[pm_rng_below(&rng, 6)]); break;
    case 4: mpz_set_ui(mpq_denref(q), 1 + (pm_rng_next(&rng) >> 4)); break;
    default:
        mpz_ui_pow_ui(power, 10, pm_rng_below(&rng, 301));
        if (pm_rng_below(&rng, 2))
            mpz_mul(mpq_numref(q), mpq_numref(q), power);
        else
            mpz_set(mpq_denref(q), power);
    }
    mpq_canonicalize(q);
    mpz_clear(power);
}

static void random_entry(pm_field field, pm_fraction *x)
{
    random_rational(x->re);
    if (field == PM_COMPLEX && pm_rng_below(&rng, 3))
        random_rational(x->im);
}

/* Some lines are multiples of others, so that counts cancel and twins occur. */
static void random_table(pm_field field, int rows, int cols, double density, table *t)
{
    table_init(t, rows, cols);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j) {
            if (pm_rng_unit(&rng) < density)
                random_entry(field, &t->at[i][j]);
            t->has[i][j] = !pm_fraction_is_zero(&t->at[i][j]);
        }
    for (int i = 1; i < rows && pm_rng_below(&rng, 3) == 0; ++i) {
        pm_fraction times;
        pm_fraction_init(&times);
        random_entry(field, &times);
        for (int j = 0; j < cols; ++j) {
            mpq_set(t->at[i][j].re, t->at[0][j].re);
            mpq_set(t->at[i][j].im, t->at[0][j].im);
            pm_fraction_mul(&t->at[i][j], &times);
            t->has[i][j] = !pm_fraction_is_zero(&t->at[i][j]);
        }
        pm_fraction_clear(&times);
    }
}

static void make_symmetric(table *t, bool has_loops)
{
    for (int i = 0; i < t->rows; ++i)
        for (int j = 0; j <= i; ++j) {
            mpq_set(t->at[j][i].re, t->at[i][j].re);
            mpq_set(t->at[j][i].im, t->at[i][j].im);
            t->has[i][j] = t->has[j][i] = (i != j || has_loops) && t->has[i][j];
        }
}

static void to_matrix(const table *t, pm_field field, pm_matrix *out)
{
    pm_triples triples = {.field = field, .nrows = t->rows, .ncols = t->cols};
    for (int i = 0; i < t->rows; ++i)
        for (int j = 0; j < t->cols; ++j) {
            pm_dyadic re = {0}, im = {0};
            if (!t->has[i][j])
                continue;
            pm_dyadic_set_mpq_2exp(&re, t->at[i][j].re, 0);
            pm_dyadic_set_mpq_2exp(&im, t->at[i][j].im, 0);
            assert_int_equal(
                pm_triples_add(&triples, i, j, 0, &re, field == PM_COMPLEX ? &im : NULL, NULL),
                PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&triples, PM_DUPLICATES_ERROR, "test", out, NULL),
                     PM_OK);
}

/* ---- definitions ---- */

/* sum[k]: of the products of all matchings with k edges. */
typedef struct {
    pm_fraction sum[MOST + 1];
    bool has[MOST + 1];
} by_size;

static void add_matchings(const table *t, int row, unsigned used, int size,
                          const pm_fraction *product, by_size *out)
{
    if (row == t->rows) {
        pm_fraction_add(&out->sum[size], product);
        out->has[size] = true;
        return;
    }
    add_matchings(t, row + 1, used, size, product, out);
    for (int j = 0; j < t->cols; ++j) {
        pm_fraction next;
        if (!t->has[row][j] || used >> j & 1)
            continue;
        pm_fraction_init_one(&next);
        pm_fraction_mul(&next, product);
        pm_fraction_mul(&next, &t->at[row][j]);
        add_matchings(t, row + 1, used | 1u << j, size + 1, &next, out);
        pm_fraction_clear(&next);
    }
}

/* Vertices below v are matched or alone. */
static void add_hafnian(const table *t, unsigned used, const pm_fraction *product, pm_fraction *out)
{
    int v = 0;
    while (v < t->rows && used >> v & 1)
        ++v;
    if (v == t->rows) {
        pm_fraction_add(out, product);
        return;
    }
    for (int j = v; j < t->cols; ++j) {
        pm_fraction next;
        if (!t->has[v][j] || used >> j & 1)
            continue;
        pm_fraction_init_one(&next);
        pm_fraction_mul(&next, product);
        pm_fraction_mul(&next, &t->at[v][j]);
        add_hafnian(t, used | 1u << v | 1u << j, &next, out);
        pm_fraction_clear(&next);
    }
}

static int size_of_kind(const table *t, pm_matching_kind kind, const by_size *s)
{
    int most = MOST;
    while (!s->has[most])
        --most;
    return kind == PM_MATCHING_PERFECT      ? (t->rows == t->cols ? t->rows : MOST)
           : kind == PM_MATCHING_ROWS       ? t->rows
           : kind == PM_MATCHING_COLUMNS    ? t->cols
           : kind == PM_MATCHING_SATURATING ? (t->rows < t->cols ? t->rows : t->cols)
                                            : most;
}

static void slow_count(const table *t, bool general, pm_matching_kind kind, pm_fraction *out)
{
    by_size s = {.has = {false}};
    pm_fraction one;
    pm_fraction_init_one(&one);
    pm_fraction_set_si(out, 0);
    for (int k = 0; k <= MOST; ++k)
        pm_fraction_init(&s.sum[k]);
    if (general) {
        add_hafnian(t, 0, &one, out);
    } else {
        add_matchings(t, 0, 0, 0, &one, &s);
        pm_fraction_add(out, &s.sum[size_of_kind(t, kind, &s)]);
    }
    for (int k = 0; k <= MOST; ++k)
        pm_fraction_clear(&s.sum[k]);
    pm_fraction_clear(&one);
}

/* ---- counts ---- */

static const char *random_algorithm(bool general)
{
    const char *name = NULL;
    int seen = 0;
    for (int i = 0; pm_algorithm_name(i); ++i)
        if (pm_algorithm_is_general(i) == general && pm_algorithm_backend(i) == PM_BACKEND_CPU
            && pm_rng_below(&rng, (uint32_t)++seen) == 0)
            name = pm_algorithm_name(i);
    return pm_rng_below(&rng, 3) ? NULL : name;
}

static pm_count_options random_options(bool general)
{
    pm_count_options o = pm_count_defaults();
    o.precision = PM_EXACT;
    o.general = general;
    o.algorithm = random_algorithm(general);
    o.transpose = !general && pm_rng_below(&rng, 3) == 0;
    o.independent = pm_rng_below(&rng, 4) == 0;
    if (pm_rng_below(&rng, 2))
        o.reduce = (pm_reduce_options){.blocks = pm_rng_next(&rng) & 1,
                                       .degree1 = pm_rng_next(&rng) & 1,
                                       .degree2 = pm_rng_next(&rng) & 1,
                                       .twins = pm_rng_next(&rng) & 1};
    return o;
}

static bool equals(const pm_value *v, const pm_fraction *x)
{
    return pm_value_is_exact(v) && mpq_equal(v->exact, x->re)
           && (v->has_exact_im ? mpq_equal(v->exact_im, x->im) : mpq_sgn(x->im) == 0);
}

/* q modulo a prime; false where its denominator is a multiple of the prime. */
static bool to_residue(mpq_t q, uint64_t p)
{
    mpz_t m, z;
    const bool is = mpz_fdiv_ui(mpq_denref(q), p) != 0;
    mpz_init_set_ui(m, p);
    mpz_init(z);
    mpz_powm_ui(z, mpq_denref(q), p - 2, m);
    mpz_mul(z, z, mpq_numref(q));
    mpz_fdiv_r(z, z, m);
    mpq_set_z(q, z);
    mpz_clears(m, z, NULL);
    return is;
}

/* The same count modulo a prime, which only some answers have. */
static void check_residue(const pm_matrix *a, const pm_count_options *options,
                          const pm_fraction *exact)
{
    static const uint64_t primes[] = {13, (UINT64_C(1) << 61) - 1};
    pm_count_options o = *options;
    pm_fraction wanted;
    pm_value v;
    o.modulus = primes[pm_rng_below(&rng, 2)];
    pm_value_init(&v);
    pm_fraction_init(&wanted);
    mpq_set(wanted.re, exact->re);
    mpq_set(wanted.im, exact->im);
    const bool has_re = to_residue(wanted.re, o.modulus), has_im = to_residue(wanted.im, o.modulus);
    const pm_status status = pm_count(a, &o, NULL, &v, NULL, NULL);
    assert_true(status == PM_OK || (status == PM_UNABLE && (o.algorithm || !has_re || !has_im)));
    assert_true(status || (has_re && has_im && equals(&v, &wanted)));
    pm_fraction_clear(&wanted);
    pm_value_clear(&v);
}

/* False where the named algorithm is unable. */
static bool check(const pm_matrix *a, const pm_count_options *o, const pm_fraction *wanted)
{
    pm_value v;
    pm_error err = {.msg = ""};
    const pm_run run = {.threads = 1};
    pm_value_init(&v);
    pm_status status = pm_count(a, o, &run, &v, NULL, &err);
    const bool is_unable = status == PM_UNABLE && o->algorithm;
    if (status && !is_unable)
        print_error("%s\n", err.msg);
    if (!status && !equals(&v, wanted)) {
        char *text = pm_value_text(&v);
        gmp_fprintf(stderr, "# counted %s, wanted %Qd %Qd; %s%s\n", text, wanted->re, wanted->im,
                    o->algorithm ? o->algorithm : "auto", o->general ? ", general" : "");
        free(text);
    }
    assert_true(is_unable || (!status && equals(&v, wanted)));
    if (!is_unable)
        check_residue(a, o, wanted);
    pm_value_clear(&v);
    return !is_unable;
}

static const double densities[] = {0.3, 0.6, 1};

static void bipartite(void **state)
{
    (void)state;
    int counted = 0, zeros = 0;
    const int least = test_rounds(200) / 2;
    for (int round = 0; test_goes_on(round, 200, counted > least); ++round) {
        const pm_field field = round % 2 ? PM_COMPLEX : PM_REAL;
        const int rows = (int)pm_rng_below(&rng, 6);
        const pm_matching_kind kind =
            round % 3 ? PM_MATCHING_PERFECT : (pm_matching_kind)pm_rng_below(&rng, 5);
        const int cols = kind == PM_MATCHING_PERFECT ? rows : (int)pm_rng_below(&rng, 6);
        table t;
        pm_matrix a;
        pm_fraction wanted;
        pm_fraction_init(&wanted);
        random_table(field, rows, cols, densities[pm_rng_below(&rng, 3)], &t);
        to_matrix(&t, field, &a);
        slow_count(&t, false, kind, &wanted);
        zeros += pm_fraction_is_zero(&wanted);
        pm_count_options o = random_options(false);
        o.kind = kind;
        counted += check(&a, &o, &wanted);
        pm_fraction_clear(&wanted);
        pm_matrix_free(&a);
        table_clear(&t);
    }
    print_message("# %d counted, %d are 0\n", counted, zeros);
    assert_true(counted > least);
}

static void general(void **state)
{
    (void)state;
    int counted = 0;
    const int least = test_rounds(200) / 2;
    for (int round = 0; test_goes_on(round, 200, counted > least); ++round) {
        const pm_field field = round % 2 ? PM_COMPLEX : PM_REAL;
        const int n = (int)pm_rng_below(&rng, 8);
        table t;
        pm_matrix a;
        pm_fraction wanted;
        pm_fraction_init(&wanted);
        random_table(field, n, n, densities[pm_rng_below(&rng, 3)], &t);
        make_symmetric(&t, round % 4 < 2);
        to_matrix(&t, field, &a);
        slow_count(&t, true, PM_MATCHING_PERFECT, &wanted);
        const pm_count_options o = random_options(true);
        counted += check(&a, &o, &wanted);
        pm_fraction_clear(&wanted);
        pm_matrix_free(&a);
        table_clear(&t);
    }
    print_message("# %d counted\n", counted);
    assert_true(counted > least);
}

/* ---- copies ---- */

static int random_times(int64_t *times, int n)
{
    int all = 0;
    for (int i = 0; i < n; ++i)
        all += (int)(times[i] = (int64_t)pm_rng_below(&rng, 4));
    return all;
}

static void copy_entry(const table *from, int i, int j, table *to, int k, int l)
{
    mpq_set(to->at[k][l].re, from->at[i][j].re);
    mpq_set(to->at[k][l].im, from->at[i][j].im);
    to->has[k][l] = from->has[i][j];
}

/* line[k] of the copies of n lines. */
static void list_copies(const int64_t *times, int n, int *line)
{
    for (int i = 0, k = 0; i < n; ++i)
        for (int64_t c = 0; c < times[i]; ++c)
            line[k++] = i;
}

static void copies(void **state)
{
    (void)state;
    int counted = 0;
    const int least = test_rounds(150) / 2;
    for (int round = 0; test_goes_on(round, 150, counted > least);) {
        const pm_field field = round % 2 ? PM_COMPLEX : PM_REAL;
        const bool is_general = round % 4 < 2, has_loops = is_general && round % 8 < 4;
        const int n = 1 + (int)pm_rng_below(&rng, 4);
        int64_t rows[MOST], cols[MOST];
        int row[MOST], col[MOST];
        const int all = random_times(rows, n), others = is_general ? all : random_times(cols, n);
        if (all > 6 || others != all)
            continue;
        table t, loops, whole;
        pm_matrix a, alone = {0};
        pm_fraction wanted;
        pm_fraction_init(&wanted);
        random_table(field, n, n, 0.8, &t);
        random_table(field, n, 1, 0.8, &loops);
        if (is_general)
            make_symmetric(&t, true);
        table_init(&whole, all, all);
        list_copies(rows, n, row);
        list_copies(is_general ? rows : cols, n, col);
        for (int k = 0; k < all; ++k)
            for (int l = 0; l < all; ++l)
                if (!is_general || k != l)
                    copy_entry(&t, row[k], col[l], &whole, k, l);
                else if (has_loops)
                    copy_entry(&loops, row[k], 0, &whole, k, k);
        to_matrix(&t, field, &a);
        to_matrix(&loops, field, &alone);
        slow_count(&whole, is_general, PM_MATCHING_PERFECT, &wanted);
        pm_count_options o = random_options(is_general);
        o.row_times = rows;
        o.col_times = is_general ? NULL : cols;
        o.loops = has_loops ? &alone : NULL;
        counted += check(&a, &o, &wanted);
        pm_fraction_clear(&wanted);
        pm_matrix_free(&a);
        pm_matrix_free(&alone);
        table_clear(&t);
        table_clear(&loops);
        table_clear(&whole);
        ++round;
    }
    print_message("# %d counted\n", counted);
    assert_true(counted > least);
}

/* ---- digits ---- */

/* |value - text| <= error <= half a unit of the last digit, a little more for its two digits; and digits enough. */
static void digits(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(1000); ++round) {
        const int64_t wanted = 1 + pm_rng_below(&rng, round % 4 ? 40 : 700);
        char *value, *error;
        pm_value v;
        mpq_t q, size, bound, none;
        mpq_inits(q, size, bound, none, NULL);
        pm_value_init(&v);
        random_rational(q);
        if (pm_rng_below(&rng, 4) == 0) { /* near a power of ten */
            mpz_ui_pow_ui(mpq_numref(q), 10, pm_rng_below(&rng, 60));
            mpz_sub_ui(mpq_numref(q), mpq_numref(q), pm_rng_below(&rng, 3));
            mpz_set_ui(mpq_denref(q), 1);
        }
        pm_value_set_mpq(&v, q, round % 3 ? NULL : none);
        assert_true(pm_value_digits(&v, wanted, &value, &error));
        q_from_decimal(size, value);
        q_from_decimal(bound, error);
        mpq_sub(size, size, q);
        mpq_abs(size, size);
        assert_true(mpq_cmp(size, bound) <= 0);
        /* the error is at most |q| 10^(1 - wanted) */
        mpq_abs(size, q);
        mpz_ui_pow_ui(mpq_numref(none), 10, (unsigned long)wanted - 1);
        mpq_mul(bound, bound, none);
        assert_true(mpq_cmp(bound, size) <= 0);
        free(value);
        free(error);
        pm_value_clear(&v);
        mpq_clears(q, size, bound, none, NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bipartite),
        cmocka_unit_test(general),
        cmocka_unit_test(copies),
        cmocka_unit_test(digits),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
