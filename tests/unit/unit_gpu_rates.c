/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rates that are measured on a device, with a double in place of src/gpu: host_gpu.h. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "algorithm/gpu_plan.h"
#include "calibration/calibrate.h"
#include "pm/count.h"
#include "support/device_works.h"
#include "support/host_frontier.h"
#include "support/host_gpu.h"
#include "support/kept_texts.h"
#include "support/testing.h"

static uint64_t rng;

static double planned(const work *w, const pm_matrix *a, const pm_rates *rates)
{
    pm_value v;
    pm_count_report report;
    pm_count_options o = options_of(w, PM_BACKEND_CUDA);
    o.rates = rates;
    o.plan_only = true;
    pm_value_init(&v);
    assert_int_equal(pm_count(a, &o, NULL, &v, &report, NULL), PM_OK);
    double seconds = report.blocks[0].seconds;
    pm_count_report_free(&report);
    pm_value_clear(&v);
    return seconds;
}

/* All of them are set, and used for this device and no other. */
static void rates_of_a_device(void **state)
{
    (void)state;
    if (test_step(2) > 1)
        skip();
    const work w = {"ryser", PM_REAL, 20, 1};
    pm_matrix a;
    pm_run run = {.threads = 1};
    pm_rates rates = pm_rates_nominal;
    host_gpu_reset();
    host_gpu_state.double_rate = host_gpu_state.memory_rate = 3e7; /* fma in software */
    host_gpu_state.word_rate = 3e7;
    make_matrix(&rng, &w, &a);
    double nominal = planned(&w, &a, &pm_rates_nominal);
    assert_int_equal(pm_rates_measure_gpu(&run, &rates, NULL), PM_OK);
    for (int r = 0; r < PM_GPU_RATES; ++r) {
        assert_true(isfinite(rates.gpu[r]) && rates.gpu[r] > 0);
        assert_true(r == PM_GPU_RATE_START || rates.gpu[r] != 1);
    }
    rates.gpu[PM_GPU_RATE_START] = 3;
    rates.gpu[PM_GPU_RATE_RYSER] = 1000;
    double mine = planned(&w, &a, &rates);
    nominal -= pm_rates_nominal.gpu[PM_GPU_RATE_START];
    assert_true(fabs(mine - 3 - 1000 * nominal) < 1e-6 * mine);
    assert_true(planned(&(work){"skipper", PM_REAL, 20, 1}, &a, &rates) < 1000);
    /* Others in the machine take longer to start, which a measured start includes. */
    host_gpu_state.devices = 3;
    assert_true(planned(&w, &a, &rates) == mine);
    double others = planned(&w, &a, &pm_rates_nominal) - pm_gpu_nominal_start(3);
    assert_true(fabs(others - nominal) < 1e-9 * (nominal + 1));
    assert_true(pm_gpu_nominal_start(3) > pm_gpu_nominal_start(1));
    host_gpu_state.devices = 1;
    strcat(rates.gpu_name, "1");
    assert_true(planned(&w, &a, &rates) == planned(&w, &a, &pm_rates_nominal));
    pm_matrix_free(&a);
}

static void no_rates_of_a_device_that_fails(void **state)
{
    (void)state;
    pm_run run = {.threads = 1};
    pm_rates rates = pm_rates_nominal;
    host_gpu_reset();
    host_gpu_state.double_rate = 3e7;
    host_gpu_state.fails_at[HOST_GPU_START] = 3;
    assert_int_equal(pm_rates_measure_gpu(&run, &rates, NULL), PM_ENODEV);
    assert_memory_equal(&rates, &pm_rates_nominal, sizeof rates);
    host_gpu_reset();
    host_gpu_state.devices = 0;
    assert_int_equal(pm_rates_measure_gpu(&run, &rates, NULL), PM_ENODEV);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_of_a_device),
        cmocka_unit_test(no_rates_of_a_device_that_fails),
    };
    rng = test_seed();
    host_gpu_state.launch = host_frontier;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pm_gpu_end();
    kept_texts_end();
    return failed;
}
