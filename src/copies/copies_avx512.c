/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of copies_problem.h for AVX-512. */
#include "config.h"

#include "core/isa.h"

#if PM_HAVE_X86
#define PM_LANES 8
#include "copies/copies_body.h"
#include "copies/walks_body.h"

PM_COPIES_TABLE(pm_copies_avx512);
PM_WALKS_TABLE(pm_walks_avx512);
#endif
