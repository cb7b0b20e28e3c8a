#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# pm-approx --method=bethe beside exact counts, on 109 graphs: 72 random ones with seeds of their own, 37 lattices and
# other fixed graphs.  How many intervals and proved bounds hold the count, and the errors in decades; a line for
# each graph outside.  Then large lattices with frozen corners, some of which are not scaled to the end in the products
# that a scaling has: count (Elkies et al. 1992, MacMahon), estimate, interval and bounds, seconds.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

graphs()
{
    for s in 701 702 703 704 705 706 707 708; do
        printf '%s\n' "regular 24 3" "regular 26 4" "regular 22 5" "erdos-renyi 22 0.35 --nonsingular" \
            "erdos-renyi 20 0.7" "erdos-renyi 28 0.15 --nonsingular" "planar 12 14 0.6" "planar 17 18 0.8" \
            | sed "s/\$/ --seed=$s/"
    done
    for s in 711 712 713 714; do
        printf '%s\n' "planar 30 20 0.9" "erdos-renyi 40 0.08 --nonsingular" | sed "s/\$/ --seed=$s/"
    done
    printf '%s\n' "grid 7 10" "grid 9 14" "grid 11 20" "grid 13 18" "grid 22 26" "grid 5 40" "torus 6 8" \
        "torus 10 6" "torus 12 10" "torus 14 18" "hexagon 3 4 5" "hexagon 7" "hexagon 2 6 9" \
        "hexagon 9 8 7" "cube 2 3 6" "cube 3 3 4" "cube 2 5 5" "aztec 7" "aztec 11" "aztec 15" \
        "hypercube 4" "hypercube 5" "band 20 3" "band 35 2" "band 26 4" "band 40 1" "circulant 19 0 1 3" \
        "circulant 23 0 1 4 7" "circulant 21 0 2 5 8 9" "circulant 30 0 1 2" "ones 11" "ones 17" \
        "derangement 13" "derangement 19" "mycielskian 4" "mycielskian 5" "mycielskian 6"
}

while read -r arguments; do
    # shellcheck disable=SC2086 # words
    pm-gen $arguments > "$folder/g" || exit 1
    count=$(pm-count "$folder/g") || exit 1
    estimate=$(pm-approx --method=bethe --seed=1 "$folder/g" | sed 1d) || exit 1
    printf '%s\t%s\t%s\n' "$count" "$estimate" "$arguments"
done < <(graphs) > "$folder/rows" || exit 1

# count, estimate, low, high, lower, upper, which are proved, graph; the ends are rounded to 6 digits
awk -F '\t' '
    function log10_of(count) { return length(count) - 15 + log(substr(count "000000000000000", 1, 15)) / log(10) }
    $1 == 0 { next }
    {
        truth = log10_of($1); error[++n] = truth > $2 ? truth - $2 : $2 - truth
        is_held = $3 - 1e-6 <= truth && truth <= $4 + 1e-6; held += is_held
        is_proved = $5 - 1e-6 <= truth && truth <= $6 + 1e-6; proved += is_proved
        if (!is_held || !is_proved) print "outside:", $8, truth, $2, $3, $4, $5, $6
    }
    END {
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && error[j - 1] > error[j]; j--) { x = error[j]; error[j] = error[j - 1]; error[j - 1] = x }
        print "# graphs\tinterval\tproved\tmedian\tnine_of_ten\tlargest"
        print n "\t" held + 0 "\t" proved + 0 "\t" error[int((n + 1) / 2)] "\t" error[int(.9 * n)] "\t" error[n]
    }' "$folder/rows"

printf '# lattice\tcount\testimate\tlow\thigh\tlower\tupper\tseconds\n'
for graph in 'aztec 120' 'aztec 300' 'aztec 500' 'aztec 1000' 'hexagon 100 100 100' 'hexagon 280 280 280' \
    'hexagon 400 400 400' 'hexagon 1050 1050 1050' 'hexagon 60 60 500' 'hexagon 100 100 5000'; do
    # shellcheck disable=SC2086 # words
    pm-gen $graph > "$folder/g" || exit 1
    start=$(date +%s%N)
    estimate=$(pm-approx -q -t2 --method=bethe --seed=1 "$folder/g" | sed 1d | cut -f1-5) || exit 1
    count=$(awk -v graph="$graph" 'BEGIN {
        split(graph, w, " ")
        if (w[1] == "aztec") x = w[2] * (w[2] + 1) / 2 * log(2)
        else for (i = 1; i <= w[2]; ++i) for (j = 1; j <= w[3]; ++j) x += log((i + j + w[4] - 1) / (i + j - 1))
        printf "%.1f", x / log(10) }')
    printf '%s\t%s\t%s\t%.1f\n' "$graph" "$count" "$estimate" "$(($(date +%s%N) - start))e-9"
done
