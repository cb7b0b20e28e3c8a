// SPDX-License-Identifier: GPL-3.0-or-later
// placed.cuh: as dense.cuh, with row sums and matrix where one of the published kernels has them,
// to measure what that is worth: Ryser-Gx, -Rx, -SxC, -SxC-Sm of Yaglioglu 2021, section 3.1, and
// the pairs of SUperman (2026), table 4.  A term is a flip of one column and a product, in a loop.
//
// Global row sums are an array of the thread that is too large or too freely indexed for registers:
// it lies in device memory, such that the accesses of a warp are coalesced.
//
// Threads take their steps side by side, so that all flip the same column; PM_UNALIGNED: each begins
// elsewhere in its Gray code, as where the terms are shared out in parts that are no powers of two
// (SUperman, section 3.1.1: without CEG).
//
// Given, beside what dense.cuh asks for: PM_SUMS, where the row sums are; PM_MATRIX, where the
// matrix is; PM_UNALIGNED.

// As in pm/placement.h
#define PM_IN_REGISTERS 1
#define PM_IN_SHARED    2
#define PM_IN_GLOBAL    3
#define PM_IN_CONSTANT  4

enum { PM_START = PM_FLIPS + PM_SLOW, PM_RAISED, PM_ENTRIES = (PM_RAISED + 1) * PM_WIDTH };

#if PM_MATRIX == PM_IN_CONSTANT
PM_TABLE double pm_table[PM_ENTRIES];
#else
PM_GLOBAL double pm_table[PM_ENTRIES];
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

// Where the threads of a block read the matrix.
#if PM_MATRIX == PM_IN_SHARED
#define PM_SHARED 1
PM_FN void pm_share(double *shared, unsigned self)
{
    for (unsigned k = self; k < PM_ENTRIES; k += PM_THREADS)
        shared[PM_CELLS + k] = pm_table[k];
}
PM_FN const double *pm_matrix(const double *shared)
{
    return shared + PM_CELLS;
}
#else
PM_FN const double *pm_matrix(const double *shared)
{
    (void)shared;
    return pm_table;
}
#endif

// Columns with the sign minus at this place of a stream.
PM_FN pm_u64 pm_minus(pm_u64 stream, pm_u64 place)
{
    return (place ^ place >> 1) | stream << PM_FLIPS;
}

PM_FN void pm_set(const double *matrix, double *x, pm_u64 minus)
{
    PM_ROWS
    for (int i = 0; i < PM_WIDTH; ++i)
        x[i * PM_STRIDE] = matrix[PM_START * PM_WIDTH + i];
    PM_LOOP
    for (int j = 0; j < PM_FLIPS + PM_SLOW; ++j) {
        double s = minus >> j & 1 ? -1 : 0;
        PM_ROWS
        for (int i = 0; i < PM_WIDTH; ++i)
            x[i * PM_STRIDE] = fma(s, matrix[j * PM_WIDTH + i], x[i * PM_STRIDE]);
    }
}

PM_FN void pm_row(const double *x, int i, double *out)
{
    PM_UNROLL
    for (int k = 0; k < PM_PARTS; ++k)
        out[k] = x[(i * PM_PARTS + k) * PM_STRIDE];
}

PM_FN double pm_spread(const double *matrix, double *x, pm_u64 stream)
{
#if PM_SPREAD
    double v[PM_PARTS];
    pm_raised r = {1, 1};
    pm_u64 place = pm_sampled_place(stream, PM_FLIPS);
    pm_set(matrix, x, pm_minus(stream, place));
    PM_ROWS
    for (int i = 0; i < PM_N; ++i) {
        pm_row(x, i, v);
        pm_raise(&r, v, matrix[PM_RAISED * PM_WIDTH + i]);
    }
    return pm_gained(&r);
#else
    (void)matrix, (void)x, (void)stream;
    return 0;
#endif
}

// The Gray code is a circle: a stream may begin anywhere.
PM_FN unsigned pm_first_place(pm_u64 stream)
{
    return PM_UNALIGNED ? (unsigned)stream * 0x9e3779b1u : 0;
}

PM_FN void pm_stream(pm_u64 stream, double *cold, pm_record *out)
{
    const double *matrix = pm_matrix(cold - stream % PM_THREADS);
    pm_total total;
#if PM_SUMS == PM_IN_SHARED
    double *x = cold;
#else
    double x[PM_WIDTH];
#endif
    // First, not last: what is read of the matrix for it would stay in registers all the way.
    const double spread = pm_spread(matrix, x, stream);
    pm_begin(&total, out);
    const unsigned places = 1u << PM_FLIPS, first = pm_first_place(stream) % places;
    pm_set(matrix, x, pm_minus(stream, first));
    PM_LOOP
    for (unsigned k = 0; k < places; ++k) {
        unsigned place = PM_UNALIGNED ? (first + k) % places : k;
        double v[PM_PARTS];
        pm_number p;
        if (k) {
            int column = place ? PM_LOW_BIT(place) : PM_FLIPS - 1;
            double s = (place ^ place >> 1) >> column & 1 ? -1 : 1;
            PM_ROWS
            for (int i = 0; i < PM_WIDTH; ++i)
                x[i * PM_STRIDE] = fma(s, matrix[column * PM_WIDTH + i], x[i * PM_STRIDE]);
        }
        pm_one(&p);
        PM_ROWS
        for (int i = 0; i < PM_N; ++i) {
            pm_row(x, i, v);
            pm_times(&p, v, i);
        }
        pm_add(&total, &p, place & 1, k % PM_CHUNK == 0);
        if (k % PM_CHUNK == PM_CHUNK - 1)
            pm_flush(&total, out);
    }
    pm_finish(&total, stream, spread, out);
}
