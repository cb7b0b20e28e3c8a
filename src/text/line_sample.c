/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many different labels there are follows from how often they come again.  In a sample of consecutive lines sorted labels come
 * again at once: if each comes d times there, there are lines / d.  Labels in no order come again in other samples: of two samples
 * with x and y different ones out of u labels, x y / u are in both.  The smaller of the two estimates is taken. */
#include "config.h"

#include "text/line_sample.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/keyed_hash.h"
#include "pm/alloc.h"
#include "text/number.h"

enum {
    SAMPLES = 64,
    SAMPLE = 1 << 14, /* bytes of each, at most */
    PART = 16,        /* and all of them this part of the file */
    LEAST = 1 << 20,  /* bytes of a file that is worth it */
    BLOCK = 1 << 16,  /* bytes that are counted at a time */
    SHORTEST = 4      /* bytes of a line with two fields */
};

typedef struct {
    uint32_t hash;
    int32_t sample;
} seen_label;

typedef struct {
    seen_label *seen[2]; /* [most]: the labels of the lines of the samples */
    int64_t most, lines, line_bytes, longer;
    int64_t field_bytes[2], largest[2];
    bool has_names[2], descends;
    int64_t before; /* the first field of the line before in the sample; -1: none */
} samples;

/* Reads up to `want` bytes from this place on.  Returns their number, or -1: none were read. */
static int64_t read_at(int fd, char *to, int64_t want, int64_t at)
{
    int64_t got = 0;
    while (got < want) {
        const ssize_t n = pread(fd, to + got, (size_t)(want - got), at + got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        got += n;
    }
    return got;
}

static bool is_comment(char c)
{
    return c == '#' || c == '%';
}

/* A line without its end, with a NUL after it. */
static void add_line(samples *x, char *line, int sample)
{
    char *field[2], *rest = line, *third;
    int64_t length[2], bytes = (int64_t)strlen(line) + 1, value;
    if (x->lines == x->most || !pm_field_next(&rest, &field[0], &length[0]) || is_comment(*field[0])
        || !pm_field_next(&rest, &field[1], &length[1]))
        return;
    for (int k = 0; k < 2; ++k) {
        x->seen[k][x->lines] =
            (seen_label){(uint32_t)pm_keyed_hash(0, field[k], (size_t)length[k]), sample};
        x->field_bytes[k] += length[k];
        if (!pm_size_parse(field[k], length[k], &value))
            x->has_names[k] = true;
        else if (value > x->largest[k])
            x->largest[k] = value;
    }
    if (pm_size_parse(field[0], length[0], &value)) {
        x->descends = x->descends || value < x->before;
        x->before = value;
    }
    x->longer += pm_field_next(&rest, &third, &value);
    x->line_bytes += bytes;
    ++x->lines;
}

/* The whole lines of one sample; text has room for a NUL. */
static void add_sample(samples *x, char *text, int64_t length, bool is_first, int sample)
{
    if (length <= 0)
        return;
    char *at = text, *end = text + length;
    x->before = -1;
    if (!is_first) { /* a part of a line */
        char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    for (char *newline; (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1) {
        *newline = '\0';
        add_line(x, at, sample);
    }
}

static int by_hash(const void *p, const void *q)
{
    const seen_label *a = p, *b = q;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return (a->sample > b->sample) - (a->sample < b->sample);
}

/* Sorts `seen`. */
static double estimate_distinct(seen_label *seen, int64_t count, double lines)
{
    int64_t here[SAMPLES] = {0}; /* different labels of each sample */
    double in_both = 0, pairs = 0, within = 0;
    qsort(seen, (size_t)count, sizeof *seen, by_hash);
    for (int64_t k = 0, in; k < count; k += in) {
        int64_t samples_of = 0;
        for (in = 0; k + in < count && seen[k + in].hash == seen[k].hash; ++in)
            if (in == 0 || seen[k + in].sample != seen[k + in - 1].sample) {
                ++here[seen[k + in].sample];
                ++samples_of;
            }
        in_both += 0.5 * (double)samples_of * (double)(samples_of - 1);
    }
    for (int s = 0; s < SAMPLES; ++s) {
        pairs += within * (double)here[s];
        within += (double)here[s];
    }
    const double sorted = lines * within / (double)count;
    const double spread = in_both > 0 ? pairs / in_both : sorted;
    return sorted < spread ? sorted : spread;
}

/* There are no more integers than up to the largest. */
static double distinct(samples *x, int k, double lines)
{
    const double found = estimate_distinct(x->seen[k], x->lines, lines);
    const double most = (double)x->largest[k] + 1;
    return x->has_names[k] || found < most ? found : most;
}

/* A file that cannot be read fails when it is read. */
static void take(int fd, int64_t from, int64_t size, int64_t sample, samples *x, char *text)
{
    const int64_t step = (size - sample) / (SAMPLES - 1);
    for (int s = 0; s < SAMPLES; ++s)
        add_sample(x, text, read_at(fd, text, sample, from + s * step), s == 0, s);
}

bool pm_line_sample_take(const pm_source *s, pm_line_sample *out)
{
    int64_t from, to;
    const int fd = pm_source_file(s, &from, &to);
    if (fd < 0 || to - from < LEAST)
        return false;
    const int64_t part = (to - from) / (PART * SAMPLES), sample = part < SAMPLE ? part : SAMPLE;
    samples x = {.most = SAMPLES * sample / SHORTEST};
    char *text = pm_alloc_array(sample, 1);
    for (int k = 0; k < 2; ++k)
        x.seen[k] = pm_alloc_array(x.most, sizeof *x.seen[k]);
    if (text && x.seen[0] && x.seen[1])
        take(fd, from, to - from, sample, &x, text);
    if (x.lines > 0) {
        out->lines = (double)(to - from) * (double)x.lines / (double)x.line_bytes;
        out->is_ascending = !x.has_names[0] && !x.descends;
        out->has_more = 2 * x.longer > x.lines;
        for (int k = 0; k < 2; ++k)
            out->field[k] = (pm_line_field){distinct(&x, k, out->lines),
                                            x.has_names[k] ? -1 : (double)x.largest[k],
                                            (double)x.field_bytes[k] / (double)x.lines};
    }
    free(text);
    free(x.seen[0]);
    free(x.seen[1]);
    return x.lines > 0;
}

/* ---- counting ---- */

enum state { AT_START, IN_COMMENT, IN_LINE };

/* Lines that begin in this text; *state: where it begins and ends. */
static int64_t count_lines(const char *text, int64_t length, enum state *state)
{
    const char *at = text, *end = text + length;
    int64_t lines = 0;
    while (at < end) {
        if (*state == AT_START) {
            for (; at < end && pm_is_blank(*at); ++at)
                ;
            if (at == end)
                break;
            *state = is_comment(*at) ? IN_COMMENT : IN_LINE;
            lines += *state == IN_LINE;
        }
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline)
            break;
        *state = AT_START;
        at = newline + 1;
    }
    return lines;
}

pm_status pm_line_sample_count(const pm_source *s, int64_t *lines, pm_error *err)
{
    int64_t from, to;
    const int fd = pm_source_file(s, &from, &to);
    char *text = pm_alloc_array(BLOCK, 1);
    if (!text)
        return pm_fail_memory(err, "lines of the input");
    enum state state = AT_START;
    pm_status status = PM_OK;
    *lines = 0;
    while (from < to && !status) {
        const int64_t got = read_at(fd, text, to - from < BLOCK ? to - from : BLOCK, from);
        if (got < 0)
            status =
                pm_fail(err, PM_EIO, "%s: cannot read: %s", pm_source_name(s), strerror(errno));
        else
            status = pm_source_check_stop(s, err);
        if (got == 0) /* it became shorter */
            break;
        if (!status)
            *lines += count_lines(text, got, &state);
        from += got;
    }
    free(text);
    return status;
}
