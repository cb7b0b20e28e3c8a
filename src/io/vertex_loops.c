/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/vertex_loops.h"

#include <inttypes.h>
#include <string.h>

#include "core/text_stream.h"
#include "io/formats.h"
#include "io/put.h"
#include "matrix/find_entry.h"

/* ---- a node ---- */

/* Appends an entry to the only column of the loops. */
static void add_loop(pm_matrix *loops, int64_t at, const pm_dyadic *re, const pm_dyadic *im)
{
    loops->colind[at] = 0;
    if (loops->re)
        pm_dyadic_set(&loops->re[at], re);
    if (loops->im)
        pm_dyadic_set(&loops->im[at], im);
}

pm_status pm_vertex_loops_set(pm_node *node, const pm_scalar *loop, int64_t step, pm_error *err)
{
    const int64_t n = node->matrix.nrows;
    int64_t at = 0;
    pm_status status = PM_OK;
    for (int64_t v = 0; v < n && !status; ++v)
        status = pm_matrix_widen(&node->matrix, pm_scalar_narrowest(&loop[v * step]), err);
    if (!status)
        status = pm_matrix_alloc(&node->loops, node->matrix.field, n, 1, n, err);
    for (int64_t v = 0; v < n && !status; ++v) {
        const pm_scalar *x = &loop[v * step];
        if (!pm_scalar_is_zero(x))
            add_loop(&node->loops, at++, &x->re, &x->im);
        node->loops.rowptr[v + 1] = at;
    }
    return status;
}

pm_status pm_vertex_loops_diagonal(pm_node *node, pm_error *err)
{
    const pm_matrix *a = &node->matrix;
    pm_matrix *loops = &node->loops;
    int64_t at = 0;
    pm_status status = pm_matrix_alloc(loops, a->field, a->nrows, 1, a->nrows, err);
    for (int64_t v = 0; v < a->nrows && !status; ++v) {
        const int64_t k = pm_matrix_find(a, v, v);
        if (k >= 0)
            add_loop(loops, at++, a->re ? &a->re[k] : NULL, a->im ? &a->im[k] : NULL);
        loops->rowptr[v + 1] = at;
    }
    return status;
}

/* ---- lines ---- */

#define BEGIN "%pm: vertex-loops"

/* A sum with roots of unity, and the imaginary part behind it. */
static pm_status put_roots(FILE *f, const pm_dyadic *re, const pm_dyadic *im, pm_put_style style,
                           pm_error *err)
{
    pm_status status = pm_put_value(f, re, style, err);
    if (status || pm_dyadic_is_zero(im))
        return status;
    if (pm_dyadic_sign(im) > 0)
        putc('+', f);
    status = pm_put_value(f, im, style, err);
    putc('i', f);
    return status;
}

static pm_status put_loop(FILE *f, const pm_matrix *loops, int64_t k, pm_put_style reals,
                          pm_error *err)
{
    const pm_put_style style = loops->field == PM_INTEGER ? PM_PUT_INTEGER : reals;
    if (!loops->re) {
        putc('1', f);
        return PM_OK;
    }
    if (!loops->im)
        return pm_put_value(f, &loops->re[k], style, err);
    if (loops->re[k].kind == PM_DYADIC_ROOTS)
        return put_roots(f, &loops->re[k], &loops->im[k], style, err);
    putc('(', f);
    pm_status status = pm_put_value(f, &loops->re[k], style, err);
    putc(',', f);
    if (!status)
        status = pm_put_value(f, &loops->im[k], style, err);
    putc(')', f);
    return status;
}

/* The text of the loop of a vertex, or 0; it stays the stream's. */
static pm_status loop_text(const pm_matrix *loops, int64_t v, pm_put_style reals, pm_text_stream *s,
                           const char **out, pm_error *err)
{
    size_t length;
    pm_status status = PM_OK;
    pm_text_stream_empty(s);
    if (loops->rowptr[v] < loops->rowptr[v + 1])
        status = put_loop(pm_text_stream_file(s), loops, loops->rowptr[v], reals, err);
    else
        putc('0', pm_text_stream_file(s));
    *out = pm_text_stream_text(s, &length);
    if (!status && !*out)
        status = pm_fail_memory(err, "a loop");
    if (!status && strlen(BEGIN) + 1 + length > PM_STREAM_LINE_MAX)
        status =
            pm_fail(err, PM_UNABLE,
                    "the loop of vertex %" PRId64 " has too many digits for a pm stream", v + 1);
    return status;
}

pm_status pm_vertex_loops_put(FILE *f, const pm_matrix *loops, pm_put_style reals, pm_error *err)
{
    const char *text;
    size_t length = PM_STREAM_LINE_MAX; /* of this line */
    pm_status status = PM_OK;
    pm_text_stream *s = pm_text_stream_open();
    if (!s)
        return pm_fail_memory(err, "loops");
    for (int64_t v = 0; v < loops->nrows && !status; ++v) {
        status = loop_text(loops, v, reals, s, &text, err);
        if (status)
            break;
        const size_t more = 1 + strlen(text);
        if (length + more > PM_STREAM_LINE_MAX) {
            fprintf(f, "%s%s", v ? "\n" : "", BEGIN);
            length = strlen(BEGIN);
        }
        fprintf(f, " %s", text);
        length += more;
    }
    if (loops->nrows)
        putc('\n', f);
    pm_text_stream_free(s);
    return status;
}
