/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "approx/remainder.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "approx/fewest.h"

/* ---- memory ---- */

static size_t rounded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static void *carve(char **memory, size_t bytes)
{
    void *p = *memory;
    *memory += rounded(bytes);
    return p;
}

/* Lays the arrays out from `memory` on; returns its end. */
static char *lay_side(pm_side *s, const pm_lists *l, char *memory)
{
    size_t n = (size_t)l->n, nnz = (size_t)l->nnz;
    s->at = carve(&memory, nnz * sizeof *s->at);
    s->value = l->rowval ? carve(&memory, nnz * sizeof *s->value) : NULL;
    s->length = carve(&memory, n * sizeof *s->length);
    s->scale = carve(&memory, n * sizeof *s->scale);
    s->line = carve(&memory, n * sizeof *s->line);
    s->place = carve(&memory, n * sizeof *s->place);
    return memory;
}

static char *lay(pm_remainder *x, const pm_lists *l, char *memory)
{
    int32_t most = l->most_in_row > l->most_in_column ? l->most_in_row : l->most_in_column;
    x->lists = l;
    x->row.key = carve(&memory, 2 * (size_t)l->n * sizeof *x->row.key);
    x->column.key = x->row.key + l->n;
    memory = lay_side(&x->row, l, memory);
    memory = lay_side(&x->column, l, memory);
    x->score = carve(&memory, (size_t)most * sizeof *x->score);
    return memory;
}

size_t pm_remainder_bytes(const pm_lists *l)
{
    size_t n = (size_t)l->n, nnz = (size_t)l->nnz;
    size_t a_side = rounded(nnz * sizeof(int32_t)) + 3 * rounded(n * sizeof(int32_t))
                    + rounded(n * sizeof(double)) + (l->rowval ? rounded(nnz * sizeof(double)) : 0);
    return 2 * a_side + rounded(2 * n * sizeof(uint32_t)) + rounded(n * sizeof(double));
}

/* ---- start ---- */

static void start_side(pm_side *s, const pm_lists *l, const int32_t *start, const int32_t *at,
                       const double *value, const double *scale, int32_t first_vertex)
{
    s->start = start;
    memcpy(s->at, at, (size_t)l->nnz * sizeof *at);
    if (s->value)
        memcpy(s->value, value, (size_t)l->nnz * sizeof *value);
    for (int32_t i = 0; i < l->n; ++i) {
        s->length[i] = start[i + 1] - start[i];
        s->scale[i] = scale ? scale[i] : 1;
        s->line[i] = s->place[i] = i;
        s->key[i] = pm_key(first_vertex + i, s->length[i]);
    }
}

void pm_remainder_start(pm_remainder *x, const pm_lists *l, const double *r, const double *c,
                        void *memory)
{
    lay(x, l, memory);
    x->left = l->n;
    start_side(&x->row, l, l->rowptr, l->colind, l->rowval, r, 0);
    start_side(&x->column, l, l->colptr, l->rowind, l->colval, c, l->n);
}

/* ---- taking ---- */

/* Line i loses its neighbour j; false when it was the last one. */
static bool lose(pm_side *s, int32_t i, int32_t j)
{
    int32_t *at = s->at + s->start[i], last = --s->length[i], k = 0;
    while (at[k] != j)
        ++k;
    at[k] = at[last];
    if (s->value)
        s->value[s->start[i] + k] = s->value[s->start[i] + last];
    s->key[i] -= PM_KEY_DEGREE;
    return last > 0;
}

static void leave(pm_side *s, int32_t i, int32_t left)
{
    int32_t place = s->place[i], moved = s->line[left - 1];
    s->line[place] = moved;
    s->place[moved] = place;
    s->key[i] = ~UINT32_C(0);
}

/* The neighbours of line i of `own`, on the other side, lose it; but for `partner`, which leaves. */
static bool part(const pm_side *own, pm_side *other, int32_t i, int32_t partner)
{
    const int32_t *at = own->at + own->start[i];
    bool alive = true;
    for (int32_t k = 0; k < own->length[i]; ++k)
        if (at[k] != partner)
            alive = lose(other, at[k], i) && alive;
    return alive;
}

bool pm_remainder_take(pm_remainder *x, int32_t i, int32_t j)
{
    bool alive = part(&x->row, &x->column, i, j);
    alive = part(&x->column, &x->row, j, i) && alive;
    leave(&x->row, i, x->left);
    leave(&x->column, j, x->left);
    --x->left;
    return alive;
}

/* ---- scaling ---- */

/* Two sums, for the latency of additions; in a fixed order, for the digits. */
static double sum_of(const int32_t *at, int32_t length, const double *scale)
{
    double even = 0, odd = 0;
    for (int32_t k = 0; k + 1 < length; k += 2) {
        even += scale[at[k]];
        odd += scale[at[k + 1]];
    }
    if (length & 1)
        even += scale[at[length - 1]];
    return even + odd;
}

static double weighted_sum_of(const int32_t *at, const double *value, int32_t length,
                              const double *scale)
{
    double sum = 0;
    for (int32_t k = 0; k < length; ++k)
        sum += value[k] * scale[at[k]];
    return sum;
}

/* Limits keep products of two scales finite, whatever the matrix. */
static void balance_side(pm_side *s, const pm_side *other, int32_t left)
{
    for (int32_t k = 0; k < left; ++k) {
        int32_t i = s->line[k], start = s->start[i];
        double sum =
            s->value ? weighted_sum_of(s->at + start, s->value + start, s->length[i], other->scale)
                     : sum_of(s->at + start, s->length[i], other->scale);
        double scale = 1 / sum;
        scale = scale < 1e140 ? scale : 1e140;
        s->scale[i] = scale > 1e-140 ? scale : 1e-140;
    }
}

void pm_remainder_scale(pm_remainder *x, int sweeps)
{
    for (int t = 0; t < sweeps; ++t) {
        balance_side(&x->column, &x->row, x->left);
        balance_side(&x->row, &x->column, x->left);
    }
}
