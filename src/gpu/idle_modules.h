/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/idle_modules.h: modules of kernels that are loaded on a device and not in use, kept for
 * whoever wants the same text there next.  Who takes one has it alone, with its variables as the
 * one before left them. */
#ifndef PM_IDLE_MODULES_H
#define PM_IDLE_MODULES_H

#include <stdbool.h>

enum { PM_IDLE_MODULES = 16 /* of a device: those that were used last */ };

typedef struct {
    int device;
    char *text; /* that was compiled; freed by whoever unloads the module */
    void *handle;
} pm_module;

/* Any thread may call these. */

/* False: there is none. */
bool pm_idle_take(int device, const char *text, pm_module *out);
/* From now on idle.  True: *out has no room any more and is to be unloaded. */
bool pm_idle_keep(pm_module m, pm_module *out);
/* One after the other, to be unloaded; false: none is left. */
bool pm_idle_take_any(pm_module *out);

#endif
