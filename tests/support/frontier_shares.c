/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/frontier_shares.h"

#include <math.h>
#include <string.h>

#include "algorithm/algorithm.h"
#include "frontier/frontier_gpu_shares.h"
#include "number/prime.h"
#include "order/vertex_order.h"
#include "planner/registry.h"
#include "support/matrices.h"
#include "support/testing.h"

enum { MOST_ROWS = 32, MOST_PRIMES = 10 };

static pm_frontier_shares random_shares(uint64_t *rng, const pm_job *job, const pm_frontier_gpu *f,
                                        int devices)
{
    pm_frontier_shares s = {.bits = pm_rng_below(rng, 2) ? 64 : 32};
    int values = pm_frontier_gpu_values(job, s.bits), most = values < 8 ? values : 8;
    s.width = 1 + (int)pm_rng_below(rng, pm_rng_below(rng, 2) ? (uint32_t)most : 1);
    s.passes = (values + s.width - 1) / s.width;
    most = s.passes < devices ? s.passes : devices;
    s.gpus = 1 + (int)pm_rng_below(rng, (uint32_t)most);
    s.is_cut = s.gpus > 1 && pm_rng_below(rng, 3);
    for (int g = 0; g + 1 < s.gpus; ++g)
        s.cut[g] = (int32_t)pm_rng_below(rng, (uint32_t)f->flat.nsteps + 1);
    return s;
}

static pm_frontier_shares spread_shares(uint64_t *rng, const pm_job *job, int devices)
{
    pm_frontier_shares s = {.bits = pm_rng_below(rng, 2) ? 64 : 32, .gpus = devices};
    int values = pm_frontier_gpu_values(job, s.bits);
    s.width = 1 + (int)pm_rng_below(rng, (uint32_t)(values < 8 ? values : 8));
    s.passes = (values + s.width - 1) / s.width;
    s.is_spread = true;
    return s;
}

/* Puts a program in place instead, once in two. */
static void maybe_in_place(uint64_t *rng, const pm_job *job, pm_frontier_gpu *f)
{
    if (pm_rng_below(rng, 2))
        return;
    pm_flat_free(&f->flat);
    pm_frontier_program_free(&f->setup.program);
    assert_int_equal(pm_frontier_setup_in_place(job, &f->setup, &f->setup.program, NULL), PM_OK);
    if (!f->setup.program.is_zero)
        assert_int_equal(pm_flat_make(&f->setup.program, &f->flat, NULL), PM_OK);
}

static pm_status compare(uint64_t *rng, const pm_job *job, int devices, bool is_spread,
                         pm_error *err)
{
    pm_value none;
    uint64_t here[MOST_PRIMES], there[MOST_PRIMES];
    pm_plan cpu = {.algorithm = &pm_algorithm_frontier_rank};
    pm_plan gpu = {.algorithm = &pm_algorithm_frontier_gpu};
    pm_status rc = gpu.algorithm->plan(job, &gpu, err);
    if (rc)
        return rc;
    pm_value_init(&none);
    assert_int_equal(cpu.algorithm->plan(job, &cpu, NULL), PM_OK);
    assert_int_equal(cpu.algorithm->run(job, &cpu, here, &none, NULL), PM_OK);
    pm_frontier_gpu *f = gpu.state;
    pm_frontier_shares *s = &f->planned;
    if (!f->setup.program.is_zero)
        maybe_in_place(rng, job, f);
    if (!f->setup.program.is_zero)
        *s = is_spread ? spread_shares(rng, job, devices) : random_shares(rng, job, f, devices);
    rc = gpu.algorithm->run(job, &gpu, there, &none, err);
    size_t size = (size_t)job->nmoduli * sizeof *here;
    if (!rc && memcmp(here, there, size) != 0)
        print_error("%d passes of %d x %d bits on %d devices, %scut, %sspread, %sin place\n",
                    s->passes, s->width, s->bits, s->gpus, s->is_cut ? "" : "not ",
                    s->is_spread ? "" : "not ", f->setup.program.in_place ? "" : "not ");
    assert_true(rc || memcmp(here, there, size) == 0);
    pm_plan_free(&cpu);
    pm_plan_free(&gpu);
    pm_value_clear(&none);
    return rc;
}

static pm_status count_shared(uint64_t *rng, int n, int devices, bool is_spread, pm_error *err)
{
    pm_matrix a;
    pm_block b;
    uint64_t moduli[MOST_PRIMES], p = PM_MODULUS_MAX;
    int32_t order[2 * MOST_ROWS];
    assert_true(n <= MOST_ROWS);
    random_matrix(rng, pm_rng_below(rng, 2) ? PM_INTEGER : PM_PATTERN, n, n, 4.5 / n, &a);
    assert_int_equal(pm_vertex_order_natural(&a, order, NULL), PM_OK);
    as_block(&a, &b);
    /* entries of 60 bits at most, in rows of n */
    b.log2_bound = n * ((a.field == PM_PATTERN ? 0 : 62) + log2(n));
    for (int i = 0; i < MOST_PRIMES; ++i)
        moduli[i] = p = pm_prime_below(p);
    pm_run run = {.threads = 1};
    pm_job job = {.block = &b,
                  .run = &run,
                  .order = order,
                  .order_len = 2 * n,
                  .moduli = moduli,
                  .nmoduli = 1 + (int)pm_rng_below(rng, MOST_PRIMES),
                  .memory = INT64_C(1) << 33,
                  .rates = &pm_rates_nominal,
                  .backend = PM_BACKEND_AUTO,
                  .gpus = devices,
                  .rival = INFINITY,
                  .search_most = INFINITY};
    pm_status rc = compare(rng, &job, devices, is_spread, err);
    pm_block_free(&b);
    pm_matrix_free(&a);
    return rc;
}

void check_frontier_shares(uint64_t *rng, int n, int devices)
{
    pm_error err = {.msg = ""};
    bool is_spread = pm_gpu_can_spread(devices) && pm_rng_below(rng, 4) == 0;
    pm_status rc = count_shared(rng, n, devices, is_spread, &err);
    if (rc)
        print_error("%s\n", err.msg);
    assert_int_equal(rc, PM_OK);
}

pm_status count_spread(uint64_t *rng, int n, int devices, pm_error *err)
{
    return count_shared(rng, n, devices, true, err);
}
