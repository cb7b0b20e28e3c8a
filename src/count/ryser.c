/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The permanent of a full block in Glynn's form, in Gray-code order:
 *
 *   per(A) = 2^(1-n) * sum over signs d with d_1 = 1 of (prod_k d_k) prod_i (sum_j d_j a_ij).
 *
 * The row sums x_i change by one column a term.  Exact blocks work modulo odd primes, real and
 * complex ones in double-double with the sum of |terms| beside.  Classes of twins stand as often
 * as their capacity says; their factorials divide the result.  The terms are cut into ranges of
 * fixed size whatever the number of threads, and the ranges are added in their sequence.
 * Source: Glynn 2010, theorem 2.1; Nijenhuis and Wilf 1978, chapter 23, for the Gray code. */
#include "config.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/dd.h"
#include "count/algorithm.h"
#include "count/prime.h"
#include "pm/alloc.h"

enum { MAX_N = 62, RANGE_BITS = 14 };

#define SECONDS_RESIDUE 4e-9 /* one multiplication in one term */
#define SECONDS_FLOAT   8e-9

/* The block with every class written out, columns one after another. */
typedef struct {
    int32_t n;
    int32_t colptr[MAX_N + 1];
    int32_t *rowind; /* colptr[n] */
    int64_t *entry;  /* of the block's matrix */
} expanded;

static pm_status expand(const pm_block *b, expanded *x, pm_error *err)
{
    const pm_matrix *a = &b->a;
    *x = (expanded){.n = (int32_t)b->n};
    x->rowind = pm_alloc_array((int64_t)MAX_N * MAX_N, sizeof *x->rowind);
    x->entry = pm_alloc_array((int64_t)MAX_N * MAX_N, sizeof *x->entry);
    if (!x->rowind || !x->entry)
        return pm_fail_memory(err, "block");
    int32_t count = 0, column = 0;
    for (int64_t j = 0; j < a->ncols; ++j)
        for (int32_t copy = 0; copy < b->col_cap[j]; ++copy) {
            int32_t row = 0;
            x->colptr[column++] = count;
            for (int64_t i = 0; i < a->nrows; ++i) {
                for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
                    if (a->colind[k] == j)
                        for (int32_t r = 0; r < b->row_cap[i]; ++r) {
                            x->rowind[count] = row + r;
                            x->entry[count++] = k;
                        }
                row += b->row_cap[i];
            }
        }
    x->colptr[column] = count;
    return PM_OK;
}

static void expanded_free(expanded *x)
{
    free(x->rowind);
    free(x->entry);
}

/* Waking threads for a few ranges takes longer than the ranges do. */
static int threads_for(const pm_job *job, int64_t ranges)
{
    return ranges < 4 ? 1 : pm_run_threads(job->run);
}

/* One range more is done, of part `which` of `parts`; one thread speaks. */
static void tell_progress(const pm_job *job, int64_t *done, int64_t ranges, int which, int parts)
{
    int64_t now;
#pragma omp atomic capture
    now = ++*done;
    if (omp_get_thread_num() == 0)
        pm_run_progress(job->run, ((double)now / (double)ranges + which) / parts, "ryser");
}

/* Product of the factorials of all capacities. */
static void twin_factor(const pm_block *b, mpz_t out)
{
    mpz_t f;
    mpz_init(f);
    mpz_set_ui(out, 1);
    for (int64_t i = 0; i < b->a.nrows + b->a.ncols; ++i) {
        int32_t c = i < b->a.nrows ? b->row_cap[i] : b->col_cap[i - b->a.nrows];
        mpz_fac_ui(f, (unsigned long)c);
        mpz_mul(out, out, f);
    }
    mpz_clear(f);
}

/* ---- modulo an odd prime ---- */

/* Montgomery form with R = 2^64. */
typedef struct {
    uint64_t p, inverse /* -p^-1 mod R */;
} montgomery;

static inline uint64_t redc(unsigned __int128 t, const montgomery *m)
{
    uint64_t q = (uint64_t)t * m->inverse;
    uint64_t r = (uint64_t)((t + (unsigned __int128)q * m->p) >> 64);
    return r >= m->p ? r - m->p : r;
}

static uint64_t add_mod(uint64_t a, uint64_t b, uint64_t p)
{
    uint64_t s = a + b;
    return s >= p ? s - p : s;
}

