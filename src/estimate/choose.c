/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "estimate/choose.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/estimation.h"
#include "estimate/sampler_registry.h"
#include "pm/alloc.h"
#include "pm/settings.h"

#define PILOT_SEED    UINT64_C(0x9e3779b97f4a7c15) /* added to the seed: pilots are other samples */
#define PILOT_SECONDS 1.0                          /* nominal, for each method */
#define PILOT_SHARE   (1.0 / 12)                   /* of the time limit, at most */
#define PILOT_OVERRUN 3         /* a method that takes this many times as long is not tried */
#define RUN_SECONDS   10        /* nominal, of one sample of a beam, at most */
#define MORE_STATES   2         /* factor: more states cost more and help less than in proportion */
#define EXACT_SHARE   (1.0 / 8) /* the part of the time limit that a count may take */
#define SAMPLE_SHARE  (1.0 / 64) /* the part of the time limit that a sample should take at most */
enum {
    PILOT_MOST = 256,
    PILOT_LEAST = 8,
    PILOT_STATES = 1000,
    PILOT_RUNS = 4, /* samples of PILOT_STATES states */
    STATES_MOST = 1 << 20
};

/* ---- choices of an earlier run ---- */

enum { NAME = 32 };

/* A name, the number of states, and the interval of scalings. */
#define CHOICE "%31[^:]:states=%" SCNd64 ":scale-interval=%d"

static void write_choice(const pm_approx_block *b, char text[PM_LEDGER_METHOD])
{
    snprintf(text, PM_LEDGER_METHOD, "%s:states=%" PRId64 ":scale-interval=%d",
             b->samples->sampler.method->name, b->samples->states, b->samples->scale_interval);
}

static bool read_choice(const char *text, const pm_sampler_method **method, pm_sampler_options *so)
{
    char name[NAME];
    if (sscanf(text, CHOICE, name, &so->states, &so->scale_interval) != 3)
        return false;
    *method = pm_sampler_method_find(name);
    return *method;
}

pm_status pm_choice_put(const pm_approx_block *b, const pm_estimate_options *o, pm_error *err)
{
    char text[PM_LEDGER_METHOD];
    const pm_ledger_scope scope = pm_estimation_scope(o->count.ledger, "block", b->index);
    write_choice(b, text);
    return pm_ledger_put_method(&scope, text, err);
}

/* Returns false when none is noted. */
static bool get_choice(const pm_approx_block *b, const pm_estimate_options *o,
                       const pm_sampler_method **method, pm_sampler_options *so)
{
    char text[PM_LEDGER_METHOD];
    const pm_ledger_scope scope = pm_estimation_scope(o->count.ledger, "block", b->index);
    return pm_ledger_get_method(&scope, text) && read_choice(text, method, so);
}

static bool was_sampled(const pm_approx_block *b, const pm_estimate_options *o)
{
    const pm_sampler_method *method;
    pm_sampler_options so;
    return get_choice(b, o, &method, &so);
}

/* ---- exact counts ---- */

static pm_status count_within(pm_approx_block *b, const char *algorithm, double seconds,
                              const pm_estimate_options *o, const pm_run *run, pm_error *err)
{
    pm_error why;
    pm_run brief = *run;
    pm_count_options how = o->count;
    how.general = b->general;
    brief.max_cost = o->seconds > 0 ? fmin(seconds, EXACT_SHARE * o->seconds) : seconds;
    bool is_brief = o->most_seconds > 0 && o->most_seconds < brief.max_cost;
    if (is_brief)
        brief.max_cost = o->most_seconds;
    if (algorithm)
        how.algorithm = algorithm;
    pm_status status = pm_approx_block_hold(b, err);
    if (status)
        return status;
    status = pm_count(&b->a, &how, &brief, b->value, NULL, &why);
    if (status == PM_PARTIAL) { /* its value is not used */
        pm_value_set_one(b->value);
        b->is_partial = true;
        status = PM_OK;
    }
    b->is_exact = !status;
    bool is_refusal = status == PM_UNABLE && !is_brief;
    return !status || is_refusal ? PM_OK : pm_fail_after(&why, err, status, "%s", why.msg);
}

