/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "rook/rook_numbers.h"

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/vectorised.h"
#include "number/prime.h"
#include "pm/alloc.h"

enum { CHUNK = 1 << 10 }; /* states that a thread takes at once, or more */
enum { LANES = PM_ROOK_LANES };

typedef struct {
    uint64_t m;
    uint64_t *value; /* of state s, coefficient k: value[s * stride + k] */
    int64_t stride;
} sweep;

/* A cell modulo m. */
typedef struct {
    uint64_t bit, weight, shoup;
    bool is_unit;
} factor;

/* A step, its cells modulo m. */
typedef struct {
    const pm_rook_step *step;
    const factor *factor;
    int32_t nfactors;
} action;

static inline uint64_t *value_of(const sweep *w, uint64_t state)
{
    return w->value + (int64_t)state * w->stride;
}

static inline uint64_t min64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* to += from, modulo m */
static inline void add(uint64_t *restrict to, const uint64_t *restrict from, int32_t count,
                       uint64_t m)
{
    for (int32_t i = 0; i < count; i += LANES)
        for (int32_t k = i; k < i + LANES; ++k)
            to[k] = min64(to[k] + from[k], to[k] + from[k] - m);
}

static inline void add_multiple(uint64_t *restrict to, const uint64_t *restrict from, int32_t count,
                                const factor *f, uint64_t m)
{
    for (int32_t k = 0; k < count; ++k) {
        uint64_t sum = to[k] + pm_shoup_mul(f->weight, f->shoup, from[k], m);
        sum = min64(sum, sum - 2 * m);
        to[k] = min64(sum, sum - m);
    }
}

/* A line is forgotten: what has a rook there joins what has none. */
static inline void forget(const sweep *w, uint64_t without, uint64_t bit, int32_t count)
{
    uint64_t *gone = value_of(w, without | bit);
    add(value_of(w, without), gone, count, w->m);
    memset(gone, 0, (size_t)count * sizeof *gone);
}

static inline void take_state(const sweep *w, const action *a, uint64_t state)
{
    const pm_rook_step *x = a->step;
    uint64_t *to = value_of(w, state);
    if (x->own)
        forget(w, state, x->own, x->rooks + 1);
    for (int32_t c = 0; c < a->nfactors; ++c) {
        const factor *f = &a->factor[c];
        if (!(state & f->bit))
            continue;
        const uint64_t *from = value_of(w, state ^ f->bit);
        if (f->is_unit)
            add(to + 1, from, x->rooks, w->m);
        else
            add_multiple(to + 1, from, x->rooks, f, w->m);
    }
}

/* All states that have the same lines apart from those around v. */
static inline void take_group(const sweep *w, const action *a, uint64_t apart)
{
    const pm_rook_step *x = a->step;
    uint64_t around = x->around, s = around;
    for (;; s = (s - 1) & around) {
        take_state(w, a, apart | s);
        if (s == 0)
            break;
    }
    for (uint64_t left = x->leaving; left; left &= left - 1) {
        uint64_t bit = left & -left;
        around &= ~bit;
        for (s = around;; s = (s - 1) & around) {
            forget(w, apart | s, bit, x->rooks + 1);
            if (s == 0)
                break;
        }
    }
}

/* The number with the low bits of x at the places of mask, upwards. */
static uint64_t deposit(uint64_t x, uint64_t mask)
{
    uint64_t out = 0;
    for (; mask; mask &= mask - 1, x >>= 1)
        out |= x & 1 ? mask & -mask : 0;
    return out;
}

/* `count` groups from the first-th on. */
PM_VECTORISED static void take_groups(const sweep *w, const action *a, int64_t first, int64_t count)
{
    uint64_t mask = a->step->apart, apart = deposit((uint64_t)first, mask);
    for (int64_t i = 0; i < count; ++i, apart = (apart - mask) & mask)
        take_group(w, a, apart);
}

/* before, share: of the sweep, that are done and that this step is. */
static void take_step(const sweep *w, const action *a, const pm_run *run, double before,
                      double share)
{
    int64_t groups = INT64_C(1) << __builtin_popcountll(a->step->apart);
    int64_t chunk = CHUNK >> __builtin_popcountll(a->step->around);
    chunk = chunk > 1 ? chunk : 1;
    chunk = chunk < groups ? chunk : groups;
#pragma omp parallel for num_threads(pm_run_threads(run))                                          \
    schedule(dynamic, 1) if (groups > 4 * chunk)
    for (int64_t first = 0; first < groups; first += chunk) {
        if (pm_run_stopped(run))
            continue;
        take_groups(w, a, first, chunk);
        if (omp_get_thread_num() == 0)
            pm_run_progress(run, before + share * (double)first / (double)groups, "rook");
    }
}

/* Of a polynomial; the last place is for a whole number of lanes from the second one on. */
static int64_t stride_of(const pm_rook_program *p)
{
    return (p->most + LANES) / LANES * LANES + 1;
}

double pm_rook_program_bytes(const pm_rook_program *p)
{
    return ldexp((double)stride_of(p), p->width) * sizeof(uint64_t);
}

static void set_factors(const pm_rook_program *p, const pm_matrix *board, uint64_t m, factor *f)
{
    for (int32_t c = 0; c < p->ncells; ++c) {
        const pm_rook_cell *cell = &p->cell[c];
        f[c] = (factor){.bit = cell->bit, .is_unit = cell->entry == PM_UNIT};
        if (f[c].is_unit)
            continue;
        f[c].weight = pm_dyadic_mod(&board->re[cell->entry], m);
        f[c].shoup = pm_shoup_prepare(f[c].weight, m);
    }
}

static pm_status sweep_board(const pm_rook_program *p, const sweep *w, const factor *factors,
                             const pm_run *run, pm_error *err)
{
    memset(w->value, 0, (size_t)(w->stride << p->width) * sizeof *w->value);
    w->value[0] = 1 % w->m;
    for (int32_t i = 0; i < p->nsteps; ++i) {
        const pm_rook_step *x = &p->step[i];
        const action a = {.step = x, .factor = factors + x->first, .nfactors = x->last - x->first};
        take_step(w, &a, run, (double)i / p->nsteps, 1. / p->nsteps);
        if (pm_run_stopped(run))
            return pm_fail(err, PM_ESTOPPED, "stopped");
    }
    return PM_OK;
}

pm_status pm_rook_numbers_find(const pm_rook_program *p, const pm_matrix *board, const uint64_t *m,
                               int n, const pm_run *run, uint64_t *r, pm_error *err)
{
    sweep w = {.stride = stride_of(p)};
    pm_status rc = PM_OK;
    int64_t numbers = p->most + 1;
    factor *factors = pm_alloc_array(p->ncells, sizeof *factors);
    w.value = pm_alloc_huge(w.stride << p->width, sizeof *w.value);
    if (!w.value || !factors)
        rc = pm_fail_memory(err, "the states of a sweep");
    for (int i = 0; i < n && !rc; ++i) {
        pm_run_part part;
        w.m = m[i];
        set_factors(p, board, w.m, factors);
        rc = sweep_board(p, &w, factors, pm_run_part_of(&part, run, (double)i / n, 1. / n), err);
        if (!rc)
            memcpy(r + i * numbers, w.value, (size_t)numbers * sizeof *r);
    }
    free(w.value);
    free(factors);
    return rc;
}
