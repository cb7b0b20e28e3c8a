/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "check_reader.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "matrix/symmetric.h"
#include "pm/io.h"

/* A few bytes can announce a graph that does not fit any memory: that must be an error, not the
 * end of the fuzzer.  The rest doubles the number of inputs a second. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=64:quarantine_size_mb=4:"
           "malloc_context_size=2";
}

/* A few bytes can also announce graphs that take seconds.  Of such an input only the beginning is read, and once. */
enum { LARGE = 20000 };

#define MUST(condition)                                                                            \
    do                                                                                             \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    while (0)

/* A file in memory that pm_reader_open can open by its path. */
static int make_file(const void *bytes, size_t size, char path[64])
{
    int fd = memfd_create("input", MFD_CLOEXEC);
    MUST(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
    snprintf(path, 64, "/proc/self/fd/%d", fd);
    return fd;
}

static void check_matrix(const pm_matrix *a)
{
    MUST(a->rowptr && a->rowptr[0] == 0);
    MUST((a->field == PM_PATTERN) == !a->re && (a->field == PM_COMPLEX) == (a->im != NULL));
    MUST(!pm_labels_exist(&a->row_labels) || a->row_labels.count == a->nrows);
    MUST(!pm_labels_exist(&a->col_labels) || a->col_labels.count == a->ncols);
    for (int64_t i = 0; i < a->nrows; ++i) {
        MUST(a->rowptr[i] <= a->rowptr[i + 1]);
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            MUST(a->colind[k] >= 0 && a->colind[k] < a->ncols);
            MUST(k == a->rowptr[i] || a->colind[k - 1] < a->colind[k]);
            MUST(!a->re || !pm_dyadic_is_zero(&a->re[k])
                 || (a->im && !pm_dyadic_is_zero(&a->im[k])));
            MUST(a->field != PM_INTEGER || pm_dyadic_is_integer(&a->re[k]));
        }
    }
}

static void check_back(const pm_matrix *a)
{
    char *text = NULL, path[64];
    size_t size = 0;
    pm_read_options opt = {.from = "mtx"};
    pm_reader *r = NULL;
    pm_node e;
    pm_node_init(&e);
    FILE *f = open_memstream(&text, &size);
    MUST(f && pm_write_mtx(f, a, NULL, NULL) == PM_OK && fclose(f) == 0);
    int fd = make_file(text, size, path);
    MUST(pm_reader_open(path, &opt, &r, NULL) == PM_OK);
    MUST(pm_reader_next(r, &e, NULL) == PM_OK);
    MUST(pm_matrix_equal(a, &e.matrix));
    pm_reader_close(&r);
    pm_node_clear(&e);
    close(fd);
    free(text);
}

/* A graph on one set of vertices: symmetric, and a stream gives it back. */
static void check_general(const pm_node *e, const pm_read_options *opt)
{
    char *text = NULL, path[64];
    size_t size = 0;
    bool is_symmetric = false;
    const pm_matrix *a = &e->matrix;
    const pm_read_options general = {.from = "pm-stream", .general = true, .general_always = true};
    pm_writer *w = NULL;
    pm_reader *r = NULL;
    pm_node back;
    MUST(opt->general && e->one_set && a->nrows == a->ncols);
    MUST(pm_matrix_is_symmetric(a, &is_symmetric, NULL) == PM_OK && is_symmetric);
    MUST(!e->order || e->order_len == a->nrows);
    MUST(!e->row_times && !e->col_times && !e->period && !e->matchings);
    FILE *f = open_memstream(&text, &size);
    MUST(f && pm_writer_open(f, NULL, &w, NULL) == PM_OK && pm_writer_put(w, e, NULL) == PM_OK);
    MUST(pm_writer_close(&w, NULL) == PM_OK && fclose(f) == 0);
    int fd = make_file(text, size, path);
    pm_node_init(&back);
    MUST(pm_reader_open(path, &general, &r, NULL) == PM_OK);
    MUST(pm_reader_next(r, &back, NULL) == PM_OK && back.general);
    MUST(pm_matrix_equal(a, &back.matrix) && back.order_len == e->order_len);
    MUST(!e->order || !memcmp(e->order, back.order, (size_t)e->order_len * sizeof *e->order));
    pm_reader_close(&r);
    pm_node_clear(&back);
    close(fd);
    free(text);
}

