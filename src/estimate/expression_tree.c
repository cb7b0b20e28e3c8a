/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In the array the children of a node come after it.  So one pass from the last node to the first
 * computes the values of groups, and one pass from the first to the last computes shares. */
#include "config.h"

#include "estimate/expression_tree.h"

#include <math.h>
#include <stdlib.h>

#include "expression/node_value.h"
#include "general/general.h"
#include "pm/alloc.h"
#include "pm/reduce.h"
#include "reduce/block_edit.h"
#include "reduce/matching_block.h"

/* ---- building ---- */

/* A new node with factor 1; *out is valid until the next one. */
static pm_status push(pm_expression *x, int64_t parent, pm_expression_node **out, pm_error *err)
{
    if (PM_GROW(x->node, x->cap, x->count + 1))
        return pm_fail_memory(err, "the nodes of an expression");
    pm_expression_node *node = &x->node[x->count++];
    *node = (pm_expression_node){.parent = parent, .factor_field = PM_INTEGER};
    pm_fraction_init_one(&node->factor);
    mpz_init_set_ui(node->times, 1);
    pm_value_init(&node->value);
    *out = node;
    return PM_OK;
}

static pm_status put_number(pm_expression *x, int64_t parent, const pm_reduced *r, pm_field field,
                            pm_error *err)
{
    pm_expression_node *node = NULL;
    pm_status status = push(x, parent, &node, err);
    if (status)
        return status;
    node->factor_field = field > PM_INTEGER ? field : PM_INTEGER;
    if (r->zero) {
        mpq_set_ui(node->factor.re, 0, 1);
        return PM_OK;
    }
    pm_rational_set_dyadic(node->factor.re, &r->factor_re);
    pm_rational_set_dyadic(node->factor.im, &r->factor_im);
    return PM_OK;
}

/* Adds a block to the last node. */
static pm_status put_block(pm_expression *x, pm_matrix *a, bool general, pm_error *err)
{
    if (PM_GROW(x->block, x->cap_blocks, x->nblocks + 1))
        return pm_fail_memory(err, "the blocks of an expression");
    pm_status status = pm_approx_block_make(a, (uint32_t)x->nblocks, &x->block[x->nblocks], err);
    if (status)
        return status;
    x->block[x->nblocks++]->general = general;
    ++x->node[x->count - 1].blocks;
    return PM_OK;
}

/* With longer entries, which differ more, scaling takes many times longer (doc/measurements.md). */
enum { MERGE_BITS = 40 };

static pm_status reduce(const pm_matrix *a, pm_matching_kind kind, pm_merges merges,
                        const pm_run *run, pm_reduced *out, pm_error *err)
{
    const bool does_merge = merges == PM_MERGES_ALL || (merges == PM_MERGES_WEIGHTED && a->re);
    const pm_reduce_options how = {
        .blocks = true, .degree1 = true, .degree2 = does_merge, .merge_bits = MERGE_BITS};
    pm_block b = {0};
    bool exists = false;
    out->zero = true;
    if (kind == PM_MATCHING_PERFECT)
        return a->nrows == a->ncols ? pm_reduce(a, &how, run, out, err) : PM_OK;
    pm_status status = pm_matching_block(a, kind, &b, &exists, err);
    if (!status && exists)
        status = pm_reduce_block(&b, &how, run, out, err);
    pm_block_free(&b);
    return status;
}

static pm_status reduce_general(const pm_expression_build *build, const pm_matrix *a,
                                pm_reduced *out, pm_error *err)
{
    const pm_reduce_options how = {.blocks = true, .degree1 = true, .labels = true};
    return pm_general_reduce(a, &how, build->how.keeps_general, build->run, out, err);
}

/* *divisor *= the product of the factorials of the capacities of b, if b has classes of twins: then
 * the samplers get a matrix in which they are written out. */
