/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/interval.h: confidence intervals of a mean of heavy-tailed weights, and when to stop.
 *
 * What is known of an estimate is kept in a unit: the estimate itself, so that variance and third
 * cumulant are those of (mean / truth - 1) and add up over products of independent estimates, to
 * first order; or, for a sum that nearly cancels, the size of its terms. */
#ifndef PM_INTERVAL_H
#define PM_INTERVAL_H

#include <stdbool.h>

#include "sampler/moments.h"

typedef struct {
    double variance;      /* of the mean, in units squared */
    double third;         /* third cumulant of the mean, in units cubed */
    double freedom;       /* degrees of freedom of the variance; INFINITY: exact */
    double tail_k;        /* the worst of the parts; NAN: unknown */
    double rounding;      /* in units, at most: all that is unknown where every sample is exact */
    bool has_both_signs;  /* of terms: what is missed may lie on either side */
    bool may_be_opposite; /* and they nearly cancel: the truth may have the other sign, or be 0 */
    bool is_power;        /* its logarithm is nearly normal, whatever its width */
    bool is_lost;         /* first order says nothing of it */
    double centre;        /* the estimate, in units; looked at where it may be opposite, else 1 */
} pm_spread;

/* branches: of how many branches a sample holds its share (pm_sampler.branches).
 * The variance is that of the sample and, in addition, what it may not have seen: a branch that
 * n samples all miss, at 95 %, has a probability of 3/n at most, and weights like the others' or
 * none.  So no spread is 0, however equal the weights; of many samples only this is negligible. */
pm_spread pm_spread_of(const pm_sample_summary *s, int64_t branches);
/* Of a whole that changes by wa and wb units with one unit of either part.  Terms have the weights
 * of their units in that of the sum, factors 1 each.  No centre. */
pm_spread pm_spread_sum(pm_spread a, double wa, pm_spread b, double wb);
/* Is every sample exact, but for rounding? */
bool pm_spread_is_exact(pm_spread s);
/* Standard error over the estimate. */
double pm_spread_relative_error(pm_spread s);

typedef enum { PM_INTERVAL_LOG_T, PM_INTERVAL_HALL } pm_interval_kind;

/* low <= centre <= high, in the units of the spread; low >= 0 where the sign is certain. */
typedef struct {
    double low, high;
    pm_interval_kind kind;
    bool is_reliable; /* tail_k <= 0.7, and samples enough to tell */
    bool has_tail;    /* tail_k > 0.7 */
    bool is_wide;     /* half-width above 0.2 of the estimate: to be read with caution */
    bool is_lost;     /* as the spread's */
} pm_interval;

/* Hall's where the tail is heavy or the interval wide; else, and for powers, log-t, but with Hall's upper
 * end where that is larger, and its lower one where terms have both signs.  Where they nearly cancel, what
 * holds Hall's and Student's.  level in (0, 1), as 0.95.
 * Sources: Hall 1992; Vehtari, Simpson, Gelman, Yao, Gabry 2024. */
pm_interval pm_interval_of(pm_spread s, double level);
/* Has the wider side reached this half-width, relative to the estimate? */
bool pm_interval_is_within(pm_spread s, double level, double half_width);

/* perm >= this times the estimate with probability >= level, whatever the tail (Markov). */
double pm_tail_free_lower(const pm_sample_summary *s, double level);

/* z with level = P(|N(0, 1)| <= z). */
double pm_normal_quantile(double level);

#endif
