/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for a frontier order: greedy orders from many starts, then annealing in rounds, each
 * twice as long as the one before, until the search has cost a tenth of the predicted run, or has
 * gone on long enough without a gain.
 *
 * "Has cost" is counted in elementary operations at a nominal rate, never measured, and chains are
 * as many whatever the number of threads: the same input and seed give the same order. */
#include "config.h"

#include "order/vertex_order.h"

#include <math.h>
#include <stdlib.h>

#include "core/machine.h"
#include "pm/alloc.h"

#define SHARE           0.1 /* of the predicted run, spent on the search */
#define MOST_SECONDS    20
#define PATIENT_SECONDS 1    /* spent before idle rounds end the search */
#define HOPELESS        256  /* times the cost allowed, or that of the rival */
#define OUT_OF_REACH    1e60 /* transitions: no search brings such an order down */
enum {
    CHAINS = 4,
    FIRST_MOVES = 25, /* a vertex of the first round, each chain */
    LEAST_MOVES = 5,
    IDLE_ROUNDS = 3 /* that bring nothing, each as long as all before: enough of it */
};

typedef struct {
    const pm_block_graph *g;
    uint64_t seed;
    double seconds_per_transition;
    double rival;
    double seconds; /* to search for; 0: see budget() */
    const pm_run *run;
    pm_vertex_order *best;
    int64_t work;
} search;

static double spent(const search *s)
{
    return (double)s->work * PM_ORDER_OPERATION_SECONDS;
}

static double budget(const search *s)
{
    if (s->seconds > 0)
        return s->seconds;
    double run = s->best->cost * s->seconds_per_transition;
    /* what is out of reach by far stays so however long the search */
    double limit = s->run && s->run->max_cost > 0 ? s->run->max_cost : INFINITY;
    bool is_hopeless = run > HOPELESS * fmin(limit, s->rival);
    double most = fmin(is_hopeless ? fmin(1, SHARE * limit) : MOST_SECONDS, limit);
    return fmin(most, PM_GLANCE_SECONDS + SHARE * fmin(run, s->rival));
}

/* Vertices in a fixed scattered sequence, so that few starts are spread well. */
static int32_t scattered(const search *s, int32_t i)
{
    int32_t nv = s->g->nv;
    int64_t stride = (int64_t)((double)nv * 0.6180339887) | 1;
    while (stride > 1) {
        int64_t a = stride, b = nv;
        while (b) {
            int64_t r = a % b;
            a = b;
            b = r;
        }
        if (a == 1)
            break;
        stride -= 2;
    }
    return (int32_t)((i * stride + (int64_t)(s->seed % (uint64_t)nv)) % nv);
}

static void keep_better(search *s, const pm_vertex_order *o)
{
    if (o->cost < s->best->cost || s->best->len == 0)
        pm_vertex_order_copy(s->g, s->best, o);
}

/* Greedy orders from one vertex after another in all modes, breadth-first for the first few. */
static pm_status greedy_phase(search *s, pm_error *err)
{
    pm_status rc;
    pm_vertex_order o = {0};
    if ((rc = pm_vertex_order_alloc(s->g, &o, err)))
        return rc;
    for (int32_t i = 0; i < s->g->nv && !rc; ++i) {
        int32_t start = scattered(s, i);
        if (i < 4) {
            rc = pm_vertex_order_bfs(s->g, start, &o, err);
            s->work += 4 * s->g->ptr[s->g->nv];
            keep_better(s, &o);
        }
        if (s->g->ptr[start + 1] - s->g->ptr[start] > PM_HUB_DEGREE)
            continue;
        for (int mode = PM_GREEDY_MIXED; mode <= PM_GREEDY_COLUMNS && !rc; ++mode) {
            rc = pm_vertex_order_greedy(s->g, start, (pm_greedy_mode)mode,
                                        fmin(s->best->cost, OUT_OF_REACH), s->run, &o, &s->work,
                                        err);
            if (!rc && isfinite(o.cost))
                keep_better(s, &o);
        }
        pm_run_progress(s->run, fmin(1, spent(s) / budget(s)), "order search");
        if (spent(s) > budget(s) / 2 || pm_run_stopped(s->run))
            break;
    }
    pm_vertex_order_free(&o);
    return rc;
}

/* A move of all chains; a window of a dozen steps on average, or the whole order where classes of
 * twins forbid windows. */
