/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library inside a host program: it leaves the host's GMP allocation functions, OpenMP
 * settings, GSL error handler and environment alone. */
#include "config.h"

#include <gmp.h>
#include <gsl/gsl_errno.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/cache_folder.h"
#include "core/isa.h"
#include "core/rng.h"
#include "estimate/certify.h"
#include "estimate/estimate.h"
#include "pm/count.h"
#include "pm/io.h"
#include "pm/settings.h"

/* ---- the host: its GMP memory begins inside a block of malloc, so that free() would abort ---- */

#define MAGIC UINT64_C(0x686f73742d676d70)

typedef struct {
    uint64_t magic, bytes;
} header;

static _Atomic int64_t live_bytes, allocations;

static void *host_alloc(size_t bytes)
{
    header *h = malloc(sizeof *h + bytes);
    if (!h)
        abort();
    *h = (header){MAGIC, bytes};
    live_bytes += (int64_t)bytes;
    ++allocations;
    return h + 1;
}

static void host_free(void *p, size_t bytes)
{
    header *h = (header *)p - 1;
    if (h->magic != MAGIC || h->bytes != bytes)
        abort();
    h->magic = 0;
    live_bytes -= (int64_t)bytes;
    free(h);
}

static void *host_realloc(void *p, size_t old_bytes, size_t bytes)
{
    void *q = host_alloc(bytes);
    memcpy(q, p, old_bytes < bytes ? old_bytes : bytes);
    host_free(p, old_bytes);
    return q;
}

static void host_gsl_handler(const char *reason, const char *file, int line, int number)
{
    printf("# %s:%d: %s (%d)\n", file, line, reason, number);
    abort();
}

enum { HOST_THREADS = 3, HOST_LEVELS = 2, HOST_CHUNK = 5 };

static void start_host(void)
{
    mp_set_memory_functions(host_alloc, host_realloc, host_free);
    gsl_set_error_handler(host_gsl_handler);
    omp_set_num_threads(HOST_THREADS);
    omp_set_dynamic(0);
    omp_set_max_active_levels(HOST_LEVELS);
    omp_set_schedule(omp_sched_guided, HOST_CHUNK);
}

/* What start_host has set is still set, and all GMP memory is back. */
static void assert_host_untouched(void)
{
    void *(*alloc)(size_t), *(*resize)(void *, size_t, size_t);
    void (*release)(void *, size_t);
    omp_sched_t kind;
    int chunk;
    mp_get_memory_functions(&alloc, &resize, &release);
    assert_true(alloc == host_alloc && resize == host_realloc && release == host_free);
    gsl_error_handler_t *handler = gsl_set_error_handler(host_gsl_handler);
    assert_true(handler == host_gsl_handler);
    omp_get_schedule(&kind, &chunk);
    assert_int_equal(omp_get_max_threads(), HOST_THREADS);
    assert_int_equal(omp_get_dynamic(), 0);
    assert_int_equal(omp_get_max_active_levels(), HOST_LEVELS);
    assert_int_equal(kind, omp_sched_guided);
    assert_int_equal(chunk, HOST_CHUNK);
    assert_true(allocations > 0);
    assert_int_equal(live_bytes, 0);
}

/* ---- matrices ---- */

typedef void entry_function(pm_dyadic *x, int i, int j);

static void large_integer(pm_dyadic *x, int i, int j)
{
    mpz_t z;
    mpz_init(z);
    mpz_ui_pow_ui(z, (unsigned long)(3 + i), (unsigned long)(60 + j));
    pm_dyadic_set_mpz(x, z);
    mpz_clear(z);
}

static void small_integer(pm_dyadic *x, int i, int j)
{
    pm_dyadic_set_si(x, 1 + (7 * i + 5 * j) % 9);
}

static void real_number(pm_dyadic *x, int i, int j)
{
    pm_dyadic_set_d(x, 0.3 + i + 0.1 * j);
}

