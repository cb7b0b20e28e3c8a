/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The estimate of every item of an input, as a line or as JSON. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "approx/estimate.h"
#include "cli/approx_tasks.h"
#include "cli/json.h"

const char pm_approx_header[] =
    "# estimate\tlow\thigh\trel_std_error\tsamples\tmethod\tstatus\tseed";

typedef struct {
    const pm_approx_context *c;
    char *name;
    int64_t matrices;
    pm_expression x;
    pm_estimate e;
    bool failed_to_trace;
} item;

/* ---- reading ---- */

/* All events of one item; *got is false at the end of the input. */
static pm_status read_item(item *it, pm_reader *r, bool *got, pm_error *err)
{
    int64_t depth = 0;
    pm_event e;
    pm_event_init(&e);
    pm_status s = pm_reader_next(r, &e, err);
    *got = s == PM_OK && e.kind != PM_EV_EOF;
    if (*got) {
        it->name = e.name;
        e.name = NULL;
        s = pm_expression_open(&it->x, err);
    }
    while (*got && s == PM_OK) {
        depth += (e.kind == PM_EV_PRODUCT || e.kind == PM_EV_SUM) - (e.kind == PM_EV_CLOSE);
        it->matrices += e.kind == PM_EV_MATRIX;
        s = pm_expression_put(&it->x, &e, &it->c->run, err);
        if (s != PM_OK || depth == 0)
            break;
        s = pm_reader_next(r, &e, err);
    }
    pm_event_clear(&e);
    if (*got && s == PM_OK)
        pm_expression_close(&it->x);
    return s;
}

static void item_free(item *it)
{
    free(it->name);
    pm_expression_free(&it->x);
    pm_estimate_clear(&it->e);
}

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

/* Two digits more than the standard error allows. */
static int digits_of(const pm_estimate *e)
{
    double digits = 2 - floor(log10(e->relative_error));
    return digits < 3 ? 3 : digits < 17 ? (int)digits : 17;
}

typedef struct {
    char *estimate, *low, *high;
} texts;

static bool make_texts(const pm_estimate *e, texts *t)
{
    if (e->is_exact) {
        t->estimate = pm_value_text(&e->value);
        t->low = pm_value_text(&e->value);
        t->high = pm_value_text(&e->value);
    } else {
        t->estimate = pm_xreal_text(e->value.re, digits_of(e));
        t->low = pm_xreal_text(e->low, digits_of(e));
        t->high = pm_xreal_text(e->high, digits_of(e));
    }
    return t->estimate && t->low && t->high;
}

static void free_texts(texts *t)
{
    free(t->estimate);
    free(t->low);
    free(t->high);
}

/* ---- output ---- */

static void put_line(const item *it, const texts *t, FILE *f)
{
    fprintf(f, "%s\t%s\t%s\t%.2g\t%" PRId64 "\t%s\t%s\t%" PRIu64, t->estimate, t->low, t->high,
            it->e.is_exact ? 0 : it->e.relative_error, it->e.samples, it->e.method,
            status_of(&it->e), it->c->estimate.seed);
}

static double log10_of(pm_xreal x)
{
    return x.hi == 0 ? -INFINITY : log10(fabs(x.hi)) + (double)x.exp * log10(2);
}

static void put_json(const item *it, const texts *t, FILE *f)
{
    const pm_estimate *e = &it->e;
    char number[24];
    pm_json j = {.f = f};
    pm_json_string(&j, "estimate", t->estimate);
    pm_json_string(&j, "ci_low", t->low);
    pm_json_string(&j, "ci_high", t->high);
    pm_json_double(&j, "level", it->c->estimate.level);
    pm_json_double(&j, "rel_std_error", e->is_exact ? 0 : e->relative_error);
    pm_json_double(
        &j, "log10",
        log10_of(pm_value_is_exact(&e->value) ? pm_xreal_from_mpq(e->value.exact) : e->value.re));
    pm_json_string(&j, "method", e->method);
    pm_json_int(&j, "samples", e->samples);
    pm_json_string(&j, "status", status_of(e));
    pm_json_string(&j, "stopped_by", stop_of(e));
    snprintf(number, sizeof number, "%" PRIu64, it->c->estimate.seed);
    pm_json_string(&j, "seed", number);
    pm_json_double(&j, "tail_k", e->tail_k);
    pm_json_double(&j, "effective_samples", e->samples ? e->effective : NAN);
    pm_json_double(&j, "dead_fraction", e->samples ? (double)e->dead / (double)e->samples : NAN);
    pm_json_double(&j, "lower_bound_log10", e->has_tail_free ? log10_of(e->tail_free) : NAN);
    pm_json_string(&j, "interval",
                   e->is_exact                            ? NULL
                   : e->interval.kind == PM_INTERVAL_HALL ? "hall"
                                                          : "log-t");
    pm_json_string(&j, "device", "cpu");
    pm_json_double(&j, "seconds", round(e->seconds * 1e6) * 1e-6);
    pm_json_double(&j, "samples_per_second",
                   e->samples && e->seconds > 0 ? (double)e->samples / e->seconds : NAN);
    pm_json_int(&j, "matrices", it->matrices);
    pm_json_int(&j, "blocks", it->x.nblocks);
}

