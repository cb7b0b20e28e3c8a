// SPDX-License-Identifier: GPL-3.0-or-later
// frontier.cuh: the kernels that run one step of a frontier program (frontier_step.h) on levels in
// device memory.  A thread block computes `chunk` consecutive new states.  First, one thread for
// each span of these states finds the span's first state and its predecessors and stores them in
// shared memory.  Then the threads compute the elements of the spans, adjacent threads adjacent
// elements.
//
// This text follows one that defines the values (residues.cuh, narrow.cuh or numbers.cuh):
// pm_dev_element, PM_LANES of which are a value of PM_WORDS pm_dev_word, and pm_dev_ring with pm_ring_load, pm_ring_sum,
// and pm_ring_sum_rows for PM_ROWS elements.
//
// Grid: any number of thread blocks of PM_THREADS threads, PM_BLOCKS of them on a multiprocessor.
// Dynamic shared memory: pm_flat_shared of frontier/frontier_gpu_kernel.c,
// 8 + batch * (8 + 8 or 12 * sources) bytes.  The result depends on the step only.

// At most as many blocks as a multiprocessor has threads for.
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 800 && PM_BLOCKS * PM_THREADS > 1024
#undef PM_BLOCKS
#define PM_BLOCKS (1024 / PM_THREADS)
#endif

typedef struct {
    const pm_dev_frontier_step *step;
    const pm_dev_frontier_digit *digits; // of the step
    const pm_i64 *tables;
} pm_step_data;

// The spans of a thread block, in shared memory.
typedef struct {
    // [j + k * batch]: index of the first element of predecessor k of span j less that of the span;
    // in permutations: the codes of the digits of span j from slot `low` up
    pm_i64 *delta;
    int *start;  // of each span: its first element, counted from that of the thread block
    int *count;  // of each span: predecessors, -1 if it stays; in permutations: see pm_find_codes
    int *weight; // of each predecessor, as delta; weighted steps only
} pm_span_view;

PM_FN pm_span_view pm_span_view_of(const pm_dev_frontier_step *s, pm_i64 *cells)
{
    pm_span_view v;
    v.delta = cells;
    v.start = (int *)(cells + s->sources * s->batch);
    v.count = v.start + s->batch + 1;
    v.weight = v.count + s->batch;
    return v;
}

// row[sum], 0 outside the row.
PM_FN pm_i64 pm_at(const pm_i64 *row, int width, int sum)
{
    return (unsigned)sum < (unsigned)width ? PM_TABLE_AT(row + sum) : 0;
}

// The number of states with a digit smaller than d, where row is `below` of the slot.
PM_FN pm_i64 pm_offset(const pm_i64 *row, int width, int rest, int d)
{
    pm_i64 sum = 0;
    for (int e = 0; e < d; ++e)
        sum += pm_at(row, width, rest - e);
    return sum;
}

// The digit of a slot in the state (or span) with the given number.  *number is reduced to the
// number among the states (spans) with this digit; *other is increased by the number of spans
// (states) with a smaller digit.
PM_FN int pm_extract_digit(const pm_i64 *row, const pm_i64 *other_row, int width, int range,
                           int rest, pm_i64 *number, pm_i64 *other)
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

// The number of the span that a state is in.
PM_FN pm_i64 pm_span_of(const pm_step_data *w, pm_i64 state)
{
    const pm_dev_frontier_step *s = w->step;
    int rest = s->new_width - 1;
    pm_i64 span = 0;
    for (int i = 0; i < s->ndigits; ++i) {
        const pm_dev_frontier_digit *digit = w->digits + i;
        pm_i64 row = (pm_i64)digit->new_slot * s->new_width;
        if (digit->new_slot >= 0)
            rest -= pm_extract_digit(w->tables + s->new_below + row, w->tables + s->spans + row,
                                     s->new_width, digit->new_range, rest, &state, &span);
    }
    return span;
}

// Set the first element of the j-th span, and its end if it is the last span of the batch.
// base: number of its first state; rest: its digit sum below slot `low`.
PM_FN void pm_set_span_bounds(const pm_step_data *w, pm_span_view v, int j, int is_last,
                              pm_i64 base, int rest, pm_i64 begin, pm_i64 end)
{
    const pm_dev_frontier_step *s = w->step;
    pm_i64 next =
        base + pm_at(w->tables + s->new_below + (pm_i64)s->low * s->new_width, s->new_width, rest);
    v.start[j] = (int)(base > begin ? base - begin : 0) * PM_LANES;
    if (is_last)
        v.start[j + 1] = (int)((next < end ? next : end) - begin) * PM_LANES;
}

