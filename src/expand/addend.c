/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "expand/addend.h"

#include <stdlib.h>

#include "core/keyed_hash.h"
#include "expand/allowance.h"
#include "expand/canonical.h"
#include "general/general.h"
#include "pm/alloc.h"
#include "reduce/block_edit.h"

void pm_addend_init(pm_addend *t)
{
    *t = (pm_addend){0};
    pm_fraction_init_one(&t->factor);
}

void pm_addend_clear(pm_addend *t)
{
    for (int64_t b = 0; b < t->nblocks; ++b)
        pm_block_free(&t->blocks[b]);
    free(t->blocks);
    pm_fraction_clear(&t->factor);
    *t = (pm_addend){0};
}

/* ---- from the reductions ---- */

typedef struct {
    pm_block block;
    uint64_t key;
} keyed;

static int by_size(const void *x, const void *y)
{
    const keyed *a = x, *b = y;
    if (a->block.n != b->block.n)
        return a->block.n > b->block.n ? -1 : 1;
    return (a->key > b->key) - (a->key < b->key);
}

/* Brings the blocks into canonical form and sorts them. */
static pm_status arrange(pm_block *blocks, int64_t count, const pm_run *run, uint64_t *key,
                         pm_error *err)
{
    pm_status status = PM_OK;
    keyed *list = pm_alloc_array(count, sizeof *list);
    if (!list)
        return pm_fail_memory(err, "the blocks of a term");
    for (int64_t b = 0; b < count && !status; ++b) {
        status = pm_block_canonise(&blocks[b], run, &list[b].key, err);
        list[b].block = blocks[b];
    }
    if (!status) {
        if (count)
            qsort(list, (size_t)count, sizeof *list, by_size);
        *key = 0;
        for (int64_t b = 0; b < count; ++b) {
            blocks[b] = list[b].block;
            *key = pm_hash_pair(*key, list[b].key);
        }
    }
    free(list);
    return status;
}

/* Makes *out of r; the blocks may be moved out of r. */
static pm_status take(pm_reduced *r, const pm_run *run, pm_addend *out, pm_error *err)
{
    if (r->zero) {
        pm_fraction_set_si(&out->factor, 0);
        return PM_OK;
    }
    if (!pm_fraction_set_dyadic(&out->factor, &r->factor_re, &r->factor_im))
        return pm_fail(err, PM_UNABLE, "the factor of a term has too many digits");
    pm_status status = arrange(r->blocks, r->nblocks, run, &out->key, err);
    if (status)
        return status;
    out->blocks = r->blocks;
    out->nblocks = r->nblocks;
    r->blocks = NULL;
    r->nblocks = 0;
    for (int64_t b = 0; b < out->nblocks; ++b)
        out->n += out->blocks[b].n;
    return PM_OK;
}

/* status: of the reductions; r is freed. */
static pm_status finish(pm_status status, pm_reduced *r, const pm_run *run, pm_addend *out,
                        pm_error *err)
{
    if (!status)
        status = take(r, run, out, err);
    pm_reduced_free(r);
    return status;
}

pm_status pm_addend_of_block(const pm_block *b, const pm_reduce_options *opt, const pm_run *run,
                             pm_addend *out, pm_error *err)
{
    pm_reduced r = {0};
    const pm_status status = b->general ? pm_general_reduce(&b->a, opt, false, run, &r, err)
                                        : pm_reduce_block(b, opt, run, &r, err);
    return finish(status, &r, run, out, err);
}

pm_status pm_addend_of_matrix(const pm_matrix *a, bool general, const pm_reduce_options *opt,
                              const pm_run *run, pm_addend *out, pm_error *err)
{
    pm_reduced r = {0};
    const pm_status status =
        general ? pm_general_reduce(a, opt, false, run, &r, err) : pm_reduce(a, opt, run, &r, err);
    return finish(status, &r, run, out, err);
}

/* ---- comparison and size ---- */

bool pm_addend_same_blocks(const pm_addend *a, const pm_addend *b)
{
    if (a->key != b->key || a->nblocks != b->nblocks)
        return false;
    for (int64_t k = 0; k < a->nblocks; ++k)
        if (!pm_block_equal(&a->blocks[k], &b->blocks[k]))
            return false;
    return true;
}

static uint64_t hash_numbers(uint64_t h, const pm_dyadic *x, int64_t count)
{
    for (int64_t k = 0; k < count; ++k) {
        if (x[k].kind == PM_DYADIC_BIG)
            h = pm_keyed_hash(h, mpz_limbs_read(x[k].m.big),
                              mpz_size(x[k].m.big) * sizeof(mp_limb_t));
        const int64_t rest[2] = {
            x[k].kind == PM_DYADIC_SMALL ? x[k].m.small : pm_dyadic_sign(&x[k]), x[k].exp};
        h = pm_keyed_hash(h, rest, sizeof rest);
    }
    return h;
}

static uint64_t hash_block(uint64_t h, const pm_block *b)
{
    const pm_matrix *a = &b->a;
    const size_t nrows = (size_t)a->nrows, ncols = (size_t)a->ncols;
    const int64_t nnz = pm_matrix_nnz(a);
    h = pm_keyed_hash(h, a->rowptr, (nrows + 1) * sizeof *a->rowptr);
    h = pm_keyed_hash(h, a->colind, (size_t)nnz * sizeof *a->colind);
    h = pm_keyed_hash(h, b->row_cap, nrows * sizeof *b->row_cap);
    h = pm_keyed_hash(h, b->col_cap, ncols * sizeof *b->col_cap);
    if (a->re)
        h = hash_numbers(h, a->re, nnz);
    return a->im ? hash_numbers(h, a->im, nnz) : h;
}

uint64_t pm_addend_hash(const pm_addend *t)
{
    uint64_t h = (uint64_t)t->nblocks;
    for (int64_t b = 0; b < t->nblocks; ++b)
        h = hash_block(h, &t->blocks[b]);
    return h;
}

int64_t pm_addend_bytes(const pm_addend *t)
{
    int64_t bytes = (int64_t)sizeof *t + pm_fraction_bytes(&t->factor);
    for (int64_t b = 0; b < t->nblocks; ++b)
        bytes += pm_block_bytes(&t->blocks[b]);
    return bytes;
}
