/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading of graphs: bytes a second from files that the system has in memory.
 *
 *   bench_reading FILE...
 *
 * For each file: its lines counted, read() and memchr() alone, as `wc -l` does it; the matrix of its pattern; and the same file as igraph's format ncol, by pm-igraph-read, where it is such a list and has at
 * most 10^6 lines.  The best of three each. */
#include "config.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "pm/io.h"
#include "process/environment.h"

enum { ROUNDS = 3, BLOCK = 1 << 17, NCOL_LINES = 1000000 };

static pm_error err;

static double count_lines(const char *file, int64_t *lines)
{
    static char block[BLOCK];
    const double begun = wall_seconds();
    const int fd = open(file, O_RDONLY);
    ssize_t got;
    *lines = 0;
    if (fd < 0)
        must(pm_fail(&err, PM_ENOINPUT, "%s: cannot open", file), &err);
    while ((got = read(fd, block, sizeof block)) > 0)
        for (const char *p = block, *end = block + got;
             p < end && (p = memchr(p, '\n', (size_t)(end - p))); ++p)
            ++*lines;
    close(fd);
    return wall_seconds() - begun;
}

static double read_graph(const char *file, const char *from, int64_t *nnz)
{
    const pm_read_options options = {.from = from,
                                     .pattern = true,
                                     .bipartite = !from,

                                     .duplicates = PM_DUPLICATES_IGNORE};
    pm_node node;
    pm_reader *reader;
    pm_node_init(&node);
    const double begun = wall_seconds();
    must(pm_reader_open(file, &options, &reader, &err), &err);
    must(pm_reader_next(reader, &node, &err), &err);
    const double seconds = wall_seconds() - begun;
    *nnz = pm_matrix_nnz(&node.matrix);
    pm_node_clear(&node);
    pm_reader_close(&reader);
    return seconds;
}

static void report(const char *what, double bytes, double seconds, double lines_seconds)
{
    printf("  %-24s %8.3f s  %7.1f MB/s  %6.1f times the lines alone\n", what, seconds,
           1e-6 * bytes / seconds, seconds / lines_seconds);
}

static void run_file(const char *file)
{
    struct stat meta;
    int64_t lines = 0, nnz = 0;
    double alone = INFINITY, graph = INFINITY, ncol = INFINITY;
    if (stat(file, &meta) != 0)
        must(pm_fail(&err, PM_ENOINPUT, "%s: cannot open", file), &err);
    for (int k = 0; k < ROUNDS; ++k) {
        alone = fmin(alone, count_lines(file, &lines));
        graph = fmin(graph, read_graph(file, NULL, &nnz));
    }
    const double bytes = (double)meta.st_size;
    printf("%s: %.0f bytes, %lld lines, %lld entries\n", file, bytes, (long long)lines,
           (long long)nnz);
    report("lines alone", bytes, alone, alone);
    report("matrix", bytes, graph, alone);
    if (lines <= NCOL_LINES) {
        ncol = read_graph(file, "ncol", &nnz);
        report("igraph (ncol)", bytes, ncol, alone);
    }
}

int main(int argc, char **argv)
{
    bench_start();
    pm_environment_read();
    for (int i = 1; i < argc; ++i)
        run_file(argv[i]);
    return 0;
}
