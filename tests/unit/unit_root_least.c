/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The smallest order of a sum of roots of unity, against Galois theory, and modulo a number.  Nothing here can fail by chance. */
#include "config.h"

#include "number/root_sum.h"
#include "support/testing.h"

static uint64_t rng;

/* A sum of powers of root(order) with integer coefficients below `most`. */
static void random_sum(int32_t order, uint32_t most, pm_root_sum *x)
{
    mpq_t *c = pm_root_rationals_new(order);
    for (int32_t k = 0; k < order; ++k)
        if (pm_rng_below(&rng, 3) == 0)
            mpq_set_ui(c[k], pm_rng_below(&rng, most), 1);
    pm_root_sum_set_powers(x, order, c);
    pm_root_rationals_free(c, order);
}

/* x plus 0, written with powers of root(order). */
static void disguise(int32_t order, pm_root_sum *x)
{
    mpq_t one;
    pm_root_sum root;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    pm_root_sum_init(&root);
    pm_root_sum_set_power(&root, one, order, 1);
    assert_true(pm_root_sum_add(x, &root));
    pm_root_sum_neg(&root);
    assert_true(pm_root_sum_add(x, &root));
    pm_root_sum_clear(&root);
    mpq_clear(one);
}

/* The order of a sum that all automorphisms z -> z^u with u = 1 modulo m leave as it is divides m, and no other does. */
static int32_t slow_order(const pm_root_sum *x)
{
    int32_t least = x->order;
    for (int32_t m = 1; m < least; ++m) {
        bool is_fixed = x->order % m == 0;
        for (int32_t u = 1; u < x->order && is_fixed; ++u) {
            pm_root_sum y;
            if (u % m != 1 % m || pm_root_gcd(u, x->order) != 1)
                continue;
            mpq_t *c = pm_root_rationals_new(x->order);
            for (int32_t k = 0; k < x->count; ++k)
                mpq_set(c[(int64_t)x->power[k] * u % x->order], x->c[k]);
            pm_root_sum_init(&y);
            pm_root_sum_set_powers(&y, x->order, c);
            is_fixed = pm_root_sum_equal(&y, x);
            pm_root_sum_clear(&y);
            pm_root_rationals_free(c, x->order);
        }
        if (is_fixed)
            least = m;
    }
    return least;
}

static void test_smallest_order(void **state)
{
    (void)state;
    static const int32_t orders[] = {1, 3, 4, 5, 6, 8, 9, 10, 12, 15, 20, 24, 30};
    rng = test_seed();
    for (int round = test_rounds(200); round > 0; --round) {
        const int32_t order = orders[pm_rng_below(&rng, 13)],
                      other = orders[pm_rng_below(&rng, 13)];
        pm_root_sum x, y, more;
        pm_root_sum_init(&x);
        pm_root_sum_init(&y);
        pm_root_sum_init(&more);
        random_sum(order, 4, &x);
        if (pm_rng_below(&rng, 2)) { /* a sum that may be in a smaller field */
            random_sum(order, 4, &more);
            assert_true(pm_root_sum_mul(&x, &more));
            pm_root_sum_set(&more, &x);
            pm_root_sum_conjugate(&more);
            assert_true(pm_root_sum_add(&x, &more));
        }
        disguise(other, &x);
        pm_root_sum_set(&y, &x);
        pm_root_sum_shorten(&y, 0);
        assert_true(pm_root_sum_equal(&x, &y));
        assert_int_equal(y.order, slow_order(&x));
        pm_root_sum_clear(&x);
        pm_root_sum_clear(&y);
        pm_root_sum_clear(&more);
    }
}

/* Modulo p, x plus p times a sum of any order is written as x is. */
static void test_smallest_order_modulo(void **state)
{
    (void)state;
    static const int32_t orders[] = {1, 3, 4, 5, 6, 8, 9, 12, 15};
    rng = test_seed();
    mpq_t times;
    mpq_init(times);
    for (int round = test_rounds(200); round > 0; --round) {
        const uint32_t p = 2 + pm_rng_below(&rng, 20);
        pm_root_sum x, y;
        pm_root_sum_init(&x);
        pm_root_sum_init(&y);
        random_sum(orders[pm_rng_below(&rng, 9)], p, &x);
        random_sum(orders[pm_rng_below(&rng, 9)], 100, &y);
        mpq_set_ui(times, p, 1);
        pm_root_sum_scale(&y, times);
        assert_true(pm_root_sum_add(&y, &x));
        assert_true(pm_root_sum_residue(&x, p) && pm_root_sum_residue(&y, p));
        pm_root_sum_shorten(&x, p);
        pm_root_sum_shorten(&y, p);
        assert_int_equal(x.order, y.order);
        assert_int_equal(x.count, y.count);
        for (int32_t k = 0; k < x.count; ++k) {
            assert_int_equal(x.power[k], y.power[k]);
            assert_true(mpq_equal(x.c[k], y.c[k]));
            assert_true(mpq_sgn(x.c[k]) > 0 && mpq_cmp_ui(x.c[k], p, 1) < 0);
        }
        pm_root_sum_clear(&x);
        pm_root_sum_clear(&y);
    }
    mpq_clear(times);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_smallest_order),
                                       cmocka_unit_test(test_smallest_order_modulo)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
