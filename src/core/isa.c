/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/isa.h"

#include <stdatomic.h>
#include <string.h>

#if PM_HAVE_X86
#include <cpuid.h>
#endif

#include "pm/settings.h"

enum { ISAS = PM_ISA_AVX512IFMA + 1 };

static const char *const names[ISAS] = {"portable", "avx2", "avx512", "avx512ifma"};

#if PM_HAVE_X86
#if defined(__clang__) && __clang_major__ < 18
/* These compilers make code for the levels, but do not know their names here. */
static bool has_level3(void)
{
    unsigned a, b, c = 0, d, extended = 0;
    __get_cpuid(1, &a, &b, &c, &d);
    __get_cpuid(0x80000001, &a, &b, &extended, &d);
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
           && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && (c & bit_MOVBE)
           && (c & bit_F16C) && (extended & bit_LZCNT);
}

static bool has_level4(void)
{
    return has_level3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
           && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
           && __builtin_cpu_supports("avx512vl");
}
#else
static bool has_level3(void)
{
    return __builtin_cpu_supports("x86-64-v3");
}

static bool has_level4(void)
{
    return __builtin_cpu_supports("x86-64-v4");
}
#endif
#endif

static pm_isa of_processor(void)
{
#if PM_HAVE_X86
    __builtin_cpu_init();
    if (has_level4())
        return __builtin_cpu_supports("avx512ifma") ? PM_ISA_AVX512IFMA : PM_ISA_AVX512;
    if (has_level3())
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

bool pm_isa_has_sha(void)
{
#if PM_HAVE_X86
    enum { UNKNOWN, NO, YES };
    static atomic_int known = UNKNOWN; /* the question takes a microsecond on virtual machines */
    if (known == UNKNOWN) {
        unsigned a, b = 0, c, d;
        __get_cpuid_count(7, 0, &a, &b, &c, &d);
        known = (b & bit_SHA) && __builtin_cpu_supports("sse4.1") ? YES : NO;
    }
    const char *wanted = pm_settings_get()->isa;
    return known == YES && !(wanted && strcmp(wanted, names[PM_ISA_PORTABLE]) == 0);
#else
    return false;
#endif
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
