/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/cuda_driver.h"
#include "gpu/gpu_model.h"
#include "gpu/kernel_cache.h"
#include "gpu/nvrtc.h"
#include "gpu/precompiled.h"
#include "pm/alloc.h"

/* Everything that the code depends on: compiler, driver, options, text.  The caller frees it. */
static pm_status make_key(const char *text, const pm_nvrtc_target *target, char **out,
                          pm_error *err)
{
    int major, minor;
    pm_status status = pm_nvrtc_version(&major, &minor, err);
    if (status)
        return status;
    size_t size = strlen(text) + 128;
    *out = pm_alloc_array((int64_t)size, 1);
    if (!*out)
        return pm_fail_memory(err, "text of a kernel");
    snprintf(*out, size, "// NVRTC %d.%d driver %d %s %s\n%s", major, minor,
             pm_cuda_driver_version(), target->option, PM_NVRTC_OPTIONS, text);
    return PM_OK;
}

pm_status pm_gpu_can_compile(int major, int minor, pm_error *err)
{
    pm_nvrtc_target target;
    return pm_gpu_model_planned() ? PM_OK : pm_nvrtc_target_for(major, minor, &target, err);
}

/* ---- compiled when the program was built ---- */

/* The driver does not load code of an nvcc whose major version is later than its own. */
static const pm_precompiled_kernel *find_precompiled(const char *text)
{
#ifdef HAVE_NVCC
    int driver = pm_cuda_driver_version();
    if (driver > 0 && driver / 1000 < CUDA_VERSION / 1000)
        return NULL;
    for (const pm_precompiled_kernel *k = pm_precompiled_kernels; k->text; ++k)
        if (strcmp(k->text, text) == 0)
            return k;
#else
    (void)text;
#endif
    return NULL;
}

bool pm_gpu_is_precompiled(const char *text)
{
    return find_precompiled(text) != NULL;
}

bool pm_gpu_is_compiled(const char *text, int major, int minor)
{
    pm_nvrtc_target target;
    char *key = NULL;
    if (pm_gpu_model_planned())
        return false;
    if (find_precompiled(text) && 10 * major + minor >= PM_PRECOMPILED_CAPABILITY)
        return true;
    bool is_there = pm_nvrtc_target_for(major, minor, &target, NULL) == PM_OK
                    && make_key(text, &target, &key, NULL) == PM_OK && pm_kernel_cache_has(key);
    free(key);
    return is_there;
}

static pm_status copy_precompiled(const pm_precompiled_kernel *k, pm_gpu_image *out, pm_error *err)
{
    *out = (pm_gpu_image){pm_alloc_array((int64_t)k->size, 1), k->size};
    if (!out->data)
        return pm_fail_memory(err, "machine code");
    memcpy(out->data, k->code, k->size);
    return PM_OK;
}

/* ---- compiled now, or taken from the cache ---- */

pm_status pm_gpu_compile(const char *text, int major, int minor, pm_gpu_image *out, pm_error *err)
{
    pm_nvrtc_target target;
    char *key = NULL;
    const pm_precompiled_kernel *found = find_precompiled(text);
    if (found && 10 * major + minor >= PM_PRECOMPILED_CAPABILITY)
        return copy_precompiled(found, out, err);
    pm_status status = pm_nvrtc_target_for(major, minor, &target, err);
    if (!status)
        status = make_key(text, &target, &key, err);
    if (!status && !pm_kernel_cache_read(key, out)) {
        status = pm_nvrtc_compile(key, &target, out, err);
        if (!status)
            pm_kernel_cache_write(key, out);
    }
    free(key);
    return status;
}
