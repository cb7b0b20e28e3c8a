/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The old slots are divided into chunks with at most 2^CHUNK_BITS digit vectors each.  The digits
 * of a chunk form its code, a number in mixed radix; the codes of all chunks are fields of one
 * 64-bit word.  So one unit of the digit of a new slot adds a constant to the word, and the old
 * codes of a new state are a sum of such constants.  The old number of the state is a sum of one
 * table look-up for each chunk: offset[chunk][remaining digit sum][code]. */
#include "config.h"

#include "frontier/frontier_permute.h"

#include <stdlib.h>
#include <string.h>

#include "core/team.h"
#include "pm/alloc.h"

enum {
    CHUNK_BITS = PM_FRONTIER_CHUNK_BITS,
    MAX_CHUNKS = PM_FRONTIER_CHUNKS,
    LIST_MAX = 1024,       /* digit vectors in low_list */
    BLOCK = 512,           /* states moved at a time */
    SERIAL_BELOW = 1 << 20 /* bytes of a level: below, one thread */
};

typedef struct {
    int32_t first, last; /* old slots first .. last-1 */
    int64_t codes;       /* product of (range + 1) */
    int64_t *offset;     /* [rest * codes + code]: what the digits add to the state's number if the
                          * slots below `last` have digit sum rest */
    int32_t *sum;        /* digit sum of each code */
} chunk;

/* All digit vectors of the lowest new slots, by digit sum and then by number. */
typedef struct {
    int32_t slots;  /* how many */
    int64_t *start; /* of each digit sum: index of its first vector; one more entry */
    uint64_t *code; /* packed old codes of each vector */
} low_list;

typedef struct {
    const pm_frontier_level *from, *to;
    const pm_ring *ring;
    const char *old;
    char *new;
    chunk chunks[MAX_CHUNKS];
    int nchunks;
    uint64_t *digit_code; /* of each new slot: what one unit of its digit adds */
    low_list low;
} permuter;

/* Fill the tables of one chunk.  The lowest slot is the lowest digit of the code. */
static pm_status fill_chunk(const pm_frontier_level *l, chunk *c, pm_error *err)
{
    int64_t width = l->sum + 1;
    c->offset = pm_alloc_array(width * c->codes, sizeof *c->offset);
    c->sum = pm_alloc_array(c->codes, sizeof *c->sum);
    if (!c->offset || !c->sum)
        return pm_fail_memory(err, "permutation tables");
    for (int64_t code = 0; code < c->codes; ++code) {
        int32_t digit[CHUNK_BITS + 1], n = 0;
        int64_t v = code;
        c->sum[code] = 0;
        for (int32_t q = c->first; q < c->last; ++q) {
            digit[n] = (int32_t)(v % (l->slots[q].range + 1));
            v /= l->slots[q].range + 1;
            c->sum[code] += digit[n++];
        }
        for (int32_t rest = 0; rest < width; ++rest) {
            int64_t at = 0;
            int32_t left = rest;
            for (int32_t q = c->last - 1; q >= c->first && left >= 0; --q) {
                at += pm_frontier_level_offset(l, q, left, digit[q - c->first]);
                left -= digit[q - c->first];
            }
            c->offset[rest * c->codes + code] = at;
        }
    }
    return PM_OK;
}

int pm_frontier_permute_chunks(const pm_frontier_level *l, pm_dev_frontier_chunk *chunks,
                               uint64_t *old_code)
{
    int shift = 0, n = 0;
    if (l->nslots > MAX_CHUNKS * CHUNK_BITS)
        return 0;
    for (int32_t q = 0; q < l->nslots;) {
        pm_dev_frontier_chunk *c = &chunks[n++];
        *c = (pm_dev_frontier_chunk){.first = q, .codes = 1};
        while (q < l->nslots && q - c->first < CHUNK_BITS
               && (q == c->first || c->codes * (l->slots[q].range + 1) <= 1 << CHUNK_BITS)) {
            old_code[q] = (uint64_t)c->codes << shift;
            c->codes *= l->slots[q].range + 1;
            ++q;
        }
        c->last = q;
        shift += CHUNK_BITS;
        if (c->codes > 1 << CHUNK_BITS || (n == MAX_CHUNKS && q < l->nslots))
            return 0;
    }
    return n;
}

