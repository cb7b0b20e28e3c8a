/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The coarse decomposition: all rows and columns with their parts, in the order of the block
 * triangular form.
 * Text: a line "PART <TAB> row or column <TAB> LABEL" for each.
 * JSON: "PART":{"rows":[...],"columns":[...]} for each part.
 * Of a graph on one set of vertices: the parts D, A and C of Gallai and Edmonds, "PART <TAB> vertex <TAB> LABEL", the components of D
 * one after another; "PART":{"vertices":[...]}. */
#include "config.h"

#include <stdlib.h>

#include "pm-dm/dm_tasks.h"
#include "pm/alloc.h"

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

static void put_titles(pm_emitter *e)
{
    if (!e->is_json)
        fputs("# part\tside\tlabel\n", e->f);
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
    put_titles(e);
    for (int k = 0; k < PM_COUNT_OF(parts); ++k)
        put_part(e, v, &parts[k]);
    return PM_OK;
}

/* ---- graphs on one set of vertices ---- */

static void put_vertices(pm_emitter *e, const char *part_name, const pm_labels *labels,
                         const int32_t *list, int64_t count)
{
    const side all = {"vertex", "vertices", labels, list, 0, count};
    if (e->is_json)
        pm_json_begin(&e->json, part_name, '{');
    put_side(e, part_name, &all);
    if (e->is_json)
        pm_json_end(&e->json, '}');
}

static pm_status put_general(const pm_dm_general_view *view, pm_emitter *e, pm_error *err)
{
    const pm_matrix *a = view->a;
    const pm_gallai_edmonds *g = view->g;
    int64_t nc = 0;
    pm_tutte_berge w = {0};
    int32_t *c = pm_alloc_array(g->nc, sizeof *c);
    pm_status status = c ? pm_tutte_berge_list(g, &w, err) : pm_fail_memory(err, "the parts");
    if (status) {
        free(c);
        return status;
    }
    for (int32_t v = 0; v < g->n; ++v)
        if (g->part[v] == 'C')
            c[nc++] = v;
    put_titles(e);
    put_vertices(e, "D", &a->row_labels, w.d, g->nd);
    put_vertices(e, "A", &a->row_labels, w.a, g->na);
    put_vertices(e, "C", &a->row_labels, c, nc);
    pm_tutte_berge_free(&w);
    free(c);
    return PM_OK;
}

const pm_dm_question pm_dm_coarse = {
    .layout = PM_LAYOUT_BLOCKS, .put = put, .put_general = put_general};
