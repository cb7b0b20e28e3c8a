/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/gpu.h: the only door to CUDA.  The driver and the run-time compiler are opened when they are
 * first needed, so one binary serves machines with and without them; built without CUDA, gpu_none.c
 * has the same functions.
 *
 * All kernels have one shape: block b of a launch that begins at block `first` writes one record,
 *
 *   extern "C" __global__ void NAME(unsigned long long first, void *records)
 *
 * and needs nothing else but constants in its text and perhaps one table.  Digits must not depend
 * on how blocks are spread over launches and devices. */
#ifndef PM_GPU_H
#define PM_GPU_H

#include <stddef.h>
#include <stdint.h>

#include "pm/status.h"

/* What this build and this machine have of CUDA, for people: a line "CUDA: ..." with the driver
 * and the compiler, then a line a device.  No newline after the last one.
 * text: room for size bytes; what does not fit is left out by whole lines.
 * Cost: starts the CUDA driver where there is one (some 0.1 s).
 * Fails: PM_ENODEV no driver, no device, or built without CUDA; text is filled then too and says
 * which, and *err says the same in one line. */
pm_status pm_gpu_describe(char *text, size_t size, pm_error *err);

/* ---- devices ---- */

typedef struct {
    char name[128];
    int major, minor; /* compute capability */
    int multiprocessors;
    int64_t memory;     /* bytes */
    double double_rate; /* additions or multiplications of doubles a second, at most */
} pm_gpu_info;

/* How many there are, one or more.  Starts the driver when first called.
 * Fails: PM_ENODEV. */
pm_status pm_gpu_count(int *out, pm_error *err);
/* device: 0 .. count - 1.  Fails: PM_ENODEV, PM_EINTERNAL. */
pm_status pm_gpu_look(int device, pm_gpu_info *out, pm_error *err);

/* ---- compiling ---- */

typedef struct {
    void *data; /* machine code, or PTX where the compiler does not know the device; free() */
    size_t size;
} pm_gpu_image;

/* Is there a compiler, and does it know such devices?  Fails: as pm_gpu_compile. */
pm_status pm_gpu_can_compile(int major, int minor, pm_error *err);

/* text: CUDA C++ without includes.  Compiled code is kept in the cache folder and taken from there
 * when text, device and compiler are the same and the file is whole; no folder, no cache.
 * Products and sums are not contracted.  Needs no device.
 * Fails: PM_ENODEV there is no compiler; PM_EINTERNAL the text does not compile, with the first
 * line of the complaint; PM_ENOMEM. */
pm_status pm_gpu_compile(const char *text, int major, int minor, pm_gpu_image *out, pm_error *err);

/* ---- running ---- */

typedef struct {
    const char *entry; /* name of the kernel */
    int threads;       /* of a block */
    size_t shared;     /* bytes of dynamic shared memory */
    size_t record;     /* bytes that a block writes */
    int64_t most;      /* blocks of a launch */
    const char *table; /* a variable of the text that is filled before the first launch, or NULL */
    const void *values;
    size_t values_size;
} pm_gpu_kernel;

/* A kernel loaded on a device.  Of one thread at a time. */
typedef struct pm_gpu pm_gpu;

enum { PM_GPU_SLOTS = 2 }; /* launches under way */

/* Fails: PM_EINTERNAL, PM_ENOMEM (of the host or the device). */
pm_status pm_gpu_open(int device, const pm_gpu_image *image, const pm_gpu_kernel *kernel,
                      pm_gpu **out, pm_error *err);
void pm_gpu_close(pm_gpu *g); /* NULL is fine */

/* Blocks first .. first + count - 1 in a slot that is free.  Does not wait. */
pm_status pm_gpu_start(pm_gpu *g, int slot, uint64_t first, int64_t count, pm_error *err);
/* Waits for the slot and frees it.  records: count of them, until its next start. */
pm_status pm_gpu_finish(pm_gpu *g, int slot, const void **records, pm_error *err);

#endif
