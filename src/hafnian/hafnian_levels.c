/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sets of high pairs are divided into units by their last pairs.  The units with the same number of these pairs do not need each
 * other, so threads share them; in a unit the sets follow one another by their numbers. */
#include "config.h"

#include "hafnian/hafnian_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/isa.h"
#include "core/team.h"
#include "pm/alloc.h"

enum {
    LOW = PM_HAFNIAN_LOW,
    LANES = PM_HAFNIAN_LANES,
    UNIT_BITS = 8,
    ALIGNMENT = 64,
    SERIAL_PAIRS = 10, /* a level with fewer high pairs is done by one thread */
    RANKED_PAIRS = 8   /* a level with so many high pairs is summed by ranks */
};

#define TRANSFORM_WORK 1.0 /* an addition of two residues, in products */

const pm_hafnian_kernels *pm_hafnian_kernels_best(void)
{
#if PM_HAVE_X86
    switch (pm_isa_best()) {
    case PM_ISA_PORTABLE: break;
    case PM_ISA_AVX2: return &pm_hafnian_avx2;
    default: return &pm_hafnian_avx512;
    }
#endif
    return &pm_hafnian_portable;
}

/* ---- room ---- */

static int high_pairs(int pairs)
{
    return pairs > LOW ? pairs - LOW : 0;
}

static double cell_bytes(int sheets, size_t bytes)
{
    return 2. * sheets * LANES * (double)bytes;
}

/* Of all sets of so many pairs. */
static double cells_of(int high)
{
    return high * exp2(high - 1);
}

double pm_hafnian_room_bytes(int pairs, int sheets, size_t bytes)
{
    const int high = high_pairs(pairs - 1);
    return cells_of(high) * cell_bytes(sheets, bytes)
           + exp2(high) * (sizeof(uint32_t) + 2. * LANES * (double)bytes);
}

/* Aligned memory; the array begins at the first multiple of ALIGNMENT. */
static void *aligned(void *p)
{
    return (char *)p + (-(uintptr_t)p & (ALIGNMENT - 1));
}

static void *allocate(double count, double bytes)
{
    return pm_alloc_huge((int64_t)(count * bytes) + ALIGNMENT, 1);
}

pm_status pm_hafnian_room_make(int pairs, int sheets, size_t bytes, pm_hafnian_room *out,
                               pm_error *err)
{
    const int high = high_pairs(pairs - 1);
    const int64_t sets = INT64_C(1) << high;
    pm_hafnian_room r = {.offset = pm_alloc_array(sets, sizeof *r.offset),
                         .cells = allocate(cells_of(high), cell_bytes(sheets, bytes)),
                         .cycles = allocate((double)sets, (double)(LANES * bytes)),
                         .counts = allocate((double)sets, (double)(LANES * bytes))};
    uint32_t sum = 0;
    if (!r.offset || !r.cells || !r.cycles || !r.counts) {
        pm_hafnian_room_free(&r);
        return pm_fail_memory(err, "paths through pairs of vertices");
    }
    for (int64_t T = 0; T < sets; ++T) {
        r.offset[T] = sum;
        sum += (uint32_t)__builtin_popcountll((uint64_t)T);
    }
    *out = r;
    return PM_OK;
}

void pm_hafnian_room_free(pm_hafnian_room *r)
{
    free(r->offset);
    free(r->cells);
    free(r->cycles);
    free(r->counts);
    *r = (pm_hafnian_room){0};
}

/* ---- cost ---- */

/* A set with t of h high pairs: paths end in 2 t vertices and go on to 2 (h - t). */
static double path_products(int anchor, int sheets)
{
    const double h = high_pairs(anchor), low = 2 * (anchor < LOW ? anchor : LOW);
    const double all = h * (h - 1) + 2 * low * h; /* on the average: 4 t (h - t) + ... */
    return sheets * exp2(h) * LANES * (all + low * low * (LOW - 1) + h + low);
}

double pm_hafnian_path_products(int pairs, int sheets)
{
    double sum = 0;
    for (int k = 0; k < pairs; ++k)
        sum += path_products(k, sheets);
    return sum;
}

static bool is_ranked(const pm_hafnian_kernel *kernel, int anchor)
{
    return kernel->transform && high_pairs(anchor) >= RANKED_PAIRS;
}

