/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "expand/allowance.h"

pm_allowance pm_allowance_make(const pm_expand_options *opt)
{
    return (pm_allowance){.opt = opt, .terms = 1};
}

/* ---- memory ---- */

enum { BIG_BYTES = 48 }; /* of a big number, without its digits */

static int64_t value_bytes(const pm_dyadic *x, int64_t n)
{
    int64_t bytes = 0;
    for (int64_t k = 0; x && k < n; ++k)
        bytes += (int64_t)sizeof *x
                 + (x[k].kind == PM_DYADIC_BIG ? BIG_BYTES + pm_dyadic_bits(&x[k]) / 8 : 0);
    return bytes;
}

int64_t pm_block_bytes(const pm_block *b)
{
    int64_t nnz = pm_matrix_nnz(&b->a);
    return (int64_t)sizeof *b + 12 * b->a.nrows + 4 * b->a.ncols + 4 * nnz
           + value_bytes(b->a.re, nnz) + value_bytes(b->a.im, nnz);
}

bool pm_allowance_is_short(const pm_allowance *x)
{
    return x->bytes >= x->opt->pool_bytes / 2;
}

/* The terms of a pattern may have values other than 1, which then are stored. */
static int64_t terms_that_fit(const pm_allowance *x, const pm_block *b)
{
    int64_t spelled = b->a.re ? 0 : pm_matrix_nnz(&b->a) * (int64_t)sizeof(pm_dyadic);
    int64_t left = x->opt->pool_bytes - x->bytes;
    return left > 0 ? left / (pm_block_bytes(b) + spelled) : 0;
}

/* ---- terms ---- */

int64_t pm_allowance_terms(const pm_allowance *x, const pm_block *b, int64_t limit, int64_t groups)
{
    const pm_expand_options *opt = x->opt;
    if (b->n <= opt->until_n || b->n > opt->max_n || x->groups + groups > opt->max_depth)
        return 0;
    int64_t most = limit - x->terms + 1, fit = most < 2 ? 0 : terms_that_fit(x, b);
    return most < fit ? most : fit;
}

int64_t pm_allowance_share(const pm_allowance *x, int64_t limit, int64_t sharing)
{
    return limit > x->terms ? x->terms + (limit - x->terms) / sharing : x->terms;
}
