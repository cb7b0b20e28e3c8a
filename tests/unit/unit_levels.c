/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes of the frontier method that end at random steps and go on from their stored levels, on the CPU and on
 * devices in turn (host_gpu.h): the answers are those of a run that nobody disturbed, bit by bit. */
#include "config.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "core/machine.h"
#include "gpu/gpu.h"
#include "order/vertex_order.h"
#include "pm/count.h"
#include "support/host_frontier.h"
#include "support/host_gpu.h"
#include "support/kept_texts.h"
#include "support/matrices.h"
#include "support/memory_states.h"
#include "support/testing.h"

/* How often something happens is counted over all rounds of a test; that it never does has a probability below
 * 2^-30 in 16 rounds, each of which stores many levels and ends, or damages, one of them in two to five. */
static uint64_t rng;
static volatile sig_atomic_t stop;

enum { MOST_ROWS = 12, MOST_RUNS = 3000 };

typedef struct {
    pm_matrix a;
    int32_t order[2 * MOST_ROWS];
    pm_count_options o;
    pm_value wanted;
    memory_states states;
    int runs;
    bool is_tight; /* little memory: some runs are refused */
    double most;   /* bytes that a device takes where it has enough */
} long_count;

static pm_count_options frontier(void)
{
    pm_count_options o = pm_count_defaults();
    o.algorithm = "frontier";
    o.reduce = (pm_reduce_options){0};
    return o;
}

/* The answer of w->a that nobody disturbs. */
static void find_wanted(long_count *w)
{
    w->o.order = w->order;
    pm_value_init(&w->wanted);
    assert_int_equal(pm_count(&w->a, &w->o, NULL, &w->wanted, NULL, NULL), PM_OK);
    memory_states_init(&w->states, &rng);
    w->states.ends_one_in = 3;
    w->runs = 0;
    w->is_tight = false;
}

static void begin(pm_field field, int n, long_count *w)
{
    host_gpu_reset();
    random_matrix(&rng, field, n, n, 4.5 / n, &w->a);
    assert_int_equal(pm_vertex_order_natural(&w->a, w->order, NULL), PM_OK);
    w->o = frontier();
    w->o.order_len = 2 * n;
    find_wanted(w);
}

/* A graph on one set of 2n vertices, every second one with loops. */
static void begin_general(pm_field field, int n, long_count *w)
{
    host_gpu_reset();
    random_symmetric(&rng, field, 2 * n, 4.5 / n, pm_rng_below(&rng, 2) ? 0.3 : 0, &w->a);
    random_permutation(&rng, w->order, 2 * n);
    w->o = frontier();
    w->o.general = true;
    w->o.order_len = 2 * n;
    find_wanted(w);
}

static void end(long_count *w)
{
    pm_value_clear(&w->wanted);
    pm_matrix_free(&w->a);
    memory_states_free(&w->states);
}

static bool is_same(const pm_value *a, const pm_value *b)
{
    if (pm_value_is_exact(a) || pm_value_is_exact(b))
        return pm_value_is_exact(a) && pm_value_is_exact(b) && mpq_equal(a->exact, b->exact);
    const pm_xreal x[] = {a->re, a->im, a->error}, y[] = {b->re, b->im, b->error};
    for (int i = 0; i < 3; ++i)
        if (x[i].hi != y[i].hi || x[i].lo != y[i].lo || x[i].exp != y[i].exp)
            return false;
    return true;
}

/* Runs until an answer is there; `choose` sets the device before each run. */
static void count_in_pieces(long_count *w, void (*choose)(long_count *w))
{
    pm_ledger *ledger;
    pm_value v;
    pm_status rc;
    pm_run run = {.threads = 1, .stop = &stop};
    assert_int_equal(pm_ledger_make(&ledger, NULL), PM_OK);
    pm_ledger_set_least(ledger, 0);
    pm_ledger_set_store(ledger, &w->states.store);
    w->o.ledger = ledger;
    pm_value_init(&v);
    do {
        pm_error err = {.msg = ""};
        choose(w);
        stop = 0;
        rc = pm_count(&w->a, &w->o, &run, &v, NULL, &err);
        bool is_refused = w->is_tight && (rc == PM_UNABLE || rc == PM_ENODEV);
        if (rc && rc != PM_ESTOPPED && !is_refused)
            print_error("%s\n", err.msg);
        assert_true(rc == PM_OK || rc == PM_ESTOPPED || is_refused);
        assert_int_equal(host_gpu_state.open, 0);
    } while (++w->runs < MOST_RUNS && rc);
    assert_int_equal(rc, PM_OK);
    assert_true(is_same(&v, &w->wanted));
    pm_value_clear(&v);
    pm_ledger_free(ledger);
}

