// SPDX-License-Identifier: GPL-3.0-or-later
// sparse.cuh: the terms of one segment by SpaRyser or SkipPer: in Gray-code order, each from the
// previous one by the entries of the columns that flip.  Row sums, columns (CCS) and rows (as sets
// of columns that flip) are in shared memory; equal row sums of the threads of a warp are adjacent.
// Source: Yaglioglu 2021, algorithms 6 and 11 (SpaRyser-SxC-Sm, SkipPer-SxC-Sm).
//
// The text before it defines, in addition to the macros of term.cuh: PM_ENTRIES, at least the
// number of entries; PM_FLIPS, the columns that flip in a segment; PM_SLOW, the columns that
// distinguish segments; PM_SMALL, 0 or 1: row sums are integers below 2^24; PM_SKIPS, 0: SpaRyser,
// 1: SkipPer; PM_REFRESH and PM_TINY: SpaRyser computes its product anew at every 2^PM_REFRESH-th
// position and where it is smaller than PM_TINY; PM_SPREAD, 0 or 1: compute the spread.

enum {
    PM_COLUMNS = PM_FLIPS + PM_SLOW,
    // offsets in the table of doubles
    PM_START = 0,                       // row sums when no column is in the set
    PM_RAISED = PM_START + PM_WIDTH,    // by how much they are raised for the spread
    PM_SETS = PM_RAISED + PM_N,         // of each row: the set of its columns, see pm_after_zeros
    PM_FIRST = PM_SETS + PM_N,          // of each column: its first entry
    PM_ROW = PM_FIRST + PM_COLUMNS + 1, // of each entry: its row
    PM_VALUE = PM_ROW + PM_ENTRIES,     // of each entry: its value
    PM_TABLE_SIZE = PM_VALUE + PM_ENTRIES * PM_PARTS
};

PM_GLOBAL double pm_table[PM_TABLE_SIZE];

#if PM_SMALL
typedef float pm_dev_cell;
#else
typedef double pm_dev_cell;
#endif

typedef struct {
    double value[PM_ENTRIES * PM_PARTS];
    pm_dev_cell x[PM_WIDTH][PM_THREADS];
    unsigned set[PM_N];
    int first[PM_COLUMNS + 1];
    int row[PM_ENTRIES];
} pm_dev_memory;

#define PM_FILLS_SHARED 1
PM_FN void pm_dev_fill_shared(double *shared, unsigned self)
{
    pm_dev_memory *m = (pm_dev_memory *)shared;
    for (unsigned k = self; k < PM_ENTRIES * PM_PARTS; k += PM_THREADS)
        m->value[k] = pm_table[PM_VALUE + k];
    for (unsigned k = self; k < PM_ENTRIES; k += PM_THREADS)
        m->row[k] = (int)pm_table[PM_ROW + k];
    for (unsigned k = self; k < PM_N; k += PM_THREADS)
        m->set[k] = (unsigned)pm_table[PM_SETS + k];
    for (unsigned k = self; k < PM_COLUMNS + 1; k += PM_THREADS)
        m->first[k] = (int)pm_table[PM_FIRST + k];
}

// The row sums of one thread, and the set (SkipPer) or the number (SpaRyser) of those that are 0.
typedef struct {
    pm_dev_memory *m;
    unsigned self;
#if PM_SKIPS
    pm_u64 zeros;
#else
    int zeros;
    pm_number product; // inexact: of the row sums that are not 0
#endif
} pm_dev_row_sums;

PM_FN void pm_row(const pm_dev_row_sums *s, int i, double *x)
{
    PM_UNROLL
    for (int k = 0; k < PM_PARTS; ++k)
        x[k] = s->m->x[i * PM_PARTS + k][s->self];
}

PM_FN int pm_is_zero(const double *x)
{
    return x[0] == 0 && x[PM_PARTS - 1] == 0;
}

