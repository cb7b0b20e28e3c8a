/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "repeated/repeated_exact.h"

#include <math.h>
#include <stdlib.h>

#include "number/prime.h"
#include "pm/alloc.h"
#include "repeated/repeated_exact_problem.h"
#include "repeated/repeated_weights.h"

static pm_repeated_exact_range *range_for(pm_isa isa)
{
#if PM_HAVE_X86
    if (isa >= PM_ISA_AVX512)
        return pm_repeated_exact_avx512;
    if (isa == PM_ISA_AVX2)
        return pm_repeated_exact_avx2;
#endif
    (void)isa;
    return pm_repeated_exact_portable;
}

pm_status pm_repeated_exact_digits(const pm_square *s, pm_repeated_digits *out, pm_error *err)
{
    return pm_repeated_digits_make(s, sizeof(double) * s->n, out, err);
}

/* ---- chunks ---- */

/* Decides which rows are residues, and where chunks end. */
static void divide_rows(const pm_square *s, pm_repeated_exact *f)
{
    const pm_repeated_powers *w = &f->powers;
    int32_t i = 0;
    for (int32_t g = 0; g < w->groups; ++g)
        for (double product = 1; i < w->end[g]; ++i) {
            double bound = fmax((double)s->bound[w->row[i]], 1);
            f->is_residue[i] = bound > f->p / 2;
            if (f->is_residue[i])
                bound = f->p;
            product *= bound;
            double next = i + 1 < w->end[g] ? fmax((double)s->bound[w->row[i + 1]], 1) : INFINITY;
            f->ends_chunk[i] = product * next * (1 + 0x1p-40) > f->p;
            if (f->ends_chunk[i])
                product = 1;
        }
}

double pm_repeated_exact_work(const pm_square *s, const pm_repeated_digits *d)
{
    enum { SUM = 2, RESIDUE = 10, TERM = 12, TILE = 120, VALUE = 3000 /* a modular inverse */ };
    pm_repeated_exact f = {.p = (double)PM_REPEATED_PRIME_MAX,
                           .powers = pm_repeated_powers_make(s)};
    divide_rows(s, &f);
    double chunks = pm_repeated_multiplications(&f.powers) - f.powers.rows;
    for (int32_t i = 0; i < f.powers.rows; ++i)
        chunks += f.ends_chunk[i];
    double term = SUM * f.powers.rows + RESIDUE * chunks + TERM;
    return VALUE * pm_repeated_values(d)
           + (double)d->tiles
                 * ((double)d->padded / PM_REPEATED_LANES * term + TILE + 2. * f.powers.rows);
}

/* ---- tables ---- */

/* x modulo the prime, of least magnitude. */
static int64_t least_residue(const pm_repeated_exact *f, __int128 x)
{
    int64_t p = (int64_t)f->prime, r = (int64_t)(x % p);
    return r > p / 2 ? r - p : r < -(p / 2) ? r + p : r;
}

/* The integer as it is, or its residue. */
static double number(const pm_repeated_exact *f, int32_t i, __int128 x)
{
    return f->is_residue[i] ? (double)least_residue(f, x) : (double)(int64_t)x;
}

static void fill_row(const pm_repeated_exact *f, const int64_t *entry, int32_t i, double *t)
{
    const pm_repeated_digits *d = &f->digits;
    int32_t k[PM_SQUARE_MAX];
    for (int64_t p = 0; p < d->patterns; ++p) {
        __int128 sum = 0;
        pm_repeated_pattern(d, p, k);
        for (int32_t j = 0; j < d->inner; ++j)
            sum += (__int128)entry[d->digit[j].column] * (d->digit[j].times - 2 * k[j]);
        t[p] = number(f, i, sum);
    }
}

static void fill_tables(const pm_square *s, pm_repeated_exact *f)
{
    const pm_repeated_digits *d = &f->digits;
    int32_t rows = f->powers.rows;
    for (int32_t i = 0; i < rows; ++i) {
        int64_t entry[PM_SQUARE_MAX] = {0};
        __int128 start = 0;
        for (int32_t k = s->rowptr[f->powers.row[i]]; k < s->rowptr[f->powers.row[i] + 1]; ++k)
            entry[s->colind[k]] = s->re[s->in_ccs[k]];
        fill_row(f, entry, i, f->table + i * d->padded);
        for (int32_t j = d->inner; j < d->count; ++j) {
            int64_t a = entry[d->digit[j].column];
            start += (__int128)a * d->digit[j].times;
            f->entry[(int64_t)rows * (j - d->inner) + i] = number(f, i, 2 * (__int128)a);
        }
        f->start[i] = number(f, i, start);
    }
}

