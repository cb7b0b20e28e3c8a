/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/lanes.h: vectors of doubles for one vector unit.  A file that is compiled for one defines
 * PM_LANES before it includes this header: 8 (AVX-512), 4 (AVX2 with FMA) or 2 (any machine).
 * Functions that use the vectors are PM_BODY; those that other files call have PM_BODY_TARGET. */
#ifndef PM_LANES_H
#define PM_LANES_H

#include <stdint.h>

#include "core/isa.h"

#ifndef PM_LANES
#define PM_LANES 2
#endif

#if PM_LANES == 8
#include <immintrin.h>
#define PM_BODY_TARGET PM_TARGET_AVX512
#elif PM_LANES == 4
#include <immintrin.h>
#define PM_BODY_TARGET PM_TARGET_AVX2
#else
#define PM_BODY_TARGET
#endif

#define PM_BODY static inline __attribute__((always_inline)) PM_BODY_TARGET

typedef double vec __attribute__((vector_size(8 * PM_LANES), may_alias));
typedef uint64_t words __attribute__((vector_size(8 * PM_LANES), may_alias)); /* or their bits */

#endif
