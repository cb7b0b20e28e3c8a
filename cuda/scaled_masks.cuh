// SPDX-License-Identifier: GPL-3.0-or-later
// scaled_masks.cuh: a sample of scaling or scaling+ on up to 64 rows of ones, all scales in
// registers.  Sums over the lines of the matrix are written out; a line that has left has the scale
// 0.  Of the shares r_i c_j of a row r_i falls out, and they are rounded to multiples of 2^-22, at
// least one, so that the choice is one of integers and its probability is exactly the one
// that divides the weight.  Follows cuda/degree_masks.h; samples.cuh follows.
//
// Given: PM_N; PM_IN_SEQUENCE, PM_INTERVAL, PM_SWEEPS; PM_COLUMN_SUMS and PM_ROW_SUMS: of every line
// PM_LINE(i, sum of r[..]) or PM_LINE(i, sum of c[..]).
#define PM_LARGE 1e18f // sums of scales are finite

// 1 / sum within 2 in 10^4, by the same operations everywhere: first from the bits, then Newton's
// way; 0 of a line that has left.
PM_FN float pm_balanced(float sum, int is_left)
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

// Columns, then rows.
PM_FN void pm_sweep(float *r, float *c, uint64_t rows, uint64_t columns)
{
#define PM_LINE(i, sum) c[i] = pm_balanced(sum, (int)(columns >> i & 1));
    PM_COLUMN_SUMS
#undef PM_LINE
#define PM_LINE(i, sum) r[i] = pm_balanced(sum, (int)(rows >> i & 1));
    PM_ROW_SUMS
#undef PM_LINE
}

// x <= 1 as a multiple of 2^-22, at least one of them.
PM_FN uint32_t pm_parts_of(float x)
{
    union {
        float value;
        uint32_t bits;
    } y;
    y.value = x * 0x1p22f + 0x1p23f;
    uint32_t parts = y.bits - 0x4b000000u;
    return parts > 1 ? parts : 1;
}

// One of the columns in `from`, two or more.
PM_FN int pm_choose_scaled(const float *c, uint64_t from, pm_sample_sequence *s, pm_wide_product *w)
{
    float sum = 0;
    uint32_t total = 0, parts = 1;
    int chosen = 0;
    PM_UNROLL
    for (int j = 0; j < PM_N; ++j)
        if (from >> j & 1)
            sum += c[j];
    float unit = pm_balanced(sum, 1);
    PM_FORGET(from);
    PM_UNROLL
    for (int j = 0; j < PM_N; ++j)
        if (from >> j & 1)
            total += pm_parts_of(c[j] * unit);
    uint32_t at = (uint32_t)pm_sample_sequence_below(s, total), before = 0;
    PM_FORGET(from);
    PM_UNROLL
    for (int j = 0; j < PM_N; ++j)
        if (from >> j & 1) {
            uint32_t t = pm_parts_of(c[j] * unit);
            if (before <= at) { // the last one of these holds it
                chosen = j;
                parts = t;
            }
            before += t;
        }
    pm_wide_product_multiply(w, (double)total / (double)parts);
    return chosen;
}

PM_FN pm_wide_product pm_dev_sample(const pm_samples_launch *p, const uint64_t *row,
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
            for (int sweep = 0; sweep < PM_SWEEPS; ++sweep) {
                PM_FORGET(rows);
                PM_FORGET(columns);
                pm_sweep(r, c, rows, columns);
            }
        }
        int j = from & (from - 1) ? pm_choose_scaled(c, from, s, &w) : PM_FIRST_BIT(from);
        rows &= ~((uint64_t)1 << i);
        columns &= ~((uint64_t)1 << j);
        PM_UNROLL
        for (int k = 0; k < PM_N; ++k)
            r[k] = rows >> k & 1 ? r[k] : 0;
    }
    return w;
}
