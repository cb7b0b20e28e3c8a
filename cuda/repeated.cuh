// SPDX-License-Identifier: GPL-3.0-or-later
// repeated.cuh: the terms of one tile of a sum over repeated rows and columns
// (repeated/repeated_digits.h).  A segment is a tile.
//
// The row sums stay in registers.  The inner digits run through their Gray code.  Digit 0 changes in
// all positions but one of PM_RUN: such a run is a loop with the entries of that column as operands
// in constant memory.  Terms of a run are multiplied by the weight of digit 0 and added; their sum
// is multiplied by the weight of the other inner digits; and the sum of the tile by the weight of
// the outer ones.  All threads are at the same position, so these weights are the same for them.
//
// Grid, shared memory, determinism: as in block.cuh; no dynamic shared memory.
//
// The text before it defines, in addition to the macros of term.cuh (products that are taken modulo
// primes end where groups end):
//   PM_DIGITS, PM_RADICES    the digits, the inner ones first, and the radices of all in braces
//   PM_INNER                 the number of inner digits
//   PM_RUN, PM_RUNS          the radix of digit 0, the product of the other inner radices; 1, 1
//                            without inner digits
//   PM_VALUES                the sum of all radices
//   PM_TILES, PM_MIDDLE      the tiles, and the one that counts once (repeated/repeated_digits.h)
//   PM_ENDS                  the rows after which a group of equal multiplicities ends, as bits
//   PM_TOP, PM_BITS          the highest bit of a multiplicity; for each bit up to it the rows of
//                            PM_ENDS whose group has it, all in braces
//   PM_TIMES                 the multiplicities of the rows, in braces
//   PM_FIRSTS                residues: the rows that set the residue of a group
//   PM_CHUNK                 terms that are added before they get the weight of the run
//   PM_UNROLLED              positions of a run that are written out
//   PM_LARGE                 0 or 1: the table is too large for constant memory

enum {
    // numbers of a weight: residues, or one in single precision, or high and low
    PM_WEIGHT = PM_TERMS       ? PM_TERMS
                : PM_IS_SINGLE ? 1
                               : 2,
    // offsets in the table: 2 a_ij of each digit; the row sums with all signs +; by how much these
    // are raised for the spread, a number for each row; 1 if there is a spread, else 0; the weights
    // of each digit; of each run the weight of the digits 1 .. PM_INNER - 1, and the digit that
    // changes before it, times 2, plus 1 if it grows
    PM_START = PM_DIGITS * PM_WIDTH,
    PM_RAISED = PM_START + PM_WIDTH,
    PM_SPREADS = PM_RAISED + PM_N,
    PM_WEIGHTS = PM_SPREADS + 1,
    PM_OF_RUNS = PM_WEIGHTS + PM_VALUES * PM_WEIGHT,
    PM_CELLS = PM_OF_RUNS + PM_RUNS * (PM_WEIGHT + 1),
    // digits after the first whose entries are operands in constant memory too
    PM_OFTEN = PM_WIDTH > 128 ? 1 : 3,
    PM_WRITTEN_OUT = PM_UNROLLED // a name: a pragma does not expand macros
};

#if PM_LARGE
PM_GLOBAL pm_x pm_table[PM_CELLS];
#else
PM_TABLE pm_x pm_table[PM_CELLS];
#endif

// ---- weights ----

typedef struct {
    pm_x v[PM_WEIGHT];
} pm_tile_weight;

PM_FN void pm_tile_weight_set(pm_tile_weight *w, int value)
{
    PM_UNROLL
    for (int k = 0; k < PM_WEIGHT; ++k)
        w->v[k] = PM_TERMS || k == 0 ? value : 0;
}

#if !PM_TERMS && !PM_IS_SINGLE
// a *= b, double-doubles; the result is normalised
PM_FN void pm_dd_times(double *a, const double *b)
{
    double h = a[0] * b[0], e = fma(a[0], b[0], -h);
    pm_fast_two_sum(h, fma(a[1], b[0], fma(a[0], b[1], e)), &a[0], &a[1]);
}
#endif

PM_FN void pm_tile_weight_times(pm_tile_weight *w, const pm_x *by)
{
#if PM_TERMS
    PM_UNROLL
    for (int k = 0; k < PM_TERMS; ++k)
        w->v[k] = PM_MULTIPLY(w->v[k], by[k], pm_prime[0][k], pm_prime[1][k]);
#elif PM_IS_SINGLE
    w->v[0] *= by[0];
#else
    pm_dd_times(w->v, by);
#endif
}

// The first value of digit j in the list of weights.
PM_FN int pm_first_value(int j)
{
    const int radix[PM_DIGITS] = PM_RADICES;
    int first = 0;
    PM_LOOP
    for (int i = 0; i < j; ++i)
        first += radix[i];
    return first;
}

