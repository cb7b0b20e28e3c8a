/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/unit/fake_samples.h: launches of samplers' kernels on devices that are none. */
#ifndef PM_TEST_FAKE_SAMPLES_H
#define PM_TEST_FAKE_SAMPLES_H

#include "approx/lanes.h"
#include "approx/lines_launch.h"
#include "approx/samples_launch.h"
#include "fake_gpu.h"

static inline void *fake_array(const void *argument)
{
    return (void *)(uintptr_t) * (const pm_gpu_array *)argument;
}

static inline void fake_samples(void *symbol, const char *kernel, int64_t blocks, void **arguments)
{
    uint64_t first = *(uint64_t *)arguments[1], from = *(uint64_t *)arguments[2];
    if (strcmp(kernel, "pm_samples_run") == 0) {
        void (*run)(const pm_samples_launch *, uint64_t, int64_t, pm_sums *, pm_samples_told *);
        memcpy(&run, &symbol, sizeof run);
        run(arguments[0], first, blocks, fake_array(arguments[2]), fake_array(arguments[3]));
    } else {
        void (*run)(const pm_lines_launch *, const char *, uint64_t, int64_t, pm_running *);
        int64_t count = *(int64_t *)arguments[3];
        assert_string_equal(kernel, "pm_lines_run");
        assert_true(blocks <= count && 4 * blocks >= count);
        memcpy(&run, &symbol, sizeof run);
        run(arguments[0], fake_array(arguments[1]), from, count, fake_array(arguments[4]));
    }
}

#endif
