/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/as_c.h: the text of kernels compiled as C. */
#ifndef PM_TEST_AS_C_H
#define PM_TEST_AS_C_H

#include <stdbool.h>

/* The text as a shared object of this name, in a folder that is there.  compiler: a command, with
 * -O0 for texts that run for an instant, or -O1.  False: it does not compile. */
bool compile_object(const char *compiler, int level, const char *text, const char *folder,
                    const char *object);

#endif
