/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "core/clock.h"
#include "estimate/certify.h"
#include "estimate/item_bounds.h"
#include "pm-approx/approx_item.h"
#include "pm-approx/approx_tasks.h"
#include "pm-approx/approx_texts.h"
#include "pm/settings.h"
#include "process/signals.h"

typedef struct {
    const pm_approx_context *c;
    const pm_approx_item *item;
    pm_estimate e;
    pm_bounds certain; /* only for JSON */
    bool failed_to_trace;
} estimation;

/* ---- words ---- */

static bool is_unreliable(const pm_estimate *e)
{
    return !e->is_exact && !e->interval.is_reliable;
}

static const char *status_of(const pm_estimate *e)
{
    if (e->is_exact)
        return "exact";
    if (is_unreliable(e))
        return "unreliable";
    return e->stopped_by == PM_STOP_REL_ERR ? "converged" : "limit";
}

static const char *stop_of(const pm_estimate *e)
{
    static const char *const words[] = {"nothing", "rel-err", "samples", "time-limit", "signal"};
    bool is_late = e->stopped_by == PM_STOP_SIGNAL && pm_signals_limit_reached();
    return words[is_late ? PM_STOP_TIME : e->stopped_by];
}

static const char *interval_of(const pm_estimate *e)
{
    if (e->is_exact || isinf(e->interval.high))
        return NULL;
    if (e->is_certified)
        return "guarantee";
    return e->interval.kind == PM_INTERVAL_HALL ? "hall" : "log-t";
}

/* ---- output ---- */

static double per(double x, double y)
{
    return y > 0 ? x / y : NAN;
}

/* clang-format off */
const char *const pm_approx_columns[] = {
    "name", "count", "estimate", "ci_low", "ci_high", "exact", "level", "rel_std_error", "log10", "method",
    "samples", "status", "stopped_by", "seed", "tail_k", "effective_samples", "dead_fraction",
    "lower_bound_log10", "lower_log10", "upper_log10", "interval", "device", "seconds",
    "samples_per_second", "matrices", "blocks", NULL};
/* clang-format on */

/* A guarantee has no standard error. */
static pm_cell error_cell(const pm_estimate *e)
{
    if (e->is_certified)
        return pm_cell_text("rel_std_error", NULL);
    return pm_cell_significant("rel_std_error", e->is_exact ? 0 : e->relative_error, 2);
}

static void put(const estimation *it, const pm_approx_texts *t, pm_emitter *emitter)
{
    const pm_estimate *e = &it->e;
    const pm_approx_context *c = it->c;
    double samples = (double)e->samples, dead = e->is_certified ? NAN : (double)e->dead;
    double level = c->epsilon > 0 ? 1 - c->delta : c->estimate.level;
    const pm_cell cells[] = {
        pm_cell_text("estimate", t->estimate),
        pm_with_key(pm_cell_text("low", t->low), "ci_low"),
        pm_with_key(pm_cell_text("high", t->high), "ci_high"),
        pm_only_json(pm_cell_text("exact", t->exact)),
        pm_only_json(pm_cell_number("level", level)),
        error_cell(e),
        pm_only_json(pm_cell_precise("log10", pm_value_log10_abs(&e->value))),
        pm_only_text(pm_cell_int("samples", e->samples)), /* columns have another order than keys */
        pm_cell_text("method", e->method),
        pm_only_json(pm_cell_int("samples", e->samples)),
        pm_cell_text("status", status_of(e)),
        pm_only_json(pm_cell_text("stopped_by", stop_of(e))),
        pm_cell_uint("seed", c->estimate.seed),
        pm_only_json(pm_cell_number("tail_k", e->tail_k)),
        pm_only_json(pm_cell_number("effective_samples", e->samples ? e->effective : NAN)),
        pm_only_json(pm_cell_number("dead_fraction", per(dead, samples))),
        pm_only_json(pm_approx_bound_cell("lower_bound_log10", e->tail_free, false)),
        pm_only_json(pm_approx_bound_cell("lower_log10", it->certain.lower, false)),
        pm_only_json(pm_approx_bound_cell("upper_log10", it->certain.upper, true)),
        pm_only_json(pm_cell_text("interval", interval_of(e))),
        pm_only_json(pm_cell_text("device", e->device)),
        pm_only_json(pm_cell_number("seconds", round(e->seconds * 1e6) * 1e-6)),
        pm_only_json(
            pm_cell_number("samples_per_second", e->samples ? per(samples, e->seconds) : NAN)),
        pm_only_json(pm_cell_int("matrices", it->item->x.matrices)),
        pm_only_json(pm_cell_int("blocks", it->item->x.nblocks)),
    };
    pm_approx_put_kind(c, emitter);
    pm_emit_titled_record(emitter, cells, PM_COUNT_OF(cells));
}

