/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/root_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "count/count_classes.h"
#include "count/count_reduce.h"
#include "count/root_entries.h"
#include "count/root_norm.h"
#include "general/general.h"
#include "general/general_bound.h"
#include "integers/integer_scale.h"
#include "integers/root_primes.h"
#include "number/prime.h"
#include "number/root_sum.h"
#include "pm/alloc.h"
#include "pm/settings.h"

/* Bits of primes that are tried.  Methods that sum residues as they are have shorter sums with small primes; for others few primes
 * are better.  Row sums of residues are not too large for any method. */
static const int prime_bits[] = {54, 62, 45, 27, 20, 16, 11};
/* Other sizes of primes take at least this part of the time that one size takes. */
#define SIZE_SHARE (1. / 64)
/* Reductions make no longer entries. */
enum { MERGE_BITS = 4096 };

typedef struct {
    const pm_block *block;
    pm_integer_scale s;
    pm_root_entries entries;
    int32_t order, degree;
    int64_t *poly; /* [degree + 1] */
    int32_t *
        alike; /* [order] of j: the least one with the same count; 0 unless j is prime to the order */
    int counts;  /* of a prime */
    double bits; /* log2 of a bound of the coefficients */
    uint64_t *prime;
    int primes;
} root_block;

/* ---- the block ---- */

static int64_t *widened(const int32_t *cap, int64_t n)
{
    int64_t *times = pm_alloc_array(n, sizeof *times);
    for (int64_t i = 0; times && i < n; ++i)
        times[i] = cap[i];
    return times;
}

static pm_status scale(const pm_block *b, const pm_run *run, pm_integer_scale *s, pm_error *err)
{
    int64_t *rows = widened(b->row_cap, b->a.nrows), *columns = widened(b->col_cap, b->a.ncols);
    const pm_matched_lines lines = {
        .general = b->general,
        .row_times = b->general ? NULL : rows,
        .col_times = b->general ? NULL : columns,
    };
    pm_matrix a = {0};
    pm_status status =
        rows && columns ? pm_matrix_copy(&b->a, &a, err) : pm_fail_memory(err, "a block");
    if (!status)
        status = pm_matrix_widen(&a, PM_COMPLEX, err);
    if (!status)
        status = pm_integer_scale_make(&a, &lines, run, s, err);
    pm_matrix_free(&a);
    free(rows);
    free(columns);
    return status;
}

/* A block with the capacities of b and other entries, which it takes over. */
static pm_block with_entries(const pm_block *b, pm_matrix *a)
{
    const pm_block c = {
        .a = *a, .row_cap = b->row_cap, .col_cap = b->col_cap, .n = b->n, .general = b->general};
    *a = (pm_matrix){.rowptr = NULL};
    return c;
}

/* log2 of the count of the norms: of the block with its copies written out. */
static pm_status bound_norms(root_block *x, pm_error *err)
{
    pm_matrix norms = {0}, whole = {0};
    const pm_block *b = x->block;
    int64_t *rows = widened(b->row_cap, b->a.nrows), *columns = widened(b->col_cap, b->a.ncols);
    pm_status status = rows && columns ? pm_root_entries_norms(&x->entries, &x->s.a, &norms, err)
                                       : pm_fail_memory(err, "a block");
    if (!status)
        status = pm_matrix_repeat(&norms, rows, columns, &whole, err);
    if (!status)
        x->bits = (b->general ? pm_general_log2_bound(&whole) : pm_permanent_log2_bound(&whole))
                  + log2((double)x->entries.height);
    pm_matrix_free(&norms);
    pm_matrix_free(&whole);
    free(rows);
    free(columns);
    return status;
}

static bool has_copies(const pm_block *b)
{
    bool has = false;
    for (int64_t i = 0; i < b->a.nrows && !has; ++i)
        has = b->row_cap[i] != 1;
    for (int64_t k = 0; k < b->a.ncols && !has; ++k)
        has = b->col_cap[k] != 1;
    return has;
}

/* Where all counts are equal, the answer is an integer, its only coefficient, and the norm of the matrix bounds it. */
static pm_status bound(root_block *x, pm_error *err)
{
    double log2_norm;
    pm_status status = bound_norms(x, err);
    if (status || x->counts > 1 || x->block->general || has_copies(x->block))
        return status;
    status = pm_root_norm_log2(&x->entries, &x->s.a, &log2_norm, err);
    if (!status && (double)x->block->n * log2_norm < x->bits)
        x->bits = (double)x->block->n * log2_norm;
    return status;
}

/* ---- primes ---- */

/* Primes below 2^bits, as many as the bound needs; an independent count takes smaller ones.
 * *are_enough: false when there are fewer. */