static pm_status put_written_out(pm_expression *x, pm_block *b, mpz_t divisor, pm_error *err)
{
    enum { ENTRIES_MAX = 1 << 27 };
    mpz_t times;
    pm_matrix a = {0};
    if (b->n == b->a.nrows && b->n == b->a.ncols)
        return put_block(x, &b->a, b->general, err);
    if (pm_block_entries_written_out(b) > ENTRIES_MAX)
        return pm_fail(err, PM_UNABLE,
                       "too many free rows or columns for an estimate: the square matrix would "
                       "have more than %d entries",
                       (int)ENTRIES_MAX);
    mpz_init(times);
    pm_status status = pm_block_write_out(b, b->a.field, &a, times, err);
    if (!status)
        status = put_block(x, &a, false, err);
    mpz_mul(divisor, divisor, times);
    mpz_clear(times);
    pm_matrix_free(&a);
    return status;
}

/* All of them in one node, since there may be millions. */
static pm_status put_blocks(pm_expression *x, int64_t parent, const pm_reduced *r, pm_error *err)
{
    const int64_t number = x->count - 1; /* of put_number */
    pm_expression_node *node = NULL;
    mpq_t divisor;
    if (r->zero || !r->nblocks)
        return PM_OK;
    pm_status status = push(x, parent, &node, err);
    if (status)
        return status;
    node->block = x->nblocks;
    mpq_init(divisor);
    mpq_set_ui(divisor, 1, 1);
    for (int64_t i = 0; i < r->nblocks && !status; ++i)
        status = put_written_out(x, &r->blocks[i], mpq_numref(divisor), err);
    if (!status) {
        pm_fraction *factor = &x->node[number].factor;
        mpq_div(factor->re, factor->re, divisor);
        mpq_div(factor->im, factor->im, divisor);
    }
    mpq_clear(divisor);
    return status;
}

/* A matrix is a product of a number and its blocks. */
static pm_status put_matrix(const pm_expression_build *build, int64_t parent, const pm_node *of,
                            pm_matching_kind kind, pm_error *err)
{
    pm_expression *x = build->x;
    const pm_matrix *a = &of->matrix;
    pm_reduced r = {0};
    if (!pm_matching_kind_fits(kind, a->nrows, a->ncols) && x->rows == x->cols) {
        x->kind = kind;
        x->rows = a->nrows;
        x->cols = a->ncols;
    }
    pm_status status = of->general ? reduce_general(build, a, &r, err)
                                   : reduce(a, kind, build->how.merges, build->run, &r, err);
    if (!status)
        status = put_number(x, parent, &r, a->field, err);
    if (!status)
        status = put_blocks(x, parent, &r, err);
    pm_reduced_free(&r);
    return status;
}

/* Adds the node alone, without the nodes inside; *index: its index. */
static pm_status put_node(pm_expression *x, const pm_position *at, pm_node *node, int64_t *index,
                          pm_error *err)
{
    const int64_t *outer = at->outer;
    pm_expression_node *own = NULL;
    pm_status status = push(x, outer ? *outer : 0, &own, err);
    if (status)
        return status;
    *index = x->count - 1;
    own->is_sum = node->kind == PM_NODE_SUM;
    pm_node_take_factor(node, &own->factor, &own->factor_field, own->times);
    return PM_OK;
}

static pm_status enter(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    const pm_expression_build *build = context;
    return put_node(build->x, at, node, at->frame, err);
}

static pm_status leaf(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    const pm_expression_build *build = context;
    int64_t index;
    pm_status status = put_node(build->x, at, node, &index, err);
    if (status || node->kind == PM_NODE_NUMBER)
        return status;
    ++build->x->matrices;
    pm_matching_kind kind = pm_node_matchings(node, at->depth == 0, build->how.asked);
    status = pm_node_check_kind(node, kind, build->input, err);
    build->x->one_set = node->one_set;
    build->x->is_part = at->depth > 0;
    return status ? status : put_matrix(build, index, node, kind, err);
}

