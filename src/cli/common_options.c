/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/common_options.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "cli/whole.h"
#include "cli/words.h"
#include "csv/csv_columns.h"
#include "text/number.h"
#include "text/scalar.h"

static pm_status set_format(void *field, const char *arg, pm_error *err)
{
    int format;
    pm_status status = pm_word_find(arg, pm_format_name, &format, err);
    return status ? status : pm_set_text(field, pm_format_name(format), err);
}

static pm_status set_duplicates(void *field, const char *arg, pm_error *err)
{
    static const char *const words[] = {
        [PM_DUPLICATES_ERROR] = "error",
        [PM_DUPLICATES_SUM] = "sum",
        [PM_DUPLICATES_IGNORE] = "ignore",
        NULL,
    };
    int how;
    pm_status status = pm_word_among(arg, words, &how, err);
    if (!status)
        *(pm_duplicates *)field = (pm_duplicates)how;
    return status;
}

static pm_status set_columns(void *field, const char *arg, pm_error *err)
{
    pm_csv_columns columns;
    pm_status status = pm_csv_columns_parse(arg, &columns, err);
    return status ? status : pm_set_text(field, arg, err);
}

static pm_status set_delimiter(void *field, const char *arg, pm_error *err)
{
    bool is_tab = strcmp(arg, "tab") == 0;
    if (!is_tab && (strlen(arg) != 1 || *arg < ' ' || *arg > '~' || *arg == '"'))
        return pm_fail(err, PM_EUSAGE, "'%s' is neither tab nor one ASCII character other than \"",
                       arg);
    *(char *)field = is_tab ? '\t' : *arg;
    return PM_OK;
}

static pm_status set_header(void *field, const char *arg, pm_error *err)
{
    bool is_yes = strcmp(arg, "yes") == 0;
    if (!is_yes && strcmp(arg, "no") != 0)
        return pm_fail(err, PM_EUSAGE, "'%s' is neither yes nor no", arg);
    *(pm_header *)field = is_yes ? PM_HEADER_YES : PM_HEADER_NO;
    return PM_OK;
}

static pm_status add_array(void *field, const char *arg, pm_error *err)
{
    pm_input_settings *in = field;
    if (in->arrays == PM_ARRAYS_MAX)
        return pm_fail(err, PM_EUSAGE, "at most %d arrays can be chosen", (int)PM_ARRAYS_MAX);
    in->read.arrays = in->array;
    return pm_set_text(&in->array[in->arrays++], arg, err);
}

static pm_status set_loops(void *field, const char *arg, pm_error *err)
{
    pm_scalar weight = {.field = PM_INTEGER};
    if (!arg) {
        *(const char **)field = "";
        return PM_OK;
    }
    const pm_number_kind kind = pm_scalar_parse_as(arg, (int64_t)strlen(arg), true, &weight);
    pm_scalar_clear(&weight);
    return kind == PM_NUMBER_INTEGER || kind == PM_NUMBER_REAL
               ? pm_set_text(field, arg, err)
               : pm_fail(err, PM_EUSAGE, PM_LOOPS_EXPECTED, arg);
}

static pm_status set_seed(void *field, const char *arg, pm_error *err)
{
    uint64_t v;
    if (!pm_whole_parse(arg, strlen(arg), &v))
        return pm_fail(err, PM_EUSAGE, "'%s' is not a whole number below 2^64", arg);
    *(pm_seed *)field = (pm_seed){true, v};
    return PM_OK;
}

static pm_status set_kind(void *field, pm_matching_kind kind, pm_error *err)
{
    pm_matching_kind *to = field;
    if (*to && *to != kind)
        return pm_fail(err, PM_EUSAGE,
                       "an option before it asks for another kind of matchings: give only one");
    *to = kind;
    return PM_OK;
}

static pm_status set_saturate(void *field, const char *arg, pm_error *err)
{
    if (!arg)
        return set_kind(field, PM_MATCHING_SATURATING, err);
    static const char *const words[] = {"rows", "cols", NULL};
    static const pm_matching_kind kinds[] = {PM_MATCHING_ROWS, PM_MATCHING_COLUMNS};
    int side;
    pm_status status = pm_word_among(arg, words, &side, err);
    return status ? status : set_kind(field, kinds[side], err);
}

static pm_status set_count(void *field, const char *arg, pm_error *err)
{
    static const char *const words[] = {"perfect", "maximum", NULL};
    static const pm_matching_kind kinds[] = {PM_MATCHING_PERFECT, PM_MATCHING_MAXIMUM};
    int kind;
    pm_status status = pm_word_among(arg, words, &kind, err);
    return status ? status : set_kind(field, kinds[kind], err);
}

static pm_status set_quiet(void *field, const char *arg, pm_error *err)
{
    (void)arg;
    (void)err;
    *(int *)field = -1;
    return PM_OK;
}

