/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/isa.h: which vector unit the kernels with several bodies use.  Chosen when first asked: the
 * best that the processor has, or the one that the environment variable PM_ISA names (portable,
 * avx2, avx512, avx512ifma) where the processor has it.  Results never depend on it. */
#ifndef PM_ISA_H
#define PM_ISA_H

#include <stdbool.h>

typedef enum {
    PM_ISA_PORTABLE,
    PM_ISA_AVX2,      /* and FMA, BMI2: x86-64-v3 */
    PM_ISA_AVX512,    /* F, BW, CD, DQ, VL: x86-64-v4 */
    PM_ISA_AVX512IFMA /* and IFMA52 */
} pm_isa;

pm_isa pm_isa_best(void);
/* PM_ISA is set to none of these names.  The best unit is used then. */
bool pm_isa_is_misnamed(void);
const char *pm_isa_name(pm_isa isa);

/* Compile one function for a vector unit; an always_inline body called from it follows. */
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
