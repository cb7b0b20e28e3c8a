/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/cusparse_library.h: cuSPARSE, opened when it runs; nothing needs it to compile. */
#ifndef PM_TEST_CUSPARSE_LIBRARY_H
#define PM_TEST_CUSPARSE_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

/* Of cusparse.h and library_types.h. */
enum {
    CUSPARSE_INDEX_32 = 2,
    CUSPARSE_BASE_ZERO = 0,
    CUSPARSE_AS_IT_IS = 0,
    CUSPARSE_FLOATS = 0,
    CUSPARSE_DOUBLES = 1
};

typedef int cusparse_create_csr(void **matrix, int64_t rows, int64_t cols, int64_t nnz,
                                void *rowptr, void *colind, void *value, int rowptr_type,
                                int colind_type, int base, int type);
typedef int cusparse_destroy(void *object);

/* What cuSPARSE calls its handle; NULL where there is no cuSPARSE. */
void *cusparse_handle(void);

/* *to = a function of cuSPARSE or, beginning with "cu" and a capital letter, of the driver.
 * False: there is none of this name. */
bool cusparse_find(const char *name, void *to);

/* Waits for the device. */
bool cusparse_wait(void);

/* An address in device memory as a pointer. */
static inline void *cusparse_address(unsigned long long a)
{
    return (void *)(uintptr_t)a;
}

#endif