static void warn_of_unreliable(pm_console *console, const char *name, const pm_estimate *e)
{
    bool has_sign = e->low.hi >= 0 || e->high.hi <= 0;
    if (e->interval.is_lost)
        pm_console_notef(console, 0,
                         "%s: unreliable: a sum whose terms nearly cancel is part of a power or a"
                         " product, so there is no interval",
                         name);
    else if (e->interval.has_tail)
        pm_console_notef(console, 0,
                         "%s: unreliable: a few samples carry most of the weight (tail index %.2f),"
                         " the true value may be %s; try another --method",
                         name, e->tail_k, has_sign ? "larger" : "farther away");
    else
        pm_console_notef(
            console, 0,
            "%s: unreliable: too few samples for such a wide interval; allow more samples or time",
            name);
}

static void warn(const estimation *it)
{
    const pm_estimate *e = &it->e;
    const char *name = it->item->x.name ? it->item->x.name : it->item->input;
    if (e->is_exact)
        return;
    if (is_unreliable(e))
        warn_of_unreliable(it->c->console, name, e);
    else if (e->low.hi < 0 && e->high.hi > 0)
        pm_console_notef(it->c->console, 0,
                         "%s: terms of both signs nearly cancel: the sign is not certain", name);
    else if (e->interval.is_wide)
        pm_console_notef(it->c->console, 0,
                         "%s: a wide interval from skewed samples: use it with caution", name);
    if (e->stopped_by == PM_STOP_SIGNAL && !pm_signals_limit_reached())
        pm_console_notef(it->c->console, 0,
                         "%s: stopped by a signal; the estimate is from the samples so far", name);
}

/* Is the value certainly 0? */
static bool is_zero(const pm_estimate *e)
{
    if (e->is_exact)
        return pm_value_is_zero(&e->value);
    return e->has_low && e->has_high && e->low.hi == 0 && e->high.hi == 0;
}

/* An estimate that a limit of time has ended would be another one with all threads. */
static bool is_cut(const pm_estimate *e)
{
    return e->stopped_by == PM_STOP_TIME || e->stopped_by == PM_STOP_SIGNAL;
}

static pm_status print(estimation *it, pm_answers *out, pm_error *err)
{
    pm_approx_texts t;
    pm_emitter *e = pm_answers_begin(out, err);
    if (!e)
        return PM_ENOMEM;
    pm_status status = pm_approx_texts_make(&it->e, e->is_json || e->columns, &t, err);
    if (!status)
        put(it, &t, e);
    pm_approx_texts_free(&t);
    warn(it);
    if (is_unreliable(&it->e))
        atomic_store(it->c->any_unreliable, true);
    if (it->e.stopped_by == PM_STOP_SIGNAL)
        atomic_store(it->c->any_cut, true);
    out->is_final = it->e.stopped_by == PM_STOP_SIGNAL || pm_signals_limit_reached();
    return !status ? pm_answers_end(out, it->item->x.name, is_zero(&it->e), err) : status;
}

/* ---- an item ---- */

/* An exact value has one point, with no samples. */
static pm_status trace_exact(estimation *it, pm_error *err)
{
    const pm_value *v = &it->e.value;
    pm_xreal x = pm_value_real(v);
    const pm_trace_point p = {it->c->trace->items, 0, it->e.seconds, x, x, x};
    return pm_trace_add(it->c->trace, &p, err);
}

