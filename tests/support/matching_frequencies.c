/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/matching_frequencies.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "support/testing.h"

int64_t entry_at(const pm_matrix *a, int64_t i, int32_t j)
{
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
        if (a->colind[k] == j)
            return k;
    return -1;
}

double matching_weight(const pm_matrix *a, const int32_t *col_of)
{
    double w = 1;
    unsigned taken = 0;
    for (int64_t i = 0; i < a->nrows; ++i) {
        int64_t k = entry_at(a, i, col_of[i]);
        if (k < 0 || taken >> col_of[i] & 1)
            return 0;
        taken |= 1u << col_of[i];
        w *= a->re ? pm_dyadic_get_d(&a->re[k]) : 1;
    }
    return w;
}

int permutation_rank(const int32_t *p, int n)
{
    int rank = 0;
    for (int i = 0; i < n; ++i) {
        int smaller = 0;
        for (int k = i + 1; k < n; ++k)
            smaller += p[k] < p[i];
        rank = rank * (n - i) + smaller;
    }
    return rank;
}

/* Probability that chi-square is as large, classes of small expectation taken together; -1 where
 * there is one class. */
static double p_value(const double *expected, const int *seen)
{
    double chi2 = 0, rest = 0, rest_seen = 0;
    int degrees = -1;
    for (int c = 0; c < FREQUENCIES_CLASSES; ++c) {
        if (expected[c] < 5) {
            rest += expected[c];
            rest_seen += seen[c];
            continue;
        }
        chi2 += pow(seen[c] - expected[c], 2) / expected[c];
        ++degrees;
    }
    if (rest >= 5) {
        chi2 += pow(rest_seen - rest, 2) / rest;
        ++degrees;
    }
    return degrees > 0 ? gsl_cdf_chisq_Q(chi2, degrees) : -1;
}

/* All permutations in lexicographic order with their weights. */
static void list_weights(const pm_matrix *a, double *weight)
{
    int n = (int)a->nrows;
    int32_t p[FREQUENCIES_MAX_N];
    for (int i = 0; i < n; ++i)
        p[i] = i;
    for (;;) {
        weight[permutation_rank(p, n)] = matching_weight(a, p);
        int i = n - 2;
        while (i >= 0 && p[i] > p[i + 1])
            --i;
        if (i < 0)
            return;
        int j = n - 1;
        while (p[j] < p[i])
            --j;
        int32_t t = p[i];
        p[i] = p[j];
        p[j] = t;
        for (int l = i + 1, r = n - 1; l < r; ++l, --r) {
            t = p[l];
            p[l] = p[r];
            p[r] = t;
        }
    }
}

/* Expected numbers of all permutations. */
static void expect(const pm_matrix *a, int draws, double *expected)
{
    double total = 0;
    for (int c = 0; c < FREQUENCIES_CLASSES; ++c)
        expected[c] = 0;
    list_weights(a, expected);
    for (int c = 0; c < FREQUENCIES_CLASSES; ++c)
        total += expected[c];
    for (int c = 0; c < FREQUENCIES_CLASSES; ++c)
        expected[c] *= draws / total;
}

void frequencies_add(frequencies *f, const pm_matrix *a, int draws, const int *seen)
{
    double expected[FREQUENCIES_CLASSES];
    expect(a, draws, expected);
    const double p = p_value(expected, seen);
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
