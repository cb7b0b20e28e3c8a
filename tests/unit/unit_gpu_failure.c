/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counting on devices that fail, are stopped, or are several, with a double in place of src/gpu:
 * host_gpu.h.  The double does run the kernels, so that answers are answers. */
#include "config.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm/rates.h"
#include "core/machine.h"
#include "pm/count.h"
#include "pm/settings.h"
#include "support/answers.h"
#include "support/host_frontier.h"
#include "support/host_gpu.h"
#include "support/kept_texts.h"
#include "support/matrices.h"
#include "support/testing.h"
#include "sweep/gpu_arithmetic.h"

static uint64_t rng;

/* ---- what is asked ---- */

typedef struct {
    int notes; /* that everybody sees */
    char note[1024];
    volatile sig_atomic_t stop;
} listener;

static void listen(void *context, int level, const char *line)
{
    listener *l = context;
    if (level > 0)
        return;
    ++l->notes;
    snprintf(l->note, sizeof l->note, "%s", line);
}

static double predicted(const pm_matrix *a, const pm_count_options *o)
{
    pm_count_report report;
    pm_value v;
    pm_value_init(&v);
    assert_int_equal(pm_count(a, o, NULL, &v, &report, NULL), PM_OK);
    double seconds = report.seconds;
    pm_count_report_free(&report);
    pm_value_clear(&v);
    return seconds;
}

/* Rates at which the CPU would take ten seconds or more, so that a GPU is asked. */
static void slow_rates(const pm_matrix *a, const pm_count_options *like, pm_rates *out)
{
    pm_count_options o = *like;
    o.plan_only = true;
    o.backend = PM_BACKEND_CPU;
    o.rates = out;
    *out = pm_rates_nominal;
    while (predicted(a, &o) < 10)
        for (int r = 0; r < PM_RATES; ++r)
            out->seconds[r] *= 2;
}

/* Of full or sparse matrices, what a device counts. */
typedef struct {
    const char *algorithm;
    pm_field field;
    int n;
    double density;
} work;

static const work works[] = {
    {"ryser", PM_PATTERN, 13, 1},          {"ryser", PM_REAL, 13, 1},
    {"product-tree", PM_PATTERN, 14, 0.4}, {"product-tree", PM_REAL, 14, 0.4},
    {"skipper", PM_PATTERN, 13, 0.4},      {"sparyser", PM_COMPLEX, 12, 0.4},
    {"frontier", PM_PATTERN, 12, 0.3},     {"frontier", PM_REAL, 12, 0.3},
    {"repeated", PM_PATTERN, 12, 0.8},     {"repeated", PM_COMPLEX, 11, 1},
};
enum { WORKS = sizeof works / sizeof *works };

/* A zero from an empty frontier program is no work. */
static bool is_zero(const pm_matrix *a)
{
    pm_value v;
    pm_count_options o = pm_count_defaults();
    pm_value_init(&v);
    assert_int_equal(pm_count(a, &o, NULL, &v, NULL, NULL), PM_OK);
    bool is = pm_value_is_exact(&v) ? mpq_sgn(v.exact) == 0 : v.re.hi == 0 && v.im.hi == 0;
    pm_value_clear(&v);
    return is;
}

static void make_matrix(const work *w, pm_matrix *a)
{
    random_matrix(&rng, w->field, w->n, w->n, w->density, a);
    while (is_zero(a)) {
        pm_matrix_free(a);
        random_matrix(&rng, w->field, w->n, w->n, w->density, a);
    }
}

static pm_count_options options_of(const work *w, pm_backend backend)
{
    pm_count_options o = pm_count_defaults();
    o.algorithm = w->algorithm;
    o.backend = backend;
    o.reduce = (pm_reduce_options){0};
    return o;
}

/* The same answer as the CPU's. */
static void assert_right(const pm_matrix *a, const pm_value *v)
{
    pm_value here;
    pm_count_options o = pm_count_defaults();
    pm_value_init(&here);
    assert_int_equal(pm_count(a, &o, NULL, &here, NULL, NULL), PM_OK);
    assert_true(values_agree(&here, v));
    pm_value_clear(&here);
}

/* ---- without failures ---- */

