/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/label_sets.h: prints sets of rows, columns or vertices by their labels.
 *
 * In a graph with labels, a line without entries may have none: it is printed as # and its number, counted from 1. */
#ifndef PM_LABEL_SETS_H
#define PM_LABEL_SETS_H

#include <stdint.h>
#include <stdio.h>

#include "cli/json.h"
#include "pm/matrix.h"

/* "{a, b}"; after `most` labels ", ... (N in all)".  most < 0: no limit. */
void pm_label_set_print(const int32_t *set, int64_t n, const pm_labels *labels, int64_t most,
                        FILE *f);
/* "key":["a","b"]; key NULL: an element of an array. */
void pm_label_set_put(const int32_t *set, int64_t n, const pm_labels *labels, const char *key,
                      pm_json *j);

#endif
