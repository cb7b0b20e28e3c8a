/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers of arrays of NumPy and of sparse matrices of SciPy. */
#include "config.h"

#include "support/readings.h"

#include <inttypes.h>
#include <string.h>
#include <zlib.h>

#include "pm/io.h"

/* ---- arrays ---- */

/* Bytes that a test puts together. */
typedef struct {
    unsigned char bytes[4096];
    size_t size;
} buffer;

static void put(buffer *b, const void *bytes, size_t size)
{
    assert_true(b->size + size <= sizeof b->bytes);
    memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
}

/* v in `size` bytes, the lowest one first. */
static void put_number(buffer *b, uint64_t v, int size)
{
    for (int k = 0; k < size; ++k, v >>= 8)
        put(b, &(unsigned char){(unsigned char)v}, 1);
}

static void put_head(buffer *b, int version, const char *text)
{
    put(b, "\x93NUMPY", 6);
    put_number(b, (uint64_t)version, 2);
    put_number(b, strlen(text), version == 1 ? 2 : 4);
    put(b, text, strlen(text));
}

static void put_array(buffer *b, const char *descr, const char *shape, const void *bytes,
                      size_t size)
{
    char text[200];
    snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", descr,
             shape);
    put_head(b, 1, text);
    put(b, bytes, size);
}

static void check_bytes(const buffer *b, const char *flags, const char *want)
{
    const reading x = {.flags = flags};
    pm_read_options opt = reading_options(&x);
    reading_write((const char *)b->bytes, b->size);
    check_file(&opt, want);
}

