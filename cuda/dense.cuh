// SPDX-License-Identifier: GPL-3.0-or-later
// dense.cuh: the terms of a full block in Glynn's form (dense/dense_float.h), of one stream.
//
// The row sums stay in registers.  The flips of the PM_INNER first columns are written out, so that
// their entries are operands in constant memory: these spare the registers' ports, which are the
// limit next to the multipliers.  The others flip once for all of these.
//
// Given, beside what term.cuh asks for: PM_INNER columns written out, at most 5, of PM_FLIPS that
// flip, PM_SLOW that tell the streams apart; PM_CHUNK places whose terms are a chunk, a power of
// two, no more than are written out; PM_SPREAD, 0 or 1: it is to be found; PM_LARGE, 0 or 1: the table
// is too large for constant memory.

enum {
    // rows of the table: what the columns that flip and the slow ones add; row sums with all signs
    // positive; by how much they are raised for the spread
    PM_START = PM_FLIPS + PM_SLOW,
    PM_RAISED,
    // columns beyond those written out that are still operands
    PM_OFTEN = PM_WIDTH > 128 ? 0 : 5,
    PM_DIRECT = PM_FLIPS - PM_INNER < PM_OFTEN ? PM_FLIPS - PM_INNER : PM_OFTEN
};

#if PM_LARGE
PM_GLOBAL pm_x pm_table[PM_RAISED + 1][PM_WIDTH];
#else
PM_TABLE pm_x pm_table[PM_RAISED + 1][PM_WIDTH];
#endif

PM_FN void pm_set(pm_x *x, pm_u64 minus)
{
    PM_UNROLL
    for (int i = 0; i < PM_WIDTH; ++i)
        x[i] = pm_table[PM_START][i];
    PM_LOOP
    for (int j = 0; j < PM_FLIPS + PM_SLOW; ++j) {
        pm_x s = minus >> j & 1 ? -1 : 0;
        PM_UNROLL
        for (int i = 0; i < PM_WIDTH; ++i)
            x[i] = pm_moved(s, pm_table[j][i], x[i]);
    }
}

// One after another: more side by side need registers that more blocks make better use of.
PM_FN void pm_add_term(const pm_x *x, int place, pm_total *total)
{
    pm_number p;
    pm_one(&p);
    PM_UNROLL
    for (int i = 0; i < PM_N; ++i)
        pm_times(&p, x + i * PM_PARTS, i);
    pm_add(total, &p, place & 1, place % PM_CHUNK == 0);
}

// At a sampled place.  A call takes registers too, which large row sums do not leave.
#if PM_WIDTH <= 64
PM_APART
#else
PM_FN
#endif
double pm_spread(pm_u64 stream)
{
#if PM_SPREAD
    pm_raised r = {1, 1};
    pm_u64 place = pm_sampled_place(stream, PM_FLIPS);
    pm_u64 minus = (place ^ place >> 1) | stream << PM_FLIPS;
    PM_LOOP
    for (int i = 0; i < PM_N; ++i) {
        double x[PM_PARTS];
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
    (void)stream;
    return 0;
#endif
}

// Number of the lowest bit, known when the loop around is written out.
PM_FN int pm_column(int i)
{
    return i & 1 ? 0 : i & 2 ? 1 : i & 4 ? 2 : i & 8 ? 3 : 4;
}

// A column beyond those written out, before stretch b.  The ones that come often are operands too.
PM_FN void pm_flip(pm_x *x, int column, unsigned b)
{
    pm_x s = b >> (column + 1) & 1 ? 1 : -1;
    PM_UNROLL
    for (int j = 0; j < PM_DIRECT; ++j)
        if (column == j) {
            PM_UNROLL
            for (int i = 0; i < PM_WIDTH; ++i)
                x[i] = pm_moved(s, pm_table[PM_INNER + j][i], x[i]);
        }
    if (column >= PM_DIRECT) {
        PM_UNROLL
        for (int i = 0; i < PM_WIDTH; ++i)
            x[i] = pm_moved(s, pm_table[PM_INNER + column][i], x[i]);
    }
}

PM_FN void pm_flip_inner(pm_x *x, int place, pm_x turn)
{
    int column = pm_column(place);
    PM_UNROLL
    for (int i = 0; i < PM_WIDTH; ++i) {
        pm_x entry = pm_table[column][i];
        if (column == PM_INNER - 1)
            x[i] = pm_moved(turn, entry, x[i]);
        else if (place >> (column + 1) & 1)
            x[i] += entry;
        else
            x[i] -= entry;
    }
}

PM_FN void pm_stream(pm_u64 stream, PM_CELL *cold, pm_record *out)
{
    pm_x x[PM_WIDTH];
    pm_total total;
    (void)cold;
    pm_begin(&total, out);
    pm_set(x, stream << PM_FLIPS);
    PM_LOOP
    for (unsigned b = 0; b < 1u << (PM_FLIPS - PM_INNER); ++b) {
        pm_x turn = b & 1 ? 1 : -1; // of the last of the inner columns
        if (b)
            pm_flip(x, PM_LOW_BIT(b), b);
        PM_UNROLL
        for (int place = 0; place < 1 << PM_INNER; ++place) {
            if (place)
                pm_flip_inner(x, place, turn);
            pm_add_term(x, place, &total);
            if (place % PM_CHUNK == PM_CHUNK - 1)
                pm_flush(&total, out);
        }
    }
    pm_finish(&total, stream, pm_spread(stream), out);
}
