/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeats these steps until none applies: decomposition into fully indecomposable blocks, the rules
 * for vertices of degree 1 and 2, merging of twins.
 *
 * Merging neighbours, taking out an entry of a vertex of degree 1, and merging twins keep a fully
 * indecomposable block fully indecomposable: every remaining entry is still in a perfect matching,
 * and the block stays connected.  Only an entry that cancels to 0 can change this; then the block
 * is decomposed again.
 *
 * The cheapest merges are done first.  Along a chain this merges pieces of equal length, instead of
 * multiplying one long number by every entry of the chain, and vertices of high degree come
 * last. */
#include "config.h"

#include "pm/reduce.h"

#include <math.h>
#include <stdlib.h>

#include "reduce/fetch_lists.h"
#include "reduce/plain_blocks.h"
#include "reduce/reduce_graph.h"

pm_reduce_options pm_reduce_all(void)
{
    return (pm_reduce_options){.blocks = true, .degree1 = true, .degree2 = true, .twins = true};
}

static void apply_degree_rule(pm_rgraph *g, int32_t v, int bucket, const pm_reduce_options *opt)
{
    const pm_rvertex *x = &g->vertex[v];
    double cost;
    if (x->cap == 0)
        return;
    if (x->degree < x->cap) {
        g->zero = true;
    } else if (opt->degree1 && x->degree == x->cap) {
        pm_rgraph_force(g, v);
    } else if (opt->degree2 && pm_rgraph_can_merge(g, v, &cost)) {
        int needed = ilogb(cost);
        if (needed > bucket)
            pm_rgraph_enqueue_at(g, v, needed < PM_RBUCKETS ? needed : PM_RBUCKETS - 1);
        else
            pm_rgraph_merge(g, v);
    }
}

static pm_status apply_degree_rules(pm_rgraph *g, const pm_reduce_options *opt, pm_error *err)
{
    int32_t v;
    int bucket;
    for (int64_t k = 0; !g->zero && (v = pm_rgraph_dequeue(g, &bucket)) >= 0; ++k) {
        pm_status status = k % 1024 == 0 ? pm_rgraph_check_stop(g, err) : PM_OK;
        if (status)
            return status;
        if (k % 1024 == 1023) /* small graphs do not look at the clock */
            pm_run_progress(g->run, 0, "reductions");
        apply_degree_rule(g, v, bucket, opt);
    }
    return PM_OK;
}

/* Bits as merge_bits counts them. */
static void count_bits(pm_rgraph *g)
{
    for (int32_t v = 0; v < g->nrows; ++v) {
        if (v % PM_RFETCHED == 0)
            pm_rgraph_fetch(g, v);
        for (int32_t e = pm_rgraph_first(g, v); e >= 0; e = pm_rgraph_next(g, v, e))
            pm_rgraph_update_bits(g, e);
    }
}

static void enqueue_all(pm_rgraph *g)
{
    for (int64_t v = 0; v < g->nrows + g->ncols; ++v)
        pm_rgraph_enqueue(g, (int32_t)v);
}

pm_status pm_rgraph_rewrite(pm_rgraph *g, const pm_reduce_options *opt, const pm_run *run,
                            pm_error *err)
{
    g->run = run;
    pm_status status = pm_rgraph_check_stop(g, err);
    if (!status && !opt->blocks)
        status = pm_rgraph_new_origins(g, 1, err);
    bool changed = true;
    g->small = opt->small;
    g->merge_bits = opt->merge_bits;
    if (g->merge_bits && !g->is_plain) /* else all have one bit */
        count_bits(g);
    g->cancelled = opt->blocks;
    for (bool is_first = true; !status && changed && !g->zero; is_first = false) {
        changed = false;
        if (g->cancelled && opt->blocks)
            status = pm_rgraph_split(g, err);
        if (!status)
            status = pm_rgraph_check_stop(g, err);
        if (!status && is_first) /* small blocks are known now */
            enqueue_all(g);
        g->cancelled = false;
        if (!status && !g->zero)
            status = apply_degree_rules(g, opt, err);
        if (!status)
            status = pm_rgraph_check_stop(g, err);
        if (g->cancelled && opt->blocks)
            changed = true;
        else if (!status && !g->zero && opt->twins)
            status = pm_rgraph_twins(g, &changed, err);
    }
    return status;
}

/* Reduces the loaded graph g, and frees it. */
static pm_status finish(pm_rgraph *g, const pm_reduce_options *opt, const pm_run *run,
                        pm_reduced *out, pm_error *err)
{
    pm_status status = pm_rgraph_rewrite(g, opt, run, err);
    if (!status)
        status = pm_rgraph_check_stop(g, err);
    if (!status && g->zero)
        *out = (pm_reduced){.zero = true};
    else if (!status)
        status = pm_rgraph_extract(g, opt->blocks, out, err);
    pm_rgraph_free(g);
    return status;
}

pm_status pm_reduce(const pm_matrix *a, const pm_reduce_options *opt, const pm_run *run,
                    pm_reduced *out, pm_error *err)
{
    if (a->nrows != a->ncols)
        return pm_fail(err, PM_EUSAGE, "expected a square matrix, not %lld x %lld",
                       (long long)a->nrows, (long long)a->ncols);
    pm_rgraph g = {0};
    bool is_plain;
    pm_status status = pm_reduce_plain(a, opt, run, out, &is_plain, err);
    if (status || is_plain)
        return status;
    status = pm_rgraph_load(&g, a, err);
    return status ? status : finish(&g, opt, run, out, err);
}

pm_status pm_reduce_block(const pm_block *b, const pm_reduce_options *opt, const pm_run *run,
                          pm_reduced *out, pm_error *err)
{
    pm_rgraph g = {0};
    pm_status status = pm_rgraph_load(&g, &b->a, err);
    if (status)
        return status;
    pm_rgraph_set_capacities(&g, b->row_cap, b->col_cap);
    return finish(&g, opt, run, out, err);
}

void pm_block_free(pm_block *b)
{
    pm_matrix_free(&b->a);
    pm_matrix_free(&b->loops);
    free(b->row_cap);
    free(b->col_cap);
    *b = (pm_block){0};
}

/* out *= the product of the factorials of these capacities */
static void multiply_factorials(const int32_t *cap, int64_t count, mpz_t out)
{
    mpz_t f;
    mpz_init(f);
    for (int64_t i = 0; i < count; ++i) {
        mpz_fac_ui(f, (unsigned long)cap[i]);
        mpz_mul(out, out, f);
    }
    mpz_clear(f);
}

void pm_block_twin_factor(const pm_block *b, mpz_t out)
{
    mpz_set_ui(out, 1);
    multiply_factorials(b->row_cap, b->a.nrows, out);
    multiply_factorials(b->col_cap, b->a.ncols, out);
}

void pm_block_common_factor(const pm_block *b, mpz_t out)
{
    mpz_t columns;
    mpz_set_ui(out, 1);
    mpz_init_set_ui(columns, 1);
    multiply_factorials(b->row_cap, b->a.nrows, out);
    multiply_factorials(b->col_cap, b->a.ncols, columns);
    if (mpz_cmp(columns, out) > 0)
        mpz_swap(columns, out);
    mpz_clear(columns);
}

void pm_reduced_free(pm_reduced *r)
{
    for (int64_t b = 0; b < r->nblocks; ++b)
        pm_block_free(&r->blocks[b]);
    free(r->blocks);
    pm_dyadic_clear(&r->factor_re);
    pm_dyadic_clear(&r->factor_im);
    *r = (pm_reduced){0};
}
