/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/isa.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWN = -1, ISAS = PM_ISA_AVX512IFMA + 1 };

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
    static atomic_int chosen = UNKNOWN;
    int isa = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (isa != UNKNOWN)
        return (pm_isa)isa;
    isa = of_processor();
    const char *wanted = getenv("PM_ISA");
    for (int i = 0; wanted && i < isa; ++i)
        if (strcmp(wanted, names[i]) == 0)
            isa = i;
    atomic_store_explicit(&chosen, isa, memory_order_relaxed);
    return (pm_isa)isa;
}

bool pm_isa_is_misnamed(void)
{
    const char *wanted = getenv("PM_ISA");
    bool is_known = !wanted;
    for (int i = 0; i < ISAS && !is_known; ++i)
        is_known = strcmp(wanted, names[i]) == 0;
    return !is_known;
}

const char *pm_isa_name(pm_isa isa)
{
    return names[isa];
}
