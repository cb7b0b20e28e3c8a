/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/obstruction.h"
#include "pm-dm/dm_tasks.h"

static pm_status text(const pm_dm_view *v, FILE *f, pm_error *err)
{
    pm_obstruction o = {0};
    pm_status s = pm_obstruction_find(v->a, &o, err);
    if (s != PM_OK)
        return s;
    if (o.exists)
        fputs("there is a perfect matching", f);
    else
        pm_obstruction_print(&o, v->a, -1, f);
    pm_obstruction_free(&o);
    return PM_OK;
}

static pm_status json(const pm_dm_view *v, pm_json *j, pm_error *err)
{
    pm_obstruction o = {0};
    pm_status s = pm_obstruction_find(v->a, &o, err);
    if (s != PM_OK)
        return s;
    if (o.exists)
        pm_json_string(j, "hall", NULL);
    else
        pm_obstruction_json(&o, v->a, j);
    pm_obstruction_free(&o);
    return PM_OK;
}

const pm_dm_question pm_dm_hall = {.layout = PM_LAYOUT_LINES, .text = text, .json = json};
