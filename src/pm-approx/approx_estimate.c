/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The estimate of every item of an input, as a line or as JSON. */
#include "config.h"

#include <inttypes.h>
#include <math.h>

#include "cli/json.h"
#include "estimate/certify.h"
#include "estimate/item_bounds.h"
#include "pm-approx/approx_item.h"
#include "pm-approx/approx_tasks.h"
#include "pm-approx/approx_texts.h"

const char pm_approx_header[] =
    "# estimate\tlow\thigh\trel_std_error\tsamples\tmethod\tstatus\tseed";

enum { LOG_DIGITS = 9 }; /* after the point: a number of 10^5000 to a millionth */

typedef struct {
    const pm_approx_context *c;
    const pm_approx_item *item;
    pm_estimate e;
    pm_bounds bracket; /* only of JSON */
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
    return words[e->stopped_by];
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

static void put_line(const estimation *it, const pm_approx_texts *t, FILE *f)
{
    fprintf(f, "%s\t%s\t%s\t", t->estimate, t->low, t->high);
    if (it->e.is_certified)
        putc('-', f);
    else
        fprintf(f, "%.2g", it->e.is_exact ? 0 : it->e.relative_error);
    fprintf(f, "\t%" PRId64 "\t%s\t%s\t%" PRIu64, it->e.samples, it->e.method, status_of(&it->e),
            it->c->estimate.seed);
}

static void put_bound(pm_json *j, const char *key, double log10, bool is_upper)
{
    pm_json_decimal(j, key, pm_approx_outwards(log10, is_upper), PM_APPROX_BOUND_DIGITS);
}

static void put_json(const estimation *it, const pm_approx_texts *t, FILE *f)
{
    const pm_estimate *e = &it->e;
    char number[24];
    pm_json j = {.f = f};
    pm_json_string(&j, "estimate", t->estimate);
    pm_json_string(&j, "ci_low", t->low);
    pm_json_string(&j, "ci_high", t->high);
    pm_json_string(&j, "exact", t->exact);
    pm_json_double(&j, "level", it->c->epsilon > 0 ? 1 - it->c->delta : it->c->estimate.level);
    pm_json_double(&j, "rel_std_error", e->is_exact ? 0 : e->relative_error);
    pm_json_decimal(&j, "log10", pm_xreal_log10(pm_value_real(&e->value)), LOG_DIGITS);
    pm_json_string(&j, "method", e->method);
    pm_json_int(&j, "samples", e->samples);
    pm_json_string(&j, "status", status_of(e));
    pm_json_string(&j, "stopped_by", stop_of(e));
    snprintf(number, sizeof number, "%" PRIu64, it->c->estimate.seed);
    pm_json_string(&j, "seed", number);
    pm_json_double(&j, "tail_k", e->tail_k);
    pm_json_double(&j, "effective_samples", e->samples ? e->effective : NAN);
    pm_json_double(&j, "dead_fraction",
                   e->samples && !e->is_certified ? (double)e->dead / (double)e->samples : NAN);
    put_bound(&j, "lower_bound_log10", e->tail_free, false);
    put_bound(&j, "lower_log10", it->bracket.lower, false);
    put_bound(&j, "upper_log10", it->bracket.upper, true);
    pm_json_string(&j, "interval", interval_of(e));
    pm_json_string(&j, "device", e->device);
    pm_json_double(&j, "seconds", round(e->seconds * 1e6) * 1e-6);
    pm_json_double(&j, "samples_per_second",
                   e->samples && e->seconds > 0 ? (double)e->samples / e->seconds : NAN);
    pm_json_int(&j, "matrices", it->item->x.matrices);
    pm_json_int(&j, "blocks", it->item->x.nblocks);
}

static void warn_of_unreliable(pm_console *console, const char *name, const pm_estimate *e)
{
    bool has_sign = e->low.hi >= 0 || e->high.hi <= 0;
    if (e->interval.is_lost)
        pm_console_notef(console, 0,
                         "%s: unreliable: a sum whose terms nearly cancel stands in a power or a"
                         " product, of which nothing is known then",
                         name);
    else if (e->interval.has_tail)
        pm_console_notef(console, 0,
                         "%s: unreliable: a few samples carry most of the weight (tail index %.2f),"
                         " the truth may well be %s",
                         name, e->tail_k, has_sign ? "larger" : "farther away");
    else
        pm_console_notef(console, 0, "%s: unreliable: too few samples for so wide an interval",
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
                         "%s: a wide interval from skewed samples: to be read with caution", name);
    if (e->stopped_by == PM_STOP_SIGNAL)
        pm_console_notef(it->c->console, 0, "%s: stopped by a signal; this is what there was",
                         name);
}

/* Certainly. */
static bool is_zero(const pm_estimate *e)
{
    if (e->is_exact)
        return pm_value_is_zero(&e->value);
    return e->has_low && e->has_high && e->low.hi == 0 && e->high.hi == 0;
}

static pm_status tell(estimation *it, pm_answers *out, pm_error *err)
{
    pm_approx_texts t;
    FILE *f = pm_answers_begin(out);
    if (!f)
        return pm_fail_memory(err, "an answer");
    pm_status s = pm_approx_texts_make(&it->e, it->c->json, &t, err);
    if (s == PM_OK && it->c->json)
        put_json(it, &t, f);
    else if (s == PM_OK)
        put_line(it, &t, f);
    pm_approx_texts_free(&t);
    warn(it);
    if (is_unreliable(&it->e))
        *it->c->any_unreliable = true;
    out->is_last_word = it->e.stopped_by == PM_STOP_SIGNAL;
    return s == PM_OK ? pm_answers_end(out, it->item->x.name, is_zero(&it->e), err) : s;
}

/* ---- an item ---- */

/* Of a value that is exact there is one point, of no samples. */
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
    if (!e->has_low || !e->has_high)
        return;
    const pm_trace_point p = {
        it->c->trace->items, e->samples, e->seconds, e->value.re, e->low, e->high,
    };
    it->failed_to_trace = it->failed_to_trace || pm_trace_add(it->c->trace, &p, NULL) != PM_OK;
}

