/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planar blocks, and tori: the permanent is a determinant (planar/kasteleyn.h), found modulo as many
 * primes below 2^24 as a bound of the answer needs, eight and more at a time (planar/front_kernel.h).
 *
 * Real and complex entries are integers too, but for powers of two (planar/integers.h), and their
 * permanent is found exactly, whatever cancels in it; it is rounded when all is done.  Modulo a prime
 * 1 mod 4 the imaginary unit is a root of -1, or the other one: two determinants a prime, whose
 * half sum is the real part. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "count/algorithm.h"
#include "count/moduli.h"
#include "count/prime.h"
#include "planar/determinant_sum.h"
#include "pm/alloc.h"

#define MOST_BITS 5e6 /* there are primes for 6e6 */

#define MOST_TERMS   0x1p20
#define LEAST_WORK   200  /* multiplications of a determinant, for each pair, at least */
#define SETUP        1500 /* of a term that a block is split into: signs and fronts, for each pair */
#define TEST_SECONDS 0.4e-6 /* of planarity, for each edge */
#define EFFORT       0.1    /* of what it may save, to find few terms, and then fewer */

typedef struct {
    pm_determinant_sum sum;
    pm_integers integers;
    pm_moduli moduli;
    bool is_modular; /* one modulus, the one that is asked for */
} planar;

static void planar_free(planar *s)
{
    pm_determinant_sum_free(&s->sum);
    pm_integers_free(&s->integers);
    pm_moduli_free(&s->moduli);
    free(s);
}

static void free_plan(pm_plan *plan)
{
    if (plan->state)
        planar_free(plan->state);
}

/* ---- primes ---- */

/* Of the answer, signs included; on a torus of a sum of several determinants. */
static double answer_bits(const pm_block *b, const planar *s)
{
    mpz_t twins;
    mpz_init(twins);
    pm_block_twin_factor(b, twins);
    double bits = b->log2_bound - (double)s->integers.shift + (double)mpz_sizeinbase(twins, 2);
    mpz_clear(twins);
    return fmax(bits, 0) + 2 + PM_KASTELEYN_MOST;
}

/* A modulus that is asked for and does as it is, but for tori, where a sum is halved; the other moduli
 * of a job are not used. */
static bool has_own_modulus(const pm_job *job)
{
    if (job->nmoduli != 1)
        return false;
    uint64_t m = job->moduli[0];
    return m > 2 && m < UINT64_C(1) << PM_LANE_PRIME_BITS && pm_is_prime(m);
}

static pm_status set_primes(const pm_job *job, planar *s, pm_error *err)
{
    const pm_block *b = job->block;
    s->is_modular = has_own_modulus(job) && s->sum.classes == 1;
    double bits = s->is_modular ? 1 : answer_bits(b, s);
    if (bits > MOST_BITS)
        return pm_fail(err, PM_UNABLE, "planar: an answer of more than %.0g bits", MOST_BITS);
    pm_status rc =
        pm_moduli_choose(bits, b->a.field == PM_COMPLEX, job->other_way, &s->moduli, err);
    if (!rc && s->is_modular)
        s->moduli.prime[0] = (uint32_t)job->moduli[0];
    return rc;
}

/* ---- planning ---- */

/* In multiplications: the entries of the block modulo one prime. */
static double entry_work(const pm_block *b, const planar *s)
{
    double limbs = 0;
    for (int part = 0; part < 2; ++part)
        if (s->integers.start[part])
            limbs += (double)s->integers.start[part][pm_matrix_nnz(&b->a)];
    return 4 * limbs + 10 * (double)pm_matrix_nnz(&b->a);
}

/* Seconds of a term, if one elimination takes so much work. */
static double term_seconds(const pm_job *job, const planar *s, double batches, double work)
{
    double setup = s->sum.splitting.count == 1 ? 0 : SETUP * (double)job->block->n;
    return (batches * (work + entry_work(job->block, s)) + setup)
           * job->rates->seconds[PM_RATE_PLANAR];
}

static void predict(const pm_job *job, const planar *s, pm_plan *plan)
{
    const pm_determinant_sum *t = &s->sum;
    double terms = (double)t->splitting.count, count = (double)s->moduli.count;
    double batches = t->classes * ceil(count / PM_LANES_MOST);
    plan->operations = t->multiplications * terms * t->classes * count;
    plan->seconds = terms * term_seconds(job, s, batches, t->work);
    plan->memory = pm_determinant_sum_bytes(t, s->moduli.count, job->memory, job->run);
    plan->is_serial = terms * batches == 1;
    plan->residues = (int)s->moduli.count;
    plan->order_hash = t->first.order_hash;
    plan->splits = t->splitting.edges.count ? t->splitting.count : 0;
}

