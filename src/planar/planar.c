/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan of the algorithm "planar"; planar/planar_run.c describes the method. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "core/machine.h"
#include "number/prime.h"
#include "planar/kasteleyn.h"
#include "planar/planar_run.h"
#include "pm/alloc.h"
#include "pm/settings.h"

#define MOST_BITS 5e6 /* of an answer; the primes below 2^24 suffice for 6e6 */

#define MOST_TERMS     0x1p20
#define LEAST_TESTS    60 /* planarity tests that are allowed even if SEARCH_SECONDS allows fewer */
#define SEARCH_SECONDS 1  /* of tests for deletions, at most; the same for exchanges */
#define CHECK_SECONDS  0.25 /* of checks whether terms are 0, at most */
#define EFFORT         0.02 /* share of the time that it may save, for each part of the planning */

static void planar_free(pm_planar *s)
{
    pm_determinant_sum_free(&s->sum);
    pm_integer_entries_free(&s->integers);
    pm_determinant_primes_free(&s->moduli);
    free(s);
}

static void free_plan(pm_plan *plan)
{
    if (plan->state)
        planar_free(plan->state);
}

/* ---- primes ---- */

/* Bits of the answer with its sign; on a torus, of a sum of several determinants. */
static double answer_bits(const pm_block *b, const pm_planar *s)
{
    mpz_t twins;
    mpz_init(twins);
    pm_block_twin_factor(b, twins);
    double bits = b->log2_bound - (double)s->integers.shift + (double)mpz_sizeinbase(twins, 2);
    mpz_clear(twins);
    return fmax(bits, 0) + 2 + PM_KASTELEYN_CLASSES_MAX;
}

/* Whether the factorials by which the result is divided in the end (planar/plain_graph.h) are 0
 * modulo the prime. */
static bool divides_twin_factor(const pm_block *b, uint64_t prime)
{
    mpz_t twins;
    mpz_init(twins);
    pm_block_twin_factor(b, twins);
    bool is_in = mpz_divisible_ui_p(twins, prime);
    mpz_clear(twins);
    return is_in;
}

/* Whether the job's modulus can itself be the only prime (not for tori, where a sum is halved).  If
 * not, the job's moduli are ignored and the answer is found as an integer. */
static bool has_own_modulus(const pm_job *job)
{
    if (job->nmoduli != 1)
        return false;
    uint64_t m = job->moduli[0];
    return m > 2 && m < UINT64_C(1) << PM_LANE_PRIME_BITS && pm_is_prime(m)
           && !divides_twin_factor(job->block, m);
}

static pm_status set_primes(const pm_job *job, pm_planar *s, pm_error *err)
{
    const pm_block *b = job->block;
    s->is_modular = has_own_modulus(job) && s->sum.classes == 1;
    double bits = s->is_modular ? 1 : answer_bits(b, s);
    if (bits > MOST_BITS)
        return pm_fail(err, PM_UNABLE, "refused: the answer would have more than %.0g bits%s",
                       MOST_BITS, pm_hint_text(PM_HINT_MODULUS));
    pm_status status = pm_determinant_primes_choose(bits, b->a.field == PM_COMPLEX,
                                                    job->independent, &s->moduli, err);
    if (!status && s->is_modular)
        s->moduli.prime[0] = (uint32_t)job->moduli[0];
    return status;
}

/* ---- planning ---- */

#define PATTERN_ENTRY_WORK 10.0

/* Work, in multiplications, to reduce the entries of the block modulo one prime. */
static double entry_work(const pm_block *b, const pm_planar *s)
{
    double limbs = 0;
    for (int part = 0; part < 2; ++part)
        if (s->integers.start[part])
            limbs += (double)s->integers.start[part][pm_matrix_nnz(&b->a)];
    return 4 * limbs + PATTERN_ENTRY_WORK * (double)pm_matrix_nnz(&b->a);
}

/* Seconds of a term; work: of one elimination. */
static double term_seconds(const pm_job *job, const pm_planar *s, double batches, double work)
{
    double setup = s->sum.splitting.count == 1 ? 0 : PM_PLANAR_SETUP_WORK * (double)job->block->n;
    return (batches * (work + entry_work(job->block, s)) + setup)
           * job->rates->seconds[PM_RATE_PLANAR];
}

/* How many primes find the determinants with all weights 1, which say what the signs of weighted tori are (planar_run.c). */
static double sign_primes(const pm_job *job, const pm_planar *s)
{
    if (s->sum.classes == 1 || job->block->a.field == PM_PATTERN)
        return 0;
    return floor(pm_planar_sign_bits(job, s) / (PM_LANE_PRIME_BITS - 1)) + 1;
}

static double sign_seconds(const pm_job *job, const pm_planar *s)
{
    const pm_determinant_sum *t = &s->sum;
    const double batches = t->classes * ceil(sign_primes(job, s) / PM_LANES_MAX);
    return batches * (t->work + PATTERN_ENTRY_WORK * (double)pm_matrix_nnz(&job->block->a))
           * job->rates->seconds[PM_RATE_PLANAR];
}

