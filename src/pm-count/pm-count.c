/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-count: perfect matchings of bipartite graphs, counted exactly. */
#include "config.h"

#include <stdio.h>

#include "algorithm/gpu_plan.h"
#include "batch/query.h"
#include "calibration/rate_cache.h"
#include "checkpoint/long_run.h"
#include "cli/command.h"
#include "core/cache_folder.h"
#include "core/clock.h"
#include "core/isa.h"
#include "ledger/ledger.h"
#include "pm-count/count_options.h"
#include "pm-count/tasks.h"
#include "pm/algorithms.h"
#include "pm/settings.h"
#include "process/signals.h"

typedef struct {
    pm_common_settings common;
    pm_count_settings count;
    pm_picture_settings picture;
    pm_long_run *long_run; /* not {0} between run and finish */
} settings;

/* The options that answers depend on. */
static const char *const answer_options[] = {"mod",       "saturate", "count",  "algorithm",
                                             "precision", "order",    "reduce", "transpose",
                                             "verify",    "seed",     "loops",  NULL};

static pm_status check(void *context, int operands, pm_error *err)
{
    settings *set = context;
    pm_status status = pm_count_settings_check(&set->count, err);
    if (!status)
        status = pm_columns_check(&set->common.answer, pm_count_columns,
                                  !pm_count_task(&set->count) && !set->count.plan, err);
    if (status)
        return status;
    if (pm_isa_is_misnamed())
        return pm_fail(err, PM_EUSAGE, "PM_ISA: expected portable, avx2, avx512 or avx512ifma");
    if (pm_gpu_integers_are_misnamed())
        return pm_fail(err, PM_EUSAGE, "PM_GPU_INTEGERS: expected words or doubles");
    if (set->common.run.time_limit_each > 0 && pm_count_task(&set->count))
        return pm_fail(err, PM_EUSAGE, "--time-limit-each has no meaning for this question");
    if ((set->count.list || set->count.long_run.status) && operands > 0)
        return pm_fail(err, PM_EUSAGE, "--%s takes no operand",
                       set->count.list ? "list" : "status");
    if (set->count.long_run.merge && set->common.input.files_from)
        return pm_fail(err, PM_EUSAGE, "--merge takes its parts as operands: no --files-from");
    if (set->common.input.read.loops && set->common.matchings)
        return pm_fail(err, PM_EUSAGE, "--loops excludes --saturate and --count");
    if (set->count.vertex_times && set->common.matchings)
        return pm_fail(err, PM_EUSAGE, "--vertex-times excludes --saturate and --count");
    if (set->picture.file
        && (set->count.row_times || set->count.col_times || set->count.vertex_times))
        return pm_fail(err, PM_EUSAGE,
                       "--draw takes no copies: no --row-times, --col-times, --vertex-times");
    status =
        pm_picture_check(&set->picture, set->count.matching, "--matching", 1, &set->common, err);
    if (status)
        return status;
    if (set->count.vertex_times && set->common.input.read.bipartite)
        return pm_fail(err, PM_EUSAGE, "--vertex-times excludes --bipartite");
    set->common.input.read.general = true;
    set->common.input.read.general_always =
        set->count.vertex_times
        || (set->count.algorithm && pm_algorithm_is_only_general(set->count.algorithm));
    set->common.input.read.copies = set->count.vertex_times;
    if (set->count.vertex_times) { /* the reader keeps the diagonal, for both meanings */
        set->count.loops_of_copies = set->common.input.read.loops;
        set->common.input.read.loops = NULL;
    }
    set->common.input.read.keep_repeats = !pm_count_task(&set->count) || set->count.row_times
                                          || set->count.col_times || set->count.vertex_times;
    set->common.input.read.parts = set->count.long_run.merge;
    set->common.input.read.says_memory = set->count.plan;
    return set->count.long_run.merge ? PM_OK : pm_count_precision_check(&set->count, err);
}

/* Whether other machines may count the same graphs by the same plan. */
static bool has_common_plan(const settings *set, const pm_long_run *long_run)
{
    const pm_ledger *l = long_run->ledger;
    return set->count.long_run.merge || (l && (pm_ledger_is_part(l) || pm_ledger_has_peers(l)));
}

