/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The expression is written with an explicit stack of the open groups (tree_path.h).  A sum inside
 * a sum is the same sum, so groups nest only where a term is a product of several blocks. */
#include "config.h"

#include "pm/expand.h"

#include <stdlib.h>

#include "expand/addend.h"
#include "expand/allowance.h"
#include "expand/expansion.h"
#include "expand/tree_path.h"
#include "pm/alloc.h"
#include "reduce/block_edit.h"

pm_expand_options pm_expand_defaults(void)
{
    return (pm_expand_options){.reduce = pm_reduce_all(),
                               .min_degree = 5,
                               .max_n = INT64_MAX,
                               .max_terms = 1000,
                               .max_depth = PM_DEPTH_MAX,
                               .pool_bytes = INT64_C(1) << 27};
}

typedef struct {
    const pm_matrix *given;
    bool general;     /* as in the options */
    bool is_as_given; /* nothing was changed but the order and the scale of lines */
    int64_t min_degree;
    pm_reduce_options reduce;
    const pm_run *run;
    pm_allowance allowance;
    pm_tree_path path;
} expander;

/* ---- expansion ---- */

/* Makes term k of the expansion of t's only block, with t's factor, and reduces it. */
static pm_status make_term(expander *x, const pm_addend *t, const pm_expansion *e, int64_t k,
                           pm_addend *out, pm_error *err)
{
    pm_block b = {0};
    int64_t divisor = 1;
    pm_status status = pm_expansion_term(&t->blocks[0], e, k, &b, &divisor, err);
    if (!status)
        status = pm_addend_of_block(&b, &x->reduce, x->run, out, err);
    if (!status) {
        mpz_t d;
        mpz_init_set_si(d, (long)divisor);
        pm_fraction_mul(&out->factor, &t->factor);
        pm_fraction_div_z(&out->factor, d);
        mpz_clear(d);
        if (pm_fraction_is_long(&out->factor))
            status = pm_fail(err, PM_UNABLE, "the factor of a term has too many digits");
    }
    pm_block_free(&b);
    return status;
}

static pm_status make_terms(expander *x, pm_addend *t, const pm_expansion *e, pm_addend *terms,
                            pm_error *err)
{
    pm_status status = e->is_column ? pm_block_transpose(&t->blocks[0], err) : PM_OK;
    for (int64_t k = 0; k < e->nterms && !status; ++k)
        status = pm_run_stopped(x->run) ? pm_fail(err, PM_ESTOPPED, "stopped during expansions")
                                        : make_term(x, t, e, k, &terms[k], err);
    return status;
}

/* The terms replace the term from which they were made. */
static pm_status add_terms(expander *x, pm_addend_pool *pool, pm_addend *terms, int64_t count,
                           pm_error *err)
{
    pm_status status = PM_OK;
    --x->allowance.terms;
    for (int64_t k = 0; k < count && !status; ++k) {
        bool is_new = false;
        status = pm_pool_add(pool, &terms[k], &is_new, err);
        x->allowance.terms += is_new;
    }
    return status;
}

/* Adds the terms of t to the pool, all or none.  *is_done: all were added.  When a number in one of
 * them is too long none is added; the lines of t may then have another order, and its value is the
 * same. */
static pm_status expand(expander *x, pm_addend_pool *pool, pm_addend *t, const pm_expansion *e,
                        bool *is_done, pm_error *err)
{
    pm_addend *terms = pm_alloc_array(e->nterms, sizeof *terms);
    if (!terms)
        return pm_fail_memory(err, "the terms of a line");
    for (int64_t k = 0; k < e->nterms; ++k)
        pm_addend_init(&terms[k]);
    pm_status status = make_terms(x, t, e, terms, err);
    *is_done = !status;
    if (*is_done)
        status = add_terms(x, pool, terms, e->nterms, err);
    for (int64_t k = 0; k < e->nterms; ++k)
        pm_addend_clear(&terms[k]);
    free(terms);
    return status == PM_UNABLE ? PM_OK : status;
}

/* Expands t when it is one block that may be expanded and has a suitable line. */
static pm_status expand_if_allowed(expander *x, pm_group *g, pm_addend *t, bool *is_done,
                                   pm_error *err)
{
    pm_expansion e = {0};
    *is_done = false;
    if (t->nblocks > 1)
        return PM_OK;
    int64_t most = pm_allowance_terms(&x->allowance, &t->blocks[0], g->limit, g->is_begun ? 1 : 2);
    if (most < 2)
        return PM_OK;
    pm_status status = pm_expansion_choose(&t->blocks[0], x->min_degree, most, x->run, &e, err);
    if (!status && e.nterms > 0)
        status = expand(x, &g->pool, t, &e, is_done, err);
    pm_expansion_free(&e);
    return status;
}

