/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/gpu.h: the device interface, the only code that calls CUDA.
 *
 * The CUDA driver and the run-time compiler are opened with dlopen() when they are first needed, so
 * one binary serves machines with and without them.  In a build without CUDA gpu_none.c defines the
 * same functions; they fail with PM_ENODEV.
 *
 * A device that was started stays started, and a kernel that was loaded stays loaded for the next
 * user of the same text, until pm_gpu_end.
 *
 * Failures.  A device that fails, by lack of memory or otherwise, is reported as PM_ENODEV, the
 * status of a device that does not exist: callers that can work without a device then do so.  Some
 * failures make the driver useless to this process (an illegal address, a hardware error).  After
 * one of these every function that opens or queries a device fails at once with PM_ENODEV and the
 * message of that failure; the functions that close still work.
 *
 * There are two ways to run kernels.
 *   Sweeps (pm_gpu): thread block b of a launch that begins at `first` writes one record.  The
 *     kernel is extern "C" __global__ void NAME(unsigned long long first, void *records)
 *   and reads nothing else but constants of its text and at most one table.  Its records must not
 *   depend on how thread blocks are divided among launches and devices.
 *   Sessions (pm_gpu_session): launches one after another over arrays that stay on the device. */
#ifndef PM_GPU_H
#define PM_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pm/status.h"

/* Describes CUDA in this build and on this machine, for people: one line "CUDA: ..." with the
 * versions of driver and compiler, then one line for each device.  No newline at the end.
 * text: an array of size bytes, size > 0; lines that do not fit are left out.
 * Cost: starts the CUDA driver if there is one (about 0.1 s).
 * Fails: PM_ENODEV no driver, no device, or built without CUDA; text is filled in this case too and
 * says which, and *err says the same in one line. */
pm_status pm_gpu_describe(char *text, size_t size, pm_error *err);

/* True for the failures of a device or of its compiler.  Not for PM_ENOMEM,
 * which means the memory of the host. */
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
    double double_rate; /* peak additions or multiplications of doubles a second */
    double memory_rate; /* peak bytes a second */
    double single_rate; /* the same of single precision */
    double word_rate;   /* peak multiplications of 32-bit integers a second */
    int64_t shared;     /* bytes of shared memory that a thread block can have */
    int driver;         /* version of the driver: 13000 for 13.0 */
} pm_gpu_info;

enum { PM_GPU_MAX = 64 /* devices; any beyond these are not used */ };

/* Begins to start the driver and the devices 0 .. gpus - 1 (0: one device, -1: all) in a thread of
 * its own, which takes some tenths of a second.  Failures are not reported here: the function that
 * needs the driver or the device reports them.
 * Returns false when there is certainly no device: there is no driver, or it failed before.
 * Each call is followed by one of pm_gpu_prepared, before the next call and before the process
 * ends.  Both are for one thread at a time. */
bool pm_gpu_prepare(int gpus);
/* Ends what pm_gpu_prepare began; no effect where nothing was begun.
 * is_wanted: true waits for the devices; false leaves out those that are not started yet. */
void pm_gpu_prepared(bool is_wanted);

/* *out: the number of devices, 1 .. PM_GPU_MAX.  The first call starts the driver.
 * Fails: PM_ENODEV. */
pm_status pm_gpu_count(int *out, pm_error *err);
/* device: 0 .. count - 1.  Fails: PM_ENODEV. */
pm_status pm_gpu_get_info(int device, pm_gpu_info *out, pm_error *err);

/* *out: bytes of device memory that are free now.  Starts the device.  Fails: PM_ENODEV. */
pm_status pm_gpu_free_memory(int device, int64_t *out, pm_error *err);

/* ---- compiling ---- */

typedef struct {
    void *data; /* machine code, or PTX where the compiler does not know the device; free() */
    size_t size;
} pm_gpu_image;

/* PM_OK if there is a compiler that knows devices of this compute capability.
 * Fails: as pm_gpu_compile. */
pm_status pm_gpu_can_compile(int major, int minor, pm_error *err);

/* True if this text was compiled when the program was built; it then needs no compiler. */
bool pm_gpu_is_precompiled(const char *text);

/* True if pm_gpu_compile finds the code of this text and need not compile it. */
bool pm_gpu_is_compiled(const char *text, int major, int minor);

/* In a text that contains this line only the second half of the compiler optimises, which takes less
 * than half of the time.  For straight code: there the machine code has as many instructions. */
#define PM_GPU_QUICK "// compile quickly\n"

/* Compiles a text for devices of this compute capability.  Needs no device.
 * text: CUDA C++ without includes.  Products and sums are not contracted to fused operations.
 * out: the code, owned by the caller.
 * Code is kept in the cache folder and taken from there when text, capability and compiler are the
 * same and the file is undamaged; without a cache folder every call compiles.
 * Fails: PM_ENODEV there is no compiler; PM_EINTERNAL the text does not compile, with the
 * compiler's first error message; PM_ENOMEM. */
pm_status pm_gpu_compile(const char *text, int major, int minor, pm_gpu_image *out, pm_error *err);

/* ---- sweeps ---- */

typedef struct {
    const char *entry; /* name of the kernel */
    int threads;       /* of a thread block */
    size_t shared;     /* bytes of dynamic shared memory of a thread block */
    size_t record;     /* bytes that a thread block writes */
    int64_t most;      /* the most thread blocks of one launch */
    const char *table; /* a variable of the text that is filled before the first launch, or NULL */
    const void *values;
    size_t values_size; /* bytes */
} pm_gpu_kernel;

/* A kernel loaded on a device.  For one thread at a time. */
typedef struct pm_gpu pm_gpu;

