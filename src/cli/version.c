/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gmp.h>
#include <stdio.h>
#include <zlib.h>

#include "cli/options.h"

void pm_version_print(const pm_program *program)
{
    printf("%s %s\n", program->name, PACKAGE_VERSION);
    printf("GMP %s, zlib %s, OpenMP ", gmp_version, zlibVersion());
#ifdef _OPENMP
    printf("%d", _OPENMP);
#else
    printf("no");
#endif
#ifdef HAVE_CUDA
    printf(", CUDA yes\n");
#else
    printf(", CUDA no\n");
#endif
}
