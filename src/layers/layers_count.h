/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layers/layers_count.h: the weighted number of perfect matchings of a graph in layers, modulo numbers. */
#ifndef PM_LAYERS_COUNT_H
#define PM_LAYERS_COUNT_H

#include "layers/transfer.h"

/* How one residue is found. */
typedef enum {
    PM_LAYERS_SWEEP,    /* all repetitions, one after another */
    PM_LAYERS_SEQUENCE, /* the recurrence of the first terms, modulo the prime */
    PM_LAYERS_PRIME,    /* the characteristic polynomial modulo the prime */
    PM_LAYERS_INTEGER   /* the characteristic polynomial, with its integer coefficients */
} pm_layers_way;

typedef struct {
    const pm_layered *g; /* borrowed */
    pm_transfer t;
    int64_t largest;     /* states of the largest component */
    double square, cube; /* sums of squares and of cubes of the states of the components */
    double log2_norm;    /* at least log2 of the size of the eigenvalues of a cycle */
    double log2_bound;   /* at least log2 of the size of the answer, and at least 0 */
} pm_layers;

/* memory: bytes that may be used.  Fails: PM_UNABLE too many states; PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_layers_make(const pm_layered *g, int64_t memory, const pm_run *run, pm_layers *out,
                         pm_error *err);
void pm_layers_free(pm_layers *x);
/* Of the steps. */
double pm_layers_bytes(const pm_layers *x);

/* The fastest way for these moduli.  *seconds: predicted, on one core; *bytes: beside the steps.
 * primes: all moduli are primes. */
pm_layers_way pm_layers_choose(const pm_layers *x, int64_t moduli, bool primes, double *seconds,
                               double *bytes);

/* Gets `count` residues from number `first` on as soon as they are there, from any thread. */
typedef struct {
    pm_status (*found)(void *context, int first, int count, const uint64_t *residue,
                       pm_error *err); /* NULL: nobody gets them */
    void *context;
} pm_layers_sink;

/* residue[k]: the count modulo modulus[k], k < moduli; 2 <= modulus[k] < 2^62.
 * Fails: PM_ESTOPPED; PM_ENOMEM; as sink.found. */
pm_status pm_layers_residues(const pm_layers *x, pm_layers_way way, const uint64_t *modulus,
                             int64_t moduli, const pm_run *run, pm_layers_sink sink,
                             uint64_t *residue, pm_error *err);

#endif
