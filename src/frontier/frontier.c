/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithms "frontier", "frontier-rank" and "frontier-hash" on CPUs: find an order, compile
 * it, choose an engine, and run it with as many residues at a time as memory permits. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frontier/frontier_hash.h"
#include "frontier/frontier_passes.h"
#include "frontier/frontier_plan.h"
#include "frontier/frontier_rank.h"
#include "frontier/frontier_state.h"
#include "pm/alloc.h"

#define HASH_NAME "frontier-hash" /* of the algorithm, and of the engine in reports */

enum { SMALL_LEVEL = 100000 }; /* states: up to here a pass costs more than an additional residue */

typedef struct {
    pm_frontier_setup setup;
    bool use_hash;
    int widest;    /* residues at a time, at most */
    int64_t least; /* states of the array of the program that needs least */
} frontier;

static void free_state(frontier *f)
{
    pm_frontier_setup_free(&f->setup);
    free(f);
}

static void free_plan(pm_plan *plan)
{
    if (plan->state)
        free_state(plan->state);
    plan->state = NULL;
}

/* ---- residues at a time ---- */

/* How many of the `left` residues the next pass finds. */
static int pass_width(const frontier *f, int left)
{
    int n = 1;
    while (2 * n <= left && 2 * n <= f->widest)
        n *= 2;
    /* small levels: one pass of 4 or 8 for the last 3 or 7, instead of several */
    if (n < f->widest && left == 2 * n - 1 && left > 1 && f->setup.program.max_states < SMALL_LEVEL)
        n *= 2;
    return n;
}

static int widest_pass(const frontier *f, const pm_job *job)
{
    int n = 32;
    while (n > 1
           && (pm_frontier_program_bytes(&f->setup.program, 8 * n) > (double)job->memory
               || (n > 8 && f->setup.program.max_states > SMALL_LEVEL)))
        n /= 2;
    return n;
}

/* ---- planning ---- */

static pm_status refuse_memory(const pm_job *job, const frontier *f, double bytes, pm_error *err)
{
    pm_plan p = {.seconds = f->setup.order.cost * pm_frontier_transition_seconds(job)};
    return pm_frontier_refuse(job, pm_plan_elapsed(&p, job->run), "", bytes, (double)job->memory,
                              err);
}

/* Seconds of one run of the rank engine with `width` residues or one inexact value. */
static double rank_seconds(const pm_job *job, const frontier *f, int64_t value_bytes, int width)
{
    bool exact = job->nmoduli > 0, is_complex = job->block->a.field == PM_COMPLEX;
    pm_rate id = exact ? PM_RATE_RANK_UNIT : is_complex ? PM_RATE_RANK_COMPLEX : PM_RATE_RANK_REAL;
    double unit = job->rates->seconds[id], scale = unit / pm_rates_nominal.seconds[id];
    double weighted = exact ? job->rates->seconds[PM_RATE_RANK_WEIGHTED] : 1.5 * unit;
    int values = exact ? width : 1;
    return pm_frontier_program_seconds(&f->setup.program, value_bytes, values * unit,
                                       values * weighted, scale);
}

typedef struct {
    int count, width; /* of the widest */
} passes;

static passes find_passes(const frontier *f, int nmoduli)
{
    passes p = {0, 0};
    for (int left = nmoduli, n; left > 0; left -= n, ++p.count) {
        n = pass_width(f, left);
        p.width = n > p.width ? n : p.width;
    }
    return p;
}

/* Seconds of all passes of the rank engine for residues. */
static double exact_seconds(const pm_job *job, const frontier *f)
{
    passes p = find_passes(f, job->nmoduli);
    return rank_seconds(job, f, 8 * (int64_t)p.width, p.width) * job->nmoduli / p.width;
}

/* Of a state, in a pass with all its residues; the weights of the residues are prepared when it runs. */
static pm_status value_bytes(const pm_job *job, const passes *p, int64_t *bytes, pm_error *err)
{
    pm_ring *ring;
    *bytes = 8 * (int64_t)p->width;
    if (job->nmoduli)
        return PM_OK;
    pm_status status = pm_frontier_ring(job, NULL, 0, 64, &ring, err);
    if (status)
        return status;
    *bytes = ring->value_bytes;
    ring->free(ring);
    return PM_OK;
}