static void on_the_cpu(long_count *w)
{
    w->o.backend = PM_BACKEND_CPU;
}

static void on_any_device(long_count *w)
{
    host_gpu_reset();
    w->o.gpus = 1 + (int)pm_rng_below(&rng, 3);
    host_gpu_state.devices = w->o.gpus;
    w->o.backend = pm_rng_below(&rng, 3) ? PM_BACKEND_CUDA : PM_BACKEND_CPU;
}

/* So little memory that residues have words of 32 bits, programs are in place, levels are spread, or nothing
 * fits. */
static void on_small_devices(long_count *w)
{
    on_any_device(w);
    w->o.backend = pm_rng_below(&rng, 4) ? PM_BACKEND_CUDA : PM_BACKEND_CPU;
    host_gpu_state.memory = PM_GPU_RESERVED_BYTES + PM_GPU_LOADED_BYTES
                            + (int64_t)(w->most * (10 + pm_rng_below(&rng, 60)) / 100);
}

static double memory_on_device(const long_count *w)
{
    pm_value v;
    pm_count_report report;
    pm_count_options o = w->o;
    o.backend = PM_BACKEND_CUDA;
    o.plan_only = true;
    pm_value_init(&v);
    assert_int_equal(pm_count(&w->a, &o, NULL, &v, &report, NULL), PM_OK);
    double bytes = report.nblocks ? report.blocks[0].memory : 0;
    pm_count_report_free(&report);
    pm_value_clear(&v);
    return bytes;
}

static int n_of(pm_field field)
{
    return 6 + (int)pm_rng_below(&rng, field <= PM_INTEGER ? MOST_ROWS - 5 : 4);
}

static const pm_field fields[] = {PM_PATTERN, PM_INTEGER, PM_REAL, PM_COMPLEX};

/* What must occur depends on the times of threads, too: it is waited for, up to twenty times as many rounds as usual. */
static bool goes_on(int round, int n, bool is_enough)
{
    return round < test_rounds(n) || (!is_enough && round < 20 * n);
}

/* A pass that ends after its level was stored, or as it is stored, goes on from a level. */
static void cpu_goes_on(void **state)
{
    (void)state;
    int gets = 0, runs = 0;
    for (int round = 0; goes_on(round, 16, gets > 0); ++round) {
        long_count w;
        pm_field field = fields[round % 4];
        begin(field, n_of(field), &w);
        count_in_pieces(&w, on_the_cpu);
        gets += w.states.gets;
        runs += w.runs;
        assert_int_equal(w.states.refused, 0);
        end(&w);
    }
    assert_true(gets > 0 && runs > gets);
}

/* The stop flag, after which the level before the unfinished step is stored. */
static void a_stop_keeps_a_level(void **state)
{
    (void)state;
    int kept = 0;
    for (int round = 0; goes_on(round, 16, kept > 0); ++round) {
        long_count w;
        pm_field field = fields[round % 4];
        begin(field, n_of(field), &w);
        w.states.stop = &stop;
        w.states.ends_one_in = 5;
        count_in_pieces(&w, on_the_cpu);
        kept += w.states.last_puts;
        end(&w);
    }
    assert_true(kept > 0);
}

/* A damaged level costs the pass, and no digit. */
static void damage_is_noticed(void **state)
{
    (void)state;
    int damaged = 0;
    for (int round = 0; goes_on(round, 16, damaged > 0); ++round) {
        long_count w;
        pm_field field = fields[round % 4];
        begin(field, n_of(field), &w);
        w.states.damages_one_in = 2;
        w.states.ends_one_in = 4;
        count_in_pieces(&w, round % 2 ? on_any_device : on_the_cpu);
        damaged += w.states.damaged;
        end(&w);
    }
    assert_true(damaged > 0);
}

