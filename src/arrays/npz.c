/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file of numpy.savez: a zip archive of arrays, each of which is a matrix, or a batch of them, with the
 * name of the array.  A file of scipy.sparse.save_npz: one sparse matrix. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/npy_matrices.h"
#include "arrays/npz_member.h"
#include "arrays/scipy_sparse.h"
#include "pm/alloc.h"

typedef struct {
    pm_zip_archive zip;
    int64_t next; /* the member after the one that is open */
    pm_npz_member member;
    pm_npy_matrices matrices; /* of the member; count and done are 0 at first */
    bool is_sparse, ended;
} archive;

/* ---- the arrays that are wanted ---- */

/* True when the member is the array NAME.npy of a name in the list. */
static bool is_wanted(const char *member, const char *const *names)
{
    for (; names && *names; ++names) {
        size_t n = strlen(*names);
        if (strncmp(member, *names, n) == 0 && strcmp(member + n, ".npy") == 0)
            return true;
    }
    return !names;
}

/* "'a', 'b'", or the first ones and how many there are. */
static void list_arrays(const pm_zip_archive *z, char *out, size_t room)
{
    char quote[PM_QUOTE];
    size_t used = 0;
    for (int64_t k = 0; k < z->count; ++k) {
        size_t n = strlen(z->members[k].name);
        bool is_array = n >= 4 && strcmp(z->members[k].name + n - 4, ".npy") == 0;
        pm_quote(z->members[k].name, (int64_t)(is_array ? n - 4 : n), quote);
        if (used + strlen(quote) + 48 > room) {
            snprintf(out + used, room - used, ", ... (%" PRId64 " in all)", z->count);
            return;
        }
        used += (size_t)snprintf(out + used, room - used, "%s%s", k ? ", " : "", quote);
    }
}

static pm_status check_arrays(const archive *x, const char *const *names, pm_error *err)
{
    char quote[PM_QUOTE], list[600];
    if (x->is_sparse && names)
        return pm_fail(err, PM_EDATA,
                       "%s: a sparse matrix of scipy.sparse.save_npz: it is one matrix, no array "
                       "of it can be chosen",
                       x->zip.name);
    for (; names && *names; ++names)
        if (pm_npz_member_find(&x->zip, *names) < 0) {
            list_arrays(&x->zip, list, sizeof list);
            return pm_fail(err, PM_EDATA, "%s: there is no array %s in the archive: it has %s",
                           x->zip.name, pm_quote(*names, (int64_t)strlen(*names), quote), list);
        }
    return PM_OK;
}

static pm_status begin(pm_source *s, const pm_read_options *opt, void **state, pm_reading *about,
                       pm_error *err)
{
    archive *x = pm_calloc_array(1, sizeof *x);
    if (!x)
        return pm_fail_memory(err, "archive of arrays");
    *state = x;
    pm_status status = pm_zip_archive_read(s, &x->zip, err);
    if (!status && x->zip.count == 0)
        status = pm_fail(err, PM_EDATA, "%s: expected arrays, found an empty archive",
                         pm_source_name(s));
    if (!status)
        x->is_sparse = about->one_graph = pm_scipy_sparse_is(&x->zip);
    return status ? status : check_arrays(x, opt->arrays, err);
}

static pm_status refuse_dimensions(const archive *x, const char *member, pm_error *err)
{
    char quote[PM_QUOTE];
    int ndim = x->member.head.ndim;
    return pm_fail(
        err, PM_EDATA,
        "%s: the array %s has %d dimension%s: only arrays of 2 or 3 dimensions are read: "
        "save the matrices without it",
        x->zip.name, pm_quote(member, (int64_t)strlen(member) - 4, quote), ndim,
        ndim == 1 ? "" : "s");
}

