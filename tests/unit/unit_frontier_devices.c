/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frontier on devices with little memory, and on several: with a double in place of src/gpu
 * (host_gpu.h), which runs the kernels, so that answers are answers. */
#include "config.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm/gpu_plan.h"
#include "core/machine.h"
#include "frontier/frontier_gpu_shares.h"
#include "number/prime.h"
#include "order/vertex_order.h"
#include "pm/count.h"
#include "support/answers.h"
#include "support/frontier_shares.h"
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
    if (test_waits(&rng))
        skip();
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

static bool is_one_of(const char *name, const char *a, const char *b)
{
    return strcmp(name, a) == 0 || strcmp(name, b) == 0;
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
        assert_true(is_one_of(narrow.algorithm, "frontier-narrow", "frontier-in-place"));
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

/* ---- passes of several devices ---- */

/* Every step of every pass is run once, the first part of a cut pass by the device before. */
static void pieces_are_complete(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(2000); ++round) {
        enum { MOST = 40 };
        int32_t nsteps = 1 + (int32_t)pm_rng_below(&rng, 9), ends[MOST] = {0};
        int device[MOST], passes = 1 + (int)pm_rng_below(&rng, MOST);
        int gpus = 1 + (int)pm_rng_below(&rng, (uint32_t)passes);
        pm_frontier_shares s = {.passes = passes, .gpus = gpus, .is_cut = pm_rng_below(&rng, 2)};
        for (int g = 0; g + 1 < gpus; ++g)
            s.cut[g] = (int32_t)pm_rng_below(&rng, (uint32_t)nsteps + 1);
        for (int g = 0; g < gpus; ++g) {
            pm_frontier_piece *p;
            int n = pm_frontier_gpu_pieces(&s, nsteps, g, &p);
            assert_true(n >= 0);
            for (int i = 0; i < n; ++i) {
                assert_true(p[i].first < p[i].last && p[i].last <= nsteps);
                assert_true(p[i].first == 0 || i == n - 1);
                assert_true(p[i].last == nsteps || i == 0);
                if (p[i].first > 0) { /* after what the device before has run */
                    assert_int_equal(ends[p[i].pass], p[i].first);
                    assert_int_equal(device[p[i].pass], g - 1);
                } else {
                    assert_int_equal(ends[p[i].pass], 0);
                }
                ends[p[i].pass] = p[i].last;
                device[p[i].pass] = g;
            }
            free(p);
        }
        for (int pass = 0; pass < passes; ++pass)
            assert_int_equal(ends[pass], nsteps);
    }
}

enum { MOST_ROWS = 60 };

/* Integers that need more than one prime, and an order, so that nothing is searched for. */
typedef struct {
    pm_matrix a;
    int32_t order[2 * MOST_ROWS];
    pm_count_options o;
} shared_work;

/* The matrix of *t, which is freed, in its natural order. */
static void take_entries(pm_triples *t, shared_work *w)
{
    w->o = frontier(PM_BACKEND_CUDA);
    w->o.order = w->order;
    w->o.order_len = t->nrows + t->ncols;
    assert_int_equal(pm_matrix_from_triples(t, PM_DUPLICATES_ERROR, "", &w->a, NULL), PM_OK);
    pm_triples_free(t);
    assert_int_equal(pm_vertex_order_natural(&w->a, w->order, NULL), PM_OK);
}

/* Entries in a band about the diagonal, and others. */
static void make_work(int n, int bits, int band, double density, shared_work *w)
{
    pm_triples t = {.field = PM_INTEGER, .nrows = n, .ncols = n};
    for (int k = 0; k < n * n; ++k) {
        pm_dyadic entry = {0};
        pm_dyadic_set_si(&entry, (1 << bits) + (int64_t)pm_rng_below(&rng, 1u << bits));
        if (abs(k / n - k % n) <= band || pm_rng_unit(&rng) < density)
            assert_int_equal(pm_triples_add(&t, k / n, k % n, 0, &entry, NULL, NULL), PM_OK);
    }
    take_entries(&t, w);
}

static bool has_one_lane(const char *text)
{
    return strstr(text, "#define PM_LANES 1\n") && !strstr(text, NARROW);
}

/* Devices on which states take long, not launches, and that have kernels for one residue only. */
static void slow_devices(int devices)
{
    host_gpu_reset();
    host_gpu_state.devices = devices;
    host_gpu_state.memory_rate = 1e3;
    host_gpu_state.lacks_compiler = true;
    host_gpu_state.is_ready = has_one_lane;
}

