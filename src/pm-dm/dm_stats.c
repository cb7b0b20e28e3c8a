/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "pm-dm/dm_degrees.h"
#include "pm-dm/dm_tasks.h"

typedef struct {
    int64_t kept, dropped;        /* entries that lie in some perfect matching; others */
    int64_t blocks, single;       /* square blocks; those of one row */
    int64_t largest, largest_nnz; /* rows and entries of the largest square block */
} figures;

static pm_status measure(const pm_dm_view *v, figures *x, pm_error *err)
{
    const pm_dm *d = v->d;
    int64_t *nnz;
    pm_status status = pm_dm_count_entries(v->a, d, &nnz, err);
    if (status)
        return status;
    *x = (figures){.blocks = d->square_last - d->square_first};
    for (int64_t b = d->square_first; b < d->square_last; ++b) {
        int64_t n = d->r[b + 1] - d->r[b];
        x->single += n == 1;
        if (pm_dm_has_perfect_matching(d))
            x->kept += nnz[b];
        if (n > x->largest || (n == x->largest && nnz[b] > x->largest_nnz)) {
            x->largest = n;
            x->largest_nnz = nnz[b];
        }
    }
    x->dropped = pm_matrix_nnz(v->a) - x->kept;
    free(nnz);
    return PM_OK;
}

static void put_record(const pm_dm_view *v, const figures *x, const pm_degrees *rows,
                       const pm_degrees *columns, pm_emitter *e)
{
    const pm_dm *d = v->d;
    const pm_cell cells[] = {
        pm_only_json(pm_cell_text("field", pm_field_name(v->a->field))),
        pm_cell_int("rows", d->nrows),
        pm_cell_int("cols", d->ncols),
        pm_cell_int("nnz", pm_matrix_nnz(v->a)),
        pm_cell_int("kept", x->kept),
        pm_cell_int("dropped", x->dropped),
        pm_cell_int("rank", d->rank),
        pm_cell_int("blocks", x->blocks),
        pm_cell_int("single", x->single),
        pm_cell_int("largest", x->largest),
        pm_cell_int("largest_nnz", x->largest_nnz),
        pm_cell_int("under_rows", d->rr[1]),
        pm_cell_int("under_cols", d->cc[2]),
        pm_cell_int("square", d->rr[2] - d->rr[1]),
        pm_cell_int("over_rows", d->rr[4] - d->rr[2]),
        pm_cell_int("over_cols", d->cc[4] - d->cc[3]),
        pm_cell_int("row_degree_min", rows->least),
        pm_cell_int("row_degree_max", rows->largest),
        pm_cell_number("row_degree_sd", rows->deviation),
        pm_cell_int("col_degree_min", columns->least),
        pm_cell_int("col_degree_max", columns->largest),
        pm_cell_number("col_degree_sd", columns->deviation),
    };
    pm_emit_titled_record(e, cells, PM_COUNT_OF(cells));
}

static pm_status put(const pm_dm_view *v, pm_emitter *e, pm_error *err)
{
    figures x;
    pm_degrees rows = {0}, columns = {0};
    pm_status status = measure(v, &x, err);
    if (!status)
        status = pm_degrees_of_rows(v->a, &rows, err);
    if (!status)
        status = pm_degrees_of_columns(v->a, &columns, err);
    if (!status)
        put_record(v, &x, &rows, &columns, e);
    free(rows.vertices);
    free(columns.vertices);
    return status;
}

/* ---- graphs on one set of vertices ---- */

/* The edges of part p; there are no loops. */
static int64_t count_edges(const pm_elementary *x, int64_t p)
{
    int64_t entries = 0;
    for (int64_t i = x->start[p]; i < x->start[p + 1]; ++i)
        entries += x->rest.rowptr[x->vertex[i] + 1] - x->rest.rowptr[x->vertex[i]];
    return entries / 2;
}

static figures measure_general(const pm_dm_general_view *v)
{
    figures x = {.blocks = v->c->count};
    const int64_t edges = pm_matrix_nnz(v->a) / 2;
    for (int64_t p = 0; p < v->c->count; ++p) {
        const int64_t n = v->c->start[p + 1] - v->c->start[p], inside = count_edges(v->c, p);
        x.single += n == 2;
        if (n > x.largest || (n == x.largest && inside > x.largest_nnz)) {
            x.largest = n;
            x.largest_nnz = inside;
        }
    }
    x.kept = pm_gallai_edmonds_left_out(v->g) == 0 ? v->c->kept : 0;
    x.dropped = edges - x.kept;
    return x;
}

static pm_cell no_such(const char *title)
{
    return pm_only_text(pm_cell_text(title, NULL));
}

/* Text has the columns of bipartite graphs, since inputs of both kinds have one header: vertices are rows, and the columns of
 * the other side are "-".  JSON has keys of its own. */
static pm_status put_general(const pm_dm_general_view *v, pm_emitter *e, pm_error *err)
{
    pm_degrees all = {0};
    const figures x = measure_general(v);
    const int64_t edges = pm_matrix_nnz(v->a) / 2;
    pm_status status = pm_degrees_of_rows(v->a, &all, err);
    if (status)
        return status;
    const pm_cell cells[] = {
        pm_only_json(pm_cell_text("field", pm_field_name(v->a->field))),
        pm_only_json(pm_cell_int("vertices", v->g->n)),
        pm_only_json(pm_cell_int("edges", edges)),
        pm_only_text(pm_cell_int("rows", v->g->n)),
        no_such("cols"),
        pm_only_text(pm_cell_int("nnz", edges)),
        pm_cell_int("kept", x.kept),
        pm_cell_int("dropped", x.dropped),
        pm_cell_int("rank", v->g->size),
        pm_only_json(pm_cell_int("left_out", pm_gallai_edmonds_left_out(v->g))),
        pm_cell_int("blocks", x.blocks),
        pm_cell_int("single", x.single),
        pm_cell_int("largest", x.largest),
        pm_only_text(pm_cell_int("largest_nnz", x.largest_nnz)),
        pm_only_json(pm_cell_int("largest_edges", x.largest_nnz)),
        no_such("under_rows"),
        no_such("under_cols"),
        pm_only_text(pm_cell_int("square", v->g->nc)),
        no_such("over_rows"),
        no_such("over_cols"),
        pm_only_json(pm_cell_int("D", v->g->nd)),
        pm_only_json(pm_cell_int("A", v->g->na)),
        pm_only_json(pm_cell_int("C", v->g->nc)),
        pm_only_text(pm_cell_int("row_degree_min", all.least)),
        pm_only_text(pm_cell_int("row_degree_max", all.largest)),
        pm_only_text(pm_cell_number("row_degree_sd", all.deviation)),
        no_such("col_degree_min"),
        no_such("col_degree_max"),
        no_such("col_degree_sd"),
        pm_only_json(pm_cell_int("degree_min", all.least)),
        pm_only_json(pm_cell_int("degree_max", all.largest)),
        pm_only_json(pm_cell_number("degree_sd", all.deviation)),
    };
    pm_emit_titled_record(e, cells, PM_COUNT_OF(cells));
    free(all.vertices);
    return PM_OK;
}

const pm_dm_question pm_dm_stats = {
    .layout = PM_LAYOUT_LINES, .put = put, .put_general = put_general, .needs_parts = true};
