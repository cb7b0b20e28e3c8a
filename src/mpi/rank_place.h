/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi/rank_place.h: the share of its machine that a rank takes, beside the other ranks that are there. */
#ifndef PM_RANK_PLACE_H
#define PM_RANK_PLACE_H

#include "mpi/mpi_calls.h"

/* Threads: the processors that this process may use, divided by the ranks that may use the same ones; at
 * least 1.  All ranks call it. */
int pm_rank_place_threads(const pm_mpi_calls *mpi, const pm_mpi_place *place);

/* Makes the driver of GPUs see those of this rank only: a share of them, or one of them where there are more
 * ranks than GPUs (CUDA_VISIBLE_DEVICES).  Before the driver starts. */
void pm_rank_place_gpus(const pm_mpi_place *place);

#endif
