/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/guarantee_stages.h: formulas that guarantee.c and guarantee_plan.c use. */
#ifndef PM_GUARANTEE_STAGES_H
#define PM_GUARANTEE_STAGES_H

#include <stdint.h>

/* Every stage has its own samples, from number stage * 2^56 on, and its own coins. */
typedef enum { PM_STAGE_HEADS = 1, PM_STAGE_PAIRS, PM_STAGE_MEAN, PM_STAGE_PILOT } pm_stage;

static inline uint64_t pm_stage_first(pm_stage g)
{
    return (uint64_t)g << 56;
}

/* m of stage 1; time: that of the k-th head, k = heads */
double pm_stage_lower_mean(double heads, double time, double delta);
/* V of stage 2; seen: the number of heads, A */
double pm_stage_upper_variance(double seen, double rate, double delta);
/* n of stage 3 */
double pm_stage_samples(double epsilon, double delta, double m, double variance);

#endif
