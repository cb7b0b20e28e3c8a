/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a value cannot matter (a product that is 0 already, a factor 0, zero times) the node is
 * skipped: its leaves count as 0 of their field, all else goes its normal way, and 0^0 = 1. */
#include "config.h"

#include "count/evaluate.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "count/node_value.h"
#include "pm/alloc.h"

/* A group that is open; the whole item stands in a product. */
typedef struct {
    bool is_sum, is_skipped;
    pm_factor factor;
    mpz_t times;
    pm_value value; /* of the nodes so far */
} group;

typedef struct {
    const pm_evaluate_options *opt;
    pm_reader *reader;
    pm_evaluate_info *info;
    group *path;
    int64_t depth, cap;
    pm_status failed; /* of the item; what is left of it is skipped */
} evaluation;

void pm_evaluate_info_free(pm_evaluate_info *info)
{
    free(info->name);
    *info = (pm_evaluate_info){0};
}

/* ---- the path ---- */

/* Takes factor and times out of e, which may be NULL. */
static pm_status push(evaluation *x, pm_event *e, bool is_skipped, pm_error *err)
{
    if (PM_GROW(x->path, x->cap, x->depth + 1))
        return pm_fail_memory(err, "groups");
    group *g = &x->path[x->depth++];
    *g = (group){.is_sum = e && e->kind == PM_EV_SUM, .is_skipped = is_skipped};
    pm_factor_init(&g->factor);
    mpz_init_set_ui(g->times, 1);
    pm_value_init(&g->value);
    if (g->is_sum)
        pm_value_set_si(&g->value, 0);
    if (e) {
        g->factor.field = e->factor.field;
        mpq_swap(g->factor.re, e->factor.re);
        mpq_swap(g->factor.im, e->factor.im);
        mpz_swap(g->times, e->times);
    }
    return PM_OK;
}

static void group_clear(group *g)
{
    pm_factor_clear(&g->factor);
    mpz_clear(g->times);
    pm_value_clear(&g->value);
}

static void path_free(evaluation *x)
{
    while (x->depth)
        group_clear(&x->path[--x->depth]);
    free(x->path);
}

static bool is_skipped(const evaluation *x, const pm_event *e)
{
    const group *g = &x->path[x->depth - 1];
    return x->failed || g->is_skipped || (!g->is_sum && pm_value_is_zero(&g->value))
           || mpz_sgn(e->times) == 0 || (mpq_sgn(e->factor.re) == 0 && mpq_sgn(e->factor.im) == 0);
}

/* ---- nodes ---- */

static void set_skipped(const evaluation *x, pm_value *v, pm_field field)
{
    pm_value_set_si(v, 0);
    if (!x->opt->modulus)
        pm_value_widen(v, field);
}

/* Apply factor and times of a node worth v, and add or multiply it into the innermost group. */
static pm_status put_node(evaluation *x, pm_value *v, const pm_factor *f, const mpz_t times,
                          bool skipped, pm_error *err)
{
    group *to = &x->path[x->depth - 1];
    uint64_t modulus = x->opt->modulus;
    pm_error why;
    pm_status st = PM_OK;
    if (skipped)
        set_skipped(x, v, f->field > v->field ? f->field : v->field);
    else
        st = pm_node_multiply(v, f, modulus, &why);
    if (!st)
        st = pm_node_repeat(v, times, to->is_sum, modulus, x->opt->run, &why);
    if (!st)
        st = pm_node_join(&to->value, v, to->is_sum, modulus, &why);
    return st ? pm_fail(err, st, "%s: %s", pm_reader_name(x->reader), why.msg) : PM_OK;
}

/* A denominator without inverse is refused wherever it stands: whether the node counts must not
 * depend on the sequence of the factors. */
static pm_status check_denominator(const evaluation *x, const pm_event *e, pm_error *err)
{
    if (!x->opt->modulus || e->kind == PM_EV_CLOSE || e->kind == PM_EV_EOF
        || mpz_gcd_ui(NULL, mpq_denref(e->factor.re), x->opt->modulus) == 1)
        return PM_OK;
    return pm_fail(err, PM_UNABLE,
                   "%s:%" PRId64 ": the factor has a denominator without inverse modulo %" PRIu64,
                   pm_reader_name(x->reader), e->line, x->opt->modulus);
}

