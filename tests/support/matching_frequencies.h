/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/matching_frequencies.h: does every perfect matching of a small graph come as often as its weight says?
 * A chi-square test for each graph, and Fisher's for all of them.  False alarm: FREQUENCIES_CHANCE for each graph and
 * for frequencies_end. */
#ifndef PM_TEST_MATCHING_FREQUENCIES_H
#define PM_TEST_MATCHING_FREQUENCIES_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matrix.h"

enum { FREQUENCIES_MAX_N = 20, FREQUENCIES_MATCHINGS = 720 };
#define FREQUENCIES_CHANCE 1e-9

/* Number of the entry (i, j) of a, or -1. */
int64_t entry_at(const pm_matrix *a, int64_t i, int32_t j);

/* All perfect matchings of a graph, found row after row. */
typedef struct {
    int n, count;
    int32_t (*col_of)[FREQUENCIES_MAX_N]; /* [count], in lexicographic order */
    double *weight;                       /* [count] */
    int *seen;                            /* [count]: how often each was drawn */
} matching_list;

/* a: at most FREQUENCIES_MAX_N rows and FREQUENCIES_MATCHINGS perfect matchings, entries > 0.
 * is_general: a is symmetric, a graph on one set of vertices. */
void matching_list_make(const pm_matrix *a, bool is_general, matching_list *out);
/* Counts a matching that was drawn; the test fails if it is none of the graph. */
void matching_list_see(matching_list *l, const int32_t *col_of);
void matching_list_free(matching_list *l);

typedef struct {
    int tested;
    double log_p; /* minus twice the sum of the logarithms of the p values */
} frequencies;

void frequencies_add(frequencies *f, const matching_list *l);
void frequencies_end(const frequencies *f);

#endif
