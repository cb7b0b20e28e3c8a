/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded sums of the Ryser family that go on with the other kind of device: the digits, and that nothing that was done is
 * done again.  Devices are those of host_gpu.h.  False alarms: none; exact answers are equal, and others are
 * compared with their proved errors, or at those that are estimated with ten times these. */
#include "config.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm/rates.h"
#include "core/text_stream.h"
#include "gpu/gpu.h"
#include "ledger/ledger.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "support/answers.h"
#include "support/host_gpu.h"
#include "support/kept_texts.h"
#include "support/ledger_texts.h"
#include "support/testing.h"
#include "sweep/square.h"
#include "sweep/sum_bits.h"

static uint64_t rng;
static volatile sig_atomic_t stop;

/* ---- recorded counts ---- */

typedef struct {
    pm_matrix a;
    pm_count_options o;
    const char *on_cpu, *on_gpu; /* algorithms */
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
    if (!what || (strcmp(what, r->on_cpu) != 0 && strcmp(what, r->on_gpu) != 0))
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

static void begin(pm_matrix a, const char *on_cpu, const char *on_gpu, recorded_sum *r)
{
    *r = (recorded_sum){.a = a, .o = pm_count_defaults(), .on_cpu = on_cpu, .on_gpu = on_gpu};
    host_gpu_reset();
    r->o.reduce = (pm_reduce_options){0};
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
    r->o.algorithm = on == PM_BACKEND_CUDA ? r->on_gpu : r->on_cpu;
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
    o.algorithm = r->on_cpu;
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
    int64_t v = most >> 32 ? 1 + (int64_t)(pm_rng_next(&rng) % (uint64_t)most)
                           : 1 + (int64_t)pm_rng_below(&rng, (uint32_t)most);
    return pm_rng_below(&rng, 3) ? v : -v;
}

static void add_entry(pm_triples *t, int row, int col, int64_t re, int64_t im)
{
    pm_dyadic x = {0}, y = {0};
    pm_dyadic_set_si(&x, re);
    pm_dyadic_set_si(&y, im);
    x.exp -= t->field >= PM_REAL ? 5 : 0;
    assert_int_equal(pm_triples_add(t, row, col, 0, &x, t->field == PM_COMPLEX ? &y : NULL, NULL),
                     PM_OK);
}

/* n x n, without a 0 where row and column differ by at most `width`, and then every line so many times.  Real and
 * complex entries are no integers. */
static pm_matrix copied_band(int n, int width, int copies, pm_field field, int64_t most)
{
    pm_matrix a;
    pm_triples t = {.field = field, .nrows = n * copies, .ncols = n * copies};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            int64_t re = entry(most), im = entry(most);
            for (int k = 0; abs(i - j) <= width && k < copies * copies; ++k)
                add_entry(&t, i * copies + k / copies, j * copies + k % copies, re, im);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
    pm_triples_free(&t);
    return a;
}

static pm_matrix band(int n, int width, pm_field field, int64_t most)
{
    return copied_band(n, width, 1, field, most);
}

static pm_matrix full(int n, pm_field field, int64_t most)
{
    return band(n, n, field, most);
}

typedef struct {
    const char *on_cpu, *on_gpu;
    int n, width, copies; /* see copied_band() */
    pm_field field;
    int64_t most;
    bool in_words; /* the device is slow with doubles */
    bool several;  /* tasks, one after another, modulo other primes */
    bool at_once;  /* a device sums all in one range, so it cannot be stopped within the sum */
} shared_case;

/* The entries of the fourth need primes of several sweeps of the device. */
static const shared_case cases[] = {
    {"ryser", "ryser", 21, 21, 1, PM_INTEGER, 1 << 14, false, false, false},
    {"ryser", "ryser", 21, 21, 1, PM_INTEGER, 1 << 14, true, false, false},
    {"ryser", "ryser", 22, 22, 1, PM_REAL, 1000, false, false, false},
    {"ryser", "ryser", 21, 21, 1, PM_INTEGER, 1 << 20, false, false, false},
    {"ryser", "ryser", 20, 20, 1, PM_COMPLEX, 1000, false, false, false},
    {"ryser", "ryser", 17, 17, 1, PM_INTEGER, INT64_C(1) << 50, false, false, true},
    {"product-tree", "product-tree", 22, 11, 1, PM_INTEGER, 9, false, true, false},
    {"product-tree", "product-tree", 22, 11, 1, PM_INTEGER, 9, true, true, false},
    {"product-tree", "product-tree", 24, 12, 1, PM_REAL, 1000, false, false, false},
    {"product-tree", "product-tree", 24, 12, 1, PM_COMPLEX, 1000, false, false, false},
    {"product-tree", "product-tree", 9, 9, 1, PM_INTEGER, INT64_C(1) << 50, false, true, false},
    {"skipper", "skipper", 22, 3, 1, PM_INTEGER, 2, false, false, false},
    {"sparyser", "sparyser", 22, 3, 1, PM_INTEGER, 1 << 12, false, false, false},
    {"ryser", "ryser", 12, 12, 1, PM_INTEGER, INT64_C(1) << 60, false, true, false},
    {"skipper", "skipper", 22, 3, 1, PM_REAL, 1000, false, false, false},
    {"skipper", "skipper", 20, 2, 1, PM_COMPLEX, 3, false, false, false},
    {"skipper", "skipper", 18, 2, 1, PM_INTEGER, INT64_C(1) << 50, false, false, true},
    {"skipper", "skipper", 16, 2, 1, PM_INTEGER, INT64_C(1) << 60, false, true, true},
    {"sparyser", "sparyser", 21, 4, 1, PM_COMPLEX, 1000, false, false, false},
    {"sparyser", "sparyser", 22, 3, 1, PM_REAL, 3, false, false, false},
    {"sparyser", "sparyser", 14, 3, 1, PM_INTEGER, INT64_C(1) << 60, false, true, true},
    {"repeated", "repeated", 14, 14, 2, PM_INTEGER, 1 << 20, false, true, false},
    {"repeated", "repeated", 12, 12, 2, PM_INTEGER, 1 << 20, true, true, false},
    {"repeated", "repeated", 4, 4, 3, PM_INTEGER, INT64_C(1) << 46, false, true, false},
    {"repeated", "repeated", 11, 11, 3, PM_REAL, 1000, false, false, true},
    {"repeated", "repeated", 13, 13, 2, PM_COMPLEX, 1000, false, false, true},
};
enum { CASES = sizeof cases / sizeof *cases };

static void begin_case(int k, recorded_sum *r)
{
    const shared_case *c = &cases[k];
    begin(copied_band(c->n, c->width, c->copies, c->field, c->most), c->on_cpu, c->on_gpu, r);
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

/* log2 of the sum of |terms|. */
static double terms_bits(const pm_terms *t)
{
    double sum = 0;
    for (uint64_t g = 0; g < pm_terms_count(t); ++g) {
        double product = 1;
        pm_row_sums x;
        pm_row_sums_at(t, g, &x);
        for (int32_t i = 0; i < t->n; ++i)
            product *= fabs((double)x.re[i]);
        sum += product;
    }
    return log2(sum);
}

static void terms_are_bounded(void **state)
{
    (void)state;
    for (int round = test_rounds(60); round > 0; --round) {
        int n = 2 + (int)pm_rng_below(&rng, 8);
        pm_matrix a =
            band(n, 1 + round % n, PM_INTEGER, round % 3 ? 1 << pm_rng_below(&rng, 20) : 1);
        int32_t once[16];
        pm_block b = {.n = n, .a = a, .row_cap = once, .col_cap = once};
        pm_square s;
        pm_terms t;
        pm_column_order order;
        pm_column_order_given(n, &order);
        for (int i = 0; i < n; ++i)
            once[i] = 1;
        assert_int_equal(pm_square_make(&b, round % 2, 61, 0, &s, NULL), PM_OK);
        assert_int_equal(pm_terms_make(&s, (pm_form)(round % PM_FORMS), &order, &t, NULL), PM_OK);
        assert_true(pm_terms_sum_bits(&t) >= terms_bits(&t));
        pm_terms_free(&t);
        pm_square_free(&s);
        pm_matrix_free(&a);
    }
}

/* ---- one change of the device ---- */

/* One case of SHARE changes, each in one of these ways; other cases and ways in other runs.  In short runs one case in
 * each way. */
enum { DEVICE_GOES_ON, PROCESSOR_GOES_ON, PARTS_FIT, WAYS, SHARE = 4 };
static int first_way;

static int first_case(int way)
{
    const int share = (int)pm_rng_below(&rng, SHARE);
    return (first_way + way) % WAYS
           + WAYS * (share + SHARE * test_first(&rng, CASES / WAYS / SHARE));
}

/* Under valgrind one change takes half a minute; those at random are still there, and one test of those below in turn. */
static int between_cases(void)
{
    return SHARE * WAYS * test_step(CASES);
}

/* The run has gone on where the ledger ends.  done: of the task. */
static void assert_gone_on(int k, const recorded_sum *r, double done)
{
    assert_int_equal(r->anew, 0);
    assert_true(r->began_at > 0);
    if (!cases[k].several)
        assert_true(r->began_at >= done);
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
    if (test_waits(&rng))
        skip();
    if (test_is_very_short())
        skip();
    for (int k = first_case(DEVICE_GOES_ON); k < CASES; k += between_cases()) {
        recorded_sum r;
        pm_value v, wanted;
        pm_value_init(&v);
        pm_value_init(&wanted);
        bool has_one_plan = strcmp(cases[k].on_cpu, "ryser") == 0 && !(cases[k].most >> 44);
        int64_t all = has_one_plan ? blocks_of_all(k) : 0;
        begin_case(k, &r);
        count_alone(&r, &wanted);
        assert_int_equal(count(&r, PM_BACKEND_CPU, 0, &v), PM_ESTOPPED);
        look(&r);
        assert_int_equal(r.tasks, 1);
        assert_true(r.done > 0 && (cases[k].several || r.done < r.count));
        double done = (double)r.done / (double)r.count;
        assert_int_equal(count(&r, PM_BACKEND_CUDA, 2, &v), PM_OK);
        assert_gone_on(k, &r, done);
        assert_true(host_gpu_state.blocks > 0);
        if (has_one_plan)
            assert_true((double)host_gpu_state.blocks <= (1 - done) * (double)all);
        assert_same(&wanted, &v);
        pm_value_clear(&v);
        pm_value_clear(&wanted);
        end(&r);
    }
}

static void processor_goes_on(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    if (test_is_very_short())
        skip();
    for (int k = first_case(PROCESSOR_GOES_ON); k < CASES; k += between_cases()) {
        if (cases[k].at_once)
            continue;
        recorded_sum r;
        pm_value v, wanted;
        pm_value_init(&v);
        pm_value_init(&wanted);
        begin_case(k, &r);
        count_alone(&r, &wanted);
        assert_int_equal(count(&r, PM_BACKEND_CUDA, 0.6, &v), PM_ESTOPPED);
        look(&r);
        assert_true(r.done > 0);
        double done = (double)r.done / (double)r.count;
        host_gpu_state.devices = 0;
        assert_int_equal(count(&r, PM_BACKEND_AUTO, 2, &v), PM_OK);
        assert_gone_on(k, &r, done);
        assert_int_equal(host_gpu_state.blocks, 0);
        assert_same(&wanted, &v);
        pm_value_clear(&v);
        pm_value_clear(&wanted);
        end(&r);
    }
}

/* The published kernels are trees that eliminate no columns: the processor goes on with them, and they with it. */
static void published_kernels_go_on(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    if (test_is_very_short() && first_way != 1)
        skip();
    static const char *const kernels[] = {"codegen", "hybrid"};
    /* after one piece of four, or when a piece is done */
    static const double stops_at[] = {0.3, 0, 0.8};
    const char *kernel = kernels[pm_rng_below(&rng, 2)];
    recorded_sum r;
    pm_value v, wanted;
    uint64_t before = 0;
    pm_value_init(&v);
    pm_value_init(&wanted);
    begin(band(23, 11, PM_INTEGER, 9), "product-tree", kernel, &r);
    count_alone(&r, &wanted);
    for (int sitting = 0; sitting < 3; ++sitting) {
        bool is_on_gpu = sitting % 2 == 0;
        pm_backend on = is_on_gpu ? PM_BACKEND_CUDA : PM_BACKEND_CPU;
        assert_int_equal(count(&r, on, stops_at[sitting], &v), PM_ESTOPPED);
        look(&r);
        assert_true(r.done > before && r.done < r.count);
        before = r.done;
    }
    assert_int_equal(count(&r, PM_BACKEND_CPU, 2, &v), PM_OK);
    assert_int_equal(r.anew, 0);
    assert_int_equal(host_gpu_state.blocks, 0);
    assert_same(&wanted, &v);
    pm_value_clear(&v);
    pm_value_clear(&wanted);
    end(&r);
}

/* ---- many changes at random ---- */

/* Nothing that is recorded is lost. */
static void changes_at_random(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    int changes = 0;
    for (int round = 0; round < test_rounds(2) || (changes == 0 && round < 30); ++round) {
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

typedef struct {
    const char *method;
    int n, width, copies; /* see copied_band() */
    pm_field field;
    pm_precision precision;
} part_case;

/* A group of thread blocks is here larger than a piece of the CPU. */
static const part_case part_cases[] = {
    {"ryser", 22, 22, 1, PM_REAL, PM_SINGLE},       {"ryser", 20, 20, 1, PM_COMPLEX, PM_SINGLE},
    {"repeated", 13, 13, 2, PM_COMPLEX, PM_SINGLE}, {"ryser", 20, 20, 1, PM_COMPLEX, PM_QUAD},
    {"ryser", 22, 22, 1, PM_REAL, PM_KAHAN},        {"skipper", 22, 3, 1, PM_REAL, PM_KAHAN},
    {"sparyser", 22, 3, 1, PM_COMPLEX, PM_KAHAN},   {"product-tree", 24, 12, 1, PM_REAL, PM_KAHAN},
    {"repeated", 13, 13, 2, PM_COMPLEX, PM_KAHAN},
};
enum { PART_CASES = sizeof part_cases / sizeof *part_cases };

static void begin_parts(const part_case *c, recorded_sum *r)
{
    begin(copied_band(c->n, c->width, c->copies, c->field, 1000), c->method, c->method, r);
    r->o.precision = c->precision;
}

static void assert_digits_of_parts(const part_case *c)
{
    enum { PARTS = 7 };
    recorded_sum whole, parts;
    pm_value v, wanted;
    const uint64_t same = rng;
    pm_value_init(&v);
    pm_value_init(&wanted);
    begin_parts(c, &whole);
    assert_int_equal(count(&whole, PM_BACKEND_CUDA, 2, &wanted), PM_OK);
    rng = same;
    begin_parts(c, &parts);
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

/* Other cases in other runs. */
static void parts_have_the_digits(void **state)
{
    enum { APART = 3 };
    (void)state;
    if (test_is_very_short())
        skip();
    for (int k = (int)pm_rng_below(&rng, APART); k < PART_CASES; k += APART)
        assert_digits_of_parts(&part_cases[k]);
}

/* ---- parts on machines with and without devices ---- */

/* Each part has a ledger of its own, and no --backend; a machine without a device merges them. */
static void parts_of_machines_fit(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    if (test_is_very_short())
        skip();
    pm_rates slow = pm_rates_nominal;
    for (int i = 0; i < PM_RATES; ++i)
        slow.seconds[i] *= 1e6;
    for (int k = first_case(PARTS_FIT); k < CASES; k += between_cases()) {
        if (strcmp(cases[k].on_gpu, "product-tree") == 0 && cases[k].field >= PM_REAL)
            continue; /* their digits depend on the plan, which each kind of device makes */
        recorded_sum r;
        pm_value v, wanted;
        pm_ledger *all;
        bool is_one_piece = false;
        pm_value_init(&v);
        pm_value_init(&wanted);
        begin_case(k, &r);
        count_alone(&r, &wanted);
        r.o.rates = &slow; /* then a device is chosen */
        assert_int_equal(pm_ledger_make(&all, NULL), PM_OK);
        pm_ledger_set_least(all, 0);
        for (int part = 1; part <= 2; ++part) {
            pm_ledger_set_part(r.ledger, part, 2);
            host_gpu_state.devices = 2 - part;
            pm_status status = count(&r, PM_BACKEND_AUTO, 2, &v);
            look(&r);
            is_one_piece |= part == 1 && r.done == 0;
            assert_int_equal(status, part == 2 && is_one_piece ? PM_OK : PM_PARTIAL);
            assert_true(host_gpu_state.blocks > 0 || part == 2 || is_one_piece || cases[k].several);
            ledger_add_text(ledger_text(r.ledger), all);
            pm_ledger_free(r.ledger);
            assert_int_equal(pm_ledger_make(&r.ledger, NULL), PM_OK);
            pm_ledger_set_least(r.ledger, 0);
            r.o.ledger = r.ledger;
        }
        pm_ledger_free(r.ledger);
        r.o.ledger = r.ledger = all;
        pm_ledger_seal(all);
        assert_int_equal(count(&r, PM_BACKEND_CPU, 2, &v), PM_OK);
        assert_int_equal(r.anew, 0);
        assert_same(&wanted, &v);
        pm_value_clear(&v);
        pm_value_clear(&wanted);
        end(&r);
    }
}

/* ---- damaged plans ---- */

/* The ledger has the text again, which is copied. */
static void read_again(const char *text, recorded_sum *r)
{
    pm_ledger_free(r->ledger);
    assert_int_equal(pm_ledger_make(&r->ledger, NULL), PM_OK);
    pm_ledger_set_least(r->ledger, 0);
    r->o.ledger = r->ledger;
    ledger_add_text(pm_copy_text(text), r->ledger);
}

/* Replaces one number of the plan, or adds or drops the last one.  Returns a new text; frees the old one. */
static char *damage_plan(char *text)
{
    static const char *const wrong[] = {
        "0", "1", "2", "3", "9", "64", "1048576", "1099511627776", "9223372036854775807"};
    char *line = strstr(text, "\nplan "), *end = line ? strchr(line + 1, '\n') : NULL;
    if (!line)
        return text;
    int words = 0;
    for (char *p = line + 1; p < end; ++p)
        words += *p == ' ';
    const int at = 2 + (int)pm_rng_below(&rng, (uint32_t)words); /* after the name; or one more */
    const char *number = wrong[pm_rng_below(&rng, sizeof wrong / sizeof *wrong)];
    char *p = line + 1;
    for (int word = 0; word < at && p < end; ++p)
        word += *p == ' ';
    char *rest = p < end && pm_rng_below(&rng, 4) ? memchr(p, ' ', (size_t)(end - p)) : NULL;
    rest = rest ? rest : end;
    pm_text_stream *s = pm_text_stream_open();
    assert_non_null(s);
    fprintf(pm_text_stream_file(s), "%.*s%s%s%s", (int)(p - text), text, p < end ? "" : " ", number,
            rest);
    free(text);
    return pm_text_stream_close(s);
}

/* The checksum at the end is that of the text again. */
static void sign(char *text)
{
    pm_sha256 hash;
    unsigned char sum[32];
    char *end = strstr(text, "\nend ");
    assert_non_null(end);
    pm_sha256_begin(&hash);
    pm_sha256_add(&hash, text, (size_t)(end + 1 - text));
    pm_sha256_end(&hash, sum);
    for (int i = 0; i < 32; ++i)
        snprintf(end + 5 + 2 * i, 3, "%02x", sum[i]);
    end[5 + 64] = '\n';
}

/* Whatever a plan says, the digits are right, on both devices. */
static void damaged_plans(void **state)
{
    (void)state;
    int found = 0;
    if (test_is_very_short())
        skip();
    for (int round = 0; round < test_rounds(1) || (found == 0 && round < 30); ++round) {
        recorded_sum r;
        pm_value v, wanted;
        pm_value_init(&v);
        pm_value_init(&wanted);
        begin_case((int)pm_rng_below(&rng, CASES), &r);
        count_alone(&r, &wanted);
        assert_int_equal(count(&r, PM_BACKEND_CPU, 0, &v), PM_ESTOPPED);
        char *text = ledger_text(r.ledger);
        found += strstr(text, "\nplan ") != NULL;
        text = damage_plan(text);
        sign(text);
        read_again(text, &r);
        free(text);
        assert_int_equal(count(&r, round % 2 ? PM_BACKEND_CUDA : PM_BACKEND_CPU, 2, &v), PM_OK);
        assert_same(&wanted, &v);
        pm_value_clear(&v);
        pm_value_clear(&wanted);
        end(&r);
    }
    assert_true(found > 0);
}

/* ---- what begins anew ---- */

/* One line says so, and the digits are right: the published kernels do not eliminate columns. */
static void others_begin_anew(void **state)
{
    (void)state;
    if (test_is_very_short() && first_way == 1)
        skip();
    recorded_sum r;
    pm_value v, wanted;
    pm_value_init(&v);
    pm_value_init(&wanted);
    begin(band(24, 4, PM_INTEGER, 9), "product-tree", first_way ? "codegen" : "hybrid", &r);
    count_alone(&r, &wanted);
    assert_int_equal(count(&r, PM_BACKEND_CPU, 0, &v), PM_ESTOPPED);
    look(&r);
    assert_true(r.done > 0);
    assert_int_equal(count(&r, PM_BACKEND_CUDA, 2, &v), PM_OK);
    assert_int_equal(r.anew, 1);
    assert_same(&wanted, &v);
    pm_value_clear(&v);
    pm_value_clear(&wanted);
    end(&r);
}

/* n x n, 1 on the diagonal and `value` beside it, as far as `width`.  Sums that occur equally often are other ones modulo a
 * prime. */
static pm_matrix equal_entries(int n, int width, int64_t value)
{
    pm_matrix a;
    pm_triples t = {.field = PM_INTEGER, .nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            if (abs(i - j) <= width)
                add_entry(&t, i, j, i == j ? 1 : value, 0);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
    pm_triples_free(&t);
    return a;
}

/* The terms of skipper begin with the most frequent sums of the rows: a device that takes the entries modulo primes takes
 * those of the processor. */
static void large_integers_of_skipper(void **state)
{
    (void)state;
    if (test_waits(&rng))
        skip();
    const bool device_first = pm_rng_below(&rng, 2);
    recorded_sum r;
    pm_value v, wanted;
    pm_value_init(&v);
    pm_value_init(&wanted);
    begin(equal_entries(test_size(16, 14), 1 + (int)pm_rng_below(&rng, 2),
                        3 * (INT64_C(1) << 44) + 1),
          "skipper", "skipper", &r);
    count_alone(&r, &wanted);
    pm_status status =
        count(&r, device_first ? PM_BACKEND_CUDA : PM_BACKEND_CPU, device_first ? 0.6 : 0.3, &v);
    assert_true(status == PM_OK || status == PM_ESTOPPED);
    assert_int_equal(count(&r, device_first ? PM_BACKEND_CPU : PM_BACKEND_CUDA, 2, &v), PM_OK);
    assert_same(&wanted, &v);
    assert_int_equal(r.anew, 0);
    pm_value_clear(&v);
    pm_value_clear(&wanted);
    end(&r);
}

/* ---- memory that ends ---- */

/* The run that goes on, from this text, at some of whose allocations memory ends: it fails, or has the digits.  A later
 * run, from what it has left in the ledger, has them too. */
static void fail_going_on(const char *text, pm_backend on, const pm_value *wanted, recorded_sum *r)
{
    pm_value v;
    int failed = 0;
    pm_value_init(&v);
    read_again(text, r);
    pm_alloc_fail_at(INT64_MAX);
    assert_int_equal(count(r, on, 2, &v), PM_OK);
    const int64_t allocations = pm_alloc_fail_at(0);
    assert_true(allocations > 0);
    for (int round = test_rounds(2); round > 0; --round) {
        int64_t k = 1 + (int64_t)pm_rng_below(&rng, (uint32_t)allocations);
        read_again(text, r);
        pm_alloc_fail_at(k);
        pm_status status = count(r, on, 2, &v);
        pm_alloc_fail_at(0);
        assert_true(status == PM_ENOMEM || status == PM_OK);
        failed += status == PM_ENOMEM;
        if (!status)
            assert_same(wanted, &v);
        assert_int_equal(count(r, on, 2, &v), PM_OK);
        assert_same(wanted, &v);
    }
    print_message("# %s: %d of %d allocations\n", r->on_cpu, failed, (int)allocations);
    pm_value_clear(&v);
}

/* Other cases in other runs. */
static void memory_ends(void **state)
{
    enum { APART = 26 };
    (void)state;
    if (test_is_very_short())
        skip();
    for (int k = (int)pm_rng_below(&rng, APART); k < CASES; k += APART) {
        recorded_sum r;
        pm_value v, wanted;
        const bool device_first = pm_rng_below(&rng, 2) && !cases[k].at_once;
        pm_value_init(&v);
        pm_value_init(&wanted);
        begin_case(k, &r);
        count_alone(&r, &wanted);
        assert_int_equal(
            count(&r, device_first ? PM_BACKEND_CUDA : PM_BACKEND_CPU, device_first ? 0.6 : 0, &v),
            PM_ESTOPPED);
        char *text = ledger_text(r.ledger);
        fail_going_on(text, device_first ? PM_BACKEND_CPU : PM_BACKEND_CUDA, &wanted, &r);
        free(text);
        pm_value_clear(&v);
        pm_value_clear(&wanted);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_bounded),        cmocka_unit_test(terms_are_bounded),
        cmocka_unit_test(device_goes_on),          cmocka_unit_test(processor_goes_on),
        cmocka_unit_test(published_kernels_go_on), cmocka_unit_test(changes_at_random),
        cmocka_unit_test(parts_have_the_digits),   cmocka_unit_test(parts_of_machines_fit),
        cmocka_unit_test(others_begin_anew),       cmocka_unit_test(large_integers_of_skipper),
        cmocka_unit_test(damaged_plans),           cmocka_unit_test(memory_ends),
    };
    rng = test_seed();
    first_way = (int)pm_rng_below(&rng, WAYS);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    pm_gpu_end();
    kept_texts_end();
    return failed;
}
