// SPDX-License-Identifier: GPL-3.0-or-later
// dense.cuh: the terms of one segment of a full block in Glynn's form (dense/dense_float.h).
//
// The row sums stay in registers.  The flips of the PM_INNER first columns are written out, so that
// their entries are operands in constant memory; these do not use the ports of the registers, which
// limit the speed together with the multipliers.  The other columns flip once for 2^PM_INNER
// positions.
//
// The text before it defines, in addition to the macros of term.cuh: PM_INNER, the columns written
// out, at most 5; PM_FLIPS, the columns that flip in a segment; PM_SLOW, the columns that
// distinguish segments; PM_CHUNK, the positions whose terms are a chunk, a power of two, at most
// 2^PM_INNER; PM_SPREAD, 0 or 1: compute the spread; PM_LARGE, 0 or 1: the table is too large for
// constant memory.

enum {
    // rows of the table: first the columns that flip and the slow columns; then the row sums with
    // all signs +; then by how much these are raised for the spread
    PM_START = PM_FLIPS + PM_SLOW,
    PM_RAISED,
    // further columns whose entries are operands in constant memory too
    PM_OFTEN_MOST = 5,
    PM_OFTEN = PM_WIDTH > 128 ? 0 : PM_OFTEN_MOST,
    PM_DIRECT = PM_FLIPS - PM_INNER < PM_OFTEN ? PM_FLIPS - PM_INNER : PM_OFTEN
};

#if PM_LARGE
PM_GLOBAL pm_x pm_table[PM_RAISED + 1][PM_WIDTH];
#else
PM_TABLE pm_x pm_table[PM_RAISED + 1][PM_WIDTH];
#endif

PM_FN void pm_move(pm_x *x, pm_x sign, int row)
{
    PM_UNROLL
    for (int i = 0; i < PM_WIDTH; ++i)
        x[i] = pm_moved(sign, pm_table[row][i], x[i]);
}

PM_FN void pm_set(pm_x *x, pm_u64 minus)
{
    PM_UNROLL
    for (int i = 0; i < PM_WIDTH; ++i)
        x[i] = pm_table[PM_START][i];
    PM_LOOP
    for (int j = 0; j < PM_FLIPS + PM_SLOW; ++j) {
        pm_x s = minus >> j & 1 ? -1 : 0;
        pm_move(x, s, j);
    }
}

// Row sums are multiplied one after another: parallel products would need registers, and more
// thread blocks on a multiprocessor make better use of these.
PM_FN void pm_add_term(const pm_x *x, int position, pm_total *total)
{
    pm_number p;
    pm_one(&p);
    PM_UNROLL
    for (int i = 0; i < PM_N; ++i)
        pm_times(&p, x + i * PM_PARTS, i);
    pm_add(total, &p, position & 1, position % PM_CHUNK == 0);
}

// The spread of the term at a sampled position.  With many row sums there are no registers for a
// call.
#if PM_WIDTH <= 64
PM_APART
#else
PM_FN
#endif
double pm_dev_spread(pm_u64 segment, pm_u64 slow)
{
#if PM_SPREAD
    pm_raised r = {1, 1};
    pm_u64 position = pm_sampled_position(segment, PM_FLIPS);
    pm_u64 minus = (position ^ position >> 1) | slow << PM_FLIPS;
    PM_LOOP
    for (int i = 0; i < PM_N; ++i) {
        pm_x x[PM_PARTS];
        PM_UNROLL
        for (int k = 0; k < PM_PARTS; ++k)
            x[k] = pm_table[PM_START][i * PM_PARTS + k];
        PM_LOOP
        for (int j = 0; j < PM_FLIPS + PM_SLOW; ++j) {
            PM_UNROLL
            for (int k = 0; k < PM_PARTS; ++k)
                x[k] -= minus >> j & 1 ? pm_table[j][i * PM_PARTS + k] : 0;
        }
        pm_raise(&r, x, pm_table[PM_RAISED][i]);
    }
    return pm_gained(&r);
#else
    (void)segment, (void)slow;
    return 0;
#endif
}

// The number of the lowest 1 bit of i; a constant where the loop is unrolled.
PM_FN int pm_column(int i)
{
    return i & 1 ? 0 : i & 2 ? 1 : i & 4 ? 2 : i & 8 ? 3 : 4;
}

// The flip of a column that is not written out, before round b of 2^PM_INNER positions.  Columns
// that flip often are operands too.
#define PM_OPERANDS(column)                                                                        \
    case column: pm_move(x, s, column < PM_DIRECT ? PM_INNER + column : 0); break;
PM_FN void pm_flip(pm_x *x, int column, unsigned b)
{
    pm_x s = b >> (column + 1) & 1 ? 1 : -1;
    switch (column < PM_DIRECT ? column : PM_OFTEN_MOST) {
        PM_OPERANDS(0)
        PM_OPERANDS(1)
        PM_OPERANDS(2)
        PM_OPERANDS(3)
        PM_OPERANDS(4)
    default: pm_move(x, s, PM_INNER + column);
    }
}

PM_FN void pm_flip_inner(pm_x *x, int position, pm_x turn)
{
    int column = pm_column(position);
    PM_UNROLL
    for (int i = 0; i < PM_WIDTH; ++i) {
        pm_x entry = pm_table[column][i];
        if (column == PM_INNER - 1)
            x[i] = pm_moved(turn, entry, x[i]);
        else if (position >> (column + 1) & 1)
            x[i] += entry;
        else
            x[i] -= entry;
    }
}

// One position of a round of 2^PM_INNER, and all of them.  The positions are literals: a compiler
// with few optimisations (PM_GPU_QUICK of gpu/gpu.h) does not propagate them out of an unrolled loop.
#define PM_STEP(position)                                                                          \
    if (position)                                                                                  \
        pm_flip_inner(x, position, turn);                                                          \
    pm_add_term(x, position, &total);                                                              \
    if ((position) % PM_CHUNK == PM_CHUNK - 1)                                                     \
        pm_flush(&total, out);
#define PM_STEPS_2(first)  PM_STEP(first) PM_STEP(first + 1)
#define PM_STEPS_4(first)  PM_STEPS_2(first) PM_STEPS_2(first + 2)
#define PM_STEPS_8(first)  PM_STEPS_4(first) PM_STEPS_4(first + 4)
#define PM_STEPS_16(first) PM_STEPS_8(first) PM_STEPS_8(first + 8)
#if PM_INNER == 0
#define PM_STEPS PM_STEP
#elif PM_INNER == 1
#define PM_STEPS PM_STEPS_2
#elif PM_INNER == 2
#define PM_STEPS PM_STEPS_4
#elif PM_INNER == 3
#define PM_STEPS PM_STEPS_8
#else
#define PM_STEPS PM_STEPS_16
#endif

PM_FN void pm_dev_segment(pm_u64 segment, PM_CELL *shared, pm_record *out)
{
    pm_x x[PM_WIDTH];
    const pm_u64 slow = pm_slow_columns(segment);
    pm_total total;
    (void)shared;
    pm_begin(&total, out);
    pm_set(x, slow << PM_FLIPS);
    PM_LOOP
    for (unsigned b = 0; b < 1u << (PM_FLIPS - PM_INNER); ++b) {
        pm_x turn = b & 1 ? 1 : -1; // of the last of the inner columns
        if (b)
            pm_flip(x, PM_LOW_BIT(b), b);
        PM_STEPS(0)
    }
    pm_finish(&total, slow, pm_dev_spread(segment, slow), out);
}
