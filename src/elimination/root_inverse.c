/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "elimination/root_inverse.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/team.h"
#include "elimination/determinant.h"
#include "pm/alloc.h"

enum { BLOCK = 32 /* lines */ };

/* Primes are taken from 2^24 down: 67,664 of them are above 2^MOST_BITS. */
static const double MOST_BITS = 23.9, BITS_STEP = 0.5;

/* Primes above 2^prime_bits for integers whose absolute value is below 2^bits: their product is above twice that. */
static int64_t prime_count(double bits, double prime_bits)
{
    return (int64_t)ceil((fmax(bits, 0) + 2) / prime_bits);
}

static int64_t batch_count(double bits, double prime_bits, int lanes)
{
    return (prime_count(bits, prime_bits) + lanes - 1) / lanes;
}

double pm_root_inverse_bytes(int32_t pairs, double bits)
{
    return (double)batch_count(bits, MOST_BITS, PM_LANES_MAX) * PM_LANES_MAX * pairs * pairs
           * (double)sizeof(double);
}

void pm_root_inverse_free(pm_root_inverse *x)
{
    pm_determinant_primes_free(&x->primes);
    free(x->row_at);
    free(x->col_at);
    free(x->row_of);
    free(x->col_of);
    free(x->lanes);
    free(x->memory);
    free(x->residue);
    *x = (pm_root_inverse){0};
}

/* Cells of one batch, in doubles. */
static int64_t batch_size(const pm_root_inverse *x)
{
    return (int64_t)x->pairs * x->pairs * x->kernel->lanes;
}

/* ---- making ---- */

/* The primes number count * attempt to count * (attempt + 1) - 1, from 2^24 down.  *least: the last one. */
static pm_status choose_primes(pm_root_inverse *x, int attempt, uint32_t *least, pm_error *err)
{
    const int64_t count = x->batches * x->kernel->lanes, first = count * attempt;
    pm_status status = pm_determinant_primes_choose(PM_LANE_PRIME_BITS * (double)(first + count),
                                                    false, false, &x->primes, err);
    if (status)
        return status;
    *least = x->primes.prime[first + count - 1];
    memmove(x->primes.prime, x->primes.prime + first, (size_t)count * sizeof *x->primes.prime);
    x->primes.count = count;
    return PM_OK;
}

/* Sets batches, primes and prime_bits: the more primes, the smaller the last ones. */
static pm_status choose_batches(pm_root_inverse *x, double bits, int attempt, pm_error *err)
{
    uint32_t least = 0;
    pm_status status = PM_OK;
    for (x->prime_bits = MOST_BITS; !status; x->prime_bits -= BITS_STEP) {
        x->batches = batch_count(bits, x->prime_bits, x->kernel->lanes);
        pm_determinant_primes_free(&x->primes);
        status = choose_primes(x, attempt, &least, err);
        if (!status && log2((double)least) > x->prime_bits)
            break;
    }
    return status;
}

static pm_status reserve(pm_root_inverse *x, pm_error *err)
{
    const int64_t m = x->pairs;
    x->row_at = pm_alloc_array(m, sizeof *x->row_at);
    x->col_at = pm_alloc_array(m, sizeof *x->col_at);
    x->row_of = pm_alloc_array(m, sizeof *x->row_of);
    x->col_of = pm_alloc_array(m, sizeof *x->col_of);
    x->lanes = pm_alloc_array(x->batches, sizeof *x->lanes);
    x->residue = pm_alloc_array(x->batches * x->kernel->lanes, sizeof *x->residue);
    x->memory = pm_alloc_huge(x->batches * batch_size(x) + PM_CELL_ALIGNMENT, sizeof *x->cells);
    if (!x->row_at || !x->col_at || !x->row_of || !x->col_of || !x->lanes || !x->residue
        || !x->memory)
        return pm_fail_memory(err, "an inverse");
    x->cells = pm_cells_in(x->memory);
    for (int32_t i = 0; i < x->pairs; ++i)
        x->row_at[i] = x->col_at[i] = x->row_of[i] = x->col_of[i] = i;
    return PM_OK;
}

/* What one thread needs. */
typedef struct {
    pm_determinant *d;
    void *memory;
    double *front, *next; /* (pairs + BLOCK)^2 cells each */
    double *column;       /* pairs + BLOCK cells */
} bench;

