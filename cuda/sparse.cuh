// SPDX-License-Identifier: GPL-3.0-or-later
// sparse.cuh: SpaRyser and SkipPer, one stream: terms in Gray-code order, each from the one before by
// the entries of the columns that flip.  Row sums, columns (CCS) and rows (CRS, as sets of columns
// that flip) lie in shared memory; row sums such that those of a warp lie side by side.
// Source: Yaglioglu 2021, algorithms 6 and 11 (SpaRyser-SxC-Sm, SkipPer-SxC-Sm).
//
// Given, beside what term.cuh asks for: PM_ENTRIES, at least as many as there are; PM_FLIPS columns
// that flip, PM_SLOW that tell the streams apart; PM_SMALL, 0 or 1: row sums are integers below
// 2^24; PM_SKIPS, 0 or 1: SkipPer; PM_REFRESH: SpaRyser computes its product afresh at every
// 2^PM_REFRESH-th place, PM_TINY: and where it is smaller; PM_SPREAD, 0 or 1: it is to be found.

enum {
    PM_COLUMNS = PM_FLIPS + PM_SLOW,
    // the table: numbers all of them
    PM_START = 0,                       // row sums of no columns
    PM_RAISED = PM_START + PM_WIDTH,    // by how much they are raised for the spread
    PM_SETS = PM_RAISED + PM_N,         // of each row: its columns, see pm_after_zeros
    PM_FIRST = PM_SETS + PM_N,          // of each column: its entries
    PM_ROW = PM_FIRST + PM_COLUMNS + 1, // of each entry
    PM_VALUE = PM_ROW + PM_ENTRIES,     // the same
    PM_TABLE_SIZE = PM_VALUE + PM_ENTRIES * PM_PARTS
};

PM_GLOBAL double pm_table[PM_TABLE_SIZE];

#if PM_SMALL
typedef float pm_cell;
#else
typedef double pm_cell;
#endif

typedef struct {
    double value[PM_ENTRIES * PM_PARTS];
    pm_cell x[PM_WIDTH][PM_THREADS];
    unsigned set[PM_N];
    int first[PM_COLUMNS + 1];
    int row[PM_ENTRIES];
} pm_memory;

#define PM_SHARED 1
PM_FN void pm_share(double *shared, unsigned self)
{
    pm_memory *m = (pm_memory *)shared;
    for (unsigned k = self; k < PM_ENTRIES * PM_PARTS; k += PM_THREADS)
        m->value[k] = pm_table[PM_VALUE + k];
    for (unsigned k = self; k < PM_ENTRIES; k += PM_THREADS)
        m->row[k] = (int)pm_table[PM_ROW + k];
    for (unsigned k = self; k < PM_N; k += PM_THREADS)
        m->set[k] = (unsigned)pm_table[PM_SETS + k];
    for (unsigned k = self; k < PM_COLUMNS + 1; k += PM_THREADS)
        m->first[k] = (int)pm_table[PM_FIRST + k];
}

// Row sums of one thread, and which of them are zero (SkipPer) or how many (SpaRyser).
typedef struct {
    pm_memory *m;
    unsigned self;
#if PM_SKIPS
    pm_u64 zeros;
#else
    int zeros;
    pm_number product; // inexact: of the others
#endif
} pm_sums;

PM_FN void pm_row(const pm_sums *s, int i, double *x)
{
    PM_UNROLL
    for (int k = 0; k < PM_PARTS; ++k)
        x[k] = s->m->x[i * PM_PARTS + k][s->self];
}

PM_FN int pm_is_zero(const double *x)
{
    return x[0] == 0 && x[PM_PARTS - 1] == 0;
}

// Entry e of a column, before and after.
PM_FN void pm_move(pm_sums *s, int e, double sign, double *before, double *after)
{
    int i = s->m->row[e];
    PM_UNROLL
    for (int k = 0; k < PM_PARTS; ++k) {
        pm_cell *x = &s->m->x[i * PM_PARTS + k][s->self];
        before[k] = *x;
        after[k] = fma(sign, s->m->value[e * PM_PARTS + k], before[k]);
        *x = (pm_cell)after[k];
    }
#if PM_SKIPS
    s->zeros = (s->zeros & ~((pm_u64)1 << i)) | (pm_u64)pm_is_zero(after) << i;
#else
    s->zeros += pm_is_zero(after) - pm_is_zero(before);
#endif
}

