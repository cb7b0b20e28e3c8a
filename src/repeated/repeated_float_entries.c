/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "repeated/repeated_float_entries.h"

#include <math.h>

pm_dense_kind pm_repeated_kind(const pm_square *s, pm_precision precision)
{
    return pm_dense_kind_of(precision, s->field == PM_COMPLEX);
}

double pm_repeated_rows(const pm_square *s)
{
    double sum = 0;
    for (int32_t i = 0; i < s->n; ++i)
        sum += s->row_times[i];
    return sum;
}

pm_status pm_repeated_refuse_rows(const pm_square *s, pm_error *err)
{
    double rows = pm_repeated_rows(s);
    if (rows <= PM_REPEATED_FLOAT_MAX)
        return PM_OK;
    return pm_fail(err, PM_UNABLE,
                   "repeated counts real and complex matrices of up to %d rows, not %.0f",
                   PM_REPEATED_FLOAT_MAX, rows);
}

/* Entries in double-double have one bit of room for their low parts.  High powers would underflow
 * sooner for it: entries and errors are doubled.  Returns the shift of the permanent. */
static int64_t double_entries(const pm_square *s, double *value, int64_t count, double *inexact)
{
    int64_t rows = 0;
    for (int64_t k = 0; k < count; ++k)
        value[k] *= 2;
    for (int32_t i = 0; i < s->n; ++i) {
        inexact[i] *= 2;
        rows += s->row_times[i];
    }
    return rows;
}

int64_t pm_repeated_float_entries(const pm_square *s, pm_dense_kind kind, double *entry,
                                  double *inexact)
{
    int64_t count = (int64_t)s->n * s->n * pm_dense_components(kind);
    int64_t shift = pm_dense_float_entries(s, kind, s->n, entry, inexact);
    return pm_dense_is_quad(kind) ? shift - double_entries(s, entry, count, inexact) : shift;
}

double pm_repeated_spread_scale(const pm_repeated_powers *p, const double *inexact, double *raised)
{
    double most = 0;
    int top;
    for (int32_t i = 0; i < p->rows; ++i)
        most = fmax(most, inexact[p->row[i]]);
    frexp(most, &top);
    double scale = most == 0 ? 0 : ldexp(1, top < -28 ? top > -928 ? -28 - top : 900 : 0);
    for (int32_t i = 0; i < p->rows; ++i)
        raised[i] = scale * inexact[p->row[i]];
    return scale;
}
