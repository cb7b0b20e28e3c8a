/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi/mpi_calls.h: what is used of MPI, as functions of a module that is loaded when a launcher has started
 * the program.  So the program itself is not linked to MPI, and starts as fast as without it.
 *
 * MPI waits in busy loops.  These functions do not wait, but for the rest of a message that has begun to
 * arrive.  One thread at a time calls them. */
#ifndef PM_MPI_CALLS_H
#define PM_MPI_CALLS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int rank, size;           /* of the job */
    int node_rank, node_size; /* among the ranks of the same machine */
} pm_mpi_place;

typedef struct {
    /* Returns NULL, or what went wrong. */
    const char *(*start)(pm_mpi_place *out);
    /* The `size` bytes of each rank of the machine, in the sequence of their node_rank.  All ranks call it. */
    void (*gather_on_node)(const void *own, int size, void *all);
    /* The least value of all ranks, which call it together. */
    int64_t (*least)(int64_t value);
    /* Whether a message is there, from which rank, and its bytes. */
    bool (*poll)(int *from, int64_t *size);
    void (*receive)(int from, void *data, int64_t size);
    /* Waits until a large message is being received. */
    void (*send)(int to, const void *data, int64_t size);
    void (*finish)(void);
} pm_mpi_calls;

/* The name of the one object of the module. */
#define PM_MPI_SYMBOL "pm_mpi_module"

#endif
