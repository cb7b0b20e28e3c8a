/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrays/npy_head.h: the head of an array in NumPy's format NPY, versions 1.0 to 3.0
 * (numpy/lib/format.py), and where its bytes come from. */
#ifndef PM_NPY_HEAD_H
#define PM_NPY_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/field.h"
#include "pm/status.h"
#include "text/source.h"

/* Bytes, one after another. */
typedef struct {
    /* Copies the next `want` bytes; *got < want only at the end. */
    pm_status (*read)(void *context, void *to, int64_t want, int64_t *got, pm_error *err);
    void *context;
    const char *name; /* for messages */
    /* At most so many bytes follow; INT64_MAX: unknown. */
    int64_t (*most)(const void *context);
} pm_byte_source;

/* The rest of a source.  s: borrowed. */
pm_byte_source pm_byte_source_of(pm_source *s);

enum {
    PM_NPY_DIMENSIONS = 3,
    PM_NPY_TEXT_MAX = 1 << 20,             /* bytes of the dict of a head */
    PM_NPY_HEAD_MAX = 12 + PM_NPY_TEXT_MAX /* bytes of a head */
};

typedef struct {
    char kind;       /* b bool, i and u integers, f real, c complex, S and U text */
    int64_t size;    /* bytes of an element */
    bool is_swapped; /* its bytes are in the order that is not this machine's */
    bool is_fortran; /* the first index changes fastest */
    int ndim;        /* 0 to PM_NPY_DIMENSIONS */
    int64_t shape[PM_NPY_DIMENSIONS];
    int64_t count; /* elements; count * size fits an int64_t */
} pm_npy_head;

/* Reads the head; the next byte of `in` is the first one of the elements.
 * Fails: PM_EDATA no array, an unknown version, more dimensions, elements that are not of a kind above
 * (objects, records, long doubles, dates); PM_EIO, PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_npy_head_read(const pm_byte_source *in, pm_npy_head *out, pm_error *err);

/* The field of a matrix of these elements: a bool is a pattern.  Not for text. */
pm_field pm_npy_field(const pm_npy_head *head);

/* Reads the next `size` bytes of `in`.  what: as in "the array ends after 3 bytes of ...".
 * *out: freed by the caller with free().  Memory grows with what is really there.
 * Fails: PM_EDATA the input ends before. */
pm_status pm_npy_bytes(const pm_byte_source *in, int64_t size, const char *what,
                       unsigned char **out, pm_error *err);
/* Fails with PM_EDATA unless `in` is at its end. */
pm_status pm_npy_end(const pm_byte_source *in, pm_error *err);

#endif
