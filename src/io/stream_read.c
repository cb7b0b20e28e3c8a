/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pm stream, pm-stream(5).
 *
 * The lines factor, times and name are collected in the node until the next line decides: they
 * belong to the matrix or group that begins there, or they are a number.  A number ends before a
 * factor line, an end line or the eof line; this line is put back to the source, and the next call
 * reads it again. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/long_step.h"
#include "io/formats.h"
#include "number/bits.h"
#include "pm/alloc.h"
#include "pm/settings.h"
#include "text/number.h"
#include "text/value_read.h"

enum { VERSION_MAX = 3 };
#define BANNER "%%MatrixMarket"

/* The largest exponent of a factor (pm-stream(5)): otherwise a short line could need gigabytes. */
#define FACTOR_EXPONENT_MAX (INT64_C(1) << 26)

/* The state between calls. */
typedef struct {
    int version; /* 1 to VERSION_MAX; 0: not read yet */
    bool has_nodes, ended;
    int64_t exact_depth; /* of the outermost open group with a line "exact", from 1; 0: none */
    pm_groups groups;    /* the frame is an int64_t, the line of "begin" */
} stream;

/* One call of next(). */
typedef struct {
    pm_source *s;
    const pm_read_options *opt;
    stream *t;
    pm_node *e;
    pm_reading *about;
    bool has_exact, has_factor, has_times, has_name; /* the node has this line */
    bool is_weighted; /* the matrix had values, before opt->pattern took them away */
    bool done;        /* e is complete */
} call;

/* ---- numbers ---- */

static pm_status bad_number(const call *c, const char *text, int64_t length, pm_error *err)
{
    char quote[PM_QUOTE];
    return pm_source_fail(c->s, err,
                          "expected an integer, a quotient such as 2/3 or a hexadecimal float such "
                          "as 0x1.8p-3, not %s",
                          pm_quote(text, length, quote));
}

static bool are_digits(const char *text, int64_t length)
{
    for (int64_t k = 0; k < length; ++k)
        if (text[k] < '0' || text[k] > '9')
            return false;
    return length > 0;
}

/* z = the number with these digits.  Writes a NUL after them. */
static pm_status read_digits(const call *c, char *digits, int64_t length, mpz_t z, pm_error *err)
{
    int64_t bits = 4 * length; /* at most */
    if (!pm_bits_fit(bits))
        return pm_number_check(c->s, PM_NUMBER_LONG, digits, length, err);
    digits[length] = '\0';
    pm_long_step_begin(bits);
    mpz_set_str(z, digits, 10);
    pm_long_step_end(bits);
    return PM_OK;
}

/* q = q / digits, not canonical. */
static pm_status divide(const call *c, mpq_t q, char *digits, int64_t length, pm_error *err)
{
    mpz_t d;
    mpz_init(d);
    pm_status status = are_digits(digits, length) ? read_digits(c, digits, length, d, err) : PM_OK;
    if (!status && mpz_sgn(d) == 0)
        status = pm_source_fail(c->s, err, "expected a positive decimal integer after '/'");
    if (!status)
        mpz_mul(mpq_denref(q), mpq_denref(q), d);
    mpz_clear(d);
    return status;
}

static pm_status parse_number(const call *c, char *text, int64_t length, mpq_t q, bool *is_real,
                              pm_error *err)
{
    pm_status status = PM_OK;
    pm_dyadic a = {0};
    char *slash = memchr(text, '/', (size_t)length), *x = memchr(text, 'x', (size_t)length);
    int64_t above = slash ? slash - text : length;
    pm_number_kind kind = pm_number_parse(text, above, &a);
    if (kind == PM_NUMBER_REAL && !x && !memchr(text, 'X', (size_t)length))
        kind = PM_NUMBER_BAD;
    if (kind == PM_NUMBER_RANGE
        || (kind == PM_NUMBER_REAL
            && (a.exp > FACTOR_EXPONENT_MAX || a.exp < -FACTOR_EXPONENT_MAX)))
        status = pm_source_fail(c->s, err, "expected an exponent from -%" PRId64 " to %" PRId64,
                                FACTOR_EXPONENT_MAX, FACTOR_EXPONENT_MAX);
    else if (kind == PM_NUMBER_BAD)
        status = bad_number(c, text, length, err);
    else if (kind == PM_NUMBER_LONG || !pm_bits_fit(pm_dyadic_bits(&a) + llabs(a.exp)))
        status = pm_number_check(c->s, PM_NUMBER_LONG, text, length, err);
    if (status)
        goto done;
    pm_rational_set_dyadic(q, &a);
    if (slash)
        status = divide(c, q, slash + 1, length - above - 1, err);
    if (status)
        goto done;
    int64_t bits = (int64_t)(mpz_sizeinbase(mpq_numref(q), 2) + mpz_sizeinbase(mpq_denref(q), 2));
    pm_long_step_begin(bits);
    mpq_canonicalize(q);
    pm_long_step_end(bits);
    if (kind == PM_NUMBER_REAL)
        *is_real = true;
done:
    pm_dyadic_clear(&a);
    return status;
}