/* The rates of this machine, from the files in the cache folder of the user. */
static pm_status get_rates(const settings *set, pm_invocation *program, pm_rates *out)
{
    char folder[PM_PATH_MAX];
    pm_error err;
    pm_status status = pm_rate_cache_get(
        pm_cache_folder(folder) ? folder : NULL, set->count.calibrate == PM_CALIBRATE_AGAIN,
        set->count.backend != PM_BACKEND_CPU, &program->run, out, &err);
    if (status == PM_ESTOPPED && pm_signals_limit_reached())
        pm_console_error(&program->console, "stopped at the time limit");
    else if (status && status != PM_ESTOPPED)
        pm_console_error(&program->console, err.msg);
    return status;
}

/* list: NULL, or the argument of the option. */
static pm_status get_times(const char *list, const char *option, pm_invocation *program,
                           pm_times_list *out)
{
    pm_error err;
    pm_status status = list ? pm_times_read(list, out, &err) : PM_OK;
    if (status) {
        char text[sizeof err.msg];
        snprintf(text, sizeof text, "%s: %.900s", option, err.msg);
        pm_console_error(&program->console, text);
    }
    return status;
}

typedef struct {
    pm_task task;
    pm_task_context context;
} question;

static pm_status read_input(const void *context, pm_reader *r, pm_answers *out, pm_error *err)
{
    const question *q = context;
    return q->task(&q->context, r, out, err);
}

static pm_status answer_next(const void *context, pm_attempt *attempt, const pm_node_source *source,
                             pm_answers *out, bool *got, pm_error *err)
{
    pm_task_context c = ((const question *)context)->context;
    if (attempt) {
        c.run = &attempt->run;
        c.console = &attempt->console;
        c.count.backend = PM_BACKEND_CPU; /* an item of an attempt is too small for a GPU */
    }
    return pm_task_count(&c, source, out, got, err);
}

/* Plans tell of all threads, and GPUs are used by one thread; a ledger has one task at a time. */
static bool goes_side_by_side(const pm_count_settings *set, const pm_long_run *long_run)
{
    return !set->plan && set->backend != PM_BACKEND_CUDA && !long_run->ledger;
}

static question make_question(const settings *set, pm_invocation *program)
{
    question q = {
        .task = pm_count_task(&set->count),
        .context = {.count = pm_count_settings_options(&set->count),
                    .order_is_given = set->count.order_is_given,
                    .verify = set->count.verify,
                    .digits = pm_count_settings_digits(&set->count),
                    .rounds_integers = set->count.digits > 0,
                    .lists_blocks = set->common.answer.json || set->common.answer.column_list
                                    || set->count.plan,
                    .seconds_each = set->common.run.time_limit_each,
                    .run = &program->run,
                    .console = &program->console},
    };
    q.context.count.kind = set->common.matchings;
    if (set->common.run.time_limit > 0)
        q.context.ends = pm_clock() + set->common.run.time_limit;
    return q;
}

static int print_answers(const settings *set, pm_invocation *program, const question *q,
                         const pm_long_run *long_run)
{
    bool is_count = !pm_count_task(&set->count);
    const pm_query query = {
        .read = is_count ? NULL : read_input,
        .next = is_count ? answer_next : NULL,
        .is_parallel = is_count && goes_side_by_side(&set->count, long_run),
        .names_several = set->count.long_run.merge,
        .context = q,
        .layout = pm_count_layout(&set->count),
    };
    return pm_query_run(program, &query);
}

/* With the ledger of a long run. */
static int count_recorded(const settings *set, pm_invocation *program, question *q,
                          const pm_long_run *long_run)
{
    pm_error err;
    pm_recorded_source recorded = {0};
    const bool is_part = pm_ledger_is_part(long_run->ledger);
    pm_status status =
        pm_recorded_source_make(long_run, is_part, set->common.input.read.exact, &recorded, &err);
    int exit_status = pm_exit_status(status);
    q->context.count.ledger = long_run->ledger;
    q->context.recorded = &recorded;
    if (status)
        pm_console_error(&program->console, err.msg);
    else
        exit_status = is_part ? pm_part_run(program, &recorded, pm_task_count_part, &q->context)
                              : print_answers(set, program, q, long_run);
    pm_recorded_source_free(&recorded);
    return exit_status;
}

