/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The helper gets the number of vertices, then two vertices of each edge, from 0, and writes a line "X Y" for every
 * vertex. */
#include "config.h"

#include "io/graph_layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/text_stream.h"
#include "io/helper_process.h"
#include "pm/dyadic.h"
#include "text/number.h"
#include "text/source.h"

static const char name[] = "layout of the graph";

static pm_status send_graph(pm_helper *h, const pm_matrix *a, bool one_set, int64_t n,
                            pm_error *err)
{
    size_t length = 0;
    pm_text_stream *s = pm_text_stream_open();
    if (!s)
        return pm_fail_memory(err, name);
    FILE *f = pm_text_stream_file(s);
    fprintf(f, "%" PRId64 "\n", n);
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            if (!one_set || i < a->colind[k])
                fprintf(f, "%" PRId64 " %" PRId64 "\n", i, a->colind[k] + (one_set ? 0 : a->nrows));
    const char *text = pm_text_stream_text(s, &length);
    if (text)
        pm_helper_send(h, text, (int64_t)length);
    pm_helper_no_more(h);
    pm_text_stream_free(s);
    return text ? PM_OK : pm_fail_memory(err, name);
}

static bool read_coordinate(char **rest, double *out)
{
    char *field;
    int64_t length;
    pm_dyadic value = {0};
    if (!pm_field_next(rest, &field, &length)
        || pm_number_parse(field, length, &value) > PM_NUMBER_REAL)
        return false;
    *out = pm_dyadic_get_d(&value);
    pm_dyadic_clear(&value);
    return true;
}

static pm_status read_places(const pm_helper *h, const pm_run *run, int64_t n, double (*xy)[2],
                             pm_error *err)
{
    pm_source *s = NULL;
    pm_status status = pm_source_open_fd(h->from, name, &s, err);
    if (!status)
        pm_source_set_run(s, run);
    for (int64_t v = 0; v < n && !status; ++v) {
        char *line;
        int64_t length;
        status = pm_source_line(s, &line, &length, err);
        if (!status
            && !(line && read_coordinate(&line, &xy[v][0]) && read_coordinate(&line, &xy[v][1])))
            status =
                pm_fail_internal(err, "pm-igraph-read wrote no place for vertex %" PRId64, v + 1);
    }
    pm_source_close(&s);
    return status;
}

pm_status pm_graph_layout(const pm_matrix *a, bool one_set, const pm_run *run, double (*xy)[2],
                          pm_error *err)
{
    const int64_t n = a->nrows + (one_set ? 0 : a->ncols);
    pm_helper h = PM_HELPER_NONE;
    pm_error why;
    char note[200];
    if (n == 0)
        return PM_OK;
    if (n > PM_LAYOUT_MOST)
        return pm_fail(err, PM_UNABLE,
                       "a layout is made for up to %d vertices, and the graph has %" PRId64,
                       PM_LAYOUT_MOST, n);
    pm_status status = pm_helper_start(&h, name, "layout", err);
    if (!status) {
        status = send_graph(&h, a, one_set, n, err);
        if (!status)
            status = read_places(&h, run, n, xy, err);
        const pm_status ended = pm_helper_finish(&h, name, note, sizeof note, &why);
        /* when both failed, the message of the helper explains more */
        if (ended && (!status || status == PM_EINTERNAL))
            status = pm_fail(err, ended, "%s", why.msg);
    }
    pm_helper_free(&h);
    return status;
}