/* Launches that may be under way at the same time, each in a slot of its own.  Where some
 * thread blocks take long, those of later launches keep the device busy. */
enum { PM_GPU_SLOTS = 4 };

/* Compiles the text, unless it is loaded on the device already, and makes it ready.
 * *out: closed by the caller with pm_gpu_close.
 * Fails: as pm_gpu_compile; PM_ENODEV; PM_EINTERNAL the table is smaller than values_size. */
pm_status pm_gpu_open(int device, const char *text, const pm_gpu_kernel *kernel, pm_gpu **out,
                      pm_error *err);
/* Waits for all launches.  g: may be NULL. */
void pm_gpu_close(pm_gpu *g);

/* The number of thread blocks that the device runs at the same time, at least 1. */
int64_t pm_gpu_resident(const pm_gpu *g);

/* Launches the thread blocks first .. first + count - 1 in a free slot, 0 .. PM_GPU_SLOTS - 1;
 * count is at most kernel->most.  Does not wait.  Fails: PM_ENODEV. */
pm_status pm_gpu_start(pm_gpu *g, int slot, uint64_t first, int64_t count, pm_error *err);
/* Waits for the launch in the slot and frees the slot.
 * *records: the `count` records of the launch, valid until the next start in this slot.
 * Fails: PM_ENODEV. */
pm_status pm_gpu_finish(pm_gpu *g, int slot, const void **records, pm_error *err);

/* ---- sessions ---- */

/* A loaded text and arrays on one device.  For one thread at a time. */
typedef struct pm_gpu_session pm_gpu_session;
typedef uint64_t pm_gpu_array; /* an address in device memory */

/* Compiles the text, unless it is loaded on the device already, and opens a session with it.
 * Variables of the text belong to this session; their initial contents are undefined.
 * Fails: as pm_gpu_open. */
pm_status pm_gpu_session_open(int device, const char *text, pm_gpu_session **out, pm_error *err);
/* Waits for all launches and frees the arrays.  s: may be NULL. */
void pm_gpu_session_close(pm_gpu_session *s);

enum { PM_GPU_ARRAYS = 24 };
/* Allocates an array of `bytes` bytes, bytes > 0, aligned for any type; at most PM_GPU_ARRAYS of
 * them in a session.  The session frees it.  Fails: PM_ENODEV. */
pm_status pm_gpu_session_array(pm_gpu_session *s, int64_t bytes, pm_gpu_array *out, pm_error *err);

/* Copies `bytes` bytes to an address in an array, or from there, after all earlier launches.
 * put: later launches see the data; `from` may be changed as soon as it returns.
 * get: waits for the copy.
 * Fails: PM_ENODEV. */
pm_status pm_gpu_session_put(pm_gpu_session *s, pm_gpu_array to, const void *from, int64_t bytes,
                             pm_error *err);
pm_status pm_gpu_session_get(pm_gpu_session *s, void *to, pm_gpu_array from, int64_t bytes,
                             pm_error *err);

/* Copies `bytes` bytes from an address in an array of a session to one in an array of that
 * session or of another one, on the same device or on another one, after all earlier launches of `from_session`, and
 * waits for the copy.  Nothing that `to_session` has under way may use that array, but another
 * thread may use the session meanwhile.  Devices that can access each other's memory copy directly;
 * for others the driver copies through the memory of the host.
 * Fails: PM_ENODEV. */
pm_status pm_gpu_session_copy(pm_gpu_session *from_session, pm_gpu_array from,
                              pm_gpu_session *to_session, pm_gpu_array to, int64_t bytes,
                              pm_error *err);

/* Launches a kernel after all earlier launches of the session.  Does not wait.
 * shared: bytes of dynamic shared memory of a thread block, at most 48 KiB.
 * arguments: a pointer to each argument of the kernel; copied.
 * Fails: PM_ENODEV. */
pm_status pm_gpu_session_launch(pm_gpu_session *s, const char *kernel, int64_t blocks, int threads,
                                int64_t shared, void **arguments, pm_error *err);
/* Waits for all launches.  Fails: PM_ENODEV a launch failed. */
pm_status pm_gpu_session_wait(pm_gpu_session *s, pm_error *err);

/* ---- memory of several devices ---- */

/* An array in equal parts on the devices 0 .. gpus - 1, at consecutive addresses. */
typedef struct pm_gpu_spread pm_gpu_spread;

enum { PM_GPU_SPREAD_UNIT = 2 << 20 /* bytes; parts are a multiple of this, on devices known */ };

/* True if each of the devices 0 .. gpus - 1 can access the memory of all others.  Does not start
 * them. */
bool pm_gpu_can_spread(int gpus);
/* Room for `bytes` bytes, bytes > 0, that the kernels of all these devices can read and write, and
 * that their sessions can put to and get from.  What a kernel of one device has written, kernels of
 * another one see that are launched after a wait for the first one.
 * *out: closed by the caller with pm_gpu_spread_close, after the sessions that use it.
 * Fails: PM_ENODEV, PM_ENOMEM. */
pm_status pm_gpu_spread_open(int gpus, int64_t bytes, pm_gpu_spread **out, pm_error *err);
/* The address of the array; 0 for NULL. */
pm_gpu_array pm_gpu_spread_array(const pm_gpu_spread *s);
/* s: may be NULL. */
void pm_gpu_spread_close(pm_gpu_spread *s);

/* ---- the end ---- */

/* Unloads all kernels and releases the devices, for a program that goes on without them; a program
 * that ends can leave this to the driver.  Nothing may be open, and no other thread may use this
 * header.  A later call that needs a device starts it again. */
void pm_gpu_end(void);

#endif