static void watch(void *context, const pm_estimate *e)
{
    estimation *it = context;
    if (!it->c->is_attempt)
        pm_signals_keep_answers(true); /* a signal prints the estimate so far */
    if (!it->c->trace || !e->has_low || !e->has_high)
        return;
    const pm_trace_point p = {
        it->c->trace->items, e->samples, e->seconds, e->value.re, e->low, e->high,
    };
    it->failed_to_trace = it->failed_to_trace || pm_trace_add(it->c->trace, &p, NULL) != PM_OK;
}

/* When the bounds are refused, or a signal has come, they are NAN; this is not a failure. */
static pm_status find_bounds(const estimation *it, pm_bounds *out, pm_error *err)
{
    out->lower = out->upper = NAN;
    if (pm_run_stopped(it->c->run))
        return PM_OK;
    pm_status status = pm_item_bounds_make(&it->item->x, PM_BACKEND_CPU, it->c->run, out, err);
    return status == PM_UNABLE || status == PM_ESTOPPED ? PM_OK : status;
}

/* For one graph: not more than what is left for the run, less a little for the end of it.  With a ledger
 * all choices are to be the same in the next run, so the end of this one is no limit of the graph. */
static double seconds_left(const pm_approx_context *c)
{
    const double share = 0.95, least = 1e-9; /* 0 would be no limit */
    if (c->ends <= 0 || c->recorded)
        return c->estimate.seconds;
    double left = fmax(share * (c->ends - pm_clock()), least);
    return c->estimate.seconds > 0 ? fmin(c->estimate.seconds, left) : left;
}

static pm_status answer(const pm_approx_context *c, pm_approx_item *item, pm_answers *out,
                        pm_error *err)
{
    estimation it = {.c = c, .item = item};
    pm_estimate_options o = c->estimate;
    o.seconds = seconds_left(c);
    o.watch = watch;
    o.watcher = &it;
    if (c->trace)
        ++c->trace->items;
    pm_estimate_init(&it.e);
    pm_status status = c->epsilon > 0
                           ? pm_certify_item(&item->x, c->epsilon, c->delta, &o, c->run, &it.e, err)
                           : pm_estimate_item(&item->x, &o, c->run, &it.e, err);
    if (!status && it.e.value.field == PM_COMPLEX)
        status =
            pm_fail(err, PM_UNABLE, "expected a real value for an estimate, found a complex one%s",
                    pm_hint_text(PM_HINT_EXACT));
    if (!status && c->is_attempt && is_cut(&it.e))
        status = pm_fail(err, PM_UNABLE, "an estimate to be repeated by the main thread");
    if (!status && it.failed_to_trace)
        status = pm_fail_memory(err, "a trace");
    if (!status && c->trace && it.e.is_exact)
        status = trace_exact(&it, err);
    if (!status
        && (pm_emit_has(&out->emitter, "lower_log10") || pm_emit_has(&out->emitter, "upper_log10")))
        status = find_bounds(&it, &it.certain, err);
    if (!status)
        status = print(&it, out, err);
    pm_estimate_clear(&it.e);
    return status;
}

pm_status pm_approx_estimate(const pm_approx_context *c, const pm_node_source *source,
                             pm_answers *out, bool *got, pm_error *err)
{
    return pm_approx_next(c, source, answer, out, got, err);
}

/* ---- a part ---- */

static pm_status do_share(const pm_approx_context *c, pm_approx_item *item, pm_answers *out,
                          pm_error *err)
{
    pm_estimate e;
    (void)out;
    pm_estimate_init(&e);
    pm_status status = pm_estimate_item(&item->x, &c->estimate, c->run, &e, err);
    pm_estimate_clear(&e);
    return status == PM_PARTIAL ? PM_OK : status;
}

pm_status pm_approx_part(const void *context, const pm_node_source *source, bool *got,
                         pm_status *refused, pm_error *err)
{
    pm_answers none = {0};
    pm_status status = pm_approx_next(context, source, do_share, &none, got, err);
    *refused = none.failed;
    if (status == PM_ESTOPPED) {
        *refused = status;
        status = PM_OK;
    }
    pm_answers_free(&none);
    return status;
}
