/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/kept_texts.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/as_c.h"

enum { PATH = 96 };

static struct {
    char folder[32], **text;
    int count, loads, last;
} kept = {.last = -1};

static void object_of(int i, char path[PATH])
{
    snprintf(path, PATH, "%s/kernel-%d.so", kept.folder, i);
}

void kept_texts_end(void)
{
    char path[PATH];
    for (int i = 0; i < kept.count; ++i) {
        object_of(i, path);
        unlink(path);
        free(kept.text[i]);
    }
    free(kept.text);
    if (*kept.folder)
        rmdir(kept.folder);
    memset(&kept, 0, sizeof kept);
    kept.last = -1;
}

/* Room for one more, and a folder. */
static bool make_room(void)
{
    char **text = realloc(kept.text, ((size_t)kept.count + 1) * sizeof *text);
    if (!text)
        return false;
    kept.text = text;
    if (*kept.folder)
        return true;
    snprintf(kept.folder, sizeof kept.folder, "/tmp/pm-host-XXXXXX");
    if (mkdtemp(kept.folder))
        return true;
    *kept.folder = '\0';
    return false;
}

static int keep(const char *text)
{
    char object[PATH], *copy;
    const char *compiler = getenv("CC");
    for (int i = 0; i < kept.count; ++i)
        if (strcmp(kept.text[i], text) == 0)
            return i;
    if (!make_room())
        return -1;
    object_of(kept.count, object);
    copy = strdup(text);
    if (!copy || !compile_object(compiler ? compiler : "cc", 1, text, kept.folder, object)) {
        free(copy);
        return -1;
    }
    kept.text[kept.count] = copy;
    return kept.count++;
}

int kept_text(const char *text)
{
    int number;
#pragma omp critical(kept_texts)
    number = kept.last = keep(text);
    return number;
}

const char *kept_text_last(void)
{
    return kept.last < 0 ? NULL : kept.text[kept.last];
}

/* A copy under another name: by names dlopen knows what is open. */
void *kept_text_load(int number)
{
    void *library;
    char object[PATH], own[PATH + 16], command[3 * PATH];
#pragma omp critical(kept_texts)
    {
        object_of(number, object);
        snprintf(own, sizeof own, "%s-%d", object, kept.loads++);
        snprintf(command, sizeof command, "cp %s %s", object, own);
        library = system(command) == 0 ? dlopen(own, RTLD_NOW | RTLD_LOCAL) : NULL;
        unlink(own);
    }
    return library;
}
