/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for a vertex order: greedy orders from many starts, then annealing in rounds.  Each
 * round is twice as long as the round before.  The search ends when it has taken a twentieth of the
 * predicted run, or after several rounds without an improvement.
 *
 * Its time is not measured: it is the number of elementary operations at a nominal rate.  The
 * number of annealing chains does not depend on the number of threads.  So the same input and seed
 * give the same order. */
#include "config.h"

#include "order/vertex_order.h"

#include <math.h>
#include <stdlib.h>

#include "core/machine.h"
#include "core/team.h"
#include "pm/alloc.h"

#define GREEDY_SECONDS  1    /* greedy orders may take so long whatever the budget */
#define PATIENT_SECONDS 1    /* idle rounds end the search only after this time */
#define HOPELESS        256  /* times the cost allowed, or the rival: then the search is short */
#define OUT_OF_REACH    1e60 /* transitions: an order that can never be run; it takes more than */
#define FAR_SECONDS     1e50
#define FAR_BYTES       1e40
enum {
    CHAINS = 4,       /* of a long round */
    FIRST_MOVES = 25, /* for each vertex, in each chain of the first round */
    LEAST_MOVES = 5,  /* for each vertex; a shorter round is not begun */
    IDLE_ROUNDS = 3   /* rounds without an improvement that end the search */
};

typedef struct {
    const pm_block_graph *g;
    uint64_t seed;
    double seconds_per_transition;
    pm_search_limits limits;
    double seconds; /* length of the search; 0: see budget() */
    const pm_run *run;
    pm_vertex_order *best;
    int64_t work,
        greedy_work; /* of it on one core; the chains of an annealing are nominally on two */
} search;

/* Nominal seconds so far. */
static double spent(const search *s)
{
    return (double)s->work * PM_ORDER_OPERATION_SECONDS;
}

/* The part of them on one core. */
static double spent_greedily(const search *s)
{
    return (double)s->greedy_work * PM_ORDER_OPERATION_SECONDS;
}

/* Nominal seconds that the search may take. */
static double budget(const search *s)
{
    if (s->seconds > 0)
        return s->seconds;
    const pm_search_limits *limits = &s->limits;
    double run = s->best->cost * s->seconds_per_transition, rival = limits->rival;
    /* a run far beyond the limit stays beyond it, however long the search */
    double limit = s->run && s->run->max_cost > 0 ? s->run->max_cost : INFINITY;
    bool is_hopeless = run > HOPELESS * fmin(limit, rival);
    double most = fmin(
        is_hopeless ? fmin(1, PM_ORDER_SEARCH_SHARE * limit) : PM_ORDER_SEARCH_MOST_SECONDS, limit);
    double share = limits->share > 0 ? limits->share : PM_ORDER_SEARCH_SHARE;
    double allowed = fmin(share * fmin(run, rival), limits->left);
    /* these are seconds of one core, twice the nominal ones of an annealing */
    allowed = (allowed + spent_greedily(s)) / 2;
    if (allowed > limits->most)
        return limits->most;
    /* the further the rival is ahead, the less is to be hoped for */
    if (run > rival)
        allowed *= sqrt(rival / run);
    return fmin(most, fmax(limits->least, allowed));
}

/* Operations that the next greedy order may take. */
static int64_t greedy_work(const search *s)
{
    double left = fmax(budget(s), GREEDY_SECONDS) - spent(s);
    return (int64_t)fmin(fmax(left, 0) / PM_ORDER_OPERATION_SECONDS, 1e18);
}

/* The i-th vertex of a fixed scattered sequence, so that a few starts are well spread. */
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

/* The cost from which on orders are given up. */
static double useless_cost(const search *s)
{
    return s->limits.longest > 0 ? fmin(s->limits.longest / s->seconds_per_transition, OUT_OF_REACH)
                                 : OUT_OF_REACH;
}

static void keep_better(search *s, const pm_vertex_order *o)
{
    if (o->cost < s->best->cost || s->best->len == 0)
        pm_vertex_order_copy(s->g, s->best, o);
}

/* Greedy orders in all modes from one vertex after another; breadth-first orders from the first
 * four. */
static pm_status greedy_phase(search *s, pm_error *err)
{
    pm_vertex_order o = {0};
    pm_status status = pm_vertex_order_alloc(s->g, &o, err);
    if (status)
        return status;
    for (int32_t i = 0; i < s->g->nv && !status; ++i) {
        int32_t start = scattered(s, i);
        if (i < 4) {
            status = pm_vertex_order_bfs(s->g, start, &o, err);
            s->work += 2 * s->g->ptr[s->g->nv] + pm_vertex_order_cost_work(s->g);
            keep_better(s, &o);
        }
        if (s->g->ptr[start + 1] - s->g->ptr[start] > PM_HUB_DEGREE)
            continue;
        const int last_mode = s->g->nrows == s->g->nv ? PM_GREEDY_MIXED : PM_GREEDY_COLUMNS;
        for (int mode = PM_GREEDY_MIXED; mode <= last_mode && !status; ++mode) {
            const pm_greedy_limits limits = {fmin(s->best->cost, useless_cost(s)), greedy_work(s)};
            status = pm_vertex_order_greedy(s->g, start, (pm_greedy_mode)mode, &limits, s->run, &o,
                                            &s->work, err);
            if (!status && isfinite(o.cost))
                keep_better(s, &o);
        }
        s->greedy_work = s->work;
        pm_run_progress(s->run, fmin(1, spent(s) / budget(s)), "order search");
        if (spent(s) > budget(s) / 2 || pm_run_stopped(s->run))
            break;
    }
    pm_vertex_order_free(&o);
    return status;
}

