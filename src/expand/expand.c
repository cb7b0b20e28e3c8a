/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree is walked with an explicit stack of the groups that are open (tree_path.h).  A sum
 * inside a sum is the same sum, so groups nest only where a term falls apart into blocks. */
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
    bool is_as_given; /* nothing has been done, but for the sequence and scale of lines */
    int64_t min_degree;
    pm_reduce_options reduce;
    const pm_run *run;
    pm_allowance allowance;
    pm_tree_path path;
} walk;

/* ---- expansion ---- */

/* Term k of the expansion of t's block: t's factor times what the reductions leave of it. */
static pm_status make_term(walk *x, const pm_addend *t, const pm_expansion *e, int64_t k,
                           pm_addend *out, pm_error *err)
{
    pm_block b = {0};
    int64_t divisor = 1;
    pm_status s = pm_expansion_term(&t->blocks[0], e, k, &b, &divisor, err);
    if (s == PM_OK)
        s = pm_addend_of_block(&b, &x->reduce, x->run, out, err);
    if (s == PM_OK) {
        mpz_t d;
        mpz_init_set_si(d, (long)divisor);
        pm_fraction_mul(&out->factor, &t->factor);
        pm_fraction_div_z(&out->factor, d);
        mpz_clear(d);
        if (pm_fraction_is_long(&out->factor))
            s = pm_fail(err, PM_UNABLE, "the factor of a term is too long");
    }
    pm_block_free(&b);
    return s;
}

static pm_status make_terms(walk *x, pm_addend *t, const pm_expansion *e, pm_addend *terms,
                            pm_error *err)
{
    pm_status s = e->is_column ? pm_block_transpose(&t->blocks[0], err) : PM_OK;
    for (int64_t k = 0; k < e->nterms && s == PM_OK; ++k)
        s = pm_run_stopped(x->run) ? pm_fail(err, PM_ESTOPPED, "stopped during expansions")
                                   : make_term(x, t, e, k, &terms[k], err);
    return s;
}

/* They take the place of the addend that they are made of. */
static pm_status add_terms(walk *x, pm_addend_pool *pool, pm_addend *terms, int64_t count,
                           pm_error *err)
{
    pm_status s = PM_OK;
    --x->allowance.terms;
    for (int64_t k = 0; k < count && s == PM_OK; ++k) {
        bool is_new = false;
        s = pm_pool_add(pool, &terms[k], &is_new, err);
        x->allowance.terms += is_new;
    }
    return s;
}

/* The terms of t go to the pool, all or none.  *is_done: all; if a number in one of them is too
 * large, t's lines have changed places and it is worth the same. */
static pm_status expand(walk *x, pm_addend_pool *pool, pm_addend *t, const pm_expansion *e,
                        bool *is_done, pm_error *err)
{
    pm_addend *terms = pm_alloc_array(e->nterms, sizeof *terms);
    if (!terms)
        return pm_fail_memory(err, "the terms of a line");
    for (int64_t k = 0; k < e->nterms; ++k)
        pm_addend_init(&terms[k]);
    pm_status s = make_terms(x, t, e, terms, err);
    *is_done = s == PM_OK;
    if (*is_done)
        s = add_terms(x, pool, terms, e->nterms, err);
    for (int64_t k = 0; k < e->nterms; ++k)
        pm_addend_clear(&terms[k]);
    free(terms);
    return s == PM_UNABLE ? PM_OK : s;
}

/* If t is one block that may be expanded and has a line to be expanded along. */
static pm_status expand_if_allowed(walk *x, pm_group *g, pm_addend *t, bool *is_done, pm_error *err)
{
    pm_expansion e = {0};
    *is_done = false;
    if (t->nblocks > 1)
        return PM_OK;
    int64_t most = pm_allowance_terms(&x->allowance, &t->blocks[0], g->limit, g->is_begun ? 1 : 2);
    if (most < 2)
        return PM_OK;
    pm_status s = pm_expansion_choose(&t->blocks[0], x->min_degree, most, x->run, &e, err);
    if (s == PM_OK && e.nterms > 0)
        s = expand(x, &g->pool, t, &e, is_done, err);
    pm_expansion_free(&e);
    return s;
}

/* ---- one step ---- */

