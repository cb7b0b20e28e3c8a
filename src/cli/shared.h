/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/shared.h: the options that mean the same in every filter, and the structs they fill. */
#ifndef PM_SHARED_H
#define PM_SHARED_H

#include "cli/options.h"
#include "pm/io.h"

/* --from --pattern --graph --duplicates --files-from --null */
typedef struct {
    pm_read_options read;
    const char *files_from; /* NULL: operands */
    bool null;
} pm_input_settings;
extern const pm_option pm_options_input[];

/* --json -H; -e */
typedef struct {
    bool json, names, exit_status;
} pm_answer_settings;
extern const pm_option pm_options_answer[];
extern const pm_option pm_options_exit_status[];

/* --threads --max-memory --max-cost --progress */
typedef struct {
    int threads;
    int64_t max_memory;
    double max_cost;
    double time_limit; /* seconds; 0: none */
    bool progress;
} pm_run_settings;
extern const pm_option pm_options_run[];
extern const pm_option pm_options_time_limit[]; /* pm_run_settings */
#define PM_MAX_COST 86400                       /* seconds, unless max_cost is given */

/* --seed */
typedef struct {
    bool is_given;
    uint64_t value;
} pm_seed;
extern const pm_option pm_options_seed[];

/* --output */
extern const pm_option pm_options_output[]; /* const char * */

/* --no-version, of filters that write a stream */
extern const pm_option pm_options_stream[]; /* bool */

/* -q -v: an int from -1 */
extern const pm_option pm_options_verbosity[];

/* 64 bits from the system.  Fails: PM_EIO. */
pm_status pm_seed_from_system(uint64_t *out, pm_error *err);

#endif
