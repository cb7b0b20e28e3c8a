/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of the kernels of sweeps, beams and sparse products is compiled by the run-time compiler, where there is
 * one, for the kinds of devices in turn, from another one on in each run; no device is needed. */
#include "config.h"

#include "beam/beam_gpu_kernel.h"
#include "dense/ryser_gpu_kernel.h"
#include "hafnian/hafnian_gpu_kernel.h"
#include "integers/root_primes.h"
#include "masks/masks_gpu_kernel.h"
#include "necklace/necklace_gpu_kernel.h"
#include "number/prime.h"
#include "product_tree/row_plan.h"
#include "product_tree/tree_gpu_kernel.h"
#include "product_tree/tree_program.h"
#include "repeated/repeated_gpu_kernel.h"
#include "sparse/sparse_gpu_kernel.h"
#include "spmv/workspace_gpu.h"
#include "support/cyclic_blocks.h"
#include "support/device_text.h"
#include "support/matrices.h"
#include "support/placements.h"
#include "support/spgemm_kernels.h"
#include "support/spmv_kernels.h"

static uint64_t rng;

static int first_device;

typedef enum {
    TREE,
    TREE_WORDS,
    ROWS,
    DENSE,
    DENSE_WORDS,
    PLACED,
    REPEATED,
    REPEATED_WORDS,
    SPARYSER,
    SKIPPER
} family;

/* placement: of PLACED, an index. */
static pm_status prepare_family(family f, const pm_square *s, pm_precision precision, int placement,
                                pm_sweep *out)
{
    pm_tree_plan plan;
    pm_column_order order;
    bool in_words = f == TREE_WORDS || f == DENSE_WORDS || f == REPEATED_WORDS;
    int32_t slow = s->n > 24 ? PM_GPU_SLOW : 8;
    uint64_t prime[2] = {pm_prime_below(in_words ? PM_WORD_PRIME_MAX : PM_TREE_PRIME_MAX)};
    int primes = s->field <= PM_INTEGER ? 2 : 0;
    prime[1] = pm_prime_below(prime[0]);
    pm_column_order_given(s->n, &order);
    pm_tree_gpu_choice tree = {"tree", &plan, prime, primes, PM_KAHAN,  1,
                               slow,   1e12,  6,     0,      f == ROWS, in_words};
    pm_ryser_gpu_choice dense = {precision, {0}, 1, slow, 1e12, in_words, false, false, {0}};
    pm_repeated_gpu_choice repeated = {precision, 1, slow, 1e12, in_words, false};
    pm_sparse_gpu_choice sparse = {
        .skips = f == SKIPPER, .form = PM_FORM_SIGNS, .gpus = 1, .slow = slow};
    dense.placement = placements[f == PLACED ? placement : 0];
    pm_pattern p = pm_square_pattern(s);
    pm_tree_options o = pm_tree_defaults();
    o.most = 200;
    switch (f) {
    case TREE:
    case TREE_WORDS: assert_int_equal(pm_tree_plan_make(&p, &o, &plan, NULL), PM_OK); break;
    case ROWS: pm_row_plan_make(&p, &order, s->n / 2, &plan); break;
    case DENSE:
    case DENSE_WORDS:
    case PLACED: return pm_ryser_gpu_prepare_modular(s, &dense, prime, primes, out, NULL);
    case REPEATED:
    case REPEATED_WORDS:
        return pm_repeated_gpu_prepare_modular(s, &repeated, prime, primes, out, NULL);
    case SPARYSER:
    case SKIPPER: return pm_sparse_gpu_prepare_modular(s, &sparse, prime, primes, out, NULL);
    }
    return pm_tree_gpu_sweep(s, &tree, out, NULL);
}

