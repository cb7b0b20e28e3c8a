/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "calibration/sample.h"

#include <math.h>

#include "core/rng.h"

static void set_entry(const pm_sample *s, uint64_t *rng, pm_dyadic *re, pm_dyadic *im)
{
    if (s->field == PM_INTEGER)
        pm_dyadic_set_si(re, 2 + pm_rng_below(rng, 7));
    if (s->field >= PM_REAL)
        pm_dyadic_set_d(re, 0.5 + pm_rng_unit(rng));
    if (s->field == PM_COMPLEX)
        pm_dyadic_set_d(im, 0.5 + pm_rng_unit(rng));
}

static bool is_joined(const pm_sample *s, uint64_t *rng, int i, int j)
{
    if (s->general && i >= j)
        return false;
    if (i == j)
        return true;
    if (s->density > 0)
        return pm_rng_unit(rng) < s->density;
    return j == i + 1 || j == i + (int)sqrt(s->n);
}

/* The numbers own no memory. */
static pm_status add_entry(const pm_sample *s, pm_triples *t, int i, int j, pm_dyadic re,
                           pm_dyadic im, pm_error *err)
{
    return pm_triples_add(t, i, j, 0, s->field == PM_PATTERN ? NULL : &re,
                          s->field == PM_COMPLEX ? &im : NULL, err);
}

pm_status pm_sample_matrix(const pm_sample *s, uint64_t seed, pm_matrix *out, pm_error *err)
{
    pm_status status = PM_OK;
    uint64_t rng = seed;
    pm_triples t = {.field = s->field, .nrows = s->n, .ncols = s->n};
    for (int i = 0; i < s->n; ++i)
        for (int j = 0; j < s->n && !status; ++j) {
            pm_dyadic re = {0}, im = {0};
            if (!is_joined(s, &rng, i, j))
                continue;
            set_entry(s, &rng, &re, &im);
            if (s->general)
                status = add_entry(s, &t, j, i, re, im, err);
            if (!status)
                status = add_entry(s, &t, i, j, re, im, err);
        }
    if (!status)
        status = pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "sample", out, err);
    pm_triples_free(&t);
    return status;
}
