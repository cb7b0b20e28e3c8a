// SPDX-License-Identifier: GPL-3.0-or-later
// necklace.cuh: the sum over orbits of sets of columns (necklace/necklace_terms.h) modulo a number, as segments for block.cuh.  A thread
// block has the words that begin with one prefix, and its threads share them evenly.
//
// The threads of a warp do the same.  They look at words, at first at their pairs of two distances.  Words that pass go to a list of the
// warp; when it has one for each thread, these look at further distances, and so on.  At the end of the last list are the terms.  In C
// a warp is one thread.
//
// The text before it has necklace_step.h and defines PM_WIDE (words of 64 bits), PM_CELL, PM_BEADS, PM_ROWS, PM_STRIDE (at least PM_ROWS,
// odd: so the rows of one chunk lie in different banks), PM_CHUNK bits of a word whose sums are in a table, PM_CHUNKS, PM_SETS of all chunks, PM_UNITS,
// PM_UNIT_LIST, PM_HAS_SIDES, PM_IS_EVEN, PM_MOST ones of a word, PM_FREE bits of an end, PM_PREFIX beads, PM_PREFIXES, PM_IS_SHORT (sums of chunks
// need no reduction), PM_WEIGHTS.
//
// Shared memory: all sums of chunks (dynamic); the lists of all warps (static).  The sum depends on nothing but the table.

#define PM_ENTRIES  (PM_SETS * PM_STRIDE)
#define PM_END_BITS (PM_BEADS - PM_PREFIX)
#define PM_LOW_BITS                                                                                \
    13 // free beads of words that are looked at without another look at their prefix

#ifdef __CUDACC__
#define PM_LANES                  32
#define PM_VOTES(x)               __ballot_sync(0xffffffffu, x)
#define PM_WARP_BARRIER()         __syncwarp()
#define PM_BLOCK_LIST(type, name) __shared__ type name
#else
#define PM_LANES    1
#define PM_VOTES(x) ((unsigned)((x) != 0))
#define PM_WARP_BARRIER()
#define PM_BLOCK_LIST(type, name) static type name
#endif

#if PM_WIDE
typedef pm_u64 pm_word;
#ifdef __CUDACC__
#define PM_MUL_HIGH(a, b) __umul64hi(a, b)
#else
#define PM_MUL_HIGH(a, b) ((pm_u64)((unsigned __int128)(a) * (b) >> 64))
#endif
#else
typedef unsigned pm_word;
#define PM_MUL_HIGH(a, b) ((unsigned)((pm_u64)(a) * (b) >> 32))
#endif

typedef struct {
    pm_u64 modulus, inverse; // 1 / modulus
    pm_u64 prefix[PM_PREFIXES];
    pm_word weight[PM_WEIGHTS];       // [ones][ties]
    pm_word number[2 * PM_BEADS + 1]; // 0, 1, ...
    pm_word sum[PM_ENTRIES];
} pm_necklace_data;

PM_GLOBAL pm_necklace_data pm_table;

// a b / 2^bits modulo m, below m, for a < m and any b.  (Montgomery 1985.)
PM_FN pm_word pm_times(pm_word a, pm_word b, pm_word m, pm_word inverse)
{
    const pm_word r = PM_MUL_HIGH(a, b) - PM_MUL_HIGH(a * b * inverse, m);
    return r < r + m ? r : r + m;
}

PM_FN void pm_dev_fill_shared(PM_CELL *shared, unsigned self)
{
    PM_LOOP
    for (unsigned i = self; i < PM_ENTRIES; i += PM_THREADS)
        shared[i] = pm_table.sum[i];
}

// The pairs of x at the distance of unit k.
PM_FN int pm_dev_pairs(pm_u64 x, int k)
{
    const int unit[PM_UNITS] = {PM_UNIT_LIST};
    return pm_beads_pairs(x, unit[k], PM_BEADS);
}

