/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/host_frontier.h: launches of the frontier's kernels on devices that are none
 * (host_gpu.h). */
#ifndef PM_TEST_HOST_FRONTIER_H
#define PM_TEST_HOST_FRONTIER_H

#include <stdint.h>

/* Runs one launch: a host_gpu_launch (host_gpu.h). */
void host_frontier(void *symbol, const char *kernel, int64_t blocks, void *shared,
                   void **arguments);

#endif
