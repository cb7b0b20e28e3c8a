/* SPDX-License-Identifier: GPL-3.0-or-later */
/* approx/interval.h: confidence intervals of a mean of heavy-tailed weights, and when to stop.
 *
 * An estimate is kept relative to its mean: variance and third cumulant of (mean / truth - 1).
 * For products of independent estimates both add up to first order, so blocks combine here. */
#ifndef PM_INTERVAL_H
#define PM_INTERVAL_H

#include <stdbool.h>

#include "approx/moments.h"

typedef struct {
    double variance;      /* relative, of the mean */
    double third;         /* third cumulant, relative, of the mean */
    double freedom;       /* degrees of freedom of the variance; INFINITY: exact */
    double tail_k;        /* the worst of the parts; NAN: unknown */
    double rounding;      /* relative, at most: all that is unknown where every sample is exact */
    bool may_be_opposite; /* terms of both signs: the truth may have the other sign, or be 0 */
} pm_spread;

/* branches: of how many branches a sample holds its share (pm_sampler.branches).
 * The variance is that of the sample and, in addition, what it may not have seen: a branch that
 * n samples all miss, at 95 %, has a probability of 3/n at most, and weights like the others' or
 * none.  So no spread is 0, however equal the weights; of many samples only this is negligible. */
pm_spread pm_spread_of(const pm_sample_summary *s, int64_t branches);
/* Of a whole of which wa and wb are the shares: by so many per cent does it change with one per
 * cent of the part.  Terms have shares that sum to 1, factors 1 each. */
pm_spread pm_spread_sum(pm_spread a, double wa, pm_spread b, double wb);

typedef enum { PM_INTERVAL_LOG_T, PM_INTERVAL_HALL } pm_interval_kind;

/* Is it a number known to the last bit? */
bool pm_spread_is_exact(pm_spread s);

/* low and high as factors of the estimate, low <= 1 <= high; low >= 0 where the sign is known. */
typedef struct {
    double low, high;
    pm_interval_kind kind;
    bool is_reliable; /* tail_k <= 0.7, and samples enough to tell */
    bool has_tail;    /* tail_k > 0.7 */
    bool is_wide;     /* half-width above 0.2: to be read with caution */
} pm_interval;

/* Hall's where the tail is heavy or the interval wide; else log-t, but with Hall's upper end where
 * that is larger.  Of terms of both signs what holds Hall's and Student's: what is missed may lie on
 * either side.  level in (0, 1), as 0.95.  Sources: Hall 1992; Vehtari, Simpson, Gelman, Yao, Gabry
 * 2024. */
pm_interval pm_interval_of(pm_spread s, double level);
/* Has the wider side reached this relative half-width? */
bool pm_interval_is_within(pm_spread s, double level, double half_width);

/* perm >= this times the estimate with probability >= level, whatever the tail (Markov). */
double pm_tail_free_lower(const pm_sample_summary *s, double level);

/* z with level = P(|N(0, 1)| <= z). */
double pm_normal_quantile(double level);

#endif
