/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inverse between the pairs of the last front: determinants and cofactors against those of the whole matrix by
 * fractions, also of sums of four classes of signs, some of them singular; Pfaffians against their definition. */
#include "config.h"

#include <gmp.h>
#include <math.h>
#include <string.h>

#include "elimination/root_inverse.h"
#include "pm/alloc.h"
#include "support/testing.h"

enum { MAX_N = 14, BITS = 80 };

typedef long square[MAX_N][MAX_N];

static const pm_root_signs plain = {.classes = 1};

/* Bareiss: every division is exact. */
static void determinant(square a, int n, mpz_t out)
{
    mpz_t x[MAX_N][MAX_N], last, t;
    int sign = 1;
    mpz_inits(last, t, NULL);
    mpz_set_ui(last, 1);
    mpz_set_ui(out, 1);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            mpz_init_set_si(x[i][j], a[i][j]);
    for (int k = 0; k < n; ++k) {
        int r = k;
        while (r < n && mpz_sgn(x[r][k]) == 0)
            ++r;
        if (r == n) {
            mpz_set_ui(out, 0);
            break;
        }
        for (int j = 0; j < n && r != k; ++j)
            mpz_swap(x[r][j], x[k][j]);
        sign = r == k ? sign : -sign;
        for (int i = k + 1; i < n; ++i)
            for (int j = k + 1; j < n; ++j) {
                mpz_mul(t, x[i][j], x[k][k]);
                mpz_submul(t, x[i][k], x[k][j]);
                mpz_divexact(x[i][j], t, last);
            }
        mpz_set(last, x[k][k]);
        mpz_set(out, last);
    }
    if (sign < 0)
        mpz_neg(out, out);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            mpz_clear(x[i][j]);
    mpz_clears(last, t, NULL);
}

/* A matrix with a full diagonal, other entries +-1 with this chance, as pairs. */
static void random_matrix(uint64_t *rng, int n, double chance, square a, pm_paired_matrix *p)
{
    *p = (pm_paired_matrix){.n = n, .classes = 1};
    p->rowptr = pm_calloc_array(n + 1, sizeof *p->rowptr);
    p->colind = pm_alloc_array(n * n, sizeof *p->colind);
    p->source = pm_calloc_array(n * n, sizeof *p->source);
    p->sign = pm_calloc_array(n * n, 1);
    int32_t at = 0;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            a[i][j] = 0;
            if (i != j && pm_rng_unit(rng) >= chance)
                continue;
            p->colind[at] = j;
            p->sign[at] = (uint8_t)pm_rng_below(rng, 2);
            a[i][j] = p->sign[at++] ? -1 : 1;
        }
        p->rowptr[i + 1] = at;
    }
}

