/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "copies/vertex_classes.h"

#include "matrix/find_entry.h"
#include "matrix/same_value.h"

static bool are_equal(const pm_matrix *a, int64_t k, int64_t l)
{
    if (k == PM_NO_EDGE || l == PM_NO_EDGE)
        return k == l;
    return pm_matrix_same_value(a, k, a, l);
}

/* The first entry of row i from k on that is neither in column i nor j. */
static int64_t next_other(const pm_matrix *a, int64_t k, int64_t i, int64_t j)
{
    while (k < a->rowptr[i + 1] && (a->colind[k] == i || a->colind[k] == j))
        ++k;
    return k;
}

static bool are_copies(const pm_matrix *a, int32_t i, int32_t j)
{
    int64_t k = next_other(a, a->rowptr[i], i, j), l = next_other(a, a->rowptr[j], j, i);
    const int64_t k_end = a->rowptr[i + 1], l_end = a->rowptr[j + 1];
    if (k_end - a->rowptr[i] != l_end - a->rowptr[j]
        || !are_equal(a, pm_matrix_find(a, i, i), pm_matrix_find(a, j, j)))
        return false;
    while (k < k_end && l < l_end) {
        if (a->colind[k] != a->colind[l] || !are_equal(a, k, l))
            return false;
        k = next_other(a, k + 1, i, j);
        l = next_other(a, l + 1, j, i);
    }
    return k == k_end && l == l_end;
}

static pm_status refuse(pm_error *err)
{
    return pm_fail(err, PM_UNABLE, "repeated takes general graphs of at most %d different vertices",
                   PM_VERTEX_CLASSES_MAX);
}

/* Each vertex is a class with its copies. */
static pm_status take_classes(const pm_block *b, pm_vertex_classes *x, pm_error *err)
{
    if (b->a.nrows > PM_VERTEX_CLASSES_MAX)
        return refuse(err);
    x->count = (int32_t)b->a.nrows;
    x->loops = &b->loops;
    for (int32_t i = 0; i < x->count; ++i) {
        x->times[i] = b->row_cap[i];
        for (int32_t j = 0; j < x->count; ++j)
            x->edge[i][j] = pm_matrix_find(&b->a, i, j);
        x->loop[i] = b->loops.rowptr ? pm_matrix_find(&b->loops, i, 0) : PM_NO_EDGE;
    }
    return PM_OK;
}

/* The copies are written out. */
static pm_status find_classes(const pm_block *b, pm_vertex_classes *x, pm_error *err)
{
    int32_t first[PM_VERTEX_CLASSES_MAX], second[PM_VERTEX_CLASSES_MAX]; /* vertices of a class */
    x->loops = &b->a;
    for (int32_t v = 0; v < b->a.nrows; ++v) {
        int32_t c = 0;
        while (c < x->count && !are_copies(&b->a, first[c], v))
            ++c;
        if (c == PM_VERTEX_CLASSES_MAX)
            return refuse(err);
        if (c == x->count) {
            x->times[x->count++] = 0;
            first[c] = second[c] = v;
        }
        if (++x->times[c] == 2)
            second[c] = v;
    }
    for (int32_t i = 0; i < x->count; ++i) {
        for (int32_t j = 0; j < x->count; ++j)
            x->edge[i][j] = i == j && first[i] == second[i]
                                ? PM_NO_EDGE
                                : pm_matrix_find(&b->a, first[i], second[j]);
        x->loop[i] = pm_matrix_find(&b->a, first[i], first[i]);
    }
    return PM_OK;
}

pm_status pm_vertex_classes_find(const pm_block *b, pm_vertex_classes *out, pm_error *err)
{
    out->count = 0;
    out->total = b->n;
    out->a = &b->a;
    out->has_loops = false;
    pm_status status = b->written_out ? take_classes(b, out, err) : find_classes(b, out, err);
    for (int32_t i = 0; i < out->count && !status; ++i)
        out->has_loops |= out->loop[i] != PM_NO_EDGE;
    return status;
}
