/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm `repeated` on devices, with a double in place of src/gpu that compiles the kernels as
 * C: against the definition, against the CPU, its digits and its limits. */
#include "config.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "core/clock.h"
#include "number/prime.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "repeated/repeated_digits.h"
#include "repeated/repeated_gpu_kernel.h"
#include "support/answers.h"
#include "support/host_gpu.h"
#include "support/kept_texts.h"
#include "support/repeats.h"
#include "support/testing.h"
#include "sweep/ryser_driver.h"

static uint64_t rng;

enum { EVERY = 30 /* as slow: a tile has one term */, ENTRIES = REPEATS_LINES * REPEATS_LINES };

/* ---- sweeps with few tiles, which the planner does not make of small matrices ---- */

#define METHOD                                                                                     \
    .name = "repeated", .classes = true, .prepare = pm_repeated_gpu_prepare,                       \
    .prepare_modular = pm_repeated_gpu_prepare_modular, .residue = pm_repeated_gpu_residue

static const pm_sweep_method in_doubles = {METHOD, .bits = PM_GPU_BITS, .primes = PM_GPU_PRIMES,
                                           .prime_max = PM_GPU_PRIME_MAX};
static const pm_sweep_method in_words = {METHOD, .bits = PM_WORD_BITS, .primes = PM_WORD_PRIMES,
                                         .prime_max = PM_WORD_PRIME_MAX};
static const pm_sweep_method inexact = {METHOD, .bits = 62};

/* log2_bound: at least log2 of the permanent, for the number of primes. */
static void permanent(repeats *x, bool transposed, double log2_bound,
                      const pm_repeated_gpu_choice *c, pm_value *out)
{
    int32_t row[REPEATS_LINES], col[REPEATS_LINES];
    const pm_block b = repeats_block(x, log2_bound, row, col);
    const pm_job job = {.block = &b};
    const pm_sweep_method *m = x->a.field > PM_INTEGER ? &inexact
                               : c->in_words           ? &in_words
                                                       : &in_doubles;
    assert_int_equal(pm_ryser_driver_permanent(&job, m, c, transposed, out, NULL), PM_OK);
}

static pm_repeated_gpu_choice random_choice(void)
{
    return (pm_repeated_gpu_choice){.precision = (pm_precision)pm_rng_below(&rng, PM_SINGLE + 1),
                                    .gpus = 1,
                                    .slow = (int32_t)pm_rng_below(&rng, 7),
                                    .rate = 1e12};
}

/* Errors of long tiles are estimated from one term of each.  Where the terms differ by powers of ten
 * the estimate may miss, so such a value must be within the bound of a sum in which every term is
 * looked at; roundings of longer tiles are less than 8 times larger. */
static void check(repeats *x, bool transposed, const pm_repeated_gpu_choice *c,
                  const pm_cnum *exact)
{
    pm_value v, sure;
    pm_repeated_gpu_choice every = *c;
    double bits = fmax(0, pm_cnum_log2(exact));
    every.slow = EVERY;
    pm_value_init(&v);
    pm_value_init(&sure);
    permanent(x, transposed, bits, c, &v);
    permanent(x, transposed, bits, &every, &sure);
    assert_true(agrees(&sure, exact) && (pm_value_is_exact(&sure) || !sure.is_estimated));
    if (!pm_value_is_exact(&v) && v.is_estimated) {
        v.error = sure.error;
        v.error.exp += 3;
    }
    assert_true(agrees(&v, exact));
    pm_value_clear(&v);
    pm_value_clear(&sure);
}

static bool has_unused_lines(const repeats *x)
{
    bool has = false;
    for (int i = 0; i < REPEATS_LINES; ++i)
        has |= (i < x->a.nrows && x->row[i] == 0) || (i < x->a.ncols && x->col[i] == 0);
    return has;
}

/* Blocks have no lines that occur 0 times. */
static void random_block(pm_field field, repeats *out)
{
    repeats_random(&rng, field, out);
    while (has_unused_lines(out)) {
        pm_matrix_free(&out->a);
        repeats_random(&rng, field, out);
    }
}

static void definition(void **state)
{
    (void)state;
    host_gpu_reset();
    for (int round = 0; round < test_rounds(12); ++round) {
        repeats x;
        pm_cnum exact = {0};
        pm_repeated_gpu_choice c = random_choice();
        random_block((pm_field)(round % 4), &x);
        repeats_exact(&x, &exact);
        check(&x, pm_rng_below(&rng, 2), &c, &exact);
        pm_cnum_clear(&exact);
        pm_matrix_free(&x.a);
    }
}

