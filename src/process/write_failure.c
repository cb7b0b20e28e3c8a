/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "process/write_failure.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 4096 };

static bool is_at_limit(off_t at)
{
    struct rlimit most;
    return getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY
           && (rlim_t)at >= most.rlim_cur;
}

int pm_write_failure(FILE *f)
{
    const int file = fileno(f);
    struct stat info;
    if (file < 0 || fstat(file, &info) != 0 || !S_ISREG(info.st_mode))
        return 0;
    const off_t at = lseek(file, 0, SEEK_CUR);
    if (at < 0)
        return 0;
    if (is_at_limit(at))
        return EFBIG;
    const bool failed = fallocate(file, FALLOC_FL_KEEP_SIZE, at, BLOCK) != 0;
    return failed && (errno == ENOSPC || errno == EDQUOT) ? errno : 0;
}
