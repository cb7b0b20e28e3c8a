/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeps on GPUs without one: the text of their kernels is compiled as C and run in place of the
 * device. */
#include "config.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include "dense/ryser_gpu_kernel.h"
#include "gpu/kernel_text.h"
#include "number/prime.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "product_tree/row_plan.h"
#include "product_tree/tree_gpu_kernel.h"
#include "product_tree/tree_program.h"
#include "reference/textbook.h"
#include "sparse/sparse_gpu_kernel.h"
#include "sparse/sparse_ryser.h"
#include "support/answers.h"
#include "support/device_text.h"
#include "support/matrices.h"
#include "support/placements.h"
#include "sweep/ryser_driver.h"

static uint64_t rng;

enum { EVERY = 30 /* columns that distinguish segments: all of small matrices */ };

typedef void kernel(unsigned long long first, long long blocks, void *records);

static kernel *load(void *library, const pm_gpu_sweep *g)
{
    kernel *run;
    void *symbol = dlsym(library, "pm_block_sweep");
    assert_non_null(symbol);
    memcpy(&run, &symbol, sizeof run);
    if (g->table) {
        void *table = dlsym(library, g->table);
        assert_non_null(table);
        memcpy(table, g->values, g->values_size);
    }
    return run;
}

/* The sum of all blocks of a range, which is not zero before. */
static void sum_here(const pm_sweep *s, kernel *go, uint64_t first, int64_t blocks,
                     pm_sweep_total *total)
{
    const pm_gpu_sweep *g = s->problem;
    char *records = calloc((size_t)blocks, g->record);
    pm_sum sum = {.failed = false};
    /* in two launches, and not from the first block on */
    int64_t split = blocks / 3;
    go((unsigned long long)first + (unsigned long long)split, blocks - split,
       records + (size_t)split * g->record);
    go(first, split, records);
    g->fold(s->problem, records, blocks, &sum);
    pm_sweep_total_add(total, &sum, s->limbs);
    free(records);
}

/* As pm_gpu_sweep_run. */
static pm_status run_here(const pm_sweep *s, pm_ledger_task *task, const pm_run *run, pm_error *err)
{
    (void)run;
    pm_range range;
    const pm_gpu_sweep *g = s->problem;
    const uint64_t block = pm_gpu_block_indices(g);
    assert_int_equal(pm_gpu_sweep_write(s, err), PM_OK);
    void *library = compile_as_c(g->text, 0);
    kernel *go = load(library, g);
    while (pm_ledger_task_take(task, UINT64_MAX, &range)) {
        pm_sweep_total total;
        pm_sweep_total_clear(&total, s->limbs);
        sum_here(s, go, range.first / block, (int64_t)((range.end - range.first) / block), &total);
        assert_int_equal(
            pm_ledger_task_put(task, range.first, range.end, total.limb, total.real, err), PM_OK);
    }
    dlclose(library);
    return PM_OK;
}