/* A product is 0 when one of its nodes is; a sum is 0 when all of its nodes are. */
static void find_zeros(pm_expression *x)
{
    for (int64_t i = 0; i < x->count; ++i)
        x->node[i].is_zero = x->node[i].is_sum;
    for (int64_t i = x->count - 1; i > 0; --i) {
        pm_expression_node *node = &x->node[i], *to = &x->node[node->parent];
        bool repeats = mpz_sgn(node->times) > 0;
        node->is_zero = node->is_zero || pm_fraction_is_zero(&node->factor);
        if (to->is_sum)
            to->is_zero = to->is_zero && (node->is_zero || !repeats);
        else
            to->is_zero = to->is_zero || (node->is_zero && repeats);
    }
}

/* Finds the blocks on which the value does not depend, and the powers of the others. */
static void find_idle_blocks(pm_expression *x)
{
    for (int64_t i = 0; i < x->count; ++i) {
        pm_expression_node *node = &x->node[i];
        bool idle = i > 0 && x->node[node->parent].share == 0;
        bool in_product = i > 0 && !x->node[node->parent].is_sum;
        node->share = !idle && !node->is_zero && mpz_sgn(node->times) > 0;
        node->power =
            (i > 0 ? x->node[node->parent].power : 1) * (in_product ? mpz_get_d(node->times) : 1);
        for (int64_t b = node->block; b < node->block + node->blocks; ++b) {
            x->block[b]->is_idle = node->share == 0;
            x->block[b]->power = node->power;
        }
    }
}

static pm_status begin_item(void *context, pm_node *first, pm_error *err)
{
    const pm_expression_build *build = context;
    pm_expression_node *root = NULL;
    build->x->name = first->name;
    first->name = NULL;
    return push(build->x, -1, &root, err);
}

static pm_status end_item(void *context, pm_error *err)
{
    const pm_expression_build *build = context;
    (void)err;
    find_zeros(build->x);
    find_idle_blocks(build->x);
    return PM_OK;
}

const pm_visitor pm_expression_builder = {
    .frame_size = sizeof(int64_t), /* the index of the group */
    .begin_item = begin_item,
    .enter = enter,
    .leaf = leaf,
    .end_item = end_item,
};

pm_status pm_expression_read(pm_expression *x, const pm_node_source *source,
                             const pm_expression_how *how, const pm_run *run, bool *got,
                             pm_error *err)
{
    pm_expression_build build = {x, run, *how, source->name};
    return pm_walk_item(source, &pm_expression_builder, &build, NULL, got, err);
}

/* ---- blocks ---- */

pm_status pm_expression_list_sampled(pm_expression *x, pm_error *err)
{
    pm_status status = PM_OK;
    free(x->sampled);
    x->nsampled = 0;
    x->sampled = pm_alloc_array(x->nblocks, sizeof *x->sampled);
    if (!x->sampled)
        return pm_fail_memory(err, "the blocks of an expression");
    for (int64_t i = 0; i < x->nblocks && !status; ++i)
        if (pm_approx_block_is_sampled(x->block[i])) {
            status = pm_approx_block_list(x->block[i], err);
            x->sampled[x->nsampled++] = x->block[i];
        }
    return status;
}

void pm_expression_free(pm_expression *x)
{
    for (int64_t i = 0; i < x->count; ++i) {
        pm_fraction_clear(&x->node[i].factor);
        mpz_clear(x->node[i].times);
        pm_value_clear(&x->node[i].value);
    }
    for (int64_t i = 0; i < x->nblocks; ++i)
        pm_approx_block_free(x->block[i]);
    free(x->name);
    free(x->node);
    free(x->block);
    free(x->sampled);
    *x = (pm_expression){0};
}

/* ---- evaluating ---- */

