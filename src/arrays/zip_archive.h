/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrays/zip_archive.h: the members of a zip archive, stored or deflated, after PKWARE's APPNOTE 6.3.
 * The whole archive is in memory: its directory is at its end, and the input may be a pipe. */
#ifndef PM_ZIP_ARCHIVE_H
#define PM_ZIP_ARCHIVE_H

#include <stdint.h>

#include "text/source.h"

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

/* The bytes of a member, decoded one after another. */
typedef struct {
    const pm_zip_archive *zip;
    const pm_zip_member *member;
    const unsigned char *from; /* its bytes in the archive */
    int64_t taken, made;       /* bytes decoded: of the archive; of the member */
    uint32_t crc;              /* of the bytes made */
    struct z_stream_s *z;      /* the decoder; NULL: the bytes are stored as they are */
} pm_zip_stream;

/* z: must outlive the stream.  *out: closed by the caller with pm_zip_stream_close.
 * Fails: PM_EDATA the archive is damaged; PM_ENOMEM. */
pm_status pm_zip_stream_open(const pm_zip_archive *z, int64_t k, pm_zip_stream *out, pm_error *err);

/* Copies the next `want` bytes; *got < want only at the end.  Size and checksum are checked with the
 * last byte.
 * Fails: PM_EDATA they are not as announced; PM_ENOMEM. */
pm_status pm_zip_stream_read(pm_zip_stream *s, void *to, int64_t want, int64_t *got, pm_error *err);
/* At most so many bytes are still to be decoded: the size that the directory says, which is no more than the packed bytes can
 * hold. */
int64_t pm_zip_stream_most_left(const pm_zip_stream *s);
void pm_zip_stream_close(pm_zip_stream *s);

#endif
