/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/matching_kind.h: which matchings of a bipartite graph are counted. */
#ifndef PM_MATCHING_KIND_H
#define PM_MATCHING_KIND_H

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

#endif
