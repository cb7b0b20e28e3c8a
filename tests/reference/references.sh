#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Real matrices against verified values.  $PM_DATA names a folder with matrices in subfolders and
# references.tsv: name, n, nnz, perfect matchings of the 0/1 pattern, weighted permanent or
# nothing, condition per(|A|)/|per(A)|.
# A first run counts, a second one counts the transpose with another seed, so another order.
# tests/data/small-references.tsv holds the rows of little work, taken by "make check"; with
# PM_EXPENSIVE=1 every row is taken that is predicted to take less than two minutes.
. "${srcdir:?}/tests/support/tap.sh"

if test -z "${PM_DATA-}"; then
    skip "references" "PM_DATA names no folder of matrices"
    done_testing
    exit
fi
if test -n "${PM_EXPENSIVE-}"; then
    list=$PM_DATA/references.tsv limit=120
else
    list=$srcdir/tests/data/small-references.tsv limit=20
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

file_of()
{
    find "$PM_DATA/" -name "$1.mtx" | head -n 1
}

# close VALUE<TAB>ERROR REFERENCE CONDITION: within max(1e-12, 1e-15 condition), relative
close()
{
    case $1 in
    *'	'*) answer=$1 ;;
    *) answer="$1	0" ;; # exact
    esac
    printf '%s\t%s\t%s\n' "$answer" "$2" "$3" | awk -F'\t' '
        function exponent(s) { return s ~ /e/ ? substr(s, index(s, "e") + 1) + 0 : 0 }
        function mantissa(s) { sub(/e.*/, "", s); return s + 0 }
        {
            if ($3 ~ /^0/) { # cancels exactly: no more than its error
                v = mantissa($1); if (v < 0) v = -v
                ok = v == 0 || (exponent($1) - exponent($2) < 300 \
                     && v * 10 ^ (exponent($1) - exponent($2)) <= mantissa($2))
            } else {
                tolerance = 1e-12
                if (1e-15 * $4 > tolerance) tolerance = 1e-15 * $4
                d = mantissa($1) * 10 ^ (exponent($1) - exponent($3)) / mantissa($3) - 1
                ok = d <= tolerance && -d <= tolerance
            }
            exit !ok
        }'
}

# run NAME ARGS...: the answer in $answer; true unless refused by its cost
count()
{
    name=$1
    shift
    answer=$(pm-count "$@" 2> "$work/err")
    status=$?
    test $status -ne 69 && return 0
    skip "$name" "$(head -c 200 "$work/err" | tr '\n' ' ')"
    return 1
}

taken=0
# blanks keep empty columns apart: a tab in IFS would not
awk -F'\t' '!/^#/ { print $1, $4, $5 == "" ? "-" : $5, $6 == "" ? "-" : $6 }' "$list" \
    | sed 's/(exact cancellation[^)]*)//; s/(one run only)//' > "$work/rows"
while read -r name pattern weighted condition; do
    file=$(file_of "$name")
    if test -z "$file"; then
        skip "$name" "no such file in PM_DATA"
        continue
    fi
    taken=$((taken + 1))
    for way in '' '--transpose --seed=1'; do
        # shellcheck disable=SC2086 # options
        count "$name $way" --pattern --max-cost=$limit $way "$file" || break
        test "$answer" = "$pattern" && pass "$name $way" \
            || fail "$name $way" "$answer is not $pattern; $(cat "$work/err")"
        test "$weighted" != - || continue
        # shellcheck disable=SC2086
        count "$name, weighted $way" --max-cost=$limit $way "$file" || break
        close "$answer" "$weighted" "$condition" && pass "$name, weighted $way" \
            || fail "$name, weighted $way" "$answer is not $weighted; $(cat "$work/err")"
    done
done < "$work/rows"
test $taken -gt 0 || fail "references" "$list has no matrix in PM_DATA"
done_testing
