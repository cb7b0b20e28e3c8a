/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spmv/folded.h"

#include <string.h>

#include "pm/alloc.h"

/* Number k of either kind: the array has both kinds while it is folded. */
static double wide(const void *array, int64_t k)
{
    double x;
    memcpy(&x, (const char *)array + (size_t)k * sizeof x, sizeof x);
    return x;
}

static float narrow(const void *array, int64_t k)
{
    float x;
    memcpy(&x, (const char *)array + (size_t)k * sizeof x, sizeof x);
    return x;
}

float *pm_fold(double *x, int64_t n)
{
    void *array = x;
    int64_t room = n * (int64_t)(sizeof *x / sizeof(float));
    for (int64_t k = 0; k < n; ++k) {
        const float value = (float)wide(array, k);
        memcpy((char *)array + (size_t)k * sizeof value, &value, sizeof value);
    }
    pm_shrink_array(&array, &room, n, sizeof(float));
    return array;
}

pm_status pm_unfold(float **folded, int64_t n, double **x, pm_error *err)
{
    void *array = *folded;
    int64_t room = n;
    if (pm_grow_array(&array, &room, n * (int64_t)(sizeof **x / sizeof(float)), sizeof(float)))
        return pm_fail_memory(err, "a scaled matrix");
    for (int64_t k = n - 1; k >= 0; --k) {
        const double value = narrow(array, k);
        memcpy((char *)array + (size_t)k * sizeof value, &value, sizeof value);
    }
    *folded = NULL;
    *x = array;
    return PM_OK;
}