static bool cut_chunks(permuter *p, uint64_t *old_code)
{
    pm_dev_frontier_chunk cut[MAX_CHUNKS];
    p->nchunks = pm_frontier_permute_chunks(p->from, cut, old_code);
    for (int k = 0; k < p->nchunks; ++k)
        p->chunks[k] = (chunk){.first = cut[k].first, .last = cut[k].last, .codes = cut[k].codes};
    return p->nchunks > 0;
}

static int64_t number_of(const permuter *p, uint64_t codes)
{
    int64_t at = 0;
    int32_t rest = p->from->sum;
    for (int k = p->nchunks - 1; k >= 0; --k) {
        const chunk *c = &p->chunks[k];
        uint64_t code = codes >> (k * CHUNK_BITS) & ((1 << CHUNK_BITS) - 1);
        at += c->offset[rest * c->codes + (int64_t)code];
        rest -= c->sum[code];
    }
    return at;
}

/* Append the codes of all digit vectors of the new slots 0 .. q-1 with digit sum s, by number.
 * Returns the end of the list. */
static uint64_t *append_codes(const permuter *p, uint64_t *list, int32_t q, int32_t s,
                              uint64_t code)
{
    if (q == 0) {
        *list = code;
        return list + 1;
    }
    for (int32_t d = 0; d <= p->to->slots[q - 1].range && d <= s; ++d)
        if (pm_frontier_level_below(p->to, q - 1, s - d))
            list = append_codes(p, list, q - 1, s - d, code + (uint64_t)d * p->digit_code[q - 1]);
    return list;
}

static pm_status list_low(permuter *p, pm_error *err)
{
    low_list *w = &p->low;
    int64_t total = 1, sums = p->to->sum + 1;
    while (w->slots < p->to->nslots && total * (p->to->slots[w->slots].range + 1) <= LIST_MAX)
        total *= p->to->slots[w->slots++].range + 1;
    w->start = pm_alloc_array(sums + 1, sizeof *w->start);
    w->code = pm_alloc_array(total, sizeof *w->code);
    if (!w->start || !w->code)
        return pm_fail_memory(err, "permutation tables");
    uint64_t *end = w->code;
    for (int32_t s = 0; s < sums; ++s) {
        w->start[s] = end - w->code;
        if (pm_frontier_level_below(p->to, w->slots, s))
            end = append_codes(p, end, w->slots, s, 0);
    }
    w->start[sums] = end - w->code;
    return PM_OK;
}

static void swap_values(char *a, char *b, int64_t bytes)
{
    char c[8];
    for (int64_t i = 0; i < bytes; i += (int64_t)sizeof c) {
        size_t n = bytes - i < (int64_t)sizeof c ? (size_t)(bytes - i) : sizeof c;
        memcpy(c, a + i, n);
        memcpy(a + i, b + i, n);
        memcpy(b + i, c, n);
    }
}

/* In place: two states change places, and the lower one comes first. */
static void swap_states(const permuter *p, int64_t base, const int64_t *index, int64_t n)
{
    int64_t bytes = p->ring->value_bytes;
    for (int64_t i = 0; i < n; ++i)
        if (index[i] > base + i)
            swap_values(p->new + (base + i) * bytes, p->new + index[i] * bytes, bytes);
}

