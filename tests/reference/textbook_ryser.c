/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ryser's formula: inclusion and exclusion over the sets S of columns that may be used,
 *   per(A) = sum over S of (-1)^(n - |S|) product over rows i of (sum over j in S of a[i][j]).
 * The product has one term for each choice of a column for every row; those that leave a column of
 * S out cancel.
 *
 * Source: Ryser, Combinatorial Mathematics, 1963, theorem 4.1 of chapter 2. */
#include "config.h"

#include "reference/textbook.h"

/* The sum of the entries of row i in the columns of the set. */
static void row_sum(const pm_matrix *a, int64_t i, uint64_t set, pm_cnum *sum)
{
    pm_cnum x = {0};
    pm_cnum_set_si(sum, 0);
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
        if (set >> a->colind[k] & 1) {
            textbook_entry(a, k, &x);
            pm_cnum_add(sum, sum, &x);
        }
    pm_cnum_clear(&x);
}

void textbook_ryser(const pm_matrix *a, pm_cnum *permanent)
{
    int n = (int)a->nrows;
    pm_cnum product = {0}, sum = {0};
    pm_cnum_set_si(permanent, 0);
    for (uint64_t set = 0; set < UINT64_C(1) << n; ++set) {
        pm_cnum_set_si(&product, (n - __builtin_popcountll(set)) % 2 ? -1 : 1);
        for (int64_t i = 0; i < n; ++i) {
            row_sum(a, i, set, &sum);
            pm_cnum_mul(&product, &product, &sum);
        }
        pm_cnum_add(permanent, permanent, &product);
    }
    pm_cnum_clear(&product);
    pm_cnum_clear(&sum);
}

void textbook_entry(const pm_matrix *a, int64_t k, pm_cnum *x)
{
    pm_cnum_set_si(x, 1);
    if (a->re)
        pm_dyadic_set(&x->re, &a->re[k]);
    if (a->im)
        pm_dyadic_set(&x->im, &a->im[k]);
}