// ---- powers ----

#if PM_TERMS

PM_FN void pm_number_times(pm_number *a, const pm_number *b)
{
    PM_UNROLL
    for (int k = 0; k < PM_TERMS; ++k)
        a->residue[k] = PM_MULTIPLY(a->residue[k], b->residue[k], pm_prime[0][k], pm_prime[1][k]);
}

// The product of the rows of a group; p->group is 1 where a group begins.
PM_FN void pm_next_row(pm_number *p, const pm_x *x, int i)
{
    int is_first = PM_FIRSTS >> i & 1;
#if PM_KIND != PM_WORD_RESIDUES
    if (PM_REDUCES >> i & 1) {
        PM_UNROLL
        for (int k = 0; k < PM_TERMS; ++k) {
            pm_x r = pm_reduce(x[0], pm_prime[0][k], pm_prime[1][k]);
            p->residue[k] =
                is_first ? r : PM_MULTIPLY(p->residue[k], r, pm_prime[0][k], pm_prime[1][k]);
        }
        return;
    }
#endif
    p->group *= x[0];
    if (!(PM_CLOSES >> i & 1))
        return;
    PM_UNROLL
    for (int k = 0; k < PM_TERMS; ++k)
        p->residue[k] = is_first
                            ? p->group
                            : PM_MULTIPLY(p->residue[k], p->group, pm_prime[0][k], pm_prime[1][k]);
    p->group = 1;
}

#else

PM_FN void pm_number_times(pm_number *a, const pm_number *b)
{
    pm_times_settled(a, b->v);
}

PM_FN void pm_next_row(pm_number *p, const pm_x *x, int i)
{
    int is_first = i == 0 || ((pm_u64)PM_ENDS << 1 >> i & 1);
    if (!is_first) {
        pm_times(p, x, i);
        return;
    }
#if PM_IS_QUAD
    pm_settle(x, p->v);
#else
    PM_UNROLL
    for (int k = 0; k < PM_PARTS; ++k)
        p->v[k] = x[k];
#endif
}

#endif

// The product of all powers of row sums (repeated/repeated_powers.h).
PM_FN void pm_power_product(const pm_x *x, pm_number *out)
{
    const pm_u64 bits[PM_TOP + 1] = PM_BITS;
    pm_number slice[PM_TOP + 1], p;
    pm_one(&p);
    PM_UNROLL
    for (int i = 0; i < PM_N; ++i) {
        pm_next_row(&p, x + i * PM_PARTS, i);
        PM_UNROLL
        for (int b = 0; b <= PM_TOP; ++b)
            if (bits[b] >> i & 1) {
                if (bits[b] & (((pm_u64)1 << i) - 1))
                    pm_number_times(&slice[b], &p);
                else
                    slice[b] = p;
            }
    }
    *out = slice[PM_TOP];
    PM_UNROLL
    for (int b = PM_TOP - 1; b >= 0; --b) {
        pm_number same = *out;
        pm_number_times(out, &same);
        if (bits[b])
            pm_number_times(out, &slice[b]);
    }
}

// ---- sums ----

#if PM_TERMS

typedef struct {
    pm_x chunk[PM_TERMS];
    pm_i64 sum[PM_TERMS];
} pm_tile_sum;

PM_FN void pm_tile_begin(pm_tile_sum *t)
{
    PM_UNROLL
    for (int k = 0; k < PM_TERMS; ++k)
        t->chunk[k] = 0, t->sum[k] = 0;
}

// In doubles at most eight residues below 2^50 are added: exactly.
PM_FN void pm_tile_add(pm_tile_sum *t, const pm_number *p, const pm_x *weight)
{
    PM_UNROLL
    for (int k = 0; k < PM_TERMS; ++k) {
        pm_x r = PM_MULTIPLY(p->residue[k], weight[k], pm_prime[0][k], pm_prime[1][k]);
#if PM_KIND == PM_WORD_RESIDUES
        t->chunk[k] = pm_within(t->chunk[k] + r, pm_prime[0][k]);
#else
        t->chunk[k] += r;
#endif
    }
}

// Called at most 2^12 times in a tile.
PM_FN void pm_tile_flush(pm_tile_sum *t, const pm_x *weight)
{
    PM_UNROLL
    for (int k = 0; k < PM_TERMS; ++k) {
        pm_x r = t->chunk[k];
#if PM_KIND != PM_WORD_RESIDUES
        r = pm_reduce(r, pm_prime[0][k], pm_prime[1][k]);
#endif
        t->sum[k] += (pm_i64)PM_MULTIPLY(r, weight[k], pm_prime[0][k], pm_prime[1][k]);
        t->chunk[k] = 0;
    }
}