// Find the bounds and the predecessors of a span, the j-th of the batch.  frontier_step.h explains
// `without` and `with`, the numbers of predecessors without and with a partner so far.
PM_FN void pm_find_sources(const pm_step_data *w, pm_span_view v, pm_i64 span, int j, int is_last,
                           pm_i64 begin, pm_i64 end)
{
    const pm_dev_frontier_step *s = w->step;
    int rest = s->new_width - 1, old_rest = s->old_width - 1, n = 0, is_open = 1;
    pm_i64 base = 0, without = 0, with = 0;
    for (int i = 0; i < s->ndigits; ++i) {
        const pm_dev_frontier_digit *digit = w->digits + i;
        int d = 0;
        if (digit->new_slot >= 0) {
            pm_i64 row = (pm_i64)digit->new_slot * s->new_width;
            d = pm_extract_digit(w->tables + s->spans + row, w->tables + s->new_below + row,
                                 s->new_width, digit->new_range, rest, &span, &base);
            rest -= d;
        }
        int is_old = digit->old_slot >= 0;
        const pm_i64 *old =
            w->tables + (is_old ? s->old_below + (pm_i64)digit->old_slot * s->old_width : 0);
        int passing = d + digit->pass, taking = passing - s->shift;
        pm_i64 above = without;
        if (is_old) {
            without += pm_offset(old, s->old_width, old_rest, passing);
            with += pm_offset(old, s->old_width, old_rest + s->shift, passing);
        }
        int can_pass = passing >= 0 && passing <= digit->old_range;
        if (!can_pass)
            n = 0;
        if (digit->can_partner && is_open && taking >= 0 && taking <= digit->old_range) {
            if (is_old)
                above += pm_offset(old, s->old_width, old_rest, taking);
            v.delta[n * s->batch + j] = above - with;
            if (s->is_weighted)
                v.weight[n * s->batch + j] = digit->weight;
            ++n;
        }
        is_open &= can_pass;
        old_rest -= passing;
    }
    for (int k = 0; k < n; ++k)
        v.delta[k * s->batch + j] = (v.delta[k * s->batch + j] + with - base) * PM_LANES;
    v.count[j] = n;
    if (s->in_place && n == 1 && v.delta[j] == s->stays * PM_LANES
        && (!s->is_weighted || v.weight[j] < 0))
        v.count[j] = -1;
    pm_set_span_bounds(w, v, j, is_last, base, rest, begin, end);
}

