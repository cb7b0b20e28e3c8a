/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-dm/dm_options.h: the options that only pm-dm has. */
#ifndef PM_DM_OPTIONS_H
#define PM_DM_OPTIONS_H

#include "cli/options.h"
#include "pm-dm/dm_tasks.h"

typedef struct {
    bool blocks, coarse, degrees, hall, matching, permutation, spy, stats; /* at most one */
    const char *picture;                                                   /* --spy=FILE, or NULL */
    bool picture_is_png;                                                   /* else SVG */
} pm_dm_settings;

extern const pm_option pm_options_dm[];

/* The question that is asked; NULL: none, the stream is written. */
const pm_dm_question *pm_dm_settings_question(const pm_dm_settings *set);

/* Fails: PM_EUSAGE options that exclude each other. */
pm_status pm_dm_settings_check(const pm_dm_settings *set, pm_error *err);

#endif