/* The same of graphs on one set of vertices; a stop, an end and damage all occur.  One level in eight is damaged: then at most 183 runs
 * were needed where runs stop, too.  With one in two, 3000 runs were sometimes not enough. */
static void general_graphs_go_on(void **state)
{
    (void)state;
    int gets = 0, kept = 0, damaged = 0;
    for (int round = 0; goes_on(round, 24, gets > 0 && kept > 0 && damaged > 0); ++round) {
        long_count w;
        pm_field field = fields[round % 4];
        begin_general(field, n_of(field), &w);
        w.states.stop = round & 4 ? &stop : NULL;
        w.states.damages_one_in = round & 8 ? 8 : 0;
        w.states.ends_one_in = 4;
        count_in_pieces(&w, on_the_cpu);
        gets += w.states.gets;
        kept += w.states.last_puts;
        damaged += w.states.damaged;
        end(&w);
    }
    assert_true(gets > 0 && kept > 0 && damaged > 0);
}

/* From one device to others, and to the CPU and back. */
static void devices_go_on(void **state)
{
    (void)state;
    int gets = 0;
    for (int round = 0; goes_on(round, 16, gets > 0); ++round) {
        long_count w;
        pm_field field = fields[round % 4];
        begin(field, n_of(field), &w);
        count_in_pieces(&w, on_any_device);
        gets += w.states.gets;
        assert_int_equal(w.states.refused, 0);
        end(&w);
    }
    assert_true(gets > 0);
}

/* With words of 32 bits, on devices and from there on the CPU. */
static void small_devices_go_on(void **state)
{
    (void)state;
    int gets = 0;
    for (int round = 0; round < test_rounds(12) || (gets == 0 && round < 120); ++round) {
        long_count w;
        begin(PM_INTEGER, MOST_ROWS, &w);
        w.is_tight = true;
        w.most = memory_on_device(&w);
        count_in_pieces(&w, on_small_devices);
        gets += w.states.narrow_gets;
        end(&w);
    }
    assert_true(gets > 0);
}

/* Counts until a level is stored, or there is an answer; returns whether a level is stored. */
static bool stop_at_level(long_count *w, pm_value *v)
{
    pm_state_head h;
    bool is_stored = false;
    for (pm_status rc = PM_ESTOPPED; rc && !is_stored;) {
        rc = pm_count(&w->a, &w->o, NULL, v, NULL, NULL);
        assert_true(rc == PM_OK || rc == PM_ESTOPPED);
        is_stored = rc && w->states.store.head(&w->states, 0, &h);
    }
    return is_stored;
}

/* A level of another program is not used. */
static void another_program(void **state)
{
    (void)state;
    int refused = 0;
    for (int round = 0; goes_on(round, 12, refused > 0); ++round) {
        long_count w;
        pm_ledger *ledger;
        pm_value v;
        (round & 4 ? begin_general : begin)(fields[round % 4], 8, &w);
        pm_value_init(&v);
        assert_int_equal(pm_ledger_make(&ledger, NULL), PM_OK);
        pm_ledger_set_least(ledger, 0);
        pm_ledger_set_store(ledger, &w.states.store);
        w.o.ledger = ledger;
        w.states.ends_one_in = 2;
        if (stop_at_level(&w, &v)) {
            int gets = w.states.gets;
            w.states.ends_one_in = 0;
            w.states.head[0].engine.byte[pm_rng_below(&rng, PM_SHA256_BYTES)] ^= 1;
            assert_int_equal(pm_count(&w.a, &w.o, NULL, &v, NULL, NULL), PM_OK);
            assert_int_equal(w.states.refused, 1);
            assert_int_equal(w.states.gets, gets);
            ++refused;
        }
        assert_true(is_same(&v, &w.wanted));
        pm_value_clear(&v);
        pm_ledger_free(ledger);
        end(&w);
    }
    assert_true(refused > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cpu_goes_on),          cmocka_unit_test(a_stop_keeps_a_level),
        cmocka_unit_test(general_graphs_go_on), cmocka_unit_test(damage_is_noticed),
        cmocka_unit_test(devices_go_on),        cmocka_unit_test(small_devices_go_on),
        cmocka_unit_test(another_program),
    };
    rng = test_seed();
    host_gpu_state.launch = host_frontier;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pm_gpu_end();
    kept_texts_end();
    return failed;
}
