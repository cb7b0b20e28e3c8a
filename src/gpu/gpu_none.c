/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/gpu.h"

#include <stdio.h>

#include "gpu/gpu_model.h"

static pm_status none(pm_error *err)
{
    return pm_fail(err, PM_ENODEV, "no usable GPU: this build has no CUDA");
}

pm_status pm_gpu_describe(char *text, size_t size, pm_error *err)
{
    snprintf(text, size, "CUDA: not built in");
    return none(err);
}

bool pm_gpu_prepare(int gpus)
{
    (void)gpus;
    return pm_gpu_model_planned();
}

void pm_gpu_prepared(bool is_wanted)
{
    (void)is_wanted;
}

pm_status pm_gpu_count(int *out, pm_error *err)
{
    if (!pm_gpu_model_planned())
        return none(err);
    *out = pm_gpu_model_count();
    return PM_OK;
}

pm_status pm_gpu_get_info(int device, pm_gpu_info *out, pm_error *err)
{
    (void)device;
    if (!pm_gpu_model_planned())
        return none(err);
    *out = *pm_gpu_model_planned();
    return PM_OK;
}

pm_status pm_gpu_can_compile(int major, int minor, pm_error *err)
{
    (void)major, (void)minor;
    return pm_gpu_model_planned() ? PM_OK : none(err);
}

bool pm_gpu_is_precompiled(const char *text)
{
    (void)text;
    return false;
}

bool pm_gpu_is_compiled(const char *text, int major, int minor)
{
    (void)text, (void)major, (void)minor;
    return false;
}

pm_status pm_gpu_compile(const char *text, int major, int minor, pm_gpu_image *out, pm_error *err)
{
    (void)text, (void)major, (void)minor, (void)out;
    return none(err);
}

pm_status pm_gpu_open(int device, const char *text, const pm_gpu_kernel *kernel, pm_gpu **out,
                      pm_error *err)
{
    (void)device, (void)text, (void)kernel, (void)out;
    return none(err);
}

int64_t pm_gpu_resident(const pm_gpu *g)
{
    (void)g;
    return 1;
}

void pm_gpu_close(pm_gpu *g)
{
    (void)g;
}

pm_status pm_gpu_start(pm_gpu *g, int slot, uint64_t first, int64_t count, pm_error *err)
{
    (void)g, (void)slot, (void)first, (void)count;
    return none(err);
}

pm_status pm_gpu_finish(pm_gpu *g, int slot, const void **records, pm_error *err)
{
    (void)g, (void)slot, (void)records;
    return none(err);
}

pm_status pm_gpu_free_memory(int device, int64_t *out, pm_error *err)
{
    (void)device;
    if (!pm_gpu_model_planned())
        return none(err);
    *out = pm_gpu_model_planned()->memory;
    return PM_OK;
}

pm_status pm_gpu_session_open(int device, const char *text, pm_gpu_session **out, pm_error *err)
{
    (void)device, (void)text, (void)out;
    return none(err);
}

void pm_gpu_session_close(pm_gpu_session *s)
{
    (void)s;
}

pm_status pm_gpu_session_array(pm_gpu_session *s, int64_t bytes, pm_gpu_array *out, pm_error *err)
{
    (void)s, (void)bytes, (void)out;
    return none(err);
}

pm_status pm_gpu_session_put(pm_gpu_session *s, pm_gpu_array to, const void *from, int64_t bytes,
                             pm_error *err)
{
    (void)s, (void)to, (void)from, (void)bytes;
    return none(err);
}

pm_status pm_gpu_session_get(pm_gpu_session *s, void *to, pm_gpu_array from, int64_t bytes,
                             pm_error *err)
{
    (void)s, (void)to, (void)from, (void)bytes;
    return none(err);
}

pm_status pm_gpu_session_copy(pm_gpu_session *from_session, pm_gpu_array from,
                              pm_gpu_session *to_session, pm_gpu_array to, int64_t bytes,
                              pm_error *err)
{
    (void)from_session, (void)from, (void)to_session, (void)to, (void)bytes;
    return none(err);
}

pm_status pm_gpu_session_launch(pm_gpu_session *s, const char *kernel, int64_t blocks, int threads,
                                int64_t shared, void **arguments, pm_error *err)
{
    (void)s, (void)kernel, (void)blocks, (void)threads, (void)shared, (void)arguments;
    return none(err);
}

pm_status pm_gpu_session_wait(pm_gpu_session *s, pm_error *err)
{
    (void)s;
    return none(err);
}

bool pm_gpu_can_spread(int gpus)
{
    return pm_gpu_model_planned() && pm_gpu_model_can_spread(gpus);
}

pm_status pm_gpu_spread_open(int gpus, int64_t bytes, pm_gpu_spread **out, pm_error *err)
{
    (void)gpus, (void)bytes, (void)out;
    return none(err);
}

pm_gpu_array pm_gpu_spread_array(const pm_gpu_spread *s)
{
    (void)s;
    return 0;
}

void pm_gpu_spread_close(pm_gpu_spread *s)
{
    (void)s;
}

void pm_gpu_end(void)
{
}
