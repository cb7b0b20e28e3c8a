/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "algorithm/gpu_plan.h"

#include <stdio.h>
#include <string.h>

#include "core/machine.h"
#include "pm/settings.h"

void pm_gpu_name(const pm_gpu_info *info, char out[PM_GPU_NAME])
{
    snprintf(out, PM_GPU_NAME, "%s, driver for %d.%d", info->name, info->driver / 1000,
             info->driver % 1000 / 10);
}

double pm_gpu_nominal_start(int count)
{
    return pm_rates_nominal.gpu[PM_GPU_RATE_START] + PM_GPU_MORE_START_SECONDS * (count - 1);
}

/* The calibrated factors, if they were measured on such a device, or the nominal ones. */
static const double *rates_for(const pm_rates *rates, const pm_gpu_info *info)
{
    char name[PM_GPU_NAME];
    pm_gpu_name(info, name);
    return strcmp(rates->gpu_name, name) == 0 ? rates->gpu : pm_rates_nominal.gpu;
}

static void set_target(int gpus, const pm_rates *rates, pm_gpu_rate family, const pm_gpu_info *info,
                       int count, pm_gpu_target *out)
{
    const double *rate = rates_for(rates, info);
    bool is_measured = rate != pm_rates_nominal.gpu;
    double factor = family == PM_GPU_RATES ? 1 : rate[family];
    *out = (pm_gpu_target){.gpus = gpus > 0 ? gpus
                                   : gpus   ? count
                                            : 1,
                           .double_rate = info->double_rate / factor,
                           .single_rate = info->single_rate / factor,
                           .memory_rate = info->memory_rate / factor,
                           .shared = info->shared,
                           .major = info->major,
                           .minor = info->minor,
                           .word_rate = info->word_rate / factor,
                           .start =
                               is_measured ? rate[PM_GPU_RATE_START] : pm_gpu_nominal_start(count)};
}

bool pm_gpu_integers_are_misnamed(void)
{
    const char *wanted = pm_settings_get()->gpu_integers;
    return wanted && strcmp(wanted, "words") != 0 && strcmp(wanted, "doubles") != 0;
}

bool pm_gpu_prefers_words(const pm_job *job)
{
    pm_gpu_info info;
    const char *wanted = pm_settings_get()->gpu_integers;
    (void)job;
    if (wanted)
        return strcmp(wanted, "words") == 0;
    return pm_gpu_get_info(0, &info, NULL) == PM_OK
           && info.word_rate > PM_GPU_WORDS_WORTH * info.double_rate;
}

pm_status pm_gpu_target_find(int gpus, const pm_rates *rates, pm_gpu_rate family,
                             pm_gpu_target *out, pm_error *err)
{
    int count;
    pm_gpu_info info;
    pm_status status = pm_gpu_count(&count, err);
    if (!status && gpus > count)
        status = pm_fail(err, PM_ENODEV, "expected %d GPUs, found %d", gpus, count);
    if (!status)
        status = pm_gpu_get_info(0, &info, err);
    if (status)
        return status;
    set_target(gpus, rates, family, &info, count, out);
    bool may_be_ready = family == PM_GPU_RATE_FRONTIER || family == PM_GPU_RATE_FRONTIER_EXACT;
    if (may_be_ready && out->gpus > PM_GPU_MAX) /* only in plans, for devices that are not there */
        out->gpus = PM_GPU_MAX;
    status = pm_gpu_can_compile(info.major, info.minor, err);
    out->has_compiler = !status;
    return status == PM_ENODEV && may_be_ready ? PM_OK : status;
}

void pm_gpu_plan_set(const pm_gpu_target *target, double operations, double seconds, pm_plan *plan)
{
    plan->operations = operations;
    plan->seconds = seconds / target->gpus + target->start;
    plan->memory = PM_GPU_PLAN_BYTES;
    plan->is_serial = true;
}
