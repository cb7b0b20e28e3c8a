/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-approx/approx_texts.h: the digits of an estimate, or of an exact value, and of its interval.
 * */
#ifndef PM_APPROX_TEXTS_H
#define PM_APPROX_TEXTS_H

#include <stdbool.h>

#include "estimate/estimate.h"

/* An estimate has two digits more than its standard error allows.  An exact value has the digits
 * that pm-count prints; if it is rounded to decimals, its interval is rounded outwards. */
typedef struct {
    char *estimate, *low, *high; /* low is "-inf" and high is "inf" where the interval has no end */
    char *exact;                 /* NULL when the value is not exact */
} pm_approx_texts;

/* e: its value is not complex.
 * decimal: fractions p/q are printed as decimal numbers, except in `exact`.
 * The caller frees *t, also after a failure.
 * Fails: PM_ENOMEM. */
pm_status pm_approx_texts_make(const pm_estimate *e, bool decimal, pm_approx_texts *t,
                               pm_error *err);
void pm_approx_texts_free(pm_approx_texts *t);

#endif
