/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A maximum matching, or why it is not perfect: a Hall violator, or a witness of Tutte and Berge. */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "cli/existence_text.h"
#include "cli/tutte_text.h"
#include "io/put.h"
#include "pm-dm/dm_tasks.h"
#include "pm/alloc.h"

/* ---- a maximum matching ---- */

/* col_of[i] = the column that row i is matched to, or -1.  The decomposition has a maximum
 * matching: rows p[0], p[1], ... p[rank - 1] and columns q[cc[1]], q[cc[1] + 1], ... */
static int32_t *matched_columns(const pm_dm *d)
{
    int32_t *col_of = pm_alloc_array(d->nrows, sizeof *col_of);
    for (int64_t i = 0; col_of && i < d->nrows; ++i)
        col_of[i] = -1;
    for (int64_t k = 0; col_of && k < d->rank; ++k)
        col_of[d->p[k]] = d->q[d->cc[1] + k];
    return col_of;
}

static pm_status print_weight(const pm_matrix *a, int64_t i, int32_t j, FILE *f, pm_error *err)
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

/* Both ends of the edges, whose labels are to be read back. */
static pm_status check_labels(const pm_matrix *a, const int32_t *col_of, const char *const side[2],
                              pm_error *err)
{
    char number[24];
    pm_status status = PM_OK;
    for (int64_t i = 0; i < a->nrows && !status; ++i) {
        if (col_of[i] < 0)
            continue;
        status =
            pm_put_edge_label_check(pm_label(&a->row_labels, i, number), side[0], i + 1, true, err);
        if (!status)
            status = pm_put_edge_label_check(pm_label(&a->col_labels, col_of[i], number), side[1],
                                             col_of[i] + 1, true, err);
    }
    return status;
}

/* side: the names of the two ends. */
static pm_status print_matching(const pm_matrix *a, const int32_t *col_of,
                                const char *const side[2], FILE *f, pm_error *err)
{
    static const char *const weights[] = {"", "\tweight", "\tweight", "\tweight\timaginary"};
    char number[24];
    pm_status status = check_labels(a, col_of, side, err);
    if (status)
        return status;
    fprintf(f, "# %s\t%s%s\n", side[0], side[1], weights[a->field]);
    for (int64_t i = 0; i < a->nrows && !status; ++i) {
        if (col_of[i] < 0)
            continue;
        fputs(pm_label(&a->row_labels, i, number), f);
        putc('\t', f);
        fputs(pm_label(&a->col_labels, col_of[i], number), f);
        status = print_weight(a, i, col_of[i], f, err);
        putc('\n', f);
    }
    return status;
}

static void put_pairs(const pm_matrix *a, const int32_t *col_of, pm_json *j)
{
    pm_json_begin(j, "matching", '[');
    for (int64_t i = 0; i < a->nrows; ++i)
        if (col_of[i] >= 0)
            pm_json_pair(j, a, i, col_of[i]);
    pm_json_end(j, ']');
}

static pm_status put_matching(const pm_dm_view *v, pm_emitter *e, pm_error *err)
{
    const pm_cell members[] = {
        pm_cell_int("rank", v->d->rank),
        pm_cell_bool("is_perfect", pm_dm_has_perfect_matching(v->d)),
    };
    int32_t *col_of = matched_columns(v->d);
    pm_status status = PM_OK;
    if (!col_of)
        return pm_fail_memory(err, "a matching");
    pm_emit_members(e, members, PM_COUNT_OF(members));
    if (e->is_json)
        put_pairs(v->a, col_of, &e->json);
    else
        status = print_matching(v->a, col_of, (const char *const[]){"row", "column"}, e->f, err);
    free(col_of);
    return status;
}

static pm_status put_general_matching(const pm_dm_general_view *v, pm_emitter *e, pm_error *err)
{
    const pm_matrix *a = v->a;
    const pm_gallai_edmonds *g = v->g;
    const int64_t left_out = pm_gallai_edmonds_left_out(g);
    const pm_cell members[] = {
        pm_cell_int("rank", g->size),
        pm_cell_bool("is_perfect", left_out == 0),
        pm_cell_int("left_out", left_out),
    };
    int32_t *pairs = pm_gallai_edmonds_pairs(g);
    pm_status status = PM_OK;
    if (!pairs)
        return pm_fail_memory(err, "a matching");
    pm_emit_members(e, members, PM_COUNT_OF(members));
    if (e->is_json)
        put_pairs(a, pairs, &e->json);
    else
        status = print_matching(a, pairs, (const char *const[]){"vertex", "vertex"}, e->f, err);
    free(pairs);
    return status;
}

const pm_dm_question pm_dm_matching = {
    .layout = PM_LAYOUT_BLOCKS, .put = put_matching, .put_general = put_general_matching};

/* ---- a picture ---- */

static pm_status draw(const pm_node *node, const pm_run *run, pm_picture *p, pm_error *err)
{
    pm_dm d = {0};
    pm_gallai_edmonds g = {0};
    int32_t *pairs = NULL;
    int64_t rank;
    pm_status status = node->general ? pm_gallai_edmonds_find(&node->matrix, run, &g, err)
                                     : pm_dm_decompose(&node->matrix, run, &d, err);
    if (status)
        return status;
    pairs = node->general ? pm_gallai_edmonds_pairs(&g) : matched_columns(&d);
    rank = node->general ? g.size : d.rank;
    status = pairs ? pm_picture_begin(p, &node->matrix, node->general, 1, rank, NULL, err)
                   : pm_fail_memory(err, "a matching");
    if (!status)
        status = pm_picture_frame(p, pairs, err);
    free(pairs);
    pm_dm_free(&d);
    pm_gallai_edmonds_free(&g);
    return status;
}

pm_status pm_dm_draw_matching(const void *context, const pm_node *node, const char *where,
                              const pm_run *run, pm_picture *p, pm_error *err)
{
    pm_error why;
    (void)context;
    pm_status status = pm_node_check_loops(node, where, err);
    if (status)
        return status;
    status = draw(node, run, p, &why);
    return status ? pm_fail_after(&why, err, status, "%s: %s", where, why.msg) : PM_OK;
}

/* ---- why it is not perfect ---- */

/* key: of what is asked for. */
static void put_perfect(pm_emitter *e, const char *key)
{
    if (e->is_json)
        pm_json_string(&e->json, key, NULL);
    else
        fputs("there is a perfect matching", e->f);
}

static pm_status put_hall(const pm_dm_view *v, pm_emitter *e, pm_error *err)
{
    pm_existence x = {0};
    pm_status status = pm_existence_find(v->a, PM_MATCHING_PERFECT, &x, err);
    if (status)
        return status;
    if (!x.exists)
        pm_emit_violator(e, &x, v->a, PM_MATCHING_PERFECT);
    else
        put_perfect(e, "hall");
    pm_existence_free(&x);
    return PM_OK;
}

static pm_status put_tutte(const pm_dm_general_view *v, pm_emitter *e, pm_error *err)
{
    const pm_matrix *a = v->a;
    const pm_gallai_edmonds *g = v->g;
    if (pm_gallai_edmonds_left_out(g) > 0)
        return pm_emit_tutte(e, g, a, err);
    put_perfect(e, "tutte_berge");
    return PM_OK;
}

const pm_dm_question pm_dm_hall = {
    .layout = PM_LAYOUT_LINES, .put = put_hall, .put_general = put_tutte};
