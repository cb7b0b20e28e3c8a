/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file of numpy.save. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "arrays/npy_matrices.h"
#include "pm/alloc.h"

static pm_status begin(pm_source *s, void **state, pm_reading *about, pm_error *err)
{
    pm_npy_matrices *x = pm_calloc_array(1, sizeof *x);
    if (!x)
        return pm_fail_memory(err, "array");
    *state = x;
    const pm_byte_source in = pm_byte_source_of(s);
    pm_status status = pm_npy_matrices_begin(x, &in, err);
    about->one_graph = !status && x->head.ndim == 2;
    if (!status)
        pm_npy_matrices_note_none(x, about);
    return status ? status : x->count ? PM_OK : pm_npy_end(&in, err);
}

static pm_status next(pm_source *s, const pm_read_options *opt, void **state, pm_node *e,
                      pm_reading *about, pm_error *err)
{
    pm_status status = *state ? PM_OK : begin(s, state, about, err);
    if (status)
        return status;
    pm_npy_matrices *x = *state;
    if (x->done == x->count) {
        e->kind = PM_NODE_END;
        return PM_OK;
    }
    e->kind = PM_NODE_MATRIX;
    e->line = 1;
    return pm_npy_matrices_next(x, opt, &e->matrix, about, err);
}

static void close_array(void **state)
{
    if (*state)
        pm_npy_matrices_free(*state);
    free(*state);
    *state = NULL;
}

static bool sniff(const char *bytes, int64_t got)
{
    return got >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0;
}

const pm_format pm_format_npy = {.name = "npy", .sniff = sniff, .next = next, .close = close_array};
