/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/doubly_stochastic.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/find_entry.h"
#include "matrix/transposed.h"
#include "pm/alloc.h"

#define ONE (INT64_C(1) << PM_STOCHASTIC_BITS)
/* Residuals at which the sums are made exact; smaller ones are tried where that fails.  What remains is moved exactly: it changes the
 * bounds of a large graph in the seventh digit, which products would cost more than they are worth. */
#define FIRST_TARGET 0x1p-16
#define FIRST_LARGE  0x1p-10
enum { LARGE = 100000 /* entries */ };
#define CLOSER    0x1p-7
#define TOLERANCE 0x1p-46

/* ---- the spanning forest ---- */

static int32_t root(int32_t *parent, int32_t v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

/* Of a leaf, neighbours is the other end of its only edge: no list of the edges is needed.  What is missing in a row is summed when the
 * row becomes a leaf, and that of the columns once more after the forest has grown. */
typedef struct {
    int32_t *degree;     /* in the remaining forest; negative: settled, see settled_entry */
    int32_t *neighbours; /* XOR of the other ends of the remaining forest edges at a vertex */
    int64_t *missing;    /* 2^52 minus the sum of a column; or NULL */
    int32_t *parent;     /* of the union-find structure, while the forest grows */
    uint8_t *octave;     /* of each entry: how many octaves it is below 1, while the forest grows */
    double *
        before; /* the entries of a small matrix, where they are not as they should be; else NULL */
} forest;

static void forest_free(forest *f)
{
    free(f->degree);
    free(f->neighbours);
    free(f->missing);
    free(f->parent);
    free(f->octave);
    free(f->before);
    *f = (forest){0};
}

static pm_status no_memory(pm_error *err)
{
    return pm_fail_memory(err, "doubly stochastic matrix");
}

static pm_status take_missing(const pm_matrix *a, forest *f, pm_error *err)
{
    f->missing = pm_alloc_array(a->ncols, sizeof *f->missing);
    return f->missing ? PM_OK : no_memory(err);
}

/* The nearest multiple of 2^-52, from 1 to 2^52 units; of a multiple, the same.  x: 0 to 2.  The sum below is exact, or less than 1. */
static int64_t rounded(double x)
{
    int64_t q = (int64_t)(x * (double)ONE + 0.5);
    return q < 1 ? 1 : q > ONE ? ONE : q;
}

static double multiple(int64_t units)
{
    return (double)units / (double)ONE;
}

/* b: 1 .. 2^52 */
static int octaves_below_one(int64_t b)
{
    return __builtin_clzll((unsigned long long)b) - (63 - PM_STOCHASTIC_BITS);
}

static void add_edge(forest *f, int32_t v, int32_t other)
{
    ++f->degree[v];
    f->neighbours[v] ^= other;
}

/* The entry between two vertices. */
static int64_t entry_between(const pm_matrix *a, int32_t v, int32_t other)
{
    const int32_t i = v < other ? v : other, j = (v < other ? other : v) - (int32_t)a->nrows;
    return pm_matrix_find(a, i, j);
}

/* Adds the entry of row i if it joins two trees.  Returns whether it does. */
static bool add_entry(const pm_matrix *a, int32_t i, int64_t k, forest *f)
{
    const int32_t j = (int32_t)a->nrows + a->colind[k];
    const int32_t p = root(f->parent, i), q = root(f->parent, j);
    if (p == q)
        return false;
    f->parent[p] = q;
    add_edge(f, i, j);
    add_edge(f, j, i);
    return true;
}

/* Adds entries of this octave, in their order.  Returns how many joined two trees. */
static int64_t add_octave(const pm_matrix *a, int octave, forest *f)
{
    const uint8_t *end = f->octave + pm_matrix_nnz(a), *at = f->octave;
    int64_t added = 0;
    for (int32_t i = 0; (at = memchr(at, octave, (size_t)(end - at))); ++at) {
        const int64_t k = at - f->octave;
        while (a->rowptr[i + 1] <= k)
            ++i;
        added += add_entry(a, i, k, f);
    }
    return added;
}

/* Sets the octaves of all entries, and which there are. */
static void find_octaves(const pm_matrix *a, const double *x, int threads, forest *f, bool *exists)
{
    uint64_t found = 0;
#pragma omp parallel for num_threads(threads) reduction(| : found) if (threads > 1)
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k) {
        f->octave[k] = (uint8_t)octaves_below_one(rounded(x[k]));
        found |= UINT64_C(1) << f->octave[k];
    }
    for (int octave = 0; octave <= PM_STOCHASTIC_BITS; ++octave)
        exists[octave] = found >> octave & 1;
}