// Adds sign * entry e to its row sum.  before, after: that row sum.
PM_FN void pm_move(pm_dev_row_sums *s, int e, double sign, double *before, double *after)
{
    int i = s->m->row[e];
    PM_UNROLL
    for (int k = 0; k < PM_PARTS; ++k) {
        pm_dev_cell *x = &s->m->x[i * PM_PARTS + k][s->self];
        before[k] = *x;
        after[k] = fma(sign, s->m->value[e * PM_PARTS + k], before[k]);
        *x = (pm_dev_cell)after[k];
    }
#if PM_SKIPS
    s->zeros = (s->zeros & ~((pm_u64)1 << i)) | (pm_u64)pm_is_zero(after) << i;
#else
    s->zeros += pm_is_zero(after) - pm_is_zero(before);
#endif
}

PM_FN void pm_set(pm_dev_row_sums *s, pm_u64 inside)
{
    s->zeros = 0;
    PM_LOOP
    for (int i = 0; i < PM_N; ++i) {
        double x[PM_PARTS];
        PM_UNROLL
        for (int k = 0; k < PM_PARTS; ++k) {
            x[k] = pm_table[PM_START + i * PM_PARTS + k];
            s->m->x[i * PM_PARTS + k][s->self] = (pm_dev_cell)x[k];
        }
#if PM_SKIPS
        s->zeros |= (pm_u64)pm_is_zero(x) << i;
#else
        s->zeros += pm_is_zero(x);
#endif
    }
    PM_LOOP
    for (int j = 0; j < PM_COLUMNS; ++j)
        if (inside >> j & 1) {
            double before[PM_PARTS], after[PM_PARTS];
            PM_LOOP
            for (int e = s->m->first[j]; e < s->m->first[j + 1]; ++e)
                pm_move(s, e, -1, before, after);
        }
}

// *p: the product of all row sums that are not 0.
PM_FN void pm_multiply_all(const pm_dev_row_sums *s, pm_number *p)
{
    pm_one(p);
    PM_LOOP
    for (int i = 0; i < PM_N; ++i) {
        double x[PM_PARTS];
        pm_row(s, i, x);
        if (!pm_is_zero(x))
            pm_times(p, x, i);
    }
}

PM_FN double pm_dev_spread(pm_dev_row_sums *s, pm_u64 segment)
{
#if PM_SPREAD
    pm_raised r = {1, 1};
    pm_u64 position = pm_sampled_position(segment, PM_FLIPS);
    pm_set(s, (position ^ position >> 1) | pm_slow_columns(segment) << PM_FLIPS);
    PM_LOOP
    for (int i = 0; i < PM_N; ++i) {
        double x[PM_PARTS];
        pm_row(s, i, x);
        pm_raise(&r, x, pm_table[PM_RAISED + i]);
    }
    return pm_gained(&r);
#else
    (void)s, (void)segment;
    return 0;
#endif
}

// Adds the term of a position at which no row sum is 0.
PM_FN void pm_add_term(const pm_number *p, unsigned position, unsigned *terms, pm_total *total,
                       pm_record *out)
{
    pm_add(total, p, position & 1, *terms == 0);
    if (++*terms == PM_CHUNK) {
        pm_flush(total, out);
        *terms = 0;
    }
}

#if PM_SKIPS

// The first position after this one at which a column of the first zero row flips: one whose lowest
// 1 bit is in the set of the row, which contains all bits from PM_FLIPS on (sparse/skip.c).
PM_FN unsigned pm_after_zeros(const pm_dev_row_sums *s, unsigned position)
{
    unsigned set = s->m->set[PM_FIRST_BIT(s->zeros)];
    int low = PM_LOW_BIT(set);
    unsigned next = ((position >> low) + 1) << low;
    return next + ((~set >> PM_LOW_BIT(next) & 1) << low);
}

