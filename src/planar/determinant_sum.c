/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/determinant_sum.h"

#include <stdlib.h>
#include <string.h>

#include "core/team.h"
#include "planar/embedding.h"
#include "planar/kasteleyn_matrix.h"
#include "planar/pfaffian_matrix.h"
#include "pm/alloc.h"

enum { GROUP = 4 }; /* terms prepared at a time, for each thread */

void pm_determinant_sum_free(pm_determinant_sum *t)
{
    pm_plain_graph_free(&t->graph);
    pm_splitting_free(&t->splitting);
    free(t->order);
    pm_elimination_free(&t->first);
    *t = (pm_determinant_sum){0};
}

/* ---- terms ---- */

static pm_status make_matrix(const pm_plain_graph *w, const pm_run *run, pm_paired_matrix *out,
                             pm_error *err)
{
    return w->is_general ? pm_pfaffian_matrix_make(w, run, out, err)
                         : pm_kasteleyn_matrix_make(w, out, err);
}

static pm_status pair_term(const pm_determinant_sum *t, int64_t term, const pm_run *run,
                           pm_paired_matrix *out, pm_error *err)
{
    pm_plain_graph part = {0};
    pm_status status = pm_splitting_term(&t->splitting, &t->graph, term, &part, err);
    if (!status)
        status = make_matrix(&part, run, out, err);
    pm_plain_graph_free(&part);
    return status;
}

/* The elimination of a term; left empty if the term is 0. */
static pm_status prepare_term(const pm_determinant_sum *t, int64_t term, const pm_run *run,
                              pm_elimination *out, pm_error *err)
{
    pm_paired_matrix p = {0};
    pm_status status = pair_term(t, term, run, &p, err);
    *out = (pm_elimination){0};
    if (!status && !p.is_zero)
        status = pm_elimination_make(&p, t->order, out, err);
    pm_paired_matrix_free(&p);
    return status;
}

static bool is_empty(const pm_elimination *e)
{
    return e->n == 0;
}

static pm_status order_pairs(pm_determinant_sum *t, const pm_paired_matrix *p, uint64_t seed,
                             pm_error *err)
{
    t->order = pm_alloc_array(p->n, sizeof *t->order);
    pm_status status = t->order ? pm_elimination_order(p, seed, t->order, err)
                                : pm_fail_memory(err, "an order of elimination");
    if (!status)
        status = pm_elimination_make(p, t->order, &t->first, err);
    return status;
}

/* Predict the average work of a term.  The order suits a term the less, the more edges its matching
 * has: the term with the largest matching represents these terms. */
static pm_status estimate(pm_determinant_sum *t, const pm_run *run, pm_error *err)
{
    pm_elimination fullest = {0};
    t->work = t->first.work;
    t->multiplications = t->first.multiplications;
    if (t->splitting.count == 1)
        return PM_OK;
    pm_status status =
        prepare_term(t, pm_splitting_largest_matching(&t->splitting), run, &fullest, err);
    if (!status && !is_empty(&fullest)) {
        t->work = (t->work + fullest.work) / 2;
        t->multiplications = (t->multiplications + fullest.multiplications) / 2;
    }
    pm_elimination_free(&fullest);
    return status;
}

static pm_status split(pm_determinant_sum *t, const pm_deletion_limits *limits, int64_t checks,
                       const pm_run *run, pm_error *err)
{
    pm_paired_matrix p = {0};
    pm_status status = pm_splitting_find(&t->graph, limits, checks, run, &t->splitting, err);
    if (!status)
        status = pair_term(t, 0, run, &p, err);
    if (!status)
        status = order_pairs(t, &p, limits->seed, err);
    if (!status)
        status = estimate(t, run, err);
    t->classes = 1;
    pm_paired_matrix_free(&p);
    return status;
}

static pm_status take_whole(pm_determinant_sum *t, const pm_paired_matrix *p, uint64_t seed,
                            const pm_run *run, pm_error *err)
{
    t->is_zero = p->is_zero;
    t->classes = p->classes;
    pm_status status = pm_splitting_trivial(&t->splitting, err);
    if (!status && !t->is_zero)
        status = order_pairs(t, p, seed, err);
    if (!status && !t->is_zero)
        status = estimate(t, run, err);
    return status;
}

