/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/bethe_bounds.h"

#include <math.h>
#include <stdlib.h>

#include "bounds/bethe_ascent.h"
#include "bounds/bethe_matrix.h"
#include "bounds/functional_bounds.h"
#include "bounds/lower_bounds.h"
#include "pm/alloc.h"

/* Steps of the ascent end where one brings less than this share of what all have brought. */
#define LEAST_GAIN 0x1p-5

/* After belief propagation of a lattice Sinkhorn's matrix and an ascent from it follow if F may be GAP a row larger, and the scaling has read
 * at most ASCENT_ENTRIES; on a GPU PM_BETHE_MATRIX_ON_GPU times as many.  Not on a GPU where linear steps were needed and entries are not
 * similar: there the host would have to scale, which takes most of all time and changes the fourth digit of the upper bound. */
#define GAP            0x1p-10
#define ASCENT_ENTRIES 2e9

/* Keeps w->b, where F is f, and how far it is from the maximum, at most: out->bethe_most is known. */
static pm_status keep_point(const pm_bounds_work *w, pm_rounded_sum f, const pm_bounds *out,
                            pm_error *err)
{
    const double gap = (out->bethe_most - pm_bounds_low(&f)) * M_LN10;
    pm_bethe_point_free(w->point); /* an earlier one, or one of a device that failed */
    return pm_bethe_point_make(w->a, w->entries.value, w->b, w->v, pm_rounded_low(&f), gap,
                               w->threads, w->point, err);
}

/* Where no doubly stochastic matrix was found: keeps the matrix at which the scaling ended. */
static pm_status end_bounds(pm_bounds_work *w, pm_bounds *out, pm_error *err)
{
    pm_bethe_point_free(w->point);
    pm_status status =
        pm_bethe_point_make_end(w->a, w->entries.value, &w->scaling, w->threads, w->point, err);
    w->point->bethe += (double)w->entries.exp * M_LN2;
    return status || !w->a->re ? status : pm_bounds_by_matching(w, out, err);
}

/* Bethe's upper bound, and the point if it is the best so far, after a step of an ascent to where F is f; the factors of the columns stay. */
static pm_status step_bounds(pm_bounds_work *w, pm_rounded_sum f, bool is_best, pm_bounds *out,
                             pm_error *err)
{
    double *v = pm_alloc_array(w->a->ncols, sizeof *v);
    if (!v)
        return pm_fail_memory(err, "bounds");
    pm_bounds_bethe_above(w, v, f, out);
    const pm_status status = w->point && is_best ? keep_point(w, f, out, err) : PM_OK;
    w->v = NULL;
    free(v);
    return status;
}

/* From w->b, where F is `now`, to the matrices that follow (bethe_ascent.h), until a step brings little beside what all have brought,
 * fails, or the products are spent.  The factors of the columns are then those of the last scaling. */
static pm_status ascend(pm_bounds_work *w, double now, int64_t most, pm_bounds *out, pm_error *err)
{
    const double first = now;
    double gain = INFINITY;
    while (gain > LEAST_GAIN * (now - first) && most > w->scaling.products) {
        bool found;
        most -= w->scaling.products;
        pm_bethe_ascent_start(w->a, w->entries.value, w->threads, &w->scaling);
        pm_status status = pm_bethe_matrix_scale(w, most, &found, err);
        if (status || !found)
            return status;
        const pm_rounded_sum f = pm_bounds_functional(w);
        gain = pm_bounds_low(&f) - now;
        now = fmax(now, pm_bounds_low(&f));
        status = step_bounds(w, f, now > out->schrijver, out, err);
        out->schrijver = fmax(out->schrijver, now);
        if (status)
            return status;
    }
    return PM_OK;
}

pm_status pm_bounds_ascend(pm_bounds_work *w, pm_bounds *out, pm_error *err)
{
    const pm_rounded_sum f = pm_bounds_functional(w);
    const double now = pm_bounds_low(&f);
    pm_status status = step_bounds(w, f, now > out->schrijver, out, err);
    out->schrijver = fmax(out->schrijver, now);
    return status ? status : ascend(w, now, pm_bethe_matrix_products(w), out, err);
}

bool pm_bounds_may_ascend(const pm_bounds_work *w, const pm_bounds *out)
{
    const double products =
                     (double)w->scaling.products / (w->scaling.on.gpu ? PM_BETHE_MATRIX_ON_GPU : 1),
                 entries = products * (double)pm_matrix_nnz(w->a),
                 gap = (out->bethe_most - out->schrijver) * M_LN10;
    if (w->scaling.on.gpu && w->scaling.is_linear && !w->is_similar)
        return false;
    return isfinite(gap) && gap > GAP * (double)w->a->nrows && entries <= ASCENT_ENTRIES;
}

pm_status pm_bounds_by_bethe(pm_bounds_work *w, pm_bounds *out, pm_error *err)
{
    bool found;
    pm_status status = pm_bethe_matrix_make(w, 0, &found, err);
    if (!status && !found
        && pm_bethe_matrix_has_time(w)) /* the probabilities have been overwritten */
        status = pm_bethe_matrix_make(w, PM_BETHE_OFF_BORDER, &found, err);
    if (!status && !found && pm_bounds_is_hasty(w))
        return end_bounds(w, out, err);
    if (!status && !found && w->a->re && pm_matrix_nnz(w->a) >= PM_BOUNDS_LARGE)
        return pm_bounds_by_matching(w, out, err); /* other scalings say less about large entries */
    if (status || !found)
        return status;
    const pm_rounded_sum f = pm_bounds_functional(w);
    out->schrijver = pm_bounds_low(&f);
    pm_bounds_bethe_above(w, w->scaling.col, f, out);
    return w->point ? keep_point(w, f, out, err) : PM_OK;
}