/* By ranks: three transforms, and at sets of t pairs about t^2 / 2 products, whose ranks are at most h. */
static double sum_products(const pm_hafnian_kernel *kernel, int anchor)
{
    const double h = high_pairs(anchor);
    if (is_ranked(kernel, anchor))
        return exp2(h) * LANES * (1.5 * h * (h + 1) * TRANSFORM_WORK + LANES * (h * h / 8 + h));
    return pow(3, h) * LANES * LANES;
}

double pm_hafnian_sum_products(const pm_hafnian_kernel *kernel, int pairs)
{
    double sum = exp2(high_pairs(pairs - 1)) * LANES * LANES;
    for (int k = 0; k < pairs - 1; ++k)
        sum += sum_products(kernel, k);
    return sum;
}

/* ---- running ---- */

static pm_status progress(pm_hafnian_levels *w, double products, pm_error *err)
{
    w->done += products;
    pm_run_progress(w->run, fmin(1, w->done / w->all), "hafnian");
    return pm_run_stopped(w->run) ? pm_fail(err, PM_ESTOPPED, "stopped") : PM_OK;
}

static int threads_for(const pm_hafnian_levels *w)
{
    return high_pairs(w->l.anchor) < SERIAL_PAIRS ? 1 : pm_team(w->run, pm_run_threads(w->run));
}

/* The least number with so many bits, and the next one after x with as many; 0 has none, which is told by UINT64_MAX. */
static uint64_t first_set(int ones)
{
    return (UINT64_C(1) << ones) - 1;
}

static uint64_t next_set(uint64_t x)
{
    if (x == 0)
        return UINT64_MAX;
    const uint64_t carried = x + (x & -x);
    return carried | (carried ^ x) >> (2 + __builtin_ctzll(x));
}

/* The numbers below 2^bits that have `ones` bits; returns how many. */
static int choose(int bits, int ones, uint32_t *out)
{
    int count = 0;
    for (uint64_t x = first_set(ones); x < UINT64_C(1) << bits; x = next_set(x))
        out[count++] = (uint32_t)x;
    return count;
}

static void do_paths(const pm_hafnian_levels *w, uint32_t unit, int inner)
{
    if (!pm_run_stopped(w->run))
        w->kernel->paths(&w->l, unit << inner, (unit + 1) << inner);
}

/* A parallel region of one thread takes longer than a small level. */
pm_status pm_hafnian_levels_paths(pm_hafnian_levels *w, pm_error *err)
{
    const int high = high_pairs(w->l.anchor), bits = high < UNIT_BITS ? high : UNIT_BITS;
    const int inner = high - bits, threads = threads_for(w);
    uint32_t unit[1 << UNIT_BITS];
    pm_status status = PM_OK;
    for (int ones = 0; ones <= bits && !status; ++ones) {
        const int units = choose(bits, ones, unit);
        if (threads == 1)
            for (int i = 0; i < units; ++i)
                do_paths(w, unit[i], inner);
        else
#pragma omp parallel for num_threads(threads) schedule(dynamic)
            for (int i = 0; i < units; ++i)
                do_paths(w, unit[i], inner);
        status = progress(w, path_products(w->l.anchor, w->l.sheets) * units / exp2(bits), err);
    }
    return status;
}

static char *row_at(const pm_hafnian_levels *w, void *rows, int64_t T)
{
    return (char *)rows + T * LANES * (int64_t)w->kernel->bytes;
}

/* The rows of this level in counts. */
static char *new_counts(const pm_hafnian_levels *w)
{
    return (char *)w->l.counts + ((int64_t)w->kernel->bytes << w->l.anchor);
}

/* Number i of so many ranges of sets; those with the most parts first. */
static void do_sums(const pm_hafnian_levels *w, int i, int ranges, uint32_t length)
{
    const uint32_t first = (uint32_t)(ranges - 1 - i) * length;
    if (!pm_run_stopped(w->run))
        w->kernel->sum(&w->l, first, first + length, row_at(w, new_counts(w), first));
}

static pm_status sum_parts(pm_hafnian_levels *w, pm_error *err)
{
    const int high = high_pairs(w->l.anchor), bits = high < UNIT_BITS ? high : UNIT_BITS;
    const int threads = threads_for(w), ranges = 1 << bits;
    const uint32_t length = UINT32_C(1) << (high - bits);
    if (threads == 1)
        for (int i = 0; i < ranges; ++i)
            do_sums(w, i, ranges, length);
    else
#pragma omp parallel for num_threads(threads) schedule(dynamic)
        for (int i = 0; i < ranges; ++i)
            do_sums(w, i, ranges, length);
    return progress(w, sum_products(w->kernel, w->l.anchor), err);
}