/* Integers of up to 12 bits; several primes where they are large. */
static void words(void **state)
{
    (void)state;
    host_gpu_reset();
    for (int round = 0; round < test_rounds(8); ++round) {
        repeats x;
        int a[ENTRIES][2], m = 1 + round % 4;
        pm_cnum exact = {0};
        pm_repeated_gpu_choice c = random_choice();
        c.in_words = true;
        repeats_full(&rng, PM_INTEGER, m, 1, 1 << (round % 3 * 6), &x, a);
        x.n = m + pm_rng_below(&rng, 10 - (uint32_t)m);
        repeats_divide(&rng, x.n, m, 1, x.row);
        repeats_divide(&rng, x.n, m, 1, x.col);
        repeats_exact(&x, &exact);
        check(&x, false, &c, &exact);
        pm_cnum_clear(&exact);
        pm_matrix_free(&x.a);
    }
}

/* ---- as the CPU ---- */

static pm_status count(const repeats *x, pm_count_options o, const pm_run *run, pm_value *v,
                       pm_count_report *report, pm_error *err)
{
    o.row_times = x->row;
    o.col_times = x->col;
    return pm_count(&x->a, &o, run, v, report, err);
}

static void many_copies(void **state)
{
    static const struct {
        int m;
        int64_t copies;
    } sizes[] = {{2, 20}, {3, 20}, {4, 10}, {5, 5}, {6, 3}, {7, 2}, {1, 50}, {2, 90}};
    (void)state;
    host_gpu_reset();
    for (size_t k = pm_rng_below(&rng, 2); k < sizeof sizes / sizeof *sizes;
         k += 2 * (size_t)test_step(2))
        for (int f = 0; f < 3; ++f) {
            static const pm_field fields[] = {PM_INTEGER, PM_REAL, PM_COMPLEX};
            repeats x;
            int a[ENTRIES][2];
            pm_value here, there;
            pm_repeated_gpu_choice c = random_choice();
            c.slow = (int32_t)pm_rng_below(&rng, 12);
            pm_value_init(&here);
            pm_value_init(&there);
            repeats_full(&rng, fields[f], sizes[k].m, sizes[k].copies, 9, &x, a);
            assert_int_equal(count(&x, pm_count_defaults(), NULL, &here, NULL, NULL), PM_OK);
            permanent(&x, false, fmax(0, pm_value_log10_abs(&here) * log2(10)), &c, &there);
            assert_true(values_agree(&here, &there));
            pm_value_clear(&here);
            pm_value_clear(&there);
            pm_matrix_free(&x.a);
        }
}

/* ---- the choice of the planner ---- */

static pm_count_options on_device(void)
{
    pm_count_options o = pm_count_defaults();
    o.backend = PM_BACKEND_CUDA;
    o.algorithm = "repeated";
    return o;
}

/* With the copies given, named or not, or written out: on the device, with the answer of the CPU. */
static void counted_there(void **state)
{
    (void)state;
    host_gpu_reset();
    for (int round = 0; round < test_rounds(12); ++round) {
        repeats x;
        int a[ENTRIES][2];
        pm_matrix b;
        pm_value here, there;
        pm_count_report report;
        pm_count_options o = on_device();
        o.precision = (pm_precision)pm_rng_below(&rng, PM_SINGLE + 1);
        o.algorithm = round % 4 == 1 ? NULL : o.algorithm;
        repeats_full(&rng, (pm_field[]){PM_INTEGER, PM_REAL, PM_COMPLEX}[round % 3], 4, 3, 9, &x,
                     a);
        pm_value_init(&here);
        pm_value_init(&there);
        assert_int_equal(count(&x, pm_count_defaults(), NULL, &here, NULL, NULL), PM_OK);
        if (round % 2) {
            assert_int_equal(count(&x, o, NULL, &there, &report, NULL), PM_OK);
        } else {
            assert_int_equal(pm_matrix_repeat(&x.a, x.row, x.col, &b, NULL), PM_OK);
            assert_int_equal(pm_count(&b, &o, NULL, &there, &report, NULL), PM_OK);
            pm_matrix_free(&b);
        }
        assert_int_equal(report.blocks[0].backend, PM_BACKEND_CUDA);
        assert_string_equal(report.blocks[0].algorithm, "repeated");
        assert_true(values_agree(&here, &there));
        pm_count_report_free(&report);
        pm_value_clear(&here);
        pm_value_clear(&there);
        pm_matrix_free(&x.a);
    }
}

/* Where it takes less than all else, it is taken: 8 different rows, 20 copies of each. */
static void chosen(void **state)
{
    (void)state;
    repeats x;
    int a[ENTRIES][2];
    pm_value v;
    pm_count_report report;
    pm_count_options o = pm_count_defaults();
    o.backend = PM_BACKEND_AUTO;
    o.plan_only = true;
    host_gpu_reset();
    pm_value_init(&v);
    for (int copies = 3; copies <= 20; copies += 17) {
        repeats_full(&rng, PM_COMPLEX, 8, copies, 9, &x, a);
        assert_int_equal(count(&x, o, NULL, &v, &report, NULL), PM_OK);
        assert_string_equal(report.blocks[0].algorithm, "repeated");
        assert_int_equal(report.blocks[0].backend, copies == 3 ? PM_BACKEND_CPU : PM_BACKEND_CUDA);
        pm_count_report_free(&report);
        pm_matrix_free(&x.a);
    }
    pm_value_clear(&v);
}

