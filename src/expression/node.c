/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/expression.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "matrix/symmetric.h"
#include "pm/alloc.h"
#include "pm/settings.h"

static const pm_node empty = {.kind = PM_NODE_END, .factor_field = PM_INTEGER};

void pm_node_init(pm_node *node)
{
    *node = empty;
    pm_fraction_init_one(&node->factor);
    mpz_init_set_ui(node->times, 1);
}

static void free_parts(pm_node *node)
{
    pm_matrix_free(&node->matrix);
    pm_matrix_free(&node->loops);
    free(node->row_times);
    free(node->col_times);
    if (node->period)
        pm_period_free(node->period);
    free(node->period);
    free(node->order);
    free(node->name);
}

void pm_node_clear(pm_node *node)
{
    pm_fraction_clear(&node->factor);
    mpz_clear(node->times);
    free_parts(node);
    *node = empty;
}

/* *to: NULL, or a copy of the numbers of each of `count` lines. */
static pm_status copy_times(const int64_t *from, int64_t count, int64_t **to, pm_error *err)
{
    if (from && !(*to = pm_copy(from, (size_t)count * sizeof *from)))
        return pm_fail_memory(err, "repetitions");
    return PM_OK;
}

static pm_status copy_period(const pm_period *from, pm_period **to, pm_error *err)
{
    if (!from)
        return PM_OK;
    *to = pm_calloc_array(1, sizeof **to);
    return *to ? pm_period_copy(from, *to, err) : pm_fail_memory(err, "a period");
}

pm_status pm_node_copy(const pm_node *node, pm_node *out, pm_error *err)
{
    out->kind = node->kind;
    out->matchings = node->matchings;
    out->one_set = node->one_set;
    out->general = node->general;
    mpq_set(out->factor.re, node->factor.re);
    mpq_set(out->factor.im, node->factor.im);
    out->factor_field = node->factor_field;
    mpz_set(out->times, node->times);
    out->numbers = node->numbers;
    out->line = node->line;
    if (node->name && !(out->name = pm_copy_text(node->name)))
        return pm_fail_memory(err, "a name");
    if (node->order) {
        out->order = pm_copy(node->order, (size_t)node->order_len * sizeof *node->order);
        out->order_len = node->order_len;
        if (!out->order)
            return pm_fail_memory(err, "an order");
    }
    pm_status status = copy_times(node->row_times, node->matrix.nrows, &out->row_times, err);
    if (!status)
        status = copy_times(node->col_times, node->matrix.ncols, &out->col_times, err);
    if (!status)
        status = copy_period(node->period, &out->period, err);
    if (!status && node->kind == PM_NODE_MATRIX)
        status = pm_matrix_copy(&node->matrix, &out->matrix, err);
    if (!status && node->loops.rowptr)
        status = pm_matrix_copy(&node->loops, &out->loops, err);
    return status;
}

pm_field pm_node_field(const pm_node *node)
{
    return node->period ? pm_period_field(&node->matrix, node->period) : node->matrix.field;
}

static pm_numbers widest(pm_numbers a, pm_numbers b)
{
    return a > b ? a : b;
}

static pm_numbers numbers_of_field(pm_field field)
{
    return field == PM_COMPLEX ? PM_NUMBERS_COMPLEX
           : field == PM_REAL  ? PM_NUMBERS_REAL
                               : PM_NUMBERS_UNSAID;
}

static pm_numbers numbers_of_matrix(const pm_matrix *a)
{
    return a->rowptr && pm_matrix_has_other_roots(a) ? PM_NUMBERS_ROOTS
                                                     : numbers_of_field(a->field);
}

pm_numbers pm_node_numbers(const pm_node *node)
{
    pm_numbers n = widest(node->numbers, numbers_of_field(node->factor_field));
    if (node->kind != PM_NODE_MATRIX)
        return n;
    n = widest(n, numbers_of_matrix(&node->matrix));
    n = widest(n, numbers_of_matrix(&node->loops));
    if (node->period) {
        n = widest(n, numbers_of_matrix(&node->period->next));
        n = widest(n, numbers_of_matrix(&node->period->before));
    }
    return n;
}

const char *pm_numbers_name(pm_numbers numbers)
{
    static const char *const names[] = {NULL, "real", "complex", "roots"};
    return names[numbers];
}

