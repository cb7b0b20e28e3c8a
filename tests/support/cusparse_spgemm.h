/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/cusparse_spgemm.h: cuSPARSE's product of two matrices in CSR. */
#ifndef PM_TEST_CUSPARSE_SPGEMM_H
#define PM_TEST_CUSPARSE_SPGEMM_H

#include "spgemm/product_gpu.h"
#include "support/cusparse_library.h"

/* False where there is no cuSPARSE. */
bool cusparse_spgemm_open(void);

enum { CUSPARSE_SPGEMM_ALGORITHMS = 2 };
extern const char *const cusparse_spgemm_algorithm[CUSPARSE_SPGEMM_ALGORITHMS];

typedef struct cusparse_spgemm cusparse_spgemm;

/* Of the factors of g, which have values, and the semiring `sum`; makes the product once, with the buffers and the
 * room that it needs.  Returns NULL when cuSPARSE fails. */
cusparse_spgemm *cusparse_spgemm_make(const pm_product_gpu *g, int algorithm);
/* The product once more, in the same buffers: without any allocation of ours.  False: it failed. */
bool cusparse_spgemm_multiply(cusparse_spgemm *p);
/* Its entries; first: [rows + 1], column, value: [entries], any of them may be NULL. */
int64_t cusparse_spgemm_get(cusparse_spgemm *p, int32_t *first, int32_t *column, double *value);
void cusparse_spgemm_free(cusparse_spgemm *p);

#endif
