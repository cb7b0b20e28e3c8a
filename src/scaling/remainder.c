/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "scaling/remainder.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "sampler/vertex_key.h"

/* ---- the whole matrix ---- */

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
    p->neighbour = pm_alloc_array(size, sizeof *p->neighbour);
    p->value = value ? pm_alloc_array(size, sizeof *p->value) : NULL;
    if (!p->start || !p->length || !p->neighbour || (value && !p->value))
        return pm_fail_memory(err, "the lines of a matrix");
    int32_t end = 0;
    for (int32_t i = 0; i < n; ++i) {
        int32_t length = ptr[i + 1] - ptr[i], capacity = padded(length);
        p->start[i] = end;
        p->length[i] = length;
        for (int32_t k = 0; k < capacity; ++k) {
            p->neighbour[end + k] = k < length ? ind[ptr[i] + k] : n;
            if (value)
                p->value[end + k] = k < length ? value[ptr[i] + k] : 1;
        }
        end += capacity;
    }
    p->start[n] = end;
    return PM_OK;
}

pm_status pm_padded_matrix_make(const pm_neighbours *l, pm_padded_matrix *out, pm_error *err)
{
    out->n = l->n;
    out->max_length =
        l->max_row_degree > l->max_column_degree ? l->max_row_degree : l->max_column_degree;
    out->r = pm_alloc_array(l->n, sizeof *out->r);
    out->c = pm_alloc_array(l->n, sizeof *out->c);
    if (!out->r || !out->c)
        return pm_fail_memory(err, "the scaling");
    for (int32_t i = 0; i < l->n; ++i)
        out->r[i] = out->c[i] = 1;
    pm_status status = make_padded(l->n, l->rowptr, l->colind, l->rowval, &out->row, err);
    return status ? status : make_padded(l->n, l->colptr, l->rowind, l->colval, &out->column, err);
}

static void free_padded(pm_padded_lists *p)
{
    free(p->start);
    free(p->length);
    free(p->neighbour);
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

static void lay_out_side(pm_remainder_side *s, const pm_padded_lists *p, int32_t lines,
                         char *memory, size_t *used)
{
    size_t n = (size_t)lines, positions = (size_t)p->start[lines];
    s->neighbour = carve(memory, used, positions * sizeof *s->neighbour);
    s->value = p->value ? carve(memory, used, positions * sizeof *s->value) : NULL;
    s->length = carve(memory, used, n * sizeof *s->length);
    s->scale = carve(memory, used, (n + 1) * sizeof *s->scale);
    s->line = carve(memory, used, n * sizeof *s->line);
    s->position = carve(memory, used, n * sizeof *s->position);
}

/* Returns the bytes of all arrays of *x.  Sets the arrays unless memory is NULL. */
static size_t lay_out(pm_remainder *x, const pm_padded_matrix *w, char *memory)
{
    size_t used = 0;
    x->row.key = carve(memory, &used, 2 * (size_t)w->n * sizeof *x->row.key);
    x->column.key = memory ? x->row.key + w->n : NULL;
    lay_out_side(&x->row, &w->row, w->n, memory, &used);
    lay_out_side(&x->column, &w->column, w->n, memory, &used);
    x->share = carve(memory, &used, (size_t)w->max_length * sizeof *x->share);
    return used;
}

size_t pm_remainder_bytes(const pm_padded_matrix *w)
{
    pm_remainder x;
    return lay_out(&x, w, NULL);
}

/* ---- start ---- */

static void start_side(pm_remainder_side *s, const pm_padded_lists *p, int32_t n,
                       const double *scale, int32_t first_vertex)
{
    s->start = p->start;
    memcpy(s->neighbour, p->neighbour, (size_t)p->start[n] * sizeof *p->neighbour);
    if (s->value)
        memcpy(s->value, p->value, (size_t)p->start[n] * sizeof *p->value);
    memcpy(s->scale, scale, (size_t)n * sizeof *scale);
    s->scale[n] = 0;
    for (int32_t i = 0; i < n; ++i) {
        s->length[i] = p->length[i];
        s->line[i] = s->position[i] = i;
        s->key[i] = pm_vertex_key(first_vertex + i, s->length[i]);
    }
}

void pm_remainder_start(pm_remainder *x, const pm_padded_matrix *w, void *memory)
{
    lay_out(x, w, memory);
    x->n = x->left = w->n;
    start_side(&x->row, &w->row, w->n, w->r, 0);
    start_side(&x->column, &w->column, w->n, w->c, w->n);
}

/* ---- matching ---- */

/* Removes neighbour j from line i; n is the number of rows.  Returns false if it was the last one.
 * */
static bool remove_neighbour(pm_remainder_side *s, int32_t i, int32_t j, int32_t n)
{
    int32_t *at = s->neighbour + s->start[i], last = --s->length[i], k = 0;
    while (at[k] != j)
        ++k;
    at[k] = at[last];
    at[last] = n;
    if (s->value)
        s->value[s->start[i] + k] = s->value[s->start[i] + last];
    s->key[i] -= PM_VERTEX_KEY_DEGREE;
    return last > 0;
}

/* Removes line i from the `left` unmatched lines. */
static void remove_line(pm_remainder_side *s, int32_t i, int32_t left)
{
    int32_t position = s->position[i], moved = s->line[left - 1];
    s->line[position] = moved;
    s->position[moved] = position;
    s->key[i] = ~UINT32_C(0);
}

/* Removes line i of the side `own` from the lists of its neighbours on the other side, except for
 * `partner`, which it is matched with.  Returns false if a neighbour has no neighbour left. */
static bool remove_from_neighbours(const pm_remainder_side *own, pm_remainder_side *other,
                                   int32_t i, int32_t partner, int32_t n)
{
    const int32_t *at = own->neighbour + own->start[i];
    bool alive = true;
    for (int32_t k = 0; k < own->length[i]; ++k)
        if (at[k] != partner)
            alive = remove_neighbour(other, at[k], i, n) && alive;
    return alive;
}

bool pm_remainder_match(pm_remainder *x, int32_t i, int32_t j)
{
    bool alive = remove_from_neighbours(&x->row, &x->column, i, j, x->n);
    alive = remove_from_neighbours(&x->column, &x->row, j, i, x->n) && alive;
    remove_line(&x->row, i, x->left);
    remove_line(&x->column, j, x->left);
    --x->left;
    return alive;
}

/* ---- scaling ---- */

/* Four independent sums hide the latency of additions; their fixed order fixes the digits. */
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

/* Half an iteration: scales the lines of one side to sums of 1.  The limits keep products of two
 * scales finite for every matrix. */
static void balance_side(pm_remainder_side *s, const pm_remainder_side *other, int32_t left)
{
    for (int32_t k = 0; k < left; ++k) {
        int32_t i = s->line[k], start = s->start[i];
        double sum = s->value ? weighted_sum_of(s->neighbour + start, s->value + start,
                                                s->length[i], other->scale)
                              : sum_of(s->neighbour + start, s->length[i], other->scale);
        double scale = 1 / sum;
        scale = scale < 1e140 ? scale : 1e140;
        s->scale[i] = scale > 1e-140 ? scale : 1e-140;
    }
}

void pm_remainder_scale(pm_remainder *x, int iterations)
{
    for (int t = 0; t < iterations; ++t) {
        balance_side(&x->column, &x->row, x->left);
        balance_side(&x->row, &x->column, x->left);
    }
}
