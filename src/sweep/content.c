/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/content.h"

#include <stddef.h>

/* *out: the greatest common divisor of the entries in_ccs[first .. end - 1] (in_ccs NULL: of the
 * entries first .. end - 1), or any power of two if it has no odd factor; 0 if all entries are
 * 0. */
static void find_content(const pm_cnum *x, const int32_t *in_ccs, int32_t first, int32_t end,
                         pm_cnum *out)
{
    for (int32_t k = first; k < end && pm_dyadic_bits(&out->re) != 1; ++k) {
        const pm_cnum *entry = &x[in_ccs ? in_ccs[k] : k];
        const pm_cnum re = {.re = entry->re}, im = {.re = entry->im};
        pm_cnum_gcd(out, &re);
        pm_cnum_gcd(out, &im);
    }
}

static void divide_line(pm_cnum *x, const int32_t *in_ccs, int32_t first, int32_t end,
                        int32_t times, pm_cnum *product)
{
    pm_cnum content = {0};
    find_content(x, in_ccs, first, end, &content);
    if (pm_dyadic_bits(&content.re) > 1) {
        for (int32_t k = first; k < end; ++k) {
            pm_cnum *entry = &x[in_ccs ? in_ccs[k] : k];
            pm_cnum_div(entry, entry, &content);
        }
        for (int32_t k = 0; k < times; ++k)
            pm_cnum_mul(product, product, &content);
    }
    pm_cnum_clear(&content);
}

pm_xreal pm_content_divide(const pm_square *s, pm_cnum *x)
{
    pm_cnum product = {0};
    pm_cnum_set_si(&product, 1);
    for (int32_t i = 0; i < s->n; ++i)
        divide_line(x, s->in_ccs, s->rowptr[i], s->rowptr[i + 1], s->row_times[i], &product);
    for (int32_t j = 0; j < s->n; ++j)
        divide_line(x, NULL, s->colptr[j], s->colptr[j + 1], s->col_times[j], &product);
    pm_xreal out = pm_xreal_from_dyadic(&product.re);
    pm_cnum_clear(&product);
    return out;
}
