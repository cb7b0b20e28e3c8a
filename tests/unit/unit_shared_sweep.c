/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded sums of `ryser` that go on with the other kind of device: the digits, and that nothing that was done is
 * done again.  Devices are those of host_gpu.h.  False alarms: none; exact answers are equal, and others are
 * compared with their proved errors, or at those that are estimated with ten times these. */
#include "config.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"
#include "ledger/ledger.h"
#include "pm/count.h"
#include "support/answers.h"
#include "support/host_gpu.h"
#include "support/kept_texts.h"
#include "support/testing.h"
#include "sweep/square.h"
#include "sweep/sum_bits.h"

static uint64_t rng;
static volatile sig_atomic_t stop;

/* ---- recorded counts ---- */

typedef struct {
    pm_matrix a;
    pm_count_options o;
    pm_ledger *ledger;
    double stops_at; /* the fraction of the progress at which the run ends */
    double began_at; /* the least fraction of the run */
    int anew;        /* notes that something begins anew */
    int tasks;
    uint64_t done, count;
} recorded_sum;

static void note(void *context, int level, const char *line)
{
    recorded_sum *r = context;
    (void)level;
    r->anew += strstr(line, "begun anew") != NULL;
}

static void progress(void *context, double fraction, const char *what)
{
    recorded_sum *r = context;
    if (!what || strcmp(what, r->o.algorithm) != 0)
        return;
    r->began_at = fmin(r->began_at, fraction);
    if (fraction >= r->stops_at)
        stop = 1;
}

static void add_line(void *context, const pm_ledger_line *line)
{
    recorded_sum *r = context;
    if (line->is_done)
        return;
    ++r->tasks;
    r->done += line->done;
    r->count += line->count;
}

static void look(recorded_sum *r)
{
    r->tasks = 0;
    r->done = r->count = 0;
    pm_ledger_list(r->ledger, add_line, r);
}

static void begin(pm_matrix a, recorded_sum *r)
{
    *r = (recorded_sum){.a = a, .o = pm_count_defaults()};
    host_gpu_reset();
    r->o.reduce = (pm_reduce_options){0};
    r->o.algorithm = "ryser";
    assert_int_equal(pm_ledger_make(&r->ledger, NULL), PM_OK);
    pm_ledger_set_least(r->ledger, 0);
    r->o.ledger = r->ledger;
}

static void end(recorded_sum *r)
{
    pm_ledger_free(r->ledger);
    pm_matrix_free(&r->a);
}

static pm_status count(recorded_sum *r, pm_backend on, double stops_at, pm_value *v)
{
    pm_run run = {.threads = 1, .stop = &stop, .note = note, .progress = progress, .context = r};
    stop = 0;
    r->o.backend = on;
    r->stops_at = stops_at;
    r->began_at = 2;
    host_gpu_state.blocks = 0;
    return pm_count(&r->a, &r->o, &run, v, NULL, NULL);
}

static void count_alone(const recorded_sum *r, pm_value *v)
{
    pm_count_options o = r->o;
    o.ledger = NULL;
    o.backend = PM_BACKEND_CPU;
    assert_int_equal(pm_count(&r->a, &o, NULL, v, NULL, NULL), PM_OK);
}

static void assert_same(const pm_value *wanted, const pm_value *v)
{
    if (pm_value_is_exact(wanted)) {
        assert_true(pm_value_is_exact(v));
        assert_true(values_agree(wanted, v));
        return;
    }
    pm_value wide = *wanted;
    wide.error = pm_xreal_mul(wanted->error, pm_xreal_make(wanted->is_estimated ? 10 : 1, 0, 0));
    assert_true(values_agree(&wide, v));
}

/* ---- full blocks ---- */

static int64_t entry(int64_t most)
{
    int64_t v = 1 + (int64_t)pm_rng_below(&rng, (uint32_t)most);
    return pm_rng_below(&rng, 3) ? v : -v;
}

