/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/counting_driver.h: a driver of CUDA, and a compiler, that do nothing but count,
 * linked in place of src/gpu/cuda_driver.c and src/gpu/gpu_compile.c.  A program that gives back
 * what it has not got, or uses what is no handle or one of another device than its thread has
 * entered, fails. */
#ifndef PM_TEST_COUNTING_DRIVER_H
#define PM_TEST_COUNTING_DRIVER_H

#include <stdatomic.h>
#include <stdbool.h>

/* Devices that may be used; it says that it has 100. */
enum { COUNTING_DRIVER_DEVICES = 3, COUNTING_DRIVER_TABLE = 64 /* bytes of "table" */ };

/* Device k has k + 1 GiB, 7000 - 1000 k bytes of them free; a module has the kernel "go". */
extern struct counting_driver {
    /* given and not got back */
    atomic_int contexts[COUNTING_DRIVER_DEVICES], modules, streams, memory, host;
    atomic_int ranges, blocks, maps; /* of addresses, of memory, and memory at addresses */
    atomic_int loads, compiles;      /* in all */
    atomic_int arrived, meet; /* a load waits until so many have begun, some seconds at most */
    atomic_int calls;         /* in all, of those that can fail */
    atomic_int calls_left;    /* until one fails; below 0: none does */
    int failure;              /* what it answers, a CUresult; 0: out of memory */
    bool is_final;            /* so does whatever is called next, if only to give back */
    atomic_bool has_failed;
    int minor[COUNTING_DRIVER_DEVICES]; /* of the capability, 9.0 as a rule */
    bool takes_no_text;                 /* the compiler */
    bool has_no_peers;                  /* devices cannot access each other */
    atomic_int peers;                   /* times that access was enabled */
    char table[COUNTING_DRIVER_TABLE];
} counting_driver;

#endif
