/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symmetric matrices: the test for them against the transpose, and their two triangles.  All comparisons are exact. */
#include "config.h"

#include "matrix/symmetric.h"
#include "support/matrices.h"

static uint64_t rng;

static bool equals_transpose(const pm_matrix *a)
{
    pm_matrix t = {0};
    assert_int_equal(pm_matrix_transpose(a, &t, NULL), PM_OK);
    const bool is_equal = pm_matrix_equal(a, &t);
    pm_matrix_free(&t);
    return is_equal;
}

static bool is_symmetric(const pm_matrix *a)
{
    bool is;
    assert_int_equal(pm_matrix_is_symmetric(a, &is, NULL), PM_OK);
    return is;
}

/* Another value at a random place, or its column moved to a place without an entry. */
static void change(pm_matrix *a)
{
    const int64_t nnz = pm_matrix_nnz(a);
    if (nnz == 0)
        return;
    const int64_t k = (int64_t)pm_rng_below(&rng, (uint32_t)nnz);
    if (a->re && pm_rng_below(&rng, 2)) {
        pm_dyadic_set_si(&a->re[k], 1000);
        return;
    }
    int64_t i = 0;
    while (a->rowptr[i + 1] <= k)
        ++i;
    const int32_t next = k + 1 < a->rowptr[i + 1] ? a->colind[k + 1] : (int32_t)a->ncols;
    if (a->colind[k] + 1 < next)
        ++a->colind[k];
}

static void is_found(void **state)
{
    int yes = 0, no = 0;
    (void)state;
    for (int round = 0; round < test_rounds(2000) || !yes || !no; ++round) {
        pm_matrix a = {0};
        random_symmetric(&rng, (pm_field)(round % 4), (int)pm_rng_below(&rng, 9), pm_rng_unit(&rng),
                         pm_rng_unit(&rng), &a);
        assert_true(is_symmetric(&a));
        change(&a);
        assert_int_equal(is_symmetric(&a), equals_transpose(&a));
        *(is_symmetric(&a) ? &yes : &no) += 1;
        pm_matrix_free(&a);
    }
}

/* Row i of part has the entries of a that begin with number k. */
static void check_part(const pm_matrix *part, int64_t i, const pm_matrix *a, int64_t k)
{
    for (int64_t p = part->rowptr[i]; p < part->rowptr[i + 1]; ++p, ++k) {
        assert_int_equal(part->colind[p], a->colind[k]);
        assert_true(!a->re || pm_dyadic_equal(&part->re[p], &a->re[k]));
        assert_true(!a->im || pm_dyadic_equal(&part->im[p], &a->im[k]));
    }
}

static void triangles(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(400); ++round) {
        pm_matrix a = {0}, b = {0}, upper = {0}, lower = {0};
        random_symmetric(&rng, (pm_field)(round % 4), (int)pm_rng_below(&rng, 9), pm_rng_unit(&rng),
                         pm_rng_unit(&rng), &a);
        assert_int_equal(pm_matrix_copy(&a, &b, NULL), PM_OK);
        assert_int_equal(pm_matrix_triangles(&b, &upper, &lower, NULL), PM_OK);
        for (int64_t i = 0; i < a.nrows; ++i) {
            int64_t first = a.rowptr[i];
            while (first < a.rowptr[i + 1] && a.colind[first] < i)
                ++first;
            const bool has_loop = first < a.rowptr[i + 1] && a.colind[first] == i;
            assert_int_equal(lower.rowptr[i + 1] - lower.rowptr[i], first + has_loop - a.rowptr[i]);
            assert_int_equal(upper.rowptr[i + 1] - upper.rowptr[i], a.rowptr[i + 1] - first);
            check_part(&lower, i, &a, a.rowptr[i]);
            check_part(&upper, i, &a, first);
        }
        pm_matrix_free(&a);
        pm_matrix_free(&b);
        pm_matrix_free(&upper);
        pm_matrix_free(&lower);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_found), cmocka_unit_test(triangles)};
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
