/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/filter.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/inputs.h"
#include "cli/output.h"
#include "cli/own_files.h"
#include "core/clock.h"
#include "pm/alloc.h"
#include "process/environment.h"
#include "process/signals.h"

/* Puts the name of the output in front of the message, if the output failed. */
static void name_output(const pm_output *out, pm_status status, pm_error *err)
{
    if (status != PM_EIO || !ferror(out->stream))
        return;
    const pm_error why = *err;
    pm_fail(err, status, "%s: %s", out->name, why.msg);
}

/* What the reader assumed about the input.  Bad input, status PM_EDATA, gets one line only: the error. */
static void note_assumptions(pm_console *console, const pm_reader *r, pm_status status)
{
    if (pm_reader_warning(r)[0] && status != PM_EDATA)
        pm_console_notef(console, 0, "%s: %s", pm_reader_name(r), pm_reader_warning(r));
    if (pm_reader_note(r)[0])
        pm_console_notef(console, 1, "%s: %s", pm_reader_name(r), pm_reader_note(r));
}

/* Memory may end anywhere: the message names the input. */
static void name_input(const pm_filter_input *in, pm_status status, pm_error *err)
{
    if (status != PM_ENOMEM || strncmp(err->msg, "out of memory", 13) != 0 || !in->path)
        return;
    const pm_error why = *err;
    pm_fail(err, status, "%s: %s", in->reader ? pm_reader_name(in->reader) : in->path, why.msg);
}

static const char *const limit_message = "stopped at the time limit";

/* Prints the failure of an input. */
static void report(pm_invocation *p, const pm_filter *f, const pm_filter_input *in,
                   const pm_output *out, pm_status status, pm_error *err)
{
    if (status != PM_ESTOPPED) {
        name_output(out, status, err);
        name_input(in, status, err);
        pm_environment_name_limit(status, err);
        pm_console_error(&p->console, err->msg);
    } else {
        pm_fail(err, status, "%s", limit_message); /* its message comes at the end */
    }
    if (f->fail && (status != PM_ESTOPPED || pm_signals_limit_reached()))
        f->fail(f->context, in, status, err);
}

/* ---- inputs that are open ---- */

typedef struct {
    int64_t inputs, graphs, failures;
    pm_status first_failure;
} tally;

typedef struct {
    pm_filter_input in;
    char *path;       /* in.path */
    pm_status status; /* of reading */
    pm_error err;
} open_input;

/* Filters that collect inputs have several open, others one. */
enum { MOST_OPEN = 64 };

typedef struct {
    pm_invocation *p;
    const pm_filter *f;
    pm_output *out;
    tally tally;
    open_input *open[MOST_OPEN]; /* in order */
    int count;
    pm_filter_input last; /* the last one that was finished */
    bool is_broken;       /* the output failed */
    bool is_stopped;  /* at an input, by a signal or the time limit: later ones have no answer */
    bool has_dropped; /* there was a later one */
    bool is_cut;      /* the run was stopped before an input was answered */
} loop;

static void add_to_tally(tally *t, const pm_filter_input *in, pm_status status)
{
    ++t->inputs;
    t->graphs += in->graphs;
    t->failures += in->failures + (status && status != in->failed);
    if (t->first_failure == PM_OK)
        t->first_failure = status;
}

/* Prints the answers of the input, or its failure, and closes it. */
static pm_status close_input(loop *l, open_input *o)
{
    const pm_filter *f = l->f;
    pm_filter_input *in = &o->in;
    pm_console *console = &l->p->console;
    pm_error err;
    pm_status collected = f->collect ? f->collect(f->context, in, &err) : PM_OK;
    if (!o->status && collected) {
        o->status = collected;
        o->err = err;
    }
    if (in->reader)
        note_assumptions(console, in->reader, o->status);
    bool is_good = !o->status && (in->is_final || in->is_answered);
    if (pm_run_stopped(&l->p->run) && !is_good) {
        o->status = PM_ESTOPPED; /* even if the read failed, or gave an answer */
        l->is_cut = true;
    }
    pm_console_clear(console);
    pm_signals_keep_answers(true);
    pm_signals_hold_limit(); /* the answers are there: the reader may take its time */
    if (!o->status && f->print)
        o->status = f->print(f->context, in, &o->err);
    if (o->status)
        report(l->p, f, in, l->out, o->status, &o->err);
    l->is_broken = !pm_output_flush(l->out) || l->is_broken;
    pm_signals_release_limit();
    if (f->close)
        f->close(f->context, in);
    pm_reader_close(&in->reader);
    return !o->status ? in->failed : o->status;
}

/* An input that was read ahead, after one at which the run was stopped: as if it had not been opened. */
static void drop_input(loop *l, open_input *o)
{
    if (l->f->close)
        l->f->close(l->f->context, &o->in);
    pm_reader_close(&o->in.reader);
    l->has_dropped = true;
}

static void finish_input(loop *l, open_input *o)
{
    pm_status status = close_input(l, o);
    add_to_tally(&l->tally, &o->in, status);
    l->last = o->in;
    l->is_stopped = pm_run_stopped(&l->p->run) && (o->status == PM_ESTOPPED || o->in.is_final);
}

static void close_all(loop *l)
{
    for (int i = 0; i < l->count; ++i) {
        open_input *o = l->open[i];
        if (l->is_stopped)
            drop_input(l, o);
        else
            finish_input(l, o);
        free(o->path);
        free(o);
    }
    l->count = 0;
    if (!pm_run_stopped(&l->p->run))
        pm_signals_keep_answers(l->out->file.is_open);
}

