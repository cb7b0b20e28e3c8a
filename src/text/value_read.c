/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "text/value_read.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "number/root_sum.h"
#include "pm/settings.h"

static bool has_decimal_comma(const char *text, int64_t length)
{
    int64_t commas = 0, others = 0;
    for (int64_t k = 0; k < length; ++k) {
        commas += text[k] == ',';
        others +=
            text[k] != ',' && !(text[k] >= '0' && text[k] <= '9') && !(k == 0 && text[k] == '-');
    }
    return commas == 1 && others == 0 && length > 2;
}

/* A number where quotients are read. */
static bool is_quotient_for_exact(const pm_source *s, const char *text, int64_t length)
{
    pm_scalar x = {.field = PM_INTEGER};
    bool is = !pm_source_is_exact(s) && memchr(text, '/', (size_t)length)
              && pm_scalar_parse_as(text, length, true, &x) <= PM_NUMBER_REAL;
    pm_scalar_clear(&x);
    return is;
}

/* What is wrong with a text that is no number; or "". */
static const char *fault_of_text(const pm_source *s, const char *text, int64_t length)
{
    if (has_decimal_comma(text, length))
        return ": write a decimal point";
    if (is_quotient_for_exact(s, text, length))
        return pm_hint_text(PM_HINT_QUOTIENT);
    return pm_source_is_exact(s) && memchr(text, '/', (size_t)length)
               ? ": a quotient is a number, / and a whole number above 0"
               : "";
}

pm_status pm_number_check(const pm_source *s, pm_number_kind kind, const char *text, int64_t length,
                          pm_error *err)
{
    char quote[PM_QUOTE];
    if (kind <= PM_NUMBER_REAL)
        return PM_OK;
    if (kind == PM_NUMBER_BAD)
        return pm_source_fail(s, err, "expected a finite number, not %s%s",
                              pm_quote(text, length, quote), fault_of_text(s, text, length));
    if (kind == PM_NUMBER_RANGE)
        return pm_source_fail(s, err,
                              "expected a number in the range of a double (0, or in size 4.9e-324 "
                              "to 1.8e308), not %s",
                              pm_quote(text, length, quote));
    if (kind == PM_NUMBER_FAR && memchr(text, 'p', (size_t)length))
        return pm_source_fail(s, err, "expected a binary exponent from -%d to %d, not %s",
                              PM_HEX_EXPONENT_MAX, PM_HEX_EXPONENT_MAX,
                              pm_quote(text, length, quote));
    if (kind == PM_NUMBER_FAR)
        return pm_source_fail(s, err, "expected an exponent from -%d to %d, not %s",
                              PM_DECIMAL_EXPONENT_MAX, PM_DECIMAL_EXPONENT_MAX,
                              pm_quote(text, length, quote));
    if (kind == PM_NUMBER_ORDER)
        return pm_source_fail(
            s, err,
            "expected root(n) with n from 1 to %d, in a sum with no larger common order, not %s",
            PM_ROOT_ORDER_MAX, pm_quote(text, length, quote));
    if (kind == PM_NUMBER_LONG)
        return pm_fail(err, PM_ENOMEM,
                       "%s:%" PRId64 ": out of memory: a number of %" PRId64 " characters",
                       pm_source_name(s), pm_source_line_number(s), length);
    return PM_OK;
}

bool pm_is_missing_number(const char *text, int64_t length)
{
    static const char *const words[] = {"nan",  "inf",     "infinity", "na",  "n/a",
                                        "null", "missing", "none",     "nil", NULL};
    for (int k = 0; words[k]; ++k)
        if ((int64_t)strlen(words[k]) == length && strncasecmp(text, words[k], (size_t)length) == 0)
            return true;
    return false;
}

pm_status pm_read_value(const pm_source *s, const char *text, int64_t length, pm_field field,
                        pm_dyadic *out, bool *is_integer, pm_error *err)
{
    char quote[PM_QUOTE];
    pm_number_kind kind = pm_number_parse_as(text, length, pm_source_is_exact(s), out);
    pm_status status = pm_number_check(s, kind, text, length, err);
    if (status)
        return status;
    if (kind == PM_NUMBER_REAL && field == PM_INTEGER) {
        pm_dyadic_clear(out);
        return pm_source_fail(s, err, "expected an integer, not %s", pm_quote(text, length, quote));
    }
    if (is_integer)
        *is_integer = kind == PM_NUMBER_INTEGER;
    return PM_OK;
}

pm_status pm_read_end(pm_source *s, const char *what, pm_error *err)
{
    char *line, *field, quote[PM_QUOTE];
    int64_t length;
    for (;;) {
        pm_status status = pm_source_text_line(s, &line, &length, err);
        if (status || !line)
            return status;
        if (pm_field_next(&line, &field, &length))
            return pm_source_fail(s, err, "expected the end of the input after %s, not %s", what,
                                  pm_quote(field, length, quote));
    }
}

pm_status pm_read_scalar(const pm_source *s, const char *text, int64_t length, pm_scalar *out,
                         pm_error *err)
{
    return pm_number_check(s, pm_scalar_parse_as(text, length, pm_source_is_exact(s), out), text,
                           length, err);
}
