/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrays/zip_archive.h: the members of a zip archive, stored or deflated, after PKWARE's APPNOTE 6.3.
 * The whole archive is in memory: its directory is at its end, and the input may be a pipe. */
#ifndef PM_ZIP_ARCHIVE_H
#define PM_ZIP_ARCHIVE_H

#include <stdint.h>

#include "io/source.h"

typedef struct {
    char *name;
    int method; /* 0 stored, 8 deflated */
    uint32_t crc;
    int64_t packed, size; /* bytes in the archive; bytes of the member */
    int64_t header;       /* where its local header begins */
} pm_zip_member;

typedef struct {
    const char *name; /* of the input, for messages */
    unsigned char *bytes;
    int64_t size;
    int64_t count, cap; /* members */
    pm_zip_member *members;
} pm_zip_archive;

/* Reads the rest of the input.  *out: zeroed before; freed by the caller, also after a failure.
 * Fails: PM_EDATA no zip archive, cut, damaged, in several parts, encrypted, another method of
 * compression, two members with one name; PM_EIO, PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_zip_archive_read(pm_source *s, pm_zip_archive *out, pm_error *err);
void pm_zip_archive_free(pm_zip_archive *z);

/* The first `want` bytes of member k, at most members[k].size.  *out: freed by the caller with free().
 * Size and checksum are checked when all are wanted.
 * Fails: PM_EDATA the size or the checksum is not as announced; PM_ENOMEM. */
pm_status pm_zip_member_bytes(const pm_zip_archive *z, int64_t k, int64_t want, unsigned char **out,
                              pm_error *err);

#endif
