/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/idle_modules.h: a list of modules (compiled texts) that are loaded on a device and not in
 * use.  The next user of the same text on the same device takes a module from the list instead of
 * loading it again.  The user then has it alone; its variables hold what the previous user left in
 * them. */
#ifndef PM_IDLE_MODULES_H
#define PM_IDLE_MODULES_H

#include <stdbool.h>

enum { PM_IDLE_MODULES = 16 /* of each device; the most recently used ones are kept */ };

typedef struct {
    int device;
    char *text; /* the text that was compiled; freed by the code that unloads the module */
    void *handle;
} pm_module;

/* All functions are thread-safe. */

/* Takes a module with this text on this device out of the list; false if there is none. */
bool pm_idle_take(int device, const char *text, pm_module *out);
/* Puts a module into the list.  Returns true if the list was full: then *out is the least recently
 * used module of the device, now out of the list, and the caller unloads it. */
bool pm_idle_put(pm_module m, pm_module *out);
/* Takes any module out of the list, for the caller to unload; false if the list is empty. */
bool pm_idle_take_any(pm_module *out);

#endif
