/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edge lists: each line is "left right [weight]"; edges/edge_rule.h says how it is cut into fields,
 * io/edge_table.h what the labels mean.  Lines that start with # or % are comments.  Two of them,
 * before the first edge, say how the list is to be read:
 *   # pm-edges ROWS COLS    two sides of these sizes
 *   # pm-graph VERTICES     one set of vertices, of this size
 * A third one, "# left right [weight]", begins a list without sizes that a program of this suite wrote. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "edges/edge_rule.h"
#include "edges/edge_runs.h"
#include "edges/number_block.h"
#include "io/attributes.h"
#include "io/banner.h"
#include "io/edge_table.h"
#include "io/formats.h"
#include "io/reading_memory.h"
#include "pm/settings.h"
#include "text/number.h"
#include "text/scalar.h"
#include "text/value_read.h"

typedef struct {
    pm_edge_table table;
    pm_edge_rule rule;
    pm_number_block block;
    bool has_titles;         /* # left right */
    bool has_networkx_head;  /* # GMT ..., of adjacency lists */
    bool has_attributes;     /* edges end with {...} */
    bool has_unused;         /* some attributes are not used */
    bool is_undecided;       /* the fields of all lines depend on where they are cut */
    bool has_waited;         /* those of some lines did, until another line decided */
    bool ends_with_tab;      /* the last line that was read */
    bool has_number_marks;   /* the first label of the first edge is a number with a comma */
    int64_t ends_with_mark;  /* edges whose first label ends with a comma or a semicolon */
    int64_t line_with_mark;  /* edges whose second label, the last field, ends so */
    int64_t ends_with_colon; /* edges whose first label ends with a colon */
    pm_edge_runs runs;
    pm_edge_form form; /* of the last line, if it was one of those of edges/edge_run.h */
} list;

static pm_source *source(const list *x)
{
    return x->table.s;
}

/* ---- header lines ---- */

static pm_status read_size(const list *x, char **line, const char *word, const char *form,
                           int64_t *size, pm_error *err)
{
    char *field, quote[PM_QUOTE];
    int64_t length;
    if (!pm_field_next(line, &field, &length))
        return pm_source_fail(source(x), err, "expected '%s', found fewer words", form);
    if (pm_size_parse(field, length, size) && *size <= INT32_MAX)
        return PM_OK;
    return pm_source_fail(source(x), err, "expected a size from 0 to %d after '%s', not %s",
                          INT32_MAX, word, pm_quote(field, length, quote));
}

/* word, count, form: of the line, e.g. "pm-edges", 2, "# pm-edges ROWS COLS". */
static pm_status read_sizes(list *x, char *line, const char *word, int count, const char *form,
                            pm_error *err)
{
    char *field;
    int64_t length;
    pm_status status = PM_OK;
    if (x->table.fields || x->table.sides[0].size >= 0)
        return pm_source_fail(source(x), err,
                              "expected one size line, before the first edge: an edge "
                              "list holds one graph");
    for (int k = 0; k < count && !status; ++k)
        status = read_size(x, &line, word, form, &x->table.sides[k].size, err);
    if (!status && pm_field_next(&line, &field, &length))
        status = pm_source_fail(source(x), err, "expected '%s' and nothing more", form);
    return status;
}

static pm_status check_banner(const list *x, const char *comment, pm_error *err)
{
    if (x->table.fields || x->table.opt->from)
        return PM_OK;
    const char *fault = pm_banner_fault(comment, pm_source_line_number(source(x)) == 1);
    return fault ? pm_source_fail(source(x), err, "%s%s", fault, pm_hint_text(PM_HINT_COMMENT))
                 : PM_OK;
}

/* A size line in other words would be lost without a sign. */
static pm_status check_resemblance(const list *x, const char *comment, pm_error *err)
{
    return !pm_size_line_resembles(comment)
               ? PM_OK
               : pm_source_fail(source(x), err,
                                "expected '# pm-edges ROWS COLS' or '# pm-graph VERTICES', found a "
                                "comment that resembles it: write it in this form, or begin it "
                                "with another word");
}

/* The fields of "left right"; the first one was read. */
static bool are_titles(const char *first, int64_t length, char *rest)
{
    char *second;
    int64_t second_length;
    return pm_field_is(first, length, "left") && pm_field_next(&rest, &second, &second_length)
           && pm_field_is(second, second_length, "right");
}

