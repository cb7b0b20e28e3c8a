/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "arrays/npz_member.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pm_status read_member(void *context, void *to, int64_t want, int64_t *got, pm_error *err)
{
    pm_npz_member *m = context;
    (void)err;
    *got = want < m->size - m->at ? want : m->size - m->at;
    memcpy(to, m->bytes + m->at, (size_t)*got);
    m->at += *got;
    return PM_OK;
}

/* Reads the head from the bytes that are there, and compares the size of the member with it. */
static pm_status check_size(pm_npz_member *m, int64_t size, pm_error *err)
{
    pm_status status = pm_npy_head_read(&m->source, &m->head, err);
    int64_t elements = status ? 0 : m->head.count * m->head.size;
    if (!status && size - m->at != elements)
        status =
            pm_fail(err, PM_EDATA,
                    "%s: expected %" PRId64 " bytes of elements, as its shape says, found %" PRId64,
                    m->name, elements, size - m->at);
    m->at = 0;
    return status;
}

pm_status pm_npz_member_open(const pm_zip_archive *z, int64_t k, pm_npz_member *out, pm_error *err)
{
    const char *name = z->members[k].name;
    char quote[PM_QUOTE];
    snprintf(out->name, sizeof out->name, "%.500s: member %s", z->name,
             pm_quote(name, (int64_t)strlen(name), quote));
    out->source = (pm_byte_source){read_member, out, out->name};
    int64_t size = z->members[k].size;
    out->size = size < PM_NPY_HEAD_MAX ? size : PM_NPY_HEAD_MAX;
    pm_status status = pm_zip_member_bytes(z, k, out->size, &out->bytes, err);
    if (!status)
        status = check_size(out, size, err);
    if (status || out->size == size)
        return status;
    free(out->bytes);
    out->bytes = NULL;
    out->size = size;
    return pm_zip_member_bytes(z, k, size, &out->bytes, err);
}

void pm_npz_member_free(pm_npz_member *m)
{
    free(m->bytes);
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
