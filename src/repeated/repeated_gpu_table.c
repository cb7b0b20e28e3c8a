/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "repeated/repeated_gpu_table.h"

#include <stdlib.h>

#include "number/dd.h"
#include "number/prime.h"
#include "pm/alloc.h"
#include "repeated/repeated_weights.h"

/* ---- the parts of the table, in their order ---- */

int64_t pm_repeated_gpu_run(const pm_repeated_gpu_shape *h)
{
    return h->digits.inner ? h->digits.digit[0].radix : 1;
}

int64_t pm_repeated_gpu_runs(const pm_repeated_gpu_shape *h)
{
    return h->digits.patterns / pm_repeated_gpu_run(h);
}

static int64_t start_at(const pm_repeated_gpu_shape *h)
{
    return h->digits.count * pm_repeated_gpu_width(h);
}

static int64_t raised_at(const pm_repeated_gpu_shape *h)
{
    return start_at(h) + pm_repeated_gpu_width(h);
}

static int64_t weights_at(const pm_repeated_gpu_shape *h)
{
    return raised_at(h) + h->arithmetic.n + 1; /* the last one says whether there is a spread */
}

static int64_t runs_at(const pm_repeated_gpu_shape *h)
{
    return weights_at(h) + (int64_t)pm_repeated_values(&h->digits) * pm_repeated_gpu_weight(h);
}

int64_t pm_repeated_gpu_cells(const pm_repeated_gpu_shape *h)
{
    return runs_at(h) + pm_repeated_gpu_runs(h) * (pm_repeated_gpu_weight(h) + 1);
}

/* ---- weights ---- */

/* Of least magnitude. */
static double signed_residue(uint64_t x, uint64_t prime)
{
    return x > prime / 2 ? -(double)(prime - x) : (double)x;
}

static uint64_t residue_of(double x, uint64_t prime)
{
    return x < 0 ? prime - (uint64_t)-x : (uint64_t)x;
}

/* to: the weights of the values of one digit; room: of its radix. */
static void put_residues(const pm_repeated_gpu_shape *h, const pm_repeated_digit *g, uint64_t *room,
                         double *to)
{
    const pm_gpu_arithmetic *a = &h->arithmetic;
    for (int k = 0; k < a->nprimes; ++k) {
        pm_repeated_weights_modulo(g, a->prime[k], room);
        for (int64_t v = 0; v < g->radix; ++v)
            to[v * a->nprimes + k] = signed_residue(room[v], a->prime[k]);
    }
}

/* to: the weights of the values of one digit in single precision, not yet rounded. */
static void put_singles(const pm_repeated_digit *g, double (*room)[2], double *to)
{
    pm_repeated_weights(g, room);
    for (int64_t v = 0; v < g->radix; ++v)
        to[v] = room[v][0];
}

static void put_digits(const pm_repeated_gpu_shape *h, void *room, double *table)
{
    double *to = table + weights_at(h);
    for (int32_t j = 0; j < h->digits.count; ++j) {
        const pm_repeated_digit *g = &h->digits.digit[j];
        if (h->arithmetic.nprimes)
            put_residues(h, g, room, to);
        else if (pm_repeated_gpu_weight(h) == 1)
            put_singles(g, room, to);
        else
            pm_repeated_weights(g, (double(*)[2])to);
        to += g->radix * pm_repeated_gpu_weight(h);
    }
}

/* w *= by */
static void multiply_weight(const pm_repeated_gpu_shape *h, const double *by, double *w)
{
    const pm_gpu_arithmetic *a = &h->arithmetic;
    if (!a->nprimes && pm_repeated_gpu_weight(h) == 1)
        w[0] *= by[0];
    else if (!a->nprimes)
        pm_dd_mul(w, w, by);
    for (int k = 0; k < a->nprimes; ++k) {
        uint64_t p = a->prime[k];
        w[k] = signed_residue(pm_mod_mul(residue_of(w[k], p), residue_of(by[k], p), p), p);
    }
}

