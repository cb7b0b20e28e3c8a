// SPDX-License-Identifier: GPL-3.0-or-later
// beam.cuh: the steps of a beam (cuda/beam_step.h) over lists of states in a device's memory,
// several runs side by side.  A block has an equal share of the 2 n places of a list merged with
// itself shifted: it finds where its share begins, 256 probes at a time, and goes through it in
// tiles.  Keys of a tile lie in shared memory; each thread finds its own few places there by
// bisection, merges them twice, to count and to name what comes out, and then the threads write the
// states of the tile side by side.  Two launches an edge: one counts, one writes.
//
// Thinning takes three: a histogram of the scores (which the merge has written), sums of what
// stays, and the states that do.  All sums are of integers, all else is what the CPU does with the same
// numbers, so the bits are those of beam/beam.c whatever the blocks.
//
// Follows cuda/thin_rule.h and cuda/beam_step.h.  PM_WORDS: of a key.  Grid: `blocks` for each
// run, of PM_THREADS = 256, four at a time on a multiprocessor; static shared memory, 29 to 45 KiB;
// 64 registers.
//
// What is between PM_ALL( and ) is done by all threads, and by none before all have done what comes
// before it; for C they take turns, in any order.

#define PM_VALUES (PM_WORDS == 1 ? 8 : PM_WORDS == 2 ? 4 : PM_WORDS <= 4 ? 2 : 1)
#define PM_TILE   (PM_THREADS * PM_VALUES)
#define PM_NONE   0xffffu

#ifdef __CUDACC__
#define PM_ALL(...)                                                                                \
    {                                                                                              \
        unsigned self = threadIdx.x;                                                               \
        __VA_ARGS__;                                                                               \
    }                                                                                              \
    __syncthreads()
#define PM_ADD(p, x)   atomicAdd(p, x)
#define PM_RAISE(p, x) atomicMax(p, x)
#define PM_BITS(x)     ((pm_u64)__double_as_longlong(x))
#define PM_DOUBLE(x)   __longlong_as_double((pm_i64)(x))
#else
unsigned pm_odd = 1, pm_offset; // whose turn it is: any odd number, any number
#define PM_ALL(...)                                                                                \
    for (unsigned turn = 0; turn < PM_THREADS; ++turn) {                                           \
        unsigned self = (turn * pm_odd + pm_offset) % PM_THREADS;                                  \
        __VA_ARGS__;                                                                               \
    }
#define PM_ADD(p, x)   (*(p) += (x))
#define PM_RAISE(p, x) (*(p) = *(p) < (x) ? (x) : *(p))
#define PM_BITS(x)     pm_bits_of(x)
#define PM_DOUBLE(x)   pm_double_of(x)
static pm_u64 pm_bits_of(double x)
{
    pm_thin_word w;
    w.value = x;
    return (pm_u64)w.bits;
}
static double pm_double_of(pm_u64 x)
{
    pm_thin_word w;
    w.bits = (pm_i64)x;
    return w.value;
}
#endif

// ---- where things are ----

// A block of a run.
typedef struct {
    const pm_beam_buffers *g;
    const pm_beam_step *step;
    const pm_u64 *thin_offset;
    pm_beam_run_state *state;
    pm_beam_fixed *parts;
    pm_u64 *keys;
    double *weights;
    int block, blocks, parity;
} pm_dev_beam_block;

// Memory that the threads of a block share.
typedef struct {
    union {
        pm_u64 key[PM_WORDS][PM_TILE + 2]; // of a tile: the list's, then the shifted one's
        unsigned count[PM_THIN_BUCKETS];
    };
    unsigned char can[PM_TILE + 2]; // go the way: skip, then take
    unsigned code[PM_TILE]; // of what comes out: 2^16 place of who skips + place of who takes
    int first[PM_THREADS];  // of those who skip, of a thread
    pm_beam_fixed part[2][PM_THREADS];
    pm_thin_octave octave[PM_THIN_OCTAVES];
    pm_u64 largest;
    double cut;
    unsigned found;
} pm_dev_beam_shared;

