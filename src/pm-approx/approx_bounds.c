/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "estimate/item_bounds.h"
#include "pm-approx/approx_item.h"
#include "pm-approx/approx_tasks.h"

enum { DIGITS = 6 };

void pm_approx_put_kind(const pm_approx_context *c, pm_emitter *e)
{
    const pm_cell kind = pm_cell_text("count", pm_matching_kind_name(c->asked));
    if (c->asked)
        pm_emit_members(e, &kind, 1);
}

static double round_outwards(double log10, bool is_upper)
{
    if (!isfinite(log10) || log10 == 0)
        return log10;
    double slack = 1e-11 * fabs(log10), unit = 1e-6; /* 10^-DIGITS */
    return is_upper ? ceil((log10 + slack) / unit) * unit : floor((log10 - slack) / unit) * unit;
}

pm_cell pm_approx_bound_cell(const char *name, double log10, bool is_upper)
{
    return pm_cell_decimal(name, round_outwards(log10, is_upper), DIGITS);
}

static pm_cell lower(const char *name, double log10)
{
    return pm_approx_bound_cell(name, log10, false);
}

static pm_cell upper(const char *name, double log10)
{
    return pm_approx_bound_cell(name, log10, true);
}

static pm_status bounds_of(const pm_approx_context *c, const pm_approx_item *item, pm_bounds *out,
                           pm_error *err)
{
    const pm_backend backend = c->estimate.backend.backend;
    if (!item->has_sizes && pm_item_is_bounded(&item->x))
        return pm_item_bounds_make(&item->x, backend, c->run, out, err);
    pm_run_note(
        c->run, 1,
        "entries or factors are negative or complex: upper bounds of the size of the value");
    return pm_item_size_bounds_make(&item->x, backend, c->run, out, err);
}

static pm_status answer(const pm_approx_context *c, pm_approx_item *item, pm_answers *out,
                        pm_error *err)
{
    pm_bounds b;
    pm_status status = bounds_of(c, item, &b, err);
    if (status)
        return status;
    const pm_cell cells[] = {
        lower("lower_log10", b.lower),
        upper("upper_log10", b.upper),
        lower("schrijver", b.schrijver),
        lower("gurvits", b.gurvits),
        lower("van_der_waerden", b.van_der_waerden),
        upper("bregman", b.bregman),
        upper("bregman_scaled", b.bregman_scaled),
        upper("huber", b.huber),
        upper("bethe", b.bethe),
    };
    pm_emitter *e = pm_answers_begin(out, err);
    if (!e)
        return PM_ENOMEM;
    pm_approx_put_kind(c, e);
    pm_emit_titled_record(e, cells, PM_COUNT_OF(cells));
    return pm_answers_end(out, item->x.name, b.upper == -INFINITY, err);
}

pm_status pm_approx_bounds(const pm_approx_context *c, const pm_node_source *source,
                           pm_answers *out, bool *got, pm_error *err)
{
    return pm_approx_next(c, source, answer, out, got, err);
}

/* ---- the Bethe approximation ---- */

/* How far belief propagation is from its fixed point, as far as that is proved. */
static void note_convergence(const pm_approx_context *c, const pm_bounds *b)
{
    if (isfinite(b->schrijver) && isfinite(b->bethe_most))
        pm_run_note(c->run, 1,
                    "belief propagation: log10 of the Bethe permanent is at most %.2g above %.6f",
                    b->bethe_most - b->schrijver, b->schrijver);
    else if (isfinite(b->upper))
        pm_run_note(c->run, 1,
                    "belief propagation: how near it came to its fixed point is not known");
}

static pm_status answer_bethe(const pm_approx_context *c, pm_approx_item *item, pm_answers *out,
                              pm_error *err)
{
    pm_bounds b;
    pm_bethe_estimate estimate;
    pm_status status = pm_item_bounds_make_estimate(&item->x, c->estimate.backend.backend,
                                                    c->estimate.seed, c->run, &b, &estimate, err);
    if (status)
        return status;
    const pm_cell cells[] = {
        pm_cell_decimal("estimate_log10", estimate.log10, DIGITS),
        lower("low_log10", estimate.low),
        upper("high_log10", estimate.high),
        lower("lower_log10", b.lower),
        upper("upper_log10", b.upper),
        pm_cell_text("proved", "lower_log10 upper_log10"),
        pm_only_json(lower("bethe_log10", b.schrijver)),
        pm_only_json(upper("bethe_most_log10", b.bethe_most)),
    };
    note_convergence(c, &b);
    pm_emitter *e = pm_answers_begin(out, err);
    if (!e)
        return PM_ENOMEM;
    pm_approx_put_kind(c, e);
    pm_emit_titled_record(e, cells, PM_COUNT_OF(cells));
    return pm_answers_end(out, item->x.name, b.upper == -INFINITY, err);
}

pm_status pm_approx_bethe(const pm_approx_context *c, const pm_node_source *source, pm_answers *out,
                          bool *got, pm_error *err)
{
    return pm_approx_next(c, source, answer_bethe, out, got, err);
}
