/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/ahead.h: kernels that were compiled when the program was built. */
#ifndef PM_GPU_AHEAD_H
#define PM_GPU_AHEAD_H

#include <stddef.h>

enum { PM_AHEAD_LEAST = 75 }; /* compute capability 7.5 */

/* Machine code and PTX of a text, for PM_AHEAD_LEAST and what came after it. */
typedef struct {
    const char *text; /* NULL: the end of the table */
    const unsigned char *code;
    size_t size;
} pm_ahead_kernel;

extern const pm_ahead_kernel pm_ahead_kernels[];

#endif
