/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frontier on devices with little memory, and on several: with a double in place of src/gpu
 * (host_gpu.h), which runs the kernels, so that answers are answers. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "pm/count.h"
#include "support/answers.h"
#include "support/host_frontier.h"
#include "support/host_gpu.h"
#include "support/kept_texts.h"
#include "support/matrices.h"
#include "support/testing.h"

static uint64_t rng;

#define NARROW "pm_once_less" /* in texts for words of 32 bits */
#define LARGE  ((UINT64_C(1) << 62) - 57)

static pm_count_options frontier(pm_backend backend)
{
    pm_count_options o = pm_count_defaults();
    o.algorithm = "frontier";
    o.backend = backend;
    o.reduce = (pm_reduce_options){0};
    return o;
}

static void assert_right(const pm_matrix *a, const pm_count_options *like, const pm_value *v)
{
    pm_value here;
    pm_count_options o = *like;
    o.backend = PM_BACKEND_CPU;
    o.gpus = 0;
    pm_value_init(&here);
    assert_int_equal(pm_count(a, &o, NULL, &here, NULL, NULL), PM_OK);
    assert_true(values_agree(&here, v));
    pm_value_clear(&here);
}

/* The block of a plan. */
static pm_block_report plan_of(const pm_matrix *a, const pm_count_options *like)
{
    pm_value v;
    pm_count_report report;
    pm_count_options o = *like;
    o.plan_only = true;
    pm_value_init(&v);
    assert_int_equal(pm_count(a, &o, NULL, &v, &report, NULL), PM_OK);
    pm_block_report block = report.blocks[0];
    pm_count_report_free(&report);
    pm_value_clear(&v);
    return block;
}

/* Devices with so many bytes for arrays; what is loaded takes none of them. */
static void give(int devices, int64_t bytes)
{
    host_gpu_reset();
    host_gpu_state.devices = devices;
    host_gpu_state.memory = PM_GPU_RESERVED_BYTES + PM_GPU_LOADED_BYTES + bytes;
}

/* Devices of which the last has so many bytes for arrays. */
static void leave(int devices, int64_t bytes)
{
    host_gpu_reset();
    host_gpu_state.devices = devices;
    host_gpu_state.less = host_gpu_state.memory - PM_GPU_RESERVED_BYTES - bytes;
}

/* ---- words of 32 bits ---- */

/* Entries of 14 bits in two places of five, the diagonal among them: several primes. */
static void make_large_integers(pm_matrix *a)
{
    enum { N = 14 };
    pm_triples t = {.field = PM_INTEGER, .nrows = N, .ncols = N};
    for (int k = 0; k < N * N; ++k) {
        pm_dyadic entry = {0};
        pm_dyadic_set_si(&entry, (1 << 13) + (int64_t)pm_rng_below(&rng, 1 << 13));
        if (k % (N + 1) == 0 || pm_rng_below(&rng, 5) < 2)
            assert_int_equal(pm_triples_add(&t, k / N, k % N, 0, &entry, NULL, NULL), PM_OK);
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", a, NULL), PM_OK);
    pm_triples_free(&t);
}

/* Where less is free than was planned with, primes take turns: with the least that will do, each
 * has one of its own, and words of 32 bits. */
static void less_than_planned(void **state)
{
    (void)state;
    pm_matrix a;
    pm_value v;
    pm_count_options o = frontier(PM_BACKEND_CUDA);
    int64_t little = 1000, enough = 1 << 24;
    int launches = 0;
    bool is_narrow = false;
    host_gpu_reset();
    make_large_integers(&a);
    pm_value_init(&v);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
    int usual = host_gpu_state.calls[HOST_GPU_LAUNCH];
    while (enough - little > 1) {
        int64_t bytes = (little + enough) / 2;
        leave(1, bytes);
        pm_status rc = pm_count(&a, &o, NULL, &v, NULL, NULL);
        if (rc) {
            assert_int_equal(rc, PM_ENODEV);
            little = bytes;
        } else {
            assert_right(&a, &o, &v);
            enough = bytes;
            launches = host_gpu_state.calls[HOST_GPU_LAUNCH];
            is_narrow = strstr(kept_text_last(), NARROW) != NULL;
        }
    }
    assert_true(launches >= 2 * usual && is_narrow);
    for (int gpus = 1; gpus <= 3; ++gpus) { /* as little for each of several */
        leave(gpus, enough);
        o.gpus = gpus;
        assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
        assert_right(&a, &o, &v);
    }
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

/* The plan says so; answers modulo a number, and those of a verification, are the same. */
static void narrow_plans(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(6); ++round) {
        pm_matrix a;
        pm_value v;
        pm_count_options o = frontier(PM_BACKEND_CUDA);
        static const uint64_t moduli[] = {0, 1000003, UINT64_C(4000000007), LARGE};
        o.modulus = moduli[round % 4];
        o.independent = round % 2;
        o.seed = pm_rng_next(&rng);
        host_gpu_reset();
        make_large_integers(&a);
        int64_t most = 1 << 24, least = 1000;
        give(1, most);
        pm_block_report wide = plan_of(&a, &o);
        assert_string_equal(wide.algorithm, "frontier");
        give(1, (int64_t)wide.memory);
        assert_string_equal(plan_of(&a, &o).algorithm, "frontier");
        pm_value_init(&v);
        while (most - least > 1) { /* the least memory for a plan */
            int64_t bytes = (least + most) / 2;
            o.plan_only = true;
            give(1, bytes);
            *(pm_count(&a, &o, NULL, &v, NULL, NULL) ? &least : &most) = bytes;
        }
        o.plan_only = false;
        give(1, most);
        pm_block_report narrow = plan_of(&a, &o);
        assert_string_equal(narrow.algorithm, "frontier-narrow");
        assert_true(narrow.memory <= (double)most && narrow.memory < wide.memory);
        if (o.modulus == 1000003) /* a modulus of so few bits needs no others */
            assert_int_equal(narrow.residues, 1);
        else
            assert_true(narrow.residues >= wide.residues);
        assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
        assert_non_null(strstr(kept_text_last(), NARROW));
        assert_right(&a, &o, &v);
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(less_than_planned),
        cmocka_unit_test(narrow_plans),
    };
    rng = test_seed();
    host_gpu_state.launch = host_frontier;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pm_gpu_end();
    kept_texts_end();
    return failed;
}
