/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/hafnian_kernels.h: the kernels of hafnians for each vector unit of this processor. */
#ifndef PM_TEST_HAFNIAN_KERNELS_H
#define PM_TEST_HAFNIAN_KERNELS_H

#include "core/isa.h"
#include "hafnian/hafnian_kernel.h"

/* As many kernels as the processor has, at most three; returns how many. */
static inline int hafnian_kernels(const pm_hafnian_kernels **out)
{
    int count = 0;
    out[count++] = &pm_hafnian_portable;
#if PM_HAVE_X86
    if (pm_isa_best() >= PM_ISA_AVX2)
        out[count++] = &pm_hafnian_avx2;
    if (pm_isa_best() >= PM_ISA_AVX512)
        out[count++] = &pm_hafnian_avx512;
#endif
    return count;
}

#endif
