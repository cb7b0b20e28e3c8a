#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Test results in TAP for shell scripts: ". tap.sh", then pass, fail and skip, and done_testing.
tap_count=0

pass()
{
    tap_count=$((tap_count + 1))
    printf 'ok %d - %s\n' "$tap_count" "$1"
}

# fail NAME [DETAILS]
fail()
{
    tap_count=$((tap_count + 1))
    printf 'not ok %d - %s\n' "$tap_count" "$1"
    test -z "${2-}" || printf '%s\n' "$2" | sed 's/^/# /'
}

# skip NAME REASON
skip()
{
    tap_count=$((tap_count + 1))
    printf 'ok %d - %s # SKIP %s\n' "$tap_count" "$1" "$2"
}

# empty NAME TEXT: passes when there is no text; the text says what is wrong.
empty()
{
    if test -z "$2"; then
        pass "$1"
    else
        fail "$1" "$2"
    fi
}

# some_of N: the numbers 1 to N; with PM_TEST_ROUNDS below 1 that share of them
some_of()
{
    awk -v n="$1" -v r="${PM_TEST_ROUNDS:-1}" 'BEGIN { for (k = 1; k <= n; k += r < 1 ? 1 / r : 1) print int(k) }'
}

done_testing()
{
    echo "1..$tap_count"
}
