/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which work of an earlier run is used: residues of a device that failed, on the CPU; and the method of the
 * earlier run, unless the options ask for another one. */
#include "config.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"
#include "ledger/ledger.h"
#include "pm/count.h"
#include "support/answers.h"
#include "support/host_frontier.h"
#include "support/host_gpu.h"
#include "support/kept_texts.h"
#include "support/testing.h"

static uint64_t rng;
static volatile sig_atomic_t stop;

#define ANEW "is begun anew"

/* ---- runs with a ledger ---- */

/* A run with its ledger, which counts what was printed. */
typedef struct {
    pm_matrix a;
    pm_count_options o;
    pm_ledger *ledger;
    pm_value wanted;
    const char *stops_at; /* the text of the progress at which the run ends; NULL: it does not */
    int anew;
    uint64_t done; /* indices of all tasks */
    int tasks;
    char method[PM_LEDGER_METHOD];
} recorded_count;

static void note(void *context, int level, const char *line)
{
    recorded_count *r = context;
    (void)level;
    r->anew += strstr(line, ANEW) != NULL;
}

static void progress(void *context, double fraction, const char *what)
{
    const recorded_count *r = context;
    (void)fraction;
    if (r->stops_at && what && strcmp(what, r->stops_at) == 0)
        stop = 1;
}

static void add_line(void *context, const pm_ledger_line *line)
{
    recorded_count *r = context;
    if (line->is_done)
        return;
    ++r->tasks;
    r->done += line->done;
    strncpy(r->method, line->method, sizeof r->method - 1);
}

static void look(recorded_count *r)
{
    r->tasks = 0;
    r->done = 0;
    pm_ledger_list(r->ledger, add_line, r);
}

static pm_status count(recorded_count *r, pm_value *v)
{
    pm_run run = {.threads = 1, .stop = &stop, .note = note, .progress = progress, .context = r};
    return pm_count(&r->a, &r->o, &run, v, NULL, NULL);
}

/* Takes over a. */
static void begin(pm_matrix a, const char *algorithm, recorded_count *r)
{
    *r = (recorded_count){.a = a, .o = pm_count_defaults()};
    host_gpu_reset();
    stop = 0;
    r->o.reduce = (pm_reduce_options){0};
    r->o.backend = PM_BACKEND_CPU;
    pm_value_init(&r->wanted);
    assert_int_equal(pm_count(&r->a, &r->o, NULL, &r->wanted, NULL, NULL), PM_OK);
    assert_int_equal(pm_ledger_make(&r->ledger, NULL), PM_OK);
    pm_ledger_set_least(r->ledger, 0);
    r->o.ledger = r->ledger;
    r->o.algorithm = algorithm;
}

static void finish(recorded_count *r)
{
    pm_value v;
    r->stops_at = NULL;
    stop = 0;
    pm_value_init(&v);
    assert_int_equal(count(r, &v), PM_OK);
    assert_true(values_agree(&r->wanted, &v));
    pm_value_clear(&v);
}

static void end(recorded_count *r)
{
    pm_value_clear(&r->wanted);
    pm_ledger_free(r->ledger);
    pm_matrix_free(&r->a);
}

/* n x n, entries up to `most` where row and column differ by at most `width`: one block. */
static pm_matrix band(int n, int width, uint32_t most)
{
    pm_matrix a;
    pm_triples t = {.field = PM_INTEGER, .nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            pm_dyadic entry = {0};
            pm_dyadic_set_si(&entry, 1 + (int64_t)pm_rng_below(&rng, most));
            if (abs(i - j) <= width)
                assert_int_equal(pm_triples_add(&t, i, j, 0, &entry, NULL, NULL), PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
    pm_triples_free(&t);
    return a;
}

/* ---- devices that fail ---- */

/* Devices fail at the k-th call, for all k.  The CPU, after a stop, has the residues that were found and the same
 * task, and goes on without a note. */
static void residues_of_a_failed_device(void **state)
{
    (void)state;
    int kept = 0;
    bool failed = true;
    const uint64_t same = rng;
    pm_value v;
    pm_value_init(&v);
    for (int k = 0; failed; ++k) {
        recorded_count r;
        rng = same;
        begin(band(8, 3, 1 << 30), "frontier", &r);
        r.o.backend = PM_BACKEND_CUDA;
        r.o.gpus = host_gpu_state.devices = 2;
        host_gpu_state.calls_left = k;
        failed = count(&r, &v) != PM_OK;
        look(&r);
        if (failed && r.done > 0) {
            uint64_t before = r.done;
            ++kept;
            host_gpu_reset();
            r.o.backend = PM_BACKEND_CPU;
            r.stops_at = "frontier";
            assert_int_equal(count(&r, &v), PM_ESTOPPED);
            look(&r);
            assert_int_equal(r.tasks, 1);
            assert_true(r.done >= before);
            finish(&r);
            assert_int_equal(r.anew, 0);
        }
        end(&r);
    }
    pm_value_clear(&v);
    assert_true(kept > 0);
}

/* ---- the method of the earlier run ---- */

/* Stops a count by Ryser's formula of a block for which another method is faster. */
static void stop_within(recorded_count *r)
{
    pm_value v;
    pm_value_init(&v);
    begin(band(25, 3, 9), "ryser", r);
    r->stops_at = "ryser";
    assert_int_equal(count(r, &v), PM_ESTOPPED);
    look(r);
    assert_int_equal(r->tasks, 1);
    assert_true(r->done > 0);
    assert_string_equal(r->method, "ryser");
    pm_value_clear(&v);
}

static void method_is_kept(void **state)
{
    (void)state;
    recorded_count r;
    pm_value v;
    pm_value_init(&v);
    stop_within(&r);
    uint64_t before = r.done;
    r.o.algorithm = NULL;
    stop = 0;
    assert_int_equal(count(&r, &v), PM_ESTOPPED);
    look(&r);
    assert_string_equal(r.method, "ryser");
    assert_int_equal(r.tasks, 1);
    assert_true(r.done > before);
    finish(&r);
    assert_int_equal(r.anew, 0);
    pm_value_clear(&v);
    end(&r);
}

static void another_method_begins_anew(void **state)
{
    (void)state;
    recorded_count r;
    stop_within(&r);
    r.o.algorithm = "product-tree";
    finish(&r);
    assert_int_equal(r.anew, 1);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(residues_of_a_failed_device),
        cmocka_unit_test(method_is_kept),
        cmocka_unit_test(another_method_begins_anew),
    };
    rng = test_seed();
    host_gpu_state.launch = host_frontier;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pm_gpu_end();
    kept_texts_end();
    return failed;
}
