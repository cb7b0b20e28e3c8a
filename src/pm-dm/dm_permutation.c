/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The vectors of MATLAB's [p,q,r,s,cc,rr] = dmperm(A), counted from 1 as there. */
#include "config.h"

#include <inttypes.h>

#include "pm-dm/dm_tasks.h"

enum { VECTORS = 6 };

typedef struct {
    const char *name;
    const int32_t *indices; /* or */
    const int64_t *bounds;
    int64_t length;
} vector;

static void list_vectors(const pm_dm *d, vector out[VECTORS])
{
    out[0] = (vector){"p", d->p, NULL, d->nrows};
    out[1] = (vector){"q", d->q, NULL, d->ncols};
    out[2] = (vector){"r", NULL, d->r, d->nblocks + 1};
    out[3] = (vector){"s", NULL, d->s, d->nblocks + 1};
    out[4] = (vector){"cc", NULL, d->cc, 5};
    out[5] = (vector){"rr", NULL, d->rr, 5};
}

static int64_t element(const vector *x, int64_t k)
{
    return 1 + (x->indices ? x->indices[k] : x->bounds[k]);
}

static pm_status text(const pm_dm_view *v, FILE *f, pm_error *err)
{
    vector list[VECTORS];
    (void)err;
    list_vectors(v->d, list);
    for (const vector *x = list; x < list + VECTORS; ++x) {
        fputs(x->name, f);
        for (int64_t k = 0; k < x->length; ++k)
            fprintf(f, "\t%" PRId64, element(x, k));
        putc('\n', f);
    }
    return PM_OK;
}

static pm_status json(const pm_dm_view *v, pm_json *j, pm_error *err)
{
    vector list[VECTORS];
    (void)err;
    list_vectors(v->d, list);
    for (const vector *x = list; x < list + VECTORS; ++x) {
        pm_json_begin(j, x->name, '[');
        for (int64_t k = 0; k < x->length; ++k)
            pm_json_int(j, NULL, element(x, k));
        pm_json_end(j, ']');
    }
    return PM_OK;
}

const pm_dm_question pm_dm_permutation = {.layout = PM_LAYOUT_BLOCKS, .text = text, .json = json};
