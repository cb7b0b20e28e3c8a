/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/guarantee_stages.h: what the plan of a guarantee and its execution share. */
#ifndef PM_GUARANTEE_STAGES_H
#define PM_GUARANTEE_STAGES_H

#include <stdint.h>

/* Every stage has samples and coins of its own: those of a stage begin at sample stage 2^56. */
typedef enum { PM_STAGE_HEADS = 1, PM_STAGE_PAIRS, PM_STAGE_MEAN, PM_STAGE_PILOT } pm_stage;

static inline uint64_t pm_stage_first(pm_stage g)
{
    return (uint64_t)g << 56;
}

/* m of stage 1, where the last head came at `time` */
double pm_stage_lower_mean(double heads, double time, double delta);
/* V of stage 2, where `seen` coins showed heads */
double pm_stage_upper_variance(double seen, double rate, double delta);
/* n of stage 3 */
double pm_stage_samples(double epsilon, double delta, double m, double variance);

#endif
