/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/matching_kind.h: which matchings of a bipartite graph are counted. */
#ifndef PM_MATCHING_KIND_H
#define PM_MATCHING_KIND_H

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    PM_MATCHING_PERFECT,    /* all rows and all columns are matched; the sides are equally large */
    PM_MATCHING_SATURATING, /* the smaller side is matched, both sides if they are equally large:
                             * the permanent of a rectangular matrix */
    PM_MATCHING_ROWS,       /* all rows are matched */
    PM_MATCHING_COLUMNS,    /* all columns are matched */
    PM_MATCHING_MAXIMUM     /* as many edges as any matching of the graph has */
} pm_matching_kind;

/* "perfect", "saturate", "saturate rows", "saturate cols", "maximum" */
const char *pm_matching_kind_name(pm_matching_kind kind);

/* False when the sizes of the sides alone show that there is no matching of this kind. */
static inline bool pm_matching_kind_fits(pm_matching_kind kind, int64_t nrows, int64_t ncols)
{
    return kind == PM_MATCHING_PERFECT   ? nrows == ncols
           : kind == PM_MATCHING_ROWS    ? nrows <= ncols
           : kind == PM_MATCHING_COLUMNS ? nrows >= ncols
                                         : true;
}

#endif