/* Splitting may take as many terms as could be counted, with the least of work, before the best plan
 * at hand is done, and a part of that time to find them. */
static pm_deletion_limits limits_of(const pm_job *job, const planar *s)
{
    double bits = has_own_modulus(job) ? 1 : answer_bits(job->block, s);
    double batches = floor(bits / ((PM_LANE_PRIME_BITS - 1) * PM_LANES_MOST)) + 1;
    double least = term_seconds(job, s, batches, LEAST_WORK * (double)job->block->n);
    double test = TEST_SECONDS * (double)pm_matrix_nnz(&job->block->a);
    double rival = job->rival > 0 ? job->rival : INFINITY;
    return (pm_deletion_limits){.most = (int64_t)fmin(rival / least, MOST_TERMS),
                                .tests = (int64_t)fmin(EFFORT * rival / test, INT32_MAX),
                                .effort = EFFORT * least / test,
                                .seed = job->seed};
}

static pm_status prepare(const pm_job *job, planar *s, pm_error *err)
{
    pm_written graph = {0};
    pm_status rc = pm_written_make(job->block, &graph, err);
    if (!rc)
        rc = pm_integers_make(job->block, &s->integers, err);
    if (!rc) {
        pm_deletion_limits limits = limits_of(job, s);
        rc = pm_determinant_sum_make(&graph, &limits, job->run, &s->sum, err);
    }
    if (!rc && !s->sum.is_zero)
        rc = set_primes(job, s, err);
    pm_written_free(&graph);
    return rc;
}

static void note_splitting(const pm_job *job, const pm_splitting *s)
{
    if (s->edges.count)
        pm_run_note(job->run, 1,
                    "block of n = %lld: planar after deleting %d edge%s: %lld determinant%s",
                    (long long)job->block->n, (int)s->edges.count, s->edges.count == 1 ? "" : "s",
                    (long long)s->count, s->count == 1 ? "" : "s");
}

static pm_status plan(const pm_job *job, pm_plan *out, pm_error *err)
{
    if (job->order)
        return pm_fail(err, PM_UNABLE, "planar goes by an order of its own, not by a given one");
    planar *s = pm_calloc_array(1, sizeof *s);
    if (!s)
        return pm_fail_memory(err, "planar");
    pm_error why;
    pm_status rc = prepare(job, s, &why);
    if (rc) {
        planar_free(s);
        if (rc == PM_UNABLE)
            pm_run_note(job->run, 1, "block of n = %lld: %s", (long long)job->block->n, why.msg);
        if (err)
            *err = why;
        return rc;
    }
    note_splitting(job, &s->sum.splitting);
    if (!s->sum.is_zero)
        predict(job, s, out);
    out->state = s;
    return PM_OK;
}

/* ---- running ---- */

/* Both parts of the sums of determinants, one a class. */
static pm_status find_sums(const pm_job *job, const planar *s, const pm_integers *integers,
                           const pm_moduli *m, mpz_t (*z)[2], pm_error *err)
{
    const pm_determinants d = {.integers = integers,
                               .prime = m->prime,
                               .unit = m->unit,
                               .count = m->count,
                               .memory = job->memory};
    int classes = s->sum.classes;
    uint64_t *residue = pm_alloc_array(classes * d.count, sizeof *residue);
    if (!residue)
        return pm_fail_memory(err, "residues");
    pm_status rc = pm_determinant_sum_find(&s->sum, &d, job->run, residue, err);
    for (int c = 0; c < classes && !rc; ++c)
        for (int part = 0; part < m->roots && !rc; ++part)
            rc = pm_moduli_rebuild(m, residue + c * d.count, part, z[c][part], err);
    free(residue);
    return rc;
}

/* Which class has the fewest matchings, all weights 1 (planar/kasteleyn.h): from the determinants
 * of a pattern, else by counting it. */
static pm_status find_least(const pm_job *job, const planar *s, mpz_t (*z)[2], int *least,
                            pm_error *err)
{
    static const pm_integers ones = {0};
    mpz_t count[PM_KASTELEYN_MOST][2];
    pm_status rc = PM_OK;
    for (int c = 0; c < PM_KASTELEYN_MOST; ++c)
        mpz_inits(count[c][0], count[c][1], NULL);
    if (job->block->a.field == PM_PATTERN) {
        for (int c = 0; c < s->sum.classes; ++c)
            mpz_set(count[c][0], z[c][0]);
    } else {
        pm_moduli m = {0};
        /* Bregman and Minc: four neighbours each */
        double bits = (double)job->block->n * log2(24) / 4 + 3;
        rc = pm_moduli_choose(bits, false, job->other_way, &m, err);
        if (!rc)
            rc = find_sums(job, s, &ones, &m, count, err);
        pm_moduli_free(&m);
    }
    *least = 0;
    for (int c = 1; c < s->sum.classes; ++c)
        if (mpz_cmp(count[c][0], count[*least][0]) < 0)
            *least = c;
    for (int c = 0; c < PM_KASTELEYN_MOST; ++c)
        mpz_clears(count[c][0], count[c][1], NULL);
    return rc;
}