/* Full, or with a band of 2 * band + 1 diagonals that wrap round. */
static pm_matrix make_matrix(pm_field field, int n, int band, entry_function *entry)
{
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    pm_matrix a;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            pm_dyadic x = {0};
            int apart = (i - j + n) % n;
            if (apart > band && apart < n - band)
                continue;
            if (entry)
                entry(&x, i, j);
            assert_int_equal(pm_triples_add(&t, i, j, 0, entry ? &x : NULL, NULL, NULL), PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
    return a;
}

/* ---- what the host asks for ---- */

static void count(const char *algorithm, pm_field field, int n, int band, entry_function *entry)
{
    pm_count_options o = pm_count_defaults();
    pm_matrix a = make_matrix(field, n, band, entry);
    pm_value v;
    pm_error err;
    o.algorithm = algorithm;
    pm_value_init(&v);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, &err), PM_OK);
    assert_int_equal(pm_count_verify(&a, &o, NULL, &v, &err), PM_OK);
    char *text = pm_value_text(&v);
    assert_non_null(text);
    free(text);
    pm_value_clear(&v);
    pm_matrix_free(&a);
}

static void counts(void **state)
{
    (void)state;
    count(NULL, PM_PATTERN, 40, 3, NULL);
    count("frontier", PM_INTEGER, 24, 2, small_integer);
    count("ryser", PM_INTEGER, 14, 14, small_integer);
    count(NULL, PM_INTEGER, 9, 9, large_integer);
    count(NULL, PM_REAL, 12, 12, real_number);
    count("frontier", PM_REAL, 20, 2, real_number);
    assert_host_untouched();
}

/* The expression that a text holds. */
static void read_expression(const char *text, pm_expression *x)
{
    char name[] = "/tmp/pm-library-XXXXXX";
    int fd = mkstemp(name);
    pm_reader *r;
    bool got;
    pm_error err;
    pm_read_options opt = {0};
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (int64_t)strlen(text));
    close(fd);
    assert_int_equal(pm_reader_open(name, &opt, &r, &err), PM_OK);
    const pm_node_source source = pm_reader_source(r);
    const pm_expression_how how = {.asked = PM_MATCHING_PERFECT};
    assert_int_equal(pm_expression_read(x, &source, &how, NULL, &got, &err), PM_OK);
    assert_true(got);
    pm_reader_close(&r);
    unlink(name);
}

static const char text[] = "%pm: stream 1\n"
                           "%pm: begin product\n"
                           "%pm: factor 123456789012345678901234567890/7\n"
                           "%%MatrixMarket matrix coordinate pattern general\n"
                           "4 4 16\n"
                           "1 1\n1 2\n1 3\n1 4\n2 1\n2 2\n2 3\n2 4\n"
                           "3 1\n3 2\n3 3\n3 4\n4 1\n4 2\n4 3\n4 4\n"
                           "%pm: end\n"
                           "%pm: eof\n";

static void estimates(void **state)
{
    (void)state;
    pm_estimate_options o = pm_estimate_defaults();
    o.exact_seconds = o.planar_seconds = 0;
    o.samples = 2000;
    for (int certified = 0; certified < 2; ++certified) {
        pm_expression x = {0};
        pm_estimate out;
        pm_error err;
        pm_run run = {0};
        pm_estimate_init(&out);
        read_expression(text, &x);
        pm_status status = certified ? pm_certify_item(&x, 0.2, 0.1, &o, &run, &out, &err)
                                     : pm_estimate_item(&x, &o, &run, &out, &err);
        assert_int_equal(status, PM_OK);
        assert_false(out.is_exact);
        pm_estimate_clear(&out);
        pm_expression_free(&x);
    }
    assert_host_untouched();
}

/* ---- refusals ---- */

static void far_number(pm_dyadic *x, int i, int j)
{
    pm_dyadic_set_si(x, 1 + (i != j));
    pm_dyadic_mul_2exp(x, i == j ? 1 << 30 : 0);
}

static void exponents_that_do_not_fit(void **state)
{
    (void)state;
    pm_count_options o = pm_count_defaults();
    pm_matrix a = make_matrix(PM_INTEGER, 3, 0, far_number);
    pm_value v;
    pm_error err;
    pm_value_init(&v);
    assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, "exponent"));
    pm_value_clear(&v);
    pm_matrix_free(&a);
    assert_host_untouched();
}

