/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "masks/mask_program.h"

#include <stdlib.h>

#include "masks/mask_compile.h"
#include "pm/alloc.h"

/* The steps of v, which is at index t - 1 of the order, or comes after that vertex. */
static pm_status process(pm_mask_compiler *c, int32_t t, int32_t v, pm_error *err)
{
    pm_status status = pm_mask_arrange(c, t, v, err);
    if (!status)
        status = pm_mask_process(c, v, &c->p->is_zero, err);
    if (status || c->p->is_zero)
        return status;
    if (!c->has_loops && c->implied < 0 && pm_mask_live(c) == 0 && c->left % 2 != 0) {
        c->p->is_zero = true;
        return PM_OK;
    }
    return pm_mask_imply(c, t, err);
}

/* Neighbours of v with a loop whose neighbours are all processed. */
static pm_status process_finished(pm_mask_compiler *c, int32_t t, int32_t v, pm_error *err)
{
    const pm_block_graph *g = c->g;
    pm_status status = PM_OK;
    for (int64_t i = g->ptr[v]; i < g->ptr[v + 1] && !status && !c->p->is_zero; ++i) {
        const int32_t u = g->adj[i];
        if (!c->gone[u] && c->processed[u] == g->ptr[u + 1] - g->ptr[u])
            status = process(c, t, u, err);
    }
    return status;
}

static pm_status compile(pm_mask_compiler *c, pm_error *err)
{
    pm_mask_program *p = c->p;
    pm_status status = PM_OK;
    if (PM_GROW(p->bits, c->cap_bits, 1))
        return pm_fail_memory(err, "the program of a frontier");
    p->bits[0] = 0;
    for (int32_t v = 0; v < c->g->nv; ++v) {
        c->place[v] = PM_PLACE_NONE;
        c->has_loops = c->has_loops || pm_mask_has_loop(c, v);
    }
    for (int32_t t = 0; t < c->o->len && !status && !p->is_zero; ++t) {
        const int32_t v = c->o->seq[t];
        if (c->gone[v])
            continue;
        status = process(c, t + 1, v, err);
        if (!status && c->has_loops && !p->is_zero)
            status = process_finished(c, t + 1, v, err);
    }
    p->last = (int64_t)pm_mask_idle(c);
    return status;
}

pm_status pm_mask_program_compile(const pm_block_graph *g, const int64_t *loop,
                                  const pm_vertex_order *o, pm_mask_program *out, pm_error *err)
{
    pm_mask_program p = {0};
    pm_mask_compiler c = {.g = g, .loop = loop, .o = o, .p = &p, .implied = -1};
    c.processed = pm_calloc_array(g->nv, sizeof *c.processed);
    c.place = pm_alloc_array(g->nv, sizeof *c.place);
    c.gone = pm_calloc_array(g->nv, sizeof *c.gone);
    pm_status status = c.processed && c.place && c.gone
                           ? compile(&c, err)
                           : pm_fail_memory(err, "the program of a frontier");
    if (!status && p.is_zero) {
        pm_mask_program_free(&p);
        p.is_zero = true;
    }
    if (!status)
        *out = p;
    else
        pm_mask_program_free(&p);
    free(c.processed);
    free(c.place);
    free(c.gone);
    return status;
}

void pm_mask_program_free(pm_mask_program *p)
{
    for (int32_t i = 0; i < p->nsteps; ++i)
        free(p->steps[i].sources);
    free(p->steps);
    free(p->bits);
    *p = (pm_mask_program){0};
}