static pm_status open_bench(const pm_root_inverse *x, const pm_elimination *e,
                            const pm_integer_entries *z, bench *b, pm_error *err)
{
    const int64_t m = x->pairs + BLOCK, lanes = x->kernel->lanes;
    pm_status status = pm_determinant_open(e, z, x->kernel, &b->d, err);
    if (status)
        return status;
    b->memory = pm_alloc_huge((2 * m * m + m) * lanes + PM_CELL_ALIGNMENT, sizeof *b->front);
    if (!b->memory)
        return pm_fail_memory(err, "an inverse");
    b->front = pm_cells_in(b->memory);
    b->next = b->front + m * m * lanes;
    b->column = b->next + m * m * lanes;
    return PM_OK;
}

static void close_bench(bench *b)
{
    pm_determinant_close(b->d);
    free(b->memory);
}

/* Sets front to (A, U; U^T, 0), where A is m x m cells in rows of `stride` cells and U the first `own` columns of the
 * unit matrix. */
static void put_beside_unit(const pm_root_inverse *x, const double *a, int64_t stride, int64_t own,
                            double *front)
{
    const int64_t m = x->pairs, all = m + own, lanes = x->kernel->lanes;
    memset(front, 0, (size_t)(all * all * lanes) * sizeof *front);
    for (int64_t i = 0; i < m; ++i)
        memcpy(front + all * i * lanes, a + stride * i * lanes,
               (size_t)(m * lanes) * sizeof *front);
    for (int64_t i = 0; i < own; ++i)
        for (int64_t l = 0; l < lanes; ++l)
            front[(all * i + m + i) * lanes + l] = front[(all * (m + i) + i) * lanes + l] = 1;
}

/* Sets cells to the inverse of root, both pairs x pairs cells.  The Schur complement of (A, 1; 1, 0) on its second half
 * is -1 / A.  It is found by a few lines at a time: those that are eliminated leave the front, the same number of unit
 * lines enters it.
 * Returns whether all pivots were found.  pivots: multiplied by the determinant of root. */
static bool invert(const pm_root_inverse *x, const pm_lane_primes *q, bench *b, const double *root,
                   double *cells, double *pivots)
{
    const int64_t m = x->pairs, lanes = x->kernel->lanes;
    const double *a = root;
    int64_t stride = m;
    for (int64_t done = 0; done < m; done += BLOCK) {
        const int64_t own = m - done < BLOCK ? m - done : BLOCK;
        put_beside_unit(x, a, stride, own, b->front);
        if (x->kernel->eliminate(q, b->front, (int32_t)(m + own), (int32_t)own, b->column, pivots)
            != own)
            return false;
        double *swap = b->front;
        b->front = b->next;
        b->next = swap;
        stride = m + own;
        a = b->next + (own * stride + own) * lanes;
    }
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < m * lanes; ++j)
            cells[i * m * lanes + j] = -a[i * stride * lanes + j];
    return true;
}

static pm_status invert_batch(pm_root_inverse *x, bench *b, int64_t batch, const pm_run *run,
                              bool *found, pm_error *err)
{
    _Alignas(PM_CELL_ALIGNMENT) double pivots[PM_LANES_MAX] = {1, 1, 1, 1, 1, 1, 1, 1};
    const int lanes = x->kernel->lanes;
    const uint32_t *prime = x->primes.prime + batch * lanes;
    uint64_t *residue = x->residue + batch * lanes;
    const double *root;
    pm_status status = pm_determinant_root(b->d, prime, run, &root, residue, err);
    *found = !status && root;
    if (!*found)
        return status;
    x->lanes[batch] = *pm_determinant_lanes(b->d);
    *found = invert(x, &x->lanes[batch], b, root, x->cells + batch * batch_size(x), pivots);
    for (int l = 0; l < lanes; ++l)
        residue[l] = residue[l] * pm_cell_residue(pivots[l], prime[l]) % prime[l];
    return PM_OK;
}

static pm_status invert_batches(pm_root_inverse *x, const pm_elimination *e,
                                const pm_integer_entries *z, int64_t *next, const pm_run *run,
                                bool *found, pm_error *err)
{
    bench b = {0};
    *found = true;
    pm_status status = open_bench(x, e, z, &b, err);
    while (!status && *found) {
        int64_t batch;
#pragma omp atomic capture
        batch = (*next)++;
        if (batch >= x->batches)
            break;
        status = invert_batch(x, &b, batch, run, found, err);
    }
    close_bench(&b);
    return status;
}

