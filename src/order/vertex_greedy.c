/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "order/vertex_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "order/state_count.h"
#include "pm/alloc.h"

enum { WAITING, CANDIDATE, GONE };
/* Operations: to compare a candidate; to update a neighbour; for a step beside these. */
enum { CANDIDATE_WORK = 3, UPDATE_WORK = 2, STEP_WORK = 12 };

/* Logarithms and weights are integers in this unit, so that sums that are changed often stay exact. */
#define UNIT 0x1p-32

/* What would happen if a vertex were processed now.  It depends on its neighbours, and changes only with
 * these. */
typedef struct {
    int32_t enter, leave; /* neighbours of capacity 1 that enter the frontier; that leave it */
    int64_t log_wide;     /* growth of greedy.log_wide */
    int64_t
        near; /* the sum, over its neighbours, of 1 / (their neighbours that are not processed) */
} outlook;

typedef struct {
    const pm_block_graph *g;
    pm_greedy_mode mode;
    int32_t *processed; /* neighbours processed, of each vertex */
    char *state;
    outlook *next; /* of each vertex that is not gone */
    int32_t *cand; /* candidates to be processed next, in any sequence */
    int32_t ncand;
    int32_t *where;  /* of each candidate: its index in cand */
    int32_t singles; /* frontier vertices of capacity 1 */
    int32_t sum;     /* K: the digit sum of every state */
    int64_t *
        log_digits; /* of each vertex: log2 of how many digits it can have; empty where all are 2 */
    int64_t log_wide; /* log2 of the number of digit vectors of the classes of twins in the
                       * frontier; a bound, for ranking only */
    int64_t work, work_limit;
} greedy;

static bool allowed(const greedy *s, int32_t v)
{
    if (s->g->cap[v] > 1)
        return false;
    if (s->mode == PM_GREEDY_MIXED || !s->g->all_single)
        return true;
    return pm_block_graph_is_row(s->g, v) == (s->mode == PM_GREEDY_ROWS);
}

static void add_candidate(greedy *s, int32_t v)
{
    if (s->state[v] != WAITING || !allowed(s, v))
        return;
    s->state[v] = CANDIDATE;
    s->where[v] = s->ncand;
    s->cand[s->ncand++] = v;
}

static void remove_candidate(greedy *s, int32_t v)
{
    if (s->state[v] == CANDIDATE) {
        int32_t last = s->cand[--s->ncand];
        s->cand[s->where[v]] = last;
        s->where[last] = s->where[v];
    }
    s->state[v] = GONE;
}

static int32_t degree(const pm_block_graph *g, int32_t v)
{
    return (int32_t)(g->ptr[v + 1] - g->ptr[v]);
}

/* What u contributes to the outlook of each of its neighbours. */
static outlook contribution(const greedy *s, int32_t u)
{
    outlook x = {0};
    if (s->state[u] == GONE)
        return x;
    const int32_t open = degree(s->g, u) - s->processed[u];
    const int32_t enter = s->processed[u] == 0, leave = open == 1;
    if (s->g->cap[u] > 1)
        x.log_wide = (enter - leave) * s->log_digits[u];
    else
        x.enter = enter, x.leave = leave;
    if (open > 0
        && degree(s->g, u) <= PM_HUB_DEGREE) /* else it would change as often as u has neighbours */
        x.near = (int64_t)(1 / UNIT / open);
    return x;
}

/* Updates the neighbours of u, whose contribution was another one before. */
static void update_outlook(greedy *s, int32_t u, const outlook *before)
{
    const outlook now = contribution(s, u);
    const outlook x = {now.enter - before->enter, now.leave - before->leave,
                       now.log_wide - before->log_wide, now.near - before->near};
    if (!x.enter && !x.leave && !x.log_wide && !x.near)
        return;
    for (int64_t i = s->g->ptr[u]; i < s->g->ptr[u + 1]; ++i) {
        outlook *next = &s->next[s->g->adj[i]];
        next->enter += x.enter;
        next->leave += x.leave;
        next->log_wide += x.log_wide;
        next->near += x.near;
    }
    s->work += UPDATE_WORK * degree(s->g, u);
}

