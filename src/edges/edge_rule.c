/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "edges/edge_rule.h"

#include <string.h>

#include "text/scalar.h"

static void decide(pm_edge_rule *x, pm_edge_cut how)
{
    x->how = how;
    x->is_decided = true;
}

void pm_edge_rule_end(pm_edge_rule *x)
{
    bool has_names = x->has_waiting && !x->has_fractions && !x->has_plain_end;
    if (!x->is_decided)
        decide(x, has_names ? PM_CUT_AT_TABS : PM_CUT_AT_BLANKS);
}

static int fields_of(const pm_edge_line *e)
{
    return e->attributes ? 0 : e->count;
}

/* A whole number may be a label. */
static bool has_fraction(const pm_edge_line *e)
{
    if (e->count < PM_EDGE_FIELDS)
        return true;
    pm_scalar v = {.field = PM_INTEGER};
    bool is_whole = pm_scalar_parse(e->text[2], e->length[2], &v) == PM_NUMBER_INTEGER;
    pm_scalar_clear(&v);
    return !is_whole;
}

/* The last field, cut at TABs, has a blank. */
static bool ends_with_names(const pm_edge_line *e)
{
    return e->count == 2 && memchr(e->text[1], ' ', (size_t)e->length[1]);
}

static bool fits_at_tabs(const pm_edge_rule *x, char *line, pm_edge_line *e)
{
    pm_edge_line_cut(line, PM_CUT_AT_TABS, e);
    return pm_edge_line_fits(e, x->want[PM_CUT_AT_TABS], x->exact) && pm_edge_line_has_names(e);
}

static void want(int *fields, const pm_edge_line *e)
{
    if (!*fields)
        *fields = fields_of(e);
}

/* A line whose fields depend on the way. */
static pm_edge_verdict compare(pm_edge_rule *x, char *line, pm_edge_line *out)
{
    pm_edge_line other;
    bool at_blanks = pm_edge_line_fits(out, x->want[PM_CUT_AT_BLANKS], x->exact);
    bool at_tabs = strchr(line, '\t') && fits_at_tabs(x, line, &other);
    if (!at_blanks && at_tabs) {
        x->is_doubtful = x->has_waiting && out->count == PM_EDGE_FIELDS;
        decide(x, PM_CUT_AT_TABS);
        *out = other;
        return PM_LINE_IS_CUT;
    }
    if (!at_blanks || !at_tabs) {
        decide(x, PM_CUT_AT_BLANKS);
        return PM_LINE_IS_CUT;
    }
    want(&x->want[PM_CUT_AT_BLANKS], out);
    want(&x->want[PM_CUT_AT_TABS], &other);
    x->has_waiting = true;
    x->has_fractions = x->has_fractions || has_fraction(out);
    x->has_plain_end = x->has_plain_end || !ends_with_names(&other);
    return PM_LINE_WAITS;
}

pm_edge_verdict pm_edge_rule_line(pm_edge_rule *x, char *line, pm_edge_line *out)
{
    pm_edge_line_cut(line, x->how, out);
    if (x->is_decided)
        return PM_LINE_IS_CUT;
    if (x->has_waiting || !pm_edge_line_is_tabbed(out))
        return compare(x, line, out);
    want(&x->want[PM_CUT_AT_BLANKS], out);
    want(&x->want[PM_CUT_AT_TABS], out);
    return PM_LINE_IS_CUT;
}
