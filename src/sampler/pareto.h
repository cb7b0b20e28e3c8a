/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/pareto.h: how heavy the tail of the weights is.
 *
 * A generalised Pareto distribution is fitted to the M = min(n/5, 3 sqrt(n)) largest of n weights.
 * Its shape k, the tail index, says which moments exist: the variance exists for k < 1/2.
 * Intervals fail in practice above k = 0.7.  A value below 1/2 is necessary for a valid interval
 * but not
 * sufficient: large weights that were never drawn do not change k. */
#ifndef PM_PARETO_H
#define PM_PARETO_H

#include <stdint.h>

#include "sampler/moments.h"

/* The tail index of the weights in *m (PSIS k-hat).
 * Source: Vehtari, Simpson, Gelman, Yao, Gabry 2024, "Pareto smoothed importance sampling", with
 * its prior at k = 1/2.  Two additions are ours, because weights of samplers take few values:
 * equal weights belong to the tail together or not at all; and k is at most the mean of
 * log(weight / threshold) over the tail (Hill 1975), which is large for a heavy tail but not for a
 * cluster of weights just above the threshold.
 * Returns NAN when there are too few weights or no memory to sort them; 0 when fewer than five
 * weights are above the threshold. */
double pm_pareto_tail(const pm_moments *m);

/* Shape of a generalised Pareto distribution, positive when its tail is heavy; no prior.
 * exceedance: n > 4 values > 0, ascending.  Source: Zhang and Stephens 2009. */
double pm_pareto_shape(const double *exceedance, int64_t n);

#endif
