/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/matching_frequencies.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "support/testing.h"

int64_t entry_at(const pm_matrix *a, int64_t i, int32_t j)
{
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
        if (a->colind[k] == j)
            return k;
    return -1;
}

/* ---- the matchings ---- */

/* Whether each row is matched to the column that is matched to it: a matching of a graph on one set of vertices. */
static bool is_mutual(const pm_matrix *a, const int64_t *entry)
{
    for (int i = 0; i < a->nrows; ++i)
        if (a->colind[entry[a->colind[entry[i]]]] != i)
            return false;
    return true;
}

static void list_one(const pm_matrix *a, bool is_general, const int64_t *entry, matching_list *out)
{
    if (is_general && !is_mutual(a, entry))
        return;
    assert_true(out->count < FREQUENCIES_MATCHINGS);
    out->weight[out->count] = 1;
    for (int i = 0; i < out->n; ++i) {
        const int32_t j = a->colind[entry[i]];
        out->col_of[out->count][i] = j;
        if (a->re && (!is_general || i < j))
            out->weight[out->count] *= pm_dyadic_get_d(&a->re[entry[i]]);
    }
    ++out->count;
}

void matching_list_make(const pm_matrix *a, bool is_general, matching_list *out)
{
    int64_t entry[FREQUENCIES_MAX_N + 1];
    unsigned taken = 0;
    *out = (matching_list){.n = (int)a->nrows,
                           .col_of = calloc(FREQUENCIES_MATCHINGS, sizeof *out->col_of),
                           .weight = calloc(FREQUENCIES_MATCHINGS, sizeof *out->weight),
                           .seen = calloc(FREQUENCIES_MATCHINGS, sizeof *out->seen)};
    assert_true(a->nrows == a->ncols && a->nrows <= FREQUENCIES_MAX_N);
    assert_true(out->col_of && out->weight && out->seen);
    /* row i takes one entry after the other; the columns of the rows before it are taken */
    int i = 0;
    entry[0] = 0;
    while (i >= 0) {
        if (i == out->n)
            list_one(a, is_general, entry, out);
        else
            while (entry[i] < a->rowptr[i + 1] && taken >> a->colind[entry[i]] & 1)
                ++entry[i];
        if (i < out->n && entry[i] < a->rowptr[i + 1]) {
            taken |= 1u << a->colind[entry[i++]];
            entry[i] = a->rowptr[i];
        } else if (--i >= 0) {
            taken &= ~(1u << a->colind[entry[i]++]);
        }
    }
}

/* Lexicographic; entries beyond the graph are 0. */
static int compare(const void *x, const void *y)
{
    const int32_t *a = x, *b = y;
    int i = 0;
    while (i + 1 < FREQUENCIES_MAX_N && a[i] == b[i])
        ++i;
    return (a[i] > b[i]) - (a[i] < b[i]);
}

void matching_list_see(matching_list *l, const int32_t *col_of)
{
    int32_t key[FREQUENCIES_MAX_N] = {0};
    memcpy(key, col_of, (size_t)l->n * sizeof *key);
    const int32_t(*found)[FREQUENCIES_MAX_N] =
        bsearch(key, l->col_of, (size_t)l->count, sizeof *l->col_of, compare);
    assert_non_null(found);
    ++l->seen[found - (const int32_t(*)[FREQUENCIES_MAX_N])l->col_of];
}

void matching_list_free(matching_list *l)
{
    free(l->col_of);
    free(l->weight);
    free(l->seen);
    *l = (matching_list){0};
}

/* ---- the tests ---- */

/* Probability that chi-square is as large, classes of small expectation taken together; -1 where there is one class. */
static double p_value(const matching_list *l)
{
    double draws = 0, total = 0, chi2 = 0, rest = 0, rest_seen = 0;
    int degrees = -1;
    for (int k = 0; k < l->count; ++k) {
        draws += l->seen[k];
        total += l->weight[k];
    }
    for (int k = 0; k < l->count; ++k) {
        const double expected = draws * l->weight[k] / total;
        if (expected < 5) {
            rest += expected;
            rest_seen += l->seen[k];
            continue;
        }
        chi2 += pow(l->seen[k] - expected, 2) / expected;
        ++degrees;
    }
    if (rest >= 5) {
        chi2 += pow(rest_seen - rest, 2) / rest;
        ++degrees;
    }
    return degrees > 0 ? gsl_cdf_chisq_Q(chi2, degrees) : -1;
}

void frequencies_add(frequencies *f, const matching_list *l)
{
    const double p = p_value(l);
    if (p < 0)
        return;
    if (p < 1e-5)
        print_message("# graph %d: p = %g\n", f->tested, p);
    assert_true(p > FREQUENCIES_CHANCE);
    ++f->tested;
    f->log_p -= 2 * log(p);
}

void frequencies_end(const frequencies *f)
{
    /* Fisher: the p values together are not too small */
    const double all = f->tested ? gsl_cdf_chisq_Q(f->log_p, 2 * f->tested) : 1;
    print_message("# %d graphs: p = %g\n", f->tested, all);
    assert_true(all > FREQUENCIES_CHANCE);
}
