/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-dm: the Dulmage-Mendelsohn decomposition of bipartite graphs. */
#include "config.h"

#include <stdio.h>

#include "cli/ask.h"
#include "cli/environment.h"
#include "cli/mapper.h"
#include "cli/shared.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "pm-dm/dm_options.h"

typedef struct {
    pm_input_settings input;
    pm_dm_settings dm;
    pm_answer_settings answer;
    const char *output;
    bool no_version;
    int verbosity;
} settings;

static const int statuses[] = {0, 64, 65, 66, 69, 70, 71, 74, -1};

static const pm_command program = {
    .name = "pm-dm",
    .operands = "[FILE]...",
    .summary = "Split bipartite graphs into blocks whose numbers of perfect matchings multiply.",
    .more = "Writes a pm stream: for each graph the product of its fully indecomposable\n"
            "blocks, without the edges that lie in no perfect matching.\n"
            "A FILE holds an edge list, a Matrix Market matrix, a pm stream, graph6, ...,\n"
            "plain or gzip; none or - is standard input.\n",
    .example = "pm-dm graph.mtx | pm-count    # as pm-count graph.mtx",
    .statuses = statuses,
};

static pm_status check(const settings *set, pm_error *err)
{
    const pm_dm_question *q = pm_dm_settings_question(&set->dm);
    pm_status s = pm_dm_settings_check(&set->dm, err);
    if (s != PM_OK)
        return s;
    if (set->answer.json && !(q && q->json))
        return pm_fail(err, PM_EUSAGE, "--json needs a question that is answered in words");
    if (set->no_version && q)
        return pm_fail(err, PM_EUSAGE, "--no-version has a meaning for the stream alone");
    if (set->dm.picture && (set->output || set->answer.names))
        return pm_fail(err, PM_EUSAGE, "--spy=FILE goes with neither --output nor --with-names");
    return PM_OK;
}

static int write_stream(const settings *set, const pm_batch *batch, char **argv)
{
    const pm_mapper mapper = {
        .map = pm_dm_map,
        .context = batch->console,
        .argv = set->no_version ? NULL : argv,
        .names = set->answer.names,
    };
    return pm_map(batch, &mapper);
}

static int draw_picture(const settings *set, pm_batch *batch)
{
    pm_dm_picture picture = {.is_png = set->dm.picture_is_png};
    const pm_batch_work work = {&picture, pm_dm_draw, NULL, pm_dm_draw_end};
    batch->output = set->dm.picture;
    return pm_batch_run(batch, &work);
}

static int answer(const settings *set, const pm_batch *batch)
{
    const pm_dm_question *q = pm_dm_settings_question(&set->dm);
    const pm_dm_asked asked = {
        .question = q,
        .json = set->answer.json,
        .width = set->output ? PM_TERMINAL_WIDTH : pm_terminal_width(),
    };
    const pm_question question = {pm_dm_ask, &asked, q->layout, q->header, set->answer};
    return pm_ask(batch, &question);
}

int main(int argc, char **argv)
{
    pm_environment_start(program.name);
    settings set = {0};
    const pm_option_group groups[] = {
        {"Input", pm_options_input, &set.input},
        {"Question", pm_options_dm, &set.dm},
        {"Output", pm_options_answer, &set.answer},
        {NULL, pm_options_output, &set.output},
        {NULL, pm_options_stream, &set.no_version},
        {NULL, pm_options_verbosity, &set.verbosity},
        {0},
    };
    int first;
    int status = pm_options_parse(&program, groups, argc, argv, &first);
    if (status >= 0)
        return status;
    pm_error err;
    if (check(&set, &err) != PM_OK)
        return pm_misuse(&program, "%s", err.msg);
    pm_console console;
    pm_console_open(&console, program.name, set.verbosity, false);
    /* only a file that is not complete has to be cleared away */
    const pm_run run = {.stop = set.output || set.dm.picture ? pm_signals_install() : NULL};
    pm_batch batch = {
        &program, &set.input, set.output, argv + first, argc - first, &run, &console,
    };
    status = set.dm.picture                     ? draw_picture(&set, &batch)
             : pm_dm_settings_question(&set.dm) ? answer(&set, &batch)
                                                : write_stream(&set, &batch, argv);
    return pm_exit(&program, status);
}
