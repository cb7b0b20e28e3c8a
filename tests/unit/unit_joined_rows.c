/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matrices of coarse systems (sinkhorn/joined_rows.h), small ones at random, against dense sums.  Values are small
 * whole numbers, so that sums are exact: no false alarms. */
#include "config.h"

#include "support/testing.h"

#include <string.h>

#include "pm/alloc.h"
#include "sinkhorn/joined_rows.h"

enum { ITEMS = 40, COLUMNS = 60, PARTS = 5 };

static uint64_t rng;

static int below(int n)
{
    return (int)pm_rng_below(&rng, (uint32_t)n);
}

/* A matrix of rows: the entries as they are stored, and in a table. */
typedef struct {
    int items, columns;
    int64_t ptr[ITEMS + 1];
    int32_t ind[ITEMS * COLUMNS];
    double value[ITEMS * COLUMNS];
    float narrow[ITEMS * COLUMNS];
    double table[ITEMS][COLUMNS];
} rows;

static void random_rows(rows *r)
{
    const int density = 1 + below(4);
    int64_t k = 0;
    memset(r, 0, sizeof *r);
    r->items = 1 + below(ITEMS);
    r->columns = 1 + below(COLUMNS);
    for (int i = 0; i < r->items; ++i) {
        for (int j = 0; j < r->columns; ++j)
            if (below(8) < density) {
                r->ind[k] = j;
                r->narrow[k] = (float)(r->value[k] = r->table[i][j] = 1 + below(9));
                ++k;
            }
        r->ptr[i + 1] = k;
    }
}

static pm_joined joined_of(const rows *r, bool is_narrow)
{
    return (pm_joined){.items = r->items,
                       .columns = r->columns,
                       .rowptr = r->ptr,
                       .ind = r->ind,
                       .value = is_narrow ? r->narrow : NULL,
                       .x = is_narrow ? NULL : r->value};
}

/* ---- by columns ---- */

static void check_columns(const rows *r, const pm_joined *y, const pm_joined_columns *t, int from,
                          int to)
{
    for (int i = from; i < to; ++i)
        for (int64_t k = pm_joined_start(y, i); k < pm_joined_start(y, i + 1); ++k) {
            const int32_t j = y->ind[k];
            int64_t at = t->start[k - t->base];
            assert_int_equal(pm_joined_find(y, i, j), k);
            int last = to - 1;
            while (r->table[last][j] == 0)
                --last;
            for (int other = from; other < to; ++other)
                if (r->table[other][j] != 0) {
                    assert_int_equal(t->item[at], other == last ? ~other : other);
                    ++at;
                }
        }
}

static void columns_of_items(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(300); ++round) {
        rows r;
        pm_joined_columns t;
        random_rows(&r);
        const pm_joined y = joined_of(&r, round % 2);
        const int from = below(r.items + 1), to = from + below(r.items - from + 1);
        assert_int_equal(pm_joined_columns_make(r.ptr[to] - r.ptr[from] + below(30), &t, NULL),
                         PM_OK);
        for (int again = 0; again < 2; ++again)
            pm_joined_columns_set(&t, &y, from, to);
        check_columns(&r, &y, &t, from, to);
        pm_joined_columns_free(&t);
    }
}

/* ---- clusters ---- */

typedef struct {
    int32_t cluster[ITEMS], part[PARTS + 1], first[PARTS + 1];
    pm_joined_clusters all;
} clusters;

static void random_clusters(int items, clusters *c)
{
    const int parts = 1 + below(PARTS);
    c->part[0] = c->first[0] = 0;
    for (int p = 0; p < parts; ++p) {
        int has[ITEMS] = {0}, number[ITEMS], count = 0;
        c->part[p + 1] = items * (p + 1) / parts;
        for (int i = c->part[p]; i < c->part[p + 1]; ++i)
            has[c->cluster[i] = below(1 + (c->part[p + 1] - c->part[p] - 1) / (1 + below(3)))] = 1;
        for (int k = 0; k < ITEMS; ++k)
            number[k] = has[k] ? count++ : -1;
        for (int i = c->part[p]; i < c->part[p + 1]; ++i)
            c->cluster[i] = c->first[p] + number[c->cluster[i]];
        c->first[p + 1] = c->first[p] + count;
    }
    c->all = (pm_joined_clusters){c->cluster, c->first[parts], parts, c->part, c->first};
}

