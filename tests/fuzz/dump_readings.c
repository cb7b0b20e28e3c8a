/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads many inputs in one process and prints what was read, for differential.py.
 *
 * Standard input: for each input a line "FLAGS FORMAT COLUMNS DELIMITER HEADER SIZE" and then SIZE
 * bytes.  FLAGS: p --pattern, g --graph, b --bipartite, s and i --duplicates=sum and ignore, and "-".
 * FORMAT, COLUMNS and HEADER: "-" for none.  DELIMITER: the code of the character, 0 for none.
 * Standard output: for each input a line, a JSON object with the nodes, or with status and message.
 * Bytes of labels and names are written as the characters U+0000 to U+00FF. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pm/alloc.h"
#include "pm/io.h"

static void put_text(const char *text)
{
    putchar('"');
    for (const unsigned char *p = (const unsigned char *)text; *p; ++p)
        if (*p < ' ' || *p > '~' || *p == '"' || *p == '\\')
            printf("\\u%04x", *p);
        else
            putchar(*p);
    putchar('"');
}

static void put_value(const pm_matrix *a, const pm_dyadic *x)
{
    char *text = pm_dyadic_text(x, a->field == PM_INTEGER);
    if (!text)
        abort();
    printf(",\"%s\"", text);
    free(text);
}

static void put_labels(const char *key, const pm_labels *labels, int64_t count)
{
    char number[24];
    printf(",\"%s\":[", key);
    for (int64_t i = 0; i < count; ++i) {
        if (i)
            putchar(',');
        put_text(pm_label(labels, i, number));
    }
    putchar(']');
}

static void put_matrix(const pm_node *e)
{
    const pm_matrix *a = &e->matrix;
    printf(",\"field\":\"%s\",\"one_set\":%s,\"matchings\":%d", pm_field_name(a->field),
           e->one_set ? "true" : "false", (int)e->matchings);
    put_labels("rows", &a->row_labels, a->nrows);
    put_labels("cols", &a->col_labels, a->ncols);
    printf(",\"order\":[");
    for (int64_t k = 0; k < e->order_len; ++k)
        printf("%s%" PRId32, k ? "," : "", e->order[k]);
    printf("],\"entries\":[");
    const char *comma = "";
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            printf("%s[%" PRId64 ",%" PRId32, comma, i, a->colind[k]);
            if (a->re)
                put_value(a, &a->re[k]);
            if (a->im)
                put_value(a, &a->im[k]);
            putchar(']');
            comma = ",";
        }
    putchar(']');
}

static void put_node(const pm_node *e)
{
    static const char *const kinds[] = {"matrix", "number", "product", "sum", "close"};
    printf("{\"kind\":\"%s\"", kinds[e->kind]);
    if (e->kind != PM_NODE_CLOSE) {
        gmp_printf(",\"factor\":[\"%Qd\",\"%Qd\"],\"factor_field\":\"%s\",\"times\":\"%Zd\"",
                   e->factor.re, e->factor.im, pm_field_name(e->factor_field), e->times);
        printf(",\"name\":");
        put_text(e->name ? e->name : "");
    }
    if (e->kind == PM_NODE_MATRIX)
        put_matrix(e);
    putchar('}');
}

/* Nodes are printed as they are read: a failure comes after those before it. */
static void dump(const char *path, const pm_read_options *opt)
{
    pm_reader *r = NULL;
    pm_error err = {.msg = ""};
    pm_node e;
    pm_node_init(&e);
    printf("{\"nodes\":[");
    pm_status status = pm_reader_open(path, opt, &r, &err);
    for (int count = 0; !status; ++count) {
        status = pm_reader_next(r, &e, &err);
        if (status || e.kind == PM_NODE_END)
            break;
        if (count)
            putchar(',');
        put_node(&e);
    }
    printf("],\"format\":");
    put_text(r && !status ? pm_reader_format(r) : "");
    printf(",\"status\":%d,\"message\":", (int)status);
    put_text(status ? err.msg : "");
    printf("}\n");
    fflush(stdout);
    pm_reader_close(&r);
    pm_node_clear(&e);
}

static const char *given(const char *word)
{
    return strcmp(word, "-") == 0 ? NULL : word;
}

/* Returns false at the end of standard input, and when it is wrong. */
static bool next_input(void)
{
    char flags[16], from[32], columns[64], header[8], path[64];
    int delimiter;
    size_t size;
    if (scanf("%15s %31s %63s %d %7s %zu", flags, from, columns, &delimiter, header, &size) != 6
        || getchar() != '\n')
        return false;
    pm_read_options opt = {.from = given(from),
                           .pattern = strchr(flags, 'p'),
                           .graph = strchr(flags, 'g'),
                           .bipartite = strchr(flags, 'b'),
                           .columns = given(columns),
                           .delimiter = (char)delimiter,
                           .header = strcmp(header, "yes") == 0  ? PM_HEADER_YES
                                     : strcmp(header, "no") == 0 ? PM_HEADER_NO
                                                                 : PM_HEADER_AUTO,
                           .duplicates = strchr(flags, 's')   ? PM_DUPLICATES_SUM
                                         : strchr(flags, 'i') ? PM_DUPLICATES_IGNORE
                                                              : PM_DUPLICATES_ERROR};
    char *bytes = pm_alloc_array((int64_t)size + 1, 1);
    int fd = memfd_create("input", MFD_CLOEXEC);
    bool good = bytes && fd >= 0 && fread(bytes, 1, size, stdin) == size
                && write(fd, bytes, size) == (ssize_t)size;
    free(bytes);
    if (good) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        dump(path, &opt);
    }
    if (fd >= 0)
        close(fd);
    return good;
}

int main(void)
{
    while (next_input())
        ;
    return feof(stdin) ? EXIT_SUCCESS : EXIT_FAILURE;
}