PM_FN void pm_tile_end(const pm_tile_sum *t, const pm_tile_weight *w, double spread, pm_record *out)
{
    (void)spread;
    PM_UNROLL
    for (int k = 0; k < PM_TERMS; ++k) {
        pm_x r = (pm_x)(t->sum[k] % (pm_i64)pm_prime[0][k]);
        pm_i64 v = (pm_i64)PM_MULTIPLY(r, w->v[k], pm_prime[0][k], pm_prime[1][k]);
        out->high[k] = v >> 32;
        out->low[k] = v & 0xffffffff;
    }
}

#else

typedef struct {
    pm_x chunk[2][2], sum[2][2]; // of each part: high, low
    pm_x chunk_size, size;
} pm_tile_sum;

PM_FN void pm_tile_begin(pm_tile_sum *t)
{
    t->chunk_size = t->size = 0;
    for (int part = 0; part < 2; ++part)
        for (int k = 0; k < 2; ++k)
            t->chunk[part][k] = t->sum[part][k] = 0;
}

PM_FN void pm_tile_add(pm_tile_sum *t, const pm_number *p, const pm_x *weight)
{
    PM_UNROLL
    for (int part = 0; part <= PM_IS_COMPLEX; ++part) {
        const pm_x *v = p->v + part * PM_IMAGINARY;
        pm_x *chunk = t->chunk[part], h = v[0] * weight[0];
#if PM_IS_QUAD
        double e = fma(v[0], weight[0], -h), s;
        double l = fma(v[1], weight[0], fma(v[0], weight[1], e));
        pm_two_sum(chunk[0], h, &s, &e);
        pm_fast_two_sum(s, (chunk[1] + l) + e, &chunk[0], &chunk[1]);
#elif PM_EACH
        pm_collect(&chunk[0], &chunk[1], h);
#else
        chunk[0] += h;
#endif
        t->chunk_size += PM_SIZE(h);
    }
}

PM_FN void pm_tile_flush(pm_tile_sum *t, const pm_x *weight)
{
    PM_UNROLL
    for (int part = 0; part <= PM_IS_COMPLEX; ++part) {
        pm_x *chunk = t->chunk[part], *sum = t->sum[part];
#if PM_IS_QUAD || PM_EACH
        pm_fast_two_sum(chunk[0], chunk[1], &chunk[0], &chunk[1]);
        pm_dd_times(chunk, weight);
        pm_dd_add(sum, chunk);
#else
        PM_COLLECT(&sum[0], &sum[1], chunk[0] * weight[0]);
#endif
        chunk[0] = chunk[1] = 0;
    }
    t->size = PM_FMA(t->chunk_size, PM_SIZE(weight[0]), t->size);
    t->chunk_size = 0;
}

PM_FN void pm_tile_end(const pm_tile_sum *t, const pm_tile_weight *w, double spread, pm_record *out)
{
    for (int part = 0; part < 2; ++part) {
        double *to = part ? out->im : out->re;
        pm_fast_two_sum(t->sum[part][0], t->sum[part][1], &to[0], &to[1]);
#if PM_IS_SINGLE
        to[0] *= w->v[0], to[1] *= w->v[0];
#else
        pm_dd_times(to, w->v);
#endif
    }
    out->size = out->sampled = out->absolute = (double)t->size * fabs(w->v[0]);
    out->spread = spread * fabs(w->v[0]);
}

#endif

// ---- row sums ----

// The row sums of a tile with all inner digits 0, and the weight of its outer digits.
PM_FN void pm_set(pm_x *x, pm_u64 tile, pm_tile_weight *w)
{
    const int radix[PM_DIGITS] = PM_RADICES;
    int first = pm_first_value(PM_INNER);
    pm_tile_weight_set(w, tile == PM_MIDDLE ? 1 : 2);
    PM_UNROLL
    for (int i = 0; i < PM_WIDTH; ++i)
        x[i] = pm_table[PM_START + i];
    PM_LOOP
    for (int j = PM_INNER; j < PM_DIGITS; ++j) {
        int k = (int)(tile % (pm_u64)radix[j]);
        tile /= (pm_u64)radix[j];
        if (tile & 1)
            k = radix[j] - 1 - k;
        PM_UNROLL
        for (int i = 0; i < PM_WIDTH; ++i)
            x[i] = pm_moved((pm_x)-k, pm_table[j * PM_WIDTH + i], x[i]);
        pm_tile_weight_times(w, pm_table + PM_WEIGHTS + (first + k) * PM_WEIGHT);
        first += radix[j];
    }
}

