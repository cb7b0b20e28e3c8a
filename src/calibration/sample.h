/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibration/sample.h: sample matrices for calibration. */
#ifndef PM_SAMPLE_H
#define PM_SAMPLE_H

#include "pm/matrix.h"
#include "pm/value.h"

/* A random n x n matrix and the algorithm that counts it. */
typedef struct {
    const char *algorithm; /* a name of the registry */
    pm_field field;
    pm_precision precision;
    int n;
    double density; /* probability of an entry off the diagonal; 0: a strip of hexagons instead */
    bool weighted;  /* entries other than 1 */
    bool general;   /* a graph on one set of vertices: symmetric, the diagonal is empty */
} pm_sample;

/* *out: the sample; its diagonal is full unless it is general; the caller frees it.  The same s and seed give the same
 * matrix.
 * Fails: PM_ENOMEM. */
pm_status pm_sample_matrix(const pm_sample *s, uint64_t seed, pm_matrix *out, pm_error *err);

#endif
