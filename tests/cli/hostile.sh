#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Memory, time and exit statuses of hostile inputs under --max-memory and --time-limit (hostile.py).
# PYTHON: the interpreter to use.
. "${srcdir:?}/tests/support/tap.sh"
python=${PYTHON:-python3}
name="hostile inputs stay within --max-memory and --time-limit"

if ! command -v "$python" > /dev/null; then
    skip "$name" "no python3"
elif grep -qE '^(INSTRUMENT_)?CFLAGS = .*-fsanitize' "${top_builddir:?}/Makefile"; then
    skip "$name" "sanitizers take more memory"
elif ! grep -q '^#define HAVE_MALLINFO2' "$top_builddir/config.h"; then
    skip "$name" "the C library does not say what is allocated"
else
    # two inputs of each kind
    rounds=${PM_TEST_ROUNDS:-1} few=${PM_EXPENSIVE:+1000}
    count=$(awk -v n="${few:-38}" -v r="$rounds" 'BEGIN { printf "%d", n * r < 10 ? 10 : n * r }')
    seed=${PM_TEST_SEED:-$(date +%s)}
    echo "# seed $seed, $count inputs"
    empty "$name" "$("$python" "$srcdir/tests/cli/hostile.py" "$count" "$seed")"
fi
done_testing
