/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table 5 of "SUperman" 2026: into how many submatrices, of which mean size, a matrix falls by the
 * Dulmage-Mendelsohn decomposition, by the expansions of Forbert and Marx until n = 30, and by
 * both; theirs beside ours, for the matrices of that table in $PM_DATA/suitesparse.
 *
 *   blocks:     fully indecomposable blocks
 *   expansions: degrees 1 to 4, blocks not split
 *   both:       split after each expansion
 *   twins:      both, and proportional lines merged: what pm-decompose does
 *
 * In all of ours, terms that are equal up to the order of their lines are one. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "pm/alloc.h"
#include "pm/dm.h"
#include "pm/expand.h"
#include "pm/io.h"

/* ---- theirs ---- */

/* Submatrices and their mean size; 0 of them: stack overflow. */
typedef struct {
    double n, nnz, count;
} outcome;

typedef struct {
    const char *name;
    outcome blocks, expansions, both;
} published;

static const published table5[] = {
    {"bcspwr02", {49, 167, 1}, {30, 110, 1}, {30, 110, 1}},
    {"d_ss", {53, 144, 1}, {30, 94, 1}, {30, 94, 1}},
    {"curtis54", {54, 291, 1}, {30, 164.59, 143219}, {30, 164.59, 143219}},
    {"will57", {57, 281, 1}, {30, 150.89, 6834}, {30, 150.89, 6834}},
    {"impcol_b", {3.1, 11.26, 19}, {30, 174, 1}, {2.52, 10.1, 19}},
    {"dwt_59", {59, 267, 1}, {30, 137.56, 162192}, {30, 137.56, 162192}},
    {"bfwb62", {31, 171, 2}, {0, 0, 0}, {29.66, 181.44, 9}},
    {"ww_36_pmec_36", {6, 107.63, 11}, {30, 872, 1}, {3.63, 80.18, 11}},
    {"west0067", {33.5, 146.5, 2}, {30, 135.25, 3291509}, {30, 134.23, 2533556}},
    {"CAG_mat72", {12, 128.5, 6}, {32.63, 479.15, 596728}, {12, 128.5, 6}},
    {"steam3", {3.8, 14, 21}, {30, 143.04, 88}, {23.55, 111.62, 90}},
};

/* ---- ours ---- */

/* Returns whether the matrix is there. */
static bool read_matrix(const char *name, pm_matrix *out)
{
    char path[4096];
    pm_error err;
    pm_reader *r = NULL;
    pm_node e;
    const pm_read_options plain = {0};
    const char *data = getenv("PM_DATA");
    snprintf(path, sizeof path, "%s/suitesparse/%s.mtx", data ? data : "", name);
    pm_status s = pm_reader_open(path, &plain, &r, &err);
    if (s == PM_ENOINPUT)
        return false;
    must(s, &err);
    pm_node_init(&e);
    must(pm_reader_next(r, &e, &err), &err);
    *out = e.matrix;
    e.matrix = (pm_matrix){0};
    pm_node_clear(&e);
    pm_reader_close(&r);
    return true;
}

static outcome count_blocks(const pm_matrix *a)
{
    pm_error err;
    pm_dm d;
    int64_t *nnz, total = 0;
    must(pm_dm_decompose(a, NULL, &d, &err), &err);
    must(pm_dm_count_entries(a, &d, &nnz, &err), &err);
    for (int64_t b = 0; b < d.nblocks; ++b)
        total += nnz[b];
    double count = (double)d.nblocks;
    free(nnz);
    pm_dm_free(&d);
    return (outcome){(double)a->nrows / count, (double)total / count, count};
}

static pm_status add_leaf(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    outcome *x = context;
    (void)at;
    (void)err;
    if (node->kind == PM_NODE_MATRIX) {
        x->n += (double)node->matrix.nrows;
        x->nnz += (double)pm_matrix_nnz(&node->matrix);
        ++x->count;
    }
    return PM_OK;
}

static outcome expand(const pm_matrix *a, bool blocks, bool twins)
{
    pm_error err;
    pm_expand_options opt = pm_expand_defaults();
    outcome x = {0};
    static const pm_visitor visitor = {.leaf = add_leaf};
    opt.reduce.blocks = blocks;
    opt.reduce.twins = twins;
    opt.until_n = 30;
    opt.max_terms = 100000000;
    must(pm_expand(a, &opt, NULL, &visitor, &x, &err), &err);
    if (x.count > 0) {
        x.n /= x.count;
        x.nnz /= x.count;
    }
    return x;
}

/* ---- the table ---- */

static void print_theirs(const outcome *x)
{
    if (x->count > 0)
        printf("\t%.0f\t%.4g\t%.5g", x->count, x->n, x->nnz);
    else
        printf("\t-\t-\t-");
}

static void print_row(const char *name, const char *how, const outcome *theirs, const outcome *ours,
                      double seconds)
{
    printf("%s\t%s", name, how);
    print_theirs(theirs);
    printf("\t%.0f\t%.4g\t%.5g\t%.3f\n", ours->count, ours->n, ours->nnz, seconds);
}

static void compare(const published *p, const pm_matrix *a)
{
    double start = processor_seconds();
    outcome ours = count_blocks(a);
    print_row(p->name, "blocks", &p->blocks, &ours, processor_seconds() - start);
    const struct {
        const char *how;
        const outcome *theirs;
        bool blocks, twins;
    } ways[] = {
        {"expansions", &p->expansions, false, false},
        {"both", &p->both, true, false},
        {"twins", &p->both, true, true},
    };
    for (int k = 0; k < 3; ++k) {
        start = processor_seconds();
        ours = expand(a, ways[k].blocks, ways[k].twins);
        print_row(p->name, ways[k].how, ways[k].theirs, &ours, processor_seconds() - start);
        fflush(stdout);
    }
}

int main(void)
{
    bench_start();
    printf(
        "# bench_decompose: submatrices, mean n and mean nnz in Table 5, and here; CPU seconds\n");
    printf("# name\thow\ttheirs\tn\tnnz\tours\tn\tnnz\tseconds\n");
    for (size_t k = 0; k < sizeof table5 / sizeof *table5; ++k) {
        pm_matrix a = {0};
        if (read_matrix(table5[k].name, &a))
            compare(&table5[k], &a);
        else
            printf("# %s: not in $PM_DATA/suitesparse\n", table5[k].name);
        pm_matrix_free(&a);
    }
    return 0;
}
