/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "core/machine.h"
#include "gpu/cuda_failure.h"
#include "gpu/gpu.h"
#include "gpu/gpu_context.h"
#include "gpu/gpu_model.h"
#include "gpu/nvrtc.h"
#include "pm/settings.h"

static pm_status count_devices(const pm_cuda_driver *cu, int *out, pm_error *err)
{
    pm_status status = pm_cuda_check(cu->cuDeviceGetCount(out), "counting devices", err);
    if (!status && *out > PM_GPU_MAX)
        *out = PM_GPU_MAX;
    return status;
}

pm_status pm_gpu_count(int *out, pm_error *err)
{
    if (pm_gpu_model_planned()) {
        *out = pm_gpu_model_count();
        return PM_OK;
    }
    const pm_cuda_driver *cu = pm_cuda_driver_use(err);
    if (!cu)
        return PM_ENODEV;
    pm_status status = count_devices(cu, out, err);
    int planned = pm_settings_get()->planned_gpus;
    if (!status && *out > 0 && *out < planned)
        *out = planned;
    return status;
}

/* *out: the device, or, for one that is planned for and not there, the first one. */
static pm_status find(const pm_cuda_driver *cu, int device, int *out, pm_error *err)
{
    int count = PM_GPU_MAX;
    pm_status status = pm_settings_get()->planned_gpus ? count_devices(cu, &count, err) : PM_OK;
    *out = device < count ? device : 0;
    return status;
}

static pm_status get_attribute(const pm_cuda_driver *cu, int device, CUdevice_attribute what,
                               int *out, pm_error *err)
{
    return pm_cuda_check(cu->cuDeviceGetAttribute(out, what, device), "a device's attribute", err);
}

enum { WORDS_A_CLOCK = 64 }; /* of a multiprocessor, on all devices known */

/* Additions of doubles that a multiprocessor starts in a clock. */
static double doubles_a_clock(int major, int minor)
{
    if (major == 6 && minor == 0)
        return 32;
    if ((major == 7 && minor < 5) || (major == 8 && minor == 0))
        return 32;
    if (major == 9 || (major == 10 && minor == 0))
        return 64;
    return 2; /* devices for graphics */
}

/* The same in single precision. */
static double singles_a_clock(int major, int minor)
{
    return major < 8 && major != 6 ? 64 : (major == 8 || major == 6) && minor == 0 ? 64 : 128;
}

pm_status pm_gpu_get_info(int device, pm_gpu_info *out, pm_error *err)
{
    size_t memory;
    int kilohertz, memory_kilohertz, bus, shared;
    if (pm_gpu_model_planned()) {
        *out = *pm_gpu_model_planned();
        return PM_OK;
    }
    const pm_cuda_driver *cu = pm_cuda_driver_use(err);
    if (!cu)
        return PM_ENODEV;
    pm_status status = find(cu, device, &device, err);
    if (!status)
        status =
            pm_cuda_check(cu->cuDeviceGetName(out->name, sizeof out->name, device), "a name", err);
    if (!status)
        status = pm_cuda_check(cu->cuDeviceTotalMem(&memory, device), "a device's memory", err);
    if (!status)
        status = get_attribute(cu, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                               &out->major, err);
    if (!status)
        status = get_attribute(cu, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                               &out->minor, err);
    if (!status)
        status = get_attribute(cu, device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
                               &out->multiprocessors, err);
    if (!status)
        status = get_attribute(cu, device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, &kilohertz, err);
    if (!status)
        status = get_attribute(cu, device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, &memory_kilohertz,
                               err);
    if (!status)
        status = get_attribute(cu, device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, &bus, err);
    if (!status)
        status = get_attribute(cu, device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
                               &shared, err);
    if (status)
        return status;
    out->shared = shared;
    out->memory = (int64_t)memory;
    out->driver = pm_cuda_driver_version();
    out->double_rate =
        1e3 * kilohertz * out->multiprocessors * doubles_a_clock(out->major, out->minor);
    out->single_rate =
        1e3 * kilohertz * out->multiprocessors * singles_a_clock(out->major, out->minor);
    out->word_rate = 1e3 * kilohertz * out->multiprocessors * WORDS_A_CLOCK;
    out->memory_rate = 2e3 * memory_kilohertz * bus / 8; /* both edges of the clock */
    if (!(out->memory_rate > 0)) /* shared with the processor: the driver reports 0 */
        out->memory_rate = PM_GPU_HOST_MEMORY_RATE;
    return PM_OK;
}

pm_status pm_gpu_free_memory(int device, int64_t *out, pm_error *err)
{
    CUcontext context;
    size_t available, total;
    if (pm_gpu_model_planned()) {
        *out = pm_gpu_model_planned()->memory;
        return PM_OK;
    }
    const pm_cuda_driver *cu = pm_cuda_driver_use(err);
    if (!cu)
        return PM_ENODEV;
    pm_status status = find(cu, device, &device, err);
    if (!status)
        status = pm_gpu_context_enter(cu, device, &context, err);
    if (!status)
        status = pm_cuda_check(cu->cuMemGetInfo(&available, &total), "memory", err);
    if (!status)
        *out = (int64_t)available;
    return status;
}

/* ---- the description ---- */

/* Append line after a newline; a line that does not fit is left out. */
static void append(char *text, size_t size, const char *line)
{
    size_t used = strlen(text);
    if (used + 1 + strlen(line) < size)
        snprintf(text + used, size - used, "\n%s", line);
}

/* "  GPU 0: NAME, compute 9.0, 132 multiprocessors, 139.8 GiB" */
static pm_status describe_device(int device, char *line, size_t size, pm_error *err)
{
    pm_gpu_info p;
    pm_status status = pm_gpu_get_info(device, &p, err);
    if (status)
        snprintf(line, size, "  GPU %d: %s", device, err->msg);
    else
        snprintf(line, size, "  GPU %d: %s, compute %d.%d, %d multiprocessors, %.1f GiB", device,
                 p.name, p.major, p.minor, p.multiprocessors, (double)p.memory / 0x1p30);
    return status;
}

/* "CUDA: built with 13.0, compiler 13.0, driver for 13.0"; versions as 13000 for 13.0 */
static void describe_software(char *text, size_t size)
{
    char compiler[32] = "no compiler", driver[32] = "no driver";
    int version = pm_cuda_driver_version(), major, minor;
    if (pm_nvrtc_version(&major, &minor, NULL) == PM_OK)
        snprintf(compiler, sizeof compiler, "compiler %d.%d", major, minor);
    if (version)
        snprintf(driver, sizeof driver, "driver for %d.%d", version / 1000, version % 1000 / 10);
    snprintf(text, size, "CUDA: built with %d.%d, %s, %s", CUDA_VERSION / 1000,
             CUDA_VERSION % 1000 / 10, compiler, driver);
}

pm_status pm_gpu_describe(char *text, size_t size, pm_error *err)
{
    char line[1200];
    int count = 0, usable = 0;
    pm_error why = {.msg = ""};
    describe_software(text, size);
    pm_status status = pm_gpu_count(&count, &why);
    if (status) {
        snprintf(line, sizeof line, "  %s", why.msg);
        append(text, size, line);
    }
    for (int device = 0; device < count; ++device) {
        usable += describe_device(device, line, sizeof line, &why) == PM_OK;
        append(text, size, line);
    }
    return usable ? PM_OK : pm_fail(err, PM_ENODEV, "%s", why.msg);
}
