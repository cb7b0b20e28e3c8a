// SPDX-License-Identifier: GPL-3.0-or-later
// frontier.cuh: the steps of a frontier programme over levels in the memory of a device.  A block
// owns `chunk` new states.  It looks up the runs that they belong to, a thread a run: their first
// states and predecessors, which lie in shared memory then.  After that the threads take the
// elements of these runs one after the other, neighbours by neighbours.
//
// Follows a text that defines the values: pm_dev_element, PM_LANES of them are a value of PM_WORDS words;
// pm_dev_ring with pm_ring_load, pm_ring_sum, and pm_ring_sum_rows for PM_ROWS elements.
//
// Grid: as many blocks as wanted, of PM_THREADS, PM_BLOCKS at a time on a multiprocessor; dynamic
// shared memory: as frontier/frontier_gpu_kernel.c has it, 8 + batch * (8 + 8 or 12 * sources) bytes.
// Results depend on nothing but the step.

// No more than a multiprocessor has threads for.
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 800 && PM_BLOCKS * PM_THREADS > 1024
#undef PM_BLOCKS
#define PM_BLOCKS (1024 / PM_THREADS)
#endif

typedef struct {
    const pm_frontier_step *step;
    const pm_frontier_item *items; // of the step
    const pm_i64 *tables;
} pm_work;

// What a block has looked up: of run j, its first element, counted from the block's first one;
// its predecessors' places less its own (j + k * batch), or the codes of its upper digits.
typedef struct {
    pm_i64 *delta;
    int *start, *count, *weight;
} pm_view;

PM_FN pm_view pm_view_of(const pm_frontier_step *s, pm_i64 *cells)
{
    pm_view v;
    v.delta = cells;
    v.start = (int *)(cells + s->sources * s->batch);
    v.count = v.start + s->batch + 1;
    v.weight = v.count + s->batch; // of weighted steps only
    return v;
}

// A number of a level's table; 0 where there is none.
PM_FN pm_i64 pm_at(const pm_i64 *row, int width, int sum)
{
    return (unsigned)sum < (unsigned)width ? PM_TABLE_AT(row + sum) : 0;
}

// States with a digit smaller than d.
PM_FN pm_i64 pm_offset(const pm_i64 *row, int width, int rest, int d)
{
    pm_i64 sum = 0;
    for (int e = 0; e < d; ++e)
        sum += pm_at(row, width, rest - e);
    return sum;
}

// The digit of an item in the state or run with this number; *number: what remains, below;
// *other: the same, of runs or states.
PM_FN int pm_digit(const pm_i64 *row, const pm_i64 *other_row, int width, int range, int rest,
                   pm_i64 *number, pm_i64 *other)
{
    int d = 0;
    while (d < range) {
        pm_i64 count = pm_at(row, width, rest - d);
        if (*number < count)
            break;
        *number -= count;
        *other += pm_at(other_row, width, rest - d);
        ++d;
    }
    return d;
}

PM_FN pm_i64 pm_run_of(const pm_work *w, pm_i64 state)
{
    const pm_frontier_step *s = w->step;
    int rest = s->new_width - 1;
    pm_i64 run = 0;
    for (int i = 0; i < s->nitems; ++i) {
        const pm_frontier_item *item = w->items + i;
        pm_i64 row = (pm_i64)item->new_slot * s->new_width;
        if (item->new_slot >= 0)
            rest -= pm_digit(w->tables + s->new_below + row, w->tables + s->runs + row,
                             s->new_width, item->new_range, rest, &state, &run);
    }
    return run;
}

// Where a run begins in the block, and where it ends if it is the last of the batch.
PM_FN void pm_place_run(const pm_work *w, pm_view v, int j, int is_last, pm_i64 base, int rest,
                        pm_i64 begin, pm_i64 end)
{
    const pm_frontier_step *s = w->step;
    pm_i64 next =
        base + pm_at(w->tables + s->new_below + (pm_i64)s->low * s->new_width, s->new_width, rest);
    v.start[j] = (int)(base > begin ? base - begin : 0) * PM_LANES;
    if (is_last)
        v.start[j + 1] = (int)((next < end ? next : end) - begin) * PM_LANES;
}