PM_FN pm_dev_beam_block pm_beam_block_of(const pm_beam_buffers *g, int step, int parity, int run,
                                         int block, int blocks)
{
    pm_dev_beam_block s;
    s.g = g;
    s.step = (const pm_beam_step *)g->steps + step;
    s.thin_offset = (const pm_u64 *)g->thin_offsets + run * g->nsteps + step;
    s.state = (pm_beam_run_state *)g->run_states + run;
    s.parts = (pm_beam_fixed *)g->parts + (pm_i64)run * PM_BEAM_BLOCKS;
    s.keys = (pm_u64 *)g->keys + 2 * run * g->room * PM_WORDS;
    s.weights = (double *)g->weights + 3 * run * g->room;
    s.block = block;
    s.blocks = blocks;
    s.parity = parity;
    return s;
}

PM_FN pm_u64 *pm_keys_of(const pm_dev_beam_block *s, int list)
{
    return s->keys + list * s->g->room * PM_WORDS;
}

PM_FN double *pm_weights_of(const pm_dev_beam_block *s, int list)
{
    return s->weights + list * s->g->room;
}

PM_FN double *pm_scores_of(const pm_dev_beam_block *s)
{
    return s->weights + 2 * s->g->room;
}

PM_FN pm_i64 pm_least(pm_i64 a, pm_i64 b)
{
    return a < b ? a : b;
}

PM_FN pm_i64 pm_most(pm_i64 a, pm_i64 b)
{
    return a > b ? a : b;
}

// Where the block's share of n begins; that of the next block is where it ends.
PM_FN pm_i64 pm_share_of(const pm_dev_beam_block *s, pm_i64 n, int block)
{
    return pm_least((n + s->blocks - 1) / s->blocks * block, n);
}

// ---- sums of a block ----

PM_FN pm_beam_fixed pm_fixed_add(pm_beam_fixed a, pm_beam_fixed b)
{
    pm_beam_fixed sum;
    sum.fraction = a.fraction + b.fraction;
    sum.whole = a.whole + b.whole + (sum.fraction >> PM_THIN_FRACTION);
    sum.fraction &= (1ull << PM_THIN_FRACTION) - 1;
    return sum;
}

// c->part[0] of each thread becomes the sum of those up to it: an even number of doublings, since
// PM_THREADS is a power of 4.
PM_FN void pm_scan(pm_dev_beam_shared *c)
{
    int at = 0;
    for (unsigned d = 1; d < PM_THREADS; d *= 2, at = !at) {
        PM_ALL(c->part[!at][self] = self < d
                                        ? c->part[at][self]
                                        : pm_fixed_add(c->part[at][self - d], c->part[at][self]));
    }
}

// The sum of those of all threads; c->part[0] is used up.
PM_FN pm_beam_fixed pm_block_sum(pm_dev_beam_shared *c)
{
    pm_beam_fixed sum;
    for (unsigned half = PM_THREADS / 2; half > 0; half /= 2) {
        PM_ALL(if (self < half) c->part[0][self] =
                   pm_fixed_add(c->part[0][self], c->part[0][self + half]));
    }
    PM_ALL(sum = c->part[0][0]);
    return sum;
}

// The sum over the parts of the first blocks.
PM_FN pm_beam_fixed pm_sum_before(const pm_dev_beam_block *s, int blocks, pm_dev_beam_shared *c)
{
    PM_ALL(pm_beam_fixed sum = {0, 0}; for (int b = (int)self; b < blocks; b += PM_THREADS) sum =
                                           pm_fixed_add(sum, s->parts[b]);
           c->part[0][self] = sum);
    return pm_block_sum(c);
}

// ---- a list merged with itself ----

// Key and the sum of both bits, or the largest key where that is beyond all keys.
PM_FN void pm_shift(const pm_u64 *key, const pm_beam_step *e, pm_u64 *to)
{
    pm_u64 carry = 0;
    PM_UNROLL
    for (int w = PM_WORDS - 1; w >= 0; --w) {
        pm_u64 more = (w == e->v_word ? e->v_mask : 0) + (w == e->u_word ? e->u_mask : 0);
        pm_u64 sum = key[w] + carry;
        carry = sum < carry;
        to[w] = sum + more;
        carry |= to[w] < more;
    }
    PM_UNROLL
    for (int w = 0; w < PM_WORDS; ++w)
        to[w] |= 0 - carry;
}

