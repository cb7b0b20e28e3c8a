/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/threads.h"

#include <stdlib.h>
#include <unistd.h>

void pm_threads_sleep(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT"))
        return;
    /* the path and not the link: the new process keeps its name */
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0 || setenv("OMP_WAIT_POLICY", "passive", 1) != 0)
        return;
    self[length] = '\0';
    execv(self, argv);
}
