/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many blocks a launch has, on devices that are sums: R blocks go on side by side, each for the
 * same time. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/machine.h"
#include "gpu/gpu_pace.h"

typedef struct {
    double resident; /* blocks side by side */
    double seconds;  /* that one lasts */
} device;

static double lasting(const device *d, double blocks)
{
    return ceil(blocks / d->resident) * d->seconds;
}

/* Seconds that `blocks` take when launches wait for each other; *longest: of the last half. */
static double run(const device *d, pm_gpu_pace p, int64_t blocks, double *longest)
{
    double total = 0;
    *longest = 0;
    for (int64_t done = 0; done < blocks;) {
        int64_t count = p.wanted < blocks - done ? p.wanted : blocks - done;
        double seconds = lasting(d, (double)count);
        assert_true(p.wanted >= p.least && p.wanted <= p.most);
        total += seconds;
        done += count;
        if (2 * done > blocks)
            *longest = fmax(*longest, seconds);
        pm_gpu_pace_update(&p, count, seconds);
    }
    return total;
}

/* However long a block is, the device is kept busy. */
static void test_busy(void **state)
{
    (void)state;
    static const double resident[] = {1, 3, 40, 528, 1056};
    static const double seconds[] = {1e-4, 1e-2, 0.1, 0.38, 3};
    for (int r = 0; r < 5; ++r)
        for (int s = 0; s < 5; ++s) {
            device d = {resident[r], seconds[s]};
            int64_t blocks = 1 << 16;
            double longest, ideal = lasting(&d, (double)blocks);
            pm_gpu_pace p = pm_gpu_pace_begin((int64_t)d.resident, 1 << 14);
            assert_true(run(&d, p, blocks, &longest) < 2.1 * ideal);
            assert_true(longest <= fmax(4 * PM_LAUNCH_SECONDS, d.seconds));
        }
}

/* The room for records bounds a launch, however many blocks the device could run. */
static void test_room(void **state)
{
    (void)state;
    pm_gpu_pace p = pm_gpu_pace_begin(5000, 256);
    assert_int_equal(p.least, 256);
    assert_int_equal(p.wanted, 256);
    pm_gpu_pace_update(&p, 256, 1e-6);
    assert_int_equal(p.wanted, 256);
    pm_gpu_pace_update(&p, 256, 10);
    assert_int_equal(p.wanted, 256);
}

/* The last launch of a batch, smaller than the others, says nothing of them. */
static void test_remainder(void **state)
{
    (void)state;
    pm_gpu_pace p = pm_gpu_pace_begin(100, 1 << 14);
    assert_int_equal(p.wanted, 64);
    pm_gpu_pace_update(&p, 3, 1e-3);
    assert_int_equal(p.wanted, 64);
    pm_gpu_pace_update(&p, 64, PM_LAUNCH_SECONDS / 3); /* as long as is wanted, twice as many */
    assert_int_equal(p.wanted, 128);
    pm_gpu_pace_update(&p, 128, 1e-3); /* many more are as many as may be at once */
    assert_int_equal(p.wanted, 1024);
    pm_gpu_pace_update(&p, 3, 1);
    assert_int_equal(p.wanted, 512);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_busy),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_remainder),
    };
    return cmocka_run_group_tests_name("gpu_pace", tests, NULL, NULL);
}
