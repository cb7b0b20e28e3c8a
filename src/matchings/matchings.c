/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "matchings/matchings.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "core/size.h"
#include "general/elementary.h"
#include "matchings/hub_matching.h"
#include "matchings/planar_matching.h"
#include "matchings/uniform.h"
#include "pm/alloc.h"
#include "pm/dm.h"

#define MOST_TRIES  (INT64_C(1) << 24)
#define TRIAL_STEPS (INT64_C(1) << 24) /* of one vertex: half a second */
#define FEW_STATES  0x1p24 /* bytes of states that are found and searched in milliseconds */

typedef enum { FORCED, FRONTIER, REJECTION, PLANAR } drawing_method;

typedef struct {
    drawing_method method;
    bool is_general;            /* of one set of vertices */
    int64_t n;                  /* rows, or vertices */
    const int32_t *rows, *cols; /* of the whole matrix; both are the vertices if is_general */
    pm_uniform frontier;
    pm_hub_matching rejection;
    pm_matrix block; /* that of planar */
    pm_planar_matching *planar;
} part;

struct pm_matchings {
    bool is_general;
    pm_dm dm;
    /* columns of the blocks; of a general graph the vertices of its parts, those of one side first */
    int32_t *q;
    int64_t nparts;
    part *parts;
    int32_t *col_of; /* of one block */
    void *scratch;
};

/* ---- making ---- */

static char *aligned(char *room)
{
    return room + (64 - (uintptr_t)room % 64) % 64;
}

/* Tests by an extra sample whether rejection finds a matching soon. */
static pm_status try_rejection(const part *p, const pm_run *run, bool *is_quick, pm_error *err)
{
    char *room = pm_alloc_array((int64_t)p->rejection.scratch + 64, 1);
    int32_t *col_of = pm_alloc_array(p->n, sizeof *col_of);
    pm_status status = room && col_of ? PM_OK : pm_fail_memory(err, "a matching");
    if (!status) {
        int64_t most = TRIAL_STEPS / p->n + 1;
        *is_quick =
            pm_hub_matching_draw(&p->rejection, aligned(room), UINT64_MAX, most, run, col_of);
        if (!*is_quick && pm_run_stopped(run))
            status = pm_fail(err, PM_ESTOPPED, "stopped");
    }
    free(room);
    free(col_of);
    return status;
}

/* Moves *block to *p if determinants draw it. */
static pm_status try_planar(pm_matrix *block, uint64_t seed, int64_t index, const pm_run *run,
                            part *p, pm_error *err)
{
    p->block = *block;
    *block = (pm_matrix){0};
    pm_status status = pm_planar_matching_make(&p->block, p->is_general, seed, (uint32_t)index, run,
                                               &p->planar, err);
    if (status) {
        *block = p->block;
        p->block = (pm_matrix){0};
    }
    return status;
}

/* Tries rejection for a block; *is_quick: whether it found a matching soon. */
static pm_status make_rejection(const pm_matrix *block, uint64_t seed, int64_t index,
                                const pm_run *run, part *p, bool *is_quick, pm_error *err)
{
    pm_status status = pm_hub_matching_make(block, seed, (uint32_t)index, &p->rejection, err);
    return status ? status : try_rejection(p, run, is_quick, err);
}

static void note_choice(const part *p, double bytes, bool is_quick, const pm_run *run)
{
    static const char *const by[] = {
        [FRONTIER] = "the frontier", [REJECTION] = "rejection", [PLANAR] = "determinants"};
    pm_run_note(run, 1,
                "block of n = %" PRId64
                ": matchings are drawn by %s; the states of the frontier would take %s",
                p->n, by[p->method], pm_size(bytes).s);
    if (p->method == REJECTION && !is_quick)
        pm_run_note(run, 0,
                    "block of n = %" PRId64 ": none of %" PRId64
                    " tries found a perfect matching: each may take long, or be given up",
                    p->n, TRIAL_STEPS / p->n + 1);
}

/* Chooses in this order: the frontier method when its predicted states are few and fit; determinants when the block is
 * planar or on a torus; the frontier method when its predicted states fit; rejection when it is fast; the frontier
 * method as far as memory allows, because fewer states may be reached than predicted; rejection, even when it is
 * slow. */