/* ---- digits, devices and stops ---- */

static void several_devices(void **state)
{
    (void)state;
    for (int f = 0; f < 2; ++f) {
        repeats x;
        int a[ENTRIES][2];
        pm_value one, many;
        pm_count_options o = on_device();
        pm_value_init(&one);
        pm_value_init(&many);
        host_gpu_reset();
        repeats_full(&rng, f ? PM_COMPLEX : PM_INTEGER, 6, test_size(4, 2), 1000, &x, a);
        x.row[0] = x.col[0] = 5;
        x.row[5] = x.col[5] = 3;
        assert_int_equal(count(&x, o, NULL, &one, NULL, NULL), PM_OK);
        host_gpu_state.devices = 3;
        host_gpu_state.double_rate = 1e6;
        o.gpus = -1;
        o.precision = PM_QUAD; /* what the first one took */
        for (int resident = 1; resident <= 64; resident *= 8 * test_step(8)) {
            host_gpu_state.resident = resident;
            assert_int_equal(count(&x, o, NULL, &many, NULL, NULL), PM_OK);
            assert_memory_equal(&one.re, &many.re, sizeof one.re);
            assert_memory_equal(&one.im, &many.im, sizeof one.im);
            assert_memory_equal(&one.error, &many.error, sizeof one.error);
            assert_true(values_agree(&one, &many));
        }
        pm_value_clear(&one);
        pm_value_clear(&many);
        pm_matrix_free(&x.a);
    }
}

static volatile sig_atomic_t stop;

static void stop_now(void)
{
    stop = SIGINT;
}

/* By a signal during the first launch, or by a limit of time: no more than are under way follow. */
static void stopped(void **state)
{
    (void)state;
    for (int by_time = 0; by_time < 2; ++by_time) {
        repeats x;
        int a[ENTRIES][2];
        pm_value v;
        pm_run run = {.stop = &stop};
        repeats_full(&rng, PM_REAL, 7, 4, 9, &x, a);
        host_gpu_reset();
        host_gpu_state.on_launch = by_time ? NULL : stop_now;
        stop = 0;
        run.deadline = by_time ? pm_clock() : 0;
        pm_value_init(&v);
        assert_int_equal(count(&x, on_device(), &run, &v, NULL, NULL), PM_ESTOPPED);
        assert_in_range(host_gpu_state.calls[HOST_GPU_START], 0, PM_GPU_SLOTS);
        assert_int_equal(host_gpu_state.open, 0);
        pm_value_clear(&v);
        pm_matrix_free(&x.a);
    }
}

static void no_memory(void **state)
{
    (void)state;
    for (int f = 0; f < 2; ++f) {
        repeats x;
        int a[ENTRIES][2];
        pm_value v;
        pm_error err;
        pm_run run = {.threads = 1};
        pm_status status = PM_ENOMEM;
        host_gpu_reset();
        repeats_full(&rng, f ? PM_REAL : PM_INTEGER, 3, 2, 5, &x, a);
        for (int64_t k = 1; status; ++k) {
            pm_count_report report = {0};
            pm_value_init(&v);
            pm_alloc_fail_at(k);
            status = count(&x, on_device(), &run, &v, &report, &err);
            pm_alloc_fail_at(0);
            assert_true(status == PM_OK || status == PM_ENOMEM);
            assert_int_equal(host_gpu_state.open, 0);
            pm_count_report_free(&report);
            pm_value_clear(&v);
        }
        pm_matrix_free(&x.a);
    }
}

/* ---- tiles, spread and limits ---- */

static void divisions(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(100); ++round) {
        pm_square s = {.n = 1 + (int32_t)pm_rng_below(&rng, 12)};
        pm_repeated_digits d;
        double least = ldexp(1, (int)pm_rng_below(&rng, 12));
        int64_t most = 1 + pm_rng_below(&rng, 100), product = 1;
        uint64_t all = 1;
        bool seen[PM_SQUARE_MAX] = {false};
        for (int32_t j = 0; j < s.n; ++j)
            s.col_times[j] = 1 + (int32_t)pm_rng_below(&rng, 6);
        assert_int_equal(pm_repeated_digits_divide(&s, least, most, &d, NULL), PM_OK);
        assert_int_equal(d.count, s.n);
        for (int32_t j = 0; j < d.count; ++j) {
            const pm_repeated_digit *g = &d.digit[j];
            assert_false(seen[g->column]);
            seen[g->column] = true;
            assert_int_equal(g->times, s.col_times[g->column]);
            assert_int_equal(g->radix, g->times + 1);
            if (j < d.inner)
                product *= g->radix;
            else
                all *= (uint64_t)g->radix;
        }
        assert_int_equal(product, d.patterns);
        assert_int_equal((all + 1) / 2, d.tiles);
        assert_true(d.patterns <= most && (d.inner == 0 || (double)d.tiles >= least));
    }
}