// Key i of the list is not above key j of the shifted one.
PM_FN int pm_precedes(const pm_u64 *keys, const pm_beam_step *e, pm_i64 i, pm_i64 j)
{
    pm_u64 key[PM_WORDS];
    pm_shift(keys + j * PM_WORDS, e, key);
    int w = 0;
    while (w < PM_WORDS - 1 && keys[i * PM_WORDS + w] == key[w])
        ++w;
    return keys[i * PM_WORDS + w] <= key[w];
}

// How many of the first d places are the list's own: low .. high of them.
PM_FN pm_i64 pm_crossing(const pm_u64 *keys, const pm_beam_step *e, pm_i64 d, pm_i64 low,
                         pm_i64 high, pm_dev_beam_shared *c)
{
    while (low < high) {
        pm_i64 stride = (high - low + PM_THREADS - 1) / PM_THREADS, below = 0;
        PM_ALL(if (self == 0) c->found = 0);
        PM_ALL(pm_i64 i = low + (self + 1) * stride - 1;
               if (i < high && pm_precedes(keys, e, i, d - 1 - i)) PM_ADD(&c->found, 1u));
        PM_ALL(below = c->found);
        low += below * stride;
        high = pm_least(high, low + stride - 1);
    }
    return low;
}

// Places of a tile: i .. i + own - 1 of the list, j .. j + shifted - 1 of the shifted one.
typedef struct {
    pm_i64 i, j;
    int own, shifted;
} pm_tile;

PM_FN int pm_can_skip(const pm_u64 *key, const pm_beam_step *e)
{
    return (!e->v_leaves || key[e->v_word] & e->v_mask)
           && (!e->u_leaves || key[e->u_word] & e->u_mask);
}

PM_FN int pm_can_take(const pm_u64 *key, const pm_beam_step *e)
{
    return !(key[e->v_word] & e->v_mask) && !(key[e->u_word] & e->u_mask);
}

PM_FN void pm_put_key(pm_dev_beam_shared *c, int at, const pm_u64 *key)
{
    PM_UNROLL
    for (int w = 0; w < PM_WORDS; ++w)
        c->key[w][at] = key[w];
}

// The list's own states begin with the one before the tile, the shifted ones end with the one after
// it: equal keys may be there.
PM_FN void pm_load(const pm_tile *t, const pm_u64 *keys, const pm_beam_step *e, pm_i64 n,
                   unsigned self, pm_dev_beam_shared *c)
{
    for (int x = (int)self; x <= t->own; x += PM_THREADS) {
        const pm_u64 *key = keys + (t->i + x - 1) * PM_WORDS;
        int is_there = t->i + x > 0;
        c->can[x] = is_there && pm_can_skip(key, e);
        if (is_there)
            pm_put_key(c, x, key);
    }
    for (int x = (int)self; x <= t->shifted; x += PM_THREADS) {
        const pm_u64 *key = keys + (t->j + x) * PM_WORDS;
        int at = t->own + 1 + x, is_there = t->j + x < n;
        c->can[at] = is_there && pm_can_take(key, e);
        if (is_there) {
            pm_u64 to[PM_WORDS];
            pm_shift(key, e, to);
            pm_put_key(c, at, to);
        }
    }
}

// -1, 0, 1 as the key in cell a <, =, > that in b.
PM_FN int pm_compare(const pm_dev_beam_shared *c, int a, int b)
{
    int w = 0;
    while (w < PM_WORDS - 1 && c->key[w][a] == c->key[w][b])
        ++w;
    return (c->key[w][a] > c->key[w][b]) - (c->key[w][a] < c->key[w][b]);
}

