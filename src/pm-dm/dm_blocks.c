/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "pm-dm/dm_tasks.h"
#include "pm/alloc.h"

typedef struct {
    int64_t number; /* from 1 */
    const char *part;
    int64_t rows, cols, nnz;
} row;

enum { CELLS = 5 };

static void list_cells(const row *x, pm_cell out[CELLS])
{
    out[0] = pm_only_text(pm_cell_int("block", x->number));
    out[1] = pm_cell_text("part", x->part);
    out[2] = pm_cell_int("rows", x->rows);
    out[3] = pm_cell_int("cols", x->cols);
    out[4] = pm_cell_int("nnz", x->nnz);
}

static const char *part_of(const pm_dm *d, int64_t b)
{
    return b < d->square_first ? "under" : b < d->square_last ? "square" : "over";
}

static pm_status put(const pm_dm_view *v, pm_emitter *e, pm_error *err)
{
    const pm_dm *d = v->d;
    pm_cell cells[CELLS];
    int64_t *nnz;
    pm_status status = pm_dm_count_entries(v->a, d, &nnz, err);
    if (status)
        return status;
    list_cells(&(row){0}, cells);
    pm_emit_table(e, "blocks", cells, CELLS);
    for (int64_t b = 0; b < d->nblocks; ++b) {
        const row x = {b + 1, part_of(d, b), d->r[b + 1] - d->r[b], d->s[b + 1] - d->s[b], nnz[b]};
        list_cells(&x, cells);
        pm_emit_row(e, cells, CELLS);
    }
    pm_emit_table_end(e);
    free(nnz);
    return PM_OK;
}

/* ---- graphs on one set of vertices ---- */

typedef struct {
    const char *part;
    int64_t vertices, edges; /* edges: those inside */
} general_row;

enum { GENERAL_CELLS = 4 };

static void list_general(int64_t number, const general_row *x, pm_cell out[GENERAL_CELLS])
{
    out[0] = pm_only_text(pm_cell_int("block", number));
    out[1] = pm_cell_text("part", x->part);
    out[2] = pm_cell_int("vertices", x->vertices);
    out[3] = pm_cell_int("edges", x->edges);
}

/* The block of v: components of D, then A, then C. */
static int64_t block_of(const pm_gallai_edmonds *g, int32_t v)
{
    return g->part[v] == 'D' ? g->component[v] : g->ncomponents + (g->part[v] == 'C');
}

static pm_status put_general(const pm_dm_general_view *view, pm_emitter *e, pm_error *err)
{
    const pm_matrix *a = view->a;
    const pm_gallai_edmonds *g = view->g;
    pm_cell cells[GENERAL_CELLS];
    const int64_t count = g->ncomponents + 2;
    general_row *rows = pm_calloc_array(count, sizeof *rows);
    if (!rows)
        return pm_fail_memory(err, "the blocks");
    for (int32_t v = 0; v < g->n; ++v) {
        general_row *x = &rows[block_of(g, v)];
        ++x->vertices;
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
            x->edges += a->colind[k] > v && block_of(g, a->colind[k]) == block_of(g, v);
    }
    list_general(0, &(general_row){0}, cells);
    pm_emit_table(e, "blocks", cells, GENERAL_CELLS);
    for (int64_t b = 0, number = 0; b < count; ++b) {
        if (!rows[b].vertices)
            continue;
        rows[b].part = b < g->ncomponents ? "D" : b == g->ncomponents ? "A" : "C";
        list_general(++number, &rows[b], cells);
        pm_emit_row(e, cells, GENERAL_CELLS);
    }
    pm_emit_table_end(e);
    free(rows);
    return PM_OK;
}

const pm_dm_question pm_dm_blocks = {
    .layout = PM_LAYOUT_BLOCKS, .put = put, .put_general = put_general};
