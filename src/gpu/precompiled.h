/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/precompiled.h: kernels that were compiled when the program was built (src/gpu/local.mk). */
#ifndef PM_PRECOMPILED_H
#define PM_PRECOMPILED_H

#include <stddef.h>

enum { PM_PRECOMPILED_CAPABILITY = 75 /* the lowest compute capability, 7.5 */ };

/* A text and its code for PM_PRECOMPILED_CAPABILITY and later capabilities: machine code and
 * PTX. */
typedef struct {
    const char *text; /* NULL marks the end of the table */
    const unsigned char *code;
    size_t size; /* bytes of code */
} pm_precompiled_kernel;

extern const pm_precompiled_kernel pm_precompiled_kernels[];

#endif