/* log of the spread by sampled terms over that of all terms, for sums over 1094 tiles. */
static double spread_ratio(pm_field field)
{
    repeats x;
    pm_square s;
    int a[ENTRIES][2];
    double spread[2];
    repeats_full(&rng, field, 8, 2, 1 << 20, &x, a);
    repeats_square(&x, false, 62, &s);
    for (int32_t i = 0; i < s.n; ++i)
        s.inexact[i] = ldexp((double)s.bound[i], -53);
    for (int i = 0; i < 2; ++i) {
        const pm_repeated_gpu_choice c = {
            .precision = PM_KAHAN, .gpus = 1, .slow = i ? 9 : EVERY, .rate = 1e12};
        pm_sweep sweep;
        pm_sum sum;
        assert_int_equal(pm_repeated_gpu_prepare(&s, &c, &sweep, NULL), PM_OK);
        assert_int_equal(sweep.sampled, i);
        assert_int_equal(pm_sweep_range(&sweep, 0, sweep.count, NULL, &sum, NULL), PM_OK);
        spread[i] = sum.spread;
        assert_true(spread[i] > 0);
        pm_sweep_free(&sweep);
    }
    pm_square_free(&s);
    pm_matrix_free(&x.a);
    return log(spread[1] / spread[0]);
}

/* The mean of 16 logarithms, each with a standard deviation of 0.25 (seen in 120 runs: 0.45 to 1.7
 * as ratios), has one of 0.06; log 2 is eleven times that. */
static void sampled_spread(void **state)
{
    enum { ROUNDS = 16 };
    double sum = 0;
    (void)state;
    host_gpu_reset();
    for (int round = 0; round < ROUNDS; ++round)
        sum += spread_ratio(round % 2 ? PM_COMPLEX : PM_REAL);
    assert_true(fabs(sum / ROUNDS) < log(2));
}

static void refused(pm_field field, int m, int64_t copies, int most, const char *why)
{
    repeats x;
    int a[ENTRIES][2];
    pm_value v;
    pm_error err;
    pm_value_init(&v);
    repeats_full(&rng, field, m, copies, most, &x, a);
    assert_int_equal(count(&x, on_device(), NULL, &v, NULL, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, why));
    pm_value_clear(&v);
    pm_matrix_free(&x.a);
}

static void limits(void **state)
{
    (void)state;
    host_gpu_reset();
    refused(PM_REAL, 2, 321, 5, "up to 640 rows");
    refused(PM_INTEGER, 1, 70000, 1, "up to 65536 columns");
    for (int narrow = 0; narrow < 2; ++narrow) {
        repeats x;
        pm_square s;
        pm_sweep sweep;
        pm_error err;
        int a[ENTRIES][2];
        const pm_repeated_gpu_choice c = {.gpus = 1, .slow = 3, .rate = 1e12, .in_words = narrow};
        uint64_t prime = pm_prime_below(narrow ? PM_WORD_PRIME_MAX : PM_GPU_PRIME_MAX);
        repeats_full(&rng, PM_INTEGER, 3, 2, 9, &x, a);
        repeats_square(&x, false, 50, &s);
        s.bound[1] = (INT64_C(1) << (narrow ? PM_WORD_BITS : PM_GPU_BITS)) - 1;
        assert_int_equal(pm_repeated_gpu_prepare_modular(&s, &c, &prime, 1, &sweep, &err), PM_OK);
        pm_sweep_free(&sweep);
        ++s.bound[1];
        assert_int_equal(pm_repeated_gpu_prepare_modular(&s, &c, &prime, 1, &sweep, &err),
                         PM_UNABLE);
        assert_non_null(strstr(err.msg, "too large for repeated on GPUs"));
        pm_square_free(&s);
        pm_matrix_free(&x.a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definition),  cmocka_unit_test(words),
        cmocka_unit_test(many_copies), cmocka_unit_test(counted_there),
        cmocka_unit_test(chosen),      cmocka_unit_test(several_devices),
        cmocka_unit_test(stopped),     cmocka_unit_test(no_memory),
        cmocka_unit_test(divisions),   cmocka_unit_test(sampled_spread),
        cmocka_unit_test(limits),
    };
    rng = test_seed();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pm_gpu_end();
    kept_texts_end();
    return failed;
}
