/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams of exact numbers: what is written reads back as the same nodes.  Nothing here can fail by chance. */
#include "config.h"

#include "support/testing.h"

#include <string.h>

#include "number/dyadic_roots.h"
#include "pm/io.h"
#include "support/node_lists.h"

static uint64_t rng;

/* ---- nodes ---- */

static void random_quotient(mpq_t q)
{
    mpq_set_si(q, (int64_t)below(&rng, 2001) - 1000, 1 + below(&rng, 1000));
    mpq_canonicalize(q);
}

static void random_number(pm_dyadic *x)
{
    mpq_t q;
    mpq_init(q);
    random_quotient(q);
    pm_dyadic_set_mpq_2exp(x, q, below(&rng, 2) ? 0 : (int64_t)below(&rng, 400) - 200);
    mpq_clear(q);
}

static void random_roots(pm_dyadic *x)
{
    static const int32_t orders[] = {3, 4, 5, 8, 12, 15, 1000};
    const int32_t order = orders[below(&rng, sizeof orders / sizeof *orders)];
    mpq_t q;
    pm_root_sum sum, term;
    mpq_init(q);
    pm_root_sum_init(&sum);
    pm_root_sum_init(&term);
    for (uint32_t t = 1 + below(&rng, 3); t > 0; --t) {
        random_quotient(q);
        pm_root_sum_set_power(&term, q, order, below(&rng, 1000));
        assert_true(pm_root_sum_add(&sum, &term));
    }
    pm_dyadic_set_roots(x, &sum);
    pm_root_sum_clear(&sum);
    pm_root_sum_clear(&term);
    mpq_clear(q);
}

/* Readers take the multiple of i out of sums of order 4. */
static void random_other_roots(pm_dyadic *x)
{
    do
        random_roots(x);
    while (x->kind == PM_DYADIC_ROOTS && x->m.roots->order == 4);
}

/* Entries are numbers of this kind, and not 0. */
static void random_entries(pm_matrix *a, pm_numbers numbers)
{
    for (int64_t k = 0; a->re && k < pm_matrix_nnz(a); ++k)
        do {
            if (numbers == PM_NUMBERS_ROOTS && below(&rng, 2))
                random_other_roots(&a->re[k]);
            else
                random_number(&a->re[k]);
            if (a->im && below(&rng, 2))
                random_number(&a->im[k]);
        } while (pm_dyadic_is_zero(&a->re[k]) && (!a->im || pm_dyadic_is_zero(&a->im[k])));
}

static void random_factor(pm_node *e)
{
    if (below(&rng, 2))
        return;
    e->factor_field = (pm_field)(PM_INTEGER + below(&rng, 3));
    random_quotient(e->factor.re);
    if (e->factor_field == PM_COMPLEX)
        random_quotient(e->factor.im);
}

/* is_said: a group around the node says that its numbers mean themselves. */
static void random_node(node_list *l, int depth, bool is_said)
{
    const pm_numbers numbers = (pm_numbers)(PM_NUMBERS_REAL + below(&rng, 3));
    pm_node *e = list_add(l);
    if (!is_said || below(&rng, 3) == 0)
        e->numbers = numbers;
    random_factor(e);
    switch (below(&rng, depth > 0 ? 4 : 2)) {
    case 0: e->kind = PM_NODE_NUMBER; break;
    case 1:
        e->kind = PM_NODE_MATRIX;
        random_node_matrix(&rng, &e->matrix, numbers == PM_NUMBERS_REAL ? PM_REAL : PM_COMPLEX);
        random_entries(&e->matrix, numbers);
        if (below(&rng, 2))
            random_node_order(&rng, e);
        break;
    default:
        e->kind = below(&rng, 2) ? PM_NODE_PRODUCT : PM_NODE_SUM;
        for (uint32_t k = below(&rng, 4); k > 0; --k)
            random_node(l, depth - 1, true);
        list_add(l)->kind = PM_NODE_CLOSE;
    }
}

/* ---- tests ---- */

static void write_exactly(const node_list *l)
{
    pm_writer *w;
    FILE *f = open_file();
    assert_int_equal(pm_writer_open(f, NULL, &w, NULL), PM_OK);
    pm_writer_set_exact(w);
    for (int64_t k = 0; k < l->count; ++k)
        assert_int_equal(pm_writer_put(w, &l->e[k], NULL), PM_OK);
    assert_int_equal(pm_writer_close(&w, NULL), PM_OK);
    assert_int_equal(fclose(f), 0);
}

static void round_trip(void **state)
{
    (void)state;
    for (int round = test_rounds(300); round > 0; --round) {
        node_list written = {0}, got = {0};
        pm_error err = {.msg = ""};
        const pm_read_options opt = {.exact = true};
        for (uint32_t k = below(&rng, 5); k > 0; --k)
            random_node(&written, 4, false);
        write_exactly(&written);
        const pm_status status = list_read_as(&got, &opt, &err);
        if (status)
            print_message("# %s\n", err.msg);
        assert_int_equal(status, PM_OK);
        assert_same_list(&written, &got);
        for (int64_t k = 0; k < written.count; ++k)
            assert_int_equal(written.e[k].numbers, got.e[k].numbers);
        list_free(&written);
        list_free(&got);
    }
}

/* What a node has, or says. */
static void numbers_of_nodes(void **state)
{
    (void)state;
    static const pm_field fields[] = {PM_PATTERN, PM_INTEGER, PM_REAL, PM_COMPLEX, PM_COMPLEX};
    static const pm_numbers wanted[] = {PM_NUMBERS_UNSAID, PM_NUMBERS_UNSAID, PM_NUMBERS_REAL,
                                        PM_NUMBERS_COMPLEX, PM_NUMBERS_ROOTS};
    for (int k = 0; k < 5; ++k) {
        pm_node e;
        pm_node_init(&e);
        e.kind = PM_NODE_MATRIX;
        assert_int_equal(pm_matrix_alloc(&e.matrix, fields[k], 1, 1, 1, NULL), PM_OK);
        e.matrix.rowptr[1] = 1;
        e.matrix.colind[0] = 0;
        if (e.matrix.re)
            pm_dyadic_set_si(&e.matrix.re[0], 2);
        while (wanted[k] == PM_NUMBERS_ROOTS && !pm_matrix_has_other_roots(&e.matrix))
            random_roots(&e.matrix.re[0]);
        assert_int_equal(pm_node_numbers(&e), wanted[k]);
        e.factor_field = PM_REAL;
        assert_int_equal(pm_node_numbers(&e), k < 2 ? PM_NUMBERS_REAL : wanted[k]);
        e.numbers = PM_NUMBERS_ROOTS;
        assert_int_equal(pm_node_numbers(&e), PM_NUMBERS_ROOTS);
        pm_node_clear(&e);
    }
}

static int begin(void **state)
{
    rng = test_seed();
    return node_file_begin(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip),
                                       cmocka_unit_test(numbers_of_nodes)};
    return cmocka_run_group_tests(tests, begin, node_file_end);
}
