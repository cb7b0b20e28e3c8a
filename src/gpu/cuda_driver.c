/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/cuda_driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#define TEXT(call)    TEXT_OF(call)
#define TEXT_OF(name) #name

/* Filled once. */
static pm_cuda_driver driver;

/* Of the driver while it is loaded and started. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const struct {
    const char *symbol;
    void *slot;
} calls[] = {
#define CALL(call) {TEXT(call), &driver.call},
    PM_CUDA_CALLS(CALL)
#undef CALL
};

static bool is_loaded(pm_error *err)
{
    static void *library;
    if (library)
        return true;
    void *found = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!found) {
        pm_fail(err, PM_ENODEV, "no usable GPU: the CUDA driver (libcuda.so.1) is not installed");
        return false;
    }
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        void *symbol = dlsym(found, calls[i].symbol);
        if (!symbol) {
            pm_fail(err, PM_ENODEV, "no usable GPU: the CUDA driver is too old, it has no %s",
                    calls[i].symbol);
            dlclose(found);
            return false;
        }
        memcpy(calls[i].slot, &symbol, sizeof symbol); /* as POSIX allows */
    }
    library = found;
    return true;
}

const char *pm_cuda_error_text(CUresult e)
{
    const char *text = NULL;
    driver.cuGetErrorString(e, &text);
    return text ? text : "unknown error";
}

static pm_status start(pm_error *err)
{
    int count = 0;
    if (!is_loaded(err))
        return PM_ENODEV;
    CUresult e = driver.cuInit(0);
    if (e == CUDA_SUCCESS)
        e = driver.cuDeviceGetCount(&count);
    if (e != CUDA_SUCCESS || count == 0)
        return pm_fail(err, PM_ENODEV, "no usable GPU: %s",
                       e ? pm_cuda_error_text(e) : "no device");
    return PM_OK;
}

/* Tried once: a machine does not get a GPU while the program runs. */
const pm_cuda_driver *pm_cuda_driver_get(pm_error *err)
{
    static bool is_tried;
    static pm_status failed;
    static pm_error why;
    pthread_mutex_lock(&lock);
    if (!is_tried)
        failed = start(&why);
    is_tried = true;
    pthread_mutex_unlock(&lock);
    if (failed)
        pm_fail(err, failed, "%s", why.msg);
    return failed ? NULL : &driver;
}

bool pm_cuda_driver_is_there(void)
{
    pthread_mutex_lock(&lock);
    bool is_there = is_loaded(NULL);
    pthread_mutex_unlock(&lock);
    return is_there;
}

int pm_cuda_driver_version(void)
{
    int version = 0;
    if (pm_cuda_driver_is_there())
        driver.cuDriverGetVersion(&version);
    return version;
}