/* z[0] = half the sum of all, less the least one. */
static void combine(const planar *s, int least, mpz_t (*z)[2])
{
    for (int part = 0; part < 2; ++part) {
        mpz_t sum;
        mpz_init(sum);
        for (int c = 0; c < s->sum.classes; ++c)
            mpz_add(sum, sum, z[c][part]);
        mpz_fdiv_q_2exp(sum, sum, 1);
        mpz_sub(z[0][part], sum, z[least][part]);
        mpz_clear(sum);
    }
}

/* The weighted count of the block, over 2^shift, in z[0], and its imaginary part in z[1]. */
static pm_status find_parts(const pm_job *job, const planar *s, mpz_t z[2], pm_error *err)
{
    int least;
    mpz_t class[PM_KASTELEYN_MOST][2];
    for (int c = 0; c < PM_KASTELEYN_MOST; ++c)
        mpz_inits(class[c][0], class[c][1], NULL);
    pm_status rc = find_sums(job, s, &s->integers, &s->moduli, class, err);
    if (!rc && s->sum.classes > 1) {
        rc = find_least(job, s, class, &least, err);
        if (!rc)
            combine(s, least, class);
    }
    mpz_swap(z[0], class[0][0]);
    mpz_swap(z[1], class[0][1]);
    for (int c = 0; c < PM_KASTELEYN_MOST; ++c)
        mpz_clears(class[c][0], class[c][1], NULL);
    return rc;
}

/* Twins were written out; z is a multiple of what that multiplies by, or one modulo the modulus. */
static void divide_twins(const pm_job *job, const planar *s, mpz_t z)
{
    mpz_t twins;
    mpz_init(twins);
    pm_block_twin_factor(job->block, twins);
    if (s->is_modular) {
        uint64_t m = s->moduli.prime[0];
        mpz_mul_ui(z, z, pm_mod_inverse(mpz_fdiv_ui(twins, m), m));
    } else {
        mpz_divexact(z, z, twins);
    }
    mpz_clear(twins);
}

static void set_integer(const planar *s, mpz_t z, pm_value *out)
{
    mpz_mul_2exp(z, z, (mp_bitcnt_t)s->integers.shift);
    pm_value_set_mpz(out, z);
}

/* Rounded to 2^-100 of itself, unless it fits. */
static pm_xreal rounded(const mpz_t z, int64_t shift, pm_xreal *error)
{
    pm_dyadic exact = {0};
    pm_dyadic_set_mpz_2exp(&exact, z, shift);
    pm_xreal x = pm_xreal_from_dyadic(&exact);
    if (pm_dyadic_bits(&exact) > 53)
        *error =
            pm_xreal_add(*error, pm_xreal_mul(pm_xreal_abs(x), pm_xreal_make(PM_XREAL_EPS, 0, 0)));
    pm_dyadic_clear(&exact);
    return x;
}

static void set_inexact(const pm_job *job, const planar *s, mpz_t z[2], pm_value *out)
{
    pm_xreal error = {0}, part[2];
    for (int i = 0; i < 2; ++i)
        part[i] = rounded(z[i], s->integers.shift, &error);
    pm_value_set_real(out, job->block->a.field, part[0], part[1], error);
}

static pm_status run(const pm_job *job, const pm_plan *chosen, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    const planar *s = chosen->state;
    pm_status rc = PM_OK;
    mpz_t z[2];
    (void)residues;
    mpz_inits(z[0], z[1], NULL);
    if (!s->sum.is_zero)
        rc = find_parts(job, s, z, err);
    for (int part = 0; part < 2 && !rc && !s->sum.is_zero; ++part)
        divide_twins(job, s, z[part]);
    if (!rc && job->block->a.field <= PM_INTEGER)
        set_integer(s, z[0], out);
    else if (!rc)
        set_inexact(job, s, z, out);
    mpz_clears(z[0], z[1], NULL);
    return rc;
}

const pm_algorithm pm_algorithm_planar = {
    .name = "planar",
    .summary = "planar blocks and tori: Kasteleyn's determinant, sparse, modulo primes",
    .source = "Kasteleyn 1967; George 1973 for the order of elimination",
    .occasion = PM_LATER,
    .integers = true,
    .plan = plan,
    .run = run,
    .free_plan = free_plan};