static pm_status make(pm_determinant_sum *t, const pm_deletion_limits *limits, int64_t checks,
                      const pm_run *run, pm_error *err)
{
    pm_error not_planar, too_far;
    pm_paired_matrix p = {0};
    pm_status status = make_matrix(&t->graph, run, &p, &not_planar);
    if (!status)
        status = take_whole(t, &p, limits->seed, run, &not_planar);
    pm_paired_matrix_free(&p);
    if (status != PM_UNABLE || limits->most < 2 || !pm_embedding_is_built()) {
        if (status && err)
            *err = not_planar;
        return status;
    }
    status = split(t, limits, checks, run, &too_far);
    if (status == PM_UNABLE)
        return pm_fail(err, status, "%s; %s", not_planar.msg, too_far.msg);
    if (status && err)
        *err = too_far;
    return status;
}

pm_status pm_determinant_sum_make(pm_plain_graph *graph, const pm_deletion_limits *limits,
                                  int64_t checks, const pm_run *run, pm_determinant_sum *out,
                                  pm_error *err)
{
    pm_determinant_sum t = {.graph = *graph};
    *graph = (pm_plain_graph){0};
    pm_status status = make(&t, limits, checks, run, err);
    if (status)
        pm_determinant_sum_free(&t);
    else
        *out = t;
    return status;
}

/* ---- determinants ---- */

static int64_t group_size(const pm_determinant_sum *t, const pm_run *run)
{
    int64_t most = GROUP * (int64_t)pm_run_threads(run);
    return most < t->splitting.count ? most : t->splitting.count;
}

double pm_determinant_sum_bytes(const pm_determinant_sum *t, int64_t primes, int64_t memory,
                                const pm_run *run)
{
    int64_t group = group_size(t, run);
    int64_t batches = group * t->classes * pm_determinants_batch_count(primes);
    return pm_determinants_thread_count(&t->first, batches, memory, run)
               * pm_determinants_thread_bytes(&t->first)
           + (double)group * pm_elimination_bytes(&t->first);
}

static pm_status prepare_group(const pm_determinant_sum *t, int64_t from, int64_t count,
                               const pm_run *run, pm_elimination *e, pm_error *err)
{
    pm_status status = PM_OK;
    int threads = pm_team(run, pm_run_threads(run));
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int64_t x = 0; x < count; ++x) {
        pm_error why;
        pm_status own_status = pm_run_stopped(run)
                                   ? pm_fail(&why, PM_ESTOPPED, "stopped before a determinant")
                                   : prepare_term(t, from + x, run, &e[x], &why);
#pragma omp critical
        if (own_status && !status) {
            status = own_status;
            if (err)
                *err = why;
        }
    }
    return status;
}

/* Returns how many are left. */
static int64_t remove_empty(pm_elimination *e, int64_t count)
{
    int64_t kept = 0;
    for (int64_t x = 0; x < count; ++x)
        if (!is_empty(&e[x]))
            e[kept++] = e[x];
    return kept;
}

/* Add d->terms terms from number `from` on; e: scratch for their eliminations. */
static pm_status add_group(const pm_determinant_sum *t, int64_t from, pm_elimination *e,
                           pm_determinants *d, const pm_run *run, uint64_t *residue, pm_error *err)
{
    pm_run_part part;
    double count = (double)t->splitting.count;
    const pm_run *here = pm_run_part_of(&part, run, (double)from / count, (double)d->terms / count);
    pm_status status = prepare_group(t, from, d->terms, run, e, err);
    d->terms = remove_empty(e, d->terms);
    if (!status && d->terms)
        status = pm_determinants_add(d, here, residue, err);
    for (int64_t x = 0; x < d->terms; ++x)
        pm_elimination_free(&e[x]);
    return status;
}

