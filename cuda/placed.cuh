// SPDX-License-Identifier: GPL-3.0-or-later
// placed.cuh: as dense.cuh, but with row sums and matrix in the kind of memory that a published
// kernel uses, to compare them: Ryser-Gx, -Rx, -SxC, -SxC-Sm of Yaglioglu 2021, section 3.1, and
// the pairs of SUperman (2026), table 4.  A term is a flip of one column and a product, in a loop.
//
// Global row sums are an array of the thread that does not fit registers or is indexed by
// variables: the compiler puts it in device memory, and the accesses of a warp are coalesced.
//
// The threads of a warp flip the same column at each step.  With PM_UNALIGNED each thread starts at
// another position of its Gray code, as if the terms were divided into parts that are no powers of
// two (SUperman, section 3.1.1: without CEG).
//
// The text before it defines, in addition to the macros of dense.cuh: PM_SUMS, the memory of the
// row sums; PM_MATRIX, the memory of the matrix; PM_UNALIGNED.

// pm_memory of include/pm/backend.h
#define PM_IN_REGISTERS 1
#define PM_IN_SHARED    2
#define PM_IN_GLOBAL    3
#define PM_IN_CONSTANT  4

enum { PM_START = PM_FLIPS + PM_SLOW, PM_RAISED, PM_ENTRIES = (PM_RAISED + 1) * PM_WIDTH };

#if PM_MATRIX == PM_IN_CONSTANT
PM_TABLE pm_x pm_table[PM_ENTRIES];
#else
PM_GLOBAL pm_x pm_table[PM_ENTRIES];
#endif

#if PM_SUMS == PM_IN_REGISTERS
#define PM_ROWS PM_UNROLL
#else
#define PM_ROWS PM_LOOP
#endif
#if PM_SUMS == PM_IN_SHARED
enum { PM_STRIDE = PM_THREADS, PM_CELLS = PM_WIDTH * PM_THREADS };
#else
enum { PM_STRIDE = 1, PM_CELLS = 0 };
#endif

// The matrix as the threads of a block read it.
#if PM_MATRIX == PM_IN_SHARED
#define PM_FILLS_SHARED 1
PM_FN void pm_dev_fill_shared(pm_x *shared, unsigned self)
{
    for (unsigned k = self; k < PM_ENTRIES; k += PM_THREADS)
        shared[PM_CELLS + k] = pm_table[k];
}
PM_FN const pm_x *pm_dev_matrix(const pm_x *shared)
{
    return shared + PM_CELLS;
}
#else
PM_FN const pm_x *pm_dev_matrix(const pm_x *shared)
{
    (void)shared;
    return pm_table;
}
#endif

// The set of columns with the sign - at this position of a segment.
PM_FN pm_u64 pm_minus(pm_u64 segment, pm_u64 position)
{
    return (position ^ position >> 1) | pm_slow_columns(segment) << PM_FLIPS;
}

PM_FN void pm_set(const pm_x *matrix, pm_x *x, pm_u64 minus)
{
    PM_ROWS
    for (int i = 0; i < PM_WIDTH; ++i)
        x[i * PM_STRIDE] = matrix[PM_START * PM_WIDTH + i];
    PM_LOOP
    for (int j = 0; j < PM_FLIPS + PM_SLOW; ++j) {
        pm_x s = minus >> j & 1 ? -1 : 0;
        PM_ROWS
        for (int i = 0; i < PM_WIDTH; ++i)
            x[i * PM_STRIDE] = pm_moved(s, matrix[j * PM_WIDTH + i], x[i * PM_STRIDE]);
    }
}

PM_FN void pm_row(const pm_x *x, int i, pm_x *out)
{
    PM_UNROLL
    for (int k = 0; k < PM_PARTS; ++k)
        out[k] = x[(i * PM_PARTS + k) * PM_STRIDE];
}

PM_FN double pm_dev_spread(const pm_x *matrix, pm_x *x, pm_u64 segment)
{
#if PM_SPREAD
    pm_x v[PM_PARTS];
    pm_raised r = {1, 1};
    pm_u64 position = pm_sampled_position(segment, PM_FLIPS);
    pm_set(matrix, x, pm_minus(segment, position));
    PM_ROWS
    for (int i = 0; i < PM_N; ++i) {
        pm_row(x, i, v);
        pm_raise(&r, v, matrix[PM_RAISED * PM_WIDTH + i]);
    }
    return pm_gained(&r);
#else
    (void)matrix, (void)x, (void)segment;
    return 0;
#endif
}

// The Gray code is cyclic, so a segment may begin at any position.
PM_FN unsigned pm_first_position(pm_u64 segment)
{
    return PM_UNALIGNED ? (unsigned)segment * 0x9e3779b1u : 0;
}

PM_FN void pm_dev_segment(pm_u64 segment, pm_x *shared, pm_record *out)
{
    const pm_x *matrix = pm_dev_matrix(shared - segment % PM_THREADS);
    pm_total total;
#if PM_SUMS == PM_IN_SHARED
    pm_x *x = shared;
#else
    pm_x x[PM_WIDTH];
#endif
    // First, not last: otherwise entries of the matrix that it reads would stay in registers
    // throughout.
    const double spread = pm_dev_spread(matrix, x, segment);
    pm_begin(&total, out);
    const unsigned positions = 1u << PM_FLIPS, first = pm_first_position(segment) % positions;
    pm_set(matrix, x, pm_minus(segment, first));
    PM_LOOP
    for (unsigned k = 0; k < positions; ++k) {
        unsigned position = PM_UNALIGNED ? (first + k) % positions : k;
        pm_x v[PM_PARTS];
        pm_number p;
        if (k) {
            int column = position ? PM_LOW_BIT(position) : PM_FLIPS - 1;
            pm_x s = (position ^ position >> 1) >> column & 1 ? -1 : 1;
            PM_ROWS
            for (int i = 0; i < PM_WIDTH; ++i)
                x[i * PM_STRIDE] = pm_moved(s, matrix[column * PM_WIDTH + i], x[i * PM_STRIDE]);
        }
        pm_one(&p);
        PM_ROWS
        for (int i = 0; i < PM_N; ++i) {
            pm_row(x, i, v);
            pm_times(&p, v, i);
        }
        pm_add(&total, &p, position & 1, k % PM_CHUNK == 0);
        if (k % PM_CHUNK == PM_CHUNK - 1)
            pm_flush(&total, out);
    }
    pm_finish(&total, pm_slow_columns(segment), spread, out);
}
