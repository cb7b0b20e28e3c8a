#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The stages as filters never change an answer: the matrices of tests/data/small-references.tsv that
# are below $PM_DATA go through all of them, alone and chained, weighted and as patterns.  What an
# order makes too dear is left out.
. "${srcdir:?}/tests/support/tap.sh"

if test -z "${PM_DATA-}"; then
    skip "pipes" "PM_DATA names no folder of matrices"
    done_testing
    exit
fi
LIMIT=1 DEAR=2 # predicted seconds
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

decompose() { pm-decompose --max-terms=30; }
order()
{
    case $1 in
    frontier | elimination) pm-order --method="$1" --effort=0.2 ;;
    *) pm-order --method="$1" ;;
    esac
}
count() { pm-count --max-cost=$DEAR "$@"; }
given() { count --order=given; }
named() { sed 's/$/	it/'; }

ways='dm dm+decompose decompose+dm frontier sort skip permanent elimination rcm none
    dm+decompose+order order+decompose+dm'
through()
{
    case $1 in
    dm) pm-dm | count ;;
    dm+decompose) pm-dm | decompose | count ;;
    decompose+dm) decompose | pm-dm | count ;;
    dm+decompose+order) pm-dm | decompose | order frontier | given ;;
    order+decompose+dm) order sort | decompose | pm-dm | count ;;
    *) order "$1" | given ;;
    esac
}

# check NAME FILE: what the ways say of it, and which were left out
check()
{
    wrong= dear=
    for way in $ways; do
        if through "$way" < "$2" > "$work/answer" 2> "$work/err"; then
            named < "$work/answer" | paste "$work/direct" - \
                | awk -F '\t' -f "$srcdir/tests/cli/same_values.awk" > "$work/differ" \
                || wrong="$wrong $way: $(cat "$work/differ")"
        elif grep -q "refused\|elimination orders matrices of up to" "$work/err"; then
            dear="$dear $way"
        else
            wrong="$wrong $way: $(cat "$work/err")"
        fi
    done
    if test -n "$wrong"; then
        fail "$1" "$wrong"
    else
        pass "$1${dear:+, refused:$dear}"
    fi
}

grep -v '^#' "$srcdir/tests/data/small-references.tsv" | cut -f 1 > "$work/names"
while read -r name; do
    file=$(find "$PM_DATA/" -name "$name.mtx" | head -n 1)
    test -n "$file" || continue
    for how in '' --pattern; do
        test -n "$how" && head -n 1 "$file" | grep -q pattern && continue
        # shellcheck disable=SC2086 # an option or none
        pm-count $how --max-cost=$LIMIT "$file" 2> "$work/err" | named > "$work/direct"
        test -s "$work/direct" || continue
        # shellcheck disable=SC2086
        pm-order --method=none --no-version $how "$file" > "$work/graph"
        check "${file##*/} $how" "$work/graph"
    done
done < "$work/names"
test "$tap_count" -gt 0 || fail "pipes" "no matrix in PM_DATA was counted"
done_testing