static pm_status open_member(archive *x, pm_error *err)
{
    const char *name = x->zip.members[x->next].name;
    size_t n = strlen(name);
    if (n < 4 || strcmp(name + n - 4, ".npy") != 0) {
        char quote[PM_QUOTE];
        return pm_fail(err, PM_EDATA,
                       "%s: expected arrays NAME.npy, as numpy.savez writes them, found the file "
                       "%s in the archive",
                       x->zip.name, pm_quote(name, (int64_t)n, quote));
    }
    pm_npz_member_free(&x->member);
    pm_npy_matrices_free(&x->matrices);
    pm_status status = pm_npz_member_open(&x->zip, x->next++, &x->member, err);
    if (!status && x->member.head.ndim < 2)
        status = refuse_dimensions(x, name, err);
    if (!status)
        status = pm_npy_matrices_begin(&x->matrices, &x->member.source, err);
    if (!status && x->matrices.count == 0)
        status = pm_npy_end(&x->member.source, err);
    return status;
}

/* "array", or "array:3" for the third matrix of a batch; after the name of the archive and a colon, if
 * that is given. */
static char *matrix_name(const archive *x, const char *archive_name)
{
    const char *member = x->zip.members[x->next - 1].name;
    const char *before = archive_name ? archive_name : "";
    size_t n = strlen(member) - 4, room = strlen(before) + 1 + n + 24;
    char *name = pm_calloc_array((int64_t)room, 1);
    if (!name)
        return NULL;
    int used = snprintf(name, room, "%s%s%.*s", before, *before ? ":" : "", (int)n, member);
    if (x->matrices.head.ndim == 3)
        snprintf(name + used, room - (size_t)used, ":%" PRId64, x->matrices.done + 1);
    return name;
}

static pm_status next_matrix(archive *x, const pm_read_options *opt, pm_node *e, pm_reading *about,
                             pm_error *err)
{
    while (x->matrices.done == x->matrices.count) {
        while (x->next < x->zip.count && !is_wanted(x->zip.members[x->next].name, opt->arrays))
            ++x->next;
        if (x->next == x->zip.count) {
            e->kind = PM_NODE_END;
            return PM_OK;
        }
        pm_status status = open_member(x, err);
        if (status)
            return status;
        pm_npy_matrices_note_none(&x->matrices, about);
    }
    e->kind = PM_NODE_MATRIX;
    e->name = matrix_name(x, opt->archive);
    if (!e->name)
        return pm_fail_memory(err, "name of an array");
    pm_reading found = {.note = ""};
    pm_status status = pm_npy_matrices_next(&x->matrices, opt, &e->matrix, &found, err);
    const char *member = x->zip.members[x->next - 1].name;
    char quote[PM_QUOTE], which[PM_QUOTE + 16];
    pm_quote(member, (int64_t)strlen(member) - 4, quote);
    snprintf(which, sizeof which, "array %s: ", quote);
    pm_npy_matrices_note(&found, which, about);
    return status;
}

static pm_status next(pm_source *s, const pm_read_options *opt, void **state, pm_node *e,
                      pm_reading *about, pm_error *err)
{
    pm_status status = *state ? PM_OK : begin(s, opt, state, about, err);
    archive *x = *state;
    if (status)
        return status;
    e->line = 1;
    if (!x->is_sparse)
        return next_matrix(x, opt, e, about, err);
    e->kind = x->ended ? PM_NODE_END : PM_NODE_MATRIX;
    if (!x->ended)
        status = pm_scipy_sparse_read(&x->zip, opt, &e->matrix, about, err);
    x->ended = true;
    return status;
}

static void close_archive(void **state)
{
    archive *x = *state;
    if (x) {
        pm_npy_matrices_free(&x->matrices);
        pm_npz_member_free(&x->member);
        pm_zip_archive_free(&x->zip);
    }
    free(x);
    *state = NULL;
}

static bool sniff(const char *bytes, int64_t got)
{
    return got >= 4 && (memcmp(bytes, "PK\3\4", 4) == 0 || memcmp(bytes, "PK\5\6", 4) == 0);
}

const pm_format pm_format_npz = {
    .name = "npz", .sniff = sniff, .next = next, .close = close_archive, .has_arrays = true};
