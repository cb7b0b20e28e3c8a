#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Planar graphs and tori, whole runs of pm-count: wall seconds (best of two; reading, planning and
# printing included), processor seconds, peak memory, and the seconds that the plan foretold.
if ! pm-count --version | grep -q METIS; then
    echo '# planar: built without libplanarity and METIS'
    exit 0
fi
if ! command -v /usr/bin/time > /dev/null; then
    echo '# planar: /usr/bin/time (Debian: time) is not installed'
    exit 0
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# wall seconds, processor seconds, KiB; the better of two
measure()
{
    for _ in 1 2; do
        /usr/bin/time -a -o "$folder/time" -f '%e %U %M' pm-count "$folder/graph" \
            > "$folder/answer" || exit
    done
    sort -n "$folder/time" | head -n 1
    rm "$folder/time"
}

printf '# graph\tn\tseconds\tprocessor\tpredicted\tMiB\tdigits\n'
while read -r graph; do
    # shellcheck disable=SC2086 # a family and its arguments
    pm-gen $graph > "$folder/graph" || exit
    plan=$(pm-count --plan "$folder/graph" | awk 'NR == 2 { print $2, $8 }')
    echo "$plan $(measure) $(cut -f 1 "$folder/answer" | tr -d '\n-' | wc -c)" \
        | awk -v OFS='\t' -v g="$graph" '{ print g, $1, $3, $4, $2, $5 / 1024, $6 }'
done << 'END'
grid 50 50
grid 100 100
grid 150 150
grid 200 200
grid 20 2000
aztec 60
aztec 100
hexagon 30
hexagon 60
planar 100 100 .7 --seed=1
torus 50 50
torus 100 100
grid 50 50 --integer=1:9 --seed=1
grid 50 50 --real --seed=1
grid 100 100 --real --seed=1
END
