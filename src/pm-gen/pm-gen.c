/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-gen: write a graph of a known family. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "cli/console.h"
#include "cli/environment.h"
#include "cli/output.h"
#include "cli/shared.h"
#include "cli/signals.h"
#include "pm-gen/request.h"

typedef struct {
    pm_request request;
    bool list;
    const char *output;
    int verbosity;
} settings;

static pm_status set_to(void *field, const char *arg, pm_error *err)
{
    pm_graph_writer *write = field;
    *write = strcmp(arg, "edges") == 0 ? pm_write_edges
             : strcmp(arg, "mtx") == 0 ? pm_write_mtx
                                       : NULL;
    return *write ? PM_OK : pm_fail(err, PM_EUSAGE, "'%s' is none of edges, mtx", arg);
}

static const pm_option graph_options[] = {
    {0, "nonsingular", NULL, "draw again until there is a perfect matching", pm_set_flag,
     offsetof(settings, request.nonsingular)},
    {0, "weight", "X", "give every edge the weight X or P/Q", pm_weights_set_constant,
     offsetof(settings, request.weights)},
    {0, "integer", "[=LO:HI]", "random integer weights, not 0 (default 1:10)",
     pm_weights_set_integer, offsetof(settings, request.weights)},
    {0, "real", "[=LO:HI]", "random real weights, not 0 (default 0:1)", pm_weights_set_real,
     offsetof(settings, request.weights)},
    {0},
};

static const pm_option output_options[] = {
    {0, "to", "FORMAT", "edges (default) or mtx, Matrix Market", set_to,
     offsetof(settings, request.write)},
    {0, "no-version", NULL, "leave the version out of the comments", pm_set_flag,
     offsetof(settings, request.no_version)},
    {0, "list", NULL, "list the families", pm_set_flag, offsetof(settings, list)},
    {0},
};

static const pm_option verbose_option[] = {
    {'v', "verbose", NULL, "say how large the graph is", pm_set_count, 0},
    {0},
};

static const int statuses[] = {0, 64, 69, 70, 71, 74, -1};

static const pm_command program = {
    .name = "pm-gen",
    .operands = "FAMILY ARGUMENT...",
    .summary = "Write a bipartite graph of a known family; --list shows the families.",
    .example = "pm-gen grid 8 8 | pm-count    # prints 12988816",
    .statuses = statuses,
};

static pm_status write_list(FILE *f)
{
    const pm_family *family;
    fputs("# family\targuments\tgraph\n", f);
    for (int i = 0; (family = pm_family_at(i)); ++i)
        fprintf(f, "%s\t%s\t%s\n", family->name, family->arguments, family->summary);
    return PM_OK;
}

static pm_status run(const settings *set, pm_console *console, pm_error *err)
{
    /* only a file that is not complete has to be cleared away */
    const volatile sig_atomic_t *stop = set->output ? pm_signals_install() : NULL;
    pm_output out;
    pm_status s = pm_output_open(&out, set->output, err);
    if (s != PM_OK)
        return s;
    s = set->list ? write_list(out.stream)
                  : pm_request_write(&set->request, out.stream, console, err);
    if (s == PM_EIO) {
        const pm_error why = *err;
        pm_fail(err, s, "%s: %s", out.name, why.msg);
    }
    if (s == PM_OK && !(stop && *stop))
        return pm_output_commit(&out, err);
    pm_output_discard(&out);
    return s;
}

int main(int argc, char **argv)
{
    pm_environment_start(program.name);
    settings set = {.request.write = pm_write_edges};
    const pm_option_group groups[] = {
        {"Graph", graph_options, &set},         {NULL, pm_options_seed, &set.request.seed},
        {"Output", output_options, &set},       {NULL, pm_options_output, &set.output},
        {NULL, verbose_option, &set.verbosity}, {0},
    };
    int first;
    int status = pm_options_parse(&program, groups, argc, argv, &first);
    if (status >= 0)
        return status;
    if (set.list != (first == argc))
        return pm_misuse(&program, set.list ? "--list takes no operand" : "no family given");
    pm_console console;
    pm_console_open(&console, program.name, set.verbosity, false);
    pm_error err;
    set.request.word = argv + first;
    set.request.count = argc - first;
    pm_status s = run(&set, &console, &err);
    if (s == PM_EUSAGE)
        return pm_misuse(&program, "%s", err.msg);
    if (s != PM_OK)
        pm_console_error(&console, err.msg);
    return pm_exit(&program, pm_exit_status(s));
}