// Run `run` is the block's j-th: where it begins, and its predecessors.
PM_FN void pm_look_up(const pm_work *w, pm_view v, pm_i64 run, int j, int is_last, pm_i64 begin,
                      pm_i64 end)
{
    const pm_frontier_step *s = w->step;
    int rest = s->new_width - 1, old_rest = s->old_width - 1, n = 0, is_open = 1;
    pm_i64 base = 0, without = 0, with = 0;
    for (int i = 0; i < s->nitems; ++i) {
        const pm_frontier_item *item = w->items + i;
        int d = 0;
        if (item->new_slot >= 0) {
            pm_i64 row = (pm_i64)item->new_slot * s->new_width;
            d = pm_digit(w->tables + s->runs + row, w->tables + s->new_below + row, s->new_width,
                         item->new_range, rest, &run, &base);
            rest -= d;
        }
        int is_old = item->old_slot >= 0;
        const pm_i64 *old =
            w->tables + (is_old ? s->old_below + (pm_i64)item->old_slot * s->old_width : 0);
        int passing = d + item->pass, taking = passing - s->shift;
        pm_i64 above = without;
        if (is_old) {
            without += pm_offset(old, s->old_width, old_rest, passing);
            with += pm_offset(old, s->old_width, old_rest + s->shift, passing);
        }
        int can_pass = passing >= 0 && passing <= item->old_range;
        if (!can_pass)
            n = 0;
        if (item->can_pick && is_open && taking >= 0 && taking <= item->old_range) {
            if (is_old)
                above += pm_offset(old, s->old_width, old_rest, taking);
            v.delta[n * s->batch + j] = above - with;
            if (s->is_weighted)
                v.weight[n * s->batch + j] = item->weight;
            ++n;
        }
        is_open &= can_pass;
        old_rest -= passing;
    }
    for (int k = 0; k < n; ++k)
        v.delta[k * s->batch + j] = (v.delta[k * s->batch + j] + with - base) * PM_LANES;
    v.count[j] = n;
    pm_place_run(w, v, j, is_last, base, rest, begin, end);
}