static void predict(const pm_job *job, const pm_planar *s, pm_plan *plan)
{
    const pm_determinant_sum *t = &s->sum;
    double terms = (double)t->splitting.count, count = (double)s->moduli.count;
    double batches = t->classes * ceil(count / PM_LANES_MAX);
    plan->operations = t->multiplications * t->classes * (terms * count + sign_primes(job, s));
    plan->seconds = terms * term_seconds(job, s, batches, t->work) + sign_seconds(job, s);
    plan->memory = pm_determinant_sum_bytes(t, s->moduli.count, job->memory, job->run);
    plan->is_serial = terms * batches == 1;
    plan->residues = (int)s->moduli.count;
    plan->order_hash = t->first.order_hash;
    plan->splits = t->splitting.edges.count ? t->splitting.count : 0;
}

/* A general block has every edge as two entries. */
static double edges_of(const pm_block *b)
{
    return (double)pm_matrix_nnz(&b->a) / (b->general ? 2 : 1);
}

static double test_seconds(const pm_job *job)
{
    return PM_PLANAR_TEST_SECONDS * edges_of(job->block);
}

/* The sum may have as many terms as could be counted, with the least possible work each, in the
 * time of the best other plan.  The search may take a part of that time. */
static pm_deletion_limits limits_of(const pm_job *job, const pm_planar *s)
{
    double bits = has_own_modulus(job) ? 1 : answer_bits(job->block, s);
    double batches = floor(bits / ((PM_LANE_PRIME_BITS - 1) * PM_LANES_MAX)) + 1;
    double least = term_seconds(job, s, batches, PM_PLANAR_LEAST_WORK * (double)job->block->n);
    double test = test_seconds(job);
    double rival = pm_job_rival(job);
    double tests = fmin(EFFORT * rival / test, fmax(SEARCH_SECONDS / test, LEAST_TESTS));
    return (pm_deletion_limits){.most = (int64_t)fmin(rival / least, MOST_TERMS),
                                .tests = tests,
                                .effort = EFFORT * least / test,
                                .seed = job->seed};
}

/* Terms that may be checked; the other terms are assumed to be nonzero. */
static int64_t checks_of(const pm_job *job)
{
    double rival = pm_job_rival(job);
    double check = PM_PLANAR_ZERO_SECONDS * edges_of(job->block);
    return (int64_t)ceil(fmin(EFFORT * rival, CHECK_SECONDS) / check);
}

static pm_status prepare(const pm_job *job, pm_planar *s, pm_error *err)
{
    pm_plain_graph graph = {0};
    pm_status status = pm_plain_graph_make(job->block, &graph, err);
    if (!status)
        status = pm_integer_entries_make(job->block, &s->integers, err);
    if (!status) {
        double tests = 0;
        pm_deletion_limits limits = limits_of(job, s);
        limits.used = &tests;
        status = pm_determinant_sum_make(&graph, &limits, checks_of(job), job->run, &s->sum, err);
        pm_job_searched(job, tests * test_seconds(job));
    }
    pm_plain_graph_free(&graph);
    if (!status && !s->sum.is_zero)
        status = set_primes(job, s, err);
    return status;
}

static void note_splitting(const pm_job *job, const pm_splitting *s)
{
    if (s->edges.count)
        pm_run_note(job->run, 1, "block of n = %lld: planar after deleting %d edge%s: %s%lld %s%s",
                    (long long)job->block->n, (int)s->edges.count, s->edges.count == 1 ? "" : "s",
                    s->has_zeros ? "up to " : "", (long long)s->count,
                    job->block->general ? "Pfaffian" : "determinant", s->count == 1 ? "" : "s");
}

static pm_status plan(const pm_job *job, pm_plan *out, pm_error *err)
{
    if (job->order)
        return pm_fail(err, PM_UNABLE, "planar has its own order and cannot use a given one");
    pm_planar *s = pm_calloc_array(1, sizeof *s);
    if (!s)
        return pm_fail_memory(err, "planar");
    pm_error why;
    pm_status status = prepare(job, s, &why);
    if (status) {
        planar_free(s);
        if (status == PM_UNABLE)
            pm_run_note(job->run, 1, "block of n = %lld: %s", (long long)job->block->n, why.msg);
        if (err)
            *err = why;
        return status;
    }
    note_splitting(job, &s->sum.splitting);
    if (!s->sum.is_zero)
        predict(job, s, out);
    out->state = s;
    return PM_OK;
}

const pm_algorithm pm_algorithm_planar = {
    .name = "planar",
    .summary =
        "planar blocks, nearly planar ones, tori: Kasteleyn's determinant, sparse, modulo primes",
    .source = "Kasteleyn 1967; George 1973 for the order of elimination",
    .stage = PM_STAGE_SPECIAL,
    .planning_entry = PM_PLANAR_PLANNING_SECONDS,
    .integers = true,
    .plan = plan,
    .run = pm_planar_run,
    .free_plan = free_plan};

const pm_algorithm pm_algorithm_planar_general = {
    .name = "planar",
    .summary = "planar general graphs, nearly planar ones, tori: Kasteleyn's Pfaffian, sparse, "
               "modulo primes",
    .source = "Kasteleyn 1967; Bunch 1982 for the elimination",
    .stage = PM_STAGE_SPECIAL,
    .planning_entry = PM_PLANAR_PLANNING_SECONDS,
    .integers = true,
    .general = true,
    .plan = plan,
    .run = pm_planar_run,
    .free_plan = free_plan};
