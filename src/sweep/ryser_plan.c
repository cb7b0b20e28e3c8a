/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/ryser_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "sweep/ryser_setup.h"

/* shape: of the block as it is; NULL: the method needs the entries. */
static pm_status measure(const pm_job *job, const pm_sweep_method *method, bool transposed,
                         const pm_square *shape, pm_ryser_state *x, pm_plan *plan, pm_error *err)
{
    pm_square s = {0};
    pm_status status = PM_OK;
    uint64_t prime[PM_RYSER_PRIMES_MAX];
    pm_ryser_setup w = pm_ryser_setup_make(job, method, transposed);
    x->transposed = transposed;
    if (method->initial)
        memcpy(x->choice, method->initial, method->choice_size);
    pm_ryser_primes(w.top, w.width, prime);
    if (shape)
        s = transposed ? pm_square_transposed_shape(shape) : *shape;
    else
        status = pm_ryser_square(&w, prime, &s, err);
    if (!status)
        status =
            method->measure(job, &s, prime, method->primes ? w.width : 0, x->choice, plan, err);
    if (!status)
        pm_ryser_setup_limit(x->choice, &w);
    plan->operations *= pm_ryser_setup_sweeps(&w);
    plan->seconds *= pm_ryser_setup_sweeps(&w);
    plan->compiling *= pm_ryser_setup_sweeps(&w);
    pm_square_free(&s);
    return status;
}

/* With classes one orientation may have many more terms than the other one.  A verification takes
 * the more expensive one where it costs at most this many times the other and this many seconds. */
#define DEARER_TIMES   3
#define DEARER_SECONDS 0.1

/* A given order is one of the columns as they are; transposed is then the independent
 * computation. */
static bool prefers_transposed(const pm_job *job, const pm_sweep_method *method,
                               const pm_plan *plan, const pm_plan *transposed)
{
    double a = plan->seconds, b = transposed->seconds;
    bool takes_dearer = job->independent;
    if (method->classes)
        takes_dearer &= fmax(a, b) <= DEARER_TIMES * fmin(a, b) + DEARER_SECONDS;
    return job->order ? job->independent : (b < a) != takes_dearer;
}

/* Measures both orientations where that is allowed.  The chosen one goes into *x and *plan; *other
 * is room for the rejected one. */
static pm_status measure_both(const pm_job *job, const pm_sweep_method *method, pm_ryser_state **x,
                              pm_ryser_state **other, pm_plan *plan, pm_error *err)
{
    pm_error why;
    pm_plan transposed = *plan;
    pm_square shape, *known = method->classes && !pm_ryser_is_exact(job) ? &shape : NULL;
    bool tries_both = method->may_transpose && (!job->order || job->independent);
    pm_status status = known ? pm_square_make_shape(job->block, known, err) : PM_OK;
    if (status)
        return status;
    status = measure(job, method, false, known, *x, plan, err);
    if (!tries_both || (status && status != PM_UNABLE))
        return status;
    pm_status transposed_rc = measure(job, method, true, known, *other, &transposed, &why);
    if (transposed_rc == PM_OK && (status || prefers_transposed(job, method, plan, &transposed))) {
        pm_ryser_state *kept = *other;
        *other = *x;
        *x = kept;
        *plan = transposed;
        return PM_OK;
    }
    if (transposed_rc == PM_OK || transposed_rc == PM_UNABLE)
        return status;
    if (err)
        *err = why;
    return transposed_rc;
}

pm_status pm_ryser_measure(const pm_job *job, const pm_sweep_method *method, pm_plan *plan,
                           pm_ryser_state **out, pm_error *err)
{
    pm_ryser_state *x = pm_calloc_array(1, sizeof *x + method->choice_size);
    pm_ryser_state *other = pm_calloc_array(1, sizeof *other + method->choice_size);
    pm_status status =
        x && other ? measure_both(job, method, &x, &other, plan, err) : pm_fail_memory(err, "plan");
    free(other);
    if (status) {
        free(x);
        return status;
    }
    x->method = method;
    *out = x;
    return PM_OK;
}

static const pm_sweep_method *method_of(const pm_job *job, const pm_plan *plan)
{
    if (!pm_ryser_is_exact(job))
        return plan->algorithm->inexact;
    const pm_sweep_method *m = plan->algorithm->exact;
    bool is_narrow = m->narrow && !pm_ryser_is_large(job, m->narrow) && m->prefers_narrow(job);
    return is_narrow ? m->narrow : m;
}

pm_status pm_ryser_driver_plan(const pm_job *job, pm_plan *plan, pm_error *err)
{
    const pm_sweep_method *method = method_of(job, plan);
    if (!method->classes && job->block->n > PM_SQUARE_MAX)
        return pm_fail(err, PM_UNABLE, "%s counts blocks of up to %d rows, not %lld", method->name,
                       PM_SQUARE_MAX, (long long)job->block->n);
    if (method->in_double && !pm_ryser_is_exact(job)
        && (job->precision == PM_QUAD || job->precision == PM_SINGLE))
        return pm_fail(err, PM_UNABLE, "%s does not have the precision %s", method->name,
                       job->precision == PM_QUAD ? "quad" : "single");
    pm_ryser_state *x;
    pm_status status = pm_ryser_measure(job, method, plan, &x, err);
    if (!status)
        plan->state = x;
    return status;
}
