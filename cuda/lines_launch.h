/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/lines_launch.h: a block as kernels that draw a sample with a warp have it: one piece of
 * memory, and where in it what lies.  The text is CUDA C++ too (cuda/philox_block.h). */
#ifndef PM_LINES_LAUNCH_H
#define PM_LINES_LAUNCH_H

#ifndef PM_KERNEL_TEXT
#include "cuda/sample_sequence.h"
#endif

/* Lines of one side, in bytes from the beginning.  Neighbour t of line i is at[t n + i]. */
typedef struct {
    uint64_t length; /* int32_t, of each line */
    uint64_t at;     /* uint16_t */
    uint64_t share;  /* float: entries as scaling sees them; where there are entries */
    uint64_t part;   /* uint32_t: of degree/degree_lists.h; where there are entries */
    uint64_t value;  /* double: the entries */
    uint64_t scale;  /* float: where it starts */
    uint64_t mask;   /* uint64_t: neighbours; of 64 lines or less without entries */
} pm_lines_side;

typedef struct {
    pm_lines_side row, column;
    uint64_t sets;  /* uint16_t: sets of PM_COMPLETE rows or less, by size; from size 1 */
    uint64_t table; /* uint32_t: T of cuda/degree_masks.h */
    uint64_t seed;
    int64_t exponent; /* of the permanent: sampler/neighbours.h */
    uint32_t block, unused;
} pm_lines_launch;

#endif
