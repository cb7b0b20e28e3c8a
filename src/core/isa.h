/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/isa.h: the vector unit (instruction set) for kernels that are compiled for several of them:
 * the best one of the processor, or the one that pm_settings.isa names if the processor has it.
 * Results never depend on it. */
#ifndef PM_ISA_H
#define PM_ISA_H

#include <stdbool.h>

typedef enum {
    PM_ISA_PORTABLE,
    PM_ISA_AVX2,      /* and FMA, BMI2: x86-64-v3 */
    PM_ISA_AVX512,    /* F, BW, CD, DQ, VL: x86-64-v4 */
    PM_ISA_AVX512IFMA /* and IFMA52 */
} pm_isa;

/* The vector unit to use. */
pm_isa pm_isa_best(void);
/* True when pm_settings.isa is set and is none of the names.  pm_isa_best ignores it then. */
bool pm_isa_is_misnamed(void);
/* Whether the instructions for SHA-256 are to be used: unless pm_settings.isa is "portable". */
bool pm_isa_has_sha(void);
/* "portable", "avx2", "avx512" or "avx512ifma". */
const char *pm_isa_name(pm_isa isa);

/* Attributes that compile one function for a vector unit, together with the always_inline functions
 * that it calls. */
#if defined(__x86_64__) && defined(__GNUC__)
#define PM_HAVE_X86    1
#define PM_TARGET_AVX2 __attribute__((target("arch=x86-64-v3")))
#ifdef __clang__
#define PM_TARGET_AVX512     __attribute__((target("arch=x86-64-v4")))
#define PM_TARGET_AVX512IFMA __attribute__((target("arch=x86-64-v4,avx512ifma")))
#else
#define PM_TARGET_AVX512 __attribute__((target("arch=x86-64-v4,prefer-vector-width=512")))
#define PM_TARGET_AVX512IFMA                                                                       \
    __attribute__((target("arch=x86-64-v4,avx512ifma,prefer-vector-width=512")))
#endif
#else
#define PM_HAVE_X86 0
#endif

#endif