static pm_status set_primes(root_block *x, int bits, bool independent, bool *are_enough,
                            pm_error *err)
{
    const double needed = fmax(x->bits, 0) + 2;
    uint64_t p = UINT64_C(1) << bits;
    double have = 0;
    int64_t cap = 0;
    free(x->prime);
    x->prime = NULL;
    x->primes = 0;
    if (needed > 1e8)
        return pm_fail(err, PM_UNABLE,
                       "refused: the answer may have more than 10^8 bits (30 million digits)");
    if (independent)
        p = p / 4 * 3;
    while (have < needed && (p = pm_root_prime_below(p, x->order))) {
        if (PM_GROW(x->prime, cap, x->primes + 1))
            return pm_fail_memory(err, "primes");
        x->prime[x->primes++] = p;
        have += log2((double)p) - 0x1p-40;
    }
    *are_enough = have >= needed;
    return PM_OK;
}

/* ---- symmetry ---- */

static int32_t find_alike(const root_block *x, int32_t j)
{
    while (x->alike[j] != j)
        j = x->alike[j];
    return j;
}

/* The counts with z^j and z^(j u) are equal. */
static void join_units(root_block *x, int32_t u)
{
    for (int32_t j = 1; j < x->order; ++j) {
        if (!x->alike[j])
            continue;
        const int32_t a = find_alike(x, j), b = find_alike(x, j * u % x->order);
        x->alike[a > b ? a : b] = a < b ? a : b;
    }
}

static pm_status find_symmetry(root_block *x, pm_error *err)
{
    pm_status status = PM_OK;
    x->alike = pm_calloc_array(x->order + 1, sizeof *x->alike);
    if (!x->alike)
        return pm_fail_memory(err, "roots of unity");
    x->alike[1] = 1; /* also where the order is 1 */
    for (int32_t j = 2; j < x->order; ++j)
        x->alike[j] = pm_root_gcd(x->order, j) == 1 ? j : 0;
    for (int32_t u = 2; u < x->order && !status; ++u) {
        bool is_same = false;
        if (!x->alike[u] || find_alike(x, u) == 1)
            continue;
        status = pm_root_entries_symmetry(&x->entries, x->block, &x->s.a, u, &is_same, err);
        if (!status && is_same)
            join_units(x, u);
    }
    x->counts = 0;
    for (int32_t j = 1; j <= x->order; ++j)
        x->counts += x->alike[j] == j;
    return status;
}

/* ---- residues ---- */

/* Entries modulo p, with their signs and none of them 0: no bound of the block becomes wrong. */
static void shorten(pm_matrix *a, uint64_t p)
{
    for (int64_t k = 0; a->re && k < pm_matrix_nnz(a); ++k) {
        const bool negative = pm_dyadic_sign(&a->re[k]) < 0;
        pm_dyadic_abs(&a->re[k]);
        const uint64_t r = pm_dyadic_mod(&a->re[k], p);
        const int64_t size = (int64_t)(r ? r : p);
        pm_dyadic_set_si(&a->re[k], negative ? -size : size);
    }
}

/* Of one count, beside its method: residues are reduced and planned. */
static double seconds_beside(const root_block *x)
{
    return PM_REDUCE_SECONDS + PM_REDUCE_ENTRY_SECONDS * (double)x->entries.nnz;
}

/* Adds the plans of one count, of so many. */
static pm_status add_report(pm_root_count *w, const root_block *x, const pm_count_report *r,
                            int64_t counts, pm_error *err)
{
    pm_count_report *all = w->report;
    const double beside = seconds_beside(x);
    if (PM_GROW(all->blocks, w->cap_blocks, all->nblocks + r->nblocks))
        return pm_fail_memory(err, "report");
    for (int64_t i = 0; i < r->nblocks; ++i) {
        pm_block_report *b = &all->blocks[all->nblocks++];
        *b = r->blocks[i];
        b->operations *= (double)counts;
        b->seconds = (b->seconds + beside / (double)r->nblocks) * (double)counts;
        b->device_seconds *= (double)counts;
        b->residues = (int)counts;
        b->bits = 1 + (int64_t)fmax(x->bits, 0);
    }
    all->seconds += (r->seconds + beside) * (double)counts;
    return PM_OK;
}

