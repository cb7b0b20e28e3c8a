/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/common_options.h: options that mean the same in several programs, and the structs that they
 * fill. */
#ifndef PM_COMMON_OPTIONS_H
#define PM_COMMON_OPTIONS_H

#include "cli/columns.h"
#include "cli/options.h"
#include "pm/backend.h"
#include "pm/io.h"
#include "pm/matching_kind.h"

/* How a wrong weight of --loops is refused; the format of its text. */
#define PM_LOOPS_EXPECTED                                                                          \
    "expected an integer, a decimal number or a complex one such as 1+2i, not '%.100s'"

enum { PM_ARRAYS_MAX = 256 };

/* --from --pattern --graph --bipartite --duplicates --columns --delimiter --header --array
 * --files-from --null */
typedef struct {
    pm_read_options read;
    const char *array[PM_ARRAYS_MAX + 1]; /* of --array, then NULL */
    int arrays;
    const char *files_from; /* NULL: the operands are the inputs */
    bool null;
} pm_input_settings;
extern const pm_option pm_options_input[];
/* --loops, of programs that take graphs on one set of vertices with loops; also in pm_input_settings. */
extern const pm_option pm_options_loops[];
/* --precision, of programs that write streams; also in pm_input_settings. */
extern const pm_option pm_options_exact[];

/* --json --with-names --exit-status */
typedef struct {
    bool json, names, exit_status;
    const char *column_list; /* of --columns, or NULL */
    pm_column_list columns;  /* from column_list, by pm_columns_check */
} pm_answer_settings;

/* --saturate --count: a pm_matching_kind */
extern const pm_option pm_options_matchings[];

/* --threads --max-memory --max-cost --progress; --time-limit --time-limit-each */
typedef struct {
    int threads;
    int64_t max_memory;     /* bytes */
    double max_cost;        /* seconds */
    double time_limit;      /* seconds for the whole run; 0: none */
    double time_limit_each; /* seconds for a graph; 0: none */
    bool progress;
} pm_run_settings;
extern const pm_option pm_options_run[];
extern const pm_option pm_options_time_limit[];
/* --threads, and --max-memory, of programs without the other options of a run; for a pm_run_settings. */
extern const pm_option pm_options_threads[];
extern const pm_option pm_options_memory[];
#define PM_MAX_COST 86400 /* seconds; the default of max_cost */

/* What every program has, as far as its groups of options include it. */
typedef struct {
    pm_input_settings input;
    pm_answer_settings answer;
    pm_run_settings run;
    pm_matching_kind matchings;
    const char *output; /* NULL: standard output */
    bool no_version;
    int verbosity; /* -1: --quiet; else the number of --verbose */
} pm_common_settings;

/* The options of the output, each list for a pm_common_settings: */
extern const pm_option pm_options_output[];    /* --output */
extern const pm_option pm_options_verbosity[]; /* --quiet --verbose */
/* --json --table --with-names --exit-status --output, of programs that print numbers */
extern const pm_option pm_options_answer[];
/* Completes *answer.  known: the names of all columns, then NULL.  is_table: the question is one
 * that has these columns.
 * Fails: PM_EUSAGE an unknown column, or options that exclude each other. */
pm_status pm_columns_check(pm_answer_settings *answer, const char *const *known, bool is_table,
                           pm_error *err);
/* --json --with-names --output --no-version --quiet --verbose, of programs that write streams */
extern const pm_option pm_options_stream[];

/* For programs that write streams or answer a question: refuses --no-version with a question, and
 * --json unless has_json.  json_needs: the options without which --json has no meaning.
 * Fails: PM_EUSAGE. */
pm_status pm_stream_check(const pm_common_settings *common, bool is_question, bool has_json,
                          const char *json_needs, pm_error *err);

/* The sentence of the help about the operands of programs that read graphs. */
#define PM_HELP_FILES                                                                              \
    "A FILE holds an edge list, a Matrix Market matrix, a NumPy array, a pm stream,\n"             \
    "graph6, ..., plain or gzip; none or - is standard input."

/* The exit statuses of programs that write streams. */
extern const int pm_stream_statuses[];

/* --seed */
typedef struct {
    bool is_given;
    uint64_t value;
} pm_seed;
extern const pm_option pm_options_seed[];
extern const pm_option pm_options_search_seed[]; /* of a search for an order */

/* 64 random bits from the system.  Fails: PM_EIO. */
pm_status pm_seed_from_system(uint64_t *out, pm_error *err);

/* Arguments of --backend, for a pm_backend: auto, cpu, cuda. */
pm_status pm_set_backend(void *field, const char *arg, pm_error *err);
/* Arguments of --gpus, for an int: 1 to 64, or all, which is -1. */
pm_status pm_set_gpus(void *field, const char *arg, pm_error *err);
/* The same for plans, up to 1000000. */
pm_status pm_set_planned_gpus(void *field, const char *arg, pm_error *err);

#endif