/* Terms first..last-1; w[k]: twice entry k in Montgomery form; x: row sums for all signs +1. */
static uint64_t residue_range(const expanded *b, const montgomery *m, const uint64_t *w,
                              const uint64_t *all, uint64_t first, uint64_t last)
{
    uint64_t x[MAX_N], sum = 0, gray = first ^ first >> 1;
    memcpy(x, all, (size_t)b->n * sizeof *x);
    /* sign -1 of column j subtracts twice its entries */
    for (int32_t j = 1; j < b->n; ++j)
        if (gray >> (j - 1) & 1)
            for (int32_t k = b->colptr[j]; k < b->colptr[j + 1]; ++k)
                x[b->rowind[k]] = add_mod(x[b->rowind[k]], m->p - w[k], m->p);
    for (uint64_t t = first; t < last; ++t) {
        uint64_t product = x[0];
        for (int32_t i = 1; i < b->n; ++i)
            product = redc((unsigned __int128)product * x[i], m);
        sum = add_mod(sum, __builtin_parityll(gray) && product ? m->p - product : product, m->p);
        if (t + 1 == last)
            break;
        int bit = __builtin_ctzll(t + 1);
        bool minus = !(gray >> bit & 1); /* the sign turns to -1 */
        gray ^= UINT64_C(1) << bit;
        for (int32_t k = b->colptr[bit + 1]; k < b->colptr[bit + 2]; ++k)
            x[b->rowind[k]] = add_mod(x[b->rowind[k]], minus ? m->p - w[k] : w[k], m->p);
    }
    return sum;
}

static uint64_t to_montgomery(uint64_t a, const montgomery *m)
{
    return (uint64_t)(((unsigned __int128)a << 64) % m->p);
}

static pm_status residue_permanent(const pm_job *job, const expanded *b, int which, uint64_t *out,
                                   pm_error *err)
{
    pm_status rc = PM_OK;
    const pm_matrix *a = &job->block->a;
    uint64_t p = job->moduli[which];
    montgomery m = {p, p};
    for (int i = 0; i < 5; ++i) /* Newton: p p = 1 mod 8 */
        m.inverse *= 2 - p * m.inverse;
    m.inverse = -m.inverse;
    uint64_t all[MAX_N] = {0};
    uint64_t *w = pm_alloc_array(b->colptr[b->n], sizeof *w);
    int64_t terms = INT64_C(1) << (b->n - 1), ranges = (terms >> RANGE_BITS) + 1;
    if (!w)
        return pm_fail_memory(err, "block");
    for (int32_t k = 0; k < b->colptr[b->n]; ++k) {
        uint64_t v = to_montgomery(a->re ? pm_dyadic_mod(&a->re[b->entry[k]], p) : 1, &m);
        all[b->rowind[k]] = add_mod(all[b->rowind[k]], v, p);
        w[k] = add_mod(v, v, p);
    }
    uint64_t sum = 0;
    int64_t done = 0;
#pragma omp parallel for num_threads(threads_for(job, ranges)) schedule(dynamic, 1)
    for (int64_t r = 0; r < ranges; ++r) {
        uint64_t first = (uint64_t)r << RANGE_BITS, last = (uint64_t)(r + 1) << RANGE_BITS;
        if (last > (uint64_t)terms)
            last = (uint64_t)terms;
        if (first >= last || pm_run_stopped(job->run))
            continue;
        uint64_t part = residue_range(b, &m, w, all, first, last);
#pragma omp critical
        sum = add_mod(sum, part, p);
        tell_progress(job, &done, ranges, which, job->nmoduli);
    }
    if (pm_run_stopped(job->run)) {
        rc = pm_fail(err, PM_ESTOPPED, "stopped");
    } else {
        /* a product of n Montgomery numbers lost R^(n-1): the sum is in Montgomery form */
        mpz_t twins;
        mpz_init(twins);
        twin_factor(job->block, twins);
        uint64_t divide =
            pm_mod_mul(pm_mod_pow(2, (uint64_t)b->n - 1, p), mpz_fdiv_ui(twins, p), p);
        mpz_clear(twins);
        *out = pm_mod_mul(redc(sum, &m), pm_mod_inverse(divide, p), p);
    }
    free(w);
    return rc;
}

/* ---- double-double ---- */

/* mag bounds the sum of |terms| from above with every |x_i| raised by GUARD of its row's absolute
 * sum: a row sum that cancels keeps a drift of up to 2^(RANGE_BITS - 104) of that, which is below
 * 2^-60 of the raised value. */
#define GUARD         0x1p-30
#define ERROR_PER_ROW 0x1p-59

typedef struct {
    double re[2], im[2], mag;
} term_sum;

typedef struct {
    const expanded *b;
    double *w;              /* [4 k]: entry k, real and imaginary double-double */
    double absolute[MAX_N]; /* of each row: sum of |entries| times GUARD */
    int64_t shift;          /* the result is to be multiplied by 2^shift */
    bool is_complex;
} float_block;

static void complex_multiply(double *restrict z, const double *x)
{
    double p[2], q[2], im[2];
    pm_dd_mul(p, z, x);
    pm_dd_mul(q, z + 2, x + 2);
    q[0] = -q[0], q[1] = -q[1];
    pm_dd_add(p, q);
    pm_dd_mul(im, z, x + 2);
    pm_dd_mul(q, z + 2, x);
    pm_dd_add(im, q);
    memcpy(z, p, sizeof p);
    memcpy(z + 2, im, sizeof im);
}

