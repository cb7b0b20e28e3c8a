/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/inputs.h: the names of the inputs, from the operands or from the list of --files-from. */
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
    FILE *list; /* NULL: the operands are the inputs */
    const char *list_name;
    int separator;     /* after each name in the list */
    int64_t line, cap; /* line: names read from the list so far */
    char *name;
} pm_inputs;

/* operand: not copied.  Without operands and without a list, standard input is the only input.
 * The caller closes *in, also after a failure.
 * Fails: PM_EUSAGE both operands and a list, options of a format that is not read; PM_ENOINPUT the list cannot be opened; PM_ESTOPPED a
 * signal came while it was opened. */
pm_status pm_inputs_open(pm_inputs *in, const pm_input_settings *how, char **operand, int count,
                         pm_error *err);

/* True when an input, or the list of them, is standard input. */
bool pm_inputs_have_stdin(const pm_inputs *in);

/* True for two or more operands, and for a list.  Then answers have names. */
bool pm_inputs_are_several(const pm_inputs *in);

/* False when the next call of pm_inputs_next certainly gives none. */
bool pm_inputs_are_more(const pm_inputs *in);

/* *name: the next name, valid until the next call; NULL after the last one.
 * Fails: PM_EDATA a name in the list is empty or has a zero byte, or is "-" while the list is
 * standard input (the next call goes on with the next name); PM_EIO; PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_inputs_next(pm_inputs *in, const char **name, pm_error *err);
void pm_inputs_close(pm_inputs *in);

/* "text", or "text:number"; the caller frees it.  NULL when memory ends. */
char *pm_input_item_name(const char *text, bool with_number, int64_t number);

#endif