/* A leaf has its value then. */
static pm_status begin_node(const pm_expression *x, pm_expression_node *node, const pm_run *run,
                            pm_error *err)
{
    pm_status status = PM_OK;
    pm_value_set_si(&node->value, node->is_sum ? 0 : 1);
    if (node->blocks)
        pm_approx_block_get(x->block[node->block + node->blocks - 1], &node->value);
    for (int64_t b = node->blocks - 2; b >= 0 && !status; --b) {
        pm_value v;
        pm_value_init(&v);
        pm_approx_block_get(x->block[node->block + b], &v);
        status = pm_node_join(&node->value, &v, false, 0, run, err);
        pm_value_clear(&v);
    }
    return status;
}

static pm_status join(pm_expression_node *node, pm_expression_node *to, const pm_run *run,
                      pm_error *err)
{
    pm_value v;
    pm_value_init(&v);
    pm_value_set(&v, &node->value);
    pm_status status = pm_node_multiply(&v, &node->factor, node->factor_field, 0, run, err);
    if (!status)
        status = pm_node_repeat(&v, node->times, to->is_sum, 0, run, err);
    if (!status)
        status = pm_node_join(&to->value, &v, to->is_sum, 0, run, err);
    node->contribution = pm_value_real(&v);
    pm_value_clear(&v);
    return status;
}

static void compute_shares(pm_expression *x)
{
    x->node[0].share = 1;
    for (int64_t i = 1; i < x->count; ++i) {
        pm_expression_node *node = &x->node[i], *of = &x->node[node->parent];
        double part = of->is_sum ? pm_xreal_ratio(node->contribution, pm_value_real(&of->value))
                                 : mpz_get_d(node->times);
        node->share = pm_value_is_zero(&of->value) ? 0 : of->share * part;
        for (int64_t b = node->block; b < node->block + node->blocks; ++b)
            x->block[b]->share = node->share;
    }
}

pm_status pm_expression_evaluate(pm_expression *x, const pm_run *run, pm_value *out, pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t i = 0; i < x->count && !status; ++i)
        status = begin_node(x, &x->node[i], run, err);
    for (int64_t i = x->count - 1; i > 0 && !status; --i)
        status = join(&x->node[i], &x->node[x->node[i].parent], run, err);
    if (status)
        return status;
    compute_shares(x);
    pm_value_set(out, &x->node[0].value);
    return PM_OK;
}

static bool has_imaginary_parts(const pm_matrix *a)
{
    for (int64_t k = 0; a->im && k < pm_matrix_nnz(a); ++k)
        if (pm_dyadic_sign(&a->im[k]) != 0)
            return true;
    return false;
}

/* The block was counted, and its value may be negative or complex.  An imaginary part below the
 * error may be shown as 0. */
static bool may_be_negative(const pm_approx_block *b)
{
    const pm_value *v = b->value;
    if (!b->is_exact || b->is_idle || !v)
        return false;
    if (pm_value_is_exact(v))
        return mpq_sgn(v->exact) < 0;
    return v->im.hi != 0 || has_imaginary_parts(&b->a)
           || pm_xreal_add(v->re, pm_xreal_neg(v->error)).hi < 0;
}

bool pm_expression_is_positive(const pm_expression *x)
{
    for (int64_t i = 0; i < x->count; ++i)
        if (mpq_sgn(x->node[i].factor.re) < 0 || mpq_sgn(x->node[i].factor.im) != 0)
            return false;
    for (int64_t i = 0; i < x->nblocks; ++i)
        if (may_be_negative(x->block[i]))
            return false;
    return true;
}

/* A logarithm to base 10, and how far it may be from that of the number, at most. */
typedef struct {
    double log10, wrong;
} logarithm;

/* Rounded once, by at most half of the unit; the other half is for the sum of the errors and for its use. */
#define UNIT 0x1p-52

/* Infinite ones have no error. */
static logarithm with_error(double log10, double wrong)
{
    return (logarithm){log10, isfinite(log10) ? wrong + UNIT * fabs(log10) : 0};
}

static logarithm plus(logarithm a, logarithm b)
{
    return with_error(a.log10 + b.log10, a.wrong + b.wrong);
}