static pm_status count_if_cheap(pm_approx_block *b, const pm_estimate_options *o, const pm_run *run,
                                pm_error *err)
{
    pm_status status = count_within(b, NULL, o->exact_seconds, o, run, err);
    if (!status && !b->is_exact && o->planar_seconds > o->exact_seconds)
        status = count_within(b, "planar", o->planar_seconds, o, run, err);
    return status;
}

/* A block of so few rows is counted at once. */
enum { ROWS_AT_ONCE = 20 };

/* Whether it is late for all ranks. */
static pm_status share_lateness(const pm_approx_block *b, const pm_estimate_options *o,
                                bool *is_late, pm_error *err)
{
    if (!pm_approx_block_is_sampled(b) && b->a.nrows <= ROWS_AT_ONCE)
        return PM_OK;
    uint64_t late = *is_late;
    pm_status status = pm_ledger_agree(o->count.ledger, "time of counts", PM_OK, &late, 1, err);
    *is_late = late;
    return status;
}

pm_status pm_choose_exact(pm_expression *x, const pm_estimate_options *o, const pm_run *run,
                          pm_error *err)
{
    pm_status status = PM_OK;
    const pm_run begin = pm_run_within(run, o->seconds / 4);
    pm_run end = pm_run_within(run, o->seconds / 2);
    bool is_late = false;
    if (pm_ledger_has_peers(o->count.ledger))
        end.deadline = 0; /* ranks look at the clock between two blocks */
    for (int64_t i = 0; i < x->nblocks && o->exact_seconds > 0 && !status && !is_late; ++i) {
        if (pm_approx_block_is_sampled(x->block[i]) && !was_sampled(x->block[i], o))
            status = count_if_cheap(x->block[i], o, &end, err);
        is_late = pm_run_is_late(&begin) && !pm_run_stopped(run);
        if (!status)
            status = share_lateness(x->block[i], o, &is_late, err);
    }
    if (is_late && o->most_seconds > 0)
        return pm_fail(err, PM_UNABLE, "too long for an attempt");
    if (is_late && (!status || status == PM_ESTOPPED)) {
        pm_run_note(run, 1,
                    "much of the time limit is spent: the other blocks are estimated, not counted");
        status = PM_OK;
    }
    return !status ? pm_expression_list_sampled(x, err) : status;
}

/* ---- pilots ---- */

typedef struct {
    const pm_sampler_method *method;
    int least;      /* samples that an interval needs */
    double seconds; /* nominal, a sample */
    double cost;    /* nominal seconds to a relative variance of 1; INFINITY: only dead ends */
    double cv2;
} candidate;

/* True for a method whose sample is a beam with a given number of states. */
static bool has_states(const pm_sampler_method *m)
{
    return m->takes & PM_TAKES_STATES;
}

static int64_t pilot_count(const pm_sampler *s, double seconds)
{
    if (has_states(s->method))
        return PILOT_RUNS;
    double affordable = seconds / s->seconds;
    return affordable < PILOT_LEAST  ? PILOT_LEAST
           : affordable > PILOT_MOST ? PILOT_MOST
                                     : (int64_t)affordable;
}

/* The larger the variation, the more of it the pilot has probably missed: so the factor 1 + cv2. */
static double cost_of(const pm_sampler *s, double cv2)
{
    double cost = s->seconds * (cv2 * (1 + cv2) + 1e-9);
    return has_states(s->method) && !s->is_exact ? MORE_STATES * cost : cost;
}

static void judge(const pm_sampler *s, const pm_moments *m, candidate *c)
{
    pm_sample_summary sum;
    pm_moments_summary(m, &sum);
    c->least = s->min_samples;
    c->seconds = s->seconds;
    c->cv2 = 1; /* without samples */
    if (sum.count > 1)
        c->cv2 = sum.relative_variance * (double)sum.count;
    c->cost = sum.count > 1 && sum.mean.m == 0 ? INFINITY : cost_of(s, c->cv2);
}

