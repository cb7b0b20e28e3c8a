/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of one run, of which one loses its GPU in planning or in the first of two blocks: it keeps to the methods and plans
 * of the other parts, or says that it cannot.  Devices are those of host_gpu.h.  False alarms: none; exact answers are equal,
 * others are compared with their proved errors, or with ten times those that are estimated. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "algorithm/rates.h"
#include "gpu/gpu.h"
#include "ledger/ledger.h"
#include "pm/count.h"
#include "support/answers.h"
#include "support/host_frontier.h"
#include "support/host_gpu.h"
#include "support/kept_texts.h"
#include "support/ledger_texts.h"
#include "support/testing.h"

static uint64_t rng;

enum { PARTS = 3 };

typedef struct {
    const char *algorithm; /* NULL: any */
    int n;                 /* of each of two blocks */
    uint32_t percent;      /* of entries */
    pm_field field;
} part_work;

/* The search for a tree takes as long as the counting is predicted to take, so that a processor finds another one. */
static const part_work part_works[] = {
    {"ryser", 21, 100, PM_INTEGER},       {"ryser", 21, 100, PM_REAL},
    {"product-tree", 24, 40, PM_INTEGER}, {"product-tree", 24, 40, PM_REAL},
    {"skipper", 22, 30, PM_REAL},         {"repeated", 12, 100, PM_COMPLEX},
    {"frontier", 12, 40, PM_INTEGER},     {NULL, 23, 50, PM_INTEGER},
};
enum { WORKS = sizeof part_works / sizeof *part_works };

static pm_matrix two_blocks(const part_work *w)
{
    pm_matrix a;
    pm_triples t = {.field = w->field, .nrows = 2 * w->n, .ncols = 2 * w->n};
    for (int i = 0; i < 2 * w->n; ++i)
        for (int j = i / w->n * w->n; j < i / w->n * w->n + w->n; ++j) {
            pm_dyadic re = {0}, im = {0};
            pm_dyadic_set_si(&re, 1 + (int64_t)pm_rng_below(&rng, 9));
            pm_dyadic_set_si(&im, 1 + (int64_t)pm_rng_below(&rng, 9));
            re.exp -= w->field >= PM_REAL ? 5 : 0;
            if (i == j || pm_rng_below(&rng, 100) < w->percent)
                assert_int_equal(
                    pm_triples_add(&t, i, j, 0, &re, w->field == PM_COMPLEX ? &im : NULL, NULL),
                    PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "two", &a, NULL), PM_OK);
    pm_triples_free(&t);
    return a;
}

static pm_ledger *new_ledger(void)
{
    pm_ledger *l;
    assert_int_equal(pm_ledger_make(&l, NULL), PM_OK);
    pm_ledger_set_least(l, 0);
    return l;
}

static pm_rates slow_processors(void)
{
    pm_rates slow = pm_rates_nominal;
    for (int i = 0; i < PM_RATES; ++i)
        slow.seconds[i] *= 1e4;
    return slow;
}

/* Part k, on a machine with a device, which fails at its first call of this kind.  What it has done goes to `all`; false:
 * it was refused for want of a device. */
static bool do_part(const pm_matrix *a, const char *algorithm, int k, bool fails,
                    host_gpu_call call, pm_ledger *all)
{
    const pm_rates slow = slow_processors(); /* so that devices are chosen */
    pm_value v;
    pm_error err = {.msg = ""};
    pm_count_options o = pm_count_defaults();
    o.algorithm = algorithm;
    o.backend = PM_BACKEND_AUTO;
    o.rates = &slow;
    o.ledger = new_ledger();
    pm_ledger_set_part(o.ledger, k, PARTS);
    host_gpu_reset();
    host_gpu_state.launch = host_frontier;
    host_gpu_state.fails_at[call] = fails;
    pm_value_init(&v);
    pm_status status = pm_count(a, &o, NULL, &v, NULL, &err);
    const bool is_refused = fails && status == PM_ENODEV;
    if (status != PM_OK && status != PM_PARTIAL && !is_refused)
        fail_msg("part %d: %s", k, err.msg);
    if (!is_refused)
        ledger_add_text(ledger_text(o.ledger), all);
    pm_ledger_free(o.ledger);
    pm_value_clear(&v);
    return !is_refused;
}

static void assert_merged(const pm_matrix *a, const char *algorithm, pm_ledger *all)
{
    pm_value v, wanted;
    pm_error err = {.msg = ""};
    pm_count_options o = pm_count_defaults();
    host_gpu_reset();
    host_gpu_state.devices = 0;
    o.algorithm = algorithm;
    o.backend = PM_BACKEND_CPU;
    pm_value_init(&v);
    pm_value_init(&wanted);
    assert_int_equal(pm_count(a, &o, NULL, &wanted, NULL, NULL), PM_OK);
    pm_ledger_seal(all);
    o.ledger = all;
    if (pm_count(a, &o, NULL, &v, NULL, &err) != PM_OK)
        fail_msg("%s", err.msg);
    wanted.error = pm_xreal_mul(wanted.error, pm_xreal_make(wanted.is_estimated ? 10 : 1, 0, 0));
    assert_true(values_agree(&wanted, &v));
    pm_value_clear(&v);
    pm_value_clear(&wanted);
}

/* Returns whether the part whose device fails was refused; it is done again with a device that works. */
static bool parts_fit(const part_work *w, host_gpu_call call)
{
    const int failing = 1 + (int)pm_rng_below(&rng, PARTS);
    bool is_refused = false;
    pm_matrix a = two_blocks(w);
    pm_ledger *all = new_ledger();
    for (int k = 1; k <= PARTS; ++k)
        if (!do_part(&a, w->algorithm, k, k == failing, call, all)) {
            is_refused = true;
            assert_true(do_part(&a, w->algorithm, k, false, call, all));
        }
    assert_merged(&a, w->algorithm, all);
    pm_ledger_free(all);
    pm_matrix_free(&a);
    return is_refused;
}

/* In the first block: after a launch, or when it is opened.  Other works in other runs. */
static void parts_fit_together(void **state)
{
    enum { APART = 3 };
    (void)state;
    if (test_is_very_short())
        skip();
    for (int i = (int)pm_rng_below(&rng, APART); i < WORKS; i += APART) {
        const part_work *w = &part_works[i];
        const bool is_session = w->algorithm && strcmp(w->algorithm, "frontier") == 0;
        const host_gpu_call call = is_session              ? HOST_GPU_SESSION_OPEN
                                   : pm_rng_below(&rng, 2) ? HOST_GPU_FINISH
                                                           : HOST_GPU_OPEN;
        assert_false(parts_fit(w, call));
    }
}

/* Before there is a plan: integers that are summed by a method that is named have the plan of all parts, other parts are
 * refused. */
static void parts_without_a_plan(void **state)
{
    static const host_gpu_call calls[] = {HOST_GPU_LOOK, HOST_GPU_FREE_MEMORY,
                                          HOST_GPU_CAN_COMPILE};
    (void)state;
    if (test_is_very_short())
        skip();
    const part_work *one = &part_works[pm_rng_below(&rng, WORKS - 1)];
    if (parts_fit(one, calls[pm_rng_below(&rng, 3)]))
        assert_true(one->field > PM_INTEGER);
    assert_true(parts_fit(&part_works[WORKS - 1], HOST_GPU_CAN_COMPILE)); /* any method */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_fit_together),
        cmocka_unit_test(parts_without_a_plan),
    };
    rng = test_seed();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pm_gpu_end();
    kept_texts_end();
    return failed;
}