static void prepare_for_device(family f, pm_field field, int32_t n, double density,
                               pm_precision precision, int placement, pm_sweep *out)
{
    pm_matrix a;
    pm_block b;
    pm_square s = {0};
    random_matrix(&rng, field, n, n, density, &a);
    if (field == PM_INTEGER) /* entries that fit */
        pm_matrix_make_pattern(&a);
    as_block(&a, &b);
    bool has_classes = f == REPEATED || f == REPEATED_WORDS;
    for (int32_t i = 0; i < n && has_classes; ++i) /* groups of several multiplicities */
        b.row_cap[i] = b.col_cap[i] = 1 + i % 4;
    assert_int_equal((has_classes ? pm_square_make_classes : pm_square_make)(
                         &b, false, field <= PM_INTEGER ? PM_TREE_BITS : 53, 0, &s, NULL),
                     PM_OK);
    assert_int_equal(prepare_family(f, &s, precision, placement, out), PM_OK);
    pm_square_free(&s);
    pm_block_free(&b);
    pm_matrix_free(&a);
}

static const struct {
    family family;
    pm_field field;
    int32_t n;
    double density;
    pm_precision precision;
} row[] = {{TREE, PM_PATTERN, 36, 0.2, PM_KAHAN},
           {TREE, PM_INTEGER, 30, 0.4, PM_KAHAN},
           {TREE_WORDS, PM_PATTERN, 36, 0.2, PM_KAHAN},
           {TREE_WORDS, PM_INTEGER, 32, 0.4, PM_KAHAN},
           {TREE, PM_REAL, 36, 0.2, PM_KAHAN},
           {TREE, PM_COMPLEX, 28, 0.3, PM_KAHAN},
           {ROWS, PM_PATTERN, 36, 0.2, PM_KAHAN},
           {ROWS, PM_REAL, 36, 0.2, PM_KAHAN},
           {DENSE, PM_PATTERN, 36, 1, PM_KAHAN},
           {DENSE_WORDS, PM_PATTERN, 36, 1, PM_KAHAN},
           {DENSE, PM_REAL, 30, 1, PM_KAHAN},
           {DENSE, PM_REAL, 30, 1, PM_DQ},
           {DENSE, PM_COMPLEX, 30, 1, PM_KAHAN},
           {DENSE, PM_REAL, 30, 1, PM_QUAD},
           {DENSE, PM_COMPLEX, 24, 1, PM_QUAD},
           {DENSE, PM_REAL, 30, 1, PM_SINGLE},
           {DENSE, PM_COMPLEX, 30, 1, PM_SINGLE},
           {PLACED, PM_PATTERN, 36, 1, PM_KAHAN},
           {PLACED, PM_REAL, 30, 1, PM_KAHAN},
           {PLACED, PM_COMPLEX, 30, 1, PM_KAHAN},
           {PLACED, PM_REAL, 30, 1, PM_QUAD},
           {PLACED, PM_REAL, 30, 1, PM_SINGLE},
           {PLACED, PM_COMPLEX, 30, 1, PM_SINGLE},
           {REPEATED, PM_PATTERN, 12, 0.5, PM_KAHAN},
           {REPEATED_WORDS, PM_PATTERN, 12, 0.5, PM_KAHAN},
           {REPEATED, PM_REAL, 12, 1, PM_DQ},
           {REPEATED, PM_REAL, 12, 1, PM_QUAD},
           {REPEATED, PM_COMPLEX, 16, 1, PM_KAHAN},
           {REPEATED, PM_COMPLEX, 16, 1, PM_QUAD},
           {REPEATED, PM_REAL, 12, 1, PM_SINGLE},
           {REPEATED, PM_COMPLEX, 16, 1, PM_SINGLE},
           {SPARYSER, PM_PATTERN, 36, 0.2, PM_KAHAN},
           {SPARYSER, PM_REAL, 36, 0.2, PM_KAHAN},
           {SPARYSER, PM_COMPLEX, 36, 0.2, PM_KAHAN},
           {SKIPPER, PM_PATTERN, 36, 0.2, PM_KAHAN},
           {SKIPPER, PM_REAL, 36, 0.2, PM_KAHAN},
           {SKIPPER, PM_COMPLEX, 36, 0.2, PM_KAHAN}};