static void devices_count(void **state)
{
    (void)state;
    for (int i = 0; i < WORKS; ++i) {
        pm_matrix a;
        pm_value v;
        pm_rates rates;
        pm_count_report report;
        listener l = {0};
        pm_run run = {.note = listen, .context = &l};
        pm_count_options o = options_of(&works[i], PM_BACKEND_AUTO);
        host_gpu_reset();
        make_matrix(&works[i], &a);
        slow_rates(&a, &o, &rates);
        o.rates = &rates;
        pm_value_init(&v);
        assert_int_equal(pm_count(&a, &o, &run, &v, &report, NULL), PM_OK);
        assert_int_equal(report.blocks[0].backend, PM_BACKEND_CUDA);
        assert_int_equal(l.notes, 0);
        assert_int_equal(host_gpu_state.open, 0);
        assert_right(&a, &v);
        pm_count_report_free(&report);
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

/* Integers in words where a device is slow with doubles, or that is said; otherwise in doubles; and
 * large ones too. */
static void words_for_slow_devices(void **state)
{
    (void)state;
    static const char *const said[] = {NULL, "words", "doubles"};
    for (int i = 0; i < 12; i += test_step(5)) {
        pm_matrix a;
        pm_value v;
        pm_count_options o = options_of(&works[i % 4 / 2 * 2], PM_BACKEND_CUDA);
        const work w = {o.algorithm, i % 2 ? PM_INTEGER : PM_PATTERN, 12, 0.5};
        host_gpu_reset();
        host_gpu_state.double_rate /= i % 4 == 3 ? 1 : 64;
        make_matrix(&w, &a);
        pm_settings_set(&(pm_settings){.gpu_integers = said[i / 4]});
        pm_value_init(&v);
        assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
        assert_right(&a, &v);
        bool in_words = strstr(kept_text_last(), "#define PM_KIND 5")
                        || strstr(kept_text_last(), "#define PM_CELL int");
        bool is_fast = i % 4 == 3, is_large = w.field == PM_INTEGER;
        assert_true(in_words == (said[i / 4] ? i / 4 == 1 : !is_fast) || is_large);
        pm_settings_set(&(pm_settings){0});
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

/* Full, of integers of 14 bits: the compiler takes longest, the fewer primes a kernel has the
 * better. */
static void fewer_primes_compile_sooner(void **state)
{
    (void)state;
    enum { N = 21 }; /* so that places flip */
    if (test_step(2) > 1)
        skip();
    pm_triples t = {.field = PM_INTEGER, .nrows = N, .ncols = N};
    pm_matrix a;
    pm_value v;
    pm_count_options o = options_of(&works[2], PM_BACKEND_CUDA);
    for (int k = 0; k < N * N; ++k) {
        pm_dyadic entry = {0};
        pm_dyadic_set_si(&entry, 1 + (int64_t)(pm_rng_next(&rng) >> 50));
        assert_int_equal(pm_triples_add(&t, k / N, k % N, 0, &entry, NULL, NULL), PM_OK);
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
    host_gpu_reset();
    pm_settings_set(&(pm_settings){.gpu_integers = "words"});
    pm_value_init(&v);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
    assert_right(&a, &v);
    double primes = log2(mpz_get_d(mpq_numref(v.exact))) / log2(PM_WORD_PRIME_MAX);
    assert_true(host_gpu_state.calls[HOST_GPU_OPEN] > primes);
    pm_settings_set(&(pm_settings){0});
    pm_value_clear(&v);
    pm_matrix_free(&a);
    pm_triples_free(&t);
}

/* A full complex matrix in pairs of doubles, in constant memory: up to n = 44. */
static void little_constant_memory(void **state)
{
    (void)state;
    for (int n = 44; n <= 46; n += 2) {
        pm_matrix a;
        pm_value v;
        pm_error err;
        pm_count_options o = pm_count_defaults();
        o.algorithm = "ryser";
        o.backend = PM_BACKEND_CUDA;
        o.precision = PM_QUAD;
        o.placement = (pm_placement){PM_IN_SHARED, PM_IN_CONSTANT, false};
        o.plan_only = true;
        o.reduce = (pm_reduce_options){0};
        host_gpu_reset();
        random_matrix(&rng, PM_COMPLEX, n, n, 1, &a);
        pm_value_init(&v);
        pm_status rc = pm_count(&a, &o, NULL, &v, NULL, &err);
        assert_int_equal(rc, n == 44 ? PM_OK : PM_UNABLE);
        assert_true(rc == PM_OK || strstr(err.msg, "bytes of constant memory, a GPU has 65536"));
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

/* Row sums that do not fit where a block has little shared memory are refused before anything runs;
 * trees make do with what there is. */
static void little_shared_memory(void **state)
{
    (void)state;
    static const work wanting = {"skipper", PM_COMPLEX, 16, 0.4};
    static const work frugal = {"product-tree", PM_REAL, 17, 0.5};
    pm_matrix a;
    pm_value v;
    pm_error err;
    pm_count_options o = options_of(&wanting, PM_BACKEND_CUDA);
    host_gpu_reset();
    make_matrix(&wanting, &a);
    pm_value_init(&v);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
    host_gpu_state.shared = 12 << 10;
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, "shared memory"));
    pm_matrix_free(&a);
    make_matrix(&frugal, &a);
    o = options_of(&frugal, PM_BACKEND_CUDA);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
    assert_right(&a, &v);
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

static bool has_lanes(const char *text)
{
    return strstr(text, "#define PM_LANES 1\n") || strstr(text, "#define PM_LANES 4\n");
}

static bool has_two_lanes(const char *text)
{
    return strstr(text, "#define PM_LANES 2\n");
}

/* Without a compiler the frontier makes do with kernels that are ready, and nothing else goes
 * there. */
static void kernels_ahead_of_time(void **state)
{
    (void)state;
    pm_matrix a;
    pm_value v;
    const work exact = {"frontier", PM_INTEGER, 12, 0.3}, full = {"ryser", PM_REAL, 10, 1};
    pm_count_options o = options_of(&exact, PM_BACKEND_CUDA);
    host_gpu_reset();
    host_gpu_state.lacks_compiler = true;
    make_matrix(&exact, &a); /* any number of moduli */
    pm_value_init(&v);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_ENODEV);
    host_gpu_state.is_ready = has_two_lanes; /* one is the least that must be there */
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_ENODEV);
    host_gpu_state.is_ready = has_lanes;
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
    assert_true(has_lanes(kept_text_last()));
    assert_right(&a, &v);
    o.algorithm = NULL; /* others that have no kernel do not stand in its way */
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
    assert_right(&a, &v);
    pm_matrix_free(&a);
    make_matrix(&full, &a);
    o = options_of(&full, PM_BACKEND_CUDA);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_ENODEV);
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

/* ---- failures ---- */

static bool is_called(host_gpu_call call, const work *w)
{
    bool is_session = strcmp(w->algorithm, "frontier") == 0;
    switch (call) {
    case HOST_GPU_COUNT:
    case HOST_GPU_LOOK:
    case HOST_GPU_CAN_COMPILE:
    case HOST_GPU_COMPILE: return true;
    case HOST_GPU_OPEN:
    case HOST_GPU_START:
    case HOST_GPU_FINISH: return !is_session;
    case HOST_GPU_WAIT: return false; /* while long frontier programs run */
    case HOST_GPU_COPY:
    case HOST_GPU_SPREAD: return false; /* one device has room */
    default: return is_session;
    }
}

/* The k-th call of a kind fails. */
static void fail_at(const work *w, const pm_matrix *a, const pm_rates *rates, host_gpu_call call,
                    int k)
{
    pm_value v;
    pm_error err = {.msg = ""};
    pm_count_report report;
    listener l = {0};
    pm_run run = {.note = listen, .context = &l};
    pm_count_options o = options_of(w, PM_BACKEND_AUTO);
    o.rates = rates;
    pm_value_init(&v);
    host_gpu_reset();
    host_gpu_state.fails_at[call] = k;
    assert_int_equal(pm_count(a, &o, &run, &v, &report, &err), PM_OK);
    assert_int_equal(report.blocks[0].backend, PM_BACKEND_CPU);
    assert_true(report.seconds == report.blocks[0].seconds);
    assert_right(a, &v);
    assert_int_equal(l.notes, call == HOST_GPU_COUNT ? 0 : 1);
    assert_true(call == HOST_GPU_COUNT || strstr(l.note, "CPU"));
    assert_int_equal(host_gpu_state.open, 0);
    pm_count_report_free(&report);

    host_gpu_reset();
    host_gpu_state.fails_at[call] = k;
    o.backend = PM_BACKEND_CUDA;
    assert_int_equal(pm_count(a, &o, &run, &v, NULL, &err), PM_ENODEV);
    assert_true(strlen(err.msg) > 0 && !strchr(err.msg, '\n'));
    assert_int_equal(host_gpu_state.open, 0);
    pm_value_clear(&v);
}

static void any_call_may_fail(void **state)
{
    (void)state;
    for (int i = 0; i < WORKS; ++i) {
        pm_matrix a;
        pm_rates rates;
        pm_count_options o = options_of(&works[i], PM_BACKEND_AUTO);
        make_matrix(&works[i], &a);
        slow_rates(&a, &o, &rates);
        for (host_gpu_call call = 0; call < HOST_GPU_CALLS; ++call)
            if (is_called(call, &works[i]))
                fail_at(&works[i], &a, &rates, call, 1);
        /* when part of it is done */
        if (strcmp(works[i].algorithm, "frontier") == 0)
            fail_at(&works[i], &a, &rates, HOST_GPU_LAUNCH, 3);
        pm_matrix_free(&a);
    }
}

/* A device that is there no more when it is asked for again: it is reported all the same, once. */
static void a_device_is_lost(void **state)
{
    (void)state;
    for (int i = 0; i < WORKS; i += 7) {
        pm_matrix a;
        pm_value v;
        pm_rates rates;
        pm_count_options o = options_of(&works[i], PM_BACKEND_AUTO);
        make_matrix(&works[i], &a);
        slow_rates(&a, &o, &rates);
        o.rates = &rates;
        pm_value_init(&v);
        for (int call = 1; call <= 8; ++call) {
            listener l = {0};
            pm_run run = {.note = listen, .context = &l};
            host_gpu_reset();
            host_gpu_state.calls_left = call;
            for (int again = 0; again < 2; ++again) {
                assert_int_equal(pm_count(&a, &o, &run, &v, NULL, NULL), PM_OK);
                assert_int_equal(l.notes, 1);
                assert_right(&a, &v);
            }
        }
        pm_value_clear(&v);
        pm_matrix_free(&a);
    }
}

/* What the CPU may not take either: the message has both. */
static void too_dear_for_the_cpu(void **state)
{
    (void)state;
    const work w = {"ryser", PM_REAL, 13, 1};
    pm_matrix a;
    pm_value v;
    pm_rates rates;
    pm_error err = {.msg = ""};
    listener l = {0};
    pm_run run = {.note = listen, .context = &l, .max_cost = 5, .threads = 1};
    pm_count_options o = options_of(&w, PM_BACKEND_AUTO);
    host_gpu_reset();
    make_matrix(&w, &a);
    slow_rates(&a, &o, &rates);
    o.rates = &rates;
    host_gpu_state.fails_at[HOST_GPU_START] = 1;
    pm_value_init(&v);
    assert_int_equal(pm_count(&a, &o, &run, &v, NULL, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, "starting failed"));
    assert_non_null(strstr(err.msg, "allowed are"));
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

/* Two blocks, n = 12 each, all but the diagonal: no twins. */
static void make_two_blocks(pm_matrix *a)
{
    enum { N = 12 };
    pm_triples t = {.field = PM_PATTERN, .nrows = 2 * N, .ncols = 2 * N};
    for (int i = 0; i < 2 * N; ++i)
        for (int j = i / N * N; j < i / N * N + N; ++j)
            if (j != i)
                assert_int_equal(pm_triples_add(&t, i, j, 0, NULL, NULL, NULL), PM_OK);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "two", a, NULL), PM_OK);
    pm_triples_free(&t);
}

/* The second block finds what the first one loaded, on each device, and so does the next graph. */
static void kernels_stay(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"ryser", "frontier"};
    for (int i = 0; i < 2; ++i)
        for (int gpus = 1; gpus <= 2; ++gpus) {
            pm_matrix a;
            pm_value v;
            pm_count_report report;
            pm_count_options o = pm_count_defaults();
            o.algorithm = algorithms[i];
            o.backend = PM_BACKEND_CUDA;
            o.gpus = gpus;
            host_gpu_reset();
            host_gpu_state.devices = gpus;
            make_two_blocks(&a);
            pm_value_init(&v);
            for (int again = 0; again < 2; ++again) {
                assert_int_equal(pm_count(&a, &o, NULL, &v, &report, NULL), PM_OK);
                assert_int_equal(report.nblocks, 2);
                assert_right(&a, &v);
                pm_count_report_free(&report);
                int used = i ? 1 : gpus; /* one residue: one device */
                assert_int_equal(host_gpu_state.calls[HOST_GPU_COMPILE], used);
                assert_int_equal(host_gpu_state.loaded, used);
                assert_int_equal(host_gpu_state.open, 0);
            }
            pm_gpu_end();
            assert_int_equal(host_gpu_state.loaded, 0);
            assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL),
                             PM_OK); /* from the beginning */
            assert_right(&a, &v);
            pm_value_clear(&v);
            pm_matrix_free(&a);
        }
}

