/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeated/repeated_float.h: the sum of repeated_digits.h over real and complex squares with
 * classes.
 *
 * Row sums are exact, as in dense/dense_float.h.  A term is a product of N row sums, of which equal
 * ones are multiplied by powers, and a weight; its rounding error is bounded as that of N - 1
 * multiplications one after another, because a relative error doubles with a square. */
#ifndef PM_REPEATED_FLOAT_H
#define PM_REPEATED_FLOAT_H

#include "core/isa.h"
#include "pm/value.h"
#include "repeated/repeated_digits.h"
#include "sweep/float_kind.h"
#include "sweep/sweep.h"

/* Vector operations of one sweep, of PM_REPEATED_LANES lanes each, with those for the spread. */
double pm_repeated_float_work(const pm_square *s, const pm_repeated_digits *d,
                              pm_precision precision);
/* The digits with the tiles that suit the kernels.  Fails: as pm_repeated_refuse_rows
 * and pm_repeated_digits_make. */
pm_status pm_repeated_float_digits(const pm_square *s, pm_precision precision,
                                   pm_repeated_digits *out, pm_error *err);

/* Prepares the sweep over the tiles.  s: real or complex, with classes.  choice: a pm_precision.
 * Fails: PM_UNABLE as pm_repeated_float_digits; PM_ENOMEM. */
pm_status pm_repeated_float_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                    pm_error *err);
/* The same with a given vector unit, which the processor must have; for tests. */
pm_status pm_repeated_float_prepare_isa(const pm_square *s, pm_precision precision, pm_isa isa,
                                        pm_sweep *out, pm_error *err);

#endif
