/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix/same_value.h: are the values of two entries equal? */
#ifndef PM_SAME_VALUE_H
#define PM_SAME_VALUE_H

#include "pm/matrix.h"

/* Entry k of a and entry l of b, which has the same field.  Those of a pattern are all equal. */
static inline bool pm_matrix_same_value(const pm_matrix *a, int64_t k, const pm_matrix *b,
                                        int64_t l)
{
    return (!a->re || pm_dyadic_equal(&a->re[k], &b->re[l]))
           && (!a->im || pm_dyadic_equal(&a->im[k], &b->im[l]));
}

#endif