enum { ROWS_OF_TABLE = sizeof row / sizeof *row };

/* Rows before this one, or all, of its family. */
static int of_family(family f, int before)
{
    int count = 0;
    for (int i = 0; i < before; ++i)
        count += row[i].family == f;
    return count;
}

/* The text of a row is one of `texts` of its family; false when there is no compiler. */
static bool sweep_compiles(int i, int placement, int number, int texts)
{
    /* their loops over rows and columns are written out: fewer compile faster */
    bool is_dense = row[i].family == DENSE || row[i].family == DENSE_WORDS;
    int32_t n = is_dense && !is_every_device() ? row[i].n / 2 : row[i].n;
    pm_sweep s = {0};
    prepare_for_device(row[i].family, row[i].field, n, row[i].density, row[i].precision, placement,
                       &s);
    const pm_gpu_sweep *g = s.problem;
    assert_int_equal(pm_gpu_sweep_write(&s, NULL), PM_OK);
    bool has_compiler = text_compiles(g->text, first_device, number, texts);
    pm_sweep_free(&s);
    return has_compiler;
}

/* A row of each family, or all, and with them all places: one for sums and products, or one after the other. */
static void sweeps_compile(void **state)
{
    (void)state;
    enum { PLACES = PLACEMENTS - 1 };
    int chosen[SKIPPER + 1];
    for (int f = 0; f <= SKIPPER; ++f)
        chosen[f] = (int)pm_rng_below(&rng, (uint32_t)of_family((family)f, ROWS_OF_TABLE));
    for (int i = 0; i < ROWS_OF_TABLE; ++i) {
        const family f = row[i].family;
        if (!is_every_device() && of_family(f, i) != chosen[f])
            continue;
        const bool is_every = f == PLACED && is_every_device();
        const int places = is_every ? PLACES : 1, texts = of_family(f, ROWS_OF_TABLE) * places;
        const int first = is_every ? 0 : (int)pm_rng_below(&rng, PLACES);
        for (int k = 0; k < places; ++k)
            if (!sweep_compiles(i, 1 + first + k, of_family(f, i) * places + k, texts))
                skip();
    }
}

/* Every width of keys, or another one in each run. */
static void beams_compile(void **state)
{
    (void)state;
    static const int32_t widths[] = {1, 2, 4, 6, PM_BEAM_WORDS};
    enum { WIDTHS = sizeof widths / sizeof *widths };
    const int one = (int)pm_rng_below(&rng, WIDTHS);
    for (int i = 0; i < WIDTHS; ++i) {
        if (i != one && !is_every_device())
            continue;
        char *text = pm_beam_text(widths[i]);
        bool has_compiler = text_compiles(text, first_device, i, WIDTHS);
        free(text);
        if (!has_compiler)
            skip();
    }
}

/* Some kinds of sparse products, others in each run, or all. */
static void products_compile(void **state)
{
    (void)state;
    const int step = is_every_device() ? 1 : 9;
    for (int i = (int)pm_rng_below(&rng, (uint32_t)step); i < SPMV_KINDS; i += step) {
        const pm_spmv_kind kind = spmv_kind_of(i);
        char *text = pm_spmv_text(&kind);
        assert_non_null(text);
        bool has_compiler = text_compiles(text, first_device, i, SPMV_KINDS);
        free(text);
        if (!has_compiler)
            skip();
    }
}

/* Products of two sparse matrices, which take longest to compile: another kind in each run, or every fifth. */
static void matrix_products_compile(void **state)
{
    (void)state;
    const int step = is_every_device() ? 5 : SPGEMM_KINDS;
    for (int i = (int)pm_rng_below(&rng, (uint32_t)step), k = 0; i < SPGEMM_KINDS; i += step, ++k) {
        const pm_product_kind kind = spgemm_kind_of(i);
        char *text = pm_product_text(&kind);
        assert_non_null(text);
        bool has_compiler = text_compiles(text, first_device, k, SPGEMM_KINDS / step);
        free(text);
        if (!has_compiler)
            skip();
    }
}

