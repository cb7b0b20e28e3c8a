/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "arrays/times_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/npy_element.h"
#include "pm/alloc.h"
#include "text/number.h"
#include "text/source.h"

static const char separators[] = ", \t\r\n", blanks[] = " \t\r\n";

void pm_times_free(pm_times_list *t)
{
    free(t->value);
    *t = (pm_times_list){0};
}

static pm_status append(pm_times_list *t, int64_t number, pm_error *err)
{
    if (PM_GROW(t->value, t->cap, t->count + 1))
        return pm_fail_memory(err, "multiplicities");
    t->value[t->count++] = number;
    return PM_OK;
}

/* ---- text ---- */

/* s: the file that the text is a line of, or NULL. */
static pm_status refuse_comma(const pm_source *s, pm_error *err)
{
    static const char message[] = "expected a number before and after each comma";
    return s ? pm_source_fail(s, err, "%s", message) : pm_fail(err, PM_EUSAGE, "%s", message);
}

static pm_status refuse(const pm_source *s, const char *text, size_t length, pm_error *err)
{
    char quote[PM_QUOTE];
    pm_quote(text, (int64_t)length, quote);
    if (s)
        return pm_source_fail(s, err, "expected an integer from 0 to %d, not %s", INT32_MAX, quote);
    return pm_fail(err, PM_EUSAGE, "expected integers from 0 to %d and commas, not %s", INT32_MAX,
                   quote);
}

/* *has_comma: a comma is the last that was read. */
static pm_status take_text(const pm_source *s, const char *text, bool *has_comma,
                           pm_times_list *out, pm_error *err)
{
    pm_status status = PM_OK;
    for (text += strspn(text, blanks); *text && !status; text += strspn(text, blanks)) {
        if (*text == ',') {
            if (*has_comma || out->count == 0)
                return refuse_comma(s, err);
            *has_comma = true;
            ++text;
            continue;
        }
        size_t length = strcspn(text, separators);
        int64_t number;
        if (!pm_size_parse(text, (int64_t)length, &number) || number > INT32_MAX)
            return refuse(s, text, length, err);
        status = append(out, number, err);
        *has_comma = false;
        text += length;
    }
    return status;
}

static pm_status take_lines(pm_source *s, pm_times_list *out, pm_error *err)
{
    char *line;
    int64_t length;
    bool has_comma = false;
    pm_status status = pm_source_text_line(s, &line, &length, err);
    for (; !status && line; status = pm_source_text_line(s, &line, &length, err)) {
        status = take_text(s, line, &has_comma, out, err);
        if (status)
            return status;
    }
    return !status && has_comma ? refuse_comma(s, err) : status;
}

/* ---- arrays ---- */

static pm_status take_array(pm_source *s, pm_times_list *out, pm_error *err)
{
    const pm_byte_source in = pm_byte_source_of(s);
    pm_npy_head head;
    unsigned char *bytes = NULL;
    pm_status status = pm_npy_head_read(&in, &head, err);
    if (status)
        return status;
    if (head.ndim != 1 || (head.kind != 'i' && head.kind != 'u'))
        return pm_fail(err, PM_EDATA, "%s: expected a one-dimensional array of integers", in.name);
    status = pm_npy_bytes(&in, head.count * head.size, "multiplicities", &bytes, err);
    if (!status)
        status = pm_npy_end(&in, err);
    for (int64_t i = 0; i < head.count && !status; ++i) {
        int32_t number;
        if (pm_npy_index(&head, bytes + i * head.size, &number))
            status = append(out, number, err);
        else
            status = pm_fail(err, PM_EDATA,
                             "%s: expected integers from 0 to %d, element %" PRId64 " is not",
                             in.name, INT32_MAX, i);
    }
    free(bytes);
    return status;
}

/* ---- both ---- */

static pm_status take_file(const char *path, pm_times_list *out, pm_error *err)
{
    static const char magic[] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};
    pm_source *s = NULL;
    const char *bytes;
    int64_t got;
    pm_status status = pm_source_open(path, &s, err);
    if (!status)
        status = pm_source_peek(s, &bytes, sizeof magic, &got, err);
    if (!status) {
        bool is_array = got == sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
        status = is_array ? take_array(s, out, err) : take_lines(s, out, err);
    }
    pm_source_close(&s);
    return status;
}

pm_status pm_times_read(const char *list, pm_times_list *out, pm_error *err)
{
    *out = (pm_times_list){0};
    if (PM_GROW(out->value, out->cap, 1))
        return pm_fail_memory(err, "multiplicities");
    if (*list == '@')
        return list[1] ? take_file(list + 1, out, err)
                       : pm_fail(err, PM_EUSAGE, "expected the name of a file after @");
    bool has_comma = false;
    pm_status status = take_text(NULL, list, &has_comma, out, err);
    return !status && has_comma ? refuse_comma(NULL, err) : status;
}
