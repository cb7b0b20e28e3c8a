/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/guarantee.h: an estimate within a factor of 1 +- epsilon of the permanent with probability
 * at least 1 - delta, proven, from weights that have an upper bound.
 *
 * X = weight / bound is in [0, 1], with mean mu and variance v.  The cheaper of two ways is taken:
 *
 * gamma (Huber 2017): coins that show heads with probability X are tossed until the k-th head, each
 * toss taking an exponential time.  The time T is gamma distributed with shape k and rate mu, so
 * that (k - 1)/T is an estimate whose relative error has a distribution without unknowns.
 *
 * mean, in three stages that fail with probability delta/3 each:
 *   1. A lower bound m of mu, from the time T of the k-th head: mu T has a known distribution.
 *   2. An upper bound V of v: of N ~ Poisson(rate) pairs of samples, coins with probability
 *      (X - X')^2 show A heads, Poisson with mean 2 v rate; V is the upper confidence bound.
 *   3. The mean of n = 2 ln(6/delta) (V + epsilon m / 3) / (epsilon m)^2 samples, which is within
 *      epsilon mu but for probability delta/3 by Bernstein's inequality:
 *      P(|mean - mu| >= t) <= 2 exp(-n t^2 / (2 (v + t/3))), t = epsilon mu, whose exponent grows
 *      with mu and falls with v.
 * Stages as in Huber 2019 and in nesting importance sampling (ICML 2024); for the last one
 * Bernstein's inequality needs no estimator of its own, and costs as much.
 *
 * How the stages are sized, and which way is taken, follows from pilot samples that are used for
 * nothing else: so they can be wrong without harm to the guarantee. */
#ifndef PM_GUARANTEE_H
#define PM_GUARANTEE_H

#include <stdint.h>

#include "pm/run.h"
#include "pm/status.h"
#include "sampler/sampler.h"

typedef struct {
    double epsilon, delta;   /* each in (0, 1) */
    bool by_mean;            /* else gamma */
    double heads;            /* k */
    double rate;             /* of pairs, stage 2 */
    double samples, seconds; /* predicted; seconds on one core */
    double mean, variance;   /* of X, from the pilot */
} pm_guarantee_plan;

typedef struct {
    pm_weight estimate;
    int64_t samples; /* the pilot's not counted */
} pm_certified;

/* Parts of a product of so many estimates: each within the epsilon that is left, all together
 * within epsilon. */
double pm_guarantee_share(double epsilon, int64_t parts);

/* How many samples it takes at least, whatever the block. */
double pm_guarantee_least_samples(double epsilon, double delta);

/* Draws a pilot, in rounds; where one of them shows that run->max_cost is out of reach it is the
 * last.  s->method->is_bounded.
 * Fails: PM_UNABLE (no pilot sample alive, or predicted samples beyond 2^50), PM_ESTOPPED,
 * PM_ENOMEM. */
pm_status pm_guarantee_prepare(const pm_sampler *s, double epsilon, double delta, const pm_run *run,
                               pm_guarantee_plan *out, pm_error *err);

/* Refuses what is predicted to take more than run->max_cost seconds of one core.
 * Fails: PM_UNABLE (refused, with predicted samples and seconds in the message, or more than a
 * hundred times as long as predicted), PM_ESTOPPED, PM_ENOMEM, PM_EINTERNAL (a weight above its
 * bound). */
pm_status pm_guarantee_run(const pm_sampler *s, const pm_guarantee_plan *plan, const pm_run *run,
                           pm_certified *out, pm_error *err);

#endif
