// SPDX-License-Identifier: GPL-3.0-or-later
// beam.cuh: the kernels of the beam (beam/beam_gpu.h): the steps of cuda/beam_step.h on lists of
// states in the memory of a device, for several runs at a time.
//
// A step merges a sorted list of n states with the same list shifted by a constant.  Each thread
// block merges an equal share of the 2 n places of the merged list.  It finds where its share
// begins by a search with 256 probes at a time, and then processes the share in tiles of PM_TILE
// places.  The keys of a tile are in shared memory.  Each thread finds its PM_VALUES places of the
// tile by bisection and
// merges them twice: first to count the resulting states, then to list their sources.  Then all
// threads write the states of the tile.  A step takes two launches: pm_beam_count counts the states
// of every block, pm_beam_merge writes them.
//
// A thinning takes three launches: pm_beam_histogram counts the scores, which the merge has
// written; pm_beam_sums adds the parts of the scores in every block; pm_beam_thin writes the states
// that are kept.  All sums are sums of integers, and everything else is computed as on the CPU.  So
// the results have the bits of beam/beam.c for any number of blocks.
//
// It follows cuda/thin_rule.h and cuda/beam_step.h.
// Given: PM_WORDS words of a key.
// Grid: `blocks` thread blocks for each run, of PM_THREADS = 256 threads, four at a time on a
// multiprocessor; 29 to 45 KiB of static shared memory; 64 registers.
//
// PM_ALL(statements) is executed by all threads of a block, each with its number `self`, and ends
// with a barrier.  In C the threads take turns, in any order.

// Places of a tile for each thread; places of a tile; no source.
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
unsigned pm_odd = 1, pm_offset; // order of the turns: any odd number, any number
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

// ---- data ----

// One thread block and the run that it works on.
typedef struct {
    const pm_beam_buffers *g;
    const pm_beam_step *step;
    const pm_u64 *thin_offset;
    pm_beam_run_state *state;
    pm_beam_fixed *parts;
    pm_u64 *keys;
    double *weights;
    int block, blocks; // number of the block; blocks of the run
    int parity;        // pm_beam_run_state
} pm_dev_beam_block;