static int count_all(const settings *set, pm_invocation *program, const pm_long_run *long_run)
{
    pm_rates rates;
    question q = make_question(set, program);
    if (set->count.calibrate != PM_CALIBRATE_NO) {
        pm_status status = get_rates(set, program, &rates);
        if (status)
            return pm_exit_status(status);
        q.context.count.rates = q.context.count.integer_rates = &rates;
    } else if (!has_common_plan(set, long_run)) {
        q.context.count.integer_rates = pm_rates_nominal_of(pm_isa_best());
    }
    if (set->count.list) {
        pm_count_list(stdout, q.context.count.rates);
        return 0;
    }
    if (set->picture.file)
        return pm_picture_run(program, &set->picture, pm_task_draw, &q.context, true);
    pm_times_list rows = {0}, cols = {0}, vertices = {0};
    pm_status status = get_times(set->count.row_times, "--row-times", program, &rows);
    if (!status)
        status = get_times(set->count.col_times, "--col-times", program, &cols);
    if (!status)
        status = get_times(set->count.vertex_times, "--vertex-times", program, &vertices);
    q.context.given = (pm_given_lists){.rows = set->count.row_times ? &rows : NULL,
                                       .cols = set->count.col_times ? &cols : NULL,
                                       .vertices = set->count.vertex_times ? &vertices : NULL,
                                       .loops = set->count.loops_of_copies,
                                       .exact = set->count.precision.how == PM_EXACT};
    int exit_status = status             ? pm_exit_status(status)
                      : long_run->ledger ? count_recorded(set, program, &q, long_run)
                                         : print_answers(set, program, &q, long_run);
    pm_times_free(&rows);
    pm_times_free(&cols);
    pm_times_free(&vertices);
    return exit_status;
}

/* Plans may be for devices that are not there. */
static void choose_devices(const pm_count_settings *set)
{
    pm_settings changed = *pm_settings_get();
    changed.planned_gpu = set->planned_gpu;
    changed.planned_gpus = set->gpus > 0 ? set->gpus : 0;
    pm_settings_set(&changed);
}

static int run(const void *context, pm_invocation *program)
{
    const settings *set = context;
    pm_hint_replace(PM_HINT_QUOTIENT, "; --precision=exact reads quotients");
    pm_hint_replace(PM_HINT_NO_WEIGHTS,
                    "; --precision=exact takes them, --pattern counts without weights");
    pm_error err;
    if (set->count.plan)
        choose_devices(&set->count);
    if (set->count.long_run.status)
        return pm_long_run_report(program, &set->count.long_run);
    pm_status status =
        pm_long_run_open(program, &set->count.long_run, answer_options, set->long_run, &err);
    if (!status && set->count.long_run.merge)
        status = pm_count_precision_check(&set->count, &err);
    if (status == PM_EUSAGE)
        return pm_misuse(program->command, "%s", err.msg);
    if (status) {
        pm_console_error(&program->console, err.msg);
        return pm_exit_status(status);
    }
    return pm_long_run_stop(set->long_run, count_all(set, program, set->long_run));
}

static void finish(const void *context, int status)
{
    const settings *set = context;
    pm_long_run_close(set->long_run, status);
}

static pm_backend backend(const void *context)
{
    return ((const settings *)context)->count.backend;
}

static const int statuses[] = {0, 1, 64, 65, 66, 69, 70, 71, 74, 75, -1};

static const pm_command command = {
    .name = "pm-count",
    .operands = "[FILE]...",
    .summary = "Count the perfect matchings of graphs, exactly.",
    .files = PM_HELP_FILES "\nA weighted graph gives the permanent of its matrix.\n",
    .example = "pm-gen grid 8 8 | pm-count    # prints 12988816",
    .is_none = "an answer is zero, no, or no matching",
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
    settings set = {.count = pm_count_settings_defaults(),
                    .common.run.max_cost = PM_MAX_COST,
                    .long_run = &long_run};
    set.count.precision.reads_exact = &set.common.input.read.exact;
    const pm_option_group groups[] = {
        {"Input", pm_options_input, &set.common.input},
        {NULL, pm_options_loops, &set.common.input},
        {"Question", pm_options_question, &set.count},
        {NULL, pm_options_matchings, &set.common.matchings},
        {NULL, pm_options_picture, &set.picture},
        {"Output", pm_options_answer, &set.common},
        {NULL, pm_options_verbosity, &set.common},
        {"Method", pm_options_method, &set.count},
        {NULL, pm_options_search_seed, &set.count.seed},
        {NULL, pm_options_run, &set.common.run},
        {NULL, pm_options_time_limit, &set.common.run},
        {"Long runs", pm_options_long_run, &set.count.long_run},
        {0},
    };
    return pm_command_main(&command, groups, &set, &set.common, argc, argv);
}
