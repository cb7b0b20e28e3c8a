/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/cuda_failure.h"

#include <stdbool.h>

/* The first final failure of this process. */
static struct {
    bool is_there;
    pm_error why;
} first;

/* Failures after which, by the driver's documentation, "the process must be terminated and
 * relaunched"; the last four are final by our own experience.  226 and 721 have no name in the
 * headers of CUDA 12.0. */
static bool is_final(CUresult e)
{
    switch ((int)e) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_EXTERNAL_DEVICE:
    case 226: /* CUDA_ERROR_CONTAINED */
    case 721: /* CUDA_ERROR_TENSOR_MEMORY_LEAK */
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_MPS_CLIENT_TERMINATED: return true;
    default: return false;
    }
}

static void remember(const char *what, const char *text)
{
#pragma omp critical(pm_cuda_failure)
    if (!first.is_there) {
        first.is_there = true;
        pm_fail(&first.why, PM_ENODEV, "no usable GPU any more: %s: %s", what, text);
    }
}

pm_status pm_cuda_check(CUresult e, const char *what, pm_error *err)
{
    if (e == CUDA_SUCCESS)
        return PM_OK;
    const char *text = pm_cuda_error_text(e);
    if (is_final(e))
        remember(what, text);
    return pm_fail(err, PM_ENODEV, "GPU: %s: %s", what, text);
}

const pm_cuda_driver *pm_cuda_driver_use(pm_error *err)
{
    pm_status status = PM_OK;
#pragma omp critical(pm_cuda_failure)
    if (first.is_there)
        status = pm_fail(err, PM_ENODEV, "%s", first.why.msg);
    return status ? NULL : pm_cuda_driver_get(err);
}

bool pm_cuda_has_failed(void)
{
    bool has_failed;
#pragma omp critical(pm_cuda_failure)
    has_failed = first.is_there;
    return has_failed;
}

void pm_cuda_failure_forget(void)
{
    first.is_there = false;
}
