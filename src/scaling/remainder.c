/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "scaling/remainder.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "sampler/vertex_key.h"

/* ---- the whole ---- */

static int32_t padded(int32_t length)
{
    return (length + PM_STRIDE - 1) / PM_STRIDE * PM_STRIDE;
}

static pm_status make_padded(int32_t n, const int32_t *ptr, const int32_t *ind, const double *value,
                             pm_padded_lists *p, pm_error *err)
{
    int64_t size = 0;
    for (int32_t i = 0; i < n; ++i)
        size += padded(ptr[i + 1] - ptr[i]);
    if (size > INT32_MAX)
        return pm_fail(err, PM_UNABLE, "too many entries for a scaling");
    p->start = pm_alloc_array(n + 1, sizeof *p->start);
    p->length = pm_alloc_array(n, sizeof *p->length);
    p->at = pm_alloc_array(size, sizeof *p->at);
    p->value = value ? pm_alloc_array(size, sizeof *p->value) : NULL;
    if (!p->start || !p->length || !p->at || (value && !p->value))
        return pm_fail_memory(err, "the lines of a matrix");
    int32_t end = 0;
    for (int32_t i = 0; i < n; ++i) {
        int32_t length = ptr[i + 1] - ptr[i], room = padded(length);
        p->start[i] = end;
        p->length[i] = length;
        for (int32_t k = 0; k < room; ++k) {
            p->at[end + k] = k < length ? ind[ptr[i] + k] : n;
            if (value)
                p->value[end + k] = k < length ? value[ptr[i] + k] : 1;
        }
        end += room;
    }
    p->start[n] = end;
    return PM_OK;
}

pm_status pm_padded_matrix_make(const pm_neighbours *l, pm_padded_matrix *out, pm_error *err)
{
    out->n = l->n;
    out->most = l->max_row_degree > l->max_column_degree ? l->max_row_degree : l->max_column_degree;
    out->r = pm_alloc_array(l->n, sizeof *out->r);
    out->c = pm_alloc_array(l->n, sizeof *out->c);
    if (!out->r || !out->c)
        return pm_fail_memory(err, "the scaling");
    for (int32_t i = 0; i < l->n; ++i)
        out->r[i] = out->c[i] = 1;
    pm_status s = make_padded(l->n, l->rowptr, l->colind, l->rowval, &out->row, err);
    return s == PM_OK ? make_padded(l->n, l->colptr, l->rowind, l->colval, &out->column, err) : s;
}

static void free_padded(pm_padded_lists *p)
{
    free(p->start);
    free(p->length);
    free(p->at);
    free(p->value);
}

void pm_padded_matrix_free(pm_padded_matrix *w)
{
    free_padded(&w->row);
    free_padded(&w->column);
    free(w->r);
    free(w->c);
    *w = (pm_padded_matrix){0};
}

/* ---- memory ---- */

static void *carve(char *memory, size_t *used, size_t bytes)
{
    void *p = memory ? memory + *used : NULL;
    *used += (bytes + 63) / 64 * 64;
    return p;
}

static void lay_side(pm_remainder_side *s, const pm_padded_lists *p, int32_t lines, char *memory,
                     size_t *used)
{
    size_t n = (size_t)lines, places = (size_t)p->start[lines];
    s->at = carve(memory, used, places * sizeof *s->at);
    s->value = p->value ? carve(memory, used, places * sizeof *s->value) : NULL;
    s->length = carve(memory, used, n * sizeof *s->length);
    s->scale = carve(memory, used, (n + 1) * sizeof *s->scale);
    s->line = carve(memory, used, n * sizeof *s->line);
    s->place = carve(memory, used, n * sizeof *s->place);
}

/* Bytes; the arrays, where there is memory. */
static size_t lay(pm_remainder *x, const pm_padded_matrix *w, char *memory)
{
    size_t used = 0;
    x->row.key = carve(memory, &used, 2 * (size_t)w->n * sizeof *x->row.key);
    x->column.key = memory ? x->row.key + w->n : NULL;
    lay_side(&x->row, &w->row, w->n, memory, &used);
    lay_side(&x->column, &w->column, w->n, memory, &used);
    x->score = carve(memory, &used, (size_t)w->most * sizeof *x->score);
    return used;
}

