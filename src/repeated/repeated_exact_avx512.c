/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel of repeated_exact.h for AVX-512. */
#include "config.h"

#include "core/isa.h"

#if PM_HAVE_X86
#define PM_LANES 8
#include "repeated/repeated_exact_body.h"

PM_REPEATED_EXACT_RANGE(pm_repeated_exact_avx512)
#endif