// The run that element e belongs to; j: an earlier one's.
PM_FN int pm_find(const int *start, int j, int runs, int e)
{
    if (e < start[j + 1])
        return j;
    int low = j + 1, high = runs - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (start[middle] <= e)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// Rows from element e on, which belong to several runs, j and later ones.
PM_FN void pm_add_up_apart(pm_view v, const pm_dev_ring *ring, int is_weighted, int runs, int batch,
                           int j, int e, int lane, const pm_dev_element *old, pm_dev_element *out)
{
    int end = v.start[runs];
    for (int i = 0; i < PM_ROWS && e + lane < end; ++i, e += PM_ROW) {
        j = pm_find(v.start, j, runs, e + lane);
        pm_ring_sum(ring, old + e, v.delta + j, v.weight + j, batch, v.count[j], is_weighted,
                    out + e);
    }
}

// A warp takes PM_ROWS rows of elements, which are often all of one run.  A thread has always the
// same lane of a value.
PM_FN void pm_add_up(const pm_work *w, pm_view v, const pm_u64 *constants, int is_weighted,
                     int runs, pm_i64 begin, unsigned self, const pm_dev_element *old,
                     pm_dev_element *out)
{
    int j = 0, batch = w->step->batch, end = v.start[runs], lane = (int)(self % 32);
    pm_dev_ring ring;
    pm_ring_load(&ring, constants, lane % PM_LANES);
    old += begin * PM_LANES + lane;
    out += begin * PM_LANES + lane;
    if (lane >= PM_ROW)
        return;
    for (int e = v.start[0] + (int)(self / 32) * PM_ROWS * PM_ROW; e < end;
         e += PM_THREADS / 32 * PM_ROWS * PM_ROW) {
        j = pm_find(v.start, j, runs, e);
        if (e + PM_ROWS * PM_ROW <= v.start[j + 1])
            pm_ring_sum_rows(&ring, old + e, v.delta + j, v.weight + j, batch, v.count[j],
                             is_weighted, out + e);
        else
            pm_add_up_apart(v, &ring, is_weighted, runs, batch, j, e, lane, old, out);
    }
}

// ---- permutations ----

// The same for a permutation: the codes of the upper digits, and where in the list, less its start,
// those of the lower ones are.
PM_FN void pm_look_up_codes(const pm_work *w, pm_view v, pm_i64 run, int j, int is_last,
                            pm_i64 begin, pm_i64 end)
{
    const pm_frontier_step *s = w->step;
    int rest = s->new_width - 1;
    pm_i64 base = 0;
    pm_u64 code = 0;
    for (int i = 0; i < s->nitems; ++i) {
        const pm_frontier_item *item = w->items + i;
        pm_i64 row = (pm_i64)item->new_slot * s->new_width;
        int d = pm_digit(w->tables + s->runs + row, w->tables + s->new_below + row, s->new_width,
                         item->new_range, rest, &run, &base);
        rest -= d;
        code += (pm_u64)d * item->code;
    }
    v.delta[j] = (pm_i64)code;
    v.count[j] = (int)(PM_TABLE_AT(w->tables + s->list_start + rest) - (base - begin));
    pm_place_run(w, v, j, is_last, base, rest, begin, end);
}

PM_FN pm_i64 pm_number_of(const pm_frontier_step *s, const pm_i64 *scratch, pm_u64 codes)
{
    pm_i64 at = 0;
    int rest = s->old_width - 1;
    for (int k = s->nchunks - 1; k >= 0; --k) {
        const pm_frontier_chunk *c = &s->chunks[k];
        pm_i64 code =
            (pm_i64)(codes >> (k * PM_FRONTIER_CHUNK_BITS)) & ((1 << PM_FRONTIER_CHUNK_BITS) - 1);
        at += PM_TABLE_AT(scratch + c->offset + rest * c->codes + code);
        rest -= c->is_binary ? PM_POPCOUNT(code) : (int)PM_TABLE_AT(scratch + c->sum + code);
    }
    return at;
}

PM_FN void pm_move(const pm_work *w, pm_view v, const pm_i64 *scratch, int runs, pm_i64 begin,
                   unsigned self, const pm_u64 *old, pm_u64 *out)
{
    int j = 0, end = v.start[runs] / PM_LANES;
    const pm_i64 *list = scratch + w->step->list;
    for (int i = v.start[0] / PM_LANES + (int)self; i < end; i += PM_THREADS) {
        j = pm_find(v.start, j, runs, i * PM_LANES);
        pm_u64 code = (pm_u64)v.delta[j] + (pm_u64)PM_TABLE_AT(list + v.count[j] + i);
        pm_i64 from = pm_number_of(w->step, scratch, code) * PM_WORDS;
        PM_UNROLL
        for (int k = 0; k < PM_WORDS; ++k)
            out[(begin + i) * PM_WORDS + k] = PM_STREAM(old + from + k);
    }
}

// The i-th number of the tables of chunk c; false: there are no more.
PM_FN int pm_fill_chunk(const pm_work *w, const pm_frontier_chunk *c, pm_i64 i, pm_i64 *scratch)
{
    const pm_frontier_step *s = w->step;
    if (i >= c->codes * s->old_width)
        return 0;
    pm_i64 code = i % c->codes, place = c->codes, at = 0;
    int sum = 0, rest = (int)(i / c->codes), left = rest;
    for (int q = c->last - 1; q >= c->first; --q) {
        place /= PM_TABLE_AT(w->tables + s->old_range + q) + 1;
        int d = (int)(code / place);
        code -= d * place;
        at += pm_offset(w->tables + s->old_below + (pm_i64)q * s->old_width, s->old_width, left, d);
        left -= d;
        sum += d;
    }
    scratch[c->offset + i] = at;
    if (rest == 0)
        scratch[c->sum + i] = sum;
    return 1;
}

// Code of the i-th pattern in the list: of the slots below `low`, by digit sum and number.
PM_FN void pm_fill_list(const pm_work *w, pm_i64 i, pm_i64 *scratch)
{
    const pm_frontier_step *s = w->step;
    const pm_i64 *start = w->tables + s->list_start;
    int rest = 0;
    pm_i64 number = i, none = 0;
    pm_u64 code = 0;
    while (PM_TABLE_AT(start + rest + 1) <= i)
        ++rest;
    number -= PM_TABLE_AT(start + rest);
    for (int q = s->low - 1; q >= 0; --q) { // their items come after those from `low` on
        const pm_frontier_item *item = w->items + s->nitems + (s->low - 1 - q);
        const pm_i64 *row = w->tables + s->new_below + (pm_i64)q * s->new_width;
        int d = pm_digit(row, row, s->new_width, item->new_range, rest, &number, &none);
        rest -= d;
        code += (pm_u64)d * item->code;
    }
    scratch[s->list + i] = (pm_i64)code;
}

PM_FN void pm_fill(const pm_work *w, pm_i64 i, pm_i64 *scratch)
{
    const pm_frontier_step *s = w->step;
    if (i < s->list_size)
        pm_fill_list(w, i, scratch);
    for (int k = 0; k < s->nchunks; ++k) {
        if (pm_fill_chunk(w, &s->chunks[k], i, scratch))
            return;
        i -= s->chunks[k].codes * s->old_width;
    }
}

// ---- kernels ----

PM_FN pm_work pm_work_of(const pm_frontier_step *step, const pm_frontier_item *items,
                         const pm_i64 *tables)
{
    pm_work w = {step, items + step->items, tables};
    return w;
}

#define PM_STEP                                                                                    \
    const pm_frontier_step *step, const pm_frontier_item *items, const pm_i64 *tables,             \
        pm_i64 *scratch, const pm_u64 *constants, const void *old, void *out, pm_u64 first

#ifdef __CUDACC__
#define PM_KERNEL    extern "C" __global__ void __launch_bounds__(PM_THREADS, PM_BLOCKS)
#define PM_ARGUMENTS PM_STEP

// What a block does: runs from the first state's to the last one's, a batch after the other.
#define PM_BATCHES(look_up, ...)                                                                   \
    extern __shared__ pm_i64 cells[];                                                              \
    __shared__ pm_i64 ends[2];                                                                     \
    unsigned self = threadIdx.x;                                                                   \
    pm_work w = pm_work_of(step, items, tables);                                                   \
    pm_view v = pm_view_of(step, cells);                                                           \
    pm_i64 begin = (pm_i64)(first + blockIdx.x) * step->chunk, end = begin + step->chunk;          \
    end = end < step->states ? end : step->states;                                                 \
    if (self < 2)                                                                                  \
        ends[self] = pm_run_of(&w, self ? end - 1 : begin);                                        \
    __syncthreads();                                                                               \
    for (pm_i64 run = ends[0]; run <= ends[1]; run += step->batch) {                               \
        int runs = (int)(ends[1] - run < step->batch ? ends[1] - run + 1 : step->batch);           \
        if (self < runs)                                                                           \
            look_up(&w, v, run + self, (int)self, (int)self == runs - 1, begin, end);              \
        __syncthreads();                                                                           \
        __VA_ARGS__;                                                                               \
        __syncthreads();                                                                           \
    }

// The number of a thread in a grid.
#define PM_NUMBERS(...)                                                                            \
    pm_i64 number = (pm_i64)(first + blockIdx.x) * PM_THREADS + threadIdx.x;                       \
    __VA_ARGS__
#else
#define PM_KERNEL    void
#define PM_ARGUMENTS PM_STEP, pm_i64 blocks, pm_i64 *cells // the shared memory of a block

#define PM_BATCHES(look_up, ...)                                                                   \
    pm_work w = pm_work_of(step, items, tables);                                                   \
    pm_view v = pm_view_of(step, cells);                                                           \
    for (pm_i64 b = (pm_i64)first; b < (pm_i64)first + blocks; ++b) {                              \
        pm_i64 begin = b * step->chunk, end = begin + step->chunk;                                 \
        end = end < step->states ? end : step->states;                                             \
        pm_i64 last = pm_run_of(&w, end - 1);                                                      \
        for (pm_i64 run = pm_run_of(&w, begin); run <= last; run += step->batch) {                 \
            int runs = (int)(last - run < step->batch ? last - run + 1 : step->batch);             \
            for (int j = 0; j < runs; ++j)                                                         \
                look_up(&w, v, run + j, j, j == runs - 1, begin, end);                             \
            for (unsigned self = 0; self < PM_THREADS; ++self)                                     \
                __VA_ARGS__;                                                                       \
        }                                                                                          \
    }

#define PM_NUMBERS(...)                                                                            \
    for (pm_i64 number = (pm_i64)first * PM_THREADS;                                               \
         number < ((pm_i64)first + blocks) * PM_THREADS; ++number)                                 \
    __VA_ARGS__
#endif

// Weights are 1.
PM_KERNEL pm_frontier_pull(PM_ARGUMENTS)
{
    PM_BATCHES(pm_look_up, pm_add_up(&w, v, constants, 0, runs, begin, self,
                                     (const pm_dev_element *)old, (pm_dev_element *)out));
}

PM_KERNEL pm_frontier_pull_weighted(PM_ARGUMENTS)
{
    PM_BATCHES(pm_look_up, pm_add_up(&w, v, constants, 1, runs, begin, self,
                                     (const pm_dev_element *)old, (pm_dev_element *)out));
}

PM_KERNEL pm_frontier_sort(PM_ARGUMENTS)
{
    PM_BATCHES(pm_look_up_codes,
               pm_move(&w, v, scratch, runs, begin, self, (const pm_u64 *)old, (pm_u64 *)out));
}

PM_KERNEL pm_frontier_tables(PM_ARGUMENTS)
{
    pm_work w = pm_work_of(step, items, tables);
    PM_NUMBERS(pm_fill(&w, number, scratch));
}
