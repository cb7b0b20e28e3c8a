/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/matrices.h"

int64_t random_entry(uint64_t *rng)
{
    static const int few[] = {1, 1, 1, 1, 2, -1, 3, -2};
    if (pm_rng_below(rng, 20) == 0)
        return (int64_t)(pm_rng_next(rng) >> 4) - (INT64_C(1) << 58);
    return few[pm_rng_below(rng, 8)];
}

void random_real(uint64_t *rng, pm_dyadic *x)
{
    double scale = pm_rng_below(rng, 10) ? 1 : 0x1p600;
    if (pm_rng_below(rng, 3) == 0)
        pm_dyadic_set_si(x, random_entry(rng));
    else
        pm_dyadic_set_d(x, (pm_rng_unit(rng) - 0.4) * scale);
}

static void add(pm_triples *t, int i, int j, const pm_dyadic *re, const pm_dyadic *im)
{
    pm_dyadic x = {0}, y = {0};
    pm_dyadic_set(&x, re);
    pm_dyadic_set(&y, im);
    assert_int_equal(pm_triples_add(t, i, j, 0, t->field == PM_PATTERN ? NULL : &x,
                                    t->field == PM_COMPLEX ? &y : NULL, NULL),
                     PM_OK);
    pm_dyadic_clear(&x);
    pm_dyadic_clear(&y);
}

/* A random entry; is_symmetric: and its mirror image. */
static void add_random(uint64_t *rng, pm_triples *t, int i, int j, bool is_symmetric)
{
    pm_dyadic re = {0}, im = {0};
    if (t->field == PM_INTEGER)
        pm_dyadic_set_si(&re, random_entry(rng));
    if (t->field >= PM_REAL)
        random_real(rng, &re);
    if (t->field == PM_COMPLEX)
        random_real(rng, &im);
    add(t, i, j, &re, &im);
    if (is_symmetric && i != j)
        add(t, j, i, &re, &im);
    pm_dyadic_clear(&re);
    pm_dyadic_clear(&im);
}

void random_matrix(uint64_t *rng, pm_field field, int nrows, int ncols, double p, pm_matrix *out)
{
    pm_triples t = {.field = field, .nrows = nrows, .ncols = ncols};
    char *taken = calloc((size_t)nrows * (size_t)ncols + 1, 1);
    for (int i = 0; i < nrows; ++i)
        for (int j = 0; j < ncols; ++j)
            taken[i * ncols + j] = pm_rng_unit(rng) < p;
    for (int copies = (int)pm_rng_below(rng, 4); copies > 0 && nrows && ncols; --copies) {
        int from = (int)pm_rng_below(rng, (uint32_t)nrows);
        int to = (int)pm_rng_below(rng, (uint32_t)nrows);
        for (int j = 0; j < ncols; ++j)
            taken[to * ncols + j] = taken[from * ncols + j];
    }
    for (int i = 0; i < nrows; ++i)
        for (int j = 0; j < ncols; ++j)
            if (taken[i * ncols + j])
                add_random(rng, &t, i, j, false);
    free(taken);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "random", out, NULL), PM_OK);
    pm_triples_free(&t);
}

void random_symmetric(uint64_t *rng, pm_field field, int n, double p, double loops, pm_matrix *out)
{
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = i; j < n; ++j)
            if (pm_rng_unit(rng) < (i == j ? loops : p))
                add_random(rng, &t, i, j, true);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "random", out, NULL), PM_OK);
    pm_triples_free(&t);
}

void as_block(const pm_matrix *a, pm_block *b)
{
    *b = (pm_block){.n = a->nrows, .log2_bound = fmax(pm_permanent_log2_bound(a), 0)};
    assert_int_equal(pm_matrix_copy(a, &b->a, NULL), PM_OK);
    b->row_cap = calloc((size_t)a->nrows, sizeof *b->row_cap);
    b->col_cap = calloc((size_t)a->ncols, sizeof *b->col_cap);
    for (int64_t i = 0; i < a->nrows; ++i)
        b->row_cap[i] = b->col_cap[i] = 1;
}

void random_permutation(uint64_t *rng, int32_t *p, int32_t n)
{
    for (int32_t i = 0; i < n; ++i) {
        int32_t j = (int32_t)pm_rng_below(rng, (uint32_t)i + 1);
        p[i] = p[j];
        p[j] = i;
    }
}
