/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The form, and whether rows and columns are exchanged, are chosen by a rough prediction of all
 * that come into question; the price is from a finer one of the choice.  Subsets do not come into
 * question: the balanced form has as many terms, and never fewer zeros in a row. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "count/swept.h"
#include "pm/alloc.h"
#include "sweep/skip.h"

enum { ROUGH = 64, FINE = 384 };

static const pm_sweep_method method = {"skipper", 61, pm_skip_prepare};

typedef struct {
    pm_skip_choice skip;
    bool transposed;
} skipper_choice;

/* In units of PM_RATE_SKIPPER; fitted to measured runs of all forms and fields, n = 14 .. 35,
 * densities .03 to .45 (within 40 %). */
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

static pm_status predict(const pm_job *job, const skipper_choice *c, int population, double *visits,
                         double *work, pm_error *err)
{
    pm_square s = {0};
    pm_skip_estimate e;
    pm_status rc = pm_square_make(job->block, c->transposed, method.bits,
                                  pm_swept_modulus(job, &method), &s, err);
    if (!rc)
        rc = pm_skip_predict(&s, &c->skip, population, &e, err);
    if (!rc) {
        *visits = e.visits;
        *work = work_of(&e, s.n, s.field == PM_COMPLEX);
    }
    pm_square_free(&s);
    return rc;
}

/* Fails: PM_UNABLE when no form takes the block, PM_ENOMEM. */
static pm_status choose(const pm_job *job, skipper_choice *best, pm_error *err)
{
    static const pm_form forms[] = {PM_FORM_BALANCED, PM_FORM_SIGNS};
    double least = INFINITY, visits, work;
    pm_status rc = PM_OK;
    for (int i = 0; i < 4 && (rc == PM_OK || rc == PM_UNABLE); ++i) {
        skipper_choice c = {.skip = {.form = forms[i / 2]}, .transposed = i % 2};
        rc = predict(job, &c, ROUGH, &visits, &work, err);
        if (rc == PM_OK && work < least) {
            least = work;
            *best = c;
        }
    }
    return rc == PM_UNABLE && least < INFINITY ? PM_OK : rc;
}

/* About two milliseconds of work, but at least 64 pieces as some are heavy. */
static uint64_t piece_for(const skipper_choice *c, double n, double work)
{
    int bits = (int)n - (c->skip.form == PM_FORM_SIGNS);
    int pieces = (int)ceil(log2(fmax(work / 2e5, 64)));
    return UINT64_C(1) << (bits > pieces ? bits - pieces : 0);
}

static pm_status plan(const pm_job *job, pm_plan *plan, pm_error *err)
{
    double work;
    if (job->block->a.field > PM_INTEGER && job->precision == PM_QUAD)
        return pm_fail(err, PM_UNABLE, "skipper works in double");
    skipper_choice *choice = pm_calloc_array(1, sizeof *choice);
    if (!choice)
        return pm_fail_memory(err, "plan");
    pm_status rc = choose(job, choice, err);
    if (!rc)
        rc = predict(job, choice, FINE, &plan->operations, &work, err);
    if (rc) {
        free(choice);
        return rc;
    }
    choice->skip.piece = piece_for(choice, (double)job->block->n, work);
    plan->operations *= pm_swept_passes(job, &method);
    plan->seconds =
        work * pm_swept_passes(job, &method) * job->rates->seconds[PM_RATE_SKIPPER];
    if (plan->seconds > 1e-3)
        plan->seconds = pm_shared_seconds(plan->seconds, pm_run_threads(job->run));
    plan->memory = 1e6;
    plan->state = choice;
    return PM_OK;
}

static void free_plan(pm_plan *plan)
{
    free(plan->state);
    plan->state = NULL;
}

static pm_status run(const pm_job *job, const pm_plan *plan, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    const skipper_choice *c = plan->state;
    (void)residues;
    return pm_swept_permanent(job, &method, &c->skip, c->transposed, out, err);
}

const pm_algorithm pm_algorithm_skipper = {
    .name = "skipper",
    .summary = "subsets of columns in Gray-code order, jumping over runs of zero terms",
    .source = "Yaglioglu 2021, algorithms 10 and 11; Kaya 2019; balanced form ours",
    .occasion = PM_LATER,
    .integers = true,
    .cancels = true,
    .plan = plan,
    .run = run,
    .free_plan = free_plan};
