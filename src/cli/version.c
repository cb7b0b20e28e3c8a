/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gmp.h>
#include <stdio.h>
#include <zlib.h>

#include "cli/options.h"
#include "gpu/gpu.h"
#include "process/landlock.h"
#include "process/sandbox.h"

static void print_sandbox(void)
{
    const char *no_calls = pm_sandbox_missing(), *no_files = NULL;
    int version = pm_landlock_version(&no_files);
    printf("sandbox: system calls: %s; files: ", no_calls ? no_calls : "yes");
    if (version)
        printf("Landlock %d\n", version);
    else
        puts(no_files);
}

void pm_version_print(const pm_command *command)
{
    printf("%s %s\n", command->name, PACKAGE_VERSION);
    char gpu[2048];
    pm_error err; /* the text says the same */
    pm_gpu_describe(gpu, sizeof gpu, &err);
    printf("GMP: %s\nzlib: %s\nOpenMP: ", gmp_version, zlibVersion());
#ifdef _OPENMP
    printf("%d\n", _OPENMP);
#else
    printf("no\n");
#endif
#ifdef HAVE_MPI
    if (command->uses & PM_USES_RANKS)
        puts("MPI: " PM_MPI_NAME);
#endif
#ifdef HAVE_PLANARITY
    puts("planar graphs: libplanarity, METIS");
#else
    puts("planar graphs: not built in");
#endif
    puts(gpu);
    print_sandbox();
}
