/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A node is skipped when its value has no influence: the product is 0 already, the factor is 0, or
 * times is 0.  Then the values of its leaves are taken as 0 of their field; all other steps are
 * done, so that errors in the input are found and 0^0 = 1. */
#include "config.h"

#include "expression/evaluate.h"

#include <inttypes.h>
#include <stdlib.h>

#include "expression/node_value.h"
#include "number/dyadic_roots.h"
#include "pm/settings.h"

/* What nodes are joined into: an open group, or the item itself, which is a product. */
typedef struct {
    bool is_sum, is_skipped;
    pm_value value; /* of the nodes so far */
} joined;

typedef struct {
    joined nodes;
    pm_fraction factor;
    pm_field factor_field;
    mpz_t times;
} group;

typedef struct {
    const pm_evaluate_options *opt;
    const char *input; /* its name */
    pm_evaluate_info *info;
    joined item;
    pm_status failed; /* the first refusal; the rest of the item is read and skipped */
} evaluation;

void pm_evaluate_info_free(pm_evaluate_info *info)
{
    free(info->name);
    *info = (pm_evaluate_info){0};
}

/* ---- groups ---- */

static void group_init(group *g, bool is_sum, bool is_skipped)
{
    *g = (group){.nodes = {.is_sum = is_sum, .is_skipped = is_skipped}, .factor_field = PM_INTEGER};
    pm_fraction_init_one(&g->factor);
    mpz_init_set_ui(g->times, 1);
    pm_value_init(&g->nodes.value);
    if (is_sum)
        pm_value_set_si(&g->nodes.value, 0);
}

static void group_clear(void *frame)
{
    group *g = frame;
    pm_fraction_clear(&g->factor);
    mpz_clear(g->times);
    pm_value_clear(&g->nodes.value);
}

static joined *around_of(evaluation *x, const pm_position *at)
{
    group *outer = at->outer;
    return outer ? &outer->nodes : &x->item;
}

static bool is_skipped(const evaluation *x, const joined *around, const pm_node *node)
{
    return x->failed || around->is_skipped || (!around->is_sum && pm_value_is_zero(&around->value))
           || mpz_sgn(node->times) == 0 || pm_fraction_is_zero(&node->factor);
}

static void note_numbers(pm_evaluate_info *info, const pm_node *node)
{
    const pm_numbers n = pm_node_numbers(node);
    info->numbers = n > info->numbers ? n : info->numbers;
}

/* ---- checks ---- */

static bool have_residues(const pm_matrix *a, uint64_t modulus)
{
    bool have = true;
    for (int64_t k = 0; a->re && have && k < pm_matrix_nnz(a); ++k)
        have = pm_dyadic_has_residue(&a->re[k], modulus)
               && (!a->im || pm_dyadic_has_residue(&a->im[k], modulus));
    return have;
}

static pm_status check_entries(const evaluation *x, const pm_node *node, pm_error *err)
{
    const uint64_t m = x->opt->modulus;
    const pm_period *p = node->period;
    if (have_residues(&node->matrix, m) && have_residues(&node->loops, m)
        && (!p || (have_residues(&p->next, m) && have_residues(&p->before, m))))
        return PM_OK;
    return pm_fail(err, PM_UNABLE,
                   "%s:%" PRId64 ": the denominator of an entry has no inverse modulo %" PRIu64,
                   x->input, node->line, m);
}

/* A denominator without inverse is refused in skipped nodes too: the outcome must not depend on the
 * order of the factors. */
static pm_status check_denominator(const evaluation *x, const pm_node *node, pm_error *err)
{
    const uint64_t m = x->opt->modulus;
    if (!m)
        return PM_OK;
    if (mpz_gcd_ui(NULL, mpq_denref(node->factor.re), m) == 1
        && mpz_gcd_ui(NULL, mpq_denref(node->factor.im), m) == 1)
        return node->kind == PM_NODE_MATRIX ? check_entries(x, node, err) : PM_OK;
    return pm_fail(err, PM_UNABLE,
                   "%s:%" PRId64 ": the denominator of the factor has no inverse modulo %" PRIu64,
                   x->input, node->line, x->opt->modulus);
}

static pm_status check_node(const evaluation *x, const pm_node *node, pm_error *err)
{
    bool is_real = node->factor_field > PM_INTEGER
                   || (node->kind == PM_NODE_MATRIX && pm_node_field(node) > PM_INTEGER);
    if (x->opt->modulus && is_real && !x->opt->exact)
        return pm_fail(err, PM_EUSAGE,
                       "%s:%" PRId64 ": expected integers for a count modulo %" PRIu64
                       ", found real or complex weights%s",
                       x->input, node->line, x->opt->modulus, pm_hint_text(PM_HINT_NO_WEIGHTS));
    return check_denominator(x, node, err);
}

/* A refusal fails the item, with the message of the first one; all other failures end the walk. */
static pm_status settle(evaluation *x, pm_status status, const pm_error *why, pm_error *err)
{
    bool is_refusal =
        pm_is_refusal(status) || (status == PM_ESTOPPED && pm_run_is_late(x->opt->run));
    if (!status)
        return PM_OK;
    if (err && !(is_refusal && x->failed))
        *err = *why;
    if (is_refusal && !x->failed)
        x->failed = status;
    return is_refusal ? PM_OK : status;
}

/* ---- values ---- */

static void set_skipped(const evaluation *x, pm_value *v, pm_field field)
{
    pm_value_set_si(v, 0);
    if (!x->opt->modulus && !x->opt->exact)
        pm_value_widen(v, field);
}

/* What is applied to the value of a node. */
typedef struct {
    const pm_fraction *factor;
    pm_field factor_field;
    mpz_srcptr times;
    bool is_skipped;
} surroundings;

