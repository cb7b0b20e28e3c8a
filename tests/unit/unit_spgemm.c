/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of sparse matrices against their definition, with any number of threads and ranges of rows; overlaps of
 * rows and of columns against loops over all pairs. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "pm/alloc.h"
#include "spgemm/overlap.h"
#include "support/csr_shapes.h"
#include "support/matrices.h"
#include "support/testing.h"

static uint64_t rng;

/* ---- products ---- */

/* Row `row` of the product, dense: sums [columns], and whether there is a term. */
static void slow_row(const pm_product *p, int64_t row, double *sum, bool *is_there)
{
    const pm_semiring s = p->semiring;
    const pm_csr *a = p->a, *b = p->b;
    for (int64_t j = 0; j < b->ncols; ++j) {
        sum[j] = pm_semiring_empty(s);
        is_there[j] = false;
    }
    for (int64_t k = a->rowptr[row]; k < a->rowptr[row + 1]; ++k) {
        for (int64_t e = b->rowptr[a->colind[k]]; e < b->rowptr[a->colind[k] + 1]; ++e) {
            const double one = s == PM_SEMIRING_SUM ? 1 : 0;
            const double x = a->value ? a->value[k] : one, y = b->value ? b->value[e] : one;
            double *to = &sum[b->colind[e]];
            is_there[b->colind[e]] = true;
            if (s == PM_SEMIRING_SUM)
                *to += x * y;
            else if (s == PM_SEMIRING_MAX)
                *to = fmax(*to, x + y);
            else
                *to = log(exp(*to) + exp(x + y));
        }
    }
}

static void check_rows(const pm_product *p, int64_t first, const pm_csr *c)
{
    const int64_t columns = p->b->ncols;
    double *sum = malloc(sizeof *sum * (size_t)(columns + 1));
    bool *is_there = malloc(sizeof *is_there * (size_t)(columns + 1));
    for (int64_t i = 0; i < c->nrows; ++i) {
        int64_t k = c->rowptr[i];
        slow_row(p, first + i, sum, is_there);
        for (int64_t j = 0; j < columns; ++j) {
            if (!is_there[j])
                continue;
            assert_true(k < c->rowptr[i + 1]);
            assert_int_equal(c->colind[k], j);
            if (c->value && p->semiring == PM_SEMIRING_LOG)
                assert_true(fabs(c->value[k] - sum[j]) <= 1e-10 * (1 + fabs(sum[j])));
            else if (c->value)
                assert_true(c->value[k] == sum[j]);
            ++k;
        }
        assert_int_equal(k, c->rowptr[i + 1]);
    }
    free(sum);
    free(is_there);
}

static int64_t size(int64_t most)
{
    return (int64_t)pm_rng_below(&rng, (uint32_t)most + 1);
}

static csr_shape a_shape(void)
{
    return (csr_shape)pm_rng_below(&rng, CSR_SHAPES);
}

static void same_rows(const pm_csr *whole, int64_t first, const pm_csr *part)
{
    const int64_t begin = whole->rowptr[first];
    for (int64_t i = 0; i <= part->nrows; ++i)
        assert_int_equal(whole->rowptr[first + i] - begin, part->rowptr[i]);
    for (int64_t k = 0; k < part->rowptr[part->nrows]; ++k) {
        assert_int_equal(whole->colind[begin + k], part->colind[k]);
        assert_memory_equal(&whole->value[begin + k], &part->value[k], sizeof(double));
    }
}

/* The same digits with other threads, in ranges, and without values. */
static void check_ranges(const pm_product *p, const pm_csr *whole)
{
    const pm_run run = {.threads = 2 + (int)pm_rng_below(&rng, 3)};
    for (int64_t first = 0; first < whole->nrows;) {
        const int64_t end = first + 1 + size(whole->nrows - first - 1);
        pm_product_rows part;
        assert_int_equal(pm_product_make(p, first, end, true, &run, &part, NULL), PM_OK);
        same_rows(whole, first, &part.c);
        pm_product_rows_free(&part);
        assert_int_equal(pm_product_make(p, first, end, false, &run, &part, NULL), PM_OK);
        assert_null(part.c.value);
        assert_int_equal(part.c.rowptr[part.c.nrows], whole->rowptr[end] - whole->rowptr[first]);
        pm_product_rows_free(&part);
        first = end;
    }
}

