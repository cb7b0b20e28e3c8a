/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-gen/weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/whole.h"
#include "pm/alloc.h"

/* ---- options ---- */

/* Reads a finite number that ends at the character `stop`, and moves *text behind that character
 * unless it is the end of the text. */
static bool read_real(const char **text, char stop, double *out)
{
    char *end;
    *out = strtod(*text, &end);
    if (end == *text || *end != stop || !isfinite(*out))
        return false;
    *text = stop ? end + 1 : end;
    return true;
}

static bool read_integer(const char **text, char stop, int64_t *out)
{
    bool is_negative = **text == '-';
    const char *digits = *text + is_negative, *end = strchr(digits, stop);
    uint64_t size;
    if (!end || !pm_whole_parse(digits, (size_t)(end - digits), &size) || size > INT64_MAX)
        return false;
    *out = is_negative ? -(int64_t)size : (int64_t)size;
    *text = stop ? end + 1 : end;
    return true;
}

static pm_status choose(pm_weights *w, pm_weights_kind kind, const char *option, const char *arg,
                        pm_error *err)
{
    if (w->kind != PM_WEIGHTS_NONE)
        return pm_fail(err, PM_EUSAGE, "the weights are chosen by %s already", w->option);
    w->kind = kind;
    w->option = option;
    w->arg = arg;
    return PM_OK;
}

pm_status pm_weights_set_constant(void *field, const char *arg, pm_error *err)
{
    pm_weights *w = field;
    double q = 1;
    const char *text = arg;
    bool good = strchr(arg, '/')
                    ? read_real(&text, '/', &w->constant) && read_real(&text, '\0', &q) && q != 0
                    : read_real(&text, '\0', &w->constant);
    w->constant /= q;
    if (!good || !isfinite(w->constant) || w->constant == 0)
        return pm_fail(err, PM_EUSAGE, "'%s' is not a number X or P/Q other than 0", arg);
    return choose(w, PM_WEIGHTS_CONSTANT, "--weight", arg, err);
}

pm_status pm_weights_set_integer(void *field, const char *arg, pm_error *err)
{
    const int64_t most = INT64_C(1) << 62;
    pm_weights *w = field;
    const char *text = arg ? arg : "1:10";
    if (!read_integer(&text, ':', &w->low) || !read_integer(&text, '\0', &w->high)
        || w->low > w->high || w->low < -most || w->high > most || (!w->low && !w->high))
        return pm_fail(err, PM_EUSAGE, "'%s' is not a range LOW:HIGH of integers up to 2^62", arg);
    return choose(w, PM_WEIGHTS_INTEGER, "--integer", arg, err);
}

static pm_status set_interval(pm_weights *w, pm_weights_kind kind, const char *option,
                              const char *arg, const char *usual, pm_error *err)
{
    const char *text = arg ? arg : usual;
    if (!read_real(&text, ':', &w->real_low) || !read_real(&text, '\0', &w->real_high)
        || !(w->real_low < w->real_high) || !isfinite(w->real_high - w->real_low))
        return pm_fail(err, PM_EUSAGE, "'%s' is not a range LOW:HIGH of numbers", arg);
    return choose(w, kind, option, arg, err);
}

pm_status pm_weights_set_real(void *field, const char *arg, pm_error *err)
{
    return set_interval(field, PM_WEIGHTS_REAL, "--real", arg, "0:1", err);
}

pm_status pm_weights_set_complex(void *field, const char *arg, pm_error *err)
{
    return set_interval(field, PM_WEIGHTS_COMPLEX, "--complex", arg, "-1:1", err);
}

/* ---- values ---- */

static void draw(const pm_weights *w, pm_random *random, pm_dyadic *out)
{
    do {
        if (w->kind == PM_WEIGHTS_CONSTANT)
            pm_dyadic_set_d(out, w->constant);
        else if (w->kind == PM_WEIGHTS_INTEGER)
            pm_dyadic_set_si(
                out, w->low + (int64_t)pm_random_below(random, (uint64_t)(w->high - w->low) + 1));
        else
            pm_dyadic_set_d(out,
                            w->real_low + pm_random_unit(random) * (w->real_high - w->real_low));
    } while (pm_dyadic_is_zero(out));
}

pm_status pm_weights_apply(const pm_weights *w, pm_random *random, pm_matrix *a, pm_error *err)
{
    if (w->kind == PM_WEIGHTS_NONE)
        return PM_OK;
    const bool is_complex = w->kind == PM_WEIGHTS_COMPLEX;
    int64_t nnz = pm_matrix_nnz(a);
    pm_dyadic *value = pm_calloc_array(nnz, sizeof *value);
    pm_dyadic *imaginary = value && is_complex ? pm_calloc_array(nnz, sizeof *imaginary) : NULL;
    if (!value || (is_complex && !imaginary)) {
        free(value);
        return pm_fail_memory(err, "weights");
    }
    for (int64_t k = 0; k < nnz; ++k) {
        draw(w, random, &value[k]);
        if (is_complex)
            draw(w, random, &imaginary[k]);
    }
    bool whole = w->kind == PM_WEIGHTS_CONSTANT && w->constant == trunc(w->constant)
                 && fabs(w->constant) <= 0x1p53;
    a->re = value;
    a->im = imaginary;
    a->field = is_complex                               ? PM_COMPLEX
               : whole || w->kind == PM_WEIGHTS_INTEGER ? PM_INTEGER
                                                        : PM_REAL;
    return PM_OK;
}