/* Two blocks: the second one does not try again. */
static void one_failure_is_told(void **state)
{
    (void)state;
    pm_matrix a;
    pm_value v;
    pm_rates rates;
    pm_count_report report;
    listener l = {0};
    pm_run run = {.note = listen, .context = &l};
    pm_count_options o = pm_count_defaults();
    make_two_blocks(&a);
    host_gpu_reset();
    host_gpu_state.fails_at[HOST_GPU_FINISH] = 1;
    o.algorithm = "ryser";
    o.backend = PM_BACKEND_AUTO;
    slow_rates(&a, &o, &rates);
    for (int r = 0; r < PM_RATES; ++r)
        rates.seconds[r] *= 2;
    o.rates = &rates;
    pm_value_init(&v);
    assert_int_equal(pm_count(&a, &o, &run, &v, &report, NULL), PM_OK);
    assert_int_equal(report.nblocks, 2);
    for (int i = 0; i < 2; ++i)
        assert_int_equal(report.blocks[i].backend, PM_BACKEND_CPU);
    assert_int_equal(l.notes, 1);
    assert_int_equal(host_gpu_state.calls[HOST_GPU_OPEN], 1);
    assert_right(&a, &v);
    pm_count_report_free(&report);
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

/* Only there: nothing can take its place. */
static void named_for_a_gpu(void **state)
{
    (void)state;
    const work w = {"codegen", PM_REAL, 10, 0.5};
    pm_matrix a;
    pm_value v;
    pm_error err = {.msg = ""};
    pm_count_options o = options_of(&w, PM_BACKEND_AUTO);
    host_gpu_reset();
    host_gpu_state.fails_at[HOST_GPU_OPEN] = 1;
    make_matrix(&w, &a);
    pm_value_init(&v);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, &err), PM_ENODEV);
    assert_non_null(strstr(err.msg, "opening failed"));
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

