/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "elimination/determinant.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "elimination/small_determinant.h"
#include "pm/alloc.h"

enum { ALIGNMENT = 64 }; /* bytes, of a cell */

/* A contribution that waits for the parent of its front. */
typedef struct {
    int32_t front;
    int32_t delayed, size; /* of size x size cells, the first `delayed` rows and columns */
    int64_t at;            /* in the stack, in cells */
} part;

struct pm_determinant {
    const pm_elimination *e;
    const pm_integer_entries *z;
    const pm_front_kernel *kernel;
    pm_lane_primes q;

    void *memory; /* of the stack, aligned within */
    double *stack;
    int64_t cap, used; /* cells */
    part *parts;       /* nfronts at most */
    int32_t nparts;

    void *scratch; /* a column of the front at hand, aligned within */
    int64_t scratch_cap;
    int32_t *at; /* where a part goes */
    int64_t at_cap;

    int64_t delayed;
};

/* ---- memory ---- */

static double *align(void *memory)
{
    return (double *)(((uintptr_t)memory + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

static size_t cell_bytes(const pm_determinant *d)
{
    return (size_t)d->kernel->lanes * sizeof(double);
}

static double *cell(const pm_determinant *d, int64_t at)
{
    return d->stack + at * d->kernel->lanes;
}

static pm_status reserve(pm_determinant *d, int64_t cells, pm_error *err)
{
    if (cells <= d->cap)
        return PM_OK;
    /* delayed pairs alone lead here once the predicted stack is there */
    if (d->cap > 0)
        cells += cells / 2;
    void *memory = pm_alloc_huge(cells + ALIGNMENT, cell_bytes(d));
    if (!memory)
        return pm_fail_memory(err, "the fronts of a determinant");
    if (d->used)
        memcpy(align(memory), d->stack, (size_t)d->used * cell_bytes(d));
    free(d->memory);
    d->memory = memory;
    d->stack = align(memory);
    d->cap = cells;
    return PM_OK;
}

/* Scratch for a front of m pairs. */
static pm_status reserve_column(pm_determinant *d, int64_t m, pm_error *err)
{
    if (PM_GROW(d->at, d->at_cap, m))
        return pm_fail_memory(err, "a front");
    if (m <= d->scratch_cap)
        return PM_OK;
    free(d->scratch);
    d->scratch_cap = 0;
    d->scratch = pm_alloc_array(2 * m + ALIGNMENT, cell_bytes(d));
    if (!d->scratch)
        return pm_fail_memory(err, "a front");
    d->scratch_cap = 2 * m;
    return PM_OK;
}

pm_status pm_determinant_open(const pm_elimination *e, const pm_integer_entries *z,
                              const pm_front_kernel *kernel, pm_determinant **out, pm_error *err)
{
    pm_determinant *d = pm_calloc_array(1, sizeof *d);
    if (!d)
        return pm_fail_memory(err, "a determinant");
    *d = (pm_determinant){.e = e, .z = z, .kernel = kernel};
    d->parts = pm_alloc_array(e->nfronts, sizeof *d->parts);
    pm_status rc = d->parts ? reserve(d, e->peak, err) : pm_fail_memory(err, "a determinant");
    if (rc)
        pm_determinant_close(d);
    else
        *out = d;
    return rc;
}

void pm_determinant_close(pm_determinant *d)
{
    if (!d)
        return;
    free(d->memory);
    free(d->parts);
    free(d->scratch);
    free(d->at);
    free(d);
}

int64_t pm_determinant_delayed(const pm_determinant *d)
{
    return d->delayed;
}

double pm_determinant_bytes(const pm_elimination *e, int lanes)
{
    return (double)(e->peak + ALIGNMENT) * lanes * (double)sizeof(double)
           + e->nfronts * (double)sizeof(part);
}

/* ---- primes ---- */

static double centred(uint64_t x, uint32_t p)
{
    return x > p / 2 ? (double)x - p : (double)x;
}

static void set_primes(pm_determinant *d, const uint32_t *prime, const uint32_t *unit)
{
    for (int l = 0; l < d->kernel->lanes; ++l) {
        uint32_t p = prime[l];
        d->q.p[l] = p;
        d->q.per_p[l] = 1.0 / p;
        d->q.radix[l] = centred((UINT64_C(1) << PM_LIMB_BITS) % p, p);
        d->q.unit[l] = centred(unit[l], p);
    }
}

static uint64_t residue_of(double x, uint32_t p)
{
    int64_t r = (int64_t)x % (int64_t)p;
    return (uint64_t)(r < 0 ? r + p : r);
}

/* ---- one front ---- */

/* Places of own pairs stay; those of the boundary come after the delayed ones. */
static int32_t shifted(int32_t place, int32_t pairs, int32_t delayed)
{
    return place < pairs ? place : place + delayed;
}

static void add_entries(const pm_determinant *d, int32_t f, int class, double *cells,
                        int32_t delayed, int64_t m)
{
    const pm_front *front = &d->e->front[f];
    for (int64_t k = front[0].entry; k < front[1].entry; ++k) {
        const pm_front_entry *x = &d->e->entry[k];
        int64_t i = shifted(x->row, front->pairs, delayed);
        int64_t j = shifted(x->col, front->pairs, delayed);
        d->kernel->add_entry(&d->q, cells + (i * m + j) * d->kernel->lanes,
                             pm_integer_entries_get(d->z, 0, x->source),
                             pm_integer_entries_get(d->z, 1, x->source), x->sign >> class & 1);
    }
}

/* p: a part whose delayed pairs go to `first` and so on. */
static void add_part(const pm_determinant *d, int32_t f, const part *p, double *cells,
                     int32_t first, int32_t delayed, int32_t m)
{
    const int32_t *place = &d->e->place[d->e->front[p->front].place];
    for (int32_t x = 0; x < p->delayed; ++x)
        d->at[x] = first + x;
    for (int32_t x = p->delayed; x < p->size; ++x)
        d->at[x] = shifted(place[x - p->delayed], d->e->front[f].pairs, delayed);
    d->kernel->add_part(cells, m, cell(d, p->at), p->size, d->at);
}

/* The front f of m pairs on top of the stack, from its entries and its children's parts. */
static void assemble(const pm_determinant *d, int32_t f, int class, int32_t delayed, int32_t m)
{
    int32_t first = d->e->front[f].pairs;
    double *cells = cell(d, d->used);
    memset(cells, 0, (size_t)m * (size_t)m * cell_bytes(d));
    add_entries(d, f, class, cells, delayed, m);
    for (int32_t c = d->nparts - d->e->front[f].children; c < d->nparts; ++c) {
        add_part(d, f, &d->parts[c], cells, first, delayed, m);
        first += d->parts[c].delayed;
    }
}

/* Move what m - done pairs are left with down over the children's parts. */
static void replace_parts(pm_determinant *d, int32_t f, int32_t m, int32_t done)
{
    int32_t size = m - done, children = d->e->front[f].children;
    const double *cells = cell(d, d->used);
    d->nparts -= children;
    if (children)
        d->used = d->parts[d->nparts].at;
    double *to = cell(d, d->used);
    for (int64_t i = done; i < m; ++i, to += (int64_t)size * d->kernel->lanes)
        memmove(to, cells + (i * m + done) * d->kernel->lanes, (size_t)size * cell_bytes(d));
    d->parts[d->nparts++] = (part){f, size - d->e->front[f].boundary, size, d->used};
    d->used += (int64_t)size * size;
}

/* Multiply the residues by the determinant of what the root is left with, a prime at a time. */
static pm_status finish_root(pm_determinant *d, int32_t m, int32_t done, const uint32_t *prime,
                             uint64_t *residue, pm_error *err)
{
    int64_t n = m - done, lanes = d->kernel->lanes;
    if (n == 0)
        return PM_OK;
    uint64_t *a = pm_alloc_array(n * n, sizeof *a);
    if (!a)
        return pm_fail_memory(err, "the end of a determinant");
    const double *cells = cell(d, d->used);
    for (int64_t l = 0; l < lanes; ++l) {
        for (int64_t i = 0; i < n; ++i)
            for (int64_t j = 0; j < n; ++j)
                a[i * n + j] = residue_of(cells[((i + done) * m + j + done) * lanes + l], prime[l]);
        residue[l] = residue[l] * pm_small_determinant(a, n, prime[l]) % prime[l];
    }
    free(a);
    return PM_OK;
}

static pm_status one_front(pm_determinant *d, int32_t f, int class, const uint32_t *prime,
                           double *pivots, uint64_t *residue, pm_error *err)
{
    const pm_front *front = &d->e->front[f];
    int32_t delayed = 0;
    for (int32_t c = d->nparts - front->children; c < d->nparts; ++c)
        delayed += d->parts[c].delayed;
    int64_t m = (int64_t)front->pairs + delayed + front->boundary;
    pm_status rc = reserve(d, d->used + m * m, err);
    if (!rc)
        rc = reserve_column(d, m, err);
    if (rc)
        return rc;
    assemble(d, f, class, delayed, (int32_t)m);
    int32_t done = d->kernel->eliminate(&d->q, cell(d, d->used), (int32_t)m, front->pairs + delayed,
                                        align(d->scratch), pivots);
    d->delayed += front->pairs + delayed - done;
    if (front->parent >= 0) {
        replace_parts(d, f, (int32_t)m, done);
        return PM_OK;
    }
    rc = finish_root(d, (int32_t)m, done, prime, residue, err);
    d->nparts -= front->children;
    d->used = 0; /* a root's children are all there is */
    return rc;
}

pm_status pm_determinant_modulo(pm_determinant *d, int class, const uint32_t *prime,
                                const uint32_t *unit, const pm_run *run, uint64_t *residue,
                                pm_error *err)
{
    enum { MOST = PM_LANES_MAX };
    _Alignas(ALIGNMENT) double pivots[MOST];
    pm_status rc = PM_OK;
    set_primes(d, prime, unit);
    d->used = d->nparts = 0;
    for (int l = 0; l < MOST; ++l)
        pivots[l] = 1;
    for (int l = 0; l < d->kernel->lanes; ++l)
        residue[l] = 1;
    for (int32_t f = 0; f < d->e->nfronts && !rc; ++f) {
        if (pm_run_stopped(run))
            return pm_fail(err, PM_ESTOPPED, "stopped during a determinant");
        rc = one_front(d, f, class, prime, pivots, residue, err);
    }
    for (int l = 0; l < d->kernel->lanes && !rc; ++l)
        residue[l] = residue[l] * residue_of(pivots[l], prime[l]) % prime[l];
    return rc;
}