/* The last `kept` pairs of a random order; index[i]: the pair with number i in the front. */
static void random_order(uint64_t *rng, int n, int32_t *order)
{
    for (int i = 0; i < n; ++i)
        order[i] = i;
    for (int i = n - 1; i > 0; --i) {
        const int j = (int)pm_rng_below(rng, (uint32_t)i + 1);
        const int32_t swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
}

/* The determinant of a without these rows and columns. */
static void minor_of(square a, int n, const bool *no_row, const bool *no_col, mpz_t out)
{
    square b;
    int rows = 0;
    for (int i = 0; i < n; ++i) {
        int cols = 0;
        for (int j = 0; j < n && !no_row[i]; ++j)
            if (!no_col[j])
                b[rows][cols++] = a[i][j];
        rows += !no_row[i];
    }
    determinant(b, rows, out);
}

/* Leaves out rows and columns one after another as long as the rest is regular, and compares all cofactors each time.
 * Returns how many cofactors were compared. */
static int compare(uint64_t *rng, square a, int n, const int32_t *index, pm_root_inverse *x)
{
    bool no_row[MAX_N] = {false}, no_col[MAX_N] = {false}, found = true;
    int compared = 0;
    mpz_t wanted, have;
    mpz_inits(wanted, have, NULL);
    for (int32_t left = x->pairs; left > 0 && found; --left) {
        int32_t r = x->row_of[pm_rng_below(rng, (uint32_t)left)];
        int32_t c = x->col_of[pm_rng_below(rng, (uint32_t)left)];
        minor_of(a, n, no_row, no_col, wanted);
        assert_int_equal(pm_root_inverse_determinant(x, BITS, have, NULL), PM_OK);
        assert_int_equal(mpz_cmpabs(have, wanted), 0);
        for (int32_t i = 0; i < left; ++i)
            for (int32_t j = 0; j < left; ++j) {
                bool row[MAX_N], col[MAX_N];
                memcpy(row, no_row, sizeof row);
                memcpy(col, no_col, sizeof col);
                row[index[x->row_of[i]]] = col[index[x->col_of[j]]] = true;
                minor_of(a, n, row, col, wanted);
                assert_int_equal(pm_root_inverse_cofactor(x, x->row_of[i], x->col_of[j],
                                                          (uint8_t)(i % 2), BITS, have, NULL),
                                 PM_OK);
                assert_int_equal(mpz_cmpabs(have, wanted), 0);
                ++compared;
            }
        no_row[index[r]] = no_col[index[c]] = true;
        minor_of(a, n, no_row, no_col, wanted);
        assert_int_equal(pm_root_inverse_leave_out(x, r, c, 0, BITS, NULL, &found, NULL), PM_OK);
        assert_int_equal(found, mpz_sgn(wanted) != 0);
    }
    mpz_clears(wanted, have, NULL);
    return compared;
}

static void cofactors(void **state)
{
    static const pm_integer_entries ones = {0};
    uint64_t rng = test_seed();
    int compared = 0;
    (void)state;
    for (int round = 0; test_goes_on(round, 60, compared > 0); ++round) {
        const int n = 1 + (int)pm_rng_below(&rng, MAX_N),
                  kept = 1 + (int)pm_rng_below(&rng, (uint32_t)n);
        square a;
        int32_t order[MAX_N];
        bool found;
        pm_paired_matrix p;
        pm_elimination e;
        pm_root_inverse x;
        const pm_run run = {.threads = 1 + round % 2};
        random_matrix(&rng, n, 0.3 * pm_rng_unit(&rng), a, &p);
        random_order(&rng, n, order);
        assert_int_equal(pm_elimination_make_rooted(&p, order, kept, &e, NULL), PM_OK);
        assert_int_equal(e.front[e.nfronts - 1].pairs, kept);
        assert_int_equal(
            pm_root_inverse_make(&e, &ones, plain, BITS, round % 3, &run, &x, &found, NULL), PM_OK);
        if (found) {
            compared += compare(&rng, a, n, order + n - kept, &x);
            pm_root_inverse_free(&x);
        }
        pm_elimination_free(&e);
        pm_paired_matrix_free(&p);
    }
    print_message("# %d cofactors\n", compared);
}

/* ---- borders and classes ---- */

/* The Pfaffian of the rows and columns 0 .. n - 1 that are not left out, by its first row. */
static long pfaffian(square a, int n, bool *is_out)
{
    long sum = 0, sign = 1;
    int i = 0;
    while (i < n && is_out[i])
        ++i;
    if (i == n)
        return 1;
    is_out[i] = true;
    for (int j = i + 1; j < n; ++j) {
        if (is_out[j])
            continue;
        is_out[j] = true;
        if (a[i][j])
            sum += sign * a[i][j] * pfaffian(a, n, is_out);
        is_out[j] = false;
        sign = -sign;
    }
    is_out[i] = false;
    return sum;
}

typedef struct {
    square a[PM_ROOT_CLASSES_MAX];
    int n;
    bool is_skew; /* Pfaffians in place of determinants */
    bool no_row[MAX_N], no_col[MAX_N];
    uint8_t negative; /* classes that are counted with the opposite sign */
    int least;
} signed_sum;

/* Twice the sum of the classes without row r and column c too, or without these if r < 0. */
static void twice_sum(signed_sum *s, int r, int c, uint8_t negative, mpz_t out)
{
    bool row[MAX_N], col[MAX_N];
    mpz_t minor;
    memcpy(row, s->no_row, sizeof row);
    memcpy(col, s->no_col, sizeof col);
    if (r >= 0)
        row[r] = col[c] = true;
    if (r >= 0 && s->is_skew)
        row[c] = true;
    mpz_init(minor);
    mpz_set_ui(out, 0);
    for (int k = 0; k < PM_ROOT_CLASSES_MAX; ++k) {
        if (s->is_skew)
            mpz_set_si(minor, pfaffian(s->a[k], s->n, row));
        else
            minor_of(s->a[k], s->n, row, col, minor);
        if ((k == s->least) != ((s->negative ^ negative) >> k & 1))
            mpz_sub(out, out, minor);
        else
            mpz_add(out, out, minor);
    }
    mpz_clear(minor);
}

/* Entries +-1 of four classes.  The first rows are full, and in class 0 `copies` of them are copies of the first. */
static void four_classes(uint64_t *rng, int copies, signed_sum *s, pm_paired_matrix *p)
{
    int32_t at = 0;
    random_matrix(rng, s->n, 1, s->a[0], p);
    p->classes = PM_ROOT_CLASSES_MAX;
    memset(s->a, 0, sizeof s->a);
    for (int i = 0; i < s->n; ++i) {
        for (int j = 0; j < s->n; ++j) {
            if (i != j && i > copies && pm_rng_below(rng, 3))
                continue;
            p->colind[at] = j;
            p->sign[at] = (uint8_t)pm_rng_below(rng, 16);
            if (i > 0 && i <= copies)
                p->sign[at] = (uint8_t)((p->sign[at] & 14) | (p->sign[j] & 1));
            for (int k = 0; k < PM_ROOT_CLASSES_MAX; ++k)
                s->a[k][i][j] = p->sign[at] >> k & 1 ? -1 : 1;
            ++at;
        }
        p->rowptr[i + 1] = at;
    }
}

/* The same, skew-symmetric, for an even number of rows: with a copy the first two rows are equal in class 0. */
static void four_skew_classes(uint64_t *rng, int copies, signed_sum *s, pm_paired_matrix *p)
{
    int32_t at = 0;
    random_matrix(rng, s->n, 1, s->a[0], p);
    p->classes = PM_ROOT_CLASSES_MAX;
    p->is_skew = true;
    memset(s->a, 0, sizeof s->a);
    for (int i = 0; i < s->n; ++i) {
        for (int j = i + 1; j < s->n; ++j) {
            if (i + j == 1 ? copies > 0 : i > copies && pm_rng_below(rng, 3))
                continue;
            p->colind[at] = j;
            p->sign[at] = (uint8_t)pm_rng_below(rng, 16);
            if (i == 1 && copies > 0)
                p->sign[at] = (uint8_t)((p->sign[at] & 14) | (p->sign[j - 2] & 1));
            for (int k = 0; k < PM_ROOT_CLASSES_MAX; ++k) {
                s->a[k][i][j] = p->sign[at] >> k & 1 ? -1 : 1;
                s->a[k][j][i] = -s->a[k][i][j];
            }
            ++at;
        }
        p->rowptr[i + 1] = at;
    }
}

/* r < 0: the determinant. */
static void must_be(const pm_root_inverse *x, signed_sum *s, const int32_t *index, int32_t r,
                    int32_t c, uint8_t negative)
{
    mpz_t wanted, have;
    mpz_inits(wanted, have, NULL);
    twice_sum(s, r < 0 ? -1 : index[r], r < 0 ? -1 : index[c], negative, wanted);
    assert_int_equal(r < 0 ? pm_root_inverse_determinant(x, BITS, have, NULL)
                           : pm_root_inverse_cofactor(x, r, c, negative, BITS, have, NULL),
                     PM_OK);
    mpz_mul_2exp(have, have, 1);
    assert_int_equal(mpz_cmpabs(have, wanted), 0);
    if (r < 0 && x->left == x->size)
        assert_int_equal(mpz_cmp(have, wanted), 0);
    mpz_clears(wanted, have, NULL);
}

/* The rows or columns of the front that are left; returns how many. */
static int32_t list_left(const int32_t *at, int32_t pairs, int32_t *line)
{
    int32_t count = 0;
    for (int32_t i = 0; i < pairs; ++i)
        if (at[i] >= 0)
            line[count++] = i;
    return count;
}

/* Leaves out rows and columns, and compares all cofactors each time.  Returns how many cofactors were compared. */
static int compare_sums(uint64_t *rng, signed_sum *s, const int32_t *index, pm_root_inverse *x)
{
    int compared = 0;
    for (bool found = true; found;) {
        int32_t rows[MAX_N], cols[MAX_N];
        const int32_t count = list_left(x->row_at, x->pairs, rows);
        list_left(x->col_at, x->pairs, cols);
        must_be(x, s, index, -1, -1, 0);
        for (int32_t i = 0; i < count; ++i)
            for (int32_t j = 0; j < count; ++j, ++compared)
                if (!s->is_skew || rows[i] != cols[j])
                    must_be(x, s, index, rows[i], cols[j], (uint8_t)pm_rng_below(rng, 16));
        if (count == 0)
            break;
        const int32_t r = rows[pm_rng_below(rng, (uint32_t)count)],
                      c = cols[pm_rng_below(rng, (uint32_t)count)];
        if (s->is_skew && r == c) {
            if (count == 1)
                break;
            continue;
        }
        const uint8_t negative = (uint8_t)pm_rng_below(rng, 16);
        assert_int_equal(pm_root_inverse_leave_out(x, r, c, negative, BITS, NULL, &found, NULL),
                         PM_OK);
        s->no_row[index[r]] = s->no_col[index[c]] = true;
        if (s->is_skew)
            s->no_row[index[c]] = true;
        s->negative ^= negative;
    }
    return compared;
}

static void check_sums(bool is_skew)
{
    static const pm_integer_entries ones = {0};
    uint64_t rng = test_seed();
    int compared = 0;
    for (int round = 0; test_goes_on(round, 40, compared > 0); ++round) {
        const int copies = round % (is_skew ? 2 : 3),
                  n = is_skew ? 4 + 2 * (int)pm_rng_below(&rng, 3) : 3 + (int)pm_rng_below(&rng, 6),
                  kept = 1 + (int)pm_rng_below(&rng, (uint32_t)n);
        signed_sum s = {.n = n,
                        .is_skew = is_skew,
                        .least = (int)pm_rng_below(&rng, 4),
                        .negative = (uint8_t)pm_rng_below(&rng, 16)};
        const pm_root_signs signs = {.classes = PM_ROOT_CLASSES_MAX,
                                     .least = s.least,
                                     .negated = s.negative,
                                     .border = is_skew ? 2 * (int32_t)pm_rng_below(&rng, 3)
                                                       : (int32_t)pm_rng_below(&rng, 5)};
        bool found;
        int32_t order[MAX_N];
        pm_paired_matrix p;
        pm_elimination e;
        pm_root_inverse x;
        (is_skew ? four_skew_classes : four_classes)(&rng, copies, &s, &p);
        random_order(&rng, n, order);
        assert_int_equal(pm_elimination_make_rooted(&p, order, kept, &e, NULL), PM_OK);
        assert_int_equal(
            pm_root_inverse_make(&e, &ones, signs, BITS, round % 3, NULL, &x, &found, NULL), PM_OK);
        assert_true(signs.border >= copies || !found);
        if (found) {
            compared += compare_sums(&rng, &s, order + n - kept, &x);
            pm_root_inverse_free(&x);
        }
        pm_elimination_free(&e);
        pm_paired_matrix_free(&p);
    }
    print_message("# %d cofactors\n", compared);
}

static void sums_of_determinants(void **state)
{
    (void)state;
    check_sums(false);
}

static void sums_of_pfaffians(void **state)
{
    (void)state;
    check_sums(true);
}

/* Pairs of which none has a neighbour: each is a component of its own below the root. */
static void many_components(void **state)
{
    static const pm_integer_entries ones = {0};
    uint64_t rng = test_seed();
    square a;
    int32_t order[MAX_N];
    bool found;
    pm_paired_matrix p;
    pm_elimination e;
    pm_root_inverse x;
    (void)state;
    random_matrix(&rng, MAX_N, 0, a, &p);
    random_order(&rng, MAX_N, order);
    assert_int_equal(pm_elimination_make_rooted(&p, order, 2, &e, NULL), PM_OK);
    assert_int_equal(e.front[e.nfronts - 1].parent, -1);
    for (int32_t f = 0; f < e.nfronts - 1; ++f)
        assert_true(e.front[f].parent > f);
    assert_int_equal(pm_root_inverse_make(&e, &ones, plain, BITS, 0, NULL, &x, &found, NULL),
                     PM_OK);
    assert_true(found);
    assert_true(compare(&rng, a, MAX_N, order + MAX_N - 2, &x) > 0);
    pm_root_inverse_free(&x);
    pm_elimination_free(&e);
    pm_paired_matrix_free(&p);
}

/* One pair and one entry, 1: the primes for more and more bits, or later attempts, are smaller, but enough. */
static void enough_primes(void **state)
{
    static const struct {
        double bits;
        int attempt;
        pm_status status;
    } cases[] = {{0, 0, PM_OK}, {1e5, 1, PM_OK}, {1e6, 3, PM_OK}, {3e7, 0, PM_UNABLE}};
    static const pm_integer_entries ones = {0};
    int32_t rowptr[2] = {0, 1}, colind = 0, source = 0, order = 0;
    uint8_t sign = 0;
    const pm_paired_matrix p = {.n = 1,
                                .classes = 1,
                                .rowptr = rowptr,
                                .colind = &colind,
                                .source = &source,
                                .sign = &sign};
    pm_elimination e;
    (void)state;
    assert_int_equal(pm_elimination_make_rooted(&p, &order, 1, &e, NULL), PM_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        pm_root_inverse x;
        bool found;
        double have = 0;
        assert_int_equal(pm_root_inverse_make(&e, &ones, plain, cases[i].bits, cases[i].attempt,
                                              NULL, &x, &found, NULL),
                         cases[i].status);
        if (cases[i].status != PM_OK)
            continue;
        assert_true(found);
        for (int64_t k = 0; k < x.primes.count; ++k) {
            assert_true(k == 0 || x.primes.prime[k] < x.primes.prime[k - 1]);
            assert_true(log2((double)x.primes.prime[k]) > x.prime_bits);
            have += log2((double)x.primes.prime[k]);
        }
        assert_true(have > cases[i].bits + 1);
        pm_root_inverse_free(&x);
    }
    pm_elimination_free(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cofactors),
        cmocka_unit_test(many_components),
        cmocka_unit_test(sums_of_determinants),
        cmocka_unit_test(sums_of_pfaffians),
        cmocka_unit_test(enough_primes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
