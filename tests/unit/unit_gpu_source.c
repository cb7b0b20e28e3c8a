/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels without a GPU: their text is compiled as C and run in place of the device, and compiled
 * by the run-time compiler, where there is one, for every kind of device. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "../prop/answers.h"
#include "../prop/matrices.h"
#include "count/prime.h"
#include "count/swept.h"
#include "device_text.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "sweep/dense_gpu.h"
#include "sweep/tree_gpu.h"
#include "sweep/tree_program.h"

static uint64_t rng;

typedef void kernel(unsigned long long first, long long blocks, void *records);

static kernel *load(void *library, const pm_gpu_sweep *g)
{
    kernel *run;
    void *symbol = dlsym(library, "pm_sweep");
    assert_non_null(symbol);
    memcpy(&run, &symbol, sizeof run);
    if (g->table) {
        void *table = dlsym(library, g->table);
        assert_non_null(table);
        memcpy(table, g->values, g->values_size);
    }
    return run;
}

/* As pm_gpu_sweep_range. */
static pm_status run_here(const pm_sweep *s, uint64_t first, uint64_t end, const pm_run *run,
                          pm_sum *out, pm_error *err)
{
    (void)run;
    const pm_gpu_sweep *g = s->problem;
    assert_int_equal(pm_gpu_sweep_write(s, err), PM_OK);
    void *library = compile_as_c(g->text);
    kernel *go = load(library, g);
    int64_t blocks = (int64_t)((end - first) / s->piece);
    char *records = calloc((size_t)blocks, g->record);
    memset(out, 0, sizeof *out);
    /* in two launches, and not from the first block on */
    int64_t split = blocks / 3;
    go((unsigned long long)(first / s->piece) + (unsigned long long)split, blocks - split,
       records + (size_t)split * g->record);
    go(first / s->piece, split, records);
    g->fold(s->problem, records, blocks, out);
    free(records);
    dlclose(library);
    return PM_OK;
}

static pm_status tree_here(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err)
{
    pm_status rc = pm_tree_gpu_prepare(s, choice, out, err);
    out->run = run_here;
    return rc;
}

static pm_status tree_modular_here(const pm_square *s, const void *choice, const uint64_t *prime,
                                   int count, pm_sweep *out, pm_error *err)
{
    pm_tree_gpu_choice c = *(const pm_tree_gpu_choice *)choice;
    c.prime = prime;
    c.nprimes = count;
    return tree_here(s, &c, out, err);
}

static pm_status dense_here(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err)
{
    pm_status rc = pm_dense_gpu_prepare(s, choice, out, err);
    out->run = run_here;
    return rc;
}

static const pm_sweep_method tree_exact = {.name = "tree",
                                           .bits = PM_TREE_BITS,
                                           .primes = PM_TREE_PRIMES,
                                           .prime_max = PM_TREE_PRIME_MAX,
                                           .prepare_modular = tree_modular_here,
                                           .residue = pm_tree_gpu_residue};
static const pm_sweep_method tree_inexact = {.name = "tree", .bits = 53, .prepare = tree_here};
static const pm_sweep_method dense = {.name = "dense", .bits = 62, .prepare = dense_here};

/* ---- against the definition ---- */

static void plan_block(const pm_block *b, int32_t eliminated, pm_tree_plan *plan)
{
    pm_square s = {0};
    pm_tree_options o = pm_tree_defaults();
    bool is_exact = b->a.field <= PM_INTEGER;
    o.eliminated = eliminated;
    o.slow = (int32_t)pm_rng_below(&rng, 3);
    o.most = 200;
    if (pm_square_make(b, false, is_exact ? PM_TREE_BITS : 53, 0, &s, NULL))
        assert_int_equal(pm_square_make(b, false, PM_TREE_BITS, 35184372088777, &s, NULL), PM_OK);
    pm_pattern p = {s.n, s.colptr, s.rowind, s.rowptr, s.colind};
    if (pm_tree_plan_make(&p, &o, plan, NULL)) {
        o.eliminated = PM_TREE_ANY;
        assert_int_equal(pm_tree_plan_make(&p, &o, plan, NULL), PM_OK);
    }
    pm_square_free(&s);
}

static void check(const pm_matrix *a, const pm_sweep_method *method, const void *choice,
                  const pm_cnum *exact)
{
    pm_block b;
    pm_value v;
    as_block(a, &b);
    pm_job job = {.block = &b};
    pm_value_init(&v);
    assert_int_equal(pm_swept_permanent(&job, method, choice, false, &v, NULL), PM_OK);
    assert_true(agrees(&v, exact));
    pm_value_clear(&v);
    pm_block_free(&b);
}

static void trees_written_as_c(void **state)
{
    (void)state;
    static const pm_precision precisions[] = {PM_DOUBLE, PM_KAHAN, PM_DQ};
    if (!compiler)
        skip();
    for (int round = 0; round < test_rounds(32); ++round) {
        pm_matrix a;
        pm_cnum exact = {0};
        pm_block b;
        pm_tree_plan plan;
        pm_field field = (pm_field)(round % 4);
        int n = round < 8 ? 1 + round / 2 : 6 + (int)pm_rng_below(&rng, 8);
        random_matrix(&rng, field, n, n, 0.15 + 0.7 * pm_rng_unit(&rng), &a);
        permanent_by_expansion(&a, &exact);
        as_block(&a, &b);
        plan_block(&b, (int32_t)pm_rng_below(&rng, 4), &plan);
        pm_tree_gpu_choice c = {.plan = &plan,
                                .precision = precisions[pm_rng_below(&rng, 3)],
                                .slow = (int32_t)pm_rng_below(&rng, 9),
                                .double_rate = 1e12};
        check(&a, field <= PM_INTEGER ? &tree_exact : &tree_inexact, &c, &exact);
        pm_block_free(&b);
        pm_cnum_clear(&exact);
        pm_matrix_free(&a);
    }
}

