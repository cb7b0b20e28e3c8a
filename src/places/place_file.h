/* SPDX-License-Identifier: GPL-3.0-or-later */
/* places/place_file.h: a file of places: lines "LABEL X Y", or "row LABEL X Y" and "column LABEL X Y" where a row and a
 * column have the same label.  Fields are separated by blanks, in a line with a TAB by TABs alone.  Empty lines, and
 * lines that begin with #, are passed over. */
#ifndef PM_PLACE_FILE_H
#define PM_PLACE_FILE_H

#include "edges/label_map.h"
#include "places/place.h"
#include "pm/run.h"
#include "pm/status.h"

/* Which vertices a line is about. */
typedef enum { PM_PLACED_ANY, PM_PLACED_ROW, PM_PLACED_COLUMN, PM_PLACED_SIDES } pm_placed_side;

/* Zeroed: no places. */
typedef struct {
    struct {
        pm_label_map map;
        pm_place *place; /* of its labels */
        int64_t cap;
    } of[PM_PLACED_SIDES];
} pm_place_file;

/* path: a file, plain or gzip.  *out: freed by the caller; not changed on failure.
 * Fails: PM_ENOINPUT; PM_EDATA ("path:line: what was expected"); PM_EIO, PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_place_file_read(const char *path, const pm_run *run, pm_place_file *out,
                             pm_error *err);
void pm_place_file_free(pm_place_file *p);

/* The place of the label: that of a line for this side, else that of a line for any vertex.  Returns false when
 * there is none. */
bool pm_place_file_find(const pm_place_file *p, pm_placed_side side, const char *label,
                        pm_place *out);

#endif
