/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/isa.h"

#include <string.h>

#include "pm/settings.h"

enum { ISAS = PM_ISA_AVX512IFMA + 1 };

static const char *const names[ISAS] = {"portable", "avx2", "avx512", "avx512ifma"};

static pm_isa of_processor(void)
{
#if PM_HAVE_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v4"))
        return __builtin_cpu_supports("avx512ifma") ? PM_ISA_AVX512IFMA : PM_ISA_AVX512;
    if (__builtin_cpu_supports("x86-64-v3"))
        return PM_ISA_AVX2;
#endif
    return PM_ISA_PORTABLE;
}

pm_isa pm_isa_best(void)
{
    pm_isa best = of_processor();
    const char *wanted = pm_settings_get()->isa;
    for (int i = 0; wanted && i < (int)best; ++i)
        if (strcmp(wanted, names[i]) == 0)
            best = (pm_isa)i;
    return best;
}

bool pm_isa_is_misnamed(void)
{
    const char *wanted = pm_settings_get()->isa;
    bool is_known = !wanted;
    for (int i = 0; i < ISAS && !is_known; ++i)
        is_known = strcmp(wanted, names[i]) == 0;
    return !is_known;
}

const char *pm_isa_name(pm_isa isa)
{
    return names[isa];
}