static void test_elements(void **state)
{
    (void)state;
    static const struct {
        const char *descr, *bytes;
        size_t size;
        const char *want;
    } elements[] = {
        {"|b1", "\0\1", 2, "pattern 1x2 1:2"},
        {"|i1", "\x80\x7f", 2, "integer 1x2 1:1=-128 1:2=127"},
        {"|u1", "\xff\0", 2, "integer 1x2 1:1=255"},
        {"<i2", "\1\0\0\x80", 4, "integer 1x2 1:1=1 1:2=-32768"},
        {">i2", "\1\0\0\x80", 4, "integer 1x2 1:1=256 1:2=128"},
        {"<u4", "\xff\xff\xff\xff\0\0\0\0", 8, "integer 1x2 1:1=4294967295"},
        {">i8", "\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 16,
         "integer 1x2 1:1=-9223372036854775808 1:2=1"},
        {"<u8", "\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\x80", 16,
         "integer 1x2 1:1=18446744073709551615 1:2=9223372036854775808"},
        {"<f2", "\0\x3c\1\0", 4, "real 1x2 1:1=1 1:2=5.9604644775390625e-08"},
        {">f2", "\xc0\0\x7b\xff", 4, "real 1x2 1:1=-2 1:2=65504"},
        {"<f4", "\0\0\xc0\x3f\0\0\0\x80", 8, "real 1x2 1:1=1.5"},
        {">f8", "\x3f\xf8\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, "real 1x2 1:1=1.5"},
        {"<c8", "\0\0\xc0\x3f\0\0\0\xc0\0\0\0\0\0\0\0\0", 16, "complex 1x2 1:1=1.5,-2"},
        {">c8", "\0\0\0\0\x3f\xc0\0\0\0\0\0\0\0\0\0\0", 16, "complex 1x2 1:1=0,1.5"},
        {"|b1", "\0\2", 2, ": row 1, column 2: expected a bool, 0 or 1, not a byte above 1"},
        {"<f2", "\0\x7c\0\0", 4, ": row 1, column 1: expected a finite number, not inf"},
        {"<f4", "\0\0\0\0\0\0\xc0\x7f", 8, ": row 1, column 2: expected a finite number, not nan"},
        {"<c8", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80\xff", 16,
         ": row 1, column 2: expected a finite number, not -inf"},
    };
    for (size_t k = 0; k < sizeof elements / sizeof *elements; ++k) {
        buffer b = {.size = 0};
        put_array(&b, elements[k].descr, "(1, 2)", elements[k].bytes, elements[k].size);
        check_bytes(&b, "", elements[k].want);
    }
}

/* Heads in front of the bytes 0, 1, 2, ..., 7. */
static void test_heads(void **state)
{
    (void)state;
#define DICT(descr, order, shape)                                                                  \
    "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape "}"
    static const struct {
        int version;
        size_t count; /* bytes after the head */
        const char *text, *want;
    } heads[] = {
        {1, 4, DICT("'|u1'", "False", "(2, 2)"), "integer 2x2 1:2=1 2:1=2 2:2=3"},
        {2, 4, DICT("'|u1'", "True", "(2, 2)"), "integer 2x2 1:2=2 2:1=1 2:2=3"},
        {3, 4, "{\"shape\": (1L, 4L), 'descr':'u1','fortran_order':False , } \n",
         "integer 1x4 1:2=1 1:3=2 1:4=3"},
        {1, 8, DICT("'|u1'", "False", "(2, 2, 2)"),
         "integer 2x2 1:2=1 2:1=2 2:2=3; integer 2x2 1:1=4 1:2=5 2:1=6 2:2=7"},
        {1, 8, DICT("'|u1'", "True", "(2, 2, 2)"),
         "integer 2x2 1:2=4 2:1=2 2:2=6; integer 2x2 1:1=1 1:2=5 2:1=3 2:2=7"},
        {1, 0, DICT("'|u1'", "False", "(0, 0)"), "integer 0x0"},
        {1, 0, DICT("'<f8'", "False", "(2, 0)"), "real 2x0"},
        {1, 0, DICT("'<f8'", "False", "(0, 5, 5)"), ""},
        {1, 3, DICT("'|u1'", "False", "(2, 2)"),
         ": the input ends after 3 bytes of the elements of an array, expected 4"},
        {1, 5, DICT("'|u1'", "False", "(2, 2)"),
         ": expected the end of the input after the elements of the array, found more bytes"},
        {1, 1, DICT("'|u1'", "False", "(0, 2, 2)"),
         ": expected the end of the input after the elements of the array, found more bytes"},
        {1, 8, DICT("'|u1'", "False", "(8,)"),
         ": expected a matrix (2 dimensions) or a batch of matrices (3), not an array of 1 "
         "dimension"},
        {1, 8, DICT("'|u1'", "False", "()"),
         ": expected a matrix (2 dimensions) or a batch of matrices (3), not an array of 0 "
         "dimensions"},
        {1, 8, DICT("'|u1'", "False", "(1, 2, 2, 2)"),
         ": expected a matrix (2 dimensions) or a batch of matrices (3), not an array of more than "
         "3 dimensions"},
        {1, 8, DICT("'|O'", "False", "(1, 1)"),
         ": expected an array of numbers, found one of Python objects: save it with dtype=int, "
         "dtype=float or "
         "dtype=complex"},
        {1, 8, DICT("[('a', '<f8')]", "False", "(1, 1)"),
         ": expected an array of numbers, found a structured array: save one of its fields"},
        {1, 8, DICT("'<M8[s]'", "False", "(1, 1)"),
         ": expected an array of bool, integers up to 64 bits, float16 to float64, complex64 or "
         "complex128, not of the type '<M8[s]'"},
        {1, 8, DICT("'<f16'", "False", "(1, 1)"),
         ": expected an array of numbers of up to 64 bits, found longdouble (float128): save it "
         "with dtype=float"},
        {1, 8, DICT("'>c32'", "False", "(1, 1)"),
         ": expected an array of numbers of up to 64 bits, found clongdouble (complex256): save it "
         "with dtype=complex"},
        {1, 8, DICT("'<U2'", "False", "(1, 1)"),
         ": expected an array of numbers, not of text: save it with dtype=int or dtype=float"},
        {1, 8, DICT("'<f8'", "False", "(4294967296, 4294967296)"),
         ": expected an array of less than 2^63 bytes, but its shape says more"},
        {1, 8, DICT("'<f8'", "False", "(2147483648, 1)"),
         ": expected at most 2147483647 rows and columns, not 2147483648 x 1"},
        {1, 8, DICT("'<f8'", "False", "(99999999999999999999, 1)"),
         ": damaged header of a NumPy array: expected a length from 0 to 2^63 - 1, not "
         "'99999999999999999999, 1)}'"},
        {1, 8, DICT("'<f8'", "0", "(1, 1)"),
         ": damaged header of a NumPy array: expected True or False, not '0, 'shape': (1, 1)}'"},
        {1, 8, "{'descr': '<f8'}",
         ": damaged header of a NumPy array: expected 'descr', 'fortran_order' and 'shape', not "
         "''"},
        {1, 8, "{'x': 1}",
         ": damaged header of a NumPy array: expected 'descr', 'fortran_order' or 'shape', not ': "
         "1}'"},
        {4, 8, "{}", ": expected version 1.0, 2.0 or 3.0 of NPY, not 4.0"},
    };
    for (size_t k = 0; k < sizeof heads / sizeof *heads; ++k) {
        buffer b = {.size = 0};
        put_head(&b, heads[k].version, heads[k].text);
        put(&b, "\0\1\2\3\4\5\6\7", heads[k].count);
        check_bytes(&b, "", heads[k].want);
    }
}

