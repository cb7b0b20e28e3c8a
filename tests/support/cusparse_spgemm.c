/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/cusparse_spgemm.h"

#include <stdlib.h>

static const int algorithm_number[CUSPARSE_SPGEMM_ALGORITHMS] = {0, 3};
const char *const cusparse_spgemm_algorithm[CUSPARSE_SPGEMM_ALGORITHMS] = {"default", "alg1"};

typedef int spgemm_step(void *handle, int op_a, int op_b, const void *alpha, void *a, void *b,
                        const void *beta, void *c, int type, int algorithm, void *state,
                        size_t *size, void *buffer);

static struct {
    void *handle;
    cusparse_create_csr *create_csr;
    cusparse_destroy *destroy_matrix, *destroy_state;
    int (*create_state)(void **state);
    spgemm_step *estimate, *compute;
    int (*size)(void *c, int64_t *rows, int64_t *cols, int64_t *nnz);
    int (*set_pointers)(void *c, void *first, void *column, void *value);
    int (*copy)(void *handle, int op_a, int op_b, const void *alpha, void *a, void *b,
                const void *beta, void *c, int type, int algorithm, void *state);
    int (*allocate)(unsigned long long *address, size_t bytes);
    int (*release)(unsigned long long address);
    int (*get)(void *to, unsigned long long from, size_t bytes);
} lib;

bool cusparse_spgemm_open(void)
{
    lib.handle = cusparse_handle();
    return lib.handle && cusparse_find("cusparseCreateCsr", &lib.create_csr)
           && cusparse_find("cusparseDestroySpMat", &lib.destroy_matrix)
           && cusparse_find("cusparseSpGEMM_createDescr", &lib.create_state)
           && cusparse_find("cusparseSpGEMM_destroyDescr", &lib.destroy_state)
           && cusparse_find("cusparseSpGEMM_workEstimation", &lib.estimate)
           && cusparse_find("cusparseSpGEMM_compute", &lib.compute)
           && cusparse_find("cusparseSpMatGetSize", &lib.size)
           && cusparse_find("cusparseCsrSetPointers", &lib.set_pointers)
           && cusparse_find("cusparseSpGEMM_copy", &lib.copy)
           && cusparse_find("cuMemAlloc_v2", &lib.allocate)
           && cusparse_find("cuMemFree_v2", &lib.release)
           && cusparse_find("cuMemcpyDtoH_v2", &lib.get);
}

struct cusparse_spgemm {
    void *a, *b;
    unsigned long long buffer[2], first, column, value;
    size_t size[2];
    int64_t rows, columns, entries;
    int algorithm;
};

static bool room(unsigned long long *address, int64_t bytes)
{
    return lib.allocate(address, (size_t)bytes + 8) == 0;
}

/* is_first: buffers are made as large as it asks for. */
static bool step(cusparse_spgemm *p, int which, void *c, void *state, bool is_first)
{
    static const double one = 1, zero = 0;
    spgemm_step *f = which == 0 ? lib.estimate : lib.compute;
    if (is_first
        && (f(lib.handle, 0, 0, &one, p->a, p->b, &zero, c, CUSPARSE_DOUBLES, p->algorithm, state,
              &p->size[which], NULL)
            || !room(&p->buffer[which], (int64_t)p->size[which])))
        return false;
    return f(lib.handle, 0, 0, &one, p->a, p->b, &zero, c, CUSPARSE_DOUBLES, p->algorithm, state,
             &p->size[which], cusparse_address(p->buffer[which]))
           == 0;
}

static bool finish(cusparse_spgemm *p, void *c, void *state, bool is_first)
{
    static const double one = 1, zero = 0;
    int64_t rows, columns;
    if (lib.size(c, &rows, &columns, &p->entries))
        return false;
    if (is_first && !(room(&p->column, 4 * p->entries) && room(&p->value, 8 * p->entries)))
        return false;
    return lib.set_pointers(c, cusparse_address(p->first), cusparse_address(p->column),
                            cusparse_address(p->value))
               == 0
           && lib.copy(lib.handle, 0, 0, &one, p->a, p->b, &zero, c, CUSPARSE_DOUBLES, p->algorithm,
                       state)
                  == 0;
}

static bool multiply(cusparse_spgemm *p, bool is_first)
{
    void *c = NULL, *state = NULL;
    bool is_done = lib.create_state(&state) == 0
                   && lib.create_csr(&c, p->rows, p->columns, 0, cusparse_address(p->first), NULL,
                                     NULL, CUSPARSE_INDEX_32, CUSPARSE_INDEX_32, CUSPARSE_BASE_ZERO,
                                     CUSPARSE_DOUBLES)
                          == 0
                   && step(p, 0, c, state, is_first) && step(p, 1, c, state, is_first)
                   && finish(p, c, state, is_first);
    if (c)
        lib.destroy_matrix(c);
    if (state)
        lib.destroy_state(state);
    return is_done;
}

static bool factor(void **out, const pm_csr *m, unsigned long long first, unsigned long long column,
                   unsigned long long value)
{
    return lib.create_csr(out, m->nrows, m->ncols, m->rowptr[m->nrows], cusparse_address(first),
                          cusparse_address(column), cusparse_address(value), CUSPARSE_INDEX_32,
                          CUSPARSE_INDEX_32, CUSPARSE_BASE_ZERO, CUSPARSE_DOUBLES)
           == 0;
}

cusparse_spgemm *cusparse_spgemm_make(const pm_product_gpu *g, int algorithm)
{
    cusparse_spgemm *p = calloc(1, sizeof *p);
    const pm_csr *a = g->product->a, *b = g->product->b;
    const pm_spgemm_arrays *at = &g->arrays;
    if (!p)
        return NULL;
    p->rows = a->nrows;
    p->columns = b->ncols;
    p->algorithm = algorithm_number[algorithm];
    if (factor(&p->a, a, at->a_first, at->a_column, at->a_value)
        && factor(&p->b, b, at->b_first, at->b_column, at->b_value)
        && room(&p->first, 4 * (a->nrows + 1)) && multiply(p, true) && cusparse_wait())
        return p;
    cusparse_spgemm_free(p);
    return NULL;
}

bool cusparse_spgemm_multiply(cusparse_spgemm *p)
{
    return multiply(p, false);
}

int64_t cusparse_spgemm_get(cusparse_spgemm *p, int32_t *first, int32_t *column, double *value)
{
    cusparse_wait();
    if (first)
        lib.get(first, p->first, 4 * (size_t)(p->rows + 1));
    if (column && p->entries > 0)
        lib.get(column, p->column, 4 * (size_t)p->entries);
    if (value && p->entries > 0)
        lib.get(value, p->value, 8 * (size_t)p->entries);
    return p->entries;
}

void cusparse_spgemm_free(cusparse_spgemm *p)
{
    const unsigned long long array[] = {p->buffer[0], p->buffer[1], p->first, p->column, p->value};
    for (int k = 0; k < 5; ++k)
        if (array[k])
            lib.release(array[k]);
    if (p->a)
        lib.destroy_matrix(p->a);
    if (p->b)
        lib.destroy_matrix(p->b);
    free(p);
}