/* n x n, without a 0 where row and column differ by at most `width`.  Real and complex entries are no integers. */
static pm_matrix band(int n, int width, pm_field field, int64_t most)
{
    pm_matrix a;
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            pm_dyadic re = {0}, im = {0};
            pm_dyadic_set_si(&re, entry(most));
            pm_dyadic_set_si(&im, entry(most));
            re.exp -= field >= PM_REAL ? 5 : 0;
            if (abs(i - j) <= width)
                assert_int_equal(
                    pm_triples_add(&t, i, j, 0, &re, field == PM_COMPLEX ? &im : NULL, NULL),
                    PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
    pm_triples_free(&t);
    return a;
}

static pm_matrix full(int n, pm_field field, int64_t most)
{
    return band(n, n, field, most);
}

/* The same with entries above 2^44. */
static pm_matrix large(int n)
{
    pm_matrix a = full(n, PM_INTEGER, 9);
    for (int64_t k = 0; k < pm_matrix_nnz(&a); ++k)
        pm_dyadic_set_si(&a.re[k], (int64_t)(pm_rng_next(&rng) >> 14));
    return a;
}

typedef struct {
    int n;
    pm_field field;
    int64_t most;
    bool in_words; /* the device is slow with doubles */
} shared_case;

/* The entries of the fourth need primes of several sweeps of the device. */
static const shared_case cases[] = {{21, PM_INTEGER, 1 << 14, false},
                                    {21, PM_INTEGER, 1 << 14, true},
                                    {22, PM_REAL, 1000, false},
                                    {21, PM_INTEGER, 1 << 20, false},
                                    {20, PM_COMPLEX, 1000, false}};
enum { CASES = sizeof cases / sizeof *cases };

static void begin_case(int k, recorded_sum *r)
{
    const shared_case *c = &cases[k];
    begin(full(c->n, c->field, c->most), r);
    host_gpu_state.word_rate = c->in_words ? 1e17 : 1e15;
}

/* ---- bounds of parts of sums ---- */

/* log2 of the mean of |prod of the row sums| over all signs. */
static double mean_bits(const pm_square *s)
{
    double sum = 0;
    for (uint32_t signs = 0; signs < 1u << s->n; ++signs) {
        double product = 1;
        for (int32_t i = 0; i < s->n; ++i) {
            double y = 0;
            for (int32_t k = s->rowptr[i]; k < s->rowptr[i + 1]; ++k) {
                double v = (double)s->re[s->in_ccs[k]];
                y += signs >> s->colind[k] & 1 ? -v : v;
            }
            product *= fabs(y);
        }
        sum += product;
    }
    return log2(sum) - s->n;
}

/* The bound holds; for matrices of ones it is what the header says. */
static void sums_are_bounded(void **state)
{
    (void)state;
    for (int round = test_rounds(60); round > 0; --round) {
        int n = 2 + (int)pm_rng_below(&rng, 9);
        int64_t shift = (int64_t)pm_rng_below(&rng, 5) - 2;
        pm_matrix a = full(n, PM_INTEGER, round % 3 ? 1 << pm_rng_below(&rng, 20) : 1);
        int32_t once[16];
        pm_block b = {.n = n, .a = a, .row_cap = once, .col_cap = once};
        pm_square s;
        for (int i = 0; i < n; ++i)
            once[i] = 1;
        assert_int_equal(pm_square_make(&b, round % 2, 62, 0, &s, NULL), PM_OK);
        double bits = pm_square_sum_bits(&s, shift) + (double)shift;
        assert_true(bits >= mean_bits(&s));
        if (round % 3 == 0) /* 2^(1/n) of each row is for both signs */
            assert_true(bits <= n * (log2(0.556 * n) + 0.002) + 1);
        pm_square_free(&s);
        pm_matrix_free(&a);
    }
}

/* ---- one change of the device ---- */

/* Every case changes from one kind to the other, another way in other runs; in short runs one each way. */
static bool device_first;

static int first_case(bool is_odd)
{
    return is_odd + 2 * test_first(&rng, CASES / 2);
}

/* As under valgrind, where one change takes half a minute; those at random are still there. */
static bool is_very_short(void)
{
    return test_rounds(20) < 2;
}

static int between_cases(void)
{
    return 2 * test_step(CASES);
}

/* How many thread blocks the device takes for all terms. */
static int64_t blocks_of_all(int k)
{
    recorded_sum r;
    pm_value v;
    const uint64_t same = rng;
    pm_value_init(&v);
    begin_case(k, &r);
    rng = same;
    assert_int_equal(count(&r, PM_BACKEND_CUDA, 2, &v), PM_OK);
    int64_t blocks = host_gpu_state.blocks;
    pm_value_clear(&v);
    end(&r);
    return blocks;
}

static void device_goes_on(void **state)
{
    (void)state;
    if (is_very_short())
        skip();
    for (int k = first_case(device_first); k < CASES; k += between_cases()) {
        recorded_sum r;
        pm_value v, wanted;
        pm_value_init(&v);
        pm_value_init(&wanted);
        int64_t all = blocks_of_all(k);
        begin_case(k, &r);
        count_alone(&r, &wanted);
        assert_int_equal(count(&r, PM_BACKEND_CPU, 0, &v), PM_ESTOPPED);
        look(&r);
        assert_int_equal(r.tasks, 1);
        assert_true(r.done > 0 && r.done < r.count);
        double left = (double)(r.count - r.done) / (double)r.count;
        assert_int_equal(count(&r, PM_BACKEND_CUDA, 2, &v), PM_OK);
        assert_int_equal(r.anew, 0);
        assert_true(host_gpu_state.blocks > 0);
        assert_true((double)host_gpu_state.blocks <= left * (double)all);
        assert_same(&wanted, &v);
        pm_value_clear(&v);
        pm_value_clear(&wanted);
        end(&r);
    }
}

static void processor_goes_on(void **state)
{
    (void)state;
    if (is_very_short())
        skip();
    for (int k = first_case(!device_first); k < CASES; k += between_cases()) {
        recorded_sum r;
        pm_value v, wanted;
        pm_value_init(&v);
        pm_value_init(&wanted);
        begin_case(k, &r);
        count_alone(&r, &wanted);
        assert_int_equal(count(&r, PM_BACKEND_CUDA, 0.6, &v), PM_ESTOPPED);
        look(&r);
        assert_int_equal(r.tasks, 1);
        assert_true(r.done > 0 && r.done < r.count);
        double done = (double)r.done / (double)r.count;
        host_gpu_state.devices = 0;
        assert_int_equal(count(&r, PM_BACKEND_AUTO, 2, &v), PM_OK);
        assert_int_equal(r.anew, 0);
        assert_true(r.began_at >= done);
        assert_int_equal(host_gpu_state.blocks, 0);
        assert_same(&wanted, &v);
        pm_value_clear(&v);
        pm_value_clear(&wanted);
        end(&r);
    }
}

/* ---- many changes at random ---- */

/* Nothing that is recorded is lost. */
static void changes_at_random(void **state)
{
    (void)state;
    int changes = 0;
    for (int round = test_rounds(3); round > 0; --round) {
        recorded_sum r;
        pm_value v, wanted;
        pm_status status = PM_ESTOPPED;
        uint64_t before = 0;
        pm_value_init(&v);
        pm_value_init(&wanted);
        begin_case((int)pm_rng_below(&rng, CASES), &r);
        count_alone(&r, &wanted);
        for (int sitting = 0; status == PM_ESTOPPED; ++sitting) {
            pm_backend on = pm_rng_below(&rng, 2) ? PM_BACKEND_CUDA : PM_BACKEND_CPU;
            host_gpu_state.devices = 1 + (int)pm_rng_below(&rng, 2);
            r.o.gpus = host_gpu_state.devices;
            status = count(&r, on, sitting < 12 ? pm_rng_unit(&rng) : 2, &v);
            if (status == PM_OK)
                break;
            assert_int_equal(status, PM_ESTOPPED);
            look(&r);
            assert_int_equal(r.tasks, 1);
            assert_true(r.done >= before);
            changes += r.done > before;
            before = r.done;
        }
        assert_int_equal(r.anew, 0);
        assert_same(&wanted, &v);
        pm_value_clear(&v);
        pm_value_clear(&wanted);
        end(&r);
    }
    assert_true(changes > 0);
}

/* ---- parts ---- */

/* A group of thread blocks is here larger than a piece of the CPU. */
static void parts_have_the_digits(void **state)
{
    (void)state;
    enum { PARTS = 7 };
    const int n = test_size(22, 19);
    recorded_sum whole, parts;
    pm_value v, wanted;
    const uint64_t same = rng;
    pm_value_init(&v);
    pm_value_init(&wanted);
    begin(full(n, PM_COMPLEX, 1000), &whole);
    whole.o.precision = PM_QUAD;
    assert_int_equal(count(&whole, PM_BACKEND_CUDA, 2, &wanted), PM_OK);
    rng = same;
    begin(full(n, PM_COMPLEX, 1000), &parts);
    parts.o.precision = PM_QUAD;
    for (int k = 1; k <= PARTS; ++k) {
        pm_ledger_set_part(parts.ledger, k, PARTS);
        assert_int_equal(count(&parts, PM_BACKEND_CUDA, 2, &v), k < PARTS ? PM_PARTIAL : PM_OK);
    }
    assert_memory_equal(&v.re, &wanted.re, sizeof v.re);
    assert_memory_equal(&v.im, &wanted.im, sizeof v.im);
    assert_memory_equal(&v.error, &wanted.error, sizeof v.error);
    pm_value_clear(&v);
    pm_value_clear(&wanted);
    end(&whole);
    end(&parts);
}

/* ---- what begins anew ---- */

/* One line says so, and the digits are right: sums of another method, and integers that a device takes modulo
 * each prime. */
static void others_begin_anew(void **state)
{
    (void)state;
    static const struct {
        const char *algorithm;
        int n;
        int64_t most;
    } other[] = {{"product-tree", 24, 9}, {"ryser", 17, INT64_C(1) << 50}};
    for (int k = 0; k < 4; ++k) {
        if (k % 2 == (k / 2 == device_first))
            continue; /* each sum one way */
        recorded_sum r;
        pm_value v, wanted;
        bool is_large = other[k / 2].most > 9;
        pm_backend first = k % 2 ? PM_BACKEND_CUDA : PM_BACKEND_CPU,
                   then = k % 2 ? PM_BACKEND_CPU : PM_BACKEND_CUDA;
        pm_value_init(&v);
        pm_value_init(&wanted);
        begin(is_large ? large(other[k / 2].n) : band(other[k / 2].n, 5, PM_INTEGER, 9), &r);
        r.o.algorithm = other[k / 2].algorithm;
        count_alone(&r, &wanted);
        assert_int_equal(count(&r, first, k % 2 ? 0.5 : 0, &v), PM_ESTOPPED);
        if (k % 2)
            assert_true(host_gpu_state.blocks > 0);
        look(&r);
        bool has_work = r.done > 0; /* a device may have lost all of a short sum */
        assert_true(has_work || k == 1);
        assert_int_equal(count(&r, then, 2, &v), PM_OK);
        assert_int_equal(r.anew, has_work);
        assert_same(&wanted, &v);
        pm_value_clear(&v);
        pm_value_clear(&wanted);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_bounded),      cmocka_unit_test(device_goes_on),
        cmocka_unit_test(processor_goes_on),     cmocka_unit_test(changes_at_random),
        cmocka_unit_test(parts_have_the_digits), cmocka_unit_test(others_begin_anew),
    };
    rng = test_seed();
    device_first = pm_rng_below(&rng, 2);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pm_gpu_end();
    kept_texts_end();
    return failed;
}