static void dense_as_c(void **state)
{
    (void)state;
    if (!compiler)
        skip();
    for (int round = 0; round < test_rounds(12); ++round) {
        pm_matrix a;
        pm_cnum exact = {0};
        int n = round < 5 ? 1 + round : 6 + (int)pm_rng_below(&rng, 7);
        random_matrix(&rng, PM_REAL, n, n, 0.5 + 0.5 * pm_rng_unit(&rng), &a);
        permanent_by_expansion(&a, &exact);
        pm_dense_gpu_choice c = {PM_KAHAN, 1, (int32_t)pm_rng_below(&rng, 9), 1e12};
        check(&a, &dense, &c, &exact);
        pm_cnum_clear(&exact);
        pm_matrix_free(&a);
    }
}

/* ---- against the interpreters, where there is more to write ---- */

static void larger_trees_against_interpreters(void **state)
{
    (void)state;
    if (!compiler)
        skip();
    for (int round = 0; round < test_rounds(4); ++round) {
        pm_matrix a;
        pm_block b;
        pm_tree_plan plan;
        pm_value here, there;
        pm_field field = (pm_field)(round % 4);
        random_matrix(&rng, field, 20, 20, 0.25 + 0.1 * pm_rng_unit(&rng), &a);
        as_block(&a, &b);
        plan_block(&b, PM_TREE_ANY, &plan);
        pm_tree_gpu_choice c = {
            .plan = &plan, .precision = PM_KAHAN, .slow = 2, .double_rate = 1e12};
        pm_job job = {.block = &b};
        pm_count_options o = pm_count_defaults();
        o.algorithm = "product-tree";
        pm_value_init(&here);
        pm_value_init(&there);
        assert_int_equal(pm_swept_permanent(&job, field <= PM_INTEGER ? &tree_exact : &tree_inexact,
                                            &c, false, &here, NULL),
                         PM_OK);
        assert_int_equal(pm_count(&a, &o, NULL, &there, NULL, NULL), PM_OK);
        assert_true(values_agree(&here, &there));
        pm_value_clear(&here);
        pm_value_clear(&there);
        pm_block_free(&b);
        pm_matrix_free(&a);
    }
}

/* ---- the run-time compiler ---- */

/* False when there is no compiler. */
static bool compiles(const pm_sweep *s, int major, int minor)
{
    const pm_gpu_sweep *g = s->problem;
    assert_int_equal(pm_gpu_sweep_write(s, NULL), PM_OK);
    return text_compiles(g->text, major, minor);
}

static void prepare_for_device(pm_field field, int32_t n, double density, pm_sweep *out)
{
    pm_matrix a;
    pm_block b;
    pm_square s = {0};
    pm_tree_plan plan;
    uint64_t prime[2] = {pm_prime_below(PM_TREE_PRIME_MAX)};
    prime[1] = pm_prime_below(prime[0]);
    random_matrix(&rng, field, n, n, density, &a);
    if (field == PM_INTEGER) /* entries that fit */
        pm_matrix_make_pattern(&a);
    as_block(&a, &b);
    assert_int_equal(
        pm_square_make(&b, false, field <= PM_INTEGER ? PM_TREE_BITS : 53, 0, &s, NULL), PM_OK);
    if (density == 1) {
        pm_dense_gpu_choice c = {PM_KAHAN, 1, PM_GPU_SLOW, 1e12};
        assert_int_equal(pm_dense_gpu_prepare(&s, &c, out, NULL), PM_OK);
    } else {
        plan_block(&b, PM_TREE_ANY, &plan);
        pm_tree_gpu_choice c = {&plan,       prime, field <= PM_INTEGER ? 2 : 0, PM_KAHAN, 1,
                                PM_GPU_SLOW, 1e12};
        assert_int_equal(pm_tree_gpu_prepare(&s, &c, out, NULL), PM_OK);
    }
    pm_square_free(&s);
    pm_block_free(&b);
    pm_matrix_free(&a);
}

static void every_family_compiles_for_devices(void **state)
{
    (void)state;
    static const struct {
        pm_field field;
        int32_t n;
        double density;
    } family[] = {{PM_PATTERN, 36, 0.2},
                  {PM_INTEGER, 30, 0.4},
                  {PM_REAL, 36, 0.2},
                  {PM_COMPLEX, 28, 0.3},
                  {PM_REAL, 30, 1}};
    for (int i = 0; i < 5; ++i) {
        pm_sweep s = {0};
        prepare_for_device(family[i].field, family[i].n, family[i].density, &s);
        /* all of them for one family each, sm_90 for all */
        bool has_compiler = compiles(&s, 9, 0);
        for (int d = i; d < DEVICES && has_compiler; d += 5)
            compiles(&s, devices[d][0], devices[d][1]);
        pm_sweep_free(&s);
        if (!has_compiler)
            skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_written_as_c),
        cmocka_unit_test(dense_as_c),
        cmocka_unit_test(larger_trees_against_interpreters),
        cmocka_unit_test(every_family_compiles_for_devices),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
