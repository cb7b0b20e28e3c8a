/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The vectors of MATLAB's [p,q,r,s,cc,rr] = dmperm(A), with indices from 1. */
#include "config.h"

#include <inttypes.h>

#include "pm-dm/dm_tasks.h"

typedef struct {
    const char *name;
    const int32_t *indices; /* from 0; or NULL, and */
    const int64_t *bounds;  /* from 0 */
    int64_t length;
} vector;

static int64_t element(const vector *x, int64_t k)
{
    return 1 + (x->indices ? x->indices[k] : x->bounds[k]);
}

static void put_vector(pm_emitter *e, const vector *x)
{
    if (e->is_json)
        pm_json_begin(&e->json, x->name, '[');
    else
        fputs(x->name, e->f);
    for (int64_t k = 0; k < x->length; ++k)
        if (e->is_json)
            pm_json_int(&e->json, NULL, element(x, k));
        else
            fprintf(e->f, "\t%" PRId64, element(x, k));
    if (e->is_json)
        pm_json_end(&e->json, ']');
    else
        putc('\n', e->f);
}

static pm_status put(const pm_dm_view *v, pm_emitter *e, pm_error *err)
{
    const pm_dm *d = v->d;
    const vector list[] = {
        {"p", d->p, NULL, d->nrows},
        {"q", d->q, NULL, d->ncols},
        {"r", NULL, d->r, d->nblocks + 1},
        {"s", NULL, d->s, d->nblocks + 1},
        {"cc", NULL, d->cc, 5},
        {"rr", NULL, d->rr, 5},
    };
    (void)err;
    for (int k = 0; k < PM_COUNT_OF(list); ++k)
        put_vector(e, &list[k]);
    return PM_OK;
}

const pm_dm_question pm_dm_permutation = {.layout = PM_LAYOUT_BLOCKS, .put = put};