static pm_status check_field(const evaluation *x, const pm_event *e, pm_error *err)
{
    bool is_real =
        e->factor.field > PM_INTEGER || (e->kind == PM_EV_MATRIX && e->matrix.field > PM_INTEGER);
    if (!x->opt->modulus || !is_real)
        return PM_OK;
    return pm_fail(err, PM_EUSAGE, "%s:%" PRId64 ": a count modulo %" PRIu64 " needs integers",
                   pm_reader_name(x->reader), e->line, x->opt->modulus);
}

static void meet(pm_evaluate_info *info, const pm_matrix *a)
{
    ++info->matrices;
    info->n += a->nrows;
    info->nnz += pm_matrix_nnz(a);
    if (a->nrows > info->max_n)
        info->max_n = a->nrows;
}

static pm_status put_leaf(evaluation *x, const pm_event *e, pm_error *err)
{
    bool skipped = is_skipped(x, e);
    pm_status st = PM_OK;
    pm_value v;
    pm_value_init(&v); /* 1, to be multiplied by the factor where that is all */
    if (e->kind == PM_EV_MATRIX && skipped) {
        set_skipped(x, &v, e->matrix.field);
    } else if (e->kind == PM_EV_MATRIX) {
        st = x->opt->leaf(x->opt->ctx, &e->matrix, e->order, e->order_len, &v, err);
        if (!st)
            st = pm_node_check_range(&v, err);
        if (!st)
            pm_node_residue(&v, x->opt->modulus);
    }
    if (!st)
        st = put_node(x, &v, &e->factor, e->times, skipped, err);
    pm_value_clear(&v);
    return st;
}

static pm_status close_group(evaluation *x, pm_error *err)
{
    assert(x->depth > 1);
    group g = x->path[--x->depth];
    pm_status st = put_node(x, &g.value, &g.factor, g.times, g.is_skipped || x->failed, err);
    group_clear(&g);
    return st;
}

static pm_status put_event(evaluation *x, pm_event *e, pm_error *err)
{
    if (e->kind == PM_EV_CLOSE)
        return close_group(x, err);
    pm_status st = check_field(x, e, err);
    if (!st)
        st = check_denominator(x, e, err);
    if (e->kind == PM_EV_PRODUCT || e->kind == PM_EV_SUM) {
        pm_status pushed = push(x, e, is_skipped(x, e) || st, err);
        return pushed ? pushed : st;
    }
    if (e->kind == PM_EV_MATRIX)
        meet(x->info, &e->matrix);
    return st ? st : put_leaf(x, e, err);
}

/* ---- items ---- */

/* Read on to the end of the item; the first event is in e. */
static pm_status read_item(evaluation *x, pm_event *e, pm_error *err)
{
    x->info->line = e->line;
    x->info->is_one_matrix = e->kind == PM_EV_MATRIX;
    x->info->name = e->name;
    e->name = NULL;
    for (;;) {
        pm_error later;
        pm_status st = put_event(x, e, x->failed ? &later : err);
        if (st && !pm_is_refusal(st)) {
            if (x->failed && err)
                *err = later;
            return st;
        }
        if (st && !x->failed)
            x->failed = st;
        if (x->depth == 1)
            return x->failed;
        st = pm_reader_next(x->reader, e, err);
        if (st)
            return st;
        assert(e->kind != PM_EV_EOF);
    }
}

pm_status pm_evaluate_next(pm_reader *r, const pm_evaluate_options *opt, pm_value *out,
                           pm_evaluate_info *info, bool *got, pm_error *err)
{
    evaluation x = {.opt = opt, .reader = r, .info = info};
    pm_event e;
    pm_event_init(&e);
    *got = false;
    pm_status st = pm_reader_next(r, &e, err);
    if (st || e.kind == PM_EV_EOF)
        goto done;
    st = push(&x, NULL, false, err);
    if (!st)
        st = read_item(&x, &e, err);
    *got = x.depth == 1 && (!st || pm_is_refusal(st));
    if (!st)
        pm_value_set(out, &x.path[0].value);
done:
    pm_event_clear(&e);
    path_free(&x);
    return st;
}