static double seconds_per_move(const pm_block_graph *g)
{
    double degree = (double)g->ptr[g->nv] / g->nv;
    double steps = g->all_single ? 12 * (4 + 6 * degree) : 2 * (double)g->ptr[g->nv];
    return steps * CHAINS / 2 * PM_ORDER_OPERATION_SECONDS;
}

/* One round: every chain anneals a copy of the best order; the best result is kept. */
static pm_status anneal_round(search *s, int64_t moves, uint64_t round, pm_error *err)
{
    pm_status rc = PM_OK, status[CHAINS];
    pm_error message[CHAINS];
    pm_vertex_order o[CHAINS] = {{0}};
    int64_t work[CHAINS] = {0};
    for (int c = 0; c < CHAINS && !rc; ++c) {
        rc = pm_vertex_order_alloc(s->g, &o[c], err);
        if (!rc)
            pm_vertex_order_copy(s->g, &o[c], s->best);
    }
    if (!rc) {
        bool brief = (double)moves * seconds_per_move(s->g) < PM_THREADS_ROUND_SECONDS;
        int threads = brief ? 1 : pm_run_threads(s->run);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
        for (int c = 0; c < CHAINS; ++c)
            status[c] = pm_vertex_order_anneal(s->g, &o[c], s->seed, round * CHAINS + (uint64_t)c,
                                               moves, s->run, &work[c], &message[c]);
        for (int c = 0; c < CHAINS; ++c) {
            if (status[c]) {
                rc = status[c];
                if (err)
                    *err = message[c];
                break;
            }
            s->work += work[c] / 2; /* two cores at least, nominally */
            keep_better(s, &o[c]);
        }
    }
    for (int c = 0; c < CHAINS; ++c)
        pm_vertex_order_free(&o[c]);
    return rc;
}

static pm_status anneal_phase(search *s, pm_error *err)
{
    pm_status rc = PM_OK;
    double moves = FIRST_MOVES * s->g->nv;
    int idle = 0;
    for (uint64_t round = 0; !rc && s->g->nv > 4; ++round, moves *= 2) {
        double before = s->best->cost;
        /* a round that would not fit is cut; one too short to matter is left out */
        double affordable = (budget(s) - spent(s)) / seconds_per_move(s->g);
        if (moves > affordable)
            moves = affordable;
        if (moves < LEAST_MOVES * s->g->nv || !isfinite(s->best->cost) || pm_run_stopped(s->run))
            break;
        rc = anneal_round(s, (int64_t)moves, round, err);
        pm_run_progress(s->run, fmin(1, spent(s) / budget(s)), "order search");
        pm_run_note(s->run, 3, "order search: round %d, cost 2^%.2f, %.2g of %.2g nominal seconds",
                    (int)round, log2(s->best->cost), spent(s), budget(s));
        idle = s->best->cost < before ? 0 : idle + 1;
        if (idle >= IDLE_ROUNDS && spent(s) > PATIENT_SECONDS && s->seconds == 0)
            break;
    }
    return rc;
}

/* *s without its order. */
static pm_status search_all(search *s, pm_vertex_order *o, pm_error *err)
{
    pm_status rc;
    pm_vertex_order best = {0};
    if ((rc = pm_vertex_order_alloc(s->g, &best, err)))
        return rc;
    best.cost = INFINITY;
    s->best = &best;
    rc = greedy_phase(s, err);
    if (!rc)
        rc = anneal_phase(s, err);
    if (!rc && pm_run_stopped(s->run))
        rc = pm_fail(err, PM_ESTOPPED, "stopped during the search for an order");
    if (!rc && best.cost > OUT_OF_REACH)
        rc = pm_fail(err, PM_UNABLE,
                     "out of reach: every order found takes more than 10^%.0f transitions "
                     "(10^50 seconds, 10^40 bytes)",
                     log10(OUT_OF_REACH));
    if (rc) {
        pm_vertex_order_free(&best);
        return rc;
    }
    *o = best;
    return PM_OK;
}

pm_status pm_vertex_order_search(const pm_block_graph *g, uint64_t seed,
                                 double seconds_per_transition, double rival, const pm_run *run,
                                 pm_vertex_order *o, pm_error *err)
{
    search s = {.g = g,
                .seed = seed,
                .seconds_per_transition = seconds_per_transition,
                .rival = rival,
                .run = run};
    return search_all(&s, o, err);
}

pm_status pm_vertex_order_search_for(const pm_block_graph *g, uint64_t seed, double seconds,
                                     const pm_run *run, pm_vertex_order *o, pm_error *err)
{
    search s = {.g = g, .seed = seed, .seconds = seconds, .run = run};
    return search_all(&s, o, err);
}