static pm_status make_part(pm_matrix *block, uint64_t seed, int64_t index, const pm_run *run,
                           part *p, pm_error *err)
{
    pm_error frontier, why = {.msg = "determinants were not tried"},
                       rejection = {.msg = "rejection was not tried"};
    double bytes = INFINITY;
    bool is_quick = false;
    if (p->n == 1)
        return PM_OK;
    pm_status by_states =
        pm_uniform_plan(block, seed, (uint32_t)index, run, &p->frontier, &bytes, &frontier);
    pm_status by_tries = PM_UNABLE;
    const bool is_planned = by_states == PM_OK, fits = bytes <= (double)pm_run_memory(run);
    if ((bytes > FEW_STATES || !fits) && (is_planned || by_states == PM_UNABLE)) {
        const pm_status planar = try_planar(block, seed, index, run, p, &why);
        if (planar == PM_OK) {
            pm_uniform_free(&p->frontier);
            p->method = PLANAR;
            note_choice(p, bytes, false, run);
            return PM_OK;
        }
        if (planar != PM_UNABLE)
            return pm_fail(err, planar, "%s", why.msg);
    }
    if (!fits && (is_planned || by_states == PM_UNABLE)) {
        by_tries = make_rejection(block, seed, index, run, p, &is_quick, &rejection);
        if (by_tries != PM_OK && by_tries != PM_UNABLE)
            return pm_fail(err, by_tries, "%s", rejection.msg);
    }
    if (is_planned && !is_quick)
        by_states = pm_uniform_fill(&p->frontier, run, &frontier);
    if (by_states != PM_OK && by_states != PM_UNABLE)
        return pm_fail(err, by_states, "%s", frontier.msg);
    if (by_states == PM_UNABLE && by_tries == PM_UNABLE)
        return pm_fail(err, by_states, "%s; %s; and %s", frontier.msg, why.msg, rejection.msg);
    p->method = is_quick || by_states != PM_OK ? REJECTION : FRONTIER;
    if (p->method == REJECTION)
        pm_uniform_free(&p->frontier);
    note_choice(p, bytes, is_quick, run);
    return PM_OK;
}

static pm_status make_parts(const pm_matrix *a, uint64_t seed, const pm_run *run, pm_matchings *m,
                            pm_error *err)
{
    pm_dm_cut cut;
    pm_status status = pm_dm_cut_open(a, &m->dm, &cut, err);
    if (status)
        return status;
    for (int64_t b = 0; b < m->dm.nblocks && !status; ++b) {
        pm_matrix block = {0};
        part *p = &m->parts[m->nparts];
        p->n = m->dm.r[b + 1] - m->dm.r[b];
        p->rows = m->dm.p + m->dm.r[b];
        p->cols = m->q + m->dm.s[b];
        status = pm_dm_cut_block(&cut, b, &block, err);
        if (!status)
            status = make_part(&block, seed, b, run, p, err);
        ++m->nparts;
        pm_matrix_free(&block);
    }
    for (int64_t j = 0; j < a->ncols; ++j)
        m->q[j] = cut.q[j];
    pm_dm_cut_close(&cut);
    return status;
}

/* ---- graphs on one set of vertices ---- */

/* The vertices of part c, those of the left side first if it is bipartite; returns how many these are, or all of
 * them. */
static int64_t list_vertices(const pm_elementary *x, int64_t c, bool is_general, int32_t *out)
{
    const int32_t *list = x->vertex + x->start[c];
    const int64_t size = x->start[c + 1] - x->start[c];
    int64_t count = 0;
    for (int is_right = 0; is_right < 2; ++is_right)
        for (int64_t i = 0; i < size; ++i)
            if (is_general ? is_right == 0 : x->is_right[list[i]] == is_right)
                out[count++] = list[i];
    return is_general ? size : size / 2;
}

/* Only determinants draw a part with odd cycles. */
static pm_status make_general_part(pm_matrix *block, uint64_t seed, int64_t index,
                                   const pm_run *run, part *p, pm_error *err)
{
    pm_error why;
    pm_status status = try_planar(block, seed, index, run, p, &why);
    p->method = PLANAR;
    if (status == PM_UNABLE)
        return pm_fail(err, status,
                       "a part of %" PRId64
                       " vertices has odd cycles: of such parts only planar ones, and recognised "
                       "lattices on a torus, are drawn: %s",
                       p->n, why.msg);
    return status ? pm_fail(err, status, "%s", why.msg) : PM_OK;
}

static pm_status make_elementary_parts(const pm_matrix *a, const pm_elementary *x, uint64_t seed,
                                       const pm_run *run, pm_matchings *m, pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t c = 0; c < x->count && !status; ++c) {
        pm_matrix block = {0};
        part *p = &m->parts[m->nparts];
        int32_t *vertices = m->q + x->start[c];
        status = pm_elementary_part(x, a, c, &block, &p->is_general, err);
        if (status)
            return status;
        ++m->nparts;
        p->n = list_vertices(x, c, p->is_general, vertices);
        p->rows = vertices;
        p->cols = p->is_general ? vertices : vertices + p->n;
        status = (p->is_general ? make_general_part : make_part)(&block, seed, c, run, p, err);
        pm_matrix_free(&block);
    }
    return status;
}

static pm_status make_general(const pm_matrix *a, uint64_t seed, const pm_run *run, pm_matchings *m,
                              pm_error *err)
{
    pm_elementary x = {0};
    pm_status status = pm_elementary_find(a, run, &x, err);
    if (!status) {
        m->parts = pm_calloc_array(x.count, sizeof *m->parts);
        if (!m->parts)
            status = pm_fail_memory(err, "matchings");
    }
    if (!status)
        status = make_elementary_parts(a, &x, seed, run, m, err);
    pm_elementary_free(&x);
    return status;
}

