/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>

#include "picture/drawing.h"

static void put_tilings(const pm_drawing *d, FILE *f)
{
    static const char *const one[] = {"A domino tiling", "A lozenge tiling", "A matching"},
                             *const many[] = {"domino tilings", "lozenge tilings", "matchings"},
                             *const shape[] = {"domino", "lozenge", "edge"};
    static const char *const ending[] = {"es", "s", "s"};
    const pm_figure_kind k = d->figure->kind;
    if (d->frames == 1)
        fputs(one[k], f);
    else
        fprintf(f, "%" PRId64 " %s", d->frames, many[k]);
    fprintf(f, " of %" PRId64 " %s%s%s", d->edges, shape[k], d->edges == 1 ? "" : ending[k],
            d->frames == 1 ? "" : " each");
}

void pm_drawing_put_title(const pm_drawing *d, FILE *f)
{
    if (d->loops)
        fprintf(f, "%" PRId64 " loop%s of two matchings of %" PRId64 " edge%s", d->loops->count,
                d->loops->count == 1 ? "" : "s", d->edges, d->edges == 1 ? "" : "s");
    else
        put_tilings(d, f);
}

void pm_drawing_put_description(const pm_drawing *d, FILE *f)
{
    if (d->loops)
        fprintf(f,
                "The edges of the two matchings alternate in a loop, which has one colour. "
                "Edges of both are grey: %" PRId64 ".",
                d->loops->double_edges);
    else
        fprintf(f, "Colours show %s.",
                d->figure->one_set ? "the directions of edges"
                                   : "the directions from rows to columns");
    fprintf(f, "%s%s%s",
            d->figure->goes_around ? " An edge that goes around is drawn pale at both ends." : "",
            d->about ? " " : "", d->about ? d->about : "");
}
