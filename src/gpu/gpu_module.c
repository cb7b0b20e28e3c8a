/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/gpu_module.h"

#include <stdlib.h>

#include "gpu/cuda_failure.h"
#include "gpu/gpu_code.h"
#include "gpu/gpu_context.h"
#include "pm/alloc.h"

/* In the context that is current. */
static pm_status load(const pm_cuda_driver *cu, int device, const char *text, CUmodule *out,
                      pm_error *err)
{
    pm_gpu_info info;
    pm_gpu_image image = {0};
    pm_status rc = pm_gpu_look(device, &info, err);
    if (!rc)
        rc = pm_gpu_code(text, &info, &image, err);
    if (!rc)
        rc = pm_cuda_check(cu->cuModuleLoadData(out, image.data), "loading kernels", err);
    free(image.data);
    return rc;
}

static pm_status make(const pm_cuda_driver *cu, int device, const char *text, pm_module *out,
                      pm_error *err)
{
    CUmodule module;
    *out = (pm_module){.device = device, .text = pm_copy_text(text)};
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
    pm_gpu_module m = {.cu = pm_cuda_begin(err)};
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

static void unload(pm_module *m)
{
    CUcontext context;
    const pm_cuda_driver *cu = pm_cuda_driver_get(NULL);
    pm_gpu_enter(cu, m->device, &context, NULL);
    cu->cuModuleUnload(m->handle);
    free(m->text);
}

void pm_gpu_module_close(pm_gpu_module *m)
{
    pm_module old;
    if (m->module && pm_idle_keep(m->kept, &old))
        unload(&old);
    *m = (pm_gpu_module){0};
}

/* No other thread is at the door. */
void pm_gpu_end(void)
{
    pm_module m;
    pm_gpu_code_forget();
    while (pm_idle_take_any(&m))
        unload(&m);
    pm_gpu_leave_all();
    pm_cuda_failure_forget();
}