/* Nominal seconds of one move in each chain.  A move changes the cost of a dozen steps on average,
 * or needs the cost of the whole order where there are classes of twins. */
static double seconds_per_move(const pm_block_graph *g, int chains)
{
    int64_t work = g->all_single ? 12 * pm_vertex_order_step_work(g) : pm_vertex_order_cost_work(g);
    return (double)work * chains / 2 * PM_ORDER_OPERATION_SECONDS;
}

/* How many chains a round has: one as long as threads would not make it faster. */
static int chains_of(const search *s, double moves)
{
    return moves * seconds_per_move(s->g, CHAINS) < PM_THREADS_ROUND_SECONDS ? 1 : CHAINS;
}

/* One round: every chain anneals a copy of the best order, and the best result is kept. */
static pm_status anneal_round(search *s, int chains, int64_t moves, uint64_t round, pm_error *err)
{
    pm_status status = PM_OK, chain_status[CHAINS];
    pm_error message[CHAINS];
    pm_vertex_order o[CHAINS] = {{0}};
    int64_t work[CHAINS] = {0};
    for (int c = 0; c < chains && !status; ++c) {
        status = pm_vertex_order_alloc(s->g, &o[c], err);
        if (!status)
            pm_vertex_order_copy(s->g, &o[c], s->best);
    }
    if (!status) {
        int threads = chains == 1 ? 1 : pm_team(s->run, pm_run_threads(s->run));
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
        for (int c = 0; c < chains; ++c)
            chain_status[c] =
                pm_vertex_order_anneal(s->g, &o[c], s->seed, round * CHAINS + (uint64_t)c, moves,
                                       s->run, &work[c], &message[c]);
        for (int c = 0; c < chains; ++c) {
            if (chain_status[c]) {
                status = chain_status[c];
                if (err)
                    *err = message[c];
                break;
            }
            s->work += work[c] / 2; /* nominally on two cores */
            keep_better(s, &o[c]);
        }
    }
    for (int c = 0; c < CHAINS; ++c)
        pm_vertex_order_free(&o[c]);
    return status;
}

static pm_status anneal_phase(search *s, pm_error *err)
{
    pm_status status = PM_OK;
    double moves = FIRST_MOVES * s->g->nv;
    int idle = 0;
    if (s->limits.longest > 0 && s->best->cost > useless_cost(s))
        return PM_OK;
    for (uint64_t round = 0; !status && s->g->nv > 4; ++round, moves *= 2) {
        double before = s->best->cost;
        /* a round is cut to the budget, and left out when it would be too short */
        const int chains = chains_of(s, moves);
        double affordable = (budget(s) - spent(s)) / seconds_per_move(s->g, chains);
        if (moves > affordable)
            moves = affordable;
        if (moves < LEAST_MOVES * s->g->nv || !isfinite(s->best->cost) || pm_run_stopped(s->run))
            break;
        status = anneal_round(s, chains, (int64_t)moves, round, err);
        pm_run_progress(s->run, fmin(1, spent(s) / budget(s)), "order search");
        pm_run_note(s->run, 3, "order search: round %d, cost 2^%.2f, %.2g of %.2g nominal seconds",
                    (int)round, log2(s->best->cost), spent(s), budget(s));
        idle = s->best->cost < before ? 0 : idle + 1;
        if (idle >= IDLE_ROUNDS && spent(s) > PATIENT_SECONDS && s->seconds == 0)
            break;
    }
    return status;
}

/* s->best is not set yet. */
static pm_status search_all(search *s, pm_vertex_order *o, pm_error *err)
{
    pm_vertex_order best = {0};
    pm_status status = pm_vertex_order_alloc(s->g, &best, err);
    if (status)
        return status;
    best.cost = INFINITY;
    s->best = &best;
    status = greedy_phase(s, err);
    s->greedy_work = s->work;
    if (!status)
        status = anneal_phase(s, err);
    if (!status && pm_run_stopped(s->run))
        status = pm_fail(err, PM_ESTOPPED, "stopped during the search for an order");
    if (!status && best.cost > OUT_OF_REACH)
        status = pm_fail_cost(err, FAR_SECONDS,
                              "refused: block of %d vertices: with every order that was found the "
                              "frontier would take more than %.0e seconds and %.0e bytes",
                              (int)s->g->nv, FAR_SECONDS, FAR_BYTES);
    if (status) {
        pm_vertex_order_free(&best);
        return status;
    }
    *o = best;
    o->searched = 2 * spent(s) - spent_greedily(s);
    return PM_OK;
}

pm_status pm_vertex_order_search(const pm_block_graph *g, uint64_t seed,
                                 double seconds_per_transition, pm_search_limits limits,
                                 const pm_run *run, pm_vertex_order *o, pm_error *err)
{
    search s = {.g = g,
                .seed = seed,
                .seconds_per_transition = seconds_per_transition,
                .limits = limits,
                .run = run};
    return search_all(&s, o, err);
}

pm_status pm_vertex_order_search_for(const pm_block_graph *g, uint64_t seed, double seconds,
                                     const pm_run *run, pm_vertex_order *o, pm_error *err)
{
    search s = {.g = g, .seed = seed, .seconds = seconds, .run = run};
    return search_all(&s, o, err);
}
