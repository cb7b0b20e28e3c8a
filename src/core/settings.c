/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/settings.h"

#include <stddef.h>

static pm_settings current;

void pm_settings_set(const pm_settings *s)
{
    current = *s;
}

const pm_settings *pm_settings_get(void)
{
    return &current;
}

void pm_hint_replace(pm_hint h, const char *text)
{
    current.hint[h] = text;
}

void pm_hint_drop(pm_hint h)
{
    current.hint[h] = NULL;
}

const char *pm_hint_text(pm_hint h)
{
    return current.hint[h] ? current.hint[h] : "";
}