/* Set the figures of the plan from the compiled program. */
static pm_status predict(const pm_job *job, frontier *f, pm_plan *plan, pm_error *err)
{
    int64_t bytes;
    const passes p = find_passes(f, job->nmoduli);
    pm_status status = value_bytes(job, &p, &bytes, err);
    if (status)
        return status;
    double seconds = p.count ? exact_seconds(job, f) : rank_seconds(job, f, bytes, 0);
    /* the memory of the hash engine is not known in advance, but its limit is */
    plan->memory = f->use_hash
                       ? fmin(pm_frontier_hash_bytes(&f->setup.program, bytes), (double)job->memory)
                       : pm_frontier_program_bytes(&f->setup.program, bytes);
    if (f->use_hash)
        seconds = (p.count ? p.count : 1)
                  * pm_frontier_hash_seconds(&f->setup.program, p.count ? p.width : 4,
                                             job->rates->seconds[PM_RATE_HASH]);
    plan->seconds = seconds;
    plan->is_serial = f->setup.program.max_states <= 4096;
    plan->pass = p.width;
    plan->operations = f->setup.program.transitions * (job->nmoduli ? job->nmoduli : 1);
    plan->states = (double)f->setup.program.max_states;
    plan->order_hash = pm_vertex_order_hash(&f->setup.order);
    plan->kernel = f->use_hash                 ? HASH_NAME
                   : f->setup.program.in_place ? PM_FRONTIER_IN_PLACE_NAME
                                               : NULL;
    return PM_OK;
}

/* A program has all states with the right sum of digits.  Under orders that were found, 62 to 100 % of
 * them are reached; under given ones fewer.  When not even this part fits, the hash engine would end without
 * an answer, after a long time. */
#define REACHED_LEAST (1.0 / 64)

static pm_status check_reached(const pm_job *job, const frontier *f, pm_error *err)
{
    int64_t value_bytes = job->nmoduli ? 8 : pm_frontier_value_bytes(job);
    double bytes = pm_frontier_hash_bytes(&f->setup.program, value_bytes);
    return REACHED_LEAST * bytes > (double)job->memory ? refuse_memory(job, f, bytes, err) : PM_OK;
}

static bool fits(const pm_job *job, const frontier *f)
{
    int64_t value_bytes = job->nmoduli ? 8 : pm_frontier_value_bytes(job);
    return pm_frontier_program_bytes(&f->setup.program, value_bytes) <= (double)job->memory;
}

/* The program in place, which saves passes, need not be compiled: another plan is much shorter, or this is a plan
 * at a glance, and another search follows if it stays the best one. */
static bool is_far_from_best(const pm_job *job, const frontier *f)
{
    enum { CLEARLY = 16 };
    double seconds = f->setup.order.cost * pm_frontier_transition_seconds(job);
    bool is_glance = job->search_most < INFINITY;
    return seconds > CLEARLY * job->rival
           || (is_glance && seconds > CLEARLY * PM_PLANNING_SECONDS / PM_PLANNING_SHARE);
}

/* Where memory is short, take the program in place if that needs less and is faster, or the only one
 * that fits; anywhere if it has made the level that is stored. */
static pm_status choose_program(const pm_job *job, frontier *f, pm_error *err)
{
    frontier other = *f;
    const bool has_room = pm_frontier_has_room(job, &f->setup, (double)pm_frontier_value_bytes(job),
                                               (double)job->memory);
    if (!job->nmoduli || f->setup.program.is_zero || is_far_from_best(job, f)
        || (has_room && !pm_frontier_other_is_stored(job, &f->setup.program)))
        return PM_OK;
    pm_status status = pm_frontier_setup_in_place(job, &f->setup, &other.setup.program, err);
    if (status)
        return status;
    if (other.setup.program.is_zero) { /* its order of the vertices may show that earlier */
        pm_frontier_program_free(&f->setup.program);
        f->setup.program = other.setup.program;
        return PM_OK;
    }
    if (other.setup.program.room < f->least)
        f->least = other.setup.program.room;
    f->widest = widest_pass(f, job);
    other.widest = widest_pass(&other, job);
    const bool is_stored = pm_frontier_is_stored(job, &other.setup.program);
    if (fits(job, &other)
        && (is_stored || !fits(job, f)
            || (!has_room && exact_seconds(job, &other) < exact_seconds(job, f)))) {
        pm_frontier_program_free(&f->setup.program);
        f->setup.program = other.setup.program;
    } else {
        pm_frontier_program_free(&other.setup.program);
    }
    return PM_OK;
}

typedef enum { ENGINE_AUTO, ENGINE_RANK, ENGINE_HASH } engine;