// How many units have as many pairs as the first one.
PM_FN int pm_dev_ties(pm_u64 x)
{
    const int most = pm_dev_pairs(x, 0);
    int ties = 1;
    PM_UNROLL
    for (int k = 1; k < PM_UNITS; ++k)
        ties += pm_dev_pairs(x, k) == most;
    return ties;
}

// words: as pm_necklace_words says.
PM_FN pm_word pm_dev_term(pm_u64 x, int words, const PM_CELL *sums)
{
    const pm_word m = (pm_word)pm_table.modulus, inverse = (pm_word)pm_table.inverse;
    const PM_CELL *at[PM_CHUNKS];
    pm_word product =
        PM_TABLE_AT(&pm_table.weight[(int)PM_POPCOUNT(x) * PM_UNITS + pm_dev_ties(x) - 1]);
    PM_UNROLL
    for (int c = 0; c < PM_CHUNKS; ++c)
        at[c] =
            sums
            + ((c << PM_CHUNK) + (int)(x >> (c * PM_CHUNK) & ((1 << PM_CHUNK) - 1))) * PM_STRIDE;
    PM_UNROLL_FOUR
    for (int i = 0; i < PM_ROWS; ++i) {
        pm_word s = at[0][i];
        PM_UNROLL
        for (int c = 1; c < PM_CHUNKS; ++c) {
            s += at[c][i];
#if !PM_IS_SHORT
            s = s < s - m ? s : s - m;
#endif
        }
        product = pm_times(product, s, m, inverse);
    }
    return pm_times(product, PM_TABLE_AT(&pm_table.number[words]), m, inverse);
}

// The distances of the units that are looked at for each list.
#define PM_STAGES            3
#define PM_STAGE_FROM(stage) ((stage) == 0 ? 2 : (stage) == 1 ? 6 : 12)
#define PM_STAGE_TO(stage)   ((stage) == 0 ? 6 : (stage) == 1 ? 12 : PM_UNITS)

// Ends of words; those of the last list are words that have terms.
typedef struct {
    unsigned end[PM_STAGES + 1][2 * PM_LANES];
    unsigned char words[2 * PM_LANES];
} pm_necklace_lists;

typedef struct {
    pm_necklace_lists *list; // of the warp
    const PM_CELL *sums;
    pm_u64 start; // the prefix, at its place
    unsigned lane;
    int count[PM_STAGES + 1];
    pm_u64 sum;
} pm_necklace_walk;

// Adds the ends of those threads for which is_in is true to a list, which has room.
PM_FN void pm_dev_add(pm_necklace_walk *w, int stage, unsigned end, int words, int is_in)
{
    const unsigned votes = PM_VOTES(is_in);
    const int at = w->count[stage] + (int)PM_POPCOUNT(votes & ((1u << w->lane) - 1));
    if (is_in)
        w->list->end[stage][at] = end;
    if (is_in && stage == PM_STAGES)
        w->list->words[at] = (unsigned char)words;
    w->count[stage] += (int)PM_POPCOUNT(votes);
    PM_WARP_BARRIER();
}

// Whether this thread has an end, one of the last ones of the list, which are taken from it.  *at: its place.
PM_FN int pm_dev_take(pm_necklace_walk *w, int stage, int *at)
{
    const int left = w->count[stage] < PM_LANES ? 0 : w->count[stage] - PM_LANES;
    *at = left + (int)w->lane;
    const int has = *at < w->count[stage];
    w->count[stage] = left;
    return has;
}

PM_FN void pm_dev_add_terms(pm_necklace_walk *w)
{
    int at;
    if (pm_dev_take(w, PM_STAGES, &at)) {
        w->sum += pm_dev_term(w->start | w->list->end[PM_STAGES][at], w->list->words[at], w->sums);
#if PM_WIDE
        w->sum = w->sum < pm_table.modulus ? w->sum : w->sum - pm_table.modulus;
#endif
    }
    PM_WARP_BARRIER();
}