/* Rows times powers of 2: the permanent times their product, or a refusal. */
static void scaled_rows(void **state)
{
    (void)state;
    enum { N = 6, ROUNDS = 300 };
    pm_count_options o = pm_count_defaults();
    uint64_t rng = 1;
    int refused = 0;
    o.precision = PM_QUAD; /* reductions and plans; Glynn's formula scales each row by itself */
    for (int round = 0; round < ROUNDS; ++round) {
        pm_triples t = {.field = PM_REAL, .nrows = N, .ncols = N}, scaled = t;
        pm_matrix a, b;
        pm_value v, w;
        int64_t sum = 0;
        for (int i = 0; i < N; ++i) {
            int64_t by = ((int64_t)pm_rng_below(&rng, 3) - 1) * (INT64_C(1) << 30);
            sum += by;
            for (int j = 0; j < N; ++j) {
                pm_dyadic x = {0}, y = {0};
                if (pm_rng_below(&rng, 2))
                    continue;
                pm_dyadic_set_d(&x, pm_rng_unit(&rng) - 0.5);
                pm_dyadic_set(&y, &x);
                pm_dyadic_mul_2exp(&y, by);
                pm_triples_add(&t, i, j, 0, &x, NULL, NULL);
                pm_triples_add(&scaled, i, j, 0, &y, NULL, NULL);
            }
        }
        pm_value_init(&v);
        pm_value_init(&w);
        assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
        assert_int_equal(pm_matrix_from_triples(&scaled, PM_DUPLICATES_ERROR, "", &b, NULL), PM_OK);
        assert_int_equal(pm_count(&a, &o, NULL, &v, NULL, NULL), PM_OK);
        pm_status status = pm_count(&b, &o, NULL, &w, NULL, NULL);
        if (status == PM_OK) {
            w.re.exp -= w.re.hi != 0 ? sum : 0;
            w.error.exp -= w.error.hi != 0 ? sum : 0;
            pm_xreal error = pm_xreal_add(v.error, w.error);
            pm_xreal re = pm_xreal_add(v.re, pm_xreal_neg(w.re));
            assert_true(pm_xreal_cmpabs(re, error) <= 0);
        } else {
            assert_int_equal(status, PM_UNABLE);
            ++refused;
        }
        pm_value_clear(&v);
        pm_value_clear(&w);
        pm_matrix_free(&a);
        pm_matrix_free(&b);
    }
    assert_true(refused > 0 && refused < ROUNDS / 2);
    assert_host_untouched();
}

static void refusals_name_no_option(void **state)
{
    (void)state;
    pm_count_options o = pm_count_defaults();
    pm_run run = {.max_cost = 1e-9};
    pm_matrix a = make_matrix(PM_PATTERN, 30, 8, NULL);
    pm_value v;
    pm_error err;
    pm_value_init(&v);
    for (int named = 0; named < 2; ++named) {
        pm_settings_set(&(pm_settings){.hint[PM_HINT_COST] = named ? " (see --max-cost)" : NULL});
        assert_int_equal(pm_count(&a, &o, &run, &v, NULL, &err), PM_UNABLE);
        assert_true((strstr(err.msg, "--") != NULL) == named);
    }
    pm_settings_set(&(pm_settings){0});
    pm_value_clear(&v);
    pm_matrix_free(&a);
    assert_host_untouched();
}

static void the_environment_is_not_read(void **state)
{
    (void)state;
    char path[PM_PATH_MAX];
    assert_false(pm_isa_is_misnamed());
    assert_false(pm_cache_folder(path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_environment_is_not_read),
        cmocka_unit_test(counts),
        cmocka_unit_test(estimates),
        cmocka_unit_test(exponents_that_do_not_fit),
        cmocka_unit_test(scaled_rows),
        cmocka_unit_test(refusals_name_no_option),
    };
    if (setenv("PM_ISA", "nonsense", 1) != 0 || setenv("XDG_CACHE_HOME", "/tmp", 1) != 0)
        return 1;
    start_host();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
