/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-gen/family.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/whole.h"
#include "places/place.h"
#include "pm/alloc.h"
#include "pm/dm.h"

#define ENTRY(id) &pm_family_##id,
static const pm_family *const families[] = {PM_FAMILIES(ENTRY) NULL};
enum { FAMILIES = sizeof families / sizeof *families - 1 };

const pm_family *pm_family_at(int i)
{
    return i >= 0 && i < FAMILIES ? families[i] : NULL;
}

const pm_family *pm_family_find(const char *name)
{
    for (int i = 0; i < FAMILIES; ++i)
        if (strcmp(families[i]->name, name) == 0)
            return families[i];
    return NULL;
}

pm_status pm_family_int(const pm_family_args *a, int i, int64_t low, int64_t high, int64_t *out,
                        pm_error *err)
{
    uint64_t v;
    if (!pm_whole_parse(a->word[i], strlen(a->word[i]), &v) || v > (uint64_t)high
        || (int64_t)v < low)
        return pm_fail(err, PM_EUSAGE, "%s: '%s' is not a whole number from %lld to %lld",
                       a->family->name, a->word[i], (long long)low, (long long)high);
    *out = (int64_t)v;
    return PM_OK;
}

pm_status pm_family_sides(const pm_family_args *a, int least, int64_t side[2], pm_error *err)
{
    pm_status status = PM_OK;
    for (int d = 0; d < 2 && !status; ++d) {
        status = pm_family_int(a, d, 0, PM_SIDE_MAX, &side[d], err);
        if (!status && side[d] > 0 && side[d] < least)
            status = pm_fail(err, PM_EUSAGE,
                             "%s: expected a number from %d, or 0: a side of %lld would give loops "
                             "or repeated edges",
                             a->family->name, least, (long long)side[d]);
    }
    return status;
}

pm_status pm_family_probability(const pm_family_args *a, int i, double *out, pm_error *err)
{
    char *end;
    double p = strtod(a->word[i], &end);
    if (end == a->word[i] || *end || !(p >= 0 && p <= 1))
        return pm_fail(err, PM_EUSAGE, "%s: '%s' is not a probability from 0 to 1", a->family->name,
                       a->word[i]);
    *out = p;
    return PM_OK;
}

pm_status pm_family_positive(const pm_family_args *a, int i, double *out, pm_error *err)
{
    char *end;
    double x = strtod(a->word[i], &end);
    if (end == a->word[i] || *end || !(x > 0) || isinf(x))
        return pm_fail(err, PM_EUSAGE, "%s: '%s' is not a positive number", a->family->name,
                       a->word[i]);
    *out = x;
    return PM_OK;
}

pm_status pm_family_begin(const pm_family_args *a, double nrows, double ncols, double expected,
                          pm_triples *edges, pm_error *err)
{
    if (nrows > (double)PM_SIDE_MAX || ncols > (double)PM_SIDE_MAX)
        return pm_fail(err, PM_EUSAGE, "%s: %.0f + %.0f vertices, at most %lld on a side",
                       a->family->name, nrows, ncols, (long long)PM_SIDE_MAX);
    /* the list, and the matrix built from it: row pointers, columns and a sorted copy */
    double bytes = expected * (2 * sizeof(pm_coordinates) + 4) + 8 * (nrows + ncols);
    double room = (double)pm_run_memory(NULL);
    if (bytes > room)
        return pm_fail(err, PM_UNABLE,
                       "%s: refused: %.3g edges would take %.3g bytes of memory, but %.3g are free",
                       a->family->name, expected, bytes, room);
    edges->field = PM_PATTERN;
    edges->nrows = (int64_t)nrows;
    edges->ncols = (int64_t)ncols;
    edges->count = 0;
    if (PM_GROW(edges->at, edges->cap, (int64_t)expected))
        return pm_fail_memory(err, "edges");
    return PM_OK;
}

