/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel of front_kernel.h for any machine, and the choice of a kernel. */
#include "config.h"

#define PM_LANES 2
#include "elimination/front_body.h"

PM_FRONT_KERNEL(pm_front_portable)

const pm_front_kernel *pm_front_kernel_for(pm_isa isa)
{
#if PM_HAVE_X86
    if (isa >= PM_ISA_AVX512)
        return &pm_front_avx512;
    if (isa >= PM_ISA_AVX2)
        return &pm_front_avx2;
#endif
    (void)isa;
    return &pm_front_portable;
}