#define IN_INPUT(field)  offsetof(pm_input_settings, field)
#define IN_RUN(field)    offsetof(pm_run_settings, field)
#define IN_COMMON(field) offsetof(pm_common_settings, field)

const pm_option pm_options_input[] = {
    {0, "from", "FORMAT",
     "read this format instead of recognising it by content: edges, mtx, npy, npz, graph6, dimacs, "
     "graphml, gml, pajek or pm-stream; or one that is never recognised: csv (a table of edges), "
     "dense (a matrix as text), ncol or lgl",
     set_format, IN_INPUT(read.from)},
    {0, "pattern", NULL, "take the 0/1 pattern of a weighted input", pm_set_flag,
     IN_INPUT(read.pattern)},
    {0, "graph", NULL, "edges join vertices of one set, not a row and a column", pm_set_flag,
     IN_INPUT(read.graph)},
    {0, "bipartite", NULL,
     "edges join a row and a column: no warning where that can be doubted; refuses graph6 and"
     " other formats with one set of vertices",
     pm_set_flag, IN_INPUT(read.bipartite)},
    {0, "duplicates", "HOW", "repeated edges: error (default), sum, or ignore", set_duplicates,
     IN_INPUT(read.duplicates)},
    {0, "columns", "LEFT,RIGHT[,WEIGHT]",
     "of --from=csv: the columns of an edge, by number from 1 or by name", set_columns,
     IN_INPUT(read.columns)},
    {0, "delimiter", "CHAR", "of --from=csv: what separates columns; or tab", set_delimiter,
     IN_INPUT(read.delimiter)},
    {0, "header", "WHETHER", "of --from=csv: yes or no: the first line names the columns",
     set_header, IN_INPUT(read.header)},
    {0, "array", "NAME", "of an npz archive: read only this array; may be given several times",
     add_array, 0},
    {0, "files-from", "FILE", "read the names of the inputs from FILE, one on each line",
     pm_set_text, IN_INPUT(files_from)},
    {0, "null", NULL, "the names in --files-from end with a zero byte", pm_set_flag,
     IN_INPUT(null)},
    {0},
};

static pm_status set_exact(void *field, const char *arg, pm_error *err)
{
    static const char *const words[] = {"double", "exact", NULL};
    int precision;
    pm_status status = pm_word_among(arg, words, &precision, err);
    if (!status)
        *(bool *)field = precision == 1;
    return status;
}

const pm_option pm_options_exact[] = {
    {0, "precision", "HOW",
     "double (default), or exact: decimals, p/q and roots of unity mean themselves, also in the"
     " stream",
     set_exact, IN_INPUT(read.exact)},
    {0},
};

const pm_option pm_options_loops[] = {
    {0, "loops", "[=WEIGHT]",
     "of a graph on one set of vertices: a vertex may also stay alone, with the weight of its edge "
     "to itself, or with this weight (1: matchings of every size)",
     set_loops, IN_INPUT(read.loops)},
    {0},
};

const pm_option pm_options_matchings[] = {
    {0, "saturate", "[=SIDE]",
     "count the matchings that cover the smaller side, or all rows or cols: the permanent of a"
     " rectangular matrix",
     set_saturate, 0},
    {0, "count", "WHICH", "perfect (default), or maximum: count the largest matchings", set_count,
     0},
    {0},
};

#define MAX_MEMORY(default_)                                                                       \
    {                                                                                              \
        0, "max-memory", "SIZE", "refuse what needs more bytes; suffixes K, M, G, T" default_,     \
            pm_set_bytes, IN_RUN(max_memory)                                                       \
    }

#define THREADS                                                                                    \
    {                                                                                              \
        't', "threads", "N", "use N threads (default: all processors)", pm_set_positive,           \
            IN_RUN(threads)                                                                        \
    }

const pm_option pm_options_threads[] = {THREADS, {0}};

const pm_option pm_options_memory[] = {MAX_MEMORY(""), {0}};

const pm_option pm_options_run[] = {
    THREADS,
    MAX_MEMORY(" (default: three quarters of the free memory, for the arrays of a method)"),
    {0, "max-cost", "SECONDS", "refuse what is predicted to take longer (default: 86400, a day)",
     pm_set_seconds, IN_RUN(max_cost)},
    {0, "progress", NULL, "show progress also when standard error is not a terminal", pm_set_flag,
     IN_RUN(progress)},
    {0},
};

const pm_option pm_options_time_limit[] = {
    {0, "time-limit", "SECONDS", "stop the run after this many seconds", pm_set_seconds,
     IN_RUN(time_limit)},
    {0, "time-limit-each", "SECONDS",
     "stop the work on one graph after this many seconds, and go on with others", pm_set_seconds,
     IN_RUN(time_limit_each)},
    {0},
};

