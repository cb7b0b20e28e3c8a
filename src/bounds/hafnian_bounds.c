/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/hafnian_bounds.h"

#include <math.h>
#include <stdlib.h>

#include "general/blossom.h"
#include "matrix/symmetric.h"
#include "pm/alloc.h"
#include "pm/dm.h"

enum { SWEEPS = 100 /* over the pairs, at most */ };

/* The bounds are sums of terms, one for each block. */
#define ROUNDING 0x1p-50

/* ---- a cut ---- */

typedef struct {
    const pm_matrix *a;
    int32_t *partner;      /* a perfect matching */
    bool *is_right;        /* of each vertex: its side; partners are on different ones */
    int32_t *left, *right; /* n / 2 each */
} cut;

static void cut_free(cut *c)
{
    free(c->partner);
    free(c->is_right);
    free(c->left);
    free(c->right);
}

/* How many more edges of v would cross the cut from the other side; the edge to its partner always does. */
static int64_t gain_of(const cut *c, int32_t v)
{
    int64_t gain = 0;
    for (int64_t k = c->a->rowptr[v]; k < c->a->rowptr[v + 1]; ++k) {
        const int32_t u = c->a->colind[k];
        if (u != c->partner[v])
            gain += c->is_right[u] == c->is_right[v] ? 1 : -1;
    }
    return gain;
}

/* Pairs change their sides while more edges cross then. */
static void improve(cut *c)
{
    bool has_changed = true;
    for (int sweep = 0; sweep < SWEEPS && has_changed; ++sweep) {
        has_changed = false;
        for (int32_t v = 0; v < c->a->nrows; ++v) {
            const int32_t u = c->partner[v];
            if (u < v || gain_of(c, v) + gain_of(c, u) <= 0)
                continue;
            c->is_right[v] = !c->is_right[v];
            c->is_right[u] = !c->is_right[u];
            has_changed = true;
        }
    }
}

static void list_sides(cut *c)
{
    int64_t left = 0, right = 0;
    for (int32_t v = 0; v < c->a->nrows; ++v)
        if (c->is_right[v])
            c->right[right++] = v;
        else
            c->left[left++] = v;
}

/* *out: the part between the sides; 0 x 0 where there is no perfect matching. */
static pm_status cut_out(const pm_matrix *a, const pm_run *run, pm_matrix *out, pm_error *err)
{
    const int64_t n = a->nrows;
    int64_t size = 0;
    cut c = {.a = a};
    c.partner = pm_alloc_array(n, sizeof *c.partner);
    c.is_right = pm_calloc_array(n, sizeof *c.is_right);
    c.left = pm_alloc_array(n, sizeof *c.left);
    c.right = pm_alloc_array(n, sizeof *c.right);
    pm_status status = c.partner && c.is_right && c.left && c.right
                           ? pm_blossom_matching(a, run, c.partner, &size, err)
                           : pm_fail_memory(err, "bounds");
    if (!status && 2 * size == n) {
        for (int32_t v = 0; v < n; ++v)
            c.is_right[v] = c.partner[v] < v;
        improve(&c);
        list_sides(&c);
        status = pm_matrix_select(a, c.left, size, c.right, size, out, err);
    }
    cut_free(&c);
    return status;
}

/* ---- bounds ---- */

static void add_lower(double *sum, double one)
{
    *sum += one;
    *sum -= ROUNDING * (fabs(*sum) + fabs(one));
}

/* The lower bounds of per(b), from those of its blocks. */
static pm_status bound_cut(const pm_matrix *b, pm_backend backend, const pm_run *run,
                           pm_bounds *out, pm_error *err)
{
    pm_dm d = {0};
    pm_dm_cut c = {0};
    pm_bounds sum = {0};
    pm_status status = pm_dm_decompose(b, run, &d, err);
    if (!status)
        status = pm_dm_cut_open(b, &d, &c, err);
    for (int64_t k = 0; k < d.nblocks && !status; ++k) {
        pm_matrix block = {0};
        pm_bounds one;
        status = pm_dm_cut_block(&c, k, &block, err);
        if (!status)
            status = pm_bounds_make(&block, backend, run, &one, err);
        pm_matrix_free(&block);
        if (status)
            break;
        add_lower(&sum.schrijver, one.schrijver);
        add_lower(&sum.gurvits, one.gurvits);
        add_lower(&sum.van_der_waerden, one.van_der_waerden);
        add_lower(&sum.lower, one.lower);
    }
    if (!status) {
        out->schrijver = sum.schrijver;
        out->gurvits = sum.gurvits;
        out->van_der_waerden = sum.van_der_waerden;
        out->lower = sum.lower;
    }
    pm_dm_cut_close(&c);
    pm_dm_free(&d);
    return status;
}

static void halve_upper(const pm_bounds *whole, pm_bounds *out)
{
    out->bregman = whole->bregman / 2;
    out->bregman_scaled = whole->bregman_scaled / 2;
    out->huber = whole->huber / 2;
    out->bethe = whole->bethe / 2;
    out->upper = whole->upper / 2;
}

/* Without a perfect matching. */
static const pm_bounds zero = {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY,
                               -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY};

pm_status pm_hafnian_bounds_make(const pm_matrix *a, pm_backend backend, const pm_run *run,
                                 pm_bounds *out, pm_error *err)
{
    pm_matrix b = {0};
    pm_bounds whole, made = {.bregman = INFINITY,
                             .bregman_scaled = INFINITY,
                             .huber = INFINITY,
                             .bethe = INFINITY,
                             .upper = INFINITY,
                             .bethe_most = INFINITY};
    pm_status status = cut_out(a, run, &b, err);
    if (!status && b.nrows == 0) {
        *out = zero;
        return PM_OK;
    }
    if (!status)
        status = bound_cut(&b, backend, run, &made, err);
    if (!status && !pm_matrix_has_diagonal(a)) {
        status = pm_bounds_make(a, backend, run, &whole, err);
        if (!status)
            halve_upper(&whole, &made);
    }
    if (!status)
        *out = made;
    pm_matrix_free(&b);
    return status;
}