/* A stream of exact numbers gives the node back. */
static void check_exact(const pm_node *e)
{
    char *text = NULL, path[64];
    size_t size = 0;
    const pm_read_options opt = {.from = "pm-stream", .exact = true, .keep_repeats = true};
    pm_writer *w = NULL;
    pm_reader *r = NULL;
    pm_node said, back;
    pm_node_init(&said);
    pm_node_init(&back);
    MUST(pm_node_copy(e, &said, NULL) == PM_OK);
    said.numbers = pm_node_numbers(e);
    FILE *f = open_memstream(&text, &size);
    MUST(f && pm_writer_open(f, NULL, &w, NULL) == PM_OK);
    pm_writer_set_exact(w);
    MUST(pm_writer_put(w, &said, NULL) == PM_OK);
    MUST(pm_writer_close(&w, NULL) == PM_OK && fclose(f) == 0);
    int fd = make_file(text, size, path);
    MUST(pm_reader_open(path, &opt, &r, NULL) == PM_OK);
    MUST(pm_reader_next(r, &back, NULL) == PM_OK);
    MUST(back.numbers == said.numbers && back.kind == said.kind);
    MUST(back.factor_field == e->factor_field && mpq_equal(back.factor.re, e->factor.re)
         && mpq_equal(back.factor.im, e->factor.im));
    MUST(pm_matrix_equal(&e->matrix, &back.matrix));
    pm_reader_close(&r);
    pm_node_clear(&said);
    pm_node_clear(&back);
    close(fd);
    free(text);
}

static void check_failure(pm_status st, const pm_error *err, const pm_read_options *opt)
{
    MUST(st == PM_EDATA || st == PM_ENOMEM || st == PM_UNABLE
         || (st == PM_EUSAGE && (opt->graph || opt->loops)));
    MUST(*err->msg && !strchr(err->msg, '\n'));
    MUST(st != PM_EDATA || strncmp(err->msg, "/proc/self/fd/", 14) == 0);
}

/* Returns false when the graphs are large. */
static bool check_options(const char *path, const pm_read_options *opt)
{
    int64_t size = 0;
    pm_reader *r = NULL;
    pm_error err = {.msg = ""};
    pm_node e;
    pm_node_init(&e);
    MUST(pm_reader_open(path, opt, &r, &err) == PM_OK);
    int64_t depth = 0;
    for (;;) {
        pm_status st = pm_reader_next(r, &e, &err);
        if (st) {
            check_failure(st, &err, opt);
            break;
        }
        depth += (e.kind == PM_NODE_PRODUCT || e.kind == PM_NODE_SUM) - (e.kind == PM_NODE_CLOSE);
        MUST(depth >= 0);
        if (e.kind == PM_NODE_MATRIX) {
            check_matrix(&e.matrix);
            MUST(!opt->pattern || e.matrix.field == PM_PATTERN);
            MUST(opt->general || !e.general);
            size += e.matrix.nrows + e.matrix.ncols + pm_matrix_nnz(&e.matrix);
            if (size > LARGE)
                break;
            if (opt->exact)
                check_exact(&e);
            else
                check_back(&e.matrix);
            if (e.general)
                check_general(&e, opt);
        }
        if (e.kind == PM_NODE_END) {
            MUST(depth == 0);
            break;
        }
    }
    MUST(!strchr(pm_reader_warning(r), '\n') && !strchr(pm_reader_note(r), '\n'));
    MUST(!*pm_reader_warning(r) || !(opt->graph || opt->bipartite)
         || !opt->from                                /* it may look like another format */
         || strcmp(pm_reader_format(r), "csv") == 0   /* it may warn of its first line */
         || strcmp(pm_reader_format(r), "dense") == 0 /* of empty lines between rows */
         || strcmp(pm_reader_format(r), "npy") == 0   /* of a batch without matrices */
         || strcmp(pm_reader_format(r), "npz") == 0);
    pm_reader_close(&r);
    pm_node_clear(&e);
    return size <= LARGE;
}

void check_reader_options(const pm_read_options *opt, const uint8_t *bytes, size_t size)
{
    char path[64];
    int fd = make_file(bytes, size, path);
    check_options(path, opt);
    close(fd);
}

void check_reader(const char *format, const uint8_t *bytes, size_t size)
{
    const pm_read_options options[] = {
        {.from = format},
        {.from = format, .pattern = true, .duplicates = PM_DUPLICATES_SUM},
        {.from = format, .graph = true, .duplicates = PM_DUPLICATES_IGNORE},
        {.from = format, .graph = true},
        {.from = format, .bipartite = true, .duplicates = PM_DUPLICATES_SUM},
        {.from = format, .general = true},
        {.from = format, .exact = true, .duplicates = PM_DUPLICATES_SUM},
        {.from = format, .general = true, .graph = true, .loops = ""},
    };
    char path[64];
    int fd = make_file(bytes, size, path);
    bool small = true;
    for (size_t k = 0; k < sizeof options / sizeof *options && small; ++k)
        small = check_options(path, &options[k]);
    close(fd);
}
