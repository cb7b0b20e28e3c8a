/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/host_samples.h: launches of samplers' kernels on devices that are none
 * (host_gpu.h). */
#ifndef PM_TEST_HOST_SAMPLES_H
#define PM_TEST_HOST_SAMPLES_H

#include <stdint.h>

/* What an argument of a launch, an array of the device, points to. */
void *array_of(const void *argument);

/* Runs one launch of a sampler: a host_gpu_launch (host_gpu.h). */
void host_samples(void *symbol, const char *kernel, int64_t blocks, void *shared, void **arguments);

/* What the text says of the memory of a warp. */
uint64_t warp_bytes_of_text(const char *text);

#endif
