/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrays/npz_member.h: the arrays in a file of numpy.savez: zip members NAME.npy. */
#ifndef PM_NPZ_MEMBER_H
#define PM_NPZ_MEMBER_H

#include "arrays/npy_head.h"
#include "arrays/zip_archive.h"

/* A member, which is read like an input.  Not to be moved while it is open. */
typedef struct {
    pm_zip_stream stream;
    char name[640]; /* for messages: the input and the member */
    pm_byte_source source;
    pm_npy_head head;
} pm_npz_member;

/* Opens member k.  Its size is compared with that in its head before its elements are decoded: a few
 * bytes of an archive may announce gigabytes.  *out: zeroed before; freed by the caller.
 * Fails: as pm_zip_stream_open, pm_zip_stream_read and pm_npy_head_read; PM_EDATA its size is not that
 * in its head. */
pm_status pm_npz_member_open(const pm_zip_archive *z, int64_t k, pm_npz_member *out, pm_error *err);
void pm_npz_member_free(pm_npz_member *m);

/* The member with the array of this name, or -1. */
int64_t pm_npz_member_find(const pm_zip_archive *z, const char *array);

/* A whole array in memory. */
typedef struct {
    pm_npy_head head;
    unsigned char *bytes;
} pm_npz_array;

/* Reads the array of this name.  *out: zeroed before; freed by the caller with free(out->bytes).
 * Fails: PM_EDATA there is none, or as pm_npy_head_read; PM_ENOMEM. */
pm_status pm_npz_array_read(const pm_zip_archive *z, const char *array, pm_npz_array *out,
                            pm_error *err);

#endif
