/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/count.h: the exact permanent of one matrix: reduce, choose an algorithm a block, run. */
#ifndef PM_COUNT_H
#define PM_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/backend.h"
#include "pm/matrix.h"
#include "pm/reduce.h"
#include "pm/run.h"
#include "pm/status.h"
#include "pm/value.h"

/* The costs of the units of work on a machine, for predictions; measured by calibration. */
typedef struct pm_rates pm_rates;

typedef struct {
    const char *algorithm;    /* a name of the registry, or NULL: the cheapest */
    pm_reduce_options reduce; /* all on by default */
    uint64_t modulus; /* 2 .. 2^62 - 1: the count modulo it (pattern and integer only); else 0 */
    uint64_t seed;    /* of the order search: other seed, other order, same digits */
    const int32_t *order; /* given vertex order, or NULL; it switches reductions off, and the Ryser
                           * family takes rows and columns in the sequence in which they stand */
    int64_t order_len;
    bool transpose;   /* count the transposed block instead: an independent second run */
    bool independent; /* with other primes, transposed, in another order, and by another algorithm
                     * where that is not much dearer: to verify an answer */
    pm_precision precision;
    pm_backend backend;     /* PM_BACKEND_CPU by default */
    int gpus;               /* devices to use; 0: one, -1: all that there are */
    pm_placement placement; /* of ryser on a GPU */
    const pm_rates *rates;  /* of the machine, or NULL: nominal ones */
    bool plan_only;         /* fill the report and compute nothing */
    bool cost_of_one_core;  /* compare run->max_cost with seconds of one core: the same refusals
                             * with any number of threads */
} pm_count_options;

pm_count_options pm_count_defaults(void);

/* Count again in another way and compare: PM_OK when the answers agree (exact: are equal; inexact:
 * within both errors), PM_EINTERNAL when not. */
pm_status pm_count_verify(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                          const pm_value *value, pm_error *err);

/* What was or would be done for one block. */
typedef struct {
    int64_t n, nnz;        /* after reduction: capacities summed, entries */
    const char *algorithm; /* static */
    pm_backend backend;
    double operations;     /* predicted: transitions x residues, or Ryser steps */
    double seconds;        /* predicted, at nominal rates and with run->threads */
    double memory;         /* bytes the engine's arrays will take */
    double device_seconds; /* measured: what GPUs took, without start-up; 0 on the CPU */
    double states;         /* largest level of the frontier; 0 elsewhere */
    int64_t splits;        /* terms of a sum, counted each by itself; 0: there is no sum */
    int residues;          /* moduli used; 0: none */
    uint64_t order_hash;
} pm_block_report;

typedef struct {
    int64_t nblocks;
    pm_block_report *blocks;
    double seconds; /* predicted, all blocks */
} pm_count_report;

void pm_count_report_free(pm_count_report *r);

/* *out: initialised by the caller; exact for pattern and integer (with modulus: the residue).
 * Rectangular or structurally singular: 0.  report may be NULL; else freed by the caller.
 * Fails: PM_UNABLE (refused, with predicted seconds and bytes in the message), PM_EUSAGE (unknown
 * algorithm, or not on this backend, modulus with a real field), PM_ENODEV (a GPU was asked for, and
 * there is none or it failed; with PM_BACKEND_AUTO the CPU counts then), PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_count(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                   pm_value *out, pm_count_report *report, pm_error *err);

/* The exact algorithms.  i = 0, 1, ...: name, backend and one-line summary; NULL after the last
 * one. */
const char *pm_algorithm_name(int i);
pm_backend pm_algorithm_backend(int i);
bool pm_algorithm_is_on(const char *name, pm_backend backend); /* auto: on any */
const char *pm_algorithm_summary(int i);

#endif
