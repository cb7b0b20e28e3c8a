/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/readings.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "pm/alloc.h"
#include "pm/io.h"

/* ---- inputs and answers as text ---- */

char reading_path[] = "/tmp/reading.XXXXXX";

void reading_write(const char *bytes, size_t count)
{
    FILE *f = fopen(reading_path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, count, f), count);
    assert_int_equal(fclose(f), 0);
}

size_t reading_gzipped(const char *text, size_t count, unsigned char *out, size_t room)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)text;
    z.avail_in = (uInt)count;
    z.next_out = out;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t size = room - z.avail_out;
    deflateEnd(&z);
    return size;
}

static void show_value(FILE *f, const pm_matrix *a, int64_t k)
{
    char *re = a->re ? pm_dyadic_text(&a->re[k], a->field == PM_INTEGER) : NULL;
    char *im = a->im ? pm_dyadic_text(&a->im[k], false) : NULL;
    fprintf(f, "%s%s%s%s", re ? "=" : "", re ? re : "", im ? "," : "", im ? im : "");
    free(re);
    free(im);
}

static void show_matrix(FILE *f, const pm_matrix *a)
{
    char row[24], col[24];
    fprintf(f, "%s %" PRId64 "x%" PRId64, pm_field_name(a->field), a->nrows, a->ncols);
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            fprintf(f, " %s:%s", pm_label(&a->row_labels, i, row),
                    pm_label(&a->col_labels, a->colind[k], col));
            show_value(f, a, k);
        }
}

pm_status reading_text(const pm_read_options *opt, char *text, size_t room, pm_error *err)
{
    pm_reader *r = NULL;
    pm_node e;
    pm_node_init(&e);
    FILE *f = text ? fmemopen(text, room, "w") : NULL;
    assert_true(f || !text);
    pm_status st = pm_reader_open(reading_path, opt, &r, err);
    for (int graphs = 0; !st; ++graphs) {
        st = pm_reader_next(r, &e, err);
        if (st || e.kind == PM_NODE_END)
            break;
        if (f && graphs)
            fputs("; ", f);
        if (f && e.kind == PM_NODE_MATRIX)
            show_matrix(f, &e.matrix);
    }
    pm_reader_close(&r);
    pm_node_clear(&e);
    if (f)
        fclose(f);
    return st;
}

void assert_reading_message(const pm_error *err, const char *want)
{
    size_t n = strlen(reading_path);
    assert_memory_equal(err->msg, reading_path, n);
    assert_string_equal(err->msg + n, want);
}

pm_read_options reading_options(const reading *x)
{
    return (pm_read_options){.from = x->from,
                             .pattern = strchr(x->flags, 'p'),
                             .graph = strchr(x->flags, 'g'),
                             .duplicates = strchr(x->flags, 's')   ? PM_DUPLICATES_SUM
                                           : strchr(x->flags, 'i') ? PM_DUPLICATES_IGNORE
                                                                   : PM_DUPLICATES_ERROR};
}

void check_file(const pm_read_options *opt, const char *want)
{
    char text[4096] = "";
    pm_error err = {.msg = ""};
    pm_status st = reading_text(opt, text, sizeof text, &err);
    if (*want == ':') {
        assert_reading_message(&err, want);
        assert_int_equal(st, strstr(want, "found an odd cycle") ? PM_UNABLE : PM_EDATA);
    } else {
        assert_string_equal(st ? err.msg : text, want);
    }
}

void check_reading(const reading *x)
{
    pm_read_options opt = reading_options(x);
    reading_write(x->text, strlen(x->text));
    check_file(&opt, x->want);
}

/* ---- when memory ends ---- */

void check_file_memory(const pm_read_options *opt, const char *want)
{
    char text[4096] = "";
    for (int64_t k = 1;; ++k) {
        pm_error err = {.msg = ""};
        pm_alloc_fail_at(k);
        pm_status st = reading_text(opt, NULL, 0, &err);
        if (pm_alloc_fail_at(0) < k) {
            assert_int_equal(st, PM_OK);
            break;
        }
        assert_int_equal(st, PM_ENOMEM);
        assert_memory_equal(err.msg, "out of memory", 13);
    }
    assert_int_equal(reading_text(opt, text, sizeof text, NULL), PM_OK);
    assert_string_equal(text, want);
}

void check_reading_memory(const reading *x)
{
    pm_read_options opt = reading_options(x);
    reading_write(x->text, strlen(x->text));
    check_file_memory(&opt, x->want);
}

/* ---- the file ---- */

int reading_begin(void **state)
{
    (void)state;
    int fd = mkstemp(reading_path);
    return fd < 0 || close(fd);
}

int reading_end(void **state)
{
    (void)state;
    return unlink(reading_path);
}
