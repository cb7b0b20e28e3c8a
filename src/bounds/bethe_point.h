/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/bethe_point.h: a matrix at or near the maximum of Bethe's functional F (bounds.h), from which the permanent is
 * estimated (bethe_estimate.h). */
#ifndef PM_BETHE_POINT_H
#define PM_BETHE_POINT_H

#include "pm/matrix.h"
#include "pm/status.h"
#include "sinkhorn/sinkhorn.h"

/* For a maximum at the border of the domain some entries of B would be too small for multiples of 2^-52: they are at least this, and at most
 * 1 less this. */
#define PM_BETHE_OFF_BORDER 0x1p-40

typedef struct {
    /* [nnz], from 2^-40 to 1 - 2^-40, or smaller by pm_bethe_lower_lines; NULL: none was found */
    double *b;
    /* [nnz]: entry k is b (1 - b) exp(off), times factors of its row and its column.  0 at a maximum inside of the domain; at its border, or
     * where nothing has converged, only the entries themselves tell it. */
    float *off;
    double bethe; /* F there, or what max F is to first order: a natural logarithm */
    double gap;   /* max F is at most this much larger; INFINITY: not known */
    double
        lack; /* about how much larger, to second order: not proved; 0 where lines do not sum to 1 */
    /* 0: b is doubly stochastic but for the limits, bethe is F rounded down, and gap is proved.  > 0: lines do not sum to 1; to first and
     * second order max F differs from F by at most this, which is not proved.  INFINITY: nothing is known, after an overflow, where the
     * factors of the scaling were far from right (sinkhorn.h, is_far), and after linear steps: what remains of their equations is small in each
     * line, and may add up along long paths. */
    double imbalance;
    /* The proved bounds, natural logarithms; an interval that is wider tells nothing. */
    double lower, upper;
} pm_bethe_point;

/* From a doubly stochastic matrix, b[k] from 0 to 1.  a, entry, threads: as below; v: [ncols] multipliers of the columns, with which the
 * gradient of F less v_j is nearly constant in each row; or NULL.  The caller frees *out.  Fails: PM_ENOMEM. */
pm_status pm_bethe_point_make(const pm_matrix *a, double (*entry)[2], const double *b,
                              const double *v, double bethe, double gap, int threads,
                              pm_bethe_point *out, pm_error *err);

/* From the end of a scaling whose lines may not sum to 1: s->x, after pm_sinkhorn_improve.  It began
 * with pm_sinkhorn_start_from: with probabilities of belief propagation, and 1 / (the sum of the messages to column j) as s->col[j].
 * a: its matrix, n >= 1; entry[k][0]: the entries; NULL: all are 1.  threads change no digit.
 * The caller frees *out.  Fails: PM_ENOMEM. */
pm_status pm_bethe_point_make_end(const pm_matrix *a, double (*entry)[2], const pm_sinkhorn *s,
                                  int threads, pm_bethe_point *out, pm_error *err);
/* The imbalance that pm_bethe_point_make_end finds, a natural logarithm > 0, or INFINITY; arguments as there. */
double pm_bethe_imbalance(const pm_matrix *a, double (*entry)[2], const pm_sinkhorn *s,
                          int threads);
void pm_bethe_point_free(pm_bethe_point *p);

/* Divides entries by the larger sum of their lines where that is above 1.  Then a line with an entry above 1/2 has a negative sum of
 * conductances (bethe_estimate.h), as in a doubly stochastic matrix.  Fails: PM_ENOMEM. */
pm_status pm_bethe_lower_lines(const pm_matrix *a, double *b, pm_error *err);

/* F at b, 0 <= b[k] <= 1, not rounded to one side. */
double pm_bethe_functional(const pm_matrix *a, double (*entry)[2], const double *b, int threads);

#endif