/* ---- one step ---- */

/* Writes t, which is not expanded, into the innermost group, a sum. */
static pm_status put_in_sum(expander *x, pm_addend *t, pm_error *err)
{
    if (!x->is_as_given)
        return pm_path_put_in_sum(&x->path, t, err);
    pm_path_pop(&x->path);
    return pm_path_put_given(&x->path, x->given, x->general, err);
}

/* Expands or writes a term of the innermost group, a sum. */
static pm_status step_sum(expander *x, pm_error *err)
{
    pm_group *g = pm_path_last(&x->path);
    if (g->pool.count == 0)
        return pm_path_close_sum(&x->path, err);
    pm_addend t;
    bool is_done = false;
    pm_pool_take(&g->pool, &t);
    pm_status status = PM_OK;
    if (pm_fraction_is_zero(&t.factor)) { /* equal terms have cancelled */
        --x->allowance.terms;
    } else {
        status = expand_if_allowed(x, g, &t, &is_done, err);
        if (!status && !is_done)
            status = put_in_sum(x, &t, err);
        x->is_as_given = false;
    }
    pm_addend_clear(&t);
    return status;
}

/* Writes the next block of the innermost group, a product, with those equal to it, or opens a sum
 * for it. */
static pm_status step_product(expander *x, pm_error *err)
{
    const pm_group *g = pm_path_last(&x->path);
    if (g->next == g->addend.nblocks)
        return pm_path_close_product(&x->path, err);
    pm_block b;
    pm_fraction one;
    int64_t times, limit;
    pm_path_take_block(&x->path, &b, &times, &limit);
    pm_fraction_init_one(&one);
    pm_status status;
    if (pm_allowance_terms(&x->allowance, &b, limit, 2) < 2)
        status = pm_path_put_block(&x->path, &b, &one, times, err);
    else
        status = pm_path_open_sum(&x->path, &b, &one, times, limit, err);
    pm_fraction_clear(&one);
    pm_block_free(&b);
    return status;
}

static pm_status step(expander *x, pm_error *err)
{
    if (pm_run_stopped(x->run))
        return pm_fail(err, PM_ESTOPPED, "stopped during expansions");
    pm_run_progress(x->run, 0, "expansions");
    return pm_path_last(&x->path)->is_sum ? step_sum(x, err) : step_product(x, err);
}

/* ---- the root ---- */

static bool is_unchanged(const pm_matrix *a, const pm_addend *t)
{
    return t->nblocks == 1 && t->n == a->nrows
           && pm_block_entries_written_out(&t->blocks[0]) == pm_matrix_nnz(a);
}

static pm_status put_root(expander *x, pm_addend *t, pm_error *err)
{
    int64_t limit = x->allowance.opt->max_terms;
    x->is_as_given = is_unchanged(x->given, t);
    if (t->nblocks != 1)
        return pm_path_put_addend(&x->path, t, 1, limit, err);
    return pm_path_open_sum(&x->path, &t->blocks[0], &t->factor, 1, limit, err);
}

static pm_status start(expander *x, pm_error *err)
{
    const pm_matrix *a = x->given;
    pm_addend t;
    pm_addend_init(&t);
    pm_status status = PM_OK;
    if (x->allowance.opt->max_depth < 1)
        status = PM_UNABLE;
    else if (a->nrows != a->ncols)
        pm_fraction_set_si(&t.factor, 0);
    else
        status = pm_addend_of_matrix(a, x->general, &x->reduce, x->run, &t, err);
    if (status == PM_UNABLE) /* no room for a group, too large to be reduced or to be a factor */
        status = pm_path_put_given(&x->path, a, x->general, err);
    else if (!status)
        status = put_root(x, &t, err);
    pm_addend_clear(&t);
    return status;
}

pm_status pm_expand(const pm_matrix *a, const pm_expand_options *opt, const pm_run *run,
                    const pm_visitor *visitor, void *context, pm_error *err)
{
    expander x = {.given = a,
                  .general = opt->general,
                  .min_degree = opt->min_degree,
                  .reduce = opt->reduce,
                  .run = run,
                  .allowance = pm_allowance_make(opt)};
    x.path = pm_path_make(visitor, context, a->field, &x.allowance);
    x.reduce.degree1 = x.reduce.degree2 = true;
    pm_status status = start(&x, err);
    while (!status && pm_path_last(&x.path))
        status = step(&x, err);
    pm_path_free(&x.path);
    return status;
}
