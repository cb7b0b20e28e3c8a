/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-approx: perfect matchings of graphs, estimated with intervals. */
#include "config.h"

#include <stdio.h>

#include "bounds/bounds.h"
#include "cli/command.h"
#include "core/clock.h"
#include "one_picture/matching_picture.h"
#include "pm-approx/approx_options.h"
#include "pm-approx/approx_tasks.h"
#include "pm/settings.h"
#include "process/signals.h"

enum { UNRELIABLE = 76 };

typedef struct {
    pm_common_settings common;
    pm_approx_settings approx;
    pm_picture_settings picture;
    pm_long_run *long_run; /* not {0} between run and finish */
} settings;

/* The options that answers depend on. */
static const char *const answer_options[] = {
    "method",          "exact-within", "states", "complete",     "scale-interval", "rel-err",
    "confidence",      "samples",      "runs",   "scale-sweeps", "count",          "saturate",
    "time-limit-each", "guarantee",    "seed",   "loops",        "precision",      NULL};

/* A method that is for general graphs takes bipartite ones, too. */
static bool names_general(const pm_approx_settings *set)
{
    return set->method.sampler && set->method.sampler->is_general;
}

static pm_status check(void *context, int operands, pm_error *err)
{
    settings *set = context;
    set->approx.time_limit_each = set->common.run.time_limit_each;
    set->approx.has_max_cost = set->common.run.max_cost != PM_MAX_COST;
    pm_status status =
        pm_approx_settings_check(&set->approx, set->common.output, set->common.answer.json, err);
    if (!status)
        status = pm_columns_check(&set->common.answer, pm_approx_columns,
                                  !set->approx.bounds && !set->approx.sample && !set->approx.compare
                                      && !set->approx.method.is_bethe,
                                  err);
    if (!status && (set->approx.list || set->approx.long_run.status) && operands > 0)
        return pm_fail(err, PM_EUSAGE, "--%s takes no operand",
                       set->approx.list ? "list" : "status");
    if (!status && set->approx.long_run.merge && set->common.input.files_from)
        return pm_fail(err, PM_EUSAGE, "--merge takes its parts as operands: no --files-from");
    set->common.input.read.parts = set->approx.long_run.merge;
    set->common.input.read.general = !set->approx.compare && !set->approx.method.is_bethe;
    set->common.input.read.general_always = names_general(&set->approx);
    if (!status && set->common.input.read.loops
        && (set->common.matchings || set->approx.sample || !set->common.input.read.general))
        return pm_fail(
            err, PM_EUSAGE,
            "--loops excludes --saturate, --count, --sample, --compare and --method=bethe");
    if (!status && (set->approx.sample || set->approx.compare) && set->common.input.read.exact)
        return pm_fail(err, PM_EUSAGE, "--precision=exact has no meaning for --%s",
                       set->approx.sample ? "sample" : "compare");
    if (!status && (set->approx.sample || set->approx.compare) && set->common.matchings)
        return pm_fail(err, PM_EUSAGE,
                       "--%s is about perfect matchings: no --saturate, no --count=maximum",
                       set->approx.sample ? "sample" : "compare");
    if (!status)
        status = pm_picture_check(&set->picture, set->approx.sample > 0, "--sample",
                                  set->approx.sample, &set->common, err);
    return status;
}

static pm_status write_trace(const pm_approx_settings *set, const pm_trace *trace,
                             const pm_invocation *program, pm_error *err)
{
    pm_status status = PM_OK;
    if (program->ranks && !pm_ranks_prints(program->ranks))
        return PM_OK;
    if (set->trace)
        status = pm_trace_write(trace, set->trace, pm_trace_put_table, err);
    if (!status && set->plot)
        status = pm_trace_write(trace, set->plot, pm_trace_put_svg, err);
    return status;
}

/* A question about items. */
typedef struct {
    pm_approx_task *task;
    const pm_approx_context *context;
} question;

static pm_status answer_next(const void *context, pm_attempt *attempt, const pm_node_source *source,
                             pm_answers *out, bool *got, pm_error *err)
{
    const question *q = context;
    pm_approx_context c = *q->context;
    if (attempt) {
        c.is_attempt = true;
        c.run = &attempt->run;
        c.console = &attempt->console;
        c.estimate.most_seconds = attempt->most_seconds;
        c.estimate.backend.backend = PM_BACKEND_CPU;
    }
    return q->task(&c, source, out, got, err);
}