/* ---- lines ---- */

static pm_status expect_end(const call *c, char *rest, const char *word, pm_error *err)
{
    char *text, quote[PM_QUOTE];
    int64_t length;
    if (!pm_field_next(&rest, &text, &length))
        return PM_OK;
    return pm_source_fail(c->s, err, "expected the end of the line after %s, not %s", word,
                          pm_quote(text, length, quote));
}

/* The stream may have doubles where the numbers of its input are wanted.  Parts, and nodes with a line "exact", have these. */
static bool has_doubles(const call *c)
{
    return c->opt->exact && !c->opt->parts && !c->has_exact && !c->t->exact_depth;
}

static pm_status refuse_doubles(const call *c, pm_error *err)
{
    return pm_fail(err, PM_UNABLE,
                   "%s:%" PRId64 ": refused: the real and complex numbers of a stream are doubles, "
                   "not the decimals of its input%s",
                   pm_source_name(c->s), pm_source_line_number(c->s),
                   pm_hint_text(PM_HINT_WITHOUT_STREAM));
}

static pm_status read_factor(call *c, char *rest, pm_error *err)
{
    pm_fraction *f = &c->e->factor;
    char *text;
    int64_t length;
    bool is_real = false;
    if (c->has_times || c->has_name)
        return pm_source_fail(c->s, err, "expected factor before times and name");
    if (!pm_field_next(&rest, &text, &length))
        return pm_source_fail(c->s, err, "expected a number after factor");
    char *after = text + length;
    bool is_complex = *after && after[strspn(after, " \t")];
    pm_status status = parse_number(c, text, length, f->re, &is_real, err);
    if (status)
        return status;
    if (is_complex) {
        rest = after + 1; /* read_digits() may have written a NUL at `after` */
        pm_field_next(&rest, &text, &length);
        after = text + length;
        char *more = *after ? after + 1 : after;
        status = parse_number(c, text, length, f->im, &is_real, err);
        if (!status)
            status = expect_end(c, more, "two numbers", err);
        if (status)
            return status;
    }
    if (is_real && has_doubles(c))
        return refuse_doubles(c, err);
    c->e->factor_field = is_complex ? PM_COMPLEX : is_real ? PM_REAL : PM_INTEGER;
    c->has_factor = true;
    return PM_OK;
}

static pm_status read_times(call *c, char *rest, pm_error *err)
{
    char *text, quote[PM_QUOTE];
    int64_t length;
    if (c->has_times)
        return pm_source_fail(c->s, err, "expected times once, this is the second");
    pm_field_next(&rest, &text, &length);
    if (!are_digits(text, length))
        return pm_source_fail(c->s, err, "expected an integer, 0 or more, after times, not %s",
                              pm_quote(text, length, quote));
    pm_status status = expect_end(c, rest, "times and its number", err);
    if (status)
        return status;
    status = read_digits(c, text, length, c->e->times, err);
    c->has_times = !status;
    return status;
}

static pm_status read_name(call *c, char *rest, pm_error *err)
{
    if (c->has_name)
        return pm_source_fail(c->s, err, "expected one name, this is the second");
    c->has_name = true;
    return pm_stream_text(c->s, rest, &c->e->name, err);
}

static pm_status read_exact(call *c, char *rest, pm_error *err)
{
    char *text, quote[PM_QUOTE];
    int64_t length;
    pm_numbers n = PM_NUMBERS_REAL;
    if (c->t->version < 3)
        return pm_source_fail(c->s, err, "expected %%pm: stream 3 before a line %%pm: exact");
    pm_field_next(&rest, &text, &length);
    while (n < PM_NUMBERS_ROOTS && !pm_field_is(text, length, pm_numbers_name(n)))
        ++n;
    if (!pm_field_is(text, length, pm_numbers_name(n)))
        return pm_source_fail(c->s, err, "expected real, complex or roots after exact, not %s",
                              pm_quote(text, length, quote));
    c->has_exact = true;
    if (c->opt->exact || c->opt->parts)
        c->e->numbers = n;
    return expect_end(c, rest, "exact and its word", err);
}

