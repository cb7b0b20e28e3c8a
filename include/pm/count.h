/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/count.h: the exact permanent of one matrix: reduce it, choose an algorithm for each block, run
 * them. */
#ifndef PM_COUNT_H
#define PM_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/backend.h"
#include "pm/matching_kind.h"
#include "pm/matrix.h"
#include "pm/period.h"
#include "pm/reduce.h"
#include "pm/run.h"
#include "pm/status.h"
#include "pm/value.h"

/* Rates: the seconds that one unit of work takes.  The planner predicts with them. */
typedef struct pm_rates pm_rates;

/* All pointers are borrowed. */
typedef struct {
    pm_matching_kind kind; /* which matchings are counted; perfect ones by default */
    /* The matrix is the symmetric adjacency matrix of a graph on one set of vertices, and the answer is its hafnian; with entries
     * on the diagonal the loop hafnian.  Not with a period or another kind; an order has nrows vertices, and `transpose` has no effect.
     * Copies: see `loops`. */
    bool general;
    const char *algorithm;    /* a name (pm_algorithm_name), or "auto" or NULL: the cheapest */
    pm_reduce_options reduce; /* all on by default */
    /* 2 .. 2^62 - 1: count modulo this number (pattern and integer only); 0: count exactly. */
    uint64_t modulus;
    /* Of the order search: another seed may give another order, but the same exact answers. */
    uint64_t seed;
    /* A vertex order, order_len vertices, or NULL.  An order switches the reductions off; the Ryser
     * family then takes rows and columns in the sequence of the matrix. */
    const int32_t *order;
    int64_t order_len;
    bool transpose; /* count the transposed matrix */
    /* How often each row and each column occurs, 0 or more, as in pm_matrix_repeat; NULL: once.  The
     * answer is that of the matrix with its copies written out; they are not written out where the
     * count is short without them.  An order, if given, is one of the matrix with its copies. */
    const int64_t *row_times, *col_times;
    /* With `general` row_times are those of the vertices, and col_times is NULL.  The diagonal of the matrix has the weights of the edges
     * between two copies of a vertex, and this, nrows x 1 of the same field, those of leaving a copy alone; NULL: no vertex may be
     * alone.  The answer is that of pm_matrix_repeat_vertices. */
    const pm_matrix *loops;
    /* The matrix is a part of this periodic graph, in its own columns, and the answer is that of the whole
     * graph; NULL: it is the graph.  An order, if given, is one of the whole graph. */
    const pm_period *period;
    /* For an independent verification: other primes, the transposed matrix, another order, and the
     * second cheapest algorithm where it does not cost much more. */
    bool independent;
    /* PM_EXACT: the answer is exact, an integer or a fraction.  Only then may the matrix have fractions (pm/dyadic.h). */
    pm_precision precision;
    pm_backend backend;     /* PM_BACKEND_CPU by default */
    int gpus;               /* number of devices to use; 0: one, -1: all */
    pm_placement placement; /* of ryser on a GPU */
    const pm_rates *rates;  /* calibrated rates, or NULL: nominal ones, the same on every machine */
    /* The same for integers, whose digits no plan changes: calibrated rates or nominal ones of the machine's vector
     * unit (algorithm/rates.h); NULL: as `rates`. */
    const pm_rates *integer_rates;
    bool plan_only; /* fill the report and count nothing */
    /* Where the tasks and values of long counts are recorded (ledger/ledger.h); NULL: nowhere.  In a part
     * of a run pm_count fails with PM_PARTIAL when it has done its share. */
    struct pm_ledger *ledger;
    /* Compare run->max_cost with the seconds of one core, so that the same blocks are refused with
     * any number of threads. */
    bool cost_of_one_core;
} pm_count_options;

pm_count_options pm_count_defaults(void);

/* Independent verification: counts a again and compares with value.
 * Returns PM_OK when the answers agree: exact ones are equal, inexact ones differ by no more than
 * the sum of their errors.
 * Fails: PM_EINTERNAL they differ; else as pm_count. */
pm_status pm_count_verify(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                          const pm_value *value, pm_error *err);

/* How one block was counted, or would be. */
typedef struct {
    int64_t n, nnz;        /* after reduction: sum of the row capacities; number of entries */
    const char *algorithm; /* static */
    pm_backend backend;
    bool is_general;         /* a block of a graph on one set of n vertices; else n x n */
    double operations;       /* predicted: transitions x residues, or terms of a sum */
    double seconds;          /* predicted, with the threads of the run */
    double planning_seconds; /* predicted seconds of planning the block, on one core, and of
                              * compiling kernels that are not compiled yet */
    double memory;           /* predicted bytes of the largest arrays */
    double device_seconds;   /* measured seconds of GPUs, without their start; 0 on the CPU */
    double states;           /* of the largest level of the frontier; 0 elsewhere */
    int64_t splits;          /* terms of a sum that are counted one by one; 0: no sum */
    int residues;            /* number of moduli used; 0: none */
    /* The value of an exact count of integers has at most so many bits before its sign; of a complex block each of its
     * coefficients.  0: an inexact count, or a value of 0. */
    int64_t bits;
    uint64_t order_hash; /* 0: no order */
} pm_block_report;

typedef struct {
    int64_t nblocks;
    pm_block_report *blocks;
    double seconds; /* predicted, all blocks */
} pm_count_report;

/* Frees the reports of the blocks and sets *r to {0}. */
void pm_count_report_free(pm_count_report *r);

/* The permanent of a: the number of perfect matchings, or the sum of their weights; with
 * opt->kind the same for other matchings.
 * run: threads, limits, stop flag, callbacks; may be NULL.  Stops early when run->stop is set.
 * out: initialised by the caller; set on success.  Exact for pattern and integer (with a modulus:
 *     the residue), and for all with PM_EXACT, else with its error.  0 when there is no matching of this
 *     kind; a rectangular matrix has no perfect one.
 * report: NULL, or set on success; the caller frees it with pm_count_report_free.
 * Fails: PM_UNABLE refused, with predicted seconds and bytes in the message; PM_EUSAGE unknown
 * algorithm, or not on this backend, or a modulus with a real or complex field; PM_ENODEV a GPU was
 * demanded, and there is none or it failed (with PM_BACKEND_AUTO the CPU counts instead);
 * PM_ENOMEM; PM_ESTOPPED; PM_PARTIAL, see pm_count_options.ledger. */
pm_status pm_count(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                   pm_value *out, pm_count_report *report, pm_error *err);

#endif