// Shared memory.  Key 0 of a tile is the state before it in the list, and the last key is the state
// after it in the shifted list, since they may equal a key of the tile.
typedef struct {
    union {
        pm_u64 key[PM_WORDS][PM_TILE + 2]; // of a tile: of the list, then of the shifted list
        unsigned count[PM_THIN_BUCKETS];
    };
    unsigned char applies[PM_TILE + 2]; // the transition to skip, or (shifted) to take, applies
    unsigned source[PM_TILE]; // of each new state: 2^16 (key in the list) + key in the shifted list
    int first[PM_THREADS];    // of each thread: states of the list before its places
    pm_beam_fixed part[2][PM_THREADS];
    pm_thin_octave octave[PM_THIN_OCTAVES];
    pm_u64 largest;
    double cut;     // threshold of the thinning
    unsigned found; // probes below the split
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

// First of the n elements that belong to this block; one block's share ends where the next one
// begins.
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

// Replaces c->part[0][t] by the sum of c->part[0][0 .. t].  The number of doublings is even, since
// PM_THREADS is a power of 4, so the result is in part[0].
PM_FN void pm_prefix_sums(pm_dev_beam_shared *c)
{
    int at = 0;
    for (unsigned d = 1; d < PM_THREADS; d *= 2, at = !at) {
        PM_ALL(c->part[!at][self] = self < d
                                        ? c->part[at][self]
                                        : pm_fixed_add(c->part[at][self - d], c->part[at][self]));
    }
}

// The sum of c->part[0] over all threads; overwrites c->part[0].
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

// The sum of s->parts over the first `blocks` blocks of the run.
PM_FN pm_beam_fixed pm_sum_before(const pm_dev_beam_block *s, int blocks, pm_dev_beam_shared *c)
{
    PM_ALL(pm_beam_fixed sum = {0, 0}; for (int b = (int)self; b < blocks; b += PM_THREADS) sum =
                                           pm_fixed_add(sum, s->parts[b]);
           c->part[0][self] = sum);
    return pm_block_sum(c);
}

// ---- a list merged with itself ----

// *to = the key plus both bits of the edge; the largest key on overflow.
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

// Key i of the list <= key j of the shifted list.
PM_FN int pm_precedes(const pm_u64 *keys, const pm_beam_step *e, pm_i64 i, pm_i64 j)
{
    pm_u64 key[PM_WORDS];
    pm_shift(keys + j * PM_WORDS, e, key);
    int w = 0;
    while (w < PM_WORDS - 1 && keys[i * PM_WORDS + w] == key[w])
        ++w;
    return keys[i * PM_WORDS + w] <= key[w];
}

// How many of the first d places of the merged list come from the list itself; between low and
// high.
PM_FN pm_i64 pm_split_place(const pm_u64 *keys, const pm_beam_step *e, pm_i64 d, pm_i64 low,
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

// A tile: the states i .. i + own - 1 of the list and j .. j + shifted - 1 of the shifted list.
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

// Loads the keys of a tile, with one more of the list before it and one more of the shifted list
// after it (pm_dev_beam_shared).
PM_FN void pm_load_tile(const pm_tile *t, const pm_u64 *keys, const pm_beam_step *e, pm_i64 n,
                        unsigned self, pm_dev_beam_shared *c)
{
    for (int x = (int)self; x <= t->own; x += PM_THREADS) {
        const pm_u64 *key = keys + (t->i + x - 1) * PM_WORDS;
        int is_there = t->i + x > 0;
        c->applies[x] = is_there && pm_can_skip(key, e);
        if (is_there)
            pm_put_key(c, x, key);
    }
    for (int x = (int)self; x <= t->shifted; x += PM_THREADS) {
        const pm_u64 *key = keys + (t->j + x) * PM_WORDS;
        int at = t->own + 1 + x, is_there = t->j + x < n;
        c->applies[at] = is_there && pm_can_take(key, e);
        if (is_there) {
            pm_u64 to[PM_WORDS];
            pm_shift(key, e, to);
            pm_put_key(c, at, to);
        }
    }
}

// -1, 0 or 1 when key a of the tile is <, = or > key b.
PM_FN int pm_compare(const pm_dev_beam_shared *c, int a, int b)
{
    int w = 0;
    while (w < PM_WORDS - 1 && c->key[w][a] == c->key[w][b])
        ++w;
    return (c->key[w][a] > c->key[w][b]) - (c->key[w][a] < c->key[w][b]);
}

// How many of the first d places of the tile come from the list itself.
PM_FN int pm_split_tile(const pm_tile *t, const pm_dev_beam_shared *c, int d)
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

// Merges the places of the thread, which begin with state i of the list in the tile.  Lists the
// sources of the new states unless source is NULL; returns their number.
PM_FN int pm_merge_places(const pm_tile *t, const pm_dev_beam_shared *c, unsigned self, int i,
                          unsigned *source)
{
    int place = (int)self * PM_VALUES, end = place + PM_VALUES, all = t->own + t->shifted;
    int out = 0, j = place - i;
    for (end = end < all ? end : all; place < end; ++place) {
        int own = i + 1, other = t->own + 1 + j;
        int is_own = j == t->shifted || (i < t->own && pm_compare(c, own, other) <= 0);
        int applies = c->applies[is_own ? own : other];
        // where an equal key can be: the next one of the shifted list, the last one of the list
        int equal = is_own ? other : i;
        int has_equal =
            applies && c->applies[equal] && pm_compare(c, is_own ? own : other, equal) == 0;
        i += is_own;
        j += !is_own;
        if (!applies || (has_equal && !is_own))
            continue;
        if (source)
            source[out] = is_own ? (unsigned)own << 16 | (has_equal ? (unsigned)equal : PM_NONE)
                                 : PM_NONE << 16 | (unsigned)other;
        ++out;
    }
    return out;
}

// Advances *t to the tile that begins at place d, and loads it; end: end of the share of the block.
PM_FN void pm_next_tile(pm_tile *t, const pm_u64 *keys, const pm_beam_step *e, pm_i64 n, pm_i64 d,
                        pm_i64 end, pm_dev_beam_shared *c)
{
    pm_i64 next = pm_least(d + PM_TILE, end);
    t->i += t->own;
    t->j += t->shifted;
    pm_i64 i =
        pm_split_place(keys, e, next, pm_most(t->i, next - n), pm_least(t->i + next - d, n), c);
    t->own = (int)(i - t->i);
    t->shifted = (int)(next - d) - t->own;
    PM_ALL(pm_load_tile(t, keys, e, n, self, c));
}

// An empty tile that ends at place d.
PM_FN pm_tile pm_first_tile(const pm_u64 *keys, const pm_beam_step *e, pm_i64 n, pm_i64 d,
                            pm_dev_beam_shared *c)
{
    pm_tile t;
    t.i = pm_split_place(keys, e, d, pm_most(0, d - n), pm_least(d, n), c);
    t.j = d - t.i;
    t.own = t.shifted = 0;
    return t;
}

// ---- an edge ----

// Counts the new states in the share of the block.
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
               int i = pm_split_tile(&t, c, place < all ? place : all);
               c->part[0][self].whole += (pm_u64)pm_merge_places(&t, c, self, i, 0));
    }
    pm_beam_fixed sum = pm_block_sum(c);
    PM_ALL(if (self == 0) s->parts[s->block] = sum);
}