/* Kruskal's algorithm, 2^52 first, then one octave after the other.  A scan for each octave takes less time than sorting and
 * a byte an entry. */
static void add_entries(const pm_matrix *a, const double *x, int threads, forest *f)
{
    const int32_t nv = (int32_t)(a->nrows + a->ncols);
    int64_t edges = 0;
    bool exists[PM_STOCHASTIC_BITS + 1];
    find_octaves(a, x, threads, f, exists);
    for (int32_t v = 0; v < nv; ++v) {
        f->parent[v] = v;
        f->degree[v] = f->neighbours[v] = 0;
    }
    for (int octave = 0; octave <= PM_STOCHASTIC_BITS && edges < nv - 1; ++octave)
        if (exists[octave])
            edges += add_octave(a, octave, f);
}

/* What is missing is lost. */
static pm_status forest_grow(const pm_matrix *a, const double *x, int threads, forest *f,
                             pm_error *err)
{
    const int64_t nv = a->nrows + a->ncols, nnz = pm_matrix_nnz(a);
    forest_free(f);
    *f = (forest){.parent = pm_alloc_array(nv, sizeof *f->parent),
                  .degree = pm_alloc_array(nv, sizeof *f->degree),
                  .neighbours = pm_alloc_array(nv, sizeof *f->neighbours),
                  .octave = pm_alloc_array(nnz, sizeof *f->octave)};
    if (!f->parent || !f->degree || !f->neighbours || !f->octave)
        return no_memory(err);
    add_entries(a, x, threads, f);
    free(f->parent);
    free(f->octave);
    f->parent = NULL;
    f->octave = NULL;
    return take_missing(a, f, err);
}

/* ---- what is missing ---- */

/* *missing -= b.  Returns false when the sum of the line is far too large: above 2^63. */
static bool take(int64_t *missing, int64_t b)
{
    return !__builtin_sub_overflow(*missing, b, missing);
}

/* Returns false when some x is not from 0 to 2 (overflow or underflow in the scaling), or the sum is far too large. */
static bool row_missing(const pm_matrix *a, const double *x, int64_t i, int64_t *missing)
{
    *missing = ONE;
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
        if (!(x[k] >= 0 && x[k] <= 2) || !take(missing, rounded(x[k])))
            return false;
    return true;
}

/* What rows are: all of them can be summed; nothing is missing in any of them. */
typedef struct {
    bool are_good, are_exact;
} rows_state;

static rows_state check_rows(const pm_matrix *a, const double *x, int threads)
{
    bool is_bad = false, is_other = false;
#pragma omp parallel for num_threads(threads) reduction(|| : is_bad, is_other) if (threads > 1)
    for (int64_t i = 0; i < a->nrows; ++i) {
        int64_t missing;
        is_bad = !row_missing(a, x, i, &missing) || is_bad;
        is_other = is_other || missing;
    }
    return (rows_state){!is_bad, !is_bad && !is_other};
}

/* What is missing in the columns.  Returns false when a sum is far too large. */
static bool sum_columns(const pm_matrix *a, const double *x, int threads, forest *f)
{
    int64_t *missing = f->missing;
    bool is_bad = false;
#pragma omp parallel for num_threads(threads) schedule(static, 1)                                  \
    reduction(||                                                                                   \
              : is_bad) if (threads > 1)
    for (int part = 0; part < threads; ++part) {
        const pm_column_range range = pm_column_range_of(a->ncols, part, threads);
        for (uint32_t j = 0; j < range.count; ++j)
            missing[range.from + j] = ONE;
        for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
            if (pm_column_is_in(range, a->colind[k])
                && !take(&missing[a->colind[k]], rounded(x[k])))
                is_bad = true;
    }
    return !is_bad;
}

static bool are_columns_exact(const pm_matrix *a, const forest *f, int threads)
{
    bool is_other = false;
#pragma omp parallel for num_threads(threads) reduction(|| : is_other) if (threads > 1)
    for (int64_t j = 0; j < a->ncols; ++j)
        is_other = is_other || f->missing[j];
    return !is_other;
}

