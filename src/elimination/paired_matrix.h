/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/paired_matrix.h: a sparse square matrix whose row i and column i are a pair, and from one
 * to four sets of signs for its entries: what the elimination takes. */
#ifndef PM_PAIRED_MATRIX_H
#define PM_PAIRED_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int32_t n;
    bool is_zero; /* every determinant is 0, and nothing below is set */
    int classes;  /* sets of signs, 1 .. 4 */
    int32_t *rowptr, *colind;
    int32_t *source; /* of each entry: the entry of the block */
    uint8_t *sign;   /* of each entry: bit c is set where it is negative in class c */
} pm_paired_matrix;

void pm_paired_matrix_free(pm_paired_matrix *p);

#endif
