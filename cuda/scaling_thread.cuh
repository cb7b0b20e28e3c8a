// SPDX-License-Identifier: GPL-3.0-or-later
// scaling_thread.cuh: one sample of scaling or scaling+ on a pattern of up to 64 rows by one
// thread, with all scales in registers.  It follows cuda/degree_masks.h and is followed by
// cuda/thread_samples.cuh.
//
// The sums over the rows and columns are written out for the matrix.  A line (row or column) that
// has been matched has the scale 0.  In row i, column j is chosen with probability proportional to
// r_i c_j, hence to c_j.  These shares are divided by their sum and rounded to multiples of 2^-22,
// at least one multiple; so the choice is made in integers, and the weight is divided by exactly
// the probability that was used.
//
// Given: PM_N rows; PM_IN_SEQUENCE, PM_INTERVAL, PM_ITERATIONS: members of pm_scaling_model;
// PM_COLUMN_SUMS: PM_LINE(j, sum of r[i] over the rows i of column j) for every column j;
// PM_ROW_SUMS: PM_LINE(i, sum of c[j] over the columns j of row i) for every row i.
// Digits: the same on every GPU.
#define PM_LARGE 1e18f // sums of scales are finite

// 1 / sum with a relative error of 2e-4, and between 1e-18 and 1e18; 0 when is_left is 0.  The same
// operations on every GPU: a first value from the bits of sum, then two steps of Newton's method.
PM_FN float pm_reciprocal(float sum, int is_left)
{
    union {
        float value;
        uint32_t bits;
    } x;
    x.value = sum;
    x.bits = 0x7ef311c7u - x.bits;
    float y = x.value * (2 - sum * x.value);
    y = y * (2 - sum * y);
    y = y < PM_LARGE ? y : PM_LARGE;
    y = y > 1 / PM_LARGE ? y : 1 / PM_LARGE;
    return is_left ? y : 0;
}

// One iteration: scales all columns, then all rows, that are in the masks.
PM_FN void pm_iterate(float *r, float *c, uint64_t rows, uint64_t columns)
{
#define PM_LINE(i, sum) c[i] = pm_reciprocal(sum, (int)(columns >> i & 1));
    PM_COLUMN_SUMS
#undef PM_LINE
#define PM_LINE(i, sum) r[i] = pm_reciprocal(sum, (int)(rows >> i & 1));
    PM_ROW_SUMS
#undef PM_LINE
}

// x <= 1 in units of 2^-22, rounded; at least 1.
PM_FN uint32_t pm_integer_share(float x)
{
    union {
        float value;
        uint32_t bits;
    } y;
    y.value = x * 0x1p22f + 0x1p23f;
    uint32_t parts = y.bits - 0x4b000000u;
    return parts > 1 ? parts : 1;
}

// Chooses one of the two or more columns in `from`; multiplies *w by 1 / probability.
PM_FN int pm_choose_column(const float *c, uint64_t from, pm_sample_sequence *s, pm_wide_product *w)
{
    float sum = 0;
    uint32_t total = 0, parts = 1;
    int chosen = 0;
    PM_UNROLL
    for (int j = 0; j < PM_N; ++j)
        if (from >> j & 1)
            sum += c[j];
    float unit = pm_reciprocal(sum, 1);
    PM_FORGET(from);
    PM_UNROLL
    for (int j = 0; j < PM_N; ++j)
        if (from >> j & 1)
            total += pm_integer_share(c[j] * unit);
    uint32_t at = (uint32_t)pm_sample_sequence_below(s, total), before = 0;
    PM_FORGET(from);
    PM_UNROLL
    for (int j = 0; j < PM_N; ++j)
        if (from >> j & 1) {
            uint32_t t = pm_integer_share(c[j] * unit);
            if (before <= at) { // the last column for which this holds is chosen
                chosen = j;
                parts = t;
            }
            before += t;
        }
    pm_wide_product_multiply(w, (double)total / (double)parts);
    return chosen;
}

PM_FN pm_wide_product pm_dev_sample(const pm_thread_launch *p, const uint64_t *row,
                                    const uint64_t *column, const uint32_t *table,
                                    pm_sample_sequence *s)
{
    float r[PM_N], c[PM_N];
    uint64_t rows = ~(uint64_t)0 >> (64 - PM_N), columns = rows;
    pm_wide_product w = {1, 0};
    const pm_wide_product dead = {0, 0};
    pm_degree_masks g;
    g.row = row;
    g.fixed = p->row;
    g.column = column;
    g.table = table;
    PM_UNROLL
    for (int i = 0; i < PM_N; ++i)
        r[i] = c[i] = 1;
    PM_LOOP
    for (int step = 0; step < PM_N; ++step) {
        int i = PM_IN_SEQUENCE ? step : pm_masks_fewest(&g, rows, columns);
        uint64_t from = row[i] & columns;
        if (!from)
            return dead;
        if (step % PM_INTERVAL == 0) {
            PM_LOOP
            for (int k = 0; k < PM_ITERATIONS; ++k) {
                PM_FORGET(rows);
                PM_FORGET(columns);
                pm_iterate(r, c, rows, columns);
            }
        }
        int j = from & (from - 1) ? pm_choose_column(c, from, s, &w) : PM_FIRST_BIT(from);
        rows &= ~((uint64_t)1 << i);
        columns &= ~((uint64_t)1 << j);
        PM_UNROLL
        for (int k = 0; k < PM_N; ++k)
            r[k] = rows >> k & 1 ? r[k] : 0;
    }
    return w;
}
