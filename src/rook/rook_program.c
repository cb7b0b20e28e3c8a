/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compile a vertex order of a board.  A line that enters the frontier gets the lowest free bit of
 * the state. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"
#include "rook/rook_numbers.h"

typedef struct {
    const pm_block_graph *g;
    const pm_vertex_order *o;
    uint64_t *bit;         /* of each line: its bit, or 0 if it is not in the frontier */
    uint64_t live;         /* the bits in use */
    int32_t rows, columns; /* processed or in the frontier so far */
    pm_rook_program *p;
} compiler;

static void count_line(compiler *s, int32_t v)
{
    if (pm_block_graph_is_row(s->g, v))
        ++s->rows;
    else
        ++s->columns;
}

static pm_status enter(compiler *s, int32_t u, pm_error *err)
{
    int position = __builtin_ctzll(~s->live);
    if (position >= PM_ROOK_WIDTH_MAX)
        return pm_fail(err, PM_UNABLE,
                       "rook: too many rows and columns of the board at a time, more than %d",
                       PM_ROOK_WIDTH_MAX);
    s->bit[u] = UINT64_C(1) << position;
    s->live |= s->bit[u];
    s->p->width = position >= s->p->width ? position + 1 : s->p->width;
    count_line(s, u);
    return PM_OK;
}

static void leave(compiler *s, int32_t v)
{
    s->live &= ~s->bit[v];
    s->bit[v] = 0;
}

/* Whether u has no neighbour after position t of the order. */
static bool is_done(const compiler *s, int32_t u, int32_t t)
{
    for (int64_t i = s->g->ptr[u]; i < s->g->ptr[u + 1]; ++i)
        if (s->o->pos[s->g->adj[i]] > t)
            return false;
    return true;
}

static double additions(const pm_rook_step *x)
{
    int around = __builtin_popcountll(x->neighbours), leaving = __builtin_popcountll(x->finished);
    int32_t padded = (x->rooks + PM_ROOK_LANES) / PM_ROOK_LANES * PM_ROOK_LANES;
    double cells = 0.5 * (x->last - x->first), forgotten = (x->self != 0) + 1 - ldexp(1, -leaving);
    return padded * ldexp(cells + forgotten, around + __builtin_popcountll(x->others));
}

/* Compile the step of the line at position t. */
static pm_status add_step(compiler *s, int32_t t, pm_error *err)
{
    const pm_block_graph *g = s->g;
    int32_t v = s->o->seq[t];
    pm_rook_step x = {.self = s->bit[v], .first = s->p->ncells};
    for (int64_t i = g->ptr[v]; i < g->ptr[v + 1]; ++i) {
        int32_t u = g->adj[i];
        if (s->o->pos[u] < t)
            continue;
        if (!s->bit[u] && enter(s, u, err))
            return PM_UNABLE;
        x.neighbours |= s->bit[u];
        x.finished |= is_done(s, u, t) ? s->bit[u] : 0;
        s->p->cell[s->p->ncells++] = (pm_rook_cell){s->bit[u], g->entry[i]};
    }
    x.last = s->p->ncells;
    if (x.first == x.last) /* all its cells belong to lines processed before */
        return PM_OK;
    if (!x.self)
        count_line(s, v);
    leave(s, v);
    x.others = s->live & ~x.neighbours;
    x.rooks = s->rows < s->columns ? s->rows : s->columns;
    for (int64_t i = g->ptr[v]; i < g->ptr[v + 1]; ++i)
        if (s->bit[g->adj[i]] & x.finished)
            leave(s, g->adj[i]);
    s->p->operations += additions(&x);
    s->p->step[s->p->nsteps++] = x;
    return PM_OK;
}

pm_status pm_rook_program_make(const pm_block_graph *g, const pm_vertex_order *o,
                               pm_rook_program *out, pm_error *err)
{
    pm_rook_program p = {.max_rooks = g->nrows < g->nv - g->nrows ? g->nrows : g->nv - g->nrows};
    compiler s = {.g = g, .o = o, .p = &p};
    pm_status status = PM_OK;
    p.step = pm_alloc_array(g->nv, sizeof *p.step);
    p.cell = pm_alloc_array(g->ptr[g->nv] / 2, sizeof *p.cell);
    s.bit = pm_calloc_array(g->nv, sizeof *s.bit);
    if (!p.step || !p.cell || !s.bit)
        status = pm_fail_memory(err, "a sweep over a board");
    for (int32_t t = 0; t < o->len && !status; ++t)
        status = add_step(&s, t, err);
    free(s.bit);
    if (status)
        pm_rook_program_free(&p);
    else
        *out = p;
    return status;
}

void pm_rook_program_free(pm_rook_program *p)
{
    free(p->step);
    free(p->cell);
    *p = (pm_rook_program){0};
}