/* ---- being stopped ---- */

static listener *stopped;

static void stop_now(void)
{
    stopped->stop = SIGINT;
}

/* A signal during the first launch: no more than are under way follow. */
static void a_signal_ends_it(void **state)
{
    (void)state;
    static const work long_works[] = {
        {"ryser", PM_REAL, 18, 1}, {"frontier", PM_PATTERN, 16, 0.4}, {"repeated", PM_REAL, 18, 1}};
    for (int i = 0; i < 3; ++i)
        for (int gpus = 1; gpus <= 2; ++gpus) {
            pm_matrix a;
            pm_value v;
            pm_error err;
            listener l = {0};
            pm_run run = {.stop = &l.stop};
            pm_count_options o = options_of(&long_works[i], PM_BACKEND_CUDA);
            o.gpus = gpus;
            host_gpu_reset();
            host_gpu_state.devices = gpus;
            host_gpu_state.double_rate = 1e6; /* small launches */
            host_gpu_state.on_launch = stop_now;
            stopped = &l;
            make_matrix(&long_works[i], &a);
            pm_value_init(&v);
            assert_int_equal(pm_count(&a, &o, &run, &v, NULL, &err), PM_ESTOPPED);
            assert_in_range(host_gpu_state.calls[HOST_GPU_START], 0, PM_GPU_SLOTS * gpus);
            assert_in_range(host_gpu_state.calls[HOST_GPU_LAUNCH], 0, gpus);
            assert_int_equal(host_gpu_state.open, 0);
            pm_value_clear(&v);
            pm_matrix_free(&a);
        }
}