/* The frontier after v: see `singles` and `sum` above. */
static void preview(const greedy *s, int32_t v, int32_t *singles, int32_t *sum)
{
    const outlook *next = &s->next[v];
    const int32_t row = pm_block_graph_is_row(s->g, v), inside = s->processed[v] > 0;
    *singles = s->singles - inside + next->enter - next->leave;
    /* a row that leaves: one finished row more, and one digit less */
    *sum = s->sum + (row ? 1 - inside - next->leave : next->enter - 1);
}

/* The candidate that leaves the fewest states; among nearly equal ones, the one whose neighbours
 * have the fewest unprocessed neighbours left. */
static int32_t best_candidate(greedy *s)
{
    int32_t best = s->cand[0];
    double best_score = INFINITY;
    for (int32_t c = 0; c < s->ncand; ++c) {
        int32_t v = s->cand[c], f, k;
        preview(s, v, &f, &k);
        double score = s->g->all_single ? pm_state_bound_log2(s->g, f, k) : (double)f;
        score += UNIT * (double)(s->log_wide + s->next[v].log_wide);
        score -= 0.05 * fmin(UNIT * (double)s->next[v].near, 20); /* at most 1 */
        if (score < best_score || (score == best_score && v < best)) {
            best_score = score;
            best = v;
        }
    }
    s->work += CANDIDATE_WORK * s->ncand;
    return best;
}

/* Process v: update the frontier, the candidates and their outlook. */
static void advance(greedy *s, int32_t v)
{
    const pm_block_graph *g = s->g;
    outlook before = contribution(s, v);
    preview(s, v, &s->singles, &s->sum);
    s->log_wide += s->next[v].log_wide;
    remove_candidate(s, v);
    update_outlook(s, v, &before);
    for (int64_t i = g->ptr[v]; i < g->ptr[v + 1]; ++i) {
        int32_t u = g->adj[i];
        before = contribution(s, u);
        bool enters = s->processed[u]++ == 0;
        if (s->state[u] == GONE)
            continue;
        if (s->processed[u] == degree(g, u)) {
            remove_candidate(s, u);
        } else {
            add_candidate(s, u);
            if (enters && degree(g, u) <= PM_HUB_DEGREE)
                for (int64_t j = g->ptr[u]; j < g->ptr[u + 1]; ++j)
                    add_candidate(s, g->adj[j]);
        }
        update_outlook(s, u, &before);
    }
    s->work += STEP_WORK + degree(g, v);
}

static int32_t first_waiting(const greedy *s, int32_t from)
{
    while (from < s->g->nv && !(s->state[from] == WAITING && allowed(s, from)))
        ++from;
    return from;
}

/* The outlook of all vertices before the first one is processed. */
static void look_ahead(greedy *s)
{
    for (int32_t v = 0; v < s->g->nv && !s->g->all_single; ++v)
        s->log_digits[v] = llrint(log2((double)s->g->cap[v] + 1) / UNIT);
    const outlook none = {0};
    for (int32_t v = 0; v < s->g->nv; ++v)
        update_outlook(s, v, &none);
}

/* Of the classes of twins in the frontier. */
static double wide_states(const greedy *s)
{
    return s->g->all_single ? 1 : exp2(UNIT * (double)s->log_wide);
}

