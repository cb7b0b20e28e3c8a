/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

int pm_terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return PM_TERMINAL_WIDTH;
}
