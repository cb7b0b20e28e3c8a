/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/residue_task.h"

#include <stdlib.h>
#include <string.h>

#include "ledger/state_store.h"
#include "pm/alloc.h"

static pm_ledger_shape shape_of(int moduli)
{
    return (pm_ledger_shape){
        .what = "residues", .count = (uint64_t)moduli, .grain = 1, .words = moduli};
}

double pm_residue_task_recorded(const pm_ledger_scope *scope, const uint64_t *modulus, int moduli)
{
    const pm_ledger_shape shape = shape_of(moduli);
    if (moduli == 0)
        return 0;
    return (double)pm_ledger_task_recorded(scope, &shape, modulus, (size_t)moduli * sizeof *modulus)
           / moduli;
}

/* ---- how many at a time ---- */

/* The number of the first modulus of a stored state; -1: none of this task. */
static int place_of(const pm_residue_task *t, const pm_state_head *h)
{
    for (int k = 0; h->wanted > 0 && k + h->wanted <= t->moduli; ++k)
        if (memcmp(t->modulus + k, h->modulus, (size_t)h->wanted * sizeof *h->modulus) == 0)
            return k;
    return -1;
}

/* A stored state of several moduli, which a run of another width left, must not be cut. */
static bool cuts_state(const pm_residue_task *t)
{
    pm_state_head h;
    for (int slot = 0; pm_ledger_next_state(&t->scope, &slot, &h);) {
        int first = place_of(t, &h);
        if (first >= 0 && first / t->pass != (first + h.wanted - 1) / t->pass)
            return true;
    }
    return false;
}

/* ---- the task ---- */

/* A range of the task while its residues are found. */
typedef struct {
    pm_ledger_task *task;
    int moduli; /* of the task */
    uint64_t first, end;
    pm_ranges put;
} range_work;

/* Puts the residues first .. end - 1, which are residue[0], ... */
static pm_status put(range_work *w, uint64_t first, uint64_t end, const uint64_t *residue,
                     pm_error *err)
{
    uint64_t *word = pm_calloc_array(w->moduli, sizeof *word);
    if (!word || !pm_ranges_add(&w->put, first, end)) {
        free(word);
        return pm_fail_memory(err, "residues");
    }
    memcpy(word + first, residue, (size_t)(end - first) * sizeof *word);
    pm_status status = pm_ledger_task_put(w->task, first, end, word, NULL, err);
    free(word);
    return status;
}

static pm_status put_found(void *context, int first, int count, const uint64_t *residue,
                           pm_error *err)
{
    range_work *w = context;
    pm_status status;
    pm_error why;
    uint64_t at = w->first + (uint64_t)first;
#pragma omp critical(pm_residue_task)
    status = put(w, at, at + (uint64_t)count, residue, &why);
    if (status && err)
        *err = why;
    return status;
}

static pm_status run_range(const pm_residue_task *t, range_work *w, const pm_run *run,
                           pm_error *err)
{
    pm_range rest;
    int count = (int)(w->end - w->first);
    uint64_t *residue = pm_calloc_array(count, sizeof *residue);
    if (!residue)
        return pm_fail_memory(err, "residues");
    pm_status status =
        t->run(t->context, t->modulus + w->first, count, run, put_found, w, residue, err);
    while (!status && pm_ranges_gap(&w->put, w->first, w->end, &rest))
        status = put(w, rest.first, rest.end, residue + (rest.first - w->first), err);
    free(residue);
    return status;
}

pm_status pm_residue_task_do(const pm_residue_task *t, const pm_run *run, uint64_t *residue,
                             pm_error *err)
{
    const pm_ledger_shape shape = shape_of(t->moduli);
    pm_ledger_task task;
    pm_range range;
    pm_status status = pm_ledger_task_begin(&t->scope, &shape, t->modulus,
                                            (size_t)t->moduli * sizeof *t->modulus, &task, err);
    if (status)
        return status;
    const pm_run inside = pm_ledger_task_run(&task, run);
    bool takes_all = !t->scope.ledger || t->pass == 0 || cuts_state(t);
    uint64_t most = (uint64_t)(takes_all ? t->moduli : t->pass);
    while (!status && pm_ledger_task_take(&task, most, &range)) {
        pm_run_part part;
        range_work w = {.task = &task, .moduli = t->moduli, .first = range.first, .end = range.end};
        status = run_range(t, &w,
                           pm_run_part_of(&part, &inside, (double)range.first / t->moduli,
                                          (double)(range.end - range.first) / t->moduli),
                           err);
        pm_ranges_free(&w.put);
    }
    return pm_ledger_task_end(&task, status, residue, NULL, err);
}
