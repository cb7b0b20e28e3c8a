/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/gpu_module.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

static char *copy_of(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = pm_alloc_array((int64_t)size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

/* ---- contexts ---- */

/* The primary ones: to make one is dear.  NULL: of a device that was not entered.  Of the process, as
 * devices are; so is `code`.  Each has its critical section. */
static CUcontext contexts[PM_GPU_MOST];

/* Started at once by several threads, a device is retained by each and released by all but one. */
static pm_status start_device(const pm_cuda_driver *cu, int device, pm_error *err)
{
    CUcontext made;
    bool is_first;
    pm_status rc =
        pm_cuda_check(cu->cuDevicePrimaryCtxRetain(&made, device), "starting the device", err);
    if (rc)
        return rc;
#pragma omp critical(pm_gpu_contexts)
    {
        is_first = !contexts[device];
        contexts[device] = made;
    }
    if (!is_first)
        cu->cuDevicePrimaryCtxRelease(device);
    return PM_OK;
}

static CUcontext context_of(int device)
{
    CUcontext made;
#pragma omp critical(pm_gpu_contexts)
    made = contexts[device];
    return made;
}

pm_status pm_gpu_enter(const pm_cuda_driver *cu, int device, CUcontext *out, pm_error *err)
{
    pm_status rc = context_of(device) ? PM_OK : start_device(cu, device, err);
    *out = context_of(device);
    return rc ? rc : pm_cuda_check(cu->cuCtxSetCurrent(*out), "starting the device", err);
}

/* ---- code ---- */

/* What was compiled last, or could not be: several devices, most of one kind, load it one after the
 * other. */
static struct {
    int major, minor;
    char *text;
    pm_gpu_image image;
    pm_status failure;
    pm_error why;
} code;

static void forget_code(void)
{
    free(code.text);
    free(code.image.data);
    memset(&code, 0, sizeof code);
}

static pm_status have_code(const char *text, const pm_gpu_info *of, pm_error *err)
{
    if (code.text && code.major == of->major && code.minor == of->minor
        && strcmp(code.text, text) == 0)
        return code.failure ? pm_fail(err, code.failure, "%s", code.why.msg) : PM_OK;
    forget_code();
    code.text = copy_of(text);
    if (!code.text)
        return pm_fail_memory(err, "text of a kernel");
    code.major = of->major;
    code.minor = of->minor;
    code.failure = pm_gpu_compile(text, of->major, of->minor, &code.image, &code.why);
    if (!code.failure)
        return PM_OK;
    pm_status rc = pm_fail(err, code.failure, "%s", code.why.msg);
    if (rc == PM_ENOMEM)
        forget_code();
    return rc;
}

/* ---- modules ---- */

/* In the context that is current. */
static pm_status load(const pm_cuda_driver *cu, int device, const char *text, CUmodule *out,
                      pm_error *err)
{
    pm_gpu_info info;
    pm_status rc = pm_gpu_look(device, &info, err);
#pragma omp critical(pm_gpu_code)
    {
        if (!rc)
            rc = have_code(text, &info, err);
        if (!rc)
            rc = pm_cuda_check(cu->cuModuleLoadData(out, code.image.data), "loading kernels", err);
    }
    return rc;
}

static pm_status make(const pm_cuda_driver *cu, int device, const char *text, pm_module *out,
                      pm_error *err)
{
    CUmodule module;
    *out = (pm_module){.device = device, .text = copy_of(text)};
    if (!out->text)
        return pm_fail_memory(err, "text of a kernel");
    pm_status rc = load(cu, device, text, &module, err);
    if (rc)
        free(out->text);
    else
        out->handle = module;
    return rc;
}

pm_status pm_gpu_module_open(int device, const char *text, pm_gpu_module *out, pm_error *err)
{
    pm_gpu_module m = {.cu = pm_cuda_driver_get(err)};
    *out = (pm_gpu_module){0};
    if (!m.cu)
        return PM_ENODEV;
    pm_status rc = pm_gpu_enter(m.cu, device, &m.context, err);
    if (!rc && !pm_idle_take(device, text, &m.kept))
        rc = make(m.cu, device, text, &m.kept, err);
    if (rc)
        return rc;
    m.module = m.kept.handle;
    *out = m;
    return PM_OK;
}

static void unload(const pm_cuda_driver *cu, pm_module *m)
{
    cu->cuCtxSetCurrent(context_of(m->device));
    cu->cuModuleUnload(m->handle);
    free(m->text);
}

void pm_gpu_module_close(pm_gpu_module *m)
{
    pm_module old;
    if (m->module && pm_idle_keep(m->kept, &old))
        unload(m->cu, &old);
    *m = (pm_gpu_module){0};
}

/* No other thread is at the door. */
void pm_gpu_end(void)
{
    pm_module m;
    const pm_cuda_driver *cu = NULL;
    forget_code();
    for (int device = 0; device < PM_GPU_MOST; ++device)
        if (contexts[device])
            cu = pm_cuda_driver_get(NULL);
    while (pm_idle_take_any(&m))
        unload(cu, &m);
    for (int device = 0; device < PM_GPU_MOST; ++device)
        if (contexts[device]) {
            cu->cuDevicePrimaryCtxRelease(device);
            contexts[device] = NULL;
        }
}