static int run_query(const settings *all, pm_invocation *program, const pm_approx_context *c)
{
    const pm_approx_settings *set = &all->approx;
    if (all->picture.file)
        return pm_picture_run(program, &all->picture, pm_approx_draw, c, false);
    if (set->sample) {
        const pm_query samples = {
            .read = pm_approx_sample, .context = c, .layout = PM_LAYOUT_BLOCKS};
        return pm_query_run(program, &samples);
    }
    if (set->compare) {
        const pm_query comparisons = {
            .read = pm_approx_compare, .context = c, .layout = PM_LAYOUT_LINES};
        return pm_query_run(program, &comparisons);
    }
    const question q = {set->bounds            ? pm_approx_bounds
                        : set->method.is_bethe ? pm_approx_bethe
                                               : pm_approx_estimate,
                        c};
    const pm_query query = {
        .next = answer_next,
        .is_parallel = !c->trace && !c->recorded && set->backend.backend != PM_BACKEND_CUDA,
        .names_several = set->long_run.merge,
        .context = &q,
        .layout = PM_LAYOUT_LINES,
    };
    if (set->bounds || set->method.is_bethe)
        pm_bounds_prepare(set->backend.backend);
    const int status = pm_query_run(program, &query);
    pm_bounds_prepared();
    return status;
}

/* With the ledger of a long run, whose files are written later. */
static int run_recorded(const settings *set, pm_invocation *program,
                        const pm_approx_context *context, const pm_long_run *long_run)
{
    pm_error err;
    pm_recorded_source recorded = {0};
    pm_approx_context c = *context;
    const bool is_part = pm_ledger_is_part(long_run->ledger);
    pm_status status =
        pm_recorded_source_make(long_run, is_part, set->common.input.read.exact, &recorded, &err);
    int exit_status = pm_exit_status(status);
    c.recorded = &recorded;
    c.estimate.count.ledger = long_run->ledger;
    if (status)
        pm_console_error(&program->console, err.msg);
    else
        exit_status = is_part ? pm_part_run(program, &recorded, pm_approx_part, &c)
                              : run_query(set, program, &c);
    pm_recorded_source_free(&recorded);
    return exit_status;
}

/* Those of the bounds and of Bethe's estimate; samples are better without. */
static pm_merges merges(const pm_approx_settings *set)
{
    return set->method.is_bethe ? PM_MERGES_ALL : set->bounds ? PM_MERGES_WEIGHTED : PM_MERGES_NONE;
}

static pm_approx_context make_context(const settings *set, pm_invocation *program)
{
    double limit = set->common.run.time_limit;
    return (pm_approx_context){
        .ends = limit > 0 ? pm_clock() + limit : 0,
        .estimate = pm_approx_settings_estimate(&set->approx),
        .epsilon = set->approx.epsilon,
        .delta = set->approx.delta,
        .asked = set->common.matchings,
        .exact = set->common.input.read.exact,
        .takes_sizes = set->approx.bounds,
        .merges = merges(&set->approx),
        .keeps_general = names_general(&set->approx),
        .matchings = set->approx.sample,
        .compare = set->approx.compare,
        .run = &program->run,
        .console = &program->console,
    };
}

/* The files that are written at the end, and the checkpoint, in [4]. */
static void list_files(const pm_approx_settings *set, const char *list[4])
{
    const char *const files[] = {set->trace, set->plot, set->long_run.checkpoint};
    int count = 0;
    for (int i = 0; i < 3; ++i)
        if (files[i])
            list[count++] = files[i];
    list[count] = NULL;
}

