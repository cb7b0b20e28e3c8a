/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm "hafnian": general blocks with many edges.  Exact fields modulo primes below 2^31, real and complex ones in
 * two doubles. */
#include "config.h"

#include <math.h>

#include "algorithm/algorithm.h"
#include "core/machine.h"
#include "hafnian/hafnian_primes.h"
#include "hafnian/hafnian_run.h"
#include "pm/alloc.h"

enum { SERIAL_PAIRS = 14 }; /* with fewer pairs nearly all is done by one thread */

static bool is_complex(const pm_job *job)
{
    return job->block->a.field == PM_COMPLEX;
}

static size_t number_bytes(const pm_job *job)
{
    return job->nmoduli ? sizeof(uint32_t) : (is_complex(job) ? 4 : 2) * sizeof(double);
}

static bool has_signs(const pm_matrix *a)
{
    bool has = a->im != NULL;
    for (int64_t k = 0; a->re && k < pm_matrix_nnz(a) && !has; ++k)
        has = pm_dyadic_sign(&a->re[k]) < 0;
    return has;
}

/* ---- planning ---- */

/* Of one residue, or of all. */
static double seconds_of(const pm_job *job, int pairs, int sheets)
{
    const pm_hafnian_kernels *k = pm_hafnian_kernels_best();
    const double *rate = job->rates->seconds;
    const double paths = pm_hafnian_path_products(pairs, sheets);
    if (job->nmoduli)
        return (paths + pm_hafnian_sum_products(&k->residue, pairs)) * rate[PM_RATE_HAFNIAN];
    return (paths + pm_hafnian_sum_products(&k->real, pairs)) * rate[PM_RATE_HAFNIAN_REAL]
           * ((is_complex(job) ? PM_HAFNIAN_COMPLEX_WORK : 1)
              + (has_signs(&job->block->a) ? PM_HAFNIAN_SIZE_WORK : 0));
}

static pm_status plan(const pm_job *job, pm_plan *out, pm_error *err)
{
    const pm_block *b = job->block;
    int primes = 0;
    if (job->order)
        return pm_fail(err, PM_UNABLE, "hafnian does not use an order of vertices");
    if (b->n > 2 * PM_HAFNIAN_PAIRS)
        return pm_fail(err, PM_UNABLE, "hafnian takes at most %d vertices, found %lld",
                       2 * PM_HAFNIAN_PAIRS, (long long)b->n);
    pm_status status = job->nmoduli ? pm_hafnian_primes(job, &primes, err) : PM_OK;
    if (status)
        return status;
    if (job->nmoduli && primes == 0)
        return pm_fail(err, PM_UNABLE,
                       "hafnian: the answer has too many digits for primes of 31 bits");
    const int pairs = (int)(b->n + 1) / 2, sheets = pm_hafnian_has_loops(&b->a) ? 2 : 1,
              times = primes ? primes : 1;
    out->residues = primes;
    out->are_narrow = true;
    out->pass = 1;
    out->is_serial = pairs < SERIAL_PAIRS;
    if (!pm_hafnian_is_possible(&b->a))
        return PM_OK;
    out->operations = times * pm_hafnian_path_products(pairs, sheets);
    out->seconds = PM_HAFNIAN_SETUP_SECONDS + times * seconds_of(job, pairs, sheets);
    out->memory = pm_hafnian_room_bytes(pairs, sheets, number_bytes(job));
    return PM_OK;
}

/* ---- running ---- */

static pm_status run_primes(const void *context, const pm_job *job, const pm_narrow_moduli *w,
                            const pm_hafnian_entries *e, uint64_t *found, pm_error *err)
{
    (void)context;
    pm_hafnian_room room = {0};
    pm_status status =
        pm_hafnian_room_make(e->n / 2, e->has_loops ? 2 : 1, sizeof(uint32_t), &room, err);
    for (int i = 0; i < w->n && !status; ++i) {
        pm_run_part part;
        const pm_run *run = pm_run_part_of(&part, job->run, (double)i / w->n, 1. / w->n);
        found[i] = 0;
        if (w->m[i] > 1)
            status = pm_hafnian_modulo(e, &room, w->m[i], run, &found[i], err);
        if (!status && w->are_of_job && job->found)
            status = job->found(job->found_context, i, 1, &found[i], err);
    }
    pm_hafnian_room_free(&room);
    return status;
}

static pm_status run(const pm_job *job, const pm_plan *p, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    (void)p;
    if (!job->nmoduli)
        return pm_hafnian_float_block(job->block, &job->scope, job->run, out, err);
    return pm_hafnian_residues_of(job, run_primes, NULL, residues, err);
}

const pm_algorithm pm_algorithm_hafnian = {
    .name = "hafnian",
    .summary = "cycles through pairs of vertices, for general graphs with at most 60 vertices",
    .source = "Bjorklund 2012, with paths in place of traces; src/hafnian/README.md",
    .stage = PM_STAGE_FIRST,
    .backend = PM_BACKEND_CPU,
    .general = true,
    .plan = plan,
    .run = run};
