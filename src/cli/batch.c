/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/batch.h"

#include "cli/inputs.h"
#include "cli/output.h"
#include "cli/signals.h"

/* "where: why", when it was the output that failed. */
static void name_output(const pm_output *out, pm_status s, pm_error *err)
{
    if (s != PM_EIO || !ferror(out->stream))
        return;
    const pm_error why = *err;
    pm_fail(err, s, "%s: %s", out->name, why.msg);
}

/* Everything about one input; failures are reported. */
static pm_status process(const pm_batch *b, const pm_batch_work *w, pm_batch_input *in,
                         const pm_output *out)
{
    pm_error err;
    pm_read_options how = b->input->read;
    how.stop = b->run->stop;
    pm_console_begin(b->console, in->path);
    pm_status s = pm_reader_open(in->path, &how, &in->reader, &err);
    if (s == PM_OK)
        s = w->read(w->context, in, &err);
    if (in->reader && pm_reader_note(in->reader)[0])
        pm_console_notef(b->console, 1, "%s: %s", pm_reader_name(in->reader),
                         pm_reader_note(in->reader));
    if (pm_run_stopped(b->run) && !(s == PM_OK && in->is_last_word))
        s = PM_ESTOPPED; /* whatever it led to, a read that failed or an answer */
    pm_console_clear(b->console);
    if (s == PM_OK && w->print)
        s = w->print(w->context, in, &err);
    if (s != PM_OK && s != PM_ESTOPPED) {
        name_output(out, s, &err);
        pm_console_error(b->console, err.msg);
    }
    pm_reader_close(&in->reader);
    return s == PM_OK ? in->failed : s;
}

/* Returns the first failure.  *is_whole: the output is worth keeping as far as signals go. */
static pm_status process_all(const pm_batch *b, const pm_batch_work *w, pm_inputs *inputs,
                             pm_output *out, bool *is_whole)
{
    bool has_ended = false;
    pm_status first_failure = PM_OK, s = PM_OK;
    pm_batch_input in = {.several = pm_inputs_are_several(inputs), .to = out->stream};
    while (!in.end_here && !pm_run_stopped(b->run)) {
        pm_error err;
        s = pm_inputs_next(inputs, &in.path, &err);
        has_ended = s == PM_OK && !in.path;
        if (has_ended)
            break;
        in.failed = PM_OK;
        if (s == PM_OK)
            s = process(b, w, &in, out);
        else
            pm_console_error(b->console, err.msg);
        if (first_failure == PM_OK)
            first_failure = s;
        if (!in.path && s != PM_EDATA) /* the list itself cannot be read on */
            break;
        if (!pm_output_flush(out)) /* reported when it is closed */
            break;
    }
    if (!has_ended && pm_signals_limit_reached()) {
        pm_console_error(b->console, "stopped at the time limit");
        first_failure = first_failure != PM_OK ? first_failure : PM_ESTOPPED;
    }
    *is_whole = !pm_run_stopped(b->run) || pm_signals_limit_reached() || in.is_last_word;
    return first_failure;
}

/* A file that is there already is worth more than nothing. */
static bool came_to_nothing(const pm_output *out, pm_status first_failure)
{
    return first_failure != PM_OK && out->temporary && ftello(out->stream) == 0;
}

/* The last of the output, once it may take its name. */
static pm_status finish(const pm_batch_work *w, pm_output *out, pm_status first_failure,
                        bool is_whole, pm_error *err)
{
    bool is_complete = true;
    pm_status s = PM_OK;
    if (w->end)
        s = w->end(w->context, out->stream, first_failure, &is_complete, err);
    name_output(out, s, err);
    if (s != PM_OK || !is_complete || came_to_nothing(out, first_failure))
        return s;
    return is_whole ? pm_output_commit(out, err) : PM_OK;
}

int pm_batch_run(const pm_batch *b, const pm_batch_work *w)
{
    pm_inputs inputs;
    pm_output out = {0};
    pm_error err;
    pm_status first_failure = PM_OK;
    pm_status s = pm_inputs_open(&inputs, b->input, b->operand, b->count, &err);
    if (s == PM_OK)
        s = pm_output_open(&out, b->output, &err);
    if (s == PM_OK) {
        bool is_whole;
        first_failure = process_all(b, w, &inputs, &out, &is_whole);
        s = finish(w, &out, first_failure, is_whole, &err);
    }
    if (s == PM_EUSAGE)
        pm_misuse(b->program, "%s", err.msg);
    else if (s != PM_OK)
        pm_console_error(b->console, err.msg);
    pm_output_discard(&out);
    pm_inputs_close(&inputs);
    return pm_exit_status(s != PM_OK ? s : first_failure);
}