// Takes words from a list.  Those that pass go to the next one; at the end, only if other words do not stand for them.
PM_FN void pm_dev_stage(pm_necklace_walk *w, int stage)
{
    int at, passes = pm_dev_take(w, stage, &at), words = 0;
    const unsigned end = passes ? w->list->end[stage][at] : 1;
    const pm_u64 x = w->start | end;
    const int most = pm_dev_pairs(x, 0);
    PM_WARP_BARRIER();
    PM_UNROLL
    for (int k = PM_STAGE_FROM(stage); k < PM_STAGE_TO(stage); ++k)
        if (k < PM_UNITS)
            passes &= pm_dev_pairs(x, k) <= most;
    if (stage == PM_STAGES - 1 && passes) {
        words = pm_necklace_words(x, PM_BEADS, PM_HAS_SIDES);
        passes = words && (int)PM_POPCOUNT(x) <= PM_MOST;
    }
    pm_dev_add(w, stage + 1, end, words, passes);
}

// Goes through all lists that have words for all threads; the last ones of the prefix: through all lists.
PM_FN void pm_dev_stages(pm_necklace_walk *w, int is_last)
{
    const int least = is_last ? 1 : PM_LANES;
    PM_UNROLL
    for (int stage = 0; stage < PM_STAGES; ++stage) {
        if (w->count[stage] < least)
            continue;
        pm_dev_stage(w, stage);
    }
    if (w->count[PM_STAGES] >= least)
        pm_dev_add_terms(w);
}

// Whether necklaces begin with these beads: no part of them is below the beginning.
PM_FN int pm_dev_is_prefix(pm_u64 x, int length)
{
    int is = 1;
    PM_LOOP
    for (int k = 1; k < length; ++k)
        is &= (x & (((pm_u64)1 << (length - k)) - 1)) >= x >> k;
    return is;
}

PM_FN void pm_dev_segment(pm_u64 segment, PM_CELL *shared, pm_record *out)
{
    PM_BLOCK_LIST(pm_necklace_lists, lists[PM_THREADS / PM_LANES]);
    const unsigned self = (unsigned)(segment % PM_THREADS);
    const pm_u64 prefix = pm_table.prefix[segment / PM_THREADS];
    const int ones = (int)PM_POPCOUNT(prefix);
    pm_necklace_walk w;
    w.list = &lists[self / PM_LANES];
    w.sums = shared - self;
    w.start = prefix << PM_END_BITS;
    w.lane = self % PM_LANES;
    w.sum = 0;
    PM_UNROLL
    for (int stage = 0; stage <= PM_STAGES; ++stage)
        w.count[stage] = 0;
    PM_LOOP
    for (unsigned first = 0; first < 1u << PM_FREE; first += PM_THREADS) {
#if PM_FREE > PM_LOW_BITS
        // the highest free beads are those after the prefix
        if (first % (1u << PM_LOW_BITS) == 0
            && !pm_dev_is_prefix(prefix << (PM_FREE - PM_LOW_BITS) | first >> PM_LOW_BITS,
                                 PM_PREFIX + PM_FREE - PM_LOW_BITS)) {
            first += (1u << PM_LOW_BITS) - PM_THREADS;
            continue;
        }
#endif
        const unsigned number = first + self;
        const unsigned end = (unsigned)pm_necklace_end(number, ones, PM_IS_EVEN);
        const pm_u64 x = w.start | end;
        pm_dev_add(&w, 0, end, 0,
                   number < 1u << PM_FREE
                       && (PM_UNITS < 2 || pm_dev_pairs(x, PM_UNITS > 1) <= pm_dev_pairs(x, 0)));
        pm_dev_stages(&w, 0);
    }
    for (int round = 0; round <= PM_STAGES;
         ++round) // each list is nearly empty, and gets less than one word for each thread
        pm_dev_stages(&w, 1);
    out->high[0] = (pm_i64)(w.sum >> 32);
    out->low[0] = (pm_i64)(w.sum & 0xffffffff);
}
