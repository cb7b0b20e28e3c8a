/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The module pm-mpi.so: the only source that uses MPI. */
#include "config.h"

#include "mpi/mpi_calls.h"

#include <mpi.h>
#include <stddef.h>

enum { HEAD_TAG = 1, BODY_TAG = 2, PIECE = 1 << 30 };

static MPI_Comm node;

static const char *start(pm_mpi_place *out)
{
    int threads;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &threads) != MPI_SUCCESS)
        return "MPI_Init_thread has failed";
    if (threads < MPI_THREAD_SERIALIZED)
        return "this MPI does not allow calls by several threads";
    MPI_Comm_rank(MPI_COMM_WORLD, &out->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &out->size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &out->node_rank);
    MPI_Comm_size(node, &out->node_size);
    return NULL;
}

static void gather_on_node(const void *own, int size, void *all)
{
    MPI_Allgather(own, size, MPI_BYTE, all, size, MPI_BYTE, node);
}

static int64_t least(int64_t value)
{
    int64_t all;
    MPI_Allreduce(&value, &all, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

/* A message is its size, and then its bytes in pieces. */
static bool poll(int *from, int64_t *size)
{
    int is_there;
    MPI_Status about;
    MPI_Iprobe(MPI_ANY_SOURCE, HEAD_TAG, MPI_COMM_WORLD, &is_there, &about);
    if (!is_there)
        return false;
    *from = about.MPI_SOURCE;
    MPI_Recv(size, 1, MPI_INT64_T, *from, HEAD_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return true;
}

static int piece_of(int64_t left)
{
    return left < PIECE ? (int)left : PIECE;
}

static void receive(int from, void *data, int64_t size)
{
    char *to = data;
    for (int64_t at = 0; at < size; at += PIECE)
        MPI_Recv(to + at, piece_of(size - at), MPI_BYTE, from, BODY_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void send(int to, const void *data, int64_t size)
{
    const char *from = data;
    MPI_Send(&size, 1, MPI_INT64_T, to, HEAD_TAG, MPI_COMM_WORLD);
    for (int64_t at = 0; at < size; at += PIECE)
        MPI_Send(from + at, piece_of(size - at), MPI_BYTE, to, BODY_TAG, MPI_COMM_WORLD);
}

static void finish(void)
{
    MPI_Comm_free(&node);
    MPI_Finalize();
}

extern const pm_mpi_calls pm_mpi_module;
const pm_mpi_calls pm_mpi_module = {start, gather_on_node, least, poll, receive, send, finish};
