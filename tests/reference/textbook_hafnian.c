/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loop hafnian by its definition.  The lowest vertex that is left stays alone, with the weight of its loop, or is
 * matched to another one:
 *   value[S] = a[v][v] value[S - v] + sum over u in S of a[v][u] value[S - v - u],   v the lowest vertex of S.
 * The sets are taken in ascending order, so that the smaller ones are known.
 *
 * Source: Bjorklund, Gupt and Quesada 2019, section 2 (hafnian and loop hafnian). */
#include "config.h"

#include <stdlib.h>

#include "reference/textbook.h"

static void sum_up(const pm_matrix *a, int64_t set, pm_cnum *value)
{
    const int v = __builtin_ctzll((unsigned long long)set);
    const int64_t rest = set & (set - 1);
    pm_cnum x = {0};
    for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k) {
        const int64_t partner = INT64_C(1) << a->colind[k];
        if (!(set & partner))
            continue;
        textbook_entry(a, k, &x);
        pm_cnum_mul(&x, &x, &value[rest & ~partner]);
        pm_cnum_add(&value[set], &value[set], &x);
    }
    pm_cnum_clear(&x);
}

void textbook_hafnian(const pm_matrix *a, pm_cnum *hafnian)
{
    const int64_t sets = INT64_C(1) << a->nrows;
    pm_cnum *value = calloc((size_t)sets, sizeof *value);
    pm_cnum_set_si(&value[0], 1);
    for (int64_t set = 1; set < sets; ++set)
        sum_up(a, set, value);
    pm_cnum_set(hafnian, &value[sets - 1]);
    for (int64_t set = 0; set < sets; ++set)
        pm_cnum_clear(&value[set]);
    free(value);
}
