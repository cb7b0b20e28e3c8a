/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cli/safe.h"

enum { TEXT_COLUMN = 26, WIDTH = 79 };

const pm_option pm_options_own[] = {
    {.name = "safe"},
    {.letter = 'h', .name = "help", .help = "print this text"},
    {.letter = 'V', .name = "version", .help = "print the version and what was built in"},
    {0},
};

/* Prints text word by word.  The first line continues at `column`, the others begin at TEXT_COLUMN.
 * */
static void print_wrapped(const char *text, int column)
{
    bool line_is_empty = true;
    while (*text) {
        int word = (int)strcspn(text, " ");
        if (!line_is_empty && column + 1 + word > WIDTH) {
            printf("\n%*s", TEXT_COLUMN, "");
            column = TEXT_COLUMN;
            line_is_empty = true;
        }
        column += printf("%s%.*s", line_is_empty ? "" : " ", word, text);
        line_is_empty = false;
        text += word;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static void print_option(const pm_option *o, const char *help)
{
    int column =
        o->letter ? printf("  -%c, --%s", o->letter, o->name) : printf("      --%s", o->name);
    if (o->arg)
        column += printf("%s%s", o->arg[0] == '[' ? "" : "=", o->arg);
    if (column + 2 > TEXT_COLUMN) {
        putchar('\n');
        column = 0;
    }
    printf("%*s", TEXT_COLUMN - column, "");
    print_wrapped(help, TEXT_COLUMN);
}

enum { ROOM = 256 };

/* The help of an option, also of one for which it depends on the program: --exit-status and --safe. */
static const char *help_of(const pm_option *o, const pm_command *command,
                           const pm_option_group *groups, char room[ROOM])
{
    if (o->help)
        return o->help;
    if (o->letter == 'e')
        snprintf(room, ROOM, "exit with 1 when %s", command->is_none);
    else
        pm_safe_describe(groups, room, ROOM);
    return room;
}

void pm_help_print(const pm_command *command, const pm_option_group *groups)
{
    char room[ROOM];
    printf("Usage: %s [OPTION]... %s\n%s\n", command->name, command->operands, command->summary);
    if (command->more || command->files)
        printf("\n%s%s", command->more ? command->more : "", command->files ? command->files : "");
    for (const pm_option_group *g = groups; g->options; ++g) {
        if (g->title)
            printf("\n%s:\n", g->title);
        for (const pm_option *o = g->options; o->name; ++o)
            print_option(o, help_of(o, command, groups, room));
    }
    for (const pm_option *o = pm_options_own; o->name; ++o)
        print_option(o, help_of(o, command, groups, room));
    printf("\nExit status:\n");
    for (const int *status = command->statuses; *status >= 0; ++status)
        printf("  %3d  %s%s\n", *status, *status == 1 ? "only with -e: " : "",
               *status == 1 ? command->is_none : pm_exit_meaning(*status));
    printf("\nExample:\n  %s\n", command->example);
    printf("\nExamples for many kinds of input: man pmkit-tutorial\nReport bugs %s\n",
           PM_BUG_REPORT);
}
