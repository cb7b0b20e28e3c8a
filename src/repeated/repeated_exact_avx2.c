/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel of repeated_exact.h for AVX2 with FMA. */
#include "config.h"

#include "core/isa.h"

#if PM_HAVE_X86
#define PM_LANES 4
#include "repeated/repeated_exact_body.h"

PM_REPEATED_EXACT_RANGE(pm_repeated_exact_avx2)
#endif