size_t pm_remainder_bytes(const pm_padded_matrix *w)
{
    pm_remainder x;
    return lay(&x, w, NULL);
}

/* ---- start ---- */

static void start_side(pm_remainder_side *s, const pm_padded_lists *p, int32_t n,
                       const double *scale, int32_t first_vertex)
{
    s->start = p->start;
    memcpy(s->at, p->at, (size_t)p->start[n] * sizeof *p->at);
    if (s->value)
        memcpy(s->value, p->value, (size_t)p->start[n] * sizeof *p->value);
    memcpy(s->scale, scale, (size_t)n * sizeof *scale);
    s->scale[n] = 0;
    for (int32_t i = 0; i < n; ++i) {
        s->length[i] = p->length[i];
        s->line[i] = s->place[i] = i;
        s->key[i] = pm_vertex_key(first_vertex + i, s->length[i]);
    }
}

void pm_remainder_start(pm_remainder *x, const pm_padded_matrix *w, void *memory)
{
    lay(x, w, memory);
    x->n = x->left = w->n;
    start_side(&x->row, &w->row, w->n, w->r, 0);
    start_side(&x->column, &w->column, w->n, w->c, w->n);
}

/* ---- taking ---- */

/* Line i loses its neighbour j, of n; false when it was the last one. */
static bool lose(pm_remainder_side *s, int32_t i, int32_t j, int32_t n)
{
    int32_t *at = s->at + s->start[i], last = --s->length[i], k = 0;
    while (at[k] != j)
        ++k;
    at[k] = at[last];
    at[last] = n;
    if (s->value)
        s->value[s->start[i] + k] = s->value[s->start[i] + last];
    s->key[i] -= PM_VERTEX_KEY_DEGREE;
    return last > 0;
}

static void leave(pm_remainder_side *s, int32_t i, int32_t left)
{
    int32_t place = s->place[i], moved = s->line[left - 1];
    s->line[place] = moved;
    s->place[moved] = place;
    s->key[i] = ~UINT32_C(0);
}

/* The neighbours of line i of `own`, on the other side, lose it; not `partner`, which leaves. */
static bool part(const pm_remainder_side *own, pm_remainder_side *other, int32_t i, int32_t partner,
                 int32_t n)
{
    const int32_t *at = own->at + own->start[i];
    bool alive = true;
    for (int32_t k = 0; k < own->length[i]; ++k)
        if (at[k] != partner)
            alive = lose(other, at[k], i, n) && alive;
    return alive;
}

bool pm_remainder_take(pm_remainder *x, int32_t i, int32_t j)
{
    bool alive = part(&x->row, &x->column, i, j, x->n);
    alive = part(&x->column, &x->row, j, i, x->n) && alive;
    leave(&x->row, i, x->left);
    leave(&x->column, j, x->left);
    --x->left;
    return alive;
}

/* ---- scaling ---- */

/* Four sums, for the latency of additions; in a fixed order, for the digits. */
static double sum_of(const int32_t *at, int32_t length, const double *scale)
{
    double a = 0, b = 0, c = 0, d = 0;
    for (int32_t k = 0; k < length; k += PM_STRIDE) {
        a += scale[at[k]];
        b += scale[at[k + 1]];
        c += scale[at[k + 2]];
        d += scale[at[k + 3]];
    }
    return (a + b) + (c + d);
}

static double weighted_sum_of(const int32_t *at, const double *value, int32_t length,
                              const double *scale)
{
    double a = 0, b = 0, c = 0, d = 0;
    for (int32_t k = 0; k < length; k += PM_STRIDE) {
        a += value[k] * scale[at[k]];
        b += value[k + 1] * scale[at[k + 1]];
        c += value[k + 2] * scale[at[k + 2]];
        d += value[k + 3] * scale[at[k + 3]];
    }
    return (a + b) + (c + d);
}

/* Limits keep products of two scales finite, whatever the matrix. */
static void balance_side(pm_remainder_side *s, const pm_remainder_side *other, int32_t left)
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