/* line: begins with the mark. */
static pm_status read_comment(list *x, char *line, pm_error *err)
{
    const char *comment = line++;
    char *field;
    int64_t length;
    pm_status status = check_banner(x, comment, err);
    if (status)
        return status;
    if (!pm_field_next(&line, &field, &length))
        return PM_OK;
    if (pm_field_is(field, length, "pm-graph")) {
        if (x->table.opt->bipartite)
            return pm_source_fail(source(x), err,
                                  "expected edges between two sides, found the size line of a "
                                  "graph on one set of vertices");
        x->table.one_set = true;
        return read_sizes(x, line, "pm-graph", 1, "# pm-graph VERTICES", err);
    }
    x->has_networkx_head = x->has_networkx_head || pm_field_is(field, length, "GMT");
    x->has_titles = x->has_titles || are_titles(field, length, line);
    if (!pm_field_is(field, length, "pm-edges"))
        return check_resemblance(x, comment, err);
    if (x->table.opt->graph)
        return pm_source_fail(source(x), err,
                              "expected edges between vertices of one set, found the size line of "
                              "a graph with two sides%s",
                              pm_hint_text(PM_HINT_TWO_SIDES));
    return read_sizes(x, line, "pm-edges", 2, "# pm-edges ROWS COLS", err);
}

/* ---- edges ---- */

static pm_status fail_fields(const list *x, const pm_edge_line *e, pm_error *err)
{
    int want = x->table.fields;
    bool is_more = e->count > PM_EDGE_FIELDS;
    char hint[256];
    pm_edge_line_hint(e, x->rule.how, hint, sizeof hint);
    const char *form = want == 2   ? "'left right' as in the first edge"
                       : want == 3 ? "'left right weight' as in the first edge"
                                   : "'left right [weight]'";
    int found = is_more ? PM_EDGE_FIELDS : e->count;
    return pm_source_fail(source(x), err, "expected %s, found %s%d field%s%s%s", form,
                          is_more ? "more than " : "", found, found == 1 ? "" : "s", hint,
                          e->count < want ? pm_source_cut_hint(source(x)) : "");
}

/* The weight of the attributes becomes the third field. */
static pm_status read_attributes(list *x, pm_edge_line *e, pm_error *err)
{
    char quote[PM_QUOTE];
    pm_attributes a;
    if (!pm_attributes_read(e->attributes, &a))
        return pm_source_fail(source(x), err, "expected attributes as {'weight': 2}, not %s",
                              pm_quote(e->attributes, (int64_t)strlen(e->attributes), quote));
    x->has_attributes = true;
    x->has_unused = x->has_unused || a.has_others;
    if (a.weight) {
        e->text[2] = a.weight;
        e->length[2] = a.length;
        e->count = 3;
    }
    if (x->table.fields && x->table.fields != e->count)
        return pm_source_fail(source(x), err,
                              "expected a weight at every edge or at none: the first edge has %s",
                              x->table.fields == 3 ? "one" : "none");
    return PM_OK;
}

static bool ends_with_separator(const pm_edge_line *e, int k)
{
    char last = e->text[k][e->length[k] - 1];
    return last == ',' || last == ';';
}

/* Notes what the list may be instead of an edge list. */
static void look_at_labels(list *x, const pm_edge_line *e)
{
    bool is_first = ends_with_separator(e, 0), is_last = e->count == 2 && ends_with_separator(e, 1);
    x->ends_with_mark += is_first;
    x->line_with_mark += is_last;
    x->ends_with_colon += e->text[0][e->length[0] - 1] == ':';
    if ((is_first || is_last) && x->block.lines == 0)
        x->has_number_marks = pm_is_separated_numbers(e->text[0], e->length[0])
                              && pm_is_separated_numbers(e->text[1], e->length[1]);
    pm_number_block_add(&x->block, e->text, e->length);
}

