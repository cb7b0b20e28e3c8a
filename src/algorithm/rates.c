/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "algorithm/rates.h"

typedef struct {
    const char *name, *unit;
} texts;

#define TEXT(id, name, seconds, portable, avx2, unit)     {name, unit},
#define GPU_TEXT(id, name, value, unit)                   {name, unit},
#define SECONDS(id, name, seconds, portable, avx2, unit)  seconds,
#define AVX2(id, name, seconds, portable, avx2, unit)     (seconds) * (avx2),
#define PORTABLE(id, name, seconds, portable, avx2, unit) (seconds) * (portable),
#define GPU_VALUE(id, name, value, unit)                  value,

static const texts table[] = {PM_RATE_TABLE(TEXT)}, gpu_table[] = {PM_GPU_RATE_TABLE(GPU_TEXT)};

#define RATES(isa, of)                                                                             \
    {                                                                                              \
        isa, {PM_RATE_TABLE(of)}, {PM_GPU_RATE_TABLE(GPU_VALUE)}, ""                               \
    }

const pm_rates pm_rates_nominal = RATES(PM_ISA_AVX512IFMA, SECONDS);

static const pm_rates portable_rates = RATES(PM_ISA_PORTABLE, PORTABLE),
                      avx2_rates = RATES(PM_ISA_AVX2, AVX2),
                      avx512_rates = RATES(PM_ISA_AVX512, SECONDS);

const pm_rates *pm_rates_nominal_of(pm_isa isa)
{
    static const pm_rates *const rates[] = {[PM_ISA_PORTABLE] = &portable_rates,
                                            [PM_ISA_AVX2] = &avx2_rates,
                                            [PM_ISA_AVX512] = &avx512_rates,
                                            [PM_ISA_AVX512IFMA] = &pm_rates_nominal};
    return rates[isa];
}

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
