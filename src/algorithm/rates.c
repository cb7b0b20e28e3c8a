/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "algorithm/rates.h"

typedef struct {
    const char *name, *unit;
} texts;

#define TEXT(id, name, seconds, unit)    {name, unit},
#define SECONDS(id, name, seconds, unit) seconds,

static const texts table[] = {PM_RATE_TABLE(TEXT)}, gpu_table[] = {PM_GPU_RATE_TABLE(TEXT)};

const pm_rates pm_rates_nominal = {
    PM_ISA_AVX512IFMA, {PM_RATE_TABLE(SECONDS)}, {PM_GPU_RATE_TABLE(SECONDS)}, ""};

const char *pm_rate_name(pm_rate r)
{
    return table[r].name;
}

const char *pm_rate_unit(pm_rate r)
{
    return table[r].unit;
}

const char *pm_gpu_rate_name(pm_gpu_rate r)
{
    return gpu_table[r].name;
}

const char *pm_gpu_rate_unit(pm_gpu_rate r)
{
    return gpu_table[r].unit;
}