static void products(void **state)
{
    (void)state;
    const pm_run run = {.threads = 1};
    for (int round = 0; round < test_rounds(50); ++round) {
        /* every tenth: so many columns that places are found by hashing */
        const int64_t rows = size(200), inner = 1 + size(150),
                      columns = round % 10 == 9 ? 70000 : 1 + size(300);
        csr_case a = csr_case_make(&rng, a_shape(), rows, inner, 4);
        csr_case b = csr_case_make(&rng, a_shape(), inner, columns, 5);
        for (int s = 0; s < 6; ++s) {
            pm_csr x = a.a, y = b.a;
            if (s >= 3)
                x.value = y.value = NULL;
            const pm_product p = {(pm_semiring)(s % 3), &x, &y, NULL};
            pm_product_rows whole;
            assert_int_equal(pm_product_make(&p, 0, rows, true, &run, &whole, NULL), PM_OK);
            check_rows(&p, 0, &whole.c);
            check_ranges(&p, &whole.c);
            pm_product_rows_free(&whole);
        }
        csr_case_free(&a);
        csr_case_free(&b);
    }
}

/* Enough terms that all threads work, and rows long enough for every way to sort; with fewer rounds another one in
 * each run. */
static void large_products(void **state)
{
    (void)state;
    const pm_run one = {.threads = 1};
    const int64_t rows = test_size(200, 50), columns[] = {3000, 90000, 20000000};
    for (int k = test_first(&rng, 3); k < 3; k += test_step(3)) {
        csr_case a = csr_case_make(&rng, CSR_RANDOM, rows, 500, 30);
        csr_case b = csr_case_make(&rng, CSR_RANDOM, 500, columns[k], 40);
        const pm_product p = {PM_SEMIRING_SUM, &a.a, &b.a, NULL};
        pm_product_rows whole;
        assert_int_equal(pm_product_make(&p, 0, rows, true, &one, &whole, NULL), PM_OK);
        if (columns[k] < 100000)
            check_rows(&p, 0, &whole.c);
        check_ranges(&p, &whole.c);
        pm_product_rows_free(&whole);
        csr_case_free(&a);
        csr_case_free(&b);
    }
}

static void stops(void **state)
{
    (void)state;
    const volatile sig_atomic_t stop = 1;
    const pm_run run = {.threads = 1, .stop = &stop};
    csr_case a = csr_case_make(&rng, CSR_RANDOM, 50, 50, 5);
    const pm_product p = {PM_SEMIRING_SUM, &a.a, &a.a, NULL};
    pm_product_rows out;
    assert_int_equal(pm_product_make(&p, 0, 50, true, &run, &out, NULL), PM_ESTOPPED);
    csr_case_free(&a);
}

/* In a factor with more than 2^32 entries.  They are not read. */
static void starts_of_large_factors(void **state)
{
    (void)state;
    const int64_t large = INT64_C(1) << 32;
    const int64_t own[] = {0, 3}, rowptr[] = {0, large - 2, large + 3, 2 * large + 5};
    const int32_t column[] = {0, 1, 2};
    const int64_t first[] = {large - 2, large + 1,
                             2 * large + 5}; /* the first and the last meet none */
    const uint32_t from[] = {UINT32_MAX - 1, 1, 5};
    const pm_csr a = {1, 3, own, column, NULL, NULL}, b = {3, 1, rowptr, NULL, NULL, NULL};
    const pm_product p = {PM_SEMIRING_SUM, &a, &b, from};
    for (int k = 0; k < 3; ++k)
        assert_true(pm_product_first(&p, k) == first[k]);
    assert_true(pm_product_terms(&p, 0) == 2);
}

/* ---- overlaps ---- */

typedef struct {
    int n, m;
    double *x; /* [n * m]: the weights; rows are the vertices that are paired */
    bool *is;  /* [n * m] */
} dense;

static dense make_dense(const pm_matrix *a, bool of_columns)
{
    const int64_t rows = a->nrows, cols = a->ncols;
    dense d = {(int)(of_columns ? cols : rows), (int)(of_columns ? rows : cols), NULL, NULL};
    d.x = calloc((size_t)(d.n * d.m + 1), sizeof *d.x);
    d.is = calloc((size_t)(d.n * d.m + 1), sizeof *d.is);
    for (int64_t i = 0; i < rows; ++i) {
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const int64_t j = a->colind[k], at = of_columns ? j * d.m + i : i * d.m + j;
            d.x[at] = a->re ? pm_dyadic_get_d(&a->re[k]) : 1;
            d.is[at] = true;
        }
    }
    return d;
}

