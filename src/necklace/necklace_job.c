/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Let a_{i,k+1} = w_i a_{i,k} for all rows i and columns k, modulo m, where column n is column 0 again.  Then the row
 * sums over the set S + 1 of columns are w_i times those over S, and the terms of Ryser's sum for S + 1 and S differ by
 * the product of all w_i.  Where this is 1, they are equal, and one set of each orbit is enough.  Columns may have
 * factors, which are divided out before.  In a Schur matrix of odd order n, w_i is z^i, with the product
 * z^(n (n - 1) / 2) = 1.  Our own observation; the rest of the proof is in necklace/necklace_terms.h. */
#include "config.h"

#include "necklace/necklace_job.h"

#include <stdlib.h>

#include "number/prime.h"
#include "pm/alloc.h"

/* a[0 .. n n - 1]: the entries modulo m. */
static void set_residues(const pm_block *b, uint64_t m, uint64_t *a)
{
    for (int64_t k = 0; k < pm_matrix_nnz(&b->a); ++k)
        a[k] = b->a.re ? pm_dyadic_mod(&b->a.re[k], m) : 1 % m;
}

/* Divides every column by its entry in row 0; *factor is multiplied by these.  False: one has no inverse. */
static bool divide_columns(uint64_t *a, int64_t n, uint64_t m, uint64_t *factor)
{
    for (int64_t k = 0; k < n; ++k) {
        const uint64_t first = a[k], inverse = pm_mod_inverse(first, m);
        if (!inverse)
            return false;
        *factor = pm_mod_mul(*factor, first, m);
        for (int64_t i = 0; i < n; ++i)
            a[i * n + k] = pm_mod_mul(a[i * n + k], inverse, m);
    }
    return true;
}

/* Every row is a geometric sequence, and the product of all ratios is 1. */
static bool is_cyclic(const uint64_t *a, int64_t n, uint64_t m)
{
    uint64_t all = 1;
    for (int64_t i = 0; i < n; ++i) {
        const uint64_t *row = a + i * n;
        const uint64_t inverse = pm_mod_inverse(row[0], m);
        const uint64_t w = pm_mod_mul(row[1 % n], inverse, m);
        if (!inverse)
            return false;
        for (int64_t k = 0; k < n; ++k)
            if (row[(k + 1) % n] != pm_mod_mul(w, row[k], m))
                return false;
        all = pm_mod_mul(all, w, m);
    }
    return all == 1;
}

static void transpose(uint64_t *a, int64_t n)
{
    for (int64_t i = 0; i < n; ++i)
        for (int64_t k = i + 1; k < n; ++k) {
            const uint64_t swap = a[i * n + k];
            a[i * n + k] = a[k * n + i];
            a[k * n + i] = swap;
        }
}

/* Sets a and *factor: the permanent of the block is that of a times this, and a has the symmetry.  The rows or the
 * columns of the block have it, up to factors of the others.  Returns false when there is none. */
static bool set_cyclic(const pm_block *b, uint64_t m, uint64_t *a, uint64_t *factor)
{
    for (int side = 0; side < 2; ++side) {
        set_residues(b, m, a);
        if (side)
            transpose(a, b->n);
        *factor = 1;
        if (divide_columns(a, b->n, m, factor) && is_cyclic(a, b->n, m))
            return true;
    }
    return false;
}

static pm_status fail_symmetry(pm_error *err)
{
    return pm_fail(
        err, PM_UNABLE,
        "necklace is for blocks whose rows, or columns, are geometric sequences modulo odd "
        "numbers, with a product of all ratios of 1");
}

static pm_status check_symmetry(const pm_job *job, pm_necklace_terms *out, pm_error *err)
{
    const int64_t n = job->block->n;
    uint64_t factor = 1;
    bool is = true;
    uint64_t *a = pm_alloc_array(n * n, sizeof *a);
    pm_status status = a ? PM_OK : pm_fail_memory(err, "necklace");
    for (int i = job->nmoduli - 1; i >= 0 && is && !status; --i)
        is = job->moduli[i] % 2 && set_cyclic(job->block, job->moduli[i], a, &factor);
    if (!status && !is)
        status = fail_symmetry(err);
    if (!status && (status = pm_necklace_terms_make(a, (int)n, job->moduli[0], out, err)))
        pm_necklace_terms_free(out);
    free(a);
    return status;
}

pm_status pm_necklace_check(const pm_job *job, int most, pm_necklace_terms *out, pm_error *err)
{
    const pm_block *b = job->block;
    if (job->nmoduli == 0)
        return pm_fail(err, PM_UNABLE, "necklace counts 0/1 and integer matrices only");
    if (job->order)
        return pm_fail(err, PM_UNABLE, "necklace cannot use a given order");
    if (b->n < 2 || b->n > most || b->a.nrows != b->n || b->a.ncols != b->n
        || pm_matrix_nnz(&b->a) != b->n * b->n)
        return pm_fail(err, PM_UNABLE, "necklace is for full blocks of 2 to %d rows", most);
    return check_symmetry(job, out, err);
}

/* The residue of a block that has the symmetry. */
static pm_status count_modulo(const pm_job *job, pm_necklace_counter *count, uint64_t m,
                              uint64_t *a, const pm_run *run, uint64_t *out, pm_error *err)
{
    pm_necklace_terms t;
    uint64_t factor;
    if (!set_cyclic(job->block, m, a, &factor)) /* another modulus than the plan had */
        return fail_symmetry(err);
    pm_status status = pm_necklace_terms_make(a, (int)job->block->n, m, &t, err);
    if (!status)
        status = count(job, &t, run, out, err);
    if (!status)
        *out = pm_mod_mul(*out, factor, m);
    pm_necklace_terms_free(&t);
    return status;
}

pm_status pm_necklace_residues(const pm_job *job, pm_necklace_counter *count, uint64_t *residues,
                               pm_error *err)
{
    const int64_t n = job->block->n;
    uint64_t *a = pm_alloc_array(n * n, sizeof *a);
    pm_status status = a ? PM_OK : pm_fail_memory(err, "necklace");
    for (int i = 0; i < job->nmoduli && !status; ++i) {
        pm_run_part part;
        const pm_run *here =
            pm_run_part_of(&part, job->run, (double)i / job->nmoduli, 1. / job->nmoduli);
        status = count_modulo(job, count, job->moduli[i], a, here, &residues[i], err);
        if (!status && job->found)
            status = job->found(job->found_context, i, 1, &residues[i], err);
    }
    free(a);
    return status;
}
