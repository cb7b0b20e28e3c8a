/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "product_tree/tree_on_gpu.h"

#include <math.h>

#include "product_tree/tree_gpu.h"

/* A kernel that compiles as fast is not made smaller. */
#define COMPILE_SECONDS 2.0

pm_status pm_tree_on_gpu_measure(const pm_square *s, const void *choice,
                                 pm_tree_on_gpu_prepare *prepare, const pm_gpu_target *place,
                                 const uint64_t *prime, int *primes, pm_plan *plan, pm_error *err)
{
    pm_status rc;
    int count = *primes, tried = count;
    double compile, least = INFINITY;
    do {
        pm_sweep sweep = {0};
        rc = prepare(s, choice, prime, tried, &sweep, err);
        if (rc)
            return rc;
        double run = pm_tree_gpu_seconds(&sweep) * (count ? (double)count / tried : 1);
        compile = pm_tree_gpu_compile_seconds(&sweep);
        if (compile + run / place->gpus < least) {
            least = compile + run / place->gpus;
            *primes = tried;
            pm_gpu_plan_set(place, pm_tree_gpu_operations(&sweep), pm_tree_gpu_seconds(&sweep),
                            plan);
        }
        pm_sweep_free(&sweep);
    } while (compile > COMPILE_SECONDS && --tried > 0);
    return PM_OK;
}
