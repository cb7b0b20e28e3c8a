/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number/value_roots.h: values of pm/value.h that are sums of roots of unity. */
#ifndef PM_VALUE_ROOTS_H
#define PM_VALUE_ROOTS_H

#include "number/root_sum.h"
#include "pm/value.h"

/* v->roots = a copy of r; the rest of v does not change. */
void pm_value_put_roots(pm_value *v, const pm_root_sum *r);
/* v->roots = NULL; frees them. */
void pm_value_drop_roots(pm_value *v);
/* v, which has roots, becomes complex: rounded, with a bound of the error. */
void pm_value_round_roots(pm_value *v);
/* v = how(v, a), for exact values; complex and rounded where their common order is too large. */
void pm_value_combine_roots(pm_value *v, const pm_value *a,
                            bool (*how)(pm_root_sum *, const pm_root_sum *));
/* v = v^k, for v with roots.  Fails: as pm_value_pow. */
pm_status pm_value_pow_roots(pm_value *v, const mpz_t k, pm_error *err);

#endif
