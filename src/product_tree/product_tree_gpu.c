/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees of products on GPUs, by code that is written for the matrix and compiled at run time:
 * product_tree/tree_source.h. */
#include "config.h"

#include "product_tree/product_tree.h"
#include "product_tree/tree_gpu.h"
#include "product_tree/tree_on_gpu.h"
#include "product_tree/tree_program.h"
#include "sweep/gpu_arithmetic.h"

typedef struct {
    pm_tree_plan tree;
    pm_precision precision;
    bool in_words;
    int primes; /* of one sweep, at most */
    pm_gpu_target place;
} tree_choice;

static double rate_of(const tree_choice *c)
{
    return c->in_words ? c->place.word_rate : c->place.double_rate;
}

static pm_status prepare_modular(const pm_square *s, const void *choice, const uint64_t *prime,
                                 int count, pm_sweep *out, pm_error *err)
{
    const tree_choice *c = choice;
    pm_tree_gpu_choice all = {.name = "product-tree",
                              .plan = &c->tree,
                              .prime = prime,
                              .nprimes = count,
                              .precision = c->precision,
                              .gpus = c->place.gpus,
                              .slow = PM_GPU_SLOW,
                              .rate = rate_of(c),
                              .in_words = c->in_words,
                              .shared = c->place.shared,
                              .inner = PM_SQUARE_MAX};
    return pm_tree_gpu_prepare(s, &all, out, err);
}

static pm_status prepare(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err)
{
    return prepare_modular(s, choice, NULL, 0, out, err);
}

static pm_gpu_rate family_of(const pm_job *job)
{
    return job->nmoduli ? PM_GPU_RATE_TREE_EXACT : PM_GPU_RATE_TREE;
}

static pm_status measure(const pm_job *job, const pm_square *s, const uint64_t *prime, int count,
                         void *choice, pm_plan *plan, pm_error *err)
{
    tree_choice *c = choice;
    c->precision = job->precision;
    c->primes = count;
    pm_status rc = pm_gpu_target_find(job->gpus, job->rates, family_of(job), &c->place, err);
    if (!rc)
        rc = pm_tree_refuse_hopeless(job, s, 1 / (rate_of(c) * c->place.gpus), err);
    if (!rc)
        rc = pm_tree_find(job, s, PM_GPU_SLOW, &c->tree, err);
    if (!rc)
        rc = pm_tree_on_gpu_measure(s, c, prepare_modular, &c->place, prime, &c->primes, plan, err);
    if (!rc)
        plan->order_hash = pm_tree_hash(&c->tree);
    return rc;
}

static int most_primes(const void *choice)
{
    return ((const tree_choice *)choice)->primes;
}

static const tree_choice in_words = {.in_words = true};
static const pm_sweep_method words = {.name = "product-tree",
                                      .bits = PM_WORD_BITS,
                                      .turns = true,
                                      .choice_size = sizeof(tree_choice),
                                      .given = &in_words,
                                      .primes = PM_TREE_PRIMES,
                                      .prime_max = PM_WORD_PRIME_MAX,
                                      .most_primes = most_primes,
                                      .measure = measure,
                                      .prepare_modular = prepare_modular,
                                      .residue = pm_tree_gpu_residue,
                                      .device_seconds = pm_gpu_sweep_seconds};
static const pm_sweep_method exact = {.name = "product-tree",
                                      .bits = PM_TREE_BITS,
                                      .turns = true,
                                      .choice_size = sizeof(tree_choice),
                                      .primes = PM_TREE_PRIMES,
                                      .prime_max = PM_TREE_PRIME_MAX,
                                      .most_primes = most_primes,
                                      .narrow = &words,
                                      .prefers_narrow = pm_gpu_prefers_words,
                                      .measure = measure,
                                      .prepare_modular = prepare_modular,
                                      .residue = pm_tree_gpu_residue,
                                      .device_seconds = pm_gpu_sweep_seconds};
static const pm_sweep_method inexact = {.name = "product-tree",
                                        .bits = 53, /* doubles hold the row sums exactly */
                                        .in_double = true,
                                        .turns = true,
                                        .choice_size = sizeof(tree_choice),
                                        .measure = measure,
                                        .prepare = prepare,
                                        .device_seconds = pm_gpu_sweep_seconds};

const pm_algorithm pm_algorithm_product_tree_gpu = {
    .name = "product-tree",
    .summary = "the same, by code written for the matrix and compiled at run time",
    .source = "this project; generated code after Elbek and Kaya 2025",
    .backend = PM_BACKEND_CUDA,
    .stage = PM_STAGE_LATER,
    .integers = true,
    .cancels = true,
    .exact = &exact,
    .inexact = &inexact,
    .plan = pm_ryser_driver_plan,
    .run = pm_ryser_driver_run};
