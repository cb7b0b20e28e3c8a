/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/spgemm_kernels.h"

#include <math.h>
#include <string.h>

#include "support/testing.h"

pm_product_kind spgemm_kind_of(int number)
{
    return (pm_product_kind){
        .semiring = (pm_semiring)(number % 3),
        .has_a = number / 3 % 2,
        .has_b = number / 6 % 2,
        .has_sums = number / 12 % 2,
        .is_wide = number / 24 % 2,
    };
}

static void same_values(const pm_product *p, int64_t row, const double *whole, const double *part,
                        int64_t n)
{
    if (p->semiring != PM_SEMIRING_LOG) {
        assert_memory_equal(whole, part, (size_t)n * sizeof *whole);
        return;
    }
    const double terms = (double)pm_product_terms(p, row);
    for (int64_t k = 0; k < n; ++k)
        assert_true(fabs(whole[k] - part[k]) <= 0x1p-50 * (1 + terms) * (1 + fabs(whole[k])));
}

static void same_rows(const pm_product *p, const pm_csr *whole, int64_t first, const pm_csr *part)
{
    const int64_t begin = whole->rowptr[first], n = part->rowptr[part->nrows];
    for (int64_t i = 0; i <= part->nrows; ++i)
        assert_int_equal(whole->rowptr[first + i] - begin, part->rowptr[i]);
    if (n > 0)
        assert_memory_equal(&whole->colind[begin], part->colind, (size_t)n * sizeof *part->colind);
    for (int64_t i = 0; i < part->nrows && part->value; ++i)
        same_values(p, first + i, &whole->value[begin + part->rowptr[i]],
                    &part->value[part->rowptr[i]], part->rowptr[i + 1] - part->rowptr[i]);
}

void spgemm_kernels_check(const pm_product *p, bool has_values, int64_t at_once, spgemm_more *more)
{
    const pm_run one = {.threads = 1};
    const int64_t rows = p->a->nrows;
    pm_product_gpu g;
    pm_product_rows whole, part;
    assert_int_equal(pm_product_make(p, 0, rows, has_values, &one, &whole, NULL), PM_OK);
    assert_int_equal(pm_product_gpu_open(0, p, has_values, at_once, &g, NULL), PM_OK);
    for (int64_t first = 0, end; first < rows || first == 0; first = end) {
        end = pm_product_gpu_end(&g, first);
        assert_true(end > first || rows == 0);
        for (int time = 0; time < 2; ++time) {
            assert_int_equal(pm_product_gpu_make(&g, first, end, NULL), PM_OK);
            assert_int_equal(pm_product_gpu_get(&g, &part, NULL), PM_OK);
            assert_int_equal(part.c.nrows, end - first);
            assert_true(has_values == (part.c.value != NULL));
            same_rows(p, &whole.c, first, &part.c);
            pm_product_rows_free(&part);
        }
        if (rows == 0)
            break;
    }
    if (more)
        more(&g, &whole.c);
    pm_product_gpu_close(&g);
    pm_product_rows_free(&whole);
}

/* Of the third, or of all. */
static int kind_number(int third, int i)
{
    return third ? 3 * i + (third + i) % 3 : i;
}

void spgemm_shapes_check(uint64_t *rng, const spgemm_shapes *x, int kinds, int64_t at_once,
                         spgemm_more *more)
{
    const int all = x->third ? SPGEMM_THIRD : SPGEMM_KINDS / 2;
    csr_case a = csr_case_make(rng, x->a, x->rows, x->inner, x->mean);
    csr_case b = csr_case_make(rng, x->b, x->inner, x->columns, x->mean);
    for (int i = 0; i < kinds; ++i) {
        const int number = kinds == all ? i : (int)pm_rng_below(rng, (uint32_t)all);
        const pm_product_kind kind = spgemm_kind_of(kind_number(x->third, number));
        const pm_csr left = {x->rows, x->inner, a.rowptr, a.colind, kind.has_a ? a.value : NULL,
                             NULL};
        const pm_csr right = {x->inner, x->columns, b.rowptr, b.colind, kind.has_b ? b.value : NULL,
                              NULL};
        const pm_product p = {kind.semiring, &left, &right, NULL};
        const bool is_limited = pm_rng_below(rng, 2);
        spgemm_kernels_check(&p, kind.has_sums,
                             is_limited ? 1 + pm_rng_below(rng, (uint32_t)at_once) : 0, more);
    }
    csr_case_free(&a);
    csr_case_free(&b);
}