/* Set the program, f->widest and f->use_hash. */
static pm_status choose_engine(const pm_job *job, engine which, frontier *f, pm_error *err)
{
    f->least = f->setup.program.room;
    pm_status status = which == ENGINE_HASH ? PM_OK : choose_program(job, f, err);
    if (status || f->setup.program.is_zero)
        return status;
    f->widest = widest_pass(f, job);
    double least = (double)f->least * (double)(job->nmoduli ? 8 : pm_frontier_value_bytes(job));
    bool is_possible = fits(job, f);
    if (!is_possible && which == ENGINE_RANK)
        return refuse_memory(job, f, least, err);
    /* the hash engine may fit, since it keeps only the states that are reached */
    f->use_hash = which == ENGINE_HASH || (!is_possible && which == ENGINE_AUTO);
    if (!f->use_hash)
        return PM_OK;
    status = check_reached(job, f, err);
    if (status)
        return status;
    status = pm_frontier_hash_fits(&f->setup.graph, &f->setup.order, err);
    return status == PM_UNABLE && !is_possible ? refuse_memory(job, f, least, err) : status;
}

static pm_status plan_engine(const pm_job *job, engine which, pm_plan *plan, pm_error *err)
{
    frontier *f = pm_calloc_array(1, sizeof *f);
    if (!f)
        return pm_fail_memory(err, "frontier");
    pm_status status =
        pm_frontier_setup_make(job, pm_frontier_transition_seconds(job), &f->setup, err);
    if (!status && !f->setup.program.is_zero)
        status = choose_engine(job, which, f, err);
    if (!status && !f->setup.program.is_zero)
        status = predict(job, f, plan, err);
    if (status)
        free_state(f);
    else
        plan->state = f;
    return status;
}

static pm_status plan_auto(const pm_job *job, pm_plan *plan, pm_error *err)
{
    return plan_engine(job, ENGINE_AUTO, plan, err);
}

static pm_status plan_rank(const pm_job *job, pm_plan *plan, pm_error *err)
{
    return plan_engine(job, ENGINE_RANK, plan, err);
}

static pm_status plan_hash(const pm_job *job, pm_plan *plan, pm_error *err)
{
    return plan_engine(job, ENGINE_HASH, plan, err);
}

/* ---- running ---- */

static int lanes_of(const void *state, int left)
{
    return pass_width(state, left);
}

static double bytes_of(const void *state, int64_t value_bytes)
{
    const frontier *f = state;
    return pm_frontier_program_bytes(&f->setup.program, value_bytes);
}

static pm_status run_pass(const pm_job *job, const void *state, int worker, const pm_ring *ring,
                          pm_frontier_pass *pass, double done, double share, void *value,
                          pm_error *err)
{
    (void)worker;
    const frontier *f = state;
    if (f->use_hash)
        return pm_frontier_hash_run(&f->setup.graph, &f->setup.order, ring, job->run, job->memory,
                                    done, share, value, err);
    return pm_frontier_rank_run_pass(&f->setup.program, ring, pass, job->run, done, share, value,
                                     err);
}

static pm_status run(const pm_job *job, const pm_plan *plan, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    const frontier *f = plan->state;
    pm_pass_engine all = {.engine = f,
                          .depth = f->setup.program.depth,
                          .workers = 1,
                          .memory = (double)job->memory,
                          .most_lanes = PM_STATE_MODULI,
                          .has_narrow = true,
                          .lanes = lanes_of,
                          .bytes = bytes_of,
                          .run = run_pass};
    if (f->setup.program.is_zero) {
        pm_frontier_set_zero(job, residues, out);
        return PM_OK;
    }
    if (!f->use_hash)
        all.states = pm_frontier_states_of(job, &f->setup.program);
    pm_status status = pm_frontier_record_order(job, &f->setup.graph, &f->setup.order, err);
    return status ? status : pm_frontier_passes_run(job, &all, residues, out, err);
}

#define OURS "frontier method over rows and columns; src/frontier/README.md"

const pm_algorithm pm_algorithm_frontier = {
    .name = "frontier",
    .summary = "transfer-matrix method over rows and columns; takes the engine that fits",
    .source = OURS,
    .stage = PM_STAGE_SEARCH,
    .plan = plan_auto,
    .run = run,
    .free_plan = free_plan};
const pm_algorithm pm_algorithm_frontier_rank = {
    .name = "frontier-rank",
    .summary = "the same over arrays indexed by the rank of a state",
    .source = OURS,
    .plan = plan_rank,
    .run = run,
    .free_plan = free_plan};
const pm_algorithm pm_algorithm_frontier_hash = {
    .name = HASH_NAME,
    .summary = "the same over hash tables of the states that are reached",
    .source = OURS,
    .plan = plan_hash,
    .run = run,
    .free_plan = free_plan};
