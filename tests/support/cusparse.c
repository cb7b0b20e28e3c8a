/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/cusparse.h"

#include <stdlib.h>
#include <string.h>

#include "support/cusparse_library.h"

static const int algorithm_number[CUSPARSE_ALGORITHMS] = {0, 2, 3};
const char *const cusparse_algorithm[CUSPARSE_ALGORITHMS] = {"default", "alg1", "alg2"};

static struct {
    void *handle;
    cusparse_create_csr *create_csr;
    int (*create_vector)(void **vector, int64_t size, void *values, int type);
    int (*buffer_size)(void *handle, int op, const void *alpha, void *a, void *x, const void *beta,
                       void *y, int type, int algorithm, size_t *size);
    int (*preprocess)(void *handle, int op, const void *alpha, void *a, void *x, const void *beta,
                      void *y, int type, int algorithm, void *buffer);
    int (*multiply)(void *handle, int op, const void *alpha, void *a, void *x, const void *beta,
                    void *y, int type, int algorithm, void *buffer);
    cusparse_destroy *destroy_matrix, *destroy_vector;
} lib;

bool cusparse_open(void)
{
    lib.handle = cusparse_handle();
    return lib.handle && cusparse_find("cusparseCreateCsr", &lib.create_csr)
           && cusparse_find("cusparseCreateDnVec", &lib.create_vector)
           && cusparse_find("cusparseSpMV_bufferSize", &lib.buffer_size)
           && cusparse_find("cusparseSpMV_preprocess", &lib.preprocess)
           && cusparse_find("cusparseSpMV", &lib.multiply)
           && cusparse_find("cusparseDestroySpMat", &lib.destroy_matrix)
           && cusparse_find("cusparseDestroyDnVec", &lib.destroy_vector);
}

struct cusparse_product {
    void *a, *x, *y, *buffer;
    int type, algorithm;
    double one, zero; /* as a double, or its first half as a float */
};

cusparse_product *cusparse_make(pm_spmv_gpu *g, int algorithm)
{
    cusparse_product *p = calloc(1, sizeof *p);
    const pm_spmv_arrays *s = &g->arrays;
    size_t size;
    pm_gpu_array buffer;
    const float one = 1;
    if (!p)
        return NULL;
    p->type = g->kind.is_single ? CUSPARSE_FLOATS : CUSPARSE_DOUBLES;
    p->algorithm = algorithm_number[algorithm];
    p->one = 1;
    if (g->kind.is_single)
        memcpy(&p->one, &one, sizeof one);
    if (lib.create_csr(&p->a, s->nrows, g->ncols, s->nnz, cusparse_address(s->rowptr),
                       cusparse_address(s->column), cusparse_address(s->value), CUSPARSE_INDEX_32,
                       CUSPARSE_INDEX_32, CUSPARSE_BASE_ZERO, p->type)
        || lib.create_vector(&p->x, g->ncols, cusparse_address(s->x), p->type)
        || lib.create_vector(&p->y, s->nrows, cusparse_address(s->y), p->type)
        || lib.buffer_size(lib.handle, CUSPARSE_AS_IT_IS, &p->one, p->a, p->x, &p->zero, p->y,
                           p->type, p->algorithm, &size)
        || pm_gpu_session_array(g->session, (int64_t)size + 8, &buffer, NULL)) {
        free(p);
        return NULL;
    }
    p->buffer = cusparse_address(buffer);
    if (lib.preprocess(lib.handle, CUSPARSE_AS_IT_IS, &p->one, p->a, p->x, &p->zero, p->y, p->type,
                       p->algorithm, p->buffer)) {
        cusparse_free(p);
        return NULL;
    }
    return p;
}

bool cusparse_multiply(cusparse_product *p)
{
    return lib.multiply(lib.handle, CUSPARSE_AS_IT_IS, &p->one, p->a, p->x, &p->zero, p->y, p->type,
                        p->algorithm, p->buffer)
           == 0;
}

void cusparse_free(cusparse_product *p)
{
    lib.destroy_matrix(p->a);
    lib.destroy_vector(p->x);
    lib.destroy_vector(p->y);
    free(p);
}
