/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/cusparse.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of cusparse.h and library_types.h. */
enum { INDEX_32 = 2, BASE_ZERO = 0, AS_IT_IS = 0, FLOATS = 0, DOUBLES = 1 };
static const int algorithm_number[CUSPARSE_ALGORITHMS] = {0, 2, 3};
const char *const cusparse_algorithm[CUSPARSE_ALGORITHMS] = {"default", "alg1", "alg2"};

static struct {
    void *handle;
    int (*create)(void **handle);
    int (*create_csr)(void **matrix, int64_t rows, int64_t cols, int64_t nnz, void *rowptr,
                      void *colind, void *value, int rowptr_type, int colind_type, int base,
                      int type);
    int (*create_vector)(void **vector, int64_t size, void *values, int type);
    int (*buffer_size)(void *handle, int op, const void *alpha, void *a, void *x, const void *beta,
                       void *y, int type, int algorithm, size_t *size);
    int (*preprocess)(void *handle, int op, const void *alpha, void *a, void *x, const void *beta,
                      void *y, int type, int algorithm, void *buffer);
    int (*multiply)(void *handle, int op, const void *alpha, void *a, void *x, const void *beta,
                    void *y, int type, int algorithm, void *buffer);
    int (*destroy_matrix)(void *matrix);
    int (*destroy_vector)(void *vector);
    int (*wait)(void);
} lib;

static bool find(void *library, const char *name, void *to)
{
    void *symbol = library ? dlsym(library, name) : NULL;
    memcpy(to, &symbol, sizeof symbol);
    return symbol;
}

bool cusparse_open(void)
{
    static const char *const names[] = {"libcusparse.so.12", "libcusparse.so.13", "libcusparse.so"};
    void *library = NULL, *driver = dlopen("libcuda.so.1", RTLD_NOW);
    for (int i = 0; i < 3 && !library; ++i)
        library = dlopen(names[i], RTLD_NOW);
    if (lib.handle)
        return true;
    return find(library, "cusparseCreate", &lib.create)
           && find(library, "cusparseCreateCsr", &lib.create_csr)
           && find(library, "cusparseCreateDnVec", &lib.create_vector)
           && find(library, "cusparseSpMV_bufferSize", &lib.buffer_size)
           && find(library, "cusparseSpMV_preprocess", &lib.preprocess)
           && find(library, "cusparseSpMV", &lib.multiply)
           && find(library, "cusparseDestroySpMat", &lib.destroy_matrix)
           && find(library, "cusparseDestroyDnVec", &lib.destroy_vector)
           && find(driver, "cuCtxSynchronize", &lib.wait) && lib.create(&lib.handle) == 0;
}

struct cusparse_product {
    void *a, *x, *y, *buffer;
    int type, algorithm;
    double one, zero; /* as a double, or its first half as a float */
};

static void *address(unsigned long long a)
{
    return (void *)(uintptr_t)a;
}

cusparse_product *cusparse_make(pm_spmv_gpu *g, int algorithm)
{
    cusparse_product *p = calloc(1, sizeof *p);
    const pm_spmv_arrays *s = &g->arrays;
    size_t size;
    pm_gpu_array buffer;
    const float one = 1;
    if (!p)
        return NULL;
    p->type = g->kind.is_single ? FLOATS : DOUBLES;
    p->algorithm = algorithm_number[algorithm];
    p->one = 1;
    if (g->kind.is_single)
        memcpy(&p->one, &one, sizeof one);
    if (lib.create_csr(&p->a, s->nrows, g->ncols, s->nnz, address(s->rowptr), address(s->column),
                       address(s->value), INDEX_32, INDEX_32, BASE_ZERO, p->type)
        || lib.create_vector(&p->x, g->ncols, address(s->x), p->type)
        || lib.create_vector(&p->y, s->nrows, address(s->y), p->type)
        || lib.buffer_size(lib.handle, AS_IT_IS, &p->one, p->a, p->x, &p->zero, p->y, p->type,
                           p->algorithm, &size)
        || pm_gpu_session_array(g->session, (int64_t)size + 8, &buffer, NULL)) {
        free(p);
        return NULL;
    }
    p->buffer = address(buffer);
    if (lib.preprocess(lib.handle, AS_IT_IS, &p->one, p->a, p->x, &p->zero, p->y, p->type,
                       p->algorithm, p->buffer)) {
        cusparse_free(p);
        return NULL;
    }
    return p;
}

bool cusparse_multiply(cusparse_product *p)
{
    return lib.multiply(lib.handle, AS_IT_IS, &p->one, p->a, p->x, &p->zero, p->y, p->type,
                        p->algorithm, p->buffer)
           == 0;
}

bool cusparse_wait(void)
{
    return lib.wait() == 0;
}

void cusparse_free(cusparse_product *p)
{
    lib.destroy_matrix(p->a);
    lib.destroy_vector(p->x);
    lib.destroy_vector(p->y);
    free(p);
}
