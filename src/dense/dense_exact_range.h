/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/dense_exact_range.h: ranges of terms (sweep/sweep.h) on each vector unit; problem: a
 * pm_dense_plan.  The last one takes any plan and any range, the others plans with groups and
 * ranges that begin and end at multiples of 2^PM_DENSE_GRAIN_BITS; IFMA is for its own plans. */
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