/* Pilot samples of one method.  When the time is over first, c->cost stays INFINITY.  PM_UNABLE:
 * the method is unable to sample the block. */
static pm_status try_method(const pm_approx_block *b, const pm_estimate_options *o,
                            const pm_run *run, pm_moments *m, candidate *c, pm_error *err)
{
    pm_sampler sampler = {0};
    pm_sampler_options so = o->sampler;
    if (so.states == 0)
        so.states = PILOT_STATES;
    const pm_sampler_method *method = pm_sampler_method_for(c->method, b->general);
    pm_status status =
        pm_sampler_make(method, &b->a, &so, o->seed + PILOT_SEED, b->index, run, &sampler, err);
    if (status)
        return status == PM_ESTOPPED && pm_run_is_late(run) ? PM_OK : status;
    double seconds = o->seconds > 0 ? fmin(PILOT_SECONDS, PILOT_SHARE * o->seconds) : PILOT_SECONDS;
    int64_t count = pilot_count(&sampler, seconds);
    pm_moments_clear(m);
    if (sampler.seconds * (double)count <= PILOT_OVERRUN * seconds)
        status = pm_moments_draw(&sampler, 0, count, run, m, err);
    if (status == PM_ESTOPPED && pm_run_is_late(run))
        status = PM_OK;
    if (!status)
        judge(&sampler, m, c);
    if (!status && m->count > 0)
        pm_run_note(
            run, 2,
            "pilot samples of %s: %.3g seconds a sample, squared coefficient of variation %.3g",
            c->method->name, sampler.seconds, c->cv2);
    pm_sampler_free(&sampler);
    return status;
}

/* Of two methods with infinite cost the one with faster samples is better. */
static bool is_better(const candidate *a, const candidate *b)
{
    return a->cost < b->cost || (a->cost == b->cost && a->seconds < b->seconds);
}

static pm_status best_of(const pm_approx_block *b, const pm_estimate_options *o, const pm_run *run,
                         candidate *best, pm_error *err)
{
    static const char *const of_general[] = {"blossom", "blossom+", "beam", NULL};
    static const char *const of_bipartite[] = {"look+", "scaling++", "beam", NULL};
    const char *const *names = b->general ? of_general : of_bipartite;
    pm_status status = PM_UNABLE;
    pm_error why;
    pm_moments *m = pm_alloc_array(1, sizeof *m);
    if (!m)
        return pm_fail_memory(err, "the moments of a pilot");
    *best = (candidate){.cost = INFINITY};
    for (int i = 0; names[i]; ++i) {
        candidate c = {.method = pm_sampler_method_find(names[i]),
                       .least = 1,
                       .seconds = INFINITY,
                       .cost = INFINITY};
        pm_status one = try_method(b, o, run, m, &c, &why);
        if (one != PM_OK && one != PM_UNABLE) {
            status = one;
            break;
        }
        if (one == PM_OK && (status == PM_UNABLE || is_better(&c, best))) {
            *best = c;
            status = PM_OK;
        }
    }
    free(m);
    return !status ? status : pm_fail_after(&why, err, status, "%s", why.msg);
}

/* The variance of a beam falls when it has more states.  Chooses the number of states for which the
 * least number of samples is enough; but no sample may take too long for the time limit, or for a
 * quick stop. */
static int64_t states_of(const candidate *c, const pm_estimate_options *o, double variance)
{
    double run = o->seconds > 0 ? fmin(o->seconds / c->least, RUN_SECONDS) : RUN_SECONDS;
    double states = fmin(c->cv2 / (c->least * variance), run / c->seconds) * PILOT_STATES;
    if (!(states > PILOT_STATES))
        return PILOT_STATES;
    return states < STATES_MOST ? (int64_t)states : STATES_MOST;
}

