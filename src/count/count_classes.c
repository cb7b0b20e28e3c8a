/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/count_classes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/log_factorial.h"
#include "core/machine.h"
#include "count/copies_bound.h"
#include "count/copies_irreducible.h"
#include "count/count_block.h"
#include "pm/alloc.h"
#include "repeated/repeated_float_entries.h"

/* Of the primes of an exact count, about. */
enum { PRIME_BITS = 50 };

static int64_t times_of(const int64_t *times, int64_t i)
{
    return times ? times[i] : 1;
}

/* ---- the matrix as one block ---- */

/* *from: the lines that occur, *count of them; *cap: how often.  *n: the sum. */
static pm_status list_lines(const int64_t *times, int64_t lines, int32_t **from, int32_t **cap,
                            int64_t *count, int64_t *n, pm_error *err)
{
    *count = *n = 0;
    *from = pm_alloc_array(lines, sizeof **from);
    *cap = pm_alloc_array(lines, sizeof **cap);
    if (!*from || !*cap)
        return pm_fail_memory(err, "repeated rows and columns");
    for (int64_t i = 0; i < lines; ++i) {
        int64_t t = times_of(times, i);
        if (t == 0)
            continue;
        *n += t;
        if (t > INT32_MAX || *n > INT32_MAX)
            return pm_fail(err, PM_UNABLE, "2^31 rows or columns or more, with their copies");
        (*from)[*count] = (int32_t)i;
        (*cap)[(*count)++] = (int32_t)t;
    }
    return PM_OK;
}

static pm_status make_block(const pm_matrix *a, const pm_count_options *opt, pm_block *out,
                            pm_error *err)
{
    pm_block b = {.written_out = true};
    int32_t *row = NULL, *col = NULL;
    int64_t nrows, ncols, n;
    pm_status status = list_lines(opt->row_times, a->nrows, &row, &b.row_cap, &nrows, &n, err);
    if (!status)
        status = list_lines(opt->col_times, a->ncols, &col, &b.col_cap, &ncols, &b.n, err);
    if (!status)
        status = pm_matrix_select(a, row, nrows, col, ncols, &b.a, err);
    if (!status && a->field <= PM_INTEGER) /* for the number of primes */
        status = pm_copies_log2_bound(a, opt->row_times, opt->col_times, &b.log2_bound, err);
    free(row);
    free(col);
    if (status)
        pm_block_free(&b);
    else
        *out = b;
    return status;
}

static pm_status count_as_is(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                             pm_value *out, pm_count_report *report, pm_error *err)
{
    pm_block b = {0};
    pm_status status = make_block(a, opt, &b, err);
    return status ? status : pm_count_one_block(&b, a->field, opt, run, out, report, err);
}

/* Different numbers of rows and columns: 0. */
static pm_status count_none(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                            pm_value *out, pm_count_report *report, pm_error *err)
{
    const pm_reduced r = {.zero = true};
    if (report)
        *report = (pm_count_report){0};
    return pm_count_reduced(&r, a->field, opt, run, out, report, err);
}

static pm_status count_written_out(const pm_matrix *a, const pm_count_options *opt,
                                   const pm_run *run, pm_value *out, pm_count_report *report,
                                   bool *is_too_large, pm_error *err)
{
    pm_matrix b = {0};
    pm_count_options plain = *opt;
    plain.row_times = plain.col_times = NULL;
    pm_status status = pm_matrix_repeat(a, opt->row_times, opt->col_times, &b, err);
    *is_too_large = status != PM_OK;
    if (!status)
        status = pm_count(&b, &plain, run, out, report, err);
    pm_matrix_free(&b);
    return status;
}

/* ---- the choice ---- */

/* Row sums of all terms, over the columns with these multiplicities. */
static double terms_of(const int64_t *times, int64_t lines, int64_t others)
{
    double terms = 0.5;
    for (int64_t i = 0; i < lines; ++i)
        terms *= (double)times_of(times, i) + 1;
    return terms * (double)others;
}