static pm_status tree_here(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err)
{
    pm_status rc = pm_tree_gpu_sweep(s, choice, out, err);
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

static pm_status dense_modular_here(const pm_square *s, const void *choice, const uint64_t *prime,
                                    int count, pm_sweep *out, pm_error *err)
{
    pm_status rc = pm_ryser_gpu_prepare_modular(s, choice, prime, count, out, err);
    out->run = run_here;
    return rc;
}

static pm_status dense_here(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err)
{
    return dense_modular_here(s, choice, NULL, 0, out, err);
}

static pm_status sparse_modular_here(const pm_square *s, const void *choice, const uint64_t *prime,
                                     int count, pm_sweep *out, pm_error *err)
{
    pm_status rc = pm_sparse_gpu_prepare_modular(s, choice, prime, count, out, err);
    out->run = run_here;
    return rc;
}

static pm_status sparse_here(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err)
{
    return sparse_modular_here(s, choice, NULL, 0, out, err);
}

static const pm_sweep_method tree_exact = {.name = "tree",
                                           .bits = PM_TREE_BITS,
                                           .primes = PM_TREE_PRIMES,
                                           .prime_max = PM_TREE_PRIME_MAX,
                                           .prepare_modular = tree_modular_here,
                                           .residue = pm_tree_gpu_residue};
static const pm_sweep_method tree_inexact = {.name = "tree", .bits = 53, .prepare = tree_here};
static const pm_sweep_method dense_exact = {.name = "dense",
                                            .bits = PM_GPU_BITS,
                                            .primes = PM_GPU_PRIMES,
                                            .prime_max = PM_GPU_PRIME_MAX,
                                            .prepare_modular = dense_modular_here,
                                            .residue = pm_ryser_gpu_residue};
static const pm_sweep_method dense_inexact = {.name = "dense", .bits = 62, .prepare = dense_here};
static const pm_sweep_method sparse_exact = {.name = "sparse",
                                             .bits = PM_GPU_BITS,
                                             .primes = PM_GPU_PRIMES,
                                             .prime_max = PM_GPU_PRIME_MAX,
                                             .prepare_modular = sparse_modular_here,
                                             .residue = pm_sparse_gpu_residue};
static const pm_sweep_method sparse_inexact = {
    .name = "sparse", .bits = 53, .prepare = sparse_here};

static pm_status tree_words_here(const pm_square *s, const void *choice, const uint64_t *prime,
                                 int count, pm_sweep *out, pm_error *err)
{
    pm_tree_gpu_choice c = *(const pm_tree_gpu_choice *)choice;
    c.in_words = true;
    return tree_modular_here(s, &c, prime, count, out, err);
}

static const pm_sweep_method tree_words = {.name = "tree in words",
                                           .bits = PM_WORD_BITS,
                                           .primes = PM_TREE_PRIMES,
                                           .prime_max = PM_WORD_PRIME_MAX,
                                           .prepare_modular = tree_words_here,
                                           .residue = pm_tree_gpu_residue};
static const pm_sweep_method dense_words = {.name = "dense in words",
                                            .bits = PM_WORD_BITS,
                                            .primes = PM_WORD_PRIMES,
                                            .prime_max = PM_WORD_PRIME_MAX,
                                            .prepare_modular = dense_modular_here,
                                            .residue = pm_ryser_gpu_residue};

static const pm_sweep_method *method_for(pm_field field, const pm_sweep_method *exact,
                                         const pm_sweep_method *inexact)
{
    return field <= PM_INTEGER ? exact : inexact;
}

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

/* Small matrices are summed in full in use; here they have few segments, so that errors are
 * estimated from one term of each, as those of large ones.  Where the largest entries of a row
 * cancel for some signs, these terms may be 2^600 times smaller than the others, and all sampled
 * ones may be among them.  Then the value must be within the bound of a sum in which every term is
 * looked at.  A miss is seen once in some 400 estimates.  False alarm: if it is one in 200, more
 * than 4 of 30 come by chance with 0.15^5 / 5! = 6e-7. */
static int estimated, missed;

/* every: a choice with as many segments as terms.  The rounding errors of longer segments are less
 * than 8 times larger: their chunks have at most 16 terms. */
static bool is_within_bound(const pm_job *job, const pm_sweep_method *method, const void *every,
                            pm_value *v, const pm_cnum *exact)
{
    pm_value sure;
    pm_value_init(&sure);
    assert_int_equal(pm_ryser_driver_permanent(job, method, every, false, &sure, NULL), PM_OK);
    assert_true(!sure.is_estimated && agrees(&sure, exact));
    v->error = sure.error;
    v->error.exp += 3;
    pm_value_clear(&sure);
    return agrees(v, exact);
}

static void check(const pm_matrix *a, const pm_sweep_method *method, const void *choice,
                  const void *every, const pm_cnum *exact)
{
    pm_block b;
    pm_value v;
    as_block(a, &b);
    pm_job job = {.block = &b};
    pm_value_init(&v);
    assert_int_equal(pm_ryser_driver_permanent(&job, method, choice, false, &v, NULL), PM_OK);
    bool is_good = agrees(&v, exact), is_estimated = !pm_value_is_exact(&v) && v.is_estimated;
    estimated += is_estimated;
    missed += is_estimated && !is_good;
    assert_true(is_good || (is_estimated && is_within_bound(&job, method, every, &v, exact)));
    assert_true(missed <= 4 + estimated / 20);
    pm_value_clear(&v);
    pm_block_free(&b);
}

static void trees_written_as_c(void **state)
{
    (void)state;
    static const pm_precision precisions[] = {PM_DOUBLE, PM_KAHAN, PM_DQ};
    if (!compiler)
        skip();
    for (int round = 0; round < test_rounds(24); ++round) {
        pm_matrix a;
        pm_cnum exact = {0};
        pm_block b;
        pm_tree_plan plan;
        pm_field field = (pm_field)(round % 4);
        int n = round < 8 ? 1 + round / 2 : 6 + (int)pm_rng_below(&rng, 8);
        random_matrix(&rng, field, n, n, 0.15 + 0.7 * pm_rng_unit(&rng), &a);
        textbook_transfer_matrix(&a, &exact);
        as_block(&a, &b);
        plan_block(&b, (int32_t)pm_rng_below(&rng, 4), &plan);
        pm_tree_gpu_choice c = {.name = "tree",
                                .plan = &plan,
                                .precision = precisions[pm_rng_below(&rng, 3)],
                                .slow = (int32_t)pm_rng_below(&rng, 9),
                                .rate = 1e12,
                                .inner = 6,
                                .shared = (int64_t)pm_rng_below(&rng, 2) * 12000};
        pm_tree_gpu_choice every = c;
        every.slow = EVERY;
        check(&a, method_for(field, &tree_exact, &tree_inexact), &c, &every, &exact);
        pm_block_free(&b);
        pm_cnum_clear(&exact);
        pm_matrix_free(&a);
    }
}

/* Small ones first, then some with places. */
static int size_for(int round)
{
    return round < 12 ? 1 + round / 4 : 4 + (int)pm_rng_below(&rng, 9);
}

/* All fields in turn, against the definition. */
static void check_field(int round, double density, const pm_sweep_method *exact,
                        const pm_sweep_method *inexact, const void *choice, const void *every)
{
    pm_matrix a;
    pm_cnum value = {0};
    pm_field field = (pm_field)(round % 4);
    int n = size_for(round);
    random_matrix(&rng, field, n, n, density, &a);
    textbook_transfer_matrix(&a, &value);
    check(&a, method_for(field, exact, inexact), choice, every, &value);
    pm_cnum_clear(&value);
    pm_matrix_free(&a);
}

static void dense_as_c(void **state)
{
    (void)state;
    static const pm_precision precisions[] = {PM_KAHAN, PM_DQ, PM_QUAD, PM_SINGLE};
    if (!compiler)
        skip();
    for (int round = 0; round < test_rounds(32); ++round) {
        int where = round % 3 ? 0 : (int)pm_rng_below(&rng, PLACEMENTS);
        pm_ryser_gpu_choice c = {.precision = precisions[round / 4 % 4],
                                 .placement = placements[where],
                                 .gpus = 1,
                                 .slow = (int32_t)pm_rng_below(&rng, 9),
                                 .rate = 1e12};
        pm_ryser_gpu_choice every = c;
        every.slow = EVERY;
        check_field(round, 0.5 + 0.5 * pm_rng_unit(&rng), &dense_exact, &dense_inexact, &c, &every);
    }
}

static void sparse_as_c(void **state)
{
    (void)state;
    if (!compiler)
        skip();
    for (int round = 0; round < test_rounds(32); ++round) {
        bool skips = round / 4 % 2, keep_order = pm_rng_below(&rng, 3) == 0;
        pm_sparse_gpu_choice c = {.skips = skips,
                                  .keep_order = keep_order,
                                  .form = skips && pm_rng_below(&rng, 2) ? PM_FORM_BALANCED
                                                                         : PM_FORM_SIGNS,
                                  .gpus = 1,
                                  .slow = (int32_t)pm_rng_below(&rng, 9)};
        pm_sparse_gpu_choice every = c;
        every.slow = EVERY;
        check_field(round, 0.2 + 0.5 * pm_rng_unit(&rng), &sparse_exact, &sparse_inexact, &c,
                    &every);
    }
}

/* Signed integers of up to so many bits, some of them even in whole rows. */
static void small_matrix(int n, double density, int bits, pm_matrix *out)
{
    pm_triples t = {.field = PM_INTEGER, .nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            pm_dyadic x = {0};
            int64_t v = 1 + (int64_t)pm_rng_below(&rng, UINT32_C(1) << bits);
            if (i != j && pm_rng_unit(&rng) > density)
                continue;
            pm_dyadic_set_si(&x, (pm_rng_below(&rng, 2) ? v : -v) * (i % 4 ? 1 : 2));
            assert_int_equal(pm_triples_add(&t, i, j, 0, &x, NULL, NULL), PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "small", out, NULL), PM_OK);
    pm_triples_free(&t);
}

static void words_as_c(void **state)
{
    (void)state;
    if (!compiler)
        skip();
    for (int round = 0; round < test_rounds(16); ++round) {
        pm_matrix a;
        pm_block b;
        pm_tree_plan plan;
        pm_cnum value = {0};
        int32_t slow = (int32_t)pm_rng_below(&rng, 9);
        small_matrix(size_for(round), 0.2 + 0.8 * pm_rng_unit(&rng), round % 3 * 10, &a);
        textbook_transfer_matrix(&a, &value);
        as_block(&a, &b);
        plan_block(&b, (int32_t)pm_rng_below(&rng, 4), &plan);
        pm_tree_gpu_choice tree = {
            .name = "tree", .plan = &plan, .slow = slow, .rate = 1e12, .inner = 6};
        pm_ryser_gpu_choice dense = {.gpus = 1, .slow = slow, .rate = 1e12, .in_words = true};
        check(&a, &tree_words, &tree, NULL, &value);
        check(&a, &dense_words, &dense, NULL, &value);
        pm_block_free(&b);
        pm_cnum_clear(&value);
        pm_matrix_free(&a);
    }
}

/* Residues: pm_montgomery and pm_within at the bounds of what they take. */
static void words_at_their_bounds(void **state)
{
    (void)state;
    typedef int multiply(int a, int b, int p, int inverse);
    typedef int within(int a, int p);
    if (!compiler)
        skip();
    char text[16384];
    snprintf(text, sizeof text,
             "#define PM_TERMS 1\n#define PM_THREADS 1\n%s\n"
             "int multiply(int a, int b, int p, int inverse)"
             "{ return pm_montgomery(a, b, p, inverse); }\n"
             "int within(int a, int p) { return pm_within(a, p); }\n",
             pm_text_prelude);
    assert_true(strlen(text) + 1 < sizeof text);
    void *library = compile_as_c(text, 0), *symbol[2];
    multiply *times;
    within *reduced;
    symbol[0] = dlsym(library, "multiply");
    symbol[1] = dlsym(library, "within");
    memcpy(&times, &symbol[0], sizeof times);
    memcpy(&reduced, &symbol[1], sizeof reduced);
    int64_t p = PM_WORD_PRIME_MAX;
    for (int i = 0; i < 50; ++i) {
        p = (int64_t)pm_prime_below((uint64_t)p);
        int inverse = pm_word_inverse((uint64_t)p);
        for (int k = 0; k < 200; ++k) {
            int64_t a = k < 3 ? p - 1 - k : (int64_t)pm_rng_below(&rng, (uint32_t)p);
            int64_t b = k % 2 ? p - 1 : (int64_t)pm_rng_below(&rng, (uint32_t)p);
            a = k % 3 ? a : -a;
            b = k % 5 ? b : -b;
            int64_t r = times((int)a, (int)b, (int)p, inverse), d = reduced((int)(a - b), (int)p);
            assert_true(llabs(r) < p && llabs(d) < p);
            assert_true((__int128)(r * (INT64_C(1) << 32) % p - a * b % p) % p == 0);
            assert_true((d - (a - b)) % p == 0);
        }
    }
    dlclose(library);
}

/* Products of row sums as plans: all of them at every flip, or some apart. */
static void rows_as_c(void **state)
{
    (void)state;
    if (!compiler)
        skip();
    for (int round = 0; round < test_rounds(22); ++round) {
        pm_matrix a;
        pm_block b;
        pm_square s = {0};
        pm_tree_plan plan;
        pm_column_order order;
        pm_cnum value = {0};
        pm_field field = (pm_field)(round % 4);
        int n = size_for(round);
        random_matrix(&rng, field, n, n, 0.2 + 0.6 * pm_rng_unit(&rng), &a);
        textbook_transfer_matrix(&a, &value);
        as_block(&a, &b);
        assert_int_equal(
            pm_square_make(&b, false, 51, field <= PM_INTEGER ? 35184372088777 : 0, &s, NULL),
            PM_OK);
        pm_pattern p = pm_square_pattern(&s);
        assert_int_equal(pm_column_order_permanent(&p, order.cols, order.rows, NULL), PM_OK);
        pm_row_plan_make(&p, &order, 1 + (int32_t)pm_rng_below(&rng, (uint64_t)n), &plan);
        pm_tree_gpu_choice c = {.name = "rows",
                                .plan = &plan,
                                .precision = PM_KAHAN,
                                .slow = (int32_t)pm_rng_below(&rng, 9),
                                .rate = 1e12,
                                .inner = 1 + (int32_t)pm_rng_below(&rng, 5),
                                .in_turn = true};
        pm_tree_gpu_choice every = c;
        every.slow = EVERY;
        check(&a, method_for(field, &tree_exact, &tree_inexact), &c, &every, &value);
        pm_square_free(&s);
        pm_block_free(&b);
        pm_cnum_clear(&value);
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
        random_matrix(&rng, field, 18, 18, 0.25 + 0.1 * pm_rng_unit(&rng), &a);
        as_block(&a, &b);
        plan_block(&b, PM_TREE_ANY, &plan);
        pm_tree_gpu_choice c = {.name = "tree",
                                .plan = &plan,
                                .precision = PM_KAHAN,
                                .slow = 2,
                                .rate = 1e12,
                                .inner = 6};
        pm_job job = {.block = &b};
        pm_count_options o = pm_count_defaults();
        o.algorithm = "product-tree";
        pm_value_init(&here);
        pm_value_init(&there);
        assert_int_equal(
            pm_ryser_driver_permanent(&job, field <= PM_INTEGER ? &tree_exact : &tree_inexact, &c,
                                      false, &here, NULL),
            PM_OK);
        assert_int_equal(pm_count(&a, &o, NULL, &there, NULL, NULL), PM_OK);
        assert_true(values_agree(&here, &there));
        pm_value_clear(&here);
        pm_value_clear(&there);
        pm_block_free(&b);
        pm_matrix_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_written_as_c),
        cmocka_unit_test(dense_as_c),
        cmocka_unit_test(sparse_as_c),
        cmocka_unit_test(words_as_c),
        cmocka_unit_test(words_at_their_bounds),
        cmocka_unit_test(rows_as_c),
        cmocka_unit_test(larger_trees_against_interpreters),
    };
    rng = test_seed();
    int failed = cmocka_run_group_tests(tests, make_folder, remove_folder);
    printf("# %d errors estimated, %d missed\n", estimated, missed);
    return failed;
}