pm_status pm_family_check_stop(const pm_family_args *a, pm_error *err)
{
    return pm_run_stopped(a->run) ? pm_fail(err, PM_ESTOPPED, "stopped") : PM_OK;
}

pm_status pm_family_edge(const pm_family_args *a, pm_triples *edges, int64_t row, int64_t col,
                         pm_error *err)
{
    enum { AMONG = 1 << 16 }; /* edges */
    if (edges->count % AMONG == 0) {
        pm_status status = pm_family_check_stop(a, err);
        if (status)
            return status;
        pm_run_progress(a->run, fmin(1, (double)edges->count / (double)edges->cap), "edges");
    }
    return pm_triples_add(edges, row, col, 0, NULL, NULL, err);
}

pm_status pm_family_place(pm_labels *labels, double x, double y, pm_error *err)
{
    char text[PM_PLACE_TEXT];
    const int length = pm_place_text((pm_place){x, y}, text);
    return pm_labels_append(labels, text, length, err);
}

pm_status pm_family_place_circle(pm_labels *labels, int64_t n, double outside, pm_error *err)
{
    const double turn = 2 * acos(-1), radius = fmax((double)n / turn, 1) + outside;
    pm_status status = PM_OK;
    for (int64_t v = 0; v < n && !status; ++v) {
        const double angle = turn * (double)v / (double)n;
        status = pm_family_place(labels, radius * sin(angle), -radius * cos(angle), err);
    }
    return status;
}

static pm_status has_perfect_matching(const pm_matrix *m, const pm_run *run, bool *yes,
                                      pm_error *err)
{
    int64_t rank = 0;
    int32_t *col_of = pm_alloc_array(m->nrows, sizeof *col_of);
    int32_t *row_of = pm_alloc_array(m->ncols, sizeof *row_of);
    pm_status status = col_of && row_of ? pm_matching_maximum(m, run, col_of, row_of, &rank, err)
                                        : pm_fail_memory(err, "matching");
    free(col_of);
    free(row_of);
    *yes = rank == m->nrows && rank == m->ncols;
    return status;
}

static pm_status draw_once(const pm_family_args *a, pm_matrix *out, pm_error *err)
{
    pm_triples edges = {0};
    pm_status status = a->family->run(a, &edges, err);
    if (!status)
        status = pm_matrix_from_triples(&edges, PM_DUPLICATES_ERROR, a->family->name, out, err);
    pm_triples_free(&edges);
    return status;
}

/* True when a family with this list of arguments takes `count` of them. */
static bool takes(const char *list, int count)
{
    int least = 0, most = 0;
    bool is_optional = false;
    for (const char *word = list; *word; word += strspn(word, " ")) {
        is_optional |= *word == '[';
        least += !is_optional;
        ++most;
        word += strcspn(word, " ");
    }
    return count >= least && (count <= most || strstr(list, "..."));
}

pm_status pm_family_generate(const pm_family_args *a, bool nonsingular, pm_matrix *out, int *draws,
                             pm_error *err)
{
    enum { MOST_DRAWS = 1000 };
    const pm_family *f = a->family;
    if (!takes(f->arguments, a->count))
        return pm_fail(err, PM_EUSAGE, "wrong number of arguments: expected 'pm-gen %s %s'",
                       f->name, f->arguments);
    for (*draws = 1; *draws <= MOST_DRAWS; ++*draws) {
        pm_matrix m = {0};
        bool good = true;
        pm_status status = draw_once(a, &m, err);
        if (!status && nonsingular)
            status = has_perfect_matching(&m, a->run, &good, err);
        if (!status)
            status = pm_family_check_stop(a, err);
        if (!status && good) {
            *out = m;
            return PM_OK;
        }
        pm_matrix_free(&m);
        if (status)
            return status;
    }
    return pm_fail(
        err, PM_UNABLE,
        "%s: none of %d random graphs has a perfect matching: more edges make one likely", f->name,
        MOST_DRAWS);
}
