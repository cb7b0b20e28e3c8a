/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/sampled.h"

void ones_matrix(uint64_t *rng, int n, double p, pm_matrix *a)
{
    pm_triples t = {.nrows = n, .ncols = n};
    int64_t shift = (int64_t)pm_rng_below(rng, (uint32_t)n);
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j)
            if (j == (i + shift) % n || pm_rng_unit(rng) < p)
                graphs_add(&t, i, j);
    graphs_end(&t, a);
}

void entries_matrix(uint64_t *rng, int n, double p, pm_matrix *a)
{
    pm_triples t = {.field = PM_INTEGER, .nrows = n, .ncols = n};
    pm_error err;
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) {
            pm_dyadic v = {0};
            pm_dyadic_set_si(&v, 1 + (int64_t)pm_rng_below(rng, 9));
            if (i == j || pm_rng_unit(rng) < p)
                graphs_must(pm_triples_add(&t, i, j, 0, &v, NULL, &err), &err);
        }
    graphs_end(&t, a);
}

pm_moments *new_moments(void)
{
    pm_moments *m = pm_alloc_array(1, sizeof *m);
    assert_non_null(m);
    pm_moments_clear(m);
    return m;
}

static int by_descending_weight(const void *a, const void *b)
{
    return -pm_weight_compare(*(const pm_weight *)a, *(const pm_weight *)b);
}

void assert_same_moments(pm_moments *a, pm_moments *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->dead, b->dead);
    assert_memory_equal(&a->sums, &b->sums, sizeof a->sums);
    assert_int_equal(a->ntail, b->ntail);
    qsort(a->tail, (size_t)a->ntail, sizeof *a->tail, by_descending_weight);
    qsort(b->tail, (size_t)b->ntail, sizeof *b->tail, by_descending_weight);
    assert_memory_equal(a->tail, b->tail, (size_t)a->ntail * sizeof *a->tail);
}

void assert_same_when_cut(const pm_sampler *whole, const pm_sampler *cut, int64_t count,
                          uint64_t *rng)
{
    pm_moments *one = new_moments(), *two = new_moments();
    int64_t part = (int64_t)pm_rng_below(rng, 10) * whole->batch;
    part = part < count ? part : count;
    assert_int_equal(pm_moments_draw(whole, 0, count, NULL, one, NULL), PM_OK);
    assert_int_equal(pm_moments_draw(cut, 0, part, NULL, two, NULL), PM_OK);
    assert_int_equal(pm_moments_draw(cut, (uint64_t)part, count - part, NULL, two, NULL), PM_OK);
    assert_same_moments(one, two);
    free(one);
    free(two);
}
