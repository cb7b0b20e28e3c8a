/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of Elbek and Kaya 2025, written for the matrix and compiled at run time: codegen, with
 * all row sums in registers (section III), and hybrid, with those of few columns in registers and
 * the others, and their product, in slower memory (section V).  As plans of trees
 * (product_tree/row_plan.h) they count in every field.  Measured baselines, asked for by name.
 *
 * Theirs calls a function for a column at each step; here the first columns are written out one
 * after another.  Slower memory is shared memory, theirs is global. */
#include "config.h"

#include <stdlib.h>

#include "order/register_partition.h"
#include "pm/alloc.h"
#include "product_tree/product_tree.h"
#include "product_tree/row_plan.h"
#include "product_tree/tree_gpu.h"
#include "product_tree/tree_on_gpu.h"
#include "product_tree/tree_program.h"

typedef struct {
    const char *name;
    bool is_hybrid; /* else all row sums are in registers */
    pm_tree_plan plan;
    int32_t inner; /* columns that may be written out */
    pm_precision precision;
    int primes; /* of one sweep, at most */
    pm_gpu_target place;
} choice;

static pm_status prepare_modular(const pm_square *s, const void *chosen, const uint64_t *prime,
                                 int count, pm_sweep *out, pm_error *err)
{
    const choice *c = chosen;
    pm_tree_gpu_choice all = {.name = c->name,
                              .plan = &c->plan,
                              .prime = prime,
                              .nprimes = count,
                              .precision = c->precision,
                              .gpus = c->place.gpus,
                              .slow = PM_GPU_SLOW,
                              .rate = c->place.double_rate,
                              .inner = c->inner,
                              .shared = c->place.shared,
                              .in_turn = true};
    return pm_tree_gpu_prepare(s, &all, out, err);
}

static pm_status prepare(const pm_square *s, const void *chosen, pm_sweep *out, pm_error *err)
{
    return prepare_modular(s, chosen, NULL, 0, out, err);
}

/* ---- the plans ---- */

static pm_status plan_codegen(const pm_pattern *a, bool keep_order, choice *c, pm_error *err)
{
    pm_column_order order;
    pm_order_given(a->n, &order);
    pm_status rc = keep_order ? PM_OK : pm_column_order_sort(a, order.cols, order.rows, err);
    if (!rc)
        pm_row_plan_make(a, &order, a->n, &c->plan);
    c->inner = a->n;
    return rc;
}

/* Of the pattern in this order; rowind: room for all entries. */
static pm_register_partition partition(const pm_pattern *a, const pm_column_order *order,
                                       int32_t *rowind)
{
    int32_t place[PM_SQUARE_MAX], colptr[PM_SQUARE_MAX + 1], count = 0;
    for (int32_t i = 0; i < a->n; ++i)
        place[order->rows[i]] = i;
    for (int32_t j = 0; j < a->n; ++j) {
        uint64_t rows = 0;
        colptr[j] = count;
        for (int32_t k = a->colptr[order->cols[j]]; k < a->colptr[order->cols[j] + 1]; ++k)
            rows |= UINT64_C(1) << place[a->rowind[k]];
        for (; rows; rows &= rows - 1)
            rowind[count++] = __builtin_ctzll(rows);
    }
    colptr[a->n] = count;
    return pm_register_partition_choose(
        &(pm_pattern){.n = a->n, .colptr = colptr, .rowind = rowind});
}

/* Where one column has more rows than registers hold, all of them are kept there. */
static pm_status plan_hybrid(const pm_pattern *a, bool keep_order, choice *c, pm_error *err)
{
    pm_column_order order;
    pm_order_given(a->n, &order);
    pm_status rc = keep_order ? PM_OK : pm_column_order_permanent(a, order.cols, order.rows, err);
    if (rc)
        return rc;
    int32_t *rowind = pm_alloc_array(a->colptr[a->n], sizeof *rowind);
    if (!rowind)
        return pm_fail_memory(err, "hybrid");
    pm_register_partition part = partition(a, &order, rowind);
    free(rowind);
    if (part.k == 0)
        part = (pm_register_partition){.k = a->n, .c = a->n};
    pm_row_plan_make(a, &order, part.k, &c->plan);
    c->inner = part.c;
    return PM_OK;
}

/* ---- the algorithms ---- */

static pm_gpu_rate family_of(const pm_job *job)
{
    return job->nmoduli ? PM_GPU_RATE_TREE_EXACT : PM_GPU_RATE_TREE;
}

static pm_status measure(const pm_job *job, const pm_square *s, const uint64_t *prime, int count,
                         void *chosen, pm_plan *plan, pm_error *err)
{
    choice *c = chosen;
    pm_pattern a = pm_square_pattern(s);
    c->precision = job->precision;
    c->primes = count;
    pm_status rc = pm_gpu_target_find(job->gpus, job->rates, family_of(job), &c->place, err);
    if (!rc)
        rc = (c->is_hybrid ? plan_hybrid : plan_codegen)(&a, job->order, c, err);
    if (!rc)
        rc = pm_tree_on_gpu_measure(s, c, prepare_modular, &c->place, prime, &c->primes, plan, err);
    if (!rc)
        plan->order_hash = pm_tree_hash(&c->plan);
    return rc;
}

static int most_primes(const void *chosen)
{
    return ((const choice *)chosen)->primes;
}

static const choice codegen = {.name = "codegen"}, hybrid = {.name = "hybrid", .is_hybrid = true};

#define METHOD(method, is_exact)                                                                   \
    {                                                                                              \
        .name = #method, .bits = is_exact ? PM_TREE_BITS : 53, .in_double = true, .turns = true,   \
        .choice_size = sizeof(choice), .given = &method, .primes = is_exact ? PM_TREE_PRIMES : 0,  \
        .prime_max = PM_TREE_PRIME_MAX, .most_primes = most_primes, .measure = measure,            \
        .prepare = prepare, .prepare_modular = prepare_modular, .residue = pm_tree_gpu_residue,    \
        .device_seconds = pm_gpu_sweep_seconds                                                     \
    }

static const pm_sweep_method codegen_exact = METHOD(codegen, true),
                             codegen_inexact = METHOD(codegen, false),
                             hybrid_exact = METHOD(hybrid, true),
                             hybrid_inexact = METHOD(hybrid, false);

const pm_algorithm pm_algorithm_codegen = {
    .name = "codegen",
    .summary = "code written for the matrix, row sums in registers; to compare with",
    .source = "Elbek and Kaya 2025, section III",
    .backend = PM_BACKEND_CUDA,
    .stage = PM_STAGE_NAMED,
    .integers = true,
    .cancels = true,
    .exact = &codegen_exact,
    .inexact = &codegen_inexact,
    .plan = pm_ryser_driver_plan,
    .run = pm_ryser_driver_run};

const pm_algorithm pm_algorithm_hybrid = {
    .name = "hybrid",
    .summary = "the same, row sums that seldom change in slower memory; to compare with",
    .source = "Elbek and Kaya 2025, section V, algorithms 3 and 4",
    .backend = PM_BACKEND_CUDA,
    .stage = PM_STAGE_NAMED,
    .integers = true,
    .cancels = true,
    .exact = &hybrid_exact,
    .inexact = &hybrid_inexact,
    .plan = pm_ryser_driver_plan,
    .run = pm_ryser_driver_run};
