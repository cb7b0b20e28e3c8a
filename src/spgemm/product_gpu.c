/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spgemm/product_gpu.h"

#include <stdlib.h>

#include "core/size.h"
#include "pm/alloc.h"
#include "spmv/spmv_gpu.h"

enum {
    BLOCKS = 8,     /* on a multiprocessor, of kernels that take shares until all is done */
    ROWS = 1 << 24, /* of a range, at most */
    WINDOW = PM_SPGEMM_SORTED,
    LONG_SHARE = 8, /* the part of the free memory for the sums of long rows: one of so many */
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t shares(int64_t of, int64_t each)
{
    return (of + each - 1) / each;
}

/* ---- sizes ---- */

/* Places that a row takes before gaps are closed. */
static int64_t places(const pm_product *p, int64_t row)
{
    return least(pm_product_terms(p, row), p->b->ncols);
}

typedef struct {
    int64_t longest, long_rows; /* sizes of rows, and rows of the bin PM_SPGEMM_LONG */
    int64_t most;               /* places of a row */
    int64_t all;                /* places of all rows */
} sizes;

static sizes sizes_of(const pm_product *p)
{
    sizes x = {.longest = 0};
    for (int64_t i = 0; i < p->a->nrows; ++i) {
        const int64_t entries = p->a->rowptr[i + 1] - p->a->rowptr[i];
        const int64_t terms = pm_product_terms(p, i), size = terms > entries ? terms : entries;
        const int64_t own = least(terms, p->b->ncols);
        if (terms == 0)
            continue;
        x.longest = size > x.longest ? size : x.longest;
        x.long_rows += size > PM_SPGEMM_SORTED;
        x.most = own > x.most ? own : x.most;
        x.all += own;
    }
    return x;
}

int64_t pm_product_gpu_end(const pm_product_gpu *g, int64_t first)
{
    const int64_t limit = least(g->product->a->nrows, first + g->most);
    int64_t end = first, left = g->at_once;
    while (end < limit && (end == first || left > 0)) {
        left -= places(g->product, end);
        if (left < 0 && end > first)
            break;
        ++end;
    }
    return end;
}

/* Bytes of a long row's sums, and of the bits that say which columns have one. */
static int64_t sum_bytes(const pm_product *p, bool has_values)
{
    return has_values ? 8 * p->b->ncols : 0;
}

static int64_t seen_bytes(const pm_product *p)
{
    return 4 * (p->b->ncols / 32 + 1);
}

/* How many terms a range may have, and how many long rows are added up at a time. */
static pm_status set_shares(pm_product_gpu *g, int device, const sizes *x, int64_t at_once,
                            pm_error *err)
{
    const pm_product *p = g->product;
    const int64_t row_bytes = 4 * PM_SPGEMM_BINS + 8 + 4 + 8;
    const int64_t place_bytes = g->has_values ? 24 : 8;
    const int64_t long_bytes = sum_bytes(p, g->has_values) + seen_bytes(p);
    int64_t memory;
    pm_status status = pm_gpu_free_memory(device, &memory, err);
    if (status)
        return status;
    memory -= memory / 8;
    g->longest = x->longest;
    g->long_blocks = least(x->long_rows, g->resident);
    g->long_blocks = least(g->long_blocks, memory / LONG_SHARE / long_bytes + 1);
    g->most = least(p->a->nrows, ROWS);
    const int64_t left = memory - g->most * row_bytes - g->long_blocks * long_bytes;
    g->at_once = least(x->all, left / place_bytes);
    if (at_once > 0)
        g->at_once = least(g->at_once, at_once > x->most ? at_once : x->most);
    if (g->at_once >= x->most)
        return PM_OK;
    const double wanted = (double)(x->most * place_bytes + memory - left);
    return pm_fail(err, PM_ENODEV, "GPU: the longest row needs %s of its memory; it may use %s",
                   pm_size(wanted).s, pm_size((double)memory).s);
}

/* ---- arrays ---- */

/* n numbers below 2^32 as 32-bit ones. */
static pm_status put_words(pm_product_gpu *g, const int64_t *from, int64_t n,
                           unsigned long long *address, pm_error *err)
{
    uint32_t *word = pm_alloc_array(n, sizeof *word);
    if (!word)
        return pm_fail_memory(err, "sparse matrix");
    for (int64_t i = 0; i < n; ++i)
        word[i] = (uint32_t)from[i];
    pm_status status = pm_spmv_gpu_array(g->session, word, 4 * n, address, err);
    free(word);
    return status;
}

static pm_status put_matrix(pm_product_gpu *g, const pm_csr *a, unsigned long long *first,
                            unsigned long long *column, unsigned long long *value, pm_error *err)
{
    const int64_t nnz = a->rowptr[a->nrows];
    pm_status status = put_words(g, a->rowptr, a->nrows + 1, first, err);
    if (!status)
        status = pm_spmv_gpu_array(g->session, a->colind, 4 * nnz, column, err);
    if (!status && a->value)
        status = pm_spmv_gpu_array(g->session, a->value, 8 * nnz, value, err);
    return status;
}

static pm_status put_zeros(pm_product_gpu *g, int64_t bytes, unsigned long long *address,
                           pm_error *err)
{
    void *zeros = pm_calloc_array(bytes > 0 ? bytes : 1, 1);
    if (!zeros)
        return pm_fail_memory(err, "sparse matrix");
    pm_status status = pm_spmv_gpu_array(g->session, zeros, bytes, address, err);
    free(zeros);
    return status;
}

static pm_status make_arrays(pm_product_gpu *g, pm_error *err)
{
    const int64_t rows = g->most, places = g->at_once, blocks = g->long_blocks;
    const int64_t value = g->has_values ? 8 : 0;
    pm_spgemm_arrays *a = &g->arrays;
    const struct {
        unsigned long long *address;
        int64_t bytes;
    } room[] = {
        {&a->bin, 4 * PM_SPGEMM_BINS * rows},
        {&a->place, 8 * rows},
        {&a->length, 4 * rows},
        {&a->tile, 8 * shares(rows, PM_SPGEMM_ROWS)},
        {&a->found_column, 4 * places},
        {&a->found_value, value * places},
        {&a->c_first, 8 * (rows + 1)},
        {&a->c_column, 4 * places},
        {&a->c_value, value * places},
        {&a->sum, blocks * sum_bytes(g->product, g->has_values)},
    };
    pm_status status = put_zeros(g, sizeof(pm_spgemm_counts), &a->counts, err);
    if (!status)
        status = put_zeros(g, blocks * seen_bytes(g->product), &a->seen, err);
    for (int i = 0; i < (int)(sizeof room / sizeof *room) && !status; ++i)
        status = pm_spmv_gpu_array(g->session, NULL, room[i].bytes, room[i].address, err);
    return status;
}

static pm_status put_factors(pm_product_gpu *g, pm_error *err)
{
    const pm_csr *x = g->product->a, *y = g->product->b;
    pm_spgemm_arrays *a = &g->arrays;
    int64_t entries = x->rowptr[x->nrows], longest = 1;
    pm_status status = put_matrix(g, x, &a->a_first, &a->a_column, &a->a_value, err);
    if (!status)
        status = put_matrix(g, y, &a->b_first, &a->b_column, &a->b_value, err);
    if (!status && g->product->from)
        status = pm_spmv_gpu_array(g->session, g->product->from, 4 * entries, &a->from, err);
    for (int64_t i = 0; i < y->nrows; ++i) {
        const int64_t length = y->rowptr[i + 1] - y->rowptr[i];
        longest = length > longest ? length : longest;
    }
    a->window = (unsigned)least(WINDOW, UINT32_MAX / longest);
    a->ncols = y->ncols;
    a->group = 2;
    while (a->group < 32 && a->group * x->nrows < entries)
        a->group *= 2;
    return status;
}

/* ---- opening ---- */

static pm_status open_session(pm_product_gpu *g, int device, pm_error *err)
{
    const pm_product_kind kind = pm_product_kind_of(g->product, g->has_values);
    pm_gpu_info info;
    pm_status status = pm_gpu_get_info(device, &info, err);
    if (status)
        return status;
    g->resident = BLOCKS * (int64_t)info.multiprocessors;
    char *text = pm_product_text(&kind);
    if (!text)
        return pm_fail_memory(err, "sparse matrix");
    status = pm_gpu_session_open(device, text, &g->session, err);
    free(text);
    return status;
}

static bool is_large(const pm_csr *a)
{
    return a->rowptr[a->nrows] > INT32_MAX || a->nrows >= INT32_MAX;
}

pm_status pm_product_gpu_open(int device, const pm_product *p, bool has_values, int64_t at_once,
                              pm_product_gpu *out, pm_error *err)
{
    pm_product_gpu g = {.product = p, .has_values = has_values};
    if (is_large(p->a) || is_large(p->b))
        return pm_fail(err, PM_UNABLE,
                       "GPU: products of matrices with at most 2147483647 entries and rows");
    const sizes x = sizes_of(p);
    pm_status status = open_session(&g, device, err);
    if (!status)
        status = put_factors(&g, err);
    if (!status)
        status = set_shares(&g, device, &x, at_once, err);
    if (!status)
        status = make_arrays(&g, err);
    if (!status)
        status = pm_gpu_session_wait(g.session, err);
    if (status)
        pm_product_gpu_close(&g);
    else
        *out = g;
    return status;
}

void pm_product_gpu_close(pm_product_gpu *g)
{
    pm_gpu_session_close(g->session);
    *g = (pm_product_gpu){.session = NULL};
}

/* ---- a range of rows ---- */

static pm_status launch(pm_product_gpu *g, const char *kernel, int64_t blocks, pm_error *err)
{
    void *arguments[] = {&g->arrays};
    g->arrays.blocks = (int)blocks;
    return pm_gpu_session_launch(g->session, kernel, blocks, PM_PRODUCT_THREADS, 0, arguments, err);
}

static const struct {
    const char *kernel;
    int groups; /* rows of a thread block */
} bins[PM_SPGEMM_BINS] = {
    {"pm_spgemm_bin_0", 32}, {"pm_spgemm_bin_1", 16}, {"pm_spgemm_bin_2", 8},
    {"pm_spgemm_bin_3", 8},  {"pm_spgemm_bin_4", 8},  {"pm_spgemm_bin_5", 4},
    {"pm_spgemm_bin_6", 2},  {"pm_spgemm_bin_7", 1},  {"pm_spgemm_long", 1},
};

static pm_status launch_bins(pm_product_gpu *g, pm_error *err)
{
    pm_status status = PM_OK;
    for (int b = 0; b < PM_SPGEMM_BINS && !status; ++b) {
        const int64_t blocks = b == PM_SPGEMM_LONG
                                   ? g->long_blocks
                                   : least(g->resident, shares(g->arrays.rows, bins[b].groups));
        if (blocks > 0 && (b == 0 || g->longest > 4 << b))
            status = launch(g, bins[b].kernel, blocks, err);
    }
    return status;
}

pm_status pm_product_gpu_make(pm_product_gpu *g, int64_t first, int64_t end, pm_error *err)
{
    const int64_t rows = end - first, tiles = shares(rows, PM_SPGEMM_ROWS);
    pm_status status = PM_OK;
    g->arrays.first = first;
    g->arrays.rows = rows;
    if (rows > 0)
        status =
            launch(g, "pm_spgemm_count", shares(rows, PM_PRODUCT_THREADS / g->arrays.group), err);
    if (!status && rows > 0)
        status = launch_bins(g, err);
    if (!status && rows > 0)
        status = launch(g, "pm_spgemm_lengths", tiles, err);
    if (!status)
        status = launch(g, "pm_spgemm_tiles", 1, err);
    if (!status && rows > 0)
        status = launch(g, "pm_spgemm_first", tiles, err);
    const int64_t moves = least(g->resident, shares(g->at_once, PM_SPGEMM_ENTRIES));
    if (!status && rows > 0 && moves > 0)
        status = launch(g, "pm_spgemm_move", moves, err);
    return status;
}

pm_status pm_product_gpu_entries(pm_product_gpu *g, int64_t *out, pm_error *err)
{
    return pm_gpu_session_get(
        g->session, out, g->arrays.counts + offsetof(pm_spgemm_counts, entries), sizeof *out, err);
}

static pm_status get(pm_product_gpu *g, void *to, unsigned long long from, int64_t bytes,
                     pm_error *err)
{
    return bytes > 0 ? pm_gpu_session_get(g->session, to, from, bytes, err) : PM_OK;
}

pm_status pm_product_gpu_get(pm_product_gpu *g, pm_product_rows *out, pm_error *err)
{
    const int64_t rows = g->arrays.rows;
    int64_t entries;
    *out = (pm_product_rows){.owned = {NULL}};
    pm_status status = pm_product_gpu_entries(g, &entries, err);
    if (status)
        return status;
    int64_t *first = out->owned[0] = pm_alloc_array(rows + 1, sizeof *first);
    int32_t *column = out->owned[1] = pm_alloc_array(entries, sizeof *column);
    double *value = out->owned[2] = g->has_values ? pm_alloc_array(entries, sizeof *value) : NULL;
    if (!first || !column || (g->has_values && !value))
        status = pm_fail_memory(err, "product of sparse matrices");
    if (!status)
        status = get(g, first, g->arrays.c_first, 8 * (rows + 1), err);
    if (!status)
        status = get(g, column, g->arrays.c_column, 4 * entries, err);
    if (!status && g->has_values)
        status = get(g, value, g->arrays.c_value, 8 * entries, err);
    if (status)
        pm_product_rows_free(out);
    else
        out->c = (pm_csr){rows, g->product->b->ncols, first, column, value, NULL};
    return status;
}
