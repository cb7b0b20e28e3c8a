/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm product-tree: products are kept in a tree, and independent columns are eliminated.
 * The idea is in product_tree/tree_plan.h.  Integers are counted modulo primes below 2^50, several
 * of them in one sweep. */
#include "config.h"

#include <math.h>

#include "core/machine.h"
#include "product_tree/product_tree.h"
#include "product_tree/tree.h"

typedef struct {
    pm_tree_plan tree;
    pm_precision precision;
} tree_choice;

/* ---- preparing ---- */

static pm_status prepare_modular(const pm_square *s, const void *choice, const uint64_t *prime,
                                 int count, pm_sweep *out, pm_error *err)
{
    const tree_choice *c = choice;
    pm_tree_choice all = {&c->tree, prime, count, c->precision, pm_isa_best()};
    return pm_tree_prepare(s, &all, out, err);
}

static pm_status prepare(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err)
{
    return prepare_modular(s, choice, NULL, 0, out, err);
}

/* ---- measuring ---- */

static double rate_of(const pm_job *job)
{
    bool is_exact = job->block->a.field <= PM_INTEGER;
    return job->rates->seconds[is_exact ? PM_RATE_PRODUCT_TREE_EXACT : PM_RATE_PRODUCT_TREE];
}

/* An upper bound of the number of eliminated columns: they share no row, so they have at most n
 * entries. */
static int most_eliminated(const pm_square *s)
{
    int32_t with_degree[PM_SQUARE_MAX + 1] = {0}, room = s->n;
    int m = 0;
    for (int32_t j = 0; j < s->n; ++j)
        ++with_degree[s->colptr[j + 1] - s->colptr[j]];
    for (int32_t d = 1; d <= s->n; ++d)
        for (int32_t k = 0; k < with_degree[d] && room >= d; ++k, ++m)
            room -= d;
    return m;
}

pm_status pm_tree_refuse_hopeless(const pm_job *job, const pm_square *s, double rate, pm_error *err)
{
    double least = ldexp(rate, s->n - 1 - most_eliminated(s));
    if (least <= job->rival)
        return PM_OK;
    return pm_fail(err, PM_UNABLE, "product-tree would take more than %.2g seconds", least);
}

uint64_t pm_tree_hash(const pm_tree_plan *t)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (int32_t k = 0; k < t->n; ++k)
        h = (h ^ (uint64_t)t->cols[k]) * UINT64_C(0x100000001b3);
    return (h ^ (uint64_t)t->eliminated) * UINT64_C(0x100000001b3);
}

pm_status pm_tree_find(const pm_job *job, const pm_square *s, pm_tree_options options,
                       pm_tree_plan *out, pm_error *err)
{
    pm_pattern a = pm_square_pattern(s);
    options.seed = job->seed;
    options.keep_order = job->order;
    /* half of what is left is for the other orientation */
    double seconds = fmin(PM_TREE_SEARCH_SHARE * job->rival, pm_job_search_seconds(job) / 2);
    options.most = (int32_t)fmin(options.most, seconds / PM_TREE_CANDIDATE_SECONDS);
    pm_status status = pm_tree_plan_make(&a, &options, out, err);
    if (!status)
        pm_job_searched(job, PM_TREE_CANDIDATE_SECONDS * out->tried);
    return status;
}

static pm_status measure(const pm_job *job, const pm_square *s, const uint64_t *prime, int count,
                         void *choice, pm_plan *plan, pm_error *err)
{
    tree_choice *c = choice;
    pm_sweep sweep = {0};
    pm_tree_options options = pm_tree_defaults();
    options.slow = PM_TREE_SLOW;
    double operation = rate_of(job) * (count ? PM_TREE_RESIDUE_WORK * count : 1);
    options.rival = job->rival / operation;
    options.effort = PM_TREE_SEARCH_SHARE * operation / PM_TREE_CANDIDATE_SECONDS;
    c->precision = job->precision;
    pm_status status = pm_tree_refuse_hopeless(job, s, rate_of(job), err);
    if (!status)
        status = pm_tree_find(job, s, options, &c->tree, err);
    if (!status)
        status = prepare_modular(s, c, prime, count, &sweep, err);
    if (!status) {
        double terms = (double)sweep.count;
        plan->operations = terms * pm_tree_term_operations(&sweep);
        plan->seconds = terms * pm_tree_term_work(&sweep) * rate_of(job) + PM_TREE_SETUP_SECONDS;
        plan->memory = 1e6;
        plan->order_hash = pm_tree_hash(&c->tree);
    }
    pm_sweep_free(&sweep);
    return status;
}

/* ---- recorded sums ---- */

static int describe(const void *choice, int64_t *number)
{
    return pm_tree_plan_describe(&((const tree_choice *)choice)->tree, number);
}

static pm_status restore(const pm_job *job, const pm_square *s, const int64_t *number, int count,
                         void *choice, pm_error *err)
{
    tree_choice *c = choice;
    const pm_pattern a = pm_square_pattern(s);
    c->precision = job->precision;
    return pm_tree_plan_again(&a, number, count, PM_TREE_SLOW, &c->tree, err);
}

/* ---- the algorithm ---- */

const pm_sweep_method pm_tree_exact = {.name = "product-tree",
                                       .bits = PM_TREE_BITS,
                                       .may_transpose = true,
                                       .choice_size = sizeof(tree_choice),
                                       .primes = PM_TREE_PRIMES,
                                       .prime_max = PM_TREE_PRIME_MAX,
                                       .measure = measure,
                                       .prepare_modular = prepare_modular,
                                       .residue = pm_tree_residue,
                                       .describe = describe,
                                       .restore = restore};
const pm_sweep_method pm_tree_inexact = {.name = "product-tree",
                                         .bits = 53, /* doubles hold the row sums exactly */
                                         .in_double = true,
                                         .may_transpose = true,
                                         .choice_size = sizeof(tree_choice),
                                         .measure = measure,
                                         .prepare = prepare,
                                         .describe = describe,
                                         .restore = restore};

const pm_algorithm pm_algorithm_product_tree = {
    .name = "product-tree",
    .summary = "products kept as a tree, independent columns eliminated; for middling densities",
    .source = "this project; orders after Elbek and Kaya 2025, algorithm 3",
    .stage = PM_STAGE_LATER,
    .planning_entry = PM_TREE_PLANNING_SECONDS,
    .cancels = true,
    PM_RYSER_FAMILY(&pm_tree_exact, &pm_tree_inexact)};
