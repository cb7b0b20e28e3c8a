// SPDX-License-Identifier: GPL-3.0-or-later
// dense.cuh: the terms of a full real block in Glynn's form (sweep/dense_float.h), of one stream.
//
// The row sums x_i stay in registers.  The flips of the PM_INNER first columns are written out, so
// that their entries are operands in constant memory: these spare the registers' ports, which are
// the limit next to the multipliers.  The others flip once for all of these.
//
// Given: PM_N rows, PM_INNER columns written out, at most 5 of PM_FLIPS that flip, PM_SLOW that tell the
// streams apart; PM_SPREAD, 0 or 1: it is to be found.

enum {
    // rows of the table: twice the entries of the columns that flip and of the slow ones; row sums
    // with all signs positive; by how much they are raised for the spread
    PM_START = PM_FLIPS + PM_SLOW,
    PM_RAISED,
    PM_DIRECT = PM_FLIPS - PM_INNER < 5 ? PM_FLIPS - PM_INNER : 5
};

PM_TABLE double pm_table[PM_RAISED + 1][PM_N];

PM_FN void pm_set(double *x, pm_u64 minus)
{
    PM_UNROLL
    for (int i = 0; i < PM_N; ++i)
        x[i] = pm_table[PM_START][i];
    PM_LOOP
    for (int j = 0; j < PM_FLIPS + PM_SLOW; ++j) {
        double s = minus >> j & 1 ? -1 : 0;
        PM_UNROLL
        for (int i = 0; i < PM_N; ++i)
            x[i] = fma(s, pm_table[j][i], x[i]);
    }
}

// One after another: more side by side need registers that more blocks make better use of.
PM_FN double pm_product(const double *x)
{
    double p = x[0];
    PM_UNROLL
    for (int i = 1; i < PM_N; ++i)
        p *= x[i];
    return p;
}

#if PM_SPREAD
// prod (|x_i| + raised) - prod |x_i| at a sampled place, with its own rounding
PM_FN double pm_spread(pm_u64 stream)
{
    double x[PM_N], low = 1, high = 1;
    pm_u64 place = pm_sampled_place(stream, PM_FLIPS);
    pm_set(x, (place ^ place >> 1) | stream << PM_FLIPS);
    PM_UNROLL
    for (int i = 0; i < PM_N; ++i) {
        low *= fabs(x[i]);
        high *= fabs(x[i]) + pm_table[PM_RAISED][i];
    }
    return (high - low) + high * 0x1p-44;
}
#else
PM_FN double pm_spread(pm_u64 stream)
{
    (void)stream;
    return 0;
}
#endif

// Number of the lowest bit, known when the loop around is written out.
PM_FN int pm_column(int i)
{
    return i & 1 ? 0 : i & 2 ? 1 : i & 4 ? 2 : i & 8 ? 3 : 4;
}

// A column beyond those written out, before stretch b.  The ones that come often are operands too.
PM_FN void pm_flip(double *x, int column, unsigned b)
{
    double s = b >> (column + 1) & 1 ? 1 : -1;
    PM_UNROLL
    for (int j = 0; j < PM_DIRECT; ++j)
        if (column == j) {
            PM_UNROLL
            for (int i = 0; i < PM_N; ++i)
                x[i] = fma(s, pm_table[PM_INNER + j][i], x[i]);
        }
    if (column >= PM_DIRECT) {
        PM_UNROLL
        for (int i = 0; i < PM_N; ++i)
            x[i] = fma(s, pm_table[PM_INNER + column][i], x[i]);
    }
}

PM_FN void pm_stream(pm_u64 stream, double *cold, pm_record *out)
{
    double x[PM_N], high = 0, low = 0, size = 0;
    (void)cold;
    out->spread = pm_spread(stream);
    pm_set(x, stream << PM_FLIPS);
    PM_LOOP
    for (unsigned b = 0; b < 1u << (PM_FLIPS - PM_INNER); ++b) {
        double turn = b & 1 ? 1 : -1; // of the last of the inner columns
        if (b)
            pm_flip(x, PM_LOW_BIT(b), b);
        double sum = pm_product(x);
        size += fabs(sum);
        PM_UNROLL
        for (int place = 1; place < 1 << PM_INNER; ++place) {
            int column = pm_column(place);
            PM_UNROLL
            for (int i = 0; i < PM_N; ++i) {
                double entry = pm_table[column][i];
                if (column == PM_INNER - 1)
                    x[i] = fma(turn, entry, x[i]);
                else if (place >> (column + 1) & 1)
                    x[i] += entry;
                else
                    x[i] -= entry;
            }
            double p = pm_product(x);
            sum = place & 1 ? sum - p : sum + p;
            size += fabs(p);
        }
        pm_collect(&high, &low, sum);
    }
    double sign = PM_POPCOUNT(stream) & 1 ? -1 : 1;
    pm_fast_two_sum(sign * high, sign * low, &out->re[0], &out->re[1]);
    out->im[0] = out->im[1] = 0;
    out->size = out->sampled = out->absolute = size;
}