/* The order from `start` on; o->cost counts its states only. */
static pm_status grow_order(greedy *s, int32_t start, double cost_limit, const pm_run *run,
                            pm_vertex_order *o, pm_error *err)
{
    const pm_block_graph *g = s->g;
    for (int32_t v = 0; v < g->nv; ++v)
        o->pos[v] = INT32_MAX;
    o->len = 0;
    o->cost = 0;
    if (!allowed(s, start))
        start = first_waiting(s, 0);
    for (int32_t v = start, next = 0; v < g->nv;) {
        o->pos[v] = o->len;
        o->seq[o->len++] = v;
        advance(s, v);
        o->cost += pm_state_bound(g, s->singles, s->sum) * wide_states(s);
        if (o->cost > cost_limit || s->work > s->work_limit) {
            o->cost = INFINITY;
            break;
        }
        if (pm_run_stopped(run))
            return pm_fail(err, PM_ESTOPPED, "stopped");
        v = s->ncand ? best_candidate(s) : (next = first_waiting(s, next));
    }
    return PM_OK;
}

pm_status pm_vertex_order_greedy(const pm_block_graph *g, int32_t start, pm_greedy_mode mode,
                                 const pm_greedy_limits *limits, const pm_run *run,
                                 pm_vertex_order *o, int64_t *work, pm_error *err)
{
    greedy s = {.g = g, .mode = mode, .work_limit = limits ? limits->work : INT64_MAX};
    s.processed = pm_calloc_array(g->nv, sizeof *s.processed);
    s.state = pm_calloc_array(g->nv, sizeof *s.state);
    s.next = pm_calloc_array(g->nv, sizeof *s.next);
    s.cand = pm_alloc_array(g->nv, sizeof *s.cand);
    s.where = pm_alloc_array(g->nv, sizeof *s.where);
    s.log_digits = pm_alloc_array(g->all_single ? 0 : g->nv, sizeof *s.log_digits);
    const bool is_ready = s.processed && s.state && s.next && s.cand && s.where && s.log_digits;
    if (is_ready)
        look_ahead(&s);
    pm_status status = is_ready
                           ? grow_order(&s, start, limits ? limits->cost : INFINITY, run, o, err)
                           : pm_fail_memory(err, "greedy order");
    if (!status)
        *work += s.work;
    if (!status && !isinf(o->cost)) {
        *work += g->all_single ? 0 : pm_vertex_order_cost_work(g);
        status = pm_vertex_order_cost_all(g, o, err);
    }
    free(s.processed);
    free(s.state);
    free(s.next);
    free(s.cand);
    free(s.where);
    free(s.log_digits);
    return status;
}

/* Set o to the breadth-first sequence without the classes of twins.  queue, seen: scratch of nv
 * entries; seen is 0. */
static void visit_all(const pm_block_graph *g, int32_t start, int32_t *queue, char *seen,
                      pm_vertex_order *o)
{
    int32_t head = 0, tail = 0, root = 0;
    queue[tail++] = start;
    seen[start] = 1;
    for (; tail < g->nv || head < tail;) {
        if (head == tail) {
            while (seen[root])
                ++root;
            seen[root] = 1;
            queue[tail++] = root;
        }
        int32_t v = queue[head++];
        for (int64_t i = g->ptr[v]; i < g->ptr[v + 1]; ++i)
            if (!seen[g->adj[i]]) {
                seen[g->adj[i]] = 1;
                queue[tail++] = g->adj[i];
            }
    }
    o->len = 0;
    for (int32_t i = 0; i < tail; ++i) {
        int32_t v = queue[i];
        o->pos[v] = g->cap[v] == 1 ? o->len : INT32_MAX;
        if (g->cap[v] == 1)
            o->seq[o->len++] = v;
    }
}

pm_status pm_vertex_order_bfs(const pm_block_graph *g, int32_t start, pm_vertex_order *o,
                              pm_error *err)
{
    int32_t *queue = pm_alloc_array(g->nv, sizeof *queue);
    char *seen = pm_calloc_array(g->nv, 1);
    pm_status status = queue && seen ? PM_OK : pm_fail_memory(err, "breadth-first order");
    if (!status) {
        visit_all(g, start, queue, seen, o);
        status = pm_vertex_order_cost_all(g, o, err);
    }
    free(queue);
    free(seen);
    return status;
}
