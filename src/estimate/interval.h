/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/interval.h: confidence intervals of a mean of heavy-tailed weights, and when to stop.
 *
 * The spread of an estimate is relative to its unit.  The unit is the estimate itself: then
 * variance and third cumulant are those of (mean / truth - 1), and for a product of independent
 * estimates they add up, to first order.  For a sum whose terms nearly cancel the unit is the size
 * of the terms. */
#ifndef PM_INTERVAL_H
#define PM_INTERVAL_H

#include <stdbool.h>

#include "sampler/moments.h"

typedef struct {
    double variance;     /* of the mean, in units squared */
    double third;        /* third cumulant of the mean, in units cubed */
    double freedom;      /* degrees of freedom of the variance; INFINITY: exact */
    double tail_k;       /* the largest tail index of the parts; NAN: unknown */
    double rounding;     /* bound of the rounding error, in units */
    bool has_both_signs; /* there are terms of both signs: rare samples may change the value in both
                          * directions */
    bool may_be_opposite; /* and they nearly cancel: the true value may be 0 or opposite */
    bool is_power;        /* a power: its logarithm is nearly normal, also for a large variance */
    bool is_lost;         /* the first-order formulas do not hold: nothing is known */
    double centre;        /* the estimate, in units; used when may_be_opposite, else 1 */
} pm_spread;

/* The spread of a mean of samples.  branches: pm_sampler.branches.
 * The variance is that of the samples, plus a part for branches that no sample has reached: such a
 * branch has, at 95 %, a probability of at most 3/n, and its weights are assumed to be like the
 * others or 0.  So the spread is not 0 even when all weights are equal.  For many samples this part
 * is negligible. */
pm_spread pm_spread_of(const pm_sample_summary *s, int64_t branches);
/* The spread of a value that changes by wa of its units for a unit of a, and by wb for a unit of b.
 * For terms wa and wb are their units divided by the unit of the sum; for factors they are 1.  The
 * centre is not set. */
pm_spread pm_spread_sum(pm_spread a, double wa, pm_spread b, double wb);
/* True when there is no error but rounding. */
bool pm_spread_is_exact(pm_spread s);
/* Standard error divided by the estimate. */
double pm_spread_relative_error(pm_spread s);

typedef enum { PM_INTERVAL_LOG_T, PM_INTERVAL_HALL } pm_interval_kind;

/* low <= centre <= high, in the units of the spread; low >= 0 where the sign is certain. */
typedef struct {
    double low, high;
    pm_interval_kind kind;
    bool is_reliable; /* exact; or at least 4 degrees of freedom, and tail_k <= 0.7 or, where tail_k
                       * is unknown, a half-width of at most 0.3.  estimate_update.c sets it to
                       * false when the interval is wide and a block has fewer than min_samples */
    bool has_tail;    /* tail_k > 0.7 */
    bool is_wide;     /* half-width above 0.2 of the estimate: to be read with caution */
    bool is_lost;     /* as in the spread */
} pm_interval;

/* The confidence interval.  level: in (0, 1), for example 0.95.
 *   tail_k >= 0.5 or a half-width of the log-t interval above 0.3, not a power: Hall's interval.
 *   else: the log-t interval, with Hall's upper end when that is larger, and with Hall's lower end
 *     when it is smaller and terms have both signs.
 *   terms that nearly cancel: the least interval that contains Hall's and Student's.
 * Sources: Hall 1992; Vehtari, Simpson, Gelman, Yao, Gabry 2024. */
pm_interval pm_interval_of(pm_spread s, double level);
/* True when the wider side of the interval is at most half_width, relative to the estimate. */
bool pm_interval_is_within(pm_spread s, double level, double half_width);

/* With probability >= level, permanent >= (the result) * estimate.  This holds for every tail
 * (Markov). */
double pm_tail_free_lower(const pm_sample_summary *s, double level);

/* z with level = P(|N(0, 1)| <= z). */
double pm_normal_quantile(double level);

#endif