static pm_nesting nesting(const call *c)
{
    return pm_groups_check(&c->t->groups, c->e->kind);
}

/* The line of the "begin" of the innermost group. */
static int64_t *begin_line(const call *c)
{
    return pm_groups_innermost(&c->t->groups);
}

/* kind: "strip" or "ring"; the number of parts follows, then three matrices. */
static pm_status read_period(call *c, const char *kind, char *rest, pm_error *err)
{
    char *text, quote[PM_QUOTE];
    int64_t length, parts;
    pm_field_next(&rest, &text, &length);
    if (!pm_size_parse(text, length, &parts) || parts < 1)
        return pm_source_fail(c->s, err,
                              "expected the number of parts, 1 to 2^63 - 1, after %s, not %s", kind,
                              pm_quote(text, length, quote));
    pm_status status = expect_end(c, rest, "the number of parts", err);
    if (!status)
        status = pm_stream_period(c->s, c->opt, kind, parts, c->e, c->about, err);
    c->done = true;
    return status;
}

static pm_status read_begin(call *c, char *rest, pm_error *err)
{
    char *text, quote[PM_QUOTE];
    int64_t length;
    pm_field_next(&rest, &text, &length);
    if (c->t->version >= 2 && pm_field_is(text, length, "strip"))
        return read_period(c, "strip", rest, err);
    if (c->t->version >= 2 && pm_field_is(text, length, "ring"))
        return read_period(c, "ring", rest, err);
    if (!pm_field_is(text, length, "product") && !pm_field_is(text, length, "sum"))
        return pm_source_fail(c->s, err, "expected product or sum after begin, not %s",
                              pm_quote(text, length, quote));
    c->e->kind = pm_field_is(text, length, "sum") ? PM_NODE_SUM : PM_NODE_PRODUCT;
    if (nesting(c) == PM_NESTING_TOO_DEEP)
        return pm_source_fail(c->s, err, "expected groups at most %d deep", (int)PM_DEPTH_MAX);
    pm_status status = pm_groups_open(&c->t->groups, err);
    if (status)
        return status;
    *begin_line(c) = pm_source_line_number(c->s);
    if (c->has_exact && !c->t->exact_depth)
        c->t->exact_depth = c->t->groups.depth;
    c->done = true;
    return expect_end(c, rest, "begin and the kind of group", err);
}

static pm_status read_end(call *c, char *rest, pm_error *err)
{
    c->e->kind = PM_NODE_CLOSE;
    if (nesting(c) == PM_NESTING_NOT_OPEN)
        return pm_source_fail(c->s, err, "expected '%%pm: begin' before '%%pm: end'");
    pm_groups_close(&c->t->groups);
    if (c->t->groups.depth < c->t->exact_depth)
        c->t->exact_depth = 0;
    c->done = true;
    return expect_end(c, rest, "end", err);
}

static pm_status read_eof(call *c, char *rest, pm_error *err)
{
    c->e->kind = PM_NODE_END;
    if (nesting(c) == PM_NESTING_NOT_CLOSED)
        return pm_source_fail(c->s, err,
                              "expected %%pm: end of the group that begins in line %" PRId64,
                              *begin_line(c));
    pm_status status = expect_end(c, rest, "eof", err);
    if (!status)
        status = pm_read_end(c->s, "%pm: eof", err);
    c->t->ended = !status;
    c->done = true;
    return status;
}

static pm_status read_made_by(call *c, char *rest, pm_error *err)
{
    (void)rest;
    if (c->t->has_nodes || c->has_exact || c->has_factor || c->has_times || c->has_name)
        return pm_source_fail(c->s, err,
                              "expected made-by right after the first line of the stream, or in "
                              "the head of a matrix");
    return PM_OK;
}

