/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of multiplicities, as a file and as text of the command line. */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/times_read.h"
#include "check_reader.h"
#include "pm/alloc.h"

static void check(const char *list)
{
    pm_times_list t;
    pm_error err;
    if (pm_times_read(list, &t, &err) == PM_OK)
        for (int64_t i = 0; i < t.count; ++i)
            assert(t.value[i] >= 0 && t.value[i] <= INT32_MAX);
    pm_times_free(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[64];
    FILE *f = tmpfile();
    assert(f);
    assert(fwrite(bytes, 1, size, f) == size && fflush(f) == 0);
    snprintf(path, sizeof path, "@/proc/self/fd/%d", fileno(f));
    check(path);
    fclose(f);
    char *text = pm_alloc_array((int64_t)size + 1, 1);
    assert(text);
    memcpy(text, bytes, size);
    text[size] = '\0';
    if (*text != '@')
        check(text);
    free(text);
    return 0;
}
