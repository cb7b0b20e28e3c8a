/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "masks/mask_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/team.h"
#include "masks/mask_flat.h"
#include "pm/alloc.h"

enum {
    THREADED = 1 << 12, /* values: a smaller level is computed by one thread */
    GATHERED_BITS = 8,
    GATHERED = 1 << GATHERED_BITS /* indices at a time */
};

static int threads_for(const pm_mask_flat *s, const pm_run *run)
{
    return INT64_C(1) << s->bits >= THREADED ? pm_team(run, pm_run_threads(run)) : 1;
}

/* ---- the step of a vertex ---- */

static void run_span(const pm_mask_flat *s, const pm_ring *ring, const void *old, void *new,
                     int64_t first)
{
    long long src[PM_MASK_SOURCES];
    int64_t from[PM_MASK_SOURCES], entry[PM_MASK_SOURCES];
    int weight[PM_MASK_SOURCES];
    const int n = pm_mask_sources(s, (uint64_t)first, src, weight);
    char *dst = (char *)new + first * ring->value_bytes;
    for (int k = 0; k < n; ++k) {
        from[k] = src[k];
        entry[k] = weight[k];
    }
    if (n)
        ring->pull(ring, dst, old, from, entry, n, INT64_C(1) << s->span_bits);
    else
        ring->zero(ring, dst, INT64_C(1) << s->span_bits);
}

static void run_vertex(const pm_mask_flat *s, const pm_ring *ring, const pm_run *run,
                       const void *old, void *new)
{
    const int64_t spans = INT64_C(1) << (s->bits - s->span_bits);
    const int threads = threads_for(s, run);
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int64_t i = 0; i < spans; ++i)
        run_span(s, ring, old, new, i << s->span_bits);
}

/* ---- permutations ---- */

/* What the lowest bits of a number give to the old number, without and with the implied digit, by the parity of the other bits. */
typedef struct {
    int64_t from[2][GATHERED];
    char is_dropped[2][GATHERED];
} low_bits;

static void low_bits_make(const pm_mask_flat *s, low_bits *out)
{
    const uint64_t other = s->bits > GATHERED_BITS ? UINT64_C(1) << GATHERED_BITS : 0;
    const uint64_t at_other = pm_mask_bits_moved(s, other);
    for (int parity = 0; parity < 2; ++parity)
        for (int i = 0; i < GATHERED; ++i) {
            const uint64_t number = (uint64_t)i | (parity ? other : 0);
            out->from[parity][i] = (int64_t)(pm_mask_moved(s, number) - (parity ? at_other : 0));
            out->is_dropped[parity][i] = (char)pm_mask_is_dropped(s, number);
        }
}

/* first: a multiple of GATHERED. */
static void permute_block(const pm_mask_flat *s, const low_bits *low, const pm_ring *ring,
                          int64_t first, int64_t count, const void *old, void *new)
{
    int64_t index[GATHERED] = {0};
    char *dst = (char *)new + first * ring->value_bytes;
    const int parity = pm_mask_parity((uint64_t)first);
    const int64_t base = (int64_t)pm_mask_bits_moved(s, (uint64_t)first);
    for (int64_t i = 0; i < count; ++i)
        index[i] = base | low->from[parity][i];
    ring->gather(ring, dst, old, index, count);
    for (int64_t i = 0; i < count && s->drops; ++i)
        if (low->is_dropped[parity][i])
            ring->zero(ring, dst + i * ring->value_bytes, 1);
}

static void run_permutation(const pm_mask_flat *s, const pm_ring *ring, const pm_run *run,
                            const void *old, void *new)
{
    const int64_t states = INT64_C(1) << s->bits;
    const int threads = threads_for(s, run);
    low_bits low;
    low_bits_make(s, &low);
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (int64_t first = 0; first < states; first += GATHERED)
        permute_block(s, &low, ring, first, states - first < GATHERED ? states - first : GATHERED,
                      old, new);
}

/* ---- all steps ---- */

double pm_mask_bytes(const pm_mask_program *p, int64_t value_bytes)
{
    return 2 * exp2(p->most_bits) * (double)value_bytes;
}

static int64_t states_of(const pm_mask_program *p, int64_t step)
{
    return INT64_C(1) << pm_mask_bits(&p->levels[step]);
}

/* Makes the level that the steps begin with, *first. */
static pm_status begin(const pm_mask_program *p, const pm_ring *ring, pm_frontier_pass *pass,
                       char *const *level, int32_t *first, pm_error *err)
{
    const int64_t stored = pass ? pass->stored.step : 0;
    pm_status status = PM_OK;
    *first = 0;
    if (stored > 0 && stored < p->nsteps)
        status =
            pm_frontier_pass_read(pass, ring, states_of(p, stored), level[stored & 1], first, err);
    if (!status && *first == 0)
        ring->one(ring, level[0]);
    return status;
}

/* Levels i are complete, one after another: each may be stored, the last one before a stop too. */
static pm_status run_steps(const pm_mask_program *p, const pm_ring *ring, pm_frontier_pass *pass,
                           const pm_run *run, double done, double share, char *const *level,
                           pm_error *err)
{
    double worked = 0;
    int32_t first;
    pm_mask_flat s;
    pm_status status = begin(p, ring, pass, level, &first, err);
    for (int32_t i = 0; i < first; ++i)
        worked += p->steps[i].transitions;
    for (int32_t i = first; i < p->nsteps && !status; ++i) {
        const bool stops = pm_run_stopped(run);
        status = pm_frontier_pass_write(pass, ring, states_of(p, i), level[i & 1], i, stops, err);
        if (!status && stops)
            status = pm_fail(err, PM_ESTOPPED, "stopped");
        if (status)
            break;
        pm_mask_flatten(p, i, &s);
        (s.is_permutation ? run_permutation : run_vertex)(&s, ring, run, level[i & 1],
                                                          level[!(i & 1)]);
        worked += p->steps[i].transitions;
        if (p->transitions > 0)
            pm_run_progress(run, done + share * worked / p->transitions, "frontier");
    }
    return status;
}

pm_status pm_mask_run(const pm_mask_program *p, const pm_ring *ring, pm_frontier_pass *pass,
                      const pm_run *run, double done, double share, void *value, pm_error *err)
{
    const int64_t states = INT64_C(1) << p->most_bits;
    char *level[2] = {pm_alloc_huge(states, (size_t)ring->value_bytes),
                      pm_alloc_huge(states, (size_t)ring->value_bytes)};
    pm_status status = level[0] && level[1] ? run_steps(p, ring, pass, run, done, share, level, err)
                                            : pm_fail_memory(err, "the levels of a frontier");
    if (!status)
        memcpy(value, level[p->nsteps & 1], (size_t)ring->value_bytes);
    free(level[0]);
    free(level[1]);
    return status;
}