static int answer(const settings *set, pm_invocation *program)
{
    const pm_approx_settings *approx = &set->approx;
    const pm_long_run *long_run = set->long_run;
    atomic_bool any_unreliable = false, any_cut = false;
    pm_trace trace = {0};
    pm_error err;
    pm_approx_context c = make_context(set, program);
    c.trace = approx->trace || approx->plot ? &trace : NULL;
    c.any_unreliable = &any_unreliable;
    c.any_cut = &any_cut;
    const char *written[4];
    list_files(approx, written);
    program->later = written;
    int status =
        long_run->ledger ? run_recorded(set, program, &c, long_run) : run_query(set, program, &c);
    program->later = NULL;
    if (write_trace(approx, &trace, program, &err) != PM_OK) {
        pm_console_error(&program->console, err.msg);
        status = status > 1 ? status : pm_exit_status(PM_EIO);
    }
    pm_trace_free(&trace);
    if (status == 0 && long_run->checkpoint && atomic_load(&any_cut) && pm_signals_limit_reached())
        status = pm_exit_status(PM_ESTOPPED); /* another run goes on from there */
    status = pm_long_run_stop(set->long_run, status);
    return status == 0 && atomic_load(&any_unreliable) ? UNRELIABLE : status;
}

static int run(const void *context, pm_invocation *program)
{
    const settings *set = context;
    pm_error err;
    if (!set->approx.sample && !set->approx.compare)
        pm_hint_replace(PM_HINT_QUOTIENT, "; --precision=exact reads quotients");
    pm_hint_replace(PM_HINT_GENERAL, "; graphs with odd cycles are taken without --compare "
                                     "and --method=bethe");
    if (set->approx.list) {
        pm_approx_list(stdout);
        return 0;
    }
    if (set->approx.long_run.status)
        return pm_long_run_report(program, &set->approx.long_run);
    pm_status status =
        pm_long_run_open(program, &set->approx.long_run, answer_options, set->long_run, &err);
    if (status == PM_EUSAGE)
        return pm_misuse(program->command, "%s", err.msg);
    if (status) {
        pm_console_error(&program->console, err.msg);
        return pm_exit_status(status);
    }
    return answer(set, program);
}

/* An estimate that is unreliable is complete. */
static void finish(const void *context, int status)
{
    const settings *set = context;
    pm_long_run_close(set->long_run, status == UNRELIABLE ? 0 : status);
}

static pm_backend backend(const void *context)
{
    return ((const settings *)context)->approx.backend.backend;
}

static const int statuses[] = {0, 1, 64, 65, 66, 69, 70, 71, 74, 75, UNRELIABLE, -1};

static const pm_command command = {
    .name = "pm-approx",
    .operands = "[FILE]...",
    .summary = "Estimate the number of perfect matchings of graphs, with an interval.",
    .more = "A graph that can be counted exactly in short time is counted.  A weighted graph\n"
            "gives the permanent of its matrix, whose entries must not be negative; with\n"
            "--graph the hafnian, where the graph has odd cycles.\n",
    .files = PM_HELP_FILES "\n",
    .example = "pm-gen cube 6 6 6 | pm-approx --rel-err=0.02",
    .is_none = "an answer is zero",
    .statuses = statuses,
    .uses = PM_USES_ALL | PM_USES_RANKS,
    .backend = backend,
    .check = check,
    .run = run,
    .finish = finish,
};

int main(int argc, char **argv)
{
    pm_long_run long_run = {0};
    settings set = {.approx = pm_approx_settings_defaults(),
                    .common.run.max_cost = PM_MAX_COST,
                    .long_run = &long_run};
    const pm_option_group groups[] = {
        {"Input", pm_options_input, &set.common.input},
        {"Question", pm_options_approx_question, &set.approx},
        {NULL, pm_options_matchings, &set.common.matchings},
        {NULL, pm_options_loops, &set.common.input},
        {NULL, pm_options_exact, &set.common.input},
        {"When to stop", pm_options_approx_stop, &set.approx},
        {NULL, pm_options_time_limit, &set.common.run},
        {"Method", pm_options_approx_method, &set.approx},
        {NULL, pm_options_seed, &set.approx.seed},
        {NULL, pm_options_run, &set.common.run},
        {"Long runs", pm_options_long_run, &set.approx.long_run},
        {"Output", pm_options_answer, &set.common},
        {NULL, pm_options_picture, &set.picture},
        {NULL, pm_options_superpose, &set.picture},
        {NULL, pm_options_approx_output, &set.approx},
        {NULL, pm_options_verbosity, &set.common},
        {0},
    };
    return pm_command_main(&command, groups, &set, &set.common, argc, argv);
}
