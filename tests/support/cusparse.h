/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/cusparse.h: cuSPARSE's product of a matrix in CSR and a vector. */
#ifndef PM_TEST_CUSPARSE_H
#define PM_TEST_CUSPARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "spmv/spmv_gpu.h"
#include "support/cusparse_library.h"

/* False where there is no cuSPARSE. */
bool cusparse_open(void);

enum { CUSPARSE_ALGORITHMS = 3 };
extern const char *const cusparse_algorithm[CUSPARSE_ALGORITHMS];

typedef struct cusparse_product cusparse_product;

/* Of the arrays of g, which has values, the semiring `sum` and one array to spare.  Returns NULL when
 * cuSPARSE fails.  Only one can be made of g. */
cusparse_product *cusparse_make(pm_spmv_gpu *g, int algorithm);
/* y = A x.  Does not wait.  False: it failed. */
bool cusparse_multiply(cusparse_product *p);
void cusparse_free(cusparse_product *p);

#endif
