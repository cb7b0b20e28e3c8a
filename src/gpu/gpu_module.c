/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/gpu_module.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/cuda_failure.h"
#include "gpu/gpu_context.h"
#include "pm/alloc.h"

/* ---- compiling once for several devices ---- */

/* The text that was compiled last, and the code or the failure.  Devices of a machine are mostly of
 * one kind and want the same code. */
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

static bool is_last(const char *text, const pm_gpu_info *of)
{
    return code.text && code.major == of->major && code.minor == of->minor
           && strcmp(code.text, text) == 0;
}

static pm_status compile(const char *text, const pm_gpu_info *of, pm_error *err)
{
    forget_code();
    code.text = pm_copy_text(text);
    if (!code.text)
        return pm_fail_memory(err, "text of a kernel");
    code.major = of->major;
    code.minor = of->minor;
    code.failure = pm_gpu_compile(text, of->major, of->minor, &code.image, &code.why);
    return PM_OK;
}

static pm_status take(pm_gpu_image *out, pm_error *err)
{
    if (code.failure)
        return pm_fail(err, code.failure, "%s", code.why.msg);
    void *data = pm_copy(code.image.data, code.image.size);
    if (!data)
        return pm_fail_memory(err, "machine code");
    *out = (pm_gpu_image){data, code.image.size};
    return PM_OK;
}

/* As pm_gpu_compile, for devices like this one.  Thread-safe: one thread compiles, the others wait
 * and then get the same code.  *out is a copy, owned by the caller. */
static pm_status compile_shared(const char *text, const pm_gpu_info *of, pm_gpu_image *out,
                                pm_error *err)
{
    pm_status status = PM_OK;
#pragma omp critical(pm_gpu_code)
    {
        if (!is_last(text, of))
            status = compile(text, of, err);
        if (!status)
            status = take(out, err);
        if (code.failure == PM_ENOMEM) /* may succeed next time */
            forget_code();
    }
    return status;
}

/* ---- modules ---- */

/* Into the current context. */
static pm_status load(const pm_cuda_driver *cu, int device, const char *text, CUmodule *out,
                      pm_error *err)
{
    pm_gpu_info info;
    pm_gpu_image image = {0};
    pm_status status = pm_gpu_get_info(device, &info, err);
    if (!status)
        status = compile_shared(text, &info, &image, err);
    if (!status)
        status = pm_cuda_check(cu->cuModuleLoadData(out, image.data), "loading kernels", err);
    free(image.data);
    return status;
}

static pm_status make(const pm_cuda_driver *cu, int device, const char *text, pm_module *out,
                      pm_error *err)
{
    CUmodule module;
    *out = (pm_module){.device = device, .text = pm_copy_text(text)};
    if (!out->text)
        return pm_fail_memory(err, "text of a kernel");
    pm_status status = load(cu, device, text, &module, err);
    if (status)
        free(out->text);
    else
        out->handle = module;
    return status;
}

pm_status pm_gpu_module_open(int device, const char *text, pm_gpu_module *out, pm_error *err)
{
    pm_gpu_module m = {.cu = pm_cuda_driver_use(err)};
    *out = (pm_gpu_module){0};
    if (!m.cu)
        return PM_ENODEV;
    pm_status status = pm_gpu_context_enter(m.cu, device, &m.context, err);
    if (!status && !pm_idle_take(device, text, &m.kept))
        status = make(m.cu, device, text, &m.kept, err);
    if (status)
        return status;
    m.module = m.kept.handle;
    *out = m;
    return PM_OK;
}

static void unload(pm_module *m)
{
    CUcontext context;
    const pm_cuda_driver *cu = pm_cuda_driver_get(NULL);
    pm_gpu_context_enter(cu, m->device, &context, NULL);
    cu->cuModuleUnload(m->handle);
    free(m->text);
}

void pm_gpu_module_close(pm_gpu_module *m)
{
    pm_module old;
    if (m->module && pm_idle_put(m->kept, &old))
        unload(&old);
    *m = (pm_gpu_module){0};
}

void pm_gpu_end(void)
{
    pm_module m;
    forget_code();
    while (pm_idle_take_any(&m))
        unload(&m);
    pm_gpu_context_release_all();
    pm_cuda_failure_forget();
}
