/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/matching_frequencies.h: does every perfect matching of a small graph come as often as its weight says?
 * A chi-square test for each graph, and Fisher's for all of them.  False alarm: FREQUENCIES_CHANCE for each graph and
 * for frequencies_end. */
#ifndef PM_TEST_MATCHING_FREQUENCIES_H
#define PM_TEST_MATCHING_FREQUENCIES_H

#include <stdint.h>

#include "pm/matrix.h"

enum { FREQUENCIES_MAX_N = 8, FREQUENCIES_CLASSES = 40320 };
#define FREQUENCIES_CHANCE 1e-9

/* Number of the entry (i, j) of a, or -1. */
int64_t entry_at(const pm_matrix *a, int64_t i, int32_t j);
/* The weight of a matching of at most FREQUENCIES_MAX_N rows; 0 if it is none. */
double matching_weight(const pm_matrix *a, const int32_t *col_of);
/* The place of the permutation in lexicographic order. */
int permutation_rank(const int32_t *p, int n);

typedef struct {
    int tested;
    double log_p; /* minus twice the sum of the logarithms of the p values */
} frequencies;

/* seen[r]: how often the permutation of rank r was drawn, FREQUENCIES_CLASSES entries. */
void frequencies_add(frequencies *f, const pm_matrix *a, int draws, const int *seen);
void frequencies_end(const frequencies *f);

#endif
