/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h> /* before gmp.h, for mpz_out_str */
#include <stdlib.h>
#include <string.h>

#include "io/formats.h"
#include "io/put.h"
#include "io/vertex_loops.h"
#include "matrix/symmetric.h"
#include "pm/alloc.h"
#include "pm/io.h"
#include "text/escape.h"

struct pm_writer {
    FILE *f;
    pm_groups groups; /* no frames */
    /* The last node is a number.  The next one needs a factor line: otherwise the number would be
     * read as its factor. */
    bool after_number;
    int version;         /* that has been announced */
    int64_t exact_depth; /* of the outermost open group with a line "exact", from 1; 0: none */
    pm_put_style reals;
    int64_t count; /* of nodes */
};

pm_status pm_writer_open(FILE *f, const char *made_by, pm_writer **out, pm_error *err)
{
    pm_status status = PM_OK;
    char *text = NULL;
    pm_writer *w = pm_calloc_array(1, sizeof *w);
    if (!w || (made_by && !(text = pm_escape_text(made_by)))) {
        status = pm_fail_memory(err, "a stream");
        goto done;
    }
    w->f = f;
    w->version = 1;
    w->reals = PM_PUT_NUMBER;
    fputs("%pm: stream 1\n", f);
    if (text)
        fprintf(f, "%%pm: made-by %s\n", text);
    status = pm_put_check(f, err);
    if (status)
        goto done;
    *out = w;
    w = NULL;
done:
    free(w);
    free(text);
    return status;
}

void pm_writer_set_exact(pm_writer *w)
{
    w->reals = PM_PUT_ITSELF;
}

/* ---- numbers ---- */

static void put_fraction(FILE *f, const mpq_t q)
{
    mpz_out_str(f, 10, mpq_numref(q));
    if (mpz_cmp_ui(mpq_denref(q), 1) != 0) {
        putc('/', f);
        mpz_out_str(f, 10, mpq_denref(q));
    }
}

static void put_factor(FILE *f, const pm_node *e)
{
    fputs("%pm: factor ", f);
    if (e->factor_field == PM_REAL)
        pm_put_hex(f, e->factor.re, 0);
    else
        put_fraction(f, e->factor.re);
    if (e->factor_field == PM_COMPLEX) {
        putc(' ', f);
        put_fraction(f, e->factor.im);
    }
    putc('\n', f);
}

static bool has_factor(const pm_node *e)
{
    return e->factor_field > PM_INTEGER || !pm_fraction_is_one(&e->factor);
}

/* ---- nodes ---- */

static bool name_fits_head(const char *text)
{
    return text && strlen("%pm: name ") + strlen(text) <= PM_STREAM_LINE_MAX;
}

/* Writes the lines before a banner or before begin, or the lines of a number.  name: escaped. */
static void put_prefix(const pm_writer *w, const pm_node *e, const char *name)
{
    if (e->numbers)
        fprintf(w->f, "%%pm: exact %s\n", pm_numbers_name(e->numbers));
    if (e->kind == PM_NODE_NUMBER || w->after_number || has_factor(e))
        put_factor(w->f, e);
    if (mpz_cmp_ui(e->times, 1) != 0) {
        fputs("%pm: times ", w->f);
        mpz_out_str(w->f, 10, e->times);
        putc('\n', w->f);
    }
    if (name)
        fprintf(w->f, "%%pm: name %s\n", name);
}

typedef struct {
    const pm_node *e;
    const char *name;
    pm_put_style reals;
} head;

enum { TIMES_ON_LINE = 20 };

static void put_repeats(FILE *f, const char *word, const int64_t *times, int64_t count)
{
    for (int64_t i = 0; times && i < count; ++i) {
        if (i % TIMES_ON_LINE == 0)
            fprintf(f, "%s%%pm: %s", i ? "\n" : "", word);
        fprintf(f, " %" PRId64, times[i]);
    }
    if (times && count > 0)
        putc('\n', f);
}

/* Where vertices have copies, the diagonal of the matrix joins these. */
static bool has_loops(const pm_node *e)
{
    return e->row_times ? e->loops.rowptr != NULL : pm_matrix_has_diagonal(&e->matrix);
}