/* log2 of the product of the factorials of the multiplicities. */
static double factorial_bits(const int64_t *times, int64_t lines)
{
    double sum = 0;
    for (int64_t i = 0; i < lines; ++i)
        sum += pm_log_factorial((double)times_of(times, i));
    return sum / M_LN2;
}

/* Seconds of a short count, about. */
static pm_status predict(const pm_matrix *a, const pm_count_options *opt, double *seconds,
                         pm_error *err)
{
    double bits = 0, sums = fmin(terms_of(opt->row_times, a->nrows, a->ncols),
                                 terms_of(opt->col_times, a->ncols, a->nrows));
    pm_status status = a->field <= PM_INTEGER
                           ? pm_copies_log2_bound(a, opt->row_times, opt->col_times, &bits, err)
                           : PM_OK;
    bits -=
        fmax(factorial_bits(opt->row_times, a->nrows), factorial_bits(opt->col_times, a->ncols));
    *seconds = PM_REPEATED_SUM_SECONDS * sums * (1 + fmax(bits, 0) / PRIME_BITS);
    return status;
}

/* A matrix with entries equal to 0 may have blocks, or no matching at all: reductions find these. */
static bool is_full(const pm_matrix *a)
{
    return a->nrows > 0 && a->ncols > 0
           && (double)pm_matrix_nnz(a) == (double)a->nrows * (double)a->ncols;
}

static double seconds_written_out(int64_t rows)
{
    return PM_WRITTEN_OUT_SECONDS * pow((double)rows, 4);
}

static bool is_named(const pm_count_options *opt)
{
    return opt->algorithm && strcmp(opt->algorithm, "repeated") == 0;
}

/* Whether the options allow to count the matrix as it is. */
static bool allows_classes(const pm_count_options *opt)
{
    return opt->kind == PM_MATCHING_PERFECT && !opt->order && (!opt->algorithm || is_named(opt));
}

/* Whether the sum has digits with so many rows and their copies: real and complex terms cancel more with each row. */
static bool keeps_digits(const pm_matrix *a, int64_t nrows)
{
    return a->field <= PM_INTEGER || nrows <= PM_REPEATED_PRECISE_MAX;
}

pm_status pm_count_classes(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                           pm_value *out, pm_count_report *report, pm_error *err)
{
    int64_t nrows, ncols, nnz;
    double seconds;
    bool is_too_large;
    pm_error why;
    pm_value value;
    if (!pm_matrix_repeat_size(a, opt->row_times, opt->col_times, &nrows, &ncols, &nnz))
        return pm_fail(err, PM_UNABLE,
                       "the repeated matrix would have 2^63 rows, columns or entries, or more");
    if (opt->kind == PM_MATCHING_PERFECT && nrows != ncols)
        return count_none(a, opt, run, out, report, err);
    bool allows = nrows > 0 && allows_classes(opt);
    pm_status status = allows ? predict(a, opt, &seconds, err) : PM_OK;
    if (status)
        return status;
    pm_value_init(&value);
    const bool may_be_short =
        allows && keeps_digits(a, nrows) && !opt->independent
        && (is_full(a) || pm_copies_are_irreducible(a, opt->row_times, opt->col_times));
    const bool is_short = may_be_short && is_full(a) && seconds <= PM_REPEATED_SHORT_SECONDS;
    /* beside the time that planning would take if the copies were written out */
    const bool is_best = may_be_short && seconds <= seconds_written_out(nrows) / PM_PLANNING_SHARE;
    const bool is_only = allows && (is_named(opt) || (is_best && !is_short));
    status = PM_UNABLE;
    if (is_short || is_only)
        status = count_as_is(a, opt, run, &value, report, &why);
    if (!status) {
        pm_value_set(out, &value);
    } else if (status == PM_UNABLE && !is_only) {
        status = count_written_out(a, opt, run, out, report, &is_too_large, &why);
        if (status == PM_UNABLE && is_too_large && allows && !is_short) {
            status = count_as_is(a, opt, run, &value, report, &why);
            if (!status)
                pm_value_set(out, &value);
        }
    }
    if (status && err)
        *err = why;
    pm_value_clear(&value);
    return status;
}