/* ---- all ---- */

static pm_status make_room(pm_matchings *m, pm_error *err)
{
    size_t scratch = 64;
    for (int64_t i = 0; i < m->nparts; ++i)
        if (m->parts[i].method == REJECTION && m->parts[i].rejection.scratch > scratch)
            scratch = m->parts[i].rejection.scratch;
    m->scratch = pm_alloc_array((int64_t)scratch + 64, 1);
    return m->scratch ? PM_OK : pm_fail_memory(err, "a matching");
}

static pm_status check_entries(const pm_matrix *a, pm_error *err)
{
    if (a->field == PM_COMPLEX)
        return pm_fail(err, PM_UNABLE,
                       "expected real weights to draw matchings, found complex ones");
    for (int64_t k = 0; a->re && k < pm_matrix_nnz(a); ++k)
        if (pm_dyadic_sign(&a->re[k]) < 0)
            return pm_fail(err, PM_UNABLE,
                           "expected weights that are not negative to draw matchings");
    return PM_OK;
}

static pm_status make_bipartite(const pm_matrix *a, uint64_t seed, const pm_run *run,
                                pm_matchings *m, pm_error *err)
{
    pm_status status = pm_dm_decompose(a, NULL, &m->dm, err);
    if (status)
        return status;
    m->parts = pm_calloc_array(m->dm.nblocks, sizeof *m->parts);
    return m->parts ? make_parts(a, seed, run, m, err) : pm_fail_memory(err, "matchings");
}

pm_status pm_matchings_make(const pm_matrix *a, bool is_general, uint64_t seed, const pm_run *run,
                            pm_matchings **out, pm_error *err)
{
    pm_status status = check_entries(a, err);
    if (status)
        return status;
    pm_matchings *m = pm_calloc_array(1, sizeof *m);
    if (!m)
        return pm_fail_memory(err, "matchings");
    m->is_general = is_general;
    m->q = pm_alloc_array(a->ncols, sizeof *m->q);
    m->col_of = pm_alloc_array(a->nrows, sizeof *m->col_of);
    if (!m->q || !m->col_of)
        status = pm_fail_memory(err, "matchings");
    if (!status)
        status = (is_general ? make_general : make_bipartite)(a, seed, run, m, err);
    if (!status)
        status = make_room(m, err);
    if (!status)
        *out = m;
    else
        pm_matchings_free(m);
    return status;
}

double pm_matchings_total_variation(const pm_matchings *m)
{
    double bound = 0;
    for (int64_t i = 0; i < m->nparts; ++i)
        bound += m->parts[i].method == FRONTIER ? pm_uniform_total_variation(&m->parts[i].frontier)
                 : m->parts[i].method == REJECTION ? (double)m->parts[i].n * 0x1p-34
                                                   : 0;
    return bound < 1 ? bound : 1;
}

void pm_matchings_free(pm_matchings *m)
{
    if (!m)
        return;
    for (int64_t i = 0; i < m->nparts; ++i) {
        pm_uniform_free(&m->parts[i].frontier);
        pm_hub_matching_free(&m->parts[i].rejection);
        pm_planar_matching_free(m->parts[i].planar);
        pm_matrix_free(&m->parts[i].block);
    }
    pm_dm_free(&m->dm);
    free(m->parts);
    free(m->q);
    free(m->col_of);
    free(m->scratch);
    free(m);
}

/* ---- drawing ---- */

static pm_status reject(const part *p, void *scratch, uint64_t sample, const pm_run *run,
                        int32_t *col_of, pm_error *err)
{
    int64_t most = (INT64_C(1) << 31) / p->n;
    void *at = aligned(scratch);
    most = most < MOST_TRIES ? most : MOST_TRIES;
    if (pm_hub_matching_draw(&p->rejection, at, sample, most, run, col_of) > 0)
        return PM_OK;
    if (pm_run_stopped(run))
        return pm_fail(err, PM_ESTOPPED, "stopped");
    return pm_fail(err, PM_UNABLE,
                   "refused: none of %" PRId64
                   " tries found a perfect matching in a block of n = %" PRId64
                   ": these are too rare for rejection",
                   most, p->n);
}

pm_status pm_matchings_draw(pm_matchings *m, uint64_t sample, const pm_run *run, int32_t *col_of,
                            pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t i = 0; i < m->nparts && !status; ++i) {
        const part *p = &m->parts[i];
        if (p->method == FORCED)
            m->col_of[0] = 0;
        else if (p->method == FRONTIER)
            pm_uniform_draw(&p->frontier, sample, m->col_of);
        else if (p->method == PLANAR)
            status = pm_planar_matching_draw(p->planar, sample, run, m->col_of, err);
        else
            status = reject(p, m->scratch, sample, run, m->col_of, err);
        for (int64_t k = 0; k < p->n && !status; ++k) {
            col_of[p->rows[k]] = p->cols[m->col_of[k]];
            if (m->is_general)
                col_of[p->cols[m->col_of[k]]] = p->rows[k];
        }
    }
    return status;
}
