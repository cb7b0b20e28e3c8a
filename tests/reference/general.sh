#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Real graphs on one set of vertices against verified values.  $PM_DATA/general/references.tsv has, with tabs: the file,
# its perfect matchings, its matchings of every size or nothing, the size of the largest.
# A first run counts, a second one takes another seed, so another order, other primes, and a method
# of its own where there is one.
. "${srcdir:?}/tests/support/tap.sh"

list=${PM_DATA-}/general/references.tsv
if test ! -f "$list"; then
    skip "references of general graphs" "PM_DATA names no folder with them"
    done_testing
    exit
fi

# same NAME WANTED ARGUMENT...
same()
{
    name=$1 wanted=$2
    shift 2
    answer=$(pm-count -q "$@" 2>&1)
    if test "$answer" = "$wanted"; then
        pass "$name"
    else
        fail "$name" "$answer is not $wanted"
    fi
}

rows=$(mktemp) || exit 1
trap 'rm -f "$rows"' EXIT
sed '/^#/d; s/	/|/g' "$list" > "$rows"
while IFS='|' read -r file perfect all largest; do
    same "$file" "$perfect" --graph --pattern --verify --seed=1 "$PM_DATA/$file"
    test -n "$all" || continue
    same "$file, all matchings" "$all" --graph --pattern --loops=1 --verify --seed=1 "$PM_DATA/$file"
    : "$largest" # pm-dm(1)
done < "$rows"
done_testing