static void set_digit_weights(pm_repeated_exact *f)
{
    for (int32_t j = 0; j < f->digits.count; ++j)
        pm_repeated_weights_modulo(&f->digits.digit[j], f->prime, f->digit_weight + f->first[j]);
}

static void set_pattern_weights(pm_repeated_exact *f)
{
    int32_t k[PM_SQUARE_MAX];
    for (int64_t q = 0; q < f->digits.patterns; ++q) {
        uint64_t w = 1;
        pm_repeated_pattern(&f->digits, q, k);
        for (int32_t j = 0; j < f->digits.inner; ++j)
            w = pm_mod_mul(w, f->digit_weight[f->first[j] + k[j]], f->prime);
        f->weight[q] = (double)least_residue(f, w);
    }
}

/* ---- the sweep ---- */

static void free_problem(void *problem)
{
    pm_repeated_exact *f = problem;
    if (!f)
        return;
    free(f->room);
    free(f->digit_weight);
    free(f);
}

static pm_status allocate(pm_repeated_exact *f)
{
    const pm_repeated_digits *d = &f->digits;
    int64_t rows = f->powers.rows, table = rows * d->padded,
            start = pm_repeated_whole_vectors(rows);
    int64_t entry = rows * (d->count - d->inner), values = 0;
    for (int32_t j = 0; j < d->count; ++j) {
        f->first[j] = (int32_t)values;
        values += d->digit[j].radix;
    }
    f->digit_weight = pm_alloc_array(values, sizeof *f->digit_weight);
    f->room =
        pm_calloc_array(table + d->padded + start + entry + PM_REPEATED_LANES, sizeof *f->room);
    if (!f->digit_weight || !f->room)
        return PM_ENOMEM;
    f->table = pm_repeated_aligned(f->room);
    f->weight = f->table + table;
    f->start = f->weight + d->padded;
    f->entry = f->start + start;
    return PM_OK;
}

/* Some milliseconds with the widest vectors. */
static uint64_t piece_of(const pm_repeated_exact *f)
{
    double vectors = (double)f->digits.padded / PM_REPEATED_LANES;
    return (uint64_t)fmax(1, 2e6 / (vectors * (f->powers.rows + 4)));
}

pm_status pm_repeated_exact_prepare_isa(const pm_square *s, uint64_t prime, pm_isa isa,
                                        pm_sweep *out, pm_error *err)
{
    pm_repeated_digits digits;
    pm_status status = pm_repeated_exact_digits(s, &digits, err);
    if (status)
        return status;
    pm_repeated_exact *f = pm_calloc_array(1, sizeof *f);
    if (f) {
        f->digits = digits;
        f->powers = pm_repeated_powers_make(s);
        f->prime = prime;
        f->p = (double)prime;
        f->inverse = 1 / f->p;
    }
    if (!f || allocate(f)) {
        free_problem(f);
        return pm_fail_memory(err, "tables");
    }
    divide_rows(s, f);
    fill_tables(s, f);
    set_digit_weights(f);
    set_pattern_weights(f);
    int64_t copies = 0;
    for (int32_t j = 0; j < s->n; ++j)
        copies += s->col_times[j];
    *out = (pm_sweep){.what = "repeated",
                      .count = digits.tiles,
                      .grain = 1,
                      .piece = piece_of(f),
                      .limbs = 2,
                      .shift = -copies,
                      .problem = f,
                      .range = range_for(isa),
                      .free_problem = free_problem};
    return PM_OK;
}

pm_status pm_repeated_exact_prepare(const pm_square *s, const void *choice, const uint64_t *prime,
                                    int count, pm_sweep *out, pm_error *err)
{
    (void)choice, (void)count;
    return pm_repeated_exact_prepare_isa(s, prime[0], pm_isa_best(), out, err);
}

uint64_t pm_repeated_exact_residue(const pm_sweep *s, const pm_sum *sum, int32_t k)
{
    return pm_sum_residue(sum, k, s->shift, ((const pm_repeated_exact *)s->problem)->prime);
}