/* The count modulo p with `root` in place of root(order). */
static pm_status count_residue(pm_root_count *w, const root_block *x, uint64_t p, uint64_t root,
                               const pm_run *run, pm_count_report *report, uint64_t *out,
                               pm_error *err)
{
    pm_matrix a = {0};
    pm_reduced r = {.zero = false};
    pm_value v;
    pm_count_options opt = *w->opt;
    pm_reduce_options steps = opt.order ? (pm_reduce_options){0} : opt.reduce;
    opt.modulus = p;
    steps.merge_bits = MERGE_BITS;
    pm_value_init(&v);
    pm_status status = pm_root_entries_residues(&x->entries, &x->s.a, p, root, &a, err);
    pm_block b = with_entries(x->block, &a);
    if (!status && b.general)
        status = pm_general_reduce(&b.a, &steps, true, run, &r, err);
    else if (!status)
        status = pm_reduce_block(&b, &steps, run, &r, err);
    for (int64_t i = 0; i < r.nblocks; ++i)
        shorten(&r.blocks[i].a, p);
    if (!status)
        status = pm_count_reduced(&r, PM_INTEGER, &opt, run, &v, report, err);
    if (!status)
        *out = mpz_fdiv_ui(mpq_numref(v.exact), p);
    pm_reduced_free(&r);
    pm_matrix_free(&b.a);
    pm_value_clear(&v);
    return status;
}

/* ---- the size of the primes ---- */

/* *seconds: predicted, of all counts with the primes of x. */
static pm_status predict(pm_root_count *w, const root_block *x, double *seconds, pm_error *err)
{
    pm_count_options opt = *w->opt;
    pm_root_count plan = {.opt = &opt};
    pm_count_report report = {0};
    pm_run run = w->run ? *w->run : (pm_run){0};
    uint64_t residue;
    opt.plan_only = true;
    run.max_cost = 0;
    run.note = NULL;
    pm_status status = count_residue(&plan, x, x->prime[0], pm_root_modulo(x->prime[0], x->order),
                                     &run, &report, &residue, err);
    *seconds = report.seconds * (double)x->primes * x->counts;
    pm_count_report_free(&report);
    return status;
}

/* What takes so long is refused, whatever the size of primes. */
static bool is_hopeless(const pm_root_count *w, double seconds)
{
    return w->run && w->run->max_cost > 0
           && seconds * SIZE_SHARE / pm_run_threads(w->run) > w->run->max_cost;
}

/* The size whose counts are predicted to take the least time; the first one where they take little time, or are to be refused. */
static pm_status choose_primes(pm_root_count *w, root_block *x, pm_error *err)
{
    enum { SIZES = sizeof prime_bits / sizeof *prime_bits };
    int best = prime_bits[0], last = 0;
    double least = INFINITY;
    bool are_enough = true;
    pm_status status = PM_OK;
    for (int k = 0; k < SIZES && !status
                    && (k == 0 || (least >= PM_PRIME_SIZE_SECONDS && !is_hopeless(w, least)));
         ++k) {
        double seconds = INFINITY;
        pm_error none;
        last = prime_bits[k];
        status = set_primes(x, last, w->opt->independent, &are_enough, err);
        if (status || !are_enough)
            continue;
        if (predict(w, x, &seconds, &none)) /* the count will say it */
            break;
        if (seconds < least) {
            least = seconds;
            best = last;
        }
    }
    if (!status && last != best)
        status = set_primes(x, best, w->opt->independent, &are_enough, err);
    return status;
}

/* ---- all of them ---- */

/* The counts of a prime, and what is told of them. */
typedef struct {
    pm_root_count *w;
    const root_block *x;
    pm_run run;   /* limits for one of them */
    int64_t done; /* counts, of all primes */
} progress;

static pm_status count_one(progress *g, int i, uint64_t root, uint64_t *out, pm_error *err)
{
    const root_block *x = g->x;
    pm_root_count *w = g->w;
    const int64_t all = (int64_t)x->primes * x->counts;
    const bool is_told = w->report && g->done == 0;
    pm_count_report report = {0};
    pm_run_part part;
    pm_error why;
    const pm_run *run =
        pm_run_part_of(&part, &g->run, (double)g->done / (double)all, 1 / (double)all);
    pm_status status =
        count_residue(w, x, x->prime[i], root, run, is_told ? &report : NULL, out, &why);
    if (status == PM_PARTIAL) {
        w->is_partial = true;
        *out = 0;
        status = PM_OK;
    }
    if (status)
        pm_fail_after(&why, err, status, "%s (one of %lld counts of residues for a complex block)",
                      why.msg, (long long)all);
    else if (is_told)
        status = add_report(w, x, &report, all, err);
    pm_count_report_free(&report);
    ++g->done;
    return status;
}

