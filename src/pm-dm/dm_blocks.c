/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "pm-dm/dm_tasks.h"

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

const pm_dm_question pm_dm_blocks = {.layout = PM_LAYOUT_BLOCKS, .put = put};