static pm_status make_sampler(pm_approx_block *b, const pm_sampler_method *method,
                              const pm_estimate_options *o, const pm_sampler_options *so,
                              const pm_run *run, pm_error *err)
{
    method = pm_sampler_method_for(method, b->general);
    if (method->is_general != b->general)
        return pm_fail(err, PM_UNABLE, "%s is for %s only%s", method->name,
                       method->is_general ? "graphs on one set of vertices" : "bipartite graphs",
                       pm_hint_text(PM_HINT_ALGORITHM));
    b->samples->states = so->states;
    b->samples->scale_interval = so->scale_interval;
    pm_sampler_free(&b->samples->sampler);
    return pm_sampler_make(method, &b->a, so, o->seed, b->index, run, &b->samples->sampler, err);
}

/* In a large graph a sample is scaled less often when it would take too long otherwise: such
 * samples vary more, but some of them are complete before the time limit. */
static pm_status make_faster(pm_approx_block *b, const pm_estimate_options *o,
                             pm_sampler_options *so, const pm_run *run, pm_error *err)
{
    const pm_sampler_method *method = b->samples->sampler.method;
    double most = SAMPLE_SHARE * o->seconds;
    if (o->method || !(method->takes & PM_TAKES_SCALINGS) || !(o->seconds > 0)
        || b->samples->sampler.seconds <= most)
        return PM_OK;
    so->scale_interval =
        (int)ceil(fmin(fmax(so->scale_interval, 1) * b->samples->sampler.seconds / most, 1e6));
    return make_sampler(b, method, o, so, run, err);
}

/* By pilot samples, where the options leave the choice. */
static pm_status choose_sampler(pm_approx_block *b, const pm_estimate_options *o, double variance,
                                const pm_run *pilots, const pm_run *run, pm_error *err)
{
    candidate c = {.method = o->method};
    pm_sampler_options so = o->sampler;
    pm_status status = PM_OK;
    if (!c.method && o->most_seconds > 0)
        return pm_fail(err, PM_UNABLE, "pilot samples take too long");
    if (!c.method)
        status = best_of(b, o, pilots, &c, err);
    if (!status && !o->method && has_states(c.method) && so.states == 0)
        so.states = states_of(&c, o, variance);
    if (!status)
        status = make_sampler(b, c.method, o, &so, run, err);
    return status ? status : make_faster(b, o, &so, run, err);
}

/* All ranks take the sampler of one: pilot samples that are late on one of them may be in time on another. */
static pm_status share_choice(pm_approx_block *b, const pm_estimate_options *o, pm_status status,
                              const pm_run *run, pm_error *err)
{
    union {
        char text[PM_LEDGER_METHOD];
        uint64_t word[PM_LEDGER_METHOD / sizeof(uint64_t)];
    } own = {{0}}, all;
    const pm_sampler_method *method;
    pm_sampler_options so = o->sampler;
    pm_run whole = *run;
    if (!pm_ledger_has_peers(o->count.ledger))
        return status;
    if (!status)
        write_choice(b, own.text);
    all = own;
    status = pm_ledger_agree(o->count.ledger, "sampler", status, all.word,
                             sizeof all / sizeof *all.word, err);
    if (status || strcmp(own.text, all.text) == 0)
        return status;
    if (!read_choice(all.text, &method, &so))
        return pm_fail_internal(err, "there is no sampler '%.40s'", all.text);
    whole.deadline = 0;
    return make_sampler(b, method, o, &so, &whole, err);
}

pm_status pm_choose_sampler(pm_approx_block *b, const pm_estimate_options *o, double variance,
                            const pm_run *pilots, const pm_run *run, pm_error *err)
{
    const pm_sampler_method *method;
    pm_sampler_options so = o->sampler;
    pm_status status = get_choice(b, o, &method, &so)
                           ? make_sampler(b, method, o, &so, run, err)
                           : choose_sampler(b, o, variance, pilots, run, err);
    status = share_choice(b, o, status, run, err);
    if (!status)
        pm_run_note(run, 1, "block %u: n %" PRId64 ", %s, nominally %.3g seconds a sample",
                    b->index + 1, b->a.nrows, b->samples->sampler.method->name,
                    b->samples->sampler.seconds);
    return status;
}