/* A band whose primes so many devices cannot share evenly. */
static void make_uneven_work(int gpus, shared_work *w)
{
    for (int bits = 4; bits < 30; ++bits) {
        make_work(16, bits, 2, 0, w);
        slow_devices(gpus);
        pm_block_report plan = plan_of(&w->a, &w->o);
        if (plan.residues > gpus && plan.residues % gpus)
            return;
        pm_matrix_free(&w->a);
    }
    fail_msg("no number of primes is right");
}

/* Several devices reach nine tenths of the speed of so many.  Steps of a band are alike, so cuts are
 * where they should be, to a step or so. */
static void devices_end_together(void **state)
{
    (void)state;
    shared_work w;
    int cuts = 0;
    for (int round = 0; round < test_rounds(4); ++round) {
        make_work(40 + (int)pm_rng_below(&rng, 21), 4 + (int)pm_rng_below(&rng, 10), 2, 0, &w);
        slow_devices(8);
        pm_block_report one = plan_of(&w.a, &w.o);
        for (int gpus = 2; gpus <= 8; ++gpus) {
            w.o.gpus = gpus;
            pm_block_report many = plan_of(&w.a, &w.o);
            double start = pm_gpu_nominal_start(8);
            if (many.residues >= gpus)
                assert_true(one.seconds - start >= 0.9 * gpus * (many.seconds - start));
            cuts += many.residues % gpus != 0;
        }
        w.o.gpus = 0;
        pm_matrix_free(&w.a);
    }
    assert_true(cuts > 0);
}

/* Levels go from one device to the next; with one thread for all of them too. */
static void passes_are_cut(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(16); ++round) {
        shared_work w;
        pm_value v;
        int gpus = 2 + (int)pm_rng_below(&rng, 4);
        if (round % 2)
            make_work(8 + (int)pm_rng_below(&rng, 5), 8 + (int)pm_rng_below(&rng, 20), 0, 0.3, &w);
        else
            make_uneven_work(gpus, &w);
        slow_devices(gpus);
        w.o.gpus = gpus;
        pm_value_init(&v);
        if (round % 4 > 1) {
#pragma omp parallel num_threads(2)
#pragma omp single
            assert_int_equal(pm_count(&w.a, &w.o, NULL, &v, NULL, NULL), PM_OK);
        } else {
            assert_int_equal(pm_count(&w.a, &w.o, NULL, &v, NULL, NULL), PM_OK);
        }
        assert_right(&w.a, &w.o, &v);
        assert_int_equal(host_gpu_state.open, 0);
        assert_true(round % 2 || host_gpu_state.calls[HOST_GPU_COPY] > 0);
        pm_value_clear(&v);
        pm_matrix_free(&w.a);
    }
}

/* The same for cuts, widths and words that no plan would have. */
static void passes_are_cut_anywhere(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    for (int round = 0; round < test_rounds(40); ++round) {
        int devices = 1 + (int)pm_rng_below(&rng, 5);
        host_gpu_reset();
        host_gpu_state.devices = devices;
        check_frontier_shares(&rng, 2 + (int)pm_rng_below(&rng, 9), devices);
        assert_int_equal(host_gpu_state.open, 0);
    }
}

/* Nobody waits for a device that has failed, whatever call fails, on whichever device. */
static void a_device_fails(void **state)
{
    (void)state;
    shared_work w;
    pm_value v;
    pm_status rc = PM_ENODEV;
    make_uneven_work(3, &w);
    slow_devices(3);
    w.o.gpus = 3;
    pm_value_init(&v);
    assert_int_equal(pm_count(&w.a, &w.o, NULL, &v, NULL, NULL), PM_OK);
    int copies = host_gpu_state.calls[HOST_GPU_COPY];
    for (int k = 0; rc; k += 1 + k / 16) {
        pm_error err = {.msg = ""};
        slow_devices(3);
        host_gpu_state.calls_left = k;
        rc = pm_count(&w.a, &w.o, NULL, &v, NULL, &err);
        assert_true(rc == PM_OK || (rc == PM_ENODEV && strstr(err.msg, "GPU")));
        assert_int_equal(host_gpu_state.open, 0);
    }
    for (int k = 1; k <= copies; ++k) {
        slow_devices(3);
        host_gpu_state.fails_at[HOST_GPU_COPY] = k;
        assert_int_equal(pm_count(&w.a, &w.o, NULL, &v, NULL, NULL), PM_ENODEV);
        assert_int_equal(host_gpu_state.open, 0);
    }
    assert_true(copies > 0);
    pm_value_clear(&v);
    pm_matrix_free(&w.a);
}

static volatile sig_atomic_t stop;
static int launches_left; /* until it is set */

static void stop_soon(void)
{
#pragma omp critical(stop_soon)
    if (--launches_left == 0)
        stop = 1;
}

