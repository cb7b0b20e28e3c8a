/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "number/root_sum.h"
#include "pm/count.h"

/* |a - b| <= the two errors, part by part. */
static bool agree(const pm_value *a, const pm_value *b)
{
    if (a->roots || b->roots)
        return a->roots && b->roots && pm_root_sum_equal(a->roots, b->roots);
    if (pm_value_is_exact(a) && pm_value_is_exact(b))
        return mpq_equal(a->exact, b->exact) && a->has_exact_im == b->has_exact_im
               && (!a->has_exact_im || mpq_equal(a->exact_im, b->exact_im));
    pm_xreal error = pm_xreal_add(a->error, b->error);
    pm_xreal re = pm_xreal_add(a->re, pm_xreal_neg(b->re));
    pm_xreal im = pm_xreal_add(a->im, pm_xreal_neg(b->im));
    return pm_xreal_cmpabs(re, error) <= 0 && pm_xreal_cmpabs(im, error) <= 0;
}

pm_status pm_count_verify(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                          const pm_value *value, pm_error *err)
{
    pm_count_options other = *opt;
    pm_value again;
    other.independent = true;
    pm_value_init(&again);
    pm_status status = pm_count(a, &other, run, &again, NULL, err);
    if (!status && !agree(value, &again))
        status = pm_fail_internal(err, "verification failed: the second count differs");
    pm_value_clear(&again);
    return status;
}