const pm_option pm_options_seed[] = {
    {'s', "seed", "N", "seed of the random numbers, below 2^64", set_seed, 0},
    {0},
};

const pm_option pm_options_search_seed[] = {
    {'s', "seed", "N",
     "seed of the search for an order, below 2^64: it may change the time, never an exact count",
     set_seed, 0},
    {0},
};

/* ---- output ---- */

#define JSON                                                                                       \
    {                                                                                              \
        'j', "json", NULL, "print one JSON object for each graph", pm_set_flag,                    \
            IN_COMMON(answer.json)                                                                 \
    }
#define WITH_NAMES                                                                                 \
    {                                                                                              \
        'H', "with-names", NULL, "print names even with one input", pm_set_flag,                   \
            IN_COMMON(answer.names)                                                                \
    }
#define OUTPUT                                                                                     \
    {                                                                                              \
        'o', "output", "FILE", "write to FILE, which appears when all inputs are done",            \
            pm_set_text, IN_COMMON(output)                                                         \
    }
#define QUIET                                                                                      \
    {                                                                                              \
        'q', "quiet", NULL, "no warnings and no progress", set_quiet, IN_COMMON(verbosity)         \
    }
#define VERBOSE                                                                                    \
    {                                                                                              \
        'v', "verbose", NULL, "print what is assumed and done", pm_set_count, IN_COMMON(verbosity) \
    }

const pm_option pm_options_output[] = {OUTPUT, {0}};

const pm_option pm_options_verbosity[] = {QUIET, VERBOSE, {0}};

const pm_option pm_options_answer[] = {
    JSON,
    {0, "table", "COLUMNS", "print a table with these columns, keys of JSON, divided by commas",
     pm_set_text, IN_COMMON(answer.column_list)},
    WITH_NAMES,
    {'e', "exit-status", NULL, NULL, pm_set_flag, IN_COMMON(answer.exit_status)},
    OUTPUT,
    {0},
};

pm_status pm_columns_check(pm_answer_settings *answer, const char *const *known, bool is_table,
                           pm_error *err)
{
    if (!answer->column_list)
        return PM_OK;
    if (!is_table)
        return pm_fail(err, PM_EUSAGE,
                       "--table is for counts and estimates, not for what another option asks for");
    if (answer->json || answer->names)
        return pm_fail(
            err, PM_EUSAGE,
            "--table excludes --json and --with-names: give it the column 'name' for names");
    return pm_columns_parse(answer->column_list, known, &answer->columns, err);
}

const pm_option pm_options_stream[] = {
    JSON,
    WITH_NAMES,
    OUTPUT,
    {0, "no-version", NULL, "leave program, version and options out of the stream", pm_set_flag,
     IN_COMMON(no_version)},
    QUIET,
    VERBOSE,
    {0},
};

pm_status pm_stream_check(const pm_common_settings *common, bool is_question, bool has_json,
                          const char *json_needs, pm_error *err)
{
    if (common->answer.json && !has_json)
        return pm_fail(err, PM_EUSAGE, "--json needs %s", json_needs);
    if (common->no_version && is_question)
        return pm_fail(err, PM_EUSAGE,
                       "--no-version is only for the output of a stream, not for what another "
                       "option asks for");
    return PM_OK;
}

const int pm_stream_statuses[] = {0, 64, 65, 66, 69, 70, 71, 74, 75, -1};

/* ---- arguments ---- */

pm_status pm_set_backend(void *field, const char *arg, pm_error *err)
{
    static const char *const words[] = {"auto", "cpu", "cuda", NULL};
    static const pm_backend backends[] = {PM_BACKEND_AUTO, PM_BACKEND_CPU, PM_BACKEND_CUDA};
    int backend;
    pm_status status = pm_word_among(arg, words, &backend, err);
    if (!status)
        *(pm_backend *)field = backends[backend];
    return status;
}

static pm_status set_gpus(int *field, const char *arg, uint64_t most, pm_error *err)
{
    uint64_t v;
    bool is_all = strcmp(arg, "all") == 0;
    if (!is_all && (!pm_whole_parse(arg, strlen(arg), &v) || v < 1 || v > most))
        return pm_fail(err, PM_EUSAGE, "'%s' is neither all nor a number from 1 to %d", arg,
                       (int)most);
    *field = is_all ? -1 : (int)v;
    return PM_OK;
}

pm_status pm_set_gpus(void *field, const char *arg, pm_error *err)
{
    return set_gpus(field, arg, 64, err);
}

pm_status pm_set_planned_gpus(void *field, const char *arg, pm_error *err)
{
    return set_gpus(field, arg, 1000000, err);
}

pm_status pm_seed_from_system(uint64_t *out, pm_error *err)
{
    if (getrandom(out, sizeof *out, 0) != sizeof *out)
        return pm_fail(err, PM_EIO, "no random numbers from the system: %s", strerror(errno));
    return PM_OK;
}
