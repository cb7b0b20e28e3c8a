/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-approx/approx_texts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

enum { DIGITS_LEAST = 3, DIGITS_MOST = 17 };

/* ---- estimates ---- */

/* Two digits more than the standard error allows; without one, than the width of the interval. */
static int digits_of(const pm_estimate *e)
{
    double error =
        e->is_certified || e->relative_error == 0 ? 1 - e->interval.low : e->relative_error;
    double digits = 2 - floor(log10(error));
    return digits < DIGITS_LEAST ? DIGITS_LEAST : digits < DIGITS_MOST ? (int)digits : DIGITS_MOST;
}

/* Digits of a number that is at least x if is_upper, else at most x: x is moved by one unit of the
 * last digit before it is rounded. */
static char *bound_text(pm_xreal x, bool is_upper)
{
    pm_xreal unit = pm_xreal_mul(pm_xreal_abs(x), pm_xreal_make(pow(10, 1 - DIGITS_MOST), 0, 0));
    return pm_xreal_text(pm_xreal_add(x, is_upper ? unit : pm_xreal_neg(unit)), DIGITS_MOST);
}

/* The rounding of a printed end matters only where all digits are printed. */
static char *end_text(pm_xreal x, int digits, bool is_upper)
{
    return digits < DIGITS_MOST ? pm_xreal_text(x, digits) : bound_text(x, is_upper);
}

static void put_estimated(const pm_estimate *e, pm_approx_texts *t)
{
    int digits = digits_of(e);
    t->estimate = pm_xreal_text(e->value.re, digits);
    t->low = e->has_low ? end_text(e->low, digits, false) : pm_copy_text("-inf");
    t->high = e->has_high ? end_text(e->high, digits, true) : pm_copy_text("inf");
}

/* ---- exact values ---- */

static bool is_fraction(const pm_value *v)
{
    return pm_value_is_exact(v) && mpz_cmp_ui(mpq_denref(v->exact), 1) != 0;
}

/* The interval of a counted value comes from the rounding of the value or of its digits. */
static void put_counted(const pm_value *v, bool decimal, pm_approx_texts *t)
{
    char *rounded = pm_value_error_text(v);
    if (!rounded)
        return;
    bool has_interval = strcmp(rounded, "0") != 0 || (decimal && is_fraction(v));
    free(rounded);
    pm_xreal x = pm_value_real(v);
    pm_xreal error = pm_value_is_exact(v) ? (pm_xreal){0} : v->error;
    t->exact = pm_value_text(v);
    if (!t->exact)
        return;
    t->estimate =
        decimal && is_fraction(v) ? pm_xreal_text(x, DIGITS_MOST) : pm_copy_text(t->exact);
    t->low = has_interval ? bound_text(pm_xreal_add(x, pm_xreal_neg(error)), false)
                          : pm_copy_text(t->exact);
    t->high = has_interval ? bound_text(pm_xreal_add(x, error), true) : pm_copy_text(t->exact);
}

pm_status pm_approx_texts_make(const pm_estimate *e, bool decimal, pm_approx_texts *t,
                               pm_error *err)
{
    *t = (pm_approx_texts){0};
    if (e->is_exact)
        put_counted(&e->value, decimal, t);
    else
        put_estimated(e, t);
    bool is_made = t->estimate && t->low && t->high && (t->exact || !e->is_exact);
    return is_made ? PM_OK : pm_fail_memory(err, "digits of the answer");
}

void pm_approx_texts_free(pm_approx_texts *t)
{
    free(t->estimate);
    free(t->low);
    free(t->high);
    free(t->exact);
    *t = (pm_approx_texts){0};
}
