/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Iterations with sparse matrices on a card against the CPU (support/iterations.h).  PM_TEST_FEW: few rounds,
 * for a checker of memory and races. */
#include "config.h"

#include <stdlib.h>

#include "gpu/gpu.h"
#include "process/environment.h"
#include "support/iterations.h"
#include "support/testing.h"

static bool has_gpu;

#define TEST(name)                                                                                 \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        if (!has_gpu)                                                                              \
            skip();                                                                                \
        iterations_##name();                                                                       \
    }

TEST(operations)
TEST(not_numbers)
TEST(ranges)
TEST(scalings)
TEST(linear_steps)
TEST(messages)
TEST(leaving)
TEST(bounds)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations), cmocka_unit_test(not_numbers),  cmocka_unit_test(ranges),
        cmocka_unit_test(scalings),   cmocka_unit_test(linear_steps), cmocka_unit_test(messages),
        cmocka_unit_test(leaving),    cmocka_unit_test(bounds),
    };
    int gpus = 0;
    pm_environment_read();
    iterations_begin();
    has_gpu = pm_gpu_count(&gpus, NULL) == PM_OK && gpus > 0;
    if (getenv("PM_TEST_ONLY"))
        cmocka_set_test_filter(getenv("PM_TEST_ONLY"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
