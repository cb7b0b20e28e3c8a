/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products kept as a tree, independent columns eliminated: sweep/tree_plan.h has the idea.
 * Real and complex blocks go through the driver of all sweeps; integers are counted modulo primes
 * below 2^50, a few of them in one sweep. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "count/prime.h"
#include "count/swept.h"
#include "pm/alloc.h"
#include "sweep/tree.h"

/* Doubles hold the row sums exactly. */
enum { BITS = 53 };
/* Entries that are too large for row sums within 2^PM_TREE_BITS are taken modulo primes that are
 * small enough for it. */
#define LARGE_PRIME_MAX (UINT64_C(1) << (PM_TREE_BITS - 6))

#define SETUP_SECONDS 30e-6 /* of a sweep */
#define SEARCH_SHARE  0.03  /* of the best plan at hand, spent on a better one */

typedef struct {
    pm_tree_plan tree;
    bool transposed;
    bool large;  /* entries are */
    int nprimes; /* 0: inexact */
    int width;   /* primes of a pass, at most */
} state;

static const pm_sweep_method inexact = {"product-tree", BITS, pm_tree_prepare};

static bool is_exact(const pm_job *job)
{
    return job->block->a.field <= PM_INTEGER;
}

/* ---- planning ---- */

static pm_status make_square(const pm_job *job, bool transposed, bool large, uint64_t prime,
                             pm_square *s, pm_error *err)
{
    return pm_square_make(job->block, transposed, is_exact(job) ? PM_TREE_BITS : BITS,
                          large ? prime : 0, s, err);
}

/* The last prime below `top` is less than 2^-20 of it away. */
static int primes_needed(const pm_job *job, uint64_t top)
{
    return (int)ceil((fmax(job->block->log2_bound, 0) + 2) / (log2((double)top) - 0x1p-20));
}

/* Another seed, other primes: the second way of --verify. */
static uint64_t prime_top(const pm_job *job, bool large)
{
    return (large ? LARGE_PRIME_MAX : PM_TREE_PRIME_MAX) >> (job->seed & 1);
}

static bool entries_are_large(const pm_job *job)
{
    const pm_matrix *a = &job->block->a;
    double most = ldexp(1, PM_TREE_BITS - 6);
    for (int64_t k = 0; is_exact(job) && a->re && k < pm_matrix_nnz(a); ++k)
        if (fabs(pm_dyadic_get_d(&a->re[k])) > most)
            return true;
    return false;
}

static void choose_primes(const pm_job *job, bool large, int count, uint64_t *prime)
{
    uint64_t p = prime_top(job, large);
    for (int i = 0; i < count; ++i)
        prime[i] = p = pm_prime_below(p);
}

static int passes(const state *x)
{
    return x->nprimes ? (x->nprimes + x->width - 1) / x->width : 1;
}

/* Primes in passes of like size; large entries differ modulo each, and have a pass each. */
static void choose_passes(const pm_job *job, state *x)
{
    x->large = entries_are_large(job);
    x->nprimes = is_exact(job) ? primes_needed(job, prime_top(job, x->large)) : 0;
    x->width = x->large ? 1 : PM_TREE_PRIMES;
    int count = passes(x);
    x->width = x->nprimes ? (x->nprimes + count - 1) / count : 0;
}

/* The tree of one orientation, and operations and seconds of all passes on one core. */
static pm_status plan_tree(const pm_job *job, const state *x, bool transposed, pm_tree_plan *tree,
                           pm_plan *plan, pm_error *err)
{
    pm_square s = {0};
    pm_sweep sweep = {0};
    pm_tree_options options = pm_tree_defaults();
    uint64_t prime[PM_TREE_PRIMES] = {0};
    choose_primes(job, x->large, x->width, prime);
    options.slow = PM_TREE_SLOW;
    options.seed = job->seed;
    options.most =
        (int32_t)fmin(options.most, SEARCH_SHARE * job->rival / PM_TREE_CANDIDATE_SECONDS);
    pm_status rc = make_square(job, transposed, x->large, prime[0], &s, err);
    if (!rc) {
        pm_pattern a = {s.n, s.colptr, s.rowind, s.rowptr, s.colind};
        rc = pm_tree_plan_make(&a, &options, tree, err);
    }
    if (!rc) {
        pm_tree_choice choice = {tree, prime, x->width, job->precision, pm_isa_best()};
        rc = pm_tree_prepare(&s, &choice, &sweep, err);
    }
    if (!rc) {
        pm_rate rate = is_exact(job) ? PM_RATE_PRODUCT_TREE_EXACT : PM_RATE_PRODUCT_TREE;
        double terms = (double)sweep.count * passes(x);
        plan->operations = terms * pm_tree_term_operations(&sweep);
        plan->seconds = terms * pm_tree_term_work(&sweep) * job->rates->seconds[rate]
                        + passes(x) * SETUP_SECONDS;
    }
    pm_sweep_free(&sweep);
    pm_square_free(&s);
    return rc;
}

static uint64_t hash_order(const pm_tree_plan *t, bool transposed)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325) ^ transposed; /* FNV-1a */
    for (int32_t k = 0; k < t->n; ++k)
        h = (h ^ (uint64_t)t->cols[k]) * UINT64_C(0x100000001b3);
    return (h ^ (uint64_t)t->eliminated) * UINT64_C(0x100000001b3);
}

