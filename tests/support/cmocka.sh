#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a cmocka program and mends its TAP: cmocka 1.1.5 calls a skipped test "not ok".
exec 3>&1
status=$({
    {
        "$@" 4>&-
        echo $? >&4
    } | sed 's/^not ok \([0-9]* # SKIP\)/ok \1/' >&3
} 4>&1)
exit "$status"