static void flip(const float_block *f, double (*x)[4], int32_t j, double sign)
{
    for (int32_t k = f->b->colptr[j]; k < f->b->colptr[j + 1]; ++k) {
        double v[4];
        for (int i = 0; i < 4; ++i)
            v[i] = sign * f->w[4 * k + i];
        pm_dd_add(x[f->b->rowind[k]], v);
        if (f->is_complex)
            pm_dd_add(x[f->b->rowind[k]] + 2, v + 2);
    }
}

/* Row sums are set up anew in every range, so their drift is that of 2^RANGE_BITS flips. */
static term_sum float_range(const float_block *f, uint64_t first, uint64_t last)
{
    int32_t n = f->b->n;
    double x[MAX_N][4] = {{0}};
    term_sum s = {{0}, {0}, 0};
    uint64_t gray = first ^ first >> 1;
    for (int32_t j = 0; j < n; ++j)
        flip(f, x, j, j && gray >> (j - 1) & 1 ? -1 : 1);
    for (uint64_t t = first; t < last; ++t) {
        double z[4], mag = hypot(x[0][0], x[0][2]) + f->absolute[0];
        memcpy(z, x[0], sizeof z);
        for (int32_t i = 1; i < n; ++i) {
            if (f->is_complex)
                complex_multiply(z, x[i]);
            else
                pm_dd_mul(z, z, x[i]);
            mag *= (f->is_complex ? hypot(x[i][0], x[i][2]) : fabs(x[i][0])) + f->absolute[i];
        }
        if (__builtin_parityll(gray))
            for (int i = 0; i < 4; ++i)
                z[i] = -z[i];
        pm_dd_add(s.re, z);
        pm_dd_add(s.im, z + 2);
        s.mag += mag;
        if (t + 1 == last)
            break;
        int bit = __builtin_ctzll(t + 1);
        flip(f, x, bit + 1, gray >> bit & 1 ? 2 : -2);
        gray ^= UINT64_C(1) << bit;
    }
    return s;
}

/* log2 of the larger part of an entry, or INT64_MIN for 0. */
static int64_t exponent_of(const pm_xreal v[2])
{
    int64_t e = v[0].hi != 0 ? v[0].exp : INT64_MIN;
    return v[1].hi != 0 && v[1].exp > e ? v[1].exp : e;
}

/* Powers of two for rows and columns that bring the largest entry of each near 1. */
static void equilibrate(const expanded *b, const pm_xreal (*v)[2], int64_t *row, int64_t *column)
{
    memset(row, 0, MAX_N * sizeof *row);
    memset(column, 0, MAX_N * sizeof *column);
    for (int pass = 0; pass < 8; ++pass) {
        int64_t top[MAX_N];
        for (int32_t i = 0; i < b->n; ++i)
            top[i] = INT64_MIN;
        for (int32_t j = 0; j < b->n; ++j)
            for (int32_t k = b->colptr[j]; k < b->colptr[j + 1]; ++k) {
                int32_t line = pass % 2 ? b->rowind[k] : j;
                int64_t e = exponent_of(v[k]) - row[b->rowind[k]] - column[j];
                top[line] = e > top[line] ? e : top[line];
            }
        for (int32_t i = 0; i < b->n; ++i)
            *(pass % 2 ? &row[i] : &column[i]) += top[i];
    }
}

/* Entries scaled by powers of two. */
static pm_status convert(const pm_matrix *a, const expanded *b, float_block *f, pm_error *err)
{
    int64_t row[MAX_N], column[MAX_N];
    pm_xreal(*v)[2] = pm_calloc_array(b->colptr[b->n], sizeof *v);
    if (!v)
        return pm_fail_memory(err, "block");
    for (int32_t k = 0; k < b->colptr[b->n]; ++k) {
        v[k][0] = pm_xreal_from_dyadic(&a->re[b->entry[k]]);
        if (a->im)
            v[k][1] = pm_xreal_from_dyadic(&a->im[b->entry[k]]);
    }
    equilibrate(b, (const pm_xreal(*)[2])v, row, column);
    for (int32_t j = 0; j < b->n; ++j) {
        for (int32_t k = b->colptr[j]; k < b->colptr[j + 1]; ++k) {
            double *w = f->w + 4 * k;
            int32_t i = b->rowind[k];
            for (int part = 0; part < 2; ++part) {
                int64_t e = v[k][part].exp - row[i] - column[j];
                int by = e < -5000 ? -5000 : (int)e;
                w[2 * part] = ldexp(v[k][part].hi, by);
                w[2 * part + 1] = ldexp(v[k][part].lo, by);
            }
            f->absolute[i] += GUARD * hypot(w[0], w[2]);
        }
        f->shift += row[j] + column[j];
    }
    free(v);
    return PM_OK;
}

