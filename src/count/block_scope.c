/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/block_scope.h"

#include <string.h>

static void add_array(pm_sha256 *s, const void *array, int64_t count, size_t size)
{
    if (array)
        pm_sha256_add(s, array, (size_t)count * size);
}

static void add_dyadic(pm_sha256 *s, const pm_dyadic *x)
{
    pm_sha256_add(s, &x->exp, sizeof x->exp);
    pm_sha256_add(s, &x->kind, sizeof x->kind);
    if (x->kind == PM_DYADIC_BIG) {
        int sign = mpz_sgn(x->m.big);
        pm_sha256_add(s, &sign, sizeof sign);
        pm_sha256_add(s, mpz_limbs_read(x->m.big), mpz_size(x->m.big) * sizeof(mp_limb_t));
    } else {
        pm_sha256_add(s, &x->m.small, sizeof x->m.small);
    }
}

static void add_matrix(pm_sha256 *s, const pm_matrix *a)
{
    const int64_t sizes[] = {a->field, a->nrows, a->ncols, a->re != NULL, a->im != NULL};
    int64_t nnz = pm_matrix_nnz(a);
    pm_sha256_add(s, sizes, sizeof sizes);
    add_array(s, a->rowptr, a->nrows + 1, sizeof *a->rowptr);
    add_array(s, a->colind, nnz, sizeof *a->colind);
    for (int64_t k = 0; k < nnz && a->re; ++k)
        add_dyadic(s, &a->re[k]);
    for (int64_t k = 0; k < nnz && a->im; ++k)
        add_dyadic(s, &a->im[k]);
}

pm_ledger_scope pm_block_scope(const pm_job *job, const pm_plan *plan, const pm_count_options *opt)
{
    const pm_block *b = job->block;
    pm_ledger_scope scope = {.ledger = NULL};
    if (!opt->ledger || plan->seconds < pm_ledger_least(opt->ledger))
        return scope;
    pm_sha256 s;
    const uint64_t settings[] = {opt->modulus,      (uint64_t)job->precision,
                                 job->independent,  b->written_out | (uint64_t)b->general << 1,
                                 job->keeps_digits, (uint64_t)job->order_len};
    pm_sha256_begin(&s);
    pm_sha256_add(&s, settings, sizeof settings);
    add_array(&s, job->order, job->order_len, sizeof *job->order);
    add_matrix(&s, &b->a);
    if (b->loops.rowptr)
        add_matrix(&s, &b->loops);
    add_array(&s, b->row_cap, b->a.nrows, sizeof *b->row_cap);
    add_array(&s, b->col_cap, b->a.ncols, sizeof *b->col_cap);
    pm_sha256_end(&s, scope.key.byte);
    scope.ledger = opt->ledger;
    return scope;
}

pm_ledger_scope pm_period_scope(const pm_matrix *a, const pm_count_options *opt, double seconds)
{
    const pm_period *p = opt->period;
    pm_ledger_scope scope = {.ledger = NULL};
    if (!opt->ledger || seconds < pm_ledger_least(opt->ledger))
        return scope;
    pm_sha256 s;
    const uint64_t settings[] = {opt->modulus, opt->independent, (uint64_t)p->length, p->is_ring};
    pm_sha256_begin(&s);
    pm_sha256_add(&s, "period", 6);
    pm_sha256_add(&s, settings, sizeof settings);
    add_matrix(&s, a);
    add_matrix(&s, &p->next);
    add_matrix(&s, &p->before);
    pm_sha256_end(&s, scope.key.byte);
    scope.ledger = opt->ledger;
    return scope;
}

pm_ledger_scope pm_layered_scope(const pm_matrix *a, const pm_count_options *opt, double seconds)
{
    pm_ledger_scope scope = {.ledger = NULL};
    if (!opt->ledger || seconds < pm_ledger_least(opt->ledger))
        return scope;
    pm_sha256 s;
    pm_sha256_begin(&s);
    pm_sha256_add(&s, "layers", 6);
    pm_sha256_add(&s, &opt->modulus, sizeof opt->modulus);
    add_matrix(&s, a);
    pm_sha256_end(&s, scope.key.byte);
    scope.ledger = opt->ledger;
    return scope;
}