/* ---- settling ---- */

/* Of a settled vertex: the degree is the complement of the bits of its entry before, in single precision. */
static int32_t settled(double before)
{
    const float entry = (float)fmax(before, FLT_MIN);
    int32_t bits;
    memcpy(&bits, &entry, sizeof bits);
    return ~bits;
}

static float settled_entry(int32_t degree)
{
    const int32_t bits = ~degree;
    float entry;
    memcpy(&entry, &bits, sizeof entry);
    return entry;
}

/* From the leaves inwards: each vertex gets its missing sum from its last edge. */
static bool forest_settle(const pm_matrix *a, forest *f, double *x)
{
    const int32_t n = (int32_t)a->nrows, nv = n + (int32_t)a->ncols;
    for (int32_t start = 0; start < nv; ++start)
        for (int32_t v = start; f->degree[v] == 1;) {
            const int32_t other = f->neighbours[v];
            const int64_t k = entry_between(a, v, other);
            int64_t now, missing = v < n ? 0 : f->missing[v - n];
            if ((v < n && !row_missing(a, x, v, &missing))
                || __builtin_add_overflow(rounded(x[k]), missing, &now) || now < 1 || now > ONE
                || (other >= n && !take(&f->missing[other - n], missing)))
                return false;
            if (v >= n)
                f->missing[v - n] = 0;
            f->degree[v] = settled(x[k]);
            x[k] = multiple(now);
            f->neighbours[other] ^= v;
            --f->degree[other];
            v = other;
        }
    return true;
}

/* Each vertex settled one entry. */
static void forest_undo(const pm_matrix *a, const forest *f, double *x)
{
    if (f->before) {
        memcpy(x, f->before, (size_t)pm_matrix_nnz(a) * sizeof *x);
        return;
    }
    for (int64_t v = 0; v < a->nrows + a->ncols; ++v)
        if (f->degree[v] < 0)
            x[entry_between(a, (int32_t)v, f->neighbours[v])] = settled_entry(f->degree[v]);
}

static pm_status keep_small(const pm_matrix *a, const double *x, forest *f, pm_error *err)
{
    if (pm_matrix_nnz(a) >= LARGE)
        return PM_OK;
    f->before = pm_copy(x, (size_t)pm_matrix_nnz(a) * sizeof *x);
    return f->before ? PM_OK : no_memory(err);
}

/* *found: the lines were made exact. */
static pm_status settle(const pm_matrix *a, double *x, int threads, forest *f, bool *found,
                        pm_error *err)
{
    pm_status status = forest_grow(a, x, threads, f, err);
    if (!status)
        status = keep_small(a, x, f, err);
    if (status)
        return status;
    sum_columns(a, x, threads, f);
    *found = forest_settle(a, f, x) && are_columns_exact(a, f, threads)
             && check_rows(a, x, threads).are_exact;
    if (!*found)
        forest_undo(a, f, x);
    return PM_OK;
}

/* Where nothing is found, x is as before; of a large matrix some entries are rounded to single precision. */
static pm_status make_exact(const pm_matrix *a, double *x, int threads, bool *found, pm_error *err)
{
    forest f = {0};
    pm_status status = take_missing(a, &f, err);
    const rows_state rows = check_rows(a, x, threads);
    *found = !status && rows.are_good && sum_columns(a, x, threads, &f);
    if (*found && !(rows.are_exact && are_columns_exact(a, &f, threads)))
        status = settle(a, x, threads, &f, found, err);
    forest_free(&f);
    const int64_t entries = !status && *found ? pm_matrix_nnz(a) : 0;
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t k = 0; k < entries; ++k)
        x[k] = multiple(rounded(x[k]));
    return status;
}

pm_status pm_doubly_stochastic(const pm_matrix *a, pm_sinkhorn *s, int64_t most, bool *found,
                               pm_error *err)
{
    pm_status status = PM_OK;
    const double first = pm_matrix_nnz(a) >= LARGE ? FIRST_LARGE : FIRST_TARGET;
    *found = false;
    for (double target = first; !status && !*found; target *= CLOSER) {
        status = pm_sinkhorn_improve(s, target, most, err);
        if (!status)
            status = make_exact(a, s->x, s->on.x.threads, found, err);
        if (target < TOLERANCE || !(s->residual <= target))
            break;
    }
    return status;
}
