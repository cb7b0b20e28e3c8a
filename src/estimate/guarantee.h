/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/guarantee.h: an estimate that is proved to be within a factor 1 +- epsilon of the
 * permanent with probability at least 1 - delta.  The weights must have an upper bound.
 *
 * X = weight / bound is in [0, 1], with mean mu and variance v.  One of two methods is used,
 * the cheaper one:
 *
 * gamma (Huber 2017): coins that show heads with probability X are tossed until the k-th head; each
 * toss takes an exponentially distributed time.  The total time T is gamma distributed with shape k
 * and rate mu, so the distribution of the relative error of the estimate (k - 1)/T is known.
 *
 * mean, in three stages that fail with probability delta/3 each:
 *   1. A lower bound m of mu, from the time T of the k-th head: mu T has a known distribution.
 *   2. An upper bound V of v: of N ~ Poisson(rate) pairs of samples, coins with probability
 *      (X - X')^2 show A heads, Poisson with mean 2 v rate; V is the upper confidence bound.
 *   3. The mean of n = 2 ln(6/delta) (V + epsilon m / 3) / (epsilon m)^2 samples, which is within
 *      epsilon mu except with probability delta/3, by Bernstein's inequality:
 *      P(|mean - mu| >= t) <= 2 exp(-n t^2 / (2 (v + t/3))), t = epsilon mu, whose exponent grows
 *      with mu and falls with v.
 * The stages are those of Huber 2019 and of nesting importance sampling (ICML 2024).  In the last
 * stage Bernstein's inequality needs no other estimator than the mean, and costs the same.
 *
 * The method and the sizes of its stages follow from pilot samples, which are used for nothing
 * else. So the guarantee holds even when the pilot samples are misleading. */
#ifndef PM_GUARANTEE_H
#define PM_GUARANTEE_H

#include <stdint.h>

#include "pm/run.h"
#include "pm/status.h"
#include "sampler/sampler.h"

typedef struct {
    double epsilon, delta;   /* each in (0, 1) */
    bool by_mean;            /* the method: mean, or gamma */
    double heads;            /* k */
    double rate;             /* the expected number of pairs in stage 2 */
    double samples, seconds; /* predicted; seconds on one core */
    double mean, variance;   /* of X, from the pilot */
} pm_guarantee_plan;

typedef struct {
    pm_weight estimate;
    int64_t samples; /* without those of the pilot */
} pm_certified;

/* The relative error that each of `parts` factors may have when their product may have epsilon. */
double pm_guarantee_share(double epsilon, int64_t parts);

/* The least number of samples for any block: that for mu = 1. */
double pm_guarantee_least_samples(double epsilon, double delta);

/* Draws pilot samples, in rounds, and plans.  It draws no more rounds when run->max_cost is
 * certainly too low.  s: its method has is_bounded.
 * Fails: PM_UNABLE all pilot samples were dead ends, or more than 2^50 samples are predicted;
 * PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_guarantee_prepare(const pm_sampler *s, double epsilon, double delta, const pm_run *run,
                               pm_guarantee_plan *out, pm_error *err);

/* Estimates the permanent by the plan.
 * Fails: PM_UNABLE more than run->max_cost seconds of one core are predicted (the message has the
 * prediction), or the work is a hundred times as long as predicted; PM_ESTOPPED, PM_ENOMEM;
 * PM_EINTERNAL a weight is above its bound. */
pm_status pm_guarantee_run(const pm_sampler *s, const pm_guarantee_plan *plan, const pm_run *run,
                           pm_certified *out, pm_error *err);

#endif
