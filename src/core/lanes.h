/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/lanes.h: vectors of numbers for one vector unit.  A file that is compiled for one defines
 * PM_LANES before it includes this header, the doubles of a vector: 8 (AVX-512), 4 (AVX2 with FMA) or
 * 2 (any machine).  The elements of a vector are doubles or, where PM_IN_SINGLE is defined, twice as
 * many floats.
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

#ifdef PM_IN_SINGLE
typedef float element __attribute__((may_alias)); /* tables of doubles are narrowed in place */
typedef uint32_t element_word;
#define PM_ELEMENTS (2 * PM_LANES)
#else
typedef double element;
typedef uint64_t element_word;
#define PM_ELEMENTS PM_LANES
#endif

typedef element vec __attribute__((vector_size(8 * PM_LANES), may_alias));
typedef element_word words
    __attribute__((vector_size(8 * PM_LANES), may_alias)); /* or their bits */

#endif