static pm_status plan_state(const pm_job *job, state *x, pm_plan *plan, pm_error *err)
{
    pm_tree_plan tree;
    pm_plan turned = *plan;
    choose_passes(job, x);
    pm_status rc = plan_tree(job, x, false, &x->tree, plan, err);
    if (!rc)
        rc = plan_tree(job, x, true, &tree, &turned, err);
    if (rc)
        return rc;
    if (turned.seconds < plan->seconds) {
        x->tree = tree;
        x->transposed = true;
        *plan = turned;
    }
    if (plan->seconds > 1e-3)
        plan->seconds = pm_shared_seconds(plan->seconds, pm_run_threads(job->run));
    plan->memory = 1e6;
    plan->order_hash = hash_order(&x->tree, x->transposed);
    return PM_OK;
}

static pm_status plan(const pm_job *job, pm_plan *plan, pm_error *err)
{
    if (job->block->n > PM_SQUARE_MAX)
        return pm_fail(err, PM_UNABLE, "product-tree takes blocks up to n = %d, not %lld",
                       PM_SQUARE_MAX, (long long)job->block->n);
    if (!is_exact(job) && job->precision == PM_QUAD)
        return pm_fail(err, PM_UNABLE, "product-tree works in double, not quad");
    state *x = pm_calloc_array(1, sizeof *x);
    if (!x)
        return pm_fail_memory(err, "plan");
    pm_status rc = plan_state(job, x, plan, err);
    if (rc)
        free(x);
    else
        plan->state = x;
    return rc;
}

static void free_plan(pm_plan *plan)
{
    free(plan->state);
    plan->state = NULL;
}

/* ---- integers ---- */

/* Product of the factorials of all capacities, modulo p. */
static uint64_t twins_modulo(const pm_block *b, uint64_t p)
{
    uint64_t product = 1;
    for (int64_t i = 0; i < b->a.nrows + b->a.ncols; ++i) {
        int32_t capacity = i < b->a.nrows ? b->row_cap[i] : b->col_cap[i - b->a.nrows];
        for (int32_t k = 2; k <= capacity; ++k)
            product = pm_mod_mul(product, (uint64_t)k, p);
    }
    return product;
}

/* The answer modulo each of the primes. */
static pm_status run_primes(const pm_job *job, const state *x, const uint64_t *prime, int count,
                            const pm_run *run, uint64_t *residue, pm_error *err)
{
    pm_square s = {0};
    pm_sweep sweep = {0};
    pm_sum sum;
    pm_tree_choice choice = {&x->tree, prime, count, job->precision, pm_isa_best()};
    pm_status rc = make_square(job, x->transposed, x->large, prime[0], &s, err);
    if (!rc)
        rc = pm_tree_prepare(&s, &choice, &sweep, err);
    if (!rc)
        rc = pm_sweep_range(&sweep, 0, sweep.count, run, &sum, err);
    for (int i = 0; i < count && !rc; ++i) {
        uint64_t twins = twins_modulo(job->block, prime[i]);
        residue[i] =
            pm_mod_mul(pm_tree_residue(&sweep, &sum, i), pm_mod_inverse(twins, prime[i]), prime[i]);
    }
    pm_sweep_free(&sweep);
    pm_square_free(&s);
    return rc;
}

typedef struct {
    const pm_run *outer;
    double before, share;
} progress_share;

static void tell_share(void *context, double fraction, const char *what)
{
    const progress_share *s = context;
    pm_run_progress(s->outer, s->before + s->share * fraction, what);
}

static pm_status run_exact(const pm_job *job, const state *x, pm_value *out, pm_error *err)
{
    pm_status rc = PM_OK;
    progress_share s = {.outer = job->run, .share = 1.0 / passes(x)};
    pm_run run = {.threads = pm_run_threads(job->run),
                  .stop = job->run ? job->run->stop : NULL,
                  .progress = tell_share,
                  .context = &s};
    uint64_t *prime = pm_alloc_array(x->nprimes, sizeof *prime);
    uint64_t *residue = pm_alloc_array(x->nprimes, sizeof *residue);
    if (!prime || !residue)
        rc = pm_fail_memory(err, "primes");
    else
        choose_primes(job, x->large, x->nprimes, prime);
    for (int i = 0; i < x->nprimes && !rc; i += x->width) {
        int left = x->nprimes - i, count = left < x->width ? left : x->width;
        s.before = s.share * (i / x->width);
        rc = run_primes(job, x, prime + i, count, &run, residue + i, err);
    }
    if (!rc) {
        mpz_t z;
        mpz_init(z);
        pm_crt(z, residue, prime, x->nprimes, true);
        pm_value_set_mpz(out, z);
        mpz_clear(z);
    }
    free(prime);
    free(residue);
    return rc;
}

static pm_status run(const pm_job *job, const pm_plan *plan, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    const state *x = plan->state;
    (void)residues;
    if (is_exact(job))
        return run_exact(job, x, out, err);
    pm_tree_choice choice = {&x->tree, NULL, 0, job->precision, pm_isa_best()};
    return pm_swept_permanent(job, &inexact, &choice, x->transposed, out, err);
}

const pm_algorithm pm_algorithm_product_tree = {
    .name = "product-tree",
    .summary = "products kept as a tree, independent columns eliminated; for middling densities",
    .source = "this project; orders after Elbek and Kaya 2025, algorithm 3",
    .occasion = PM_LATER,
    .integers = true,
    .cancels = true,
    .plan = plan,
    .run = run,
    .free_plan = free_plan};