/* ---- several devices ---- */

/* Same digits, whatever is launched where. */
static void devices_share(void **state)
{
    (void)state;
    static const work shared[] = {{"ryser", PM_REAL, 17, 1},
                                  {"product-tree", PM_REAL, 18, 0.5},
                                  {"frontier", PM_PATTERN, 14, 0.4},
                                  {"repeated", PM_REAL, 16, 1}};
    for (int i = 0; i < 4; ++i) {
        pm_matrix a;
        pm_value one, many;
        pm_count_options o = options_of(&shared[i], PM_BACKEND_CUDA);
        host_gpu_reset();
        make_matrix(&shared[i], &a);
        pm_value_init(&one);
        pm_value_init(&many);
        assert_int_equal(pm_count(&a, &o, NULL, &one, NULL, NULL), PM_OK);
        host_gpu_state.devices = 3;
        host_gpu_state.double_rate = 1e6;
        o.gpus = -1;
        for (int resident = 1; resident <= 64; resident *= 4 * test_step(4)) {
            host_gpu_state.resident = resident;
            assert_int_equal(pm_count(&a, &o, NULL, &many, NULL, NULL), PM_OK);
            assert_memory_equal(&one.re, &many.re, sizeof one.re);
            assert_memory_equal(&one.error, &many.error, sizeof one.error);
            assert_true(values_agree(&one, &many));
        }
        o.gpus = 4;
        assert_int_equal(pm_count(&a, &o, NULL, &many, NULL, NULL), PM_ENODEV);
        pm_value_clear(&one);
        pm_value_clear(&many);
        pm_matrix_free(&a);
    }
}

