/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-dm: the Dulmage-Mendelsohn decomposition of bipartite graphs, that of Gallai and Edmonds of others. */
#include "config.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/command.h"
#include "pm-dm/dm_options.h"
#include "pm/settings.h"

typedef struct {
    pm_common_settings common;
    pm_dm_settings dm;
    pm_picture_settings picture;
} settings;

static pm_status check(void *context, int operands, pm_error *err)
{
    settings *set = context;
    const pm_dm_question *q = pm_dm_settings_question(&set->dm);
    pm_status status = pm_dm_settings_check(&set->dm, err);
    (void)operands;
    if (!status)
        status = pm_stream_check(&set->common, q, q && !q->is_picture,
                                 "a question other than --spy", err);
    set->common.input.read.general = !q || q->put_general;
    if (!status && set->common.input.read.loops && q)
        status = pm_fail(err, PM_EUSAGE, "--loops goes with the stream only");
    if (!status && set->common.input.read.exact && q)
        status = pm_fail(err, PM_EUSAGE, "--precision=exact goes with the stream only");
    if (!status)
        status =
            pm_picture_check(&set->picture, set->dm.matching, "--matching", 1, &set->common, err);
    if (status || !set->dm.picture)
        return status;
    if (set->common.output || set->common.answer.names)
        return pm_fail(err, PM_EUSAGE, "--spy=FILE goes with neither --output nor --with-names");
    set->common.output = set->dm.picture;
    return PM_OK;
}

/* Characters in a line of the terminal that standard output is; 80 when it is a file. */
static int terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

static int run(const void *context, pm_invocation *program)
{
    const settings *set = context;
    const pm_dm_question *question = pm_dm_settings_question(&set->dm);
    if (!question)
        pm_hint_replace(PM_HINT_QUOTIENT, "; --precision=exact reads quotients");
    if (question)
        pm_hint_drop(PM_HINT_LOOPS);
    if (question && !question->put_general)
        pm_hint_replace(PM_HINT_GENERAL, "; graphs with odd cycles are taken without --permutation "
                                         "and --spy: --blocks, --coarse, --matching and others");
    if (set->dm.picture)
        return pm_dm_draw(program, set->dm.picture_is_png);
    if (set->picture.file)
        return pm_picture_run(program, &set->picture, pm_dm_draw_matching, NULL, false);
    if (!question) {
        const pm_mapper mapper = {pm_dm_map, &program->console, set->common.input.read.exact};
        return pm_map(program, &mapper);
    }
    const pm_dm_query what = {question, set->common.output ? 80 : terminal_width(), program};
    const pm_query query = {.read = pm_dm_answer, .context = &what, .layout = question->layout};
    return pm_query_run(program, &query);
}

static const pm_command command = {
    .name = "pm-dm",
    .operands = "[FILE]...",
    .summary = "Split graphs into blocks whose numbers of perfect matchings multiply.",
    .more = "Writes a pm stream: for each graph the product of its fully indecomposable\n"
            "blocks, without the edges that lie in no perfect matching; of a graph that is\n"
            "not bipartite, the product of the components of what remains.\n",
    .files = PM_HELP_FILES "\n",
    .example = "pm-dm graph.mtx | pm-count    # as pm-count graph.mtx",
    .statuses = pm_stream_statuses,
    .check = check,
    .run = run,
};

int main(int argc, char **argv)
{
    settings set = {0};
    const pm_option_group groups[] = {
        {"Input", pm_options_input, &set.common.input},
        {NULL, pm_options_loops, &set.common.input},
        {NULL, pm_options_exact, &set.common.input},
        {"Question", pm_options_dm, &set.dm},
        {NULL, pm_options_picture, &set.picture},
        {"Output", pm_options_stream, &set.common},
        {NULL, pm_options_time_limit, &set.common.run},
        {NULL, pm_options_memory, &set.common.run},
        {0},
    };
    return pm_command_main(&command, groups, &set, &set.common, argc, argv);
}
