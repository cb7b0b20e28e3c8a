/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_tree/tree_gpu.h: the methods that compile a kernel for each matrix: product-tree, codegen
 * and hybrid.  They differ in the plan of the tree; the rest of a pm_sweep_method is here. */
#ifndef PM_TREE_GPU_H
#define PM_TREE_GPU_H

#include "algorithm/gpu_plan.h"
#include "product_tree/product_tree.h"
#include "product_tree/tree_plan.h"
#include "product_tree/tree_program.h"
#include "sweep/gpu_arithmetic.h"
#include "sweep/ryser_driver.h"

typedef struct pm_tree_gpu_method pm_tree_gpu_method;

/* The choice of a method (pm_sweep_method.initial): the constants, then what measuring sets. */
struct pm_tree_gpu_method {
    const char *name;
    bool in_words; /* integers in words of 32 bits */
    bool in_turn;  /* factors are multiplied one after another, not in pairs */
    /* Sets m->plan and m->inner; m->target is set. */
    pm_status (*find_plan)(const pm_job *job, const pm_square *s, pm_tree_gpu_method *m,
                           pm_error *err);
    /* The same where m->plan has the terms of an earlier run: the tree of this method for them. */
    pm_status (*keep_plan)(const pm_square *s, pm_tree_gpu_method *m, pm_error *err);

    pm_tree_plan plan;
    int32_t inner; /* columns whose flips may be written out, 1 or more */
    pm_precision precision;
    int primes; /* of one sweep, at most */
    pm_gpu_target target;
};

/* Members of a pm_sweep_method whose choice is a pm_tree_gpu_method. */
pm_status pm_tree_gpu_measure(const pm_job *job, const pm_square *s, const uint64_t *prime,
                              int count, void *choice, pm_plan *plan, pm_error *err);
pm_status pm_tree_gpu_prepare(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err);
pm_status pm_tree_gpu_prepare_modular(const pm_square *s, const void *choice, const uint64_t *prime,
                                      int count, pm_sweep *out, pm_error *err);
int pm_tree_gpu_most_primes(const void *choice);
int pm_tree_gpu_describe(const void *choice, int64_t *number);
pm_status pm_tree_gpu_restore(const pm_job *job, const pm_square *s, const int64_t *number,
                              int count, void *choice, pm_error *err);

/* Members of a pm_sweep_method with this choice.  Further members may follow. */
#define PM_TREE_GPU_METHOD(method_name, choice)                                                    \
    .name = method_name, .may_transpose = true, .choice_size = sizeof *(choice),                   \
    .initial = (choice), .measure = pm_tree_gpu_measure, .describe = pm_tree_gpu_describe,         \
    .restore = pm_tree_gpu_restore, .device_seconds = pm_gpu_sweep_seconds
/* For integers modulo primes: in doubles, or in words. */
#define PM_TREE_GPU_MODULAR(method_name, choice)                                                   \
    PM_TREE_GPU_METHOD(method_name, choice),                                                       \
        .host = &pm_tree_exact, .primes = PM_TREE_PRIMES, .most_primes = pm_tree_gpu_most_primes,  \
        .prepare_modular = pm_tree_gpu_prepare_modular, .residue = pm_tree_gpu_residue
#define PM_TREE_GPU_EXACT(method_name, choice)                                                     \
    PM_TREE_GPU_MODULAR(method_name, choice), .bits = PM_TREE_BITS, .prime_max = PM_TREE_PRIME_MAX
#define PM_TREE_GPU_WORDS(method_name, choice)                                                     \
    PM_TREE_GPU_MODULAR(method_name, choice), .bits = PM_WORD_BITS, .prime_max = PM_WORD_PRIME_MAX
/* For real and complex numbers. */
#define PM_TREE_GPU_INEXACT(method_name, choice)                                                   \
    PM_TREE_GPU_METHOD(method_name, choice), .in_double = true, .prepare = pm_tree_gpu_prepare,    \
                                             .host = &pm_tree_inexact,                             \
                                             .bits = 53 /* doubles hold the row sums exactly */

#endif
