/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A maximum matching.  The decomposition has one: rows p[0..rank) and the columns q[cc[1]..]. */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "pm-dm/dm_tasks.h"
#include "pm/alloc.h"

/* col_of[i] = the column of row i, or -1. */
static int32_t *partners(const pm_dm *d)
{
    int32_t *col_of = pm_alloc_array(d->nrows, sizeof *col_of);
    for (int64_t i = 0; col_of && i < d->nrows; ++i)
        col_of[i] = -1;
    for (int64_t k = 0; col_of && k < d->rank; ++k)
        col_of[d->p[k]] = d->q[d->cc[1] + k];
    return col_of;
}

static pm_status put_weight(const pm_matrix *a, int64_t i, int32_t j, FILE *f, pm_error *err)
{
    int64_t k = a->rowptr[i];
    while (a->colind[k] != j)
        ++k;
    assert(k < a->rowptr[i + 1]);
    const pm_dyadic *const parts[] = {a->re, a->im};
    for (int part = 0; part < 2 && parts[part]; ++part) {
        char *text = pm_dyadic_text(&parts[part][k], a->field == PM_INTEGER);
        if (!text)
            return pm_fail_memory(err, "a number");
        fprintf(f, "\t%s", text);
        free(text);
    }
    return PM_OK;
}

static pm_status text(const pm_dm_view *v, FILE *f, pm_error *err)
{
    static const char *const weights[] = {"", "\tweight", "\tweight", "\tweight\timaginary"};
    char number[24];
    const pm_matrix *a = v->a;
    int32_t *col_of = partners(v->d);
    if (!col_of)
        return pm_fail_memory(err, "a matching");
    pm_status s = PM_OK;
    fprintf(f, "# row\tcolumn%s\n", weights[a->field]);
    for (int64_t i = 0; i < a->nrows && s == PM_OK; ++i) {
        if (col_of[i] < 0)
            continue;
        pm_answers_put_name(f, pm_label(&a->row_labels, i, number));
        putc('\t', f);
        pm_answers_put_name(f, pm_label(&a->col_labels, col_of[i], number));
        s = put_weight(a, i, col_of[i], f, err);
        putc('\n', f);
    }
    free(col_of);
    return s;
}

static pm_status json(const pm_dm_view *v, pm_json *j, pm_error *err)
{
    char number[24];
    const pm_matrix *a = v->a;
    int32_t *col_of = partners(v->d);
    if (!col_of)
        return pm_fail_memory(err, "a matching");
    pm_json_int(j, "rank", v->d->rank);
    pm_json_bool(j, "is_perfect", pm_dm_has_perfect_matching(v->d));
    pm_json_begin(j, "matching", '[');
    for (int64_t i = 0; i < a->nrows; ++i) {
        if (col_of[i] < 0)
            continue;
        pm_json_begin(j, NULL, '[');
        pm_json_string(j, NULL, pm_label(&a->row_labels, i, number));
        pm_json_string(j, NULL, pm_label(&a->col_labels, col_of[i], number));
        pm_json_end(j, ']');
    }
    pm_json_end(j, ']');
    free(col_of);
    return PM_OK;
}

const pm_dm_question pm_dm_matching = {.layout = PM_LAYOUT_BLOCKS, .text = text, .json = json};