static int degree_of(const dense *d, int row, int column)
{
    int sum = 0;
    if (row >= 0)
        for (int j = 0; j < d->m; ++j)
            sum += d->is[row * d->m + j];
    else
        for (int i = 0; i < d->n; ++i)
            sum += d->is[i * d->m + column];
    return sum;
}

/* The number of common neighbours; *weight: of the pair. */
static int slow_pair(const dense *d, int i, int k, pm_overlap_weight w, double *weight)
{
    int common = 0, either = 0;
    double newman = 0, product = 0;
    for (int j = 0; j < d->m; ++j) {
        const bool in_i = d->is[i * d->m + j], in_k = d->is[k * d->m + j];
        common += in_i && in_k;
        either += in_i || in_k;
        if (in_i && in_k) {
            newman += 1.0 / (degree_of(d, -1, j) - 1);
            product += d->x[i * d->m + j] * d->x[k * d->m + j];
        }
    }
    const double di = degree_of(d, i, -1), dk = degree_of(d, k, -1);
    const double all[PM_OVERLAP_WEIGHTS] = {
        common, (double)common / either, common / sqrt(di * dk), common / fmin(di, dk), newman,
        product};
    *weight = all[w];
    return common;
}

/* A cycle i j k l: two rows and two columns with all four entries. */
static uint64_t slow_cycles(const dense *d)
{
    uint64_t cycles = 0;
    for (int i = 0; i < d->n; ++i)
        for (int k = i + 1; k < d->n; ++k)
            for (int j = 0; j < d->m; ++j)
                for (int l = j + 1; l < d->m; ++l)
                    cycles += d->is[i * d->m + j] && d->is[i * d->m + l] && d->is[k * d->m + j]
                              && d->is[k * d->m + l];
    return cycles;
}

/* The next pair of o that is at least i, k; checks that none is left out. */
static void check_overlap(const pm_matrix *a, bool of_columns, pm_overlap_weight w)
{
    dense d = make_dense(a, of_columns);
    pm_overlap o;
    pm_overlap_figures x = {.pairs = 0}, got;
    assert_int_equal(pm_overlap_open(a, of_columns, w, &o, NULL), PM_OK);
    for (;;) {
        pm_overlap_part part;
        assert_int_equal(pm_overlap_next(&o, NULL, &part, NULL), PM_OK);
        for (int64_t i = 0; i < part.rows.c.nrows; ++i) {
            int64_t e = part.rows.c.rowptr[i];
            const int row = (int)(part.first + i);
            for (int k = row + 1; k < d.n; ++k) {
                double weight;
                if (slow_pair(&d, row, k, w, &weight) == 0)
                    continue;
                assert_true(e < part.rows.c.rowptr[i + 1]);
                assert_int_equal(part.rows.c.colind[e], k);
                const double found = pm_overlap_value(&o, row, k, part.rows.c.value[e++]);
                assert_true(fabs(found - weight) <= 1e-14 * fabs(weight));
                ++x.pairs;
                x.total += found;
            }
            assert_int_equal(e, part.rows.c.rowptr[i + 1]);
        }
        const bool is_end = part.rows.c.nrows == 0;
        pm_product_rows_free(&part.rows);
        if (is_end)
            break;
    }
    assert_int_equal(o.next, d.n);
    o.next = 0;
    assert_int_equal(pm_overlap_measure(&o, -INFINITY, NULL, &got, NULL), PM_OK);
    assert_int_equal(got.vertices, d.n);
    assert_int_equal(got.pairs, x.pairs);
    assert_true(fabs(got.total - x.total) <= 1e-12 * (1 + fabs(x.total)));
    assert_int_equal(got.has_cycles, w < PM_OVERLAP_NEWMAN);
    if (got.has_cycles)
        assert_int_equal((uint64_t)got.cycles, slow_cycles(&d));
    o.next = 0;
    assert_int_equal(pm_overlap_measure(&o, got.largest, NULL, &x, NULL), PM_OK);
    assert_true(got.pairs == 0 ? x.pairs == 0 : x.pairs >= 1 && x.largest == got.largest);
    pm_overlap_close(&o);
    free(d.x);
    free(d.is);
}

