/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "rook/rook_numbers.h"

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/team.h"
#include "core/vectorised.h"
#include "number/prime.h"
#include "pm/alloc.h"

enum { CHUNK = 1 << 10 }; /* states of one task, at least */
enum { LANES = PM_ROOK_LANES };

typedef struct {
    uint64_t m;
    uint64_t *value; /* coefficient k of state s, modulo m: value[s * stride + k] */
    int64_t stride;
} state_array;

/* A cell modulo m. */
typedef struct {
    uint64_t bit, weight, shoup;
    bool is_unit;
} factor;

/* A step with its cells modulo m. */
typedef struct {
    const pm_rook_step *step;
    const factor *factor;
    int32_t nfactors;
} modular_step;

static inline uint64_t *value_of(const state_array *states, uint64_t state)
{
    return states->value + (int64_t)state * states->stride;
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

/* Merge the state with a rook in a line into the state without, and clear it. */
static inline void merge(const state_array *states, uint64_t without, uint64_t bit, int32_t count)
{
    uint64_t *with = value_of(states, without | bit);
    add(value_of(states, without), with, count, states->m);
    memset(with, 0, (size_t)count * sizeof *with);
}

static inline void update_state(const state_array *states, const modular_step *a, uint64_t state)
{
    const pm_rook_step *x = a->step;
    uint64_t *to = value_of(states, state);
    if (x->self)
        merge(states, state, x->self, x->rooks + 1);
    for (int32_t c = 0; c < a->nfactors; ++c) {
        const factor *f = &a->factor[c];
        if (!(state & f->bit))
            continue;
        const uint64_t *from = value_of(states, state ^ f->bit);
        if (f->is_unit)
            add(to + 1, from, x->rooks, states->m);
        else
            add_multiple(to + 1, from, x->rooks, f, states->m);
    }
}

/* Update all states with the given set of lines that are not neighbours of the line processed. */
static inline void update_group(const state_array *states, const modular_step *a, uint64_t others)
{
    const pm_rook_step *x = a->step;
    uint64_t neighbours = x->neighbours, s = neighbours;
    for (;; s = (s - 1) & neighbours) {
        update_state(states, a, others | s);
        if (s == 0)
            break;
    }
    for (uint64_t left = x->finished; left; left &= left - 1) {
        uint64_t bit = left & -left;
        neighbours &= ~bit;
        for (s = neighbours;; s = (s - 1) & neighbours) {
            merge(states, others | s, bit, x->rooks + 1);
            if (s == 0)
                break;
        }
    }
}

/* The low bits of x moved to the bits of mask, from the lowest up. */
static uint64_t deposit(uint64_t x, uint64_t mask)
{
    uint64_t out = 0;
    for (; mask; mask &= mask - 1, x >>= 1)
        out |= x & 1 ? mask & -mask : 0;
    return out;
}

/* Update `count` groups from number `first` on. */
PM_VECTORISED static void update_groups(const state_array *states, const modular_step *a,
                                        int64_t first, int64_t count)
{
    uint64_t mask = a->step->others, others = deposit((uint64_t)first, mask);
    for (int64_t i = 0; i < count; ++i, others = (others - mask) & mask)
        update_group(states, a, others);
}

/* before: the part of the program that is done; share: the part that this step is. */
static void run_step(const state_array *states, const modular_step *a, const pm_run *run,
                     double before, double share)
{
    int64_t groups = INT64_C(1) << __builtin_popcountll(a->step->others);
    int64_t chunk = CHUNK >> __builtin_popcountll(a->step->neighbours);
    chunk = chunk > 1 ? chunk : 1;
    chunk = chunk < groups ? chunk : groups;
    int threads = groups > 4 * chunk ? pm_team(run, pm_run_threads(run)) : 1;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int64_t first = 0; first < groups; first += chunk) {
        if (pm_run_stopped(run))
            continue;
        update_groups(states, a, first, chunk);
        if (omp_get_thread_num() == 0)
            pm_run_progress(run, before + share * (double)first / (double)groups, "rook");
    }
}

/* Words of a polynomial: one more than a multiple of the lanes, since the products with x are added
 * in whole vectors from coefficient 1 on. */
static int64_t stride_of(const pm_rook_program *p)
{
    return (p->max_rooks + LANES) / LANES * LANES + 1;
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

static pm_status run_program(const pm_rook_program *p, const state_array *states,
                             const factor *factors, const pm_run *run, pm_error *err)
{
    memset(states->value, 0, (size_t)(states->stride << p->width) * sizeof *states->value);
    states->value[0] = 1 % states->m;
    for (int32_t i = 0; i < p->nsteps; ++i) {
        const pm_rook_step *x = &p->step[i];
        const modular_step a = {
            .step = x, .factor = factors + x->first, .nfactors = x->last - x->first};
        run_step(states, &a, run, (double)i / p->nsteps, 1. / p->nsteps);
        if (pm_run_stopped(run))
            return pm_fail(err, PM_ESTOPPED, "stopped");
    }
    return PM_OK;
}

pm_status pm_rook_numbers_find(const pm_rook_program *p, const pm_matrix *board, const uint64_t *m,
                               int n, const pm_run *run, uint64_t *r, pm_error *err)
{
    state_array states = {.stride = stride_of(p)};
    pm_status status = PM_OK;
    int64_t numbers = p->max_rooks + 1;
    factor *factors = pm_alloc_array(p->ncells, sizeof *factors);
    states.value = pm_alloc_huge(states.stride << p->width, sizeof *states.value);
    if (!states.value || !factors)
        status = pm_fail_memory(err, "the states of a board");
    for (int i = 0; i < n && !status; ++i) {
        pm_run_part part;
        states.m = m[i];
        set_factors(p, board, states.m, factors);
        status = run_program(p, &states, factors, pm_run_part_of(&part, run, (double)i / n, 1. / n),
                             err);
        if (!status)
            memcpy(r + i * numbers, states.value, (size_t)numbers * sizeof *r);
    }
    free(states.value);
    free(factors);
    return status;
}
