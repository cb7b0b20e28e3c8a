/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/count_layered.h: the count of a graph in layers that are repeated, by its transfer matrix. */
#ifndef PM_COUNT_LAYERED_H
#define PM_COUNT_LAYERED_H

#include "layers/layers_count.h"
#include "ledger/ledger.h"
#include "pm/count.h"

typedef struct {
    const pm_count_options *opt;
    const pm_run *run;
    int64_t rows, entries; /* of the graph, for the report */
    pm_layered g;
    pm_layers layers;
    uint64_t *primes;
    const uint64_t *modulus;
    int moduli;
    pm_layers_way way;
    double seconds, elapsed; /* predicted: on one core, and with the threads of the run */
    double memory;
} pm_layered_count;

/* Sets the members from layers on.  opt, run, rows, entries and g are set; g is freed by pm_layered_count_free, also after a failure.
 * Fails: as pm_layers_make and pm_exact_primes. */
pm_status pm_layered_count_plan(pm_layered_count *w, pm_error *err);

/* Counts, or with opt->plan_only reports only.  scope: of the count, or {0}.
 * Fails: PM_UNABLE the limits of run do not allow it; PM_ESTOPPED, PM_PARTIAL, PM_ENOMEM. */
pm_status pm_layered_count_finish(pm_layered_count *w, const pm_ledger_scope *scope, pm_value *out,
                                  pm_count_report *report, pm_error *err);
void pm_layered_count_free(pm_layered_count *w);

#endif