static pm_xreal scaled(double hi, double lo, int64_t shift, pm_xreal factor)
{
    return pm_xreal_mul(pm_xreal_make(hi, lo, shift), factor);
}

static pm_status float_permanent(const pm_job *job, const expanded *b, pm_value *out, pm_error *err)
{
    pm_status rc = PM_OK;
    const pm_matrix *a = &job->block->a;
    int64_t terms = INT64_C(1) << (b->n - 1), ranges = (terms >> RANGE_BITS) + 1;
    int64_t done = 0;
    float_block f = {.b = b, .is_complex = a->field == PM_COMPLEX};
    f.w = pm_calloc_array(4 * (int64_t)b->colptr[b->n], sizeof *f.w);
    term_sum *part = pm_calloc_array(ranges, sizeof *part), sum = {{0}, {0}, 0};
    if (!f.w || !part) {
        rc = pm_fail_memory(err, "block");
        goto done;
    }
    if ((rc = convert(a, b, &f, err)))
        goto done;
#pragma omp parallel for num_threads(threads_for(job, ranges)) schedule(dynamic, 1)
    for (int64_t r = 0; r < ranges; ++r) {
        int64_t first = r << RANGE_BITS, last = (r + 1) << RANGE_BITS;
        if (last > terms)
            last = terms;
        if (first < last && !pm_run_stopped(job->run)) {
            part[r] = float_range(&f, (uint64_t)first, (uint64_t)last);
            tell_progress(job, &done, ranges, 0, 1);
        }
    }
    if (pm_run_stopped(job->run)) {
        rc = pm_fail(err, PM_ESTOPPED, "stopped");
        goto done;
    }
    for (int64_t r = 0; r < ranges; ++r) {
        pm_dd_add(sum.re, part[r].re);
        pm_dd_add(sum.im, part[r].im);
        sum.mag += part[r].mag;
    }
    mpq_t twins;
    mpq_init(twins);
    twin_factor(job->block, mpq_denref(twins));
    mpz_set_ui(mpq_numref(twins), 1);
    pm_xreal factor = pm_xreal_from_mpq(twins);
    mpq_clear(twins);
    int64_t shift = f.shift + 1 - b->n;
    /* the last summand: products that fell below the range of double */
    double error = sum.mag * ERROR_PER_ROW * (2 * b->n + 8) + ldexp(1, b->n - 1050);
    pm_value_set_real(out, f.is_complex ? PM_COMPLEX : PM_REAL,
                      scaled(sum.re[0], sum.re[1], shift, factor),
                      scaled(sum.im[0], sum.im[1], shift, factor), scaled(error, 0, shift, factor));
done:
    free(f.w);
    free(part);
    return rc;
}

/* ---- the algorithm ---- */

static pm_status plan(const pm_job *job, pm_plan *plan, pm_error *err)
{
    int64_t n = job->block->n;
    if (n > MAX_N)
        return pm_fail(err, PM_UNABLE, "ryser takes blocks up to n = %d, not %lld", MAX_N,
                       (long long)n);
    double terms = ldexp(1, (int)n - 1);
    int copies = job->nmoduli ? job->nmoduli : 1;
    double rate = job->nmoduli ? SECONDS_RESIDUE
                               : SECONDS_FLOAT * (job->block->a.field == PM_COMPLEX ? 5 : 1);
    plan->operations = terms * copies;
    plan->seconds = terms * (double)n * rate * copies;
    if (n > 16)
        plan->seconds = pm_shared_seconds(plan->seconds, pm_run_threads(job->run));
    plan->memory = job->nmoduli ? 1e5 : 1e5 + terms / (1 << RANGE_BITS) * sizeof(term_sum);
    if (plan->memory > (double)job->memory)
        return pm_fail(err, PM_UNABLE, "ryser needs %.3g GiB of memory (--max-memory)",
                       plan->memory / 0x1p30);
    return PM_OK;
}

static pm_status run(const pm_job *job, const pm_plan *chosen, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    (void)chosen;
    expanded b;
    pm_status rc = expand(job->block, &b, err);
    if (!rc && !job->nmoduli)
        rc = float_permanent(job, &b, out, err);
    for (int i = 0; i < job->nmoduli && !rc; ++i)
        rc = residue_permanent(job, &b, i, &residues[i], err);
    expanded_free(&b);
    return rc;
}

const pm_algorithm pm_algorithm_ryser = {
    "ryser",
    "all signs in Gray-code order (Glynn's form); for small full blocks",
    "Glynn 2010, theorem 2.1",
    true,
    true,
    true,
    plan,
    run,
    NULL};