static void move_span(const permuter *p, int32_t rest, int64_t base, uint64_t code)
{
    int64_t index[BLOCK];
    const uint64_t *list = p->low.code + p->low.start[rest];
    int64_t len = p->low.start[rest + 1] - p->low.start[rest];
    for (int64_t done = 0; done < len; done += BLOCK) {
        int64_t n = len - done < BLOCK ? len - done : BLOCK;
        for (int64_t i = 0; i < n; ++i)
            index[i] = number_of(p, code + list[done + i]);
        if (p->old == p->new)
            swap_states(p, base + done, index, n);
        else
            p->ring->gather(p->ring, p->new + (base + done) * p->ring->value_bytes, p->old, index,
                            n);
    }
}

/* Move the new states whose digits from slot q up are given: digit sum `rest` below q, numbers from
 * base on, packed code of the given digits. */
static void move_states(const permuter *p, int32_t q, int32_t rest, int64_t base, uint64_t code)
{
    if (q == p->low.slots) {
        move_span(p, rest, base, code);
        return;
    }
    --q;
    for (int32_t d = 0; d <= p->to->slots[q].range && d <= rest; ++d) {
        int64_t count = pm_frontier_level_below(p->to, q, rest - d);
        if (count) {
            move_states(p, q, rest - d, base, code + (uint64_t)d * p->digit_code[q]);
            base += count;
        }
    }
}

/* A task for each digit vector of the highest slots, some hundreds in all. */
static void move_in_tasks(const permuter *p, int threads)
{
    int32_t top = p->to->nslots;
    int64_t tasks = 1;
    while (top > p->low.slots && tasks < 256)
        tasks *= p->to->slots[--top].range + 1;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t k = 0; k < tasks; ++k) {
        int64_t v = k, base = 0;
        int32_t rest = p->to->sum;
        uint64_t code = 0;
        for (int32_t q = p->to->nslots - 1; q >= top && rest >= 0; --q) {
            int32_t d = (int32_t)(v % (p->to->slots[q].range + 1));
            v /= p->to->slots[q].range + 1;
            base += pm_frontier_level_offset(p->to, q, rest, d);
            code += (uint64_t)d * p->digit_code[q];
            rest -= d;
        }
        if (rest >= 0 && pm_frontier_level_below(p->to, top, rest))
            move_states(p, top, rest, base, code);
    }
}

static int32_t slot_with(const pm_frontier_level *l, int32_t vertex)
{
    int32_t q = 0;
    while (l->slots[q].vertex != vertex)
        ++q;
    return q;
}

bool pm_frontier_can_permute(const pm_frontier_level *from)
{
    pm_dev_frontier_chunk cut[MAX_CHUNKS];
    uint64_t old_code[MAX_CHUNKS * CHUNK_BITS];
    return pm_frontier_permute_chunks(from, cut, old_code) > 0;
}

pm_status pm_frontier_permute(const pm_frontier_level *from, const pm_frontier_level *to,
                              const pm_ring *ring, const pm_run *run, const void *old, void *new,
                              pm_error *err)
{
    pm_status status = PM_OK;
    permuter p = {.from = from, .to = to, .ring = ring, .old = old, .new = new};
    uint64_t old_code[MAX_CHUNKS * CHUNK_BITS], digit_code[MAX_CHUNKS * CHUNK_BITS];
    p.digit_code = digit_code;
    if (!cut_chunks(&p, old_code))
        return pm_fail_internal(err, "a permutation of too many slots was compiled");
    for (int32_t q = 0; q < to->nslots; ++q)
        digit_code[q] = old_code[slot_with(from, to->slots[q].vertex)];
    for (int k = 0; k < p.nchunks && !status; ++k)
        status = fill_chunk(from, &p.chunks[k], err);
    if (!status)
        status = list_low(&p, err);
    if (!status) {
        bool is_small = to->states * ring->value_bytes < SERIAL_BELOW;
        move_in_tasks(&p, is_small ? 1 : pm_team(run, pm_run_threads(run)));
    }
    for (int k = 0; k < p.nchunks; ++k) {
        free(p.chunks[k].offset);
        free(p.chunks[k].sum);
    }
    free(p.low.start);
    free(p.low.code);
    return status;
}
