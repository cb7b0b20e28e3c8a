/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm "hafnian-small": at most 16 vertices, at once; planning takes less than a microsecond.  The answer for integers fits 64 or
 * 128 bits, so what overflows on the way does not matter, and nothing is allocated.  Real and complex numbers are those of
 * hafnian_few.h, or of the algorithm "hafnian". */
#include "config.h"

#include "algorithm/algorithm.h"
#include "core/machine.h"
#include "hafnian/hafnian_few.h"
#include "hafnian/hafnian_run.h"

enum { SMALL = 16 }; /* vertices, at most, as in the body */

/* log2 of the largest answers, with a sign */
#define BITS      62
#define WIDE_BITS 126

#include "hafnian/hafnian_small_body.h"

typedef unsigned __int128 uint128;

#define WORD    uint128
#define MOST    SMALL
#define NAME(x) x##_128
#define PLAIN
#include "hafnian/hafnian_small_body.h"

/* Multiplications of a count, about, by pairs and with loops. */
static double products(int64_t n)
{
    const double sets = (double)(UINT64_C(1) << ((n + 1) / 2)), h = (double)(n + 1) / 2;
    return sets * h * h;
}

static double seconds_of(const pm_matrix *a)
{
    const double all = products(a->nrows);
    if (a->field <= PM_INTEGER)
        return PM_HAFNIAN_SMALL_SECONDS + all * PM_HAFNIAN_SMALL_PRODUCT_SECONDS;
    return (pm_hafnian_is_few(a) ? PM_HAFNIAN_SMALL_SECONDS : PM_HAFNIAN_SETUP_SECONDS)
           + all * PM_HAFNIAN_SMALL_REAL_SECONDS;
}

static pm_status plan(const pm_job *job, pm_plan *out, pm_error *err)
{
    const pm_block *b = job->block;
    if (b->n > SMALL)
        return pm_fail(err, PM_UNABLE, "hafnian-small takes at most %d vertices, found %lld", SMALL,
                       (long long)b->n);
    if (b->a.field <= PM_INTEGER && !(b->log2_bound <= WIDE_BITS))
        return pm_fail(err, PM_UNABLE,
                       "hafnian-small takes integers with answers of at most %d bits only",
                       WIDE_BITS);
    if (job->order)
        return pm_fail(err, PM_UNABLE, "hafnian-small does not use an order of vertices");
    out->is_serial = true;
    out->operations = products(b->n);
    out->memory = sizeof(room_128) + sizeof(small_128);
    out->seconds = seconds_of(&b->a);
    return PM_OK;
}

/* Modulo 2^128. */
static uint128 entry_of(const pm_matrix *a, int64_t k)
{
    if (!a->re)
        return 1;
    mpz_t z;
    mpz_init(z);
    pm_dyadic_get_mpz(z, &a->re[k]);
    const bool is_negative = mpz_sgn(z) < 0;
    uint128 x = mpz_get_ui(z);
    mpz_tdiv_q_2exp(z, z, 64);
    x |= (uint128)mpz_get_ui(z) << 64;
    mpz_clear(z);
    return is_negative ? -x : x;
}

/* An odd number of vertices gets one more, which is always alone. */
static void load(const pm_matrix *a, small_128 *g)
{
    *g = (small_128){.n = (int)a->nrows + (int)(a->nrows & 1), .sheets = 1};
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            g->a[i][a->colind[k]] = entry_of(a, k);
            if (a->colind[k] == i)
                g->sheets = 2;
        }
    if (a->nrows < g->n)
        g->a[a->nrows][a->nrows] = 1;
}

static uint64_t count_short(const small_128 *g)
{
    small_64 s = {.n = g->n, .sheets = g->sheets};
    for (int i = 0; i < g->n; ++i)
        for (int j = 0; j < g->n; ++j)
            s.a[i][j] = (uint64_t)g->a[i][j];
    return count_64(&s);
}

static void set(pm_value *out, __int128 x)
{
    const uint128 size = x < 0 ? -(uint128)x : (uint128)x;
    mpz_t z;
    mpz_init_set_ui(z, (uint64_t)(size >> 64));
    mpz_mul_2exp(z, z, 64);
    mpz_add_ui(z, z, (uint64_t)size);
    if (x < 0)
        mpz_neg(z, z);
    pm_value_set_mpz(out, z);
    mpz_clear(z);
}

static pm_status run(const pm_job *job, const pm_plan *p, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    (void)p, (void)residues;
    const pm_block *b = job->block;
    small_128 g;
    if (b->a.field > PM_INTEGER && !pm_hafnian_is_few(&b->a))
        return pm_hafnian_float_block(b, NULL, job->run, out, err);
    if (b->a.field > PM_INTEGER) {
        pm_hafnian_few_count(&b->a, out);
        return PM_OK;
    }
    load(&b->a, &g);
    if (b->log2_bound <= BITS)
        set(out, (int64_t)count_short(&g));
    else
        set(out, (__int128)count_128(&g));
    return PM_OK;
}

const pm_algorithm pm_algorithm_hafnian_small = {
    .name = "hafnian-small",
    .summary = "the same at once, for at most 16 vertices",
    .source = "Bjorklund 2012, with paths in place of traces; src/hafnian/README.md",
    .stage = PM_STAGE_AT_ONCE,
    .backend = PM_BACKEND_CPU,
    .integers = true,
    .general = true,
    .plan = plan,
    .run = run};
