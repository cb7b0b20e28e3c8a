/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rule costs 3 us, as much as opening the file.  So there are rules for single inputs up to a number of
 * them, and with more, or with a list of names that is read later, all files may be read. */
#include "config.h"

#include "cli/own_files.h"

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/team.h"
#include "io/formats.h"
#include "pm/settings.h"
#include "process/landlock.h"

enum { MOST_INPUTS = 64 };

/* ---- the helper program ---- */

static bool may_need_helper(const pm_invocation *program)
{
    const char *from = program->common->input.read.from;
    return !from || program->may_lay_out || pm_format_find(from)->needs_helper;
}

/* The file that loads programs, which the kernel executes with them; NULL in a static program. */
static const char *program_loader(void)
{
    const ElfW(Phdr) *p = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    const char *start = (const char *)p;
    const ElfW(Phdr) *end = p ? p + getauxval(AT_PHNUM) : NULL;
    for (const ElfW(Phdr) *x = p; x < end; ++x)
        if (x->p_type == PT_PHDR)
            start -= x->p_vaddr;
    for (; p < end; ++p)
        if (p->p_type == PT_INTERP)
            return start + p->p_vaddr;
    return NULL;
}

/* Whether it is known where the libraries of the helper are. */
static bool has_usual_libraries(void)
{
    return !getenv("LD_LIBRARY_PATH") && !getenv("LD_PRELOAD") && !getenv("LD_AUDIT");
}

static bool is_link(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

static void allow_helper(pm_landlock *l, const char *path)
{
    static const char *const libraries[] = {"/lib", "/lib64", "/lib32"};
    pm_landlock_execute(l, path);
    if (program_loader())
        pm_landlock_execute(l, program_loader());
    pm_landlock_read_below(l, "/usr");
    for (int i = 0; i < 3; ++i)
        if (!is_link(libraries[i])) /* into /usr */
            pm_landlock_read_below(l, libraries[i]);
    pm_landlock_read(l, "/etc/ld.so.cache");
#ifdef PM_IGRAPH_LIBDIR
    if (strncmp(PM_IGRAPH_LIBDIR, "/usr/", 5) != 0)
        pm_landlock_read_below(l, PM_IGRAPH_LIBDIR);
#endif
}

/* ---- all files ---- */

static void name_reason(void)
{
    pm_settings settings = *pm_settings_get();
    settings.hint[PM_HINT_SANDBOX] = ": the sandbox allows files that were there at the start";
    pm_settings_set(&settings);
}

static void allow_inputs(pm_landlock *l, const pm_invocation *program, bool reads_all)
{
    if (reads_all)
        pm_landlock_read_below(l, "/");
    for (int i = 0; i < program->operand_count && !reads_all; ++i)
        if (strcmp(program->operand[i], "-") != 0)
            pm_landlock_read(l, program->operand[i]);
}

static void allow_all(pm_landlock *l, const pm_invocation *program, const pm_output *out,
                      const char *helper)
{
    bool has_helper = helper && access(helper, X_OK) == 0;
    bool reads_all = program->common->input.files_from || program->operand_count > MOST_INPUTS
                     || (has_helper && !has_usual_libraries());
    allow_inputs(l, program, reads_all);
    if (has_helper)
        allow_helper(l, helper);
    pm_landlock_read(l, "/proc/meminfo");
#ifndef HAVE_MALLINFO2
    pm_landlock_read(l, "/proc/self/statm");
#endif
    if (out->file.is_open)
        pm_landlock_name_in(l, out->file.folder);
    for (const char *const *path = program->later; path && *path; ++path)
        pm_landlock_write(l, *path);
}

pm_status pm_own_files_only(pm_invocation *program, const pm_output *out, pm_error *err)
{
    pm_landlock l;
    if (!program->is_in_sandbox)
        return PM_OK;
    char *helper = may_need_helper(program) ? pm_helper_path() : NULL;
    if (may_need_helper(program) && !helper)
        return pm_fail_memory(err, "the path of the helper program");
    const char *why = pm_landlock_begin(&l);
    if (!why) {
        allow_all(&l, program, out, helper);
        pm_team_end(); /* threads that there are would keep their files */
        why = pm_landlock_enter(&l);
    }
    free(helper);
    if (why)
        pm_console_notef(&program->console, 2, "no sandbox for files: %s", why);
    else
        name_reason();
    return PM_OK;
}