/* Array r of a function: its values at sets of r pairs, transformed. */
static void make_array(const pm_hafnian_levels *w, void *values, int high, int r, char *array)
{
    const size_t bytes = LANES * w->kernel->bytes;
    memset(array, 0, bytes << high);
    for (uint64_t T = first_set(r); T < UINT64_C(1) << high; T = next_set(T))
        memcpy(array + T * bytes, row_at(w, values, (int64_t)T), bytes);
    w->kernel->transform(&w->l, array, high, false);
}

/* The cells are not needed at this time; they take as much room as the arrays of two functions. */
static pm_status sum_ranked(pm_hafnian_levels *w, pm_error *err)
{
    const int high = high_pairs(w->l.anchor), bits = high < UNIT_BITS ? high : UNIT_BITS;
    const int threads = threads_for(w), arrays = high + 1;
    const int64_t length = (INT64_C(1) << high) * LANES * (int64_t)w->kernel->bytes;
    char *a = w->l.cells, *b = a + arrays * length, *to = new_counts(w);
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
    for (int i = 0; i < 2 * arrays; ++i)
        if (!pm_run_stopped(w->run))
            make_array(w, i < arrays ? w->l.cycles : w->l.counts, high, i % arrays, a + i * length);
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
    for (int i = 0; i < 1 << bits; ++i)
        if (!pm_run_stopped(w->run))
            w->kernel->multiply(&w->l, a, b, high, (uint32_t)i << (high - bits),
                                (uint32_t)(i + 1) << (high - bits));
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
    for (int r = 0; r < arrays; ++r)
        if (!pm_run_stopped(w->run)) {
            w->kernel->transform(&w->l, a + r * length, high, true);
            for (uint64_t T = first_set(r); T < UINT64_C(1) << high; T = next_set(T))
                memcpy(row_at(w, to, (int64_t)T), row_at(w, a + r * length, (int64_t)T),
                       LANES * w->kernel->bytes);
        }
    return progress(w, sum_products(w->kernel, w->l.anchor), err);
}

pm_status pm_hafnian_levels_sums(pm_hafnian_levels *w, pm_error *err)
{
    if (w->l.anchor < LOW) {
        w->kernel->sum_low(&w->l);
        return PM_OK;
    }
    return is_ranked(w->kernel, w->l.anchor) ? sum_ranked(w, err) : sum_parts(w, err);
}

void pm_hafnian_levels_begin(const pm_hafnian_kernel *kernel, const pm_hafnian_level *l,
                             const pm_hafnian_room *room, const pm_run *run, pm_hafnian_levels *out)
{
    *out = (pm_hafnian_levels){.kernel = kernel, .l = *l, .run = run};
    out->all =
        pm_hafnian_path_products(l->pairs, l->sheets) + pm_hafnian_sum_products(kernel, l->pairs);
    out->l.offset = room->offset;
    out->l.cells = aligned(room->cells);
    out->l.cycles = aligned(room->cycles);
    out->l.counts = aligned(room->counts);
    kernel->begin(&out->l);
}

/* The last level: the count of all pairs only. */
static void run_last_sum(pm_hafnian_levels *w, void *number, int *lane)
{
    const int high = high_pairs(w->l.anchor);
    if (w->l.anchor < LOW) {
        w->kernel->sum_low(&w->l);
        memcpy(number, w->l.counts, LANES * w->kernel->bytes);
        *lane = (1 << w->l.pairs) - 1;
        return;
    }
    w->kernel->sum(&w->l, (UINT32_C(1) << high) - 1, UINT32_C(1) << high, number);
    *lane = LANES - 1;
}

pm_status pm_hafnian_levels_run(const pm_hafnian_kernel *kernel, const pm_hafnian_level *l,
                                const pm_hafnian_room *room, const pm_run *run, void *number,
                                int *lane, pm_error *err)
{
    pm_hafnian_levels w;
    pm_status status = PM_OK;
    pm_hafnian_levels_begin(kernel, l, room, run, &w);
    for (int k = 0; k < l->pairs && !status; ++k) {
        w.l.anchor = k;
        status = pm_hafnian_levels_paths(&w, err);
        if (!status && k < l->pairs - 1)
            status = pm_hafnian_levels_sums(&w, err);
    }
    if (!status)
        run_last_sum(&w, number, lane);
    return status;
}