PM_FN void pm_set(pm_sums *s, pm_u64 inside)
{
    s->zeros = 0;
    PM_LOOP
    for (int i = 0; i < PM_N; ++i) {
        double x[PM_PARTS];
        PM_UNROLL
        for (int k = 0; k < PM_PARTS; ++k) {
            x[k] = pm_table[PM_START + i * PM_PARTS + k];
            s->m->x[i * PM_PARTS + k][s->self] = (pm_cell)x[k];
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

// Of all row sums that are not zero.
PM_FN void pm_multiply_all(const pm_sums *s, pm_number *p)
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

PM_FN double pm_spread(pm_sums *s, pm_u64 stream)
{
#if PM_SPREAD
    pm_raised r = {1, 1};
    pm_u64 place = pm_sampled_place(stream, PM_FLIPS);
    pm_set(s, (place ^ place >> 1) | stream << PM_FLIPS);
    PM_LOOP
    for (int i = 0; i < PM_N; ++i) {
        double x[PM_PARTS];
        pm_row(s, i, x);
        pm_raise(&r, x, pm_table[PM_RAISED + i]);
    }
    return pm_gained(&r);
#else
    (void)s, (void)stream;
    return 0;
#endif
}

// The term of a place at which no row sum is zero.
PM_FN void pm_add_term(const pm_number *p, unsigned place, unsigned *terms, pm_total *total,
                       pm_record *out)
{
    pm_add(total, p, place & 1, *terms == 0);
    if (++*terms == PM_CHUNK) {
        pm_flush(total, out);
        *terms = 0;
    }
}

#if PM_SKIPS

// The first place after this one at which a column of the first zero row flips: one whose lowest
// bit is in the row's set, which holds everything from PM_FLIPS on (sparse/skip.c).
PM_FN unsigned pm_after_zeros(const pm_sums *s, unsigned place)
{
    unsigned set = s->m->set[PM_FIRST_BIT(s->zeros)];
    int low = PM_LOW_BIT(set);
    unsigned next = ((place >> low) + 1) << low;
    return next + ((~set >> PM_LOW_BIT(next) & 1) << low);
}

PM_FN void pm_run(pm_sums *s, pm_total *total, pm_record *out)
{
    unsigned terms = 0;
    double before[PM_PARTS], after[PM_PARTS];
    for (unsigned place = 0;;) {
        unsigned next = place + 1;
        if (s->zeros) {
            next = pm_after_zeros(s, place);
        } else {
            pm_number p;
            pm_multiply_all(s, &p);
            pm_add_term(&p, place, &terms, total, out);
        }
        if (next >= 1u << PM_FLIPS)
            break;
        unsigned gray = next ^ next >> 1;
        PM_LOOP
        for (unsigned change = gray ^ place ^ place >> 1; change; change &= change - 1) {
            int j = PM_LOW_BIT(change);
            double sign = gray >> j & 1 ? -1 : 1;
            PM_LOOP
            for (int e = s->m->first[j]; e < s->m->first[j + 1]; ++e)
                pm_move(s, e, sign, before, after);
        }
        place = next;
    }
    if (terms)
        pm_flush(total, out);
}

#else

#if !PM_TERMS
// *p *= after / before; |before| is at least PM_TINY as the product is, and no row sum exceeds 1.
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

// Column j flips, and the product with it.
PM_FN void pm_flip(pm_sums *s, int j, double sign, unsigned place)
{
    double before[PM_PARTS], after[PM_PARTS];
#if PM_TERMS
    (void)place;
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
    int is_kept = place % (1u << PM_REFRESH) && !pm_is_tiny(&s->product);
    if (is_kept)
        pm_divide_out(&s->product, &was, &is);
    if (!is_kept || pm_is_tiny(&s->product))
        pm_multiply_all(s, &s->product);
#endif
}

PM_FN void pm_run(pm_sums *s, pm_total *total, pm_record *out)
{
    unsigned terms = 0;
    pm_multiply_all(s, &s->product);
    PM_LOOP
    for (unsigned place = 0; place < 1u << PM_FLIPS; ++place) {
        if (place) {
            int j = PM_LOW_BIT(place);
            pm_flip(s, j, (place ^ place >> 1) >> j & 1 ? -1 : 1, place);
        }
        if (s->zeros)
            continue;
#if PM_TERMS
        pm_multiply_all(s, &s->product);
#endif
        pm_add_term(&s->product, place, &terms, total, out);
    }
    if (terms)
        pm_flush(total, out);
}

#endif

PM_FN void pm_stream(pm_u64 stream, double *cold, pm_record *out)
{
    pm_sums s;
    pm_total total;
    s.self = (unsigned)(stream % PM_THREADS);
    s.m = (pm_memory *)(cold - s.self);
    pm_begin(&total, out);
    pm_set(&s, stream << PM_FLIPS);
    pm_run(&s, &total, out);
    pm_finish(&total, stream, pm_spread(&s, stream), out);
}
