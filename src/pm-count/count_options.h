/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-count/count_options.h: the options that only pm-count has. */
#ifndef PM_COUNT_OPTIONS_H
#define PM_COUNT_OPTIONS_H

#include "algorithm/rates.h"
#include "cli/answers.h"
#include "cli/common_options.h"
#include "pm-count/tasks.h"
#include "pm/count.h"

typedef enum { PM_CALIBRATE_NO, PM_CALIBRATE_ONCE, PM_CALIBRATE_AGAIN } pm_calibrate;

typedef struct {
    bool is_given;
    pm_reduce_options what;
} pm_reduce_setting;

typedef struct {
    pm_precision how;
    int64_t bits;      /* of an exact answer that is printed rounded; 0: as it is */
    bool *reads_exact; /* borrowed: of pm_read_options, set together with `how` */
} pm_precision_setting;

typedef struct {
    bool plan, exists, matching; /* questions; at most one */
    bool list, transpose, order_is_given, verify;
    pm_precision_setting precision;
    int64_t digits; /* of exact answers as decimal numbers; 0: as they are */
    pm_backend backend;
    int gpus;                /* 0: one; -1: all */
    const char *planned_gpu; /* the argument of --plan, or NULL */
    pm_placement placement;
    pm_calibrate calibrate;
    const char *algorithm;
    const char *row_times, *col_times, *vertex_times; /* lists for pm_times_read, or NULL */
    const char *loops_of_copies; /* of --loops, if there are vertex_times; NULL: no loops */
    uint64_t modulus;
    pm_reduce_setting reduce;
    pm_seed seed;
    pm_long_settings long_run;
} pm_count_settings;

pm_count_settings pm_count_settings_defaults(void);
/* The significant digits of exact answers: so many that the relative error of what is printed is at most 2^-bits; 0: all. */
int64_t pm_count_settings_digits(const pm_count_settings *set);

extern const pm_option pm_options_question[]; /* --plan --exists --matching --mod --list --row-times
                                           * --col-times --vertex-times */
/* --algorithm --backend --gpus --placement --precision --order --reduce --transpose --verify
 * --calibrate */
extern const pm_option pm_options_method[];

/* Fails: PM_EUSAGE options that exclude each other. */
pm_status pm_count_settings_check(const pm_count_settings *set, pm_error *err);
/* The same for --precision and --digits; with --merge the first one is an option of the parts. */
pm_status pm_count_precision_check(const pm_count_settings *set, pm_error *err);

pm_task pm_count_task(const pm_count_settings *set);     /* NULL: the count is wanted */
pm_layout pm_count_layout(const pm_count_settings *set); /* without --json */
pm_count_options pm_count_settings_options(const pm_count_settings *set);

/* Prints the tables of --list: the algorithms, and the rates unless they are NULL. */
void pm_count_list(FILE *f, const pm_rates *rates);

#endif