pm_status pm_root_inverse_make(const pm_elimination *e, const pm_integer_entries *z, double bits,
                               int attempt, const pm_run *run, pm_root_inverse *out, bool *found,
                               pm_error *err)
{
    pm_root_inverse x = {.kernel = pm_front_kernel_for(pm_isa_best()),
                         .pairs = e->front[e->nfronts - 1].pairs};
    int64_t next = 0;
    x.left = x.pairs;
    *found = true;
    pm_status status = choose_batches(&x, bits, attempt, err);
    if (!status)
        status = reserve(&x, err);
    const int most = x.batches < pm_run_threads(run) ? (int)x.batches : pm_run_threads(run);
    const int threads = status ? 1 : pm_team(run, most);
#pragma omp parallel num_threads(threads) if (!status)
    {
        pm_error why;
        bool own_found = true;
        pm_status own = status ? status : invert_batches(&x, e, z, &next, run, &own_found, &why);
#pragma omp critical
        {
            *found = *found && own_found;
            if (own && !status) {
                status = own;
                if (err)
                    *err = why;
            }
        }
    }
    if (status || !*found)
        pm_root_inverse_free(&x);
    else
        *out = x;
    return status;
}

/* ---- use ---- */

static pm_status integer_of(const pm_root_inverse *x, double bits, const uint64_t *residue,
                            mpz_t out, pm_error *err)
{
    pm_determinant_primes few = x->primes; /* not freed: it owns nothing */
    few.count = prime_count(bits, x->prime_bits);
    return pm_determinant_primes_crt(&few, residue, 0, out, err);
}

pm_status pm_root_inverse_determinant(const pm_root_inverse *x, double bits, mpz_t out,
                                      pm_error *err)
{
    return integer_of(x, bits, x->residue, out, err);
}

/* The residue of the cofactor of row r and column c modulo prime number i. */
static uint64_t cofactor_residue(const pm_root_inverse *x, int32_t r, int32_t c, bool is_negative,
                                 int64_t i)
{
    const int lanes = x->kernel->lanes;
    const uint32_t p = x->primes.prime[i];
    const double *cells = x->cells + i / lanes * batch_size(x);
    const double cell =
        cells[((int64_t)x->col_at[c] * x->pairs + x->row_at[r]) * lanes + i % lanes];
    return x->residue[i] * pm_cell_residue(is_negative ? -cell : cell, p) % p;
}

pm_status pm_root_inverse_cofactor(const pm_root_inverse *x, int32_t r, int32_t c, bool is_negative,
                                   double bits, mpz_t out, pm_error *err)
{
    const int64_t count = prime_count(bits, x->prime_bits);
    uint64_t *residue = pm_alloc_array(count, sizeof *residue);
    if (!residue)
        return pm_fail_memory(err, "residues");
    for (int64_t i = 0; i < count; ++i)
        residue[i] = cofactor_residue(x, r, c, is_negative, i);
    pm_status status = integer_of(x, bits, residue, out, err);
    free(residue);
    return status;
}

/* The last of the `left` lines takes place `at`. */
static void take_place(int32_t *at_of, int32_t *line_of, int32_t left, int32_t line)
{
    const int32_t at = at_of[line], last = line_of[left - 1];
    line_of[at] = last;
    at_of[last] = at;
    at_of[line] = -1;
}

pm_status pm_root_inverse_leave_out(pm_root_inverse *x, int32_t r, int32_t c, bool is_negative,
                                    double bits, const pm_run *run, bool *found, pm_error *err)
{
    const int64_t needed = batch_count(bits, x->prime_bits, x->kernel->lanes), size = batch_size(x);
    const int32_t row = x->col_at[c], col = x->row_at[r];
    x->batches = needed < x->batches ? needed : x->batches;
    int64_t zeros = 0;
    if (pm_run_stopped(run))
        return pm_fail(err, PM_ESTOPPED, "stopped");
    for (int64_t i = 0; i < x->batches * x->kernel->lanes; ++i)
        x->residue[i] = cofactor_residue(x, r, c, is_negative, i);
    const int most = x->batches < pm_run_threads(run) ? (int)x->batches : pm_run_threads(run);
    const int threads = (double)x->batches * x->left * x->left < 1e4 ? 1 : pm_team(run, most);
#pragma omp parallel for num_threads(threads) reduction(+ : zeros) if (threads > 1)
    for (int64_t b = 0; b < x->batches; ++b)
        zeros += !x->kernel->shrink_inverse(&x->lanes[b], x->cells + b * size, x->pairs, x->left,
                                            row, col);
    *found = zeros == 0;
    take_place(x->row_at, x->row_of, x->left, r);
    take_place(x->col_at, x->col_of, x->left, c);
    --x->left;
    return PM_OK;
}
