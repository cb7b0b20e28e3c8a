/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/degree_terms.h: what degrees add to the bounds by the capacity (bounds.h): g(k) = ((k-1)/k)^(k-1). */
#ifndef PM_DEGREE_TERMS_H
#define PM_DEGREE_TERMS_H

#include <stdint.h>

#include "bounds/rounded_sum.h"
#include "pm/status.h"

/* *s += sum over j = 1 .. n of log g(min(j, c_j)), the degrees c in descending order.
 * degree: [n], 0 or more, in any order.  Fails: PM_ENOMEM. */
pm_status pm_degree_terms_add(const int64_t *degree, int64_t n, pm_rounded_sum *s, pm_error *err);

/* *s += sum over j = 1 .. n of log g(j).  The number of threads changes no digit. */
void pm_degree_terms_add_all(int64_t n, int threads, pm_rounded_sum *s);

#endif