// The score of a state: weight times the factors of the unmatched vertices, multiplied byte after
// byte as in beam/beam_score.c; 0 at a dead end.
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

// Writes new state o of the tile to place `to` of the other list.  Returns its score if is_scored,
// else 0.
PM_FN double pm_write_state(const pm_dev_beam_block *s, const pm_tile *t, int list,
                            const pm_dev_beam_shared *c, int o, pm_i64 to, int is_scored)
{
    const pm_beam_step *e = s->step;
    const double *from = pm_weights_of(s, list);
    unsigned own = c->source[o] >> 16, shifted = c->source[o] & PM_NONE;
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
           int i = pm_split_tile(t, c, place < all ? place : all); c->first[self] = i;
           c->part[0][self].whole = (pm_u64)pm_merge_places(t, c, self, i, 0);
           c->part[0][self].fraction = 0);
    pm_prefix_sums(c);
    PM_ALL(pm_merge_places(t, c, self, c->first[self],
                           c->source + (self ? c->part[0][self - 1].whole : 0)));
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

// The number of states if they must be thinned, else 0.
PM_FN pm_i64 pm_states_to_thin(const pm_dev_beam_block *s)
{
    pm_i64 n = 0;
    PM_ALL(n = s->state->n[s->parity]);
    return n > s->step->limit ? n : 0;
}

PM_FN void pm_count_scores(const pm_dev_beam_block *s, pm_dev_beam_shared *c)
{
    pm_i64 n = pm_states_to_thin(s), end = pm_share_of(s, n, s->block + 1);
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

// What a state of this score adds to the number of kept states: 1, or score / cut.
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
    pm_i64 n = pm_states_to_thin(s), end = pm_share_of(s, n, s->block + 1);
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

// Keeps some of the states i .. end - 1; before: the sum of pm_kept_of over all states before them.
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

enum { PM_THREAD_STATES = 4 };

// Thins the states from `first` on, PM_THREAD_STATES for each thread.  Returns the new sum.
PM_FN pm_beam_fixed pm_keep_tile(const pm_dev_beam_block *s, int list, pm_i64 first, pm_i64 end,
                                 double cut, pm_beam_fixed before, pm_dev_beam_shared *c)
{
    const double *score = pm_scores_of(s);
    double inverse = 1 / cut;
    pm_beam_fixed all;
    PM_ALL(pm_i64 i = first + self * PM_THREAD_STATES, last = pm_least(i + PM_THREAD_STATES, end);
           pm_beam_fixed sum = {0, 0};
           for (; i < last; ++i) sum = pm_fixed_add(sum, pm_kept_of(score[i], cut, inverse));
           c->part[0][self] = sum);
    pm_prefix_sums(c);
    PM_ALL(pm_i64 i = first + self * PM_THREAD_STATES;
           pm_beam_fixed mine = self ? pm_fixed_add(before, c->part[0][self - 1]) : before;
           pm_keep_states(s, list, i, pm_least(i + PM_THREAD_STATES, end), cut, mine));
    PM_ALL(all = c->part[0][PM_THREADS - 1]);
    return pm_fixed_add(before, all);
}

PM_FN void pm_thin_states(const pm_dev_beam_block *s, pm_dev_beam_shared *c)
{
    pm_i64 n = pm_states_to_thin(s), end = pm_share_of(s, n, s->block + 1), count = 0, list = 0;
    pm_u64 largest = 0;
    pm_beam_fixed start = {0, *s->thin_offset}, all = {0, 0};
    PM_ALL(largest = s->state->score; list = s->state->list[s->parity];
           count = s->state->n[s->parity]);
    if (n > 0 && largest > 0) {
        pm_beam_fixed at = pm_fixed_add(start, pm_sum_before(s, s->block, c));
        all = pm_fixed_add(start, pm_sum_before(s, s->blocks, c));
        for (pm_i64 i = pm_share_of(s, n, s->block); i < end; i += PM_THREADS * PM_THREAD_STATES)
            at = pm_keep_tile(s, (int)list, i, end, s->state->cut, at, c);
    }
    PM_ALL(if (self == 0 && s->block == 0) {
        s->state->n[!s->parity] = n ? (pm_i64)all.whole : count;
        s->state->list[!s->parity] = n ? !list : list;
    });
}

// ---- rescaling ----

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

// Makes several steps, one after the other, with one thread block.
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

// steps: number of steps of a chain; ignored by the other kernels.
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
