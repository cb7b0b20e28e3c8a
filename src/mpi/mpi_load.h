/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi/mpi_load.h: whether a launcher of MPI has started this process, and the module that calls MPI. */
#ifndef PM_MPI_LOAD_H
#define PM_MPI_LOAD_H

#include "mpi/mpi_calls.h"
#include "pm/status.h"

/* The number of ranks that the launcher has set in the environment: 1 when there is none or it has started one
 * process, 0 when it does not tell. */
int pm_mpi_launched(void);
/* The rank of this process by the environment, before MPI is started; 0 when it does not tell. */
int pm_mpi_launched_rank(void);

/* Loads the module.  *out: valid until the process ends.
 * Fails: PM_EINTERNAL it is not there, or cannot be loaded; or the program was built without MPI. */
pm_status pm_mpi_load(const pm_mpi_calls **out, pm_error *err);

#endif
