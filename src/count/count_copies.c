/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/count_copies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm/rates.h"
#include "copies/copies_problem.h"
#include "copies/copies_sweep.h"
#include "copies/walks.h"
#include "core/machine.h"
#include "count/block_count.h"
#include "count/copies_bound.h"
#include "count/count_block.h"
#include "hafnian/hafnian_levels.h"
#include "pm/alloc.h"

/* ---- the graph as one block ---- */

/* *from: the vertices that occur, *count of them; *cap: how often.  *n: the sum. */
static pm_status list_vertices(const pm_matrix *a, const int64_t *times, int32_t **from,
                               int32_t **cap, int64_t *count, int64_t *n, pm_error *err)
{
    *count = *n = 0;
    *from = pm_alloc_array(a->nrows, sizeof **from);
    *cap = pm_alloc_array(a->nrows, sizeof **cap);
    if (!*from || !*cap)
        return pm_fail_memory(err, "repeated vertices");
    for (int64_t v = 0; v < a->nrows; ++v) {
        if (times[v] == 0)
            continue;
        if (times[v] > INT32_MAX || *n > INT32_MAX - times[v])
            return pm_fail(err, PM_UNABLE, "2^31 vertices or more, with their copies");
        *n += times[v];
        (*from)[*count] = (int32_t)v;
        (*cap)[(*count)++] = (int32_t)times[v];
    }
    return PM_OK;
}

static pm_status make_block(const pm_matrix *a, const pm_count_options *opt, pm_block *out,
                            pm_error *err)
{
    static const int32_t first = 0;
    pm_block b = {.written_out = true, .general = true};
    int32_t *from = NULL;
    int64_t count;
    pm_status status = list_vertices(a, opt->row_times, &from, &b.row_cap, &count, &b.n, err);
    if (!status
        && !(b.col_cap = pm_copy(b.row_cap, (size_t)(count ? count : 1) * sizeof *b.row_cap)))
        status = pm_fail_memory(err, "repeated vertices");
    if (!status)
        status = pm_matrix_select(a, from, count, from, count, &b.a, err);
    if (!status && opt->loops)
        status = pm_matrix_select(opt->loops, from, count, &first, 1, &b.loops, err);
    if (!status && a->field <= PM_INTEGER) /* for the number of primes */
        status = pm_copies_log2_loop_bound(a, opt->row_times, opt->loops, &b.log2_bound, err);
    free(from);
    if (status)
        pm_block_free(&b);
    else
        *out = b;
    return status;
}

/* ---- the choice ---- */

static bool is_named(const pm_count_options *opt)
{
    return opt->algorithm && strcmp(opt->algorithm, "repeated") == 0;
}

/* Of the primes of the two algorithms, about. */
enum { PRIME_BITS = 50, NARROW_BITS = 31 };

static double seconds_of_hafnian(const pm_block *b, const pm_rates *rates, bool has_loops)
{
    const int pairs = (int)(b->n + 1) / 2, sheets = has_loops ? 2 : 1;
    if (b->n > 2 * PM_HAFNIAN_PAIRS)
        return INFINITY;
    const double paths = pm_hafnian_path_products(pairs, sheets);
    if (b->a.field <= PM_INTEGER)
        return paths * rates->seconds[PM_RATE_HAFNIAN] * (1 + fmax(0, b->log2_bound) / NARROW_BITS);
    return paths * rates->seconds[PM_RATE_HAFNIAN_REAL]
           * (b->a.field == PM_COMPLEX ? PM_HAFNIAN_COMPLEX_WORK : 1);
}

/* Of the cheaper method of the algorithm "repeated".  INFINITY where both are too long, or the vertices are too many. */
static double seconds_of_repeated(const pm_block *b, const pm_rates *rates)
{
    pm_vertex_classes x;
    pm_copies_cost sum, walks;
    double work = INFINITY;
    const int kind = b->a.field <= PM_INTEGER ? PM_COPIES_RESIDUE
                     : b->a.field == PM_REAL  ? PM_DENSE_QUAD
                                              : PM_DENSE_COMPLEX_QUAD;
    if (pm_vertex_classes_find(b, &x, NULL))
        return INFINITY;
    if (!pm_copies_cost_of(&x, kind, &sum, NULL))
        work = sum.work;
    if ((x.has_loops || x.total % 2 == 0) && !pm_walks_cost_of(&x, kind, &walks, NULL))
        work = fmin(work, walks.work);
    return work * rates->seconds[PM_RATE_REPEATED]
           * (kind == PM_COPIES_RESIDUE ? 1 + fmax(0, b->log2_bound) / PRIME_BITS : 1);
}

/* A graph where edges are missing may fall apart, or have no matching at all: reductions find this. */
static bool is_full(const pm_matrix *a)
{
    int64_t edges = 0;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            edges += a->colind[k] != i;
    return (double)edges == (double)a->nrows * (double)(a->nrows - 1);
}

static bool is_short(const pm_block *b, const pm_count_options *opt)
{
    const pm_rates *rates = pm_block_rates(opt, b->a.field);
    const double seconds = seconds_of_repeated(b, rates);
    const bool keeps_digits = b->a.field <= PM_INTEGER || b->n <= PM_COPIES_PRECISE_MAX;
    return keeps_digits && is_full(&b->a)
           && seconds <= seconds_of_hafnian(b, rates, b->loops.rowptr != NULL);
}

static pm_status count_written_out(const pm_matrix *a, const pm_count_options *opt,
                                   const pm_run *run, pm_value *out, pm_count_report *report,
                                   bool *is_too_large, pm_error *err)
{
    pm_matrix b = {0};
    pm_count_options plain = *opt;
    plain.row_times = NULL;
    plain.loops = NULL;
    pm_status status = pm_matrix_repeat_vertices(a, opt->row_times, opt->loops, &b, err);
    *is_too_large = status == PM_UNABLE;
    if (!status)
        status = pm_count(&b, &plain, run, out, report, err);
    pm_matrix_free(&b);
    return status;
}

pm_status pm_count_copies(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                          pm_value *out, pm_count_report *report, pm_error *err)
{
    pm_block b = {0};
    bool is_too_large;
    pm_status status = make_block(a, opt, &b, err);
    if (status)
        return status;
    const bool allows = b.n > 0 && !opt->order && (!opt->algorithm || is_named(opt));
    if (allows && (is_named(opt) || (!opt->independent && is_short(&b, opt))))
        return pm_count_one_block(&b, a->field, opt, run, out, report, err);
    status = count_written_out(a, opt, run, out, report, &is_too_large, err);
    if (status == PM_UNABLE && is_too_large && allows)
        status = pm_count_one_block(&b, a->field, opt, run, out, report, err);
    pm_block_free(&b);
    return status;
}