static pm_status write_out_parts(pm_node *node, pm_error *err)
{
    pm_matrix b;
    pm_status status = pm_period_write_out(&node->matrix, node->period, &b, err);
    if (status)
        return status;
    pm_matrix_free(&node->matrix);
    pm_period_free(node->period);
    free(node->period);
    node->period = NULL;
    node->matrix = b;
    return PM_OK;
}

pm_status pm_node_write_out(pm_node *node, pm_error *err)
{
    pm_matrix b;
    if (node->period)
        return write_out_parts(node, err);
    if (!node->row_times && !node->col_times)
        return PM_OK;
    pm_status status =
        node->general ? pm_matrix_repeat_vertices(&node->matrix, node->row_times,
                                                  node->loops.rowptr ? &node->loops : NULL, &b, err)
                      : pm_matrix_repeat(&node->matrix, node->row_times, node->col_times, &b, err);
    if (status)
        return status;
    pm_matrix_free(&node->matrix);
    pm_matrix_free(&node->loops);
    free(node->row_times);
    free(node->col_times);
    node->row_times = node->col_times = NULL;
    node->matrix = b;
    return PM_OK;
}

enum { SHORT_NUMBERS = 64 }; /* bytes of a factor whose memory is used again */

void pm_node_reset(pm_node *node)
{
    pm_node kept = *node;
    if (pm_fraction_bytes(&node->factor) > SHORT_NUMBERS || mpz_size(node->times) > 1) {
        pm_node_clear(node);
        pm_node_init(node);
        return;
    }
    free_parts(node);
    *node = empty;
    node->factor = kept.factor;
    *node->times = *kept.times;
    pm_fraction_set_si(&node->factor, 1);
    mpz_set_ui(node->times, 1);
}

pm_matching_kind pm_node_matchings(const pm_node *node, bool is_item, pm_matching_kind asked)
{
    return node->matchings || !is_item ? node->matchings : asked;
}

pm_status pm_node_check_sides(const pm_node *node, pm_matching_kind kind, const char *input,
                              pm_error *err)
{
    char place[PM_PLACE];
    if ((!node->one_set && !node->general) || kind == PM_MATCHING_PERFECT
        || kind == PM_MATCHING_MAXIMUM)
        return PM_OK;
    return pm_fail(err, PM_UNABLE, "%s: a graph on one set of vertices has no sides to cover%s%s",
                   pm_node_place(input, node->line, place),
                   node->general ? "" : "; its maximum matchings can be counted",
                   node->general ? "" : pm_hint_text(PM_HINT_MAXIMUM));
}

pm_status pm_node_check_kind(const pm_node *node, pm_matching_kind kind, const char *input,
                             pm_error *err)
{
    char place[PM_PLACE];
    pm_status status = pm_node_check_sides(node, kind, input, err);
    if (status || !node->general || kind == PM_MATCHING_PERFECT)
        return status;
    return pm_fail(err, PM_UNABLE,
                   "%s: of a graph that is not bipartite only perfect matchings are counted",
                   pm_node_place(input, node->line, place));
}

pm_status pm_node_check_loops(const pm_node *node, const char *input, pm_error *err)
{
    char place[PM_PLACE];
    if (!node->general || !pm_matrix_has_diagonal(&node->matrix))
        return PM_OK;
    return pm_fail(err, PM_UNABLE,
                   "%s: vertices of this graph have loops, so they may stay alone; only graphs "
                   "without loops can be asked about a perfect matching",
                   pm_node_place(input, node->line, place));
}

const char *pm_node_place(const char *input, int64_t line, char out[PM_PLACE])
{
    if (line > 1)
        snprintf(out, PM_PLACE, "%s:%" PRId64, input, line);
    else
        snprintf(out, PM_PLACE, "%s", input);
    return out;
}

bool pm_node_opens_group(const pm_node *node)
{
    return node->kind == PM_NODE_PRODUCT || node->kind == PM_NODE_SUM;
}

void pm_node_take_factor(pm_node *node, pm_fraction *factor, pm_field *factor_field, mpz_t times)
{
    mpq_swap(factor->re, node->factor.re);
    mpq_swap(factor->im, node->factor.im);
    mpz_swap(times, node->times);
    *factor_field = node->factor_field;
    pm_fraction_set_si(&node->factor, 1);
    mpz_set_ui(node->times, 1);
    node->factor_field = PM_INTEGER;
}
