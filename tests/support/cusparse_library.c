/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/cusparse_library.h"

#include <ctype.h>
#include <dlfcn.h>
#include <string.h>

static struct {
    void *driver, *library, *handle;
    int (*wait)(void);
} lib;

bool cusparse_find(const char *name, void *to)
{
    void *from = isupper((unsigned char)name[2]) ? lib.driver : lib.library;
    void *symbol = from ? dlsym(from, name) : NULL;
    memcpy(to, &symbol, sizeof symbol);
    return symbol;
}

void *cusparse_handle(void)
{
    static const char *const names[] = {"libcusparse.so.12", "libcusparse.so.13", "libcusparse.so"};
    int (*create)(void **handle);
    if (lib.handle)
        return lib.handle;
    lib.driver = dlopen("libcuda.so.1", RTLD_NOW);
    for (int i = 0; i < 3 && !lib.library; ++i)
        lib.library = dlopen(names[i], RTLD_NOW);
    if (!cusparse_find("cuCtxSynchronize", &lib.wait) || !cusparse_find("cusparseCreate", &create)
        || create(&lib.handle))
        lib.handle = NULL;
    return lib.handle;
}

bool cusparse_wait(void)
{
    return lib.wait() == 0;
}