static void iterations_compile(void **state)
{
    (void)state;
    char *text = pm_workspace_text();
    assert_non_null(text);
    bool has_compiler = text_compiles(text, first_device, 0, 1);
    free(text);
    if (!has_compiler)
        skip();
}

/* Residues, real and complex numbers. */
static void masks_compile(void **state)
{
    (void)state;
    static const int lanes[] = {1, 0, 4, 0, 8, 3}, parts[] = {1, 1, 1, 2, 1, 1};
    enum { TEXTS = sizeof lanes / sizeof *lanes };
    for (int i = is_every_device() ? 0 : (int)pm_rng_below(&rng, TEXTS); i < TEXTS;
         i += is_every_device() ? 1 : TEXTS) {
        char *text = pm_mask_text(lanes[i], parts[i]);
        assert_non_null(text);
        bool has_compiler = text_compiles(text, first_device, i, TEXTS);
        free(text);
        if (!has_compiler)
            skip();
    }
}

/* Few pairs, as many as one device holds, and the most. */
static void hafnians_compile(void **state)
{
    (void)state;
    static const int pairs[] = {1, 27, 29};
    enum { TEXTS = sizeof pairs / sizeof *pairs };
    for (int i = is_every_device() ? 0 : (int)pm_rng_below(&rng, TEXTS); i < TEXTS;
         i += is_every_device() ? 1 : TEXTS) {
        char *text = pm_hafnian_text(pairs[i]);
        assert_non_null(text);
        bool has_compiler = text_compiles(text, first_device, i, TEXTS);
        free(text);
        if (!has_compiler)
            skip();
    }
}

/* Schur matrices modulo primes of several lengths, and a block without units. */
static void necklaces_compile(void **state)
{
    (void)state;
    static const int rows[] = {47, 35, 20, 9}, bits[] = {27, 31, 54, 62};
    enum { TEXTS = sizeof rows / sizeof *rows };
    for (int i = is_every_device() ? 0 : (int)pm_rng_below(&rng, TEXTS); i < TEXTS;
         i += is_every_device() ? 1 : TEXTS) {
        uint64_t a[PM_NECKLACE_MOST * PM_NECKLACE_MOST];
        const uint64_t p = pm_root_prime_below(UINT64_C(1) << bits[i], rows[i]);
        pm_necklace_terms t;
        pm_sweep sweep = {0};
        if (rows[i] % 2)
            schur_like(&rng, rows[i], p, a);
        else
            random_cyclic(&rng, rows[i], p, a);
        assert_int_equal(pm_necklace_terms_make(a, rows[i], p, &t, NULL), PM_OK);
        assert_int_equal(pm_necklace_gpu_prepare(&t, pm_necklace_gpu_prefix(&t), 1, &sweep, NULL),
                         PM_OK);
        assert_int_equal(pm_gpu_sweep_write(&sweep, NULL), PM_OK);
        bool has_compiler =
            text_compiles(((const pm_gpu_sweep *)sweep.problem)->text, first_device, i, TEXTS);
        pm_sweep_free(&sweep);
        pm_necklace_terms_free(&t);
        if (!has_compiler)
            skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_compile),     cmocka_unit_test(beams_compile),
        cmocka_unit_test(products_compile),   cmocka_unit_test(matrix_products_compile),
        cmocka_unit_test(iterations_compile), cmocka_unit_test(masks_compile),
        cmocka_unit_test(hafnians_compile),   cmocka_unit_test(necklaces_compile),
    };
    rng = test_seed();
    first_device = (int)pm_rng_below(&rng, 100);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