PM_FN void pm_dev_add_terms(pm_dev_row_sums *s, pm_total *total, pm_record *out)
{
    unsigned terms = 0;
    double before[PM_PARTS], after[PM_PARTS];
    for (unsigned position = 0;;) {
        unsigned next = position + 1;
        if (s->zeros) {
            next = pm_after_zeros(s, position);
        } else {
            pm_number p;
            pm_multiply_all(s, &p);
            pm_add_term(&p, position, &terms, total, out);
        }
        if (next >= 1u << PM_FLIPS)
            break;
        unsigned gray = next ^ next >> 1;
        PM_LOOP
        for (unsigned change = gray ^ position ^ position >> 1; change; change &= change - 1) {
            int j = PM_LOW_BIT(change);
            double sign = gray >> j & 1 ? -1 : 1;
            PM_LOOP
            for (int e = s->m->first[j]; e < s->m->first[j + 1]; ++e)
                pm_move(s, e, sign, before, after);
        }
        position = next;
    }
    if (terms)
        pm_flush(total, out);
}

#else

#if !PM_TERMS
// *p *= after / before.  |before| is at least PM_TINY, because the product is and no row sum
// exceeds 1.
PM_FN void pm_divide_out(pm_number *p, const pm_number *before, const pm_number *after)
{
#if PM_IS_COMPLEX
    double norm = before->v[0] * before->v[0] + before->v[1] * before->v[1];
    double re = after->v[0], im = after->v[1];
    pm_multiply_complex(&re, &im, before->v[0], -before->v[1]);
    pm_multiply_complex(&p->v[0], &p->v[1], re / norm, im / norm);
#else
    p->v[0] *= after->v[0] / before->v[0];
#endif
}

PM_FN int pm_is_tiny(const pm_number *p)
{
    return fabs(p->v[0]) + (PM_IS_COMPLEX ? fabs(p->v[PM_PARTS - 1]) : 0) < PM_TINY;
}
#endif

// Column j flips; the row sums and the product are updated.
PM_FN void pm_flip(pm_dev_row_sums *s, int j, double sign, unsigned position)
{
    double before[PM_PARTS], after[PM_PARTS];
#if PM_TERMS
    (void)position;
    PM_LOOP
    for (int e = s->m->first[j]; e < s->m->first[j + 1]; ++e)
        pm_move(s, e, sign, before, after);
#else
    pm_number was, is;
    pm_one(&was);
    pm_one(&is);
    PM_LOOP
    for (int e = s->m->first[j]; e < s->m->first[j + 1]; ++e) {
        pm_move(s, e, sign, before, after);
        if (!pm_is_zero(before))
            pm_times(&was, before, 0);
        if (!pm_is_zero(after))
            pm_times(&is, after, 0);
    }
    int is_kept = position % (1u << PM_REFRESH) && !pm_is_tiny(&s->product);
    if (is_kept)
        pm_divide_out(&s->product, &was, &is);
    if (!is_kept || pm_is_tiny(&s->product))
        pm_multiply_all(s, &s->product);
#endif
}

PM_FN void pm_dev_add_terms(pm_dev_row_sums *s, pm_total *total, pm_record *out)
{
    unsigned terms = 0;
    pm_multiply_all(s, &s->product);
    PM_LOOP
    for (unsigned position = 0; position < 1u << PM_FLIPS; ++position) {
        if (position) {
            int j = PM_LOW_BIT(position);
            pm_flip(s, j, (position ^ position >> 1) >> j & 1 ? -1 : 1, position);
        }
        if (s->zeros)
            continue;
#if PM_TERMS
        pm_multiply_all(s, &s->product);
#endif
        pm_add_term(&s->product, position, &terms, total, out);
    }
    if (terms)
        pm_flush(total, out);
}

#endif

PM_FN void pm_dev_segment(pm_u64 segment, double *shared, pm_record *out)
{
    const pm_u64 slow = pm_slow_columns(segment);
    pm_dev_row_sums s;
    pm_total total;
    s.self = (unsigned)(segment % PM_THREADS);
    s.m = (pm_dev_memory *)(shared - s.self);
    pm_begin(&total, out);
    pm_set(&s, slow << PM_FLIPS);
    pm_dev_add_terms(&s, &total, out);
    pm_finish(&total, slow, pm_dev_spread(&s, segment), out);
}