/* Applies factor and times to the value v of a node, and adds it to or multiplies it into the group
 * around it. */
static pm_status join(const evaluation *x, pm_value *v, const surroundings *s, joined *around,
                      pm_error *err)
{
    uint64_t modulus = x->opt->modulus;
    pm_error why;
    pm_status status = PM_OK;
    if (s->is_skipped)
        set_skipped(x, v, s->factor_field > v->field ? s->factor_field : v->field);
    else
        status = pm_node_multiply(v, s->factor, x->opt->exact ? PM_INTEGER : s->factor_field,
                                  modulus, x->opt->run, &why);
    if (!status)
        status = pm_node_repeat(v, s->times, around->is_sum, modulus, x->opt->run, &why);
    if (!status)
        status = pm_node_join(&around->value, v, around->is_sum, modulus, x->opt->run, &why);
    return status ? pm_fail(err, status, "%s: %s", x->input, why.msg) : PM_OK;
}

static pm_status evaluate_matrix(const evaluation *x, const pm_node *node, bool skipped,
                                 pm_value *v, pm_error *err)
{
    if (skipped) {
        set_skipped(x, v, pm_node_field(node));
        return PM_OK;
    }
    pm_status status = x->opt->leaf(x->opt->ctx, node, x->info->is_one_matrix, v, err);
    if (!status)
        status = pm_node_check_range(v, err);
    if (!status)
        pm_node_residue(v, x->opt->modulus);
    return status;
}

/* Whether a matrix is all of its item, without a factor: its value is that of the item. */
static bool is_whole(const evaluation *x, const pm_node *node)
{
    return x->info->is_one_matrix && node->kind == PM_NODE_MATRIX
           && node->factor_field <= PM_INTEGER && pm_fraction_is_one(&node->factor)
           && mpz_cmp_ui(node->times, 1) == 0;
}

static pm_status evaluate_leaf(evaluation *x, joined *around, const pm_node *node, pm_error *err)
{
    const surroundings s = {&node->factor, node->factor_field, node->times,
                            is_skipped(x, around, node)};
    if (is_whole(x, node) && !s.is_skipped)
        return evaluate_matrix(x, node, false, &around->value, err);
    pm_value v;
    pm_value_init(&v); /* 1: a number is its factor */
    pm_status status = PM_OK;
    if (node->kind == PM_NODE_MATRIX)
        status = evaluate_matrix(x, node, s.is_skipped, &v, err);
    if (!status)
        status = join(x, &v, &s, around, err);
    pm_value_clear(&v);
    return status;
}

/* ---- the walk ---- */

static pm_status begin_item(void *context, pm_node *first, pm_error *err)
{
    evaluation *x = context;
    (void)err;
    x->info->line = first->line;
    x->info->is_one_matrix = first->kind == PM_NODE_MATRIX;
    x->info->name = first->name;
    first->name = NULL;
    return PM_OK;
}

static pm_status enter(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    evaluation *x = context;
    group *g = at->frame;
    pm_error why;
    note_numbers(x->info, node);
    pm_status status = check_node(x, node, &why);
    group_init(g, node->kind == PM_NODE_SUM, status || is_skipped(x, around_of(x, at), node));
    pm_node_take_factor(node, &g->factor, &g->factor_field, g->times);
    return settle(x, status, &why, err);
}

static int64_t add_or_most(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/* Copies of rows and columns count, as far as their numbers fit, and so do the parts of a period. */
static void count_matrix(pm_evaluate_info *info, const pm_node *node)
{
    const pm_matrix *a = &node->matrix;
    int64_t nrows = a->nrows, ncols, nnz = pm_matrix_nnz(a);
    if (node->row_times || node->col_times)
        pm_matrix_repeat_size(a, node->row_times, node->general ? node->row_times : node->col_times,
                              &nrows, &ncols, &nnz);
    if (node->period)
        pm_period_size(a, node->period, &nrows, &ncols, &nnz);
    ++info->matrices;
    info->n = add_or_most(info->n, nrows);
    info->nnz = add_or_most(info->nnz, nnz);
    if (nrows > info->max_n)
        info->max_n = nrows;
}

static pm_status leaf(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    evaluation *x = context;
    pm_error why;
    if (node->kind == PM_NODE_MATRIX)
        count_matrix(x->info, node);
    note_numbers(x->info, node);
    pm_status status = check_node(x, node, &why);
    if (!status)
        status = evaluate_leaf(x, around_of(x, at), node, &why);
    return settle(x, status, &why, err);
}

static pm_status leave(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    evaluation *x = context;
    group *g = at->frame;
    const surroundings s = {&g->factor, g->factor_field, g->times,
                            g->nodes.is_skipped || x->failed};
    pm_error why;
    (void)node;
    return settle(x, join(x, &g->nodes.value, &s, around_of(x, at), &why), &why, err);
}

pm_status pm_evaluate_next(const pm_node_source *source, const pm_evaluate_options *opt,
                           pm_value *out, pm_evaluate_info *info, bool *got, pm_error *err)
{
    static const pm_visitor visitor = {.frame_size = sizeof(group),
                                       .begin_item = begin_item,
                                       .enter = enter,
                                       .leaf = leaf,
                                       .leave = leave,
                                       .free_frame = group_clear};
    evaluation x = {.opt = opt, .input = source->name, .info = info};
    x.item.value = *out; /* its memory */
    pm_value_set_one(&x.item.value);
    pm_status status = pm_walk_item(source, &visitor, &x, NULL, got, err);
    if (!status)
        status = x.failed;
    *out = x.item.value;
    return status;
}