/* The product of the weights of the digits 1 .. inner - 1 with the values k. */
static void put_run(const pm_repeated_gpu_shape *h, const double *weights, const int32_t *k,
                    double *to)
{
    int weight = pm_repeated_gpu_weight(h);
    for (int i = 0; i < weight; ++i)
        to[i] = h->arithmetic.nprimes || i == 0;
    for (int32_t j = 0; j < h->digits.inner; ++j) {
        if (j > 0)
            multiply_weight(h, weights + k[j] * weight, to);
        weights += h->digits.digit[j].radix * weight;
    }
}

/* Moves the digits 1 .. inner - 1 to the next value of their Gray code, which exists.  Returns the
 * code of the change, see cuda/repeated.cuh. */
static int32_t next_run(const pm_repeated_gpu_shape *h, int32_t *k, int32_t *step)
{
    for (int32_t j = 1;; ++j) {
        int64_t moved = (int64_t)k[j] + step[j];
        if (moved >= 0 && moved < h->digits.digit[j].radix) {
            k[j] = (int32_t)moved;
            return 2 * j + (step[j] > 0);
        }
        step[j] = -step[j];
    }
}

static void put_runs(const pm_repeated_gpu_shape *h, double *table)
{
    int32_t k[PM_SQUARE_MAX] = {0}, step[PM_SQUARE_MAX];
    int weight = pm_repeated_gpu_weight(h);
    double *to = table + runs_at(h);
    for (int32_t j = 0; j < h->digits.inner; ++j)
        step[j] = 1;
    for (int64_t b = 0; b < pm_repeated_gpu_runs(h); ++b, to += weight + 1) {
        to[weight] = b ? next_run(h, k, step) : 0;
        put_run(h, table + weights_at(h), k, to);
    }
}

pm_status pm_repeated_gpu_put_weights(const pm_repeated_gpu_shape *h, double *table, pm_error *err)
{
    void *room = pm_alloc_array((int64_t)pm_repeated_values(&h->digits), 2 * sizeof(double));
    if (!room)
        return pm_fail_memory(err, "weights");
    put_digits(h, room, table);
    put_runs(h, table);
    free(room);
    return PM_OK;
}

/* ---- entries ---- */

void pm_repeated_gpu_put_integers(const pm_repeated_gpu_shape *h, const pm_square *s, double *table)
{
    int64_t width = pm_repeated_gpu_width(h);
    double *start = table + start_at(h);
    for (int32_t i = 0; i < h->powers.rows; ++i) {
        int64_t entry[PM_SQUARE_MAX] = {0};
        for (int32_t k = s->rowptr[h->powers.row[i]]; k < s->rowptr[h->powers.row[i] + 1]; ++k)
            entry[s->colind[k]] = s->re[s->in_ccs[k]];
        for (int32_t j = 0; j < h->digits.count; ++j) {
            double a = (double)entry[h->digits.digit[j].column];
            table[j * width + i] = 2 * a;
            start[i] += h->digits.digit[j].times * a;
        }
    }
}

void pm_repeated_gpu_put_floats(const pm_repeated_gpu_shape *h, int32_t n, const double *entry,
                                const double *raised, double *table)
{
    int parts = pm_gpu_parts(&h->arithmetic);
    int64_t width = pm_repeated_gpu_width(h);
    double *start = table + start_at(h), *to = table + raised_at(h);
    for (int32_t i = 0; i < h->powers.rows; ++i) {
        const double *row = entry + (int64_t)h->powers.row[i] * n * parts;
        for (int32_t j = 0; j < h->digits.count; ++j)
            for (int c = 0; c < parts; ++c) {
                double a = row[h->digits.digit[j].column * parts + c];
                table[j * width + i * parts + c] = 2 * a;
                start[i * parts + c] += h->digits.digit[j].times * a;
            }
        to[i] = raised ? raised[i] : 0;
    }
    to[h->powers.rows] = raised != NULL;
}