/* Of the innermost group, a sum; t is not to be expanded. */
static pm_status put_in_sum(walk *x, pm_addend *t, pm_error *err)
{
    if (!x->is_as_given)
        return pm_path_put_in_sum(&x->path, t, err);
    pm_path_pop(&x->path);
    return pm_path_put_given(&x->path, x->given, err);
}

/* Deal with an addend of the innermost group, a sum. */
static pm_status step_sum(walk *x, pm_error *err)
{
    pm_group *g = pm_path_last(&x->path);
    if (g->pool.count == 0)
        return pm_path_close_sum(&x->path, err);
    pm_addend t;
    bool is_done = false;
    pm_pool_take(&g->pool, &t);
    pm_status s = PM_OK;
    if (pm_fraction_is_zero(&t.factor)) { /* equal ones have cancelled */
        --x->allowance.terms;
    } else {
        s = expand_if_allowed(x, g, &t, &is_done, err);
        if (s == PM_OK && !is_done)
            s = put_in_sum(x, &t, err);
        x->is_as_given = false;
    }
    pm_addend_clear(&t);
    return s;
}

/* Deal with the next block of the innermost group, a product, and those equal to it. */
static pm_status step_product(walk *x, pm_error *err)
{
    const pm_group *g = pm_path_last(&x->path);
    if (g->next == g->addend.nblocks)
        return pm_path_close_product(&x->path, err);
    pm_block b;
    pm_fraction one;
    int64_t times, limit;
    pm_path_take_block(&x->path, &b, &times, &limit);
    pm_fraction_init_one(&one);
    pm_status s;
    if (pm_allowance_terms(&x->allowance, &b, limit, 2) < 2)
        s = pm_path_put_block(&x->path, &b, &one, times, err);
    else
        s = pm_path_open_sum(&x->path, &b, &one, times, limit, err);
    pm_fraction_clear(&one);
    pm_block_free(&b);
    return s;
}

static pm_status step(walk *x, pm_error *err)
{
    if (pm_run_stopped(x->run))
        return pm_fail(err, PM_ESTOPPED, "stopped during expansions");
    return pm_path_last(&x->path)->is_sum ? step_sum(x, err) : step_product(x, err);
}

/* ---- the root ---- */

static bool is_unchanged(const pm_matrix *a, const pm_addend *t)
{
    return t->nblocks == 1 && t->n == a->nrows
           && pm_block_entries_written_out(&t->blocks[0]) == pm_matrix_nnz(a);
}

static pm_status put_root(walk *x, pm_addend *t, pm_error *err)
{
    int64_t limit = x->allowance.opt->max_terms;
    x->is_as_given = is_unchanged(x->given, t);
    if (t->nblocks != 1)
        return pm_path_put_addend(&x->path, t, 1, limit, err);
    return pm_path_open_sum(&x->path, &t->blocks[0], &t->factor, 1, limit, err);
}

static pm_status start(walk *x, pm_error *err)
{
    const pm_matrix *a = x->given;
    pm_addend t;
    pm_addend_init(&t);
    pm_status s = PM_OK;
    if (x->allowance.opt->max_depth < 1)
        s = PM_UNABLE;
    else if (a->nrows != a->ncols)
        pm_fraction_set_si(&t.factor, 0);
    else
        s = pm_addend_of_matrix(a, &x->reduce, x->run, &t, err);
    if (s == PM_UNABLE) /* no room for a group, too large to be reduced or to be a factor */
        s = pm_path_put_given(&x->path, a, err);
    else if (s == PM_OK)
        s = put_root(x, &t, err);
    pm_addend_clear(&t);
    return s;
}

pm_status pm_expand(const pm_matrix *a, const pm_expand_options *opt, const pm_run *run,
                    const pm_visitor *visitor, void *context, pm_error *err)
{
    walk x = {.given = a,
              .min_degree = opt->min_degree,
              .reduce = opt->reduce,
              .run = run,
              .allowance = pm_allowance_make(opt)};
    x.path = pm_path_make(visitor, context, a->field, &x.allowance);
    x.reduce.degree1 = x.reduce.degree2 = true;
    pm_status s = start(&x, err);
    while (s == PM_OK && pm_path_last(&x.path))
        s = step(&x, err);
    pm_path_free(&x.path);
    return s;
}
