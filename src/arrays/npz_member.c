/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "arrays/npz_member.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static pm_status read_member(void *context, void *to, int64_t want, int64_t *got, pm_error *err)
{
    pm_npz_member *m = context;
    return pm_zip_stream_read(&m->stream, to, want, got, err);
}

static int64_t most_left(const void *context)
{
    const pm_npz_member *m = context;
    return pm_zip_stream_most_left(&m->stream);
}

/* Decodes the rest of a member that is not longer than a head may be, so that damage is found.  Leaves
 * *err as it is when there is none. */
static void find_damage(pm_npz_member *m, pm_error *err)
{
    char bytes[4096];
    int64_t got = 1;
    pm_error damage;
    pm_status status = PM_OK;
    while (!status && got > 0 && m->stream.member->size <= PM_NPY_HEAD_MAX)
        status = pm_zip_stream_read(&m->stream, bytes, sizeof bytes, &got, &damage);
    if (status == PM_EDATA)
        pm_fail(err, status, "%s", damage.msg);
}

/* Reads the head, and compares the size of the member with it. */
static pm_status check_size(pm_npz_member *m, pm_error *err)
{
    pm_status status = pm_npy_head_read(&m->source, &m->head, err);
    if (status == PM_EDATA)
        find_damage(m, err);
    int64_t elements = status ? 0 : m->head.count * m->head.size;
    int64_t found = m->stream.member->size - m->stream.made;
    if (!status && found != elements)
        status =
            pm_fail(err, PM_EDATA,
                    "%s: expected %" PRId64 " bytes of elements, as its shape says, found %" PRId64,
                    m->name, elements, found);
    return status;
}

pm_status pm_npz_member_open(const pm_zip_archive *z, int64_t k, pm_npz_member *out, pm_error *err)
{
    const char *name = z->members[k].name;
    char quote[PM_QUOTE];
    snprintf(out->name, sizeof out->name, "%.500s: member %s", z->name,
             pm_quote(name, (int64_t)strlen(name), quote));
    out->source = (pm_byte_source){read_member, out, out->name, most_left};
    pm_status status = pm_zip_stream_open(z, k, &out->stream, err);
    if (!status)
        status = check_size(out, err);
    pm_zip_stream_close(&out->stream);
    return status ? status : pm_zip_stream_open(z, k, &out->stream, err); /* from its beginning */
}

void pm_npz_member_free(pm_npz_member *m)
{
    pm_zip_stream_close(&m->stream);
    *m = (pm_npz_member){0};
}

int64_t pm_npz_member_find(const pm_zip_archive *z, const char *array)
{
    size_t n = strlen(array);
    for (int64_t k = 0; k < z->count; ++k)
        if (strncmp(z->members[k].name, array, n) == 0
            && strcmp(z->members[k].name + n, ".npy") == 0)
            return k;
    return -1;
}

pm_status pm_npz_array_read(const pm_zip_archive *z, const char *array, pm_npz_array *out,
                            pm_error *err)
{
    pm_npz_member m = {0};
    int64_t k = pm_npz_member_find(z, array);
    if (k < 0)
        return pm_fail(err, PM_EDATA,
                       "%s: expected a sparse matrix of scipy.sparse.save_npz, found no array '%s'",
                       z->name, array);
    pm_status status = pm_npz_member_open(z, k, &m, err);
    if (!status)
        status = pm_npy_head_read(&m.source, &out->head, err);
    if (!status)
        status = pm_npy_bytes(&m.source, out->head.count * out->head.size,
                              "the elements of an array", &out->bytes, err);
    if (!status)
        status = pm_npy_end(&m.source, err);
    pm_npz_member_free(&m);
    return status;
}
