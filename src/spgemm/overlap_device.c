/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spgemm/overlap_device.h"

#include <stdlib.h>

#include "pm/alloc.h"
#include "spgemm/product_gpu.h"

enum {
    TERMS_OF_PART = 1 << 22,
    /* A thread takes longer for so many terms than a device needs to start, and so many threads are as
     * fast as a device and the way to it. */
    TERMS_OF_THREAD = 25000000,
    ENOUGH_THREADS = 8,
};

struct pm_overlap_device {
    pm_product product;
    pm_product_gpu gpu;
    bool is_chosen; /* by the user: failures are errors */
};

static bool is_large(const pm_product *p, int threads)
{
    const int64_t limit = (int64_t)TERMS_OF_THREAD * threads;
    int64_t terms = 0;
    for (int64_t i = 0; i < p->a->nrows && terms < limit; ++i)
        terms += pm_product_terms(p, i);
    return terms >= limit;
}

static bool is_wanted(const pm_product *p, pm_backend backend, const pm_run *run)
{
    const int threads = pm_run_threads(run);
    int devices;
    return backend == PM_BACKEND_CUDA
           || (backend == PM_BACKEND_AUTO && threads < ENOUGH_THREADS && is_large(p, threads)
               && pm_gpu_count(&devices, NULL) == PM_OK);
}

/* Whether the CPU can go on. */
static bool can_do_without(const pm_overlap_device *d, pm_status status)
{
    return !d->is_chosen && (pm_gpu_has_failed(status) || status == PM_UNABLE);
}

pm_status pm_overlap_device_open(const pm_product *p, pm_backend backend, const pm_run *run,
                                 pm_overlap_device **out, pm_error *err)
{
    pm_error why;
    *out = NULL;
    if (!is_wanted(p, backend, run))
        return PM_OK;
    pm_overlap_device *d = pm_calloc_array(1, sizeof *d);
    if (!d)
        return pm_fail_memory(err, "overlaps");
    d->product = *p;
    d->is_chosen = backend == PM_BACKEND_CUDA;
    pm_status status = pm_product_gpu_open(0, &d->product, true, TERMS_OF_PART, &d->gpu, &why);
    if (!status) {
        *out = d;
        return PM_OK;
    }
    if (can_do_without(d, status)) {
        pm_run_note(run, 0, "%s; the CPU is used", why.msg);
        status = PM_OK;
    } else if (err) {
        *err = why;
    }
    free(d);
    return status;
}

void pm_overlap_device_close(pm_overlap_device *d)
{
    if (d)
        pm_product_gpu_close(&d->gpu);
    free(d);
}

pm_status pm_overlap_device_next(pm_overlap_device **d, int64_t first, const pm_run *run,
                                 int64_t *end, pm_product_rows *out, pm_error *err)
{
    pm_error why;
    pm_product_gpu *g = &(*d)->gpu;
    if (pm_run_stopped(run))
        return pm_fail(err, PM_ESTOPPED, "stopped during a product of sparse matrices");
    *end = pm_product_gpu_end(g, first);
    pm_status status = pm_product_gpu_make(g, first, *end, &why);
    if (!status)
        status = pm_product_gpu_get(g, out, &why);
    if (!status)
        return PM_OK;
    if (can_do_without(*d, status)) {
        pm_run_note(run, 0, "%s; the CPU is used", why.msg);
        pm_overlap_device_close(*d);
        *d = NULL;
        return PM_OK;
    }
    if (err)
        *err = why;
    return status;
}