/* ---- memory that others use ---- */

/* What the frontier takes must fit each device that is used; if it is found out late, the CPU
 * counts. */
static void one_device_is_small(void **state)
{
    (void)state;
    const work w = {"frontier", PM_PATTERN, 12, 0.3};
    pm_matrix a;
    pm_value v;
    pm_error err;
    pm_rates rates;
    pm_count_options o = options_of(&w, PM_BACKEND_CUDA), either = options_of(&w, PM_BACKEND_AUTO);
    host_gpu_reset();
    make_matrix(&w, &a);
    slow_rates(&a, &either, &rates);
    either.rates = &rates;
    host_gpu_state.devices = 2;
    host_gpu_state.less = host_gpu_state.memory - PM_GPU_RESERVED_BYTES - 100;
    pm_value_init(&v);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
    host_gpu_state.devices = 1;
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, &err), PM_ENODEV);
    assert_non_null(strstr(err.msg, "100 B"));
    listener l = {0};
    pm_run run = {.note = listen, .context = &l};
    assert_int_equal(pm_count(&a, &either, &run, &v, NULL, NULL), PM_OK);
    assert_non_null(strstr(l.note, "100 B; counted on the CPU instead"));
    assert_right(&a, &v);
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

/* Bytes of the plan for the frontier. */
static double planned_bytes(const pm_matrix *a)
{
    pm_value v;
    pm_count_report report;
    pm_count_options o = pm_count_defaults();
    o.algorithm = "frontier";
    o.backend = PM_BACKEND_CUDA;
    o.plan_only = true;
    pm_value_init(&v);
    assert_int_equal(pm_count(a, &o, NULL, &v, &report, NULL), PM_OK);
    double bytes = report.blocks[0].memory;
    pm_count_report_free(&report);
    pm_value_clear(&v);
    return bytes;
}

/* Devices are asked what they have free, and started for that, if a plan takes a quarter of
 * them. */
static void small_plans_start_nothing(void **state)
{
    (void)state;
    pm_matrix a;
    random_matrix(&rng, PM_REAL, 27, 27, 0.6, &a);
    host_gpu_reset();
    double bytes = planned_bytes(&a);
    assert_true(bytes > (double)PM_GPU_RESERVED_BYTES / 2
                && bytes < (double)host_gpu_state.memory / 4);
    assert_int_equal(host_gpu_state.calls[HOST_GPU_FREE_MEMORY], 0);
    host_gpu_state.memory = PM_GPU_RESERVED_BYTES + PM_GPU_LOADED_BYTES + (int64_t)bytes;
    assert_true(planned_bytes(&a) == bytes);
    assert_int_equal(host_gpu_state.calls[HOST_GPU_FREE_MEMORY], 1);
    pm_matrix_free(&a);
}

