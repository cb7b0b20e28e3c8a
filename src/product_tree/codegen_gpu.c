/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of Elbek and Kaya 2025, generated for the matrix and compiled at run time.
 *
 * codegen (their section III): all row sums in registers.
 * hybrid (section V): the row sums that few columns change in slower memory, with their product;
 * the others in registers.
 *
 * Both are plans of trees (product_tree/row_plan.h), so they count in every field.  They are here
 * to compare with and run only when they are named.  Two differences: theirs calls a function for a
 * column at each step, here the flips of the first columns are written out one after another; their
 * slower memory is global memory, here it is shared memory. */
#include "config.h"

#include <stdlib.h>

#include "order/register_partition.h"
#include "pm/alloc.h"
#include "product_tree/row_plan.h"
#include "product_tree/tree_gpu.h"
#include "product_tree/tree_gpu_kernel.h"

/* ---- the plans ---- */

/* The order of an earlier run: its columns, and rows that suit them. */
static pm_status keep_order(const pm_pattern *a, const pm_tree_plan *p, pm_column_order *out,
                            pm_error *err)
{
    if (p->eliminated)
        return pm_fail(err, PM_UNABLE, "it does not eliminate columns");
    for (int32_t k = 0; k < p->n; ++k)
        out->cols[k] = p->cols[k];
    return pm_row_order_by_columns(a, out->cols, out->rows, err);
}

static void set_codegen(const pm_pattern *a, const pm_column_order *order, pm_tree_gpu_method *m)
{
    pm_row_plan_make(a, order, a->n, &m->plan);
    m->inner = a->n;
}

static pm_status plan_codegen(const pm_job *job, const pm_square *s, pm_tree_gpu_method *m,
                              pm_error *err)
{
    pm_column_order order;
    pm_pattern a = pm_square_pattern(s);
    pm_column_order_given(a.n, &order);
    pm_status status = job->order ? PM_OK : pm_column_order_sort(&a, order.cols, order.rows, err);
    if (!status)
        set_codegen(&a, &order, m);
    return status;
}

static pm_status keep_codegen(const pm_square *s, pm_tree_gpu_method *m, pm_error *err)
{
    pm_column_order order;
    pm_pattern a = pm_square_pattern(s);
    pm_status status = keep_order(&a, &m->plan, &order, err);
    if (!status)
        set_codegen(&a, &order, m);
    return status;
}

/* The partition of the pattern in this order.  rowind: room for all entries. */
static pm_register_partition partition(const pm_pattern *a, const pm_column_order *order,
                                       int32_t *rowind)
{
    int32_t position[PM_SQUARE_MAX], colptr[PM_SQUARE_MAX + 1], count = 0;
    for (int32_t i = 0; i < a->n; ++i)
        position[order->rows[i]] = i;
    for (int32_t j = 0; j < a->n; ++j) {
        uint64_t rows = 0;
        colptr[j] = count;
        for (int32_t k = a->colptr[order->cols[j]]; k < a->colptr[order->cols[j] + 1]; ++k)
            rows |= UINT64_C(1) << position[a->rowind[k]];
        for (; rows; rows &= rows - 1)
            rowind[count++] = __builtin_ctzll(rows);
    }
    colptr[a->n] = count;
    return pm_register_partition_choose(
        &(pm_pattern){.n = a->n, .colptr = colptr, .rowind = rowind});
}

/* Where one column has more rows than fit in registers, all row sums stay in registers. */
static pm_status set_hybrid(const pm_pattern *a, const pm_column_order *order,
                            pm_tree_gpu_method *m, pm_error *err)
{
    int32_t *rowind = pm_alloc_array(a->colptr[a->n], sizeof *rowind);
    if (!rowind)
        return pm_fail_memory(err, "hybrid");
    pm_register_partition part = partition(a, order, rowind);
    free(rowind);
    if (part.k == 0)
        part = (pm_register_partition){.k = a->n, .c = a->n};
    pm_row_plan_make(a, order, part.k, &m->plan);
    m->inner = part.c;
    return PM_OK;
}

static pm_status plan_hybrid(const pm_job *job, const pm_square *s, pm_tree_gpu_method *m,
                             pm_error *err)
{
    pm_column_order order;
    pm_pattern a = pm_square_pattern(s);
    pm_column_order_given(a.n, &order);
    pm_status status =
        job->order ? PM_OK : pm_column_order_permanent(&a, order.cols, order.rows, err);
    return status ? status : set_hybrid(&a, &order, m, err);
}

static pm_status keep_hybrid(const pm_square *s, pm_tree_gpu_method *m, pm_error *err)
{
    pm_column_order order;
    pm_pattern a = pm_square_pattern(s);
    pm_status status = keep_order(&a, &m->plan, &order, err);
    return status ? status : set_hybrid(&a, &order, m, err);
}

/* ---- the algorithms ---- */

static const pm_tree_gpu_method codegen = {.name = "codegen",
                                           .in_turn = true,
                                           .find_plan = plan_codegen,
                                           .keep_plan = keep_codegen},
                                hybrid = {.name = "hybrid",
                                          .in_turn = true,
                                          .find_plan = plan_hybrid,
                                          .keep_plan = keep_hybrid};

static const pm_sweep_method codegen_exact = {PM_TREE_GPU_EXACT("codegen", &codegen),
                                              .in_double = true},
                             codegen_inexact = {PM_TREE_GPU_INEXACT("codegen", &codegen)},
                             hybrid_exact = {PM_TREE_GPU_EXACT("hybrid", &hybrid),
                                             .in_double = true},
                             hybrid_inexact = {PM_TREE_GPU_INEXACT("hybrid", &hybrid)};

const pm_algorithm pm_algorithm_codegen = {
    .name = "codegen",
    .summary = "code written for the matrix, row sums in registers; to compare with",
    .source = "Elbek and Kaya 2025, section III",
    .backend = PM_BACKEND_CUDA,
    .stage = PM_STAGE_NAMED,
    .cancels = true,
    PM_RYSER_FAMILY(&codegen_exact, &codegen_inexact)};

const pm_algorithm pm_algorithm_hybrid = {
    .name = "hybrid",
    .summary = "the same, row sums that seldom change in slower memory; to compare with",
    .source = "Elbek and Kaya 2025, section V, algorithms 3 and 4",
    .backend = PM_BACKEND_CUDA,
    .stage = PM_STAGE_NAMED,
    .cancels = true,
    PM_RYSER_FAMILY(&hybrid_exact, &hybrid_inexact)};