static bool is_word_of_letters(const char *text)
{
    return (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');
}

/* The weight of the first edge is no number: perhaps the line has the titles of the columns. */
static void explain_titles(const list *x, const pm_edge_line *e, pm_error *err)
{
    for (int k = 0; k < PM_EDGE_FIELDS; ++k)
        if (!is_word_of_letters(e->text[k]))
            return;
    if (!err || x->block.lines > 0 || pm_is_missing_number(e->text[2], e->length[2]))
        return;
    const pm_error why = *err;
    pm_fail(err, PM_EDATA, "%s; if the line has the titles of the columns, put '#' before it",
            why.msg);
}

/* The first edge: how much memory will the others take? */
static pm_status foresee(list *x, pm_error *err)
{
    pm_edge_table *t = &x->table;
    int64_t edges;
    pm_status status = pm_reading_memory_foresee(source(x), t->opt, t->one_set, t->sides[0].size,
                                                 t->sides[1].size, t->watch.left, &edges, err);
    t->watch.is_said = edges > 0;
    t->expected = edges;
    pm_triples_reserve(&t->to, edges + edges / 32); /* an estimate */
    return status;
}

static pm_status read_edge(list *x, pm_edge_line *e, pm_error *err)
{
    pm_edge_table *t = &x->table;
    char quote[PM_QUOTE];
    pm_status status = e->attributes ? read_attributes(x, e, err) : PM_OK;
    if (status)
        return status;
    bool is_declared = t->opt->from || x->has_titles || t->sides[0].size >= 0;
    if (!t->fields && !is_declared && pm_edge_line_is_arrow(e))
        return pm_source_fail(source(x), err,
                              "expected 'left right [weight]', found %s between two names: leave "
                              "it out%s",
                              pm_quote(e->text[1], e->length[1], quote),
                              pm_hint_text(PM_HINT_LABEL));
    if (!t->fields && !is_declared && x->has_networkx_head)
        return pm_source_fail(
            source(x), err,
            "expected 'left right [weight]', found an adjacency list of networkx, "
            "by its head '# GMT': write edges (networkx.write_edgelist)%s",
            pm_hint_text(PM_HINT_COMMENT));
    if (e->count < 2 || e->count > 3 || (t->fields && e->count != t->fields))
        return fail_fields(x, e, err);
    if (!t->fields)
        t->to.field = e->count == 3 ? PM_REAL : PM_PATTERN;
    const bool is_first = !t->fields;
    t->fields = e->count;
    if (is_first)
        status = foresee(x, err);

    pm_scalar weight = {.field = PM_INTEGER};
    bool has_weight = e->count == 3;
    if (has_weight && !status)
        status = pm_read_scalar(source(x), e->text[2], e->length[2], &weight, err);
    if (status == PM_EDATA && !e->attributes)
        explain_titles(x, e, err);
    t->has_real = t->has_real || weight.field == PM_REAL;
    if (!status)
        status = pm_edge_table_add(t, e->text, e->length, has_weight ? &weight.re : NULL,
                                   weight.field == PM_COMPLEX ? &weight.im : NULL, err);
    if (!status)
        look_at_labels(x, e);
    pm_scalar_clear(&weight);
    return status;
}

enum { LINES_LOOKED_AT = 4 /* one by one, before runs */ };

/* The line was an edge.  A line of the same form would change nothing of what is known of the list. */
static void look_for_run(list *x, const pm_edge_line *e, const char *line, int64_t length)
{
    if (x->table.to.field != PM_COMPLEX && x->block.lines >= LINES_LOOKED_AT
        && !x->rule.has_waiting)
        x->form = pm_edge_run_form(e, line, length);
    if (pm_source_is_exact(source(x))) /* runs have doubles */
        x->form.are_integers = true;
}

static pm_status number_run(void *context, const pm_edge_run *run, int side, pm_error *err)
{
    return pm_edge_table_number(context, run->of.edge, run->count, side, run->number, err);
}

static pm_status add_run(void *context, const pm_edge_run *run, pm_error *err)
{
    return pm_edge_table_add_run(context, run->number, &run->of, run->count, run->line, err);
}

static pm_status look(void *context, pm_error *err)
{
    return pm_edge_table_look(context, err);
}

/* Lines of the same form as the last one. */
static pm_status read_runs(list *x, pm_error *err)
{
    const int32_t most = x->table.are_values ? pm_edge_table_most(&x->table) : INT32_MAX;
    x->runs.form = x->form;
    x->runs.most[0] = x->runs.most[1] = most;
    const pm_edge_adder adder = {number_run, add_run, look, &x->table};
    int64_t taken;
    pm_status status =
        pm_edge_runs_read(&x->runs, x->block.lines, &adder, x->table.opt->run, &taken, err);
    x->block.lines += taken;
    return status;
}

/* Lines that waited are read again, before those after them. */
static void read_again(list *x)
{
    pm_edge_rule_end(&x->rule);
    x->rule.has_waiting = false;
    x->has_waited = true;
    pm_source_give_back(source(x));
}

static pm_status read_line(list *x, char *line, int64_t length, char *field, pm_error *err)
{
    pm_edge_line e;
    pm_status status;
    bool is_comment = *field == '#' || *field == '%', waited = x->rule.has_waiting;
    if (is_comment && !waited)
        return read_comment(x, field, err);
    if (!is_comment && pm_edge_rule_line(&x->rule, line, &e) == PM_LINE_IS_CUT && !waited) {
        status = read_edge(x, &e, err);
        if (!status)
            look_for_run(x, &e, line, length);
        return status;
    }
    status = pm_source_keep(source(x), err);
    if (!status && x->rule.is_decided)
        read_again(x);
    return status;
}

static pm_status read_lines(list *x, pm_error *err)
{
    for (;;) {
        char *line, *rest, *field;
        int64_t length, field_length;
        pm_status status = x->form.separator ? read_runs(x, err) : PM_OK;
        x->form.separator = 0;
        if (!status)
            status = pm_source_text_line(source(x), &line, &length, err);
        if (status || (!line && !x->rule.has_waiting))
            return status;
        if (!line) {
            x->is_undecided = true;
            read_again(x);
            continue;
        }
        x->ends_with_tab = length > 0 && line[length - 1] == '\t';
        rest = line;
        if (pm_field_next(&rest, &field, &field_length))
            status = read_line(x, line, length, field, err);
        if (status)
            return status;
    }
}

/* ---- other readings ---- */

/* Nothing says that these numbers are edges. */
static bool is_block(const list *x)
{
    const pm_edge_table *t = &x->table;
    return pm_number_block_is_likely(&x->block, t->fields) && t->sides[0].size < 0 && !t->opt->from
           && !t->opt->graph && !t->opt->bipartite && !x->has_attributes;
}

/* All first labels end with a separator, or all lines, perhaps without the last one. */
static bool are_marked(const list *x, int64_t lines)
{
    return (lines > 0 && x->ends_with_mark == lines)
           || (x->line_with_mark > 0 && x->line_with_mark >= lines - 1);
}

static void warn(const list *x, int64_t lines, pm_edge_head head, pm_reading *about)
{
    int fields = x->table.fields;
    char formats[160];
    if (is_block(x)) {
        snprintf(about->warning, sizeof about->warning,
                 "read as %" PRId64 " edges '%s', but looks like a matrix of %" PRId64
                 " x %d numbers%s%s",
                 lines, fields == 2 ? "left right" : "left right weight", lines, fields,
                 pm_hint_text(PM_HINT_DENSE), pm_hint_text(PM_HINT_EDGES));
    } else if (x->is_undecided && !x->rule.has_fractions && !x->table.opt->from) {
        snprintf(about->warning, sizeof about->warning, "%s%s%s",
                 x->rule.how == PM_CUT_AT_TABS
                     ? "read as 'left right', cut at tabs only, with blanks in names; all lines "
                       "could be 'left right weight' (write blanks instead of tabs)"
                     : "read as 'left right weight', cut at blanks and tabs; cut at tabs only, all "
                       "lines would be 'left right', with blanks in names",
                 x->rule.how == PM_CUT_AT_TABS ? "" : pm_hint_text(PM_HINT_TABS),
                 pm_hint_text(PM_HINT_EDGES));
    } else if (x->rule.is_doubtful && !x->table.opt->from) {
        snprintf(about->warning, sizeof about->warning,
                 "read as 'left right' with blanks in names, cut at tabs only, because a line ends "
                 "with no number; the others could be 'left right weight'%s%s",
                 pm_hint_text(PM_HINT_TABS), pm_hint_text(PM_HINT_EDGES));
    } else if (are_marked(x, lines) && !x->table.opt->from) {
        pm_separators_hint(x->has_number_marks, formats, sizeof formats);
        snprintf(about->warning, sizeof about->warning,
                 "read as names that end with a comma or semicolon, but looks like fields between "
                 "them: %s%s",
                 formats, pm_hint_text(PM_HINT_EDGES));
    } else if (lines > 0 && x->ends_with_colon == lines && !x->table.opt->from) {
        snprintf(
            about->warning, sizeof about->warning,
            "read as names that end with a colon, but looks like lists of neighbours: write one "
            "edge a line, 'left right [weight]'%s",
            pm_hint_text(PM_HINT_EDGES));
    }
    if (head != PM_EDGE_HEAD_NONE && !about->warning[0])
        snprintf(about->warning, sizeof about->warning,
                 "read as %" PRId64 " edges, but the first line looks like %s%s", lines,
                 head == PM_EDGE_HEAD_TITLES
                     ? "titles of columns: leave it out"
                     : "the numbers of vertices and edges: leave it out, or write "
                       "'# pm-graph VERTICES' for a graph",
                 pm_hint_text(PM_HINT_EDGES));
    if (x->is_undecided && x->rule.how == PM_CUT_AT_BLANKS)
        pm_reading_add_note(about, "lines with tabs and blanks are cut at both");
    if (x->rule.how == PM_CUT_AT_TABS)
        pm_reading_add_note(about, "lines are cut at tabs only, because labels have blanks");
    if (x->has_unused)
        pm_reading_add_note(about, "attributes other than weight are not used");
}

/* An edge list proved bad, and was cut at blanks where TABs may have been meant.  in_line: in the last
 * line that was read. */
static void explain_cut(const list *x, bool in_line, pm_error *err)
{
    if (!err || x->rule.how == PM_CUT_AT_TABS || !(x->has_waited || (in_line && x->ends_with_tab)))
        return;
    const pm_error why = *err;
    if (x->has_waited)
        pm_fail(err, PM_EDATA, "%s; lines cut at tabs only, with blanks in names, are a table%s",
                why.msg, pm_hint_text(PM_HINT_TABS));
    else
        pm_fail(err, PM_EDATA, "%s; the line ends with a tab, after which there is no field",
                why.msg);
}

/* ---- the whole ---- */

static pm_status next(pm_source *s, const pm_read_options *opt, void **state, pm_node *e,
                      pm_reading *about, pm_error *err)
{
    (void)state;
    list x = {.rule = {.exact = pm_source_is_exact(s)}};
    pm_edge_table_begin(&x.table, s, opt);
    x.runs =
        (pm_edge_runs){.source = s, .least = 0, .most = {INT32_MAX, INT32_MAX}, .lines = INT64_MAX};
    pm_status status = read_lines(&x, err);
    pm_edge_runs_free(&x.runs);
    int64_t lines = x.table.to.count;
    if (!status && !x.table.fields && x.table.sides[0].size < 0)
        status = pm_source_fail(s, err,
                                "expected an edge 'left right [weight]' or a line '# pm-edges ROWS "
                                "COLS', found none");
    if (status) {
        if (status == PM_EDATA)
            explain_cut(&x, true, err);
        goto done;
    }
    pm_edge_head head = pm_edge_table_head(&x.table);
    status = pm_edge_table_matrix(&x.table, &e->matrix, about, err);
    if (!status)
        warn(&x, lines, head, about);
    else if (status == PM_EDATA && is_block(&x))
        pm_number_block_hint(err);
    else if (status == PM_EDATA)
        explain_cut(&x, false, err);
    e->kind = PM_NODE_MATRIX;
    e->line = 1;
done:
    pm_edge_table_free(&x.table);
    return status;
}

/* Any text without control characters: this format is tried last. */
static bool sniff(const char *bytes, int64_t got)
{
    for (int64_t k = 0; k < got;) {
        unsigned char c = (unsigned char)bytes[k++];
        int more = c < 0x80 ? 0 : c < 0xc2 ? -1 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : c < 0xf5 ? 3 : -1;
        if (more < 0 || c == 0x7f || (c < ' ' && !(c >= '\t' && c <= '\r')))
            return false;
        for (; more > 0 && k < got; --more)
            if (((unsigned char)bytes[k++] & 0xc0) != 0x80)
                return false;
    }
    return true;
}

const pm_format pm_format_edges = {
    .name = "edges", .sniff = sniff, .next = next, .one_graph = true};
