/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/device_works.h"

#include <stdio.h>

#include "support/answers.h"
#include "support/matrices.h"
#include "support/testing.h"

void listen_to_notes(void *context, int level, const char *line)
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

void slow_rates(const pm_matrix *a, const pm_count_options *like, pm_rates *out)
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

const work works[WORKS] = {
    {"ryser", PM_PATTERN, 13, 1},          {"ryser", PM_REAL, 13, 1},
    {"product-tree", PM_PATTERN, 14, 0.4}, {"product-tree", PM_REAL, 14, 0.4},
    {"skipper", PM_PATTERN, 13, 0.4},      {"sparyser", PM_COMPLEX, 12, 0.4},
    {"frontier", PM_PATTERN, 12, 0.3},     {"frontier", PM_REAL, 12, 0.3},
    {"repeated", PM_PATTERN, 12, 0.8},     {"repeated", PM_COMPLEX, 11, 1},
};

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

void make_matrix(uint64_t *rng, const work *w, pm_matrix *a)
{
    random_matrix(rng, w->field, w->n, w->n, w->density, a);
    while (is_zero(a)) {
        pm_matrix_free(a);
        random_matrix(rng, w->field, w->n, w->n, w->density, a);
    }
}

pm_count_options options_of(const work *w, pm_backend backend)
{
    pm_count_options o = pm_count_defaults();
    o.algorithm = w->algorithm;
    o.backend = backend;
    o.reduce = (pm_reduce_options){0};
    return o;
}

void assert_right(const pm_matrix *a, const pm_value *v)
{
    pm_value here;
    pm_count_options o = pm_count_defaults();
    pm_value_init(&here);
    assert_int_equal(pm_count(a, &o, NULL, &here, NULL, NULL), PM_OK);
    assert_true(values_agree(&here, v));
    pm_value_clear(&here);
}

void make_two_blocks(pm_matrix *a)
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
