/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mpi/mpi_load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process/environment.h"

/* The variable is a whole number from 1 on; else 0. */
static int number_in(const char *variable)
{
    const char *text = getenv(variable);
    char *end;
    long value = text ? strtol(text, &end, 10) : 0;
    return text && *text && !*end && value > 0 && value <= 1 << 24 ? (int)value : 0;
}

/* Those of Open MPI, of MPICH (Hydra) and Slurm's --mpi=pmi2, and of PMIx (Slurm's --mpi=pmix). */
int pm_mpi_launched(void)
{
    int size = number_in("OMPI_COMM_WORLD_SIZE");
    if (!size)
        size = number_in("PMI_SIZE");
    if (!size && getenv("PMIX_RANK"))
        return number_in("SLURM_STEP_NUM_TASKS");
    return size ? size : 1;
}

int pm_mpi_launched_rank(void)
{
    int rank = number_in("OMPI_COMM_WORLD_RANK");
    if (!rank)
        rank = number_in("PMI_RANK");
    return rank ? rank : number_in("PMIX_RANK");
}

#ifdef HAVE_MPI

enum { PATH_ROOM = PM_ENVIRONMENT_PATH_MAX + 64 };

static bool is_in(const char *folder, char path[PATH_ROOM])
{
    int length = snprintf(path, PATH_ROOM, "%s/pm-mpi.so", folder);
    return length < PATH_ROOM && access(path, R_OK) == 0;
}

/* In the folder of helper programs; for a copy of an installation, or a build tree, see
 * pm_environment_read. */
static bool find_module(char path[PATH_ROOM])
{
    char folder[PM_ENVIRONMENT_PATH_MAX + 32];
    const char *given = getenv("PM_LIBEXEC");
    if (given && *given)
        return is_in(given, path);
    if (is_in(PM_LIBEXECDIR, path))
        return true;
    if (!pm_environment_own_path(folder))
        return false;
    char *slash = strrchr(folder, '/');
    strcpy(slash, "/../libexec/pmkit");
    if (is_in(folder, path))
        return true;
    *slash = '\0';
    return is_in(folder, path);
}

pm_status pm_mpi_load(const pm_mpi_calls **out, pm_error *err)
{
    char path[PATH_ROOM];
    if (!find_module(path))
        return pm_fail(err, PM_EINTERNAL,
                       "started by an MPI launcher, but pm-mpi.so is not beside the program");
    /* Open MPI loads parts of itself that use its symbols. */
    void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    *out = module ? dlsym(module, PM_MPI_SYMBOL) : NULL;
    if (!*out) {
        const char *why = dlerror();
        return pm_fail(err, PM_EINTERNAL, "%s: %s", path, why ? why : "no module of this program");
    }
    return PM_OK;
}

#else

pm_status pm_mpi_load(const pm_mpi_calls **out, pm_error *err)
{
    *out = NULL;
    return pm_fail(err, PM_EINTERNAL, "built without MPI");
}

#endif