/* An announced size does not allocate memory, and no elements do not take hours. */
static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *shape, *words;
    } sizes[] = {
        {"(2147483647, 2147483647)", "the input ends after 0 bytes"},
        {"(2147483647, 0)", "refused"},
        {"(9223372036854775807, 0, 0)", "refused"},
    };
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        buffer b = {.size = 0};
        pm_error err = {.msg = ""};
        pm_read_options opt = {0};
        put_array(&b, "|u1", sizes[k].shape, "", 0);
        reading_write((const char *)b.bytes, b.size);
        assert_int_equal(reading_text(&opt, NULL, 0, &err), k ? PM_UNABLE : PM_EDATA);
        assert_non_null(strstr(err.msg, sizes[k].words));
    }
}

static void test_adjacency(void **state)
{
    (void)state;
    buffer b = {.size = 0};
    put_array(&b, "|u1", "(3, 3)", "\0\5\0\5\0\6\0\6\0", 9);
    check_bytes(&b, "g", "integer 2x1 1:2=5 3:2=6");
    check_bytes(&b, "gp", "pattern 2x1 1:2 3:2");
    b.size = 0;
    put_array(&b, "|u1", "(2, 2)", "\0\5\6\0", 4);
    check_bytes(
        &b, "g",
        ": expected a symmetric matrix for a graph on one set of vertices, but row 1, column "
        "2 differs from row 2, column 1");
    check_bytes(&b, "gp", "pattern 1x1 1:2");
}

/* ---- archives ---- */

typedef struct {
    buffer file, directory;
    int count;
} archive;

