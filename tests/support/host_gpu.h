/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/host_gpu.h: a double of src/gpu for tests, linked in its place: devices whose
 * kernels are compiled as C and run here, and that fail when a test asks for it.  It has all of
 * gpu/gpu.h; a program that uses it wrongly ends.  Memory that a device gives is filled with
 * 0x5a. */
#ifndef PM_TEST_HOST_GPU_H
#define PM_TEST_HOST_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/gpu.h"

/* What can fail: one function of gpu/gpu.h each. */
typedef enum {
    HOST_GPU_COUNT,
    HOST_GPU_LOOK,
    HOST_GPU_FREE_MEMORY,
    HOST_GPU_CAN_COMPILE,
    HOST_GPU_COMPILE,
    HOST_GPU_OPEN,
    HOST_GPU_START,
    HOST_GPU_FINISH,
    HOST_GPU_SESSION_OPEN,
    HOST_GPU_ARRAY,
    HOST_GPU_PUT,
    HOST_GPU_GET,
    HOST_GPU_COPY,
    HOST_GPU_SPREAD,
    HOST_GPU_LAUNCH,
    HOST_GPU_WAIT,
    HOST_GPU_CALLS
} host_gpu_call;

/* Calls the kernel of this name of a session, a function of C.  shared: room of its blocks. */
typedef void host_gpu_launch(void *symbol, const char *kernel, int64_t blocks, void *shared,
                             void **arguments);

typedef struct {
    int devices; /* 0: none */
    int major, minor;
    double double_rate, single_rate, memory_rate, word_rate;
    int64_t shared;
    int64_t memory;               /* bytes of each, all free, but for: */
    int64_t less;                 /* bytes that the last one lacks */
    int64_t resident;             /* blocks that run side by side */
    int fails_at[HOST_GPU_CALLS]; /* the k-th such call and all later ones fail; 0: none does */
    int calls_left;               /* of any kind, until all fail; below 0: none does */
    pm_status failure;            /* of the first call that failed so */
    int calls[HOST_GPU_CALLS];
    int64_t blocks;                     /* thread blocks of sweeps that were started */
    bool lacks_peers;                   /* no device can access another one */
    bool lacks_compiler;                /* but for texts that are ready */
    bool (*is_ready)(const char *text); /* may be NULL: none is */
    void (*on_launch)(void);            /* called before each launch; may be NULL */
    uint64_t *turns;         /* a generator: in each launch threads take turns in another order
                      * (cuda/phases.cuh); NULL: one after another */
    host_gpu_launch *launch; /* stays when all else is reset */
    int open;                /* devices and sessions that were not closed */
    int preparing;           /* pm_gpu_prepare without pm_gpu_prepared */
    int loaded;              /* kernels, in use or idle */
} host_gpu;

/* One device, fast enough to be preferred, that does not fail, and that has nothing loaded. */
extern host_gpu host_gpu_state;
void host_gpu_reset(void);

/* The host's address of a device's array. */
static inline void *host_gpu_array(pm_gpu_array array)
{
    return (void *)(uintptr_t)array;
}

#endif
