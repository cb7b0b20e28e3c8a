/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/front_kernel.h: dense fronts modulo several primes at once.
 *
 * A cell of a front is a vector of residues, one for each of a few primes, its lanes.  Every
 * operation is done in all lanes, so vector units are full even in the smallest front.  Primes are
 * below 2^24.  Residues are integers in doubles, of absolute value at most p/2 when reduced: a
 * product is below 2^46, and 32 products can be added to a cell exactly before it is reduced.  So
 * the result does not depend on the vector unit. */
#ifndef PM_FRONT_KERNEL_H
#define PM_FRONT_KERNEL_H

#include <stdint.h>

#include "core/isa.h"

enum { PM_LANES_MAX = 8, PM_LANE_PRIME_BITS = 24, PM_LIMB_BITS = 22 };

/* Constants of the lanes.  Entries beyond the lanes of the kernel are ignored. */
typedef struct {
    double p[PM_LANES_MAX];     /* odd primes below 2^24 */
    double per_p[PM_LANES_MAX]; /* 1 / p, rounded */
    double radix[PM_LANES_MAX]; /* 2^PM_LIMB_BITS, reduced */
    double unit[PM_LANES_MAX];  /* a square root of -1, reduced: the imaginary unit */
} pm_lane_primes;

/* The integer sum of limb[i] 2^(PM_LIMB_BITS (n - 1 - i)), where |limb[i]| < 2^PM_LIMB_BITS. */
typedef struct {
    const double *limb;
    int64_t n;
} pm_limbs;

/* Cells are `lanes` doubles each, aligned to their size; matrices are stored by rows. */
typedef struct {
    int lanes;

    /* *cell += x, or -= x if is_negative, where x = re + im times the imaginary unit. */
    void (*add_entry)(const pm_lane_primes *q, double *cell, pm_limbs re, pm_limbs im,
                      int is_negative);

    /* front (m x m) += part (size x size); row and column x of part go to at[x]. */
    void (*add_part)(double *front, int32_t m, const double *part, int32_t size, const int32_t *at);

    /* Eliminates pairs among the first `most` of front (m x m).  Returns the number e of pairs that
     * were eliminated.  Cells (i, j) with i, j >= e then hold the Schur complement, reduced if
     * e > 0; its first most - e rows and columns are those without a pivot: none of their cells is
     * nonzero in all lanes.  *determinant is multiplied by the pivots, and by -1 for every exchange
     * of rows or of columns.  column: scratch, m cells. */
    int32_t (*eliminate)(const pm_lane_primes *q, double *front, int32_t m, int32_t most,
                         double *column, double *determinant);

    /* Replaces the inverse of a matrix by that of the matrix without one row and one column.  cells: the inverse, m x m
     * cells in rows of `stride` cells, reduced.  Its row `row` and its column `col` are those that are left out: they
     * are exchanged with the last ones, and the first m - 1 rows and columns become the smaller inverse.  Returns 0, and
     * changes nothing, if cell (row, col) is zero in a lane: the smaller matrix is singular there. */
    int (*shrink_inverse)(const pm_lane_primes *q, double *cells, int32_t stride, int32_t m,
                          int32_t row, int32_t col);

    /* ---- skew-symmetric fronts: only the cells below the diagonal are given ---- */

    void (*add_skew_part)(double *front, int32_t m, const double *part, int32_t size,
                          const int32_t *at);

    /* The same as eliminate, but two pairs at a time, so e is even.  row[x] is exchanged together with row
     * and column x; most entries.  Where b is the matrix of front with its rows and columns in the
     * sequence of row, *pfaffian is multiplied by that of the first e of b. */
    int32_t (*eliminate_skew)(const pm_lane_primes *q, double *front, int32_t m, int32_t most,
                              int32_t *row, double *column, double *pfaffian);
} pm_front_kernel;

enum { PM_CELL_ALIGNMENT = 64 }; /* bytes, enough for the cells of every kernel */

/* The first aligned place in memory, which has room for PM_CELL_ALIGNMENT bytes more. */
static inline double *pm_cells_in(void *memory)
{
    return (double *)(((uintptr_t)memory + PM_CELL_ALIGNMENT - 1) / PM_CELL_ALIGNMENT
                      * PM_CELL_ALIGNMENT);
}

/* A reduced residue of a cell as a number in 0 .. p - 1. */
static inline uint64_t pm_cell_residue(double x, uint32_t p)
{
    const int64_t r = (int64_t)x % (int64_t)p;
    return (uint64_t)(r < 0 ? r + p : r);
}

/* The fastest kernel that isa allows. */
const pm_front_kernel *pm_front_kernel_for(pm_isa isa);

extern const pm_front_kernel pm_front_avx512, pm_front_avx2, pm_front_portable;

#endif