/* The table of the clusters, without columns that one of them has. */
static void join_table(rows *r, const clusters *c)
{
    double sum[ITEMS][COLUMNS] = {{0}};
    int kept = 0;
    for (int i = 0; i < r->items; ++i)
        for (int j = 0; j < r->columns; ++j)
            sum[c->cluster[i]][j] += r->table[i][j];
    memset(r->table, 0, sizeof r->table);
    for (int j = 0; j < r->columns; ++j) {
        int count = 0;
        for (int k = 0; k < c->all.count; ++k)
            count += sum[k][j] != 0;
        if (count < 2)
            continue;
        for (int k = 0; k < c->all.count; ++k)
            r->table[k][kept] = sum[k][j];
        ++kept;
    }
    r->items = (int)c->all.count;
    r->columns = kept;
}

static void check_entries(const rows *r, const pm_joined *y)
{
    int64_t k = 0;
    assert_int_equal(y->items, r->items);
    assert_int_equal(y->columns, r->columns);
    for (int i = 0; i < r->items; ++i) {
        assert_int_equal(pm_joined_start(y, i), k);
        for (int j = 0; j < r->columns; ++j)
            if (r->table[i][j] != 0) {
                assert_int_equal(y->ind[k], j);
                assert_true(pm_joined_value(y, k, i) == r->table[i][j]);
                ++k;
            }
    }
    assert_int_equal(pm_joined_start(y, r->items), k);
}

static void check_diagonal(const rows *r, const pm_joined *y)
{
    float diagonal[ITEMS];
    assert_int_equal(pm_joined_diagonal(y, diagonal, NULL), PM_OK);
    for (int i = 0; i < r->items; ++i) {
        double sum = 0;
        for (int j = 0; j < r->columns; ++j)
            for (int other = 0; other < r->items; ++other)
                sum += other == i ? 0 : r->table[i][j] * r->table[other][j];
        assert_true(diagonal[i] == sum);
    }
}

/* Level after level: the second one and later ones are made in the memory of those before. */
static void levels(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(300); ++round) {
        rows r;
        random_rows(&r);
        pm_joined y = joined_of(&r, round % 2);
        check_diagonal(&r, &y);
        for (int level = 0; level < 3; ++level) {
            clusters c;
            random_clusters(r.items, &c);
            assert_int_equal(pm_joined_join(&y, &c.all, NULL), PM_OK);
            join_table(&r, &c);
            check_entries(&r, &y);
            check_diagonal(&r, &y);
        }
        pm_joined_free(&y);
    }
}

static void every_allocation_may_fail(void **state)
{
    rows r;
    clusters c;
    pm_status status = PM_ENOMEM;
    int failures = 0;
    (void)state;
    random_rows(&r);
    random_clusters(r.items, &c);
    for (int64_t k = 1; status != PM_OK; ++k) {
        pm_joined y = joined_of(&r, true);
        pm_joined_columns t = {0};
        float diagonal[ITEMS];
        pm_alloc_fail_at(k);
        status = pm_joined_columns_make(100, &t, NULL);
        if (!status)
            status = pm_joined_diagonal(&y, diagonal, NULL);
        if (!status)
            status = pm_joined_join(&y, &c.all, NULL);
        pm_alloc_fail_at(0);
        assert_true(status == PM_OK || status == PM_ENOMEM);
        failures += status != PM_OK;
        pm_joined_columns_free(&t);
        pm_joined_free(&y);
    }
    assert_true(failures > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_items),
        cmocka_unit_test(levels),
        cmocka_unit_test(every_allocation_may_fail),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
