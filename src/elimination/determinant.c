/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "elimination/determinant.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "elimination/permutation.h"
#include "elimination/residue_determinant.h"
#include "pm/alloc.h"

/* The Schur complement of a front, until it is added into the parent. */
typedef struct {
    int32_t front;
    int32_t delayed; /* its first `delayed` rows and columns belong to delayed pairs */
    int32_t size;    /* size x size cells */
    int64_t at;      /* index of its first cell on the stack */
} part;

struct pm_determinant {
    const pm_elimination *e;
    const pm_integer_entries *z;
    const pm_front_kernel *kernel;
    pm_lane_primes q;

    void *memory;      /* of the stack, with room for its alignment */
    double *stack;     /* parts, then the current front */
    int64_t cap, used; /* cells */
    part *parts;       /* on the stack; room for nfronts */
    int32_t nparts;

    void *scratch; /* a column of the current front, with room for its alignment */
    int64_t scratch_cap;
    int32_t *at; /* local index in the current front of each row of a part */
    int64_t at_cap;

    int64_t delayed; /* pairs, so far */

    /* Of a skew-symmetric matrix, pairs as numbered front by front; n entries each. */
    int32_t *sequence; /* in the sequence of their elimination */
    int32_t *row;      /* of the pivots and delayed pairs of the current front, in its sequence */
    int32_t *late;     /* the delayed pairs of the parts, in the sequence of these */
    int32_t nsequence, nlate;
};

/* ---- buffers ---- */

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
    /* the predicted stack is allocated first; only delayed pairs need more */
    if (d->cap > 0)
        cells += cells / 2;
    void *memory = pm_alloc_huge(cells + PM_CELL_ALIGNMENT, cell_bytes(d));
    if (!memory)
        return pm_fail_memory(err, "the fronts of a determinant");
    if (d->used)
        memcpy(pm_cells_in(memory), d->stack, (size_t)d->used * cell_bytes(d));
    free(d->memory);
    d->memory = memory;
    d->stack = pm_cells_in(memory);
    d->cap = cells;
    return PM_OK;
}

/* Grow the scratch arrays for a front of m pairs. */
static pm_status reserve_column(pm_determinant *d, int64_t m, pm_error *err)
{
    if (PM_GROW(d->at, d->at_cap, m))
        return pm_fail_memory(err, "a front");
    if (m <= d->scratch_cap)
        return PM_OK;
    free(d->scratch);
    d->scratch_cap = 0;
    d->scratch = pm_alloc_array(2 * m + PM_CELL_ALIGNMENT, cell_bytes(d));
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
    if (e->is_skew) {
        d->sequence = pm_alloc_array(e->n, sizeof *d->sequence);
        d->row = pm_alloc_array(e->n, sizeof *d->row);
        d->late = pm_alloc_array(e->n, sizeof *d->late);
    }
    bool done = d->parts && (!e->is_skew || (d->sequence && d->row && d->late));
    pm_status status = done ? reserve(d, e->peak, err) : pm_fail_memory(err, "a determinant");
    if (status)
        pm_determinant_close(d);
    else
        *out = d;
    return status;
}

void pm_determinant_close(pm_determinant *d)
{
    if (!d)
        return;
    free(d->memory);
    free(d->parts);
    free(d->scratch);
    free(d->at);
    free(d->sequence);
    free(d->row);
    free(d->late);
    free(d);
}

int64_t pm_determinant_delayed(const pm_determinant *d)
{
    return d->delayed;
}

double pm_determinant_bytes(const pm_elimination *e, int lanes)
{
    return (double)(e->peak + PM_CELL_ALIGNMENT) * lanes * (double)sizeof(double)
           + e->nfronts * (double)sizeof(part);
}

/* ---- primes ---- */

/* x as a residue of least absolute value. */
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

/* ---- one front ---- */

/* A local index in a front with delayed pairs, which come between its own pairs and its
 * boundary. */