static pm_status put_head(FILE *f, const void *context, pm_error *err)
{
    const head *h = context;
    const pm_node *e = h->e;
    const bool has_copies = e->general && e->row_times;
    pm_status status = PM_OK;
    if (e->general)
        fprintf(f, "%%pm: graph%s\n", has_loops(e) ? " loops" : "");
    if (e->matchings)
        fprintf(f, "%%pm: count %s\n", pm_matching_kind_name(e->matchings));
    if (h->name)
        fprintf(f, "%%pm: name %s\n", h->name);
    put_repeats(f, has_copies ? "vertex-times" : "row-times", e->row_times, e->matrix.nrows);
    put_repeats(f, "col-times", e->col_times, e->matrix.ncols);
    if (has_copies && has_loops(e))
        status = pm_vertex_loops_put(f, &e->loops,
                                     h->reals == PM_PUT_NUMBER ? PM_PUT_REAL : h->reals, err);
    if (e->order)
        pm_put_order(f, e->order, e->order_len, e->matrix.nrows);
    return status;
}

/* The node has neither an order nor repetitions; its labels have no meaning. */
static pm_status put_period(const pm_writer *w, const pm_node *e, pm_put_style reals, pm_error *err)
{
    const pm_matrix *const all[] = {&e->matrix, &e->period->next, &e->period->before};
    pm_status status = PM_OK;
    fprintf(w->f, "%%pm: begin %s %" PRId64 "\n", e->period->is_ring ? "ring" : "strip",
            e->period->length);
    for (int k = 0; k < 3 && !status; ++k)
        status = pm_put_mtx(w->f, all[k], reals, NULL, NULL, err);
    fputs("%pm: end\n", w->f);
    return status;
}

static pm_status put_node(pm_writer *w, const pm_node *e, const char *name, pm_error *err)
{
    if (pm_groups_check(&w->groups, e->kind) == PM_NESTING_TOO_DEEP)
        return pm_fail(err, PM_UNABLE, "expected groups at most %d deep for a pm stream",
                       (int)PM_DEPTH_MAX);
    pm_status status = pm_node_opens_group(e) ? pm_groups_open(&w->groups, err) : PM_OK;
    if (status)
        return status;
    /* a name in the head stays with a matrix that is cut out of the stream */
    const bool is_new = e->general || e->matchings || e->period || e->row_times || e->col_times;
    const int version = e->numbers ? 3 : is_new ? 2 : 1;
    if (version > w->version) {
        fprintf(w->f, "%%pm: stream %d\n", version);
        w->version = version;
    }
    bool in_head = e->kind == PM_NODE_MATRIX && !e->period && name_fits_head(name);
    put_prefix(w, e, in_head ? NULL : name);
    w->after_number = e->kind == PM_NODE_NUMBER;
    if (pm_node_opens_group(e))
        fprintf(w->f, "%%pm: begin %s\n", e->kind == PM_NODE_SUM ? "sum" : "product");
    if (pm_node_opens_group(e) && e->numbers && !w->exact_depth)
        w->exact_depth = w->groups.depth;
    if (e->kind != PM_NODE_MATRIX)
        return PM_OK;
    head h = {e, in_head ? name : NULL, e->numbers || w->exact_depth ? PM_PUT_EXACT : w->reals};
    if (e->period)
        return put_period(w, e, h.reals, err);
    return e->general ? pm_put_mtx_symmetric(w->f, &e->matrix, h.reals, put_head, &h, err)
                      : pm_put_mtx(w->f, &e->matrix, h.reals, put_head, &h, err);
}

pm_status pm_writer_put(pm_writer *w, const pm_node *e, pm_error *err)
{
    assert(e->kind != PM_NODE_END && mpz_sgn(e->times) >= 0);
    ++w->count;
    if (e->kind == PM_NODE_CLOSE) {
        assert(pm_groups_check(&w->groups, e->kind) == PM_NESTING_GOOD);
        pm_groups_close(&w->groups);
        if (w->groups.depth < w->exact_depth)
            w->exact_depth = 0;
        w->after_number = false;
        fputs("%pm: end\n", w->f);
        return pm_put_check(w->f, err);
    }
    char *name = NULL;
    if (e->name && !(name = pm_escape_text(e->name)))
        return pm_fail_memory(err, "a name");
    pm_status status = put_node(w, e, name, err);
    free(name);
    return status ? status : pm_put_check(w->f, err);
}

int64_t pm_writer_count(const pm_writer *w)
{
    return w->count;
}

bool pm_writer_put_end(FILE *f)
{
    return fputs("%pm: eof\n", f) >= 0;
}

pm_status pm_writer_close(pm_writer **w, pm_error *err)
{
    assert(pm_groups_check(&(*w)->groups, PM_NODE_END) == PM_NESTING_GOOD);
    pm_writer_put_end((*w)->f);
    pm_status status = pm_put_flush((*w)->f, err);
    pm_writer_drop(w);
    return status;
}

void pm_writer_drop(pm_writer **w)
{
    if (*w)
        pm_groups_free(&(*w)->groups);
    free(*w);
    *w = NULL;
}