// The span that element e is in; j: a span at or before it, most often a few before.
PM_FN int pm_find_span(const int *start, int j, int spans, int e)
{
    int low = j, step = 1;
    while (low + step < spans && start[low + step] <= e) {
        low += step;
        step *= 2;
    }
    int high = low + step < spans ? low + step - 1 : spans - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (start[middle] <= e)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// PM_ROWS rows of elements from e on, which are in several spans, the first in span j or later.
PM_FN void pm_add_up_apart(pm_span_view v, const pm_dev_ring *ring, int is_weighted, int spans,
                           int batch, int j, int e, int lane, const pm_dev_element *old,
                           pm_dev_element *out)
{
    int end = v.start[spans];
    for (int i = 0; i < PM_ROWS && e + lane < end; ++i, e += PM_ROW) {
        j = pm_find_span(v.start, j, spans, e + lane);
        if (v.count[j] < 0)
            continue;
        pm_ring_sum(ring, old + e, v.delta + j, v.weight + j, batch, v.count[j], is_weighted,
                    out + e);
    }
}

// A warp computes PM_ROWS rows of elements at a time, which are often in one span.  A thread always
// computes the same lane of values.
PM_FN void pm_add_up(const pm_step_data *w, pm_span_view v, const pm_u64 *constants,
                     int is_weighted, int spans, pm_i64 begin, unsigned self,
                     const pm_dev_element *old, pm_dev_element *out)
{
    int j = 0, batch = w->step->batch, end = v.start[spans], lane = (int)(self % 32);
    pm_dev_ring ring;
    pm_ring_load(&ring, constants, lane % PM_LANES);
    old += begin * PM_LANES + lane;
    out += begin * PM_LANES + lane;
    if (lane >= PM_ROW)
        return;
    for (int e = v.start[0] + (int)(self / 32) * PM_ROWS * PM_ROW; e < end;
         e += PM_THREADS / 32 * PM_ROWS * PM_ROW) {
        j = pm_find_span(v.start, j, spans, e);
        if (e + PM_ROWS * PM_ROW > v.start[j + 1])
            pm_add_up_apart(v, &ring, is_weighted, spans, batch, j, e, lane, old, out);
        else if (v.count[j] >= 0)
            pm_ring_sum_rows(&ring, old + e, v.delta + j, v.weight + j, batch, v.count[j],
                             is_weighted, out + e);
    }
}

// ---- permutations ----

// Find the bounds of a span of a permutation step, the j-th of the batch, and the code of its
// digits from slot `low` up.  v.count[j] + i is the index in the list of the code of its lower
// digits in the i-th state of the thread block.
PM_FN void pm_find_codes(const pm_step_data *w, pm_span_view v, pm_i64 span, int j, int is_last,
                         pm_i64 begin, pm_i64 end)
{
    const pm_dev_frontier_step *s = w->step;
    int rest = s->new_width - 1;
    pm_i64 base = 0;
    pm_u64 code = 0, own = 0;
    for (int i = 0; i < s->ndigits; ++i) {
        const pm_dev_frontier_digit *digit = w->digits + i;
        pm_i64 row = (pm_i64)digit->new_slot * s->new_width;
        int d = pm_extract_digit(w->tables + s->spans + row, w->tables + s->new_below + row,
                                 s->new_width, digit->new_range, rest, &span, &base);
        rest -= d;
        code += (pm_u64)d * digit->code;
        own += (pm_u64)d * digit->own;
    }
    v.delta[j] = (pm_i64)code;
    if (s->in_place)
        v.delta[s->batch + j] = (pm_i64)own;
    v.count[j] = (int)(PM_TABLE_AT(w->tables + s->list_start + rest) - (base - begin));
    pm_set_span_bounds(w, v, j, is_last, base, rest, begin, end);
}

// The numbering of the old level; frontier_step.h describes the rows.
typedef struct {
    const pm_i64 *rows;
    int width, nchunks, is_binary;
} pm_numbering;

PM_FN pm_numbering pm_numbering_of(const pm_dev_frontier_step *s, const pm_i64 *scratch)
{
    pm_numbering n = {scratch, s->old_width, s->nchunks, s->is_binary};
    return n;
}

// Row `rest` of chunk k.  The digit sums of chunk k are row k of the one after the last.
PM_FN pm_i64 pm_chunk_row(int width, int k, int rest)
{
    return (pm_i64)(k * width + rest) << PM_FRONTIER_CHUNK_BITS;
}

// The number of the state with the given packed codes.
PM_FN pm_i64 pm_number_of(pm_numbering n, pm_u64 codes)
{
    pm_i64 at = 0;
    int rest = n.width - 1;
    for (int k = n.nchunks - 1; k >= 0; --k) {
        int code =
            (int)(codes >> (k * PM_FRONTIER_CHUNK_BITS)) & ((1 << PM_FRONTIER_CHUNK_BITS) - 1);
        at += PM_TABLE_AT(n.rows + pm_chunk_row(n.width, k, rest) + code);
        rest -= n.is_binary ? PM_POPCOUNT((pm_u64)code)
                            : (int)PM_TABLE_AT(n.rows + pm_chunk_row(n.width, n.nchunks, k) + code);
    }
    return at;
}

// In place, two states change places; the thread of the one with the lower number does it.  Codes are in the
// sequence of numbers.
PM_FN void pm_swap(pm_numbering n, pm_u64 own, pm_u64 code, pm_dev_word *values)
{
    if (own >= code)
        return;
    pm_dev_word *a = values + pm_number_of(n, own) * PM_WORDS;
    pm_dev_word *b = values + pm_number_of(n, code) * PM_WORDS;
    PM_UNROLL
    for (int k = 0; k < PM_WORDS; ++k) {
        pm_dev_word x = a[k];
        a[k] = b[k];
        b[k] = x;
    }
}

// A warp moves consecutive states.
PM_FN void pm_move(const pm_step_data *w, pm_span_view v, const pm_i64 *scratch, int spans,
                   pm_i64 begin, unsigned self, const pm_dev_word *old, pm_dev_word *out)
{
    pm_numbering n = pm_numbering_of(w->step, scratch);
    int in_place = w->step->in_place, batch = w->step->batch;
    pm_i64 size = w->step->list_size;
    const pm_i64 *list = scratch + w->step->list;
    int first = v.start[0] / PM_LANES, end = v.start[spans] / PM_LANES, j = 0;
    int share = ((end - first) / PM_THREADS + 1) * 32; // of a warp
    first += (int)(self / 32) * share;
    end = first + share < end ? first + share : end;
    for (int i = first + (int)(self % 32); i < end; i += 32) {
        j = pm_find_span(v.start, j, spans, i * PM_LANES);
        const pm_i64 *low = list + v.count[j] + i;
        pm_u64 code = (pm_u64)v.delta[j] + (pm_u64)PM_TABLE_AT(low);
        if (in_place) {
            pm_swap(n, (pm_u64)v.delta[batch + j] + (pm_u64)PM_TABLE_AT(low + size), code, out);
            continue;
        }
        pm_i64 from = pm_number_of(n, code) * PM_WORDS;
        PM_UNROLL
        for (int k = 0; k < PM_WORDS; ++k)
            out[(begin + i) * PM_WORDS + k] = PM_LOAD_ONCE(old + from + k);
    }
}

// Compute the i-th number of the rows of chunk k.  Returns 0 if there are not so many.
PM_FN int pm_fill_chunk(const pm_step_data *w, int k, pm_i64 i, pm_i64 *scratch)
{
    const pm_dev_frontier_step *s = w->step;
    const pm_dev_frontier_chunk *c = &s->chunks[k];
    if (i >= c->codes * s->old_width)
        return 0;
    pm_i64 code = i % c->codes, rest_code = code, place = c->codes, at = 0;
    int sum = 0, rest = (int)(i / c->codes), left = rest;
    for (int q = c->last - 1; q >= c->first; --q) {
        place /= PM_TABLE_AT(w->tables + s->old_range + q) + 1;
        int d = (int)(rest_code / place);
        rest_code -= d * place;
        at += pm_offset(w->tables + s->old_below + (pm_i64)q * s->old_width, s->old_width, left, d);
        left -= d;
        sum += d;
    }
    scratch[pm_chunk_row(s->old_width, k, rest) + code] = at;
    if (rest == 0)
        scratch[pm_chunk_row(s->old_width, s->nchunks, k) + code] = sum;
    return 1;
}

// Compute the i-th code of the list: digit vectors of the slots below `low`, by digit sum and
// number.
PM_FN void pm_fill_list(const pm_step_data *w, pm_i64 i, pm_i64 *scratch)
{
    const pm_dev_frontier_step *s = w->step;
    const pm_i64 *start = w->tables + s->list_start;
    int rest = 0;
    pm_i64 number = i, none = 0;
    pm_u64 code = 0, own = 0;
    while (PM_TABLE_AT(start + rest + 1) <= i)
        ++rest;
    number -= PM_TABLE_AT(start + rest);
    for (int q = s->low - 1; q >= 0; --q) { // these slots come after those from `low` up
        const pm_dev_frontier_digit *digit = w->digits + s->ndigits + (s->low - 1 - q);
        const pm_i64 *row = w->tables + s->new_below + (pm_i64)q * s->new_width;
        int d = pm_extract_digit(row, row, s->new_width, digit->new_range, rest, &number, &none);
        rest -= d;
        code += (pm_u64)d * digit->code;
        own += (pm_u64)d * digit->own;
    }
    scratch[s->list + i] = (pm_i64)code;
    if (s->in_place)
        scratch[s->list + s->list_size + i] = (pm_i64)own;
}

PM_FN void pm_fill(const pm_step_data *w, pm_i64 i, pm_i64 *scratch)
{
    const pm_dev_frontier_step *s = w->step;
    if (i < s->list_size)
        pm_fill_list(w, i, scratch);
    for (int k = 0; k < s->nchunks; ++k) {
        if (pm_fill_chunk(w, k, i, scratch))
            return;
        i -= s->chunks[k].codes * s->old_width;
    }
}

// ---- kernels ----

PM_FN pm_step_data pm_step_data_of(const pm_dev_frontier_step *step,
                                   const pm_dev_frontier_digit *digits, const pm_i64 *tables)
{
    pm_step_data w = {step, digits + step->digits, tables};
    return w;
}

#define PM_STEP                                                                                    \
    const pm_dev_frontier_step *step, const pm_dev_frontier_digit *digits, const pm_i64 *tables,   \
        pm_i64 *scratch, const pm_u64 *constants, const void *old, void *out, pm_i64 first,        \
        pm_i64 past

#ifdef __CUDACC__
#define PM_KERNEL    extern "C" __global__ void __launch_bounds__(PM_THREADS, PM_BLOCKS)
#define PM_ARGUMENTS PM_STEP

// `first` and `past` are the first of the states that a launch computes and the one after the last; of
// pm_frontier_tables, `first` is the first number, and `past` is not used.
//
// A thread block: all spans from that of its first state to that of its last state, in batches.
#define PM_BATCHES(look_up, ...)                                                                   \
    extern __shared__ pm_i64 cells[];                                                              \
    __shared__ pm_i64 ends[2];                                                                     \
    unsigned self = threadIdx.x;                                                                   \
    pm_step_data w = pm_step_data_of(step, digits, tables);                                        \
    pm_span_view v = pm_span_view_of(step, cells);                                                 \
    pm_i64 begin = first + (pm_i64)blockIdx.x * step->chunk, end = begin + step->chunk;            \
    end = end < past ? end : past;                                                                 \
    if (self < 2)                                                                                  \
        ends[self] = pm_span_of(&w, self ? end - 1 : begin);                                       \
    __syncthreads();                                                                               \
    for (pm_i64 span = ends[0]; span <= ends[1]; span += step->batch) {                            \
        int spans = (int)(ends[1] - span < step->batch ? ends[1] - span + 1 : step->batch);        \
        if (self < spans)                                                                          \
            look_up(&w, v, span + self, (int)self, (int)self == spans - 1, begin, end);            \
        __syncthreads();                                                                           \
        __VA_ARGS__;                                                                               \
        __syncthreads();                                                                           \
    }

// `number` is the number of the thread in the grid.
#define PM_NUMBERS(...)                                                                            \
    pm_i64 number = first + (pm_i64)blockIdx.x * PM_THREADS + threadIdx.x;                         \
    __VA_ARGS__
#else
#define PM_KERNEL    void
#define PM_ARGUMENTS PM_STEP, pm_i64 blocks, pm_i64 *cells // the shared memory of a block

#define PM_BATCHES(look_up, ...)                                                                   \
    pm_step_data w = pm_step_data_of(step, digits, tables);                                        \
    pm_span_view v = pm_span_view_of(step, cells);                                                 \
    for (pm_i64 b = 0; b < blocks; ++b) {                                                          \
        pm_i64 begin = first + b * step->chunk, end = begin + step->chunk;                         \
        end = end < past ? end : past;                                                             \
        pm_i64 last = pm_span_of(&w, end - 1);                                                     \
        for (pm_i64 span = pm_span_of(&w, begin); span <= last; span += step->batch) {             \
            int spans = (int)(last - span < step->batch ? last - span + 1 : step->batch);          \
            for (int j = 0; j < spans; ++j)                                                        \
                look_up(&w, v, span + j, j, j == spans - 1, begin, end);                           \
            for (unsigned self = 0; self < PM_THREADS; ++self)                                     \
                __VA_ARGS__;                                                                       \
        }                                                                                          \
    }

#define PM_NUMBERS(...)                                                                            \
    for (pm_i64 number = first; number < first + blocks * PM_THREADS; ++number)                    \
    __VA_ARGS__
#endif

// Weights are 1.
PM_KERNEL pm_frontier_pull(PM_ARGUMENTS)
{
    PM_BATCHES(pm_find_sources, pm_add_up(&w, v, constants, 0, spans, begin, self,
                                          (const pm_dev_element *)old, (pm_dev_element *)out));
}

PM_KERNEL pm_frontier_pull_weighted(PM_ARGUMENTS)
{
    PM_BATCHES(pm_find_sources, pm_add_up(&w, v, constants, 1, spans, begin, self,
                                          (const pm_dev_element *)old, (pm_dev_element *)out));
}

PM_KERNEL pm_frontier_sort(PM_ARGUMENTS)
{
    PM_BATCHES(pm_find_codes, pm_move(&w, v, scratch, spans, begin, self, (const pm_dev_word *)old,
                                      (pm_dev_word *)out));
}

PM_KERNEL pm_frontier_tables(PM_ARGUMENTS)
{
    pm_step_data w = pm_step_data_of(step, digits, tables);
    PM_NUMBERS(pm_fill(&w, number, scratch));
}
