/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strips whose layers are found by the numbers of their vertices (layers/band_layers.h, layers/strands.h) against the frontier
 * method: random parts, random entries at both ends, numbered across the strip or along it.  Counts are compared
 * modulo a prime near 2^61; no false alarms, and two different counts are equal modulo it with a probability below 1e-16. */
#include "config.h"

#include "support/testing.h"

#include <stdlib.h>

#include "layers/band_layers.h"
#include "layers/layers_count.h"
#include "layers/strands.h"
#include "pm/alloc.h"
#include "pm/count.h"

static const uint64_t prime = (UINT64_C(1) << 61) - 1;

static uint64_t rng;

static int below(int n)
{
    return (int)pm_rng_below(&rng, (uint32_t)n);
}

/* Each row of a part of p rows has entries in its own columns and in those beside it: where[r][c], c < 3 p, 0: none. */
typedef struct {
    int p;
    int where[5][15];
} pattern;

static pattern random_pattern(bool has_values)
{
    pattern x = {.p = 1 + below(5)};
    for (int r = 0; r < x.p; ++r)
        for (int c = 0; c < 3 * x.p; ++c)
            x.where[r][c] = below(3 * x.p) < 4 ? has_values ? below(5) - 2 : 1 : 0;
    for (int r = 0; r < x.p; ++r)
        x.where[r][x.p + r] = 1;
    return x;
}

static int value_at(const pattern *x, int i, int j)
{
    const int c = j - (i / x->p - 1) * x->p;
    return c < 0 || c >= 3 * x->p ? 0 : x->where[i % x->p][c];
}

/* n rows of the pattern.  missing: some entries near the ends are left out. */
static void make(const pattern *x, int n, bool missing, bool has_values, const int32_t *row_at,
                 const int32_t *col_at, pm_matrix *out)
{
    pm_triples t = {.field = has_values ? PM_INTEGER : PM_PATTERN, .nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = i - 3 * x->p < 0 ? 0 : i - 3 * x->p; j < n && j < i + 3 * x->p; ++j) {
            const int v = value_at(x, i, j);
            const bool is_end = i < x->p || i >= n - x->p;
            pm_dyadic value = pm_dyadic_from_si(v);
            if (v == 0 || (missing && is_end && i != j && below(3) == 0))
                continue;
            assert_int_equal(
                pm_triples_add(&t, row_at[i], col_at[j], 0, has_values ? &value : NULL, NULL, NULL),
                PM_OK);
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", out, NULL), PM_OK);
    pm_triples_free(&t);
}

static uint64_t count_layered(const pm_layered *g)
{
    pm_layers x;
    double seconds, bytes;
    uint64_t residue;
    const pm_layers_sink none = {NULL, NULL};
    assert_int_equal(pm_layers_make(g, INT64_MAX, NULL, &x, NULL), PM_OK);
    const pm_layers_way way = pm_layers_choose(&x, 1, true, &seconds, &bytes);
    assert_int_equal(pm_layers_residues(&x, way, &prime, 1, NULL, none, &residue, NULL), PM_OK);
    pm_layers_free(&x);
    return residue;
}

static uint64_t count_frontier(const pm_matrix *a)
{
    pm_value v;
    pm_count_options o = pm_count_defaults();
    o.algorithm = "frontier";
    o.modulus = prime;
    pm_value_init(&v);
    assert_int_equal(pm_count(a, &o, NULL, &v, NULL, NULL), PM_OK);
    const uint64_t residue = mpz_get_ui(mpq_numref(v.exact));
    pm_value_clear(&v);
    return residue;
}

static void compare(const pm_matrix *a, const pm_matrix *numbered)
{
    pm_layered g;
    assert_int_equal(pm_layered_from_band(numbered, &g, NULL), PM_OK);
    const uint64_t found = count_layered(&g);
    pm_layered_free(&g);
    assert_true(found == count_frontier(a));
}

static void across(void **state)
{
    (void)state;
    for (int round = test_rounds(60); round > 0; --round) {
        int32_t same[600];
        const bool has_values = below(2);
        const pattern x = random_pattern(has_values);
        pm_matrix a;
        const int n = x.p * (14 + below(20)) + below(x.p);
        for (int i = 0; i < n; ++i)
            same[i] = i;
        make(&x, n, below(2), has_values, same, same, &a);
        compare(&a, &a);
        pm_matrix_free(&a);
    }
}

/* Line k of the part is the k-th strand. */
static void along(void **state)
{
    (void)state;
    enum { PARTS = 400, MOST = 5 * PARTS };
    int found = 0, tried = 0;
    for (int round = test_rounds(30); round > 0; --round) {
        int32_t row_at[MOST], col_at[MOST];
        const bool has_values = below(2);
        const pattern x = random_pattern(has_values);
        pm_matrix a, b;
        pm_layered g;
        for (int t = 0; t < PARTS; ++t)
            for (int k = 0; k < x.p; ++k)
                row_at[t * x.p + k] = col_at[t * x.p + k] = k * PARTS + t;
        make(&x, x.p * PARTS, below(2), has_values, row_at, col_at, &a);
        ++tried;
        if (pm_strands_across(&a, &b, NULL) == PM_OK) {
            if (pm_layered_from_band(&b, &g, NULL) == PM_OK) {
                ++found;
                pm_layered_free(&g);
                compare(&a, &b);
            }
            pm_matrix_free(&b);
        }
        pm_matrix_free(&a);
    }
    printf("# %d of %d strips numbered along their strands were found\n", found, tried);
    assert_true(found > 0 || tried < 10);
}

/* A strip of which one entry in the middle is elsewhere: refused, or the layers are those of the strip as it is. */
static void others(void **state)
{
    (void)state;
    enum { N = 3000 };
    int found = 0;
    for (int round = test_rounds(30); round > 0; --round) {
        const pattern x = {.p = 1, .where = {{1, 1, below(2)}}};
        int32_t same[N];
        pm_matrix a;
        pm_layered g;
        for (int i = 0; i < N; ++i)
            same[i] = i;
        make(&x, N, false, false, same, same, &a);
        const int64_t at = a.rowptr[N / 2 + below(9)];
        const bool is_near = below(2);
        a.colind[at] = is_near ? a.colind[at] - 1 : 5;
        const pm_status status = pm_layered_from_band(&a, &g, NULL);
        assert_true(status == PM_UNABLE || (status == PM_OK && is_near));
        if (!status) {
            pm_layered_free(&g);
            compare(&a, &a);
            ++found;
        }
        pm_matrix_free(&a);
    }
    printf("# %d strips with another entry have layers\n", found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(across),
        cmocka_unit_test(along),
        cmocka_unit_test(others),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
