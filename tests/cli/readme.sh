#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What README shows is what the programs print.
. "${srcdir:?}/tests/support/tap.sh"

readme=$srcdir/README.md

# Predicted seconds are those of the vector unit at hand.
without_seconds()
{
    echo "$1" | sed 's/about [0-9.e-]* seconds/about SOME seconds/'
}

# What README says that the command prints: the lines after it, up to the next command or text
shown()
{
    wanted=$1 awk '
        /^    \$ / { inside = substr($0, 7) == ENVIRON["wanted"]; next }
        !/^    /   { inside = 0 }
        inside     { print substr($0, 5) }' "$readme"
}

sed -n 's/^    \$ //p' "$readme" > readme.commands
test -s readme.commands || fail "README shows commands"
while IFS= read -r command; do
    printed=$(sh -c "$command" < /dev/null 2>&1)
    if test "$(without_seconds "$printed")" = "$(without_seconds "$(shown "$command")")"; then
        pass "README: $command"
    else
        fail "README: $command" "$printed"
    fi
done < readme.commands
rm -f readme.commands
done_testing
