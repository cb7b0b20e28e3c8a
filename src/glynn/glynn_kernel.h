/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glynn/glynn_kernel.h: the input and the output of the kernels of glynn.h.
 *
 * The signs of columns 0 .. 2 distinguish the eight lanes of a vector, those of columns 3 .. 5 the
 * eight *patterns* that are summed together, those of columns 6 .. n - 2 the *tiles*; column n - 1
 * always has the sign +1.
 *
 * Row sums are exact: the entries of a row are multiples of one unit, and every sum of them fits a
 * double.  A number is one double, or the sum of two, high and low, for which this holds each. */
#ifndef PM_GLYNN_KERNEL_H
#define PM_GLYNN_KERNEL_H

#include <stdint.h>

enum {
    PM_GLYNN_MAX = 20, /* rows */
    /* Rows of a kernel: 4, where the lanes have all signs and there is one pattern, or 7 and more.  Other matrices
     * are extended by ones on the diagonal. */
    PM_GLYNN_FEW = 4,
    PM_GLYNN_LEAST = 7,
    PM_GLYNN_LANES = 8,
    PM_GLYNN_LANE_BITS = 3,
    PM_GLYNN_PATTERNS = 8,
    PM_GLYNN_PATTERN_BITS = 3,
    PM_GLYNN_GROUPS = 3, /* of rows, at most */
    PM_GLYNN_TILE_BITS = PM_GLYNN_LANE_BITS + PM_GLYNN_PATTERN_BITS
};

/* The rows of the kernel that takes a matrix of n rows. */
static inline int pm_glynn_rows(int n)
{
    return n <= PM_GLYNN_FEW ? PM_GLYNN_FEW : n < PM_GLYNN_LEAST ? PM_GLYNN_LEAST : n;
}

typedef struct {
    int n;     /* PM_GLYNN_FEW, or PM_GLYNN_LEAST .. PM_GLYNN_MAX */
    int parts; /* doubles of an entry, 1, 2 or 4: x; high, low; re, im; re high, re low, im high,
                * im low */
    /* Column j begins at entry + j n parts; its rows follow one another, each with its parts. */
    double entry[4 * PM_GLYNN_MAX * PM_GLYNN_MAX];
    /* Integers: the rows in groups, one after another; group k ends before row group_end[k]. */
    int groups, group_end[PM_GLYNN_GROUPS];
} pm_glynn;

typedef struct {
    /* For each lane the sum of its terms without the sign of the lane: high + low. */
    double re[PM_GLYNN_LANES][2], im[PM_GLYNN_LANES][2];
    double absolute; /* the sum of |terms|; complex: of |re| + |im| */
} pm_glynn_sum;

typedef void pm_glynn_kernel(const pm_glynn *g, pm_glynn_sum *out);

/* high 2^64 + low */
typedef struct {
    __int128 high;
    uint64_t low;
} pm_glynn_wide;

/* The sum of the terms, where each is the product of one factor of at most 53 bits for each group: the
 * product over its rows.  Two or three groups. */
typedef pm_glynn_wide pm_glynn_grouped(const pm_glynn *g);

/* All vector units give the same digits. */
typedef struct {
    pm_glynn_kernel *real, *real_exact, *complex, *complex_exact; /* _exact: parts 2 and 4 */
    pm_glynn_grouped *grouped;
} pm_glynn_kernels;

extern const pm_glynn_kernels pm_glynn_portable, pm_glynn_avx2, pm_glynn_avx512;

#endif
