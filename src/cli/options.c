/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/options.h"

#include <ctype.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/safe.h"
#include "cli/whole.h"
#include "core/message.h"
#include "text/printable.h"

enum { MOST_OPTIONS = PM_OPTIONS_MOST, FIRST_LONG_ONLY = 256 };

int pm_misuse(const pm_command *command, const char *fmt, ...)
{
    char message[1024];
    va_list ap;
    va_start(ap, fmt);
    pm_message_write(message, sizeof message, fmt, ap);
    va_end(ap);
    fprintf(stderr, "%s: ", command->name);
    pm_put_printable(stderr, message);
    fprintf(stderr, ". Try '%s --help'.\n", command->name);
    return pm_exit_status(PM_EUSAGE);
}

/* ---- the tables of getopt_long ---- */

typedef struct {
    const pm_option *option[MOST_OPTIONS];
    void *into[MOST_OPTIONS];
    bool is_given[MOST_OPTIONS];
    const char *arg[MOST_OPTIONS]; /* of those that are given */
    struct option longs[MOST_OPTIONS + 1];
    char shorts[2 * MOST_OPTIONS + 2];
    int count;
} tables;

static bool argument_is_optional(const pm_option *o)
{
    return o->arg && o->arg[0] == '[';
}

static void add_option(tables *t, const pm_option *o, void *into)
{
    if (t->count == MOST_OPTIONS)
        abort(); /* a bug: the table is too small */
    int i = t->count++;
    t->option[i] = o;
    t->into[i] = into;
    t->longs[i] = (struct option){
        .name = o->name,
        .has_arg = !o->arg                   ? no_argument
                   : argument_is_optional(o) ? optional_argument
                                             : required_argument,
        .val = FIRST_LONG_ONLY + i,
    };
    if (o->letter) {
        size_t end = strlen(t->shorts);
        t->shorts[end] = (char)o->letter;
        if (o->arg)
            t->shorts[end + 1] = ':';
    }
}

static int option_index(const tables *t, int got)
{
    for (int i = 0; i < t->count; ++i)
        if (got == FIRST_LONG_ONLY + i || (got && got == t->option[i]->letter))
            return i;
    return -1;
}

/* got: '?' or ':', from getopt_long for the word before optind. */
static int report_bad(const pm_command *command, const tables *t, int got, char **argv)
{
    int i = option_index(t, optopt);
    if (got == ':')
        return i >= 0 && optopt < FIRST_LONG_ONLY
                   ? pm_misuse(command, "option '-%c' needs an argument", optopt)
                   : pm_misuse(command, "option '%s' needs an argument", argv[optind - 1]);
    if (i >= 0)
        return pm_misuse(command, "option '--%s' takes no argument", t->option[i]->name);
    if (optopt)
        return pm_misuse(command, "unknown option '-%c'", optopt);
    return pm_misuse(command, "unknown or ambiguous option '%s'", argv[optind - 1]);
}

static pm_status set_option(tables *t, int i, const char *arg, pm_error *err)
{
    const pm_option *o = t->option[i];
    t->is_given[i] = true;
    t->arg[i] = arg;
    return o->set((char *)t->into[i] + o->offset, arg, err);
}

/* name: may be NULL.  Returns -1 where the program has no such option. */
static int index_of(const tables *t, const char *name)
{
    for (int i = 0; i < t->count && name; ++i)
        if (strcmp(t->option[i]->name, name) == 0)
            return i;
    return -1;
}

/* --safe: the options of its list that the program has and the user has not given. */
static pm_status set_safe_limits(tables *t, pm_error *err)
{
    pm_status status = PM_OK;
    for (const pm_safe_limit *l = pm_safe_limits; l->name && !status; ++l) {
        int i = index_of(t, l->name), with = index_of(t, l->with);
        if (i >= 0 && !t->is_given[i] && (with < 0 || t->is_given[with]))
            status = set_option(t, i, l->value, err);
    }
    return status;
}

static void add_groups(tables *t, const pm_option_group *groups)
{
    for (const pm_option_group *g = groups; g->options; ++g)
        for (const pm_option *o = g->options; o->name; ++o)
            add_option(t, o, g->into);
}

