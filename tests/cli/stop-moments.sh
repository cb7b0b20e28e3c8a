#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A signal at random moments ends every program, with its status, and leaves no file (stop_moments.py).  With
# PM_EXPENSIVE the whole table, 10 moments a row, within 0.3 seconds: 20 minutes on a machine without other work.
# 200 moments a row take six hours: stop_moments.py 200 SEED 0.3.
# PYTHON: the interpreter to use.
. "${srcdir:?}/tests/support/tap.sh"
python=${PYTHON:-python3}
name="a signal at a random moment ends every program"

if ! "$python" -c 'import os; os.pidfd_open' 2> /dev/null; then
    skip "$name" "no python3 with pidfd_open"
else
    seed=${PM_TEST_SEED:-$(date +%s)}
    few="2 $seed 0 10"
    if [ -n "${PM_EXPENSIVE:-}" ]; then
        limit=0.3
        grep -qE '^(INSTRUMENT_)?CFLAGS = .*-fsanitize' "${top_builddir:?}/Makefile" && limit=0
        few="$(awk -v r="${PM_TEST_ROUNDS:-1}" 'BEGIN { printf "%d", 10 * r < 1 ? 1 : 10 * r }') $seed $limit"
    fi
    echo "# seed $seed"
    # shellcheck disable=SC2086 # several arguments
    empty "$name" "$("$python" "$srcdir/tests/cli/stop_moments.py" $few)"
fi
done_testing