// How many of the first d places of the tile are the list's own.
PM_FN int pm_bisect(const pm_tile *t, const pm_dev_beam_shared *c, int d)
{
    int low = d > t->shifted ? d - t->shifted : 0, high = d < t->own ? d : t->own;
    while (low < high) {
        int middle = (low + high) / 2;
        if (pm_compare(c, middle + 1, t->own + d - middle) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// What comes out of the thread's places, of which the first i are the list's own; how many.
PM_FN int pm_walk(const pm_tile *t, const pm_dev_beam_shared *c, unsigned self, int i,
                  unsigned *code)
{
    int place = (int)self * PM_VALUES, end = place + PM_VALUES, all = t->own + t->shifted;
    int out = 0, j = place - i;
    for (end = end < all ? end : all; place < end; ++place) {
        int mine = i + 1, other = t->own + 1 + j;
        int is_own = j == t->shifted || (i < t->own && pm_compare(c, mine, other) <= 0);
        int goes = c->can[is_own ? mine : other];
        /* the one of an equal key: the next shifted one, the own one before */
        int twin = is_own ? other : i;
        int has_twin = goes && c->can[twin] && pm_compare(c, is_own ? mine : other, twin) == 0;
        i += is_own;
        j += !is_own;
        if (!goes || (has_twin && !is_own))
            continue;
        if (code)
            code[out] = is_own ? (unsigned)mine << 16 | (has_twin ? (unsigned)twin : PM_NONE)
                               : PM_NONE << 16 | (unsigned)other;
        ++out;
    }
    return out;
}

// The tile from place d on; the one before it ended at *t.
PM_FN void pm_next_tile(pm_tile *t, const pm_u64 *keys, const pm_beam_step *e, pm_i64 n, pm_i64 d,
                        pm_i64 end, pm_dev_beam_shared *c)
{
    pm_i64 next = pm_least(d + PM_TILE, end);
    t->i += t->own;
    t->j += t->shifted;
    pm_i64 i = pm_crossing(keys, e, next, pm_most(t->i, next - n), pm_least(t->i + next - d, n), c);
    t->own = (int)(i - t->i);
    t->shifted = (int)(next - d) - t->own;
    PM_ALL(pm_load(t, keys, e, n, self, c));
}

// The empty tile before place d.
PM_FN pm_tile pm_first_tile(const pm_u64 *keys, const pm_beam_step *e, pm_i64 n, pm_i64 d,
                            pm_dev_beam_shared *c)
{
    pm_tile t;
    t.i = pm_crossing(keys, e, d, pm_most(0, d - n), pm_least(d, n), c);
    t.j = d - t.i;
    t.own = t.shifted = 0;
    return t;
}

// ---- an edge ----

// How many states come out of the block's share.
PM_FN void pm_count_states(const pm_dev_beam_block *s, pm_dev_beam_shared *c)
{
    pm_i64 n = 0;
    int list = 0;
    PM_ALL(n = s->state->n[s->parity]; list = (int)s->state->list[s->parity];
           c->part[0][self].whole = c->part[0][self].fraction = 0);
    if (s->block == 0) {
        PM_ALL(for (int b = (int)self; b < PM_THIN_BUCKETS; b += PM_THREADS) s->state->count[b] = 0;
               if (self == 0) s->state->score = s->state->weight = 0);
    }
    const pm_u64 *keys = pm_keys_of(s, list);
    pm_i64 d = pm_share_of(s, 2 * n, s->block), end = pm_share_of(s, 2 * n, s->block + 1);
    pm_tile t = pm_first_tile(keys, s->step, n, d, c);
    for (; d < end; d += PM_TILE) {
        pm_next_tile(&t, keys, s->step, n, d, end, c);
        PM_ALL(int place = (int)self * PM_VALUES, all = t.own + t.shifted;
               int i = pm_bisect(&t, c, place < all ? place : all);
               c->part[0][self].whole += (pm_u64)pm_walk(&t, c, self, i, 0));
    }
    pm_beam_fixed sum = pm_block_sum(c);
    PM_ALL(if (self == 0) s->parts[s->block] = sum);
}

// Weight times what the unmatched vertices are worth, byte after byte as in beam/beam_score.c.
PM_FN double pm_score_of(const pm_beam_step *e, const pm_beam_buffers *g, const pm_u64 *key,
                         double weight)
{
    const double *factor = (const double *)g->factors + e->first_factor;
    const pm_beam_conflict_masks *conflict =
        (const pm_beam_conflict_masks *)g->conflicts + e->first_conflict;
    for (int k = 0; k < e->nconflicts; ++k)
        if (!(key[conflict[k].unmatched_word] & conflict[k].unmatched)
            && ((key[conflict[k].other_word] & conflict[k].other) != 0) == conflict[k].is_set)
            return 0;
    for (int b = 0; b < e->bytes; ++b) {
        unsigned byte = (unsigned)(key[b / 8] >> 8 * (b % 8)) & 255;
        double product = 1;
        PM_UNROLL
        for (int k = 7; k >= 0; --k)
            product = byte >> k & 1 ? product : product * PM_TABLE_AT(factor + 8 * b + k);
        weight *= product;
    }
    return weight;
}

// State o of a tile goes to place `to`; returns its score, where it is wanted.
PM_FN double pm_write_state(const pm_dev_beam_block *s, const pm_tile *t, int list,
                            const pm_dev_beam_shared *c, int o, pm_i64 to, int is_scored)
{
    const pm_beam_step *e = s->step;
    const double *from = pm_weights_of(s, list);
    unsigned own = c->code[o] >> 16, shifted = c->code[o] & PM_NONE;
    unsigned cell = own != PM_NONE ? own : shifted;
    pm_u64 key[PM_WORDS], *keys = pm_keys_of(s, !list) + to * PM_WORDS;
    double skipped = 0, taken = 0, score = 0;
    if (own != PM_NONE)
        skipped = from[t->i + own - 1];
    if (shifted != PM_NONE)
        taken = from[t->j + shifted - t->own - 1] * (e->is_unit ? 1 : e->factor);
    PM_UNROLL
    for (int w = 0; w < PM_WORDS; ++w) {
        key[w] = c->key[w][cell] ^ (e->v_leaves && w == e->v_word ? e->v_mask : 0)
                 ^ (e->u_leaves && w == e->u_word ? e->u_mask : 0);
        keys[w] = key[w];
    }
    pm_weights_of(s, !list)[to] = skipped + taken;
    if (is_scored)
        pm_scores_of(s)[to] = score = pm_score_of(e, s->g, key, skipped + taken);
    return score;
}

PM_FN void pm_merge_tile(const pm_dev_beam_block *s, const pm_tile *t, int list, pm_i64 to,
                         int is_scored, pm_dev_beam_shared *c)
{
    PM_ALL(int place = (int)self * PM_VALUES, all = t->own + t->shifted;
           int i = pm_bisect(t, c, place < all ? place : all); c->first[self] = i;
           c->part[0][self].whole = (pm_u64)pm_walk(t, c, self, i, 0);
           c->part[0][self].fraction = 0);
    pm_scan(c);
    PM_ALL(pm_walk(t, c, self, c->first[self], c->code + (self ? c->part[0][self - 1].whole : 0)));
    PM_ALL(double largest = 0; int out = (int)c->part[0][PM_THREADS - 1].whole;
           for (int o = (int)self; o < out; o += PM_THREADS) {
               double score = pm_write_state(s, t, list, c, o, to + o, is_scored);
               largest = score > largest ? score : largest;
           } if (largest > 0) PM_RAISE(&c->largest, PM_BITS(largest)));
}

PM_FN void pm_merge_states(const pm_dev_beam_block *s, pm_dev_beam_shared *c)
{
    pm_i64 n = 0;
    int list = 0;
    PM_ALL(n = s->state->n[s->parity]; list = (int)s->state->list[s->parity];
           if (self == 0) c->largest = 0);
    pm_i64 to = (pm_i64)pm_sum_before(s, s->block, c).whole;
    pm_i64 out = (pm_i64)pm_sum_before(s, s->blocks, c).whole;
    int is_scored = s->step->limit >= 0 && out > s->step->limit;
    const pm_u64 *keys = pm_keys_of(s, list);
    pm_i64 d = pm_share_of(s, 2 * n, s->block), end = pm_share_of(s, 2 * n, s->block + 1);
    pm_tile t = pm_first_tile(keys, s->step, n, d, c);
    for (; d < end; d += PM_TILE) {
        pm_i64 more = 0;
        pm_next_tile(&t, keys, s->step, n, d, end, c);
        pm_merge_tile(s, &t, list, to, is_scored, c);
        PM_ALL(more = (pm_i64)c->part[0][PM_THREADS - 1].whole);
        to += more;
    }
    PM_ALL(if (self == 0 && c->largest) PM_RAISE(&s->state->score, c->largest);
           if (self == 0 && s->block == 0) {
               s->state->n[!s->parity] = out;
               s->state->list[!s->parity] = !list;
           });
}

// ---- thinning ----

// How many states there are, or 0 where they are few enough.
PM_FN pm_i64 pm_too_many(const pm_dev_beam_block *s)
{
    pm_i64 n = 0;
    PM_ALL(n = s->state->n[s->parity]);
    return n > s->step->limit ? n : 0;
}

PM_FN void pm_count_scores(const pm_dev_beam_block *s, pm_dev_beam_shared *c)
{
    pm_i64 n = pm_too_many(s), end = pm_share_of(s, n, s->block + 1);
    const double *score = pm_scores_of(s);
    if (n == 0)
        return;
    PM_ALL(for (int b = (int)self; b < PM_THIN_BUCKETS; b += PM_THREADS) c->count[b] = 0);
    PM_ALL(pm_i64 top = pm_thin_top(PM_DOUBLE(s->state->score));
           for (pm_i64 i = pm_share_of(s, n, s->block) + self; i < end;
                i += PM_THREADS) if (score[i] > 0)
               PM_ADD(&c->count[pm_thin_bucket(top, score[i])], 1u));
    PM_ALL(for (int b = (int)self; b < PM_THIN_BUCKETS; b += PM_THREADS) if (c->count[b])
               PM_ADD(&s->state->count[b], c->count[b]));
}

// What a score adds to the number of those that stay.
PM_FN pm_beam_fixed pm_kept_of(double score, double cut, double inverse)
{
    pm_beam_fixed p = {1, 0}, none = {0, 0};
    if (score < cut) {
        p = none;
        p.fraction = pm_thin_part(score, inverse);
    }
    return pm_fixed_add(p, none);
}

PM_FN double pm_find_cut(const pm_dev_beam_block *s, pm_dev_beam_shared *c)
{
    double cut = 0;
    PM_ALL(if (self < PM_THIN_OCTAVES) c->octave[self] =
               pm_thin_octave_of(s->state->count, (int)self));
    PM_ALL(if (self == 0) c->cut = pm_thin_threshold(s->state->count, c->octave, s->g->keep,
                                                     pm_thin_top(PM_DOUBLE(s->state->score))));
    PM_ALL(cut = c->cut);
    return cut;
}

PM_FN void pm_sum_scores(const pm_dev_beam_block *s, pm_dev_beam_shared *c)
{
    pm_i64 n = pm_too_many(s), end = pm_share_of(s, n, s->block + 1);
    const double *score = pm_scores_of(s);
    pm_u64 largest = 0;
    PM_ALL(largest = s->state->score);
    if (n == 0 || largest == 0)
        return;
    double cut = pm_find_cut(s, c), inverse = 1 / cut;
    PM_ALL(pm_beam_fixed sum = {0, 0};
           for (pm_i64 i = pm_share_of(s, n, s->block) + self; i < end; i += PM_THREADS) sum =
               pm_fixed_add(sum, pm_kept_of(score[i], cut, inverse));
           c->part[0][self] = sum);
    pm_beam_fixed sum = pm_block_sum(c);
    PM_ALL(if (self == 0) s->parts[s->block] = sum;
           if (self == 0 && s->block == 0) s->state->cut = cut);
}

// States i .. i + 3, before which `before` stay.
PM_FN void pm_keep_states(const pm_dev_beam_block *s, int list, pm_i64 i, pm_i64 end, double cut,
                          pm_beam_fixed before)
{
    const double *score = pm_scores_of(s), *from = pm_weights_of(s, list);
    double *to = pm_weights_of(s, !list), inverse = 1 / cut;
    for (; i < end; ++i) {
        pm_beam_fixed next = pm_fixed_add(before, pm_kept_of(score[i], cut, inverse));
        if (next.whole > before.whole) {
            for (int w = 0; w < PM_WORDS; ++w)
                pm_keys_of(s, !list)[before.whole * PM_WORDS + w] =
                    pm_keys_of(s, list)[i * PM_WORDS + w];
            to[before.whole] = from[i] * (score[i] >= cut ? 1 : cut / score[i]);
        }
        before = next;
    }
}

enum { PM_QUAD_STATES = 4 };

// From state i on, PM_QUAD_STATES a thread; those before it are `before`.
PM_FN pm_beam_fixed pm_keep_tile(const pm_dev_beam_block *s, int list, pm_i64 first, pm_i64 end,
                                 double cut, pm_beam_fixed before, pm_dev_beam_shared *c)
{
    const double *score = pm_scores_of(s);
    double inverse = 1 / cut;
    pm_beam_fixed all;
    PM_ALL(pm_i64 i = first + self * PM_QUAD_STATES, last = pm_least(i + PM_QUAD_STATES, end);
           pm_beam_fixed sum = {0, 0};
           for (; i < last; ++i) sum = pm_fixed_add(sum, pm_kept_of(score[i], cut, inverse));
           c->part[0][self] = sum);
    pm_scan(c);
    PM_ALL(pm_i64 i = first + self * PM_QUAD_STATES;
           pm_beam_fixed mine = self ? pm_fixed_add(before, c->part[0][self - 1]) : before;
           pm_keep_states(s, list, i, pm_least(i + PM_QUAD_STATES, end), cut, mine));
    PM_ALL(all = c->part[0][PM_THREADS - 1]);
    return pm_fixed_add(before, all);
}

PM_FN void pm_thin_states(const pm_dev_beam_block *s, pm_dev_beam_shared *c)
{
    pm_i64 n = pm_too_many(s), end = pm_share_of(s, n, s->block + 1), count = 0, list = 0;
    pm_u64 largest = 0;
    pm_beam_fixed start = {0, *s->thin_offset}, all = {0, 0};
    PM_ALL(largest = s->state->score; list = s->state->list[s->parity];
           count = s->state->n[s->parity]);
    if (n > 0 && largest > 0) {
        pm_beam_fixed at = pm_fixed_add(start, pm_sum_before(s, s->block, c));
        all = pm_fixed_add(start, pm_sum_before(s, s->blocks, c));
        for (pm_i64 i = pm_share_of(s, n, s->block); i < end; i += PM_THREADS * PM_QUAD_STATES)
            at = pm_keep_tile(s, (int)list, i, end, s->state->cut, at, c);
    }
    PM_ALL(if (self == 0 && s->block == 0) {
        s->state->n[!s->parity] = n ? (pm_i64)all.whole : count;
        s->state->list[!s->parity] = n ? !list : list;
    });
}

// ---- one exponent ----

PM_FN void pm_find_largest(const pm_dev_beam_block *s, pm_dev_beam_shared *c)
{
    pm_i64 n = 0;
    int list = 0;
    PM_ALL(n = s->state->n[s->parity]; list = (int)s->state->list[s->parity];
           if (self == 0) c->largest = 0);
    const double *weight = pm_weights_of(s, list);
    pm_i64 end = pm_share_of(s, n, s->block + 1);
    PM_ALL(double largest = 0;
           for (pm_i64 i = pm_share_of(s, n, s->block) + self; i < end; i += PM_THREADS) largest =
               weight[i] > largest ? weight[i] : largest;
           if (largest > 0) PM_RAISE(&c->largest, PM_BITS(largest)));
    PM_ALL(if (self == 0 && c->largest) PM_RAISE(&s->state->weight, c->largest));
}

PM_FN void pm_rescale(const pm_dev_beam_block *s)
{
    pm_i64 n = 0;
    int list = 0, exp = 0;
    PM_ALL(n = s->state->n[s->parity]; list = (int)s->state->list[s->parity];
           frexp(PM_DOUBLE(s->state->weight), &exp));
    if (exp > -PM_BEAM_RESCALE && exp < PM_BEAM_RESCALE)
        return;
    double *weight = pm_weights_of(s, list), factor = ldexp(1., -exp);
    pm_i64 end = pm_share_of(s, n, s->block + 1);
    PM_ALL(for (pm_i64 i = pm_share_of(s, n, s->block) + self; i < end; i += PM_THREADS)
               weight[i] *= factor;
           if (self == 0 && s->block == 0) s->state->exp += exp);
}

// ---- a run ----

PM_FN void pm_begin(const pm_dev_beam_block *s)
{
    PM_ALL(if (self == 0) {
        for (int w = 0; w < PM_WORDS; ++w)
            s->keys[w] = 0;
        s->weights[0] = 1;
        s->state->n[0] = 1;
        s->state->list[0] = 0;
        s->state->exp = 0;
    });
}

PM_FN void pm_end(const pm_dev_beam_block *s)
{
    PM_ALL(if (self == 0) s->state->value =
               s->state->n[s->parity] ? pm_weights_of(s, (int)s->state->list[s->parity])[0] : 0);
}

// Steps one after the other by one block, last exclusive.
PM_FN void pm_chain(pm_dev_beam_block *s, int steps, pm_dev_beam_shared *c)
{
    for (; steps > 0; --steps, ++s->step, ++s->thin_offset) {
        pm_count_states(s, c);
        pm_merge_states(s, c);
        s->parity = !s->parity;
        if (s->step->limit >= 0) {
            pm_count_scores(s, c);
            pm_sum_scores(s, c);
            pm_thin_states(s, c);
            s->parity = !s->parity;
        }
        if (s->step->rescales) {
            pm_find_largest(s, c);
            pm_rescale(s);
        }
    }
}

// ---- kernels ----

// steps: of a chain.
#define PM_ARGUMENTS pm_beam_buffers g, int step, int steps, int parity, int blocks

#ifdef __CUDACC__
#define PM_KERNEL(name, ...)                                                                       \
    extern "C" __global__ void __launch_bounds__(PM_THREADS, 4)                                    \
        name(const __grid_constant__ PM_ARGUMENTS)                                                 \
    {                                                                                              \
        __shared__ pm_dev_beam_shared cells;                                                       \
        pm_dev_beam_shared *c = &cells;                                                            \
        pm_dev_beam_block block = pm_beam_block_of(&g, step, parity, (int)blockIdx.x / blocks,     \
                                                   (int)blockIdx.x % blocks, blocks);              \
        pm_dev_beam_block *s = &block;                                                             \
        __VA_ARGS__;                                                                               \
    }
#else
#define PM_KERNEL(name, ...)                                                                       \
    void name(PM_ARGUMENTS, int grid)                                                              \
    {                                                                                              \
        static __thread pm_dev_beam_shared cells;                                                  \
        pm_dev_beam_shared *c = &cells;                                                            \
        for (int b = grid - 1; b >= 0; --b) {                                                      \
            pm_dev_beam_block block =                                                              \
                pm_beam_block_of(&g, step, parity, b / blocks, b % blocks, blocks);                \
            pm_dev_beam_block *s = &block;                                                         \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
    }
#endif

PM_KERNEL(pm_beam_begin, pm_begin(s))
PM_KERNEL(pm_beam_count, pm_count_states(s, c))
PM_KERNEL(pm_beam_merge, pm_merge_states(s, c))
PM_KERNEL(pm_beam_histogram, pm_count_scores(s, c))
PM_KERNEL(pm_beam_sums, pm_sum_scores(s, c))
PM_KERNEL(pm_beam_thin, pm_thin_states(s, c))
PM_KERNEL(pm_beam_largest, pm_find_largest(s, c))
PM_KERNEL(pm_beam_rescale, pm_rescale(s))
PM_KERNEL(pm_beam_chain, pm_chain(s, steps, c))
PM_KERNEL(pm_beam_end, pm_end(s))