pm_status pm_options_set(const pm_option_group *groups, const char *name, const char *arg,
                         pm_error *err)
{
    tables t = {.shorts = ":"};
    add_groups(&t, groups);
    int i = index_of(&t, name);
    if (i < 0)
        return pm_fail(err, PM_EUSAGE, "there is no option --%s", name);
    const pm_option *o = t.option[i];
    if (arg ? !o->arg : o->arg && !argument_is_optional(o))
        return pm_fail(err, PM_EUSAGE, "--%s %s", name,
                       arg ? "takes no argument" : "needs an argument");
    return set_option(&t, i, arg, err);
}

static void list_given(const tables *t, pm_given_options *given)
{
    given->count = 0;
    for (int i = 0; i < t->count; ++i)
        if (t->is_given[i]) {
            given->option[given->count].name = t->option[i]->name;
            given->option[given->count++].arg = t->arg[i];
        }
}

int pm_options_parse(const pm_command *command, const pm_option_group *groups, int argc,
                     char **argv, int *first, pm_given_options *given)
{
    tables t = {.shorts = ":"};
    add_groups(&t, groups);
    int own = t.count;
    for (const pm_option *o = pm_options_own; o->name; ++o)
        add_option(&t, o, NULL);

    opterr = 0;
    bool is_safe = false;
    pm_error err;
    for (int got; (got = getopt_long(argc, argv, t.shorts, t.longs, NULL)) != -1;) {
        if (got == '?' || got == ':')
            return report_bad(command, &t, got, argv);
        int i = option_index(&t, got);
        if (i >= own && t.option[i]->letter) {
            if (t.option[i]->letter == 'h')
                pm_help_print(command, groups);
            else
                pm_version_print(command);
            return pm_exit(command, 0);
        }
        if (i >= own)
            is_safe = true;
        else if (set_option(&t, i, optarg, &err) != PM_OK)
            return pm_misuse(command, "--%s: %s", t.option[i]->name, err.msg);
    }
    list_given(&t, given);
    if (is_safe && set_safe_limits(&t, &err) != PM_OK)
        return pm_misuse(command, "--safe: %s", err.msg);
    *first = optind;
    return -1;
}

/* ---- fields ---- */

pm_status pm_set_flag(void *field, const char *arg, pm_error *err)
{
    (void)arg;
    (void)err;
    *(bool *)field = true;
    return PM_OK;
}

pm_status pm_set_count(void *field, const char *arg, pm_error *err)
{
    (void)arg;
    (void)err;
    ++*(int *)field;
    return PM_OK;
}

pm_status pm_set_text(void *field, const char *arg, pm_error *err)
{
    if (!*arg)
        return pm_fail(err, PM_EUSAGE, "the argument is empty");
    *(const char **)field = arg;
    return PM_OK;
}

pm_status pm_set_positive(void *field, const char *arg, pm_error *err)
{
    uint64_t v = 0;
    pm_status status = pm_whole_between(arg, 1, INT_MAX, &v, err);
    if (!status)
        *(int *)field = (int)v;
    return status;
}

/* The bytes of a suffix: K, M, G, T or none, then B, iB or nothing; 0 for any other text. */
static double unit_of(const char *suffix)
{
    static const char letters[] = "KMGT";
    const char *letter = *suffix ? strchr(letters, toupper((unsigned char)*suffix)) : NULL;
    const char *rest = letter ? suffix + 1 : suffix;
    bool is_known = !*rest || strcasecmp(rest, "B") == 0 || (letter && strcasecmp(rest, "iB") == 0);
    return !is_known ? 0 : letter ? ldexp(1, 10 * (int)(letter - letters + 1)) : 1;
}

pm_status pm_set_bytes(void *field, const char *arg, pm_error *err)
{
    char *end;
    uint64_t whole;
    double v = strtod(arg, &end);
    bool good = end > arg && v > 0;
    if (pm_whole_parse(arg, strlen(arg), &whole)) /* also 2^31 */
        v = (double)whole;
    else
        v *= unit_of(end);
    if (!good || !(v >= 1 && v < 0x1p63))
        return pm_fail(err, PM_EUSAGE,
                       "'%s' is not a number of bytes (suffixes K, M, G, T: powers of 1024)", arg);
    *(int64_t *)field = (int64_t)v;
    return PM_OK;
}

pm_status pm_set_seconds(void *field, const char *arg, pm_error *err)
{
    char *end;
    double v = strtod(arg, &end);
    if (end == arg || *end || !(v > 0) || !isfinite(v))
        return pm_fail(err, PM_EUSAGE, "'%s' is not a number of seconds above 0", arg);
    *(double *)field = v;
    return PM_OK;
}
