/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/repeats.h: random matrices with repeated rows and columns. */
#ifndef PM_TEST_REPEATS_H
#define PM_TEST_REPEATS_H

#include "number/cnum.h"
#include "pm/matrix.h"
#include "pm/reduce.h"
#include "sweep/square.h"

enum { REPEATS_LINES = 8 };

/* A matrix of at most REPEATS_LINES rows and columns, how often each occurs, and the sum of
 * either. */
typedef struct {
    pm_matrix a;
    int64_t row[REPEATS_LINES], col[REPEATS_LINES];
    int64_t n;
} repeats;

/* n copies for `lines` lines, each at least `least` times. */
void repeats_divide(uint64_t *rng, int64_t n, int lines, int64_t least, int64_t *times);

/* n = 5 .. 9 rows with their copies. */
void repeats_random(uint64_t *rng, pm_field field, repeats *out);

/* m different rows and columns with as many copies of each; the entries are integers or Gaussian
 * integers of magnitude 1 to `most`, a[k]: re and im of entry k, rows first. */
void repeats_full(uint64_t *rng, pm_field field, int m, int64_t copies, int most, repeats *out,
                  int a[][2]);

/* By the definition, with the copies written out. */
void repeats_exact(const repeats *x, pm_cnum *out);

/* The matrix as a block with its copies, valid as long as x, row and col are. */
pm_block repeats_block(const repeats *x, double log2_bound, int32_t row[REPEATS_LINES],
                       int32_t col[REPEATS_LINES]);

/* As pm_square_make_classes. */
void repeats_square(const repeats *x, bool transposed, int bits, pm_square *s);

#endif
