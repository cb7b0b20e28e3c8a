#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Random inputs of every format, read by pmkit and by slow readers in Python (differential.py): any difference is a
# defect.  In "make check" the inputs are always the same, since a slow reader may be wrong about an input that nobody
# has seen; "make check-expensive" takes new ones.  PYTHON: the interpreter to use.
. "${srcdir:?}/tests/support/tap.sh"
python=${PYTHON:-python3}
name="all formats are read as slow readers of the manual read them"

if ! command -v "$python" > /dev/null; then
    skip "$name" "no python3"
else
    rounds=${PM_TEST_ROUNDS:-1} few=${PM_EXPENSIVE:+30000}
    count=$(awk -v n="${few:-400}" -v r="$rounds" 'BEGIN { printf "%d", n * r < 20 ? 20 : n * r }')
    seed=${PM_TEST_SEED:-${PM_EXPENSIVE:+$(date +%s)}}
    seed=${seed:-1}
    echo "# seed $seed, $count inputs of each format"
    empty "$name" "$(PYTHONDONTWRITEBYTECODE=1 "$python" "$srcdir/tests/fuzz/differential.py" \
        "$count" "$seed" "./tests/fuzz/dump_readings" 2>&3)"
fi 3>&1
done_testing
