/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The coarse decomposition: all rows and columns with their parts, in the order of the block
 * triangular form.
 * Text: a line "PART <TAB> row or column <TAB> LABEL" for each.
 * JSON: "PART":{"rows":[...],"columns":[...]} for each part. */
#include "config.h"

#include "pm-dm/dm_tasks.h"

typedef struct {
    const char *name;
    int64_t row, row_end, col, col_end; /* ranges of indices into p and q */
} part;

typedef struct {
    const char *name, *key; /* as text, in JSON */
    const pm_labels *labels;
    const int32_t *p;
    int64_t first, end;
} side;

static void put_side(pm_emitter *e, const char *part_name, const side *x)
{
    char number[24];
    if (e->is_json)
        pm_json_begin(&e->json, x->key, '[');
    for (int64_t k = x->first; k < x->end; ++k) {
        const char *label = pm_label(x->labels, x->p[k], number);
        if (e->is_json) {
            pm_json_string(&e->json, NULL, label);
        } else {
            fprintf(e->f, "%s\t%s\t", part_name, x->name);
            pm_emit_escaped(e->f, label);
            putc('\n', e->f);
        }
    }
    if (e->is_json)
        pm_json_end(&e->json, ']');
}

static void put_part(pm_emitter *e, const pm_dm_view *v, const part *x)
{
    const side rows = {"row", "rows", &v->a->row_labels, v->d->p, x->row, x->row_end};
    const side columns = {"column", "columns", &v->a->col_labels, v->d->q, x->col, x->col_end};
    if (e->is_json)
        pm_json_begin(&e->json, x->name, '{');
    put_side(e, x->name, &rows);
    put_side(e, x->name, &columns);
    if (e->is_json)
        pm_json_end(&e->json, '}');
}

static pm_status put(const pm_dm_view *v, pm_emitter *e, pm_error *err)
{
    const int64_t *rr = v->d->rr, *cc = v->d->cc;
    const part parts[] = {
        {"under", 0, rr[1], 0, cc[2]},
        {"square", rr[1], rr[2], cc[2], cc[3]},
        {"over", rr[2], rr[4], cc[3], cc[4]},
    };
    (void)err;
    if (!e->is_json)
        fputs("# part\tside\tlabel\n", e->f);
    for (int k = 0; k < PM_COUNT_OF(parts); ++k)
        put_part(e, v, &parts[k]);
    return PM_OK;
}

const pm_dm_question pm_dm_coarse = {.layout = PM_LAYOUT_BLOCKS, .put = put};
