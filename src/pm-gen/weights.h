/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-gen/weights.h: weights for the edges of a generated graph.  No weight is 0. */
#ifndef PM_WEIGHTS_H
#define PM_WEIGHTS_H

#include <stdint.h>

#include "core/philox.h"
#include "pm/matrix.h"
#include "pm/status.h"

typedef enum {
    PM_WEIGHTS_NONE,
    PM_WEIGHTS_CONSTANT,
    PM_WEIGHTS_INTEGER, /* uniform in low..high, without 0 */
    PM_WEIGHTS_REAL,    /* uniform in (real_low, real_high], without 0 */
    PM_WEIGHTS_COMPLEX  /* the real part and the imaginary part like that */
} pm_weights_kind;

typedef struct {
    pm_weights_kind kind;
    const char *option; /* the option that chose the kind, and its argument */
    const char *arg;
    double constant;
    int64_t low, high;
    double real_low, real_high;
} pm_weights;

/* For pm_option.set of --weight (X or P/Q), --integer (LOW:HIGH), --real (LOW:HIGH) and --complex
 * (LOW:HIGH); field is a pm_weights.  Without an argument the ranges are 1:10, 0:1 and -1:1.
 * Fails: PM_EUSAGE not a number, an empty range, or a second one of these options. */
pm_status pm_weights_set_constant(void *field, const char *arg, pm_error *err);
pm_status pm_weights_set_integer(void *field, const char *arg, pm_error *err);
pm_status pm_weights_set_real(void *field, const char *arg, pm_error *err);
pm_status pm_weights_set_complex(void *field, const char *arg, pm_error *err);

/* Gives every entry of the pattern a a weight, drawn in the order of the entries.
 * Fails: PM_ENOMEM. */
pm_status pm_weights_apply(const pm_weights *w, pm_random *random, pm_matrix *a, pm_error *err);

#endif