static void warn(const item *it, pm_reader *r)
{
    const pm_estimate *e = &it->e;
    const char *name = it->name ? it->name : pm_reader_name(r);
    if (e->is_exact)
        return;
    if (is_unreliable(e))
        pm_console_notef(it->c->console, 0,
                         "%s: unreliable: a few samples carry most of the weight (tail index %.2f),"
                         " the truth may well be larger",
                         name, e->tail_k);
    else if (e->interval.is_wide)
        pm_console_notef(it->c->console, 0,
                         "%s: a wide interval from skewed samples: to be read with caution", name);
    if (e->stopped_by == PM_STOP_SIGNAL)
        pm_console_notef(it->c->console, 0, "%s: stopped by a signal; this is what there was",
                         name);
}

static pm_status answer(item *it, pm_reader *r, pm_answers *out, pm_error *err)
{
    texts t = {0};
    FILE *f = pm_answers_begin(out);
    if (!f)
        return pm_fail_memory(err, "an answer");
    pm_status s = make_texts(&it->e, &t) ? PM_OK : pm_fail_memory(err, "digits of the answer");
    if (s == PM_OK && it->c->json)
        put_json(it, &t, f);
    else if (s == PM_OK)
        put_line(it, &t, f);
    free_texts(&t);
    warn(it, r);
    if (is_unreliable(&it->e))
        *it->c->any_unreliable = true;
    out->is_last_word = it->e.stopped_by == PM_STOP_SIGNAL;
    return s == PM_OK ? pm_answers_end(out, it->name, pm_value_is_zero(&it->e.value), err) : s;
}

/* ---- an input ---- */

static void watch(void *context, const pm_estimate *e)
{
    item *it = context;
    const pm_trace_point p = {
        it->c->trace->items, e->samples, e->seconds, e->value.re, e->low, e->high,
    };
    it->failed_to_trace = it->failed_to_trace || pm_trace_add(it->c->trace, &p, NULL) != PM_OK;
}

static pm_status estimate_item(item *it, pm_error *err)
{
    pm_estimate_options o = it->c->estimate;
    if (it->c->trace) {
        o.watch = watch;
        o.watcher = it;
        ++it->c->trace->items;
    }
    pm_status s = pm_estimate_item(&it->x, &o, &it->c->run, &it->e, err);
    return s == PM_OK && it->failed_to_trace ? pm_fail_memory(err, "a trace") : s;
}

static bool concerns_item(pm_status s)
{
    return s == PM_UNABLE || s == PM_EUSAGE || s == PM_ENODEV;
}

pm_status pm_approx_estimate(const void *context, pm_reader *r, pm_answers *out, pm_error *err)
{
    pm_status s;
    bool got;
    do {
        item it = {.c = context};
        pm_error why;
        pm_estimate_init(&it.e);
        s = read_item(&it, r, &got, err);
        if (s == PM_OK && got) {
            s = estimate_item(&it, &why);
            if (s == PM_OK)
                s = answer(&it, r, out, err);
            else
                pm_fail(err, s, "%s: %s", pm_reader_name(r), why.msg);
            if (concerns_item(s)) { /* this item alone failed */
                pm_console_error(it.c->console, err->msg);
                s = pm_answers_skip(out, s, err);
            }
        }
        item_free(&it);
    } while (s == PM_OK && got && !out->is_last_word);
    return s;
}
