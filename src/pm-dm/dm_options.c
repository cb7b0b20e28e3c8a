/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-dm/dm_options.h"

#include <string.h>

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), wanted = strlen(end);
    return length > wanted && strcmp(text + length - wanted, end) == 0;
}

static pm_status set_spy(void *field, const char *arg, pm_error *err)
{
    pm_dm_settings *set = field;
    set->spy = true;
    set->picture = arg;
    if (!arg)
        return PM_OK;
    set->picture_is_png = ends_with(arg, ".png");
    if (!set->picture_is_png && !ends_with(arg, ".svg"))
        return pm_fail(err, PM_EUSAGE, "'%s' ends neither in .svg nor in .png", arg);
    return PM_OK;
}

#define IN_DM(field) offsetof(pm_dm_settings, field)

const pm_option pm_options_dm[] = {
    {0, "stats", NULL,
     "print a line of figures: sizes, edges kept and dropped, rank, blocks, degrees", pm_set_flag,
     IN_DM(stats)},
    {0, "blocks", NULL, "print the sizes of the diagonal blocks, or of D by components, A and C",
     pm_set_flag, IN_DM(blocks)},
    {0, "coarse", NULL,
     "print the part of every row and column: under, square or over; or of every vertex: D, A or C",
     pm_set_flag, IN_DM(coarse)},
    {0, "degrees", NULL, "print how many rows, and columns, have each degree", pm_set_flag,
     IN_DM(degrees)},
    {0, "permutation", NULL, "print the vectors p q r s cc rr of dmperm, counted from 1",
     pm_set_flag, IN_DM(permutation)},
    {0, "matching", NULL, "print a maximum matching", pm_set_flag, IN_DM(matching)},
    {0, "hall", NULL, "print why there is no perfect matching", pm_set_flag, IN_DM(hall)},
    {0, "spy", "[=FILE]",
     "draw the block triangular form, in the terminal or to FILE.svg or FILE.png", set_spy, 0},
    {0},
};

typedef struct {
    bool is_given;
    const pm_dm_question *question;
} choice;

enum { QUESTIONS = 8 };

static void list_choices(const pm_dm_settings *set, choice out[QUESTIONS])
{
    const choice list[QUESTIONS] = {
        {set->stats, &pm_dm_stats},       {set->blocks, &pm_dm_blocks},
        {set->coarse, &pm_dm_coarse},     {set->permutation, &pm_dm_permutation},
        {set->matching, &pm_dm_matching}, {set->degrees, &pm_dm_degrees},
        {set->hall, &pm_dm_hall},         {set->spy, &pm_dm_spy},
    };
    memcpy(out, list, sizeof list);
}

const pm_dm_question *pm_dm_settings_question(const pm_dm_settings *set)
{
    choice list[QUESTIONS];
    list_choices(set, list);
    for (int k = 0; k < QUESTIONS; ++k)
        if (list[k].is_given)
            return list[k].question;
    return NULL;
}

pm_status pm_dm_settings_check(const pm_dm_settings *set, pm_error *err)
{
    choice list[QUESTIONS];
    int given = 0;
    list_choices(set, list);
    for (int k = 0; k < QUESTIONS; ++k)
        given += list[k].is_given;
    if (given > 1)
        return pm_fail(err, PM_EUSAGE,
                       "--stats, --blocks, --coarse, --degrees, --permutation, --matching, --hall "
                       "and --spy exclude each other");
    return PM_OK;
}
