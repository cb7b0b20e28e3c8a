/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/filter.h"

#include <inttypes.h>

#include "cli/inputs.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "core/clock.h"

/* Puts the name of the output in front of the message, if the output failed. */
static void name_output(const pm_output *out, pm_status status, pm_error *err)
{
    if (status != PM_EIO || !ferror(out->stream))
        return;
    const pm_error why = *err;
    pm_fail(err, status, "%s: %s", out->name, why.msg);
}

/* What the reader assumed about the input. */
static void note_assumptions(pm_console *console, const pm_reader *r)
{
    if (pm_reader_warning(r)[0])
        pm_console_notef(console, 0, "%s: %s", pm_reader_name(r), pm_reader_warning(r));
    if (pm_reader_note(r)[0])
        pm_console_notef(console, 1, "%s: %s", pm_reader_name(r), pm_reader_note(r));
}

static const char *const limit_message = "stopped at the time limit";

/* Prints the failure of an input. */
static void report(pm_invocation *p, const pm_filter *f, const pm_filter_input *in,
                   const pm_output *out, pm_status status, pm_error *err)
{
    if (status != PM_ESTOPPED) {
        name_output(out, status, err);
        pm_console_error(&p->console, err->msg);
    } else {
        pm_fail(err, status, "%s", limit_message); /* its message comes at the end */
    }
    if (f->fail && (status != PM_ESTOPPED || pm_signals_limit_reached()))
        f->fail(f->context, in, status, err);
}

/* Everything about one input; the messages of failures are printed. */
static pm_status process(pm_invocation *p, const pm_filter *f, pm_filter_input *in,
                         const pm_output *out)
{
    pm_error err;
    pm_read_options how = p->common->input.read;
    how.stop = p->run.stop;
    pm_console_begin(&p->console, in->path);
    pm_status status = pm_reader_open(in->path, &how, &in->reader, &err);
    if (!status)
        status = f->read(f->context, in, &err);
    if (in->reader)
        note_assumptions(&p->console, in->reader);
    if (pm_run_stopped(&p->run) && !(!status && in->is_final))
        status = PM_ESTOPPED; /* even if the read failed, or gave an answer */
    pm_console_clear(&p->console);
    if (!status && f->print)
        status = f->print(f->context, in, &err);
    if (status)
        report(p, f, in, out, status, &err);
    pm_reader_close(&in->reader);
    return !status ? in->failed : status;
}

/* ---- all inputs ---- */

typedef struct {
    int64_t inputs, graphs, failures;
    pm_status first_failure;
} tally;

static void add_to_tally(tally *t, const pm_filter_input *in, pm_status status)
{
    ++t->inputs;
    t->graphs += in->graphs;
    t->failures += in->failures + (status && status != in->failed);
    if (t->first_failure == PM_OK)
        t->first_failure = status;
}

static void print_tally(const tally *t, pm_console *console, double started)
{
#define S(count) (count) == 1 ? "" : "s"
    if (t->inputs > 1 || t->graphs > 1)
        pm_console_notef(console, 1,
                         "%" PRId64 " input%s, %" PRId64 " graph%s, %" PRId64
                         " failure%s, %.3g seconds",
                         t->inputs, S(t->inputs), t->graphs, S(t->graphs), t->failures,
                         S(t->failures), pm_clock() - started);
#undef S
}

/* The next input.  Returns false when there is none, or the list of names cannot be read further.
 */
static bool next_input(pm_invocation *p, const pm_filter *f, pm_inputs *inputs, pm_output *out,
                       pm_filter_input *in, tally *t, bool *has_ended)
{
    pm_error err;
    *in = (pm_filter_input){.several = in->several, .to = in->to};
    pm_status status = pm_inputs_next(inputs, &in->path, &err);
    *has_ended = !status && !in->path;
    if (*has_ended)
        return false;
    if (!status)
        status = process(p, f, in, out);
    else
        report(p, f, in, out, status, &err);
    add_to_tally(t, in, status);
    return in->path || status == PM_EDATA;
}

/* Returns the first failure.  *may_keep: no signal stopped the loop before its end. */
static pm_status process_all(pm_invocation *p, const pm_filter *f, pm_inputs *inputs,
                             pm_output *out, bool *may_keep)
{
    double started = pm_clock();
    bool has_ended = false;
    tally t = {0};
    pm_filter_input in = {.several = pm_inputs_are_several(inputs), .to = out->stream};
    while (!in.end_here && !pm_run_stopped(&p->run))
        if (!next_input(p, f, inputs, out, &in, &t, &has_ended)
            || !pm_output_flush(out)) /* reported when it is closed */
            break;
    if (in.is_final && in.is_whole)
        has_ended = !pm_inputs_are_more(inputs);
    if (!has_ended && pm_signals_limit_reached()) {
        pm_console_error(&p->console, limit_message);
        t.first_failure = t.first_failure != PM_OK ? t.first_failure : PM_ESTOPPED;
    }
    print_tally(&t, &p->console, started);
    *may_keep = !pm_run_stopped(&p->run) || pm_signals_limit_reached() || in.is_final;
    return t.first_failure;
}

/* An empty output after a failure does not replace an older file. */
static bool is_empty_after_failure(const pm_output *out, pm_status first_failure)
{
    return first_failure != PM_OK && out->temporary && ftello(out->stream) == 0;
}

static pm_status finish(const pm_filter *f, pm_output *out, pm_status first_failure, bool may_keep,
                        pm_error *err)
{
    bool is_complete = true;
    pm_status status = PM_OK;
    if (f->end)
        status = f->end(f->context, out->stream, first_failure, &is_complete, err);
    name_output(out, status, err);
    if (status || !is_complete || is_empty_after_failure(out, first_failure))
        return status;
    if (may_keep)
        return pm_output_commit(out, err);
    return f->print ? pm_output_keep_partial(out, err) : PM_OK;
}

int pm_filter_run(pm_invocation *program, const pm_filter *f)
{
    const pm_common_settings *common = program->common;
    pm_inputs inputs;
    pm_output out = {0};
    pm_error err;
    pm_status first_failure = PM_OK;
    pm_status status =
        pm_inputs_open(&inputs, &common->input, program->operand, program->operand_count, &err);
    if (!status)
        status = pm_output_open(&out, common->output, &err);
    if (!status) {
        bool may_keep;
        first_failure = process_all(program, f, &inputs, &out, &may_keep);
        status = finish(f, &out, first_failure, may_keep, &err);
    }
    if (status == PM_EUSAGE)
        pm_misuse(program->command, "%s", err.msg);
    else if (status)
        pm_console_error(&program->console, err.msg);
    if (out.partial)
        pm_console_errorf(&program->console, "%s: the answers that were ready", out.partial);
    pm_output_discard(&out);
    pm_inputs_close(&inputs);
    return pm_exit_status(status ? status : first_failure);
}
