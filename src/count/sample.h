/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/sample.h: matrices whose counting is made of one kind of work, to measure it. */
#ifndef PM_SAMPLE_H
#define PM_SAMPLE_H

#include "pm/matrix.h"
#include "pm/value.h"

typedef struct {
    const char *algorithm;
    pm_field field;
    pm_precision precision;
    int n;
    double density; /* 0: no random matrix, but a strip of hexagons */
    bool weighted;  /* integers other than 1 */
} pm_sample;

/* With a full diagonal; the same for the same seed.  Fails: PM_ENOMEM. */
pm_status pm_sample_matrix(const pm_sample *s, uint64_t seed, pm_matrix *out, pm_error *err);

#endif
