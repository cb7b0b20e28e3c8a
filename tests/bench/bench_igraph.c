/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading of edge lists by igraph itself, beside bench_reading: seconds and bytes a second.
 *
 *   bench_igraph FILE...
 *
 * The files have lines of two integers, and perhaps comments before them.  The labels become vertices of one set, which is all
 * that this format of igraph has.  The best of three, with the graph built in memory. */
#include "config.h"

#include <igraph.h>
#include <math.h>
#include <sys/stat.h>

#include "bench.h"

enum { ROUNDS = 3 };

static pm_error err;

/* Comments at the beginning are no part of igraph's format. */
static void skip_comments(FILE *f)
{
    int c = getc(f);
    for (; c == '#' || c == '%'; c = getc(f))
        while (c != '\n' && c != EOF)
            c = getc(f);
    ungetc(c, f);
}

static double read_list(const char *file, igraph_integer_t *edges)
{
    igraph_t graph;
    const double begun = wall_seconds();
    FILE *f = fopen(file, "r");
    if (!f)
        must(pm_fail(&err, PM_ENOINPUT, "%s: cannot open", file), &err);
    skip_comments(f);
    if (igraph_read_graph_edgelist(&graph, f, 0, IGRAPH_UNDIRECTED) != IGRAPH_SUCCESS)
        must(pm_fail(&err, PM_EDATA, "%s: igraph cannot read it", file), &err);
    const double seconds = wall_seconds() - begun;
    *edges = igraph_ecount(&graph);
    igraph_destroy(&graph);
    fclose(f);
    return seconds;
}

int main(int argc, char **argv)
{
    bench_start();
    igraph_set_error_handler(igraph_error_handler_printignore);
    for (int i = 1; i < argc; ++i) {
        struct stat meta;
        igraph_integer_t edges = 0;
        double least = INFINITY;
        if (stat(argv[i], &meta) != 0)
            must(pm_fail(&err, PM_ENOINPUT, "%s: cannot open", argv[i]), &err);
        for (int k = 0; k < ROUNDS; ++k)
            least = fmin(least, read_list(argv[i], &edges));
        printf("%s: igraph %s: %lld edges, %.3f s, %.1f MB/s\n", argv[i], IGRAPH_VERSION,
               (long long)edges, least, 1e-6 * (double)meta.st_size / least);
    }
    return 0;
}