/* From here on the lines of this version are allowed. */
static pm_status read_stream(call *c, char *rest, pm_error *err)
{
    char *text;
    int64_t length;
    pm_field_next(&rest, &text, &length);
    if (length != 1 || *text < '2' || *text > '0' + VERSION_MAX)
        return pm_source_fail(c->s, err,
                              "expected %%pm: stream 2, %%pm: stream 3, or no version line here");
    if (*text - '0' > c->t->version)
        c->t->version = *text - '0';
    return expect_end(c, rest, "the version", err);
}

/* The first of these lines says "I of N" (checkpoint/part_stream.h). */
static pm_status refuse_part(const call *c, const char *rest, pm_error *err)
{
    int part, parts;
    const char *hint = pm_hint_text(PM_HINT_PARTS);
    if (sscanf(rest, "%d of %d", &part, &parts) != 2)
        return pm_source_fail(c->s, err, "this is a part of a count%s", hint);
    return pm_source_fail(c->s, err, "this is part %d of %d of a count%s", part, parts, hint);
}

static pm_status read_part(call *c, char *rest, pm_error *err)
{
    if (c->t->version < 2)
        return pm_source_fail(c->s, err, "expected %%pm: stream 2 before a line %%pm: part");
    return c->opt->parts ? PM_OK : refuse_part(c, rest, err);
}

static pm_status read_misplaced(call *c, char *rest, pm_error *err)
{
    (void)rest;
    return pm_source_fail(c->s, err,
                          "expected rows, cols and order in the head of a matrix, after its "
                          "banner");
}

static const struct {
    const char *word;
    bool ends_leaf; /* a factor before this line is a number */
    bool ends_node; /* exact, times and name must not come before this line */
    pm_status (*read)(call *c, char *rest, pm_error *err);
} lines[] = {
    {"factor", true, false, read_factor},    {"times", false, false, read_times},
    {"name", false, false, read_name},       {"begin", false, false, read_begin},
    {"end", true, true, read_end},           {"eof", true, true, read_eof},
    {"made-by", false, false, read_made_by}, {"rows", false, false, read_misplaced},
    {"cols", false, false, read_misplaced},  {"order", false, false, read_misplaced},
    {"stream", true, true, read_stream},     {"part", true, true, read_part},
    {"exact", true, true, read_exact},
};

static pm_status read_pm_line(call *c, char *rest, pm_error *err)
{
    char *word, quote[PM_QUOTE];
    int64_t length;
    pm_field_next(&rest, &word, &length);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; ++k) {
        if ((int64_t)strlen(lines[k].word) != length
            || memcmp(lines[k].word, word, (size_t)length) != 0)
            continue;
        if (lines[k].ends_leaf && c->has_factor) {
            pm_source_unread(c->s);
            c->e->kind = PM_NODE_NUMBER;
            c->done = true;
            return PM_OK;
        }
        if (lines[k].ends_node && (c->has_exact || c->has_times || c->has_name))
            return pm_source_fail(c->s, err, "expected a %s",
                                  c->has_times || c->has_name
                                      ? "matrix or group after times and name"
                                      : "factor, matrix or group after exact");
        return lines[k].read(c, rest, err);
    }
    return pm_source_fail(c->s, err,
                          "expected a line '%%pm: WORD' of pm-stream(5), not the word %s",
                          pm_quote(word, length, quote));
}

static pm_status read_matrix(call *c, const char *banner, pm_error *err)
{
    pm_stream_head head = {.source = c->s, .version = c->t->version, .opt = c->opt};
    pm_status status =
        pm_mtx_body(c->s, banner, c->opt, pm_stream_head_line, &head, &c->e->matrix, c->about, err);
    c->is_weighted = !status && c->e->matrix.field != PM_PATTERN;
    *c->about->warning = '\0'; /* members of a stream are biadjacency matrices */
    if (!status)
        status = pm_stream_head_finish(&head, c->e, err);
    pm_stream_head_free(&head);
    c->e->kind = PM_NODE_MATRIX;
    c->done = true;
    if (!status && has_doubles(c) && pm_node_field(c->e) > PM_INTEGER)
        return refuse_doubles(c, err);
    return status;
}

/* ---- nodes ---- */

static bool is_version(char *line, char **rest)
{
    char *word;
    int64_t length;
    if (strncmp(line, "%pm:", 4) != 0)
        return false;
    line += 4;
    pm_field_next(&line, &word, &length);
    *rest = line;
    return length == 6 && memcmp(word, "stream", 6) == 0;
}