static int32_t shifted(int32_t position, int32_t pairs, int32_t delayed)
{
    return position < pairs ? position : position + delayed;
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

/* Add part p into front f; its delayed pairs get the local indices from `first` on. */
static void add_part(const pm_determinant *d, int32_t f, const part *p, double *cells,
                     int32_t first, int32_t delayed, int32_t m)
{
    const int32_t *position = &d->e->position[d->e->front[p->front].position];
    for (int32_t x = 0; x < p->delayed; ++x)
        d->at[x] = first + x;
    for (int32_t x = p->delayed; x < p->size; ++x)
        d->at[x] = shifted(position[x - p->delayed], d->e->front[f].pairs, delayed);
    (d->e->is_skew ? d->kernel->add_skew_part : d->kernel->add_part)(cells, m, cell(d, p->at),
                                                                     p->size, d->at);
}

/* Assemble front f, of m pairs, on top of the stack from its entries and its children's parts. */
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

/* Replace the children's parts on the stack by the Schur complement on the last m - done pairs. */
static void replace_parts(pm_determinant *d, int32_t f, int32_t m, int32_t done)
{
    int32_t size = m - done, children = d->e->front[f].children;
    const double *cells = cell(d, d->used);
    d->nparts -= children;
    if (children)
        d->used = d->parts[d->nparts].at;
    double *to = cell(d, d->used);
    for (int64_t i = done; i < m; ++i, to += (int64_t)size * d->kernel->lanes) {
        int64_t used = d->e->is_skew ? i - done : size;
        memmove(to, cells + (i * m + done) * d->kernel->lanes, (size_t)used * cell_bytes(d));
    }
    d->parts[d->nparts++] = (part){f, size - d->e->front[f].boundary, size, d->used};
    d->used += (int64_t)size * size;
}

/* The last n pairs of a root of m pairs, in one lane; of a skew-symmetric one the cells above the
 * diagonal, too, from those below it. */
static void copy_rest(const pm_determinant *d, int64_t m, int64_t n, int lane, uint32_t p,
                      uint64_t *a)
{
    const double *cells = cell(d, d->used + (m - n) * m + m - n);
    for (int64_t i = 0; i < n; ++i) {
        a[i * n + i] = 0;
        for (int64_t j = 0; j < (d->e->is_skew ? i : n); ++j)
            a[i * n + j] = pm_cell_residue(cells[(i * m + j) * d->kernel->lanes + lane], p);
        for (int64_t j = 0; j < i && d->e->is_skew; ++j)
            a[j * n + i] = (p - a[i * n + j]) % p;
    }
}

/* Multiply the residues by the determinant of the last m - done pairs of a root, one prime at a
 * time. */
static pm_status finish_root(pm_determinant *d, int32_t m, int32_t done, const uint32_t *prime,
                             uint64_t *residue, pm_error *err)
{
    int64_t n = m - done;
    if (n == 0)
        return PM_OK;
    uint64_t *a = pm_alloc_array(n * n, sizeof *a);
    if (!a)
        return pm_fail_memory(err, "the end of a determinant");
    for (int l = 0; l < d->kernel->lanes; ++l) {
        copy_rest(d, m, n, l, prime[l], a);
        uint64_t rest = d->e->is_skew ? pm_residue_pfaffian(a, n, prime[l])
                                      : pm_residue_determinant(a, n, prime[l]);
        residue[l] = residue[l] * rest % prime[l];
    }
    free(a);
    return PM_OK;
}

/* Sets row: the first `most` pairs of front f.  begin: the number of its first own pair. */
static void list_rows(pm_determinant *d, int32_t f, int32_t begin, int32_t most)
{
    const pm_front *front = &d->e->front[f];
    for (int32_t x = 0; x < front->pairs; ++x)
        d->row[x] = begin + x;
    for (int32_t x = most; x > front->pairs; --x)
        d->row[x - 1] = d->late[--d->nlate];
}

/* Eliminate what has a pivot among the first `most` pairs of front f, of m pairs; returns how many.
 * begin: as in list_rows. */
static int32_t eliminate_skew(pm_determinant *d, int32_t f, int32_t begin, int32_t m, int32_t most,
                              double *pivots)
{
    const pm_front *front = &d->e->front[f];
    list_rows(d, f, begin, most);
    int32_t done = d->kernel->eliminate_skew(&d->q, cell(d, d->used), m, most, d->row,
                                             pm_cells_in(d->scratch), pivots);
    for (int32_t x = 0; x < (front->parent >= 0 ? done : most); ++x)
        d->sequence[d->nsequence++] = d->row[x];
    for (int32_t x = done; x < most && front->parent >= 0; ++x)
        d->late[d->nlate++] = d->row[x];
    return done;
}

/* Assembles front f on top of the stack.  *m: its pairs; *most: those that may be eliminated in it. */
static pm_status begin_front(pm_determinant *d, int32_t f, int class, int32_t *m, int32_t *most,
                             pm_error *err)
{
    const pm_front *front = &d->e->front[f];
    int32_t delayed = 0;
    for (int32_t c = d->nparts - front->children; c < d->nparts; ++c)
        delayed += d->parts[c].delayed;
    *m = front->pairs + delayed + front->boundary;
    *most = front->pairs + delayed;
    pm_status status = reserve(d, d->used + (int64_t)*m * *m, err);
    if (!status)
        status = reserve_column(d, *m, err);
    if (!status)
        assemble(d, f, class, delayed, *m);
    return status;
}

/* begin: as in eliminate_skew. */
static pm_status eliminate_front(pm_determinant *d, int32_t f, int32_t begin, int class,
                                 const uint32_t *prime, double *pivots, uint64_t *residue,
                                 pm_error *err)
{
    const pm_front *front = &d->e->front[f];
    int32_t m, most;
    pm_status status = begin_front(d, f, class, &m, &most, err);
    if (status)
        return status;
    int32_t done = d->e->is_skew ? eliminate_skew(d, f, begin, m, most, pivots)
                                 : d->kernel->eliminate(&d->q, cell(d, d->used), m, most,
                                                        pm_cells_in(d->scratch), pivots);
    d->delayed += most - done;
    if (front->parent >= 0) {
        replace_parts(d, f, m, done);
        return PM_OK;
    }
    status = finish_root(d, m, done, prime, residue, err);
    d->nparts -= front->children;
    d->used = 0; /* all parts on the stack were children of the root */
    return status;
}

static void start(pm_determinant *d, const uint32_t *prime, const uint32_t *unit, double *pivots,
                  uint64_t *residue)
{
    set_primes(d, prime, unit);
    d->used = d->nparts = d->nsequence = d->nlate = 0;
    for (int l = 0; l < PM_LANES_MAX; ++l)
        pivots[l] = 1;
    for (int l = 0; l < d->kernel->lanes; ++l)
        residue[l] = 1;
}

/* Eliminate the fronts 0 .. end - 1. */
static pm_status eliminate_fronts(pm_determinant *d, int32_t end, int class, const uint32_t *prime,
                                  const pm_run *run, double *pivots, uint64_t *residue,
                                  pm_error *err)
{
    int32_t begin = 0;
    pm_status status = PM_OK;
    for (int32_t f = 0; f < end && !status; ++f) {
        if (pm_run_stopped(run))
            return pm_fail(err, PM_ESTOPPED, "stopped during a determinant");
        status = eliminate_front(d, f, begin, class, prime, pivots, residue, err);
        begin += d->e->front[f].pairs;
    }
    return status;
}

/* Of a Pfaffian, for the sequence of all rows. */
static void correct_sign(const pm_determinant *d, double *pivots)
{
    if (pm_permutation_is_odd(d->sequence, d->e->n, d->row) != d->e->is_odd)
        for (int l = 0; l < PM_LANES_MAX; ++l)
            pivots[l] = -pivots[l];
}

static void multiply_pivots(const pm_determinant *d, const uint32_t *prime, const double *pivots,
                            uint64_t *residue)
{
    for (int l = 0; l < d->kernel->lanes; ++l)
        residue[l] = residue[l] * pm_cell_residue(pivots[l], prime[l]) % prime[l];
}

pm_status pm_determinant_modulo(pm_determinant *d, int class, const uint32_t *prime,
                                const uint32_t *unit, const pm_run *run, uint64_t *residue,
                                pm_error *err)
{
    _Alignas(PM_CELL_ALIGNMENT) double pivots[PM_LANES_MAX];
    start(d, prime, unit, pivots, residue);
    pm_status status = eliminate_fronts(d, d->e->nfronts, class, prime, run, pivots, residue, err);
    if (status)
        return status;
    if (d->e->is_skew)
        correct_sign(d, pivots);
    multiply_pivots(d, prime, pivots, residue);
    return PM_OK;
}

pm_status pm_determinant_root(pm_determinant *d, int class, const uint32_t *prime,
                              const pm_run *run, const double **root, int32_t *size,
                              uint64_t *residue, pm_error *err)
{
    static const uint32_t no_unit[PM_LANES_MAX];
    _Alignas(PM_CELL_ALIGNMENT) double pivots[PM_LANES_MAX];
    const int32_t last = d->e->nfronts - 1;
    int32_t most;
    start(d, prime, no_unit, pivots, residue);
    pm_status status = eliminate_fronts(d, last, class, prime, run, pivots, residue, err);
    if (!status)
        status = begin_front(d, last, class, size, &most, err);
    if (status)
        return status;
    if (d->e->is_skew) {
        list_rows(d, last, d->e->n - d->e->front[last].pairs, most);
        for (int32_t x = 0; x < most; ++x)
            d->sequence[d->nsequence++] = d->row[x];
        correct_sign(d, pivots);
    }
    multiply_pivots(d, prime, pivots, residue);
    *root = cell(d, d->used);
    return PM_OK;
}

const pm_lane_primes *pm_determinant_lanes(const pm_determinant *d)
{
    return &d->q;
}
