/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/inputs.h: the names of the inputs, from the operands or from a list. */
#ifndef PM_INPUTS_H
#define PM_INPUTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/common_options.h"
#include "pm/status.h"

typedef struct {
    char **operand;
    int count, next;
    FILE *list; /* of --files-from */
    const char *list_name;
    int separator;
    int64_t line, cap;
    char *name;
} pm_inputs;

/* No operand and no list: standard input.
 * Fails: PM_EUSAGE both operands and a list; PM_ENOINPUT the list cannot be opened. */
pm_status pm_inputs_open(pm_inputs *in, const pm_input_settings *how, char **operand, int count,
                         pm_error *err);

/* Two or more inputs, or a list: answers carry names. */
bool pm_inputs_are_several(const pm_inputs *in);

/* The next name, valid until the next call; *name = NULL at the end.
 * Fails: PM_EDATA an empty name in the list, or "-" in a list from standard input; PM_EIO;
 * PM_ENOMEM. */
pm_status pm_inputs_next(pm_inputs *in, const char **name, pm_error *err);
void pm_inputs_close(pm_inputs *in);

#endif