/* Reads the whole input.  An input of very many graphs is collected now and then, after those before
 * it. */
static void read_input(loop *l, open_input *o)
{
    const pm_filter *f = l->f;
    pm_read_options how = l->p->common->input.read;
    how.run = &l->p->run;
    how.archive = o->in.several ? o->in.path : NULL;
    pm_console_begin(&l->p->console, o->in.path);
    o->status = pm_reader_open(o->in.path, &how, &o->in.reader, &o->err);
    while (!o->status) {
        o->in.has_more = false;
        o->status = f->read(f->context, &o->in, &o->err);
        if (o->status || !o->in.has_more || pm_run_stopped(&l->p->run))
            break;
        close_all(l);
        o->status = f->collect(f->context, &o->in, &o->err);
    }
}

/* ---- all inputs ---- */

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

/* A file, whose reading does not wait for another process. */
static bool is_file(const char *path)
{
    struct stat info;
    return strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static pm_status open_next(loop *l, const char *path, bool several, pm_error *err)
{
    if (!is_file(path))
        close_all(l); /* no answer waits for a pipe */
    if (l->count > 0)
        pm_signals_keep_answers(true);
    open_input *o = pm_calloc_array(1, sizeof *o);
    char *copy = pm_copy_text(path);
    if (!o || !copy) {
        free(o);
        free(copy);
        return pm_fail_memory(err, "an input");
    }
    o->path = copy;
    o->in = (pm_filter_input){.path = copy, .several = several, .to = l->out->stream};
    read_input(l, o);
    l->open[l->count++] = o;
    if (!l->f->collect || l->count == MOST_OPEN || o->in.end_here)
        close_all(l);
    return PM_OK;
}

/* Begins the next input.  Returns false when there is none, or the list of names cannot be read
 * further. */
static bool next_input(loop *l, pm_inputs *inputs, bool *has_ended)
{
    pm_error err;
    const char *path;
    pm_status status = pm_inputs_next(inputs, &path, &err);
    *has_ended = !status && !path;
    if (*has_ended)
        return false;
    if (!status)
        status = open_next(l, path, pm_inputs_are_several(inputs), &err);
    if (!status)
        return true;
    close_all(l);
    const pm_filter_input none = {.to = l->out->stream};
    report(l->p, l->f, &none, l->out, status, &err);
    add_to_tally(&l->tally, &none, status);
    return status == PM_EDATA;
}

/* Returns the first failure.  *is_whole: all inputs were processed, some perhaps with a failure; also when
 * the run was stopped after the last answer. */
static pm_status process_all(pm_invocation *p, const pm_filter *f, pm_inputs *inputs,
                             pm_output *out, bool *is_whole)
{
    double started = pm_clock();
    bool has_ended = false;
    loop l = {.p = p, .f = f, .out = out};
    while (!l.last.end_here && !pm_run_stopped(&p->run) && !l.is_broken
           && next_input(&l, inputs, &has_ended))
        ;
    close_all(&l);
    if (l.last.is_final || l.has_dropped)
        has_ended = l.last.is_whole && !l.has_dropped && !pm_inputs_are_more(inputs);
    else if (f->print && l.tally.inputs > 0 && !l.is_cut && !l.is_broken)
        has_ended = has_ended || (pm_run_stopped(&p->run) && !pm_inputs_are_more(inputs));
    if ((!has_ended || l.tally.first_failure == PM_ESTOPPED) && pm_signals_limit_reached()) {
        pm_console_error(&p->console, limit_message);
        l.tally.first_failure =
            l.tally.first_failure != PM_OK ? l.tally.first_failure : PM_ESTOPPED;
    }
    print_tally(&l.tally, &p->console, started);
    *is_whole = has_ended && !l.is_cut;
    return l.tally.first_failure;
}

/* An empty output after a failure does not replace an older file. */
static bool is_empty_after_failure(const pm_output *out, pm_status first_failure)
{
    return first_failure != PM_OK && out->file.is_open && ftello(out->stream) == 0;
}

static pm_status finish(const pm_filter *f, pm_output *out, pm_status first_failure, bool is_whole,
                        pm_error *err)
{
    bool is_complete = true;
    pm_status status = PM_OK;
    pm_signals_hold_limit();
    if (f->end)
        status = f->end(f->context, out->stream, first_failure, &is_complete, err);
    name_output(out, status, err);
    if (!status && !is_complete && out->file.is_open && f->make_partial
        && f->make_partial(f->context, out->stream))
        return pm_output_keep_partial(out, err);
    if (status || !is_complete || is_empty_after_failure(out, first_failure))
        return status;
    const bool is_broken_file = out->error && out->stream != stdout && !f->print;
    if (is_whole || is_broken_file) /* which fails with the reason */
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
    if (!status && program->ranks && pm_inputs_have_stdin(&inputs))
        status = pm_ranks_pass_input(program->ranks, &err);
    if (!status)
        status = pm_output_open(&out, program->output, &err);
    if (!status)
        status = pm_own_files_only(program, &out, &err);
    if (!status) {
        bool is_whole;
        first_failure = process_all(program, f, &inputs, &out, &is_whole);
        status = finish(f, &out, first_failure, is_whole, &err);
    }
    if (status == PM_EUSAGE)
        pm_misuse(program->command, "%s", err.msg);
    else if (status)
        pm_console_error(&program->console, err.msg);
    if (out.partial)
        pm_console_errorf(&program->console, "%s: the %s that were ready", out.partial,
                          f->print ? "answers" : "graphs");
    pm_output_discard(&out);
    pm_inputs_close(&inputs);
    return pm_exit_status(status ? status : first_failure);
}
