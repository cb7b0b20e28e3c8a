/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/pareto.h: how heavy the tail of the weights is.
 *
 * A generalised Pareto distribution is fitted to the M = min(n/5, 3 sqrt(n)) largest weights.  Its
 * shape k tells which moments exist: the variance for k < 1/2.  Above 0.7 intervals fail in
 * practice; below 1/2 is necessary for them to hold, not sufficient, since a tail that was never
 * met does not show. */
#ifndef PM_PARETO_H
#define PM_PARETO_H

#include <stdint.h>

#include "sampler/moments.h"

/* PSIS k-hat.  Source: Vehtari, Simpson, Gelman, Yao, Gabry 2024, "Pareto smoothed importance
 * sampling", with its prior at k = 1/2.  Two things are added, since weights of samplers take few
 * values: of equal weights all or none belong to the tail, and k is at most the mean of
 * log(weight / threshold) over the tail (Hill 1975), which a heavy tail makes large too, while
 * clusters of weights just above the threshold do not.
 * NAN: unknown, too few weights (or no memory to sort them); 0: the tail ends at its largest
 * weight, fewer than five others being kept. */
double pm_pareto_tail(const pm_moments *m);

/* Shape of a generalised Pareto distribution (positive: heavy), from n > 4 exceedances > 0 in
 * ascending order; no prior.  Source: Zhang and Stephens 2009. */
double pm_pareto_shape(const double *exceedance, int64_t n);

#endif