/* c[0 .. degree - 1]: the coefficients modulo prime i.  value: room for `order` residues. */
static pm_status count_prime(progress *g, int i, uint64_t *value, uint64_t *c, pm_error *err)
{
    const root_block *x = g->x;
    const uint64_t p = x->prime[i], z = pm_root_modulo(p, x->order);
    pm_status status = PM_OK;
    uint64_t root = 1;
    for (int32_t j = 1; j <= x->order && !status; ++j) {
        root = pm_mod_mul(root, z, p);
        if (x->alike[j] == j)
            status = count_one(g, i, root, &value[j % x->order], err);
        else if (x->alike[j])
            value[j] = value[find_alike(x, j)];
        if (g->w->opt->plan_only)
            return status;
    }
    if (!status)
        pm_root_coefficients(p, x->order, z, x->poly, value, c);
    return status;
}

/* residue[k * primes + i]: of coefficient k modulo prime i. */
static void set_value(const root_block *x, const uint64_t *residue, pm_value *out, mpq_t *c)
{
    pm_root_sum sum;
    pm_root_sum_init(&sum);
    for (int32_t k = 0; k < x->degree; ++k) {
        pm_crt(mpq_numref(c[k]), residue + (int64_t)k * x->primes, x->prime, x->primes, true);
        mpq_mul(c[k], c[k], x->s.factor);
    }
    if (x->order == 4) {
        pm_value_set_mpq(out, c[0], c[1]);
    } else {
        pm_root_sum_set_powers(&sum, x->order, c);
        pm_value_set_roots(out, &sum);
    }
    pm_root_sum_clear(&sum);
}

/* Methods refuse what takes long; here many short counts. */
static pm_status check_cost(const pm_root_count *w, const root_block *x, pm_error *err)
{
    const double counts = (double)x->primes * x->counts, seconds = counts * seconds_beside(x);
    if (!w->run || w->run->max_cost <= 0 || seconds <= w->run->max_cost || w->opt->plan_only)
        return PM_OK;
    return pm_fail_cost(err, seconds,
                        "refused: %.0f counts of residues for a complex block would take about "
                        "%.2g seconds; allowed are %.6g seconds%s",
                        counts, seconds, w->run->max_cost, pm_hint_text(PM_HINT_COST));
}

static pm_status count_primes(pm_root_count *w, const root_block *x, pm_value *out, pm_error *err)
{
    progress g = {.w = w, .x = x, .run = w->run ? *w->run : (pm_run){0}};
    uint64_t *residue = pm_calloc_array((int64_t)x->degree * x->primes, sizeof *residue);
    uint64_t *value = pm_calloc_array(x->order + 1, sizeof *value);
    uint64_t *coefficient = pm_calloc_array(x->degree, sizeof *coefficient);
    mpq_t *c = pm_alloc_array(x->order, sizeof *c);
    pm_status status = check_cost(w, x, err);
    if (!residue || !value || !coefficient || !c)
        status = pm_fail_memory(err, "residues of a complex block");
    g.run.max_cost /= (double)x->primes * x->counts;
    for (int i = 0; i < x->primes && !status; ++i) {
        status = count_prime(&g, i, value, coefficient, err);
        if (w->opt->plan_only)
            break;
        for (int32_t k = 0; k < x->degree && !status; ++k)
            residue[(int64_t)k * x->primes + i] = coefficient[k];
    }
    for (int32_t k = 0; c && k < x->order; ++k)
        mpq_init(c[k]);
    if (!status && w->opt->plan_only)
        pm_value_set_one(out);
    else if (!status)
        set_value(x, residue, out, c);
    for (int32_t k = 0; c && k < x->order; ++k)
        mpq_clear(c[k]);
    free(c);
    free(residue);
    free(value);
    free(coefficient);
    return status;
}

static pm_status begin(pm_root_count *w, const pm_block *b, root_block *x, pm_error *err)
{
    *x = (root_block){.block = b};
    pm_integer_scale_init(&x->s);
    pm_status status = scale(b, w->run, &x->s, err);
    if (!status)
        status = pm_root_entries_make(&x->s.a, &x->entries, err);
    if (status)
        return status;
    x->order = x->entries.order;
    x->degree = x->entries.degree;
    x->poly = pm_calloc_array(x->degree + 1, sizeof *x->poly);
    if (!x->poly)
        return pm_fail_memory(err, "roots of unity");
    pm_root_polynomial(x->order, x->poly);
    status = find_symmetry(x, err);
    if (!status)
        status = bound(x, err);
    return status ? status : choose_primes(w, x, err);
}

static void end(root_block *x)
{
    pm_integer_scale_free(&x->s);
    pm_root_entries_free(&x->entries);
    free(x->poly);
    free(x->alike);
    free(x->prime);
}

pm_status pm_root_block_count(pm_root_count *w, const pm_block *b, pm_value *out, pm_error *err)
{
    root_block x;
    pm_status status = begin(w, b, &x, err);
    if (!status)
        status = count_primes(w, &x, out, err);
    end(&x);
    return status;
}
