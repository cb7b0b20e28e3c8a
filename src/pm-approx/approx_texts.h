/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-approx/approx_texts.h: an estimate, or an exact value, and its interval as digits. */
#ifndef PM_APPROX_TEXTS_H
#define PM_APPROX_TEXTS_H

#include <stdbool.h>

#include "estimate/estimate.h"

/* Estimates to two digits more than their error allows; of one that is exact, what pm-count prints.
 * An interval in decimals holds what it held before it was rounded to them. */
typedef struct {
    char *estimate, *low, *high; /* low "-inf", high "inf": no end */
    char *exact;                 /* what pm-count prints; NULL: the value is not exact */
} pm_approx_texts;

/* decimal: no fractions p/q but in `exact`.  e: no complex value.
 * Fails: PM_ENOMEM.  In any case to be freed. */
pm_status pm_approx_texts_make(const pm_estimate *e, bool decimal, pm_approx_texts *t,
                               pm_error *err);
void pm_approx_texts_free(pm_approx_texts *t);

#endif