/* Halves first: each number is in a few sums only. */
static logarithm total(const double *log10, int64_t count)
{
    if (count < 2)
        return (logarithm){count ? log10[0] : 0, 0};
    return plus(total(log10, count / 2), total(log10 + count / 2, count - count / 2));
}

static logarithm of_function(double log10)
{
    return with_error(log10, PM_LOG10_WRONG * fabs(log10));
}

static logarithm log10_of_sum(logarithm a, logarithm b)
{
    const double more = fmax(a.log10, b.log10), less = fmin(a.log10, b.log10);
    if (isinf(less))
        return a.log10 > b.log10 ? a : b;
    return with_error(more + log10(1 + pow(10, less - more)),
                      fmax(a.wrong, b.wrong) + PM_LOG10_WRONG + UNIT * fabs(less));
}

static logarithm times_log10(const mpz_t times, logarithm a)
{
    const double n = mpz_get_d(times);
    return n > 0 ? with_error(n * a.log10, n * (a.wrong + UNIT * fabs(a.log10)))
                 : (logarithm){0, 0};
}

double pm_log10_rounded(double log10, double wrong, pm_log10_end end)
{
    return end == PM_LOG10_LOW ? log10 - wrong : end == PM_LOG10_HIGH ? log10 + wrong : log10;
}

/* log10 of the size of a factor. */
static logarithm size_of_factor(const pm_fraction *f)
{
    mpq_t sum, square;
    mpq_inits(sum, square, NULL);
    mpq_mul(sum, f->re, f->re);
    mpq_mul(square, f->im, f->im);
    mpq_add(sum, sum, square);
    const double log10 = pm_xreal_log10(pm_xreal_from_mpq(sum));
    mpq_clears(sum, square, NULL);
    return of_function(log10 / 2);
}

/* is_size: sizes of factors, in sums of sizes. */
static pm_status log10_of_root(const pm_expression *x, const double *log10s, bool is_size,
                               pm_log10_end end, double *out, pm_error *err)
{
    logarithm *value = pm_alloc_array(x->count, sizeof *value);
    if (!value)
        return pm_fail_memory(err, "logarithms");
    for (int64_t i = 0; i < x->count; ++i) {
        const pm_expression_node *node = &x->node[i];
        value[i] =
            node->is_sum ? (logarithm){-INFINITY, 0} : total(log10s + node->block, node->blocks);
    }
    for (int64_t i = x->count - 1; i > 0; --i) {
        const pm_expression_node *node = &x->node[i];
        const logarithm factor =
            is_size ? size_of_factor(&node->factor)
                    : of_function(pm_xreal_log10(pm_xreal_from_mpq(node->factor.re)));
        logarithm own = node->is_zero ? (logarithm){-INFINITY, 0} : plus(value[i], factor);
        logarithm *to = &value[node->parent];
        if (!x->node[node->parent].is_sum)
            *to = plus(*to, times_log10(node->times, own));
        else if (mpz_sgn(node->times) > 0)
            *to = log10_of_sum(*to, plus(own, of_function(log10(2) * pm_node_log2(node->times))));
    }
    *out = pm_log10_rounded(value[0].log10, value[0].wrong, end);
    free(value);
    return PM_OK;
}

pm_status pm_expression_log10(const pm_expression *x, const double *log10, pm_log10_end end,
                              double *out, pm_error *err)
{
    bool is_zero = x->node[0].is_zero;
    *out = is_zero ? -INFINITY : NAN;
    if (is_zero || !pm_expression_is_positive(x))
        return PM_OK;
    return log10_of_root(x, log10, false, end, out, err);
}

pm_status pm_expression_size_log10(const pm_expression *x, const double *log10, double *out,
                                   pm_error *err)
{
    *out = -INFINITY;
    return x->node[0].is_zero ? PM_OK : log10_of_root(x, log10, true, PM_LOG10_HIGH, out, err);
}