/* Appends a member, deflated or stored; its local header has no sizes, as in a pipe. */
static void put_member(archive *z, const char *name, const unsigned char *bytes, size_t size,
                       bool deflate_it)
{
    buffer packed = {.size = 0};
    if (!deflate_it) {
        put(&packed, bytes, size);
    } else {
        z_stream s = {0};
        assert_int_equal(deflateInit2(&s, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
        s.next_in = (unsigned char *)(uintptr_t)bytes;
        s.avail_in = (uInt)size;
        s.next_out = packed.bytes;
        s.avail_out = sizeof packed.bytes;
        assert_int_equal(deflate(&s, Z_FINISH), Z_STREAM_END);
        packed.size = s.total_out;
        deflateEnd(&s);
    }
    uint64_t header = z->file.size, method = deflate_it ? 8 : 0;
    put(&z->file, "PK\3\4", 4);
    put_number(&z->file, 20 | 8 << 16, 4);
    put_number(&z->file, method, 2);
    put_number(&z->file, 0, 8);
    put_number(&z->file, 0, 8);
    put_number(&z->file, strlen(name), 2);
    put_number(&z->file, 0, 2);
    put(&z->file, name, strlen(name));
    put(&z->file, packed.bytes, packed.size);
    buffer *d = &z->directory;
    put(d, "PK\1\2", 4);
    put_number(d, 20, 2);
    put_number(d, 20 | 8 << 16, 4);
    put_number(d, method, 2);
    put_number(d, 0, 4);
    put_number(d, crc32(crc32(0, NULL, 0), bytes, (uInt)size), 4);
    put_number(d, packed.size, 4);
    put_number(d, size, 4);
    put_number(d, strlen(name), 2);
    put_number(d, 0, 8);
    put_number(d, 0, 4);
    put_number(d, header, 4);
    put(d, name, strlen(name));
    ++z->count;
}

static void put_npy(archive *z, const char *name, const char *descr, const char *shape,
                    const void *bytes, size_t size)
{
    buffer b = {.size = 0};
    put_array(&b, descr, shape, bytes, size);
    put_member(z, name, b.bytes, b.size, z->count % 2);
}

static void end_archive(archive *z)
{
    uint64_t at = z->file.size;
    put(&z->file, z->directory.bytes, z->directory.size);
    put(&z->file, "PK\5\6", 4);
    put_number(&z->file, 0, 4);
    put_number(&z->file, (uint64_t)z->count, 2);
    put_number(&z->file, (uint64_t)z->count, 2);
    put_number(&z->file, z->directory.size, 4);
    put_number(&z->file, at, 4);
    put_number(&z->file, 0, 2);
}

static archive two_arrays(void)
{
    archive z = {.count = 0};
    put_npy(&z, "a.npy", "|u1", "(1, 1)", "\7", 1);
    put_npy(&z, "b.npy", "|u1", "(2, 1, 1)", "\1\2", 2);
    end_archive(&z);
    return z;
}

static void test_archives(void **state)
{
    (void)state;
    archive z = two_arrays();
    check_bytes(&z.file, "", "integer 1x1 1:1=7; integer 1x1 1:1=1; integer 1x1 1:1=2");
    z.file.bytes[z.file.size - 12] = 3;
    check_bytes(&z.file, "",
                ": zip archive cut short or damaged: expected as many members as its end record "
                "says");
    z = two_arrays();
    ++z.file.bytes[40];
    check_bytes(
        &z.file, "",
        ": file 'a.npy' of the archive: damaged: its checksum is not that of the directory");
    z = (archive){.count = 0};
    put_npy(&z, "a.txt", "|u1", "(1, 1)", "\7", 1);
    end_archive(&z);
    check_bytes(&z.file, "",
                ": expected arrays NAME.npy, as numpy.savez writes them, found the file 'a.txt' in "
                "the archive");
}

static void test_refused_archives(void **state)
{
    (void)state;
    archive z = {.count = 0};
    put_npy(&z, "a.npy", "|u1", "(1, 1)", "\7", 1);
    put_npy(&z, "b.npy", "|u1", "(1, 1)", "\7", 1);
    put_npy(&z, "a.npy", "|u1", "(1, 1)", "\7", 1);
    end_archive(&z);
    check_bytes(&z.file, "", ": the archive holds 'a.npy' twice");
    z = (archive){.count = 0};
    end_archive(&z);
    check_bytes(&z.file, "", ": expected arrays, found an empty archive");
    z = (archive){.count = 0};
    put_npy(&z, "w.npy", "|u1", "(1,)", "\7", 1);
    end_archive(&z);
    check_bytes(&z.file, "",
                ": the array 'w' has 1 dimension: only arrays of 2 or 3 dimensions are read: save "
                "the matrices without it");
    z = (archive){.count = 0};
    put_npy(&z, "a.npy", "|u1", "(1, 1)", "\7\7", 2);
    end_archive(&z);
    check_bytes(&z.file, "",
                ": member 'a.npy': expected 1 bytes of elements, as its shape says, found 2");
}

/* Members longer than a head may be: their size is compared with the head before the rest. */
static void test_long_members(void **state)
{
    (void)state;
    enum { SIDE = 1100, SIZE = SIDE * SIDE };
    static unsigned char bytes[SIZE + 256];
    static const char *const want[] = {
        "integer 1100x1100",
        ": member 'a.npy': expected 1210000 bytes of elements, as its shape says, found 1210001"};
    buffer head = {.size = 0};
    put_array(&head, "|u1", "(1100, 1100)", "", 0);
    memcpy(bytes, head.bytes, head.size);
    for (size_t extra = 0; extra < 2; ++extra) {
        archive z = {.count = 0};
        put_member(&z, "a.npy", bytes, head.size + SIZE + extra, true);
        end_archive(&z);
        check_bytes(&z.file, "", want[extra]);
    }
}

/* However an archive is cut, it is an error. */
static void test_cut_archives(void **state)
{
    (void)state;
    archive z = two_arrays();
    pm_read_options opt = {.from = "npz"};
    for (size_t n = 1; n < z.file.size; ++n) {
        pm_error err = {.msg = ""};
        reading_write((const char *)z.file.bytes, n);
        assert_int_equal(reading_text(&opt, NULL, 0, &err), PM_EDATA);
        assert_non_null(strstr(err.msg, n < 4 ? "expected a zip archive" : "cut short"));
    }
}

/* Numbers in an archive as 64 bits, "%lld" of each. */
static void put_numbers(archive *z, const char *name, int count, const int64_t *v)
{
    buffer bytes = {.size = 0};
    char shape[32];
    for (int k = 0; k < count; ++k)
        put_number(&bytes, (uint64_t)v[k], 8);
    snprintf(shape, sizeof shape, "(%d,)", count);
    put_npy(z, name, "<i8", shape, bytes.bytes, bytes.size);
}

#define NUMBERS(z, name, ...)                                                                      \
    put_numbers(z, name, (int)(sizeof(int64_t[]){__VA_ARGS__} / sizeof(int64_t)),                  \
                (int64_t[]){__VA_ARGS__})

static archive sparse_archive(const char *format)
{
    archive z = {.count = 0};
    put_npy(&z, "format.npy", "|S3", "()", format, 3);
    NUMBERS(&z, "shape.npy", 2, 4);
    return z;
}

static void test_sparse(void **state)
{
    (void)state;
    archive z = sparse_archive("csr");
    NUMBERS(&z, "data.npy", 5, 0, 7);
    NUMBERS(&z, "indices.npy", 3, 2, 0);
    NUMBERS(&z, "indptr.npy", 0, 2, 3);
    end_archive(&z);
    check_bytes(&z.file, "", "integer 2x4 1:4=5 2:1=7");
    z = sparse_archive("csc");
    NUMBERS(&z, "data.npy", 5, 7);
    NUMBERS(&z, "indices.npy", 1, 0);
    NUMBERS(&z, "indptr.npy", 0, 0, 1, 1, 2);
    end_archive(&z);
    check_bytes(&z.file, "", "integer 2x4 1:4=7 2:2=5");
    z = sparse_archive("coo");
    NUMBERS(&z, "data.npy", 5, 7, 8);
    NUMBERS(&z, "row.npy", 1, 0, 1);
    NUMBERS(&z, "col.npy", 3, 2, 3);
    end_archive(&z);
    check_bytes(&z.file, "", ": duplicate edge 2 4");
    check_bytes(&z.file, "s", "integer 2x4 1:3=7 2:4=13");
    z = sparse_archive("bsr");
    put_npy(&z, "data.npy", "|u1", "(1, 2, 2)", "\1\2\3\4", 4);
    NUMBERS(&z, "indices.npy", 1);
    NUMBERS(&z, "indptr.npy", 0, 1);
    end_archive(&z);
    check_bytes(&z.file, "", "integer 2x4 1:3=1 1:4=2 2:3=3 2:4=4");
    z = sparse_archive("dia");
    put_npy(&z, "data.npy", "|u1", "(2, 3)", "\1\2\3\4\5\6", 6);
    NUMBERS(&z, "offsets.npy", 1, -1);
    end_archive(&z);
    check_bytes(&z.file, "", "integer 2x4 1:2=2 2:1=4 2:3=3");
}

static void test_bad_sparse(void **state)
{
    (void)state;
#define SCIPY ": sparse matrix of SciPy: expected "
    archive z = sparse_archive("lil");
    NUMBERS(&z, "data.npy", 5);
    end_archive(&z);
    check_bytes(&z.file, "", SCIPY "one of the formats csr, csc, coo, bsr and dia");
    z = sparse_archive("csr");
    NUMBERS(&z, "data.npy", 5, 7);
    NUMBERS(&z, "indptr.npy", 0, 2, 1);
    archive short_one = z;
    end_archive(&short_one);
    check_bytes(&short_one.file, "",
                ": expected a sparse matrix of scipy.sparse.save_npz, found no array 'indices'");
    NUMBERS(&z, "indices.npy", 0, 1);
    end_archive(&z);
    check_bytes(&z.file, "", SCIPY "elements of 'indptr' from 2 to 2, found 1 at position 2");
    z = sparse_archive("csr");
    NUMBERS(&z, "data.npy", 5, 7);
    NUMBERS(&z, "indptr.npy", 0, 1, 2);
    NUMBERS(&z, "indices.npy", 0, 4);
    end_archive(&z);
    check_bytes(&z.file, "", SCIPY "elements of 'indices' from 0 to 3, found 4 at position 1");
    z = sparse_archive("coo");
    NUMBERS(&z, "data.npy", 5);
    NUMBERS(&z, "row.npy", -1);
    NUMBERS(&z, "col.npy", 0);
    end_archive(&z);
    check_bytes(&z.file, "", SCIPY "elements of 'row' from 0 to 1, found -1 at position 0");
    z = sparse_archive("csr");
    NUMBERS(&z, "data.npy", 5, 7);
    NUMBERS(&z, "indptr.npy", 0, 1, 2);
    NUMBERS(&z, "indices.npy", 0, 4, 1);
    end_archive(&z);
    check_bytes(&z.file, "", SCIPY "2 elements in 'indices', found 3");
    z = sparse_archive("dia");
    NUMBERS(&z, "data.npy", 5);
    end_archive(&z);
    check_bytes(&z.file, "", SCIPY "data of 2 dimensions");
}

/* ---- when memory ends ---- */

static void test_memory(void **state)
{
    (void)state;
    pm_read_options opt = {0};
    archive z = two_arrays();
    reading_write((const char *)z.file.bytes, z.file.size);
    check_file_memory(&opt, "integer 1x1 1:1=7; integer 1x1 1:1=1; integer 1x1 1:1=2");
    z = sparse_archive("csr");
    NUMBERS(&z, "data.npy", 5);
    NUMBERS(&z, "indices.npy", 3);
    NUMBERS(&z, "indptr.npy", 0, 1, 1);
    end_archive(&z);
    reading_write((const char *)z.file.bytes, z.file.size);
    check_file_memory(&opt, "integer 2x4 1:4=5");
    buffer b = {.size = 0};
    put_array(&b, "|b1", "(1, 1, 1)", "\1", 1);
    reading_write((const char *)b.bytes, b.size);
    check_file_memory(&opt, "pattern 1x1 1:1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_heads),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_adjacency),
        cmocka_unit_test(test_archives),
        cmocka_unit_test(test_cut_archives),
        cmocka_unit_test(test_refused_archives),
        cmocka_unit_test(test_long_members),
        cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_bad_sparse),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests_name("read_arrays", tests, reading_begin, reading_end);
}