/* A stop ends all of them. */
static void a_stop_ends_all(void **state)
{
    (void)state;
    shared_work w;
    pm_value v;
    pm_run run = {.stop = &stop};
    int stopped = 0;
    make_uneven_work(3, &w);
    w.o.gpus = 3;
    pm_value_init(&v);
    for (int k = 1; k < 40; k += 4) {
        slow_devices(3);
        stop = 0;
        launches_left = k;
        host_gpu_state.on_launch = stop_soon;
        pm_status rc = pm_count(&w.a, &w.o, &run, &v, NULL, NULL);
        assert_true(rc == PM_OK || rc == PM_ESTOPPED);
        stopped += rc == PM_ESTOPPED;
        assert_int_equal(host_gpu_state.open, 0);
    }
    assert_true(stopped > 0);
    pm_value_clear(&v);
    pm_matrix_free(&w.a);
}

/* Where the level that waits finds no room, passes are not cut. */
static void no_room_to_wait(void **state)
{
    (void)state;
    shared_work w;
    pm_value v;
    make_uneven_work(3, &w);
    slow_devices(3);
    w.o.gpus = 3;
    pm_block_report cut = plan_of(&w.a, &w.o);
    pm_value_init(&v);
    for (int64_t less = 1; less < (int64_t)cut.memory; less *= 2) {
        slow_devices(3);
        host_gpu_state.memory =
            PM_GPU_RESERVED_BYTES + PM_GPU_LOADED_BYTES + (int64_t)cut.memory - less;
        pm_status rc = pm_count(&w.a, &w.o, NULL, &v, NULL, NULL);
        if (rc)
            assert_int_equal(rc, PM_UNABLE);
        else
            assert_right(&w.a, &w.o, &v);
    }
    pm_value_clear(&v);
    pm_matrix_free(&w.a);
}

/* ---- levels of several devices ---- */

/* A graph of millions of states is planned so where no device has room for its levels, if devices
 * can access each other. */
static void spread_plans(void **state)
{
    (void)state;
    shared_work w;
    pm_value v;
    make_work(34, 2, 0, 0.3, &w);
    slow_devices(4);
    host_gpu_state.lacks_compiler = false;
    host_gpu_state.memory = INT64_C(1) << 40;
    w.o.modulus = 1000003; /* a residue of 32 bits */
    double narrow = plan_of(&w.a, &w.o).memory;
    w.o.modulus = 0;
    assert_true(narrow > 100e6);
    for (int gpus = 1; gpus <= 4; ++gpus) {
        pm_error err = {.msg = ""};
        w.o.gpus = gpus;
        w.o.plan_only = true;
        for (int without = 0; without < 2; ++without) {
            give(4, (int64_t)(0.7 * narrow));
            host_gpu_state.lacks_peers = without;
            pm_value_init(&v);
            pm_status rc = pm_count(&w.a, &w.o, NULL, &v, NULL, &err);
            pm_value_clear(&v);
            assert_true(rc == PM_OK || rc == PM_UNABLE);
            assert_true(rc == PM_OK || gpus == 1 || without);
            if (rc)
                continue;
            pm_block_report plan = plan_of(&w.a, &w.o);
            /* one array may fit on one device */
            assert_true(is_one_of(plan.algorithm, "frontier-in-place",
                                  gpus == 1 || without ? "frontier-in-place" : "frontier-spread"));
            assert_true(plan.memory <= 0.7 * narrow);
        }
    }
    pm_matrix_free(&w.a);
}

/* Right, or a failure that is told, whatever call fails. */
static void spread_devices_fail(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    const uint64_t seed = pm_rng_next(&rng);
    pm_status rc = PM_ENODEV;
    for (int k = 0; rc; k += 1 + k / 16) {
        pm_error err = {.msg = ""};
        uint64_t again = seed;
        host_gpu_reset();
        host_gpu_state.devices = 3;
        host_gpu_state.calls_left = k;
        rc = count_spread(&again, 8, 3, &err);
        assert_true(rc == PM_OK || (pm_gpu_has_failed(rc) && strlen(err.msg) > 0));
        assert_int_equal(host_gpu_state.open, 0);
    }
    for (int round = 0; round < test_rounds(20); ++round) {
        host_gpu_reset();
        host_gpu_state.devices = 1 + (int)pm_rng_below(&rng, 5);
        rc = count_spread(&rng, 2 + (int)pm_rng_below(&rng, 9), host_gpu_state.devices, NULL);
        assert_int_equal(rc, PM_OK);
        assert_int_equal(host_gpu_state.open, 0);
    }
}

/* ---- one array of states ---- */

/* A pattern of 40 rows with all entries within some columns of the diagonal.  It is the same in every run, so that the
 * plans are. */
