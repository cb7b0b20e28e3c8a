/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The transfer-matrix method, also called dynamic programming over a frontier or a profile.  Rows
 * are matched one after the other.  What the rows so far have done is described by the set of
 * columns that
 * they use: the state.  value[S] is the sum, over all ways to match the first |S| rows with the
 * columns of S, of the product of the entries.  The next row takes one more column:
 *   value[S + j] += value[S] * a[|S|][j]   for every j that is not in S.
 * A state is dropped as soon as a column without rows to come is not in it: that column would stay
 * unmatched.  In a good order of the rows few states are left, and the method is fast.
 *
 * Source: Bellman 1962 and Held and Karp 1962, who keep a number for every set; Nijenhuis and Wilf
 * 1978, chapter 23, has the expansion along rows. */
#include "config.h"

#include <stdlib.h>

#include "reference/textbook.h"

/* The columns whose last row is before row i. */
static int64_t finished_before(const pm_matrix *a, int64_t i)
{
    int64_t finished = (INT64_C(1) << a->ncols) - 1;
    for (int64_t k = a->rowptr[i]; k < a->rowptr[a->nrows]; ++k)
        finished &= ~(INT64_C(1) << a->colind[k]);
    return finished;
}

/* From a state of the first i rows to those of one row more. */
static void match_row(const pm_matrix *a, int64_t i, int64_t state, pm_cnum *value)
{
    pm_cnum x = {0};
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
        int64_t with = state | INT64_C(1) << a->colind[k];
        if (with == state)
            continue;
        textbook_entry(a, k, &x);
        pm_cnum_mul(&x, &x, &value[state]);
        pm_cnum_add(&value[with], &value[with], &x);
    }
    pm_cnum_clear(&x);
}

void textbook_transfer_matrix(const pm_matrix *a, pm_cnum *permanent)
{
    int64_t states = INT64_C(1) << a->ncols;
    pm_cnum *value = calloc((size_t)states, sizeof *value);
    pm_cnum_set_si(&value[0], 1);
    for (int64_t state = 0; state < states - 1; ++state) {
        int64_t i = __builtin_popcountll((unsigned long long)state);
        if (!pm_cnum_is_zero(&value[state]) && !(finished_before(a, i) & ~state))
            match_row(a, i, state, value);
    }
    pm_cnum_set(permanent, &value[states - 1]);
    for (int64_t state = 0; state < states; ++state)
        pm_cnum_clear(&value[state]);
    free(value);
}
