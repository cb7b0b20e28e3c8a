/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/gpu.h: the only door to CUDA.  The driver and the run-time compiler are opened when they are
 * first needed, so one binary serves machines with and without them; built without CUDA,
 * gpu_none.c has the same functions.  Devices that were started stay so, and kernels that were
 * loaded there stay for those who want the same text next, until pm_gpu_end.  A device that fails,
 * for want of memory or whatever else, is PM_ENODEV as one that is not there: callers that can do
 * without it do.  After a failure that leaves the driver of no use to this process (an illegal address,
 * an error of the hardware), pm_gpu_count and whatever opens or looks at a device is PM_ENODEV at once,
 * with what it was, and what is open can be closed.
 *
 * Kernels have one of two shapes.  Sweeps (pm_gpu): block b of a launch that begins at block `first`
 * writes one record,
 *
 *   extern "C" __global__ void NAME(unsigned long long first, void *records)
 *
 * and needs nothing else but constants in its text and perhaps one table.  Digits must not depend
 * on how blocks are spread over launches and devices.  Programmes (pm_gpu_session): launches one
 * after the other over arrays that stay on the device. */
#ifndef PM_GPU_H
#define PM_GPU_H

#include <stdbool.h>
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

/* Is this a failure of a device or of its compiler?  The memory of the host is another matter. */
static inline bool pm_gpu_has_failed(pm_status s)
{
    return s == PM_ENODEV || s == PM_EINTERNAL;
}

/* ---- devices ---- */

typedef struct {
    char name[128];
    int major, minor; /* compute capability */
    int multiprocessors;
    int64_t memory;     /* bytes */
    double double_rate; /* additions or multiplications of doubles a second, at most */
    double memory_rate; /* bytes a second, at most */
    double word_rate;   /* multiplications of 32-bit integers a second, at most */
    int64_t shared;     /* bytes of shared memory that a block can have */
    int driver;         /* version as 13000 for 13.0 */
} pm_gpu_info;

enum { PM_GPU_MOST = 64 /* devices; more of them are left alone */ };

/* How many there are, 1 .. PM_GPU_MOST.  Starts the driver when first called.
 * Fails: PM_ENODEV. */
pm_status pm_gpu_count(int *out, pm_error *err);
/* device: 0 .. count - 1.  Fails: PM_ENODEV. */
pm_status pm_gpu_look(int device, pm_gpu_info *out, pm_error *err);

/* Bytes that can be had now.  Starts the device.  Fails: PM_ENODEV. */
pm_status pm_gpu_free_memory(int device, int64_t *out, pm_error *err);

/* ---- compiling ---- */

typedef struct {
    void *data; /* machine code, or PTX where the compiler does not know the device; free() */
    size_t size;
} pm_gpu_image;

/* Is there a compiler, and does it know such devices?  Fails: as pm_gpu_compile. */
pm_status pm_gpu_can_compile(int major, int minor, pm_error *err);

/* Was this text compiled when the program was built?  Then it needs no compiler. */
bool pm_gpu_is_ready(const char *text);

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

/* Launches under way: where some blocks last long, those of later launches fill the device meanwhile. */
enum { PM_GPU_SLOTS = 4 };

/* text: compiled, unless it is loaded there.  Fails: as pm_gpu_compile; PM_ENODEV; PM_EINTERNAL the
 * table is not as large. */
pm_status pm_gpu_open(int device, const char *text, const pm_gpu_kernel *kernel, pm_gpu **out,
                      pm_error *err);
void pm_gpu_close(pm_gpu *g); /* NULL is fine */

/* Blocks that the device runs side by side, at least 1. */
int64_t pm_gpu_resident(const pm_gpu *g);

/* Blocks first .. first + count - 1 in a slot that is free.  Does not wait. */
pm_status pm_gpu_start(pm_gpu *g, int slot, uint64_t first, int64_t count, pm_error *err);
/* Waits for the slot and frees it.  records: count of them, until its next start. */
pm_status pm_gpu_finish(pm_gpu *g, int slot, const void **records, pm_error *err);

/* ---- programmes over arrays ---- */

/* A device, a module and arrays.  Of one thread at a time. */
typedef struct pm_gpu_session pm_gpu_session;
typedef uint64_t pm_gpu_array; /* its address on the device */

/* As pm_gpu_open.  Variables of the text are those of the session, but not zeroed. */
pm_status pm_gpu_session_open(int device, const char *text, pm_gpu_session **out, pm_error *err);
/* Frees the arrays too.  Waits for what was launched.  NULL is fine. */
void pm_gpu_session_close(pm_gpu_session *s);

/* One of PM_GPU_ARRAYS; bytes > 0, aligned for any type. */
enum { PM_GPU_ARRAYS = 8 };
pm_status pm_gpu_session_array(pm_gpu_session *s, int64_t bytes, pm_gpu_array *out, pm_error *err);

/* Copy to a device's array and from it, `bytes` from its beginning, after what was launched before.
 * put: what is launched later sees it, and `from` may change at once; get waits. */
pm_status pm_gpu_session_put(pm_gpu_session *s, pm_gpu_array to, const void *from, int64_t bytes,
                             pm_error *err);
pm_status pm_gpu_session_get(pm_gpu_session *s, void *to, pm_gpu_array from, int64_t bytes,
                             pm_error *err);

/* Does not wait; runs after what was launched before.  shared: bytes of dynamic shared memory, 48 KiB
 * at most; arguments: a pointer to each. */
pm_status pm_gpu_session_launch(pm_gpu_session *s, const char *kernel, int64_t blocks, int threads,
                                int64_t shared, void **arguments, pm_error *err);
pm_status pm_gpu_session_wait(pm_gpu_session *s, pm_error *err);

/* ---- leaving ---- */

/* Unloads the kernels that are kept and lets go of the devices, for a program that goes on without
 * them; one that ends leaves that to the driver.  Nothing is open.  What is opened later is started
 * again. */
void pm_gpu_end(void);

#endif