/* The task has an index for each term. */
static pm_status run_terms(const pm_determinant_sum *t, const pm_determinants *primes,
                           pm_ledger_task *task, const pm_run *run, uint64_t *residue,
                           pm_error *err)
{
    int64_t group = group_size(t, run);
    pm_determinants d = *primes;
    pm_range range;
    pm_status status = PM_OK;
    pm_elimination *e = pm_calloc_array(group, sizeof *e);
    if (!e)
        return pm_fail_memory(err, "terms");
    d.elimination = e;
    while (!status && pm_ledger_task_take(task, (uint64_t)group, &range)) {
        d.terms = (int64_t)(range.end - range.first);
        memset(residue, 0, (size_t)(d.classes * d.count) * sizeof *residue);
        status = add_group(t, (int64_t)range.first, e, &d, run, residue, err);
        if (!status)
            status = pm_ledger_task_put(task, range.first, range.end, residue, NULL, err);
    }
    free(e);
    return status;
}

/* The residues modulo the primes first .. end - 1, and 0 elsewhere. */
static pm_status add_primes(const pm_determinants *d, pm_range range, const pm_run *run,
                            uint64_t *residue, pm_error *err)
{
    pm_determinants some = *d;
    some.prime += range.first;
    some.unit += range.first;
    some.count = (int64_t)(range.end - range.first);
    uint64_t *r = pm_calloc_array(d->classes * some.count, sizeof *r);
    if (!r)
        return pm_fail_memory(err, "residues");
    pm_status status = pm_determinants_add(&some, run, r, err);
    memset(residue, 0, (size_t)(d->classes * d->count) * sizeof *residue);
    for (int64_t c = 0; c < d->classes; ++c)
        memcpy(residue + c * d->count + (int64_t)range.first, r + c * some.count,
               (size_t)some.count * sizeof *r);
    free(r);
    return status;
}

/* The only term; the task has an index for each prime.
 * most: indices between two records. */
static pm_status run_primes(const pm_determinant_sum *t, const pm_determinants *primes,
                            uint64_t most, pm_ledger_task *task, const pm_run *run,
                            uint64_t *residue, pm_error *err)
{
    pm_determinants d = *primes;
    pm_range range;
    pm_status status = PM_OK;
    d.elimination = &t->first;
    d.terms = 1;
    while (!status && pm_ledger_task_take(task, most, &range)) {
        pm_run_part part;
        const pm_run *here = pm_run_part_of(&part, run, (double)range.first / (double)d.count,
                                            (double)(range.end - range.first) / (double)d.count);
        status = add_primes(&d, range, here, residue, err);
        if (!status)
            status = pm_ledger_task_put(task, range.first, range.end, residue, NULL, err);
    }
    return status;
}

/* Batches of primes that each thread does between two records of a ledger. */
enum { BATCHES = 4 };

pm_status pm_determinant_sum_residues(const pm_determinant_sum *t, const pm_determinants *primes,
                                      const pm_ledger_scope *scope, const char *what,
                                      const pm_run *run, uint64_t *residue, pm_error *err)
{
    pm_determinants d = *primes;
    bool has_terms = t->splitting.count > 1;
    uint64_t most = scope && scope->ledger
                        ? (uint64_t)(BATCHES * PM_LANES_MAX * pm_run_threads(run))
                        : UINT64_MAX;
    d.classes = t->classes;
    const pm_ledger_shape shape = {.what = what,
                                   .count = (uint64_t)(has_terms ? t->splitting.count : d.count),
                                   .grain = 1,
                                   .words = d.classes * d.count};
    const pm_ledger_key key = pm_ledger_key_of(NULL, d.prime, (size_t)d.count * sizeof *d.prime);
    pm_ledger_task task;
    pm_status status = pm_ledger_task_begin(scope, &shape, key.byte, sizeof key.byte, &task, err);
    if (status)
        return status;
    const pm_run inside = pm_ledger_task_run(&task, run);
    status = has_terms ? run_terms(t, &d, &task, &inside, residue, err)
                       : run_primes(t, &d, most, &task, &inside, residue, err);
    status = pm_ledger_task_end(&task, status, residue, NULL, err);
    for (int64_t x = 0; x < d.classes * d.count && !status; ++x)
        residue[x] %= d.prime[x % d.count];
    return status;
}
