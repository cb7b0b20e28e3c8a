/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The form is chosen by a rough prediction of two of them; the cost comes from a finer prediction
 * of the chosen one.  The form with subsets is not tried: the balanced form has as many terms, and
 * row sums that are 0 at least as often. */
#include "config.h"

#include <math.h>

#include "core/machine.h"
#include "sparse/skipper.h"
#include "sweep/plan_numbers.h"
#include "sweep/ryser_driver.h"
#include "sweep/ryser_setup.h"

enum { ROUGH = 64, FINE = 384 };
/* A rough prediction is enough where it is so many times the best other plan.  Otherwise it is too rough to
 * win by it: there is no plan where a fine one would take so large a part of the planning that is left. */
#define HOPELESS   4
#define FINE_TIMES 4

/* The work in units of PM_RATE_SKIPPER; fitted to measured runs of all forms and fields, n = 14 ..
 * 35, densities .03 to .45 (within 40 %). */
static double work_of(const pm_skip_estimate *e, double n, bool is_complex)
{
    double visits = e->visits, terms = e->terms, changed = visits * e->touched;
    double spread = e->samples * (0.2 * n + 1);
    if (e->is_narrow && e->limbs == 1)
        return 1.2 * visits - 0.6 * terms;
    if (e->is_narrow)
        return 1.05 * visits + (e->limbs > 2 ? 0.6 * terms * e->limbs : 0);
    double product = is_complex ? 0.135 * n : e->limbs == 2 ? 0.1 * n : 0.044 * n;
    if (e->limbs > 2)
        product += 0.08 * e->limbs * e->limbs;
    return 0.5 * visits + 0.045 * changed + terms * product + spread;
}

static pm_status predict(const pm_square *s, const pm_skip_choice *c, int population,
                         double *visits, double *work, pm_error *err)
{
    pm_skip_estimate e;
    pm_status status = pm_skip_predict(s, c, population, &e, err);
    if (status)
        return status;
    *visits = e.visits;
    *work = work_of(&e, s->n, s->field == PM_COMPLEX);
    return PM_OK;
}

pm_status pm_skipper_form(const pm_square *s, bool keep_order, pm_skip_choice *best, double *visits,
                          double *least, pm_error *err)
{
    static const pm_form forms[] = {PM_FORM_BALANCED, PM_FORM_SIGNS};
    double visited, work;
    pm_status status = PM_OK;
    *least = INFINITY;
    for (int i = 0; i < 2 && (!status || status == PM_UNABLE); ++i) {
        pm_skip_choice c = {.form = forms[i], .keep_order = keep_order};
        status = predict(s, &c, ROUGH, &visited, &work, err);
        if (!status && work < *least) {
            *least = work;
            *visits = visited;
            *best = c;
        }
    }
    return status == PM_UNABLE && *least < INFINITY ? PM_OK : status;
}

/* Pieces of about two milliseconds, but at least 64 pieces, because some take much longer; one
 * piece when starting threads would take longer than the work. */
static uint64_t piece_for(const pm_skip_choice *c, int32_t n, double work)
{
    int bits = n - (c->form == PM_FORM_SIGNS);
    int pieces = work < 5e4 ? 0 : (int)ceil(log2(fmax(work / 2e5, 64)));
    return UINT64_C(1) << (bits > pieces ? bits - pieces : 0);
}

static pm_status measure(const pm_job *job, const pm_square *s, const uint64_t *prime, int count,
                         void *choice, pm_plan *plan, pm_error *err)
{
    (void)prime, (void)count;
    pm_skip_choice *c = choice;
    double work, rate = job->rates->seconds[PM_RATE_SKIPPER];
    pm_status status = pm_skipper_form(s, job->order, c, &plan->operations, &work, err);
    double fine = PM_SKIPPER_FINE_SECONDS * (double)pm_matrix_nnz(&job->block->a);
    if (!status && work * rate < HOPELESS * pm_job_rival(job)) {
        if (FINE_TIMES * fine > pm_job_search_seconds(job))
            return pm_fail(err, PM_UNABLE, "a plan for skipper would take more than %.2g seconds",
                           fine);
        status = predict(s, c, FINE, &plan->operations, &work, err);
        pm_job_searched(job, fine);
    }
    if (status)
        return status;
    c->piece = piece_for(c, s->n, work);
    plan->seconds = work * rate;
    plan->memory = 1e6;
    return PM_OK;
}

/* ---- recorded sums ---- */

static int describe(const void *choice, int64_t *number)
{
    const pm_skip_choice *c = choice;
    number[0] = c->form;
    number[1] = (int64_t)c->piece;
    return 2;
}

pm_status pm_skipper_again(const pm_job *job, const int64_t *number, int count, pm_skip_choice *out,
                           pm_error *err)
{
    pm_status status = pm_plan_numbers_check("skipper", count, 2, err);
    if (status)
        return status;
    if (number[0] >= PM_FORMS || number[1] < 1 || number[1] & (number[1] - 1))
        return pm_fail(err, PM_UNABLE, "the recorded plan has no form of skipper");
    *out = (pm_skip_choice){.form = (pm_form)number[0],
                            .keep_order = job->order,
                            .any_range = pm_ryser_is_large(job, &pm_skipper_method),
                            .piece = (uint64_t)number[1]};
    return PM_OK;
}

static pm_status restore(const pm_job *job, const pm_square *s, const int64_t *number, int count,
                         void *choice, pm_error *err)
{
    (void)s;
    return pm_skipper_again(job, number, count, choice, err);
}

const pm_sweep_method pm_skipper_method = {.name = "skipper",
                                           .bits = 61,
                                           .in_double = true,
                                           .may_transpose = true,
                                           .choice_size = sizeof(pm_skip_choice),
                                           .measure = measure,
                                           .prepare = pm_skip_prepare,
                                           .describe = describe,
                                           .restore = restore,
                                           .sum_bits = pm_skip_sum_bits};

const pm_algorithm pm_algorithm_skipper = {
    .name = "skipper",
    .summary = "subsets of columns in Gray-code order, jumping over runs of zero terms",
    .source = "Yaglioglu 2021, algorithms 10 and 11; Kaya 2019; balanced form ours",
    .stage = PM_STAGE_SAMPLED,
    .planning_entry = PM_SKIPPER_PLANNING_SECONDS,
    .cancels = true,
    PM_RYSER_FAMILY(&pm_skipper_method, &pm_skipper_method)};
