/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Product trees on GPUs, by code that is generated for the matrix and compiled at run time:
 * product_tree/tree_gpu.h. */
#include "config.h"

#include "core/machine.h"
#include "product_tree/product_tree.h"
#include "product_tree/tree_gpu.h"
#include "product_tree/tree_gpu_kernel.h"

/* Candidates for so many seconds of a run. */
static double candidates(double seconds)
{
    return PM_TREE_SEARCH_SHARE * seconds / PM_TREE_CANDIDATE_SECONDS;
}

static pm_status find_plan(const pm_job *job, const pm_square *s, pm_tree_gpu_method *m,
                           pm_error *err)
{
    double rate = m->in_words ? m->target.word_rate : m->target.double_rate;
    double operation = 1 / (rate * m->target.gpus);
    pm_tree_options options = pm_tree_defaults();
    options.slow = PM_GPU_SLOW;
    options.effort = candidates(operation);
    options.least = (int32_t)candidates(m->target.start);
    pm_status status = pm_tree_refuse_hopeless(job, s, operation, err);
    m->inner = PM_SQUARE_MAX;
    return status ? status : pm_tree_find(job, s, options, &m->plan, err);
}

static pm_status keep_plan(const pm_square *s, pm_tree_gpu_method *m, pm_error *err)
{
    (void)s, (void)err;
    m->inner = PM_SQUARE_MAX;
    return PM_OK;
}

static const pm_tree_gpu_method in_doubles = {.name = "product-tree",
                                              .find_plan = find_plan,
                                              .keep_plan = keep_plan},
                                in_words = {.name = "product-tree",
                                            .in_words = true,
                                            .find_plan = find_plan,
                                            .keep_plan = keep_plan};

static const pm_sweep_method exact;
static const pm_sweep_method words = {PM_TREE_GPU_WORDS("product-tree", &in_words), .wide = &exact};
static const pm_sweep_method exact = {PM_TREE_GPU_EXACT("product-tree", &in_doubles),
                                      .narrow = &words, .prefers_narrow = pm_gpu_prefers_words};
static const pm_sweep_method inexact = {PM_TREE_GPU_INEXACT("product-tree", &in_doubles)};

const pm_algorithm pm_algorithm_product_tree_gpu = {
    .name = "product-tree",
    .summary = "the same, by code written for the matrix and compiled at run time",
    .source = "this project; generated code after Elbek and Kaya 2025",
    .backend = PM_BACKEND_CUDA,
    .stage = PM_STAGE_LATER,
    .cancels = true,
    PM_RYSER_FAMILY(&exact, &inexact)};
