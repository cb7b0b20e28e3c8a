/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "elimination/root_inverse.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "core/team.h"
#include "elimination/determinant.h"
#include "elimination/permutation.h"
#include "elimination/residue_determinant.h"
#include "pm/alloc.h"

enum {
    BLOCK = 32, /* lines */
    BENCH =
        8 /* times the cells of an inverse, in a bench for a border or a skew-symmetric matrix */
};

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

/* Bytes of so many inverses. */
static double inverse_bytes(double inverses, int64_t size)
{
    return inverses * PM_LANES_MAX * (double)size * (double)size * (double)sizeof(double);
}

double pm_root_inverse_bytes(int32_t pairs, bool is_skew, pm_root_signs signs, double bits)
{
    const int64_t inverses = batch_count(bits, MOST_BITS, PM_LANES_MAX) * signs.classes;
    const int more = is_skew || signs.border > 0 ? BENCH : 0;
    return inverse_bytes((double)(inverses + more), (int64_t)pairs + signs.border);
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

/* The cells of one batch in one class. */
static double *cells_of(const pm_root_inverse *x, int class, int64_t batch)
{
    return x->cells + (class * x->batches_made + batch) * x->size * x->size * x->kernel->lanes;
}

/* The residues of one class. */
static uint64_t *residues_of(const pm_root_inverse *x, int class)
{
    return x->residue + class * x->primes.count;
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
    const int64_t m = x->size, all = x->batches * x->signs.classes;
    x->row_at = pm_alloc_array(m, sizeof *x->row_at);
    x->col_at = pm_alloc_array(m, sizeof *x->col_at);
    x->row_of = pm_alloc_array(m, sizeof *x->row_of);
    x->col_of = pm_alloc_array(m, sizeof *x->col_of);
    x->lanes = pm_alloc_array(x->batches, sizeof *x->lanes);
    x->residue = pm_alloc_array(all * x->kernel->lanes, sizeof *x->residue);
    x->memory = pm_alloc_huge(all * m * m * x->kernel->lanes + PM_CELL_ALIGNMENT, sizeof *x->cells);
    if (!x->row_at || !x->col_at || !x->row_of || !x->col_of || !x->lanes || !x->residue
        || !x->memory)
        return pm_fail_memory(err, "an inverse");
    x->cells = pm_cells_in(x->memory);
    for (int32_t i = 0; i < x->size; ++i)
        x->row_at[i] = x->col_at[i] = x->row_of[i] = x->col_of[i] = i;
    return PM_OK;
}

/* What one thread needs. */
typedef struct {
    pm_determinant *d;
    void *memory;
    int64_t side;         /* there is room for side^2 cells in each of */
    double *front, *next; /* these, */
    double *column;       /* and for side cells, */
    int32_t *row;         /* and 2 * side rows */
} bench;

static pm_status widen_bench(const pm_root_inverse *x, bench *b, int64_t side, pm_error *err)
{
    const int64_t lanes = x->kernel->lanes;
    if (side <= b->side)
        return PM_OK;
    free(b->memory);
    free(b->row);
    b->side = 0;
    b->row = pm_alloc_array(2 * side, sizeof *b->row);
    b->memory =
        pm_alloc_huge((2 * side * side + side) * lanes + PM_CELL_ALIGNMENT, sizeof *b->front);
    if (!b->memory || !b->row)
        return pm_fail_memory(err, "an inverse");
    b->side = side;
    b->front = pm_cells_in(b->memory);
    b->next = b->front + side * side * lanes;
    b->column = b->next + side * side * lanes;
    return PM_OK;
}

static void close_bench(bench *b)
{
    pm_determinant_close(b->d);
    free(b->memory);
    free(b->row);
}

/* Sets front to (A, U; U^T, 0), where A is m x m cells from rows of `stride` cells, and U the first `own` columns of
 * the unit matrix. */
static void put_beside_unit(const pm_root_inverse *x, const double *a, int64_t stride, int64_t m,
                            int64_t own, double *front)
{
    const int64_t all = m + own, lanes = x->kernel->lanes;
    memset(front, 0, (size_t)(all * all * lanes) * sizeof *front);
    for (int64_t i = 0; i < m; ++i)
        memcpy(front + all * i * lanes, a + stride * i * lanes,
               (size_t)(m * lanes) * sizeof *front);
    for (int64_t i = 0; i < own; ++i)
        for (int64_t l = 0; l < lanes; ++l)
            front[(all * i + m + i) * lanes + l] = front[(all * (m + i) + i) * lanes + l] = 1;
}

/* Sets cells to the inverse of root, size x size cells, where all pairs are those of the front.  The Schur complement
 * of (A, 1; 1, 0) on its second half is -1 / A.  It is found by a few lines at a time: those that are eliminated leave
 * the front, the same number of unit lines enters it.
 * Returns whether all pivots were found.  pivots: multiplied by the determinant of root. */
static bool invert(const pm_root_inverse *x, const pm_lane_primes *q, bench *b, const double *root,
                   double *cells, double *pivots)
{
    const int64_t m = x->pairs, lanes = x->kernel->lanes;
    const double *a = root;
    int64_t stride = m;
    for (int64_t done = 0; done < m; done += BLOCK) {
        const int64_t own = m - done < BLOCK ? m - done : BLOCK;
        put_beside_unit(x, a, stride, m, own, b->front);
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

/* Sets to, m x m cells, to root, `given` x `given` cells, with a random border.  Of a skew-symmetric root only the
 * cells below the diagonal are given. */
static void put_bordered(const pm_root_inverse *x, const pm_lane_primes *q, const double *root,
                         int64_t given, int64_t m, uint64_t rng, double *to)
{
    const int64_t lanes = x->kernel->lanes;
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < (x->is_skew ? i + 1 : m); ++j)
            for (int64_t l = 0; l < lanes; ++l) {
                double cell = 0;
                if (!x->is_skew || i != j)
                    cell = i < given && j < given ? root[(i * given + j) * lanes + l]
                                                  : pm_rng_below(&rng, (uint32_t)q->p[l] / 2);
                to[(i * m + j) * lanes + l] = cell;
                if (x->is_skew)
                    to[(j * m + i) * lanes + l] = -cell;
            }
}

/* Multiplies pivots by the Pfaffian of a, m x m cells. */
static bool find_pfaffian(const pm_root_inverse *x, const pm_lane_primes *q, bench *b,
                          const double *a, int64_t m, double *pivots)
{
    memcpy(b->front, a, (size_t)(m * m * x->kernel->lanes) * sizeof *a);
    for (int32_t i = 0; i < m; ++i)
        b->row[i] = i;
    if (x->kernel->eliminate_skew(q, b->front, (int32_t)m, (int32_t)m, b->row, b->column, pivots)
        != m)
        return false;
    if (pm_permutation_is_odd(b->row, (int32_t)m, b->row + m))
        for (int l = 0; l < PM_LANES_MAX; ++l)
            pivots[l] = -pivots[l];
    return true;
}

/* The same where other pairs come after those of the front, `given` in all, and then a random border.  All lines are
 * eliminated at once, with pivots anywhere: some may be singular without the others.  The other pairs are left out of
 * cells.
 * pivots: multiplied by the determinant or Pfaffian. */
static bool invert_bordered(const pm_root_inverse *x, const pm_lane_primes *q, bench *b,
                            const double *root, int64_t given, uint64_t seed, double *cells,
                            double *pivots)
{
    _Alignas(PM_CELL_ALIGNMENT) double unused[PM_LANES_MAX] = {1, 1, 1, 1, 1, 1, 1, 1};
    const int64_t m = given + x->signs.border, lanes = x->kernel->lanes, size = x->size;
    put_bordered(x, q, root, given, m, seed, b->next);
    if (x->is_skew && !find_pfaffian(x, q, b, b->next, m, pivots))
        return false;
    put_beside_unit(x, b->next, m, m, m, b->front);
    if (x->kernel->eliminate(q, b->front, (int32_t)(2 * m), (int32_t)m, b->column,
                             x->is_skew ? unused : pivots)
        != m)
        return false;
    const double *a = b->front + (m * 2 * m + m) * lanes;
    for (int64_t i = 0; i < size; ++i) {
        const double *row = a + (i < x->pairs ? i : i - x->pairs + given) * 2 * m * lanes;
        double *to = cells + i * size * lanes;
        for (int64_t j = 0; j < x->pairs * lanes; ++j)
            to[j] = -row[j];
        for (int64_t j = 0; j < x->signs.border * lanes; ++j)
            to[x->pairs * lanes + j] = -row[given * lanes + j];
    }
    return true;
}

static pm_status invert_batch(pm_root_inverse *x, bench *b, int class, int64_t batch, int attempt,
                              const pm_run *run, bool *found, pm_error *err)
{
    _Alignas(PM_CELL_ALIGNMENT) double pivots[PM_LANES_MAX] = {1, 1, 1, 1, 1, 1, 1, 1};
    const int lanes = x->kernel->lanes;
    const uint32_t *prime = x->primes.prime + batch * lanes;
    uint64_t *residue = residues_of(x, class) + batch * lanes;
    const double *root;
    int32_t given = 0;
    pm_status status = pm_determinant_root(b->d, class, prime, run, &root, &given, residue, err);
    const bool is_plain = !x->is_skew && x->signs.border == 0 && given == x->pairs;
    if (!status)
        status = widen_bench(
            x, b, is_plain ? given + BLOCK : 2 * ((int64_t)given + x->signs.border), err);
    *found = !status;
    if (status)
        return status;
    const pm_lane_primes *q = pm_determinant_lanes(b->d);
    double *cells = cells_of(x, class, batch);
    const uint64_t seed =
        ((uint64_t)batch << 8 | (uint64_t)attempt) * PM_ROOT_CLASSES_MAX + (uint64_t) class;
    *found = is_plain ? invert(x, q, b, root, cells, pivots)
                      : invert_bordered(x, q, b, root, given, seed, cells, pivots);
    if (class == 0)
        x->lanes[batch] = *q;
    for (int l = 0; l < lanes; ++l)
        residue[l] = residue[l] * pm_cell_residue(pivots[l], prime[l]) % prime[l];
    return PM_OK;
}

static pm_status invert_batches(pm_root_inverse *x, const pm_elimination *e,
                                const pm_integer_entries *z, int attempt, int64_t *next,
                                const pm_run *run, bool *found, pm_error *err)
{
    bench b = {0};
    *found = true;
    pm_status status = pm_determinant_open(e, z, x->kernel, &b.d, err);
    while (!status && *found) {
        int64_t task;
#pragma omp atomic capture
        task = (*next)++;
        if (task >= x->batches * x->signs.classes)
            break;
        status = invert_batch(x, &b, (int)(task / x->batches), task % x->batches, attempt, run,
                              found, err);
    }
    close_bench(&b);
    return status;
}

static int threads_for(const pm_root_inverse *x, const pm_run *run)
{
    const int64_t tasks = x->batches * x->signs.classes;
    return pm_team(run, tasks < pm_run_threads(run) ? (int)tasks : pm_run_threads(run));
}

/* So many that their benches and the inverses fit into half of the memory, but one or more. */
static int threads_to_invert(const pm_root_inverse *x, const pm_run *run)
{
    const int threads = threads_for(x, run);
    const double inverses = inverse_bytes((double)(x->batches * x->signs.classes), x->size),
                 one = inverse_bytes(BENCH, x->size),
                 most = ((double)pm_run_memory(run) / 2 - inverses) / one;
    return (x->signs.border == 0 && !x->is_skew) || most >= threads ? threads
           : most > 1                                               ? (int)most
                                                                    : 1;
}

pm_status pm_root_inverse_make(const pm_elimination *e, const pm_integer_entries *z,
                               pm_root_signs signs, double bits, int attempt, const pm_run *run,
                               pm_root_inverse *out, bool *found, pm_error *err)
{
    pm_root_inverse x = {.kernel = pm_front_kernel_for(pm_isa_best()),
                         .is_skew = e->is_skew,
                         .signs = signs,
                         .pairs = e->front[e->nfronts - 1].pairs};
    int64_t next = 0;
    x.left = x.size = x.pairs + signs.border;
    *found = true;
    pm_status status = choose_batches(&x, bits, attempt, err);
    x.batches_made = x.batches;
    if (!status)
        status = reserve(&x, err);
    const int threads = status ? 1 : threads_to_invert(&x, run);
#pragma omp parallel num_threads(threads) if (!status)
    {
        pm_error why;
        bool own_found = true;
        pm_status own =
            status ? status : invert_batches(&x, e, z, attempt, &next, run, &own_found, &why);
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

/* The cell of column c and row r modulo prime number i. */
static uint64_t cell_residue(const pm_root_inverse *x, int class, int64_t i, int32_t r, int32_t c)
{
    const int lanes = x->kernel->lanes;
    const double *cells = cells_of(x, class, i / lanes);
    const int64_t at = (int64_t)x->col_at[c] * x->size + x->row_at[r];
    return pm_cell_residue(cells[at * lanes + i % lanes], x->primes.prime[i]);
}

/* The determinant or Pfaffian of one class with its border modulo prime number i, times the minor of the inverse in the
 * lines of the border and, unless r < 0, those of row r and column c. */
static uint64_t class_residue(const pm_root_inverse *x, int class, int64_t i, int32_t r, int32_t c)
{
    enum { MOST = PM_ROOT_BORDER_MAX + 2 };
    uint64_t a[MOST * MOST];
    int32_t row[MOST], col[MOST], n = x->signs.border;
    const uint64_t p = x->primes.prime[i], det = residues_of(x, class)[i];
    /* backwards: the Pfaffian of the inverse of n rows is (-1)^(n/2) over the Pfaffian */
    for (int32_t k = 0; k < n; ++k)
        row[k] = col[k] = x->size - 1 - k;
    if (r >= 0 && x->is_skew) {
        row[n] = col[n] = c;
        row[n + 1] = col[n + 1] = r;
        n += 2;
    } else if (r >= 0) {
        row[n] = r;
        col[n] = c;
        ++n;
    }
    for (int32_t k = 0; k < n; ++k)
        for (int32_t l = 0; l < n; ++l)
            a[k * n + l] = cell_residue(x, class, i, row[l], col[k]);
    return det * (x->is_skew ? pm_residue_pfaffian(a, n, p) : pm_residue_determinant(a, n, p)) % p;
}

/* The sum of all classes; negative: as in pm_root_inverse_cofactor. */
static uint64_t sum_residue(const pm_root_inverse *x, int64_t i, int32_t r, int32_t c,
                            uint8_t negative)
{
    const uint64_t p = x->primes.prime[i];
    uint64_t sum = 0;
    for (int class = 0; class < x->signs.classes; ++class) {
        const uint64_t one = class_residue(x, class, i, r, c);
        const bool is_subtracted = x->signs.classes > 1 && class == x->signs.least;
        sum += is_subtracted != ((negative ^ x->signs.negated) >> class & 1) ? p - one : one;
    }
    return x->signs.classes > 1 ? sum % p * ((p + 1) / 2) % p : sum % p;
}

static pm_status find_sum(const pm_root_inverse *x, int32_t r, int32_t c, uint8_t negative,
                          double bits, mpz_t out, pm_error *err)
{
    pm_determinant_primes few = x->primes; /* not freed: it owns nothing */
    few.count = prime_count(bits, x->prime_bits);
    uint64_t *residue = pm_alloc_array(few.count, sizeof *residue);
    if (!residue)
        return pm_fail_memory(err, "residues");
    for (int64_t i = 0; i < few.count; ++i)
        residue[i] = sum_residue(x, i, r, c, negative);
    pm_status status = pm_determinant_primes_crt(&few, residue, 0, out, err);
    free(residue);
    return status;
}

pm_status pm_root_inverse_determinant(const pm_root_inverse *x, double bits, mpz_t out,
                                      pm_error *err)
{
    return find_sum(x, -1, -1, 0, bits, out, err);
}

pm_status pm_root_inverse_cofactor(const pm_root_inverse *x, int32_t r, int32_t c, uint8_t negative,
                                   double bits, mpz_t out, pm_error *err)
{
    return find_sum(x, r, c, negative, bits, out, err);
}

/* The last of the `left` lines takes place `at`. */
static void take_place(int32_t *at_of, int32_t *line_of, int32_t left, int32_t line)
{
    const int32_t at = at_of[line], last = line_of[left - 1];
    line_of[at] = last;
    at_of[last] = at;
    at_of[line] = -1;
}

/* The determinants or Pfaffians with their borders, without row r and column c. */
static void shrink_determinants(pm_root_inverse *x, int32_t r, int32_t c, uint8_t negative)
{
    for (int class = 0; class < x->signs.classes; ++class)
        for (int64_t i = 0; i < x->batches * x->kernel->lanes; ++i) {
            uint64_t *det = &residues_of(x, class)[i];
            const uint64_t p = x->primes.prime[i], cell = cell_residue(x, class, i, r, c);
            *det = *det * (negative >> class & 1 ? p - cell : cell) % p;
        }
}

/* Returns whether all inverses exist. */
static bool shrink_inverses(pm_root_inverse *x, int32_t r, int32_t c, const pm_run *run)
{
    const int32_t row = x->col_at[c], col = x->row_at[r];
    const int64_t tasks = x->batches * x->signs.classes;
    const int threads = (double)tasks * x->left * x->left < 1e4 ? 1 : threads_for(x, run);
    int64_t zeros = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : zeros) if (threads > 1)
    for (int64_t t = 0; t < tasks; ++t) {
        const int64_t batch = t % x->batches;
        zeros +=
            !x->kernel->shrink_inverse(&x->lanes[batch], cells_of(x, (int)(t / x->batches), batch),
                                       x->size, x->left, row, col);
    }
    take_place(x->row_at, x->row_of, x->left, r);
    take_place(x->col_at, x->col_of, x->left, c);
    --x->left;
    return zeros == 0;
}

pm_status pm_root_inverse_leave_out(pm_root_inverse *x, int32_t r, int32_t c, uint8_t negative,
                                    double bits, const pm_run *run, bool *found, pm_error *err)
{
    const int64_t needed = batch_count(bits, x->prime_bits, x->kernel->lanes);
    x->batches = needed < x->batches ? needed : x->batches;
    if (pm_run_stopped(run))
        return pm_fail(err, PM_ESTOPPED, "stopped");
    shrink_determinants(x, r, c, negative);
    *found = shrink_inverses(x, r, c, run);
    if (*found && x->is_skew)
        *found = shrink_inverses(x, c, r, run);
    return PM_OK;
}