static void overlaps(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(40); ++round) {
        const int rows = 1 + (int)size(12), cols = 1 + (int)size(12);
        const pm_field fields[] = {PM_PATTERN, PM_INTEGER, PM_REAL};
        pm_matrix a = {0};
        random_matrix(&rng, fields[round % 3], rows, cols, 0.1 + 0.02 * (double)size(40), &a);
        for (int w = 0; w < PM_OVERLAP_WEIGHTS; ++w) {
            if (w == PM_OVERLAP_PRODUCT && a.field == PM_REAL)
                continue; /* products of these entries may overflow */
            check_overlap(&a, false, (pm_overlap_weight)w);
            check_overlap(&a, true, (pm_overlap_weight)w);
        }
        pm_matrix_free(&a);
    }
}

/* K(n, m) has C(n, 2) C(m, 2) cycles of length 4: more than 2^32, over several parts. */
static void full(void **state)
{
    (void)state;
    const int64_t n = 360, m = 380;
    pm_matrix a;
    assert_int_equal(pm_matrix_alloc(&a, PM_PATTERN, n, m, n * m, NULL), PM_OK);
    for (int64_t i = 0; i < n; ++i) {
        a.rowptr[i + 1] = (i + 1) * m;
        for (int64_t j = 0; j < m; ++j)
            a.colind[i * m + j] = (int32_t)j;
    }
    for (int side = 0; side < 2; ++side) {
        pm_overlap o;
        pm_overlap_figures x;
        const int64_t own = side ? m : n;
        assert_int_equal(pm_overlap_open(&a, side, PM_OVERLAP_COMMON, &o, NULL), PM_OK);
        assert_int_equal(pm_overlap_measure(&o, 0, NULL, &x, NULL), PM_OK);
        assert_int_equal(x.pairs, own * (own - 1) / 2);
        assert_int_equal((int64_t)x.largest, n + m - own);
        assert_true(x.cycles == (unsigned __int128)(n * (n - 1) / 2 * (m * (m - 1) / 2)));
        pm_overlap_close(&o);
    }
    pm_matrix_free(&a);
}

static void complex_values(void **state)
{
    (void)state;
    pm_matrix a = {0};
    pm_overlap o;
    random_matrix(&rng, PM_COMPLEX, 5, 5, 0.9, &a);
    pm_error err = {.msg = ""};
    assert_int_equal(pm_overlap_open(&a, false, PM_OVERLAP_PRODUCT, &o, &err), PM_EDATA);
    assert_non_null(strstr(err.msg, "complex"));
    assert_int_equal(pm_overlap_open(&a, false, PM_OVERLAP_COMMON, &o, &err), PM_OK);
    pm_overlap_close(&o);
    pm_matrix_free(&a);
}

/* Sums of 1 / (d - 1) and of products of equal sign reach their exact value, however they are rounded, and not much more. */
static void reaches(void **state)
{
    (void)state;
    pm_matrix a = {0};
    assert_int_equal(pm_matrix_alloc(&a, PM_PATTERN, 2, 60, 120, NULL), PM_OK);
    for (int j = 0; j < 120; ++j)
        a.colind[j] = j % 60;
    a.rowptr[1] = 60;
    a.rowptr[2] = 120;
    for (int w = 0; w < PM_OVERLAP_WEIGHTS; ++w) {
        pm_overlap o;
        assert_int_equal(pm_overlap_open(&a, false, (pm_overlap_weight)w, &o, NULL), PM_OK);
        const bool is_sum = w == PM_OVERLAP_NEWMAN;
        assert_true(pm_overlap_reaches(&o, 0, 1, 1, 1));
        assert_true(pm_overlap_reaches(&o, 0, 1, 1, -INFINITY));
        assert_int_equal(pm_overlap_reaches(&o, 0, 1, 1, 1 + 0x1p-52),
                         is_sum || w == PM_OVERLAP_COSINE);
        assert_int_equal(pm_overlap_reaches(&o, 0, 1, 1, 1 + 60 * 0x1p-52), is_sum);
        assert_false(pm_overlap_reaches(&o, 0, 1, 1, 1 + 64 * 0x1p-52));
        pm_overlap_close(&o);
    }
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),       cmocka_unit_test(large_products),
        cmocka_unit_test(stops),          cmocka_unit_test(starts_of_large_factors),
        cmocka_unit_test(overlaps),       cmocka_unit_test(full),
        cmocka_unit_test(complex_values), cmocka_unit_test(reaches),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
