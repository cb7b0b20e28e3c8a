/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Necklaces on devices that are none (host_gpu.h): the text as C against the CPU, for random blocks, prefixes and primes of both widths;
 * and when devices fail. */
#include "config.h"

#include "gpu/gpu.h"
#include "integers/root_primes.h"
#include "necklace/necklace_gpu_kernel.h"
#include "necklace/necklace_sum.h"
#include "number/prime.h"
#include "pm/count.h"
#include "support/cyclic_blocks.h"
#include "support/host_gpu.h"
#include "support/kept_texts.h"
#include "support/matrices.h"

static uint64_t rng;

/* The same sum by a device, with prefixes of this length. */
static uint64_t device_sum(const pm_necklace_terms *t, int prefix)
{
    pm_sweep sweep = {0};
    pm_sum sum;
    pm_error err = {.msg = ""};
    assert_int_equal(pm_necklace_gpu_prepare(t, prefix, host_gpu_state.devices, &sweep, NULL),
                     PM_OK);
    const pm_status status = pm_sweep_all(&sweep, NULL, NULL, 0, NULL, &sum, &err);
    if (status)
        print_error("%s\n", err.msg);
    assert_int_equal(status, PM_OK);
    const uint64_t out = pm_necklace_whole(t, pm_necklace_gpu_residue(t, &sum));
    pm_sweep_free(&sweep);
    return out;
}

/* As many devices as there may be; the words are numbers of 32 or of 64 bits. */
static void random_blocks(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(6); ++round) {
        uint64_t a[PM_NECKLACE_MOST * PM_NECKLACE_MOST], sum;
        pm_necklace_terms t;
        const int n = 2 + (int)pm_rng_below(&rng, round % 4 ? 12 : 17);
        const uint64_t p = pm_root_prime_below(UINT64_C(1) << (8 + pm_rng_below(&rng, 55)), n);
        host_gpu_reset();
        host_gpu_state.devices = 1 + (int)pm_rng_below(&rng, 3);
        if (round % 3)
            schur_like(&rng, n, p, a);
        else
            random_cyclic(&rng, n, p, a);
        assert_int_equal(pm_necklace_terms_make(a, n, p, &t, NULL), PM_OK);
        assert_int_equal(pm_necklace_terms_sum(&t, NULL, &sum, NULL), PM_OK);
        const int most = n - 1 - t.is_even;
        const int prefix = 1 + (int)pm_rng_below(&rng, (uint32_t)(most < 6 ? most : 6));
        assert_int_equal(device_sum(&t, prefix), sum);
        assert_int_equal(host_gpu_state.open, 0);
        pm_necklace_terms_free(&t);
    }
}

static uint64_t count(const pm_matrix *a, uint64_t p, pm_backend backend, pm_status *status)
{
    pm_value v;
    pm_count_options o = pm_count_defaults();
    o.algorithm = "necklace";
    o.backend = backend;
    o.modulus = p;
    o.reduce = (pm_reduce_options){0};
    pm_value_init(&v);
    *status = pm_count(a, &o, NULL, &v, NULL, NULL);
    const uint64_t residue = *status ? 0 : mpz_fdiv_ui(mpq_numref(v.exact), p);
    pm_value_clear(&v);
    return residue;
}

/* Whatever fails, a demanded device is told of, and otherwise the CPU counts. */
static void failures(void **state)
{
    enum { N = 11 };
    uint64_t a[N * N];
    pm_matrix matrix;
    pm_status status;
    int failed = 0;
    (void)state;
    const uint64_t p = pm_root_prime_below(UINT64_C(1) << 27, N);
    schur_like(&rng, N, p, a);
    residues_as_matrix(a, N, &matrix);
    const uint64_t wanted = count(&matrix, p, PM_BACKEND_CPU, &status);
    assert_int_equal(status, PM_OK);
    for (int call = 0; call < HOST_GPU_CALLS; ++call) {
        host_gpu_reset();
        host_gpu_state.fails_at[call] = 1;
        uint64_t found = count(&matrix, p, PM_BACKEND_CUDA, &status);
        assert_true(status == PM_OK || status == PM_ENODEV || status == PM_EINTERNAL);
        failed += status != PM_OK;
        assert_true(status || found == wanted);
        assert_int_equal(host_gpu_state.open, 0);
        found = count(&matrix, p, PM_BACKEND_AUTO, &status);
        assert_int_equal(status, PM_OK);
        assert_int_equal(found, wanted);
    }
    assert_true(failed >= 6);
    pm_matrix_free(&matrix);
}

/* A device with little shared memory is refused. */
static void little_memory(void **state)
{
    enum { N = 11 };
    uint64_t a[N * N];
    pm_matrix matrix;
    pm_status status;
    (void)state;
    const uint64_t p = pm_root_prime_below(UINT64_C(1) << 27, N);
    schur_like(&rng, N, p, a);
    residues_as_matrix(a, N, &matrix);
    host_gpu_reset();
    host_gpu_state.shared = 2048;
    count(&matrix, p, PM_BACKEND_CUDA, &status);
    assert_int_equal(status, PM_UNABLE);
    pm_matrix_free(&matrix);
}

/* A run that is to stop, stops, with nothing left open. */
static void stops(void **state)
{
    enum { N = 13 };
    uint64_t a[N * N];
    pm_sweep sweep = {0};
    pm_sum sum;
    pm_necklace_terms t;
    const volatile sig_atomic_t stop = 1;
    const pm_run run = {.stop = &stop};
    const uint64_t p = pm_root_prime_below(UINT64_C(1) << 27, N);
    (void)state;
    host_gpu_reset();
    schur_like(&rng, N, p, a);
    assert_int_equal(pm_necklace_terms_make(a, N, p, &t, NULL), PM_OK);
    assert_int_equal(pm_necklace_gpu_prepare(&t, 5, 1, &sweep, NULL), PM_OK);
    assert_int_equal(pm_sweep_all(&sweep, NULL, NULL, 0, &run, &sum, NULL), PM_ESTOPPED);
    assert_int_equal(host_gpu_state.open, 0);
    pm_sweep_free(&sweep);
    pm_necklace_terms_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_blocks), cmocka_unit_test(failures),
                                       cmocka_unit_test(little_memory), cmocka_unit_test(stops)};
    rng = test_seed();
    host_gpu_reset();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    kept_texts_end();
    return failed;
}
