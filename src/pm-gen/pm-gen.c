/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-gen: write a graph of a known family. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/whole.h"
#include "cli/words.h"
#include "pm-gen/request.h"
#include "pm-gen/strips.h"
#include "pm/settings.h"
#include "process/environment.h"
#include "process/signals.h"

typedef struct {
    pm_common_settings common;
    pm_request request;
    bool list;
} settings;

static pm_status set_to(void *field, const char *arg, pm_error *err)
{
    static const char *const words[] = {"edges", "mtx", NULL};
    static const pm_graph_format formats[] = {PM_GRAPH_EDGES, PM_GRAPH_MTX};
    int format;
    pm_status status = pm_word_among(arg, words, &format, err);
    if (!status)
        *(pm_graph_format *)field = formats[format];
    return status;
}

static pm_status set_length(void *field, const char *arg, pm_error *err)
{
    return pm_whole_between(arg, 1, UINT64_C(1000000000000000000), field, err);
}

static const pm_option graph_options[] = {
    {0, "length", "L", "layers of a strip or ring, 1 to 10^18", set_length,
     offsetof(settings, request.length)},
    {0, "nonsingular", NULL, "draw again until there is a perfect matching", pm_set_flag,
     offsetof(settings, request.nonsingular)},
    {0, "positions", NULL, "label each vertex with its place in a drawing, X,Y", pm_set_flag,
     offsetof(settings, request.positions)},
    {0, "weight", "X", "give every edge the weight X or P/Q", pm_weights_set_constant,
     offsetof(settings, request.weights)},
    {0, "integer", "[=LO:HI]", "random integer weights, not 0 (default 1:10)",
     pm_weights_set_integer, offsetof(settings, request.weights)},
    {0, "real", "[=LO:HI]", "random real weights, not 0 (default 0:1)", pm_weights_set_real,
     offsetof(settings, request.weights)},
    {0, "complex", "[=LO:HI]", "random complex weights: both parts (default -1:1)",
     pm_weights_set_complex, offsetof(settings, request.weights)},
    {0},
};

static const pm_option output_options[] = {
    {0, "to", "FORMAT", "edges (default) or mtx, Matrix Market", set_to,
     offsetof(settings, request.format)},
    {0, "no-version", NULL, "leave the version out of the comments", pm_set_flag,
     offsetof(settings, request.no_version)},
    {0, "list", NULL, "list the families", pm_set_flag, offsetof(settings, list)},
    {0},
};

static const pm_option verbose_option[] = {
    {'v', "verbose", NULL, "print the size of the graph", pm_set_count, 0},
    {0},
};

static pm_status check(void *context, int operands, pm_error *err)
{
    const settings *set = context;
    if (set->list && operands > 0)
        return pm_fail(err, PM_EUSAGE, "--list takes no operand");
    if (!set->list && operands == 0)
        return pm_fail(err, PM_EUSAGE, "no family given (see --list)");
    return PM_OK;
}

static pm_status write_list(FILE *f)
{
    const pm_family *family;
    fputs("# family\targuments\tgraph\n", f);
    for (int i = 0; (family = pm_family_at(i)); ++i)
        fprintf(f, "%s\t%s\t%s\n", family->name, family->arguments, family->summary);
    fputs("strip\tLATTICE W --length=L\tL layers of a lattice: " PM_STRIP_LATTICES "\n", f);
    fputs("ring\tLATTICE W --length=L\tthe same, the last layer joined to the first one\n", f);
    return PM_OK;
}

static pm_status write_output(const settings *set, pm_invocation *program, pm_error *err)
{
    pm_request request = set->request;
    pm_output out;
    double seconds = set->common.run.time_limit_each;
    const pm_run run = pm_run_within(&program->run, seconds);
    pm_status status = pm_output_open(&out, set->common.output, err);
    if (status)
        return status;
    request.word = program->operand;
    request.count = program->operand_count;
    status = set->list ? write_list(out.stream)
                       : pm_request_write(&request, &run, out.stream, &program->console, err);
    if (status == PM_ESTOPPED && pm_signals_limit_reached())
        pm_fail(err, status, "stopped at the time limit");
    else if (status == PM_ESTOPPED && pm_run_is_late(&run))
        pm_fail(err, status, "no answer within %g seconds (--time-limit-each)", seconds);
    if (status == PM_EIO) {
        const pm_error why = *err;
        pm_fail(err, status, "%s: %s", out.name, why.msg);
    }
    if (!status && !pm_run_stopped(&program->run))
        return pm_output_commit(&out, err);
    pm_output_discard(&out);
    return status;
}

static int run(const void *context, pm_invocation *program)
{
    pm_error err = {.msg = ""};
    pm_hint_replace(PM_HINT_LABELS, "; --to=mtx can");
    pm_status status = write_output(context, program, &err);
    if (status == PM_EUSAGE)
        return pm_misuse(program->command, "%s", err.msg);
    bool is_interrupted =
        status == PM_ESTOPPED && pm_run_stopped(&program->run) && !pm_signals_limit_reached();
    pm_environment_name_limit(status, &err);
    if (status && !is_interrupted)
        pm_console_error(&program->console, err.msg);
    return pm_exit_status(status);
}

static const int statuses[] = {0, 64, 69, 70, 71, 74, 75, -1};

static const pm_command command = {
    .name = "pm-gen",
    .operands = "FAMILY ARGUMENT...",
    .summary = "Write a graph of a known family; --list shows the families.",
    .example = "pm-gen grid 8 8 | pm-count    # prints 12988816",
    .statuses = statuses,
    .check = check,
    .run = run,
};

int main(int argc, char **argv)
{
    settings set = {.request.length = 0};
    const pm_option_group groups[] = {
        {"Graph", graph_options, &set},
        {NULL, pm_options_seed, &set.request.seed},
        {"Output", output_options, &set},
        {NULL, pm_options_output, &set.common},
        {NULL, pm_options_time_limit, &set.common.run},
        {NULL, pm_options_memory, &set.common.run},
        {NULL, verbose_option, &set.common.verbosity},
        {0},
    };
    return pm_command_main(&command, groups, &set, &set.common, argc, argv);
}
