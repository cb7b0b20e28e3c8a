#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Estimates at the ends of the range: counts of thousands of digits, none at all, no variance.
. "${srcdir:?}/tests/support/tap.sh"
scratch=extremes.tmp
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch"

# member KEY: of the JSON object on standard input
member() { sed 's/.*"'"$1"'":"\{0,1\}\([^,"}]*\).*/\1/'; }

# near NAME ESTIMATE TRUTH ERROR: log10s, relative
near()
{
    if awk -v e="$2" -v t="$3" -v r="$4" 'BEGIN { d = e / t - 1; exit !(d < r && d > -r) }'; then
        pass "$1"
    else
        fail "$1" "log10 $2, not $3"
    fi
}

pm-gen grid 200 200 > "$scratch/grid"
truth=$(awk 'BEGIN { pi = atan2(0, -1); n = 200
    for (j = 1; j <= n / 2; ++j) for (k = 1; k <= n / 2; ++k)
        s += log(4 * cos(pi * j / (n + 1)) ^ 2 + 4 * cos(pi * k / (n + 1)) ^ 2)
    print s / log(10) }')
near "200 x 200 by a beam of 1000 states" "$(pm-approx -qj --method=beam --states=1000 --runs=3 \
    "$scratch/grid" | member log10)" "$truth" 0.02
if exact=$(pm-count --algorithm=planar "$scratch/grid" 2> "$scratch/why"); then
    near "200 x 200 counted" "$((${#exact} - 1))" "$truth" 0.0002
else
    skip "200 x 200 counted" "$(cat "$scratch/why")"
fi

for graph in "grid 201 201" "ladder"; do
    case $graph in
    ladder) # a long path, and two rows that have one column alone
        awk 'BEGIN { for (i = 1; i <= 30000; ++i) print i, i "\n" i, i + 1
            print 30001, 1 "\n" 30002, 1 "\n" 1, 30002 }' ;;
    *) pm-gen $graph ;;
    esac > "$scratch/none"
    said=$(pm-approx "$scratch/none" | grep -v '^#' | cut -f 1,7)
    test "$said" = "$(printf '0\texact')" && pass "$graph: none" || fail "$graph: none" "$said"
done

awk 'BEGIN { for (i = 1; i <= 50000; ++i) { print i, i; if (i > 1) print i, i - 1 } }' > "$scratch/path"
pm-gen ones 200 > "$scratch/ones"
ones=$(awk 'BEGIN { for (i = 1; i <= 200; ++i) s += log(i); print s / log(10) }')
for method in rasmussen+ look+ hub+ hub++ scaling+; do
    said=$(pm-approx --method=$method --samples=16 "$scratch/path" | grep -v '^#' | cut -f 1,7)
    test "$said" = "$(printf '1\texact')" && pass "path, $method" || fail "path, $method" "$said"
    pm-approx -qj --method=$method --samples=16 "$scratch/ones" > "$scratch/j"
    near "200!, $method" "$(member log10 < "$scratch/j")" "$ones" 1e-5
    spread=$(member rel_std_error < "$scratch/j")
    awk -v s="$spread" 'BEGIN { exit !(s < 0.1) }' && pass "no variance, $method" \
        || fail "no variance, $method" "$spread"
done
done_testing
