/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/gpu.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

/* "13.0" for 13000, as CUDA numbers its versions */
typedef struct {
    char text[32];
} version;

static version version_of(int number)
{
    version v;
    snprintf(v.text, sizeof v.text, "%d.%d", number / 1000, number % 1000 / 10);
    return v;
}

/* Append line after a newline; a line that does not fit is left out. */
static void append(char *text, size_t size, const char *line)
{
    size_t used = strlen(text);
    if (used + 1 + strlen(line) < size)
        snprintf(text + used, size - used, "\n%s", line);
}

/* "  GPU 0: NAME, compute 9.0, 132 multiprocessors, 139 GiB" */
static cudaError_t describe_device(int device, char *line, size_t size)
{
    struct cudaDeviceProp p;
    cudaError_t e = cudaGetDeviceProperties(&p, device);
    if (e == cudaSuccess)
        snprintf(line, size, "  GPU %d: %s, compute %d.%d, %d multiprocessors, %.1f GiB", device,
                 p.name, p.major, p.minor, p.multiProcessorCount,
                 (double)p.totalGlobalMem / 0x1p30);
    else
        snprintf(line, size, "  GPU %d: %s", device, cudaGetErrorString(e));
    return e;
}

pm_status pm_gpu_describe(char *text, size_t size, pm_error *err)
{
    int runtime = CUDART_VERSION, driver = 0, ndevices = 0, usable = 0;
    char line[512];

    /* The static runtime answers these two without a driver: driver stays 0. */
    cudaRuntimeGetVersion(&runtime);
    cudaDriverGetVersion(&driver);
    if (driver)
        snprintf(text, size, "CUDA: runtime %s, driver for %s", version_of(runtime).text,
                 version_of(driver).text);
    else
        snprintf(text, size, "CUDA: runtime %s, no driver", version_of(runtime).text);

    /* No driver, driver too old, no device: all mean "no GPU". */
    cudaError_t e = cudaGetDeviceCount(&ndevices);
    if (e != cudaSuccess || ndevices == 0) {
        const char *why = e == cudaSuccess ? "no device" : cudaGetErrorString(e);
        if (driver) {
            snprintf(line, sizeof line, "  %s", why);
            append(text, size, line);
        }
        return pm_fail(err, PM_ENODEV, "no usable GPU: %s", why);
    }
    for (int device = 0; device < ndevices; ++device) {
        if ((e = describe_device(device, line, sizeof line)) == cudaSuccess)
            ++usable;
        append(text, size, line);
    }
    return usable ? PM_OK : pm_fail(err, PM_ENODEV, "no usable GPU: %s", cudaGetErrorString(e));
}