/* ---- rates ---- */

static double planned(const work *w, const pm_matrix *a, const pm_rates *rates)
{
    pm_value v;
    pm_count_report report;
    pm_count_options o = options_of(w, PM_BACKEND_CUDA);
    o.rates = rates;
    o.plan_only = true;
    pm_value_init(&v);
    assert_int_equal(pm_count(a, &o, NULL, &v, &report, NULL), PM_OK);
    double seconds = report.blocks[0].seconds;
    pm_count_report_free(&report);
    pm_value_clear(&v);
    return seconds;
}

/* All of them are set, and used for this device and no other. */
static void rates_of_a_device(void **state)
{
    (void)state;
    if (test_step(2) > 1)
        skip();
    const work w = {"ryser", PM_REAL, 20, 1};
    pm_matrix a;
    pm_run run = {.threads = 1};
    pm_rates rates = pm_rates_nominal;
    host_gpu_reset();
    host_gpu_state.double_rate = host_gpu_state.memory_rate = 3e7; /* fma in software */
    host_gpu_state.word_rate = 3e7;
    make_matrix(&w, &a);
    double nominal = planned(&w, &a, &pm_rates_nominal);
    assert_int_equal(pm_rates_measure_gpu(&run, &rates, NULL), PM_OK);
    for (int r = 0; r < PM_GPU_RATES; ++r) {
        assert_true(isfinite(rates.gpu[r]) && rates.gpu[r] > 0);
        assert_true(r == PM_GPU_RATE_START || rates.gpu[r] != 1);
    }
    rates.gpu[PM_GPU_RATE_START] = 3;
    rates.gpu[PM_GPU_RATE_RYSER] = 1000;
    double mine = planned(&w, &a, &rates);
    nominal -= pm_rates_nominal.gpu[PM_GPU_RATE_START];
    assert_true(fabs(mine - 3 - 1000 * nominal) < 1e-6 * mine);
    assert_true(planned(&(work){"skipper", PM_REAL, 20, 1}, &a, &rates) < 1000);
    strcat(rates.gpu_name, "1");
    assert_true(planned(&w, &a, &rates) == planned(&w, &a, &pm_rates_nominal));
    pm_matrix_free(&a);
}

static void no_rates_of_a_device_that_fails(void **state)
{
    (void)state;
    pm_run run = {.threads = 1};
    pm_rates rates = pm_rates_nominal;
    host_gpu_reset();
    host_gpu_state.double_rate = 3e7;
    host_gpu_state.fails_at[HOST_GPU_START] = 3;
    assert_int_equal(pm_rates_measure_gpu(&run, &rates, NULL), PM_ENODEV);
    assert_memory_equal(&rates, &pm_rates_nominal, sizeof rates);
    host_gpu_reset();
    host_gpu_state.devices = 0;
    assert_int_equal(pm_rates_measure_gpu(&run, &rates, NULL), PM_ENODEV);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_count),
        cmocka_unit_test(little_shared_memory),
        cmocka_unit_test(little_constant_memory),
        cmocka_unit_test(words_for_slow_devices),
        cmocka_unit_test(fewer_primes_compile_sooner),
        cmocka_unit_test(kernels_ahead_of_time),
        cmocka_unit_test(any_call_may_fail),
        cmocka_unit_test(a_device_is_lost),
        cmocka_unit_test(too_dear_for_the_cpu),
        cmocka_unit_test(one_failure_is_told),
        cmocka_unit_test(named_for_a_gpu),
        cmocka_unit_test(a_signal_ends_it),
        cmocka_unit_test(devices_share),
        cmocka_unit_test(one_device_is_small),
        cmocka_unit_test(small_plans_start_nothing),
        cmocka_unit_test(kernels_stay),
        cmocka_unit_test(rates_of_a_device),
        cmocka_unit_test(no_rates_of_a_device_that_fails),
    };
    rng = test_seed();
    host_gpu_state.launch = host_frontier;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pm_gpu_end();
    kept_texts_end();
    return failed;
}