// The change of a digit other than 0 before a run.
PM_FN void pm_change(pm_x *x, int code)
{
    int digit = code >> 1;
    pm_x s = code & 1 ? -1 : 1;
    PM_UNROLL
    for (int j = 1; j <= PM_OFTEN && j < PM_INNER; ++j)
        if (digit == j) {
            PM_UNROLL
            for (int i = 0; i < PM_WIDTH; ++i)
                x[i] = pm_moved(s, pm_table[j * PM_WIDTH + i], x[i]);
        }
    if (digit > PM_OFTEN) {
        PM_UNROLL
        for (int i = 0; i < PM_WIDTH; ++i)
            x[i] = pm_moved(s, pm_table[digit * PM_WIDTH + i], x[i]);
    }
}

// ---- the spread ----
//
// Of one term of the tile.  Each inner digit is drawn by its weights; their magnitudes sum to 1, so
// that the mean of what is returned is the sum over the terms, each times its inner weight.

#if !PM_TERMS
// A number in 0 .. 1: the finalizer of SplitMix64.
PM_FN double pm_drawn(pm_u64 tile, int digit)
{
    pm_u64 z = tile * PM_DIGITS + (pm_u64)digit + 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

// x^times
PM_FN double pm_raised_to(double x, int times)
{
    double product = 1;
    PM_LOOP
    for (; times; times >>= 1, x *= x)
        if (times & 1)
            product *= x;
    return product;
}
#endif

#if PM_WIDTH <= 64
PM_APART
#else
PM_FN
#endif
double pm_dev_spread(pm_u64 tile)
{
#if PM_TERMS
    (void)tile;
    return 0;
#else
    const int radix[PM_DIGITS] = PM_RADICES, times[PM_N] = PM_TIMES;
    pm_x x[PM_WIDTH];
    double low = 1, high = 1;
    pm_tile_weight w;
    int first = 0;
    if (pm_table[PM_SPREADS] == 0)
        return 0;
    pm_set(x, tile, &w);
    PM_LOOP
    for (int j = 0; j < PM_INNER; first += radix[j], ++j) {
        double left = pm_drawn(tile, j);
        int k = 0;
        PM_LOOP
        for (; k < radix[j] - 1; ++k) {
            left -= PM_SIZE(pm_table[PM_WEIGHTS + (first + k) * PM_WEIGHT]);
            if (left < 0)
                break;
        }
        PM_UNROLL
        for (int i = 0; i < PM_WIDTH; ++i)
            x[i] = pm_moved((pm_x)-k, pm_table[j * PM_WIDTH + i], x[i]);
    }
    PM_UNROLL
    for (int i = 0; i < PM_N; ++i) {
        const pm_x *v = x + i * PM_PARTS;
        double size = PM_SIZE(v[0]);
        if (PM_IS_COMPLEX)
            size = sqrt((double)v[0] * v[0] + (double)v[PM_IMAGINARY] * v[PM_IMAGINARY]);
        low *= pm_raised_to(size, times[i]);
        high *= pm_raised_to(size + pm_table[PM_RAISED + i], times[i]);
    }
    // each product has a relative error of at most 2^-41
    return (high - low) + high * 0x1p-40;
#endif
}

// ---- the tile ----

// The terms of a run, which moves digit 0 up or down.
PM_FN void pm_add_run(pm_x *x, int is_down, const pm_x *weight, pm_tile_sum *t)
{
    pm_x step = is_down ? 1 : -1;
#ifdef __CUDACC__
#pragma unroll PM_WRITTEN_OUT
#endif
    for (int position = 0; position < PM_RUN; ++position) {
        pm_number p;
        int k = is_down ? PM_RUN - 1 - position : position;
        if (position) {
            PM_UNROLL
            for (int i = 0; i < PM_WIDTH; ++i)
                x[i] = pm_moved(step, pm_table[i], x[i]);
        }
        pm_power_product(x, &p);
#if PM_INNER
        pm_tile_add(t, &p, pm_table + PM_WEIGHTS + k * PM_WEIGHT);
#else
        pm_tile_add(t, &p, weight); // 1
#endif
        if (position % PM_CHUNK == PM_CHUNK - 1 || position == PM_RUN - 1)
            pm_tile_flush(t, weight);
    }
}

PM_FN void pm_dev_segment(pm_u64 segment, PM_CELL *shared, pm_record *out)
{
    pm_x x[PM_WIDTH];
    pm_tile_weight w;
    pm_tile_sum t;
    double spread = 0;
    (void)shared;
    pm_tile_begin(&t);
    pm_tile_weight_set(&w, 0);
    if (segment < PM_TILES) { // the last thread block may have fewer
        pm_set(x, segment, &w);
        PM_LOOP
        for (int b = 0; b < PM_RUNS; ++b) {
            const pm_x *of_run = pm_table + PM_OF_RUNS + b * (PM_WEIGHT + 1);
            if (b)
                pm_change(x, (int)of_run[PM_WEIGHT]);
            pm_add_run(x, b & 1, of_run, &t);
        }
        spread = pm_dev_spread(segment);
    }
    pm_tile_end(&t, &w, spread, out);
}