static void make_pattern(shared_work *w)
{
    enum { N = 40 };
    const int reach = test_size(9, 8);
    pm_triples t = {.field = PM_PATTERN, .nrows = N, .ncols = N};
    for (int k = 0; k < N * N; ++k)
        if (abs(k / N - k % N) < reach)
            assert_int_equal(pm_triples_add(&t, k / N, k % N, 0, NULL, NULL, NULL), PM_OK);
    take_entries(&t, w);
}

/* Whatever the memory, an answer is right; down to where two arrays have no room, plans are in
 * place. */
static void in_place_plans(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    shared_work w;
    pm_value v;
    int in_place = 0, apart = 0;
    make_pattern(&w);
    host_gpu_reset();
    double most = plan_of(&w.a, &w.o).memory;
    pm_value_init(&v);
    for (int percent = 120; percent > 10; percent -= 11) {
        int gpus = 1 + percent % 2;
        w.o.gpus = gpus;
        give(gpus, (int64_t)(most * percent / 100));
        pm_status rc = pm_count(&w.a, &w.o, NULL, &v, NULL, NULL);
        if (rc) {
            assert_int_equal(rc, PM_UNABLE);
            continue;
        }
        assert_right(&w.a, &w.o, &v);
        bool is = !strcmp(plan_of(&w.a, &w.o).algorithm, "frontier-in-place");
        in_place += is;
        apart += !is;
    }
    assert_true(apart > 0 && in_place > 0);
    pm_value_clear(&v);
    pm_matrix_free(&w.a);
}

/* Whether the program in place shows that the count is 0, and the other one does not. */
static bool is_zero_in_place_only(const pm_matrix *a, const int32_t *order, uint64_t *bytes)
{
    pm_block b;
    pm_frontier_setup w;
    pm_frontier_program in_place;
    const uint64_t prime = pm_prime_below(PM_MODULUS_MAX);
    as_block(a, &b);
    const pm_job job = {.block = &b,
                        .order = order,
                        .order_len = 2 * (int32_t)a->nrows,
                        .moduli = &prime,
                        .nmoduli = 1,
                        .memory = INT64_C(1) << 33,
                        .rates = &pm_rates_nominal,
                        .rival = INFINITY,
                        .search_most = INFINITY};
    assert_int_equal(pm_frontier_setup_make(&job, 1e-6, &w, NULL), PM_OK);
    assert_int_equal(pm_frontier_setup_in_place(&job, &w, &in_place, NULL), PM_OK);
    const bool is_one = in_place.is_zero && !w.program.is_zero;
    *bytes = 8 * (uint64_t)w.program.room;
    pm_frontier_program_free(&in_place);
    pm_frontier_setup_free(&w);
    pm_block_free(&b);
    return is_one;
}

/* Where memory is short, the count is 0 by the program in place.  Of random graphs one in a hundred is such a graph:
 * that none of 20,000 is has a probability below 2^-30. */
static void zero_in_place(void **state)
{
    enum { N = 8, WANTED = 5 };
    int32_t order[2 * N];
    int found = 0;
    (void)state;
    for (int round = 0; round < 20000 && found < WANTED; ++round) {
        pm_matrix a;
        pm_value v;
        uint64_t bytes;
        random_matrix(&rng, PM_PATTERN, N, N, 0.3, &a);
        assert_int_equal(pm_vertex_order_natural(&a, order, NULL), PM_OK);
        if (is_zero_in_place_only(&a, order, &bytes)) {
            pm_count_options o = frontier(PM_BACKEND_CUDA);
            o.order = order;
            o.order_len = 2 * N;
            pm_value_init(&v);
            give(1, (int64_t)bytes / 2);
            assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
            assert_int_equal(mpq_sgn(v.exact), 0);
            assert_int_equal(host_gpu_state.calls[HOST_GPU_LAUNCH], 0);
            o.backend = PM_BACKEND_CPU;
            assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
            assert_int_equal(mpq_sgn(v.exact), 0);
            pm_value_clear(&v);
            ++found;
        }
        pm_matrix_free(&a);
    }
    assert_int_equal(found, WANTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(less_than_planned),   cmocka_unit_test(narrow_plans),
        cmocka_unit_test(pieces_are_complete), cmocka_unit_test(devices_end_together),
        cmocka_unit_test(passes_are_cut),      cmocka_unit_test(passes_are_cut_anywhere),
        cmocka_unit_test(a_device_fails),      cmocka_unit_test(a_stop_ends_all),
        cmocka_unit_test(no_room_to_wait),     cmocka_unit_test(spread_plans),
        cmocka_unit_test(spread_devices_fail), cmocka_unit_test(in_place_plans),
        cmocka_unit_test(zero_in_place),
    };
    rng = test_seed();
    host_gpu_state.launch = host_frontier;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pm_gpu_end();
    kept_texts_end();
    return failed;
}
