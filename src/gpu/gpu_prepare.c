/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starting the driver and devices in a thread of its own, while the caller does something else. */
#include "config.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "gpu/cuda_failure.h"
#include "gpu/gpu_context.h"
#include "gpu/gpu_model.h"
#include "gpu/gpu_use.h"
#include "pm/settings.h"

static struct {
    bool is_running;
    pthread_t thread;
    int gpus;
    atomic_bool is_unwanted;
} preparing;

static pm_status start_device(void *unused, int gpu, pm_error *err)
{
    CUcontext context;
    (void)unused;
    const pm_cuda_driver *cu = pm_cuda_driver_use(err);
    if (!cu)
        return PM_ENODEV;
    return preparing.is_unwanted ? PM_OK : pm_gpu_context_enter(cu, gpu, &context, err);
}

/* What fails here fails again for the function that needs it, which reports it. */
static void *prepare(void *unused)
{
    int count, gpus = preparing.gpus ? preparing.gpus : 1;
    if (pm_gpu_count(&count, NULL) != PM_OK || preparing.is_unwanted)
        return unused;
    if (gpus < 0 || gpus > count)
        gpus = count;
    if (pm_settings_get()->planned_gpus) /* perhaps more than there are */
        gpus = 1;
    pm_gpu_on_each(gpus, start_device, NULL, NULL);
    return unused;
}

/* Signals stay with the threads that had them: the new one, and those of the driver, block all. */
static bool make_thread(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool is_made = pthread_create(&preparing.thread, NULL, prepare, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_made;
}

bool pm_gpu_prepare(int gpus)
{
    if (pm_gpu_model_planned())
        return true;
    if (!pm_cuda_driver_is_there() || pm_cuda_has_failed())
        return false;
    if (!preparing.is_running) {
        preparing.gpus = gpus;
        preparing.is_unwanted = false;
        preparing.is_running = make_thread();
    }
    return true;
}

void pm_gpu_prepared(bool is_wanted)
{
    if (!preparing.is_running)
        return;
    preparing.is_unwanted = !is_wanted;
    pthread_join(preparing.thread, NULL);
    preparing.is_running = false;
}