static pm_status read_version(call *c, pm_error *err)
{
    char *line, *text, quote[PM_QUOTE];
    int64_t length;
    pm_status status = pm_source_text_line(c->s, &line, &length, err);
    if (status)
        return status;
    if (!line || !is_version(line, &line))
        return pm_source_fail(c->s, err, "expected %%pm: stream 1");
    pm_field_next(&line, &text, &length);
    if (length != 1 || *text < '1' || *text > '0' + VERSION_MAX)
        return pm_source_fail(c->s, err, "expected version 1, 2 or 3 of the pm stream, not %s",
                              pm_quote(text, length, quote));
    c->t->version = *text - '0';
    return expect_end(c, line, "the version", err);
}

bool pm_stream_is_banner(const char *line)
{
    return strncasecmp(line, BANNER, strlen(BANNER)) == 0;
}

pm_status pm_stream_fail_cut(const pm_source *s, pm_error *err)
{
    return pm_source_fail(s, err,
                          "the stream is cut short: expected '%%pm: eof' at its end; the "
                          "program that wrote it may have failed%s",
                          pm_source_cut_hint(s));
}

static pm_status read_line(call *c, pm_error *err)
{
    char *line, *text, quote[PM_QUOTE];
    int64_t length;
    pm_status status = pm_source_text_line(c->s, &line, &length, err);
    if (status)
        return status;
    if (!line)
        return pm_stream_fail_cut(c->s, err);
    if (!c->has_exact && !c->has_factor && !c->has_times && !c->has_name)
        c->e->line = pm_source_line_number(c->s);
    if (strncmp(line, "%pm:", 4) == 0)
        return read_pm_line(c, line + 4, err);
    if (pm_stream_is_banner(line))
        return read_matrix(c, line, err);
    if (*line == '%' || !pm_field_next(&line, &text, &length))
        return PM_OK;
    return pm_source_fail(c->s, err, "expected a '%%pm:' line or a Matrix Market banner, not %s",
                          pm_quote(text, length, quote));
}

/* A sum or product of weighted parts does not show the pattern of the original graph. */
static pm_status check_pattern(const call *c, pm_error *err)
{
    const pm_node *e = c->e;
    bool is_part = e->kind == PM_NODE_MATRIX && c->t->groups.depth > 0
                   && (c->is_weighted || e->matrix.field != PM_PATTERN);
    if (e->kind != PM_NODE_NUMBER && pm_fraction_is_one(&e->factor) && !is_part)
        return PM_OK;
    return pm_source_fail(c->s, err,
                          "expected a whole graph to take its pattern, found a part of a "
                          "decomposed one%s",
                          pm_hint_text(PM_HINT_PATTERN));
}

static pm_status next(pm_source *s, const pm_read_options *opt, void **state, pm_node *e,
                      pm_reading *about, pm_error *err)
{
    if (opt->graph || opt->loops)
        return pm_fail(
            err, PM_EUSAGE,
            "%s: a pm stream itself says which of its graphs have one set of vertices, and "
            "which of these have loops",
            pm_source_name(s));
    if (opt->copies)
        return pm_fail(err, PM_EUSAGE,
                       "%s: the vertices of graphs in a pm stream get no copies; expected a graph "
                       "in another format",
                       pm_source_name(s));
    if (!*state && !(*state = pm_calloc_array(1, sizeof(stream))))
        return pm_fail_memory(err, "a stream");
    call c = {.s = s, .opt = opt, .t = *state, .e = e, .about = about};
    c.t->groups.frame_size = sizeof(int64_t);
    if (c.t->ended)
        return PM_OK;
    pm_status status = c.t->version ? PM_OK : read_version(&c, err);
    while (!status && !c.done)
        status = read_line(&c, err);
    c.t->has_nodes = true;
    return !status && opt->pattern ? check_pattern(&c, err) : status;
}

static void close_stream(void **state)
{
    stream *t = *state;
    if (t)
        pm_groups_free(&t->groups);
    free(*state);
    *state = NULL;
}

static bool sniff(const char *bytes, int64_t got)
{
    static const char word[] = "stream";
    const char *end = bytes + got, *p = bytes + 4;
    if (got < 4 || memcmp(bytes, "%pm:", 4) != 0)
        return false;
    while (p < end && (*p == ' ' || *p == '\t'))
        ++p;
    return end - p >= 6 && memcmp(p, word, 6) == 0;
}

const pm_format pm_format_stream = {
    .name = "pm-stream", .sniff = sniff, .next = next, .close = close_stream};