/* Bounds that are refused, or for which a signal leaves no time, are lacking, no more. */
static pm_status bracket(const estimation *it, pm_bounds *out, pm_error *err)
{
    out->lower = out->upper = NAN;
    if (pm_run_stopped(&it->c->run))
        return PM_OK;
    pm_status s = pm_item_bounds_make(&it->item->x, out, err);
    return s == PM_UNABLE ? PM_OK : s;
}

static pm_status answer(const pm_approx_context *c, pm_approx_item *item, pm_answers *out,
                        pm_error *err)
{
    estimation it = {.c = c, .item = item};
    pm_estimate_options o = c->estimate;
    if (c->trace) {
        o.watch = watch;
        o.watcher = &it;
        ++c->trace->items;
    }
    pm_estimate_init(&it.e);
    pm_status s = c->epsilon > 0
                      ? pm_certify_item(&item->x, c->epsilon, c->delta, &o, &c->run, &it.e, err)
                      : pm_estimate_item(&item->x, &o, &c->run, &it.e, err);
    if (s == PM_OK && it.e.value.field == PM_COMPLEX)
        s = pm_fail(err, PM_UNABLE, "a complex value is not estimated (see pm-count)");
    if (s == PM_OK && it.failed_to_trace)
        s = pm_fail_memory(err, "a trace");
    if (s == PM_OK && c->trace && it.e.is_exact)
        s = trace_exact(&it, err);
    if (s == PM_OK && c->json)
        s = bracket(&it, &it.bracket, err);
    if (s == PM_OK)
        s = tell(&it, out, err);
    pm_estimate_clear(&it.e);
    return s;
}

pm_status pm_approx_estimate(const void *context, pm_reader *r, pm_answers *out, pm_error *err)
{
    return pm_approx_items(context, r, answer, out, err);
}
