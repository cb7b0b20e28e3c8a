#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs with random options and inputs (option_lines.py) end as the manual says.  In "make check" the command lines
# are always the same; "make check-expensive" takes new ones.  PYTHON: the interpreter to use.
. "${srcdir:?}/tests/support/tap.sh"
python=${PYTHON:-python3}
name="random options: a documented status, one clear line, no answer with a failure"

if ! command -v "$python" > /dev/null; then
    skip "$name" "no python3"
else
    rounds=${PM_TEST_ROUNDS:-1} few=${PM_EXPENSIVE:+20000}
    count=$(awk -v n="${few:-200}" -v r="$rounds" 'BEGIN { printf "%d", n * r < 20 ? 20 : n * r }')
    seed=${PM_TEST_SEED:-${PM_EXPENSIVE:+$(date +%s)}}
    seed=${seed:-1}
    echo "# seed $seed, $count command lines"
    empty "$name" "$(PYTHONDONTWRITEBYTECODE=1 "$python" "$srcdir/tests/fuzz/option_lines.py" "$count" "$seed" 2>&3)"
fi 3>&1
done_testing
