/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_exact_range.h: the range functions (sweep/sweep.h) for each vector unit.
 * problem: a pm_dense_plan.
 * pm_dense_exact_range_terms takes any plan and any range.  The others need a plan with groups, and
 * first and end must be multiples of 2^PM_DENSE_GRAIN_BITS.  Plans with the tail PM_DENSE_IFMA are
 * for the ifma function, which takes no other plans. */
#ifndef PM_DENSE_EXACT_RANGE_H
#define PM_DENSE_EXACT_RANGE_H

#include <stdint.h>

#include "core/isa.h"
#include "dense/dense_exact_plan.h"
#include "sweep/sum.h"

void pm_dense_exact_range_portable(const void *problem, uint64_t first, uint64_t end, pm_sum *sum);
#if PM_HAVE_X86
void pm_dense_exact_range_avx2(const void *problem, uint64_t first, uint64_t end, pm_sum *sum);
void pm_dense_exact_range_avx512(const void *problem, uint64_t first, uint64_t end, pm_sum *sum);
void pm_dense_exact_range_ifma(const void *problem, uint64_t first, uint64_t end, pm_sum *sum);
#endif
void pm_dense_exact_range_terms(const void *problem, uint64_t first, uint64_t end, pm_sum *sum);

#endif
