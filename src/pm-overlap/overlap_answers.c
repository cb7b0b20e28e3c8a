/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include <gmp.h>

#include "cli/graph_limit.h"
#include "pm-overlap/overlap_tasks.h"
#include "pm/alloc.h"

typedef struct {
    const pm_matrix *a;
    const pm_overlap_settings *settings;
    const pm_run *run;
    bool is_none; /* out: there is no pair */
} view;

/* ---- pairs ---- */

enum { CELLS = 3 };

static void list_cells(const char *first, const char *second, double weight, pm_cell out[CELLS])
{
    out[0] = pm_cell_text("first", first);
    out[1] = pm_cell_text("second", second);
    out[2] = pm_cell_precise("weight", weight);
}

static void put_part(view *v, const pm_overlap *o, const pm_overlap_part *part, pm_emitter *e)
{
    const pm_labels *labels = v->settings->of_columns ? &v->a->col_labels : &v->a->row_labels;
    const pm_csr *c = &part->rows.c;
    char number[24], other_number[24];
    pm_cell cells[CELLS];
    for (int64_t i = 0; i < c->nrows; ++i) {
        const int64_t row = part->first + i;
        const char *label = pm_label(labels, row, number);
        for (int64_t k = c->rowptr[i]; k < c->rowptr[i + 1]; ++k) {
            const double weight = pm_overlap_value(o, row, c->colind[k], c->value[k]);
            if (!pm_overlap_reaches(o, row, c->colind[k], weight, v->settings->at_least))
                continue;
            list_cells(label, pm_label(labels, c->colind[k], other_number), weight, cells);
            pm_emit_row(e, cells, CELLS);
            v->is_none = false;
        }
    }
}

static pm_status put_pairs(view *v, pm_overlap *o, pm_emitter *e, pm_error *err)
{
    pm_overlap_part part;
    pm_status status;
    pm_cell cells[CELLS];
    list_cells("", "", 0, cells);
    pm_emit_table(e, "pairs", cells, CELLS);
    while ((status = pm_overlap_next(o, v->run, &part, err)) == PM_OK && part.rows.c.nrows > 0) {
        put_part(v, o, &part, e);
        pm_product_rows_free(&part.rows);
    }
    pm_product_rows_free(&part.rows);
    pm_emit_table_end(e);
    return status;
}

/* ---- figures ---- */

const char *const pm_overlap_columns[] = {"name",    "vertices", "isolated",    "pairs", "total",
                                          "largest", "weight",   "four_cycles", NULL};

/* Decimal digits; freed by the caller.  NULL when memory ends. */
static char *digits(unsigned __int128 x)
{
    const uint64_t words[2] = {(uint64_t)(x >> 64), (uint64_t)x};
    char *text = pm_alloc_array(48, 1);
    mpz_t z;
    if (!text)
        return NULL;
    mpz_init(z);
    mpz_import(z, 2, 1, sizeof *words, 0, 0, words);
    mpz_get_str(text, 10, z);
    mpz_clear(z);
    return text;
}

static pm_status put_figures(view *v, pm_overlap *o, pm_emitter *e, pm_error *err)
{
    pm_overlap_figures x;
    pm_status status = pm_overlap_measure(o, v->settings->at_least, v->run, &x, err);
    if (status)
        return status;
    char *cycles = x.has_cycles ? digits(x.cycles) : NULL;
    if (x.has_cycles && !cycles)
        return pm_fail_memory(err, "a number");
    const pm_cell cells[] = {
        pm_cell_int("vertices", x.vertices),
        pm_cell_int("isolated", x.isolated),
        pm_cell_int("pairs", x.pairs),
        pm_cell_precise("total", x.total),
        pm_cell_precise("largest", x.largest),
        pm_cell_text("weight", pm_overlap_weight_name(v->settings->weight)),
        pm_cell_text("four_cycles", cycles),
    };
    pm_emit_titled_record(e, cells, PM_COUNT_OF(cells));
    v->is_none = x.pairs == 0;
    free(cycles);
    return PM_OK;
}

/* ---- a matrix ---- */

static pm_status put(view *v, pm_emitter *e, pm_error *err)
{
    pm_overlap o;
    pm_status status = pm_overlap_open(v->a, v->settings->of_columns, v->settings->weight, &o, err);
    if (status)
        return status;
    status = pm_overlap_use(&o, v->settings->backend, v->run, err);
    if (!status)
        status = v->settings->stats ? put_figures(v, &o, e, err) : put_pairs(v, &o, e, err);
    pm_overlap_close(&o);
    return status;
}

static pm_status answer(const void *task, const pm_node *e, const char *input, pm_answers *out,
                        pm_error *err)
{
    const pm_overlap_task *t = task;
    const pm_graph_limit limit =
        pm_graph_limit_begin(&t->program->run, t->program->common->run.time_limit_each);
    view v = {&e->matrix, t->settings, &limit.run, .is_none = true};
    pm_emitter *emitter = pm_answers_begin(out, err);
    pm_status status = emitter ? put(&v, emitter, err) : PM_ENOMEM;
    if (!status)
        return pm_answers_end(out, e->name, v.is_none, err);
    if (status == PM_EDATA) {
        char place[PM_PLACE];
        pm_error why = *err;
        pm_fail(err, status, "%s: %s", pm_node_place(input, e->line, place), why.msg);
    }
    return pm_graph_limit_skip(&limit, status, e, input, &t->program->console, out, err);
}

pm_status pm_overlap_answer(const void *task, pm_reader *r, pm_answers *out, pm_error *err)
{
    return pm_query_matrices(answer, task, r, out, err);
}
