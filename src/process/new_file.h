/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process/new_file.h: a file that appears under its name when it is complete.
 *
 * It has no name while it is written (O_TMPFILE), so that nothing of it stays however the program
 * ends.  Where the file system has no such files, it has a temporary name in the same folder, which
 * pm_signals_remove_file knows.  It replaces an older file of the name and takes over its permissions,
 * owner and group.  An older file is kept, and the content copied into it when it is complete, if it
 * has more names (hard links) or an access control list, if its owner and group cannot be given to a
 * new file, or if nothing can be created in its folder.  The room for the copy is taken first, so that a
 * full disk leaves the older file as it was. */
#ifndef PM_NEW_FILE_H
#define PM_NEW_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

enum { PM_NAME_ROOM = NAME_MAX + 1 };

typedef struct {
    bool is_open, is_copied, is_placing;
    char *path;                   /* of the file, no symbolic link */
    int folder;                   /* a file descriptor */
    int older;                    /* the file that gets the content; -1: a new file replaces it */
    char base[PM_NAME_ROOM];      /* its name in the folder */
    char temporary[PM_NAME_ROOM]; /* a name in the folder; "" while it has none */
} pm_new_file;

/* path: where the file shall be; a symbolic link to a file is followed.
 * *stream: for writing; closed by the caller before pm_new_file_discard.
 * Returns 0, or errno: that of opening the older file for writing if it must not be written, ELOOP for
 * a symbolic link that leads nowhere. */
int pm_new_file_open(pm_new_file *n, const char *path, FILE **stream);

/* The content is complete and the stream flushed: gives the file a temporary name, or copies it into
 * the older file.  suffix: as in pm_new_file_place.
 * Returns 0, or errno; n->temporary is then "", or names the file, as that of pm_new_file_place. */
int pm_new_file_prepare(pm_new_file *n, FILE *stream, const char *suffix);

/* After pm_new_file_prepare, also when the stream has been closed: the file gets its own name and
 * suffix, which may be "".  The name is cut before a suffix, between characters of UTF-8, where it
 * would be longer than the folder allows.  given: the name without its folder.
 * Returns 0, or errno. */
int pm_new_file_place(pm_new_file *n, const char *suffix, char given[PM_NAME_ROOM]);

/* The path of `name` in the folder of the file, freed by the caller.  NULL when memory ends. */
char *pm_new_file_path(const pm_new_file *n, const char *name);

/* The file stays under its temporary name. */
void pm_new_file_keep(pm_new_file *n);

/* Removes the file if it has not been placed or kept.  *n may be zeroed. */
void pm_new_file_discard(pm_new_file *n);

#endif
